// SPDX-License-Identifier: Apache-2.0
// Which runs a page is about: those of its result folders, cases in the order of their model.
#ifndef REPORT_RUNS_H
#define REPORT_RUNS_H

#include "model/model.h"
#include "report/page.h"
#include "report/verdict.h"

typedef struct StickPageRun {
    char *name;   // of the case or folder; empty for a single run
    char *folder; // with the results; of a case that was not run it is not there
} StickPageRun;

typedef struct StickPageRuns {
    StickPageRun *run;
    int count;
    size_t room;
    char *title;
    bool cases;               // of one folder
    StickVerdictGroup *group; // of each folder: how many of the runs are its own, and what it says of itself
    int ngroups;
    size_t group_room;
} StickPageRuns;

// Fails with STICK_BAD_INPUT where a folder is no result folder.
StickStatus stick_page_runs_find(StickContext *ctx, const StickPageOptions *options, StickPageRuns *runs);
void stick_page_runs_destroy(StickContext *ctx, StickPageRuns *runs);

// model.yaml of a result folder, read by a quiet context; NULL where it is missing or is none, which is said as a
// warning of the other one.
StickStatus stick_page_model(StickContext *ctx, StickContext *quiet, const char *folder, StickModel **model);

#endif
