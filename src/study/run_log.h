// SPDX-License-Identifier: Apache-2.0
// run.log: what was said while a model was read and run, line by line.
#ifndef STUDY_RUN_LOG_H
#define STUDY_RUN_LOG_H

#include "model/model.h"

typedef struct StickRunLog {
    StickContext *ctx;
    const StickModel *model;
    const char *folder;      // of the results
    size_t first_diagnostic; // of the run
    size_t old_bytes;        // of the file that runs before this one have left; 0: none
} StickRunLog;

StickStatus stick_run_log_tell(const StickRunLog *log, StickText *text);

#endif
