// SPDX-License-Identifier: Apache-2.0
#include "study/stability_sweep.h"

#include "study/step_files.h"
#include "study/sweep_events.h"

#include <math.h>

enum { HALVINGS = 5, MOST_CHANGES = 100 };

static const double CHANGE = 1e-6; // of the range of values: where a status changes ...
static const double ONSET = 1e-4;  // ... and where the first of many modes begins to grow

enum { VALUES, MODES, EVENTS, TABLES };

typedef struct Sweep {
    StickContext *ctx;
    const StickStabilityTask *task;
    StickSweepSource source;
    char *folder; // stability/<step>
    StickUnstableShapes shapes;
    StickBook book[TABLES];
    StickTable *table[TABLES];
    StickText text;
    StickSweepPoint now; // where modes were followed to
    bool begun;
    int nbranches, nchanges;
    int unclear;                     // steps in which branches may have been exchanged ...
    double unclear_from, unclear_to; // ... the first of them
    bool by_frequency;
    int passed_by; // events of modes not asked for, which nobody has located
    int unlocated; // events of which it is only known between which values they are, although more was asked for
} Sweep;

static const StickVarySpec *vary_of(const Sweep *sweep)
{
    return &sweep->task->step->stability.vary;
}

static double range_of(const Sweep *sweep)
{
    const StickVarySpec *vary = vary_of(sweep);
    return fabs(vary->value[vary->count - 1] - vary->value[0]);
}

// ---- files

static StickStepFiles files_of(const Sweep *sweep)
{
    return (StickStepFiles){sweep->ctx, sweep->task->folder, sweep->task->step};
}

static StickStatus open_files(Sweep *sweep)
{
    const StickStabilityTask *task = sweep->task;
    StickStepFiles files = files_of(sweep);
    STICK_TRY(stick_step_files_folder(&files, &sweep->folder));
    sweep->shapes = (StickUnstableShapes){
        .folder = sweep->folder, .ndofs = task->system->ndofs, .left = task->step->stability.shapes};
    sweep->source.shapes = &sweep->shapes;
    stick_stability_book_init(&sweep->book[VALUES], task->system, task->step);
    stick_sweep_book_init(&sweep->book[MODES], task->system, task->step);
    stick_coalescence_book_init(&sweep->book[EVENTS], task->system, task->step);
    STICK_TRY(
        stick_step_files_table(&files, "history/%.400s.csv", &sweep->book[VALUES], &sweep->table[VALUES]));
    STICK_TRY(stick_step_files_table(&files, "stability/%.400s/sweep.csv", &sweep->book[MODES],
                                     &sweep->table[MODES]));
    return stick_step_files_table(&files, "stability/%.400s/coalescence.csv", &sweep->book[EVENTS],
                                  &sweep->table[EVENTS]);
}

static StickStatus close_files(Sweep *sweep)
{
    StickStepFiles files = files_of(sweep);
    StickStatus status = STICK_OK;
    for (int k = 0; k < TABLES; k++) {
        StickStatus closed = stick_table_close(sweep->table[k]);
        status = status != STICK_OK ? status : closed;
    }
    StickStatus written = stick_step_files_verdicts(&files, &sweep->text);
    return status != STICK_OK ? status : written;
}

static StickStatus write_modes(Sweep *sweep, const StickSweepPoint *point, const double *likeness)
{
    for (int j = 0; j < point->modes.count; j++) {
        if (!stick_sweep_is_listed(&point->modes, j))
            continue;
        stick_sweep_book_fill(&sweep->book[MODES], point->value, point->branch[j], &point->modes.mode[j],
                              likeness ? likeness[j] : NAN);
        STICK_TRY(stick_table_row(sweep->table[MODES], sweep->book[MODES].row));
    }
    return STICK_OK;
}

// All or, where looking for them failed, none of them; then they are dropped.
static StickStatus write_events(Sweep *sweep, StickSweepEvents *events, StickStatus status)
{
    for (int k = 0; k < events->count && status == STICK_OK; k++) {
        stick_coalescence_book_fill(&sweep->book[EVENTS], &events->event[k]);
        status = stick_table_row(sweep->table[EVENTS], sweep->book[EVENTS].row);
    }
    stick_sweep_events_destroy(events);
    return status;
}

