// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_events.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

bool stick_sweep_is_listed(const StickModeSet *set, int k)
{
    return set->asked[k] || stick_mode_grows(&set->mode[k]);
}

// ---- what happens between two values

static StickStatus add_event(StickSweepEvents *events, const StickSweepEvent *event)
{
    STICK_RESERVE(events->source->ctx, events->event, events->capacity, events->count + 1);
    StickSweepEvent *added = &events->event[events->count++];
    *added = *event;
    added->sticking = events->after->sticking;
    added->slipping = events->after->slipping;
    added->apart = events->after->apart;
    return STICK_OK;
}

static StickStatus add_placed(StickSweepEvents *events, const StickSweepPlace *place, StickSweepEvent *event)
{
    event->value = place->value;
    event->uncertainty = place->uncertainty;
    event->frequency = place->frequency;
    return add_event(events, event);
}

static void note_place(StickSweepEvents *events, const StickSweepPlace *place)
{
    events->unlocated += place->uncertainty == fabs(events->after->value - events->before->value);
}

static bool is_locatable(const StickSweepEvents *events)
{
    return !events->source->step->stability.no_locate && !events->match->by_frequency;
}

// Many modes that nobody has asked for may begin to grow: only of the first of them it is worth while to know where.
static bool is_worth(StickSweepEvents *events, bool asked)
{
    events->passed_by += !asked && !events->onset && is_locatable(events);
    return (asked || events->onset) && is_locatable(events);
}

static bool is_asked(const StickSweepEvents *events, const StickSweepCrossing *crossing)
{
    const bool *before = events->before->modes.asked, *after = events->after->modes.asked;
    return before[crossing->mode_before[0]] || before[crossing->mode_before[1]] ||
           after[crossing->mode_after[0]] || after[crossing->mode_after[1]];
}

static StickStatus locate(StickSweepEvents *events, const StickSweepCrossing *crossing,
                          StickSweepEvent *event)
{
    StickSweepPlace place = stick_sweep_unlocated(crossing);
    if (is_worth(events, is_asked(events, crossing))) {
        STICK_TRY(stick_sweep_locate(events->source, crossing, &place));
        note_place(events, &place);
    }
    return add_placed(events, &place, event);
}

static StickSweepCrossing crossing_of(const StickSweepEvents *events, int i, int k,
                                      StickSweepQuantity quantity)
{
    return (StickSweepCrossing){
        .before = events->before,
        .after = events->after,
        .mode_before = {i, k},
        .mode_after = {events->match->to[i], events->match->to[k]},
        .quantity = quantity,
    };
}

// A mode behind that is spoken of has a number.
static int branch_behind(StickSweepEvents *events, int j)
{
    int *branch = &events->after->branch[j];
    if (*branch == 0)
        *branch = ++*events->nbranches;
    return *branch;
}

// Whether modes i and k, before and behind, are told of.
static bool is_told(const StickSweepEvents *events, int i, int k)
{
    const StickModeSet *before = &events->before->modes, *after = &events->after->modes;
    const int *to = events->match->to;
    return stick_sweep_is_listed(before, i) || stick_sweep_is_listed(before, k) ||
           stick_sweep_is_listed(after, to[i]) || stick_sweep_is_listed(after, to[k]);
}

// Modes i and k, followed, meet or part. Without damping growth begins or ends with it, but for that of modes that
// diverge before or behind.
static StickStatus add_coalescence(StickSweepEvents *events, int i, int k, int change)
{
    if (!is_told(events, i, k))
        return STICK_OK;
    StickSweepCrossing crossing = crossing_of(events, i, k, STICK_SWEEP_DISCRIMINANT);
    StickSweepEvent event = {
        .branch = branch_behind(events, crossing.mode_after[0]),
        .partner = branch_behind(events, crossing.mode_after[1]),
        .kind = STICK_SWEEP_COALESCENCE,
        .change = change,
        .growth_change = 0,
    };
    if (!events->after->modes.damped)
        event.growth_change = stick_mode_growth_change(&events->before->modes, crossing.mode_before,
                                                       &events->after->modes, crossing.mode_after);
    return locate(events, &crossing, &event);
}

