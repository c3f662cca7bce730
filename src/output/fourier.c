// SPDX-License-Identifier: Apache-2.0
#include "output/fourier.h"

#include "base/memory.h"

#include <fftw3.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

// FFTW's planner is one for the whole process; its plans may be carried out side by side.
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

// Estimated plans do not depend on the clock, and those for any alignment not on where the arrays lie.
enum { FLAGS = FFTW_ESTIMATE | FFTW_UNALIGNED };

static StickStatus carry_out(StickContext *ctx, fftw_plan plan)
{
    STICK_CHECK(ctx, plan, STICK_NO_MEMORY, "there is no memory for a Fourier transform");
    fftw_execute(plan);
    pthread_mutex_lock(&planner);
    fftw_destroy_plan(plan);
    pthread_mutex_unlock(&planner);
    return STICK_OK;
}

StickStatus stick_fourier(StickContext *ctx, size_t n, const double *y, double complex *Y)
{
    STICK_CHECK(ctx, n > 0 && n <= INT_MAX, STICK_BAD_INPUT,
                "a Fourier transform takes 1 to %d values, but there are %zu", INT_MAX, n);
    pthread_mutex_lock(&planner);
    fftw_plan plan =
        fftw_plan_dft_r2c_1d((int)n, (double *)y, (fftw_complex *)Y, FLAGS | FFTW_PRESERVE_INPUT);
    pthread_mutex_unlock(&planner);
    return carry_out(ctx, plan);
}

// y[j] = sum over the whole spectrum; Y is lost.
static StickStatus transform_back(StickContext *ctx, size_t n, double complex *Y, double *y)
{
    pthread_mutex_lock(&planner);
    fftw_plan plan = fftw_plan_dft_c2r_1d((int)n, (fftw_complex *)Y, y, FLAGS);
    pthread_mutex_unlock(&planner);
    return carry_out(ctx, plan);
}

// A power of two with room for zeros behind the signal, so that no lag wraps around.
static size_t padded(size_t need)
{
    size_t n = 1;
    while (n < need)
        n *= 2;
    return n;
}

static StickStatus correlate(StickContext *ctx, size_t n, double *y, double complex *Y)
{
    STICK_TRY(stick_fourier(ctx, n, y, Y));
    for (size_t k = 0; k <= n / 2; k++)
        Y[k] = creal(Y[k]) * creal(Y[k]) + cimag(Y[k]) * cimag(Y[k]);
    return transform_back(ctx, n, Y, y);
}

StickStatus stick_fourier_correlate(StickContext *ctx, size_t n, const double *y, size_t lags, double *c)
{
    size_t room = padded(n + lags);
    double *long_y = stick_alloc(ctx, room, sizeof *long_y);
    double complex *Y = stick_alloc(ctx, room / 2 + 1, sizeof *Y);
    StickStatus status = STICK_NO_MEMORY;
    if (long_y && Y) {
        memcpy(long_y, y, n * sizeof *y);
        status = correlate(ctx, room, long_y, Y);
    }
    for (size_t lag = 0; status == STICK_OK && lag < lags; lag++)
        c[lag] = long_y[lag] / (double)room;
    stick_free(ctx, long_y);
    stick_free(ctx, Y);
    return status;
}
