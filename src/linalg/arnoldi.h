// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of large sparse problems near a shift: K x = value M x with any real K and M, or
// (value^2 M + value C + K) x = 0. M may be singular; eigenvalues at infinity never show.
//
// A Krylov space cannot prove that no eigenvalue was missed. A window therefore finds all eigenvalues in a circle and
// checks their number: by the winding number of det P on the circle, or by a second run from another start.
#ifndef LINALG_ARNOLDI_H
#define LINALG_ARNOLDI_H

#include "linalg/pencil.h"

typedef struct StickArnoldi StickArnoldi;

typedef enum StickArnoldiProof {
    STICK_ARNOLDI_TRUST,  // none
    STICK_ARNOLDI_REPEAT, // other start, other shift, larger space: one factorisation more
    STICK_ARNOLDI_COUNT,  // winding number: some ten or twenty factorisations more
} StickArnoldiProof;

typedef struct StickArnoldiOptions {
    StickKrylovOptions krylov; // count: of `nearest`, and the first count of a window
    double residual;           // of a returned pair; others are refined, or the call fails
    double within; // distance from the shift beyond which it may be larger; 0: it must be met everywhere
    StickArnoldiProof proof; // of a window
    int samples;             // of a winding number: at most
} StickArnoldiOptions;

typedef struct StickArnoldiReport {
    int products;       // with (K - shift M)^-1 M: as many solves
    int restarts;       // of the Krylov spaces
    int factorisations; // of sparse matrices
    int refined;        // pairs
    int samples;        // of a winding number
    double residual;    // largest of the pairs
} StickArnoldiReport;

StickArnoldiOptions stick_arnoldi_default(void);

// C is NULL for K x = value M x. The matrices are copied; the pattern is analysed once for all shifts.
StickStatus stick_arnoldi_create(StickContext *ctx, const StickSparse *K, const StickSparse *C,
                                 const StickSparse *M, StickArnoldi **arnoldi);
void stick_arnoldi_destroy(StickArnoldi *arnoldi);

// Finds the options->krylov.count eigenvalues nearest to the shift: one more if a complex pair would be split at a
// real shift; fewer if there are no more finite ones, or no more within 1e7 times the distance of the nearest. A
// shift that is an eigenvalue gives STICK_NOT_SOLVED.
StickStatus stick_arnoldi_nearest(StickArnoldi *arnoldi, double _Complex shift,
                                  const StickArnoldiOptions *options, StickEigen *eigen,
                                  StickArnoldiReport *report);

// All eigenvalues with |value - center| < radius, proved as the options say.
StickStatus stick_arnoldi_window(StickArnoldi *arnoldi, double _Complex center, double radius,
                                 const StickArnoldiOptions *options, StickEigen *eigen,
                                 StickArnoldiReport *report);

// Number of eigenvalues with |value - center| < radius, counted with multiplicity, by the winding number of det P.
// Known eigenvalues (NULL: none; inside or outside) make it cheaper; if wrong ones are among them, the result is
// smaller than their number. An eigenvalue too near to the circle gives STICK_NOT_SOLVED.
StickStatus stick_arnoldi_count(StickArnoldi *arnoldi, double _Complex center, double radius,
                                const StickEigen *known, int samples, int *count, StickArnoldiReport *report);

#endif
