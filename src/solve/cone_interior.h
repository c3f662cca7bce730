// SPDX-License-Identifier: Apache-2.0
// A friction problem for methods inside the cone. With s = sqrt(w) of a contact, w = trace(W_cc) / dim,
//
//     x = s (mu r_N, r_T),   y = (u_N/mu + |u_T|, u_T) / s
//
// are both in the cone |x_T| <= x_0, and Coulomb's law is x o y = 0 with
//
//     y - |y_T| e = What x + q.
//
// Newton's step from a point inside, with V x = V^-1 y = lambda and c the wanted change of lambda o lambda:
//
//     (What + T V^2) dx = f + T V z,   dy = V (z - V dx),   lambda o z = c,   T = I - e (0, y_T/|y_T|)',
//
// so that only diagonal blocks of the matrix change. Contacts without friction (mu = 0, 1D) have x = s r_N and
// y = u_N / s in their first component, zeros in the others, and T = I.
#ifndef SOLVE_CONE_INTERIOR_H
#define SOLVE_CONE_INTERIOR_H

#include "linalg/block_lu.h"
#include "solve/body_system.h"
#include "solve/lorentz.h"
#include "solve/residual.h"

typedef struct StickConeInterior {
    StickContext *ctx;
    StickBlockLu *lu;
    const StickFrictionProblem *problem;
    int dim, ncontacts, n;        // n = dim * ncontacts
    double scale;                 // root mean square of q
    double *D;                    // n: r = D x
    double *What;                 // blocks of W's pattern
    double *q;                    // n
    double *matrix;               // blocks: What + T V^2
    double *x, *y;                // n: the point
    double *lambda;               // n
    double *norm;                 // ncontacts: |y_T|, smoothed; 0 without friction
    double *rhs;                  // n
    double *r;                    // n: the last answer
    StickLorentzScaling *scaling; // ncontacts
    double *reals, *blocks;
    size_t real_room, block_room, scaling_room;
    // By bodies: NULL, or the system of the present problem. The matrix is D H' S H D, and impulses are eliminated
    // from the step.
    StickBodySystem *bodies;
    double *inverse, *spread; // dim x dim for each contact: (T V^2)^-1 and D (T V^2)^-1 D
    double *work, *zero;      // n
    double *v, *p;            // velocities and impulses of the bodies
    unsigned char *active;    // ncontacts: 1
    size_t active_room;
    // Of the run at hand.
    double best; // error of the best answer so far
    int iterations;
    double flops;
} StickConeInterior;

StickStatus stick_cone_interior_create(StickContext *ctx, StickConeInterior **interior);
void stick_cone_interior_destroy(StickConeInterior *interior);

// From the next reserve on: problems whose bodies this system has loaded. It must outlive the interior.
void stick_cone_interior_use(StickConeInterior *interior, StickBodySystem *bodies);

StickStatus stick_cone_interior_reserve(StickConeInterior *interior, const StickFrictionProblem *problem);

// Takes a problem for which there is room, and forgets the run before.
void stick_cone_interior_load(StickConeInterior *interior, const StickFrictionProblem *problem);

// x = y = size e
void stick_cone_interior_centre(StickConeInterior *interior, double size);

// x and y from r: x - y is that of r, x o y = size^2 e.
void stick_cone_interior_near(StickConeInterior *interior, const double *r, double *u, double size);

// F = y - norm e - What x - q, the norm being sqrt(|y_T|^2 + smooth^2)
void stick_cone_interior_defect(StickConeInterior *interior, double smooth, double *F);

// Scaling and factors at the point, after the defect; false if the matrix is singular or not finite.
bool stick_cone_interior_factor(StickConeInterior *interior);

// The step for c and f; f is spent.
void stick_cone_interior_solve(StickConeInterior *interior, const double *c, double *f, double *dx,
                               double *dy);

// Largest step along (dx, dy) inside the cone.
double stick_cone_interior_step(const StickConeInterior *interior, const double *dx, const double *dy);

// The answer nearest to the point: r = D P(x - y), exactly open, stuck or sliding. best_r gets it if it is
// the best so far.
StickResidual stick_cone_interior_weigh(StickConeInterior *interior, double *best_r, double *u);

#endif
