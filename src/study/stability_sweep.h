// SPDX-License-Identifier: Apache-2.0
// A stability step that varies a parameter: the end of the path is judged for every value, and modes are followed from
// value to value.
//
//     history/<step>.csv                a row per value
//     stability/<step>/sweep.csv        a row per value and branch, also of values between that following took
//     stability/<step>/coalescence.csv  what happens where: modes meet, growth begins, contacts change their status
//     stability/<step>/verdicts.txt     what follows for each value, in words
#ifndef STUDY_STABILITY_SWEEP_H
#define STUDY_STABILITY_SWEEP_H

#include "study/stability_step.h"

// Whether the model can be understood with every value; said before anything is computed.
StickStatus stick_stability_sweep_check(StickContext *ctx, const StickModel *model,
                                        const StickStepSpec *step);

// The path of the task is not looked at. A value that cannot be computed ends it with an error and a note that says
// which; what was found before is written.
StickStatus stick_stability_sweep(StickContext *ctx, const StickStabilityTask *task);

#endif
