// SPDX-License-Identifier: Apache-2.0
// Coulomb's law as a fixed point over convex problems: one number p of every contact is fixed while an inner method
// minimises; then p is updated from the result. p is either the sliding threshold p = mu x_N of Tresca's law [RBV02
// 1.2 a], or the de Saxce term p = mu |y_T|, with which the law is that of the whole cone [DSF98]. With a section in
// place of mu the threshold is p = x_N of x_T in p D_1, the other p = phi_1(y_T). The inner tolerance follows the
// change of p; p is accelerated (mixing.h).
#ifndef SOLVE_NESTED_H
#define SOLVE_NESTED_H

#include "solve/mixing.h"
#include "solve/scaled.h"

typedef enum StickNestedLaw {
    STICK_NESTED_THRESHOLD,
    STICK_NESTED_DE_SAXCE,
} StickNestedLaw;

// Improves x with p held until its residual is below the tolerance or for most iterations; Wx is the product of
// the x that it leaves. Returns the number of iterations.
typedef int (*StickNestedInner)(void *data, StickScaled *scaled, const double *p, double tolerance, int most,
                                double *x, double *Wx);

typedef struct StickNested {
    StickScaled scaled;
    StickMixing mixing;
    StickNestedLaw law;
    StickNestedInner inner;
    void *data;        // of the inner method
    double *x, *Wx;    // n
    double *on_cone;   // n: x with what slides brought to the cone
    double *p, *p_new; // ncontacts
    double tolerance;  // of the next inner solve
    int near; // outer iterations since a result met the law, but its projection on the cone did not; 0: none yet
    double *room;
    size_t capacity;
} StickNested;

void stick_nested_create(StickContext *ctx, const StickSolverOptions *options, StickNested *nested);
void stick_nested_destroy(StickNested *nested);
StickStatus stick_nested_reserve(StickNested *nested, const StickFrictionProblem *problem);
void stick_nested_load(StickNested *nested, const StickFrictionProblem *problem, const double *r);

// Outer iterations from the x of a loaded problem until the exact law holds within the tolerance of the options,
// or their iterations are spent. r is the best found; info gets end, iterations and detail.
void stick_nested_run(StickNested *nested, double *r, double *u, StickSolveInfo *info);

// Outer iterations until the change of p and the residual of the inner problem are within the tolerance, for
// inner problems that are not those of the exact law. The answer is nested->x.
void stick_nested_settle(StickNested *nested, double tolerance, StickSolveInfo *info);

#endif
