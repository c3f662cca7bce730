// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"
#include "model/read_model.h"

#define BLOCK                                                                                              \
    "stickslip: 1\n"                                                                                       \
    "materials: {soft: {young: 1, density: 1}}\n"                                                          \
    "bodies: {block: {mesh: {rectangle: {size: [2, 1], cells: [2, 1]}}, material: soft}}\n"                \
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"max(t - 1, 0)\", 0]}}\n" \
    "supports: [{on: block.top, displacement: [0, \"-0.1*min(t, 1)\"]}]\n"                                 \
    "contacts: [{between: [block.bottom, plate], friction: 0.5}]\n"                                        \
    "steps:\n"                                                                                             \
    "  - {name: press, quasistatic: {end: 1}}\n"                                                           \
    "  - {name: drag, quasistatic: {end: 3}}\n"

static StickStatus read_steps(StickContext *ctx, const char *more, StickModel **model)
{
    static char text[4096];
    snprintf(text, sizeof text, BLOCK "%s", more);
    return read_model(ctx, text, model);
}

static void it_speaks_of_the_last_path_unless_told(void **state)
{
    StickModel *model;
    assert_ok(*state, read_steps(*state, "  - {stability: {}}\n", &model));
    const StickStepSpec *step = &model->step[2];
    assert_int_equal(step->kind, STICK_STEP_STABILITY);
    assert_string_equal(step->name, "stability");
    assert_int_equal(step->stability.of, 1);
    assert_int_equal(step->stability.at, STICK_JUDGE_STATUSES);
    assert_int_equal(step->stability.mass, STICK_MASS_MODEL);
    assert_int_equal(step->stability.shapes, 100);
    assert_false(step->stability.no_slope);
    assert_true(step->stability.highest == 0 && step->stability.alpha == 0 && step->stability.beta == 0);
    stick_model_destroy(model);
}

static void all_keys_are_read(void **state)
{
    StickModel *model;
    assert_ok(
        *state,
        read_steps(*state,
                   "  - {name: table, stability: {of: press, at: [0.25, 1/2], modes: 20, highest: 1e3,\n"
                   "      mass: lumped, damping: {alpha: 2, beta: 1e-3}, friction-slope: none, shapes: 0}}\n"
                   "  - {name: last, stability: {at: end, mass: unit, between: [1e2, 2e2]}}\n"
                   "  - {name: more, quasistatic: {end: 4}}\n"
                   "  - {name: free, dynamics: {step: 0.1, end: 5}}\n"
                   "checks: [{that: table.stiffness, at: {status: [2, 1, 0]}, is: 1, within: 1}]\n",
                   &model));
    const StickStabilitySpec *table = &model->step[2].stability;
    assert_int_equal(table->of, 0);
    assert_int_equal(table->at, STICK_JUDGE_TIMES);
    assert_int_equal(table->ntimes, 2);
    assert_true(table->times[0] == 0.25 && table->times[1] == 0.5);
    assert_int_equal(table->modes, 20);
    assert_true(table->highest == 1e3 && table->alpha == 2 && table->beta == 1e-3);
    assert_int_equal(table->mass, STICK_MASS_LUMPED);
    assert_true(table->no_slope);
    assert_int_equal(table->shapes, 0);
    assert_int_equal(model->step[3].stability.at, STICK_JUDGE_END);
    assert_int_equal(model->step[3].stability.of, 1);
    assert_true(table->lowest == 0 && model->step[3].stability.lowest == 1e2);
    assert_true(model->step[3].stability.highest == 2e2);
    // time continues after the steps that move
    assert_near(model->step[4].step, 0.1, 1e-15);
    assert_true(model->check[0].at_status);
    assert_int_equal(model->check[0].status[1], 1);
    assert_string_equal(model->check[0].that, "table.stiffness at 2/1/0");
    assert_string_equal(model->check[0].series, "table.stiffness");
    stick_model_destroy(model);
}

static void a_parameter_is_varied(void **state)
{
    StickModel *model;
    assert_ok(
        *state,
        read_steps(
            *state,
            "  - {name: a, stability: {vary: {mu: {from: 0, to: 0.5, by: 0.1}}}}\n"
            "  - {name: b, stability: {at: end, vary: {mu: {from: 1, to: top, by: 0.4}}, locate: none}}\n"
            "  - {name: c, stability: {vary: {mu: [0.2, top, 3]}}}\n"
            "parameters: {mu: 0.5, top: 1/4}\n",
            &model));
    const double up[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5}, down[] = {1, 0.6, 0.25}, list[] = {0.2, 0.25, 3};
    const struct {
        int count;
        const double *value;
    } expected[] = {{6, up}, {3, down}, {3, list}};
    for (int k = 0; k < 3; k++) {
        const StickVarySpec *vary = &model->step[2 + k].stability.vary;
        assert_string_equal(vary->parameter, "mu");
        assert_int_equal(vary->count, expected[k].count);
        for (int j = 0; j < vary->count; j++)
            assert_true(vary->value[j] == expected[k].value[j]);
        assert_int_equal(model->step[2 + k].stability.at, STICK_JUDGE_END);
        assert_int_equal(model->step[2 + k].stability.no_locate, k == 1);
    }
    stick_model_destroy(model);
}

