// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"
#include "check.h"
#include "model/model.h"

#include "base/pi.h"

// A model whose pair of gears has the given members, followed by other sections.
static StickStatus read_pair(StickContext *ctx, const char *pair, const char *more, StickModel **model)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "materials: {steel: {young: 2e11, poisson: 0.3, density: 1}, brass: {young: 1e11, density: 1}, "
             "dust: {density: 1}}\n"
             "steps: [{dynamics: {step: 0.1, end: 1}}]\n"
             "%s\n"
             "gears: {pair: {\n"
             "%s}}\n",
             more, pair);
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    return stick_model_read_text(ctx, &source, model);
}

// The one error of a pair, on line 6 at the column.
static void assert_refused(StickContext *ctx, const char *pair, int column, const char *text)
{
    StickModel *model = NULL;
    stick_diagnostics_clear(ctx);
    assert_int_equal(read_pair(ctx, pair, "", &model), STICK_BAD_INPUT);
    assert_null(model);
    const StickDiagnostic *said = stick_diagnostic(ctx, 0);
    if (stick_diagnostic_count(ctx) != 1 || !strstr(said->text, text) || said->column != column)
        print_error("%s: %d:%d: %s\n", pair, said->line, said->column, said->text);
    assert_int_equal(stick_diagnostic_count(ctx), 1);
    assert_non_null(strstr(said->text, text));
    assert_int_equal(said->column, column);
}

static void keys_have_defaults(void **state)
{
    StickModel *model;
    assert_ok(*state, read_pair(*state, "teeth: [20, 30], module: 2, material: steel", "", &model));
    const StickGearPairSpec *pair = &model->gears[0];
    assert_int_equal(model->ngears, 1);
    assert_int_equal(model->dim, 2);
    assert_string_equal(pair->name, "pair");
    assert_near(pair->pressure_angle, STICK_PI / 9, 1e-15);
    assert_near(pair->centre_distance, 50, 0);
    assert_near(pair->face_width, 1, 0);
    assert_int_equal(pair->plane, STICK_PLANE_STRAIN);
    assert_int_equal(pair->flanks, STICK_FLANKS_EXACT);
    for (int g = 0; g < 2; g++) {
        const StickGearSpec *gear = &pair->gear[g];
        assert_int_equal(gear->teeth, g == 0 ? 20 : 30);
        assert_false(gear->internal);
        assert_near(gear->addendum, 1, 0);
        assert_near(gear->dedendum, 1.25, 0);
        assert_near(gear->shift, 0, 0);
        assert_true(gear->tip_radius < 0);
        assert_near(gear->rim, g == 0 ? 10 : 15, 1e-14);
        assert_int_equal(gear->material, 0);
        assert_near(gear->tip.amount + gear->root.amount + gear->crowning, 0, 0);
        assert_int_equal(gear->flank_cells, 96);
        assert_int_equal(gear->mesh_teeth, 0);
        assert_int_equal(gear->fine_teeth, 0);
        assert_near(gear->fillet, 0, 0);
    }
    stick_model_destroy(model);
}

// A pair becomes two bodies after all others; targets can name them.
static void gears_are_bodies(void **state)
{
    StickModel *model;
    assert_ok(
        *state,
        read_pair(
            *state,
            "teeth: 20, diametral-pitch: 10, material: [steel, brass], face-width: 0.5, plane: stress",
            "bodies: {block: {material: steel, mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}}}\n"
            "supports: [{on: pair.2.bore, displacement: [0, 0]}, {on: block.left, displacement: [0, 0]}]",
            &model));
    assert_int_equal(model->nbodies, 3);
    assert_string_equal(model->body[0].name, "block");
    for (int g = 0; g < 2; g++) {
        const StickBodySpec *body = &model->body[1 + g];
        assert_string_equal(body->name, g == 0 ? "pair.1" : "pair.2");
        assert_int_equal(model->gears[0].body[g], 1 + g);
        assert_int_equal(body->mesh.kind, STICK_MESH_GEAR);
        assert_ptr_equal(body->mesh.gears, &model->gears[0]);
        assert_int_equal(body->mesh.gear, g);
        assert_int_equal(body->material, g);
        assert_int_equal(body->plane, STICK_PLANE_STRESS);
        assert_near(body->thickness, 0.5, 0);
        assert_near(body->position[0], g == 0 ? 0 : 2, 1e-15);
        assert_near(body->position[1], 0, 0);
    }
    assert_int_equal(model->support[0].on.body, 2);
    assert_string_equal(model->support[0].on.group, "bore");
    assert_int_equal(model->support[1].on.body, 0);
    stick_model_destroy(model);
}

