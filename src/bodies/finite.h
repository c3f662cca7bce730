// SPDX-License-Identifier: Apache-2.0
// Internal forces of all bodies under finite deformation at once.
#ifndef BODIES_FINITE_H
#define BODIES_FINITE_H

#include "bodies/system.h"

typedef struct StickFiniteForces {
    const double *q;    // ndofs of the system
    double h;           // time since the past history; 0: nothing relaxes
    const double *past; // nhistory of the system
    double *next;       // out; may not be past
    double *force;      // out, ndofs: F_int of finite bodies; those of others stay as they are
    double **tangent;   // out, nbodies: values on the pattern of K of finite bodies; NULL: not computed
    bool no_loss;       // skip the loss by relaxation, which costs as much as all the rest
    // out
    int bad_body, bad_element; // the first inverted one, or without a state in its law; -1: none
    double energy;             // stored ...
    double multiplier_energy;  // ... and that of the multipliers of augmentations
    double loss;               // dissipated in the step
    double worst_volume;       // largest |theta - 1|
} StickFiniteForces;

// Whether any body of the system is under finite deformation.
bool stick_system_is_finite(const StickSystem *system);

// Whether a material of it relaxes.
bool stick_system_relaxes(const StickSystem *system);

// The history of bodies at rest.
void stick_system_rest(const StickSystem *system, double *history);

// With a bad element only its number is valid.
StickStatus stick_system_forces(const StickSystem *system, StickFiniteForces *task);

typedef struct StickAugmentation {
    bool again;    // pressures have changed: the equilibrium has to be found again
    int missed;    // body that has no augmentation left, but is not within its tolerance; -1: none
    double change; // of volume of that body, largest |theta - 1|
} StickAugmentation;

// Augments the pressures, lambda in the history, of the bodies whose change of volume at q exceeds the requested
// limit; `count`: number of earlier augmentations in this step.
StickStatus stick_system_augment(const StickSystem *system, const double *q, int count, double *history,
                                 StickAugmentation *augmentation);

#endif
