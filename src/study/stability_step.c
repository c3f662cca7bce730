// SPDX-License-Identifier: Apache-2.0
#include "study/stability_step.h"

#include "base/pi.h"
#include "base/text.h"
#include "bodies/finite.h"
#include "output/mode_shape.h"
#include "output/stability_table.h"
#include "output/table.h"
#include "stability/sliding_state.h"
#include "study/step_files.h"
#include "study/unstable_shapes.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

typedef struct Judge {
    StickContext *ctx;
    const StickStabilityTask *task;
    StickSimulation *run; // of the step whose path it is
    StickGlobalMatrices whole;
    StickBook book, modes;
    StickTable *table, *spectrum;
    char *folder; // stability/<step>
    StickText text;
    StickUnstableShapes shapes;
    int stiffness_shapes; // written so far
    int bad;              // statuses that could not be judged ...
    bool warned;
    StickStatus failed; // ... and why the first
} Judge;

static const double ASKEW = 0.02; // radian: friction that is not against the sliding

enum { MOST_BAD = 5 }; // after so many nothing else is to be expected

// ---- files

static StickStepFiles files_of(const Judge *judge)
{
    return (StickStepFiles){judge->ctx, judge->task->folder, judge->task->step};
}

static StickStatus open_files(Judge *judge)
{
    const StickStabilityTask *task = judge->task;
    StickStepFiles files = files_of(judge);
    STICK_TRY(stick_step_files_folder(&files, &judge->folder));
    judge->shapes = (StickUnstableShapes){
        .folder = judge->folder, .ndofs = task->system->ndofs, .left = task->step->stability.shapes};
    stick_stability_book_init(&judge->book, task->system, task->step);
    stick_spectrum_book_init(&judge->modes, task->system, task->step);
    STICK_TRY(stick_step_files_table(&files, "history/%.400s.csv", &judge->book, &judge->table));
    return stick_step_files_table(&files, "stability/%.400s/spectrum.csv", &judge->modes, &judge->spectrum);
}

static StickStatus close_files(Judge *judge)
{
    StickStatus first = stick_table_close(judge->table), second = stick_table_close(judge->spectrum);
    StickStepFiles files = files_of(judge);
    StickStatus status = stick_step_files_verdicts(&files, &judge->text);
    judge->table = judge->spectrum = NULL;
    return first != STICK_OK ? first : second != STICK_OK ? second : status;
}

// ---- what is found of one status

// The first modes, and all that grow.
static StickStatus write_spectrum(Judge *judge, int k, const StickStability *found)
{
    int most = judge->task->step->stability.modes;
    for (int j = 0; j < found->spectrum.count; j++) {
        const StickMode *mode = &found->spectrum.mode[j];
        bool grows = mode->kind == STICK_MODE_FLUTTER || mode->kind == STICK_MODE_DIVERGES;
        if (most > 0 && j >= most && !grows)
            continue;
        stick_spectrum_book_fill(&judge->modes, judge->task->path->status[k].begin, k + 1, mode);
        STICK_TRY(stick_table_row(judge->spectrum, judge->modes.row));
    }
    return STICK_OK;
}

typedef struct Room {
    double *real;      // 2 ndofs
    double complex *a; // ndofs
} Room;

static StickStatus make_room(Judge *judge, Room *room)
{
    size_t ndofs = (size_t)judge->task->path->n;
    *room = (Room){0};
    STICK_ALLOC(judge->ctx, room->real, 2 * ndofs + 1);
    STICK_ALLOC(judge->ctx, room->a, ndofs + 1);
    return STICK_OK;
}

// The vector of the smallest eigenvalue of K_S*, where it is negative [RBV02 figure 25].
static StickStatus write_stiffness(Judge *judge, int k, const StickStability *found, const Room *room)
{
    const StickPathRecord *path = judge->task->path;
    size_t ndofs = (size_t)path->n;
    char name[64];
    if (found->stiffness != STICK_INDEFINITE ||
        judge->stiffness_shapes >= judge->task->step->stability.shapes)
        return STICK_OK;
    judge->stiffness_shapes++;
    stick_reduced_expand(&found->reduced, found->smallest_vector, room->real);
    for (size_t i = 0; i < ndofs; i++)
        room->a[i] = room->real[i];
    StickModeShape shape = {judge->task->system, path->q + (size_t)k * ndofs, room->a, 0, 1};
    snprintf(name, sizeof name, "status-%03d-stiffness.vtu", k + 1);
    return stick_mode_shape_write_still(judge->ctx, judge->folder, name, &shape);
}

