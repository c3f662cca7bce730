// SPDX-License-Identifier: Apache-2.0
// What joints hold together does not touch: the pairs of bodies, or of a body and an obstacle, which they part.
#ifndef CONTACT_PARTED_H
#define CONTACT_PARTED_H

#include "model/model.h"

// A body and another one behind it, or an obstacle as -1 - obstacle.
typedef struct StickPartedPair {
    int a, b;
} StickPartedPair;

typedef struct StickParted {
    int count;
    StickPartedPair *pair; // ascending
} StickParted;

StickStatus stick_parted_create(StickContext *ctx, const StickModel *model, StickParted *parted);
void stick_parted_destroy(StickContext *ctx, StickParted *parted);

// Of bodies a < b, or of an obstacle b = -1 - obstacle.
bool stick_parted_has(const StickParted *parted, int a, int b);

#endif
