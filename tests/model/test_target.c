// SPDX-License-Identifier: Apache-2.0
// Which rule of contact holds for two bodies.
#include "model/rigid_models.h"

static const char stones[] =
    STONES "bodies:\n"
           "  block: {rigid: {box: [1, 1]}, material: stone, repeat: {i: [0, 2]}, position: [2*i, 0]}\n"
           "  beam: {rigid: {box: [9, 1]}, material: wood, position: [0, 5]}\n"
           "  ball: {rigid: {disk: 1, mass: 3}, position: [0, 9]}\n"
           "  pad: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: rubber}\n"
           "obstacles:\n"
           "  floor: {plane: {point: [0, 0], normal: [0, 1]}, material: stone}\n"
           "  wall: {plane: {point: [0, 0], normal: [1, 0]}}\n"
           "contacts:\n"
           "  - {between: all, friction: 0.1}\n"
           "  - {between: [stone, stone], friction: 0.2}\n"
           "  - {between: [wood, all], friction: 0.3, restitution: 0.5}\n"
           "  - {between: [block, floor], friction: 0.4, cohesion: 10}\n"
           "  - {between: [floor, \"block[1]\"], friction: \"0.5 + v\"}\n"
           "  - {between: [pad.top, beam], friction: 0.6}\n"
           "  - {between: [beam, pad.bottom], friction: 0.7}\n" QUAKE;

enum { BLOCK = 0, BEAM = 3, BALL = 4, FLOOR = 0, WALL = 1 };

static void the_most_specific_rule_holds(void **state)
{
    StickModel *model = NULL;
    assert_ok(*state, read_rigid(*state, stones, &model));
    assert_int_equal(model->nrules, 5);
    assert_int_equal(stick_model_rule(model, BALL, -1, WALL), 0);
    assert_int_equal(stick_model_rule(model, BALL, BLOCK, -1), 0);
    assert_int_equal(stick_model_rule(model, BLOCK, BLOCK + 1, -1), 1);
    assert_int_equal(stick_model_rule(model, BLOCK, BEAM, -1), 2);
    assert_int_equal(stick_model_rule(model, BEAM, BLOCK, -1), 2);
    assert_int_equal(stick_model_rule(model, BEAM, -1, FLOOR), 2);
    assert_int_equal(stick_model_rule(model, BLOCK, -1, FLOOR), 3);
    assert_int_equal(stick_model_rule(model, BLOCK + 1, -1, FLOOR), 4);
    assert_int_equal(stick_model_rule(model, BLOCK + 1, -1, WALL), 0);
    assert_non_null(model->rule[2].law.restitution);
    assert_non_null(model->rule[3].law.cohesion);
    // a surface against the skin of a rigid body, both ways
    assert_int_equal(model->ncontacts, 2);
    assert_int_equal(model->contact[0].master.body, BEAM);
    assert_null(model->contact[0].master.group);
    assert_int_equal(model->contact[1].slave.body, BEAM);
    stick_model_destroy(model);
}

// Equally narrow ones: the first of the file, in whichever order its sides are named.
static void of_equals_the_first_rule_holds(void **state)
{
    for (int k = 0; k < 2; k++) {
        StickModel *model = NULL;
        char text[1000];
        const char *rules[] = {"{between: [wood, all], friction: 0.2}", "{between: [all, stone]}"};
        snprintf(text, sizeof text,
                 STONES
                 "bodies: {a: {rigid: {disk: 1}, material: stone}, b: {rigid: {disk: 1}, material: wood}}\n"
                 "contacts: [%s, %s]\n" QUAKE,
                 rules[k], rules[1 - k]);
        assert_ok(*state, read_rigid(*state, text, &model));
        int rule = stick_model_rule(model, 0, 1, -1);
        assert_int_equal(rule, 0);
        assert_int_equal(stick_model_rule(model, 1, 0, -1), 0);
        // friction is 0 unless it is given; nothing else is there
        double mu;
        const StickLawSpec *law = &model->rule[rule].law;
        assert_ok(*state, stick_expression_value(law->friction, NULL, &mu));
        assert_near(mu, k == 0 ? 0.2 : 0, 0);
        assert_null(law->restitution);
        assert_null(law->cohesion);
        assert_null(law->state_start);
        assert_int_equal(law->section, STICK_LAW_DISK);
        stick_model_destroy(model);
    }
}

static void bodies_without_a_rule_do_not_touch(void **state)
{
    StickModel *model = NULL;
    assert_ok(
        *state,
        read_rigid(*state,
                   STONES
                   "bodies: {a: {rigid: {disk: 1}, material: stone}, b: {rigid: {disk: 1}, material: wood}}\n"
                   "contacts: [{between: [stone, stone]}]\n" QUAKE,
                   &model));
    assert_int_equal(stick_model_rule(model, 0, 1, -1), -1);
    stick_model_destroy(model);
}

static void friction_may_depend_on_the_direction(void **state)
{
    StickModel *model = NULL;
    assert_ok(
        *state,
        read_rigid(
            *state,
            STONES
            "bodies: {a: {rigid: {sphere: 1}, material: stone}, b: {rigid: {sphere: 1}, material: wood}}\n"
            "contacts:\n"
            "  - {between: [a, b], friction: {ellipse: [0.2, 0.5], axis: [0, 2, 0]}}\n"
            "  - {between: [a, all], friction: {polygon: [[0, 1], [1, 0], [0, -1], [-1, 0]], axis: [1, 0, "
            "0], factor: \"0.1*t\"}}\n" QUAKE,
            &model));
    const StickLawSpec *law = &model->rule[0].law;
    assert_int_equal(law->section, STICK_LAW_ELLIPSE);
    assert_near(law->ellipse[1], 0.5, 0);
    assert_near(law->axis[1], 1, 0);
    law = &model->rule[1].law;
    assert_int_equal(law->section, STICK_LAW_POLYGON);
    assert_int_equal(law->ncorners, 4);
    // clockwise in the file, anticlockwise in the model
    assert_near(law->corner[0] * law->corner[3] - law->corner[1] * law->corner[2], 1, 0);
    assert_false(stick_expression_is_constant(law->friction));
    stick_model_destroy(model);
}

