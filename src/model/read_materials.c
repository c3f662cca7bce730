// SPDX-License-Identifier: Apache-2.0
#include "model/tables.h"

#include <string.h>

static const double LEAST_BULK = 2, LARGEST_BULK = 1e6; // plausible bulk moduli of rubber, in shear moduli

static const StickChoice laws[] = {
    {"elastic", STICK_MATERIAL_ELASTIC, "isotropic linear elasticity, small strains"},
    {"neo-hookean", STICK_MATERIAL_NEO_HOOKEAN,
     "rubber, finite strains; keys shear and bulk, or young and poisson"},
    {"mooney-rivlin", STICK_MATERIAL_MOONEY_RIVLIN, "rubber, finite strains; keys a1, a2 and bulk"},
    {"j2", STICK_MATERIAL_J2, "metal, finite strains; keys young, poisson, yield and hardening"},
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
    .text = "Viscous stresses in parallel with the elastic ones (Kelvin-Voigt).",
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

// ---- plastic flow

// [[0, stress], [strain, stress], ...]
static StickStatus read_row(StickReader *reader, const StickField *field, const StickYaml *node,
                            double row[2])
{
    double pair[3] = {0};
    StickField numbers = {.key = field->key, .type = STICK_FIELD_NUMBERS, .components = 2};
    STICK_TRY(stick_read_vector(reader, &numbers, node, pair));
    memcpy(row, pair, 2 * sizeof *row);
    return STICK_OK;
}

static void check_row(StickReader *reader, const StickYaml *node, const double *row, int k)
{
    if (k == 0 && row[0] != 0)
        STICK_COMPLAIN(reader, node->mark, "the table begins at the plastic strain %g, but must begin at 0",
                       row[0]);
    else if (k > 0 && !(row[0] > row[-2]))
        STICK_COMPLAIN(reader, node->mark, "plastic strains must ascend, but %g follows %g", row[0], row[-2]);
    else if (!(row[1] > 0))
        STICK_COMPLAIN(reader, node->mark, "the yield stress is %g, but must be > 0", row[1]);
    else if (k > 0 && row[1] < row[-1])
        STICK_COMPLAIN(reader, node->mark,
                       "the yield stress decreases from %g to %g: softening is not supported, because "
                       "results would depend on the mesh",
                       row[-1], row[1]);
}

static StickStatus read_table(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickHardening *hardening = &((StickMaterial *)item)->hardening;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count == 0)
        STICK_COMPLAIN(reader, node->mark, "'%s' is empty: give [0, yield stress] at least", field->key);
    STICK_TAKE(&reader->model->arena, hardening->row, 2 * (size_t)node->count + 1);
    for (const StickYaml *row = node->first; row; row = row->next) {
        double *pair = &hardening->row[2 * hardening->nrows];
        size_t errors = stick_error_count(reader->ctx);
        STICK_TRY(read_row(reader, field, row, pair));
        if (stick_error_count(reader->ctx) > errors)
            return STICK_OK;
        check_row(reader, row, pair, hardening->nrows++);
    }
    if (hardening->nrows > 0)
        hardening->yield = hardening->row[1];
    return STICK_OK;
}

static const StickField hardening_fields[] = {
    {.key = "modulus",
     .type = STICK_FIELD_NUMBER,
     .text = "slope of the yield stress over the plastic strain",
     .unit = "stress",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickMaterial, hardening.modulus)},
    {.key = "saturation",
     .type = STICK_FIELD_NUMBER,
     .text = "saturation stress, approached with exp(-rate strain), in addition to the linear term",
     .unit = "stress",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMaterial, hardening.saturation)},
    {.key = "rate",
     .type = STICK_FIELD_NUMBER,
     .text = "rate of the saturation",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMaterial, hardening.rate)},
    {.key = "table",
     .type = STICK_FIELD_OWN,
     .text = "yield stress over plastic strain, linear between rows and constant after the last one",
     .takes = "a list of [strain, stress], strains ascending from 0",
     .json = "array",
     .read = read_table},
    {.key = NULL},
};

