// SPDX-License-Identifier: Apache-2.0
// Convex hull of points in space as triangles, exactly: the points are put on a fine grid of whole numbers,
// where every "is this point above that plane?" has its true answer, so that no input can tear the surface.
#ifndef BODIES_QUICKHULL_H
#define BODIES_QUICKHULL_H

#include "bodies/cloud.h"

typedef struct StickHullTriangle {
    int vertex[3]; // points, anticlockwise seen from outside
    int beyond[3]; // triangle across the side from vertex k to the next one
} StickHullTriangle;

typedef struct StickTriangleHull {
    double size; // largest side of the box around the points
    int count;
    StickHullTriangle *triangle;
} StickTriangleHull;

// Triangles may be coplanar with their neighbours. Refuses fewer than four points, and points that lie in a
// plane.
StickStatus stick_quickhull_create(StickContext *ctx, const StickCloud *cloud, StickTriangleHull *hull);
void stick_quickhull_destroy(StickContext *ctx, StickTriangleHull *hull);

#endif
