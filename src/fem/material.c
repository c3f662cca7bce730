// SPDX-License-Identifier: Apache-2.0
#include "fem/material.h"

#include "fem/plastic.h"
#include "fem/relaxation.h"
#include "fem/tensor.h"

#include <assert.h>
#include <math.h>

int stick_material_history(const StickMaterial *material)
{
    return material->law == STICK_MATERIAL_J2 ? STICK_PLASTIC_HISTORY : stick_relaxation_history(material);
}

void stick_material_rest(const StickMaterial *material, double *history)
{
    if (material->law == STICK_MATERIAL_J2)
        stick_plastic_rest(history);
    else
        stick_relaxation_rest(material, history);
}

double stick_material_plastic_strain(const StickMaterial *material, const double *history)
{
    return material->law == STICK_MATERIAL_J2 ? history[STICK_PLASTIC_HISTORY - 1] : 0;
}

// a1 (I1~ - 3) + a2 (I2~ - 3) by D = F - 1, with H = F^-1 - 1 = -F^-1 D: of small strains the differences have no digits.
//     I1~ - 3 = J^(-2/3) [2 tr D + D : D - 3 (J^(2/3) - 1)],   I2~ - 3 alike with H and 1/J
static double small_energy(const StickHyperelastic *law, const double F[3][3])
{
    double D[3][3], H[3][3], inverse[3][3], J = stick_tensor_determinant(F), of_D = 0, of_H = 0;
    memcpy(D, F, sizeof D);
    for (int k = 0; k < 3; k++)
        D[k][k] -= 1;
    stick_tensor_inverse(F, J, inverse);
    stick_tensor_product((const double(*)[3])inverse, (const double(*)[3])D, H);
    for (int i = 0; i < 3; i++) {
        of_D += 2 * D[i][i];
        of_H -= 2 * H[i][i];
        for (int j = 0; j < 3; j++) {
            of_D += D[i][j] * D[i][j];
            of_H += H[i][j] * H[i][j];
        }
    }
    double growth = 2.0 / 3 * log1p(stick_tensor_determinant_less_one((const double(*)[3])D));
    return law->a1 * exp(-growth) * (of_D - 3 * expm1(growth)) +
           law->a2 * exp(growth) * (of_H - 3 * expm1(-growth));
}

// Of energies that are a smaller part of the moduli than this.
static const double small = 1e-3;

static bool hyperelastic(const StickMaterial *material, double J, StickMaterialPoint *point)
{
    StickHyperelastic law = {.a1 = material->a1, .a2 = material->a2, .P = {1, 1, 1}, .Q = {1, 1, 1}};
    if (material->nprony > 0)
        stick_relaxation_step(material, J, point, &law);
    double energy = stick_hyperelastic_stress(&law, (const double(*)[3])point->F, J, point->tau,
                                              point->no_tangent ? NULL : point->c);
    if (material->nprony > 0)
        return true;
    point->energy = energy - 3 * (law.a1 + law.a2);
    if (fabs(point->energy) < small * (fabs(law.a1) + fabs(law.a2)))
        point->energy = small_energy(&law, (const double(*)[3])point->F);
    return true;
}

bool stick_material_isochoric(const StickMaterial *material, StickMaterialPoint *point)
{
    assert(stick_material_is_finite(material));
    double J = stick_tensor_determinant((const double(*)[3])point->F);
    point->energy = point->loss = 0;
    if (!(J > 0 && isfinite(J)))
        return false;
    bool found = material->law == STICK_MATERIAL_J2 ? stick_plastic_step(material, J, point)
                                                    : hyperelastic(material, J, point);
    return found && isfinite(point->energy) && isfinite(point->loss);
}

// ---- volume

double stick_volume_energy(double bulk, double theta)
{
    return stick_volume_energy_by(bulk, theta - 1);
}

double stick_volume_pressure(double bulk, double theta)
{
    return 0.5 * bulk * (theta - 1 / theta);
}

double stick_volume_energy_by(double bulk, double change)
{
    return 0.5 * bulk * (change + 0.5 * change * change - log1p(change));
}

double stick_volume_pressure_by(double bulk, double change)
{
    return 0.5 * bulk * change * (2 + change) / (1 + change);
}

double stick_volume_modulus(double bulk, double theta)
{
    return 0.5 * bulk * (1 + 1 / (theta * theta));
}
