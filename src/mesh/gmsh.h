// SPDX-License-Identifier: Apache-2.0
// Reads Gmsh's mesh files, version 2.2 and 4.1, text and binary.
//
// Elements of the highest dimension make the mesh. Physical groups become groups by their name, or as
// physical-<tag>: elements, sides of elements (elements of one dimension less), nodes (of two or three less).
// Nodes that neither an element nor a physical group uses, such as centres of arcs, are left out with a note.
#ifndef MESH_GMSH_H
#define MESH_GMSH_H

#include "mesh/mesh.h"

// The dimension is 3 with volumes, 2 with faces in the plane z = 0, 1 with lines on the x axis. The mesh is
// not yet checked by stick_mesh_check.
StickStatus stick_gmsh_read(StickContext *ctx, const char *path, StickMesh *mesh);

#endif
