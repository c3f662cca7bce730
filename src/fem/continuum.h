// SPDX-License-Identifier: Apache-2.0
// Requirements on mesh and material of a continuum, and the moduli and matrices of isotropic materials.
//
// Strains and stresses are xx, yy, zz, xy, yz, zx with engineering shears (xy: du/dy + dv/dx); of a ring rr,
// axial, hoop, r-axial come in the places of xx, yy, zz, xy. Where a component does not take part, its row is
// zero.
//
// Elastic moduli come from young and poisson. Viscous ones take viscosity_shear G_v and viscosity_bulk K_v as
// shear and bulk modulus of an isotropic material.
//
// In 1D and plane stress only the sum of elastic and viscous lateral stress is zero, not each by itself.
// While the material relaxes fast against the motion, the lateral strain is the elastic one,
//     1D: e_yy = e_zz = -nu e_xx      plane stress: e_zz = -k (e_xx + e_yy), k = nu / (1 - nu),
// up to a term of first order in the rate. Rates in the dissipation 2 G_v dev(e):dev(e) + K_v tr(e)^2 follow
// it:
//     1D: 4/3 G_v (1 + nu)^2 + K_v (1 - 2 nu)^2
//     plane stress: shear G_v, lame 2 G_v k^2 + (K_v - 2/3 G_v) (1 - k)^2
// The stress in the plane is then right to first order in the rate: the error of the lateral strain does no
// work against it. Both are positive semidefinite, and the elastic moduli when K_v, G_v have their ratio.
#ifndef FEM_CONTINUUM_H
#define FEM_CONTINUUM_H

#include "base/check.h"
#include "base/pi.h"
#include "fem/fem.h"

// stress = lame tr(strain) 1 + 2 shear strain, on the components of the plane.
typedef struct StickModuli {
    double lame; // plane stress: of the plane; 1D: Young's modulus, with shear 0
    double shear;
    double bulk; // of the material in space, for mean dilatation; not set in 1D and plane stress
} StickModuli;

StickModuli stick_moduli_elastic(const StickContinuum *continuum);
StickModuli stick_moduli_viscous(const StickContinuum *continuum);
void stick_moduli_matrix(const StickContinuum *continuum, const StickModuli *moduli, double D[6][6]);

// Fails at the mark of the body with its name; requires at least one argument after the format.
#define STICK_CONTINUUM_FAIL(ctx, continuum, status, format, ...)                                     \
    stick_fail_at(ctx, status, (continuum)->mark, "%s%s%s" format, (continuum)->name ? "body '" : "", \
                  (continuum)->name ? (continuum)->name : "", (continuum)->name ? "': " : "", __VA_ARGS__)

// Refuses invalid data: numbers of the material (STICK_BAD_INPUT, at the material's mark), the thickness, mean
// dilatation in plane stress.
StickStatus stick_continuum_check(StickContext *ctx, const StickContinuum *continuum);

// Refuses, with its number, an element that does not suit the dimension or the hypothesis (STICK_BAD_MESH).
StickStatus stick_continuum_check_element(StickContext *ctx, const StickContinuum *continuum, int element);
StickStatus stick_continuum_check_elements(StickContext *ctx, const StickContinuum *continuum);

// Ring: its circumference is in every volume and area.
static inline bool stick_continuum_is_ring(const StickContinuum *continuum)
{
    return continuum->mesh->dim == 2 && continuum->plane == STICK_AXISYMMETRIC;
}

// Factor from an area (2D), a length (1D) or a volume (3D) of the mesh at a radius to a true volume.
static inline double stick_continuum_depth(const StickContinuum *continuum, double radius)
{
    if (stick_continuum_is_ring(continuum))
        return 2 * STICK_PI * radius;
    return continuum->mesh->dim == 3 ? 1 : continuum->thickness;
}

#endif
