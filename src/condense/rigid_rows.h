// SPDX-License-Identifier: Apache-2.0
// What rigid bodies give to W = H' A^-1 H: contacts press on all degrees of freedom of a body, so that each block is a
// small product, computed row by row on the threads of the context.
#ifndef CONDENSE_RIGID_ROWS_H
#define CONDENSE_RIGID_ROWS_H

#include "condense/step_matrix.h"
#include "contact/contact.h"

#include <stickslip/friction.h>

// Where a contact presses on rigid bodies, and where the columns of H of each of them begin.
typedef struct StickRigidSides {
    int body[2];  // -1: none that is rigid and can move
    int entry[2]; // over all degrees of freedom of the body
} StickRigidSides;

typedef struct StickRigidRows {
    StickContext *ctx;
    const StickSystem *system;
    const StickStepMatrix *matrix;
    StickRigidSides *sides; // ncontacts
    double *MH;             // A^-1 H by entries of H: dim values each
    size_t sides_capacity, MH_capacity;
} StickRigidRows;

void stick_rigid_rows_destroy(StickRigidRows *rows);

// Sets all blocks of W, whose pattern is there, to the part of the rigid bodies.
StickStatus stick_rigid_rows_set(StickRigidRows *rows, const StickContactSet *set, StickBlocks *W);

#endif
