// SPDX-License-Identifier: Apache-2.0
// The system: all bodies of a model with their meshes, matrices, supports and loads, one numbering of degrees
// of freedom.
//
// The system is constant in a run. What changes is the state: q (displacements), v (velocities) over all
// bodies.
#ifndef BODIES_SYSTEM_H
#define BODIES_SYSTEM_H

#include "fem/fem.h"

typedef struct StickBody {
    const char *name;
    const StickBodySpec *spec;
    int first; // its first degree of freedom in the system
    int ndofs;
    StickMesh mesh;
    StickContinuum continuum;
    StickSparse M, C, K; // ndofs x ndofs, one pattern
} StickBody;

typedef struct StickSystem {
    StickContext *ctx;
    const StickModel *model;
    int dim; // of space, the same for all bodies
    int ndofs;
    int nbodies;
    StickBody *body;
    double *total_mass; // per body
} StickSystem;

// Meshes, then all groups and components that the model names (those that do not exist are said together),
// then matrices.
StickStatus stick_system_create(StickContext *ctx, const StickModel *model, StickSystem **system);
void stick_system_destroy(StickSystem *system);

// Group of a target that names a body; an unknown group is STICK_BAD_MESH with the nearest name.
StickStatus stick_system_group(const StickSystem *system, const StickTarget *target,
                               const StickGroup **group);

// Initial displacements and velocities over all bodies.
StickStatus stick_system_initial(const StickSystem *system, double *q, double *v);

// Present place of a node: reference place plus displacement.
static inline void stick_body_place(const StickBody *body, int dim, int node, const double *q,
                                    double place[3])
{
    place[0] = place[1] = place[2] = 0;
    for (int k = 0; k < dim; k++)
        place[k] = body->mesh.x[node * dim + k] + q[body->first + node * dim + k];
}

#endif
