// SPDX-License-Identifier: Apache-2.0
// The matrix of an LCP for pivoting: a scaled copy R M C in two parts. Columns that are mostly full in the busy rows
// store those rows as a vector; the rest is stored by entries. A full M has busy rows only. M of contacts on many
// bodies has no busy rows. M of friction on one body has both: its facets are hardly coupled.
#ifndef SOLVE_LCP_MATRIX_H
#define SOLVE_LCP_MATRIX_H

#include <stickslip/lcp.h>

#include <stdbool.h>

typedef struct StickLcpMatrix {
    int n;
    int nbusy;
    int *busy_row;   // nbusy, ascending
    int *busy_place; // n: place of a row among the busy ones, or -1
    int *full;       // n: place of a column among those with a vector, or -1
    double *vector;  // nbusy x that many
    int *start;      // n + 1: the other entries by compressed columns
    int *row;        // ascending in every column
    double *value;
    double *R, *C; // n each: scales of rows and columns, powers of two
    double *row_size, *col_size, *sum;
    int room; // largest order there is room for
    size_t room_vectors, room_values, room_rows;
} StickLcpMatrix;

// Room for a full M of order n, or one of that many entries.
StickStatus stick_lcp_matrix_reserve(StickContext *ctx, StickLcpMatrix *M, int n);
StickStatus stick_lcp_matrix_reserve_sparse(StickContext *ctx, StickLcpMatrix *M, int n, size_t entries);
void stick_lcp_matrix_free(StickContext *ctx, StickLcpMatrix *M);

// Copies a problem's M that there is room for, and scales it.
void stick_lcp_matrix_load(StickLcpMatrix *M, const StickLcp *lcp);
void stick_lcp_matrix_load_sparse(StickLcpMatrix *M, const StickSparse *given);

// M_ij
double stick_lcp_matrix_entry(const StickLcpMatrix *M, int i, int j);

// y += M x, in which zeros of x cost nothing
void stick_lcp_matrix_multiply(const StickLcpMatrix *M, const double *x, double *y);

// M_j.y, M_j the column j
double stick_lcp_matrix_dot_column(const StickLcpMatrix *M, int j, const double *y);

// The largest entry of every row, zeros among them.
void stick_lcp_matrix_row_maxima(const StickLcpMatrix *M, double *largest);

// y[place[i]] = M_ij for all i with place[i] >= 0; y was zero.
void stick_lcp_matrix_pick_column(const StickLcpMatrix *M, int j, const int *place, double *y);

#endif
