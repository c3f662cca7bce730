// SPDX-License-Identifier: Apache-2.0
// The contents of a Gmsh file before they are converted to a mesh.
#ifndef MESH_GMSH_FILE_H
#define MESH_GMSH_FILE_H

#include "mesh/mesh.h"
#include "mesh/scan.h"
#include "mesh/unread.h"

typedef struct StickGmshName {
    int dim;
    int tag;
    char *name;
} StickGmshName;

// A geometric entity and its physical groups, physical[first] ... physical[first + count - 1].
typedef struct StickGmshEntity {
    int dim;
    int tag;
    int first;
    int count;
} StickGmshEntity;

typedef struct StickGmshElement {
    long long tag;
    StickShape shape;
    int first; // physical groups, as of an entity
    int count;
    size_t node; // its nodes are element_node[node] ...
} StickGmshElement;

typedef struct StickGmshFile {
    StickTextScan scan;
    StickUnread ignored; // sections
    bool is_4;           // version 4.1, otherwise 2.2
    size_t nnames, nentities, nphysicals, nnodes, nelements, nelement_nodes;
    StickGmshName *name;
    StickGmshEntity *entity;
    int *physical;
    long long *node_tag;
    double *x; // nnodes x 3
    StickGmshElement *element;
    long long *element_node; // tags
    size_t name_room, entity_room, physical_room, node_tag_room, x_room, element_room, element_node_room;
} StickGmshFile;

// Finds the shape of an element type of Gmsh; an unsupported type is an error with its name.
StickStatus stick_gmsh_shape(const StickGmshFile *file, int type, StickShape *shape);

StickStatus stick_gmsh_add_node(StickGmshFile *file, long long tag, const double x[3]);
// Reads the nodes of the element: ints in a binary file of version 2.2.
StickStatus stick_gmsh_add_element(StickGmshFile *file, StickGmshElement element);
StickStatus stick_gmsh_add_physical(StickGmshFile *file, int tag);

// Sections of version 4.1: entities, partitioned entities, nodes, elements.
StickStatus stick_gmsh4_entities(StickGmshFile *file);
StickStatus stick_gmsh4_partitioned_entities(StickGmshFile *file);
StickStatus stick_gmsh4_nodes(StickGmshFile *file);
StickStatus stick_gmsh4_elements(StickGmshFile *file);

// Creates the mesh from the contents of the file.
StickStatus stick_gmsh_mesh(const StickGmshFile *file, StickMesh *mesh);

#endif