static StickStatus finish_hardening(StickReader *reader, const StickYaml *node, void *item)
{
    const StickYaml *saturation = stick_yaml_find(node, "saturation"), *rate = stick_yaml_find(node, "rate"),
                    *modulus = stick_yaml_find(node, "modulus");
    const StickYaml *one = saturation ? saturation : rate ? rate : modulus;
    (void)item;
    if (stick_yaml_find(node, "table") && one)
        STICK_COMPLAIN(reader, one->key_mark, "'%s' and 'table' exclude each other: give only one of them",
                       one->key);
    else if ((saturation == NULL) != (rate == NULL))
        STICK_COMPLAIN(reader, one->key_mark, "'%s' also requires '%s'", one->key,
                       saturation ? "rate" : "saturation");
    return STICK_OK;
}

static const StickSchema hardening_table = {
    .title = "a hardening",
    .text = "How the yield stress of law j2 grows with the plastic strain: yield + modulus a + (saturation - "
            "yield) (1 - "
            "exp(-rate a)), or a table.",
    .fields = hardening_fields,
    .finish = finish_hardening,
};

// ---- relaxation

static const StickField prony_fields[] = {
    {.key = "share",
     .type = STICK_FIELD_NUMBER,
     .text = "fraction of the instantaneous stress that relaxes; the sum of all must be below 1",
     .required = true,
     .range = {STICK_ABOVE | STICK_BELOW, 0, 1},
     .at = STICK_AT(StickProny, share)},
    {.key = "time",
     .type = STICK_FIELD_NUMBER,
     .text = "relaxation time, in which the term decays to 1/e",
     .unit = "time",
     .required = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickProny, time)},
    {.key = NULL},
};

static const StickSchema prony_table = {
    .title = "a Prony term",
    .text = "One Prony term of the relaxation of rubber: its fraction of the isochoric stress decays with "
            "exp(-t/time) after a jump of the strain.",
    .size = sizeof(StickProny),
    .fields = prony_fields,
};

static const StickField material_fields[] = {
    {.key = "law",
     .type = STICK_FIELD_CHOICE,
     .text = "law of the material",
     .choices = laws,
     .standard = "elastic",
     .at = STICK_AT(StickMaterial, law)},
    {.key = "young",
     .type = STICK_FIELD_NUMBER,
     .text = "Young's modulus; not required for rigid bodies",
     .unit = "stress",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMaterial, young)},
    {.key = "poisson",
     .type = STICK_FIELD_NUMBER,
     .text = "Poisson's ratio",
     .standard = "0",
     .range = {STICK_ABOVE | STICK_BELOW, -1, 0.5},
     .at = STICK_AT(StickMaterial, poisson)},
    {.key = "shear",
     .type = STICK_FIELD_NUMBER,
     .text = "shear modulus; neo-hookean",
     .unit = "stress",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMaterial, shear)},
    {.key = "a1",
     .type = STICK_FIELD_NUMBER,
     .text = "coefficient of the first invariant; mooney-rivlin",
     .unit = "stress",
     .at = STICK_AT(StickMaterial, a1)},
    {.key = "a2",
     .type = STICK_FIELD_NUMBER,
     .text = "coefficient of the second invariant; mooney-rivlin",
     .unit = "stress",
     .at = STICK_AT(StickMaterial, a2)},
    {.key = "bulk",
     .type = STICK_FIELD_NUMBER,
     .text = "bulk modulus; neo-hookean, mooney-rivlin",
     .unit = "stress",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMaterial, bulk)},
    {.key = "yield",
     .type = STICK_FIELD_NUMBER,
     .text = "initial yield stress; j2, unless its hardening has a table",
     .unit = "stress",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMaterial, hardening.yield)},
    {.key = "hardening",
     .type = STICK_FIELD_MAP,
     .text = "hardening of j2; default: none",
     .table = &hardening_table},
    {.key = "prony",
     .type = STICK_FIELD_LIST,
     .text = "relaxation of neo-hookean and mooney-rivlin; their moduli are the instantaneous ones",
     .table = &prony_table,
     .at = STICK_AT(StickMaterial, prony),
     .count_at = STICK_AT(StickMaterial, nprony)},
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
     .text = "damping proportional to mass and stiffness",
     .table = &rayleigh_table},
    {.key = NULL},
};

// ---- keys and laws

enum { ELASTIC = 1, NEO_HOOKEAN = 2, MOONEY_RIVLIN = 4, J2 = 8 };