static void mistakes_are_named(void **state)
{
    static const struct {
        const char *text, *says;
    } mistake[] = {
        {"  - {stability: {of: drog}}\n",
         "unknown quasistatic step before this one 'drog'; did you mean 'drag'?"},
        {"  - {stability: {of: later}}\n  - {name: later, quasistatic: {end: 4}}\n", "'later'"},
        {"  - {stability: {at: evry-status}}\n", "did you mean 'every-status'?"},
        {"  - {stability: {at: []}}\n", "'at' has no times"},
        {"  - {stability: {at: [2, 3.5]}}\n",
         "t = 3.5 is not on the path of step 'drag', which goes from 1 to 3"},
        {"  - {stability: {vary: {mu: [1, 2], nu: [1]}}}\nparameters: {mu: 1, nu: 1}\n",
         "'vary' accepts one parameter, not 2"},
        {"  - {stability: {vary: {mo: [1, 2]}}}\nparameters: {mu: 1}\n", "did you mean 'mu'?"},
        {"  - {stability: {vary: {mu: [1]}}}\nparameters: {mu: 1}\n", "'mu' needs 2 to 1000 values"},
        {"  - {stability: {vary: {mu: [1, 3, 2]}}}\nparameters: {mu: 1}\n", "must ascend or descend"},
        {"  - {stability: {vary: {mu: [1, 1]}}}\nparameters: {mu: 1}\n", "must ascend or descend"},
        {"  - {stability: {vary: {mu: {from: 1, to: 2}}}}\nparameters: {mu: 1}\n", "'mu' needs 'by'"},
        {"  - {stability: {vary: {mu: {from: 1, to: 2, by: 0}}}}\nparameters: {mu: 1}\n", "'by' must be > 0"},
        {"  - {stability: {vary: {mu: {from: 1, to: 2, by: 1e-9}}}}\nparameters: {mu: 1}\n",
         "2 to 1000 values"},
        {"  - {stability: {vary: {mu: {from: 1, to: 2, bi: 1}}}}\nparameters: {mu: 1}\n",
         "did you mean 'by'?"},
        {"  - {stability: {vary: {mu: 3}}}\nparameters: {mu: 1}\n", "'mu'"},
        {"  - {stability: {at: every-status, vary: {mu: [1, 2]}}}\nparameters: {mu: 1}\n",
         "with 'vary' only the end of the path is analysed: 'at' must be 'end'"},
        {"  - {stability: {between: 5}}\n", "'between' needs a list"},
        {"  - {stability: {between: [5]}}\n", "a window has two frequencies"},
        {"  - {stability: {between: [5, 4]}}\n", "modes between 5 and 4: frequencies ascend from 0"},
        {"  - {stability: {between: [4, 5], highest: 6}}\n", "give only one of them"},
        {"  - {stability: {mass: unit, damping: {alpha: 1}}}\n", "needs a mass"},
        {"  - {stability: {}, solver: lemke}\n",
         "a stability step solves no contact problems: remove 'solver'"},
        {"  - {stability: {}}\nloads: [{on: block.top, hold: [1, free]}]\n",
         "force control ('hold') cannot be combined with a stability step (line"},
        {"checks: [{that: max(energy.total), at: {status: [1, 1, 1]}, at-most: 1}]\n", "without reduction"},
        {"checks: [{that: a.b, at: {status: [1, 1]}, at-most: 1}]\n", "has 2 components, but needs 3"},
    };
    for (size_t k = 0; k < sizeof mistake / sizeof *mistake; k++) {
        StickModel *model = NULL;
        bool said = false;
        stick_diagnostics_clear(*state);
        assert_int_equal(read_steps(*state, mistake[k].text, &model), STICK_BAD_INPUT);
        for (size_t j = 0; j < stick_diagnostic_count(*state); j++)
            said |= strstr(stick_diagnostic(*state, j)->text, mistake[k].says) != NULL;
        if (!said)
            fail_msg("'%s' is not in '%s'", mistake[k].says, stick_last_error(*state));
    }
}

static void it_needs_a_path(void **state)
{
    StickModel *model = NULL;
    const char text[] = "stickslip: 1\n"
                        "materials: {soft: {young: 1, density: 1}}\n"
                        "bodies: {bar: {mesh: {bar: {length: 1, elements: 1}}, material: soft}}\n"
                        "steps: [{stability: {}}]\n";
    assert_int_equal(read_model(*state, text, &model), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "needs a quasistatic step before it"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(it_speaks_of_the_last_path_unless_told),
        test_with_context(all_keys_are_read),
        test_with_context(a_parameter_is_varied),
        test_with_context(mistakes_are_named),
        test_with_context(it_needs_a_path),
    };
    return cmocka_run_group_tests_name("read_stability", tests, NULL, NULL);
}
