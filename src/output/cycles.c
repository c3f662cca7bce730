// SPDX-License-Identifier: Apache-2.0
#include "output/cycles.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/gear_table.h"
#include "output/mechanism_table.h"
#include "output/root_stress.h"
#include "output/table.h"
#include "stepping/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_TEXT = 4096 };

static const char flank_group[] = "tooth-"; // then the number of the tooth and its side: "tooth-3-left"

struct StickCycles {
    StickContext *ctx;
    const StickSystem *system;
    StickGearTable *gears;
    int ngears;
    StickMechanismTable mechanism;
    bool has_mechanism;
    StickTable **file; // of gears, then of the mechanism
    StickGearTouch *touch;
    size_t touch_capacity;
    StickRootStress *root; // of each gear
};

// ---- what there is to write

static bool has_trajectory(const StickModel *model)
{
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind == STICK_STEP_TRAJECTORY)
            return true;
    return false;
}

// Checks know tables by their names alone.
static StickStatus refuse_name(StickContext *ctx, const StickModel *model, const char *name, StickMark mark)
{
    if (strcmp(name, STICK_MECHANISM) != 0 && !stick_model_gears(model, name, strlen(name)))
        return STICK_OK;
    return stick_fail_at(
        ctx, STICK_BAD_INPUT, mark,
        "no history and no profile can have the name '%s': cycle/%s.csv has it; take another one", name,
        name);
}

static StickStatus refuse_names(StickContext *ctx, const StickModel *model)
{
    const StickOutputSpec *output = &model->output;
    for (int k = 0; k < output->nhistories; k++)
        STICK_TRY(refuse_name(ctx, model, output->history[k].name, output->history[k].mark));
    for (int k = 0; k < output->nprofiles; k++)
        STICK_TRY(refuse_name(ctx, model, output->profile[k].name, output->profile[k].mark));
    const StickGearPairSpec *spec = stick_model_gears(model, STICK_MECHANISM, strlen(STICK_MECHANISM));
    if (spec)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "gears cannot have the name '%s': the program writes a table of that name",
                             spec->name);
    return STICK_OK;
}

static StickStatus find_roots(StickCycles *cycles)
{
    STICK_ALLOC(cycles->ctx, cycles->root, 2 * cycles->ngears);
    for (int k = 0; k < 2 * cycles->ngears; k++) {
        const StickBody *body = &cycles->system->body[cycles->gears[k / 2].spec->body[k % 2]];
        STICK_TRY(stick_root_stress_create(cycles->ctx, body, &cycles->root[k]));
    }
    return STICK_OK;
}

static StickStatus make(StickCycles *cycles)
{
    const StickModel *model = cycles->system->model;
    if (!has_trajectory(model))
        return STICK_OK;
    STICK_TRY(refuse_names(cycles->ctx, model));
    STICK_ALLOC(cycles->ctx, cycles->gears, model->ngears);
    for (; cycles->ngears < model->ngears; cycles->ngears++)
        STICK_TRY(stick_gear_table_create(cycles->ctx, model, &model->gears[cycles->ngears],
                                          &cycles->gears[cycles->ngears]));
    if (model->nframes > 0)
        STICK_TRY(stick_mechanism_table_create(cycles->ctx, model, &cycles->mechanism));
    cycles->has_mechanism = model->nframes > 0;
    STICK_ALLOC(cycles->ctx, cycles->file, stick_cycles_count(cycles));
    return find_roots(cycles);
}

StickStatus stick_cycles_create(StickContext *ctx, const StickSystem *system, StickCycles **cycles)
{
    StickCycles *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->system = system;
    StickStatus status = make(created);
    if (status != STICK_OK) {
        stick_cycles_destroy(created);
        return status;
    }
    *cycles = created;
    return STICK_OK;
}

void stick_cycles_destroy(StickCycles *cycles)
{
    if (!cycles)
        return;
    StickContext *ctx = cycles->ctx;
    stick_cycles_close(cycles);
    for (int k = 0; k < cycles->ngears; k++)
        stick_gear_table_destroy(ctx, &cycles->gears[k]);
    stick_mechanism_table_destroy(ctx, &cycles->mechanism);
    stick_free(ctx, cycles->gears);
    stick_free(ctx, cycles->file);
    stick_free(ctx, cycles->touch);
    for (int k = 0; cycles->root && k < 2 * cycles->ngears; k++)
        stick_root_stress_destroy(ctx, &cycles->root[k]);
    stick_free(ctx, cycles->root);
    stick_free(ctx, cycles);
}

