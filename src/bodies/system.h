// SPDX-License-Identifier: Apache-2.0
// The system: all bodies of a model with their meshes, matrices, supports and loads, one numbering of degrees
// of freedom.
//
// The system is constant in a run. What changes is the state: q (displacements), v (velocities) over all
// bodies.
#ifndef BODIES_SYSTEM_H
#define BODIES_SYSTEM_H

#include "bodies/rigid.h"
#include "fem/fem.h"

typedef struct StickFinite StickFinite;
typedef struct StickModes StickModes;

// A body is deformable (mesh, continuum, matrices) or rigid. The mesh of a rigid body is its skin at the start; it
// shares everything except node positions with the solid. Only the first degrees of freedom of the skin's motion are
// those of the body.
typedef struct StickBody {
    const char *name;
    const StickBodySpec *spec;
    int first; // its first degree of freedom in the system
    int ndofs;
    StickRigid *rigid;   // NULL: deformable
    StickModes *modes;   // by which it moves (bodies/modes.h); NULL: by all its degrees of freedom
    StickFinite *finite; // under finite deformation (fem/finite.h): K is its tangent at rest; NULL: linear
    int first_history;   // its first number in the history of the system
    StickMesh mesh;
    StickContinuum continuum;
    StickSparse M, C, K; // ndofs x ndofs, one pattern; rigid: empty
} StickBody;

// Axis of a degree of freedom that is a rotation, about x: in StickSystem.axis.
enum { STICK_AXIS_TURN = 3 };

typedef struct StickSystem {
    StickContext *ctx;
    const StickModel *model;
    int dim; // of space, the same for all bodies
    int ndofs;
    int nhistory; // numbers that finite bodies keep from step to step
    int nbodies;
    StickBody *body;
    double *total_mass; // per body
    int *axis;  // ndofs: direction of its motion, 0, 1, 2; or STICK_AXIS_TURN and on: rotation about x, y, z
    int nrigid; // bodies that are rigid
    StickRigid *rigid; // of these
    int round;         // corners of round skins; 0: as many as they need
    int nsolids;       // bodies that are alike share one
    StickSolid *solid;
    double adjusted; // elastic energy that the displacements would have taken by which overlaps were adjusted
} StickSystem;

// Whether all bodies are rigid: then loops over deformable bodies can be skipped.
static inline bool stick_system_is_rigid(const StickSystem *system)
{
    return system->nrigid == system->nbodies;
}

// Creates the meshes, then checks all groups and components that the model names (all missing ones are reported
// together), then assembles the matrices.
StickStatus stick_system_create(StickContext *ctx, const StickModel *model, StickSystem **system);
void stick_system_destroy(StickSystem *system);

// Assembles the matrices again after nodes of a deformable body were moved.
StickStatus stick_system_renew(StickSystem *system, int body);

// Group of a target that names a body; an unknown group is STICK_BAD_MESH with the nearest name.
StickStatus stick_system_group(const StickSystem *system, const StickTarget *target,
                               const StickGroup **group);

// Initial displacements and velocities over all bodies.
StickStatus stick_system_initial(const StickSystem *system, double *q, double *v);

// Present place of a node: reference place plus displacement.
static inline void stick_body_place(const StickBody *body, int dim, int node, const double *q,
                                    double place[3])
{
    if (body->rigid) {
        StickPose pose = stick_rigid_pose(body->rigid, q + body->first);
        double x[3] = {0};
        for (int k = 0; k < dim; k++)
            x[k] = body->rigid->solid->skin.x[node * dim + k];
        stick_pose_place(&pose, x, place);
        return;
    }
    place[0] = place[1] = place[2] = 0;
    for (int k = 0; k < dim; k++)
        place[k] = body->mesh.x[node * dim + k] + q[body->first + node * dim + k];
}

// Thickness of the thinnest shape of a rigid body; for a deformable one, the smallest distance of two nodes of an
// element.
double stick_body_thickness(const StickBody *body);

#endif