// ---- from value to value

// Branches go on; what is new and listed gets a new number, what is followed only has none.
static void name_branches(Sweep *sweep, const StickModeMatch *match, StickSweepPoint *next)
{
    for (int j = 0; j < next->modes.count; j++) {
        int i = match ? match->from[j] : -1;
        next->branch[j] = i >= 0 ? sweep->now.branch[i] : 0;
        if (next->branch[j] == 0 && stick_sweep_is_listed(&next->modes, j))
            next->branch[j] = ++sweep->nbranches;
    }
}

static void move_on(Sweep *sweep, StickSweepPoint *next)
{
    stick_sweep_point_destroy(sweep->ctx, &sweep->now);
    sweep->now = *next;
    *next = (StickSweepPoint){0};
}

static void note_doubts(Sweep *sweep, const StickModeMatch *match, const StickSweepPoint *next, bool jump)
{
    sweep->by_frequency |= match->by_frequency;
    if (match->clear || jump)
        return;
    if (sweep->unclear++ == 0) {
        sweep->unclear_from = sweep->now.value;
        sweep->unclear_to = next->value;
    }
}

static bool grows_anywhere(const StickModeSet *set)
{
    for (int k = 0; k < set->count; k++)
        if (stick_mode_grows(&set->mode[k]))
            return true;
    return false;
}

static double least_onset(const Sweep *sweep)
{
    return ONSET * range_of(sweep);
}

static StickStatus accept(Sweep *sweep, const StickModeMatch *match, bool jump, StickSweepPoint *next)
{
    note_doubts(sweep, match, next, jump);
    name_branches(sweep, match, next);
    StickSweepEvents events = {
        .source = &sweep->source, .before = &sweep->now, .after = next, .nbranches = &sweep->nbranches};
    events.onset =
        !grows_anywhere(&sweep->now.modes) && fabs(next->value - sweep->now.value) <= least_onset(sweep);
    StickStatus found = stick_sweep_events_find(&events, match, jump);
    sweep->passed_by += events.passed_by;
    sweep->unlocated += events.unlocated;
    STICK_TRY(write_events(sweep, &events, found));
    STICK_TRY(write_modes(sweep, next, match->likeness));
    move_on(sweep, next);
    return STICK_OK;
}

static StickStatus go_to(Sweep *sweep, StickSweepPoint *next, int halvings);

static StickStatus go_by_value(Sweep *sweep, double value, int halvings)
{
    StickSweepPoint point;
    STICK_TRY(stick_sweep_point_create(&sweep->source, value, STICK_SWEEP_MODES, &point));
    StickStatus status = go_to(sweep, &point, halvings);
    stick_sweep_point_destroy(sweep->ctx, &point);
    return status;
}

static StickStatus match_next(const Sweep *sweep, const StickSweepPoint *next, StickModeMatch *match)
{
    const StickSweepPoint *now = &sweep->now;
    return stick_mode_match_create(sweep->ctx, now->unit_mass ? NULL : &now->M, &now->modes, &next->modes,
                                   match);
}

static StickStatus jump_to(Sweep *sweep, StickSweepPoint *next)
{
    StickModeMatch match;
    STICK_TRY(match_next(sweep, next, &match));
    StickStatus status = accept(sweep, &match, true, next);
    stick_mode_match_destroy(sweep->ctx, &match);
    return status;
}

// The last value with the present status and the first one with another, as near as asked for.
static StickStatus bracket_change(const Sweep *sweep, double *low, double *high)
{
    while (fabs(*high - *low) > CHANGE * range_of(sweep)) {
        StickSweepPoint point;
        double middle = (*low + *high) / 2;
        STICK_TRY(stick_sweep_point_create(&sweep->source, middle, STICK_SWEEP_STATUS, &point));
        bool same = stick_sweep_same_status(&sweep->now, &point);
        stick_sweep_point_destroy(sweep->ctx, &point);
        *(same ? low : high) = middle;
    }
    return STICK_OK;
}

