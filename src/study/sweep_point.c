// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_point.h"

#include "base/memory.h"
#include "contact/adjust.h"
#include "stability/sliding_state.h"
#include "stepping/steady.h"
#include "study/results.h"

#include <math.h>
#include <string.h>

// What a contact does; without friction it does not matter where to.
enum { APART, STUCK, SLIPS, GLIDES };

// ---- the model with a value

static StickStatus read_model(const StickSweepSource *source, double value, StickModel **model)
{
    return stick_model_vary(source->ctx, source->model, source->step->stability.vary.parameter, value, model);
}

StickStatus stick_sweep_source_check(const StickSweepSource *source)
{
    const StickVarySpec *vary = &source->step->stability.vary;
    for (int k = 0; k < vary->count; k++) {
        StickModel *model;
        STICK_TRY(read_model(source, vary->value[k], &model));
        stick_model_destroy(model);
    }
    return STICK_OK;
}

// ---- its path

// All that one value needs while it is computed.
typedef struct Work {
    StickContext *ctx;
    const StickSweepSource *source;
    StickModel *model;         // NULL: that of the source
    StickSystem *made;         // of this model
    const StickSystem *system; // either this or that of the source
    const StickStepSpec *step; // the stability step in this model
    StickSimulation *run;
    StickPathRecord *record;
    StickGlobalMatrices whole;
    StickSlidingState state;
    StickStability found; // or only its matrices and modes
} Work;

static void work_destroy(Work *work)
{
    StickContext *ctx = work->ctx;
    stick_stability_destroy(ctx, &work->found);
    stick_sliding_state_destroy(ctx, &work->state);
    stick_global_matrices_destroy(ctx, &work->whole);
    stick_path_record_destroy(work->record);
    stick_simulation_destroy(work->run);
    stick_system_destroy(work->made);
    stick_model_destroy(work->model);
}

static StickStatus check_stop(const StickSweepSource *source)
{
    const StickStudyOptions *options = source->options;
    if (!options->stop || !*options->stop)
        return STICK_OK;
    return stick_fail(source->ctx, STICK_INTERRUPTED,
                      "interrupted in step '%s', which 'stickslip resume' begins anew; the path before it is "
                      "saved",
                      source->step->name);
}

static StickStatus next_run(Work *work, int stage)
{
    StickSimulation *run;
    STICK_TRY(stick_simulation_create(work->ctx, work->system, &work->model->step[stage], &run));
    StickStatus status = stick_simulation_start(run, work->run);
    if (status != STICK_OK) {
        stick_simulation_destroy(run);
        return status;
    }
    stick_simulation_destroy(work->run);
    work->run = run;
    return STICK_OK;
}

static StickStatus march(Work *work, int stage)
{
    STICK_TRY(next_run(work, stage));
    STICK_TRY(stick_path_record_see(work->record, work->run));
    while (!stick_simulation_is_done(work->run)) {
        STICK_TRY(check_stop(work->source));
        STICK_TRY(stick_simulation_step(work->run));
        STICK_TRY(stick_path_record_see(work->record, work->run));
    }
    STICK_CHECK(work->ctx, stick_run_certified(work->run), STICK_NOT_SOLVED,
                "step '%s' is not certified: contact error %.2e", work->run->spec->name,
                work->run->record.worst_error);
    return STICK_OK;
}

static StickStatus go_along(Work *work)
{
    const StickSweepSource *source = work->source;
    work->step = &work->model->step[source->step - source->model->step];
    STICK_TRY(stick_adjusted_system_create(work->ctx, work->model, &work->made));
    work->system = work->made;
    STICK_TRY(stick_path_record_create(work->ctx, work->system, work->step, &work->record));
    for (int stage = 0; stage <= work->step->stability.of; stage++)
        if (work->model->step[stage].kind != STICK_STEP_STABILITY)
            STICK_TRY(march(work, stage));
    return STICK_OK;
}

