// SPDX-License-Identifier: Apache-2.0
// The first thing that one wants to know of a run: can it be trusted (docs/report.md).
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "report/summary_tree.h"

// How a run ended, from the best to the worst.
typedef enum StickEnding {
    STICK_ENDING_CERTIFIED,
    STICK_ENDING_NOT_FINISHED,
    STICK_ENDING_INTERRUPTED,
    STICK_ENDING_NO_RESULTS,
    STICK_ENDING_CHECK_FAILED,
    STICK_ENDING_NOT_CERTIFIED,
    STICK_ENDING_FAILED,
} StickEnding;

enum { STICK_VERDICT_TEXT = 600 };

typedef struct StickPageVerdict {
    StickEnding ending;
    char detail[STICK_VERDICT_TEXT];
} StickPageVerdict;

// Of one run by its summary; NULL: there is none.
void stick_verdict_judge(const StickYaml *summary, StickPageVerdict *verdict);

// Of a study by its summary, apart from its cases. It writes one when it ends: where there is none, it has not.
void stick_verdict_judge_study(const StickYaml *summary, bool there, StickPageVerdict *verdict);

// Runs of one folder: one after the other among those of a page.
typedef struct StickVerdictGroup {
    int runs;
    bool is_study; // they are its cases
    StickPageVerdict study;
} StickVerdictGroup;

// Of several runs: the worst of them and of their studies, and how many ended how. Cases without results that wait for
// the rest of an interrupted or running study are no worse than it.
void stick_verdict_gather(const StickVerdictGroup *group, int ngroups, const StickPageVerdict *verdict,
                          StickPageVerdict *all);

const char *stick_verdict_level(StickEnding ending);    // "good", "warning", "bad"
const char *stick_verdict_headline(StickEnding ending); // "Certified", ...

// {"level": ..., "headline": ..., "detail": ...}
void stick_verdict_json(StickJson *json, const StickPageVerdict *verdict);
void stick_verdict_words_json(StickJson *json, const char *level, const char *headline, const char *detail);

#endif
