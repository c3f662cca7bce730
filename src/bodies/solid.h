// SPDX-License-Identifier: Apache-2.0
// The geometry of a rigid body: convex shapes in its own frame, whose origin is its mass centre. Bodies that
// are alike share one solid.
//
// A shape is a core (point, segment, convex polygon or polyhedron) with everything nearer to it than a
// radius:
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
    int *edge; // 4 each: two vertices, ascending, and two faces: the first has them in this order
} StickConvex;

typedef struct StickSolid {
    int dim;
    int nshapes;
    StickConvex *shape;
    double volume;     // in the plane: area (times thickness is the caller's)
    double inertia[9]; // of unit density about the mass centre, by rows; in the plane only [8]: about z
    double shift[3];   // mass centre in the frame in which the user gave the shapes
    double bound;      // radius of the ball about the mass centre
    double thin;       // least distance of a shape's surface from the middle of it, of all shapes
    StickMesh skin;    // in the frame of the body: a cell or more per shape, for pictures and as a surface
} StickSolid;

// Shapes of the user, in their own frame, and the position of that frame.
typedef enum StickShapeSpecKind {
    STICK_SPEC_BALL,     // disk or sphere: radius, about the origin
    STICK_SPEC_BOX,      // size, about the origin
    STICK_SPEC_CAPSULE,  // radius, length between the centres of its round ends; about the origin, ...
    STICK_SPEC_CYLINDER, // ... along x in the plane, along z in space
    STICK_SPEC_POLYGON,  // in the plane: corners in order, either way round; must be convex
    STICK_SPEC_HULL,     // of any points
    STICK_SPEC_MESH,     // hull of the nodes of a mesh, which must be convex
} StickShapeSpecKind;

typedef struct StickShapeSpec {
    StickShapeSpecKind kind;
    StickMark mark; // line 0: that of the solid
    double radius, length;
    double size[3];
    int npoints;
    const double *points;  // npoints x dim
    const StickMesh *mesh; // cells of the dimension of space, or a closed surface
    double position[3];
    double turn[4]; // in the plane about z; all zero: none
} StickShapeSpec;

typedef struct StickSolidSpec {
    const char *name; // of the body, for messages, and ...
    StickMark mark;   // ... where the user describes it
    int dim;          // 2 or 3
    int nshapes;      // where they overlap, their mass counts twice
    const StickShapeSpec *shape;
    int round; // corners that the skin puts on a full circle; 0: 32 in the plane, 16 in space
} StickSolidSpec;

// Refuses, with the key and its value: sizes that are not positive, too few points, corners that are not convex, flat
// hulls, meshes that are not convex.
StickStatus stick_solid_create(StickContext *ctx, const StickSolidSpec *spec, StickSolid *solid);
void stick_solid_destroy(StickContext *ctx, StickSolid *solid);

// A disk or a sphere about its mass centre: rotations do not move its surface.
bool stick_solid_is_ball(const StickSolid *solid);

#endif
