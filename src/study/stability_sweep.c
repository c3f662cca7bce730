// SPDX-License-Identifier: Apache-2.0
#include "study/stability_sweep.h"

#include "base/file.h"
#include "study/step_files.h"
#include "study/sweep_locate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { HALVINGS = 5, MOST_CHANGES = 100 };

static const double CHANGE = 1e-6; // of the range of values: where a status changes ...
static const double ONSET = 1e-4;  // ... and where the first of many modes begins to grow

enum { VALUES, MODES, EVENTS, TABLES };

typedef struct Sweep {
    StickContext *ctx;
    const StickStabilityTask *task;
    StickSweepSource source;
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
    char *folder;
    STICK_TRY(stick_step_files_folder(&files, &folder));
    stick_free(sweep->ctx, folder);
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

// What is asked for, and all that grows.
static bool is_listed(const StickModeSet *set, int k)
{
    return set->asked[k] || stick_mode_grows(&set->mode[k]);
}

static StickStatus write_modes(Sweep *sweep, const StickSweepPoint *point, const double *likeness)
{
    for (int j = 0; j < point->modes.count; j++) {
        if (!is_listed(&point->modes, j))
            continue;
        stick_sweep_book_fill(&sweep->book[MODES], point->value, point->branch[j], &point->modes.mode[j],
                              likeness ? likeness[j] : NAN);
        STICK_TRY(stick_table_row(sweep->table[MODES], sweep->book[MODES].row));
    }
    return STICK_OK;
}

static StickStatus write_event(Sweep *sweep, const StickSweepEvent *event)
{
    stick_coalescence_book_fill(&sweep->book[EVENTS], event);
    return stick_table_row(sweep->table[EVENTS], sweep->book[EVENTS].row);
}

// ---- what happens between two values

typedef struct Step {
    Sweep *sweep;
    const StickSweepPoint *before;
    StickSweepPoint *after;
    const StickModeMatch *match;
    bool jump;  // statuses differ
    bool onset; // nothing grows before, something behind, and it is near
    int count;
    size_t capacity;
    StickSweepEvent *event;
} Step;

static StickStatus add_event(Step *step, const StickSweepEvent *event)
{
    STICK_RESERVE(step->sweep->ctx, step->event, step->capacity, step->count + 1);
    StickSweepEvent *added = &step->event[step->count++];
    *added = *event;
    added->sticking = step->after->sticking;
    added->slipping = step->after->slipping;
    added->apart = step->after->apart;
    return STICK_OK;
}

static StickStatus add_placed(Step *step, const StickSweepPlace *place, StickSweepEvent *event)
{
    event->value = place->value;
    event->uncertainty = place->uncertainty;
    event->frequency = place->frequency;
    return add_event(step, event);
}

static void note_place(const Step *step, const StickSweepPlace *place)
{
    step->sweep->unlocated += place->uncertainty == fabs(step->after->value - step->before->value);
}

static bool is_locatable(const Step *step)
{
    return !step->sweep->task->step->stability.no_locate && !step->match->by_frequency;
}

// Many modes that nobody has asked for may begin to grow: only of the first of them it is worth while to know where.
static bool is_worth(Step *step, bool asked)
{
    step->sweep->passed_by += !asked && !step->onset && is_locatable(step);
    return (asked || step->onset) && is_locatable(step);
}

static bool is_asked(const Step *step, const StickSweepCrossing *crossing)
{
    const bool *before = step->before->modes.asked, *after = step->after->modes.asked;
    return before[crossing->mode_before[0]] || before[crossing->mode_before[1]] ||
           after[crossing->mode_after[0]] || after[crossing->mode_after[1]];
}

static StickStatus locate(Step *step, const StickSweepCrossing *crossing, StickSweepEvent *event)
{
    StickSweepPlace place = stick_sweep_unlocated(crossing);
    if (is_worth(step, is_asked(step, crossing))) {
        STICK_TRY(stick_sweep_locate(&step->sweep->source, crossing, &place));
        note_place(step, &place);
    }
    return add_placed(step, &place, event);
}

static StickSweepCrossing crossing_of(const Step *step, int i, int k, StickSweepQuantity quantity)
{
    return (StickSweepCrossing){
        .before = step->before,
        .after = step->after,
        .mode_before = {i, k},
        .mode_after = {step->match->to[i], step->match->to[k]},
        .quantity = quantity,
    };
}

// A mode behind that is spoken of has a number.
static int branch_behind(Step *step, int j)
{
    int *branch = &step->after->branch[j];
    if (*branch == 0)
        *branch = ++step->sweep->nbranches;
    return *branch;
}

// Whether modes i and k, before and behind, are told of.
static bool is_told(const Step *step, int i, int k)
{
    const StickModeSet *before = &step->before->modes, *after = &step->after->modes;
    const int *to = step->match->to;
    return is_listed(before, i) || is_listed(before, k) || is_listed(after, to[i]) || is_listed(after, to[k]);
}

// Modes i and k, followed, meet or part. Without damping growth begins or ends with it, but for that of modes that
// diverge before or behind.
static StickStatus add_coalescence(Step *step, int i, int k, int change)
{
    if (!is_told(step, i, k))
        return STICK_OK;
    StickSweepCrossing crossing = crossing_of(step, i, k, STICK_SWEEP_DISCRIMINANT);
    StickSweepEvent event = {
        .branch = branch_behind(step, crossing.mode_after[0]),
        .partner = branch_behind(step, crossing.mode_after[1]),
        .kind = STICK_SWEEP_COALESCENCE,
        .change = change,
        .growth_change = 0,
    };
    if (!step->after->modes.damped)
        event.growth_change = stick_mode_growth_change(&step->before->modes, crossing.mode_before,
                                                       &step->after->modes, crossing.mode_after);
    return locate(step, &crossing, &event);
}

static StickStatus look_at_pairs(Step *step, int i)
{
    const StickModeSet *before = &step->before->modes, *after = &step->after->modes;
    const StickModeMatch *match = step->match;
    int j = match->to[i], was = before->partner[i], is = after->partner[j];
    if (was < 0 && is >= 0) {
        int k = match->from[is];
        return k > i && before->partner[k] < 0 ? add_coalescence(step, i, k, 1) : STICK_OK;
    }
    if (was > i && is < 0 && match->to[was] >= 0 && after->partner[match->to[was]] < 0)
        return add_coalescence(step, i, was, -1);
    return STICK_OK;
}

// A pair grows as one: the first of it speaks.
static bool speaks(const StickModeSet *set, int k)
{
    return set->partner[k] < 0 || set->partner[k] > k;
}

static StickStatus look_at_growth(Step *step, int i)
{
    const StickModeSet *before = &step->before->modes, *after = &step->after->modes;
    int j = step->match->to[i];
    bool grew = stick_mode_grows(&before->mode[i]), grows = stick_mode_grows(&after->mode[j]);
    bool real = before->partner[i] < 0 && after->partner[j] < 0;
    if (grew == grows || !speaks(before, i) || !speaks(after, j) || (!after->damped && !real))
        return STICK_OK;
    StickSweepCrossing crossing =
        crossing_of(step, i, i, after->damped ? STICK_SWEEP_GROWTH_RATE : STICK_SWEEP_LAMBDA);
    StickSweepEvent event = {
        .branch = branch_behind(step, j),
        .kind = after->damped ? STICK_SWEEP_GROWTH : STICK_SWEEP_DIVERGENCE,
        .change = grows ? 1 : -1,
        .growth_change = grows ? 1 : -1,
    };
    return locate(step, &crossing, &event);
}

static StickSweepEvent jump_of(const Step *step, const StickSweepPoint *where, int k, int change)
{
    int partner = where->modes.partner[k];
    return (StickSweepEvent){
        .value = step->after->value,
        .uncertainty = fabs(step->after->value - step->before->value),
        .frequency = where->modes.mode[k].frequency,
        .branch = where->branch[k],
        .partner = partner < 0 ? 0 : where->branch[partner],
        .kind = STICK_SWEEP_JUMP,
        .change = change,
        .growth_change = change,
    };
}

// Statuses change: what grows behind it and did not before, and the other way round.
static StickStatus look_at_jump(Step *step)
{
    const StickModeSet *before = &step->before->modes, *after = &step->after->modes;
    StickSweepEvent change = {
        .value = step->after->value,
        .uncertainty = fabs(step->after->value - step->before->value),
        .frequency = NAN,
        .kind = STICK_SWEEP_CHANGE,
    };
    STICK_TRY(add_event(step, &change));
    for (int i = 0; i < before->count; i++) {
        int j = step->match->to[i];
        if (!speaks(before, i) || !stick_mode_grows(&before->mode[i]) ||
            (j >= 0 && stick_mode_grows(&after->mode[j])))
            continue;
        StickSweepEvent event = jump_of(step, step->before, i, -1);
        STICK_TRY(add_event(step, &event));
    }
    for (int j = 0; j < after->count; j++) {
        int i = step->match->from[j];
        if (!speaks(after, j) || !stick_mode_grows(&after->mode[j]) ||
            (i >= 0 && stick_mode_grows(&before->mode[i])))
            continue;
        StickSweepEvent event = jump_of(step, step->after, j, 1);
        STICK_TRY(add_event(step, &event));
    }
    return STICK_OK;
}

// Whether growth of mode k of one side goes on on the other, as that of itself or of its partner.
static bool goes_on(const StickModeSet *set, const StickModeSet *other, const int *to, int k)
{
    const int both[2] = {k, set->partner[k]};
    for (int side = 0; side < 2; side++)
        if (both[side] >= 0 && to[both[side]] >= 0 && stick_mode_grows(&other->mode[to[both[side]]]))
            return true;
    return false;
}

static bool is_explained(const Step *step, const StickSweepPoint *where, int k, int change)
{
    int partner = where->modes.partner[k];
    const int both[2] = {where->branch[k], partner < 0 ? where->branch[k] : where->branch[partner]};
    for (int e = 0; e < step->count; e++) {
        const StickSweepEvent *event = &step->event[e];
        bool named = event->branch == both[0] || event->branch == both[1] || event->partner == both[0] ||
                     event->partner == both[1];
        if (named && event->growth_change == change)
            return true;
    }
    return false;
}

static StickStatus add_unfollowed(Step *step, const StickSweepPoint *where, int k, int change)
{
    const StickSweepPoint *other = where == step->after ? step->before : step->after;
    StickSweepEvent event = jump_of(step, where, k, change);
    StickSweepPlace place = {event.value, event.uncertainty, event.frequency};
    if (is_worth(step, where->modes.asked[k])) {
        STICK_TRY(stick_sweep_locate_growth(&step->sweep->source, where, k, other, &place));
        note_place(step, &place);
    }
    event.kind = STICK_SWEEP_UNFOLLOWED;
    return add_placed(step, &place, &event);
}

// What grows on one side only, and no event says why: it has come from beyond what is looked at, or gone there.
static StickStatus look_at_unfollowed(Step *step)
{
    const StickModeSet *before = &step->before->modes, *after = &step->after->modes;
    for (int i = 0; i < before->count; i++)
        if (speaks(before, i) && stick_mode_grows(&before->mode[i]) &&
            !goes_on(before, after, step->match->to, i) && !is_explained(step, step->before, i, -1))
            STICK_TRY(add_unfollowed(step, step->before, i, -1));
    for (int j = 0; j < after->count; j++)
        if (speaks(after, j) && stick_mode_grows(&after->mode[j]) &&
            !goes_on(after, before, step->match->from, j) && !is_explained(step, step->after, j, 1))
            STICK_TRY(add_unfollowed(step, step->after, j, 1));
    return STICK_OK;
}

static StickStatus look_between(Step *step)
{
    if (step->jump)
        return look_at_jump(step);
    for (int i = 0; i < step->before->modes.count; i++) {
        if (step->match->to[i] < 0)
            continue;
        STICK_TRY(look_at_pairs(step, i));
        STICK_TRY(look_at_growth(step, i));
    }
    return look_at_unfollowed(step);
}

// In the order in which the sweep meets them.
static int by_value(const void *left, const void *right)
{
    const StickSweepEvent *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->kind != b->kind ? (int)a->kind - (int)b->kind : a->branch - b->branch;
}

static StickStatus write_events(Step *step)
{
    bool descends = step->after->value < step->before->value;
    if (step->count > 0)
        qsort(step->event, (size_t)step->count, sizeof *step->event, by_value);
    for (int k = 0; k < step->count; k++)
        STICK_TRY(write_event(step->sweep, &step->event[descends ? step->count - 1 - k : k]));
    return STICK_OK;
}

// ---- from value to value

// Branches go on; what is new and listed gets a new number, what is followed only has none.
static void name_branches(Sweep *sweep, const StickModeMatch *match, StickSweepPoint *next)
{
    for (int j = 0; j < next->modes.count; j++) {
        int i = match ? match->from[j] : -1;
        next->branch[j] = i >= 0 ? sweep->now.branch[i] : 0;
        if (next->branch[j] == 0 && is_listed(&next->modes, j))
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
    Step step = {.sweep = sweep, .before = &sweep->now, .after = next, .match = match, .jump = jump};
    step.onset =
        !grows_anywhere(&sweep->now.modes) && fabs(next->value - sweep->now.value) <= least_onset(sweep);
    StickStatus status = look_between(&step);
    if (status == STICK_OK)
        status = write_events(&step);
    stick_free(sweep->ctx, step.event);
    STICK_TRY(status);
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
    for (int k = 0; k < first->modes.count; k++) {
        if (!speaks(&first->modes, k) || !stick_mode_grows(&first->modes.mode[k]))
            continue;
        Step step = {.before = first, .after = first};
        StickSweepEvent event = jump_of(&step, first, k, 1);
        event.kind = STICK_SWEEP_FIRST;
        event.sticking = first->sticking;
        event.slipping = first->slipping;
        event.apart = first->apart;
        STICK_TRY(write_event(sweep, &event));
    }
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
            progress->report(progress->user, task->name, k + 1, count, vary->value[k],
                             vary->value[count - 1]);
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
    return status != STICK_OK ? status : closed;
}
