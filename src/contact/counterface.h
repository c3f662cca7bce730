// SPDX-License-Identifier: Apache-2.0
// The counterface of a surface: a rigid obstacle, a round rigid body, or the surface of another body. Its signed distance,
// and how broad it is where it touches.
#ifndef CONTACT_COUNTERFACE_H
#define CONTACT_COUNTERFACE_H

#include "contact/obstacle.h"
#include "contact/surface.h"

typedef struct StickCounterface {
    const StickObstacle *obstacle; // or, where it is NULL, ...
    const StickConvex *round;    // ... the only shape of the body of the surface, a ball or a capsule, or ...
    const StickSurface *surface; // ... a surface with the tree of its pieces
    const StickBvh *tree;
    StickHits *hits; // working memory
} StickCounterface;

// A rigid body that is one ball or capsule is met as round as it is, not by the corners of its skin; NULL: it is not.
const StickConvex *stick_round_shape(const StickSurface *surface);

// Distance of a place from a round rigid body, and the normal there, out of the body.
double stick_round_distance(const StickSurface *surface, const StickConvex *shape, const double place[3],
                            double normal[3]);

// Signed distance of a place; infinite where nothing is found within reach.
StickStatus stick_counterface_distance(const StickCounterface *counterface, const double place[3],
                                       double reach, double *distance);

// How well nodes that are a distance apart see what touches at a place, with a normal out of the counterface: 1 where it
// falls back from the plane of contact, over some such distances, no more than a circle of a radius does; 0 where it may
// pass between them, at a little more than that.
StickStatus stick_counterface_breadth(const StickCounterface *counterface, int dim, const double place[3],
                                      const double normal[3], double distance, double radius,
                                      double *breadth);

#endif
