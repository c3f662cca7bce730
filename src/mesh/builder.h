// SPDX-License-Identifier: Apache-2.0
// Builds a mesh piece by piece: nodes, then elements, then groups; finished, it owns nothing any more.
#ifndef MESH_BUILDER_H
#define MESH_BUILDER_H

#include "mesh/sides.h"

typedef struct StickGroupRoom {
    size_t node, element, facet;
} StickGroupRoom;

typedef struct StickMeshBuilder {
    StickContext *ctx;
    StickMesh mesh; // so far
    size_t x_room, node_tag_room, shape_room, start_room, node_room, element_tag_room, group_room, rooms_room;
    StickGroupRoom *rooms; // of the groups' lists
    StickSides sides;      // of the elements, computed on first use
    bool has_sides;
} StickMeshBuilder;

void stick_builder_init(StickMeshBuilder *builder, StickContext *ctx, int dim);
void stick_builder_destroy(StickMeshBuilder *builder);

// tag 0: numbers from 1.
StickStatus stick_builder_add_node(StickMeshBuilder *builder, const double *x, long long tag);
StickStatus stick_builder_add_element(StickMeshBuilder *builder, StickShape shape, const int *node,
                                      long long tag);

// Finds the group with this name, or creates it. A group may contain an item more than once.
StickStatus stick_builder_group(StickMeshBuilder *builder, const char *name, int *group);
StickStatus stick_builder_group_node(StickMeshBuilder *builder, int group, int node);
StickStatus stick_builder_group_element(StickMeshBuilder *builder, int group, int element);
StickStatus stick_builder_group_facet(StickMeshBuilder *builder, int group, StickFacet facet);

// Sides of the elements; no element may be added afterwards.
StickStatus stick_builder_sides(StickMeshBuilder *builder, const StickSides **sides);

// Adds the groups "all" and "boundary" (free sides) unless there are such, orders all groups and hands the
// mesh over.
StickStatus stick_builder_finish(StickMeshBuilder *builder, StickMesh *mesh);

#endif
