// SPDX-License-Identifier: Apache-2.0
// How far two curves over time are from each other, whatever their time steps (docs/guide/compare.md).
#ifndef STUDY_DIFFERENCE_H
#define STUDY_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

// One or more columns over the same times, which never go back. Between its rows a curve is linear; two rows of one
// time are a jump. NaN is no number, nor is what lies beside it. Beside an infinite value all is infinite: a difference
// where only one of two curves is so is infinite, too.
typedef struct StickCurve {
    size_t count; // rows, at least one
    const double *t;
    int width;
    const double *const *values; // width columns
} StickCurve;

// In the units of the curves; a share is between 0 and 1.
typedef struct StickDifference {
    double from, to; // the time that both have
    double scale;    // largest absolute value of the base there
    double largest;  // largest absolute difference
    double rms;      // root of its mean square over time and columns, where both are numbers
    double alone;    // share of that time in which only one of them is a number
    double beyond;   // share of the time of both together that only one of them has
} StickDifference;

// false if the curves have no time in common. Both have the same width.
bool stick_curve_difference(const StickCurve *base, const StickCurve *other, StickDifference *difference);

// value / scale; infinite, unless the value is zero, too, where the scale is zero.
double stick_relative(double value, double scale);

// Distance of values from what they should be, row by row, relative to the largest of the latter.
typedef struct StickExactError {
    double rms, mean;
} StickExactError;
StickExactError stick_exact_error(size_t count, const double *values, const double *exact);

#endif
