// SPDX-License-Identifier: Apache-2.0
// One run as a page has it: its JSON, and what of it was left out.
#ifndef REPORT_RUN_PART_H
#define REPORT_RUN_PART_H

#include "report/animation.h"
#include "report/runs.h"
#include "report/signals_part.h"
#include "report/stability_part.h"
#include "report/verdict.h"

// How much of a run a page has room for; 0: all.
typedef struct StickPartLimits {
    StickTablesRoom table;
    size_t text;    // bytes of model.yaml and run.log each
    int messages;   // of the summary
    size_t shapes;  // bytes of shapes of modes
    size_t samples; // of sounds
} StickPartLimits;

typedef struct StickRunPart {
    StickText text; // JSON of a Run (web/src/report.ts)
    StickJson json;
    StickPageVerdict verdict;
    StickText left_out;   // to keep the page small, for people; empty if nothing
    StickText unreadable; // what was left out because it can't be read, likewise
} StickRunPart;

// Everything but the animation, which is fitted into what all runs together have left over.
StickStatus stick_run_part_begin(StickContext *ctx, const StickPageRun *run, const StickPartLimits *limits,
                                 StickBlobs *blocks, StickRunPart *part);
StickStatus stick_run_part_end(StickContext *ctx, const StickPageRun *run,
                               const StickAnimationOptions *options, StickBlobs *blocks, StickRunPart *part);

// Also after one of them has failed.
void stick_run_part_destroy(StickRunPart *part);

#endif
