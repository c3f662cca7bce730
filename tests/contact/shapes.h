// SPDX-License-Identifier: Apache-2.0
// Convex shapes in space for tests: made by hand, with their own support functions and distances.
#ifndef TESTS_CONTACT_SHAPES_H
#define TESTS_CONTACT_SHAPES_H

#include "base/random.h"
#include "base/vec.h"
#include "contact/manifold.h"

#include <string.h>

enum { MOST_POINTS = 24, MOST_FACES = 64 };

// A polyhedron with room of its own; `convex` points into it: not to be copied.
typedef struct Solid {
    StickConvex convex;
    double vertex[3 * MOST_POINTS], face[4 * MOST_FACES];
    int start[MOST_FACES + 1], corner[4 * MOST_FACES], edge[8 * MOST_FACES];
} Solid;

static inline const double *solid_corner(const Solid *solid, int f, int k)
{
    int count = solid->start[f + 1] - solid->start[f];
    return solid->vertex + 3 * solid->corner[solid->start[f] + k % count];
}

// Planes, edges and bounds from vertices and faces.
static inline void complete(Solid *solid, int nvertices, int nfaces)
{
    StickConvex *c = &solid->convex;
    *c = (StickConvex){.kind = STICK_SHAPE_POLYTOPE, .nvertices = nvertices, .nfaces = nfaces};
    c->vertex = solid->vertex, c->face = solid->face;
    c->face_start = solid->start, c->face_vertex = solid->corner, c->edge = solid->edge;
    for (int i = 0; i < nvertices; i++)
        c->bound = fmax(c->bound, stick_vec_norm(solid->vertex + 3 * i));
    for (int f = 0; f < nfaces; f++) {
        double d[3], e[3], *plane = solid->face + 4 * f;
        stick_vec_sub(solid_corner(solid, f, 1), solid_corner(solid, f, 0), d);
        stick_vec_sub(solid_corner(solid, f, 2), solid_corner(solid, f, 0), e);
        stick_vec_cross(d, e, plane);
        stick_vec_normalise(plane);
        plane[3] = stick_vec_dot(plane, solid_corner(solid, f, 0));
    }
    for (int f = 0; f < nfaces; f++)
        for (int k = solid->start[f]; k < solid->start[f + 1]; k++) {
            int v = solid->corner[k],
                w = solid->corner[k + 1 < solid->start[f + 1] ? k + 1 : solid->start[f]];
            for (int g = 0; v < w && g < nfaces; g++)
                for (int l = solid->start[g]; l < solid->start[g + 1]; l++)
                    if (solid->corner[l] == w &&
                        solid->corner[l + 1 < solid->start[g + 1] ? l + 1 : solid->start[g]] == v)
                        memcpy(solid->edge + 4 * c->nedges++, (int[]){v, w, f, g}, 4 * sizeof(int));
        }
}

static inline void make_box(double x, double y, double z, Solid *solid)
{
    static const int corner[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
    for (int i = 0; i < 8; i++) {
        solid->vertex[3 * i] = i % 4 == 1 || i % 4 == 2 ? x / 2 : -x / 2;
        solid->vertex[3 * i + 1] = i % 4 >= 2 ? y / 2 : -y / 2;
        solid->vertex[3 * i + 2] = i >= 4 ? z / 2 : -z / 2;
    }
    for (int f = 0; f <= 6; f++)
        solid->start[f] = 4 * f;
    memcpy(solid->corner, corner, sizeof corner);
    complete(solid, 8, 6);
}

// A regular prism along z.
static inline void make_prism(int n, double radius, double height, Solid *solid)
{
    int at = 0;
    for (int i = 0; i < 2 * n; i++) {
        solid->vertex[3 * i] = radius * cos(2 * M_PI * (i % n) / n);
        solid->vertex[3 * i + 1] = radius * sin(2 * M_PI * (i % n) / n);
        solid->vertex[3 * i + 2] = i < n ? -height / 2 : height / 2;
    }
    for (int i = 0; i < n; i++) {
        solid->start[i] = at;
        memcpy(solid->corner + at, (int[]){i, (i + 1) % n, n + (i + 1) % n, n + i}, 4 * sizeof(int));
        at += 4;
    }
    for (int end = 0; end < 2; end++) {
        solid->start[n + end] = at;
        for (int i = 0; i < n; i++)
            solid->corner[at++] = end ? n + i : n - 1 - i;
    }
    solid->start[n + 2] = at;
    complete(solid, 2 * n, n + 2);
}

// Points on an ellipsoid: all of them are vertices, and all faces triangles.
static inline void make_hull(StickRandom *random, int n, double flat, Solid *solid)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        double *x = solid->vertex + 3 * i;
        do
            for (int k = 0; k < 3; k++)
                x[k] = stick_random_uniform(random, -1, 1);
        while (stick_vec_norm(x) > 1 || stick_vec_norm(x) < 0.1);
        stick_vec_normalise(x);
        x[2] *= flat;
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = i + 1; k < n; k++) {
                double d[3], e[3], m[3];
                bool outside = k != j;
                stick_vec_sub(solid->vertex + 3 * j, solid->vertex + 3 * i, d);
                stick_vec_sub(solid->vertex + 3 * k, solid->vertex + 3 * i, e);
                stick_vec_cross(d, e, m);
                for (int l = 0; l < n && outside; l++) {
                    stick_vec_sub(solid->vertex + 3 * l, solid->vertex + 3 * i, d);
                    outside = l == i || l == j || l == k || stick_vec_dot(m, d) < 0;
                }
                if (!outside)
                    continue;
                solid->start[count / 3] = count;
                memcpy(solid->corner + count, (int[]){i, j, k}, 3 * sizeof(int));
                count += 3;
            }
    solid->start[count / 3] = count;
    complete(solid, n, count / 3);
}

