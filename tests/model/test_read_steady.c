// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"
#include "model/read_model.h"

static const char block[] =
    "stickslip: 1\n"
    "parameters: {mu: 0.5, twice: 2*mu, speed: 1, unused: 1}\n"
    "materials: {soft: {young: %s, density: 1}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [2, 1], cells: [2, 1]}}, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [speed, 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.1*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1}, friction: 0}\n"
    "  - {name: slide, steady-sliding: {%s}%s}\n"
    "%s";

typedef struct Given {
    const char *young, *slide, *beside, *more;
} Given;

static StickStatus read_it(StickContext *ctx, const Given *given, StickModel **model)
{
    static char text[4096];
    snprintf(text, sizeof text, block, given->young, given->slide, given->beside, given->more);
    return read_model(ctx, text, model);
}

static void a_step_has_one_state_unless_it_varies_friction(void **state)
{
    StickModel *model;
    assert_ok(*state, read_it(*state, &(Given){"1", "", "", ""}, &model));
    const StickStepSpec *press = &model->step[0], *slide = &model->step[1];
    assert_true(press->has_friction && press->friction == 0 && !slide->has_friction);
    assert_true(slide->kind == STICK_STEP_SLIDING && slide->increments == 1 && !slide->vary.parameter);
    assert_true(slide->method == STICK_STEADY_NEWTON && slide->end == 2 && slide->step == 1);
    stick_model_destroy(model);
    const Given family = {"1", "vary: {mu: {from: 0, to: 1, by: 0.25}}, method: fixed-point, end: 6", "",
                          "  - {stability: {}}\n  - {name: last, stability: {at: end}}\n"};
    assert_ok(*state, read_it(*state, &family, &model));
    slide = &model->step[1];
    assert_true(slide->increments == 5 && slide->vary.count == 5 && slide->vary.value[1] == 0.25);
    assert_true(slide->method == STICK_STEADY_FIXED_POINT && slide->end == 6 && slide->step == 1);
    // all states of the family are judged as values of its parameter, or its end alone
    assert_true(model->step[2].stability.family && model->step[2].stability.of == 1);
    assert_string_equal(model->step[2].stability.vary.parameter, "mu");
    assert_false(model->step[3].stability.family);
    assert_null(model->step[3].stability.vary.parameter);
    stick_model_destroy(model);
}

static const char family[] = "vary: {mu: [0, 0.4, 0.8]}";

#define SHAKE(from) \
    "  - {name: map, stability: {}}\n  - {name: shake, dynamics: {step: 0.1, end: 4, " from "}}\n"

static void motion_starts_from_one_of_its_states(void **state)
{
    StickModel *model;
    const Given given = {"1", family, "", SHAKE("from: {step: slide, mu: 0.6}, perturb: {amplitude: 1e-3}")};
    assert_ok(*state, read_it(*state, &given, &model));
    const StickFromSpec *from = &model->step[3].from;
    assert_true(from->given && from->step == 1 && from->value == 0.6);
    assert_string_equal(from->parameter, "mu");
    stick_model_destroy(model);
}

// The model with another value of its parameter, and what follows from it.
static void a_model_is_understood_with_another_value(void **state)
{
    StickModel *model, *varied;
    double mu;
    assert_ok(*state, read_it(*state, &(Given){"1", family, "", ""}, &model));
    assert_ok(*state, stick_model_vary(*state, model, "mu", 0.3, &varied));
    assert_ok(*state, stick_expression_value(varied->contact[0].law.friction, NULL, &mu));
    assert_true(mu == 0.3);
    stick_model_destroy(varied);
    stick_model_destroy(model);
}

static void what_makes_no_sense_is_said(void **state)
{
    static const struct {
        Given given;
        const char *says;
    } cases[] = {
        {{"1", "vary: {nu: [0, 1]}", "", ""}, "unknown parameter 'nu'"},
        {{"1", "vary: {mu: [0.1]}", "", ""}, "'mu' needs 2 to 1000 values"},
        {{"1", "method: bisection", "", ""}, "unknown method 'bisection'"},
        {{"1", "end: 0.5", "", ""}, "'end' is 0.5, but must be later than the end of the previous step, 1"},
        {{"1", family, ", friction: 0.2", ""},
         "'friction' of this step overrides the contacts, so 'mu' has no effect: remove 'friction' or "
         "'vary'"},
        {{"1", "vary: {unused: [0, 1]}", "", ""},
         "no contact depends on the parameter 'unused', so all states would be equal: set 'friction' of a "
         "contact to"},
        {{"1", "", ", friction: -1", ""}, "'friction' is -1, but must not be negative"},
        {{"1", "vary: {speed: [1, 2]}", "", ""},
         "'obstacles' depends on the parameter 'speed', but 'vary' of step 'slide' changes friction only: "
         "move 'vary' to a stability step, which reads the model again for each value"},
        {{"1 + twice", family, "", ""},
         "changes friction only: move 'vary' to a stability step, which reads the model again for each "
         "value"},
        {{"1", family, "", "  - {stability: {vary: {mu: [0, 1]}}}\n"},
         "step 'slide' already varies 'mu': remove 'vary' here or there"},
        {{"1", family, "", SHAKE("from: {step: slides, mu: 0.6}")},
         "unknown steady-sliding step before this one 'slides'"},
        {{"1", family, "", SHAKE("from: {mu: 0.6}")}, "'from' needs 'step'"},
        {{"1", family, "", SHAKE("from: {step: slide}")},
         "'from' needs the value of 'mu', which step 'slide' varies from 0 to 0.8"},
        {{"1", family, "", SHAKE("from: {step: slide, speed: 1}")}, "step 'slide' varies 'mu', not 'speed'"},
        {{"1", family, "", SHAKE("from: {step: slide, mu: 0.9}")},
         "mu = 0.9 is not among the states of step 'slide', which go from 0 to 0.8"},
        {{"1", "", "", SHAKE("from: {step: slide, mu: 0.5}")}, "step 'slide' varies no parameter: remove '"},
        {{"1", family, "", SHAKE("perturb: {amplitude: 1e-3}")},
         "step 'map' analyses all states of step 'slide': select the initial state of the motion, as in "
         "'from: {step: slide, mu: 0.8}'"},
        {{"1", "", "", "  - {name: shake, dynamics: {step: 0.1, end: 4}}\n  - {steady-sliding: {}}\n"},
         "a steady-sliding step cannot follow the dynamic step 'shake'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickModel *model;
        size_t first = stick_diagnostic_count(*state);
        bool said = false;
        assert_int_equal(read_it(*state, &cases[k].given, &model), STICK_BAD_INPUT);
        for (size_t i = first; i < stick_diagnostic_count(*state); i++)
            said |= strstr(stick_diagnostic(*state, i)->text, cases[k].says) != NULL;
        if (!said)
            print_error("'%s' was not said, but '%s'\n", cases[k].says, stick_last_error(*state));
        assert_true(said);
    }
}

static void a_solver_has_no_say(void **state)
{
    StickModel *model;
    size_t first = stick_diagnostic_count(*state);
    assert_ok(*state, read_it(*state, &(Given){"1", "", ", solver: newton", ""}, &model));
    assert_non_null(strstr(stick_diagnostic(*state, first)->text, "the solver 'newton' has no effect"));
    stick_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_step_has_one_state_unless_it_varies_friction),
        test_with_context(motion_starts_from_one_of_its_states),
        test_with_context(a_model_is_understood_with_another_value),
        test_with_context(what_makes_no_sense_is_said),
        test_with_context(a_solver_has_no_say),
    };
    return cmocka_run_group_tests_name("read_steady", tests, NULL, NULL);
}
