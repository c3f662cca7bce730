// SPDX-License-Identifier: Apache-2.0
#include "bodies/mesh_hull.h"

#include "base/memory.h"
#include "base/vec.h"
#include "bodies/hull.h"
#include "bodies/measure.h"
#include "bodies/outline.h"
#include "bodies/polytope.h"
#include "mesh/sides.h"

// By how much the hull may be larger than the mesh.
static const double larger = 1e-3;

typedef struct Facet {
    int count;
    int node[STICK_MOST_FACET_NODES]; // along the boundary (plane), anticlockwise seen from outside (space)
} Facet;

typedef struct Surface {
    StickContext *ctx;
    StickCloud who;
    int dim;
    const StickMesh *mesh;
    int nfacets;
    Facet *facet;
    int npoints;
    int *node; // of the points
    double *x; // 3 each
} Surface;

static void clean(Surface *surface)
{
    stick_free(surface->ctx, surface->facet);
    stick_free(surface->ctx, surface->node);
    stick_free(surface->ctx, surface->x);
}

static void get_place(const StickMesh *mesh, int node, double x[3])
{
    x[2] = 0;
    for (int k = 0; k < mesh->dim; k++)
        x[k] = mesh->x[(size_t)node * (size_t)mesh->dim + k];
}

// ---- the facets

// A quadratic side has its middle last.
static Facet side_facet(const StickMesh *mesh, StickFacet side)
{
    Facet facet;
    facet.count = stick_mesh_facet_nodes(mesh, side, facet.node);
    if (stick_mesh_facet_shape(mesh, side) == STICK_BAR3) {
        int middle = facet.node[2];
        facet.node[2] = facet.node[1];
        facet.node[1] = middle;
    }
    return facet;
}

static StickStatus take_free_sides(Surface *surface)
{
    StickSides sides;
    STICK_TRY(stick_sides_create(surface->ctx, surface->mesh, &sides));
    surface->facet = stick_alloc(surface->ctx, (size_t)sides.count, sizeof *surface->facet);
    for (int k = 0, alike; surface->facet && k < sides.count; k += alike) {
        alike = stick_sides_alike(&sides, k);
        if (alike == 1)
            surface->facet[surface->nfacets++] = side_facet(surface->mesh, sides.side[k].facet);
    }
    stick_sides_destroy(surface->ctx, &sides);
    return surface->facet ? STICK_OK : STICK_NO_MEMORY;
}

// The elements themselves are the surface: their corners.
static StickStatus take_elements(Surface *surface)
{
    const StickMesh *mesh = surface->mesh;
    STICK_ALLOC(surface->ctx, surface->facet, mesh->nelements);
    for (int e = 0; e < mesh->nelements; e++) {
        Facet *facet = &surface->facet[surface->nfacets++];
        facet->count = stick_shape_info(mesh->shape[e])->corners;
        for (int k = 0; k < facet->count; k++)
            facet->node[k] = mesh->node[mesh->start[e] + k];
    }
    return STICK_OK;
}

static StickStatus take_facets(Surface *surface)
{
    const StickMesh *mesh = surface->mesh;
    int cells = 0, facets = 0;
    for (int e = 0; e < mesh->nelements; e++) {
        int dim = stick_shape_info(mesh->shape[e])->dim;
        cells += dim == surface->dim;
        facets += dim == surface->dim - 1;
    }
    if (mesh->dim != surface->dim || mesh->nelements == 0 ||
        (cells != mesh->nelements && facets != mesh->nelements))
        return stick_fail_at(
            surface->ctx, STICK_BAD_MESH, surface->who.mark,
            "%s: its mesh has %d elements, %d cells and %d facets of a body in %dD: all must be "
            "cells, or all facets",
            surface->who.who, mesh->nelements, cells, facets, surface->dim);
    return cells > 0 ? take_free_sides(surface) : take_elements(surface);
}