// The state of a family with a value, found from the nearest one that its step has left.
static StickStatus go_within_family(Work *work, double value)
{
    const StickSweepSource *source = work->source;
    const StickPathRecord *family = source->family;
    const StickVarySpec *vary = &source->step->stability.vary;
    int nearest = 0;
    work->step = source->step;
    work->system = source->system;
    STICK_CHECK(work->ctx, family->count > 0, STICK_NOT_SOLVED, "step '%s' has left no states",
                family->of->name);
    for (int k = 1; k < family->count && k < vary->count; k++)
        if (fabs(vary->value[k] - value) < fabs(vary->value[nearest] - value))
            nearest = k;
    STICK_TRY(check_stop(source));
    STICK_TRY(stick_path_record_create(work->ctx, work->system, work->step, &work->record));
    STICK_TRY(stick_simulation_create(work->ctx, work->system, family->of, &work->run));
    STICK_TRY(stick_path_record_place(family, nearest, work->run));
    STICK_TRY(stick_path_record_see(work->record, work->run));
    STICK_TRY(stick_steady_seek(work->run, value, stick_steady_time(work->run, value)));
    return stick_path_record_see(work->record, work->run);
}

// ---- its end

static StickSlidingSource source_of(const Work *work)
{
    return (StickSlidingSource){work->run, work->record, &work->whole, work->step->stability.no_slope};
}

static StickStatus take_state(Work *work)
{
    const StickStabilitySpec *spec = &work->step->stability;
    STICK_CHECK(work->ctx, work->record->count > 0, STICK_NOT_SOLVED, "the path of step '%s' has no end",
                work->record->of->name);
    STICK_TRY(stick_sliding_state_whole(work->ctx, work->system, work->record, spec, work->record->count - 1,
                                        &work->whole));
    StickSlidingSource source = source_of(work);
    return stick_sliding_state_create(work->ctx, &source, work->record->count - 1, &work->state);
}

static int code_of(const StickSliding *sliding, int c)
{
    const StickContactMotion *motion = &sliding->motion[c];
    if (motion->status == STICK_APART)
        return APART;
    if (!stick_sliding_slips(sliding, c))
        return STUCK;
    if (!stick_sliding_rubs(sliding, c))
        return GLIDES;
    return SLIPS;
}

static StickStatus take_status(Work *work, StickSweepPoint *point)
{
    const StickSliding *sliding = &work->state.sliding;
    const StickContactMemory *memory = &work->run->state.memory;
    point->nslots = memory->count;
    STICK_ALLOC(work->ctx, point->status, memory->count);
    STICK_ALLOC(work->ctx, point->slip, 2 * (size_t)memory->count);
    for (int c = 0; c < sliding->contacts->ncontacts; c++) {
        int code = code_of(sliding, c), slot = stick_memory_slot(memory, &sliding->contacts->contact[c]);
        point->status[slot] = (signed char)code;
        memcpy(point->slip + 2 * (size_t)slot, sliding->motion[c].slip, 2 * sizeof *point->slip);
        point->sticking += code == STUCK;
        point->slipping += code > STUCK;
        point->apart += code == APART;
    }
    return STICK_OK;
}

// Directions of sliding are others when they are more than a right angle apart.
static bool is_same(const StickSweepPoint *a, const StickSweepPoint *b, int slot)
{
    int was = a->status[slot], is = b->status[slot];
    const double *from = a->slip + 2 * (size_t)slot, *to = b->slip + 2 * (size_t)slot;
    if (was == SLIPS && is == SLIPS)
        return from[0] * to[0] + from[1] * to[1] >= 0;
    return was == is || (was >= SLIPS && is >= SLIPS);
}

bool stick_sweep_same_status(const StickSweepPoint *a, const StickSweepPoint *b)
{
    if (a->nslots != b->nslots) // another mesh
        return a->sticking == b->sticking && a->slipping == b->slipping && a->apart == b->apart;
    for (int k = 0; k < a->nslots; k++)
        if (!is_same(a, b, k))
            return false;
    return true;
}

