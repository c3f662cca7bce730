// SPDX-License-Identifier: Apache-2.0
#include "model/tables.h"

static const StickChoice laws[] = {
    {"elastic", 0, "isotropic linear elasticity"},
    {NULL, 0, NULL},
};

static const StickField viscosity_fields[] = {
    {.key = "shear",
     .type = STICK_FIELD_NUMBER,
     .text = "shear viscosity",
     .unit = "stress time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickMaterial, viscosity_shear)},
    {.key = "bulk",
     .type = STICK_FIELD_NUMBER,
     .text = "bulk viscosity",
     .unit = "stress time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickMaterial, viscosity_bulk)},
    {.key = NULL},
};

static const StickSchema viscosity_table = {
    .title = "a viscosity",
    .text = "Viscous stresses beside the elastic ones (Kelvin-Voigt).",
    .fields = viscosity_fields,
};

static const StickField rayleigh_fields[] = {
    {.key = "mass",
     .type = STICK_FIELD_NUMBER,
     .text = "a in C = a M + b K",
     .unit = "1/time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickMaterial, rayleigh_mass)},
    {.key = "stiffness",
     .type = STICK_FIELD_NUMBER,
     .text = "b in C = a M + b K",
     .unit = "time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickMaterial, rayleigh_stiffness)},
    {.key = NULL},
};

static const StickSchema rayleigh_table = {
    .title = "a Rayleigh damping",
    .text = "Damping proportional to mass and stiffness.",
    .fields = rayleigh_fields,
};

static const StickField material_fields[] = {
    {.key = "law",
     .type = STICK_FIELD_CHOICE,
     .text = "law of the material",
     .choices = laws,
     .standard = "elastic"},
    {.key = "young",
     .type = STICK_FIELD_NUMBER,
     .text = "Young's modulus; rigid bodies need none",
     .unit = "stress",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMaterial, young)},
    {.key = "poisson",
     .type = STICK_FIELD_NUMBER,
     .text = "Poisson's ratio",
     .standard = "0",
     .range = {STICK_ABOVE | STICK_BELOW, -1, 0.5},
     .at = STICK_AT(StickMaterial, poisson)},
    {.key = "density",
     .type = STICK_FIELD_NUMBER,
     .text = "mass per volume",
     .unit = "mass/length^3",
     .required = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMaterial, density)},
    {.key = "viscosity", .type = STICK_FIELD_MAP, .text = "viscous stresses", .table = &viscosity_table},
    {.key = "rayleigh",
     .type = STICK_FIELD_MAP,
     .text = "damping by mass and stiffness",
     .table = &rayleigh_table},
    {.key = NULL},
};

const StickSchema stick_material_table = {
    .title = "a material",
    .text = "What a body is made of.",
    .size = sizeof(StickMaterial),
    .mark_at = STICK_AT(StickMaterial, mark),
    .name_at = STICK_AT(StickMaterial, name),
    .fields = material_fields,
};
