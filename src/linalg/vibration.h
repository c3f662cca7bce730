// SPDX-License-Identifier: Apache-2.0
// The lowest vibrations of K x = value M x with symmetric sparse matrices, M positive definite and K at least
// semidefinite. That none was missed is proved by the inertia of K - s M, unless all is dense, or so large that this would
// take far longer than the search.
#ifndef LINALG_VIBRATION_H
#define LINALG_VIBRATION_H

#include <stickslip/sparse.h>

// What is wanted: values up to `below` (INFINITY: no bound), but no more than `count`. Null vectors of K that are known
// (n x nknown by columns, X' M X = I) are not looked for again, and counted by neither.
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

// Orders up to which any number of vibrations may be asked for; beyond, a quarter of them and no more than this.
enum { STICK_VIBRATION_ALL = 3000, STICK_VIBRATION_MOST = 2000 };

// Room for count vibrations.
StickStatus stick_vibration_create(StickContext *ctx, int n, int count, StickVibration *vibration);

// More vibrations than can be found are STICK_BAD_INPUT; lowest (NULL: not wanted) becomes the smallest value, also
// where it is above `below` and nothing is found.
StickStatus stick_vibration_find(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                                 const StickVibrationWish *wish, StickVibration *vibration, double *lowest);
void stick_vibration_destroy(StickContext *ctx, StickVibration *vibration);

#endif
