// SPDX-License-Identifier: Apache-2.0
// Plastic flow by von Mises' condition at finite strains, multiplicative, in logarithmic elastic strains [S92].
//
//     F~ = Fe Fp,  be = F~ Cp^-1 F~',  e = dev ln(be)/2,  tau = 2 shear e,  W~ = shear e : e
//     q = sqrt(3/2) |tau| <= yield(a),   flow along tau,   da = sqrt(2/3) |d e_p|
//
// The step is the radial return of small strains in the principal axes of the trial be: exponentials keep the plastic
// volume to rounding, however large the flow, and the step is the minimum of W~ + work of flow over a. Therefore its
// tangent is symmetric, and energy plus loss is a potential of tau within the step.
#ifndef FEM_PLASTIC_H
#define FEM_PLASTIC_H

#include "fem/material.h"

// Of the history: Cp^-1 (six), and the equivalent plastic strain a.
enum { STICK_PLASTIC_HISTORY = 7 };

void stick_plastic_rest(double *history);

// False: stresses are not finite.
bool stick_plastic_step(const StickMaterial *material, StickMaterialPoint *point);

// Yield stress at the plastic strain a, its slope (at a kink the right-hand one) and its integral from 0.
typedef struct StickYield {
    double stress, slope, work;
} StickYield;
StickYield stick_hardening_at(const StickHardening *hardening, double a);

#endif
