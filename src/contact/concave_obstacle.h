// SPDX-License-Identifier: Apache-2.0
// What a convex shape touches of an obstacle that is not convex: circles, spheres and cylinders from inside, and polylines.
//
//      \  a  /            from inside only corners touch, each with a normal of its own: towards the centre or the axis
//       \___/             round ends are corners with a radius; the rims of a cylinder touch where they are farthest out
//
//      ____a____          a polyline is touched by corners of the shape, each by its distance and normal there, and its own
//      __/   \__          convex corners touch the sides of the shape; around an open end they do so up to a right angle
#ifndef CONTACT_CONCAVE_OBSTACLE_H
#define CONTACT_CONCAVE_OBSTACLE_H

#include "contact/manifold.h"
#include "contact/obstacle.h"

enum { STICK_HOLLOW_POINTS = 32 };

typedef struct StickConcaveTouch {
    double normal[3]; // from the obstacle to the shape
    StickManifoldPoint point;
} StickConcaveTouch;

bool stick_is_hollow(const StickObstacleSpec *spec);

// Points with a gap of up to `reach`, ascending by their features; of too many the deepest. Returns how many.
int stick_concave_obstacle_touch(const StickPlacedShape *shape, const StickObstacle *obstacle, double reach,
                                 StickConcaveTouch touch[STICK_HOLLOW_POINTS]);

#endif