int stick_cycles_count(const StickCycles *cycles)
{
    return cycles->ngears + cycles->has_mechanism;
}

// ---- their columns

static bool mechanism_has(StickContext *ctx, const StickModel *model, const char *column)
{
    StickMechanismTable mechanism;
    if (model->nframes == 0 || stick_mechanism_table_create(ctx, model, &mechanism) != STICK_OK)
        return false;
    bool found = stick_named_row_find(&mechanism.row, column) >= 0;
    stick_mechanism_table_destroy(ctx, &mechanism);
    return found;
}

bool stick_cycles_has_column(StickContext *ctx, const StickModel *model, const char *table,
                             const char *column)
{
    const StickGearPairSpec *spec = stick_model_gears(model, table, strlen(table));
    StickGearTable gears;
    if (!has_trajectory(model))
        return false;
    if (!spec)
        return strcmp(table, STICK_MECHANISM) == 0 && mechanism_has(ctx, model, column);
    if (stick_gear_table_create(ctx, model, spec, &gears) != STICK_OK)
        return false;
    bool found = stick_named_row_find(&gears.row, column) >= 0;
    stick_gear_table_destroy(ctx, &gears);
    return found;
}

// ---- files

static StickStatus open_table(StickCycles *cycles, int k, const char *folder, const int64_t *position)
{
    const StickGearTable *gears = k < cycles->ngears ? &cycles->gears[k] : NULL;
    const StickNamedRow *row = gears ? &gears->row : &cycles->mechanism.row;
    const char *const *columns = (const char *const *)row->name;
    const char *name = gears ? gears->spec->name : STICK_MECHANISM;
    char path[PATH_TEXT];
    int length = snprintf(path, sizeof path, "%s/cycle/%s.csv", folder, name);
    STICK_CHECK(cycles->ctx, length < PATH_TEXT, STICK_IO, "the path of 'cycle/%s.csv' in '%s' is too long",
                name, folder);
    if (position)
        return stick_table_resume(cycles->ctx, path, columns, row->count, position[k], &cycles->file[k]);
    return stick_table_create(cycles->ctx, path, columns, row->count, &cycles->file[k]);
}

StickStatus stick_cycles_open(StickCycles *cycles, const char *folder, const int64_t *position)
{
    if (stick_cycles_count(cycles) == 0)
        return STICK_OK;
    char *path = stick_path_join(cycles->ctx, folder, "cycle");
    StickStatus status = path ? stick_folder_create(cycles->ctx, path) : STICK_NO_MEMORY;
    stick_free(cycles->ctx, path);
    for (int k = 0; k < stick_cycles_count(cycles) && status == STICK_OK; k++)
        status = open_table(cycles, k, folder, position);
    return status;
}

StickStatus stick_cycles_positions(StickCycles *cycles, int64_t *position)
{
    for (int k = 0; k < stick_cycles_count(cycles); k++)
        STICK_TRY(stick_table_position(cycles->file[k], &position[k]));
    return STICK_OK;
}

void stick_cycles_list(const StickCycles *cycles, const char *folder, StickText *manifest)
{
    for (int k = 0; k < stick_cycles_count(cycles); k++)
        stick_table_list(cycles->file[k], folder, manifest);
}

StickStatus stick_cycles_close(StickCycles *cycles)
{
    StickStatus status = STICK_OK;
    for (int k = 0; cycles->file && k < stick_cycles_count(cycles); k++) {
        StickStatus closed = stick_table_close(cycles->file[k]);
        cycles->file[k] = NULL;
        if (status == STICK_OK)
            status = closed;
    }
    return status;
}

// ---- positions of gears

// Of an involute as its flank has it; straight lines between nodes stand for involutes, of which s is the radius.
static StickStatus curvature_of(const StickTooth *tooth, const StickFlank *flank, double s, double *curvature)
{
    StickFlankPoint point;
    *curvature = (tooth->internal ? -1 : 1) / s;
    if (flank->kind != STICK_FLANK_INVOLUTE)
        return STICK_OK;
    STICK_TRY(stick_flank_at(flank, s, &point));
    *curvature = point.curvature;
    return STICK_OK;
}