static StickStatus take_points(Surface *surface)
{
    const StickMesh *mesh = surface->mesh;
    bool *used;
    STICK_ALLOC(surface->ctx, surface->node, mesh->nnodes);
    STICK_ALLOC(surface->ctx, surface->x, 3 * (size_t)mesh->nnodes);
    STICK_ALLOC(surface->ctx, used, mesh->nnodes);
    for (int f = 0; f < surface->nfacets; f++)
        for (int k = 0; k < surface->facet[f].count; k++)
            used[surface->facet[f].node[k]] = true;
    for (int i = 0; i < mesh->nnodes; i++)
        if (used[i]) {
            get_place(mesh, i, &surface->x[3 * (size_t)surface->npoints]);
            surface->node[surface->npoints++] = i;
        }
    stick_free(surface->ctx, used);
    return STICK_OK;
}

// ---- is it convex

// Of the cone from the origin over a facet, which is cut into triangles around its mean.
static double cone(const Surface *surface, const Facet *facet, const double origin[3])
{
    double corner[STICK_MOST_FACET_NODES][3], mean[3] = {0, 0, 0}, n[3], volume = 0;
    for (int k = 0; k < facet->count; k++) {
        get_place(surface->mesh, facet->node[k], corner[k]);
        stick_vec_sub(corner[k], origin, corner[k]);
        stick_vec_axpy(mean, 1.0 / facet->count, corner[k], mean);
    }
    for (int k = 0; k < facet->count; k++) {
        bool last = k + 1 == facet->count;
        stick_vec_cross(corner[k], corner[last ? 0 : k + 1], n);
        volume += surface->dim == 3 ? stick_vec_dot(n, mean) / 6 : last ? 0 : n[2] / 2;
    }
    return volume;
}

// By the sum over the facets; a surface may be inside out.
static double volume_of(const Surface *surface)
{
    double volume = 0;
    for (int f = 0; f < surface->nfacets; f++)
        volume += cone(surface, &surface->facet[f], surface->x);
    return fabs(volume);
}

static StickStatus refuse_dent(const Surface *surface, const StickConvex *shape, double volume, double all)
{
    int deepest = 0;
    double most = -HUGE_VAL;
    for (int i = 0; i < surface->npoints; i++) {
        const double *x = &surface->x[3 * (size_t)i];
        double depth = surface->dim == 3 ? stick_hull_depth(shape, x) : stick_outline_depth(shape, x);
        deepest = depth > most ? i : deepest;
        most = fmax(most, depth);
    }
    const double *x = &surface->x[3 * (size_t)deepest];
    return stick_fail_at(
        surface->ctx, STICK_BAD_MESH, surface->who.mark,
        "%s is not convex: its mesh has %s %g, its hull %g; node %lld, (%g, %g, %g), lies %g inside "
        "of the hull; a compound of convex parts can have this shape",
        surface->who.who, surface->dim == 3 ? "a volume of" : "an area of", volume, all,
        stick_mesh_node_tag(surface->mesh, surface->node[deepest]), x[0], x[1], x[2], most);
}

static StickStatus wrap(Surface *surface, StickConvex *shape)
{
    StickConvex made;
    STICK_TRY(take_facets(surface));
    STICK_TRY(take_points(surface));
    StickCloud cloud = {surface->who.who, surface->who.mark, surface->npoints, surface->x};
    if (surface->dim == 3)
        STICK_TRY(stick_hull_create(surface->ctx, &cloud, &made));
    else
        STICK_TRY(stick_outline_hull(surface->ctx, &cloud, &made));
    double volume = volume_of(surface), all = stick_measure_polytope(&made).volume;
    if (fabs(all - volume) <= larger * all) {
        *shape = made;
        return STICK_OK;
    }
    StickStatus status = refuse_dent(surface, &made, volume, all);
    stick_polytope_destroy(surface->ctx, &made);
    return status;
}

StickStatus stick_mesh_hull(StickContext *ctx, const StickCloud *who, int dim, const StickMesh *mesh,
                            StickConvex *shape)
{
    Surface surface = {.ctx = ctx, .who = *who, .dim = dim, .mesh = mesh};
    StickStatus status = wrap(&surface, shape);
    clean(&surface);
    return status;
}
