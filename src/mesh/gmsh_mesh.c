// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "mesh/builder.h"
#include "mesh/gmsh_file.h"
#include "mesh/tags.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A physical group: of a dimension, with a tag, into a group of the mesh.
typedef struct Physical {
    int dim;
    int tag;
    int group;
} Physical;

typedef struct Maker {
    StickContext *ctx;
    const StickGmshFile *file;
    StickMark mark;
    int top;      // dimension of the elements that make the mesh
    int *node;    // nelement_nodes: nodes of the elements, as places in the file's list
    int *number;  // nnodes: in the mesh; -1 if it is left out
    int *element; // nelements: in the mesh; -1 for those of lower dimension
    Physical *physical;
    size_t nphysicals, physical_room;
    size_t last; // physical group that was found last: elements of a group stand together
    StickMeshBuilder builder;
} Maker;

static int dim_of(const StickGmshElement *element)
{
    return stick_shape_info(element->shape)->dim;
}

static int nodes_of(const StickGmshElement *element)
{
    return stick_shape_info(element->shape)->nodes;
}

// ---- nodes of elements

static StickStatus find_nodes(Maker *maker, const StickTags *tags)
{
    const StickGmshFile *file = maker->file;
    int repeated = stick_tags_repeated(tags);
    if (repeated >= 0)
        return stick_fail_at(maker->ctx, STICK_BAD_MESH, maker->mark, "node %lld is given twice",
                             tags->entry[repeated].tag);
    for (size_t e = 0; e < file->nelements; e++)
        for (int k = 0; k < nodes_of(&file->element[e]); k++) {
            size_t place = file->element[e].node + (size_t)k;
            maker->node[place] = stick_tags_find(tags, file->element_node[place]);
            if (maker->node[place] < 0)
                return stick_fail_at(maker->ctx, STICK_BAD_MESH, maker->mark,
                                     "element %lld uses node %lld, which is not in the file",
                                     file->element[e].tag, file->element_node[place]);
        }
    return STICK_OK;
}

static StickStatus link_nodes(Maker *maker)
{
    StickTags tags;
    STICK_TRY(stick_tags_create(maker->ctx, maker->file->node_tag, (int)maker->file->nnodes, &tags));
    StickStatus status = find_nodes(maker, &tags);
    stick_tags_destroy(maker->ctx, &tags);
    return status;
}

// ---- dimension

static StickStatus find_dimension(Maker *maker)
{
    const StickGmshFile *file = maker->file;
    for (size_t e = 0; e < file->nelements; e++)
        if (dim_of(&file->element[e]) > maker->top)
            maker->top = dim_of(&file->element[e]);
    if (maker->top == 0)
        return stick_fail_at(maker->ctx, STICK_BAD_MESH, maker->mark, "the file has no elements but points");
    for (size_t e = 0; e < file->nelements && maker->top == 1; e++)
        if (file->element[e].shape == STICK_BAR3)
            return stick_fail_at(maker->ctx, STICK_BAD_MESH, maker->mark,
                                 "unsupported element type: element %lld is a quadratic bar",
                                 file->element[e].tag);
    return STICK_OK;
}

// Faces must lie in the plane z = 0, lines on the x axis, but for round-off.
static StickStatus check_flat(const Maker *maker)
{
    const StickGmshFile *file = maker->file;
    double size = 0;
    for (size_t k = 0; k < 3 * file->nnodes; k++)
        size = maker->number[k / 3] >= 0 && fabs(file->x[k]) > size ? fabs(file->x[k]) : size;
    for (size_t k = 0; k < 3 * file->nnodes; k++) {
        int d = (int)(k % 3);
        if (d < maker->top || maker->number[k / 3] < 0 || fabs(file->x[k]) <= 1e-12 * size)
            continue;
        return stick_fail_at(
            maker->ctx, STICK_BAD_MESH, maker->mark, "node %lld has %c = %g: %s", file->node_tag[k / 3],
            "xyz"[d], file -> x[k],
            maker -> top == 2 ? "a mesh of faces must lie in the plane z = 0"
                              : "a mesh of lines must lie on the x axis; if it should have faces, are "
                                "they in a physical group?");
    }
    return STICK_OK;
}

// ---- nodes and elements of the mesh

// Nodes of elements, and of what physical groups name, stay; number[] becomes 0 for them and -1 for others.
static void keep_nodes(Maker *maker)
{
    const StickGmshFile *file = maker->file;
    for (size_t i = 0; i < file->nnodes; i++)
        maker->number[i] = -1;
    for (size_t e = 0; e < file->nelements; e++) {
        const StickGmshElement *element = &file->element[e];
        for (int k = 0; k < nodes_of(element); k++)
            if (dim_of(element) == maker->top || element->count > 0)
                maker->number[maker->node[element->node + (size_t)k]] = 0;
    }
}

