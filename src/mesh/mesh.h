// SPDX-License-Identifier: Apache-2.0
// Meshes: nodes, elements of the dimension of space, and named groups of nodes, elements and element sides.
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include "mesh/flank.h"
#include "mesh/shape.h"

#include <stickslip/context.h>

#include <stdbool.h>

// A side of an element: its number in the element's list of sides (see StickShapeInfo).
typedef struct StickFacet {
    int element;
    int side;
} StickFacet;

// A named group of nodes, elements and facets. Every node of its elements and facets is in node[].
typedef struct StickGroup {
    char *name;
    int nnodes;
    int *node; // ascending, each once
    int nelements;
    int *element;
    int nfacets;
    StickFacet *facet;
} StickGroup;

// The plane model given by the element types of a file.
typedef enum StickMeshPlane {
    STICK_MESH_PLANE_STRESS = 1,
    STICK_MESH_PLANE_STRAIN = 2,
    STICK_MESH_AXISYMMETRIC = 4,
} StickMeshPlane;

typedef struct StickMesh {
    int dim; // of space: 1, 2 or 3
    int nnodes;
    double *x; // nnodes x dim
    int nelements;
    StickShape *shape; // nelements
    int *start;        // nelements + 1
    int *node;         // start[nelements]: nodes of element e are node[start[e]] ... node[start[e + 1] - 1]
    int ngroups;
    StickGroup *group;
    long long *node_tag;    // nnodes: tag of each node in the mesh file; NULL: numbers from 1
    long long *element_tag; // nelements
    unsigned planes;        // of StickMeshPlane; 0: none is stated
    int nflanks;            // sides whose true shape is known
    StickMeshFlank *flank;
} StickMesh;

void stick_mesh_destroy(StickContext *ctx, StickMesh *mesh);

// NULL if no group has this name.
const StickGroup *stick_mesh_group(const StickMesh *mesh, const char *name);

// Nodes of one side, as global node numbers, outward by the right-hand rule (3D) or with the body on the left
// (2D).
int stick_mesh_facet_nodes(const StickMesh *mesh, StickFacet facet, int nodes[STICK_MOST_FACET_NODES]);
StickShape stick_mesh_facet_shape(const StickMesh *mesh, StickFacet facet);

// The number of a node or an element for messages: its tag in the mesh file, or its number counted from 1.
long long stick_mesh_node_tag(const StickMesh *mesh, int node);
long long stick_mesh_element_tag(const StickMesh *mesh, int element);

// The smallest sine of an element's angles (in space of its solid angles) at its corners, of a quadratic one at mid-side
// nodes, of a quad5 within its halves, too, and the local node where it is; below 0 where the element is inverted.
double stick_mesh_worst_angle(const double x[][3], StickShape shape, int *where);

// Checks a mesh and reports errors with node and element numbers: inverted or degenerate elements, unused nodes,
// coincident nodes, elements that overlap a neighbour, empty groups, coordinates that are not finite. where: name of
// the mesh in messages (a file or "mesh of body 'x'").
StickStatus stick_mesh_check(StickContext *ctx, const StickMesh *mesh, StickMark where);

#endif
