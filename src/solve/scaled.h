// SPDX-License-Identifier: Apache-2.0
// A friction problem without units: x = s r and y = u / s with a scale s of every contact near sqrt(w), w =
// trace(W_cc) / dim. Cones and the contact law are unchanged, y = What x + q. Diagonals of What are about 1, so that
// a first step of length 1 is right in all units. s is a power of two: scaling rounds nothing. The methods that
// iterate on all contacts at once work on it.
#ifndef SOLVE_SCALED_H
#define SOLVE_SCALED_H

#include "solve/residual.h"
#include "solve/section.h"

typedef struct StickScaled {
    StickContext *ctx;
    const StickSolverOptions *options;
    const StickFrictionProblem *problem;
    int dim, ncontacts, n; // n = dim * ncontacts
    double *s;             // ncontacts
    double *mu;            // ncontacts; 0 in 1D
    double *q;             // n: u_free / s
    double *r;             // n: the last r that was weighed
    double best;           // error of the best r so far
    double *room;          // of all of these
    size_t capacity;
} StickScaled;

void stick_scaled_create(StickContext *ctx, const StickSolverOptions *options, StickScaled *scaled);
void stick_scaled_destroy(StickScaled *scaled);
StickStatus stick_scaled_reserve(StickScaled *scaled, const StickFrictionProblem *problem);

// Takes a problem for which there is room, and the guess r into x (n).
void stick_scaled_load(StickScaled *scaled, const StickFrictionProblem *problem, const double *r, double *x);

// r = x / s
void stick_scaled_answer(const StickScaled *scaled, const double *x, double *r);

// Wx = What x
void stick_scaled_apply(StickScaled *scaled, const double *x, double *Wx);

// p = the point of a contact's cone nearest to y (dim): cones are the same with and without units.
static inline void stick_scaled_project(const StickScaled *scaled, int contact, const double *y, double *p)
{
    const StickSection *section = stick_section_of(scaled->problem, contact);
    if (section)
        stick_section_project(section, y, p);
    else
        stick_cone_project(scaled->dim, scaled->mu[contact], y, p);
}

// mu |y_T|, or phi_1(y_T) of its section
static inline double stick_scaled_lift(const StickScaled *scaled, int contact, const double *y)
{
    const StickSection *section = stick_section_of(scaled->problem, contact);
    return section ? stick_section_lift(section, y)
                   : scaled->mu[contact] * stick_cone_tangent(scaled->dim, y);
}

// The blocks of What, in the pattern of W: value is start[ncontacts] x dim x dim. Needs W by blocks.
void stick_scaled_blocks(const StickScaled *scaled, double *value);

// The measures of x in the problem's own units; r gets it if it is the best so far. u is work space.
StickResidual stick_scaled_weigh(StickScaled *scaled, const double *x, double *r, double *u);

// How a solve ended whose last weighed iterate has this residual.
StickSolveEnd stick_scaled_end(const StickScaled *scaled, StickResidual residual);

double stick_scaled_dot(int n, const double *a, const double *b);
double stick_scaled_norm(int n, const double *a);

#endif
