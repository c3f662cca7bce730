// SPDX-License-Identifier: Apache-2.0
// A path of almost complementary bases of w = M z + d z0 + q, followed by Lemke's pivots [CPS92 §4.4].
//
// Every pair (w_i, z_i) owns the place i for its basic variable; z0 takes the place of the pair that has none.
// Along the variable that enters, basic = b + T t.
#ifndef SOLVE_LCP_PATH_H
#define SOLVE_LCP_PATH_H

#include "solve/lcp_basis.h"

enum { STICK_LCP_MOST_ROWS = 8 };

typedef struct StickLcpPath {
    int room, room_order;
    StickLcpMatrix M;
    StickLcpBasis basis;
    double *q, *d;        // n each: scaled, and the covering vector
    double *b, *T;        // n
    double *column;       // n: T of another variable than the entering one
    double *x, *residual; // of K
    double *inverse;      // rows of the basis inverse, MOST_ROWS of K each
    double *ratio;        // n
    int *tied;            // n
    unsigned char *kind;  // n: StickLcpKind of each place
    unsigned char *home;  // n: the kinds at the start, all lexicographically positive
    double *best, *w, *z; // n
    int n;
    int z0_place;    // or -1: it is not basic
    int last_column; // place that breaks ties last, or -1: the plain order
} StickLcpPath;

// order: most z's that can be basic at a time
StickStatus stick_lcp_path_reserve(StickContext *ctx, StickLcpPath *path, int n, int order);
void stick_lcp_path_free(StickContext *ctx, StickLcpPath *path);

// Variables: w_i is i, z_i is n + i, z0 is 2 n.
static inline int stick_lcp_path_variable(const StickLcpPath *path, int place)
{
    return path->kind[place] == STICK_LCP_Z0 ? 2 * path->n : place + path->n * path->kind[place];
}

static inline int stick_lcp_path_complement(const StickLcpPath *path, int variable)
{
    return variable < path->n ? variable + path->n : variable - path->n;
}

// Factors the basis of the kinds and computes its b; false if it is singular.
bool stick_lcp_path_settle(StickLcpPath *path);

// T of the variable that enters; false if the basis became singular.
bool stick_lcp_path_direction(StickLcpPath *path, int entering);

// The same for any nonbasic variable, into path->column.
void stick_lcp_path_column(StickLcpPath *path, int variable);

// Lets the variable of the last direction in and that of a place out; false if the basis became singular.
bool stick_lcp_path_pivot(StickLcpPath *path, int entering, int place);

// The place that blocks the entering variable first, z0 preferred and ties broken lexicographically, or -1 on a ray.
int stick_lcp_path_blocking(StickLcpPath *path);

double stick_largest_magnitude(int n, const double *x);

#endif
