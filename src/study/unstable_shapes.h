// SPDX-License-Identifier: Apache-2.0
// Shapes of the modes of a state that grow, as files of its stability step:
//     stability/<step>/status-<k>-mode-<m>.pvd
#ifndef STUDY_UNSTABLE_SHAPES_H
#define STUDY_UNSTABLE_SHAPES_H

#include "bodies/system.h"
#include "stability/conditions.h"

// The strongest of a state: a fine mesh may have hundreds of unstable modes at frequencies that it does not resolve.
enum { STICK_STRONGEST_SHAPES = 12 };

// Where they are written, and of how many states: a step has room for some only.
typedef struct StickUnstableShapes {
    const char *folder;
    int ndofs; // of the system that pages show: states of other meshes, as a parameter may make them, have no shapes
    int number; // of the present state, from 1
    int left;   // states that still have room
} StickUnstableShapes;

// The state has the displacements q. The strongest modes and the first that flutters; one of a complex pair stands for both. The first mode that flutters is written over one
// oscillation in all phases, the others in four.
StickStatus stick_unstable_shapes_write(StickContext *ctx, StickUnstableShapes *shapes,
                                        const StickSystem *system, const double *q,
                                        const StickReduced *reduced, const StickSpectrum *spectrum);

#endif
