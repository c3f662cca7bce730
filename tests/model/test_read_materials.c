// SPDX-License-Identifier: Apache-2.0
// Materials of the model file: moduli from their keys, and errors.
#include "check.h"
#include "model/two_bars.h"

static const char frame[] = "stickslip: 1\n"
                            "materials:\n"
                            "  m: {%s}\n"
                            "bodies:\n"
                            "  b: {mesh: {%s: {%s}}, material: m%s}\n"
                            "steps: [{name: s, dynamics: {step: 1, end: 1}}]\n";
static const char square[] = "size: [1, 1], cells: [2, 2]";

static StickStatus read_material(StickContext *ctx, const char *keys, StickModel **model)
{
    char text[1000];
    snprintf(text, sizeof text, frame, keys, "rectangle", square, "");
    return read_model(ctx, text, model);
}

static StickMaterial material_of(StickContext *ctx, const char *keys, StickModel **model)
{
    assert_ok(ctx, read_material(ctx, keys, model));
    return (*model)->material[0];
}

static void mooney_rivlin_has_small_strain_moduli(void **state)
{
    StickModel *model = NULL;
    StickMaterial m =
        material_of(*state, "law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1", &model);
    assert_int_equal(m.law, STICK_MATERIAL_MOONEY_RIVLIN);
    assert_near(m.shear, 0.94, 1e-15);
    // nearly incompressible: E is 6 (a1 + a2)
    assert_near(m.young, 2.819, 1e-3);
    assert_near(m.poisson, 0.49961, 1e-5);
    assert_near(m.young / (2 * (1 + m.poisson)), m.shear, 1e-14);
    assert_near(m.young / (3 * (1 - 2 * m.poisson)), m.bulk, 1e-8);
    stick_model_destroy(model);
}

