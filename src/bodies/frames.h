// SPDX-License-Identifier: Apache-2.0
// The frames that bodies in the plane are attached to in steps along trajectories [VBH88]: their positions and
// velocities in the ideal motion, and their free motions.
//
// A point x of a body's mesh, before the body is placed, stands at `at` + turn(angle) x.
#ifndef BODIES_FRAMES_H
#define BODIES_FRAMES_H

#include "bodies/system.h"
#include "gears/pair.h"

typedef struct StickFrame {
    const StickFrameSpec *spec;        // NULL: of a gear, or it stands still
    double home[2], home_angle;        // as the body stands in the system
    double at[2], angle;               // now
    double velocity[2], spin;          // by t
    double moved[STICK_FRAME_MOTIONS]; // from the ideal place
    double axes[2];                    // cos and sin of the angle from the system's axes to the present ones
    double turned[2];                  // cos and sin of the angle
    double load[STICK_FRAME_MOTIONS];
    int motion[STICK_FRAME_MOTIONS]; // number of the free motion; -1: it is prescribed
    int gears, gear;                 // which one of which pair; -1: none
} StickFrame;

enum { STICK_MOTION_NAME = 128 };

typedef struct StickFrames {
    const StickSystem *system;
    const StickStepSpec *step;
    StickFrame *frame;   // one per body
    StickGearPair *pair; // those of the model
    int nmotions;        // that are free
    int *body;           // of each of them, and ...
    StickFrameMotion *motion;
    char (*name)[STICK_MOTION_NAME]; // ... its name: "rotation of pair.2"
} StickFrames;

StickStatus stick_frames_create(StickContext *ctx, const StickSystem *system, const StickStepSpec *step,
                                StickFrames *frames);
void stick_frames_destroy(StickContext *ctx, StickFrames *frames);

// Positions at t, and loads. Velocities are differences over the short time h.
StickStatus stick_frames_place(StickFrames *frames, double t, double h);

// Moves them from there by free motions (nmotions).
void stick_frames_move(StickFrames *frames, const double *theta);

// Position along the line of action of a pair of gears at t.
double stick_frames_roll(const StickFrames *frames, int gears, double t);

// From the frame of the mesh to space, and back; vectors from the system's axes to space, and back.
void stick_frame_out(const StickFrame *frame, const double x[2], double place[2]);
void stick_frame_in(const StickFrame *frame, const double place[2], double x[2]);
void stick_frame_turn(const StickFrame *frame, const double vector[2], double turned[2]);
void stick_frame_unturn(const StickFrame *frame, const double vector[2], double turned[2]);

// Velocity of a place by the ideal motion; by a unit of one motion of the frame.
void stick_frame_velocity(const StickFrame *frame, const double place[2], double velocity[2]);
void stick_frame_unit(const StickFrame *frame, StickFrameMotion motion, const double place[2],
                      double velocity[2]);

#endif
