// SPDX-License-Identifier: Apache-2.0
// Isochoric stress and tangent of
//
//     W~ = a1 P : C~ + a2 Q : C~^-1,      C~ = J^(-2/3) F'F,
//
// with P and Q constant within a step. P = Q = 1: Mooney and Rivlin's law, as I2~ = tr C~^-1. Relaxation (see
// fem/relaxation.h) only uses other P and Q.
#ifndef FEM_HYPERELASTIC_H
#define FEM_HYPERELASTIC_H

#include "fem/material.h"

typedef struct StickHyperelastic {
    double a1, a2;
    const double *P, *Q; // six each; NULL: 1
} StickHyperelastic;

// tau and c of the point, whose J, grown and growth are there.
void stick_hyperelastic_stress(const StickHyperelastic *law, StickMaterialPoint *point);

// a1 (I1~ - 3) + a2 (I2~ - 3)
double stick_hyperelastic_energy(const StickHyperelastic *law, const StickMaterialPoint *point);

// Mooney and Rivlin's law: all of it.
void stick_hyperelastic_step(const StickMaterial *material, StickMaterialPoint *point);

#endif
