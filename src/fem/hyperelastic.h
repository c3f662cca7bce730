// SPDX-License-Identifier: Apache-2.0
// Isochoric stress and tangent of
//
//     W~ = a1 P : C~ + a2 Q : C~^-1,      C~ = J^(-2/3) F'F,
//
// with P and Q constant within a step. P = Q = 1: Mooney and Rivlin's law, as I2~ = tr C~^-1. Relaxation (see
// fem/relaxation.h) has others, which is all that it changes.
#ifndef FEM_HYPERELASTIC_H
#define FEM_HYPERELASTIC_H

typedef struct StickHyperelastic {
    double a1, a2;
    double P[6], Q[6];
} StickHyperelastic;

// W~; tau and c as in fem/material.h (c: NULL, not asked for). J = det F > 0.
double stick_hyperelastic_stress(const StickHyperelastic *law, const double F[3][3], double J, double tau[6],
                                 double c[6][6]);

#endif
