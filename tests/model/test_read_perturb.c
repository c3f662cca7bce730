// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"
#include "model/read_model.h"

static const char block[] =
    "stickslip: 1\n"
    "parameters: {mu: 0.5}\n"
    "materials: {soft: {young: 1, density: 1}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [2, 1], cells: [2, 1]}}, material: soft%s}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"max(t - 1, 0)\", 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.1*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: %s}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1}}\n"
    "  - {name: drag, quasistatic: {end: 3}}\n"
    "  - {name: judge, stability: {%s}}\n"
    "  - {name: shake, dynamics: {step: 0.1, end: 4, perturb: {%s}}}\n";

typedef struct Given {
    const char *body, *friction, *stability, *perturb;
} Given;

static StickStatus read_it(StickContext *ctx, const Given *given, StickModel **model)
{
    static char text[4096];
    snprintf(text, sizeof text, block, given->body, given->friction, given->stability, given->perturb);
    return read_model(ctx, text, model);
}

static void all_keys_are_read(void **state)
{
    StickModel *model;
    const Given along = {"", "0.5", "at: end", "of: judge, mode: 2 + 3, amplitude: 1e-6"};
    assert_ok(*state, read_it(*state, &along, &model));
    const StickPerturbSpec *perturb = &model->step[3].perturb;
    assert_true(perturb->given && perturb->of == 2 && perturb->mode == 5 && perturb->amplitude == 1e-6);
    assert_true(perturb->random == 0 && !perturb->rounding);
    assert_false(model->step[1].perturb.given);
    stick_model_destroy(model);
    const Given random = {"", "0.5", "", "random: 1e-9, seed: 7, mode: growing"};
    assert_ok(*state, read_it(*state, &random, &model));
    perturb = &model->step[3].perturb;
    assert_true(perturb->of == 2 && perturb->mode == 0 && perturb->random == 1e-9 && perturb->seed == 7);
    stick_model_destroy(model);
    const Given rounding = {"", "0.5", "", "rounding: true"};
    assert_ok(*state, read_it(*state, &rounding, &model));
    assert_true(model->step[3].perturb.rounding && model->step[3].perturb.seed == 1);
    stick_model_destroy(model);
}

// A prediction that is not of what moves would be compared with something else.
static void what_cannot_be_compared_is_refused(void **state)
{
    static const struct {
        Given given;
        const char *says;
    } cases[] = {
        {{"", "0.5", "", ""},
         "'perturb' must have one of 'amplitude', 'random', 'rounding: true', but has none"},
        {{"", "0.5", "", "random: 1, amplitude: 1"}, "but has more"},
        {{"", "0.5", "", "random: -1"}, "'random'"},
        {{"", "0.5", "", "mode: 1.5, random: 1"}, "'mode' is 1.5, but must be 'growing' or a whole number"},
        {{"", "0.5", "", "mode: 0, random: 1"}, "'mode' is 0"},
        {{"", "0.5", "", "of: juge, random: 1"}, "did you mean 'judge'?"},
        {{"", "0.5", "", "of: drag, random: 1"}, "unknown stability step before this one 'drag'"},
        {{"", "0.5", "of: press", "random: 1"},
         "step 'judge' analyses the path of 'press', but motion starts from the end of 'drag'"},
        {{"", "0.5", "at: [2, 3]", "random: 1"},
         "analyses states at given times, but motion starts from the last state: set its 'at' to 'end' or "
         "'every-status'"},
        {{"", "mu", "vary: {mu: [0.4, 0.6]}", "random: 1"},
         "step 'judge' varies 'mu', which may not include the initial state of the motion: add another "
         "stability step that analyses this state"},
        {{"", "0.5", "mass: unit", "random: 1"},
         "uses a mass matrix other than that of the bodies, but the motion uses that of the bodies: use the "
         "same one"},
        {{"", "0.5", "mass: lumped", "random: 1"},
         "uses a mass matrix other than that of the bodies, but the motion uses that of the bodies: use the "
         "same one"},
        {{", mass: lumped", "0.5", "mass: consistent", "random: 1"},
         "uses a mass matrix other than that of the bodies, but the motion uses that of the bodies: use the "
         "same one"},
        {{"", "0.5", "damping: {beta: 1}", "random: 1"}, "damping that the bodies do not have"},
        {{"", "\"0.5 - 0.1*v\"", "friction-slope: none", "random: 1"},
         "uses friction that does not depend on the speed"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickModel *model;
        stick_diagnostics_clear(*state);
        assert_int_equal(read_it(*state, &cases[k].given, &model), STICK_BAD_INPUT);
        if (!strstr(stick_last_error(*state), cases[k].says))
            fail_msg("'%s' is not in '%s'", cases[k].says, stick_last_error(*state));
    }
}

static void what_can_is_not(void **state)
{
    static const Given cases[] = {
        {", mass: lumped", "0.5", "mass: lumped", "random: 1"},
        {"", "0.5", "mass: consistent", "random: 1"},
        {"", "0.5", "friction-slope: none", "random: 1"},
        {"", "\"0.5 - 0.1*v\"", "", "random: 1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickModel *model;
        assert_ok(*state, read_it(*state, &cases[k], &model));
        stick_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(all_keys_are_read),
        test_with_context(what_cannot_be_compared_is_refused),
        test_with_context(what_can_is_not),
    };
    return cmocka_run_group_tests_name("read_perturb", tests, NULL, NULL);
}
