// SPDX-License-Identifier: Apache-2.0
#include "report/skin.h"

#include "base/memory.h"
#include "mesh/sides.h"

#include <limits.h>

enum { MOST_TRIANGLES = 6, MOST_EDGES = 8 }; // of one element in the plane

// Triangles of a flat element by its own nodes: corners are cut off where there are nodes on the edges.
static int cut_up(StickShape shape, const int (**triangle)[3])
{
    static const int tri3[][3] = {{0, 1, 2}};
    static const int tri6[][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    static const int quad4[][3] = {{0, 1, 2}, {0, 2, 3}};
    static const int quad5[][3] = {{0, 1, 4}, {1, 3, 4}, {1, 2, 3}};
    static const int quad8[][3] = {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {6, 3, 7}, {4, 5, 6}, {4, 6, 7}};
    switch (shape) {
    case STICK_TRI3:
        *triangle = tri3;
        return 1;
    case STICK_TRI6:
        *triangle = tri6;
        return 4;
    case STICK_QUAD4:
        *triangle = quad4;
        return 2;
    case STICK_QUAD5:
        *triangle = quad5;
        return 3;
    case STICK_QUAD8:
        *triangle = quad8;
        return MOST_TRIANGLES;
    default:
        return 0;
    }
}

// ---- sides of elements, marked by bits: mark[e] has bit s for side s

// Marks the first of all sides with the same corners; with free, only those that stand alone.
static StickStatus mark_sides(StickContext *ctx, const StickMesh *mesh, bool free, unsigned char *mark)
{
    StickSides sides;
    STICK_TRY(stick_sides_create(ctx, mesh, &sides));
    for (int k = 0, alike; k < sides.count; k += alike) {
        alike = stick_sides_alike(&sides, k);
        StickFacet facet = sides.side[k].facet;
        if (alike == 1 || !free)
            mark[facet.element] |= (unsigned char)(1u << facet.side);
    }
    stick_sides_destroy(ctx, &sides);
    return STICK_OK;
}

static bool is_marked(const unsigned char *mark, int element, int side)
{
    return mark[element] >> side & 1;
}

// The marked sides as flat elements of a mesh of their own; shape, start and node are new.
static StickStatus take_sides(StickContext *ctx, const StickMesh *mesh, const unsigned char *mark,
                              StickMesh *flat)
{
    size_t count = 0;
    for (int e = 0; e < mesh->nelements; e++)
        for (int s = 0; s < STICK_MOST_SIDES; s++)
            count += is_marked(mark, e, s);
    STICK_CHECK(ctx, count <= INT_MAX / STICK_MOST_FACET_NODES, STICK_NO_MEMORY,
                "a surface of %zu sides is too large", count);
    STICK_ALLOC(ctx, flat->shape, count);
    STICK_ALLOC(ctx, flat->start, count + 1);
    STICK_ALLOC(ctx, flat->node, STICK_MOST_FACET_NODES * count);
    for (int e = 0; e < mesh->nelements; e++)
        for (int s = 0; s < STICK_MOST_SIDES; s++)
            if (is_marked(mark, e, s)) {
                StickFacet facet = {e, s};
                int k = flat->nelements++, *node = flat->node + flat->start[k];
                flat->shape[k] = stick_mesh_facet_shape(mesh, facet);
                flat->start[k + 1] = flat->start[k] + stick_mesh_facet_nodes(mesh, facet, node);
            }
    return STICK_OK;
}

static StickStatus surface_of(StickContext *ctx, const StickMesh *mesh, StickMesh *flat)
{
    unsigned char *mark;
    STICK_ALLOC(ctx, mark, mesh->nelements);
    *flat = (StickMesh){.dim = mesh->dim, .nnodes = mesh->nnodes};
    StickStatus status = mark_sides(ctx, mesh, true, mark);
    if (status == STICK_OK)
        status = take_sides(ctx, mesh, mark, flat);
    stick_free(ctx, mark);
    return status;
}

static void drop_surface(StickContext *ctx, StickMesh *flat)
{
    stick_free(ctx, flat->shape);
    stick_free(ctx, flat->start);
    stick_free(ctx, flat->node);
}

// ---- triangles and edges, with nodes of the mesh

static StickStatus add_triangles(StickContext *ctx, const StickMesh *flat, StickSkin *skin)
{
    STICK_CHECK(ctx, flat->nelements <= INT_MAX / (3 * MOST_TRIANGLES), STICK_NO_MEMORY,
                "a surface of %d elements is too large", flat->nelements);
    const int(*cut)[3];
    int count = 0;
    for (int e = 0; e < flat->nelements; e++)
        count += cut_up(flat->shape[e], &cut);
    STICK_ALLOC(ctx, skin->triangle, 3 * (size_t)count);
    for (int e = 0; e < flat->nelements; e++) {
        const int *node = flat->node + flat->start[e];
        int n = cut_up(flat->shape[e], &cut);
        for (int k = 0; k < n; k++, skin->ntriangles++)
            for (int j = 0; j < 3; j++)
                skin->triangle[3 * skin->ntriangles + j] = (unsigned)node[cut[k][j]];
    }
    return STICK_OK;
}

// A side with a node in its middle is two edges.
static void add_edge(StickSkin *skin, StickShape shape, const int *node)
{
    const int along[3] = {node[0], node[shape == STICK_BAR3 ? 2 : 1], node[1]};
    for (int k = 0; k < (shape == STICK_BAR3 ? 2 : 1); k++) {
        skin->edge[2 * skin->nedges] = (unsigned)along[k];
        skin->edge[2 * skin->nedges + 1] = (unsigned)along[k + 1];
        skin->nedges++;
    }
}

static StickStatus add_edges(StickContext *ctx, const StickMesh *flat, StickSkin *skin)
{
    unsigned char *mark;
    STICK_ALLOC(ctx, skin->edge, 2 * MOST_EDGES * (size_t)flat->nelements);
    STICK_ALLOC(ctx, mark, flat->nelements);
    StickStatus status = mark_sides(ctx, flat, false, mark);
    for (int e = 0; status == STICK_OK && e < flat->nelements; e++)
        for (int s = 0; s < STICK_MOST_SIDES; s++)
            if (is_marked(mark, e, s)) {
                int node[STICK_MOST_FACET_NODES];
                stick_mesh_facet_nodes(flat, (StickFacet){e, s}, node);
                add_edge(skin, stick_mesh_facet_shape(flat, (StickFacet){e, s}), node);
            }
    stick_free(ctx, mark);
    return status;
}

static StickStatus add_bars(StickContext *ctx, const StickMesh *mesh, StickSkin *skin)
{
    STICK_CHECK(ctx, mesh->nelements <= INT_MAX / 4, STICK_NO_MEMORY, "a mesh of %d elements is too large",
                mesh->nelements);
    STICK_ALLOC(ctx, skin->triangle, 0);
    STICK_ALLOC(ctx, skin->edge, 2 * 2 * (size_t)mesh->nelements);
    for (int e = 0; e < mesh->nelements; e++)
        add_edge(skin, mesh->shape[e], mesh->node + mesh->start[e]);
    return STICK_OK;
}

static StickStatus add_surface(StickContext *ctx, const StickMesh *flat, StickSkin *skin)
{
    STICK_TRY(add_triangles(ctx, flat, skin));
    return add_edges(ctx, flat, skin);
}

static StickStatus add_skin(StickContext *ctx, const StickMesh *mesh, StickSkin *skin)
{
    if (mesh->dim < 3)
        return mesh->dim == 2 ? add_surface(ctx, mesh, skin) : add_bars(ctx, mesh, skin);
    StickMesh flat = {0};
    StickStatus status = surface_of(ctx, mesh, &flat);
    if (status == STICK_OK)
        status = add_surface(ctx, &flat, skin);
    drop_surface(ctx, &flat);
    return status;
}

// ---- visible nodes

static void renumber(unsigned *node, size_t count, const int *number)
{
    for (size_t k = 0; k < count; k++)
        node[k] = (unsigned)number[node[k]];
}

// Every visible node is on an edge.
static StickStatus keep_visible(StickContext *ctx, const StickMesh *mesh, StickSkin *skin)
{
    int *number;
    STICK_ALLOC(ctx, number, mesh->nnodes);
    for (int k = 0; k < 2 * skin->nedges; k++)
        number[skin->edge[k]] = 1;
    for (int i = 0; i < mesh->nnodes; i++)
        skin->nnodes += number[i];
    skin->node = stick_alloc(ctx, (size_t)skin->nnodes, sizeof *skin->node);
    for (int i = 0, next = 0; skin->node && i < mesh->nnodes; i++)
        if (number[i]) {
            skin->node[next] = i;
            number[i] = next++;
        }
    if (skin->node) {
        renumber(skin->triangle, 3 * (size_t)skin->ntriangles, number);
        renumber(skin->edge, 2 * (size_t)skin->nedges, number);
    }
    stick_free(ctx, number);
    return skin->node ? STICK_OK : STICK_NO_MEMORY;
}

StickStatus stick_skin_create(StickContext *ctx, const StickMesh *mesh, StickSkin *skin)
{
    StickSkin made = {0};
    StickStatus status = add_skin(ctx, mesh, &made);
    if (status == STICK_OK)
        status = keep_visible(ctx, mesh, &made);
    if (status == STICK_OK)
        *skin = made;
    else
        stick_skin_destroy(ctx, &made);
    return status;
}

void stick_skin_destroy(StickContext *ctx, StickSkin *skin)
{
    stick_free(ctx, skin->node);
    stick_free(ctx, skin->triangle);
    stick_free(ctx, skin->edge);
    *skin = (StickSkin){0};
}
