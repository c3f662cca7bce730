// SPDX-License-Identifier: Apache-2.0
// Convex polygons of the plane: what two of them have in common.
#ifndef CONTACT_POLYGON_H
#define CONTACT_POLYGON_H

// Four corners grow by a half in each of four cuts at most.
enum { STICK_MOST_POLYGON = 20 };

typedef struct StickPolygon {
    int count;
    double x[STICK_MOST_POLYGON][2];
} StickPolygon;

// Anticlockwise: positive.
double stick_polygon_area(const StickPolygon *polygon);

// Mean of the corners.
void stick_polygon_middle(const StickPolygon *polygon, double middle[2]);

// The part of a polygon of up to four corners, of either sense, that is inside of an anticlockwise one of up
// to four; anticlockwise, empty (count 0) if there is none.
StickPolygon stick_polygon_clip(const StickPolygon *polygon, const StickPolygon *window);

#endif
