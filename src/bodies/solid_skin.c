// SPDX-License-Identifier: Apache-2.0
#include "bodies/solid_skin.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/builder.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct Skin {
    StickMeshBuilder builder;
    int round;
} Skin;

// ---- in the plane

// Triangles around the middle node, whose rim follows it.
static StickStatus add_fan(StickMeshBuilder *builder, int middle, int count)
{
    for (int k = 0; k < count; k++) {
        int node[3] = {middle, middle + 1 + k, middle + 1 + (k + 1) % count};
        STICK_TRY(stick_builder_add_element(builder, STICK_TRI3, node, 0));
    }
    return STICK_OK;
}

static StickStatus add_polygon(Skin *skin, const StickConvex *shape)
{
    StickMeshBuilder *builder = &skin->builder;
    int count = shape->nvertices, first = builder->mesh.nnodes;
    int node[4] = {first, first + 1, first + 2, first + 3};
    if (count > 4)
        STICK_TRY(stick_builder_add_node(builder, shape->centre, 0));
    for (int k = 0; k < count; k++)
        STICK_TRY(stick_builder_add_node(builder, &shape->vertex[3 * (size_t)k], 0));
    return count > 4 ? add_fan(builder, first, count)
                     : stick_builder_add_element(builder, count == 3 ? STICK_TRI3 : STICK_QUAD4, node, 0);
}

// Disk or stadium: anticlockwise from the lowest place, seen along its axis.
static StickStatus add_round(Skin *skin, const StickConvex *shape)
{
    StickMeshBuilder *builder = &skin->builder;
    bool long_one = shape->kind == STICK_SHAPE_CAPSULE;
    int first = builder->mesh.nnodes, half = skin->round / 2, n = 2 * half;
    double along[2] = {1, 0};
    if (long_one)
        memcpy(along, shape->axis, sizeof along);
    STICK_TRY(stick_builder_add_node(builder, shape->centre, 0));
    for (int k = 0; k < n + 2 * long_one; k++) {
        // both ends have the places where they begin
        bool right = k <= half;
        double phi = 2 * pi * (right ? k : k - long_one) / n, u = shape->radius * sin(phi),
               v = -shape->radius * cos(phi);
        u += long_one ? (right ? shape->half_length : -shape->half_length) : 0;
        double x[2] = {shape->centre[0] + u * along[0] - v * along[1],
                       shape->centre[1] + u * along[1] + v * along[0]};
        STICK_TRY(stick_builder_add_node(builder, x, 0));
    }
    return add_fan(builder, first, n + 2 * long_one);
}

// ---- in space: tets between a middle node and triangles, anticlockwise seen from outside

static StickStatus add_tet(StickMeshBuilder *builder, int middle, int a, int b, int c)
{
    int node[4] = {a, c, b, middle};
    return stick_builder_add_element(builder, STICK_TET4, node, 0);
}

static bool is_box(const StickConvex *shape)
{
    const StickShapeInfo *hex = stick_shape_info(STICK_HEX8);
    bool same = shape->nvertices == 8 && shape->nfaces == 6;
    for (int f = 0; same && f < 6; f++)
        same = shape->face_start[f + 1] == 4 * (f + 1) &&
               memcmp(&shape->face_vertex[4 * f], hex->side[f], 4 * sizeof(int)) == 0;
    return same;
}

static StickStatus add_polyhedron(Skin *skin, const StickConvex *shape)
{
    StickMeshBuilder *builder = &skin->builder;
    int first = builder->mesh.nnodes, middle = first + shape->nvertices;
    for (int k = 0; k < shape->nvertices; k++)
        STICK_TRY(stick_builder_add_node(builder, &shape->vertex[3 * (size_t)k], 0));
    if (is_box(shape)) {
        int node[8];
        for (int k = 0; k < 8; k++)
            node[k] = first + k;
        return stick_builder_add_element(builder, STICK_HEX8, node, 0);
    }
    STICK_TRY(stick_builder_add_node(builder, shape->centre, 0));
    for (int f = 0; f < shape->nfaces; f++)
        for (int k = shape->face_start[f] + 1; k + 1 < shape->face_start[f + 1]; k++)
            STICK_TRY(add_tet(builder, middle, first + shape->face_vertex[shape->face_start[f]],
                              first + shape->face_vertex[k], first + shape->face_vertex[k + 1]));
    return STICK_OK;
}

// Half a section of a solid of revolution: from the pole below, by rings, to the pole above.
typedef struct Profile {
    int count;
    double (*ring)[2]; // distance from the axis, height along it
    double low, high;  // heights of the poles
} Profile;

// Quarter circles below and above, each with m rings, or both ends of a cylinder.
static void draw_profile(const StickConvex *shape, int m, Profile *profile)
{
    double r = shape->radius, L = shape->half_length;
    bool cylinder = shape->kind == STICK_SHAPE_CYLINDER, ball = shape->kind == STICK_SHAPE_BALL;
    profile->count = 0;
    for (int end = 0; end < 2; end++)
        for (int j = 0; j < m; j++) {
            // angle from the equator; a ball has only one equator
            int k = end == 0 ? m - 1 - j : j;
            double angle = cylinder ? 0 : pi / 2 * k / m, sign = end == 0 ? -1 : 1;
            if ((cylinder && k > 0) || (ball && end == 1 && k == 0))
                continue;
            double *ring = profile->ring[profile->count++];
            ring[0] = r * cos(angle);
            ring[1] = sign * ((ball ? 0 : L) + r * sin(angle));
        }
    profile->high = (ball ? 0 : L) + (cylinder ? 0 : r);
    profile->low = -profile->high;
}

