// SPDX-License-Identifier: Apache-2.0
// Which contacts belong to the contact problem of Moreau's step: all that touch in its middle, and gaps that loads close in it.
//
// The gap in the middle of step i + 1 is gap + h u_N. Free flight may end inside of another body, where the next step finds
// it and the law of impact acts on the velocity of approach. What loads would close is held back in the same step:
//
//     0 <= u_N + closing  ⊥  r_N >= 0
//
//     closed and loaded in the step before   closing = min(gap / h, w r_N / 4), w = W_NN   it stays loaded, and closes
//     surfaces that do not rebound           closing = gap / h                             they touch at its end
//     gap < h |load part of u_N|             closing = max(gap / h, 2 |u_N| of the start)
//
// All only take energy: r_N acts against an approach. A contact that carried load, or holds by cohesion, and that the
// search does not find again (faces that lie flush, edges that meet: which of several normals is found hangs on rounding)
// goes on with the points and the normal that it had.
#ifndef STEPPING_PERSISTENCE_H
#define STEPPING_PERSISTENCE_H

#include "stepping/state.h"

typedef struct StickSimulation StickSimulation; // stepping/simulation.h

typedef struct StickPersistence {
    double *ahead;  // nbodies: how far loads can move each body in the step, moreau; otherwise NULL
    double *search; // nbodies: the same for the search, which also looks for what was hit in the step before
    StickContact *found; // all of the last detection, in the order of the set ...
    bool *active;        // ... and whether they belong to the contact problem
    double *u;           // dim x nfound
    double *near;        // of the model's contacts: up to which gap they stand for the step
    bool is_landing;     // some surfaces stop each other where they touch: their gaps are linearised from far
    int nfound;
    int *dof;  // columns of H, while they are put in order ...
    double *H; // ... with their values
    size_t dof_capacity, H_capacity;
    size_t found_capacity, active_capacity, u_capacity;
} StickPersistence;

StickStatus stick_persistence_create(StickContext *ctx, const StickSystem *system, StickPersistence *all);
void stick_persistence_destroy(StickContext *ctx, StickPersistence *all);

// After v_free is known: fills `ahead`, for the detection.
void stick_persistence_look_ahead(StickSimulation *run);

// After the detection: of the contacts that were found those which belong to the problem stay in the set. Gaps of surfaces
// count as closed up to `close`.
StickStatus stick_persistence_select(StickSimulation *run, double close);

// After a solve: gaps that its velocities close by loads are added; again: there were any, and it has to be solved again.
StickStatus stick_persistence_extend(StickSimulation *run, double delta, bool *again);

// At the end of a step: W_NN r_N of a contact that is closed and carries load, or 0; and where it is on both bodies.
double stick_persistence_closing(const StickSimulation *run, int contact);
void stick_persistence_mark(const StickSimulation *run, int contact, StickKeyedMemory *kept);

// Whether a contact of a sweep still approaches where it touches: its impulse is completed in the next step.
bool stick_persistence_hits(const StickSimulation *run, int contact);

// The same of contacts before the first step: those that hit are remembered.
StickStatus stick_persistence_keep_hits(StickSimulation *run);

#endif