static StickStatus look_at_pairs(StickSweepEvents *events, int i)
{
    const StickModeSet *before = &events->before->modes, *after = &events->after->modes;
    const StickModeMatch *match = events->match;
    int j = match->to[i], was = before->partner[i], is = after->partner[j];
    if (was < 0 && is >= 0) {
        int k = match->from[is];
        return k > i && before->partner[k] < 0 ? add_coalescence(events, i, k, 1) : STICK_OK;
    }
    if (was > i && is < 0 && match->to[was] >= 0 && after->partner[match->to[was]] < 0)
        return add_coalescence(events, i, was, -1);
    return STICK_OK;
}

// A pair grows as one: the first of it speaks.
static bool speaks(const StickModeSet *set, int k)
{
    return set->partner[k] < 0 || set->partner[k] > k;
}

static StickStatus look_at_growth(StickSweepEvents *events, int i)
{
    const StickModeSet *before = &events->before->modes, *after = &events->after->modes;
    int j = events->match->to[i];
    bool grew = stick_mode_grows(&before->mode[i]), grows = stick_mode_grows(&after->mode[j]);
    bool real = before->partner[i] < 0 && after->partner[j] < 0;
    if (grew == grows || !speaks(before, i) || !speaks(after, j) || (!after->damped && !real))
        return STICK_OK;
    StickSweepCrossing crossing =
        crossing_of(events, i, i, after->damped ? STICK_SWEEP_GROWTH_RATE : STICK_SWEEP_LAMBDA);
    StickSweepEvent event = {
        .branch = branch_behind(events, j),
        .kind = after->damped ? STICK_SWEEP_GROWTH : STICK_SWEEP_DIVERGENCE,
        .change = grows ? 1 : -1,
        .growth_change = grows ? 1 : -1,
    };
    return locate(events, &crossing, &event);
}

static StickSweepEvent jump_of(const StickSweepEvents *events, const StickSweepPoint *where, int k,
                               int change)
{
    int partner = where->modes.partner[k];
    return (StickSweepEvent){
        .value = events->after->value,
        .uncertainty = fabs(events->after->value - events->before->value),
        .frequency = where->modes.mode[k].frequency,
        .branch = where->branch[k],
        .partner = partner < 0 ? 0 : where->branch[partner],
        .kind = STICK_SWEEP_JUMP,
        .change = change,
        .growth_change = change,
    };
}

