// SPDX-License-Identifier: Apache-2.0
// Volume, mass centre and inertia of shapes of unit density, by closed forms. In the plane: area, and inertia
// about z.
#ifndef BODIES_MEASURE_H
#define BODIES_MEASURE_H

#include "bodies/solid.h"

typedef struct StickMeasure {
    double volume;
    double centre[3];
    double inertia[9]; // about the centre, by rows; in the plane only [8]
} StickMeasure;

// About the origin; capsules and cylinders along x in the plane, along z in space.
StickMeasure stick_measure_ball(int dim, double radius);
StickMeasure stick_measure_box(int dim, const double size[3]);
StickMeasure stick_measure_capsule(int dim, double radius, double length);
StickMeasure stick_measure_cylinder(double radius, double length);

// Polygon (without faces) or polyhedron.
StickMeasure stick_measure_polytope(const StickConvex *shape);

// Turned about the origin, then shifted.
void stick_measure_move(StickMeasure *measure, const double turn[4], const double position[3]);

// Of all together; where they overlap, it counts twice.
StickMeasure stick_measure_sum(int dim, const StickMeasure *measure, int count);

#endif
