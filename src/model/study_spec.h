// SPDX-License-Identifier: Apache-2.0
// Study: cases, checks of their results, and outcomes that are counted.
#ifndef MODEL_STUDY_SPEC_H
#define MODEL_STUDY_SPEC_H

#include <stickslip/context.h>

#include <stdbool.h>

typedef enum StickCheckKind { STICK_CHECK_IS, STICK_CHECK_AT_MOST, STICK_CHECK_AT_LEAST } StickCheckKind;

// A statement on the results, which must hold (a check) or is counted (an outcome): reduce(series) over a window of time,
// or a number of the summary.
typedef struct StickCheckSpec {
    StickMark mark;
    char *name;   // in words, as "wall falls"; not given: the statement as the file has it
    char *that;   // the text, as "max(contact_force)" or "energy.closure"
    char *reduce; // "max", "min", "mean", "final", "first", "rms", "std", "integral", "largest"; NULL for a
                  // number of the summary
    char *series; // name of a history or of a column of the program's own tables, or of the number
    StickCheckKind kind;
    double value;
    double within; // absolute tolerance of "is"
    bool windowed;
    double from, to; // window of time; an end that is not given is infinite
    bool at_status;  // of a number of a stability step: at the first status ...
    int status[3];   // ... with these numbers of contacts that stick, slip and are open
} StickCheckSpec;

// One of several runs: names and texts of the parameters that it overrides.
typedef struct StickCaseSpec {
    char *name;
    int nparameters;
    char **parameter;
    char **value;
} StickCaseSpec;

#endif
