// SPDX-License-Identifier: Apache-2.0
// Rigid bodies and contacts in one frame of a result folder, as their files have them.
#ifndef REPORT_RIGID_FRAME_H
#define REPORT_RIGID_FRAME_H

#include "model/model.h"
#include "output/pvd.h"
#include "report/scene.h"

typedef enum StickRigidValue {
    // of each rigid body, three numbers
    STICK_RIGID_DISPLACEMENT,
    STICK_RIGID_ROTATION, // less than a whole turn
    STICK_RIGID_VELOCITY,
    STICK_RIGID_ANGULAR_VELOCITY,
    STICK_RIGID_FORCE,
    // of each contact
    STICK_TOUCH_FORCE,      // three numbers
    STICK_TOUCH_TANGENTIAL, // the rest one
    STICK_TOUCH_STATUS,
    STICK_TOUCH_FIRST,
    STICK_TOUCH_SECOND,
    STICK_RIGID_VALUES,
} StickRigidValue;

typedef struct StickRigidFrame {
    double *value[STICK_RIGID_VALUES];
    double *centre; // nrigid x 3
    int ncontacts;
    double *place; // ncontacts x 3
} StickRigidFrame;

// Refuses files that do not belong to the model. On an error the frame is empty.
StickStatus stick_rigid_frame_read(StickContext *ctx, const char *bodies, const char *contacts,
                                   const StickModel *model, StickRigidFrame *frame);
void stick_rigid_frame_destroy(StickContext *ctx, StickRigidFrame *frame);

// Least and largest length of the displacements (or velocities) of the nodes of rigid body number k, whose places are
// given from its mass centre: widens what is there already.
typedef struct StickRigidNodes {
    int dim, count;
    const float *x; // count x dim
} StickRigidNodes;
void stick_rigid_frame_widen(const StickRigidFrame *frame, int k, const StickRigidNodes *nodes, bool velocity,
                             double *least, double *most);

#endif
