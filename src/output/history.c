// SPDX-License-Identifier: Apache-2.0
#include "output/history.h"

#include "base/memory.h"
#include "output/rigid_values.h"
#include "output/trajectory_values.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

// Along trajectories strips give pressures and states to the nodes of both bodies, and nothing else.
static bool is_mate(const StickModel *model, const StickHistorySpec *spec, const StickResult *what)
{
    return model->nmatings > 0 &&
           (what->kind == STICK_RESULT_CONTACT_PRESSURE || what->kind == STICK_RESULT_STATUS) &&
           spec->component < 0;
}

// Gaps, states, pressures and forces by the frame of a contact stand at the nodes of its first body: of the
// second one there would be nothing but zeros.
static StickStatus refuse_second_body(StickContext *ctx, const StickSystem *system,
                                      const StickHistorySpec *spec, const StickResult *what)
{
    const StickModel *model = system->model;
    bool first_only = what->of_first || spec->component >= STICK_NORMAL_COMPONENT;
    for (int k = 0; first_only && k < model->ncontacts; k++)
        if (model->contact[k].slave.body == spec->of.body)
            first_only = false;
    if (!first_only || system->body[spec->of.body].rigid || is_mate(model, spec, what))
        return STICK_OK;
    return stick_fail_at(
        ctx, STICK_BAD_INPUT, spec->mark,
        "history '%s': '%s%s' is known for the first body of a contact, and '%s' is in no contact "
        "the first",
        spec->name, what->name,
        spec->component == STICK_NORMAL_COMPONENT       ? ".normal"
        : spec->component == STICK_TANGENTIAL_COMPONENT ? ".tangential"
                                                        : "",
        model->body[spec->of.body].name);
}

static StickStatus name_column(StickContext *ctx, const StickSystem *system, StickHistory *history,
                               const char *name, StickQuantity quantity)
{
    char label[STICK_LABEL_TEXT];
    stick_label(&system->model->units, name, quantity, label);
    for (char *c = label; *c; c++) // a comma would start the next column
        *c = *c == ',' ? ';' : *c;
    history->column[history->ncolumns] = stick_copy_text(ctx, label);
    if (!history->column[history->ncolumns])
        return STICK_NO_MEMORY;
    history->ncolumns++;
    return STICK_OK;
}

// "displacement.x", "velocity.x", ...; of each node with its number behind
static StickStatus name_portrait(StickContext *ctx, const StickSystem *system, StickHistory *history)
{
    static const char *const axes[] = {"x", "y", "z"};
    int nodes = history->spec->each ? history->group->nnodes : 1;
    STICK_ALLOC(ctx, history->column, nodes * 2 * system->dim + 1);
    STICK_ALLOC(ctx, history->row, nodes * 2 * system->dim + 1);
    STICK_TRY(name_column(ctx, system, history, "t", STICK_TIME));
    for (int k = 0; k < nodes; k++)
        for (int j = 0; j < 2 * system->dim; j++) {
            char name[64];
            int length =
                snprintf(name, sizeof name, "%s.%s", j % 2 ? "velocity" : "displacement", axes[j / 2]);
            if (history->spec->each)
                snprintf(name + length, sizeof name - (size_t)length, ".%d", history->group->node[k] + 1);
            STICK_TRY(name_column(ctx, system, history, name, j % 2 ? STICK_VELOCITY : STICK_LENGTH));
        }
    return STICK_OK;
}