static void all_keys_are_read(void **state)
{
    StickModel *model;
    assert_ok(
        *state,
        read_pair(
            *state,
            "teeth: [18, 60], module: 3, internal: true, pressure-angle: deg(25), addendum: [1, 0.7],"
            "dedendum: [1.2, 1.3], shift: [0.2, 0.3], rack-radius: [0.3, 0.1], centre-distance: 63.5,"
            "material: steel, bore: 12, rim: 120, crowning: [1e-3, 0],"
            "tip-relief: {amount: [0.02, 0], length: 0.5, shape: [parabolic, linear]},"
            "root-relief: {amount: 0.01, length: [0.2, 0.4]},"
            "mesh: {flank-nodes: [41, 31], teeth: [3, 0], fine-teeth: [0, 5], fillet: 0.1}, flanks: straight",
            "", &model));
    const StickGearPairSpec *pair = &model->gears[0];
    const StickGearSpec *pinion = &pair->gear[0], *ring = &pair->gear[1];
    assert_true(!pinion->internal && ring->internal);
    assert_near(pair->pressure_angle, STICK_PI * 25 / 180, 1e-15);
    assert_true(pinion->addendum == 1 && ring->addendum == 0.7);
    assert_true(pinion->dedendum == 1.2 && ring->dedendum == 1.3);
    assert_true(pinion->shift == 0.2 && ring->shift == 0.3);
    assert_true(pinion->tip_radius == 0.3 && ring->tip_radius == 0.1);
    assert_true(pair->centre_distance == 63.5);
    assert_true(pinion->rim == 12 && ring->rim == 120);
    assert_true(pinion->tip.amount == 0.02 && pinion->tip.length == 0.5 && pinion->tip.power == 2);
    assert_true(ring->tip.amount == 0 && ring->tip.power == 1);
    assert_true(ring->root.amount == 0.01 && ring->root.length == 0.4 && ring->root.power == 1);
    assert_true(pinion->crowning == 1e-3 && ring->crowning == 0);
    assert_int_equal(pinion->flank_cells, 40);
    assert_int_equal(ring->flank_cells, 30);
    assert_int_equal(pinion->mesh_teeth, 3);
    assert_int_equal(ring->mesh_teeth, 0);
    assert_int_equal(pinion->fine_teeth, 0);
    assert_int_equal(ring->fine_teeth, 5);
    assert_near(ring->fillet, 0.1, 0);
    assert_int_equal(pair->flanks, STICK_FLANKS_STRAIGHT);
    // the ring's centre lies on the other side of the input's
    assert_near(model->body[1].position[0], -63.5, 0);
    stick_model_destroy(model);
}

static void rings_may_drive(void **state)
{
    StickModel *model;
    assert_ok(*state,
              read_pair(*state, "teeth: [60, 20], module: 1, internal: [true, false], material: steel", "",
                        &model));
    assert_true(model->gears[0].gear[0].internal);
    assert_near(model->gears[0].gear[0].rim, 30 + 1.25 + 3, 1e-14);
    assert_near(model->gears[0].gear[1].rim, 5, 1e-14);
    assert_near(model->body[1].position[0], 20, 1e-13);
    stick_model_destroy(model);
}

static void shifted_gears_stand_without_backlash(void **state)
{
    StickModel *model;
    assert_ok(*state, read_pair(*state, "teeth: [12, 24], module: 3, shift: [0.6, 0.36], material: steel", "",
                                &model));
    assert_near(model->gears[0].centre_distance, 56.4999, 5e-5);
    stick_model_destroy(model);
}

#define PAIR "material: steel, module: 1, " // 28 characters

