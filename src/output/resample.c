// SPDX-License-Identifier: Apache-2.0
#include "output/resample.h"

#include "base/memory.h"
#include "base/pi.h"

#include <math.h>

// A sinc by Kaiser's window: -90 dB of what is cut off, within a tenth of the band.
enum { ZEROS = 64, PER_ZERO = 2048, TABLE = ZEROS * PER_ZERO };
static const double BETA = 9, CUT = 0.95;

// I0(x) = sum ((x/2)^k / k!)^2
static double bessel(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= (x / (2 * k)) * (x / (2 * k));
        sum += term;
    }
    return sum;
}

// g at the zeros of the sinc, and between
static void fill_table(double table[TABLE + 2])
{
    for (int k = 0; k <= TABLE; k++) {
        double s = (double)k / PER_ZERO, part = s / ZEROS;
        double sinc = k > 0 ? sin(STICK_PI * s) / (STICK_PI * s) : 1;
        table[k] = sinc * bessel(BETA * sqrt(1 - part * part)) / bessel(BETA);
    }
    table[TABLE + 1] = 0;
}

static double kernel(const double *table, double s)
{
    double place = fabs(s) * PER_ZERO;
    if (place >= TABLE)
        return 0;
    int k = (int)place;
    return table[k] + (place - k) * (table[k + 1] - table[k]);
}

// y(p) = cut sum_k x[k] g(cut (p - k))
static double value_at(const double *table, const double *x, size_t n, double cut, double p)
{
    double reach = ZEROS / cut, sum = 0;
    double first = fmax(0, ceil(p - reach)), last = fmin((double)n - 1, floor(p + reach));
    for (double k = first; k <= last; k++)
        sum += x[(size_t)k] * kernel(table, cut * (p - k));
    return cut * sum;
}

StickStatus stick_resample(StickContext *ctx, const double *x, size_t n, double ratio, double **y,
                           size_t *count)
{
    STICK_CHECK(ctx, n > 0 && ratio > 0 && ratio * (double)n < 1e10, STICK_BAD_INPUT,
                "%zu values cannot be resampled by %g", n, ratio);
    size_t made = (size_t)floor((double)(n - 1) * ratio * (1 + 1e-12)) + 1;
    double *table = stick_alloc(ctx, TABLE + 2, sizeof *table);
    double *values = stick_alloc(ctx, made, sizeof *values);
    bool good = table && values;
    if (good) {
        double cut = CUT * fmin(1, ratio);
        fill_table(table);
        for (size_t j = 0; j < made; j++)
            values[j] = value_at(table, x, n, cut, (double)j / ratio);
        *y = values;
        *count = made;
    } else {
        stick_free(ctx, values);
    }
    stick_free(ctx, table);
    return good ? STICK_OK : STICK_NO_MEMORY;
}
