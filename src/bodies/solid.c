// SPDX-License-Identifier: Apache-2.0
// Every shape is made in its own frame about its own mass centre, then rotated and shifted relative to the common
// mass centre: a single shape keeps exactly the user's numbers.
#include "bodies/solid.h"

#include "base/memory.h"
#include "base/quaternion.h"
#include "bodies/hull.h"
#include "bodies/measure.h"
#include "bodies/mesh_hull.h"
#include "bodies/outline.h"
#include "bodies/polytope.h"
#include "bodies/solid_skin.h"

#include <stdio.h>

enum { WHO_TEXT = 160, ROUND_PLANE = 32, ROUND_SPACE = 16 };

// A shape under construction.
typedef struct Part {
    StickContext *ctx;
    int dim;
    const StickShapeSpec *spec;
    StickCloud who; // without points yet
    char text[WHO_TEXT];
    StickConvex *shape;
    StickMeasure *measure;
} Part;

bool stick_solid_is_ball(const StickSolid *solid)
{
    return solid->nshapes == 1 && solid->shape[0].kind == STICK_SHAPE_BALL;
}

void stick_solid_destroy(StickContext *ctx, StickSolid *solid)
{
    for (int s = 0; s < solid->nshapes; s++)
        stick_polytope_destroy(ctx, &solid->shape[s]);
    stick_free(ctx, solid->shape);
    stick_mesh_destroy(ctx, &solid->skin);
    *solid = (StickSolid){0};
}

// ---- checks of the input

static StickStatus refuse(const Part *part, const char *what, const char *wanted, double value)
{
    return stick_fail_at(part->ctx, STICK_BAD_INPUT, part->who.mark, "%s: its %s must be %s, not %g",
                         part->who.who, what, wanted, value);
}

static StickStatus check_size(const Part *part, const char *what, double value)
{
    return value > 0 && isfinite(value) ? STICK_OK : refuse(part, what, "a positive number", value);
}

static StickStatus check_place(const Part *part)
{
    const double *x = part->spec->position, *turn = part->spec->turn;
    for (int k = 0; k < 3; k++)
        if (!isfinite(x[k]) || (k >= part->dim && x[k] != 0))
            return refuse(part, "position", k < part->dim ? "of finite numbers" : "in the plane", x[k]);
    for (int k = 0; k < 4; k++)
        if (!isfinite(turn[k]) || (part->dim == 2 && (k == 1 || k == 2) && turn[k] != 0))
            return refuse(part, "rotation", part->dim == 2 ? "about z" : "of finite numbers", turn[k]);
    return STICK_OK;
}

static StickStatus check_space(const Part *part, int dim, const char *what)
{
    if (part->dim == dim)
        return STICK_OK;
    return stick_fail_at(part->ctx, STICK_BAD_INPUT, part->who.mark, "%s: %s is a shape of %dD, not of %dD",
                         part->who.who, what, dim, part->dim);
}

// ---- shapes in their own frame

static StickStatus make_ball(const Part *part)
{
    double radius = part->spec->radius;
    STICK_TRY(check_size(part, "radius", radius));
    *part->shape = (StickConvex){.kind = STICK_SHAPE_BALL, .radius = radius, .bound = radius};
    *part->measure = stick_measure_ball(part->dim, radius);
    return STICK_OK;
}

static StickStatus make_capsule(const Part *part)
{
    double r = part->spec->radius, half = part->spec->length / 2;
    STICK_TRY(check_size(part, "radius", r));
    STICK_TRY(check_size(part, "length", part->spec->length));
    *part->shape =
        (StickConvex){.kind = STICK_SHAPE_CAPSULE, .radius = r, .half_length = half, .bound = half + r};
    part->shape->axis[part->dim == 2 ? 0 : 2] = 1;
    *part->measure = stick_measure_capsule(part->dim, r, 2 * half);
    return STICK_OK;
}

static StickStatus make_cylinder(const Part *part)
{
    double r = part->spec->radius, half = part->spec->length / 2;
    STICK_TRY(check_space(part, 3, "a cylinder"));
    STICK_TRY(check_size(part, "radius", r));
    STICK_TRY(check_size(part, "length", part->spec->length));
    *part->shape = (StickConvex){.kind = STICK_SHAPE_CYLINDER,
                                 .radius = r,
                                 .half_length = half,
                                 .axis = {0, 0, 1},
                                 .bound = hypot(half, r)};
    *part->measure = stick_measure_cylinder(r, 2 * half);
    return STICK_OK;
}

static StickStatus make_box(const Part *part)
{
    static const char *const side[] = {"size in x", "size in y", "size in z"};
    const double *size = part->spec->size;
    StickConvex *shape = part->shape;
    for (int k = 0; k < part->dim; k++)
        STICK_TRY(check_size(part, side[k], size[k]));
    *part->measure = stick_measure_box(part->dim, size);
    if (part->dim == 3)
        return stick_polytope_box(part->ctx, size, shape);
    STICK_TRY(stick_polytope_create(part->ctx, 4, 0, 0, shape));
    for (int k = 0; k < 4; k++) {
        shape->vertex[3 * k] = (k == 1 || k == 2 ? size[0] : -size[0]) / 2;
        shape->vertex[3 * k + 1] = (k >= 2 ? size[1] : -size[1]) / 2;
    }
    return STICK_OK;
}

