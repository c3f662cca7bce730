// SPDX-License-Identifier: Apache-2.0
// Where two convex shapes may touch: one normal, and the points of the common face, edge or vertex.
//
//        a              n: from b to a, length 1
//     _______           gap > 0: apart along n
//     p1 ^n  p2         point: halfway between both surfaces, one common point per contact [JM91 section 7]
//     -------
//        b
#ifndef CONTACT_MANIFOLD_H
#define CONTACT_MANIFOLD_H

#include "bodies/solid.h"

#include <math.h>
#include <stdint.h>

enum { STICK_MANIFOLD = 16 };

typedef struct StickManifoldPoint {
    double place[3];
    double gap;
    // Which vertices, edges and faces make it: the same from step to step as long as the same ones touch, and different
    // for all points of a manifold. The order of a and b is fixed by the caller, so it need not be symmetric.
    uint32_t feature;
} StickManifoldPoint;

typedef struct StickManifold {
    double normal[3];
    int count; // 0: farther apart than the reach
    StickManifoldPoint point[STICK_MANIFOLD];
} StickManifold;

// The smallest gap of its points; without any, infinite.
static inline double stick_manifold_gap(const StickManifold *manifold)
{
    double least = INFINITY;
    for (int k = 0; k < manifold->count; k++)
        least = fmin(least, manifold->point[k].gap);
    return least;
}

// A shape where it is: the frame of its body, at its mass centre. In the plane the turn is about z.
typedef struct StickPlacedShape {
    const StickConvex *shape;
    double centre[3];
    double axis[3][3]; // columns of the rotation: place = centre + sum_k x_k axis[k]
} StickPlacedShape;

#endif
