// SPDX-License-Identifier: Apache-2.0
// What a dynamic step that starts with a disturbance has found, from its table: growth and frequency of the mode over
// the time in which the disturbance stays small, beside the predicted ones.
#ifndef STUDY_GROWTH_RESULTS_H
#define STUDY_GROWTH_RESULTS_H

#include "study/results.h"

// The step that a name such as "shake.growth" or "shake-growth.amplitude" begins with, or NULL.
const StickStepSpec *stick_growth_step_of(const StickModel *model, const char *name);

// "<step>-growth" of such a step, as the name of a table: whether it has that column.
bool stick_growth_has_column(const StickSystem *system, const char *table, const char *column);

// Key numbers: "growth", "frequency", ...; the name of number k, NULL past the last. NaN where there is none: nothing is
// measured where the disturbance is small for too short a time.
enum { STICK_GROWTH_NUMBERS = 14 };
const char *stick_growth_number_name(int k);
StickStatus stick_growth_numbers(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                 double value[STICK_GROWTH_NUMBERS]);

// What a check asks for: before the run whether there is such a number, after it its value.
StickStatus stick_growth_validate(StickContext *ctx, const StickStepSpec *step, const StickCheckSpec *check);
StickStatus stick_growth_measure(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                 const StickCheckSpec *check, double *value);

// A warning where nothing could be measured, which says why.
StickStatus stick_growth_warn(StickContext *ctx, const char *folder, const StickStepSpec *step);

// No history and no other step may have the name of its table.
StickStatus stick_growth_check_names(StickContext *ctx, const StickModel *model);

// plots/<step>-growth.svg: the amplitude with the predicted line, speeds, contacts that are not what they were.
StickStatus stick_growth_plot(StickContext *ctx, const StickModel *model, const char *folder,
                              const StickStepSpec *step, bool *made);

#endif