static StickStatus add_nodes(Maker *maker)
{
    const StickGmshFile *file = maker->file;
    size_t left_out = 0;
    for (size_t i = 0; i < file->nnodes; i++) {
        left_out += maker->number[i] < 0;
        if (maker->number[i] < 0)
            continue;
        maker->number[i] = maker->builder.mesh.nnodes;
        STICK_TRY(stick_builder_add_node(&maker->builder, &file->x[3 * i], file->node_tag[i]));
    }
    if (left_out > 0)
        stick_note(maker->ctx, "%s: %zu nodes that belong to no element are left out", maker->mark.file,
                   left_out);
    return STICK_OK;
}

static void mesh_nodes(const Maker *maker, const StickGmshElement *element,
                       int node[STICK_MOST_ELEMENT_NODES])
{
    for (int k = 0; k < nodes_of(element); k++)
        node[k] = maker->number[maker->node[element->node + (size_t)k]];
}

static StickStatus add_elements(Maker *maker)
{
    const StickGmshFile *file = maker->file;
    for (size_t e = 0; e < file->nelements; e++) {
        int node[STICK_MOST_ELEMENT_NODES];
        // element[e] is e itself, or the element that this one repeats
        if (dim_of(&file->element[e]) != maker->top) {
            maker->element[e] = -1;
        } else if ((size_t)maker->element[e] < e) {
            maker->element[e] = maker->element[maker->element[e]];
        } else {
            mesh_nodes(maker, &file->element[e], node);
            maker->element[e] = maker->builder.mesh.nelements;
            STICK_TRY(stick_builder_add_element(&maker->builder, file->element[e].shape, node,
                                                file->element[e].tag));
        }
    }
    return STICK_OK;
}

// ---- repeated elements: version 2.2 writes an element once for each of its physical groups

typedef struct Twin {
    int node[STICK_MOST_ELEMENT_NODES];
    int physical;
    int element;
} Twin;

static int compare_nodes(const Twin *a, const Twin *b)
{
    for (int k = 0; k < STICK_MOST_ELEMENT_NODES; k++)
        if (a->node[k] != b->node[k])
            return a->node[k] < b->node[k] ? -1 : 1;
    return 0;
}

static int compare_twins(const void *left, const void *right)
{
    const Twin *a = left, *b = right;
    int order = compare_nodes(a, b);
    return order ? order : (a->element > b->element) - (a->element < b->element);
}

static size_t list_twins(const Maker *maker, Twin *twin)
{
    const StickGmshFile *file = maker->file;
    size_t count = 0;
    for (size_t e = 0; e < file->nelements; e++) {
        const StickGmshElement *element = &file->element[e];
        if (dim_of(element) != maker->top || element->count == 0)
            continue;
        Twin *next = &twin[count++];
        *next = (Twin){{-1, -1, -1, -1, -1, -1, -1, -1}, file->physical[element->first], (int)e};
        mesh_nodes(maker, element, next->node);
    }
    qsort(twin, count, sizeof *twin, compare_twins);
    return count;
}

// Of elements with the same nodes only those of another physical group are repeats; others stay, to be
// refused.
static StickStatus find_repeats(Maker *maker)
{
    const StickGmshFile *file = maker->file;
    Twin *twin;
    for (size_t e = 0; e < file->nelements; e++)
        maker->element[e] = (int)e;
    if (file->is_4)
        return STICK_OK;
    STICK_ALLOC(maker->ctx, twin, file->nelements);
    size_t count = list_twins(maker, twin), first = 0;
    for (size_t k = 1; k < count; k++) {
        if (compare_nodes(&twin[first], &twin[k]) != 0)
            first = k;
        else if (twin[k].physical != twin[k - 1].physical)
            maker->element[twin[k].element] = twin[first].element;
    }
    stick_free(maker->ctx, twin);
    return STICK_OK;
}

// ---- physical groups

enum { MOST_PHYSICALS = 10000 };

static Physical *find_physical(Maker *maker, int dim, int tag)
{
    for (size_t k = 0; k < maker->nphysicals; k++) {
        Physical *next = &maker->physical[(maker->last + k) % maker->nphysicals];
        if (next->dim == dim && next->tag == tag) {
            maker->last = (size_t)(next - maker->physical);
            return next;
        }
    }
    return NULL;
}

static StickStatus note_physical(Maker *maker, int dim, int tag)
{
    if (find_physical(maker, dim, tag))
        return STICK_OK;
    if (maker->nphysicals == MOST_PHYSICALS)
        return stick_fail_at(maker->ctx, STICK_BAD_MESH, maker->mark,
                             "the file has more than %d physical groups", MOST_PHYSICALS);
    STICK_RESERVE(maker->ctx, maker->physical, maker->physical_room, maker->nphysicals + 1);
    maker->physical[maker->nphysicals++] = (Physical){dim, tag, -1};
    return STICK_OK;
}

// All groups of the file: those with names in the order of the names, then others as elements name them.
static StickStatus list_physicals(Maker *maker)
{
    const StickGmshFile *file = maker->file;
    for (size_t k = 0; k < file->nnames; k++)
        STICK_TRY(note_physical(maker, file->name[k].dim, file->name[k].tag));
    for (size_t e = 0; e < file->nelements; e++)
        for (int k = 0; k < file->element[e].count; k++)
            STICK_TRY(
                note_physical(maker, dim_of(&file->element[e]), file->physical[file->element[e].first + k]));
    return STICK_OK;
}

