// SPDX-License-Identifier: Apache-2.0
// One mass on a spring that rubs: static and sliding friction, the belt, Coulomb's oscillator, in closed form.
#include "stepping/scene.h"

static const double PI = 3.14159265358979323846;

// The lower left node of two triangles: mass 1, stiffness k along and across without coupling. The rest is held.
static void open_mass(Scene *scene, StickContext *ctx, double k, const char *start, double belt, double N,
                      const char *friction, const char *step)
{
    scene_open(scene, ctx,
               "materials: {spring: {young: %.17g, density: 3.0e-4}}\n"
               "bodies: {mass: {mesh: {rectangle: {size: [100, 100], cells: [1, 1], pattern: triangles}},\n"
               "                plane: stress, material: spring, mass: lumped, %s}}\n"
               "obstacles: {belt: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [%.17g, 0]}}\n"
               "supports: [{on: mass.top, displacement: [0, 0]}, {on: mass.right, displacement: [0, 0]}]\n"
               "loads: [{on: mass.bottom-left, force: [0, %.17g]}]\n"
               "contacts: [{between: [mass.bottom-left, belt], friction: \"%s\"}]\n"
               "steps: [{%s}]\n",
               4 * k / 3, start, belt, -N, friction, step);
}

static double place(const Scene *scene)
{
    return scene->run->state.now.q[scene_dof(scene, 0, "bottom-left", 0)];
}

static StickContactStatus status(const Scene *scene)
{
    assert_int_equal(scene->run->contacts.ncontacts, 1);
    return stick_simulation_status(scene->run, 0);
}

// ---- a belt: sticks up to F_s = 1, slides under F_d = 0.6; m = k = 1, speed 0.5

enum { CYCLES = 2 };
static const double speed = 0.5;

typedef struct Turns {
    double period, most, least; // means of the cycles
} Turns;

// In each stick phase t - x / speed is constant, and it is later by a period in the next.
static Turns measure_turns(StickContext *ctx, const char *scheme, double h)
{
    Scene scene;
    char step[128];
    double first = NAN, phase = NAN, most = 0, least = 0;
    int sticks = -1;
    Turns turns = {0};
    StickContactStatus before = STICK_STICKING;
    snprintf(step, sizeof step, "dynamics: {%s, step: %.17g, end: 100}", scheme, h);
    open_mass(&scene, ctx, 1, "velocity: [\"x == 0 and y == 0 and 0.5 or 0\", 0]", speed, 2,
              "v > 0 and 0.3 or 0.5", step);
    while (sticks < CYCLES) {
        scene_step(&scene);
        StickContactStatus now = status(&scene);
        double x = place(&scene);
        most = fmax(most, x);
        least = fmin(least, x);
        if (before == STICK_SLIPPING && now == STICK_STICKING && ++sticks > 0) {
            turns.most += most / CYCLES;
            turns.least += least / CYCLES;
        }
        if (before == STICK_SLIPPING && now == STICK_STICKING) {
            phase = scene.run->state.now.t - x / speed;
            first = sticks == 0 ? phase : first;
            most = least = x;
        }
        before = now;
    }
    turns.period = (phase - first) / CYCLES;
    assert_below(scene.run->record.worst_exact, 1e-8);
    scene_close(&scene);
    return turns;
}

// Where in a time step slip begins and ends depends on h as a saw tooth does: the worst of some h nearby, never more
// than two steps.
static void measure_errors(StickContext *ctx, const char *scheme, double h, double error[3])
{
    enum { NEAR = 12 };
    double amplitude = sqrt(0.4 * 0.4 + 0.5 * 0.5), period = 2 * (PI - atan(0.8)) + 1.6;
    assert_near(amplitude, 0.64031242, 5e-9);
    assert_near(period, 6.53370342, 5e-9);
    memset(error, 0, 3 * sizeof *error);
    for (int j = 0; j < NEAR; j++) {
        Turns turns = measure_turns(ctx, scheme, h * (1 + 0.0183 * j));
        double own[3] = {turns.period - period, turns.most - 0.6 - amplitude, turns.least - 0.6 + amplitude};
        for (int k = 0; k < 3; k++) {
            assert_below(fabs(own[k]), 2 * h);
            error[k] = fmax(error[k], fabs(own[k]));
        }
    }
}

static void belt_is_met_to_first_order(void **state)
{
    enum { FINER = 4 };
    double error[FINER][3], other[3];
    for (int i = 0; i < FINER; i++) {
        double h = 0.04 / (1 << i);
        measure_errors(*state, "scheme: theta, theta: 0.5", h, error[i]);
        print_message("h = %.4f: errors over h of period %.3f, most %.3f, least %.3f\n", h, error[i][0] / h,
                      error[i][1] / h, error[i][2] / h);
    }
    for (int k = 0; k < 3; k++)
        assert_near(log2(error[0][k] / error[FINER - 1][k]) / (FINER - 1), 1, 0.1);
    measure_errors(*state, "scheme: theta-euler, theta: 0.55", 0.01, other);
    measure_errors(*state, "scheme: modified-theta, theta: 0.55", 0.01, other);
}

