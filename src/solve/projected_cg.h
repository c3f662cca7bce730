// SPDX-License-Identifier: Apache-2.0
// Projected conjugate gradients for Tresca's law with regularised friction: the minimum of
// 1/2 x'(What + C) x + q'x over x_N >= 0, |x_T| <= g. The friction law x_T = -g y_T / max(|y_T|, e), linear below
// the sliding speed e, is Tresca's with a tangential compliance C = e / g added to What: so it stays quadratic
// and has a gradient [RBV02 1.3, there in the displacements].
// Directions are Polak and Ribiere's; the last one is projected on the face of the current point, which preserves
// conjugacy as far as possible. Preconditioned by the blocks W_cc + C on the face.
#ifndef SOLVE_PROJECTED_CG_H
#define SOLVE_PROJECTED_CG_H

#include "solve/scaled.h"

typedef struct StickProjectedCg {
    StickContext *ctx;
    double L;               // Lipschitz constant in the metric of the diagonal
    double *block;          // ncontacts x dim x dim: the diagonal of What
    double *C;              // ncontacts: compliance
    double *bend;           // ncontacts: curvature of the circle that a sliding contact stays on
    double *G, *face;       // n: the gradient, and its part along the face
    double *old_face;       // n
    double *z;              // n: preconditioned
    double *d, *Ad;         // n: direction, and its product with What + C
    double *trial, *Atrial; // n
    double *Ax;             // n
    double *room;
    size_t capacity;
} StickProjectedCg;

void stick_projected_cg_create(StickContext *ctx, StickProjectedCg *cg);
void stick_projected_cg_destroy(StickProjectedCg *cg);
StickStatus stick_projected_cg_reserve(StickProjectedCg *cg, int dim, int ncontacts);
// Takes the diagonal blocks of a problem that was loaded.
void stick_projected_cg_start(StickProjectedCg *cg, const StickScaled *scaled);

// speed: e of every contact in scaled units (ncontacts); g: threshold. From x on, until |x - P(x - G)| is
// within the tolerance or for most iterations; Wx = What x at the end. Returns the number of iterations.
int stick_projected_cg_solve(StickProjectedCg *cg, StickScaled *scaled, const double *g, const double *speed,
                             double tolerance, int most, double *x, double *Wx);

#endif
