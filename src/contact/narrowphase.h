// SPDX-License-Identifier: Apache-2.0
// Shapes of rigid bodies where they are, and where they touch each other and obstacles, in the plane or in space.
#ifndef CONTACT_NARROWPHASE_H
#define CONTACT_NARROWPHASE_H

#include "contact/manifold.h"
#include "contact/obstacle.h"

StickPlacedShape stick_shape_place(const StickConvex *shape, const StickPose *pose);

// Round from outside: a thin one may be passed. Insides of others have no end.
bool stick_shape_is_round(const StickObstacleSpec *spec);

// Circles, spheres and cylinders from outside, as shapes; a cylinder is as long as a body with this reach can see. What is
// returned points to convex.
StickPlacedShape stick_shape_round(const StickObstacle *obstacle, const StickPlacedShape *shape, double reach,
                                   StickConvex *convex);

void stick_narrowphase(int dim, const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                       StickManifold *manifold);

// Not of obstacles that are hollow, of which each point has a normal of its own (stick_concave_obstacle_touch).
void stick_narrowphase_obstacle(int dim, const StickPlacedShape *shape, const StickObstacle *obstacle,
                                double reach, StickManifold *manifold);

// Shortest distances, below 0 the depth; infinite beyond the reach.
double stick_shape_distance(int dim, const StickPlacedShape *a, const StickPlacedShape *b, double reach);
double stick_shape_distance_obstacle(int dim, const StickPlacedShape *shape, const StickObstacle *obstacle,
                                     double reach);

#endif
