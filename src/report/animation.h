// SPDX-License-Identifier: Apache-2.0
// What a page shows moving: the visible part of the mesh, and fields in as many frames as there is room for.
#ifndef REPORT_ANIMATION_H
#define REPORT_ANIMATION_H

#include "report/blobs.h"

typedef struct StickAnimationOptions {
    bool full;     // all frames, numbers as they are (float32)
    size_t budget; // bytes that it may take otherwise, of base64 and (roughly) of JSON
} StickAnimationOptions;

// What was left out, for people.
typedef struct StickAnimationLoss {
    int frames, all_frames; // kept, and there
    int unreadable;         // of those that are there
    bool coarse;            // fields have 8 bits
    bool broken;            // there is one, but it can't be read at all
    bool none;              // not even the first and the last frame have room
} StickAnimationLoss;

// Reads model.yaml, fields.pvd and fields/*.vtu of a result folder, packs them into blocks and writes the
// value of "animation" (web/src/report.ts) into the JSON: null where there are no fields. Frames that are
// missing or cut short (a run that was killed) are skipped with a warning. Nothing is added where there is an
// error, which only memory is.
StickStatus stick_animation_add(StickContext *ctx, const char *folder, const StickAnimationOptions *options,
                                StickBlobs *blocks, StickJson *json, StickAnimationLoss *loss);

#endif
