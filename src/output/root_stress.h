// SPDX-License-Identifier: Apache-2.0
// The largest tension in the fillets of a gear, from the elements around them alone.
#ifndef OUTPUT_ROOT_STRESS_H
#define OUTPUT_ROOT_STRESS_H

#include "bodies/system.h"

typedef struct StickRootStress {
    const StickGroup *fillets; // NULL: the mesh has none
    StickMesh part;            // all nodes, and the elements that have nodes of the fillets
    StickContinuum continuum;  // of it
    double *stress;            // nodes x 6
} StickRootStress;

// Refers to the body.
StickStatus stick_root_stress_create(StickContext *ctx, const StickBody *body, StickRootStress *root);
void stick_root_stress_destroy(StickContext *ctx, StickRootStress *root);

// The largest principal stress at nodes of the fillets, by displacements of the body; NaN without fillets.
StickStatus stick_root_stress_largest(StickContext *ctx, StickRootStress *root, const double *u,
                                      double *tension);

#endif