static StickStatus write_shapes(Judge *judge, int k, const StickStability *found)
{
    const StickPathRecord *path = judge->task->path;
    Room room;
    judge->shapes.number = k + 1;
    STICK_TRY(stick_unstable_shapes_write(judge->ctx, &judge->shapes, judge->task->system,
                                          path->q + (size_t)k * (size_t)path->n, &found->reduced,
                                          &found->spectrum));
    StickStatus status = make_room(judge, &room);
    if (status == STICK_OK)
        status = write_stiffness(judge, k, found, &room);
    stick_free(judge->ctx, room.a);
    stick_free(judge->ctx, room.real);
    return status;
}

// What a verdict does not know of the path that has led there.
static void add_doubts(StickText *text, const StickPathStatusRecord *status)
{
    if (status->jump == STICK_JUMP_BEGINS)
        stick_text_add(text,
                       " It begins by a jump at t = %.9g: no equilibrium led there, and a motion from "
                       "the state before it may end elsewhere; see it by a dynamic step.",
                       status->jump_time);
    else if (status->jump == STICK_JUMP_BEFORE)
        stick_text_add(text,
                       " It lies behind a jump of the path at t = %.9g, where a motion may have led "
                       "elsewhere.",
                       status->jump_time);
    if (status->chatters > 0)
        stick_text_add(text, " It is doubtful: friction goes to and fro from increment to increment, so that "
                             "this is no state of a steady sliding; take longer increments.");
}

static StickStatus write_found(Judge *judge, int k, const StickStability *found)
{
    const StickPathStatusRecord *status = &judge->task->path->status[k];
    stick_stability_book_fill(&judge->book, status, found);
    STICK_TRY(stick_table_row(judge->table, judge->book.row));
    STICK_TRY(write_spectrum(judge, k, found));
    stick_text_add(&judge->text, "status %d, t = %.9g to %.9g: %s. %s", k + 1, status->begin, status->end,
                   stick_verdict_name(found->verdict), found->text);
    add_doubts(&judge->text, status);
    stick_text_add(&judge->text, "\n");
    return write_shapes(judge, k, found);
}

// ---- status by status

static StickStatus judge_state(Judge *judge, int k, const StickSlidingSource *source,
                               const StickSlidingState *state)
{
    StickStability found;
    StickStabilityOptions options = stick_sliding_state_options(source, &judge->task->step->stability, k);
    STICK_TRY(stick_stability_create(judge->ctx, &state->sliding, &options, &found));
    StickStatus status = write_found(judge, k, &found);
    stick_stability_destroy(judge->ctx, &found);
    return status;
}

// Once for all statuses.
static void warn_of_facets(Judge *judge, int k, const StickSlidingState *state)
{
    char name[STICK_SLIDING_NAME];
    if (judge->warned || !(state->askew > ASKEW))
        return;
    judge->warned = true;
    stick_sliding_name(&state->sliding, state->most_askew, name);
    stick_warn(judge->ctx,
               "step '%s', status %d: friction of %s is %.1f degrees off the direction of its sliding, as "
               "on a cone of facets; its disturbances are judged by the direction of friction, more exact by "
               "a solver with the exact cone (auto)",
               judge->task->step->name, k + 1, name, state->askew * 180 / STICK_PI);
}

// One matrix for all states, or the tangent of each.
static StickStatus set_matrices(Judge *judge, int k)
{
    const StickStabilityTask *task = judge->task;
    StickGlobalMatrices whole;
    if (judge->whole.K.start && !stick_system_is_finite(task->system))
        return STICK_OK;
    STICK_TRY(
        stick_sliding_state_whole(judge->ctx, task->system, task->path, &task->step->stability, k, &whole));
    stick_global_matrices_destroy(judge->ctx, &judge->whole);
    judge->whole = whole;
    return STICK_OK;
}