#define TWO "bodies: {a: {rigid: {disk: 1}, material: stone}, b: {rigid: {disk: 1}, material: wood}}\n"
#define BALLS "bodies: {a: {rigid: {sphere: 1}, material: stone}}\n"

static void mistakes_are_named(void **state)
{
    static const struct {
        const char *text, *says;
    } mistake[] = {
        {TWO "contacts: [{between: [a, ston]}]\n" QUAKE,
         "unknown body, obstacle or material 'ston'; did you mean 'stone'?"},
        {TWO "contacts: [{between: any}]\n" QUAKE, "'between' needs a list, not a text"},
        {TWO "contacts: [{between: all, method: nodes}]\n" QUAKE, "'method' is for named surfaces"},
        {TWO "contacts: [{between: [a, b]}, {between: [b, a], friction: 1}]\n" QUAKE,
         "line 4 defines a contact between the same surfaces: one of them has no effect; remove it"},
        {TWO "contacts: [{between: all, restitution: 2}]\n" QUAKE,
         "'restitution' is 2, but must be >= 0 and <= 1"},
        {TWO "contacts: [{between: all, restitution: 0, dissipation: 1}]\n" QUAKE, "give only one of them"},
        {TWO "contacts: [{between: [a, b], dissipation: 0}, {between: [a, a], dissipation: 1}]\n" QUAKE,
         "'dissipation' applies to the whole system, but another contact has a different value: give the "
         "same one, or use 'restitution', which belongs to one contact"},
        {TWO "contacts: [{between: [a, b], dissipation: 0}, {between: [a, a], restitution: 1}]\n" QUAKE,
         "'restitution' requires a 'dissipation' of 1, but the system has a different one"},
        {TWO "contacts: [{between: all, dissipation: 0}]\nsteps: [{dynamics: {step: 1, end: 2, dissipation: "
             "1}}]\n",
         "the contacts and this step have different values of 'dissipation'"},
        {TWO "contacts: [{between: all, friction: {ellipse: [1, 1], axis: [1, 0, 0]}}]\n" QUAKE,
         "'axis' has 3 components, but the bodies have dimension 2"},
        {TWO "contacts: [{between: all, friction: {ellipse: [1, 1], axis: [1, 0]}}]\n" QUAKE,
         "in the plane give 'interval'"},
        {BALLS "contacts: [{between: all, friction: {interval: [1, 1], axis: [1, 0, 0]}}]\n" QUAKE,
         "'interval' is for the plane: in three dimensions give 'ellipse' or 'polygon'"},
        {BALLS "contacts: [{between: all, friction: {ellipse: [1, 1], axis: [0, 0, 0]}}]\n" QUAKE,
         "it must be a direction"},
        {BALLS "contacts: [{between: all, friction: {ellipse: [1, 1]}}]\n" QUAKE, "needs the key 'axis'"},
        {BALLS
         "contacts: [{between: all, friction: {polygon: [[1, 0], [2, 0], [1, 1]], axis: [1, 0, 0]}}]\n" QUAKE,
         "must form a convex polygon that contains [0, 0]"},
        {TWO "obstacles: {f: {plane: {point: [0, 0], normal: [0, 1]}}, g: {plane: {point: [0, 0], normal: "
             "[0, 1]}}}\n"
             "contacts: [{between: [f, g]}]\n" QUAKE,
         "two obstacles"},
        {TWO "obstacles: {wood: {plane: {point: [0, 0], normal: [0, 1]}}}\ncontacts: [{between: [a, "
             "wood]}]\n" QUAKE,
         "'wood' is a material and a body or obstacle"},
        {"bodies: {p: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: rubber}}\n"
         "contacts: [{between: all}]\nsteps: [{dynamics: {step: 1, end: 2}}]\n",
         "but the model has none"},
        {"bodies: {p: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: rubber}}\n"
         "contacts: [{between: [p.top, p.bottom], cohesion: 1}]\nsteps: [{dynamics: {step: 1, end: 2}}]\n",
         "'cohesion' is for contacts of rigid bodies"},
        {"bodies: {p: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: rubber}}\n"
         "contacts: [{between: [p.top, rubber]}]\nsteps: [{dynamics: {step: 1, end: 2}}]\n",
         "'rubber' is for rigid bodies only: a surface requires a named surface, body or obstacle"},
    };
    for (size_t k = 0; k < sizeof mistake / sizeof *mistake; k++) {
        StickModel *model = NULL;
        char text[2000];
        snprintf(text, sizeof text, STONES "%s", mistake[k].text);
        stick_diagnostics_clear(*state);
        assert_int_equal(read_rigid(*state, text, &model), STICK_BAD_INPUT);
        if (!strstr(stick_last_error(*state), mistake[k].says))
            fail_msg("'%s' is not in '%s'", mistake[k].says, stick_last_error(*state));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_most_specific_rule_holds),
        test_with_context(of_equals_the_first_rule_holds),
        test_with_context(bodies_without_a_rule_do_not_touch),
        test_with_context(friction_may_depend_on_the_direction),
        test_with_context(mistakes_are_named),
    };
    return cmocka_run_group_tests_name("model.target", tests, NULL, NULL);
}