static inline StickConvex ball(double radius)
{
    return (StickConvex){.kind = STICK_SHAPE_BALL, .radius = radius, .bound = radius};
}

static inline StickConvex capsule(double radius, double half)
{
    return (StickConvex){.kind = STICK_SHAPE_CAPSULE,
                         .radius = radius,
                         .half_length = half,
                         .axis = {0, 0, 1},
                         .bound = radius + half};
}

static inline StickConvex cylinder(double radius, double half)
{
    return (StickConvex){.kind = STICK_SHAPE_CYLINDER,
                         .radius = radius,
                         .half_length = half,
                         .axis = {0, 0, 1},
                         .bound = sqrt(radius * radius + half * half)};
}

static inline StickPlacedShape placed(const StickConvex *shape, double x, double y, double z)
{
    return (StickPlacedShape){shape, {x, y, z}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

// Turns a placed shape about an axis through its mass centre.
static inline void turn(StickPlacedShape *shape, double x, double y, double z, double angle)
{
    double u[3] = {x, y, z};
    stick_vec_normalise(u);
    for (int k = 0; k < 3; k++) {
        double across[3], *axis = shape->axis[k], along = stick_vec_dot(u, axis);
        stick_vec_cross(u, axis, across);
        for (int d = 0; d < 3; d++)
            axis[d] = cos(angle) * axis[d] + sin(angle) * across[d] + (1 - cos(angle)) * along * u[d];
    }
}

static inline void turn_anyhow(StickRandom *random, StickPlacedShape *shape)
{
    for (int k = 0; k < 3; k++)
        turn(shape, k == 0, k == 1, k == 2, stick_random_uniform(random, 0, 2 * M_PI));
}

// Turns and shifts two placed shapes together.
static inline void move_both(StickPlacedShape *a, StickPlacedShape *b, const double u[3], double angle,
                             const double shift[3])
{
    StickPlacedShape frame = placed(NULL, 0, 0, 0), *both[2] = {a, b};
    turn(&frame, u[0], u[1], u[2], angle);
    for (int i = 0; i < 2; i++) {
        double x[3];
        memcpy(x, both[i]->centre, sizeof x);
        for (int d = 0; d < 3; d++)
            both[i]->centre[d] =
                shift[d] + x[0] * frame.axis[0][d] + x[1] * frame.axis[1][d] + x[2] * frame.axis[2][d];
        turn(both[i], u[0], u[1], u[2], angle);
    }
}

static inline void to_body(const StickPlacedShape *shape, const double x[3], double y[3])
{
    double d[3];
    stick_vec_sub(x, shape->centre, d);
    for (int k = 0; k < 3; k++)
        y[k] = stick_vec_dot(d, shape->axis[k]);
}

// How far the shape reaches along a direction.
static inline double reach_of(const StickPlacedShape *shape, const double direction[3])
{
    const StickConvex *c = shape->shape;
    double d[3], most = -INFINITY;
    for (int k = 0; k < 3; k++)
        d[k] = stick_vec_dot(direction, shape->axis[k]);
    double along = stick_vec_dot(d, c->axis), length = stick_vec_norm(d), across[3];
    stick_vec_axpy(d, -along, c->axis, across);
    if (c->kind == STICK_SHAPE_BALL)
        most = c->radius * length;
    else if (c->kind == STICK_SHAPE_CAPSULE)
        most = c->radius * length + c->half_length * fabs(along);
    else if (c->kind == STICK_SHAPE_CYLINDER)
        most = c->radius * stick_vec_norm(across) + c->half_length * fabs(along);
    for (int i = 0; i < c->nvertices; i++)
        most = fmax(most, stick_vec_dot(d, c->vertex + 3 * i));
    return stick_vec_dot(direction, shape->centre) + most + (c->nvertices ? 0 : stick_vec_dot(d, c->centre));
}

// How far a point is out of the shape, about; 0 or less: inside.
static inline double outside(const StickPlacedShape *shape, const double x[3])
{
    const StickConvex *c = shape->shape;
    double y[3], across[3], most = -INFINITY;
    to_body(shape, x, y);
    stick_vec_sub(y, c->centre, y);
    double along = stick_vec_dot(y, c->axis), clamped = fmax(-c->half_length, fmin(c->half_length, along));
    if (c->kind == STICK_SHAPE_CYLINDER) {
        stick_vec_axpy(y, -along, c->axis, across);
        return fmax(stick_vec_norm(across) - c->radius, fabs(along) - c->half_length);
    }
    if (c->kind != STICK_SHAPE_POLYTOPE) {
        stick_vec_axpy(y, -clamped, c->axis, across);
        return stick_vec_norm(across) - c->radius;
    }
    for (int f = 0; f < c->nfaces; f++)
        most = fmax(most, stick_vec_dot(c->face + 4 * f, y) - c->face[4 * f + 3]);
    return most;
}

// s(n) = min over a of n.x - max over b of n.x
static inline double apart_along(const StickPlacedShape *a, const StickPlacedShape *b, const double n[3])
{
    double down[3] = {-n[0], -n[1], -n[2]};
    return -reach_of(a, down) - reach_of(b, n);
}

#endif
