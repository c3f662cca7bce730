// SPDX-License-Identifier: Apache-2.0
// What a motion in time is: whether it grows still, decays, is a limit cycle or modulated; its window of saturated
// motion, its period, its level.
#ifndef OUTPUT_OSCILLATION_H
#define OUTPUT_OSCILLATION_H

#include "output/lines.h"

typedef enum StickMotionKind {
    STICK_AT_REST,
    STICK_DECAYS,
    STICK_GROWS,
    STICK_PERIODIC,
    STICK_MODULATED, // or irregular
    STICK_TOO_SHORT, // to tell
} StickMotionKind;

// "periodic" and the like.
const char *stick_motion_word(StickMotionKind kind);

typedef struct StickOscillationOptions {
    double from, to; // the window of time; where not finite, it is found
    StickWindow window;
    double rest; // smaller motions are rounding; 0: the values of the signal alone tell
} StickOscillationOptions;

typedef struct StickOscillation {
    StickMotionKind kind;
    size_t first, end; // samples of the window: first ... end - 1
    double from, to;   // their times
    double period;     // NaN unless periodic
    double
        return_error; // of the best return: sqrt(sum (y(t + T) - y(t))^2 / sum (y(t + T)^2 + y(t)^2)), y without its mean
    double mean, rms; // rms: of the deviation from the mean
    double amplitude; // half of largest minus least
    int npeaks;
    StickPeak peak[STICK_MOST_PEAKS];
} StickOscillation;

// A motion is periodic if it returns to itself up to this.
extern const double stick_return_limit;

// It takes 16 samples; numbers that there are none of are NaN.
StickStatus stick_oscillation_find(StickContext *ctx, const StickSignal *signal,
                                   const StickOscillationOptions *options, StickOscillation *cycle);

#endif
