// SPDX-License-Identifier: Apache-2.0
// A stability step: judges the statuses of a path one by one, and writes what it finds as it goes.
//
//     history/<step>.csv                       a row per status
//     stability/<step>/spectrum.csv            eigenvalues of each
//     stability/<step>/verdicts.txt            what follows from them, in words
//     stability/<step>/status-<k>-mode-<m>.pvd the shape of a mode that grows
//     stability/<step>/status-<k>-stiffness.vtu that of a negative eigenvalue of K_S*
#ifndef STUDY_STABILITY_STEP_H
#define STUDY_STABILITY_STEP_H

#include "stepping/path_record.h"

#include <stickslip/study.h>

typedef struct StickStabilityTask {
    const StickSystem *system;
    const StickStepSpec *step;
    const StickPathRecord *path;
    const char *folder; // of results
    const char *name;   // of the case and step, for reports of progress
    const StickStudyOptions *options;
} StickStabilityTask;

// Refuses what no state of the path could be judged with: integrated surfaces, and systems of which all modes would be
// too many; run: of any step of the model. Said before anything is computed.
StickStatus stick_stability_check(const StickSimulation *run, const StickStepSpec *step);

// A status that cannot be judged is an error that says why, and a note that says where; the others are judged, unless
// there are too many of these, and written.
StickStatus stick_stability_step(StickContext *ctx, const StickStabilityTask *task);

#endif
