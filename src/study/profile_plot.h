// SPDX-License-Identifier: Apache-2.0
// The picture of a profile: a panel for each time, pressure and shear stress along the surface, and marks that tell
// sticking, slipping and separated nodes apart.
#ifndef STUDY_PROFILE_PLOT_H
#define STUDY_PROFILE_PLOT_H

#include "model/model.h"

#include <stdbool.h>

// Writes plots/<profile>.svg from profiles/<profile>.csv; of many times the first ones. *made tells whether there is
// a picture.
StickStatus stick_profile_plot(StickContext *ctx, const StickModel *model, const char *folder,
                               const StickProfileSpec *profile, bool *made);

#endif