// Laws that accept a key; keys that are not listed are for all laws.
static const struct {
    const char *key;
    unsigned laws;
} owners[] = {
    {"young", ELASTIC | NEO_HOOKEAN | J2},
    {"poisson", ELASTIC | NEO_HOOKEAN | J2},
    {"viscosity", ELASTIC},
    {"shear", NEO_HOOKEAN},
    {"a1", MOONEY_RIVLIN},
    {"a2", MOONEY_RIVLIN},
    {"bulk", NEO_HOOKEAN | MOONEY_RIVLIN},
    {"prony", NEO_HOOKEAN | MOONEY_RIVLIN},
    {"yield", J2},
    {"hardening", J2},
};

// "law j2", or "law neo-hookean, mooney-rivlin"
static void list_owners(unsigned set, StickText *out)
{
    const char *between = "";
    for (const StickChoice *law = laws; law->name; law++) {
        if (!(set & 1u << law->value))
            continue;
        stick_text_add(out, "%s%s", between, law->name);
        between = ", ";
    }
}

// Reports the first key that belongs to another law.
static bool keys_fit(StickReader *reader, const StickYaml *node, const StickMaterial *material)
{
    for (size_t k = 0; k < sizeof owners / sizeof *owners; k++) {
        const StickYaml *given = stick_yaml_find(node, owners[k].key);
        if (!given || owners[k].laws & 1u << material->law)
            continue;
        StickText list;
        stick_text_init(&list, reader->ctx);
        list_owners(owners[k].laws, &list);
        STICK_COMPLAIN(reader, given->key_mark, "'%s' is for the law %s, but '%s' has %s", given->key,
                       list.bytes ? list.bytes : "of another", material->name, laws[material->law].name);
        stick_text_destroy(&list);
        return false;
    }
    return true;
}

static bool has_key(StickReader *reader, const StickYaml *node, const StickMaterial *material,
                    const char *key)
{
    if (stick_yaml_find(node, key))
        return true;
    STICK_COMPLAIN(reader, node->mark, "a material of the law %s needs the key '%s'",
                   laws[material->law].name, key);
    return false;
}

// ---- moduli

static void moduli_of_young(StickMaterial *material)
{
    material->shear = material->young / (2 * (1 + material->poisson));
    material->bulk = material->young / (3 * (1 - 2 * material->poisson));
}

static void young_of_moduli(StickMaterial *material)
{
    double G = material->shear, bulk = material->bulk;
    material->young = 9 * bulk * G / (3 * bulk + G);
    material->poisson = (3 * bulk - 2 * G) / (2 * (3 * bulk + G));
}

static void finish_neo_hookean(StickReader *reader, const StickYaml *node, StickMaterial *material)
{
    const StickYaml *shear = stick_yaml_find(node, "shear"), *bulk = stick_yaml_find(node, "bulk"),
                    *young = stick_yaml_find(node, "young"), *poisson = stick_yaml_find(node, "poisson");
    const StickYaml *one = young ? young : poisson, *other = shear ? shear : bulk;
    if (one && other) {
        STICK_COMPLAIN(reader, one->key_mark,
                       "'%s' and '%s' cannot be combined: give shear and bulk, or young and poisson",
                       one->key, other->key);
        return;
    }
    if (one ? !(has_key(reader, node, material, "young") && has_key(reader, node, material, "poisson"))
            : !(has_key(reader, node, material, "shear") && has_key(reader, node, material, "bulk")))
        return;
    one ? moduli_of_young(material) : young_of_moduli(material);
    material->a1 = 0.5 * material->shear;
}

static void finish_mooney_rivlin(StickReader *reader, const StickYaml *node, StickMaterial *material)
{
    if (!has_key(reader, node, material, "a1") || !has_key(reader, node, material, "a2") ||
        !has_key(reader, node, material, "bulk"))
        return;
    if (!(material->a1 + material->a2 > 0)) {
        STICK_COMPLAIN(reader, stick_yaml_find(node, "a1")->mark,
                       "a1 + a2 is %g, but must be > 0: it is half of the shear modulus",
                       material->a1 + material->a2);
        return;
    }
    material->shear = 2 * (material->a1 + material->a2);
    young_of_moduli(material);
}

