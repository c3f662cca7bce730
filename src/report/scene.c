// SPDX-License-Identifier: Apache-2.0
#include "report/scene.h"

#include "base/memory.h"

typedef struct Maker {
    StickContext *ctx;
    const StickVtuFile *file;
    StickMark mark;
    StickVtuGrid grid;
    double *owner; // of each cell, its body
    StickMesh mesh;
    const double *origin; // of the bodies, or NULL
    StickScene *scene;
} Maker;

static StickStatus refuse(const Maker *maker, const char *what)
{
    return stick_fail_at(maker->ctx, STICK_BAD_INPUT, maker->mark, "%s", what);
}

// ---- elements

static bool shape_of(int vtk, int nodes, StickShape *shape)
{
    for (int k = STICK_BAR2; k < STICK_NSHAPES; k++) {
        const StickShapeInfo *info = stick_shape_info((StickShape)k);
        *shape = (StickShape)k;
        if (info->vtk == vtk)
            return info->nodes == nodes;
    }
    return false;
}

// The grid as a mesh that borrows its arrays, but for the shapes.
static StickStatus make_mesh(Maker *maker)
{
    const StickVtuGrid *grid = &maker->grid;
    StickMesh *mesh = &maker->mesh;
    STICK_ALLOC(maker->ctx, mesh->shape, grid->ncells);
    for (int c = 0; c < grid->ncells; c++) {
        if (!shape_of(grid->type[c], grid->start[c + 1] - grid->start[c], &mesh->shape[c]))
            return refuse(maker, "a cell is no element of ours");
        int dim = stick_shape_info(mesh->shape[c])->dim;
        if (c > 0 && dim != mesh->dim)
            return refuse(maker, "cells have different dimensions");
        mesh->dim = dim;
    }
    if (grid->ncells == 0)
        return refuse(maker, "there are no cells");
    mesh->nnodes = grid->npoints;
    mesh->nelements = grid->ncells;
    mesh->start = grid->start;
    mesh->node = grid->node;
    return STICK_OK;
}

// ---- bodies

// Whether the cell belongs to the body of the cell before it (-1: none), or to the next one.
static bool is_next(double owner, int body)
{
    return owner == body ? body >= 0 : owner == body + 1;
}

// Cells come body by body, and so do points; first_point tells where.
static StickStatus find_points(Maker *maker)
{
    const StickMesh *mesh = &maker->mesh;
    StickSceneBody *bodies = maker->scene->body;
    int body = -1, end = 0, last = 0; // end of the points of the bodies before, and of this one so far
    for (int c = 0; c < mesh->nelements; c++) {
        if (!is_next(maker->owner[c], body) || maker->owner[c] >= maker->scene->nbodies)
            return refuse(maker, "cells do not come body by body");
        if ((int)maker->owner[c] > body) {
            bodies[++body].first_point = mesh->nnodes;
            end = last;
        }
        for (int k = mesh->start[c]; k < mesh->start[c + 1]; k++) {
            if (mesh->node[k] < end)
                return refuse(maker, "bodies share points");
            if (mesh->node[k] < bodies[body].first_point)
                bodies[body].first_point = mesh->node[k];
            if (mesh->node[k] >= last)
                last = mesh->node[k] + 1;
        }
    }
    return body == maker->scene->nbodies - 1 ? STICK_OK : refuse(maker, "a body has no cells");
}

static StickStatus place_nodes(Maker *maker)
{
    StickScene *scene = maker->scene;
    const StickSkin *skin = &scene->skin;
    int dim = scene->dim, i = 0;
    STICK_ALLOC(maker->ctx, scene->x, (size_t)skin->nnodes * (size_t)dim);
    STICK_ALLOC(maker->ctx, scene->label, skin->nnodes);
    for (int b = 0; b < scene->nbodies; b++) {
        StickSceneBody *body = &scene->body[b];
        int end = b + 1 < scene->nbodies ? scene->body[b + 1].first_point : scene->npoints;
        for (body->first_node = i; i < skin->nnodes && skin->node[i] < end; i++) {
            scene->label[i] = (unsigned)(skin->node[i] - body->first_point);
            for (int k = 0; k < dim; k++) {
                double origin = maker->origin ? maker->origin[3 * b + k] : 0;
                scene->x[(size_t)i * dim + k] =
                    (float)(maker->grid.x[3 * (size_t)skin->node[i] + k] - origin);
            }
        }
        body->nodes = i - body->first_node;
    }
    return STICK_OK;
}

// Triangles and edges come body by body.
static void share_out(StickScene *scene)
{
    const StickSkin *skin = &scene->skin;
    int t = 0, e = 0;
    for (int b = 0; b < scene->nbodies; b++) {
        StickSceneBody *body = &scene->body[b];
        unsigned end = (unsigned)(body->first_node + body->nodes);
        for (body->first_triangle = t; t < skin->ntriangles && skin->triangle[3 * t] < end;)
            t++;
        for (body->first_edge = e; e < skin->nedges && skin->edge[2 * e] < end;)
            e++;
        body->triangles = t - body->first_triangle;
        body->edges = e - body->first_edge;
    }
}

// ---- the scene

static StickStatus make_scene(Maker *maker)
{
    StickScene *scene = maker->scene;
    STICK_TRY(stick_vtu_grid(maker->file, &maker->grid));
    STICK_TRY(stick_vtu_values(maker->file, STICK_VTU_CELL_DATA, "body", &maker->owner));
    if (stick_vtu_components(maker->file, STICK_VTU_CELL_DATA, "body") != 1)
        return refuse(maker, "the field 'body' is not one number");
    STICK_TRY(make_mesh(maker));
    scene->dim = maker->mesh.dim;
    scene->npoints = maker->grid.npoints;
    STICK_ALLOC(maker->ctx, scene->body, scene->nbodies);
    STICK_TRY(find_points(maker));
    STICK_TRY(stick_skin_create(maker->ctx, &maker->mesh, &scene->skin));
    STICK_TRY(place_nodes(maker));
    share_out(scene);
    return STICK_OK;
}

StickStatus stick_scene_create(StickContext *ctx, const StickVtuFile *file, const char *name, int nbodies,
                               const double *origin, StickScene *scene)
{
    StickScene made = {.nbodies = nbodies};
    Maker maker = {.ctx = ctx, .file = file, .mark = {name, 0, 0}, .origin = origin, .scene = &made};
    StickStatus status = make_scene(&maker);
    stick_vtu_grid_destroy(ctx, &maker.grid);
    stick_free(ctx, maker.owner);
    stick_free(ctx, maker.mesh.shape);
    if (status == STICK_OK)
        *scene = made;
    else
        stick_scene_destroy(ctx, &made);
    return status;
}

void stick_scene_destroy(StickContext *ctx, StickScene *scene)
{
    stick_skin_destroy(ctx, &scene->skin);
    stick_free(ctx, scene->x);
    stick_free(ctx, scene->label);
    stick_free(ctx, scene->body);
    *scene = (StickScene){0};
}
