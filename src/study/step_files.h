// SPDX-License-Identifier: Apache-2.0
// Files that a step leaves beside the histories of its run: tables under its name, and the folder stability/<step>.
#ifndef STUDY_STEP_FILES_H
#define STUDY_STEP_FILES_H

#include "base/text.h"
#include "output/ledger_tables.h"
#include "output/table.h"

typedef struct StickStepFiles {
    StickContext *ctx;
    const char *folder; // of results
    const StickStepSpec *step;
} StickStepFiles;

// stability/<step>, empty: what an earlier attempt has left goes. *path is freed by the caller.
StickStatus stick_step_files_folder(const StickStepFiles *files, char **path);

// Starts a table with the columns of a book; the format has the place of the step's name, as "history/%.400s.csv".
StickStatus stick_step_files_table(const StickStepFiles *files, const char *format, const StickBook *book,
                                   StickTable **table);

// stability/<step>/verdicts.txt, unless there is nothing to say.
StickStatus stick_step_files_verdicts(const StickStepFiles *files, const StickText *text);

#endif
