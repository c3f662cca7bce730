// SPDX-License-Identifier: Apache-2.0
// Statements of the model on its results: checks, which must hold, and outcomes, which are counted.
#ifndef STUDY_CHECKS_H
#define STUDY_CHECKS_H

#include "study/results.h"

typedef struct StickCheckVerdict {
    const StickCheckSpec *check;
    double value;
    bool passed; // the statement holds; false where the value is not a number
} StickCheckVerdict;

// Whether every check and outcome speaks of something that the run will have; all errors at once.
StickStatus stick_checks_validate(StickContext *ctx, const StickSimulation *run);

// Evaluates all checks of the model on the tables of the folder and the numbers of the run. A check that
// fails is said as an error with its place, value and bound; one that cannot be evaluated is an error by
// status, and the others are evaluated all the same.
StickStatus stick_checks_evaluate(StickContext *ctx, const StickSimulation *run, const char *folder,
                                  StickCheckVerdict *verdict, int *failed);

// Evaluates all outcomes of the model likewise; none of them fails.
StickStatus stick_outcomes_evaluate(StickContext *ctx, const StickSimulation *run, const char *folder,
                                    StickCheckVerdict *verdict);

// "within 0.1 of 5", "at most 3", ...
void stick_check_bound(const StickCheckSpec *check, char *text, size_t size);

#endif
