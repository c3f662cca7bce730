// SPDX-License-Identifier: Apache-2.0
#include "mesh/builder.h"

#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void stick_builder_init(StickMeshBuilder *builder, StickContext *ctx, int dim)
{
    *builder = (StickMeshBuilder){.ctx = ctx, .mesh = {.dim = dim}};
}

void stick_builder_destroy(StickMeshBuilder *builder)
{
    stick_mesh_destroy(builder->ctx, &builder->mesh);
    stick_sides_destroy(builder->ctx, &builder->sides);
    stick_free(builder->ctx, builder->rooms);
    builder->rooms = NULL;
}

// ---- nodes and elements

enum { MOST_ITEMS = INT_MAX / STICK_MOST_ELEMENT_NODES - 1 };

StickStatus stick_builder_add_node(StickMeshBuilder *builder, const double *x, long long tag)
{
    StickMesh *mesh = &builder->mesh;
    size_t n = (size_t)mesh->nnodes, dim = (size_t)mesh->dim;
    STICK_CHECK(builder->ctx, n < MOST_ITEMS, STICK_NO_MEMORY, "a mesh of more than %d nodes is too large",
                MOST_ITEMS);
    STICK_RESERVE(builder->ctx, mesh->x, builder->x_room, (n + 1) * dim);
    STICK_RESERVE(builder->ctx, mesh->node_tag, builder->node_tag_room, n + 1);
    memcpy(mesh->x + n * dim, x, dim * sizeof *x);
    mesh->node_tag[n] = tag ? tag : (long long)n + 1;
    mesh->nnodes++;
    return STICK_OK;
}

StickStatus stick_builder_add_element(StickMeshBuilder *builder, StickShape shape, const int *node,
                                      long long tag)
{
    StickMesh *mesh = &builder->mesh;
    size_t n = (size_t)mesh->nelements, count = (size_t)stick_shape_info(shape)->nodes;
    assert(!builder->has_sides);
    STICK_CHECK(builder->ctx, n < MOST_ITEMS, STICK_NO_MEMORY, "a mesh of more than %d elements is too large",
                MOST_ITEMS);
    STICK_RESERVE(builder->ctx, mesh->start, builder->start_room, n + 2);
    size_t first = (size_t)mesh->start[n];
    STICK_RESERVE(builder->ctx, mesh->shape, builder->shape_room, n + 1);
    STICK_RESERVE(builder->ctx, mesh->node, builder->node_room, first + count);
    STICK_RESERVE(builder->ctx, mesh->element_tag, builder->element_tag_room, n + 1);
    memcpy(mesh->node + first, node, count * sizeof *node);
    mesh->shape[n] = shape;
    mesh->start[n + 1] = (int)(first + count);
    mesh->element_tag[n] = tag ? tag : (long long)n + 1;
    mesh->nelements++;
    return STICK_OK;
}

StickStatus stick_builder_sides(StickMeshBuilder *builder, const StickSides **sides)
{
    if (!builder->has_sides)
        STICK_TRY(stick_sides_create(builder->ctx, &builder->mesh, &builder->sides));
    builder->has_sides = true;
    *sides = &builder->sides;
    return STICK_OK;
}

// ---- groups

StickStatus stick_builder_group(StickMeshBuilder *builder, const char *name, int *group)
{
    StickMesh *mesh = &builder->mesh;
    const StickGroup *found = stick_mesh_group(mesh, name);
    if (found) {
        *group = (int)(found - mesh->group);
        return STICK_OK;
    }
    size_t n = (size_t)mesh->ngroups;
    STICK_RESERVE(builder->ctx, mesh->group, builder->group_room, n + 1);
    STICK_RESERVE(builder->ctx, builder->rooms, builder->rooms_room, n + 1);
    char *copy = stick_copy_text(builder->ctx, name);
    if (!copy)
        return STICK_NO_MEMORY;
    mesh->group[n] = (StickGroup){.name = copy};
    builder->rooms[n] = (StickGroupRoom){0};
    *group = mesh->ngroups++;
    return STICK_OK;
}

StickStatus stick_builder_group_node(StickMeshBuilder *builder, int group, int node)
{
    StickGroup *into = &builder->mesh.group[group];
    STICK_RESERVE(builder->ctx, into->node, builder->rooms[group].node, into->nnodes + 1);
    into->node[into->nnodes++] = node;
    return STICK_OK;
}

StickStatus stick_builder_group_element(StickMeshBuilder *builder, int group, int element)
{
    StickGroup *into = &builder->mesh.group[group];
    STICK_RESERVE(builder->ctx, into->element, builder->rooms[group].element, into->nelements + 1);
    into->element[into->nelements++] = element;
    return STICK_OK;
}