static StickStatus try_status(Judge *judge, int k)
{
    const StickStabilityTask *task = judge->task;
    STICK_TRY(set_matrices(judge, k));
    StickSlidingSource source = {judge->run, task->path, &judge->whole, task->step->stability.no_slope};
    StickSlidingState state;
    StickStatus status = stick_sliding_state_create(judge->ctx, &source, k, &state);
    if (status == STICK_OK) {
        warn_of_facets(judge, k, &state);
        status = judge_state(judge, k, &source, &state);
        stick_sliding_state_destroy(judge->ctx, &state);
    }
    return status;
}

// Behind a status that could not be judged.
static const char *what_then(const Judge *judge, int k)
{
    if (k + 1 == judge->task->path->count)
        return judge->bad == k + 1 ? "none is" : "it was the last one";
    return judge->bad < MOST_BAD ? "the next ones are tried" : "after so many of them it ends here";
}

// A status that cannot be judged does not keep the others from it.
static StickStatus judge_status(Judge *judge, int k)
{
    const StickStabilityTask *task = judge->task;
    const StickPathStatusRecord *which = &task->path->status[k];
    StickStatus status = try_status(judge, k);
    bool bad = status == STICK_BAD_INPUT || status == STICK_NOT_SOLVED || status == STICK_INTERNAL;
    if (!bad)
        return status;
    stick_text_add(&judge->text, "status %d, t = %.9g to %.9g: not judged. %s\n", k + 1, which->begin,
                   which->end, stick_last_error(judge->ctx));
    judge->failed = judge->bad++ == 0 ? status : judge->failed;
    stick_note(judge->ctx,
               "step '%s' could not judge status %d of %d, from t = %g to %g; %s, and the path is saved: "
               "'stickslip resume' tries again",
               task->step->name, k + 1, task->path->count, which->begin, which->end, what_then(judge, k));
    return judge->bad < MOST_BAD ? STICK_OK : status;
}

// What is asked for, but not there.
static void note_missing(const Judge *judge)
{
    const StickPathRecord *path = judge->task->path;
    const StickStabilitySpec *spec = &judge->task->step->stability;
    const char *name = judge->task->step->name;
    if (path->count == 0)
        stick_note(judge->ctx, "step '%s' has no state to judge: the path of step '%s' ends at t = %g", name,
                   path->of->name, path->t);
    for (int k = 0; k < spec->ntimes && path->count > 0; k++)
        if (spec->times[k] > path->status[path->count - 1].end)
            stick_note(judge->ctx, "step '%s' does not judge t = %g, where the path of step '%s' never came",
                       name, spec->times[k], path->of->name);
}

static StickStatus judge_all(Judge *judge)
{
    const StickStabilityTask *task = judge->task;
    const StickProgress *progress = &task->options->progress;
    int count = task->path->count;
    note_missing(judge);
    for (int k = 0; k < count; k++) {
        STICK_TRY(judge_status(judge, k));
        if (progress->report)
            progress->report(progress->user, task->name, k + 1, count, task->path->status[k].end,
                             task->path->status[count - 1].end);
        if (task->options->stop && *task->options->stop)
            return stick_fail(judge->ctx, STICK_INTERRUPTED,
                              "interrupted in step '%s', the path is saved: 'stickslip resume' goes on from "
                              "its end",
                              task->step->name);
    }
    return judge->failed;
}

static bool is_viscous(const StickModel *model)
{
    bool viscous = false;
    for (int b = 0; b < model->nbodies; b++) {
        const StickMaterial *material = &model->material[model->body[b].material];
        viscous |= material->viscosity_shear > 0 || material->viscosity_bulk > 0;
    }
    return viscous;
}

