// SPDX-License-Identifier: Apache-2.0
// What joints hold together does not touch: the pairs of bodies, or of a body and an obstacle, which they part.
#ifndef CONTACT_COLLISION_FILTER_H
#define CONTACT_COLLISION_FILTER_H

#include "model/model.h"

// A body and another one behind it, or an obstacle as -1 - obstacle.
typedef struct StickCollisionFilterPair {
    int a, b;
} StickCollisionFilterPair;

typedef struct StickCollisionFilter {
    int count;
    StickCollisionFilterPair *pair; // ascending
} StickCollisionFilter;

StickStatus stick_collision_filter_create(StickContext *ctx, const StickModel *model,
                                          StickCollisionFilter *parted);
void stick_collision_filter_destroy(StickContext *ctx, StickCollisionFilter *parted);

// Of bodies a < b, or of an obstacle b = -1 - obstacle.
bool stick_collision_filter_has(const StickCollisionFilter *parted, int a, int b);

#endif
