// SPDX-License-Identifier: Apache-2.0
// Coulomb's law as a fixed point over convex problems: one number p of every contact is fixed while an inner method
// minimises; then p is updated from the result. p is either the sliding threshold p = mu x_N of Tresca's law [RBV02
// 1.2 a], or the de Saxce term p = mu |y_T|, with which the law is that of the whole cone [DSF98]. With a section in
// place of mu the threshold is p = x_N of x_T in p D_1, the other p = phi_1(y_T). The inner tolerance follows the
// change of p; p is accelerated (mixing.h).
#ifndef SOLVE_FIXED_POINT_H
#define SOLVE_FIXED_POINT_H

#include "solve/mixing.h"
#include "solve/scaled.h"

typedef enum StickFixedPointLaw {
    STICK_NESTED_THRESHOLD,
    STICK_NESTED_DE_SAXCE,
} StickFixedPointLaw;

// Improves x with p held until its residual is below the tolerance or for most iterations; Wx is the product of
// the x that it leaves. Returns the number of iterations.
typedef int (*StickFixedPointInner)(void *data, StickScaled *scaled, const double *p, double tolerance,
                                    int most, double *x, double *Wx);

typedef struct StickFixedPoint {
    StickScaled scaled;
    StickMixing mixing;
    StickFixedPointLaw law;
    StickFixedPointInner inner;
    void *data;        // of the inner method
    double *x, *Wx;    // n
    double *on_cone;   // n: x with what slides brought to the cone
    double *p, *p_new; // ncontacts
    double tolerance;  // of the next inner solve
    int near; // outer iterations since a result met the law, but its projection on the cone did not; 0: none yet
    double *room;
    size_t capacity;
} StickFixedPoint;

void stick_fixed_point_create(StickContext *ctx, const StickSolverOptions *options, StickFixedPoint *nested);
void stick_fixed_point_destroy(StickFixedPoint *nested);
StickStatus stick_fixed_point_reserve(StickFixedPoint *nested, const StickFrictionProblem *problem);
void stick_fixed_point_load(StickFixedPoint *nested, const StickFrictionProblem *problem, const double *r);

// Outer iterations from the x of a loaded problem until the exact law holds within the tolerance of the options,
// or their iterations are spent. r is the best found; info gets end, iterations and detail.
void stick_fixed_point_run(StickFixedPoint *nested, double *r, double *u, StickSolveInfo *info);

// Outer iterations until the change of p and the residual of the inner problem are within the tolerance, for
// inner problems that are not those of the exact law. The answer is nested->x.
void stick_fixed_point_settle(StickFixedPoint *nested, double tolerance, StickSolveInfo *info);

#endif
