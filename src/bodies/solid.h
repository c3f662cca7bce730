// SPDX-License-Identifier: Apache-2.0
// The geometry of a rigid body: convex shapes in its own frame, whose origin is its mass centre. Bodies that are alike
// share one solid.
//
// A shape is a core (point, segment, convex polygon or polyhedron) with everything nearer to it than a radius:
//
//     disk, sphere: point    capsule: segment    polygon, box, hull: radius 0    cylinder: its own kind
#ifndef BODIES_SOLID_H
#define BODIES_SOLID_H

#include "mesh/mesh.h"

typedef enum StickShapeKind {
    STICK_SHAPE_BALL,    // disk or sphere
    STICK_SHAPE_CAPSULE, // also in the plane (a stadium)
    STICK_SHAPE_POLYTOPE,
    STICK_SHAPE_CYLINDER, // in space, flat ends
} StickShapeKind;

typedef struct StickConvex {
    StickShapeKind kind;
    double radius;      // ball, capsule, cylinder; polytope: 0
    double centre[3];   // of the ball around it, and ...
    double bound;       // ... its radius
    double axis[3];     // capsule, cylinder: unit vector, ...
    double half_length; // ... from -half_length to half_length about centre (capsule: of the segment)
    int nvertices;      // polytope; in the plane anticlockwise
    double *vertex;     // 3 each, z = 0 in the plane
    // of polyhedra
    int nfaces;
    int *face_start;  // nfaces + 1
    int *face_vertex; // anticlockwise seen from outside
    double *face;     // 4 each: outer normal, offset (normal.x = offset on the face)
    int nedges;
    int *edge; // 4 each: two vertices, two faces
} StickConvex;

typedef struct StickSolid {
    int dim;
    int nshapes;
    StickConvex *shape;
    double volume;     // in the plane: area (times thickness is the caller's)
    double inertia[9]; // of unit density about the mass centre, by rows; in the plane only [8]: about z
    double shift[3];   // mass centre in the frame in which the user gave the shapes
    double bound;      // radius of the ball about the mass centre
    StickMesh skin;    // in the frame of the body: a cell or more per shape, for pictures and as a surface
} StickSolid;

#endif
