// SPDX-License-Identifier: Apache-2.0
// Overlap at the start that contacts adjust: nodes of their first surface are moved onto the second one before anything else
// is made of the mesh, so that no stress comes of it.
#ifndef CONTACT_ADJUST_H
#define CONTACT_ADJUST_H

#include "contact/contact.h"

// The system of a model whose meshes are adjusted.
StickStatus stick_adjusted_system_create(StickContext *ctx, const StickModel *model, StickSystem **system);

#endif
