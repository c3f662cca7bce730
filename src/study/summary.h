// SPDX-License-Identifier: Apache-2.0
// summary.json: what ran, how it ended, key results, certificates
// and timings. Its keys are a contract (docs/reference/results.md).
#ifndef STUDY_SUMMARY_H
#define STUDY_SUMMARY_H

#include "study/case.h"
#include "study/checks.h"
#include "study/study_facts.h"

// Of one case, while it runs (verdicts NULL) and when it has ended.
typedef struct StickSummary {
    const StickModel *model;
    const StickSimulation *run; // NULL before the first step
    const char *state;          // "running", "finished", "interrupted", "failed"
    StickStatus status;
    bool certified;
    const StickCheckVerdict *verdict;
    const StickCheckVerdict *outcome; // of the outcomes; NULL until the end
    const StickHeadline *headline;    // NULL until the end
    double seconds;
    size_t first_diagnostic; // of this case in the context
    size_t log_bytes;        // while it runs: of run.log, as runs before it have left it
} StickSummary;

StickStatus stick_summary_write(StickContext *ctx, const char *folder, const StickSummary *summary);

// Whether the summary of a folder says that its run has ended, and how.
bool stick_summary_ended(StickContext *ctx, const char *folder, StickCaseResult *result);

// Whether a run has got past its start, where its first checkpoint is taken: its summary has a step, or cannot be read.
bool stick_summary_began(StickContext *ctx, const char *folder);

// How much of run.log comes from runs that have ended: all of it, unless the summary says that one is running. That one
// was killed, perhaps after it had written its own part.
size_t stick_summary_log_bytes(StickContext *ctx, const char *folder);

// Of a study with several cases.
StickStatus stick_summary_study(StickContext *ctx, const char *folder, const StickModel *model,
                                StickStatus status, const StickCaseResult *result,
                                const StickStudyFacts *facts);

#endif
