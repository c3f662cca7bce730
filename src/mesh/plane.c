// SPDX-License-Identifier: Apache-2.0
#include "mesh/plane.h"

#include "base/memory.h"

#include <assert.h>

StickStatus stick_plane_create(StickContext *ctx, int nnodes, int ncells, int nedges, StickPlaneMesh *plane)
{
    *plane = (StickPlaneMesh){.ctx = ctx};
    plane->x = stick_alloc(ctx, (size_t)nnodes, 2 * sizeof *plane->x);
    plane->cell = stick_alloc(ctx, (size_t)ncells, 4 * sizeof *plane->cell);
    plane->middle = stick_alloc(ctx, (size_t)ncells, sizeof *plane->middle);
    plane->edge = stick_alloc(ctx, (size_t)nedges, sizeof *plane->edge);
    if (plane->x && plane->cell && plane->middle && plane->edge)
        return STICK_OK;
    stick_plane_destroy(plane);
    return STICK_NO_MEMORY;
}

void stick_plane_destroy(StickPlaneMesh *plane)
{
    stick_free(plane->ctx, plane->x);
    stick_free(plane->ctx, plane->cell);
    stick_free(plane->ctx, plane->middle);
    stick_free(plane->ctx, plane->edge);
    *plane = (StickPlaneMesh){0};
}

void stick_plane_add_node(StickPlaneMesh *plane, double x, double y)
{
    double *place = &plane->x[2 * (size_t)plane->nnodes++];
    place[0] = x, place[1] = y;
}

void stick_plane_add_cell(StickPlaneMesh *plane, int a, int b, int c, int d)
{
    plane->middle[plane->ncells] = -1;
    int *cell = &plane->cell[4 * (size_t)plane->ncells++];
    cell[0] = a, cell[1] = b, cell[2] = c, cell[3] = d;
}

void stick_plane_split_cell(StickPlaneMesh *plane, int node)
{
    plane->middle[plane->ncells - 1] = node;
}

void stick_plane_add_edge(StickPlaneMesh *plane, int a, int b, const char *group, bool curved)
{
    plane->edge[plane->nedges++] = (struct StickPlaneEdge){.node = {a, b}, .group = group, .curved = curved};
}

void stick_plane_place_edge(StickPlaneMesh *plane, const double middle[2])
{
    struct StickPlaneEdge *edge = &plane->edge[plane->nedges - 1];
    edge->placed = true;
    edge->middle[0] = middle[0], edge->middle[1] = middle[1];
}

// ---- cells to elements

// Two triangles, cut from the first corner to the third.
static StickStatus add_halves(StickMeshBuilder *builder, const int cell[4])
{
    int lower[3] = {cell[0], cell[1], cell[2]}, upper[3] = {cell[0], cell[2], cell[3]};
    STICK_TRY(stick_builder_add_element(builder, STICK_TRI3, lower, 0));
    return stick_builder_add_element(builder, STICK_TRI3, upper, 0);
}

// Four triangles around a node in the centre, five where the first side has a node in its middle.
static StickStatus add_quarters(StickMeshBuilder *builder, const int cell[4], int middle)
{
    bool split = middle >= 0;
    int corners = split ? 5 : 4, corner[5] = {cell[0]};
    for (int k = 1; k < corners; k++)
        corner[k] = split && k == 1 ? middle : cell[split ? k - 1 : k];
    double x[2] = {0, 0};
    int centre = builder->mesh.nnodes;
    for (int k = 0; k < 8; k++)
        x[k % 2] += builder->mesh.x[2 * (size_t)cell[k / 2] + (size_t)(k % 2)] / 4;
    STICK_TRY(stick_builder_add_node(builder, x, 0));
    for (int k = 0; k < corners; k++) {
        int quarter[3] = {corner[k], corner[(k + 1) % corners], centre};
        STICK_TRY(stick_builder_add_element(builder, STICK_TRI3, quarter, 0));
    }
    return STICK_OK;
}

static StickStatus add_cell(StickMeshBuilder *builder, const int cell[4], int middle,
                            StickMeshPattern pattern)
{
    if (pattern == STICK_PATTERN_TRIANGLES)
        return add_halves(builder, cell);
    if (pattern == STICK_PATTERN_CROSSED)
        return add_quarters(builder, cell, middle);
    return stick_builder_add_element(builder, STICK_QUAD4, cell, 0);
}

static StickStatus add_linear(const StickPlaneMesh *plane, StickMeshPattern pattern,
                              StickMeshBuilder *builder)
{
    for (int i = 0; i < plane->nnodes; i++)
        STICK_TRY(stick_builder_add_node(builder, &plane->x[2 * (size_t)i], 0));
    for (int c = 0; c < plane->ncells; c++)
        STICK_TRY(add_cell(builder, &plane->cell[4 * (size_t)c], plane->middle[c], pattern));
    return STICK_OK;
}

// ---- mid-side nodes

