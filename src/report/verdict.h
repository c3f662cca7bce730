// SPDX-License-Identifier: Apache-2.0
// The first things that one wants to know of a run: its result, and whether it can be trusted (docs/reference/report.md).
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
    char result[STICK_VERDICT_TEXT]; // what the run was made for, as its summary has it; empty if it has none
    char detail[STICK_VERDICT_TEXT];
} StickPageVerdict;

// Of one run by its summary; NULL: there is none.
void stick_verdict_judge(const StickYaml *summary, StickPageVerdict *verdict);

// Of a study by its summary, apart from its cases. It writes one when it ends: where there is none, it has not.
void stick_verdict_judge_study(const StickYaml *summary, bool there, StickPageVerdict *verdict);

// Runs of one folder: one after the other among those of a page.
typedef struct StickVerdictGroup {
    int runs;
    bool is_study;          // they are its cases
    StickPageVerdict study; // and its result
} StickVerdictGroup;

// Of several runs: the worst of them and of their studies, and how many ended how. Cases without results that wait for
// the rest of an interrupted or running study are no worse than it.
void stick_verdict_gather(const StickVerdictGroup *group, int ngroups, const StickPageVerdict *verdict,
                          StickPageVerdict *all);

const char *stick_verdict_level(StickEnding ending); // "good", "warning", "bad"
const char *stick_verdict_word(StickEnding ending);  // "Contact solves certified", "Failed", ...

// What stands at the top: the result of a run that ended well, else how it ended.
const char *stick_verdict_headline(const StickPageVerdict *verdict);

// {"level": ..., "word": ..., "headline": ..., "detail": ...}
void stick_verdict_json(StickJson *json, const StickPageVerdict *verdict);
void stick_verdict_words_json(StickJson *json, const char *level, const char *word, const char *headline,
                              const char *detail);

// The largest error of all contact solves, in all measures: certificate.worst_error. NAN: unknown.
double stick_verdict_worst_error(const StickYaml *summary);

// The error to which all contact solves are certified: the tolerance, or the worst one where solves above it were accepted.
double stick_verdict_certified_to(const StickYaml *summary);

// 1e-8 rather than 1e-08
const char *stick_verdict_tolerance(double tolerance, char text[32]);

#endif
