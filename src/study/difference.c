// SPDX-License-Identifier: Apache-2.0
// On the union of the times of two piecewise linear curves their difference d is piecewise linear, too: its largest value
// is one at a time of the union, and of every piece, from d0 to d1 in a time h,
//
//     integral of d^2 = h/3 (d0^2 + d0 d1 + d1^2)
//
// so that both measures are those of the curves, not of a choice of samples.
#include "study/difference.h"

#include <math.h>

// A column of a curve.
typedef struct Line {
    size_t count;
    const double *t, *value;
} Line;

typedef struct Sums {
    double scale, largest, squares; // squares: integral over time
    double measured, alone;         // times
} Sums;

// Between rows k and k + 1; exact at both ends.
static double at(const Line *line, size_t k, double t)
{
    double t0 = line->t[k], t1 = line->t[k + 1], v0 = line->value[k], v1 = line->value[k + 1];
    if (t <= t0)
        return v0;
    if (t >= t1)
        return v1;
    if (isinf(v0) && !isnan(v1)) // all of it, as up to an infinite v1
        return v0;
    return v0 + (v1 - v0) * ((t - t0) / (t1 - t0));
}

// The same infinite value in both is no difference.
static double distance(double base, double other)
{
    return base == other ? 0 : other - base;
}

static void add_point(Sums *sums, double base, double other)
{
    if (isfinite(base))
        sums->scale = fmax(sums->scale, fabs(base));
    sums->largest = fmax(sums->largest, fabs(distance(base, other))); // passes over NaN
}

static void add_piece(Sums *sums, double h, const double base[2], const double other[2])
{
    bool a = !isnan(base[0]) && !isnan(base[1]), b = !isnan(other[0]) && !isnan(other[1]);
    for (int k = 0; k < 2; k++)
        add_point(sums, base[k], other[k]);
    if (a != b)
        sums->alone += h;
    if (!a || !b)
        return;
    double d0 = distance(base[0], other[0]), d1 = distance(base[1], other[1]);
    if (isfinite(d0) && isfinite(d1))
        sums->squares += h / 3 * (d0 * d0 + d0 * d1 + d1 * d1);
    sums->measured += h;
}

// The value at a time that is a row, of several rows the last one, or between two rows.
static double value_at(const Line *line, double t)
{
    size_t k = 0;
    while (k + 1 < line->count && line->t[k + 1] <= t)
        k++;
    return k + 1 < line->count ? at(line, k, t) : line->value[k];
}

// Piece by piece of the union of times, then the end, behind a jump there.
static void add_line(Sums *sums, const Line *base, const Line *other, double from, double to)
{
    size_t i = 0, j = 0;
    while (from < to && i + 1 < base->count && j + 1 < other->count) {
        double start = fmax(base->t[i], other->t[j]), end = fmin(base->t[i + 1], other->t[j + 1]);
        if (start < end) {
            double a[2] = {at(base, i, start), at(base, i, end)};
            double b[2] = {at(other, j, start), at(other, j, end)};
            add_piece(sums, end - start, a, b);
        }
        bool next_base = base->t[i + 1] <= other->t[j + 1], next_other = other->t[j + 1] <= base->t[i + 1];
        i += next_base;
        j += next_other;
    }
    add_point(sums, value_at(base, to), value_at(other, to));
}

// Of an infinite difference there is no mean.
static double mean_difference(const Sums *sums)
{
    if (!(sums->measured > 0) || isinf(sums->largest))
        return sums->largest;
    return sqrt(sums->squares / sums->measured);
}

bool stick_curve_difference(const StickCurve *base, const StickCurve *other, StickDifference *difference)
{
    double from = fmax(base->t[0], other->t[0]);
    double to = fmin(base->t[base->count - 1], other->t[other->count - 1]);
    double first = fmin(base->t[0], other->t[0]);
    double last = fmax(base->t[base->count - 1], other->t[other->count - 1]);
    Sums sums = {0};
    if (!(from <= to))
        return false;
    for (int k = 0; k < base->width; k++) {
        Line a = {base->count, base->t, base->values[k]}, b = {other->count, other->t, other->values[k]};
        add_line(&sums, &a, &b, from, to);
    }
    double all = (to - from) * base->width;
    *difference = (StickDifference){
        .from = from,
        .to = to,
        .scale = sums.scale,
        .largest = sums.largest,
        .rms = mean_difference(&sums),
        .alone = all > 0 ? sums.alone / all : 0,
        .beyond = last > first ? 1 - (to - from) / (last - first) : 0,
    };
    return true;
}

double stick_relative(double value, double scale)
{
    if (scale > 0)
        return value / scale;
    return value > 0 ? (double)INFINITY : 0;
}

StickExactError stick_exact_error(size_t count, const double *values, const double *exact)
{
    double squares = 0, largest = 0, sum = 0, exact_sum = 0;
    for (size_t k = 0; k < count; k++) {
        squares += (values[k] - exact[k]) * (values[k] - exact[k]);
        largest = fmax(largest, fabs(exact[k]));
        sum += values[k];
        exact_sum += exact[k];
    }
    double rows = count > 0 ? (double)count : 1, scale = largest > 0 ? largest : 1;
    return (StickExactError){sqrt(squares / rows) / scale, (sum - exact_sum) / rows / scale};
}
