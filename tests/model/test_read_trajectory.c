// SPDX-License-Identifier: Apache-2.0
// Frames, flanks and trajectory steps in the model file: their values and their errors.
#include "check.h"
#include "model/model.h"

static const char cam[] = "stickslip: 1\n"
                          "materials: {steel: {young: 2e8, poisson: 0.3, density: 1}}\n"
                          "bodies:\n"
                          "  cam: {mesh: {disk: {radius: 4, core: [2, 2], rings: 1}}, material: steel,\n"
                          "        flanks: {outer: {x: 4*cos(s), y: 4*sin(s), from: 0, %s}}}\n"
                          "  roller: {mesh: {disk: {radius: 2, core: [2, 2], rings: 1}}, material: steel}\n"
                          "frames:\n"
                          "  cam: {angle: 2*t}\n"
                          "  %s\n"
                          "contacts: [{between: [roller.lower, cam.outer], %s}]\n"
                          "steps: [{trajectory: {%s}%s}]\n"
                          "output: {history: [{name: h, of: %s, what: %s}]}\n";

typedef struct Given {
    const char *flank, *frame, *contact, *step, *beside, *of, *what;
} Given;

static const Given good = {
    "to: 2*pi",        "roller: {at: [0, 6], free: [y, rotation], force: [0, -1], moment: t}",
    "max-distance: 1", "to: 6, positions: 7",
    ", solver: lemke", "roller",
    "shift.y"};

static StickStatus read_it(StickContext *ctx, Given given, StickModel **model)
{
    static char text[4096];
    const char **word = (const char **)&given, *const *standard = (const char *const *)&good;
    for (size_t k = 0; k < sizeof given / sizeof *word; k++)
        word[k] = word[k] ? word[k] : standard[k];
    snprintf(text, sizeof text, cam, given.flank, given.frame, given.contact, given.step, given.beside,
             given.of, given.what);
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    return stick_model_read_text(ctx, &source, model);
}

static void what_is_given_is_there(void **state)
{
    StickModel *model;
    assert_ok(*state, read_it(*state, good, &model));
    assert_int_equal(model->nframes, 2);
    const StickFrameSpec *frame = &model->frame[1];
    assert_int_equal(frame->body, 1);
    assert_true(!frame->free[0] && frame->free[1] && frame->free[2]);
    assert_true(frame->at[1] && !frame->angle && frame->moment);
    assert_int_equal(model->body[0].nflanks, 1);
    assert_string_equal(model->body[0].flank[0].group, "outer");
    // contacts of trajectories stand apart from all others
    assert_int_equal(model->ncontacts, 0);
    assert_int_equal(model->nmatings, 1);
    assert_near(model->mating[0].max_distance, 1, 0);
    assert_int_equal(model->mating[0].strip, 2);
    assert_int_equal(model->mating[0].gears, -1);
    const StickStepSpec *step = &model->step[0];
    assert_int_equal(step->kind, STICK_STEP_TRAJECTORY);
    assert_int_equal(step->increments, 7);
    assert_near(step->step, 1, 0);
    assert_near(step->end, 6, 0);
    assert_false(step->trajectory.actual);
    stick_model_destroy(model);
    assert_ok(*state, read_it(*state,
                              (Given){.step = "to: 6, positions: 7, pairs: actual",
                                      .beside = ", solver: gauss-seidel"},
                              &model));
    assert_true(model->step[0].trajectory.actual);
    assert_string_equal(model->step[0].solver, "gauss-seidel");
    // a hyphen is as good as a low line
    stick_model_destroy(model);
    assert_ok(*state, read_it(*state, (Given){.what = "peak-pressure"}, &model));
    assert_string_equal(model->output.history[0].what, "peak_pressure");
    stick_model_destroy(model);
}

static void what_is_wrong_is_told(void **state)
{
    static const struct {
        Given given;
        const char *says;
    } table[] = {
        {{.flank = "to: -1"}, "'to' is -1, but must be greater than 'from', 0"},
        {{.frame = "rollr: {free: [y]}"}, "unknown body 'rollr'; did you mean 'roller'?"},
        {{.frame = "roller: {free: [yaw]}"}, "unknown motion 'yaw'"},
        {{.frame = "roller: {force: [0, -1]}"},
         "'force' acts along y, which is not free: add this direction to 'free', or set the force to 0"},
        {{.frame = "roller: {moment: 1}"}, "'moment' acts on a rotation that is not free"},
        {{.contact = "friction: 0"}, "does not support contacts without 'max-distance'"},
        {{.contact = "max-distance: 1, reach: 2"}, "'reach' does not apply to trajectory steps: remove it"},
        {{.contact = "max-distance: 1, friction: 0.1*v"},
         "in trajectory steps 'friction' may depend on t, x and y, but not on v and p"},
        {{.step = "positions: 7"}, "a trajectory needs the key 'to'"},
        {{.step = "cycle: tooth, positions: 7"}, "'cycle: tooth' is for one pair of gears, but there are 0"},
        {{.step = "to: 6, positions: 7, torque: {roller: 1}"}, "there is no gear 'roller'"},
        {{.step = "from: 2, to: 1, positions: 7"}, "and 'to' greater than 'from'"},
        {{.step = "to: 6, positions: 7, pairs: real"}, "unknown pairs 'real'; did you mean 'ideal'?"},
        {{.beside = ", solver: enumerate"},
         "is not for trajectories: use connect-disconnect, conry-seireg or lemke, or 'auto' if facets may "
         "stick"},
        {{.what = "shift"}, "'shift' accepts .x or .y here"},
        {{.of = "roller.outer", .what = "rotation"}, "'rotation' is of a body as a whole"},
        {{.what = "transmission-error"},
         "'transmission_error' is a quantity of a pair of gears: name the pair"},
    };
    static const char other[] =
        "stickslip: 1\n"
        "materials: {a: {young: 1, density: 1}}\n"
        "bodies: {b: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: a},\n"
        "         c: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: a}}\n"
        "contacts: [{between: [b.top, c.bottom], max-distance: 1}]\n"
        "steps: [{quasistatic: {end: 1}}]\n";
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = other, .count = strlen(other)};
    StickModel *none;
    assert_int_equal(stick_model_read_text(*state, &source, &none), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state),
                           "this contact has a 'max-distance', which only trajectory steps support, but "
                           "there is another type of step: remove the key, or make the step a 'trajectory'"));
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        StickModel *model;
        stick_diagnostics_clear(*state);
        assert_int_equal(read_it(*state, table[k].given, &model), STICK_BAD_INPUT);
        if (!strstr(stick_last_error(*state), table[k].says))
            print_error("expected: %s\nheard: %s\n", table[k].says, stick_last_error(*state));
        assert_non_null(strstr(stick_last_error(*state), table[k].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(what_is_given_is_there),
        test_with_context(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
