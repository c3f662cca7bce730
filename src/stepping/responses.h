// SPDX-License-Identifier: Apache-2.0
// Displacements of the bodies by the forces of a row of states: z = K^-1 p, solved for in blocks of states, because
// many right-hand sides at once cost a third of as many one by one.
#ifndef STEPPING_RESPONSES_H
#define STEPPING_RESPONSES_H

#include "condense/step_matrix.h"

// Forces p of a state (ndofs, comes in as zero), counted from 0.
typedef StickStatus (*StickResponseForces)(void *user, int state, double *p);

typedef struct StickResponses {
    StickContext *ctx;
    const StickSystem *system;
    StickStepMatrix *matrix;
    StickResponseForces forces;
    void *user;
    int count;          // states
    int block;          // of them that is held, or -1
    double *z, *before; // ndofs x BLOCK, and that of the last state before the block
    double *right;      // free degrees of freedom of a body x BLOCK
    size_t z_capacity, before_capacity, right_capacity;
} StickResponses;

void stick_responses_destroy(StickResponses *responses);

// A new row of states; nothing is solved yet.
void stick_responses_begin(StickResponses *responses, int count);

// z of a state >= 1 and of the one before it, valid until the next call. States may be asked for in any order, the bits
// are the same; one after the other each block is solved once.
StickStatus stick_responses_get(StickResponses *responses, int state, const double **before,
                                const double **z);

#endif
