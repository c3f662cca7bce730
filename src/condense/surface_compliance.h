// SPDX-License-Identifier: Apache-2.0
// Compliance of nodes on surfaces: displacements of all of them by forces at some, from one factor of each body.
//
// Columns are solved in blocks with fixed boundaries, when a node of a block is first needed: positions of a
// trajectory that touch the same nodes cost no further solve.
#ifndef CONDENSE_SURFACE_COMPLIANCE_H
#define CONDENSE_SURFACE_COMPLIANCE_H

#include "condense/step_matrix.h"

typedef struct StickSurfaceCompliance StickSurfaceCompliance;

// Of one body in the plane; the matrix must stay as it is. marked: one flag per node of the body's mesh.
StickStatus stick_surface_compliance_create(StickContext *ctx, const StickSystem *system,
                                            StickStepMatrix *matrix, int body, const bool *marked,
                                            StickSurfaceCompliance **compliance);
void stick_surface_compliance_destroy(StickSurfaceCompliance *compliance);

// How many nodes are marked, and the place of one among them.
int stick_surface_compliance_count(const StickSurfaceCompliance *compliance);
int stick_surface_compliance_place(const StickSurfaceCompliance *compliance, int node);

// Displacements (2 numbers for each marked node) by a unit force at a marked node along x or y (axis 0 or 1).
StickStatus stick_surface_compliance_column(StickSurfaceCompliance *compliance, int node, int axis,
                                            const double **column);

// Columns solved for so far.
long stick_surface_compliance_solves(const StickSurfaceCompliance *compliance);

#endif
