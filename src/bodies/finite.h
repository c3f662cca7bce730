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
    double **tangent;   // out, nbodies: values on the pattern of K of finite bodies; NULL: not asked for
    // out
    int bad_body, bad_element; // the first that is inverted, or whose law has no state; -1: none
    double energy;             // stored ...
    double multiplier_energy;  // ... and that of the multipliers of augmentations
    double loss;               // dissipated in the step
    double worst_volume;       // largest |theta - 1|
} StickFiniteForces;

// Whether any body of the system is under finite deformation.
bool stick_system_is_finite(const StickSystem *system);

// The history of bodies at rest.
void stick_system_rest(const StickSystem *system, double *history);

// With a bad element nothing but its number is of use.
StickStatus stick_system_forces(const StickSystem *system, StickFiniteForces *task);

// One augmentation of the pressures at q: lambda in the history.
StickStatus stick_system_augment(const StickSystem *system, const double *q, double *history);

#endif
