// SPDX-License-Identifier: Apache-2.0
#include "bodies/make_rigid.h"

#include "base/memory.h"
#include "base/quaternion.h"
#include "mesh/build.h"

#include <math.h>
#include <string.h>

// ---- solids

static const StickShapeSpecKind kind_of_part[] = {
    [STICK_PART_BOX] = STICK_SPEC_BOX,           [STICK_PART_DISK] = STICK_SPEC_BALL,
    [STICK_PART_STADIUM] = STICK_SPEC_CAPSULE,   [STICK_PART_POLYGON] = STICK_SPEC_POLYGON,
    [STICK_PART_SPHERE] = STICK_SPEC_BALL,       [STICK_PART_CAPSULE] = STICK_SPEC_CAPSULE,
    [STICK_PART_CYLINDER] = STICK_SPEC_CYLINDER, [STICK_PART_HULL] = STICK_SPEC_HULL,
};

// Source data of the shapes of a solid.
typedef struct Parts {
    StickShapeSpec *shape;
    double **points;
    StickMesh *mesh; // of hulls from files
} Parts;

static void destroy_parts(StickContext *ctx, const StickRigidSpec *spec, Parts *parts)
{
    for (int k = 0; k < spec->nparts; k++) {
        if (parts->points)
            stick_free(ctx, parts->points[k]);
        if (parts->mesh)
            stick_mesh_destroy(ctx, &parts->mesh[k]);
    }
    stick_free(ctx, parts->points);
    stick_free(ctx, parts->mesh);
    stick_free(ctx, parts->shape);
}

// Points of the model have three coordinates in the plane, too.
static StickStatus copy_points(StickContext *ctx, const StickPartSpec *part, int dim, double **points,
                               StickShapeSpec *shape)
{
    STICK_ALLOC(ctx, *points, part->npoints * dim);
    for (int i = 0; i < part->npoints; i++)
        for (int k = 0; k < dim; k++)
            (*points)[i * dim + k] = part->points[3 * i + k];
    shape->npoints = part->npoints;
    shape->points = *points;
    return STICK_OK;
}

static StickStatus read_hull(StickContext *ctx, const StickPartSpec *part, const char *name, StickMesh *mesh,
                             StickShapeSpec *shape)
{
    StickBodySpec file = {
        .name = (char *)name,
        .mark = part->mark,
        .mesh = {.kind = STICK_MESH_FILE, .mark = part->mark, .file = part->file},
    };
    STICK_TRY(stick_mesh_build(ctx, &file, mesh));
    shape->kind = STICK_SPEC_MESH;
    shape->mesh = mesh;
    return STICK_OK;
}

// Stadia, capsules and cylinders of the model lie along the last axis; those of a solid along x in the plane, z in
// space.
static void turn_part(const StickPartSpec *part, double turn[4])
{
    stick_quaternion_exp(part->rotation, turn);
    if (part->kind != STICK_PART_STADIUM)
        return;
    double upright[4] = {sqrt(0.5), 0, 0, sqrt(0.5)};
    stick_quaternion_product(turn, upright, turn);
}

static StickStatus fill_part(StickContext *ctx, const StickBodySpec *body, int k, Parts *parts)
{
    const StickPartSpec *part = &body->rigid->part[k];
    StickShapeSpec *shape = &parts->shape[k];
    int dim = body->rigid->dim;
    *shape = (StickShapeSpec){
        .kind = kind_of_part[part->kind],
        .mark = part->mark,
        .radius = part->radius,
        .length = part->length,
    };
    memcpy(shape->size, part->size, sizeof shape->size);
    memcpy(shape->position, part->position, sizeof shape->position);
    turn_part(part, shape->turn);
    if (part->kind == STICK_PART_HULL && part->file)
        return read_hull(ctx, part, body->name, &parts->mesh[k], shape);
    if (part->kind == STICK_PART_HULL || part->kind == STICK_PART_POLYGON)
        return copy_points(ctx, part, dim, &parts->points[k], shape);
    return STICK_OK;
}

static StickStatus make_solid(StickContext *ctx, const StickBodySpec *body, int round, Parts *parts,
                              StickSolid *solid)
{
    const StickRigidSpec *spec = body->rigid;
    STICK_ALLOC(ctx, parts->shape, spec->nparts);
    STICK_ALLOC(ctx, parts->points, spec->nparts);
    STICK_ALLOC(ctx, parts->mesh, spec->nparts);
    for (int k = 0; k < spec->nparts; k++)
        STICK_TRY(fill_part(ctx, body, k, parts));
    StickSolidSpec whole = {.name = body->name,
                            .mark = spec->mark,
                            .dim = spec->dim,
                            .nshapes = spec->nparts,
                            .shape = parts->shape,
                            .round = round};
    return stick_solid_create(ctx, &whole, solid);
}

StickStatus stick_make_solid(StickContext *ctx, const StickBodySpec *spec, int round, StickSolid *solid)
{
    Parts parts = {0};
    StickStatus status = make_solid(ctx, spec, round, &parts, solid);
    destroy_parts(ctx, spec->rigid, &parts);
    return status;
}

// ---- bodies

static StickStatus find_mass(StickContext *ctx, const StickModel *model, const StickBodySpec *spec,
                             const StickSolid *solid, StickRigid *rigid)
{
    const StickRigidSpec *given = spec->rigid;
    double depth = solid->dim == 2 ? spec->thickness : 1;
    double density = spec->material >= 0 ? model->material[spec->material].density : 0;
    rigid->mass = given->mass > 0 ? given->mass : density * depth * solid->volume;
    if (!(rigid->mass > 0 && isfinite(rigid->mass)))
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "body '%s' has the mass %g: give it a density above 0, or a mass", spec->name,
                             rigid->mass);
    for (int k = 0; k < 9; k++)
        rigid->J0[k] = rigid->mass / solid->volume * solid->inertia[k];
    for (int k = 0; k < 3; k++) {
        if (!(given->inertia[k] > 0))
            continue;
        for (int j = 0; j < 3; j++) // given about the axes of the file's frame, which then are principal ones
            rigid->J0[3 * k + j] = rigid->J0[3 * j + k] = 0;
        rigid->J0[4 * k] = given->inertia[k];
    }
    return STICK_OK;
}

// The frame of the file goes to position and turns about its own origin: the mass centre with it.
static void find_pose(const StickBodySpec *spec, const StickSolid *solid, StickRigid *rigid)
{
    double shift[3];
    stick_quaternion_exp(spec->turn, rigid->turn);
    rigid->angle = spec->turn[2];
    stick_quaternion_rotate(rigid->turn, solid->shift, shift);
    for (int k = 0; k < 3; k++)
        rigid->centre[k] = (k < solid->dim ? spec->position[k] : 0) + shift[k];
}

StickStatus stick_make_rigid(StickContext *ctx, const StickModel *model, const StickBodySpec *spec,
                             const StickSolid *solid, StickRigid *rigid)
{
    *rigid = (StickRigid){.solid = solid, .dim = solid->dim};
    STICK_TRY(find_mass(ctx, model, spec, solid, rigid));
    find_pose(spec, solid, rigid);
    return STICK_OK;
}
