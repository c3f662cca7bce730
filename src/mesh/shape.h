// SPDX-License-Identifier: Apache-2.0
// Shapes of elements and of their sides: node numbering, sides, and the codes of other programs.
#ifndef MESH_SHAPE_H
#define MESH_SHAPE_H

typedef enum StickShape {
    STICK_POINT1, // side of a bar
    STICK_BAR2,
    STICK_BAR3, // side of a quadratic element: both ends, then the middle
    STICK_TRI3,
    STICK_TRI6,
    STICK_QUAD4,
    STICK_QUAD5, // quad4 with one more node in the middle of its first side, linear between nodes: joins a row of cells
                 // to one of half their size
    STICK_QUAD8,
    STICK_TET4,
    STICK_HEX8,
    STICK_NSHAPES
} StickShape;

enum { STICK_MOST_ELEMENT_NODES = 8, STICK_MOST_FACET_NODES = 4, STICK_MOST_SIDES = 6 };

// Node numbering is VTK's (corners anticlockwise, then mid-side nodes in the order of the sides). A quad5 is a polygon of
// VTK: all of its nodes are corners, anticlockwise, and node 1 is the one in the middle, of the side from 0 to 2.
typedef struct StickShapeInfo {
    const char *name; // "bar2", "tri3", ...
    int dim;          // of the reference element
    int nodes;
    int corners;
    int vtk;  // cell type of VTK
    int gmsh; // element type of Gmsh, 0 if none
    int nsides;
    StickShape side_shape;
    // Local nodes of the sides, outward: in 2D with the element on the left, in 3D anticlockwise seen from
    // outside.
    int side[STICK_MOST_SIDES][STICK_MOST_FACET_NODES];
} StickShapeInfo;

const StickShapeInfo *stick_shape_info(StickShape shape);

#endif