StickStatus stick_builder_group_facet(StickMeshBuilder *builder, int group, StickFacet facet)
{
    StickGroup *into = &builder->mesh.group[group];
    STICK_RESERVE(builder->ctx, into->facet, builder->rooms[group].facet, into->nfacets + 1);
    into->facet[into->nfacets++] = facet;
    return STICK_OK;
}

// ---- finish

static StickStatus add_all(StickMeshBuilder *builder)
{
    if (stick_mesh_group(&builder->mesh, "all"))
        return STICK_OK;
    int all;
    STICK_TRY(stick_builder_group(builder, "all", &all));
    for (int i = 0; i < builder->mesh.nnodes; i++)
        STICK_TRY(stick_builder_group_node(builder, all, i));
    for (int e = 0; e < builder->mesh.nelements; e++)
        STICK_TRY(stick_builder_group_element(builder, all, e));
    return STICK_OK;
}

static StickStatus add_boundary(StickMeshBuilder *builder)
{
    if (stick_mesh_group(&builder->mesh, "boundary"))
        return STICK_OK;
    const StickSides *sides;
    int boundary;
    STICK_TRY(stick_builder_sides(builder, &sides));
    STICK_TRY(stick_builder_group(builder, "boundary", &boundary));
    for (int k = 0, alike; k < sides->count; k += alike) {
        alike = stick_sides_alike(sides, k);
        if (alike == 1)
            STICK_TRY(stick_builder_group_facet(builder, boundary, sides->side[k].facet));
    }
    return STICK_OK;
}

static int compare_ints(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static int compare_facets(const void *left, const void *right)
{
    const StickFacet *a = left, *b = right;
    int order = (a->element > b->element) - (a->element < b->element);
    return order ? order : (a->side > b->side) - (a->side < b->side);
}

// Sorts a list and leaves each item once; returns how many are left.
static int sort_unique(void *items, int count, size_t size, int (*compare)(const void *, const void *))
{
    char *item = items;
    int kept = 0;
    if (count > 0)
        qsort(items, (size_t)count, size, compare);
    for (int k = 0; k < count; k++) {
        if (kept > 0 && compare(item + (size_t)(kept - 1) * size, item + (size_t)k * size) == 0)
            continue;
        memmove(item + (size_t)kept++ * size, item + (size_t)k * size, size);
    }
    return kept;
}

// Adds a node to a group that has not seen it yet; seen[node] is the last group that did, counted from 1.
static StickStatus add_unseen(StickMeshBuilder *builder, int group, int *seen, int node)
{
    if (seen[node] == group + 1)
        return STICK_OK;
    seen[node] = group + 1;
    return stick_builder_group_node(builder, group, node);
}

// Every node of a group's elements and facets belongs to the group.
static StickStatus add_nodes_of_parts(StickMeshBuilder *builder, int group, int *seen)
{
    const StickMesh *mesh = &builder->mesh;
    for (int k = 0; k < mesh->group[group].nelements; k++) {
        int e = mesh->group[group].element[k];
        for (int i = mesh->start[e]; i < mesh->start[e + 1]; i++)
            STICK_TRY(add_unseen(builder, group, seen, mesh->node[i]));
    }
    for (int k = 0; k < mesh->group[group].nfacets; k++) {
        int node[STICK_MOST_FACET_NODES];
        int count = stick_mesh_facet_nodes(mesh, mesh->group[group].facet[k], node);
        for (int i = 0; i < count; i++)
            STICK_TRY(add_unseen(builder, group, seen, node[i]));
    }
    return STICK_OK;
}

static StickStatus finish_groups(StickMeshBuilder *builder, int *seen)
{
    for (int k = 0; k < builder->mesh.ngroups; k++) {
        StickGroup *g = &builder->mesh.group[k];
        for (int i = 0; i < g->nnodes; i++)
            seen[g->node[i]] = k + 1;
        STICK_TRY(add_nodes_of_parts(builder, k, seen));
        g->nnodes = sort_unique(g->node, g->nnodes, sizeof *g->node, compare_ints);
        g->nelements = sort_unique(g->element, g->nelements, sizeof *g->element, compare_ints);
        g->nfacets = sort_unique(g->facet, g->nfacets, sizeof *g->facet, compare_facets);
    }
    return STICK_OK;
}

StickStatus stick_builder_finish(StickMeshBuilder *builder, StickMesh *mesh)
{
    STICK_RESERVE(builder->ctx, builder->mesh.start, builder->start_room, 1);
    STICK_TRY(add_all(builder));
    STICK_TRY(add_boundary(builder));
    int *seen;
    STICK_ALLOC(builder->ctx, seen, builder->mesh.nnodes);
    StickStatus status = finish_groups(builder, seen);
    stick_free(builder->ctx, seen);
    STICK_TRY(status);
    *mesh = builder->mesh;
    builder->mesh = (StickMesh){0};
    stick_builder_destroy(builder);
    return STICK_OK;
}
