// SPDX-License-Identifier: Apache-2.0
// Parts of a body that supports leave free to move or turn without deforming, so that its stiffness is singular.
#ifndef BODIES_LOOSE_H
#define BODIES_LOOSE_H

#include "bodies/supports.h"

enum { STICK_LOOSE_TEXT = 640 };

typedef struct StickLoose {
    int nparts;                  // of the body that have no node in common
    int motions;                 // free motions of the first part that has any; 0: all parts are held
    bool hinged;                 // of these, some turn about nodes that parts share without a common side
    char text[STICK_LOOSE_TEXT]; // "it can move along x": which part, where it is, which motions
} StickLoose;

// Motions are of the linear kind: a rotation moves every node along its tangent.
StickStatus stick_loose_find(StickContext *ctx, const StickBody *body, const StickSupports *supports,
                             StickLoose *found);

#endif
