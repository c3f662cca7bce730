// SPDX-License-Identifier: Apache-2.0
// Rigid bodies and contacts at one time as points for ParaView: what their skins and nodes cannot show.
#ifndef OUTPUT_RIGID_FRAMES_H
#define OUTPUT_RIGID_FRAMES_H

#include "stepping/simulation.h"

// A point for each rigid body, at its mass centre: displacement and rotation since the start (a vector along the axis,
// as long as the angle), velocity, angular velocity, contact force, and the number of the body.
StickStatus stick_rigid_frame_bodies(StickContext *ctx, const StickSimulation *run, const char *path);

// A point for each contact of the last step, where it was in the middle of it: force on the first body and its parts,
// normal, gap, relative velocity, status, and the numbers of both bodies; that of obstacle k is -1 - k.
StickStatus stick_rigid_frame_contacts(StickContext *ctx, const StickSimulation *run, const char *path);

#endif