static StickStatus wrap_points(const Part *part, const double *x)
{
    StickCloud cloud = {part->who.who, part->who.mark, part->spec->npoints, x};
    if (part->spec->kind == STICK_SPEC_POLYGON)
        return stick_outline_polygon(part->ctx, &cloud, part->shape);
    return part->dim == 2 ? stick_outline_hull(part->ctx, &cloud, part->shape)
                          : stick_hull_create(part->ctx, &cloud, part->shape);
}

static StickStatus make_of_points(const Part *part)
{
    int dim = part->dim, count = part->spec->npoints > 0 ? part->spec->npoints : 0;
    double *x;
    if (part->spec->kind == STICK_SPEC_POLYGON)
        STICK_TRY(check_space(part, 2, "a polygon"));
    STICK_ALLOC(part->ctx, x, 3 * (size_t)count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < dim; k++)
            x[3 * (size_t)i + k] = part->spec->points[(size_t)i * (size_t)dim + k];
    StickStatus status = wrap_points(part, x);
    stick_free(part->ctx, x);
    return status;
}

// Polygons and hulls: from the origin of the user to the mass centre.
static void centre_polytope(const Part *part)
{
    StickConvex *shape = part->shape;
    *part->measure = stick_measure_polytope(shape);
    const double *centre = part->measure->centre;
    for (int v = 0; v < shape->nvertices; v++)
        stick_vec_sub(&shape->vertex[3 * (size_t)v], centre, &shape->vertex[3 * (size_t)v]);
    for (int f = 0; f < shape->nfaces; f++)
        shape->face[4 * (size_t)f + 3] -= stick_vec_dot(&shape->face[4 * (size_t)f], centre);
}

static StickStatus make_shape(const Part *part)
{
    switch (part->spec->kind) {
    case STICK_SPEC_BALL:
        return make_ball(part);
    case STICK_SPEC_BOX:
        return make_box(part);
    case STICK_SPEC_CAPSULE:
        return make_capsule(part);
    case STICK_SPEC_CYLINDER:
        return make_cylinder(part);
    case STICK_SPEC_MESH:
        STICK_TRY(stick_mesh_hull(part->ctx, &part->who, part->dim, part->spec->mesh, part->shape));
        centre_polytope(part);
        return STICK_OK;
    default:
        STICK_TRY(make_of_points(part));
        centre_polytope(part);
        return STICK_OK;
    }
}

// ---- where they are

// Turns a shape about its own mass centre, which the origin still is.
static void turn_shape(StickConvex *shape, const double turn[4])
{
    stick_quaternion_rotate(turn, shape->axis, shape->axis);
    for (int v = 0; v < shape->nvertices; v++)
        stick_quaternion_rotate(turn, &shape->vertex[3 * (size_t)v], &shape->vertex[3 * (size_t)v]);
    for (int f = 0; f < shape->nfaces; f++)
        stick_quaternion_rotate(turn, &shape->face[4 * (size_t)f], &shape->face[4 * (size_t)f]);
}

static void shift_shape(StickConvex *shape, const double d[3])
{
    stick_vec_axpy(shape->centre, 1, d, shape->centre);
    for (int v = 0; v < shape->nvertices; v++) {
        double *x = &shape->vertex[3 * (size_t)v];
        shape->bound = fmax(shape->bound, stick_vec_norm(x));
        stick_vec_axpy(x, 1, d, x);
    }
    for (int f = 0; f < shape->nfaces; f++)
        shape->face[4 * (size_t)f + 3] += stick_vec_dot(&shape->face[4 * (size_t)f], d);
}

static StickStatus make_part(const Part *part)
{
    double turn[4] = {part->spec->turn[0], part->spec->turn[1], part->spec->turn[2], part->spec->turn[3]};
    STICK_TRY(check_place(part));
    STICK_TRY(make_shape(part));
    if (!(stick_quaternion_normalise(turn) > 0))
        stick_quaternion_identity(turn);
    turn_shape(part->shape, turn);
    stick_measure_move(part->measure, turn, part->spec->position);
    return STICK_OK;
}

// ---- together

// Radius about the mass centre of all; of a cylinder the farther rim.
static double reach(const StickConvex *shape)
{
    double farthest = 0, along = stick_vec_dot(shape->centre, shape->axis), beside[3], end[3];
    stick_vec_axpy(shape->centre, -along, shape->axis, beside);
    switch (shape->kind) {
    case STICK_SHAPE_BALL:
        return stick_vec_norm(shape->centre) + shape->radius;
    case STICK_SHAPE_CAPSULE:
        stick_vec_axpy(beside, fabs(along) + shape->half_length, shape->axis, end);
        return stick_vec_norm(end) + shape->radius;
    case STICK_SHAPE_CYLINDER:
        return hypot(fabs(along) + shape->half_length, stick_vec_norm(beside) + shape->radius);
    default:
        for (int v = 0; v < shape->nvertices; v++)
            farthest = fmax(farthest, stick_vec_norm(&shape->vertex[3 * (size_t)v]));
        return farthest;
    }
}