static void wrong_values_are_located(void **state)
{
    StickContext *ctx = *state;
    assert_refused(ctx, PAIR "teeth: [20, 20, 20]", 36,
                   "'teeth' has 3 values, but requires one for both gears, or two: [input, output]");
    assert_refused(ctx, PAIR "teeth: 2", 36, "'teeth' is 2, but must be >= 3");
    assert_refused(ctx, PAIR "teeth: [20, 20.5]", 41, "'teeth' is 20.5");
    assert_refused(ctx, PAIR "teeth: 20, shift: [0, nan]", 51, "not a finite number");
    assert_refused(ctx, PAIR "teeth: 20, tip-relief: {amount: 1, length: 1, shape: cubic}", 82,
                   "unknown shape 'cubic'; known: linear, parabolic");
    assert_refused(ctx, PAIR "teeth: 20, tip-relief: {amount: 1}", 52, "needs the key 'length'");
    assert_refused(ctx, PAIR "teeth: 20, mesh: {flank-nodes: 2}", 60, "must be >= 3");
    assert_refused(ctx, PAIR "teeth: 20, internal: maybe", 50, "must be true or false");
    assert_refused(ctx, PAIR "teeth: 20, pressure-angle: 20", 56,
                   "must be >= 0.05 and <= 0.8: angles are in radians, 20 degrees are deg(20)");
    assert_refused(ctx, PAIR "teeth: 20, adendum: 1", 40, "did you mean 'addendum'?");
    assert_refused(ctx, PAIR, 15, "needs the key 'teeth'");
    assert_refused(ctx, PAIR "teeth: 20, diametral-pitch: 10", 15,
                   "exactly one of 'module', 'diametral-pitch'");
    assert_refused(ctx, "teeth: 20, module: 1", 15, "needs the key 'material'");
}

static void what_does_not_fit_is_refused(void **state)
{
    StickContext *ctx = *state;
    assert_refused(ctx, PAIR "teeth: 20, internal: [true, true]", 50, "only one can be");
    assert_refused(ctx, PAIR "teeth: [20, 20], internal: true", 36,
                   "the ring has 20 teeth and the gear inside");
    assert_refused(
        ctx, PAIR "teeth: 20, rim: 30", 40,
        "'rim' is the outer radius of a ring, but both gears are external: give 'bore', or 'internal: true'");
    assert_refused(ctx, PAIR "teeth: [20, 60], internal: true, bore: [5, 40]", 68, "a ring has no bore");
    assert_refused(ctx, PAIR "teeth: [20, 30], mesh: {teeth: 21}", 60,
                   "teeth, more than gear 'pair.1', which has 20: reduce it, or use 0 for the whole gear");
    assert_refused(
        ctx, PAIR "teeth: 10, shift: -1", 9,
        "these profile shifts allow no centre distance: use larger shifts, or give 'centre-distance'");
    assert_refused(ctx, "teeth: 20, module: 1, material: dust", 33, "needs the key 'young'");
    assert_refused(ctx, "teeth: 20, module: 1, material: gold", 33, "unknown material 'gold'");
}

// Checks the message about the rest of the file.
static void assert_said(StickContext *ctx, const char *more, const char *text)
{
    StickModel *model = NULL;
    stick_diagnostics_clear(ctx);
    assert_int_equal(read_pair(ctx, PAIR "teeth: 20", more, &model), STICK_BAD_INPUT);
    if (!strstr(stick_last_error(ctx), text))
        fail_msg("'%s' does not say '%s'", stick_last_error(ctx), text);
}

static void names_mean_one_thing(void **state)
{
    StickContext *ctx = *state;
    assert_said(ctx, "supports: [{on: pair.3.bore, displacement: [0, 0]}]", "unknown body 'pair.3'");
    assert_said(ctx, "supports: [{on: pair, displacement: [0, 0]}]", "name one gear, as pair.1 or pair.2");
    assert_said(ctx, "bodies: {pair: {material: steel, mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}}}",
                "a body is also named 'pair'");
    assert_said(ctx, "obstacles: {pair: {plane: {point: [0, 0], normal: [0, 1]}}}",
                "an obstacle is also named 'pair'");
    assert_said(ctx, "bodies: {b: {material: steel, mesh: {bar: {length: 1, elements: 2}}}}",
                "gears are two-dimensional, but another body has dimension 1");
}

