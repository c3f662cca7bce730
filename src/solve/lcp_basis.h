// SPDX-License-Identifier: Apache-2.0
// Factors of a basis of w = M z + d z0 + q, updated by one exchange of variables at a time.
//
// Basic w's are read off once the basic z's are known, and these come from the rows of the nonbasic w's:
//
//     G x = -q_rows,   G = [M_ij, d_i],   i: w_i nonbasic,  j: z_j basic,
//
// of an order that is the number of basic z's. G is factored now and then, as G0 = LU; the exchanges since then
// border it, each by the column of the variable that entered and by the row of the one that left:
//
//           [ G0  V ]      column of z_j: M_j;  of w_i: -1 in the row of w_i, which sets that row free
//     K  =  [       ]
//           [ U'  D ]      row of w_i: M_i;     of z_j: 1 in the column of z_j, which sets z_j = 0
//
// K is solved by LU and a QR decomposition of the Schur complement S = D - U' G0^-1 V [BM77].
#ifndef SOLVE_LCP_BASIS_H
#define SOLVE_LCP_BASIS_H

#include "solve/lcp_matrix.h"

#include <lapacke.h>

// Which variable of a pair is basic. If neither is, z0 takes its place.
typedef enum StickLcpKind { STICK_LCP_W, STICK_LCP_Z, STICK_LCP_Z0 } StickLcpKind;

enum { STICK_LCP_MOST_BORDER = 96 };

typedef struct StickLcpBasis {
    const StickLcpMatrix *M;
    const double *d; // n: the covering vector
    int room;        // largest n there is room for
    int room_order;  // ... and largest order of G0
    int order;       // of G0
    int border;      // exchanges since
    int most_border; // a border that is worth a new factorisation

    double *LU; // order x order
    lapack_int *swaps;
    double *U, *Y;  // order x border: U' of the border, and G0^-1 V
    double *Q, *R;  // border x border by rows of MOST_BORDER: S = Q R
    double *y, *s;  // of the entering variable: G0^-1 c, and its column of S
    double *t;      // MOST_BORDER
    double *row;    // of the leaving one, room_order + MOST_BORDER
    int *col_of;    // room_order + MOST_BORDER: index of z in a column of K, n for z0, or -1
    int *row_place; // n: row of K where w_i = 0 stands, or -1
    int *col_place; // n + 1: column of K of z_j or z0, or -1
} StickLcpBasis;

StickStatus stick_lcp_basis_reserve(StickContext *ctx, StickLcpBasis *basis, int n, int order);
void stick_lcp_basis_free(StickContext *ctx, StickLcpBasis *basis);

// Factors the basis; false if it is singular or there is no room for it. The kinds are one per pair.
bool stick_lcp_basis_factor(StickLcpBasis *basis, const unsigned char *kind);

// Whether the factors just made are far enough from singular to start from.
bool stick_lcp_basis_is_regular(const StickLcpBasis *basis);

// Makes w basic again in pairs whose z depends on other columns, so that the rest can be factored; false if there is
// no room. The factors are lost.
bool stick_lcp_basis_repair(StickLcpBasis *basis, unsigned char *kind);

// Number of entries of vectors that belong to K.
static inline int stick_lcp_basis_order(const StickLcpBasis *basis)
{
    return basis->order + basis->border;
}

// Variables: w_i is i, z_i is n + i, z0 is 2 n. The column of a nonbasic variable in K.
void stick_lcp_basis_column(const StickLcpBasis *basis, int variable, double *c);

// The row of w_i in K, as if it were not basic.
void stick_lcp_basis_row(const StickLcpBasis *basis, int i, double *row);

// K x = c or K' x = c in place.
void stick_lcp_basis_solve(StickLcpBasis *basis, double *x);
void stick_lcp_basis_solve_transposed(StickLcpBasis *basis, double *x);

// The same for the column of the variable that enters next, which stick_lcp_basis_exchange relies on.
void stick_lcp_basis_enter(StickLcpBasis *basis, double *x);

// Borders K by an exchange; false if K must be refactored.
bool stick_lcp_basis_exchange(StickLcpBasis *basis, int entering, int leaving);

#endif
