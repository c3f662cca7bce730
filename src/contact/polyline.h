// SPDX-License-Identifier: Apache-2.0
// Polylines as obstacles in two dimensions: a chain of segments with the solid on the right of the direction of
// travel.
#ifndef CONTACT_POLYLINE_H
#define CONTACT_POLYLINE_H

#include "contact/obstacle.h"

// Signed distance and normal at the nearest point; infinite (normal 0) beyond the ends of an open chain.
double stick_polyline_distance(const StickObstacleSpec *spec, const double x[3], double normal[3]);

// See stick_obstacle_touch.
int stick_polyline_touch(const StickObstacleSpec *spec, const double x[3], double reach,
                         StickObstacleTouch touch[STICK_LAYERS]);

#endif
