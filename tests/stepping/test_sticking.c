// SPDX-License-Identifier: Apache-2.0
// Strips that may stick along trajectories: wheels that slide, that stand under a tangential force, and that roll.
#include "stepping/scene.h"

#include "base/pi.h"
#include "stepping/trajectory.h"

// Sectors of disks of radius 10, the upper one pressed onto the lower one. %s: cells of both; angle of the upper one,
// what is free of it, its force along x, its moment; angle of the lower one; friction; the step and its solver.
static const char wheels[] =
    "parameters: {R: 10}\n"
    "materials: {steel: {young: 200e3, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  upper:\n"
    "    mesh: {patches: [{cells: [%s], map: [\n"
    "      \"(10 - 7*(0.03*eta + 0.97*eta^3))*sin(0.5*(0.2*(2*xi - 1) + 0.8*(2*xi - 1)^5))\",\n"
    "      \"-(10 - 7*(0.03*eta + 0.97*eta^3))*cos(0.5*(0.2*(2*xi - 1) + 0.8*(2*xi - 1)^5))\"]}]}\n"
    "    material: steel\n"
    "    flanks: {bottom: {x: R*sin(s), y: -R*cos(s), from: -0.5, to: 0.5}}\n"
    "  lower:\n"
    "    mesh: {patches: [{cells: [%s], map: [\n"
    "      \"(10 - 7*(0.03*eta + 0.97*eta^3))*sin(0.5*(0.2*(2*xi - 1) + 0.8*(2*xi - 1)^5))\",\n"
    "      \"-(10 - 7*(0.03*eta + 0.97*eta^3))*cos(0.5*(0.2*(2*xi - 1) + 0.8*(2*xi - 1)^5))\"]}]}\n"
    "    material: steel\n"
    "    flanks: {bottom: {x: R*sin(s), y: -R*cos(s), from: -0.5, to: 0.5}}\n"
    "frames:\n"
    "  upper: {at: [0, R], angle: %s, free: [%s], force: [%s, -690]%s}\n"
    "  lower: {at: [0, -R], angle: %s}\n"
    "supports: [{on: upper.top, displacement: [0, 0]}, {on: lower.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [lower.bottom, upper.bottom], max-distance: 0.02, friction: %s, strip: 1}]\n"
    "steps: [{trajectory: {%s}, solver: %s}]\n";

static int count(const Scene *scene, StickContactStatus status)
{
    int found = 0;
    for (int i = 0; i < scene->run->trajectory->set.npairs; i++)
        found += stick_trajectory_status(scene->run, i) == status;
    return found;
}

// Half width of the contact of two cylinders in plane strain under a force of 690 per thickness.
static double half_width(void)
{
    double E = 200e3 / (2 * (1 - 0.09));
    return sqrt(4 * 690 * 5 / (STICK_PI * E));
}

// ---- sliding

// Where all slides, answers are those of the known direction.
static void what_slides_is_the_same(void **state)
{
    static const char *const methods[] = {"connect-disconnect", "auto", "gauss-seidel", "newton"};
    static const char *const steps[] = {"to: 0.02, positions: 3", "to: 0.02, positions: 3, pairs: actual"};
    double theta[8][3], moment[8][3];
    for (int k = 0; k < 8; k++) {
        Scene scene;
        int first = k < 4 ? 0 : 4;
        scene_open(&scene, *state, wheels, "60, 16", "60, 16", "t", "y", "0", "", "pi + t", "0.25",
                   steps[k / 4], methods[k % 4]);
        for (int j = 0; j < 3; j++) {
            scene_step(&scene);
            theta[k][j] = scene.run->trajectory->theta[0];
            moment[k][j] = scene.run->trajectory->reaction[0][STICK_FRAME_ROTATION];
            assert_near(theta[k][j], theta[first][j], 1e-8 * fabs(theta[0][j]));
            assert_near(moment[k][j], moment[first][j], 1e-8 * fabs(moment[0][j]));
            assert_int_equal(count(&scene, STICK_STICKING), 0);
            assert_true(count(&scene, STICK_SLIPPING) > 10);
            assert_true(scene.run->certificate.certified);
        }
        scene_close(&scene);
    }
}

// ---- a tangential force at rest

// Widths of what presses and of what sticks, and how far the middles of both are apart along x.
typedef struct Widths {
    double all, sticks, shift;
} Widths;

static Widths measure(const Scene *scene)
{
    const StickTrajectory *trajectory = scene->run->trajectory;
    Widths found = {0};
    double x[2] = {0, 0};
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        if (!(trajectory->p[i] > 0))
            continue;
        found.all += pair->length;
        x[0] += pair->x[0] * pair->length;
        found.sticks += pair->sticks ? pair->length : 0;
        x[1] += pair->sticks ? pair->x[0] * pair->length : 0;
    }
    found.shift = found.sticks > 0 ? x[1] / found.sticks - x[0] / found.all : 0;
    return found;
}

