// SPDX-License-Identifier: Apache-2.0
// What equilibrium and geometry say of a pair of gears at every position, whatever its mesh; methods; pressure; noise.
#include "brief.h"
#include "stepping/gear_pair.h"

// Sectors of five teeth, of which those are fine that touch.
static const GearCase smooth = {.nodes = 65, .young = 30e6, .torque = 1000, .teeth = 5, .fine = 3};
static const GearCase rubbed = {.nodes = 65, .young = 30e6, .mu = 0.3, .torque = 1000, .teeth = 5, .fine = 3};
static const GearCase light = {.nodes = 65, .young = 30e6, .mu = 0.3, .torque = 100, .teeth = 5, .fine = 3};
static const GearCase rigid = {.nodes = 65, .young = 30e9, .torque = 1000, .teeth = 5, .fine = 3};
static const GearCase rigid_rubbed = {
    .nodes = 65, .young = 30e9, .mu = 0.3, .torque = 1000, .teeth = 5, .fine = 3};

// One pair of teeth at s: sum p by M0/rb, and Mi/M0.
static double one_load(double s)
{
    double sign = (s > 0) - (s < 0);
    return 1 / (1 + sign * 0.3 * (reach - s) / base_radius);
}

static double one_ratio(double s)
{
    double sign = (s > 0) - (s < 0);
    return (base_radius + sign * 0.3 * (reach + s)) / (base_radius + sign * 0.3 * (reach - s));
}

// ---- balance

// Mi and M0 are sums of p (rb + mu rho), mu < 0 in approach, over the pairs with their rolled lengths rho alone.
static void check_arms(const Scene *scene, int j, void *user)
{
    const StickTrajectory *trajectory = scene->run->trajectory;
    double sum[2] = {0, 0}, torque = *(const double *)user;
    (void)j;
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        for (int side = 0; side < 2; side++)
            sum[side] += trajectory->p[i] * (base_radius - pair->mu * pair->sense * pair->side[side].s);
    }
    assert_near(sum[0], torque, 1e-9 * torque);
    assert_near(stick_trajectory_input(scene->run, 0), sum[1], 1e-9 * torque);
}

static void torques_are_loads_by_base_radii_and_rolled_lengths(void **state)
{
    Cycle cycle;
    double torque = 1000;
    if (test_is_brief())
        skip(); // a cycle as that of methods_agree_at_every_position
    roll(*state, &smooth, check_arms, &torque, &cycle);
    for (int j = 0; j < POSITIONS; j++) {
        assert_near(cycle.load[j], 1064.177772475912, 1e-9 * 1064);
        assert_near(cycle.input[j], 1000, 1e-9 * 1000);
    }
    roll(*state, &rubbed, check_arms, &torque, &cycle);
    for (int j = 0; j < POSITIONS; j++)
        if (!cycle.both[j] && abs(j - PITCH) > 2) {
            // sectors yield more than whole gears, for which these are 3e-4 (test_gear_reference.c)
            assert_near(cycle.load[j], 1064.177772475912 * one_load(place_of(j)), 5e-4 * 1064);
            assert_near(cycle.input[j], 1000 * one_ratio(place_of(j)), 5e-4 * 1000);
        }
    assert_near(cycle.input[PITCH], 1000, 1e-9 * 1000);
    // friction pushes against what turns, on both sides of the pitch point
    assert_true(cycle.input[PITCH - 1] > 1000 && cycle.input[PITCH + 1] > 1000);
    // each tooth takes over and hands on
    assert_true(cycle.share[0][1] > 0 && cycle.share[0][2] > 0 && cycle.share[49][0] > 0);
}

// Stiff gears do what kinematics say: two pairs of teeth at 11 positions, and at the pitch point the load jumps.
static void stiff_gears_touch_as_kinematics_say(void **state)
{
    Cycle cycle;
    if (test_is_brief())
        skip(); // other numbers of the same
    roll(*state, &rigid, NULL, NULL, &cycle);
    assert_int_equal(cycle.doubles, 11);
    roll(*state, &rigid_rubbed, NULL, NULL, &cycle);
    assert_int_equal(cycle.doubles, 11);
    for (int j = 0; j < POSITIONS; j++)
        if (!cycle.both[j]) {
            assert_near(cycle.load[j], 1064.177772475912 * one_load(place_of(j)), 3e-4 * 1064);
            assert_near(cycle.input[j], 1000 * one_ratio(place_of(j)), 3e-4 * 1000);
        }
    assert_near(cycle.input[PITCH], 1000, 1e-9 * 1000);
    // 1.122575 and 0.901558 times M0/rb at the pitch point itself
    assert_near(cycle.load[PITCH - 1] / cycle.load[PITCH + 1], 1.122575 / 0.901558, 1e-3);
    assert_true(cycle.error[PITCH - 1] < cycle.error[PITCH] && cycle.error[PITCH] < cycle.error[PITCH + 1]);
}

