// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "mesh/builder.h"
#include "mesh/inp_deck.h"
#include "mesh/tags.h"

#include <limits.h>

typedef struct Maker {
    StickContext *ctx;
    const StickInpDeck *deck;
    StickMark mark;
    int dim;
    StickTags nodes, elements; // by their numbers in the file
    int *number;               // nnodes: in the mesh; -1 if it is left out
    int *place;                // nelements: in the mesh; -1 for one of a lower dimension
    StickMeshBuilder builder;
} Maker;

static int nodes_of(const StickInpElement *element)
{
    return stick_shape_info(element->shape)->nodes;
}

// ---- numbers to places in the lists

static StickStatus check_repeats(const Maker *maker, const StickTags *tags, const char *what)
{
    int repeated = stick_tags_repeated(tags);
    if (repeated < 0)
        return STICK_OK;
    return stick_fail_at(maker->ctx, STICK_BAD_MESH, maker->mark, "%s %lld is given twice", what,
                         tags->entry[repeated].tag);
}

static StickStatus index_elements(Maker *maker)
{
    const StickInpDeck *deck = maker->deck;
    long long *tag;
    STICK_ALLOC(maker->ctx, tag, deck->nelements);
    for (size_t e = 0; e < deck->nelements; e++)
        tag[e] = deck->element[e].tag;
    StickStatus status = stick_tags_create(maker->ctx, tag, (int)deck->nelements, &maker->elements);
    stick_free(maker->ctx, tag);
    STICK_TRY(status);
    return check_repeats(maker, &maker->elements, "element");
}

static StickStatus index_nodes(Maker *maker)
{
    STICK_TRY(stick_tags_create(maker->ctx, maker->deck->node_tag, (int)maker->deck->nnodes, &maker->nodes));
    return check_repeats(maker, &maker->nodes, "node");
}

// Space has the dimension of the largest elements. Smaller ones, which mesh generators write for the
// boundary, are no elements of the mesh: they only put sides and nodes into their sets.
static StickStatus find_dimension(Maker *maker)
{
    const StickInpDeck *deck = maker->deck;
    for (size_t e = 0; e < deck->nelements; e++) {
        int dim = stick_shape_info(deck->element[e].shape)->dim;
        maker->dim = dim > maker->dim ? dim : maker->dim;
    }
    int count = 0;
    STICK_ALLOC(maker->ctx, maker->place, deck->nelements);
    for (size_t e = 0; e < deck->nelements; e++)
        maker->place[e] = stick_shape_info(deck->element[e].shape)->dim == maker->dim ? count++ : -1;
    STICK_CHECK(maker->ctx, maker->dim > 1, STICK_BAD_MESH,
                "%s: there are only line elements; trusses are not supported", maker->mark.file);
    return STICK_OK;
}

// ---- contents of the sets

static const StickTags *tags_of(const Maker *maker, const StickInpSet *set, const StickInpRange *range)
{
    bool of_nodes = set->kind == STICK_INP_NODES || set->kind == STICK_INP_NODE_SURFACE;
    return of_nodes && !range->nodes_of_elements ? &maker->nodes : &maker->elements;
}

typedef StickStatus (*Visit)(Maker *maker, const StickInpRange *range, int group, int index);

static StickStatus visit_listed(Maker *maker, const StickInpSet *set, const StickInpRange *range, int group,
                                Visit visit)
{
    const StickTags *tags = tags_of(maker, set, range);
    for (long long tag = range->first; tag <= range->last; tag++) {
        int index = stick_tags_find(tags, tag);
        if (index < 0)
            return stick_fail_at(maker->ctx, STICK_BAD_MESH, set->mark,
                                 "'%s' has %s %lld, which is not in the file", set->name,
                                 tags == &maker->nodes ? "node" : "element", tag);
        STICK_TRY(visit(maker, range, group, index));
    }
    return STICK_OK;
}

static StickStatus visit_generated(Maker *maker, const StickInpSet *set, const StickInpRange *range,
                                   int group, Visit visit)
{
    const StickTags *tags = tags_of(maker, set, range);
    for (int k = stick_tags_lower(tags, range->first); k < tags->count && tags->entry[k].tag <= range->last;
         k++)
        if ((tags->entry[k].tag - range->first) % range->step == 0)
            STICK_TRY(visit(maker, range, group, tags->entry[k].index));
    return STICK_OK;
}

// Visits all members of a set. Listed members must exist; generated ranges may have gaps.
static StickStatus visit_set(Maker *maker, const StickInpSet *set, int group, Visit visit)
{
    for (size_t k = 0; k < set->nranges; k++)
        STICK_TRY(set->range[k].listed ? visit_listed(maker, set, &set->range[k], group, visit)
                                       : visit_generated(maker, set, &set->range[k], group, visit));
    return STICK_OK;
}

// ---- nodes and elements of the mesh

