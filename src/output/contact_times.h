// SPDX-License-Identifier: Apache-2.0
// How long contacts stick, slip and are apart in a dynamic step, and how often they hit: sums over equal parts of the
// step, so that any window of it can be told when it has ended.
#ifndef OUTPUT_CONTACT_TIMES_H
#define OUTPUT_CONTACT_TIMES_H

#include "output/checkpoint.h"
#include "output/ledger_tables.h"
#include "stepping/simulation.h"

typedef struct StickContactTimes {
    StickContext *ctx;
    const StickStepSpec *step;
    bool begun;
    int parts;
    int slots;
    int *row_of; // slots of what contacts remember: row of a node that was seen, plus 1; 0: it was not
    int nrows;
    double *slot, *before, *now; // nrows: status in the last time step and in this one
    double *force, *speed;       // nrows: of this time step
    double *sum;                 // nrows x parts x what is summed up
    size_t slot_capacity, before_capacity, now_capacity, force_capacity, speed_capacity, sum_capacity;
    double *count;     // parts: time steps
    double t_start, h; // of the step
    double nsteps;
} StickContactTimes;

// Of contacts between named surfaces; those of shapes of rigid bodies have no nodes.
void stick_contact_times_init(StickContext *ctx, const StickStepSpec *step, StickContactTimes *times);
void stick_contact_times_destroy(StickContactTimes *times);

// After every recorded state of any run: those of other steps are passed over, and so is the start.
StickStatus stick_contact_times_see(StickContactTimes *times, const StickSimulation *run);

// As part of a checkpoint, under a number of its own; of a step that has not begun there is nothing.
StickStatus stick_contact_times_put(StickCheckpointWriter *writer, int number,
                                    const StickContactTimes *times);
StickStatus stick_contact_times_get(const StickCheckpoint *checkpoint, int number, const StickSimulation *run,
                                    StickContactTimes *times);

// Columns of the table of a window of time, and its rows: one per node that touched in the step. The window is rounded
// inwards to whole parts, to one part at least.
void stick_contact_times_book(const StickSystem *system, StickBook *book);
typedef StickStatus (*StickContactTimesRow)(void *user, const double *row);
StickStatus stick_contact_times_rows(const StickContactTimes *times, const StickSystem *system, double from,
                                     double to, StickContactTimesRow take, void *user);

#endif
