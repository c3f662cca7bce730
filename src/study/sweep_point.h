// SPDX-License-Identifier: Apache-2.0
// One value of the parameter that a stability step varies: the model understood anew with it, its steps run in memory up
// to the end of the path, and what is found of the state there.
#ifndef STUDY_SWEEP_POINT_H
#define STUDY_SWEEP_POINT_H

#include "output/stability_table.h"
#include "stability/mode_tracking.h"
#include "stepping/path_record.h"
#include "study/unstable_shapes.h"

#include <stickslip/study.h>

typedef struct StickSweepSource {
    StickContext *ctx;
    const StickModel *model;
    const StickStepSpec *step; // of that model
    const StickStudyOptions *options;
    // Of a family of steady sliding: the states that its step has left, from which others are found; NULL: all steps of
    // the model are run anew for each value.
    const StickPathRecord *family;
    const StickSystem *system;
    StickUnstableShapes *shapes; // of values whose verdict is found; NULL: none are written
} StickSweepSource;

// Reads the model with every value, so that all that is wrong is said before anything runs.
StickStatus stick_sweep_source_check(const StickSweepSource *source);

// How much is asked for.
typedef enum StickSweepDepth {
    STICK_SWEEP_STATUS, // what the contacts do
    STICK_SWEEP_MODES,  // and the modes
    STICK_SWEEP_VERDICT // and what follows from them
} StickSweepDepth;

typedef struct StickSweepPoint {
    double value;
    int nslots;
    signed char *status; // nslots: what each contact does ...
    double *slip;        // 2 nslots: ... and along its tangents where to
    int sticking, slipping, apart;
    bool unit_mass;
    StickSparse M;
    StickModeSet modes;
    int *branch;                    // modes.count: of each mode; filled in by who follows them
    double row[STICK_BOOK_COLUMNS]; // of the table of stability steps
    char *verdict;                  // in words
} StickSweepPoint;

// An error is followed by a note that says at which value.
StickStatus stick_sweep_point_create(const StickSweepSource *source, double value, StickSweepDepth depth,
                                     StickSweepPoint *point);
void stick_sweep_point_destroy(StickContext *ctx, StickSweepPoint *point);

// Whether all contacts do the same at both: stick, are apart, slip in about one direction.
bool stick_sweep_same_status(const StickSweepPoint *a, const StickSweepPoint *b);

#endif
