// SPDX-License-Identifier: Apache-2.0
// Solids and rigid bodies as the model describes them.
#ifndef BODIES_MAKE_RIGID_H
#define BODIES_MAKE_RIGID_H

#include "bodies/rigid.h"
#include "model/model.h"

// The solid of a body's shapes; bodies with the same StickRigidSpec can share it.
// round: corners of its skin on a full circle, 0: as many as a single body should have.
StickStatus stick_make_solid(StickContext *ctx, const StickBodySpec *spec, int round, StickSolid *solid);

// Mass, inertia and pose at the start.
StickStatus stick_make_rigid(StickContext *ctx, const StickModel *model, const StickBodySpec *spec,
                             const StickSolid *solid, StickRigid *rigid);

#endif
