// SPDX-License-Identifier: Apache-2.0
// Relaxation of hyperelastic laws by Prony's terms: finite viscoelasticity whose dissipation is never negative.
//
// A term of share g and time T has networks that are formed again without stress at the rate 1/T [GT46]. With A the
// mean of C~^-1 over the formation times of the remaining networks (A = 1 at first), and B that of C~,
//
//     dA/dt = (C~^-1 - A)/T,                dB/dt = (C~ - B)/T
//     W~ = g a1 (A : C~ - 3 - ln det A) + g a2 (B : C~^-1 - 3 - ln det B)
//     loss per time = g a1/T [tr be + tr be^-1 - 6] + the same of a2,     be = F~ A F~'
//
// After a jump the stress of the term is that of the law times exp(-t/T), whatever the strain, and small strains see
// the linear theory of viscoelasticity. Within a step C~^-1 and C~ vary linearly, for which A and B are exact:
// with x = h/T, e = exp(-x), phi = (1 - e)/x
//
//     A_1 = e A_0 + (phi - e) C~_0^-1 + (1 - phi) C~_1^-1,
//
// a mean with weights that are not negative. Its last part is 1 when pushed forward, no stress: stress and tangent
// within the step are those of a hyperelastic law with P = (1 - sum g) 1 + sum g (e A_0 + (phi - e) C~_0^-1).
#ifndef FEM_RELAXATION_H
#define FEM_RELAXATION_H

#include "fem/material.h"

// Of the history: C~, then A of every term, then B of every term where a2 is not zero.
int stick_relaxation_history(const StickMaterial *material);
void stick_relaxation_rest(const StickMaterial *material, double *history);

// All of the law at the point.
void stick_relaxation_step(const StickMaterial *material, StickMaterialPoint *point);

#endif
