// SPDX-License-Identifier: Apache-2.0
#include "output/lines.h"

#include "base/memory.h"
#include "base/pi.h"
#include "output/fourier.h"

#include <math.h>

static const double LEAST = 1.0 / 500; // of the highest peak: lower ones are not listed
enum { LOBES = 4 };                    // lines on either side of a peak that its lobes reach

static double weight(StickWindow window, size_t j, size_t n)
{
    return window == STICK_WINDOW_HANN ? 0.5 - 0.5 * cos(2 * STICK_PI * (double)j / (double)n) : 1;
}

// w (y - mean), with the mean by the same weights: line 0 is empty. The sum of the weights.
static double weigh(const StickSignal *signal, StickWindow window, double *weighted)
{
    double sum = 0, weights = 0;
    for (size_t j = 0; j < signal->n; j++) {
        double w = weight(window, j, signal->n);
        sum += w * signal->y[j];
        weights += w;
    }
    for (size_t j = 0; j < signal->n; j++)
        weighted[j] = weight(window, j, signal->n) * (signal->y[j] - sum / weights);
    return weights;
}

static StickStatus fill(StickContext *ctx, const StickSignal *signal, StickWindow window, double *weighted,
                        double complex *Y, StickLines *lines)
{
    double weights = weigh(signal, window, weighted);
    STICK_TRY(stick_fourier(ctx, signal->n, weighted, Y));
    for (size_t k = 0; k < lines->count; k++) {
        bool alone = k == 0 || 2 * k == signal->n; // without a partner of negative frequency
        lines->amplitude[k] = (alone ? 1 : 2) * cabs(Y[k]) / weights;
    }
    return STICK_OK;
}

StickStatus stick_lines_create(StickContext *ctx, const StickSignal *signal, StickWindow window,
                               StickLines *lines)
{
    STICK_CHECK(ctx, signal->n >= 4 && signal->dt > 0, STICK_BAD_INPUT,
                "a spectrum takes 4 values at least, but there are %zu", signal->n);
    StickLines made = {.count = signal->n / 2 + 1, .spacing = 1 / (signal->dt * (double)signal->n)};
    made.amplitude = stick_alloc(ctx, made.count, sizeof *made.amplitude);
    double *weighted = stick_alloc(ctx, signal->n, sizeof *weighted);
    double complex *Y = stick_alloc(ctx, made.count, sizeof *Y);
    StickStatus status = STICK_NO_MEMORY;
    if (made.amplitude && weighted && Y)
        status = fill(ctx, signal, window, weighted, Y, &made);
    stick_free(ctx, weighted);
    stick_free(ctx, Y);
    if (status == STICK_OK)
        *lines = made;
    else
        stick_free(ctx, made.amplitude);
    return status;
}

void stick_lines_destroy(StickContext *ctx, StickLines *lines)
{
    stick_free(ctx, lines->amplitude);
    *lines = (StickLines){0};
}

// A sine d lines beside line k gives, with a = A[k + 1]/A[k] and s(d) = sin(pi d)/(pi d),
//     Hann:  d = (2 a - 1)/(a + 1),  A[k] = A s(d)/(1 - d^2)        none:  d = a/(a + 1),  A[k] = A s(d)
static StickPeak interpolate(const StickLines *lines, StickWindow window, size_t k)
{
    const double *A = lines->amplitude;
    int side = A[k + 1] >= A[k - 1] ? 1 : -1;
    double a = (side > 0 ? A[k + 1] : A[k - 1]) / A[k];
    double d = fmax(0, window == STICK_WINDOW_HANN ? (2 * a - 1) / (a + 1) : a / (a + 1));
    double s = d > 0 ? sin(STICK_PI * d) / (STICK_PI * d) : 1;
    double height = window == STICK_WINDOW_HANN ? A[k] * (1 - d * d) / s : A[k] / s;
    return (StickPeak){((double)k + side * d) * lines->spacing, height};
}

// Whether line k is the next lower peak behind line `below` (of equals, the one at the higher frequency).
static bool is_lower(const double *A, size_t k, size_t below)
{
    return A[k] < A[below] || (A[k] == A[below] && k > below);
}

static bool is_lobe(size_t k, const size_t *line, int count)
{
    for (int j = 0; j < count; j++)
        if ((k > line[j] ? k - line[j] : line[j] - k) <= LOBES)
            return true;
    return false;
}

// The highest line that is a peak of its own; 0: none.
static size_t next_peak(const StickLines *lines, const size_t *line, int count)
{
    const double *A = lines->amplitude;
    size_t best = 0;
    for (size_t k = 1; k + 1 < lines->count; k++) {
        if (!(A[k] > A[k - 1]) || A[k] < A[k + 1] || is_lobe(k, line, count))
            continue;
        if (best == 0 || is_lower(A, best, k))
            best = k;
    }
    return best;
}

int stick_lines_peaks(const StickLines *lines, StickWindow window, StickPeak peak[STICK_MOST_PEAKS])
{
    size_t line[STICK_MOST_PEAKS];
    int count = 0;
    while (count < STICK_MOST_PEAKS) {
        size_t k = next_peak(lines, line, count);
        if (k == 0 || (count > 0 && lines->amplitude[k] < LEAST * lines->amplitude[line[0]]))
            break;
        line[count] = k;
        peak[count++] = interpolate(lines, window, k);
    }
    return count;
}