// Steps and loads ask bodies for the law of their material, also where the file has none at all.
static void no_material_at_all(void **state)
{
    static const char *const texts[] = {
        "stickslip: 1\n"
        "gears: {pair: {teeth: 20, module: 1, material: steel}}\n"
        "contacts: [{between: pair, max-distance: 0.1}]\n"
        "steps: [{trajectory: {cycle: tooth, positions: 2, torque: {pair.2: 1}}}]\n",
        "stickslip: 1\n"
        "bodies: {a: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: steel}}\n"
        "loads: [{on: a.top, pressure: 1, follows: true}]\n"
        "steps: [{trajectory: {end: 1, positions: 2}}]\n",
    };
    for (int k = 0; k < 2; k++) {
        StickModelSource source = {
            .name = "model.yaml", .folder = ".", .bytes = texts[k], .count = strlen(texts[k])};
        StickModel *model = NULL;
        stick_diagnostics_clear(*state);
        assert_int_equal(stick_model_read_text(*state, &source, &model), STICK_BAD_INPUT);
    }
}

// An error of a pair is not followed by others of what names its gears.
static void one_error_is_one_error(void **state)
{
    StickModel *model = NULL;
    stick_diagnostics_clear(*state);
    assert_int_equal(
        read_pair(*state, PAIR "teeth: 1", "supports: [{on: pair.1.bore, displacement: [0, 0]}]", &model),
        STICK_BAD_INPUT);
    assert_int_equal(stick_diagnostic_count(*state), 1);
}

// Reads a pair that rolls under the torque and returns the only message, or an empty text.
static const char *said_of_torque(StickContext *ctx, const char *torque, StickStatus expected)
{
    static char text[1024];
    StickModel *model = NULL;
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "materials: {steel: {young: 2e11, poisson: 0.3, density: 1}}\n"
             "gears: {pair: {teeth: 20, module: 1, material: steel}}\n"
             "contacts: [{between: pair, max-distance: 0.1}]\n"
             "steps: [{trajectory: {cycle: tooth, positions: 4%s}}]\n",
             torque);
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    stick_diagnostics_clear(ctx);
    assert_int_equal(stick_model_read_text(ctx, &source, &model), expected);
    stick_model_destroy(model);
    assert_true(stick_diagnostic_count(ctx) <= 1);
    return stick_diagnostic_count(ctx) == 1 ? stick_diagnostic(ctx, 0)->text : "";
}

static void torques_act_on_outputs(void **state)
{
    assert_string_equal(said_of_torque(*state, ", torque: {pair.2: 1}", STICK_OK), "");
    assert_string_equal(said_of_torque(*state, ", torque: {pair.2: 0}", STICK_OK), "");
    assert_non_null(strstr(
        said_of_torque(*state, "", STICK_OK),
        "no 'torque' acts on the output of gears 'pair', so their flanks carry no load: give it, as {"));
    assert_non_null(strstr(said_of_torque(*state, ", torque: {pair.1: 1}", STICK_BAD_INPUT),
                           "'pair.1' is the input of its pair: its rotation is prescribed and its torque is "
                           "a result; give 'torque' for the output gear"));
    assert_int_equal(stick_diagnostic(*state, 0)->line, 5);
}

// The only message about the contacts of a pair that rolls; "": none.
static const char *said_of_contacts(StickContext *ctx, const char *internal, const char *contacts)
{
    static char text[1024];
    StickModel *model = NULL;
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "materials: {steel: {young: 2e11, poisson: 0.3, density: 1}}\n"
             "gears: {pair: {teeth: [20, 40], module: 1, material: steel, internal: %s}}\n"
             "contacts: [%s]\n"
             "steps: [{trajectory: {cycle: tooth, positions: 4, torque: {pair.2: 1}}}]\n",
             internal, contacts);
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    stick_diagnostics_clear(ctx);
    stick_model_read_text(ctx, &source, &model);
    stick_model_destroy(model);
    assert_true(stick_diagnostic_count(ctx) <= 1);
    return stick_diagnostic_count(ctx) == 1 ? stick_diagnostic(ctx, 0)->text : "";
}

