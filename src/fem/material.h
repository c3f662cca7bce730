// SPDX-License-Identifier: Apache-2.0
// Laws of materials under finite strains, at one point.
//
// All of them are W~(F~, history) + U(theta): the isochoric part sees F~ = J^(-1/3) F alone, so that volume and
// pressure may be those of the point (theta = J) or of its element [RBV02 (42), (58)]. Stresses are Kirchhoff's,
// tau = J sigma, in the order of fem/continuum.h: xx, yy, zz, xy, yz, zx. The tangent c gives Lie's rate of tau by the
// rate of deformation, L tau = c d, with engineering shears in d.
//
//     neo-Hookean      W~ = shear/2 (tr C~ - 3)
//     Mooney-Rivlin    W~ = a1 (I1~ - 3) + a2 (I2~ - 3)                                  [RBV02 (40)]
//     J2               W~ = shear |dev ln Ve|^2, radial return of tau in logarithmic strains [S92], fem/plastic.h
//     volume           U  = bulk/2 [(theta^2 - 1)/2 - ln theta]
//
// Prony's terms relax the isochoric stress of the hyperelastic laws, fem/relaxation.h; theirs are shares of the stress
// at once.
#ifndef FEM_MATERIAL_H
#define FEM_MATERIAL_H

#include "model/model.h"

enum { STICK_MOST_MATERIAL_HISTORY = 12 * STICK_MOST_PRONY + 6 };

typedef struct StickMaterialPoint {
    double F[3][3];     // det F > 0; of a plane body F[2][2] = 1, of a ring the hoop stretch
    bool flat;          // of both: no shears yz, zx; what c has of these is not set
    double h;           // time since the past state; 0: nothing relaxes
    const double *past; // history at the start of the step, stick_material_history of them
    double *next;       // out: at its end
    bool no_tangent;    // c is not computed and not set
    bool no_loss;       // the loss of relaxation is set to 0: it costs as much as stress and tangent
    double tau[6];      // out: isochoric, its trace is zero
    double c[6][6];     // out: tangent of tau, with major symmetry to rounding
    double energy;      // out: stored per reference volume, isochoric part
    double loss;        // out: dissipated in the step per reference volume, >= 0
    double J, grown;    // out: det F, J^(2/3) ...
    double growth;      // ... and this less 1
} StickMaterialPoint;

static inline bool stick_material_is_finite(const StickMaterial *material)
{
    return material->law != STICK_MATERIAL_ELASTIC;
}

// Number of history values of a point (at most STICK_MOST_MATERIAL_HISTORY; 0: none), and their values at rest.
int stick_material_history(const StickMaterial *material);
void stick_material_rest(const StickMaterial *material, double *history);

// The isochoric part. False: the law has no state here (local iterations of plastic flow fail, or values are not
// finite).
bool stick_material_isochoric(const StickMaterial *material, StickMaterialPoint *point);

// Equivalent plastic strain in a history; 0 where the law has none.
double stick_material_plastic_strain(const StickMaterial *material, const double *history);

// U, U' = pressure (tension is positive), U''
double stick_volume_energy(double bulk, double theta);
double stick_volume_pressure(double bulk, double theta);
double stick_volume_modulus(double bulk, double theta);

// U and U' from theta - 1: near zero it is more accurate than theta, by the ratio of bulk modulus to stress.
double stick_volume_energy_by(double bulk, double change);
double stick_volume_pressure_by(double bulk, double change);

#endif
