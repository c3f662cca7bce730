// SPDX-License-Identifier: Apache-2.0
// Contacts that hold up what is not stable by itself.
//
// The tangent of a body that is much compressed may not be positive definite, though the obstacle that presses it keeps
// it in place: then W = H' A^-1 H is not, either. With a spring rho at the normals P of the contacts that pressed last,
//
//     r = r' - rho u_P,      u = W r + u_free = W' r' + u_free',      W' = W - W_P (1/rho + W_PP)^-1 W_P'
//
// which is that of A + rho H_P H_P', and positive definite where contact holds the body. A contact of P that stays closed,
// u = 0, has r = r': nothing has changed. One that opens is pulled back by its spring: it is out of P in the next
// iteration, which has to follow.
#ifndef DRIVE_SHORE_H
#define DRIVE_SHORE_H

#include "drive/run.h"

typedef struct StickShore {
    double rho;
    int count;
    int *row; // count: rows of W in P
    size_t row_capacity;
    double *inner, *side; // count x count: 1/rho + W_PP; count x (rows + 1): W_P', u_free_P
    size_t inner_capacity, side_capacity;
    int *pivot;
    size_t pivot_capacity;
    StickBlocks W; // all blocks
    size_t start_capacity, col_capacity, value_capacity;
    bool settled; // all of P stayed closed in the last solve
} StickShore;

void stick_shore_destroy(StickContext *ctx, StickShore *shore);

// W and u_free of the run become W' and u_free', where r of the run is what pressed last. One that still cannot be solved
// is refused.
StickStatus stick_shore_put(StickRun *run, StickShore *shore, double rho);

// After the solve: springs of contacts that opened become their r.
void stick_shore_release(StickRun *run, StickShore *shore);

#endif
