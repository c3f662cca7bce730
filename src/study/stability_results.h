// SPDX-License-Identifier: Apache-2.0
// What a stability step has found, from its table: key numbers, single statuses, and its picture.
#ifndef STUDY_STABILITY_RESULTS_H
#define STUDY_STABILITY_RESULTS_H

#include "base/text.h"
#include "study/results.h"

// The stability step that a name such as "table.first_flutter_mode" begins with, or NULL.
const StickStepSpec *stick_stability_step_of(const StickModel *model, const char *name);

// Whether the table of a stability step has that column.
bool stick_stability_has_column(const StickSystem *system, const StickStepSpec *step, const char *column);

// The column that is meant by a name such as "table.verdic", with the step before it.
StickSuggestion stick_stability_suggest(const StickSystem *system, const StickStepSpec *step,
                                        const char *name);

// Key numbers of a stability step: "first_flutter_time", ...; the name of number k, NULL past the last. NaN where there
// is none, as the time of a flutter that does not occur. A step that varies a parameter has others.
enum { STICK_STABILITY_NUMBERS = 12 };
const char *stick_stability_number_name(const StickStepSpec *step, int k);
StickStatus stick_stability_numbers(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                    double value[STICK_STABILITY_NUMBERS]);

// What a check of such a name asks for: a key number, "table.mode[3].growth" of the spectrum of the first status, or with
// `at` a column of the table or of the spectrum at the first status with these contacts. Before the run whether there is
// such a thing, after it its value.
StickStatus stick_stability_validate(StickContext *ctx, const StickSystem *system, const StickStepSpec *step,
                                     const StickCheckSpec *check);
StickStatus stick_stability_measure(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                    const StickCheckSpec *check, double *value);

// plots/<step>.svg: the tangential force along the path, with what flutters or diverges marked; growth; frequency.
StickStatus stick_stability_plot(StickContext *ctx, const StickModel *model, const char *folder,
                                 const StickStepSpec *step, bool *made);

#endif
