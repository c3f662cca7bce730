// SPDX-License-Identifier: Apache-2.0
// The points of a shape, and its name in messages.
#ifndef BODIES_CLOUD_H
#define BODIES_CLOUD_H

#include <stickslip/context.h>

typedef struct StickCloud {
    const char *who; // "body 'stone'"
    StickMark mark;
    int count;
    const double *x; // 3 each, z = 0 in the plane
} StickCloud;

// Refuses fewer points than the shape (such as "a polygon") needs, and coordinates that are not usable numbers.
StickStatus stick_cloud_check(StickContext *ctx, const StickCloud *cloud, const char *shape, int least);

// The box around the points; returns its largest side.
double stick_cloud_box(const StickCloud *cloud, double low[3], double high[3]);

#endif
