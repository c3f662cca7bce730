// SPDX-License-Identifier: Apache-2.0
// Linear complementarity: find z with w = M z + q, w >= 0, z >= 0, w'z = 0. Letters of the LCP literature.
#ifndef STICKSLIP_LCP_H
#define STICKSLIP_LCP_H

#include <stickslip/context.h>
#include <stickslip/solve_info.h>

typedef struct StickLcp {
    int n;
    const double *M; // n x n by columns
    const double *q; // n
} StickLcp;

typedef struct StickLemke StickLemke; // workspace of Lemke's method, grown on demand

StickStatus stick_lemke_create(StickContext *ctx, StickLemke **lemke);
void stick_lemke_destroy(StickLemke *lemke);

// Makes room for problems up to order n, so that a solve allocates nothing.
StickStatus stick_lemke_reserve(StickLemke *lemke, int n);

// Lexicographic Lemke with covering vector e, after scaling where rows or columns of M differ by more than
// 4096. How it ended is in info: a solution, a ray (with the name of the variable that entered it, counted
// from 1 as in z3 or w7), or the limit of pivots. The pivots count the first one, of z0; residual is |min(z,
// M z + q)| / |q|. On anything but a solution z is untouched. Entries that are not finite are
// STICK_BAD_INPUT.
StickStatus stick_lemke_solve(StickLemke *lemke, const StickLcp *lcp, int most_pivots, double *z,
                              StickSolveInfo *info);

#endif
