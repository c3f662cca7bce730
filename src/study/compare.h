// SPDX-License-Identifier: Apache-2.0
// Runs side by side: what their histories have in common, how far they are from each other and from what is exact
// (docs/guide/compare.md).
#ifndef STUDY_COMPARE_H
#define STUDY_COMPARE_H

#include "study/difference.h"
#include "study/past_runs.h"

// Of separate folders, where none is given.
#define STICK_COMPARE_TOLERANCE 1e-9

// A difference of at most so much of the largest value of the same unit is rounding.
#define STICK_COMPARE_ROUNDING 1e-12

typedef struct StickCompareOptions {
    const char *const *folder; // result folders; one with cases stands for all of them
    int nfolders;
    const char *base; // name of the run that all others are compared with; NULL: see docs/guide/compare.md
    double tolerance; // of relative r.m.s. differences; 0: not given
    bool apart;       // runs are not compared with each other, only with what is exact
} StickCompareOptions;

typedef enum StickCompareVerdict {
    STICK_COMPARE_INFORMATION, // nobody asked for one
    STICK_COMPARE_SAME_BITS,
    STICK_COMPARE_WITHIN,
    STICK_COMPARE_DIFFERENT,
} StickCompareVerdict;

// A history, or what all runs have: energy.total and momentum.
typedef struct StickCompareSeries {
    char *name;
    char *unit;      // "" if it has none
    bool from_books; // not one of the model's histories
    bool exact;      // a run has an exact curve of it
    bool single;     // one column in all runs
} StickCompareSeries;

// One of the series in one of the runs.
typedef struct StickCompareCell {
    bool there;
    bool single;                   // one column
    double begin, end;             // of its times
    double first, final, min, max; // of one column; NaN of several
    bool compared;                 // with the run's base
    StickDifference difference;
    double rms, largest; // of the difference, relative to the base
    bool rounding;       // the difference is nothing else
    bool has_exact;
    StickExactError exact;
} StickCompareCell;

typedef struct StickComparison {
    StickContext *ctx;
    StickTrajectoryHistoryRuns runs;
    int *base;        // of every run: the one that it is compared with, or itself
    bool *same_bits;  // of every run: its tables are those of its base, byte by byte
    double tolerance; // 0: for information only
    int nseries;
    size_t series_room;
    StickCompareSeries *series;
    StickCompareCell *cell; // nseries x runs.count
    int nreasons;           // why the runs are not the same
    size_t reason_room;
    char **reason;
    StickCompareVerdict verdict;
} StickComparison;

// Units that do not agree and folders without results are STICK_BAD_INPUT, a base that is not there and nothing to
// compare STICK_USAGE. That runs differ is no error of this call.
StickStatus stick_compare(StickContext *ctx, const StickCompareOptions *options, StickComparison *comparison);
void stick_comparison_destroy(StickComparison *comparison);

const StickCompareCell *stick_compare_cell(const StickComparison *comparison, int series, int run);

// Whether a run got as far as to write rows.
bool stick_compare_has_rows(const StickComparison *comparison, int run);

// One word or two for a verdict.
const char *stick_compare_verdict_name(StickCompareVerdict verdict);

// The comparison whose relative r.m.s. difference is largest; false if there is none.
bool stick_compare_worst(const StickComparison *comparison, int *series, int *run);

// ---- as texts

// All of it for people.
void stick_compare_text(const StickComparison *comparison, StickText *text);

// What a page says at its top (docs/reference/report.md): its level, or NULL if there is no verdict; then nothing is added.
const char *stick_compare_page(const StickComparison *comparison, StickText *headline, StickText *detail);

// Only the tables against what is exact, as the end of a study shows them.
void stick_compare_exact_text(const StickComparison *comparison, StickText *text);

// A JSON object, for machines.
void stick_compare_json(const StickComparison *comparison, StickText *text);

// A row per series and run.
void stick_compare_csv(const StickComparison *comparison, StickText *text);

// ---- as files

// Writes compare.csv and a picture of every series of one column into a folder (made if missing).
StickStatus stick_compare_write(const StickComparison *comparison, const char *folder);

#endif
