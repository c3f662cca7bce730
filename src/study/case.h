// SPDX-License-Identifier: Apache-2.0
// One case: a model with all its parameters fixed, run through its steps into one result folder.
#ifndef STUDY_CASE_H
#define STUDY_CASE_H

#include "stepping/simulation.h"
#include <stickslip/study.h>

// How a case ended, for the summary of a study.
typedef struct StickCaseResult {
    const char *state; // "finished", "interrupted", "failed"; NULL: not run
    StickStatus status;
    int checks, failed;
    bool certified;
    double seconds; // of clock time
} StickCaseResult;

// Builds everything, starts the first step and throws all of
// it away: all errors of input and mesh, nothing written.
StickStatus stick_case_check(StickContext *ctx, const StickModel *model);

// Runs the model into a folder (made if missing). With resume, goes on from its checkpoint if there is one,
// and leaves a finished run as it is. If the checkpoint cannot be used, nothing is changed.
StickStatus stick_case_run(StickContext *ctx, const StickModel *model, const StickStudyOptions *options,
                           const char *name, const char *folder, bool resume, StickCaseResult *result);

#endif