static StickStatus name_columns(StickContext *ctx, const StickSystem *system, StickHistory *history)
{
    const StickHistorySpec *spec = history->spec;
    if (spec->portrait)
        return name_portrait(ctx, system, history);
    int nodes = spec->each && history->group ? history->group->nnodes : 1;
    STICK_ALLOC(ctx, history->column, nodes + 2);
    STICK_ALLOC(ctx, history->row, nodes + 2);
    STICK_TRY(name_column(ctx, system, history, "t", STICK_TIME));
    for (int k = 0; k < nodes; k++) {
        char name[STICK_LABEL_TEXT];
        if (spec->each && history->group)
            snprintf(name, sizeof name, "%.100s.%d", spec->name, history->group->node[k] + 1);
        else
            snprintf(name, sizeof name, "%.100s", spec->name);
        STICK_TRY(name_column(ctx, system, history, name, stick_nodal_quantity(history->what)));
    }
    return spec->exact ? name_column(ctx, system, history, "exact", stick_nodal_quantity(history->what))
                       : STICK_OK;
}

// A group with elements moves as its mass centre does, whatever the mesh; nodes and sides have no mass.
static StickStatus weigh(StickContext *ctx, const StickBody *body, StickHistory *history)
{
    const StickGroup *group = history->group;
    if (body->rigid || history->what->gather != STICK_GATHER_MEAN || history->spec->each ||
        group->nelements == 0)
        return STICK_OK;
    STICK_ALLOC(ctx, history->mass, body->mesh.nnodes);
    return stick_fem_masses(ctx, &body->continuum, group->element, group->nelements, history->mass);
}

// Of the group only the node that is nearest to a place.
static void take_nearest(const StickSystem *system, StickHistory *history)
{
    const StickMesh *mesh = &system->body[history->spec->of.body].mesh;
    double least = INFINITY;
    for (int k = 0; k < history->group->nnodes; k++) {
        const double *x = &mesh->x[history->group->node[k] * system->dim];
        double square = 0;
        for (int j = 0; j < system->dim; j++)
            square += (x[j] - history->spec->at[j]) * (x[j] - history->spec->at[j]);
        if (square < least)
            history->nearest = history->group->node[k];
        least = fmin(least, square);
    }
    history->one = (StickGroup){.name = history->group->name, .node = &history->nearest, .nnodes = 1};
    history->group = &history->one;
}

static StickStatus fill(StickContext *ctx, const StickSystem *system, StickHistory *history)
{
    const StickHistorySpec *spec = history->spec;
    history->what = stick_result(spec->what);
    assert(history->what); // the reader refuses others
    if (spec->joint >= 0 || history->what->of_frame || history->what->of_gears)
        return name_columns(ctx, system, history);
    if (spec->of.body >= 0) {
        STICK_TRY(stick_system_group(system, &spec->of, &history->group));
        if (spec->has_at)
            take_nearest(system, history);
        STICK_TRY(refuse_second_body(ctx, system, spec, history->what));
        STICK_ALLOC(ctx, history->values, system->body[spec->of.body].mesh.nnodes);
        STICK_TRY(weigh(ctx, &system->body[spec->of.body], history));
    } else if (history->what->kind == STICK_RESULT_DISPLACEMENT) {
        STICK_ALLOC(ctx, history->moves, 1);
        stick_translation_init(ctx, history->moves, &system->model->obstacle[spec->of.obstacle], system->dim,
                               stick_pairs_panel(system->model));
    } else if (!history->what->of_obstacle && !history->what->of_two) {
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark, "history '%s': an obstacle has no '%s'",
                             spec->name, history->what->name);
    }
    return name_columns(ctx, system, history);
}

StickStatus stick_history_create(StickContext *ctx, const StickSystem *system, const StickHistorySpec *spec,
                                 StickHistory *history)
{
    *history = (StickHistory){.spec = spec};
    StickStatus status = fill(ctx, system, history);
    if (status != STICK_OK)
        stick_history_destroy(ctx, history);
    return status;
}

void stick_history_destroy(StickContext *ctx, StickHistory *history)
{
    for (int k = 0; k < history->ncolumns; k++)
        stick_free(ctx, history->column[k]);
    stick_free(ctx, history->column);
    stick_free(ctx, history->row);
    stick_free(ctx, history->moves);
    stick_free(ctx, history->values);
    stick_free(ctx, history->mass);
    *history = (StickHistory){0};
}

