// SPDX-License-Identifier: Apache-2.0
// Band-limited resampling: a signal at another rate, without the frequencies that one of both rates cannot have.
#ifndef OUTPUT_RESAMPLE_H
#define OUTPUT_RESAMPLE_H

#include <stickslip/context.h>

// y[j] is the signal at place j/ratio of x; ratio: new rate over old one, > 0. Zeros are taken to lie before and behind.
// Up to 0.9 of half the lower rate nothing changes (to 1e-4), beyond half of it nothing is left. The caller frees *y.
StickStatus stick_resample(StickContext *ctx, const double *x, size_t n, double ratio, double **y,
                           size_t *count);

#endif