// All but what contacts may hold is free for sure. Damping that is not proportional doubles the order: that of a viscous material always, that of friction in space,
// which turns with the sliding, where a contact slides.
static StickStatus check_size(const StickSimulation *run, const StickStepSpec *step)
{
    int least = run->system->ndofs - run->supports.count - stick_pairs_ndofs(run->pairs);
    StickSpectrumOptions options = stick_spectrum_default();
    int half = options.most / 2, most = is_viscous(run->system->model) ? half : options.most;
    bool few = stick_spectrum_is_few(&options, step->stability.modes);
    if (few || step->stability.highest > 0 || least <= half)
        return STICK_OK;
    if (least > most)
        return stick_fail_at(
            run->ctx, STICK_BAD_INPUT, step->mark,
            "step '%s': all modes of more than %d degrees of freedom take too long; say with "
            "'modes' how many of the lowest are looked for (at most %d), or with 'highest' up to "
            "which frequency",
            step->name, least, half);
    if (run->system->dim == 3 && run->system->model->ncontacts > 0)
        stick_warn_at(
            run->ctx, step->mark,
            "step '%s': where contacts slide with friction, all modes are found up to %d degrees of "
            "freedom only, and here are more; say with 'modes' how many of the lowest are looked for",
            step->name, half);
    return STICK_OK;
}

// Modes are those of moduli that have not relaxed: slow ones have others, and are damped by what relaxes.
static void warn_of_relaxation(const StickSimulation *run, const StickStepSpec *step)
{
    const StickMaterial *relaxes = NULL;
    double shortest = INFINITY;
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickMaterial *material = run->system->body[b].continuum.material;
        for (int k = 0; material && k < material->nprony; k++) {
            relaxes = material->prony[k].time < shortest ? material : relaxes;
            shortest = fmin(shortest, material->prony[k].time);
        }
    }
    if (relaxes)
        stick_warn_at(run->ctx, step->mark,
                      "step '%s': material '%s' relaxes, but modes are those of its moduli before it does, "
                      "and what relaxation damps is left out: trust those far above %.3g oscillations per "
                      "unit of time only, and see others by a dynamic step",
                      step->name, relaxes->name, 1 / (2 * STICK_PI * shortest));
}

// Of small strains this is as little as the strains are.
static void warn_of_turning(const StickSimulation *run, const StickStepSpec *step)
{
    int pair = stick_system_is_finite(run->system) ? stick_pairs_round(run->pairs) : -1;
    if (pair >= 0)
        stick_warn_at(
            run->ctx, run->system->model->contact[pair].mark,
            "step '%s' (line %d) leaves out how the forces of this contact turn as bodies move along "
            "its surface, which deforms or is round: where pressures are not small beside the "
            "moduli of the material, modes and growth are only near to the true ones; compare them "
            "with a dynamic step that has 'perturb'",
            step->name, step->mark.line);
}

StickStatus stick_stability_check(const StickSimulation *run, const StickStepSpec *step)
{
    warn_of_relaxation(run, step);
    warn_of_turning(run, step);
    int integrated = stick_pairs_integrated(run->pairs);
    if (integrated >= 0)
        return stick_fail_at(run->ctx, STICK_BAD_INPUT, run->system->model->contact[integrated].mark,
                             "the surfaces of this contact are integrated: step '%s' (line %d) cannot judge "
                             "its stability; take 'method: nodes', with linear elements",
                             step->name, step->mark.line);
    return check_size(run, step);
}

static StickStatus prepare(Judge *judge)
{
    const StickStabilityTask *task = judge->task;
    const StickVarySpec *vary = &task->path->of->vary;
    STICK_TRY(open_files(judge));
    STICK_TRY(stick_simulation_create(judge->ctx, task->system, task->path->of, &judge->run));
    // the last state of a family
    return vary->parameter ? stick_step_laws_vary(judge->run, vary->parameter, vary->value[vary->count - 1])
                           : STICK_OK;
}

StickStatus stick_stability_step(StickContext *ctx, const StickStabilityTask *task)
{
    Judge judge = {.ctx = ctx, .task = task};
    stick_text_init(&judge.text, ctx);
    StickStatus status = prepare(&judge);
    if (status == STICK_OK)
        status = judge_all(&judge);
    StickStatus closed = judge.folder ? close_files(&judge) : STICK_OK;
    stick_text_destroy(&judge.text);
    stick_global_matrices_destroy(ctx, &judge.whole);
    stick_simulation_destroy(judge.run);
    stick_free(ctx, judge.folder);
    return status != STICK_OK ? status : closed;
}
