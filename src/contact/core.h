// SPDX-License-Identifier: Apache-2.0
// The core of a convex shape where it is: a point (ball), a segment (capsule) or a polyhedron, and the radius around it.
#ifndef CONTACT_CORE_H
#define CONTACT_CORE_H

#include "base/vec.h"
#include "contact/manifold.h"

#include <stddef.h>
#include <string.h>

typedef struct StickCore {
    int nvertices, nedges, nfaces;
    const double *vertex, *face; // in the frame of the body, as in StickConvex
    const int *face_start, *face_vertex, *edge;
    double origin[3];        // of that frame, ...
    const double (*axis)[3]; // ... and its axes
    double radius;
    double segment[6]; // vertices of a point or a segment
} StickCore;

// Places are told from `from`, so that they are as exact near it as far from the origin of the world. The core points
// into itself and into the shape: it is not to be copied.
void stick_core_place(const StickPlacedShape *placed, const double from[3], StickCore *core);

// A direction of the body, in space.
static inline void stick_core_turn(const StickCore *core, const double *x, double y[3])
{
    for (int k = 0; k < 3; k++)
        y[k] = x[0] * core->axis[0][k] + x[1] * core->axis[1][k] + x[2] * core->axis[2][k];
}

static inline void stick_core_vertex(const StickCore *core, int vertex, double x[3])
{
    stick_core_turn(core, core->vertex + 3 * (ptrdiff_t)vertex, x);
    for (int k = 0; k < 3; k++)
        x[k] += core->origin[k];
}

// Outer normal and offset of a face: normal.x = offset on it.
void stick_core_plane(const StickCore *core, int face, double plane[4]);

// The vertex farthest along a direction (of equal ones the first), and how far it is.
int stick_core_support(const StickCore *core, const double direction[3], double *height);

// Of the faces at a vertex the one that faces a direction most, with the cosine; -1: there is none.
int stick_core_face_at(const StickCore *core, int vertex, const double direction[3], double *cosine);

// Of the edges at a vertex the one most at right angles to a direction, with the cosine; -1: there is none.
int stick_core_edge_at(const StickCore *core, int vertex, const double direction[3], double *cosine);

// Is a point in a polyhedron, or outside of its faces by no more than the slack?
bool stick_core_holds(const StickCore *core, const double x[3], double slack);

// The edge between two vertices; -1: there is none.
int stick_core_edge_between(const StickCore *core, int v, int w);

#endif
