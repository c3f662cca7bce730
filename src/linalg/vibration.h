// SPDX-License-Identifier: Apache-2.0
// The lowest vibrations of K x = value M x with symmetric sparse matrices, M positive definite and K at least
// semidefinite. The inertia of K - s M proves that none was missed, unless the problem is dense, or so large that the
// proof would take far longer than the search.
#ifndef LINALG_VIBRATION_H
#define LINALG_VIBRATION_H

#include <stickslip/sparse.h>

// Wanted eigenvalues: values up to `below` (INFINITY: no bound), at most `count` of them. Known null vectors of K (n
// x nknown by columns, X' M X = I) are not computed again and not counted in either limit.
typedef struct StickVibrationWish {
    double below;
    int count;
    int nknown;
    const double *known;
} StickVibrationWish;

typedef struct StickVibration {
    int n;
    int count;
    double *value;  // count, ascending: squares of angular frequencies
    double *vector; // n x count, by columns: X' M X = I, X' M known = 0
} StickVibration;

// Largest order for which any number of vibrations may be requested; for larger orders at most a quarter of them, and
// at most STICK_VIBRATION_MOST.
enum { STICK_VIBRATION_ALL = 3000, STICK_VIBRATION_MOST = 2000 };

// Room for count vibrations.
StickStatus stick_vibration_create(StickContext *ctx, int n, int count, StickVibration *vibration);

// More vibrations than can be found are STICK_BAD_INPUT; lowest (NULL: not wanted) becomes the smallest value, also
// where it is above `below` and nothing is found.
StickStatus stick_vibration_find(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                                 const StickVibrationWish *wish, StickVibration *vibration, double *lowest);
void stick_vibration_destroy(StickContext *ctx, StickVibration *vibration);

#endif
