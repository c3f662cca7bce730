// SPDX-License-Identifier: Apache-2.0
// Whether a symmetric sparse matrix is positive definite: by Cholesky and by its smallest eigenvalue.
#ifndef STABILITY_DEFINITE_H
#define STABILITY_DEFINITE_H

#include <stickslip/sparse.h>

// Largest row sum of |A|: no eigenvalue is larger.
StickStatus stick_definite_size(StickContext *ctx, const StickSparse *A, double *size);

// Whether A - shift I has a Cholesky factor. Reports no error if it has none.
StickStatus stick_definite_above(StickContext *ctx, const StickSparse *A, double shift, bool *above);

// Positive if A - e D is positive definite, indefinite if not even A + e D is, with D the row sums of |A| and e =
// 1e-12. Soft parts keep their sign next to stiff ones.
typedef enum StickSign { STICK_POSITIVE_DEFINITE, STICK_SEMIDEFINITE, STICK_INDEFINITE } StickSign;
StickStatus stick_definite_sign(StickContext *ctx, const StickSparse *A, StickSign *sign);

// Smallest eigenvalue and its vector (n, of length 1). That none is smaller is proved by a Cholesky factor of
// A - (value - 1e-8 size) I. The vector may be written before an error.
StickStatus stick_definite_smallest(StickContext *ctx, const StickSparse *A, double *value, double *vector);

#endif