static StickStatus keep_listed(Maker *maker, const StickInpRange *range, int group, int index)
{
    (void)group;
    if (range->listed && !range->nodes_of_elements)
        maker->number[index] = 0;
    return STICK_OK;
}

static StickStatus keep_nodes_of_elements(Maker *maker)
{
    const StickInpDeck *deck = maker->deck;
    for (size_t e = 0; e < deck->nelements; e++)
        for (int k = 0; maker->place[e] >= 0 && k < nodes_of(&deck->element[e]); k++) {
            long long tag = deck->element_node[deck->element[e].node + (size_t)k];
            int index = stick_tags_find(&maker->nodes, tag);
            if (index < 0)
                return stick_fail_at(maker->ctx, STICK_BAD_MESH, maker->mark,
                                     "element %lld uses node %lld, which is not in the file",
                                     deck->element[e].tag, tag);
            maker->number[index] = 0;
        }
    return STICK_OK;
}

// number[] becomes 0 for nodes that stay and -1 for others.
static StickStatus keep_nodes(Maker *maker)
{
    const StickInpDeck *deck = maker->deck;
    STICK_ALLOC(maker->ctx, maker->number, deck->nnodes);
    for (size_t i = 0; i < deck->nnodes; i++)
        maker->number[i] = -1;
    STICK_TRY(keep_nodes_of_elements(maker));
    for (size_t s = 0; s < deck->nsets; s++)
        if (deck->set[s].kind == STICK_INP_NODES || deck->set[s].kind == STICK_INP_NODE_SURFACE)
            STICK_TRY(visit_set(maker, &deck->set[s], -1, keep_listed));
    return STICK_OK;
}

static StickStatus add_nodes(Maker *maker)
{
    const StickInpDeck *deck = maker->deck;
    size_t left_out = 0;
    for (size_t i = 0; i < deck->nnodes; i++) {
        left_out += maker->number[i] < 0;
        if (maker->number[i] < 0)
            continue;
        maker->number[i] = maker->builder.mesh.nnodes;
        STICK_TRY(stick_builder_add_node(&maker->builder, &deck->x[3 * i], deck->node_tag[i]));
    }
    if (left_out > 0)
        stick_note(maker->ctx, "%s: %zu nodes that belong to no element are left out", maker->mark.file,
                   left_out);
    return STICK_OK;
}

// Nodes of an element in the mesh; false if one of them is not in it.
static bool mesh_nodes(const Maker *maker, const StickInpElement *element, int node[STICK_MOST_ELEMENT_NODES])
{
    for (int k = 0; k < nodes_of(element); k++) {
        int index = stick_tags_find(&maker->nodes, maker->deck->element_node[element->node + (size_t)k]);
        node[k] = index < 0 ? -1 : maker->number[index];
        if (node[k] < 0)
            return false;
    }
    return true;
}

static StickStatus add_elements(Maker *maker)
{
    const StickInpDeck *deck = maker->deck;
    for (size_t e = 0; e < deck->nelements; e++) {
        const StickInpElement *element = &deck->element[e];
        int node[STICK_MOST_ELEMENT_NODES];
        if (maker->place[e] < 0)
            continue;
        mesh_nodes(maker, element, node);
        STICK_TRY(stick_builder_add_element(&maker->builder, element->shape, node, element->tag));
    }
    return STICK_OK;
}

// ---- groups

static StickStatus add_nodes_of(Maker *maker, int group, int index)
{
    int node[STICK_MOST_ELEMENT_NODES];
    const StickInpElement *element = &maker->deck->element[index];
    if (!mesh_nodes(maker, element, node))
        return STICK_OK;
    for (int k = 0; k < nodes_of(element); k++)
        STICK_TRY(stick_builder_group_node(&maker->builder, group, node[k]));
    return STICK_OK;
}

static StickStatus add_node(Maker *maker, const StickInpRange *range, int group, int index)
{
    if (range->nodes_of_elements)
        return add_nodes_of(maker, group, index);
    int number = maker->number[index];
    return number < 0 ? STICK_OK : stick_builder_group_node(&maker->builder, group, number);
}

// The side of the mesh that a smaller element lies on.
static StickStatus find_side(Maker *maker, const StickInpElement *element, bool *found, StickFacet *facet)
{
    const StickShapeInfo *info = stick_shape_info(element->shape);
    const StickSides *sides;
    int node[STICK_MOST_ELEMENT_NODES];
    STICK_TRY(stick_builder_sides(&maker->builder, &sides));
    *found = info->dim == maker->dim - 1 && mesh_nodes(maker, element, node) &&
             stick_sides_find(sides, node, info->corners, facet);
    return STICK_OK;
}

