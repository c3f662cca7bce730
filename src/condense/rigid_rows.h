// SPDX-License-Identifier: Apache-2.0
// Contribution of rigid bodies to W = H' A^-1 H: contacts act on all degrees of freedom of a body, so that each block
// is a small product, computed row by row on the threads of the context.
#ifndef CONDENSE_RIGID_ROWS_H
#define CONDENSE_RIGID_ROWS_H

#include "condense/step_matrix.h"
#include "contact/contact.h"

#include <stickslip/friction.h>

typedef struct StickRigidRows {
    StickContext *ctx;
    const StickSystem *system;
    const StickStepMatrix *matrix;
    StickBodySides
        *sides; // ncontacts: bodies that are rigid and can move, over all of their degrees of freedom
    double *MH; // A^-1 H by entries of H: dim values each
    double *S;  // A^-1 of all bodies, over all degrees of freedom
    size_t sides_capacity, MH_capacity, S_capacity;
} StickRigidRows;

void stick_rigid_rows_destroy(StickRigidRows *rows);

// Sets all blocks of W, whose pattern is there, to the part of the rigid bodies.
StickStatus stick_rigid_rows_set(StickRigidRows *rows, const StickContactSet *set, StickBlocks *W);

// The factored form of the W that was set, of rigid bodies alone; valid as long as the set and the rows.
StickStatus stick_rigid_rows_bodies(StickRigidRows *rows, const StickContactSet *set, StickBodies *bodies);

#endif
