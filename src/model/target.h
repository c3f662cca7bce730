// SPDX-License-Identifier: Apache-2.0
// Which body, group of a body or obstacle is meant by a name.
#ifndef MODEL_TARGET_H
#define MODEL_TARGET_H

#include <stickslip/context.h>

#include <stdbool.h>

struct StickModel;

// Something named by "body.group" or "obstacle". Bodies of a `repeat`: "block[0,1]" is one, "block[*,1]" and "block" are
// several (stick_target_next).
typedef struct StickTarget {
    StickMark mark;
    int body;     // index, of several the first; or -1
    int obstacle; // index, or -1
    char *group;  // of a body; NULL for the whole body
    int nbodies;  // 1, or how many there are from the first to the last: not all of them need to belong to it
    bool any[3];  // index of the repeat that may be any
    int index[3]; // or must be this
} StickTarget;

// The next body of a target after the body `after`, or -1 if there are no more; after = -1 gives the first one.
int stick_target_next(const struct StickModel *model, const StickTarget *target, int after);

#endif