// A truss or shell that is not a side of an element is part of the structure and must not be ignored.
static StickStatus refuse_lost_elements(Maker *maker)
{
    const StickInpDeck *deck = maker->deck;
    for (size_t e = 0; e < deck->nelements; e++) {
        const StickInpElement *element = &deck->element[e];
        const StickShapeInfo *info = stick_shape_info(element->shape);
        int node[STICK_MOST_ELEMENT_NODES];
        StickFacet facet;
        bool found = maker->place[e] >= 0 || (info->dim < maker->dim - 1 && mesh_nodes(maker, element, node));
        if (!found)
            STICK_TRY(find_side(maker, element, &found, &facet));
        if (!found)
            return stick_fail_at(
                maker->ctx, STICK_BAD_MESH, maker->mark,
                "element %lld (%s) is not a side of any %s element: trusses and shells are not supported",
                element->tag, info->name, maker->dim == 3 ? "volume" : "plane");
    }
    return STICK_OK;
}

// An element of the mesh, the side that a smaller element lies on, or else its nodes.
static StickStatus add_element(Maker *maker, const StickInpRange *range, int group, int index)
{
    const StickInpElement *element = &maker->deck->element[index];
    StickFacet facet;
    bool is_side;
    (void)range;
    if (maker->place[index] >= 0)
        return stick_builder_group_element(&maker->builder, group, maker->place[index]);
    STICK_TRY(find_side(maker, element, &is_side, &facet));
    return is_side ? stick_builder_group_facet(&maker->builder, group, facet)
                   : add_nodes_of(maker, group, index);
}

static StickStatus add_free_sides(Maker *maker, int group, int element, int nsides)
{
    const StickSides *sides;
    STICK_TRY(stick_builder_sides(&maker->builder, &sides));
    for (int s = 0; s < nsides; s++)
        if (stick_sides_is_free(sides, &maker->builder.mesh, (StickFacet){element, s}))
            STICK_TRY(stick_builder_group_facet(&maker->builder, group, (StickFacet){element, s}));
    return STICK_OK;
}

static StickStatus add_sides(Maker *maker, const StickInpRange *range, int group, int element)
{
    int index = maker->place[element];
    if (index < 0)
        return add_element(maker, range, group, element);
    const StickShapeInfo *info = stick_shape_info(maker->builder.mesh.shape[index]);
    if (range->side == STICK_INP_FREE_SIDES)
        return add_free_sides(maker, group, index, info->nsides);
    if (range->side >= info->nsides)
        return stick_fail_at(maker->ctx, STICK_BAD_MESH, maker->mark,
                             "surface '%s' has side S%d of element %lld, but a %s has %d sides",
                             maker->builder.mesh.group[group].name, range->side + 1,
                             stick_mesh_element_tag(&maker->builder.mesh, index), info->name, info->nsides);
    return stick_builder_group_facet(&maker->builder, group, (StickFacet){index, range->side});
}

// The form of a name that the file uses first.
static const char *first_form(const StickInpDeck *deck, const char *name)
{
    size_t s = 0;
    while (!stick_inp_same_name(deck->set[s].name, name))
        s++;
    return deck->set[s].name;
}

static StickStatus add_groups(Maker *maker)
{
    static const Visit visit[] = {[STICK_INP_NODES] = add_node,
                                  [STICK_INP_ELEMENTS] = add_element,
                                  [STICK_INP_NODE_SURFACE] = add_node,
                                  [STICK_INP_SURFACE] = add_sides};
    for (size_t s = 0; s < maker->deck->nsets; s++) {
        const StickInpSet *set = &maker->deck->set[s];
        int group;
        STICK_TRY(stick_builder_group(&maker->builder, first_form(maker->deck, set->name), &group));
        STICK_TRY(visit_set(maker, set, group, visit[set->kind]));
    }
    return STICK_OK;
}

// ---- all of it

static StickStatus make(Maker *maker)
{
    STICK_TRY(index_nodes(maker));
    STICK_TRY(index_elements(maker));
    STICK_TRY(find_dimension(maker));
    STICK_TRY(keep_nodes(maker));
    stick_builder_init(&maker->builder, maker->ctx, maker->dim);
    STICK_TRY(add_nodes(maker));
    STICK_TRY(add_elements(maker));
    STICK_TRY(refuse_lost_elements(maker));
    return add_groups(maker);
}

StickStatus stick_inp_mesh(const StickInpDeck *deck, StickMesh *mesh)
{
    StickContext *ctx = deck->ctx;
    Maker maker = {.ctx = ctx, .deck = deck, .mark = {deck->file[0], 0, 0}, .builder = {.ctx = ctx}};
    STICK_CHECK(ctx, deck->nnodes < INT_MAX && deck->nelements < INT_MAX, STICK_NO_MEMORY,
                "'%s' is too large for a mesh", deck->file[0]);
    StickStatus status = make(&maker);
    if (status == STICK_OK)
        status = stick_builder_finish(&maker.builder, mesh);
    if (status == STICK_OK && maker.dim == 2)
        mesh->planes = deck->planes;
    stick_builder_destroy(&maker.builder);
    stick_free(ctx, maker.number);
    stick_free(ctx, maker.place);
    stick_tags_destroy(ctx, &maker.nodes);
    stick_tags_destroy(ctx, &maker.elements);
    return status;
}
