// SPDX-License-Identifier: Apache-2.0
#include "mesh/build.h"

#include "base/file.h"
#include "mesh/follow.h"
#include "mesh/generate.h"
#include "mesh/gmsh.h"
#include "mesh/inp.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static StickStatus read_file(StickContext *ctx, const StickMeshSpec *spec, StickMesh *mesh)
{
    const char *dot = strrchr(stick_path_name(spec->file), '.');
    if (!stick_file_exists(spec->file))
        return stick_fail_at(ctx, STICK_IO, spec->mark, "there is no mesh file '%s'", spec->file);
    if (dot && strcasecmp(dot, ".msh") == 0)
        return stick_gmsh_read(ctx, spec->file, mesh);
    if (dot && strcasecmp(dot, ".inp") == 0)
        return stick_inp_read(ctx, spec->file, mesh);
    return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark, "the mesh file '%s' is neither .msh nor .inp",
                         spec->file);
}

// ---- elements: the file must contain those that the model requires

static bool fits(StickElementKind element, StickShape shape)
{
    const StickShapeInfo *info = stick_shape_info(shape);
    switch (element) {
    case STICK_ELEMENT_LINEAR:
        return info->nodes == info->corners;
    case STICK_ELEMENT_QUADRATIC:
        return info->nodes > info->corners;
    case STICK_ELEMENT_MEAN_DILATATION:
        return shape == STICK_QUAD4 || shape == STICK_HEX8;
    default:
        return true;
    }
}

static StickStatus check_shapes(StickContext *ctx, const StickBodySpec *body, const StickMesh *mesh)
{
    static const char *const wanted[] = {"any", "linear", "quadratic", "mean dilatation (quad4 or hex8)"};
    for (int e = 0; e < mesh->nelements; e++)
        if (!fits(body->element, mesh->shape[e]))
            return stick_fail_at(ctx, STICK_BAD_INPUT, body->mark,
                                 "body '%s' requires %s elements, but element %lld of its mesh is a %s",
                                 body->name, wanted[body->element], stick_mesh_element_tag(mesh, e),
                                 stick_shape_info(mesh->shape[e])->name);
    return STICK_OK;
}

// ---- place

static StickStatus check_placing(StickContext *ctx, const StickBodySpec *body, int dim)
{
    if (body->rotation != 0 && dim != 2)
        return stick_fail_at(ctx, STICK_BAD_INPUT, body->mark,
                             "body '%s' has a rotation of %g, but its mesh is %dD", body->name,
                             body->rotation, dim);
    for (int k = dim; k < 3; k++)
        if (body->position[k] != 0)
            return stick_fail_at(ctx, STICK_BAD_INPUT, body->mark,
                                 "body '%s' has position %c = %g, but its mesh is %dD", body->name, "xyz"[k],
                                 body -> position[k], dim);
    return STICK_OK;
}

static void place(const StickBodySpec *body, StickMesh *mesh)
{
    const double *origin = body->mesh.origin;
    double c = cos(body->rotation), s = sin(body->rotation);
    for (int i = 0; i < mesh->nnodes; i++) {
        double *x = &mesh->x[(size_t)i * (size_t)mesh->dim];
        if (body->rotation != 0) {
            double dx = x[0] - origin[0], dy = x[1] - origin[1];
            x[0] = origin[0] + c * dx - s * dy;
            x[1] = origin[1] + s * dx + c * dy;
        }
        for (int k = 0; k < mesh->dim; k++)
            x[k] += body->position[k];
    }
}

static StickStatus settle(StickContext *ctx, const StickBodySpec *body, StickMesh *mesh)
{
    bool from_file = body->mesh.kind == STICK_MESH_FILE;
    StickMark where = from_file ? (StickMark){body->mesh.file, 0, 0} : body->mesh.mark;
    STICK_TRY(check_shapes(ctx, body, mesh));
    STICK_TRY(check_placing(ctx, body, mesh->dim));
    STICK_TRY(stick_mode_tracking_all(ctx, body, mesh));
    place(body, mesh);
    return stick_mesh_check(ctx, mesh, where);
}

StickStatus stick_mesh_settle(StickContext *ctx, const StickBodySpec *body, StickMesh *mesh)
{
    StickStatus status = settle(ctx, body, mesh);
    if (status != STICK_OK)
        stick_mesh_destroy(ctx, mesh);
    return status;
}

StickStatus stick_mesh_build(StickContext *ctx, const StickBodySpec *body, StickMesh *mesh)
{
    StickMesh made;
    if (body->mesh.kind == STICK_MESH_FILE)
        STICK_TRY(read_file(ctx, &body->mesh, &made));
    else
        STICK_TRY(stick_mesh_generate(ctx, &body->mesh, body->element, &made));
    STICK_TRY(stick_mesh_settle(ctx, body, &made));
    *mesh = made;
    return STICK_OK;
}
