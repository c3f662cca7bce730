// SPDX-License-Identifier: Apache-2.0
// What a run along a trajectory says of its mechanism, from the table cycle/mechanism.csv.
#ifndef STUDY_MECHANISM_H
#define STUDY_MECHANISM_H

#include "model/model.h"

// Notes contacts whose pressures the mesh is too coarse for.
StickStatus stick_mechanism_tell(StickContext *ctx, const char *folder, const StickModel *model);

#endif