bool stick_history_needs_gaps(const StickHistory *history)
{
    return history->what->kind == STICK_RESULT_GAP;
}

static double mean(const StickHistory *history)
{
    const StickGroup *group = history->group;
    double sum = 0, weights = 0;
    for (int k = 0; k < group->nnodes; k++) {
        double weight = history->mass ? history->mass[group->node[k]] : 1;
        sum += weight * history->values[group->node[k]];
        weights += weight;
    }
    return sum / weights;
}

static double gather(const StickHistory *history)
{
    const StickGroup *group = history->group;
    StickGather how = history->what->gather;
    double sum = 0, least = NAN, most = NAN;
    for (int k = 0; k < group->nnodes; k++) {
        double value = history->values[group->node[k]];
        sum += value;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    return how == STICK_GATHER_SUM    ? sum
           : how == STICK_GATHER_MEAN ? mean(history)
           : how == STICK_GATHER_MOST ? most
                                      : least;
}

// A rigid body is followed as a whole unless a group of its skin is named, or each node.
static bool is_whole(const StickSystem *system, const StickHistorySpec *spec)
{
    return system->body[spec->of.body].rigid && !spec->of.group && !spec->each;
}

// Displacements and velocities by turns, of the mean or of each node.
static void fill_portrait(StickHistory *history, const StickSimulation *run)
{
    const StickResult *what[] = {stick_result("displacement"), stick_result("velocity")};
    const StickHistorySpec *spec = history->spec;
    int values = 2 * run->system->dim;
    for (int j = 0; j < values; j++) {
        stick_nodal_values(run, what[j % 2], j / 2, spec->of.body, NULL, history->values);
        for (int k = 0; k < (spec->each ? history->group->nnodes : 1); k++)
            history->row[1 + k * values + j] =
                spec->each ? history->values[history->group->node[k]] : mean(history);
    }
}

bool stick_history_is_due(const StickHistory *history, const StickSimulation *run)
{
    int only = history->spec->only_step;
    return only == 0 || run->spec == &run->system->model->step[only - 1];
}

StickStatus stick_history_fill(StickHistory *history, const StickSimulation *run, const StickContactSet *gaps)
{
    const StickHistorySpec *spec = history->spec;
    int column = 0;
    history->row[column++] = run->state.now.t;
    if (spec->portrait) {
        fill_portrait(history, run);
        return STICK_OK;
    }
    if (history->what->of_joint) {
        history->row[column++] = stick_joint_value(run, history->what, spec->component, spec->joint);
    } else if (history->what->of_frame || history->what->of_gears) {
        history->row[column++] = stick_trajectory_value(run, history->what, spec);
    } else if (history->what->of_two) {
        STICK_TRY(stick_rigid_distance(run, &spec->of, &spec->to, &history->row[column++]));
    } else if (history->moves) {
        double shift[3], velocity[3];
        STICK_TRY(stick_translation_at(history->moves, run->state.now.t, 0, shift, velocity));
        history->row[column++] = shift[spec->component];
    } else if (!history->group) {
        history->row[column++] =
            stick_nodal_obstacle(run, history->what, spec->component, spec->of.obstacle, gaps);
    } else if (is_whole(run->system, spec)) {
        history->row[column++] = stick_rigid_value(run, history->what, spec->component, spec->of.body);
    } else {
        stick_nodal_values(run, history->what, spec->component, spec->of.body, gaps, history->values);
        if (spec->each)
            for (int k = 0; k < history->group->nnodes; k++)
                history->row[column++] = history->values[history->group->node[k]];
        else
            history->row[column++] = gather(history);
    }
    if (!spec->exact)
        return STICK_OK;
    StickVariables seen = {.t = run->state.now.t};
    return stick_expression_value(spec->exact, &seen, &history->row[column]);
}