// Up to the change of status, over it, and on.
static StickStatus cross_change(Sweep *sweep, StickSweepPoint *next)
{
    double low = sweep->now.value, high = next->value;
    StickSweepPoint point;
    bool remeshed = sweep->now.modes.ndofs != next->modes.ndofs; // values between may have no mesh at all
    if (sweep->task->step->stability.no_locate || remeshed || sweep->nchanges >= MOST_CHANGES)
        return jump_to(sweep, next);
    sweep->nchanges++;
    STICK_TRY(bracket_change(sweep, &low, &high));
    if (low != sweep->now.value)
        STICK_TRY(go_by_value(sweep, low, HALVINGS));
    if (high == next->value)
        return jump_to(sweep, next);
    STICK_TRY(stick_sweep_point_create(&sweep->source, high, STICK_SWEEP_MODES, &point));
    StickStatus status = jump_to(sweep, &point);
    stick_sweep_point_destroy(sweep->ctx, &point);
    return status == STICK_OK ? go_to(sweep, next, HALVINGS) : status;
}

static bool has_others(const StickModeSet *set)
{
    for (int k = 0; k < set->count; k++)
        if (!set->asked[k])
            return true;
    return false;
}

// Whether modes that are not asked for may begin to grow, and it is not known nearly where.
static bool hides_onset(const Sweep *sweep, const StickSweepPoint *next)
{
    const StickModeSet *now = &sweep->now.modes;
    return !sweep->task->step->stability.no_locate && now->ndofs == next->modes.ndofs &&
           fabs(next->value - sweep->now.value) > least_onset(sweep) && has_others(&next->modes) &&
           !grows_anywhere(now) && grows_anywhere(&next->modes);
}

static StickStatus bracket_onset(const Sweep *sweep, double *low, double *high)
{
    while (fabs(*high - *low) > least_onset(sweep)) {
        StickSweepPoint point;
        double middle = (*low + *high) / 2;
        STICK_TRY(stick_sweep_point_create(&sweep->source, middle, STICK_SWEEP_MODES, &point));
        *(grows_anywhere(&point.modes) ? high : low) = middle;
        stick_sweep_point_destroy(sweep->ctx, &point);
    }
    return STICK_OK;
}

// Up to where the first mode begins to grow, over it, and on.
static StickStatus cross_onset(Sweep *sweep, StickSweepPoint *next)
{
    double low = sweep->now.value, high = next->value;
    STICK_TRY(bracket_onset(sweep, &low, &high));
    if (low != sweep->now.value)
        STICK_TRY(go_by_value(sweep, low, HALVINGS));
    if (high != next->value)
        STICK_TRY(go_by_value(sweep, high, HALVINGS));
    return go_to(sweep, next, HALVINGS);
}

// Follows the modes to the next point, over one in the middle where shapes do not tell; the point is taken.
static StickStatus go_to(Sweep *sweep, StickSweepPoint *next, int halvings)
{
    StickModeMatch match;
    if (!stick_sweep_same_status(&sweep->now, next))
        return cross_change(sweep, next);
    if (hides_onset(sweep, next))
        return cross_onset(sweep, next);
    STICK_TRY(match_next(sweep, next, &match));
    bool halve = !match.clear && !match.by_frequency && halvings > 0;
    StickStatus status = halve ? STICK_OK : accept(sweep, &match, false, next);
    stick_mode_match_destroy(sweep->ctx, &match);
    if (!halve)
        return status;
    STICK_TRY(go_by_value(sweep, (sweep->now.value + next->value) / 2, halvings - 1));
    return go_to(sweep, next, halvings - 1);
}

static StickStatus begin(Sweep *sweep, StickSweepPoint *first)
{
    sweep->begun = true;
    name_branches(sweep, NULL, first);
    StickSweepEvents events = {.source = &sweep->source, .before = first, .after = first};
    StickStatus found = stick_sweep_events_first(&events);
    STICK_TRY(write_events(sweep, &events, found));
    STICK_TRY(write_modes(sweep, first, NULL));
    move_on(sweep, first);
    return STICK_OK;
}

