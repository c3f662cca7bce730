// SPDX-License-Identifier: Apache-2.0
// Reads meshes from input files of Abaqus and CalculiX: nodes, elements, sets and surfaces.
//
// Sets and surfaces become groups by their name; a node set, an element set and a surface of one name are one
// group. Names match whatever their case and keep the form in which they come first. Other keywords are
// skipped with their data. Nodes that neither an element nor a list of a *NSET uses are left out with a note.
#ifndef MESH_INP_H
#define MESH_INP_H

#include "mesh/mesh.h"

// Volume elements make a mesh of dimension 3, plane and axisymmetric ones of dimension 2 without their z. The
// mesh is not yet checked by stick_mesh_check.
StickStatus stick_inp_read(StickContext *ctx, const char *path, StickMesh *mesh);

#endif
