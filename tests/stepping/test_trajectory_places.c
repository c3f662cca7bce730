// SPDX-License-Identifier: Apache-2.0
// Bodies that leave their ideal motion by much: followers whose place is known in closed form.
#include "stepping/scene.h"

#include "stepping/trajectory.h"

// ---- a roller above a round cam

// A cam of radius 4 turns about a point 1 off its middle; the roller of radius 2 slides along y, and its ideal motion is
// to stand still, well above.
static const char roller[] =
    "materials: {steel: {young: 2e7, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  cam: {mesh: {disk: {radius: 4, core: [20, 20], rings: 2, centre: [1, 0]}}, material: steel,\n"
    "        flanks: {outer: {x: 1 + 4*cos(s), y: 4*sin(s), from: 0, to: 2*pi}}}\n"
    "  roller: {mesh: {patches: [{cells: [%d, 6], sides: {bottom: lower},\n"
    "    map: [(2 - 0.2*eta)*sin(1.2*xi - 0.6), -(2 - 0.2*eta)*cos(1.2*xi - 0.6)]}]}, material: steel,\n"
    "           flanks: {lower: {x: 2*sin(s), y: -2*cos(s), from: -0.6, to: 0.6}}}\n"
    "frames:\n"
    "  cam: {angle: t}\n"
    "  roller: {at: [1.5, \"%s\"], free: [y], force: [0, -10]}\n"
    "supports: [{on: cam.centre, displacement: [0, 0]}, {on: cam.rightmost, displacement: [free, 0]},\n"
    "           {on: roller.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [roller.lower, cam.outer], max-distance: %s}]\n"
    "steps: [{trajectory: {to: 6, positions: 7, pairs: %s}}]\n";

// Height of the roller's middle: it is 6 from the cam's, which is at (cos t, sin t).
static double height(double t)
{
    return sin(t) + sqrt(36 - (1.5 - cos(t)) * (1.5 - cos(t)));
}

static double worst_height(void **state, const char *pairs)
{
    Scene scene;
    double worst = 0;
    scene_open(&scene, *state, roller, 70, "7.2", "3", pairs);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        const StickTrajectory *trajectory = scene.run->trajectory;
        worst = fmax(worst, fabs(7.2 + trajectory->theta[0] - height(scene.run->state.now.t)));
        assert_near(trajectory->reaction[1][STICK_FRAME_Y], -10, 1e-7);
        // what is shown is there, too
        double q = scene.run->state.now.q[scene_dof(&scene, 1, "top", 1)];
        assert_near(q, 7.2 + trajectory->theta[0], 1e-6);
    }
    assert_true((scene.run->record.passes > 0) == (strcmp(pairs, "actual") == 0));
    scene_close(&scene);
    return worst;
}

static void a_roller_stays_on_its_cam(void **state)
{
    double ideal = worst_height(state, "ideal"), actual = worst_height(state, "actual");
    assert_true(ideal > 2e-2);
    assert_below(actual, 5e-5);
}

// ---- a lever on the same cam

// It turns about (-8, 4), and its ideal motion is to stand still at an angle.
static const char lever[] =
    "materials: {steel: {young: 2e7, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  cam: {mesh: {disk: {radius: 4, core: [20, 20], rings: 2, centre: [1, 0]}}, material: steel,\n"
    "        flanks: {outer: {x: 1 + 4*cos(s), y: 4*sin(s), from: 0, to: 2*pi}}}\n"
    "  lever: {mesh: {rectangle: {size: [12, 0.5], cells: [%d, 5]}}, material: steel}\n"
    "frames:\n"
    "  cam: {angle: t}\n"
    "  lever: {at: [-8, 4], angle: %s, free: [rotation], moment: -80}\n"
    "supports: [{on: cam.centre, displacement: [0, 0]}, {on: cam.rightmost, displacement: [free, 0]},\n"
    "           {on: lever.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [lever.bottom, cam.outer], max-distance: %s}]\n"
    "steps: [{trajectory: {to: 6, positions: 7, pairs: %s}}]\n";

// The line through the pivot is 4 from the cam's middle.
static double slope(double t)
{
    double x = cos(t) + 8, y = sin(t) - 4;
    return atan2(y, x) + asin(4 / hypot(x, y));
}

static double worst_slope(void **state, int cells, double ideal, const char *pairs)
{
    Scene scene;
    double worst = 0;
    char angle[32];
    snprintf(angle, sizeof angle, "%g", ideal);
    scene_open(&scene, *state, lever, cells, angle, cells > 100 ? "5" : "15", pairs);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        const StickTrajectory *trajectory = scene.run->trajectory;
        double t = scene.run->state.now.t, axes[2];
        worst = fmax(worst, fabs(ideal + trajectory->theta[0] - slope(t)));
        assert_near(trajectory->reaction[1][STICK_FRAME_ROTATION], -80, 1e-6);
        stick_simulation_axes(scene.run, 1, axes);
        if (strcmp(pairs, "actual") == 0)
            assert_near(atan2(axes[1], axes[0]), ideal + trajectory->theta[0], 1e-7);
    }
    scene_close(&scene);
    return worst;
}

static void a_lever_lies_on_its_cam(void **state)
{
    double ideal = worst_slope(state, 110, 0.3, "ideal"), actual = worst_slope(state, 110, 0.3, "actual");
    assert_true(ideal > 1e-2);
    assert_below(actual, 5e-5);
}

// However far away, it turns there step by step, not round and round.
static void a_lever_comes_from_afar(void **state)
{
    assert_below(worst_slope(state, 60, 1.2, "actual"), 2e-3);
}

// What is too far away is not looked for without end.
static void what_does_not_settle_is_told(void **state)
{
    Scene scene;
    scene_open(&scene, *state, roller, 20, "100", "200", "actual");
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "frames do not settle"));
    assert_non_null(strstr(stick_last_error(*state), "give frames an ideal motion that is nearer"));
    scene_close(&scene);
}

// Nothing is near enough.
static void what_has_no_pairs_is_told(void **state)
{
    Scene scene;
    scene_open(&scene, *state, roller, 20, "100", "2", "actual");
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    assert_non_null(
        strstr(stick_last_error(*state), "no candidate pairs that could hold the motion along y"));
    assert_non_null(strstr(stick_last_error(*state), "an ideal motion that brings surfaces nearer"));
    scene_close(&scene);
}

// ---- small motions

// By how much pairs at actual places change theta, where the ideal motion is off by this much.
static double change(void **state, double off)
{
    double theta[2];
    for (int k = 0; k < 2; k++) {
        Scene scene;
        char ideal[128];
        snprintf(ideal, sizeof ideal, "sin(t) + sqrt(36 - (1.5 - cos(t))^2) + %g", off);
        scene_open(&scene, *state, roller, 70, ideal, "3", k ? "actual" : "ideal");
        scene_steps(&scene, 4);
        theta[k] = scene.run->trajectory->theta[0];
        scene_close(&scene);
    }
    return fabs(theta[1] - theta[0]);
}

static void small_motions_change_by_their_square_only(void **state)
{
    double large = change(state, 0.5), small = change(state, 0.05);
    assert_true(large > 1e-3);
    assert_below(small, large / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_roller_stays_on_its_cam),
        test_with_context(a_lever_lies_on_its_cam),
        test_with_context(a_lever_comes_from_afar),
        test_with_context(what_does_not_settle_is_told),
        test_with_context(what_has_no_pairs_is_told),
        test_with_context(small_motions_change_by_their_square_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