static StickStatus check_measure(StickContext *ctx, const StickSolidSpec *spec, const StickMeasure *all)
{
    bool good = all->volume > 0 && isfinite(all->volume) && all->inertia[8] > 0;
    for (int k = 0; k < 9; k++)
        good = good && isfinite(all->inertia[k]);
    if (good)
        return STICK_OK;
    return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                         "body '%s' has a volume of %g: its sizes are out of range", spec->name, all->volume);
}

static void middle_of(const StickConvex *shape, double middle[3])
{
    for (int k = 0; k < 3; k++)
        middle[k] = 0;
    for (int i = 0; i < shape->nvertices; i++)
        stick_vec_axpy(middle, 1. / shape->nvertices, shape->vertex + (size_t)3 * i, middle);
}

static double thin_polytope(const StickConvex *shape, int dim)
{
    double middle[3], least = INFINITY;
    middle_of(shape, middle);
    for (int f = 0; f < shape->nfaces; f++)
        least = fmin(least, shape->face[4 * f + 3] - stick_vec_dot(shape->face + (size_t)4 * f, middle));
    for (int i = 0; i < shape->nvertices && dim == 2; i++) {
        const double *a = shape->vertex + (size_t)3 * i,
                     *b = shape->vertex + 3 * ((i + 1) % shape->nvertices);
        double x = b[0] - a[0], y = b[1] - a[1];
        least = fmin(least, fabs(x * (middle[1] - a[1]) - y * (middle[0] - a[0])) / hypot(x, y));
    }
    return least;
}

// From the middle of a shape to the nearest point of its surface.
static double thin(const StickConvex *shape, int dim)
{
    if (shape->kind == STICK_SHAPE_POLYTOPE)
        return thin_polytope(shape, dim);
    return shape->kind == STICK_SHAPE_CYLINDER ? fmin(shape->radius, shape->half_length) : shape->radius;
}

static StickStatus join(StickContext *ctx, const StickSolidSpec *spec, const StickMeasure *measure,
                        StickSolid *solid)
{
    StickMeasure all = stick_measure_sum(spec->dim, measure, spec->nshapes);
    STICK_TRY(check_measure(ctx, spec, &all));
    solid->volume = all.volume;
    for (int k = 0; k < 9; k++)
        solid->inertia[k] = all.inertia[k];
    for (int k = 0; k < 3; k++)
        solid->shift[k] = all.centre[k];
    for (int s = 0; s < spec->nshapes; s++) {
        double d[3];
        stick_vec_sub(measure[s].centre, all.centre, d);
        shift_shape(&solid->shape[s], d);
        solid->bound = fmax(solid->bound, reach(&solid->shape[s]));
        solid->thin = fmin(s == 0 ? INFINITY : solid->thin, thin(&solid->shape[s], spec->dim));
    }
    return STICK_OK;
}

static StickStatus make_parts(StickContext *ctx, const StickSolidSpec *spec, StickMeasure *measure,
                              StickSolid *solid)
{
    for (int s = 0; s < spec->nshapes; s++) {
        Part part = {.ctx = ctx,
                     .dim = spec->dim,
                     .spec = &spec->shape[s],
                     .shape = &solid->shape[s],
                     .measure = &measure[s]};
        if (spec->nshapes == 1)
            snprintf(part.text, sizeof part.text, "body '%s'", spec->name);
        else
            snprintf(part.text, sizeof part.text, "part %d of body '%s'", s + 1, spec->name);
        part.who =
            (StickCloud){.who = part.text, .mark = part.spec->mark.line > 0 ? part.spec->mark : spec->mark};
        STICK_TRY(make_part(&part));
    }
    return join(ctx, spec, measure, solid);
}

static StickStatus fill(StickContext *ctx, const StickSolidSpec *spec, StickSolid *solid)
{
    StickMeasure *measure;
    STICK_ALLOC(ctx, solid->shape, spec->nshapes);
    solid->nshapes = spec->nshapes;
    STICK_ALLOC(ctx, measure, spec->nshapes);
    StickStatus status = make_parts(ctx, spec, measure, solid);
    stick_free(ctx, measure);
    STICK_TRY(status);
    int round = spec->round > 0 ? spec->round : spec->dim == 2 ? ROUND_PLANE : ROUND_SPACE;
    return stick_solid_skin(ctx, solid, round, &solid->skin);
}

StickStatus stick_solid_create(StickContext *ctx, const StickSolidSpec *spec, StickSolid *solid)
{
    if (spec->nshapes < 1)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark, "body '%s' has no shapes", spec->name);
    if (spec->dim != 2 && spec->dim != 3)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "body '%s' is rigid: it needs 2 or 3 dimensions, not %d", spec->name, spec->dim);
    StickSolid made = {.dim = spec->dim};
    StickStatus status = fill(ctx, spec, &made);
    if (status == STICK_OK)
        *solid = made;
    else
        stick_solid_destroy(ctx, &made);
    return status;
}