static StickStatus judge(Work *work, StickSweepPoint *point)
{
    StickSlidingSource source = source_of(work);
    StickStabilityOptions options =
        stick_sliding_state_options(&source, &work->step->stability, work->record->count - 1);
    StickBook book;
    STICK_TRY(stick_stability_create(work->ctx, &work->state.sliding, &options, &work->found));
    stick_stability_book_init(&book, work->system, work->step);
    stick_stability_book_fill(&book, &work->record->status[work->record->count - 1], &work->found);
    book.row[0] = point->value;
    for (int k = 0; k < book.ncolumns; k++)
        point->row[k] = book.row[k];
    point->verdict = stick_copy_text(work->ctx, work->found.text);
    return point->verdict ? STICK_OK : STICK_NO_MEMORY;
}

static StickStatus find_modes(Work *work)
{
    StickSlidingSource source = source_of(work);
    StickStabilityOptions options =
        stick_sliding_state_options(&source, &work->step->stability, work->record->count - 1);
    STICK_TRY(stick_sliding_check(work->ctx, &work->state.sliding, options.tolerance));
    STICK_TRY(stick_reduced_create(work->ctx, &work->state.sliding, &work->found.reduced));
    return stick_spectrum_create(work->ctx, &work->found.reduced, &options.spectrum, &work->found.spectrum);
}

static StickStatus take_modes(Work *work, StickSweepPoint *point)
{
    STICK_TRY(stick_mode_set_create(work->ctx, &work->found.reduced, &work->found.spectrum,
                                    work->step->stability.modes, &point->modes));
    STICK_ALLOC(work->ctx, point->branch, point->modes.count);
    point->unit_mass = work->whole.unit_mass;
    point->M = work->whole.M;
    work->whole.M = (StickSparse){0};
    return STICK_OK;
}

void stick_sweep_point_destroy(StickContext *ctx, StickSweepPoint *point)
{
    stick_free(ctx, point->status);
    stick_free(ctx, point->slip);
    stick_sparse_destroy(ctx, &point->M);
    stick_mode_set_destroy(ctx, &point->modes);
    stick_free(ctx, point->branch);
    stick_free(ctx, point->verdict);
    *point = (StickSweepPoint){0};
}

static StickStatus compute(Work *work, double value, StickSweepDepth depth, StickSweepPoint *point)
{
    if (work->source->family) {
        STICK_TRY(go_within_family(work, value));
    } else {
        STICK_TRY(read_model(work->source, value, &work->model));
        STICK_TRY(go_along(work));
    }
    STICK_TRY(take_state(work));
    STICK_TRY(take_status(work, point));
    if (depth == STICK_SWEEP_STATUS)
        return STICK_OK;
    STICK_TRY(depth == STICK_SWEEP_VERDICT ? judge(work, point) : find_modes(work));
    if (depth == STICK_SWEEP_VERDICT && work->source->shapes)
        STICK_TRY(stick_unstable_shapes_write(work->ctx, work->source->shapes, work->system,
                                              work->run->state.now.q, &work->found.reduced,
                                              &work->found.spectrum));
    return take_modes(work, point);
}

StickStatus stick_sweep_point_create(const StickSweepSource *source, double value, StickSweepDepth depth,
                                     StickSweepPoint *point)
{
    Work work = {.ctx = source->ctx, .source = source};
    StickSweepPoint made = {.value = value};
    StickStatus status = compute(&work, value, depth, &made);
    work_destroy(&work);
    if (status == STICK_OK) {
        *point = made;
        return STICK_OK;
    }
    stick_sweep_point_destroy(source->ctx, &made);
    if (status != STICK_NO_MEMORY && status != STICK_INTERRUPTED)
        stick_note(source->ctx, "this is step '%s' with %s = %.10g; what was found before is written",
                   source->step->name, source->step->stability.vary.parameter, value);
    return status;
}