// ---- all values

static StickStatus write_value(Sweep *sweep, const StickSweepPoint *point)
{
    stick_text_add(&sweep->text, "%s = %.10g: %s\n", vary_of(sweep)->parameter, point->value, point->verdict);
    return stick_table_row(sweep->table[VALUES], point->row);
}

static StickStatus take_value(Sweep *sweep, double value)
{
    StickSweepPoint point;
    sweep->shapes.number++;
    STICK_TRY(stick_sweep_point_create(&sweep->source, value, STICK_SWEEP_VERDICT, &point));
    StickStatus status = write_value(sweep, &point);
    if (status == STICK_OK)
        status = sweep->begun ? go_to(sweep, &point, HALVINGS) : begin(sweep, &point);
    stick_sweep_point_destroy(sweep->ctx, &point);
    return status;
}

static StickStatus take_all(Sweep *sweep)
{
    const StickStabilityTask *task = sweep->task;
    const StickVarySpec *vary = vary_of(sweep);
    const StickProgress *progress = &task->options->progress;
    // a family may have ended early
    int count = sweep->source.family && task->path->count < vary->count ? task->path->count : vary->count;
    for (int k = 0; k < count; k++) {
        STICK_TRY(take_value(sweep, vary->value[k]));
        if (progress->report)
            progress->report(progress->user, task->name, k + 1, count, NAN, NAN);
    }
    return STICK_OK;
}

static void say_doubts(const Sweep *sweep)
{
    const char *name = sweep->task->step->name, *parameter = vary_of(sweep)->parameter;
    if (sweep->by_frequency)
        stick_note(
            sweep->ctx,
            "step '%s': the number of degrees of freedom changes with %s, so that modes are followed by "
            "frequency, not by shape",
            name, parameter);
    if (sweep->unclear > 0)
        stick_note(
            sweep->ctx,
            "step '%s': shapes of modes do not tell which goes on as which in %d places, first between "
            "%s = %.10g and %.10g: branches may be exchanged there",
            name, sweep->unclear, parameter, sweep->unclear_from, sweep->unclear_to);
    if (sweep->unlocated > 0)
        stick_note(sweep->ctx,
                   "step '%s': events that could not be located between two values: %d; see 'uncertainty' in "
                   "coalescence.csv",
                   name, sweep->unlocated);
    if (sweep->passed_by > 0)
        stick_note(
            sweep->ctx,
            "step '%s': events of modes beyond the first %d: %d; they are not located but where growth "
            "begins at all, see 'uncertainty' in coalescence.csv",
            name, sweep->task->step->stability.modes, sweep->passed_by);
    if (sweep->nchanges >= MOST_CHANGES)
        stick_note(sweep->ctx, "step '%s': only the first %d changes of status were located", name,
                   MOST_CHANGES);
}

StickStatus stick_stability_sweep_check(StickContext *ctx, const StickModel *model, const StickStepSpec *step)
{
    const StickStudyOptions options = {0};
    StickSweepSource source = {.ctx = ctx, .model = model, .step = step, .options = &options};
    return stick_sweep_source_check(&source);
}

StickStatus stick_stability_sweep(StickContext *ctx, const StickStabilityTask *task)
{
    Sweep sweep = {.ctx = ctx, .task = task};
    sweep.source = (StickSweepSource){
        .ctx = ctx, .model = task->system->model, .step = task->step, .options = task->options};
    if (task->step->stability.family) {
        sweep.source.family = task->path;
        sweep.source.system = task->system;
    }
    stick_text_init(&sweep.text, ctx);
    StickStatus status = open_files(&sweep);
    if (status == STICK_OK)
        status = take_all(&sweep);
    StickStatus closed = close_files(&sweep);
    say_doubts(&sweep);
    stick_sweep_point_destroy(ctx, &sweep.now);
    stick_text_destroy(&sweep.text);
    stick_free(ctx, sweep.folder);
    return status != STICK_OK ? status : closed;
}
