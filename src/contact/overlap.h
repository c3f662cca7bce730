// SPDX-License-Identifier: Apache-2.0
// Integrals over the part of a slave piece that lies before a master piece, or before an obstacle.
//
// F: hat functions of the slave piece's corners, which are never negative and add up to 1 [JM91 section 8];
// E: shape functions of the facets, quadratic on quadratic edges. Master points lie opposite along the
// slave's normal. Integrals are over the reference area of the slave where its strains are small, so that a pressure is the
// stress below it whatever the increments, and over the present area where they are finite.
#ifndef CONTACT_OVERLAP_H
#define CONTACT_OVERLAP_H

#include "contact/obstacle.h"
#include "contact/surface.h"

typedef struct StickOverlap {
    double area[4];      // integral of F_j, by corner of the slave piece
    double slave[4][4];  // integral of F_j E_i, i over the nodes of the slave facet
    double master[4][4]; // integral of F_j E_k, k over the nodes of the master facet
    double normal[4][3]; // integral of F_j n, n out of the antagonist
    double gap[4];       // integral of F_j gap, against an obstacle
} StickOverlap;

// false if the pieces do not face each other, or are farther apart than reach, or one is behind the other.
bool stick_overlap_pieces(const StickSurface *slave, int slave_piece, const StickSurface *master,
                          int master_piece, double reach, StickOverlap *overlap);

// Over the slave piece, but for points that have nothing of the obstacle before them.
void stick_overlap_obstacle(const StickSurface *slave, int slave_piece, const StickObstacle *obstacle,
                            StickOverlap *overlap);

#endif
