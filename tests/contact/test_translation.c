// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "contact/translation.h"

#include <string.h>

static const double PANEL = 0.01;

typedef struct Moving {
    StickExpressions *sandbox;
    StickObstacleSpec spec;
    StickTranslation translation;
} Moving;

static void start(Moving *moving, StickContext *ctx, const char *displacement, const char *velocity)
{
    *moving = (Moving){0};
    assert_ok(ctx, stick_expressions_create(ctx, &moving->sandbox));
    if (displacement)
        assert_ok(ctx, stick_expression_compile(moving->sandbox, displacement, STICK_SEES_TIME,
                                                (StickMark){0}, &moving->spec.displacement[0]));
    if (velocity)
        assert_ok(ctx, stick_expression_compile(moving->sandbox, velocity, STICK_SEES_TIME, (StickMark){0},
                                                &moving->spec.velocity[0]));
    stick_translation_init(ctx, &moving->translation, &moving->spec, 2, PANEL);
}

static void at(Moving *moving, StickContext *ctx, double t, double h, double *d, double *v)
{
    double displacement[3], velocity[3];
    assert_ok(ctx, stick_translation_at(&moving->translation, t, h, displacement, velocity));
    assert_true(displacement[1] == 0 && velocity[1] == 0);
    *d = displacement[0];
    *v = velocity[0];
}

static void what_is_not_prescribed_stands_still(void **state)
{
    Moving moving;
    double d, v;
    start(&moving, *state, NULL, NULL);
    at(&moving, *state, 3, 0.1, &d, &v);
    assert_true(d == 0 && v == 0);
    stick_expressions_destroy(moving.sandbox);
}

// Numbers that overflow on the way are an error with the place of the obstacle.
static void motion_that_is_not_finite_is_refused(void **state)
{
    static const struct {
        const char *displacement, *velocity;
    } motions[] = {{NULL, "1e308"}, {NULL, "1e308 + 0*t"}, {"1e308*(1 - 2*(t > 10.0005 and 1 or 0))", NULL}};
    StickContext *ctx = *state;
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
        Moving moving;
        double displacement[3], velocity[3];
        start(&moving, ctx, motions[k].displacement, motions[k].velocity);
        moving.spec.name = "hammer";
        moving.spec.mark = (StickMark){"model.yaml", 7, 3};
        assert_int_equal(stick_translation_at(&moving.translation, 10, 1e-3, displacement, velocity),
                         STICK_BAD_INPUT);
        assert_non_null(
            strstr(stick_last_error(ctx), "obstacle 'hammer', t = 10: its motion along x is not finite"));
        assert_int_equal(stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1)->line, 7);
        stick_expressions_destroy(moving.sandbox);
    }
}

static void a_constant_velocity_is_exact(void **state)
{
    Moving moving;
    double d, v;
    start(&moving, *state, NULL, "0.3");
    at(&moving, *state, 0.7, 1e-3, &d, &v);
    assert_true(d == 0.3 * 0.7 && v == 0.3);
    stick_expressions_destroy(moving.sandbox);
}

static void a_displacement_gives_the_mean_velocity_of_the_step(void **state)
{
    Moving moving;
    double d, v;
    start(&moving, *state, "2 + t^2", NULL);
    at(&moving, *state, 3, 0.5, &d, &v);
    assert_near(d, 11, 1e-14);
    assert_near(v, 6.5, 1e-13);
    at(&moving, *state, 3, 0, &d, &v);
    assert_true(v == 0);
    stick_expressions_destroy(moving.sandbox);
}

// Displacement and velocity are one motion: what is travelled in a step is h times the mean velocity.
static void a_velocity_is_integrated(void **state)
{
    Moving moving;
    double d, v, next, ignored;
    start(&moving, *state, NULL, "cos(3*t)");
    for (double t = 0; t < 2; t += 0.0137) {
        at(&moving, *state, t, 0.0137, &d, &v);
        assert_near(d, sin(3 * t) / 3, 1e-14);
        at(&moving, *state, t + 0.0137, 0, &next, &ignored);
        assert_near(next - d, 0.0137 * v, 1e-15);
        assert_near(ignored, cos(3 * (t + 0.0137)), 1e-15);
    }
    stick_expressions_destroy(moving.sandbox);
}

