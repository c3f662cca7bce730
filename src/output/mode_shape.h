// SPDX-License-Identifier: Apache-2.0
// The shape of a mode over one oscillation, as a series of files for ParaView.
#ifndef OUTPUT_MODE_SHAPE_H
#define OUTPUT_MODE_SHAPE_H

#include "bodies/system.h"

#include <complex.h>

enum { STICK_SHAPE_PHASES = 16 };

typedef struct StickModeShape {
    const StickSystem *system;
    const double *q;          // ndofs: the state that is disturbed
    const double _Complex *a; // ndofs: the mode
    double frequency;         // for the times of the series; 0: its parts of one oscillation
    int every;                // 4: only every fourth phase is written; 0: all
} StickModeShape;

// Writes folder/<name>.pvd and folder/<name>/phase-00.vtu ... phase-15.vtu, or some of these. Each has the fields displacement, which is
// q, and mode = Re(a exp(i phase)), a scaled to a largest length of 1.
StickStatus stick_mode_shape_write(StickContext *ctx, const char *folder, const char *name,
                                   const StickModeShape *shape);

// The same for a shape that does not oscillate, as one file folder/<name>: mode = Re a, scaled likewise.
StickStatus stick_mode_shape_write_still(StickContext *ctx, const char *folder, const char *name,
                                         const StickModeShape *shape);

#endif
