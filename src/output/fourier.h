// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of real signals, by FFTW.
#ifndef OUTPUT_FOURIER_H
#define OUTPUT_FOURIER_H

#include <stickslip/context.h>

#include <complex.h>

// Y[k] = sum_j y[j] exp(-2 pi i j k/n) for k = 0 ... n/2. The same bits for the same n and y, at any place in memory.
StickStatus stick_fourier(StickContext *ctx, size_t n, const double *y, double complex *Y);

// c[lag] = sum_j y[j] y[j + lag] for lag = 0 ... lags - 1, lags <= n; nothing wraps around.
StickStatus stick_fourier_correlate(StickContext *ctx, size_t n, const double *y, size_t lags, double *c);

#endif