static void finish_j2(StickReader *reader, const StickYaml *node, StickMaterial *material)
{
    const StickHardening *hardening = &material->hardening;
    const StickYaml *yield = stick_yaml_find(node, "yield"), *given = stick_yaml_find(node, "hardening");
    if (!has_key(reader, node, material, "young") || !has_key(reader, node, material, "poisson"))
        return;
    if (hardening->nrows > 0 && yield)
        STICK_COMPLAIN(reader, yield->key_mark,
                       "'yield' and a hardening table exclude each other: the first row of the table is the "
                       "yield stress");
    else if (hardening->nrows == 0 && !has_key(reader, node, material, "yield"))
        return;
    else if (hardening->rate > 0 && hardening->saturation < hardening->yield)
        STICK_COMPLAIN(reader, stick_yaml_find(given, "saturation")->mark,
                       "'saturation' is %g, but must be at least the yield stress %g: softening is not "
                       "supported, because results would depend on the mesh",
                       hardening->saturation, hardening->yield);
    moduli_of_young(material);
}

// The bulk modulus of rubber is about 1000 times its shear modulus; other ratios suggest inconsistent units.
static void warn_of_units(StickReader *reader, const StickYaml *node, const StickMaterial *material)
{
    const StickYaml *bulk = stick_yaml_find(node, "bulk");
    double ratio = material->bulk / material->shear;
    if (!bulk || !(material->shear > 0) || stick_error_count(reader->ctx) != reader->errors)
        return;
    if (ratio < LEAST_BULK)
        stick_warn_at(
            reader->ctx, bulk->mark,
            "the bulk modulus of '%s' is only %.3g times its shear modulus %.3g (Poisson's ratio %.3g; "
            "rubber has above 0.49): are both in the same units?",
            material->name, ratio, material->shear, material->poisson);
    else if (ratio > LARGEST_BULK)
        stick_warn_at(
            reader->ctx, bulk->mark,
            "the bulk modulus of '%s' is %.3g times its shear modulus %.3g: are both in the same units? The "
            "matrices become ill-conditioned; for nearly incompressible bodies give the body 'volume'",
            material->name, ratio, material->shear);
}

static void check_prony(StickReader *reader, const StickYaml *node, const StickMaterial *material)
{
    const StickYaml *given = stick_yaml_find(node, "prony");
    double sum = 0;
    for (int k = 0; k < material->nprony; k++)
        sum += material->prony[k].share;
    if (material->nprony > STICK_MOST_PRONY)
        STICK_COMPLAIN(reader, given->mark, "'prony' has %d terms: the limit is %d", material->nprony,
                       STICK_MOST_PRONY);
    else if (sum >= 1)
        STICK_COMPLAIN(
            reader, given->mark,
            "the sum of the shares of 'prony' is %g, but must be below 1: nothing would remain of the stress",
            sum);
    else if (material->nprony > 0 && !(material->a1 >= 0 && material->a2 >= 0))
        STICK_COMPLAIN(reader, given->mark,
                       "relaxation requires nonnegative a1 and a2, but they are %g and %g", material->a1,
                       material->a2);
}

static StickStatus finish_material(StickReader *reader, const StickYaml *node, void *item)
{
    StickMaterial *material = item;
    if (!keys_fit(reader, node, material))
        return STICK_OK;
    switch (material->law) {
    case STICK_MATERIAL_ELASTIC:
        break;
    case STICK_MATERIAL_NEO_HOOKEAN:
        finish_neo_hookean(reader, node, material);
        break;
    case STICK_MATERIAL_MOONEY_RIVLIN:
        finish_mooney_rivlin(reader, node, material);
        break;
    case STICK_MATERIAL_J2:
        finish_j2(reader, node, material);
        break;
    }
    check_prony(reader, node, material);
    warn_of_units(reader, node, material);
    return STICK_OK;
}

const StickSchema stick_material_table = {
    .title = "a material",
    .text = "A material.",
    .size = sizeof(StickMaterial),
    .mark_at = STICK_AT(StickMaterial, mark),
    .name_at = STICK_AT(StickMaterial, name),
    .fields = material_fields,
    .finish = finish_material,
};
