// SPDX-License-Identifier: Apache-2.0
// sweep.csv: the cases of a study in one table, a row each, with the parameters that they vary and their key results.
#ifndef STUDY_SWEEP_H
#define STUDY_SWEEP_H

#include "model/model.h"
#include "study/case.h"
#include "study/study_facts.h"

// Cases that have no tables yet have empty fields.
StickStatus stick_sweep_write(StickContext *ctx, const char *folder, const StickModel *model,
                              const StickCaseResult *result, const StickStudyFacts *facts);

#endif