// Statuses change: what grows behind it and did not before, and the other way round.
static StickStatus look_at_jump(StickSweepEvents *events)
{
    const StickModeSet *before = &events->before->modes, *after = &events->after->modes;
    StickSweepEvent change = {
        .value = events->after->value,
        .uncertainty = fabs(events->after->value - events->before->value),
        .frequency = NAN,
        .kind = STICK_SWEEP_CHANGE,
    };
    STICK_TRY(add_event(events, &change));
    for (int i = 0; i < before->count; i++) {
        int j = events->match->to[i];
        if (!speaks(before, i) || !stick_mode_grows(&before->mode[i]) ||
            (j >= 0 && stick_mode_grows(&after->mode[j])))
            continue;
        StickSweepEvent event = jump_of(events, events->before, i, -1);
        STICK_TRY(add_event(events, &event));
    }
    for (int j = 0; j < after->count; j++) {
        int i = events->match->from[j];
        if (!speaks(after, j) || !stick_mode_grows(&after->mode[j]) ||
            (i >= 0 && stick_mode_grows(&before->mode[i])))
            continue;
        StickSweepEvent event = jump_of(events, events->after, j, 1);
        STICK_TRY(add_event(events, &event));
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

static bool is_explained(const StickSweepEvents *events, const StickSweepPoint *where, int k, int change)
{
    int partner = where->modes.partner[k];
    const int both[2] = {where->branch[k], partner < 0 ? where->branch[k] : where->branch[partner]};
    for (int e = 0; e < events->count; e++) {
        const StickSweepEvent *event = &events->event[e];
        bool named = event->branch == both[0] || event->branch == both[1] || event->partner == both[0] ||
                     event->partner == both[1];
        if (named && event->growth_change == change)
            return true;
    }
    return false;
}

static StickStatus add_unfollowed(StickSweepEvents *events, const StickSweepPoint *where, int k, int change)
{
    const StickSweepPoint *other = where == events->after ? events->before : events->after;
    StickSweepEvent event = jump_of(events, where, k, change);
    StickSweepPlace place = {event.value, event.uncertainty, event.frequency};
    if (is_worth(events, where->modes.asked[k])) {
        STICK_TRY(stick_sweep_locate_growth(events->source, where, k, other, &place));
        note_place(events, &place);
    }
    event.kind = STICK_SWEEP_UNFOLLOWED;
    return add_placed(events, &place, &event);
}

// What grows on one side only, and no event says why: it has come from beyond what is looked at, or gone there.
static StickStatus look_at_unfollowed(StickSweepEvents *events)
{
    const StickModeSet *before = &events->before->modes, *after = &events->after->modes;
    for (int i = 0; i < before->count; i++)
        if (speaks(before, i) && stick_mode_grows(&before->mode[i]) &&
            !goes_on(before, after, events->match->to, i) && !is_explained(events, events->before, i, -1))
            STICK_TRY(add_unfollowed(events, events->before, i, -1));
    for (int j = 0; j < after->count; j++)
        if (speaks(after, j) && stick_mode_grows(&after->mode[j]) &&
            !goes_on(after, before, events->match->from, j) && !is_explained(events, events->after, j, 1))
            STICK_TRY(add_unfollowed(events, events->after, j, 1));
    return STICK_OK;
}

static StickStatus look_between(StickSweepEvents *events)
{
    for (int i = 0; i < events->before->modes.count; i++) {
        if (events->match->to[i] < 0)
            continue;
        STICK_TRY(look_at_pairs(events, i));
        STICK_TRY(look_at_growth(events, i));
    }
    return look_at_unfollowed(events);
}

static int by_value(const void *left, const void *right)
{
    const StickSweepEvent *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->kind != b->kind ? (int)a->kind - (int)b->kind : a->branch - b->branch;
}

// In the order in which the sweep meets them.
static void put_in_order(StickSweepEvents *events)
{
    if (events->count > 0)
        qsort(events->event, (size_t)events->count, sizeof *events->event, by_value);
    for (int k = 0; k < events->count / 2 && events->after->value < events->before->value; k++) {
        StickSweepEvent *a = &events->event[k], *b = &events->event[events->count - 1 - k], swapped = *a;
        *a = *b;
        *b = swapped;
    }
}

StickStatus stick_sweep_events_find(StickSweepEvents *events, const StickModeMatch *match, bool jump)
{
    events->match = match;
    STICK_TRY(jump ? look_at_jump(events) : look_between(events));
    put_in_order(events);
    return STICK_OK;
}

StickStatus stick_sweep_events_first(StickSweepEvents *events)
{
    const StickSweepPoint *first = events->after;
    for (int k = 0; k < first->modes.count; k++) {
        if (!speaks(&first->modes, k) || !stick_mode_grows(&first->modes.mode[k]))
            continue;
        StickSweepEvent event = jump_of(events, first, k, 1);
        event.kind = STICK_SWEEP_FIRST;
        STICK_TRY(add_event(events, &event));
    }
    return STICK_OK;
}

void stick_sweep_events_destroy(StickSweepEvents *events)
{
    stick_free(events->source->ctx, events->event);
    events->event = NULL;
    events->count = 0;
    events->capacity = 0;
}
