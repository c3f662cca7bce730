// SPDX-License-Identifier: Apache-2.0
// The walk along the exact path of an increment, from event to event: each change of status of a contact is a state
// of the run, and the end of the increment is one.
//
// The contact problem of each state comes from src/solve/path_following.h: r(s) of u = W r + c + b s. It then goes the same way
// as any other, through the verifier, as an increment from the state before it. Needs flat obstacles, friction that is
// constant, and loads and prescribed motions that vary linearly within a piece; pieces in which they do not are halved.
#ifndef STEPPING_EVENT_DRIVEN_H
#define STEPPING_EVENT_DRIVEN_H

#include "solve/path_following.h"
#include "stepping/simulation.h"

typedef struct StickPathEvent {
    double t;
    int pair, node; // of the slave
    StickContactStatus from, to;
    int direction; // of slip along t1: -1, 1, or 0
    int count[3];  // contacts of each StickPathFollowingStatus after it
} StickPathEvent;

// An error says why the model cannot be followed.
StickStatus stick_event_driven_create(StickSimulation *run, StickEventDriven **walk);
void stick_event_driven_destroy(StickEventDriven *walk);

// To the next event or to the end of the piece.
StickStatus stick_event_driven_step(StickEventDriven *walk, StickSimulation *run);

// r of the contact problem of the next state.
StickStatus stick_event_driven_forces(StickEventDriven *walk, StickSimulation *run);

// The same as for any increment, from what was solved for all states of the piece together: dq_free, and next.v by r.
StickStatus stick_event_driven_free(StickEventDriven *walk, StickSimulation *run);
StickStatus stick_event_driven_apply(StickEventDriven *walk, StickSimulation *run);

// Status of a contact after the events of the present state; these events below.
StickContactStatus stick_event_driven_status(const StickEventDriven *walk, int slot);
// Status of a contact on the whole way from the state before to the present one.
StickContactStatus stick_event_driven_between(const StickEventDriven *walk, int slot);
int stick_event_driven_events(const StickEventDriven *walk, const StickPathEvent **event);

// Displacements and contact forces (by slots of the memory) at the start of the piece: with them, and with how many
// states were taken of it, a run that is resumed walks the piece again.
double *stick_event_driven_start_q(StickEventDriven *walk);
double *stick_event_driven_start_r(StickEventDriven *walk);
double *stick_event_driven_statuses(StickEventDriven *walk); // slots: as in stick_event_driven_status

#endif