static const char *given_name(const Maker *maker, const Physical *physical)
{
    for (size_t k = 0; k < maker->file->nnames; k++)
        if (maker->file->name[k].dim == physical->dim && maker->file->name[k].tag == physical->tag)
            return maker->file->name[k].name;
    return NULL;
}

// physical-<tag>; with the dimension in words if groups without a name of two dimensions have that tag.
static void make_name(const Maker *maker, const Physical *physical, char *text, size_t size)
{
    static const char *const kind[] = {"point-", "curve-", "surface-", "volume-"};
    bool alone = true;
    for (size_t k = 0; k < maker->nphysicals; k++) {
        const Physical *other = &maker->physical[k];
        if (other != physical && other->tag == physical->tag && !given_name(maker, other))
            alone = false;
    }
    snprintf(text, size, "physical-%s%d", alone ? "" : kind[physical->dim], physical->tag);
}

static StickStatus add_groups(Maker *maker)
{
    for (size_t k = 0; k < maker->nphysicals; k++) {
        char made[64];
        const char *name = given_name(maker, &maker->physical[k]);
        if (!name)
            make_name(maker, &maker->physical[k], made, sizeof made);
        STICK_TRY(stick_builder_group(&maker->builder, name ? name : made, &maker->physical[k].group));
    }
    return STICK_OK;
}

static StickStatus add_facet(Maker *maker, const StickGmshElement *element, int group)
{
    const StickSides *sides;
    StickFacet facet;
    int node[STICK_MOST_ELEMENT_NODES];
    STICK_TRY(stick_builder_sides(&maker->builder, &sides));
    mesh_nodes(maker, element, node);
    if (!stick_sides_find(sides, node, stick_shape_info(element->shape)->corners, &facet))
        return stick_fail_at(
            maker->ctx, STICK_BAD_MESH, maker->mark,
            "element %lld (%s at node %lld) of the group '%s' is not a side of any %s element", element->tag,
            stick_shape_info(element->shape)->name, maker->file->element_node[element->node],
            maker->builder.mesh.group[group].name,
            maker->top == 3   ? "volume"
            : maker->top == 2 ? "plane"
                              : "bar");
    return stick_builder_group_facet(&maker->builder, group, facet);
}

static StickStatus add_member(Maker *maker, size_t e, int group)
{
    const StickGmshElement *element = &maker->file->element[e];
    int below = maker->top - dim_of(element), node[STICK_MOST_ELEMENT_NODES];
    if (below == 0)
        return stick_builder_group_element(&maker->builder, group, maker->element[e]);
    if (below == 1)
        return add_facet(maker, element, group);
    mesh_nodes(maker, element, node);
    for (int k = 0; k < nodes_of(element); k++)
        STICK_TRY(stick_builder_group_node(&maker->builder, group, node[k]));
    return STICK_OK;
}

static StickStatus add_members(Maker *maker)
{
    const StickGmshFile *file = maker->file;
    for (size_t e = 0; e < file->nelements; e++)
        for (int k = 0; k < file->element[e].count; k++) {
            int tag = file->physical[file->element[e].first + k];
            STICK_TRY(add_member(maker, e, find_physical(maker, dim_of(&file->element[e]), tag)->group));
        }
    return STICK_OK;
}

// ---- all of it

static StickStatus make(Maker *maker)
{
    maker->node = stick_alloc(maker->ctx, maker->file->nelement_nodes, sizeof *maker->node);
    maker->number = stick_alloc(maker->ctx, maker->file->nnodes, sizeof *maker->number);
    maker->element = stick_alloc(maker->ctx, maker->file->nelements, sizeof *maker->element);
    if (!maker->node || !maker->number || !maker->element)
        return STICK_NO_MEMORY;
    STICK_TRY(link_nodes(maker));
    STICK_TRY(find_dimension(maker));
    keep_nodes(maker);
    STICK_TRY(check_flat(maker));
    stick_builder_init(&maker->builder, maker->ctx, maker->top);
    STICK_TRY(add_nodes(maker));
    STICK_TRY(find_repeats(maker));
    STICK_TRY(add_elements(maker));
    STICK_TRY(list_physicals(maker));
    STICK_TRY(add_groups(maker));
    return add_members(maker);
}

StickStatus stick_gmsh_mesh(const StickGmshFile *file, StickMesh *mesh)
{
    StickContext *ctx = file->scan.ctx;
    Maker maker = {.ctx = ctx, .file = file, .mark = {file->scan.file, 0, 0}, .builder = {.ctx = ctx}};
    STICK_CHECK(ctx, file->nnodes < INT_MAX && file->nelements < INT_MAX, STICK_NO_MEMORY,
                "'%s' is too large for a mesh", file->scan.file);
    StickStatus status = make(&maker);
    if (status == STICK_OK)
        status = stick_builder_finish(&maker.builder, mesh);
    stick_builder_destroy(&maker.builder);
    stick_free(ctx, maker.physical);
    stick_free(ctx, maker.element);
    stick_free(ctx, maker.number);
    stick_free(ctx, maker.node);
    return status;
}
