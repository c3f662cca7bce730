// SPDX-License-Identifier: Apache-2.0
// Sections of version 4.1, which read the same as text and binary.
#include "base/memory.h"
#include "mesh/gmsh_file.h"

#include <stdlib.h>

// ---- entities

static StickStatus skip_numbers(StickGmshFile *file, const char *what, int count)
{
    double number;
    for (int k = 0; k < count; k++)
        STICK_TRY(stick_scan_number(&file->scan, what, &number));
    return STICK_OK;
}

static StickStatus skip_ints(StickGmshFile *file, const char *what)
{
    size_t count;
    int tag;
    STICK_TRY(stick_scan_count(&file->scan, what, 4, &count));
    for (size_t k = 0; k < count; k++)
        STICK_TRY(stick_scan_int(&file->scan, what, &tag));
    return STICK_OK;
}

// A negative physical tag means that the group contains the entity with opposite orientation.
static StickStatus read_physicals(StickGmshFile *file, bool keep, StickGmshEntity *entity)
{
    size_t count;
    STICK_TRY(stick_scan_count(&file->scan, "physical tags", 4, &count));
    entity->first = (int)file->nphysicals;
    for (size_t k = 0; k < count; k++) {
        int tag;
        STICK_TRY(stick_scan_int(&file->scan, "a physical tag", &tag));
        if (keep)
            STICK_TRY(stick_gmsh_add_physical(file, abs(tag)));
    }
    entity->count = keep ? (int)count : 0;
    return STICK_OK;
}

// Of a partitioned entity: its parent. Groups of a parent of another dimension are not groups of this one.
static StickStatus read_parent(StickGmshFile *file, int dim, bool *own)
{
    int parent_dim, parent;
    STICK_TRY(stick_scan_int(&file->scan, "the dimension of a parent", &parent_dim));
    STICK_TRY(stick_scan_int(&file->scan, "the tag of a parent", &parent));
    STICK_TRY(skip_ints(file, "partitions"));
    *own = parent_dim == dim;
    return STICK_OK;
}

static StickStatus read_entity(StickGmshFile *file, int dim, bool partitioned)
{
    StickGmshEntity entity = {.dim = dim};
    bool own = true;
    STICK_TRY(stick_scan_int(&file->scan, "the tag of an entity", &entity.tag));
    if (partitioned)
        STICK_TRY(read_parent(file, dim, &own));
    STICK_TRY(skip_numbers(file, "the place of an entity", dim == 0 ? 3 : 6));
    STICK_TRY(read_physicals(file, own, &entity));
    if (dim > 0)
        STICK_TRY(skip_ints(file, "bounding entities"));
    STICK_RESERVE(file->scan.ctx, file->entity, file->entity_room, file->nentities + 1);
    file->entity[file->nentities++] = entity;
    return STICK_OK;
}

static StickStatus read_entities(StickGmshFile *file, bool partitioned)
{
    size_t count[4];
    for (int dim = 0; dim < 4; dim++)
        STICK_TRY(stick_scan_count(&file->scan, "entities", 36, &count[dim]));
    for (int dim = 0; dim < 4; dim++)
        for (size_t k = 0; k < count[dim]; k++)
            STICK_TRY(read_entity(file, dim, partitioned));
    return STICK_OK;
}

StickStatus stick_gmsh4_entities(StickGmshFile *file)
{
    return read_entities(file, false);
}

StickStatus stick_gmsh4_partitioned_entities(StickGmshFile *file)
{
    long long partitions;
    size_t ghosts;
    int ignored;
    STICK_TRY(stick_scan_long(&file->scan, "the number of partitions", &partitions));
    STICK_TRY(stick_scan_count(&file->scan, "ghost entities", 8, &ghosts));
    for (size_t k = 0; k < 2 * ghosts; k++)
        STICK_TRY(stick_scan_int(&file->scan, "a ghost entity", &ignored));
    return read_entities(file, true);
}