// middle[e * 4 + s]: the node in the middle of side s of element e; -1: none yet.
static int *new_middles(StickContext *ctx, int nelements)
{
    int *middle = stick_alloc(ctx, (size_t)nelements, 4 * sizeof *middle);
    for (size_t k = 0; middle && k < 4 * (size_t)nelements; k++)
        middle[k] = -1;
    return middle;
}

// The curved edge between two nodes; NULL if the edge is straight.
static const struct StickPlaneEdge *find_curve(const StickPlaneMesh *plane, const int corner[2])
{
    for (int k = 0; k < plane->nedges; k++) {
        const struct StickPlaneEdge *edge = &plane->edge[k];
        const int *node = edge->node;
        if ((edge->curved || edge->placed) && ((node[0] == corner[0] && node[1] == corner[1]) ||
                                               (node[0] == corner[1] && node[1] == corner[0])))
            return edge;
    }
    return NULL;
}

typedef struct Middles {
    const StickPlaneMesh *plane;
    const StickMeshSpec *spec;
    const StickMesh *linear;
    const StickSides *sides;
    int *middle;
} Middles;

// Both elements at a side get the same node.
static StickStatus add_middle(const Middles *middles, int side, int alike, StickMeshBuilder *builder)
{
    const StickSide *first = &middles->sides->side[side];
    const double *a = &middles->linear->x[2 * (size_t)first->corner[0]];
    const double *b = &middles->linear->x[2 * (size_t)first->corner[1]];
    double x[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
    const struct StickPlaneEdge *curve = alike == 1 ? find_curve(middles->plane, first->corner) : NULL;
    if (curve && curve->placed)
        x[0] = curve->middle[0], x[1] = curve->middle[1];
    else if (curve)
        middles->plane->onto_curve(middles->spec, x);
    for (int k = 0; k < alike; k++)
        middles->middle[4 * (size_t)first[k].facet.element + (size_t)first[k].facet.side] =
            builder->mesh.nnodes;
    return stick_builder_add_node(builder, x, 0);
}

static StickStatus add_quadratic_elements(const Middles *middles, StickMeshBuilder *builder)
{
    const StickMesh *linear = middles->linear;
    for (int e = 0; e < linear->nelements; e++) {
        int node[8], corners = linear->start[e + 1] - linear->start[e];
        for (int k = 0; k < corners; k++) {
            node[k] = linear->node[linear->start[e] + k];
            node[corners + k] = middles->middle[4 * (size_t)e + (size_t)k];
        }
        STICK_TRY(stick_builder_add_element(builder, corners == 3 ? STICK_TRI6 : STICK_QUAD8, node, 0));
    }
    return STICK_OK;
}

static StickStatus add_quadratic(const Middles *middles, StickMeshBuilder *builder)
{
    for (int i = 0; i < middles->linear->nnodes; i++)
        STICK_TRY(stick_builder_add_node(builder, &middles->linear->x[2 * (size_t)i], 0));
    for (int k = 0, alike; k < middles->sides->count; k += alike) {
        alike = stick_sides_alike(middles->sides, k);
        STICK_TRY(add_middle(middles, k, alike, builder));
    }
    return add_quadratic_elements(middles, builder);
}

static StickStatus raise_order(const StickPlaneMesh *plane, const StickMeshSpec *spec,
                               StickMeshBuilder *linear, StickMeshBuilder *builder)
{
    Middles middles = {.plane = plane, .spec = spec, .linear = &linear->mesh};
    STICK_TRY(stick_builder_sides(linear, &middles.sides));
    middles.middle = new_middles(plane->ctx, linear->mesh.nelements);
    if (!middles.middle)
        return STICK_NO_MEMORY;
    StickStatus status = add_quadratic(&middles, builder);
    stick_free(plane->ctx, middles.middle);
    return status;
}

// ---- groups

static StickStatus add_edge_groups(const StickPlaneMesh *plane, StickMeshBuilder *builder)
{
    const StickSides *sides;
    STICK_TRY(stick_builder_sides(builder, &sides));
    for (int k = 0; k < plane->nedges; k++) {
        StickFacet facet = {0, 0};
        int group;
        if (!plane->edge[k].group)
            continue;
        bool found = stick_sides_find(sides, plane->edge[k].node, 2, &facet);
        assert(found), (void)found;
        STICK_TRY(stick_builder_group(builder, plane->edge[k].group, &group));
        STICK_TRY(stick_builder_group_facet(builder, group, facet));
    }
    return STICK_OK;
}

StickStatus stick_plane_build(const StickPlaneMesh *plane, const StickMeshSpec *spec, bool quadratic,
                              StickMeshBuilder *builder)
{
    if (!quadratic) {
        STICK_TRY(add_linear(plane, spec->pattern, builder));
    } else {
        StickMeshBuilder linear;
        stick_builder_init(&linear, plane->ctx, 2);
        StickStatus status = add_linear(plane, spec->pattern, &linear);
        if (status == STICK_OK)
            status = raise_order(plane, spec, &linear, builder);
        stick_builder_destroy(&linear);
        STICK_TRY(status);
    }
    return add_edge_groups(plane, builder);
}