// ---- Coulomb's oscillator: every half period takes 2 F/k; m = 1, k = 100, F = 1

static void oscillator_comes_to_rest(void **state)
{
    const double turning[] = {0.105, -0.085, 0.065, -0.045, 0.025, -0.005};
    Scene scene;
    int seen = 1;
    double before = 0.105, h = PI / 10 / 400;
    char step[128];
    snprintf(step, sizeof step, "dynamics: {scheme: theta, theta: 0.5, step: %.17g, end: 2}", h);
    open_mass(&scene, *state, 100, "displacement: [\"x == 0 and y == 0 and 0.105 or 0\", 0]", 0, 2, "0.5",
              step);
    assert_near(place(&scene), turning[0], 1e-15);
    for (int i = 1; !stick_simulation_is_done(scene.run); i++) {
        scene_step(&scene);
        double x = place(&scene), way = seen % 2 ? before - x : x - before;
        // it turns every pi/10, where it is at rest for a step or goes back
        if (seen < 6 && way <= 0) {
            assert_near(before, turning[seen], 2e-5);
            assert_near(i * h, seen * PI / 10, 3 * h);
            seen++;
        }
        before = x;
    }
    assert_int_equal(seen, 6);
    assert_int_equal(status(&scene), STICK_STICKING);
    assert_near(place(&scene), -0.005, 2e-5);
    assert_near(scene.run->r[1] * stick_simulation_force(scene.run), 100 * place(&scene), 1e-9);
    scene_close(&scene);
}

// ---- without inertia friction has a peak when slip begins, and goes on as that of sliding

static void slow_pull_has_a_peak(void **state)
{
    Scene scene;
    open_mass(&scene, *state, 1, "velocity: [0, 0]", speed, 2, "v > 0 and 0.3 or 0.5",
              "quasistatic: {end: 4, increments: 27}");
    for (int i = 1; i <= 27; i++) {
        scene_step(&scene);
        assert_near(scene.run->r[1], i <= 13 ? speed * 4 * i / 27 : i == 14 ? 1 : 0.6, 1e-12);
    }
    scene_close(&scene);
}

// ---- static friction of many contacts: tan 20 degrees is between sliding and static friction

static void open_slope(Scene *scene, StickContext *ctx, double v0, const char *solver)
{
    double alpha = PI / 9;
    scene_open(scene, ctx,
               "materials: {stiff: {young: 1e8, poisson: 0.3, density: 1000}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [0.6, 0.1], cells: [6, 1]}}, material: stiff,\n"
               "                 velocity: [%.17g, 0]}}\n"
               "obstacles: {slope: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "gravity: [%.17g, %.17g]\n"
               "contacts: [{between: [block.bottom, slope], friction: \"v > 0 and 0.3 or 0.5\"}]\n"
               "steps: [{dynamics: {scheme: theta-euler, theta: 0.6, step: 1e-3, end: 1}, solver: %s}]\n",
               v0, 10 * sin(alpha), -10 * cos(alpha), solver);
}

static void block_at_rest_stays_and_a_moving_one_goes_on(void **state)
{
    const char *solvers[] = {"auto", "gauss-seidel", "lemke", "newton", "admm", "interior-point"};
    double alpha = PI / 9;
    for (int k = 0; k < 6; k++) {
        for (int moves = 0; moves < 2; moves++) {
            Scene scene;
            open_slope(&scene, *state, 0.1 * moves, solvers[k]);
            scene_step(&scene);
            assert_near(scene.run->mu[0], moves ? 0.3 : 0.5, 1e-15);
            scene_steps(&scene, 299);
            double v = scene_mean(&scene, 0, 0, scene.run->state.now.v);
            double gained = 10 * (sin(alpha) - 0.3 * cos(alpha)) * 0.3;
            assert_near(v, moves ? 0.1 + gained : 0, 2e-4);
            for (int c = 0; c < scene.run->contacts.ncontacts; c++)
                assert_near(scene.run->mu[c], moves ? 0.3 : 0.5, 1e-15);
            scene_close(&scene);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(belt_is_met_to_first_order),
        test_with_context(oscillator_comes_to_rest),
        test_with_context(slow_pull_has_a_peak),
        test_with_context(block_at_rest_stays_and_a_moving_one_goes_on),
    };
    return cmocka_run_group_tests_name("stick_slip", tests, NULL, NULL);
}
