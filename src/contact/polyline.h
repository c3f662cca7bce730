// SPDX-License-Identifier: Apache-2.0
// Polylines as obstacles in two dimensions: a chain of segments with the solid on the right of the direction of
// travel.
#ifndef CONTACT_POLYLINE_H
#define CONTACT_POLYLINE_H

#include "contact/obstacle.h"

#include <stdbool.h>

// Signed distance and normal at the nearest point; infinite (normal 0) beyond the ends of an open chain.
double stick_polyline_distance(const StickObstacleSpec *spec, const double x[3], double normal[3]);

// See stick_obstacle_touch.
int stick_polyline_touch(const StickObstacleSpec *spec, const double x[3], double reach,
                         StickObstacleTouch touch[STICK_LAYERS]);

// Whether the nearest point of an open chain is one of its ends, and the place beyond it.
bool stick_polyline_is_beyond(const StickObstacleSpec *spec, const double x[3]);

// Directions in which a convex corner can be touched: from one normal clockwise to the other. At an open end they go on
// by a right angle.
typedef struct StickPolylineCone {
    double before[3], after[3];
    bool is_end;
} StickPolylineCone;

// False where the corner is none: straight or a nook, or the second one at the place where a chain closes.
bool stick_polyline_cone(const StickObstacleSpec *spec, int vertex, StickPolylineCone *cone);
bool stick_polyline_cone_holds(const StickPolylineCone *cone, const double normal[3]);

#endif
