// SPDX-License-Identifier: Apache-2.0
// The point of a piece of surface that is nearest to a place.
#ifndef CONTACT_PROJECTION_H
#define CONTACT_PROJECTION_H

#include "contact/surface.h"

typedef struct StickProjection {
    bool inside;      // the foot of the perpendicular is on the piece (to rounding)
    int corner, side; // otherwise: the corner or the side that is nearest, the other one is -1
    double weight[4]; // shape functions of the corners at the nearest point
    double foot[4];   // the same at the foot of the perpendicular, which may be beyond the piece
    double overhang;  // how far the foot is beyond; infinite where there is none
    double distance;  // of the place from the nearest point
} StickProjection;

void stick_piece_project(const StickSurface *surface, int piece, const double place[3],
                         StickProjection *found);

// Point of a piece by its weights.
void stick_piece_point(const StickSurface *surface, int piece, const double weight[4], double point[3]);

// Outward normal of a piece at a point given by its weights.
void stick_piece_normal(const StickSurface *surface, int piece, const double weight[4], double normal[3]);

// Shape functions of a bilinear quad (ncorners = 4) or a triangle (3) at a point of their plane, by inverting
// the map from the reference; corner and point are two-dimensional. false: no such point was found.
bool stick_polygon_weights(int ncorners, const double corner[4][2], const double point[2], double weight[4]);

#endif