// The last one of its dimension and tag, so that partitioned entities win over their parents.
static const StickGmshEntity *find_entity(const StickGmshFile *file, int dim, int tag)
{
    for (size_t k = file->nentities; k-- > 0;)
        if (file->entity[k].dim == dim && file->entity[k].tag == tag)
            return &file->entity[k];
    return NULL;
}

// ---- nodes and elements, in blocks by entity

typedef struct Head {
    size_t blocks, items;
} Head;

static StickStatus read_head(StickGmshFile *file, const char *what, size_t item_bytes, Head *head)
{
    long long tag;
    STICK_TRY(stick_scan_count(&file->scan, "blocks", 20, &head->blocks));
    STICK_TRY(stick_scan_count(&file->scan, what, item_bytes, &head->items));
    STICK_TRY(stick_scan_long(&file->scan, "the smallest tag", &tag));
    return stick_scan_long(&file->scan, "the largest tag", &tag);
}

static StickStatus check_total(const StickGmshFile *file, const char *what, size_t said, size_t found)
{
    if (said != found)
        return stick_scan_fail(&file->scan, "the file declares %zu %s, but contains %zu", said, what, found);
    return STICK_OK;
}

// Tags of a block come first, then places, each with its parameters on the entity if the block has them.
static StickStatus read_node_block(StickGmshFile *file)
{
    int dim, tag, parametric;
    size_t count, first = file->nnodes;
    STICK_TRY(stick_scan_int(&file->scan, "the dimension of an entity", &dim));
    STICK_TRY(stick_scan_int(&file->scan, "the tag of an entity", &tag));
    STICK_TRY(stick_scan_int(&file->scan, "the mark of parametric nodes", &parametric));
    STICK_TRY(stick_scan_count(&file->scan, "nodes", 32, &count));
    if (dim < 0 || dim > 3)
        return stick_scan_fail(&file->scan, "an entity has dimension %d", dim);
    for (size_t k = 0; k < count; k++) {
        long long node;
        STICK_TRY(stick_scan_long(&file->scan, "the tag of a node", &node));
        STICK_TRY(stick_gmsh_add_node(file, node, (double[3]){0, 0, 0}));
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t d = 0; d < 3; d++)
            STICK_TRY(stick_scan_number(&file->scan, "a coordinate", &file->x[3 * (first + k) + d]));
        STICK_TRY(skip_numbers(file, "a parameter of a node", parametric ? dim : 0));
    }
    return STICK_OK;
}

StickStatus stick_gmsh4_nodes(StickGmshFile *file)
{
    Head head;
    size_t before = file->nnodes;
    STICK_TRY(read_head(file, "nodes", 32, &head));
    for (size_t k = 0; k < head.blocks; k++)
        STICK_TRY(read_node_block(file));
    return check_total(file, "nodes", head.items, file->nnodes - before);
}

static StickStatus read_element_block(StickGmshFile *file)
{
    int dim, tag, type;
    size_t count;
    StickGmshElement element = {0};
    STICK_TRY(stick_scan_int(&file->scan, "the dimension of an entity", &dim));
    STICK_TRY(stick_scan_int(&file->scan, "the tag of an entity", &tag));
    STICK_TRY(stick_scan_int(&file->scan, "the type of elements", &type));
    STICK_TRY(stick_scan_count(&file->scan, "elements", 16, &count));
    STICK_TRY(stick_gmsh_shape(file, type, &element.shape));
    const StickGmshEntity *entity = find_entity(file, dim, tag);
    if (entity && dim == stick_shape_info(element.shape)->dim) {
        element.first = entity->first;
        element.count = entity->count;
    }
    for (size_t k = 0; k < count; k++) {
        STICK_TRY(stick_scan_long(&file->scan, "the tag of an element", &element.tag));
        STICK_TRY(stick_gmsh_add_element(file, element));
    }
    return STICK_OK;
}

StickStatus stick_gmsh4_elements(StickGmshFile *file)
{
    Head head;
    size_t before = file->nelements;
    STICK_TRY(read_head(file, "elements", 16, &head));
    for (size_t k = 0; k < head.blocks; k++)
        STICK_TRY(read_element_block(file));
    return check_total(file, "elements", head.items, file->nelements - before);
}