// Cattaneo and Mindlin: pressed by P and pushed by Q < mu P, the middle of half width c = a sqrt(1 - Q / mu P) sticks.
static void the_middle_of_a_pushed_contact_sticks(void **state)
{
    static const double part[] = {0.36, 0.64};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        char push[32];
        double a = half_width(), c = a * sqrt(1 - part[k]);
        snprintf(push, sizeof push, "%g", part[k] * 0.3 * 690);
        scene_open(&scene, *state, wheels, "120, 24", "120, 24", "0", "x, y", push, "", "pi", "0.3",
                   "to: 1, positions: 1", "auto");
        scene_step(&scene);
        Widths found = measure(&scene);
        assert_near(found.all, 2 * a, 0.017);
        assert_near(found.sticks, 2 * c, 0.017);
        assert_near(found.shift, 0, 0.017);
        assert_near(scene.run->trajectory->reaction[0][STICK_FRAME_X], part[k] * 0.3 * 690, 1e-7 * 690);
        scene_close(&scene);
    }
}

// ---- rolling

// Wheels that roll on each other while a moment Q R drives the upper one, which friction alone holds.
static void open_rolling(Scene *scene, StickContext *ctx, const char *cells, double part, const char *step)
{
    char moment[64];
    snprintf(moment, sizeof moment, ", moment: %g", part * 0.3 * 6900);
    scene_open(scene, ctx, wheels, cells, cells, "t - 0.03", "y, rotation", "0", moment, "pi - t + 0.03",
               "0.3", step, "auto");
}

// Carter: what sticks has the half width c = a sqrt(1 - Q / mu P) and lies at the leading edge, and the driven wheel
// turns faster by mu a / R (1 - c / a), 1/R = 1/10 + 1/10.
static void rolling_wheels_creep(void **state)
{
    Scene scene;
    double a = half_width(), c = a * sqrt(1 - 0.64), before = 0, sticks = 0, shift = 0;
    int positions = 0;
    open_rolling(&scene, *state, "120, 24", 0.64, "to: 0.06, positions: 31");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        if (scene.run->state.now.t < 0.0299) // rolled in
            continue;
        if (positions == 0)
            before = scene.run->trajectory->theta[1];
        Widths found = measure(&scene);
        sticks += found.sticks;
        shift += found.shift;
        positions++;
        assert_true(scene.run->certificate.certified);
    }
    double rate = (scene.run->trajectory->theta[1] - before) / ((positions - 1) * 0.002);
    assert_near(rate, 0.3 * a / 5 * (1 - c / a), 0.03 * rate);
    assert_near(sticks / positions, 2 * c, 0.02);
    assert_near(shift / positions, c - a, 0.02);
    scene_close(&scene);
}

// More than friction can hold.
static void a_moment_that_friction_does_not_hold_is_named(void **state)
{
    Scene scene;
    open_rolling(&scene, *state, "50, 12", 1.5, "to: 0.01, positions: 2");
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "statically unstable"));
    assert_non_null(strstr(stick_last_error(*state), "rotation of upper"));
    scene_close(&scene);
}

// ---- the past

// A step goes on from the end of the step before; a position is found again from what came before it.
static void steps_go_on(void **state)
{
    Scene whole, parts;
    StickSimulation *next;
    open_rolling(&whole, *state, "50, 12", 0.5, "to: 0.012, positions: 7");
    open_rolling(&parts, *state, "50, 12", 0.5,
                 "to: 0.006, positions: 4}, solver: auto}, {trajectory: "
                 "{from: 0.008, to: 0.012, positions: 3");
    scene_steps(&whole, 7);
    scene_steps(&parts, 4);
    assert_ok(*state, stick_simulation_create(*state, parts.system, &parts.model->step[1], &next));
    assert_ok(*state, stick_simulation_start(next, parts.run));
    for (int k = 0; k < 3; k++)
        assert_ok(*state, stick_simulation_step(next));
    const StickTrajectory *one = whole.run->trajectory, *other = next->trajectory;
    for (int i = 0; i < one->set.npairs; i++)
        assert_near(one->p[i], other->p[i], 1e-9 * 690);
    assert_near(one->theta[1], other->theta[1], 1e-9 * fabs(one->theta[1]));
    double turned = one->theta[1];
    assert_ok(*state, stick_simulation_recall(whole.run, NULL));
    assert_near(one->theta[1], turned, 1e-12 * fabs(turned));
    stick_simulation_destroy(next);
    scene_close(&whole);
    scene_close(&parts);
}

// ---- memory

static char blocks[] =
    "stickslip: 1\n"
    "materials: {steel: {young: 200e3, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  lower: {mesh: {rectangle: {size: [1, 1], cells: [2, 1]}}, material: steel}\n"
    "  upper: {mesh: {rectangle: {size: [1, 1], cells: [2, 1]}}, material: steel}\n"
    "frames: {upper: {at: [0, 1], free: [x, y], force: [20*t, -100]}}\n"
    "supports: [{on: lower.bottom, displacement: [0, 0]}, {on: upper.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [lower.top, upper.bottom], max-distance: 0.1, friction: 0.3}]\n"
    "steps: [{trajectory: {to: 1, positions: 3}, solver: auto}]\n";

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(scene_three_steps, blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(what_slides_is_the_same),
        test_with_context(the_middle_of_a_pushed_contact_sticks),
        test_with_context(rolling_wheels_creep),
        test_with_context(a_moment_that_friction_does_not_hold_is_named),
        test_with_context(steps_go_on),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
