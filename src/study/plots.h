// SPDX-License-Identifier: Apache-2.0
// Pictures of a result folder: every history over time, with its exact curve, and the energy ledger.
#ifndef STUDY_PLOTS_H
#define STUDY_PLOTS_H

#include "model/model.h"

// Writes plots/<history>.svg and plots/energy.svg. Without gnuplot: a warning, no pictures.
StickStatus stick_plots_write(StickContext *ctx, const StickModel *model, const char *folder);

// One picture per history with the curves of all cases.
StickStatus stick_plots_compare(StickContext *ctx, const StickModel *model, const char *folder);

#endif
