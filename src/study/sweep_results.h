// SPDX-License-Identifier: Apache-2.0
// What a stability step that varies a parameter has found, from its tables: key numbers and its picture.
#ifndef STUDY_SWEEP_RESULTS_H
#define STUDY_SWEEP_RESULTS_H

#include "model/model.h"

#include <stdbool.h>

// "coalescence", "onset", ...; NaN where there is none.
enum { STICK_SWEEP_NUMBERS = 12 };
const char *stick_sweep_number_name(int k);
StickStatus stick_sweep_numbers(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                double value[STICK_SWEEP_NUMBERS]);

// plots/<step>.svg: frequency and growth of every branch over the parameter, with what meets where.
StickStatus stick_sweep_plot(StickContext *ctx, const StickModel *model, const char *folder,
                             const StickStepSpec *step, bool *made);

#endif
