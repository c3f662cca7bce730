// SPDX-License-Identifier: Apache-2.0
// Factors of a symmetric positive definite sparse matrix: analyse once, factor when values change, solve often.
#ifndef LINALG_FACTOR_H
#define LINALG_FACTOR_H

#include <stickslip/sparse.h>

#include <stdbool.h>

typedef struct StickFactor StickFactor;

// Analyses the pattern of A (ordering, elimination tree).
StickStatus stick_factor_create(StickContext *ctx, const StickSparse *A, StickFactor **factor);
void stick_factor_destroy(StickFactor *factor);

// Numerical factors of a matrix with the pattern that was analysed. A matrix that is not positive definite is
// STICK_NOT_SOLVED, and the text names the first column where it shows.
StickStatus stick_factor_refactor(StickFactor *factor, const StickSparse *A);

// The same if the matrix is allowed not to be positive definite: that is no error then, but there are no factors to
// solve with.
StickStatus stick_factor_try(StickFactor *factor, const StickSparse *A, bool *definite);

// Solves A X = B for k right-hand sides by columns; X and B (n x k) may be the same memory. For a single right-hand
// side with few entries, such as contact forces, the forward half uses only the part of L that they reach.
StickStatus stick_factor_solve(StickFactor *factor, const double *B, int k, double *X);

// A x = b + c in two halves, if c depends on some entries of A^-1 b: begin makes the forward substitution of b, peek
// gives x at k places without c, end adds c and makes the rest of the solve. Requires factors in blocks, as large
// ones are.
bool stick_factor_has_blocks(const StickFactor *factor);
StickStatus stick_factor_begin(StickFactor *factor, const double *b);
StickStatus stick_factor_peek(StickFactor *factor, const int *place, int k, double *x);
StickStatus stick_factor_end(StickFactor *factor, const double *c, double *x);

// S = E' A^-1 E (k x k) for the unit vectors of E at these places: uses only the part of L that they reach. found is
// false if the factors do not have the necessary form, or if it would take too much memory.
StickStatus stick_factor_compliance(StickFactor *factor, const int *place, int k, double *S, bool *found);

// Entries of the factor L, and bytes that it takes.
double stick_factor_entries(const StickFactor *factor);
double stick_factor_bytes(const StickFactor *factor);

#endif
