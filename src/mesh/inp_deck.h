// SPDX-License-Identifier: Apache-2.0
// The mesh data of an Abaqus or CalculiX input file, before they are converted to a mesh.
#ifndef MESH_INP_DECK_H
#define MESH_INP_DECK_H

#include "mesh/mesh.h"

typedef enum StickInpKind {
    STICK_INP_NODES,        // *NSET
    STICK_INP_ELEMENTS,     // *ELSET
    STICK_INP_NODE_SURFACE, // *SURFACE, TYPE=NODE
    STICK_INP_SURFACE,      // *SURFACE, TYPE=ELEMENT
} StickInpKind;

enum { STICK_INP_FREE_SIDES = -1 };

// Tags first, first + step, ... up to last.
typedef struct StickInpRange {
    long long first, last, step;
    int side;               // of a surface: of these elements; or all of their sides that are free
    bool listed;            // by a line of a set that names it: then it must be in the mesh
    bool nodes_of_elements; // of a node set: the tags are of elements whose nodes are meant
} StickInpRange;

typedef struct StickInpSet {
    StickInpKind kind;
    char *name;
    StickMark mark;
    size_t nranges, room;
    StickInpRange *range;
} StickInpSet;

typedef struct StickInpElement {
    long long tag;
    StickShape shape;
    size_t node; // its nodes are element_node[node] ...
} StickInpElement;

typedef struct StickInpDeck {
    StickContext *ctx;
    unsigned planes; // of StickMeshPlane, that element types state
    size_t nfiles, nnodes, nelements, nelement_nodes, nsets, nranges;
    char **file; // names of the files, for marks
    long long *node_tag;
    double *x; // nnodes x 3
    StickInpElement *element;
    long long *element_node; // tags
    StickInpSet *set;
    size_t file_room, node_tag_room, x_room, element_room, element_node_room, set_room;
} StickInpDeck;

void stick_inp_deck_destroy(StickInpDeck *deck);

StickStatus stick_inp_add_node(StickInpDeck *deck, long long tag, const double x[3]);
StickStatus stick_inp_add_element(StickInpDeck *deck, long long tag, StickShape shape, const long long *node);

// Index of a set, ignoring the case of its name; -1 if not found.
int stick_inp_find_set(const StickInpDeck *deck, StickInpKind kind, const char *name);
// Finds the set with this name, or creates it.
StickStatus stick_inp_set(StickInpDeck *deck, StickInpKind kind, const char *name, StickMark mark, int *set);
StickStatus stick_inp_add_range(StickInpDeck *deck, int set, StickInpRange range);

bool stick_inp_same_name(const char *a, const char *b);

// Creates the mesh from the contents of the file.
StickStatus stick_inp_mesh(const StickInpDeck *deck, StickMesh *mesh);

#endif
