// SPDX-License-Identifier: Apache-2.0
// States of material points for tests: deformations, rotations, and evaluation of the laws.
#ifndef TESTS_FEM_STATES_H
#define TESTS_FEM_STATES_H

#include "check.h"
#include "fem/material.h"
#include "fem/tensor.h"

// A number between -1 and 1, the same sequence on every machine.
static inline double state_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

// 1 plus random entries of that size.
static inline void random_deformation(unsigned *seed, double size, double F[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            F[i][j] = (i == j) + size * state_random(seed);
}

// By Rodrigues' formula about (1, 2, 2)/3.
static inline void state_rotation(double angle, double Q[3][3])
{
    const double n[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3};
    const double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            Q[i][j] = cos(angle) * (i == j) + sin(angle) * cross[i][j] + (1 - cos(angle)) * n[i] * n[j];
}

// The law at F after a history; the next one is not kept.
static inline StickMaterialPoint state_at(const StickMaterial *material, const double F[3][3], double h,
                                          const double *past, double *next)
{
    StickMaterialPoint point = {.h = h, .past = past, .next = next};
    memcpy(point.F, F, sizeof point.F);
    assert_true(stick_material_isochoric(material, &point));
    return point;
}

// (1 + s l) F
static inline void state_moved(const double F[3][3], const double l[3][3], double s, double out[3][3])
{
    double lF[3][3];
    stick_tensor_product(l, F, lF);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = F[i][j] + s * lF[i][j];
}

// c against differences of tau: Lie's rate along l is (tau(F + s l F) - tau(F - s l F))/2s - l tau - tau l'. The
// largest difference over nine l, as a part of the largest entry of c.
static inline double tangent_error(const StickMaterial *material, const double F[3][3], double h,
                                   const double *past)
{
    double next[STICK_MOST_MATERIAL_HISTORY], worst = 0, scale = 0, s = 2e-5;
    StickMaterialPoint point = state_at(material, F, h, past, next);
    for (int dir = 0; dir < 9; dir++) {
        double l[3][3] = {{0}}, moved[3][3], tau[3][3], d[6], rate[6];
        l[dir / 3][dir % 3] = 1;
        for (int k = 0; k < 6; k++)
            d[k] = k < 3 ? l[k][k]
                         : l[stick_six_row[k]][stick_six_col[k]] + l[stick_six_col[k]][stick_six_row[k]];
        // differences of fourth order
        memset(rate, 0, sizeof rate);
        const double at[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
        for (int p = 0; p < 4; p++) {
            state_moved(F, (const double(*)[3])l, at[p] * s, moved);
            StickMaterialPoint near = state_at(material, (const double(*)[3])moved, h, past, next);
            for (int k = 0; k < 6; k++)
                rate[k] += weight[p] * near.tau[k] / s;
        }
        stick_six_to_tensor(point.tau, tau);
        for (int k = 0; k < 6; k++) {
            int i = stick_six_row[k], j = stick_six_col[k];
            double lie = rate[k], cd = 0;
            for (int m = 0; m < 3; m++)
                lie -= l[i][m] * tau[m][j] + tau[i][m] * l[j][m];
            for (int m = 0; m < 6; m++) {
                cd += point.c[k][m] * d[m];
                scale = fmax(scale, fabs(point.c[k][m]));
            }
            worst = fmax(worst, fabs(lie - cd));
        }
    }
    return worst / scale;
}

static inline double asymmetry(const double c[6][6])
{
    double worst = 0, scale = 0;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            worst = fmax(worst, fabs(c[i][j] - c[j][i]));
            scale = fmax(scale, fabs(c[i][j]));
        }
    }
    return worst / scale;
}

#endif
