// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel as one would write it at first, to measure ours against: W as it stands, contact after contact, u of a
// contact from its row, then stick if that is in the cone, else slip: in the plane one of two signs, in space by a
// projected iteration.
#ifndef BENCH_PLAIN_GAUSS_SEIDEL_H
#define BENCH_PLAIN_GAUSS_SEIDEL_H

#include <stickslip/friction.h>

// One sweep over all contacts; r is changed. In the plane or in space.
void plain_gauss_seidel_sweep(const StickFrictionProblem *problem, double *r);

#endif
