// SPDX-License-Identifier: Apache-2.0
// Pictures of steps along trajectories: of pairs of gears transmission error, loads of pairs of teeth and input torque over
// the roll angle; of other mechanisms loads of contacts and moments of frames over time.
#ifndef STUDY_CYCLE_PLOT_H
#define STUDY_CYCLE_PLOT_H

#include "model/model.h"

#include <stdbool.h>

// Writes plots/<table>-cycle.svg of every table in cycle/, of its last step. *made tells whether there is gnuplot.
StickStatus stick_cycle_plot(StickContext *ctx, const StickModel *model, const char *folder, bool *made);

#endif