// A velocity that starts with a jump at a multiple of the panel loses nothing.
static void a_jump_between_panels_is_exact(void **state)
{
    Moving moving;
    double d, v;
    start(&moving, *state, NULL, "t < 0.5 and 0 or 4");
    at(&moving, *state, 0.755, 0.01, &d, &v);
    assert_near(d, 4 * 0.255, 1e-14);
    assert_near(v, 4, 1e-12);
    stick_expressions_destroy(moving.sandbox);
}

// A run that was resumed at t asks only there; the first run asked at every step: same bits, also after going
// back.
static void the_bits_do_not_depend_on_what_was_asked_before(void **state)
{
    Moving every, once;
    double d[3], v[3];
    start(&every, *state, NULL, "exp(-t)*sin(20*t)");
    start(&once, *state, NULL, "exp(-t)*sin(20*t)");
    for (int i = 0; i < 500; i++)
        at(&every, *state, i * 0.0031, 0.0031, &d[0], &v[0]);
    at(&once, *state, 499 * 0.0031, 0.0031, &d[1], &v[1]);
    assert_true(d[0] == d[1] && v[0] == v[1]);
    at(&once, *state, 5, 0.0031, &d[2], &v[2]);
    at(&once, *state, 499 * 0.0031, 0.0031, &d[2], &v[2]);
    assert_true(d[0] == d[2] && v[0] == v[2]);
    stick_expressions_destroy(every.sandbox);
    stick_expressions_destroy(once.sandbox);
}

// Joints look to and fro by some time steps: what lies far behind must not be integrated again for that.
static void going_back_a_little_costs_little(void **state)
{
    Moving moving, late;
    double d[2], v;
    start(&moving, *state, NULL, "cos(t)");
    start(&late, *state, NULL, "t < 98 and log(-1) or cos(t)"); // what it is asked before is refused
    at(&moving, *state, 99.873, 0, &d[0], &v);
    at(&moving, *state, 100, 0, &d[1], &v);
    moving.translation.travel[0].velocity = late.spec.velocity[0];
    at(&moving, *state, 99.873, 0, &d[1], &v);
    assert_true(d[0] == d[1]);
    for (double t = 100; t < 110; t += 0.017) {
        at(&moving, *state, t, 0.017, &d[0], &v);
        at(&moving, *state, t - 0.2, 0.4, &d[0], &v);
        assert_near(d[0], sin(t - 0.2), 1e-13);
    }
    stick_expressions_destroy(moving.sandbox);
    stick_expressions_destroy(late.sandbox);
}

static void a_motion_that_is_no_number_is_refused(void **state)
{
    Moving moving;
    double d[3] = {7, 7, 7}, v[3];
    start(&moving, *state, NULL, "1/(t - 2)^0 + log(-t - 1)");
    assert_int_equal(stick_translation_at(&moving.translation, 1, 0.1, d, v), STICK_BAD_INPUT);
    assert_true(d[0] == 7);
    stick_expressions_destroy(moving.sandbox);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(what_is_not_prescribed_stands_still),
        test_with_context(motion_that_is_not_finite_is_refused),
        test_with_context(a_constant_velocity_is_exact),
        test_with_context(a_displacement_gives_the_mean_velocity_of_the_step),
        test_with_context(a_velocity_is_integrated),
        test_with_context(a_jump_between_panels_is_exact),
        test_with_context(the_bits_do_not_depend_on_what_was_asked_before),
        test_with_context(going_back_a_little_costs_little),
        test_with_context(a_motion_that_is_no_number_is_refused),
    };
    return cmocka_run_group_tests_name("contact.translation", tests, NULL, NULL);
}