#define WHOLE "{between: pair, max-distance: 0.1}"
#define FLANKS(a, b) "{between: [" a ", " b "], max-distance: 0.1}"

static void surfaces_touch_by_one_contact(void **state)
{
    static const struct {
        const char *internal, *contacts, *says;
    } table[] = {
        {"false", WHOLE ", " FLANKS("pair.2.tooth-0-right", "pair.1.tooth-0-right"), ""},
        {"false",
         FLANKS("pair.2.tooth-0-left", "pair.1.tooth-0-left") ", " //
         FLANKS("pair.2.tooth-39-left", "pair.1.tooth-1-left"),
         ""},
        {"false", WHOLE ", " WHOLE, "contact 1 is between the same surfaces: remove one of them"},
        {"false", FLANKS("pair.1.tooth-0-left", "pair.2.tooth-3-left") ", " WHOLE,
         "contact 1 is between the same surfaces: remove one of them"},
        {"true", WHOLE ", " FLANKS("pair.2.tooth-0-right", "pair.1.tooth-0-left"),
         "contact 1 is between the same surfaces: remove one of them"},
        {"true", WHOLE ", " FLANKS("pair.2.tooth-0-left", "pair.1.tooth-0-right"), ""},
        {"false",
         FLANKS("pair.2.tooth-0-left", "pair.1.tooth-0-left") ", " //
         FLANKS("pair.1.tooth-0-left", "pair.2.tooth-0-left"),
         "contact 1 is between the same surfaces: remove one of them"},
        {"false", FLANKS("pair.2.tooth-0-left", "pair.1.flanks"),
         "contact of gear flanks is defined by 'between: pair', for all driving flanks; a single flank is "
         "named as pair.1.tooth-0-left"},
        {"false", "{between: pair, friction: -0.1, max-distance: 0.1}", "'friction' is -0.1"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const char *said = said_of_contacts(*state, table[k].internal, table[k].contacts);
        if (!strstr(said, table[k].says) || (!*table[k].says && *said))
            fail_msg("%s: '%s'", table[k].contacts, said);
    }
}

static void a_model_needs_something(void **state)
{
    static const char text[] = "stickslip: 1\nsteps: [{dynamics: {step: 0.1, end: 1}}]\n";
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    StickModel *model = NULL;
    assert_int_equal(stick_model_read_text(*state, &source, &model), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "needs the key 'bodies' or 'gears'"));
}

static StickStatus read_and_drop(StickContext *ctx, void *data)
{
    StickModel *model;
    STICK_TRY(read_pair(ctx, data, "supports: [{on: pair.1.bore, displacement: [0, 0]}]", &model));
    stick_model_destroy(model);
    return STICK_OK;
}

static void survives_failing_memory(void **state)
{
    (void)state;
    static char pair[] = PAIR "teeth: [20, 30], shift: [0.1, 2/10], tip-relief: {amount: 1, length: 1}";
    assert_survives_failing_memory(read_and_drop, pair);
}

static int create(void **state)
{
    *state = stick_context_create(NULL);
    return *state ? 0 : -1;
}

static int destroy(void **state)
{
    stick_context_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keys_have_defaults, create, destroy),
        cmocka_unit_test_setup_teardown(gears_are_bodies, create, destroy),
        cmocka_unit_test_setup_teardown(all_keys_are_read, create, destroy),
        cmocka_unit_test_setup_teardown(rings_may_drive, create, destroy),
        cmocka_unit_test_setup_teardown(torques_act_on_outputs, create, destroy),
        cmocka_unit_test_setup_teardown(shifted_gears_stand_without_backlash, create, destroy),
        cmocka_unit_test_setup_teardown(wrong_values_are_located, create, destroy),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused, create, destroy),
        cmocka_unit_test_setup_teardown(names_mean_one_thing, create, destroy),
        cmocka_unit_test_setup_teardown(no_material_at_all, create, destroy),
        cmocka_unit_test_setup_teardown(one_error_is_one_error, create, destroy),
        cmocka_unit_test_setup_teardown(surfaces_touch_by_one_contact, create, destroy),
        cmocka_unit_test_setup_teardown(a_model_needs_something, create, destroy),
        cmocka_unit_test(survives_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
