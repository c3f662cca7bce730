// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of largest modulus of an operator that is given by its action (ARPACK, implicitly restarted Arnoldi).
// With OP = (K - shift M)^-1 M these belong to the eigenvalues of K x = value M x nearest to the shift:
// value = shift + 1 / (eigenvalue of OP); OP may as well be a bordered system.
#ifndef LINALG_KRYLOV_H
#define LINALG_KRYLOV_H

#include "linalg/eigen.h"

#include <stdint.h>

// y = OP x: by `apply` if it is given, else by `apply_complex`. They must not start another run of this file.
typedef struct StickKrylovOperator {
    int n;
    void *data;
    StickStatus (*apply)(void *data, const double *x, double *y);
    StickStatus (*apply_complex)(void *data, const double _Complex *x, double _Complex *y);
} StickKrylovOperator;

typedef struct StickKrylovOptions {
    int count;       // eigenvalues; one more where this would cut a conjugate pair
    int basis;       // Krylov vectors; 0: chosen, and doubled while they are too few
    int restarts;    // of each size, at most
    double tol;      // of an eigenvalue, relative; what rounding allows if that is more
    uint64_t seed;   // of the start vector
    bool unmeasured; // leave residuals to the caller: ||OP x - value x|| / ||value x|| takes a product each
} StickKrylovOptions;

typedef struct StickKrylovReport {
    int products; // with OP
    int restarts;
} StickKrylovReport;

StickKrylovOptions stick_krylov_default(void);

// Fewer eigenvalues than requested are returned only if the others vanish compared with the largest (below 1e-7 of
// it, where rounding hides them); too many restarts give STICK_NOT_SOLVED. The report is written in any case.
StickStatus stick_krylov_largest(StickContext *ctx, const StickKrylovOperator *op,
                                 const StickKrylovOptions *options, StickEigen *eigen,
                                 StickKrylovReport *report);

#endif
