// SPDX-License-Identifier: Apache-2.0
//
// A place is inside if a ray along x from it leaves the body an odd number of times. Which faces the ray may hit
// is told by comparisons of coordinates that two faces with a common side make alike, so that no ray slips
// through a side or counts it twice.
#include "contact/interior.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/sides.h"

#include <math.h>

// Of the size of a piece: what is less deep behind it has come through it.
static const double SHALLOW = 0.05;

void stick_interior_destroy(StickInterior *interior)
{
    stick_free(interior->ctx, interior->corner);
    stick_bvh_destroy(&interior->tree);
    *interior = (StickInterior){0};
}

static void add_face(StickInterior *interior, int a, int b, int c)
{
    const int node[3] = {a, b, c};
    for (int k = 0; k < interior->dim; k++)
        interior->corner[interior->nfaces * interior->dim + k] = node[k];
    interior->nfaces++;
}

// A quadratic edge is two chords, a quad two triangles.
static void add_side(StickInterior *interior, StickFacet facet)
{
    const StickMesh *mesh = &interior->body->mesh;
    int node[STICK_MOST_FACET_NODES] = {0};
    int count = stick_mesh_facet_nodes(mesh, facet, node);
    if (stick_mesh_facet_shape(mesh, facet) == STICK_BAR3) {
        add_face(interior, node[0], node[2], 0);
        add_face(interior, node[2], node[1], 0);
        return;
    }
    add_face(interior, node[0], node[1], node[2]);
    if (count == 4)
        add_face(interior, node[0], node[2], node[3]);
}

static StickStatus take_skin(StickInterior *interior, const StickSides *sides)
{
    size_t free_sides = 0;
    for (int k = 0, alike; k < sides->count; k += alike) {
        alike = stick_sides_alike(sides, k);
        free_sides += alike == 1;
    }
    STICK_ALLOC(interior->ctx, interior->corner, 2 * free_sides * (size_t)interior->dim);
    for (int k = 0, alike; k < sides->count; k += alike) {
        alike = stick_sides_alike(sides, k);
        if (alike == 1)
            add_side(interior, sides->side[k].facet);
    }
    return STICK_OK;
}

static StickBox face_box(const StickInterior *interior, int face)
{
    double place[9];
    for (int k = 0; k < interior->dim; k++)
        stick_body_place(interior->body, interior->dim, interior->corner[face * interior->dim + k],
                         interior->q, place + 3 * k);
    return stick_box_around(place, interior->dim, 0);
}

static StickStatus plant_tree(StickInterior *interior, const double *zero)
{
    StickBox *box;
    STICK_ALLOC(interior->ctx, box, interior->nfaces);
    interior->q = zero;
    for (int f = 0; f < interior->nfaces; f++)
        box[f] = face_box(interior, f);
    StickStatus status = stick_bvh_create(interior->ctx, box, interior->nfaces, &interior->tree);
    stick_free(interior->ctx, box);
    interior->q = NULL;
    return status;
}

static StickStatus create(StickInterior *interior)
{
    StickContext *ctx = interior->ctx;
    StickSides sides;
    double *zero;
    STICK_TRY(stick_sides_create(ctx, &interior->body->mesh, &sides));
    StickStatus status = take_skin(interior, &sides);
    stick_sides_destroy(ctx, &sides);
    STICK_TRY(status);
    STICK_ALLOC(ctx, zero, interior->body->first + interior->body->ndofs);
    status = plant_tree(interior, zero);
    stick_free(ctx, zero);
    return status;
}

StickStatus stick_interior_create(StickContext *ctx, const StickBody *body, int dim, StickInterior *interior)
{
    StickInterior made = {.ctx = ctx, .body = body, .dim = dim};
    StickStatus status = create(&made);
    if (status != STICK_OK)
        stick_interior_destroy(&made);
    else
        *interior = made;
    return status;
}

void stick_interior_move(StickInterior *interior, const double *q)
{
    interior->q = q;
    interior->fitted = false;
    for (int i = 0; i < interior->nfaces * interior->dim; i++) {
        double place[3];
        stick_body_place(interior->body, interior->dim, interior->corner[i], q, place);
        if (i == 0)
            interior->box = stick_box_around(place, 1, 0);
        stick_box_include(&interior->box, place);
    }
}

static void fit(StickInterior *interior)
{
    if (interior->fitted)
        return;
    for (int f = 0; f < interior->nfaces; f++)
        interior->tree.box[f] = face_box(interior, f);
    stick_bvh_refit(&interior->tree);
    interior->fitted = true;
}

// Crossing of a segment with the line coordinate[along] = of the place: where it is along another coordinate.
// The lower node comes first, so that both faces of a side find the same number.
static double crossing(const double *a, const double *b, bool turned, int along, int other, double at)
{
    const double *from = turned ? b : a, *to = turned ? a : b;
    return from[other] + (to[other] - from[other]) * ((at - from[along]) / (to[along] - from[along]));
}

// In the plane of y and z: whether an odd number of sides of the triangle are above the place, that is, it is
// within.
static bool covers(const int node[3], double corner[3][3], const double place[3])
{
    bool within = false;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        const double *a = corner[k], *b = corner[next];
        if ((a[1] > place[1]) == (b[1] > place[1]))
            continue;
        if (crossing(a, b, node[k] > node[next], 1, 2, place[1]) > place[2])
            within = !within;
    }
    return within;
}

