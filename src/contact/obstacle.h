// SPDX-License-Identifier: Apache-2.0
// Rigid obstacles: signed distance and normal of planes, polylines, circles, spheres and cylinders that
// translate.
#ifndef CONTACT_OBSTACLE_H
#define CONTACT_OBSTACLE_H

#include "contact/contact.h"
#include "contact/translation.h"

typedef struct StickObstacle {
    const StickObstacleSpec *spec;
    int dim;
    StickTranslation translation;
    double shift[3];    // present displacement
    double velocity[3]; // mean velocity of the step
} StickObstacle;

// Refuses kinds that the dimension of space does not have; panel: see stick_translation_init.
StickStatus stick_obstacle_init(StickContext *ctx, const StickObstacleSpec *spec, int dim, double panel,
                                StickObstacle *obstacle);

// Places the obstacle at time t; its velocity is the mean one from t to t + h.
StickStatus stick_obstacle_move(StickObstacle *obstacle, double t, double h);

// Signed distance of a place (> 0: outside of the solid) and the normal at the nearest point, out of the
// solid. A polyline that does not close ends a small overhang beyond its ends: from there the distance is
// infinite and the normal zero.
double stick_obstacle_distance(const StickObstacle *obstacle, const double place[3], double normal[3]);

typedef struct StickObstacleTouch {
    double gap;
    double normal[3];
    int layer; // see StickContact
} StickObstacleTouch;

// What a node at a place may touch with a gap of at most reach, by layers; returns how many. In a nook of a
// polyline both segments are touched.
int stick_obstacle_touch(const StickObstacle *obstacle, const double place[3], double reach,
                         StickObstacleTouch touch[STICK_LAYERS]);

#endif