// Two unit vectors across an axis, right-handed with it: x and y for z.
static void across(const double axis[3], double e1[3], double e2[3])
{
    int least = 0;
    for (int k = 1; k < 3; k++)
        least = fabs(axis[k]) < fabs(axis[least]) ? k : least;
    double unit[3] = {least == 0, least == 1, least == 2};
    stick_vec_axpy(unit, -axis[least], axis, e1);
    stick_vec_normalise(e1);
    stick_vec_cross(axis, e1, e2);
}

// Middle, pole below, pole above, then the rings.
static StickStatus add_profile_nodes(Skin *skin, const StickConvex *shape, const Profile *profile)
{
    StickMeshBuilder *builder = &skin->builder;
    double axis[3] = {0, 0, 1}, e1[3], e2[3], x[3];
    if (shape->kind != STICK_SHAPE_BALL)
        memcpy(axis, shape->axis, sizeof axis);
    across(axis, e1, e2);
    STICK_TRY(stick_builder_add_node(builder, shape->centre, 0));
    stick_vec_axpy(shape->centre, profile->low, axis, x);
    STICK_TRY(stick_builder_add_node(builder, x, 0));
    stick_vec_axpy(shape->centre, profile->high, axis, x);
    STICK_TRY(stick_builder_add_node(builder, x, 0));
    for (int j = 0; j < profile->count; j++)
        for (int k = 0; k < skin->round; k++) {
            double phi = 2 * pi * k / skin->round;
            stick_vec_axpy(shape->centre, profile->ring[j][1], axis, x);
            stick_vec_axpy(x, profile->ring[j][0] * cos(phi), e1, x);
            stick_vec_axpy(x, profile->ring[j][0] * sin(phi), e2, x);
            STICK_TRY(stick_builder_add_node(builder, x, 0));
        }
    return STICK_OK;
}

static StickStatus add_profile_cells(Skin *skin, int middle, int nrings)
{
    StickMeshBuilder *builder = &skin->builder;
    int n = skin->round, low = middle + 1, high = middle + 2, first = middle + 3,
        last = first + (nrings - 1) * n;
    for (int k = 0; k < n; k++) {
        int next = (k + 1) % n;
        STICK_TRY(add_tet(builder, middle, low, first + next, first + k));
        STICK_TRY(add_tet(builder, middle, high, last + k, last + next));
        for (int j = 0; j + 1 < nrings; j++) {
            int below = first + j * n, above = below + n;
            STICK_TRY(add_tet(builder, middle, below + k, below + next, above + next));
            STICK_TRY(add_tet(builder, middle, below + k, above + next, above + k));
        }
    }
    return STICK_OK;
}

static StickStatus add_revolved(Skin *skin, const StickConvex *shape)
{
    int m = (skin->round + 2) / 4, middle = skin->builder.mesh.nnodes;
    Profile profile;
    STICK_ALLOC(skin->builder.ctx, profile.ring, 2 * (size_t)m);
    draw_profile(shape, m, &profile);
    StickStatus status = add_profile_nodes(skin, shape, &profile);
    if (status == STICK_OK)
        status = add_profile_cells(skin, middle, profile.count);
    stick_free(skin->builder.ctx, profile.ring);
    return status;
}

// ---- all of it

static StickStatus add_shape(Skin *skin, int dim, const StickConvex *shape)
{
    bool polytope = shape->kind == STICK_SHAPE_POLYTOPE;
    if (dim == 2)
        return polytope ? add_polygon(skin, shape) : add_round(skin, shape);
    return polytope ? add_polyhedron(skin, shape) : add_revolved(skin, shape);
}

static StickStatus add_outer(StickMeshBuilder *builder)
{
    const StickSides *sides;
    int outer;
    STICK_TRY(stick_builder_sides(builder, &sides));
    STICK_TRY(stick_builder_group(builder, "outer", &outer));
    for (int k = 0, alike; k < sides->count; k += alike) {
        alike = stick_sides_alike(sides, k);
        if (alike == 1)
            STICK_TRY(stick_builder_group_facet(builder, outer, sides->side[k].facet));
    }
    return STICK_OK;
}

static StickStatus build(Skin *skin, const StickSolid *solid, StickMesh *mesh)
{
    for (int s = 0; s < solid->nshapes; s++)
        STICK_TRY(add_shape(skin, solid->dim, &solid->shape[s]));
    STICK_TRY(add_outer(&skin->builder));
    return stick_builder_finish(&skin->builder, mesh);
}

StickStatus stick_solid_skin(StickContext *ctx, const StickSolid *solid, int round, StickMesh *mesh)
{
    Skin skin = {.round = round < 6 ? 6 : round};
    stick_builder_init(&skin.builder, ctx, solid->dim);
    StickStatus status = build(&skin, solid, mesh);
    if (status != STICK_OK)
        stick_builder_destroy(&skin.builder);
    return status;
}
