// SPDX-License-Identifier: Apache-2.0
// What happens to modes between two values of a sweep: they meet or part, growth begins or ends, contacts change their
// status.
#ifndef STUDY_SWEEP_EVENTS_H
#define STUDY_SWEEP_EVENTS_H

#include "study/sweep_locate.h"

typedef struct StickSweepEvents {
    const StickSweepSource *source;
    const StickSweepPoint *before;
    StickSweepPoint *after; // branches that events speak of get a number
    bool onset;             // nothing grows before, something behind, and it is near
    int *nbranches;         // numbers that were given
    int passed_by;          // out: events of modes not asked for, which nobody has located
    int unlocated; // out: events of which it is only known between which values they are, although more was asked for
    const StickModeMatch *match;
    int count;
    size_t capacity;
    StickSweepEvent *event; // in the order in which the sweep meets them
} StickSweepEvents;

// Whether a mode is listed: what is asked for, and all that grows.
bool stick_sweep_is_listed(const StickModeSet *set, int k);

// jump: statuses differ, so that modes are not followed.
StickStatus stick_sweep_events_find(StickSweepEvents *events, const StickModeMatch *match, bool jump);

// What grows at the first value, which is before and after.
StickStatus stick_sweep_events_first(StickSweepEvents *events);

void stick_sweep_events_destroy(StickSweepEvents *events);

#endif
