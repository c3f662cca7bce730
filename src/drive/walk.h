// SPDX-License-Identifier: Apache-2.0
// The walk along the exact path of an increment, from event to event: each change of status of a contact is a state
// of the run, and the end of the increment is one.
//
// The contact problem of each state comes from src/solve/trace.h: r(s) of u = W r + c + b s. It then goes the same way
// as any other, through the verifier, as an increment from the state before it. Needs flat obstacles, friction that is
// constant, and loads and prescribed motions that vary linearly within a piece; pieces in which they do not are halved.
#ifndef DRIVE_WALK_H
#define DRIVE_WALK_H

#include "drive/run.h"
#include "solve/trace.h"

typedef struct StickWalkEvent {
    double t;
    int pair, node; // of the slave
    StickContactStatus from, to;
    int direction; // of slip along t1: -1, 1, or 0
    int count[3];  // contacts of each StickTraceStatus after it
} StickWalkEvent;

// An error says why the model cannot be followed.
StickStatus stick_walk_create(StickRun *run, StickWalk **walk);
void stick_walk_destroy(StickWalk *walk);

// To the next event or to the end of the piece.
StickStatus stick_walk_step(StickWalk *walk, StickRun *run);

// r of the contact problem of the next state.
StickStatus stick_walk_forces(StickWalk *walk, StickRun *run);

// The same as for any increment, from what was solved for all states of the piece together: dq_free, and next.v by r.
StickStatus stick_walk_free(StickWalk *walk, StickRun *run);
StickStatus stick_walk_apply(StickWalk *walk, StickRun *run);

// Status of a contact after the events of the present state; these events below.
StickContactStatus stick_walk_status(const StickWalk *walk, int slot);
// Status of a contact on the whole way from the state before to the present one.
StickContactStatus stick_walk_between(const StickWalk *walk, int slot);
int stick_walk_events(const StickWalk *walk, const StickWalkEvent **event);

// Displacements and contact forces (by slots of the memory) at the start of the piece: with them, and with how many
// states were taken of it, a run that is resumed walks the piece again.
double *stick_walk_start_q(StickWalk *walk);
double *stick_walk_start_r(StickWalk *walk);
double *stick_walk_statuses(StickWalk *walk); // slots: as in stick_walk_status

#endif
