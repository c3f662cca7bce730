// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in an animation: mass centres, poses and velocities instead of nodes; contacts with their forces; joints.
#ifndef REPORT_RIGID_PART_H
#define REPORT_RIGID_PART_H

#include "report/animation_frames.h"
#include "report/blobs.h"

enum { STICK_RIGID_FIELDS = 4 }; // displacement, rotation, velocity, angular velocity

// Numbers of blocks.
typedef struct StickRigidPart {
    int centres;
    int motion[STICK_RIGID_FIELDS];
    double resolution[STICK_RIGID_FIELDS];
    int counts, places, forces, tangential, status, first, second; // of contacts
} StickRigidPart;

// Which frames of the reel, and how many digits.
typedef struct StickRigidPlan {
    const int *kept;
    int frames;
    bool full;   // floating-point numbers
    bool coarse; // forces have two digits instead of four
} StickRigidPlan;

StickStatus stick_rigid_part_pack(const StickAnimationFrames *reel, const StickRigidPlan *plan,
                                  StickBlobs *blocks, StickRigidPart *part);

// The values of "rigid" and "contacts" (web/src/report.ts).
void stick_rigid_part_json(const StickAnimationFrames *reel, const StickBlobs *blocks,
                           const StickRigidPart *part, StickJson *json);

// The value of "joints".
void stick_rigid_part_joints(const StickModel *model, int dim, StickJson *json);

#endif
