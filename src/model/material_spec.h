// SPDX-License-Identifier: Apache-2.0
// Materials: law, moduli, density, hardening, relaxation, damping.
#ifndef MODEL_MATERIAL_SPEC_H
#define MODEL_MATERIAL_SPEC_H

#include <stickslip/context.h>

typedef enum StickMaterialLaw {
    STICK_MATERIAL_ELASTIC,       // small strains
    STICK_MATERIAL_NEO_HOOKEAN,   // finite strains, as all below
    STICK_MATERIAL_MOONEY_RIVLIN, //
    STICK_MATERIAL_J2,            // plastic flow by von Mises' condition
} StickMaterialLaw;

// Yield stress over the equivalent plastic strain a: of linear and Voce's hardening
//     yield + modulus a + (saturation - yield) (1 - exp(-rate a)),
// or by a table, linear between its rows and constant after the last.
typedef struct StickHardening {
    double yield, modulus, saturation, rate;
    int nrows;   // 0: by the formula
    double *row; // nrows x 2: plastic strain, ascending from 0, and yield stress
} StickHardening;

// One Prony term of the isochoric stress: its fraction of the instantaneous stress, and its relaxation time.
typedef struct StickProny {
    double share, time;
} StickProny;

enum { STICK_MOST_PRONY = 10 };

typedef struct StickMaterial {
    char *name;
    StickMark mark;
    double young, poisson, density;
    StickMaterialLaw law;
    double a1, a2;            // Mooney-Rivlin; neo-Hookean: a1 = shear / 2, a2 = 0
    double shear, bulk;       // finite strains: moduli at small ones, from the keys of the law
    StickHardening hardening; // J2
    int nprony;               // hyperelastic laws
    StickProny *prony;
    // Kelvin-Voigt: stress = D(young, poisson) e + D_v(shear, bulk) de/dt
    double viscosity_shear, viscosity_bulk;
    double rayleigh_mass, rayleigh_stiffness; // C += rayleigh_mass M + rayleigh_stiffness K
} StickMaterial;

#endif