// Unusual moduli cause one warning, at the key or the body; usual ones cause none.
static void moduli_that_no_rubber_has_are_told(void **state)
{
    static const struct {
        const char *keys, *element, *says; // NULL: nothing
    } cases[] = {
        {"law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1", ", element: mean-dilatation",
         NULL},
        {"law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1", ", element: quadratic", NULL},
        {"young: 5, poisson: 0.499, density: 1", ", plane: stress", NULL},
        {"young: 5, poisson: 0.48, density: 1", "", NULL},
        {"law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1.2, density: 1", "",
         "are both in the same units?"},
        {"law: neo-hookean, shear: 1, bulk: 1.2e9, density: 1", ", element: mean-dilatation",
         "is 1.2e+09 times its shear modulus 1: are both in the same units? The matrices become "
         "ill-conditioned; for nearly incompressible bodies give the body 'volume'"},
        {"law: neo-hookean, young: 5, poisson: 0.1, density: 1", "", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickModel *model = NULL;
        char text[1000];
        snprintf(text, sizeof text, frame, cases[k].keys, "rectangle", square, cases[k].element);
        stick_diagnostics_clear(*state);
        assert_ok(*state, read_model(*state, text, &model));
        assert_int_equal(stick_diagnostic_count(*state), cases[k].says ? 1 : 0);
        if (cases[k].says)
            assert_non_null(strstr(stick_diagnostic(*state, 0)->text, cases[k].says));
        stick_model_destroy(model);
    }
}

// Expects one warning, or none if says is NULL. step: the step, followed by other keys of the file.
static void assert_says(StickContext *ctx, const char *units, const char *keys, const char *step,
                        const char *says)
{
    StickModel *model = NULL;
    char text[1000];
    snprintf(text, sizeof text,
             "stickslip: 1\nunits: {%s}\nmaterials: {steel: {%s}}\n"
             "bodies: {a: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: steel}}\n%s\n",
             units, keys, step);
    stick_diagnostics_clear(ctx);
    assert_ok(ctx, read_model(ctx, text, &model));
    assert_int_equal(stick_diagnostic_count(ctx), says ? 1 : 0);
    if (says)
        assert_non_null(strstr(stick_diagnostic(ctx, 0)->text, says));
    stick_model_destroy(model);
}

// Numbers of another set than the units that the model names.
static void matter_that_there_is_not_is_told(void **state)
{
    static const struct {
        const char *units, *keys, *says;
    } cases[] = {
        {"length: mm, force: N, time: s, mass: t", "young: 206000, poisson: 0.3, density: 7.85e-9", NULL},
        {"length: mm, force: N, time: s", "young: 206000, poisson: 0.3, density: 7850", NULL},
        {"length: mm, force: N, time: s, mass: t", "young: 206e9, poisson: 0.3, density: 7.85e-9",
         "'young' of 'steel' is 2.06e+11 N/mm^2, which is 2.06e+17 Pa, stiffer than any material; steel has "
         "2.1e+05 in these units. Check the units (a nearly rigid body may have more)"},
        {"length: mm, force: N, time: s, mass: t", "young: 206e3, poisson: 0.3, density: 7850",
         "'density' of 'steel' is 7.85e+03 t/mm^3, which is 7.85e+15 kg/m^3: no material is so heavy; water "
         "has 1e-09 in these units. Check the units"},
        {"length: m, force: N, time: s, mass: kg", "young: 2e11, poisson: 0.3, density: 7.8e-9", "so light"},
        {"length: mm, force: N, time: s, mass: kg", "young: 2e5, poisson: 0.3, density: 7.8e-6",
         "the force N is 1000 times kg mm/s^2"},
        {"length: ell, force: N, time: s, mass: kg", "young: 2e55, poisson: 0.3, density: 7.8e46", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_says(*state, cases[k].units, cases[k].keys, "steps: [{dynamics: {step: 1, end: 2}}]",
                    cases[k].says);
}

static void without_inertia_any_density_will_do(void **state)
{
    static const char slow[] = "steps: [{quasistatic: {end: 1, increments: 1}}]";
    static const char heavy[] = "steps: [{quasistatic: {end: 1, increments: 1}}]\ngravity: [0, -9810]";
    static const char set[] = "length: mm, force: N, time: s, mass: t", keys[] = "young: 2e5, density: 1";
    assert_says(*state, set, keys, slow, NULL);
    assert_says(*state, "length: mm, force: N, time: s, mass: kg", keys, slow, NULL);
    assert_says(*state, set, keys, heavy, "so heavy");
    assert_says(*state, set, "young: 2e15, density: 1", slow, "stiffer than any material");
}

static void neo_hookean_by_either_pair(void **state)
{
    StickModel *model = NULL, *other = NULL;
    StickMaterial a = material_of(*state, "law: neo-hookean, young: 5, poisson: 0.48, density: 1", &model);
    char keys[200];
    snprintf(keys, sizeof keys, "law: neo-hookean, shear: %.17g, bulk: %.17g, density: 1", a.shear, a.bulk);
    StickMaterial b = material_of(*state, keys, &other);
    assert_near(a.a1, 5 / 2.96 / 2, 1e-15);
    assert_true(a.a2 == 0);
    assert_near(a.bulk, 5 / 0.12, 1e-12);
    assert_near(b.young, 5, 1e-13);
    assert_near(b.poisson, 0.48, 1e-14);
    assert_near(b.a1, a.a1, 1e-15);
    stick_model_destroy(model);
    stick_model_destroy(other);
}

static void bulk_below_shear_is_warned_of(void **state)
{
    static const struct {
        const char *keys;
        size_t warnings;
    } table[] = {{"law: neo-hookean, shear: 1.5, bulk: 15, density: 1", 0},
                 {"law: neo-hookean, shear: 1.5, bulk: 0.9, density: 1", 1},
                 {"law: mooney-rivlin, a1: 293e3, a2: 177e3, bulk: 1200, density: 1", 1},
                 {"law: neo-hookean, young: 1, poisson: -0.2, density: 1", 0}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        StickModel *model = NULL;
        stick_diagnostics_clear(*state);
        assert_ok(*state, read_material(*state, table[k].keys, &model));
        assert_int_equal(stick_diagnostic_count(*state), table[k].warnings);
        stick_model_destroy(model);
    }
}

static void hardening_by_formula_and_table(void **state)
{
    StickModel *model = NULL;
    const char *formula =
        "law: j2, young: 200, poisson: 0.3, yield: 0.4, density: 1, hardening: {saturation: 0.7, rate: "
        "17, modulus: 0.1}";
    StickMaterial m = material_of(*state, formula, &model);
    assert_int_equal(m.law, STICK_MATERIAL_J2);
    assert_near(m.bulk, 200 / 1.2, 1e-12);
    assert_near(m.shear, 200 / 2.6, 1e-12);
    assert_true(m.hardening.yield == 0.4 && m.hardening.saturation == 0.7 && m.hardening.rate == 17 &&
                m.hardening.modulus == 0.1 && m.hardening.nrows == 0);
    stick_model_destroy(model);
    m = material_of(
        *state, "law: j2, young: 200, poisson: 0.3, density: 1, hardening: {table: [[0, 0.4], [0.1, 2*0.3]]}",
        &model);
    assert_int_equal(m.hardening.nrows, 2);
    assert_true(m.hardening.yield == 0.4 && m.hardening.row[2] == 0.1 && m.hardening.row[3] == 0.6);
    stick_model_destroy(model);
}

static void relaxation_has_its_terms(void **state)
{
    StickModel *model = NULL;
    const char *keys =
        "law: neo-hookean, shear: 1, bulk: 2, density: 1, prony: [{share: 0.2, time: 3}, {share: 0.5, "
        "time: 0.1}]";
    StickMaterial m = material_of(*state, keys, &model);
    assert_int_equal(m.nprony, 2);
    assert_true(m.prony[0].share == 0.2 && m.prony[0].time == 3 && m.prony[1].share == 0.5 &&
                m.prony[1].time == 0.1);
    stick_model_destroy(model);
}

static void elastic_is_what_has_no_law(void **state)
{
    StickModel *model = NULL;
    StickMaterial m = material_of(*state, "young: 1, density: 1", &model);
    assert_int_equal(m.law, STICK_MATERIAL_ELASTIC);
    stick_model_destroy(model);
}

// ---- errors

// One error, at that place.
static void assert_refused(StickContext *ctx, const char *text, int line, int column, const char *says)
{
    StickModel *model = NULL;
    stick_diagnostics_clear(ctx);
    StickStatus status = read_model(ctx, text, &model);
    const StickDiagnostic *said = stick_diagnostic_count(ctx) > 0 ? stick_diagnostic(ctx, 0) : NULL;
    if (status == STICK_BAD_INPUT && !model && stick_diagnostic_count(ctx) == 1 && said->line == line &&
        said->column == column && strstr(said->text, says))
        return;
    print_error("%s", text);
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        print_error("%d:%d: %s\n", stick_diagnostic(ctx, k)->line, stick_diagnostic(ctx, k)->column,
                    stick_diagnostic(ctx, k)->text);
    fail();
}

#define J2 "law: j2, young: 1, poisson: 0.3, density: 1, "
#define MOONEY "law: mooney-rivlin, a1: 1, a2: 1, density: 1, "
#define NEO "law: neo-hookean, density: 1, "

static void bad_materials_are_refused_at_their_place(void **state)
{
    static const struct {
        const char *keys, *at, *says; // at: the place is where this begins, or the last sign
    } mistakes[] = {
        {MOONEY "bulk: 0", "last", "'bulk' is 0, but must be > 0"},
        {MOONEY "bulk: 1, shear: 2", "shear",
         "'shear' is for the law neo-hookean, but 'm' has mooney-rivlin"},
        {MOONEY "bulk: 1, young: 2", "young", "'young' is for the law elastic, neo-hookean, j2, but 'm' has"},
        {MOONEY "bulk: 1, viscosity: {shear: 1}", "viscosity", "'viscosity' is for the law elastic"},
        {MOONEY "yield: 1, bulk: 1", "yield", "'yield' is for the law j2"},
        {MOONEY "rayleigh: {mass: 1}", "{", "a material of the law mooney-rivlin needs the key 'bulk'"},
        {"law: mooney-rivlin, a1: 1, bulk: 30, density: 1", "{", "mooney-rivlin needs the key 'a2'"},
        {"law: mooney-rivlin, a2: 1, bulk: 2, density: 1, a1: -1", "-1", "a1 + a2 is 0, but must be > 0"},
        {NEO "shear: 1", "{", "neo-hookean needs the key 'bulk'"},
        {NEO "young: 1", "{", "neo-hookean needs the key 'poisson'"},
        {NEO "shear: 1, bulk: 2, poisson: 0.3", "poisson",
         "'poisson' and 'shear' cannot be combined: give shear and bulk, or young and poisson"},
        {NEO "young: 1, poisson: 0.5", "0.5", "'poisson' is 0.5, but must be > -1 and < 0.5"},
        {NEO "shear: 1, bulk: 2, prony: [{share: 0.5, time: 1}, {share: 0.5, time: 2}]", "[",
         "the sum of the shares of 'prony' is 1, but must be below 1: nothing would remain of the stress"},
        {NEO "shear: 1, bulk: 2, prony: [{share: 0.5, time: 0}]", "0}", "'time' is 0, but must be > 0"},
        {NEO "shear: 1, bulk: 2, prony: [{share: -1, time: 1}]", "-1", "'share' is -1, but must be > 0"},
        {NEO "shear: 1, bulk: 2, prony: [{share: 0.1}]", "{share", "a Prony term needs the key 'time'"},
        {"law: mooney-rivlin, a1: 2, a2: -1, bulk: 2, density: 1, prony: [{share: 0.1, time: 1}]", "[",
         "relaxation requires nonnegative a1 and a2, but they are"},
        {"young: 1, density: 1, bulk: 2", "bulk",
         "'bulk' is for the law neo-hookean, mooney-rivlin, but 'm' has elastic"},
        {"young: 1, density: 1, prony: []", "prony", "'prony' is for the law neo-hookean, mooney-rivlin"},
        {J2 "hardening: {modulus: 1}", "{law", "j2 needs the key 'yield'"},
        {"law: j2, young: 1, density: 1, yield: 1", "{", "j2 needs the key 'poisson'"},
        {J2 "yield: 0", "last", "'yield' is 0, but must be > 0"},
        {J2 "yield: 1, hardening: {modulus: -1}", "-1", "'modulus' is -1, but must be >= 0"},
        {J2 "yield: 2, hardening: {saturation: 1, rate: 3}", "1, rate",
         "'saturation' is 1, but must be at least the yield stress 2: softening is not supported, because "
         "results would depend on the mesh"},
        {J2 "yield: 1, hardening: {rate: 1}", "rate", "'rate' also requires 'saturation'"},
        {J2 "yield: 1, hardening: {saturation: 2}", "saturation", "'saturation' also requires 'rate'"},
        {J2 "yield: 1, hardening: {table: [[0, 1]]}", "yield",
         "'yield' and a hardening table exclude each other: the first row of the table is the yield stress"},
        {J2 "hardening: {modulus: 1, table: [[0, 1]]}", "modulus",
         "'modulus' and 'table' exclude each other: give only one of them"},
        {J2 "hardening: {table: []}", "[]", "'table' is empty"},
        {J2 "hardening: {table: [[0.1, 1]]}", "[0.1",
         "the table begins at the plastic strain 0.1, but must begin at 0"},
        {J2 "hardening: {table: [[0, 1], [0.2, 2], [0.2, 3]]}", "[0.2, 3",
         "plastic strains must ascend, but 0.2 follows 0.2"},
        {J2 "hardening: {table: [[0, 2], [0.2, 1]]}", "[0.2",
         "the yield stress decreases from 2 to 1: softening is not supported, because results would depend "
         "on the mesh"},
        {J2 "hardening: {table: [[0, 0]]}", "[0, 0", "the yield stress is 0, but must be > 0"},
        {J2 "hardening: {table: [[0, 1, 2]]}", "[0, 1", "'table' has 3 components, but needs 2"},
        {J2 "hardening: {table: 3}", "3}", "'table' needs a list"},
    };
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        char text[1000], line[1000];
        snprintf(text, sizeof text, frame, mistakes[k].keys, "rectangle", square, "");
        snprintf(line, sizeof line, "  m: {%s\n", mistakes[k].keys);
        char *last = strchr(line, '\n');
        strcpy(last, "}\n");
        const char *at = strcmp(mistakes[k].at, "last") == 0 ? last - 1 : strstr(line, mistakes[k].at);
        assert_non_null(at);
        assert_refused(*state, text, 3, (int)(at - line) + 1, mistakes[k].says);
    }
}

static void too_many_terms_are_refused(void **state)
{
    char keys[1000] = NEO "shear: 1, bulk: 2, prony: [";
    for (int k = 0; k <= STICK_MOST_PRONY; k++)
        strcat(keys, "{share: 0.01, time: 1}, ");
    strcat(keys, "]");
    char text[2000];
    snprintf(text, sizeof text, frame, keys, "rectangle", square, "");
    assert_refused(*state, text, 3, 7 + (int)(strchr(keys, '[') - keys),
                   "'prony' has 11 terms: the limit is 10");
}

static void bodies_that_cannot_have_finite_strains(void **state)
{
    char text[1000];
    snprintf(text, sizeof text, frame, MOONEY "bulk: 30", "bar", "length: 1, elements: 2", "");
    assert_refused(
        *state, text, 5, 7,
        "a bar requires an elastic material, but 'm' is for finite strains: use a rectangle or a box");
    const char *line = "  b: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: m, ";
    int column = (int)strlen(line) + 1;
    snprintf(text, sizeof text, frame, MOONEY "bulk: 30", "rectangle", square, ", plane: stress");
    assert_refused(*state, text, 5, column + 7, "plane stress requires an elastic material");
    snprintf(text, sizeof text, frame, MOONEY "bulk: 30", "rectangle", square, ", modes: {count: 4}");
    assert_refused(*state, text, 5, column, "'modes' requires small strains");
}

static void volumes_are_kept_by_elements_with_a_pressure(void **state)
{
    char text[1000];
    StickModel *model = NULL;
    const char *line = "  b: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: m, ";
    int column = (int)strlen(line) + 1;
    snprintf(text, sizeof text, frame, MOONEY "bulk: 30", "rectangle", square,
             ", element: mean-dilatation, volume: {tolerance: 1e-6}");
    assert_ok(*state, read_model(*state, text, &model));
    assert_true(model->body[0].volume.given);
    assert_near(model->body[0].volume.tolerance, 1e-6, 0);
    assert_int_equal(model->body[0].volume.augmentations, 100);
    stick_model_destroy(model);
    snprintf(text, sizeof text, frame, MOONEY "bulk: 30", "rectangle", square, ", volume: {}");
    assert_refused(*state, text, 5, column, "'volume' needs 'element: mean-dilatation'");
    snprintf(text, sizeof text, frame, "young: 1, density: 1", "rectangle", square,
             ", volume: {}, element: mean-dilatation");
    assert_refused(*state, text, 5, column,
                   "'volume' is for materials with finite strains, but 'm' is linear elastic: remove it, or "
                   "give the material a finite-strain law");
    snprintf(text, sizeof text, frame, MOONEY "bulk: 30", "rectangle", square, ", volume: {tolerance: 0}");
    assert_refused(*state, text, 5, column + 20, "'tolerance' is 0, but must be > 0");
}

static StickStatus read_once(StickContext *ctx, void *data)
{
    StickModel *model = NULL;
    STICK_TRY(read_material(ctx, data, &model));
    stick_model_destroy(model);
    return STICK_OK;
}

static void survives_failing_memory(void **state)
{
    (void)state;
    assert_survives_failing_memory(read_once, J2 "hardening: {table: [[0, 1], [1, 2]]}");
    assert_survives_failing_memory(read_once, MOONEY "bulk: 30, prony: [{share: 0.1, time: 1}]");
}

// An unknown law is one error, without errors about missing keys.
static void an_unknown_law_is_one_error(void **state)
{
    StickContext *ctx = *state;
    StickModel *model = NULL;
    size_t before = stick_diagnostic_count(ctx), errors = 0;
    assert_int_equal(
        read_material(ctx, "law: moony-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1", &model),
        STICK_BAD_INPUT);
    for (size_t k = before; k < stick_diagnostic_count(ctx); k++)
        errors += stick_diagnostic(ctx, k)->severity == STICK_ERROR;
    assert_int_equal(errors, 1);
    assert_non_null(strstr(stick_last_error(ctx), "did you mean 'mooney-rivlin'?"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(mooney_rivlin_has_small_strain_moduli),
        test_with_context(an_unknown_law_is_one_error),
        test_with_context(moduli_that_no_rubber_has_are_told),
        test_with_context(matter_that_there_is_not_is_told),
        test_with_context(without_inertia_any_density_will_do),
        test_with_context(neo_hookean_by_either_pair),
        test_with_context(bulk_below_shear_is_warned_of),
        test_with_context(hardening_by_formula_and_table),
        test_with_context(relaxation_has_its_terms),
        test_with_context(elastic_is_what_has_no_law),
        test_with_context(bad_materials_are_refused_at_their_place),
        test_with_context(too_many_terms_are_refused),
        test_with_context(bodies_that_cannot_have_finite_strains),
        test_with_context(volumes_are_kept_by_elements_with_a_pressure),
        test_with_context(survives_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
