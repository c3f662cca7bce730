// SPDX-License-Identifier: Apache-2.0
// What the mesh cycle of a pair of gears comes to, from its table cycle/<pair>.csv: transmission error and its harmonics,
// sharing of the load, efficiency, pressures, stiffness beside what formulas say.
//
//     cycle/<pair>-numbers.csv   one row (study/gear_results.h)
#ifndef STUDY_GEARS_H
#define STUDY_GEARS_H

#include "model/model.h"

// Of the last step that each pair of the model went through; a few lines are said of each.
StickStatus stick_gears_write(StickContext *ctx, const char *folder, const StickModel *model);

#endif
