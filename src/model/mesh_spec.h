// SPDX-License-Identifier: Apache-2.0
// Meshes of bodies: built-in shapes, patches, gears, files; and the elements on them.
#ifndef MODEL_MESH_SPEC_H
#define MODEL_MESH_SPEC_H

#include "model/expression.h"

typedef enum StickMeshKind {
    STICK_MESH_BAR,
    STICK_MESH_RECTANGLE,
    STICK_MESH_BOX,
    STICK_MESH_DISK,
    STICK_MESH_ROUNDED_PLATE,
    STICK_MESH_PATCHES,
    STICK_MESH_GEAR, // one gear of a pair
    STICK_MESH_FILE,
} StickMeshKind;

typedef enum StickMeshPattern {
    STICK_PATTERN_QUADS,     // of a box: hexes
    STICK_PATTERN_TRIANGLES, // each cell cut by one diagonal; of a box: tets
    STICK_PATTERN_CROSSED,   // each cell cut into four by its centre
} StickMeshPattern;

typedef enum StickDiskPart {
    STICK_DISK_WHOLE,
    STICK_DISK_HALF,    // below the centre
    STICK_DISK_QUARTER, // below the centre and right of it
} StickDiskPart;

// Sides of a patch, in space in this order; in the plane the second direction goes from bottom to top.
typedef enum StickPatchSide {
    STICK_SIDE_LEFT,
    STICK_SIDE_RIGHT,
    STICK_SIDE_FRONT,
    STICK_SIDE_BACK,
    STICK_SIDE_BOTTOM,
    STICK_SIDE_TOP,
    STICK_NPATCH_SIDES
} StickPatchSide;

typedef struct StickPatchSideSpec {
    char *group;   // NULL: none
    bool curved;   // plane patches by corners: an arc of a circle ...
    double arc[3]; // ... through this point
} StickPatchSideSpec;

// A grid of cells, mapped to its place: by expressions, or by corners and the curves between them.
typedef struct StickPatchSpec {
    StickMark mark;
    char *name;              // group of its elements; NULL: none
    int dim;                 // 2 or 3
    int cells[3];            // along xi, eta, zeta
    double grade[3];         // length of the last cell over that of the first, in fractions of the direction
    StickExpression *map[3]; // of xi, eta, zeta in 0 .. 1; NULL: by corners
    double corner[8]
                 [3]; // anticlockwise, from xi = eta = 0; in space those at zeta = 0, then those at zeta = 1
    StickPatchSideSpec side[STICK_NPATCH_SIDES];
    char *point[4]; // plane: groups of the corner nodes; NULL: none
} StickPatchSpec;

typedef struct StickMeshSpec {
    StickMeshKind kind;
    StickMark mark;
    double size[3];           // bar: length; rectangle, box: sides; rounded plate: width, length
    int cells[3];             // bar: elements; disk: cells of the core (two) and rings
    double radius;            // disk; rounded plate: of the round side
    double origin[3];         // bar, rectangle, box: lowest corner; disk: centre; rounded plate: crown
    StickMeshPattern pattern; // of rectangle, box and patches
    int refine;               // rectangle: how often the lowest row of cells is halved
    StickDiskPart part;       // disk; cells of the core are those of the whole disk
    int npatches;
    StickPatchSpec *patch;
    double merge; // patches: nodes nearer than this are one; 0: 1e-6 of the size of the mesh
    const struct StickGearPairSpec *gears; // gear: its pair, and ...
    int gear;                              // ... which one of it, 0 (input) or 1 (output)
    char *file;                            // path, relative paths made relative to the model file
} StickMeshSpec;

typedef enum StickPlane {
    STICK_PLANE_STRAIN,
    STICK_PLANE_STRESS,
    STICK_AXISYMMETRIC, // x is the radius, y the axis; loads and masses are those of the whole ring
} StickPlane;

typedef enum StickElementKind {
    STICK_ELEMENT_DEFAULT, // linear, by the mesh: bar2, tri3 or quad4, tet4 or hex8
    STICK_ELEMENT_LINEAR,
    STICK_ELEMENT_QUADRATIC,       // tri6, quad8
    STICK_ELEMENT_MEAN_DILATATION, // q4p0, h8p0
} StickElementKind;

// Dimension of a body's built-in mesh (1, 2, 3); 0: known only after reading its mesh file.
int stick_mesh_spec_dim(const StickMeshSpec *spec);

#endif