// ---- methods

typedef struct Methods {
    StickMlcpSolver *lemke, *connect, *simplex;
    double worst;   // difference of Lemke's method and Technique 2
    int deadlocked; // positions at which Technique 1 ends without a solution
    int pairs;
} Methods;

static double differ(const StickMixedLcp *mates, const double *p, const double *q, const double *theta,
                     const double *phi)
{
    double worst = fabs(theta[0] - phi[0]) / fabs(theta[0]), sum = 0;
    for (int i = 0; i < mates->m; i++)
        sum += p[i];
    for (int i = 0; i < mates->m; i++)
        worst = fmax(worst, fabs(p[i] - q[i]) / sum);
    return worst;
}

static void solve_otherwise(const Scene *scene, int j, void *user)
{
    enum { MOST = 4096 };
    static double p[2][MOST], d[MOST], theta[2][1];
    const StickTrajectory *trajectory = scene->run->trajectory;
    Methods *methods = user;
    StickMlcpSolver *solver[] = {methods->lemke, methods->connect, methods->simplex};
    StickMlcpInfo info;
    StickMixedLcp mates = {.m = trajectory->set.npairs,
                           .l = 1,
                           .A = trajectory->A,
                           .B = trajectory->B,
                           .C = trajectory->C,
                           .eps = trajectory->eps,
                           .lambda = trajectory->lambda};
    (void)j;
    assert_true(mates.m <= MOST);
    for (int k = 0; k < 3; k++) {
        int to = k > 1 ? 1 : k;
        StickMlcpSolution solution = {.p = p[to], .d = d, .theta = theta[to]};
        assert_ok(scene->ctx, stick_mlcp_solve(solver[k], &mates, NULL, &solution, &info));
        if (k < 2)
            assert_int_equal(info.solve.end, STICK_SOLVE_CONVERGED);
        else if (info.solve.end != STICK_SOLVE_CONVERGED) {
            methods->deadlocked++;
            continue;
        }
        methods->worst = fmax(methods->worst, differ(&mates, p[0], p[to], theta[0], theta[to]));
        methods->worst =
            fmax(methods->worst, differ(&mates, trajectory->p, p[to], trajectory->theta, theta[to]));
    }
    methods->pairs += mates.m;
}

// Without a start, each position for itself; and as the run had it, from the position before.
static void methods_agree_at_every_position(void **state)
{
    const GearCase *cases[] = {&smooth, &rubbed, &light};
    for (int k = test_size(0, 2); k < 3; k++) {
        Cycle cycle;
        Methods methods = {0};
        StickMlcpSolver **solver[] = {&methods.lemke, &methods.connect, &methods.simplex};
        StickMlcpMethod method[] = {STICK_MLCP_LEMKE, STICK_MLCP_CONNECT, STICK_MLCP_CONRY_SEIREG};
        for (int i = 0; i < 3; i++) {
            StickMlcpOptions options = stick_mlcp_options_default();
            options.method = method[i];
            assert_ok(*state, stick_mlcp_create(*state, &options, solver[i]));
        }
        roll(*state, cases[k], solve_otherwise, &methods, &cycle);
        print_message(
            "%g lb in, friction %g: %d pairs a position, methods differ by %.1e, Technique 1 ends without "
            "a solution at %d positions\n",
            cases[k]->torque, cases[k]->mu, methods.pairs / POSITIONS, methods.worst, methods.deadlocked);
        assert_below(methods.worst, 1e-10);
        for (int i = 0; i < 3; i++)
            stick_mlcp_destroy(*solver[i]);
    }
}

// ---- pressure and stiffness

// Steel under 1000 lb in, fine teeth where they touch near the pitch point alone; `of` has the rest.
static void open_around_pitch_point(Scene *scene, StickContext *ctx, GearCase of)
{
    of.young = 30e6;
    of.torque = 1000;
    of.fine = 1;
    gear_open(scene, ctx, &of);
}

