// SPDX-License-Identifier: Apache-2.0
// Rows of a friction problem in the order of a sweep, so that it reads memory from one end to the other: per
// contact its prepared local problem and the blocks of its neighbours, by columns as vector registers take
// them.
#ifndef SOLVE_COLOURED_ROWS_H
#define SOLVE_COLOURED_ROWS_H

#include "solve/colouring.h"
#include "solve/section_local.h"

enum { STICK_ROWS_AHEAD = 32 }; // neighbours that are fetched before they are needed

typedef struct StickRows {
    int dim;
    int *start;    // n + 1
    int *col;      // start[n]: neighbours, then STICK_ROWS_AHEAD zeros
    double *value; // start[n] x dim x dim, and one more that loads of four may touch
    double *u_free;
    double *weight;     // n, trace(W_cc) / dim
    double *drive;      // n, squared velocity scale of the island
    StickLocal1 *local; // n StickLocal1, 2 or 3: that of the dimension
    double *r, *u;
    const StickSection *const
        *section; // by contacts of the problem, which order[c] names; or NULL: all are disks
    const int *order;
} StickRows;

// Works on a chunk of rows, and gives its sums.
typedef void StickRowsKernel(const StickRows *rows, StickChunk chunk, StickMeasures *sums);

size_t stick_rows_local_size(int dim);

// The local problem of row c from W_cc.
void stick_rows_prepare(StickRows *rows, int c, const double *A, double mu);

// W_cc as its local problem has it, with what made it definite.
const double *stick_rows_diagonal(const StickRows *rows, int c);

// Whether this processor runs the wide kernels; these give the same bits as the others.
bool stick_rows_wide(void);

// r_c = solution of the local problem with all others at rest; sums: the change of r as defect, and r.
StickRowsKernel *stick_rows_sweep(int dim, bool wide);

// u = W r + u_free; sums: of the natural map.
StickRowsKernel *stick_rows_product(int dim, bool wide);

// The same two for rows with sections.
void stick_rows_sweep_sections(const StickRows *rows, StickChunk chunk, StickMeasures *sums);
void stick_rows_product_sections(const StickRows *rows, StickChunk chunk, StickMeasures *sums);

#endif