static bool triangle_hit(const int node[3], double corner[3][3], const double place[3])
{
    if (!covers(node, corner, place))
        return false;
    // The plane of the triangle, n (x - corner 0) = 0; one that is seen edge-on is not crossed.
    const double *o = corner[0];
    double u[3], v[3];
    for (int k = 0; k < 3; k++)
        u[k] = corner[1][k] - o[k], v[k] = corner[2][k] - o[k];
    double nx = u[1] * v[2] - u[2] * v[1], ny = u[2] * v[0] - u[0] * v[2], nz = u[0] * v[1] - u[1] * v[0];
    if (nx == 0)
        return false;
    return o[0] - (ny * (place[1] - o[1]) + nz * (place[2] - o[2])) / nx > place[0];
}

static bool is_hit(const StickInterior *interior, int face, const double place[3])
{
    const int *node = interior->corner + face * interior->dim;
    double corner[3][3];
    for (int k = 0; k < interior->dim; k++)
        stick_body_place(interior->body, interior->dim, node[k], interior->q, corner[k]);
    if (interior->dim == 1)
        return corner[0][0] > place[0];
    if (interior->dim == 3)
        return triangle_hit(node, corner, place);
    return (corner[0][1] > place[1]) != (corner[1][1] > place[1]) &&
           crossing(corner[0], corner[1], node[0] > node[1], 1, 0, place[1]) > place[0];
}

bool stick_interior_may_hold(const StickInterior *interior, const double place[3])
{
    const StickBox *box = &interior->box;
    for (int k = 0; k < 3; k++)
        if (place[k] < box->low[k] || place[k] > box->high[k])
            return false;
    return true;
}

StickStatus stick_interior_holds(StickInterior *interior, const double place[3], StickHits *hits,
                                 bool *inside)
{
    *inside = false;
    if (!stick_interior_may_hold(interior, place))
        return STICK_OK;
    fit(interior);
    StickBox ray = stick_box_around(place, 1, 0);
    ray.high[0] = interior->box.high[0];
    STICK_TRY(stick_bvh_query(&interior->tree, &ray, hits));
    for (size_t i = 0; i < hits->count; i++)
        if (is_hit(interior, hits->item[i], place))
            *inside = !*inside;
    return STICK_OK;
}

// ---- what is nearest

static double segment_distance(const double a[3], const double b[3], const double place[3])
{
    double along[3], from[3];
    stick_vec_sub(b, a, along);
    stick_vec_sub(place, a, from);
    double square = stick_vec_dot(along, along);
    double s = square > 0 ? fmin(1, fmax(0, stick_vec_dot(from, along) / square)) : 0;
    stick_vec_axpy(from, -s, along, from);
    return stick_vec_norm(from);
}

// Over its plane, if the place is over the triangle, or of its sides.
static double triangle_distance(double corner[3][3], const double place[3])
{
    double u[3], v[3], n[3], from[3], least = INFINITY;
    bool over = true;
    stick_vec_sub(corner[1], corner[0], u);
    stick_vec_sub(corner[2], corner[0], v);
    stick_vec_cross(u, v, n);
    for (int k = 0; k < 3; k++) {
        const double *a = corner[k], *b = corner[(k + 1) % 3];
        stick_vec_sub(b, a, u);
        stick_vec_sub(place, a, from);
        stick_vec_cross(u, from, v);
        over = over && stick_vec_dot(v, n) >= 0;
        least = fmin(least, segment_distance(a, b, place));
    }
    return over && stick_vec_norm(n) > 0 ? fabs(stick_vec_dot(from, n)) / stick_vec_norm(n) : least;
}

static double face_distance(const StickInterior *interior, int face, const double place[3])
{
    double corner[3][3];
    for (int k = 0; k < interior->dim; k++)
        stick_body_place(interior->body, interior->dim, interior->corner[face * interior->dim + k],
                         interior->q, corner[k]);
    return interior->dim == 3   ? triangle_distance(corner, place)
           : interior->dim == 2 ? segment_distance(corner[0], corner[1], place)
                                : segment_distance(corner[0], corner[0], place);
}

static StickStatus is_near_skin(StickInterior *interior, const double place[3], double distance,
                                StickHits *hits, bool *near)
{
    StickBox box = stick_box_around(place, 1, distance);
    fit(interior);
    *near = false;
    STICK_TRY(stick_bvh_query(&interior->tree, &box, hits));
    for (size_t i = 0; i < hits->count && !*near; i++)
        *near = face_distance(interior, hits->item[i], place) < distance;
    return STICK_OK;
}

// What is inside has come through the skin where it is nearest, and not through the other side of the body: a piece behind
// which it is twice as deep as behind another one is not what it touches. Edges of a right angle are 0.7 of the depth of
// their faces away.
static const double NEARER = 0.5;

StickStatus stick_interior_meets(StickInterior *interior, const double place[3], double height, double radius,
                                 double size, StickHits *hits, bool *met)
{
    *met = height > -fmax(radius, SHALLOW * size);
    if (*met || !interior)
        return STICK_OK;
    STICK_TRY(stick_interior_holds(interior, place, hits, met));
    if (!*met)
        return STICK_OK;
    bool is_nearer;
    STICK_TRY(is_near_skin(interior, place, -NEARER * height, hits, &is_nearer));
    *met = !is_nearer;
    return STICK_OK;
}

StickStatus stick_interior_buries(StickInterior *interior, const double place[3], double margin,
                                  StickHits *hits, bool *buried)
{
    STICK_TRY(stick_interior_holds(interior, place, hits, buried));
    for (int step = 0; step < 2 * interior->dim && *buried; step++) {
        double moved[3] = {place[0], place[1], place[2]};
        moved[step / 2] += step % 2 ? margin : -margin;
        STICK_TRY(stick_interior_holds(interior, moved, hits, buried));
    }
    return STICK_OK;
}
