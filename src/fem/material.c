// SPDX-License-Identifier: Apache-2.0
#include "fem/material.h"

#include "fem/hyperelastic.h"
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

// growth x = J^(2/3) - 1, with the digits of small strains: the root of f = (1 + x)^3 - 1 - s, s = J^2 - 1. One step of
// Halley's method from three terms of the series is exact to rounding and much cheaper than a cubic root.
STICK_KERNEL double small_growth(double s)
{
    double x = s * (1.0 / 3 - s * (1.0 / 9 - s * (5.0 / 81)));
    double f = x * (3 + x * (3 + x)) - s, slope = 3 * (1 + x) * (1 + x);
    return x - f * slope / (slope * slope - 3 * (1 + x) * f);
}

// J from F, not from F - 1: for strong compression J is small.
STICK_KERNEL void measure(int dim, StickMaterialPoint *point)
{
    double D[3][3];
    stick_tensor_less_one(dim, (const double(*)[3])point->F, D);
    double change = stick_tensor_determinant_less_one(dim, (const double(*)[3])D), s = change * (2 + change);
    point->J = stick_tensor_determinant(dim, (const double(*)[3])point->F);
    if (fabs(s) < 0.1) {
        point->growth = small_growth(s);
        point->grown = 1 + point->growth;
    } else {
        point->grown = cbrt(point->J * point->J);
        point->growth = point->grown - 1;
    }
}

bool stick_material_isochoric(const StickMaterial *material, StickMaterialPoint *point)
{
    assert(stick_material_is_finite(material));
    point->energy = point->loss = 0;
    if (point->flat)
        measure(2, point);
    else
        measure(3, point);
    if (!(point->J > 0 && isfinite(point->J)))
        return false;
    if (material->law == STICK_MATERIAL_J2) {
        if (!stick_plastic_step(material, point))
            return false;
    } else if (material->nprony > 0) {
        stick_relaxation_step(material, point);
    } else {
        stick_hyperelastic_step(material, point);
    }
    return isfinite(point->energy) && isfinite(point->loss);
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