// The position there.
static void step_to_pitch_point(Scene *scene, StickContext *ctx, GearCase of)
{
    of.from = 0.5;
    of.to = 0.6;
    of.positions = 1;
    open_around_pitch_point(scene, ctx, of);
    scene_step(scene);
}

// p0 = sqrt(F E' / (pi R)) for a width of 1, of two cylinders with the radii of the involutes at the pitch point.
static void pressure_at_the_pitch_point_is_that_of_hertz(void **state)
{
    Scene scene;
    step_to_pitch_point(&scene, *state, (GearCase){.nodes = 257, .teeth = 3});
    double E = 30e6 / (2 * (1 - 0.09)), p0 = sqrt(1064.177772475912 * E / (M_PI * reach / 2));
    assert_near(stick_trajectory_touch(scene.run, 1, "tooth-0-left").pressure, p0, 0.02 * p0);
    scene_close(&scene);
}

// Standard rack, one pair of teeth at the pitch point, by face width: ISO 6336-1 has 14.73 N/(mm um) for solid gears of
// steel of 206 GPa.
static void stiffness_is_near_that_of_the_standard(void **state)
{
    Scene scene;
    step_to_pitch_point(&scene, *state, (GearCase){.nodes = 129, .addendum = 1});
    double stiffness = 1064.177772475912 / (stick_trajectory_error(scene.run, 0) * base_radius);
    double standard = 14.73e3 * 30e6 / 206e3; // of this steel, in lb/in^2
    print_message("stiffness by that of ISO 6336: %.3f\n", stiffness / standard);
    assert_true(stiffness > 0.7 * standard && stiffness < 1.5 * standard);
    scene_close(&scene);
}

// ---- noise

enum { QUIET = 31, POWERS = 5 };

// Least squares by a polynomial of degree POWERS - 1 in -1 .. 1; root of the mean square of what it leaves.
static double noise_of(const double y[QUIET])
{
    double A[POWERS][POWERS] = {{0}}, b[POWERS] = {0}, sum = 0;
    for (int k = 0; k < QUIET; k++)
        for (int r = 0; r < POWERS; r++) {
            double x = 2.0 * k / (QUIET - 1) - 1;
            b[r] += pow(x, r) * y[k];
            for (int c = 0; c < POWERS; c++)
                A[r][c] += pow(x, r + c);
        }
    for (int i = 0; i < POWERS; i++)
        for (int r = 0; r < POWERS; r++) {
            double f = r == i ? 0 : A[r][i] / A[i][i];
            for (int c = i; c < POWERS; c++)
                A[r][c] -= f * A[i][c];
            b[r] -= f * b[i];
        }
    for (int k = 0; k < QUIET; k++) {
        double left = y[k];
        for (int r = 0; r < POWERS; r++)
            left -= b[r] / A[r][r] * pow(2.0 * k / (QUIET - 1) - 1, r);
        sum += left * left;
    }
    return sqrt(sum / QUIET);
}

static double noise_with(StickContext *ctx, const char *flanks)
{
    GearCase of = {.nodes = 257, .teeth = 3, .flanks = flanks, .from = 0.2, .to = 0.8, .positions = QUIET};
    double error[QUIET];
    Scene scene;
    open_around_pitch_point(&scene, ctx, of);
    for (int k = 0; k < QUIET; k++) {
        scene_step(&scene);
        error[k] = 1e6 * stick_trajectory_error(scene.run, 0);
    }
    scene_close(&scene);
    return noise_of(error);
}

// Where one pair of teeth touches, the error is smooth; straight lines between nodes are not.
static void exact_flanks_have_no_noise(void **state)
{
    double exact = noise_with(*state, "exact"), straight = noise_with(*state, "straight");
    print_message("noise of the transmission error: %.4f micro-inch, straight flanks %.4f: %.0f times\n",
                  exact, straight, straight / exact);
    assert_below(20 * exact, straight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(torques_are_loads_by_base_radii_and_rolled_lengths),
        test_with_context(stiff_gears_touch_as_kinematics_say),
        test_with_context(methods_agree_at_every_position),
        test_with_context(pressure_at_the_pitch_point_is_that_of_hertz),
        test_with_context(stiffness_is_near_that_of_the_standard),
        test_with_context(exact_flanks_have_no_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
