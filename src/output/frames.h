// SPDX-License-Identifier: Apache-2.0
// Fields of all bodies at one time, as one file for ParaView.
#ifndef OUTPUT_FRAMES_H
#define OUTPUT_FRAMES_H

#include "base/arena.h"
#include "output/vtu.h"
#include "stepping/simulation.h"

// Points and cells of body number b of a system, with the number of the body on the cells, in the arena; no point data.
StickStatus stick_frame_piece(StickArena *arena, const StickSystem *system, int b, StickVtuPiece *piece);

// The field of that number.
StickVtuField stick_frame_body_field(void);

// Writes displacement, velocity, stress, von Mises stress, contact force and pressure, gap and status at the
// nodes, and the number of the body on the cells; of bodies under finite deformation also plastic strain at the nodes,
// pressure and change of volume on the cells. gaps: a detection at the present state.
StickStatus stick_frame_write(StickContext *ctx, const StickSimulation *run, const StickContactSet *gaps,
                              const char *path);

#endif
