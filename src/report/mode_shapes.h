// SPDX-License-Identifier: Apache-2.0
// Shapes of modes of a stability step (stability/<step>/status-<k>-mode-<m>) as blocks of a page.
#ifndef REPORT_MODE_SHAPES_H
#define REPORT_MODE_SHAPES_H

#include "report/blobs.h"

typedef struct StickModeShapesSource {
    const char *folder; // stability/<step>
    int nbodies;
    size_t budget;      // bytes of base64 that they may take; 0: any
    StickContext *hear; // hears warnings of shapes that cannot be read and are left out
} StickModeShapesSource;

// What became of them, for people.
typedef struct StickModeShapesLoss {
    int shown, all, unreadable;
} StickModeShapesLoss;

// Writes the list "shapes" (web/src/report.ts) into the JSON, in the order of statuses, as many as the budget allows;
// adds to the loss.
StickStatus stick_mode_shapes_add(StickContext *ctx, const StickModeShapesSource *source, StickBlobs *blocks,
                                  StickJson *json, StickModeShapesLoss *loss);

#endif
