// SPDX-License-Identifier: Apache-2.0
// Lines of a signal: the one-sided spectrum of amplitudes, in which a sine of amplitude A has a peak of height A, and its
// peaks between the lines.
#ifndef OUTPUT_LINES_H
#define OUTPUT_LINES_H

#include "model/model.h"

// Values at equal steps of time.
typedef struct StickSignal {
    size_t n;
    double t0, dt;
    const double *y; // n
} StickSignal;

typedef struct StickLines {
    size_t count;      // n/2 + 1
    double spacing;    // line k has the frequency k spacing
    double *amplitude; // count
} StickLines;

// Without the mean.
StickStatus stick_lines_create(StickContext *ctx, const StickSignal *signal, StickWindow window,
                               StickLines *lines);
void stick_lines_destroy(StickContext *ctx, StickLines *lines);

typedef struct StickPeak {
    double frequency, amplitude;
} StickPeak;

enum { STICK_MOST_PEAKS = 10 };

// The highest peaks, highest first, and how many. Those below a 500th of the highest, and those so near to a higher one
// that they may be its side lobes, are left out.
int stick_lines_peaks(const StickLines *lines, StickWindow window, StickPeak peak[STICK_MOST_PEAKS]);

#endif
