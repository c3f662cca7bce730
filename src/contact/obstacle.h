// SPDX-License-Identifier: Apache-2.0
// Rigid obstacles: signed distance and normal of planes, polylines, circles, spheres and cylinders that
// translate.
#ifndef CONTACT_OBSTACLE_H
#define CONTACT_OBSTACLE_H

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
// solid. A polyline that does not close goes on straight beyond both of its ends.
double stick_obstacle_distance(const StickObstacle *obstacle, const double place[3], double normal[3]);

#endif
