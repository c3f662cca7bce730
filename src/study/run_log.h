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
    int file;                // what is said is added to it; -1: it is not open
} StickRunLog;

// Writes what was said so far; from here on each line is in the file as soon as it is said, so that it is there however
// the program ends. The log stays where it is until it is closed.
StickStatus stick_run_log_open(StickRunLog *log);

// Writes all of it anew: nothing is missing then, also of lines that could not be added.
StickStatus stick_run_log_close(StickRunLog *log);

#endif
