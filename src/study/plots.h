// SPDX-License-Identifier: Apache-2.0
// Pictures of a result folder: every history over time, with its exact curve, and the energy ledger.
#ifndef STUDY_PLOTS_H
#define STUDY_PLOTS_H

#include "model/model.h"
#include "output/plot.h"
#include "output/table.h"

#include <stdbool.h>

// Writes plots/<history>.svg, <profile>.svg, energy.svg, and those of stability, growth, motions and cycles. Without
// gnuplot: a warning, no pictures.
StickStatus stick_plots_write(StickContext *ctx, const StickModel *model, const char *folder);

// The moments that the model points out, as marks of a plot over time; how many.
int stick_plots_moments(const StickModel *model, StickPlotMark mark[STICK_MOST_MOMENTS]);

// A curve of one of several runs that are drawn together.
typedef struct StickStackedCurve {
    const char *name;          // of the run
    const StickColumns *table; // NULL, or fewer than two rows: left out
    int column;
    int exact; // column of its exact curve; 0: none
} StickStackedCurve;

enum { STICK_MOST_PANELS = 12 };

// The same series of several runs in stacked panels, the exact curve in each; of many runs the first ones. *made tells
// whether there is a picture.
StickStatus stick_plots_stack(StickContext *ctx, const char *path, const char *title,
                              const StickStackedCurve *curve, int count, bool *made);

// One picture per history with the curves of all cases.
StickStatus stick_plots_compare(StickContext *ctx, const StickModel *model, const char *folder);

#endif
