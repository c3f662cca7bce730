// SPDX-License-Identifier: Apache-2.0
// Runs that have been, as their result folders tell: a folder is one run, or stands for all cases of its study.
#ifndef STUDY_PAST_RUNS_H
#define STUDY_PAST_RUNS_H

#include "model/model.h"
#include "report/summary_tree.h"

typedef struct StickPastRun {
    char *name;               // unique among the runs; "" of a single one
    char *folder;             // of its results
    char *case_name;          // "": the folder is a run of its own
    int group;                // number of the given folder that it came from
    bool there;               // it has results: a model, a summary and tables
    StickModel *model;        // as it ran; NULL if it is not there
    StickSummaryTree summary; // without a root if it has none
} StickPastRun;

typedef struct StickTrajectoryHistoryRuns {
    StickContext *ctx;
    int count;
    StickPastRun *run;
} StickTrajectoryHistoryRuns;

// The same runs by the same names as on a page (report/runs.h). What is no result folder, and a folder of one run
// that has left no results, is STICK_BAD_INPUT.
StickStatus stick_past_runs_open(StickContext *ctx, const char *const *folder, int nfolders,
                                 StickTrajectoryHistoryRuns *runs);
void stick_past_runs_close(StickTrajectoryHistoryRuns *runs);

// Number of the run of that name; STICK_USAGE with the nearest name if there is none.
StickStatus stick_past_runs_find(const StickTrajectoryHistoryRuns *runs, const char *name, int *found);

// Its state in a word: of the summary, or "no results".
const char *stick_past_run_state(const StickPastRun *run);

// A number of its summary by group and name, as "numbers" and "energy.ratio"; NaN if there is none.
double stick_past_run_number(const StickPastRun *run, const char *group, const char *name);

bool stick_past_run_certified(const StickPastRun *run);

#endif
