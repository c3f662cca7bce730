// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel sweeps for very large problems, on several threads: contacts colour by colour, each colour in
// chunks that do not depend on the number of threads, sums in the order of the chunks. Same bits for any
// number of threads.
#ifndef SOLVE_COLOURED_H
#define SOLVE_COLOURED_H

#include "base/pool.h"
#include "solve/residual.h"

typedef struct StickColoured StickColoured;

// Relative change of r in a sweep, in the two measures of StickResidual: an estimate of the error at no cost.
typedef struct StickChange {
    double shared, scale_free;
} StickChange;

StickStatus stick_coloured_create(StickContext *ctx, int nthreads, StickColoured **coloured);
void stick_coloured_destroy(StickColoured *coloured);

// Room for a problem of this size and pattern; nothing else allocates.
StickStatus stick_coloured_reserve(StickColoured *coloured, const StickFrictionProblem *problem);

// Copies the problem in the order of its colours, about the price of five sweeps; r = 0.
void stick_coloured_load(StickColoured *coloured, const StickFrictionProblem *problem);

// The iterate r and the velocity u of the last residual, in the order of the problem.
void stick_coloured_set(StickColoured *coloured, const double *r);
void stick_coloured_get(const StickColoured *coloured, double *r);
void stick_coloured_velocity(const StickColoured *coloured, double *u);

// r_c = solution of the local problem with all others at rest, for each contact c.
StickChange stick_coloured_sweep(StickColoured *coloured);

// Computes u = W r + u_free, the price of a sweep.
StickResidual stick_coloured_residual(StickColoured *coloured);

// Data for work between sweeps: r and weights (trace(W_cc) / dim of each contact) in the order of the sweep, and
// numbered parts on its threads.
double *stick_coloured_r(StickColoured *coloured);
const double *stick_coloured_weight(const StickColoured *coloured);
int stick_coloured_dim(const StickColoured *coloured);
void stick_coloured_run(StickColoured *coloured, StickPart *part, void *data, int nparts);

int stick_coloured_colours(const StickColoured *coloured);

// Bytes that a sweep reads and writes at least: each datum once.
double stick_coloured_bytes(const StickColoured *coloured);

#endif