static StickStatus take_touch(const StickSimulation *run, const StickGearPair *gears, int i,
                              StickGearTouch *touch)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickFacetPair *pair = &trajectory->set.pair[i];
    double p = trajectory->p[i];
    *touch = (StickGearTouch){.load = p, .pressure = p / (pair->length * gears->spec->face_width)};
    for (int side = 0; side < 2; side++) {
        const StickSurfaceCurve *surface = stick_facets_surface(trajectory->strips, pair->side[side].surface);
        int g = surface->body == gears->spec->body[0] ? 0 : 1;
        double curvature;
        STICK_TRY(curvature_of(&gears->tooth[g], &surface->curve->flank, pair->side[side].s, &curvature));
        touch->curvature += curvature;
        if (g == 0)
            touch->tooth = (int)strtol(surface->curve->group + strlen(flank_group), NULL, 10);
    }
    return STICK_OK;
}

// Of any contact between teeth of both gears: drive flanks by the name of the pair, and flanks that are named one by one.
static bool is_of_gears(const StickTrajectory *trajectory, int i, const int body[2])
{
    bool met[2] = {false, false};
    for (int side = 0; side < 2; side++) {
        const StickSurfaceCurve *surface =
            stick_facets_surface(trajectory->strips, trajectory->set.pair[i].side[side].surface);
        for (int g = 0; g < 2; g++)
            met[g] = met[g] || (surface->body == body[g] &&
                                strncmp(surface->curve->group, flank_group, strlen(flank_group)) == 0);
    }
    return met[0] && met[1];
}

static StickStatus take_touches(StickCycles *cycles, const StickSimulation *run, int gears,
                                StickGearPosition *position)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickGearPair *pair = &trajectory->frames.pair[gears];
    STICK_RESERVE(cycles->ctx, cycles->touch, cycles->touch_capacity, (size_t)trajectory->set.npairs);
    for (int i = 0; i < trajectory->set.npairs; i++) {
        if (!(trajectory->p[i] > 0) || !is_of_gears(trajectory, i, pair->spec->body))
            continue;
        STICK_TRY(take_touch(run, pair, i, &cycles->touch[position->ntouches++]));
    }
    position->touch = cycles->touch;
    return STICK_OK;
}

static StickStatus fill_gears(StickCycles *cycles, const StickSimulation *run, int k)
{
    const StickTrajectory *trajectory = run->trajectory;
    StickGearTable *table = &cycles->gears[k];
    const int *body = table->spec->body;
    const StickFrame *output = &trajectory->frames.frame[body[1]];
    StickGearPosition position = {
        .t = run->state.now.t,
        .step = (double)(run->spec - run->system->model->step) + 1,
        .number = (double)run->advance.piece - 1,
        .s = stick_frames_roll(&trajectory->frames, k, run->state.now.t),
        .theta = trajectory->theta[output->motion[STICK_FRAME_ROTATION]],
        .torque = {stick_trajectory_input(run, k), fabs(output->load[STICK_FRAME_ROTATION])},
    };
    STICK_TRY(take_touches(cycles, run, k, &position));
    for (int g = 0; g < 2; g++)
        STICK_TRY(stick_root_stress_largest(
            cycles->ctx, &cycles->root[2 * k + g],
            stick_simulation_deformation(run) + run->system->body[body[g]].first, &position.root_stress[g]));
    stick_gear_table_fill(table, &position);
    return STICK_OK;
}

StickStatus stick_cycles_record(StickCycles *cycles, const StickSimulation *run)
{
    if (!run->trajectory || run->state.step == 0)
        return STICK_OK;
    for (int k = 0; k < cycles->ngears; k++) {
        STICK_TRY(fill_gears(cycles, run, k));
        STICK_TRY(stick_table_row(cycles->file[k], cycles->gears[k].row.value));
    }
    if (!cycles->has_mechanism)
        return STICK_OK;
    stick_mechanism_table_fill(&cycles->mechanism, run);
    return stick_table_row(cycles->file[cycles->ngears], cycles->mechanism.row.value);
}
