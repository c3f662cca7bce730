// SPDX-License-Identifier: Apache-2.0
// One or two degrees of freedom with friction, in closed form: onset of multiple solutions, onset of growing motions.
#include "stepping/scene.h"

#include "base/random.h"
#include "solve/friction_lcp.h"
#include "stability/sliding_state.h"
#include "stability/tiny.h"

// ---- thresholds by bisection over the friction coefficient

typedef StickStatus Open(Tiny *tiny, StickContext *ctx, double mu, double parameter);

static bool grows(StickContext *ctx, Open *open, double mu, double parameter)
{
    Tiny tiny;
    assert_ok(ctx, open(&tiny, ctx, mu, parameter));
    StickStability found = tiny_judge(&tiny);
    bool unstable = found.verdict == STICK_VERDICT_FLUTTER || found.verdict == STICK_VERDICT_DIVERGENCE;
    stick_stability_destroy(ctx, &found);
    tiny_close(&tiny);
    return unstable;
}

static double threshold(StickContext *ctx, Open *open, double stable, double unstable, double parameter)
{
    assert_false(grows(ctx, open, stable, parameter));
    assert_true(grows(ctx, open, unstable, parameter));
    while (unstable - stable > 1e-10) {
        double mu = (stable + unstable) / 2;
        *(grows(ctx, open, mu, parameter) ? &unstable : &stable) = mu;
    }
    return unstable;
}

// K* = k_tt - mu k_tn
static StickStatus open_node(Tiny *tiny, StickContext *ctx, double mu, double k_tn)
{
    const double K[4] = {2, k_tn, k_tn, 2};
    STICK_TRY(tiny_open(tiny, ctx, 2, K, NULL));
    return tiny_contact(tiny, 0, mu, -1);
}

// At an angle phi to the plane, pushed against its lean.
static StickStatus open_strut(Tiny *tiny, StickContext *ctx, double mu, double phi)
{
    double c = cos(phi), s = sin(phi);
    const double K[4] = {c * c, c * s, c * s, s * s};
    STICK_TRY(tiny_open(tiny, ctx, 2, K, NULL));
    return tiny_contact(tiny, 0, mu, -1);
}

// K* = [[k11, k12 - mu k3], [k12, 2]]
static StickStatus open_coupling(Tiny *tiny, StickContext *ctx, double mu, double k11)
{
    const double k3 = 4.0 / 3, K[16] = {k11, 0, 1, 0, 0, 50, k3, 0, 1, k3, 2, 0, 0, 0, 0, 1};
    STICK_TRY(tiny_open(tiny, ctx, 4, K, NULL));
    tiny->prescribed[3] = true;
    return tiny_contact(tiny, 0, mu, -1);
}

// A force of 4 on a falling friction law, against a dashpot: share is the power of friction over that of the dashpot.
static StickStatus open_falling(Tiny *tiny, StickContext *ctx, double share, double slope)
{
    const double K[4] = {9, 0, 0, 100}, C[4] = {-4 * slope / share, 0, 0, 1};
    STICK_TRY(tiny_open(tiny, ctx, 2, K, NULL));
    STICK_TRY(tiny_matrix(ctx, 2, C, &tiny->C));
    tiny->sliding.C = &tiny->C;
    STICK_TRY(tiny_contact(tiny, 0, 0.5, 1));
    tiny->motion[0].r[0] = 4;
    tiny->motion[0].r[1] = -2;
    tiny->motion[0].slope = slope;
    return STICK_OK;
}

static void thresholds_are_exact(void **state)
{
    for (int k = 1; k <= 4; k++)
        assert_near(threshold(*state, open_node, 0, 9, 0.5 * k), 4.0 / k, 1e-8);
    for (double phi = 0.3; phi < 1.5; phi += 0.2)
        assert_near(threshold(*state, open_strut, 0, 9, phi), 1 / tan(phi), 1e-8);
    // mu_c = (k12 + (k11 - k22)^2/4 k12)/k3
    for (int k = 0; k <= 4; k++)
        assert_near(threshold(*state, open_coupling, 0, 3, 2 + 0.25 * k), 0.75 * (1 + k * k / 64.0), 1e-8);
    // damping equals what falling friction gives; beyond, a mode grows by more than 1e-8 of its frequency
    for (int k = 1; k <= 3; k++)
        assert_near(threshold(*state, open_falling, 0.5, 2, -0.1 * k), 1, 1e-6);
}

// ---- one elastic node [Klarbring]: K = [[2, -1], [-1, 2]] for a corner of a triangle; x is the reference's -x

static void open_corner(Scene *scene, StickContext *ctx, double mu, double f_T, double f_N, double plate)
{
    scene_open(scene, ctx,
               "materials: {soft: {young: 8/3, poisson: 1/3, density: 6}}\n"
               "bodies: {node: {mesh: {rectangle: {size: [1, 1], cells: [1, 1], pattern: triangles}},\n"
               "                plane: stress, material: soft, mass: lumped}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [%.17g, 0]}}\n"
               "supports: [{on: node.top, displacement: [0, 0]}, {on: node.left, displacement: [0, 0]}]\n"
               "loads: [{on: node.bottom-right, force: [%.17g, %.17g]}]\n"
               "contacts: [{between: [node.bottom-right, plate], friction: %.17g}]\n"
               "steps:\n"
               "  - {name: load, quasistatic: {end: 100, increments: 20}}\n"
               "  - {name: judge, stability: {at: end}}\n",
               plate, f_T, f_N, mu);
}

enum { ROOM = 8 };

// All r of a problem of one contact in the plane, by enumeration of its complementarity problem.
static int enumerate(StickContext *ctx, const StickFrictionProblem *problem, double r[ROOM][2])
{
    StickFrictionLcp *lcp;
    StickSparseLcp built;
    StickSolveInfo info;
    double M[9] = {0}, z[3 * ROOM];
    StickLcpSolutions solutions = {ROOM, z, 0};
    assert_ok(ctx, stick_friction_lcp_create(ctx, 4, &lcp));
    assert_ok(ctx, stick_friction_lcp_build(lcp, problem, STICK_LCP_FACETS, &built));
    assert_int_equal(built.M->cols, 3);
    for (int j = 0; j < 3; j++)
        for (int e = built.M->start[j]; e < built.M->start[j + 1]; e++)
            M[3 * j + built.M->row[e]] = built.M->value[e];
    assert_ok(ctx, stick_lcp_enumerate(ctx, &(StickLcp){3, M, built.q}, &solutions, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    for (int k = 0; k < solutions.count; k++) {
        StickCertificate certificate;
        stick_friction_lcp_recover(lcp, z + 3 * k, r[k]);
        assert_ok(ctx, stick_certify(ctx, problem, r[k], 0, 1e-12, &certificate));
        assert_true(certificate.certified);
    }
    stick_friction_lcp_destroy(lcp);
    return solutions.count;
}

static int find_status(const StickFrictionProblem *problem, double r[ROOM][2], int count,
                       StickContactStatus status)
{
    int found = -1;
    for (int k = 0; k < count; k++) {
        if (stick_simulation_status_of(2, r[k], problem->mu[0]) != status)
            continue;
        assert_int_equal(found, -1);
        found = k;
    }
    assert_true(found >= 0);
    return found;
}

static void assert_solution(const StickFrictionProblem *problem, const double *r, const double expected[4])
{
    double u[2];
    stick_friction_apply(problem, r, u);
    for (int k = 0; k < 2; k++) {
        assert_near(r[k], expected[k], 6e-7);
        assert_near(u[k] + problem->u_free[k], expected[2 + k], 6e-7);
    }
}

// The increment's own contact problem has all three, the driver gives one of them.
static void three_solutions_of_one_increment(void **state)
{
    // r_N, r_T, u_N, u_T of the printed solutions, by status
    const double printed[3][4] = {
        {0, 0, 0.059324, 0.493254}, {0.374607, -0.927184, 0, 0}, {0.355941, -0.889853, 0, 0.018665}};
    Scene scene;
    double r[ROOM][2], nearest = INFINITY, angle = acos(-1) * 22 / 180;
    open_corner(&scene, *state, 2.5, cos(angle), -sin(angle), 0);
    scene_step(&scene);
    StickFrictionProblem problem = stick_simulation_problem(scene.run);
    assert_int_equal(enumerate(*state, &problem, r), 3);
    for (int status = STICK_APART; status <= STICK_SLIPPING; status++) {
        int k = find_status(&problem, r, 3, (StickContactStatus)status);
        assert_solution(&problem, r[k], printed[status]);
        nearest = fmin(nearest, hypot(scene.run->r[0] - r[k][0], scene.run->r[1] - r[k][1]));
    }
    assert_below(nearest, 1e-8);
    scene_close(&scene);
}

// Below mu = 2 every load has one solution; above, there are loads with three.
static void solutions_are_one_below_the_bound(void **state)
{
    StickRandom random = stick_random_seed(7);
    const double W[2][2] = {{2.0 / 3, 1.0 / 3}, {1.0 / 3, 2.0 / 3}};
    Scene scene;
    double r[ROOM][2], mu, u_free[2];
    open_corner(&scene, *state, 1.9, 1, -1, 0);
    scene_step(&scene);
    StickFrictionProblem problem = stick_simulation_problem(scene.run);
    problem.mu = &mu;
    problem.u_free = u_free;
    int several[3] = {0};
    for (int k = 0; k < 3; k++) {
        mu = (const double[]){1.9, 1.999, 2.5}[k];
        for (int i = 0; i < 2000; i++) {
            double angle = stick_random_uniform(&random, 0, 2 * acos(-1)), f_N = sin(angle), f_T = cos(angle);
            u_free[0] = W[0][0] * f_N + W[0][1] * f_T;
            u_free[1] = W[1][0] * f_N + W[1][1] * f_T;
            int count = enumerate(*state, &problem, r);
            assert_true(count == 1 || count == 3);
            several[k] += count == 3;
        }
    }
    assert_int_equal(several[0], 0);
    assert_int_equal(several[1], 0);
    // f_T between k_tt/k_tn and mu times f_N: atan(1/2) - atan(1/2.5) of all directions, on one side
    assert_near(several[2] / 2000.0, (atan(0.5) - atan(0.4)) / (2 * acos(-1)), 0.006);
    scene_close(&scene);
}

// ---- steady sliding through a run of a model

typedef struct Judged {
    StickVerdict verdict;
    double smallest, growth, frequency; // of K_S* and of the first mode
} Judged;

static Judged judge_record(const Scene *scene, const StickPathRecord *record)
{
    StickContext *ctx = scene->ctx;
    StickGlobalMatrices whole;
    StickSlidingState sliding;
    StickStabilityOptions options = stick_stability_default();
    StickStability found;
    assert_ok(ctx, stick_global_matrices_create(ctx, scene->system, STICK_MASS_MODEL, &whole));
    StickSlidingSource source = {scene->run, record, &whole, false};
    assert_ok(ctx, stick_sliding_state_create(ctx, &source, 0, &sliding));
    assert_int_equal(sliding.motion[0].status, STICK_SLIPPING);
    assert_ok(ctx, stick_stability_create(ctx, &sliding.sliding, &options, &found));
    Judged judged = {found.verdict, found.smallest, found.spectrum.mode[0].growth,
                     found.spectrum.mode[0].frequency};
    stick_stability_destroy(ctx, &found);
    stick_sliding_state_destroy(ctx, &sliding);
    stick_global_matrices_destroy(ctx, &whole);
    return judged;
}

// The state at the end of the first step, by the second one.
static Judged judge_end(const Scene *scene)
{
    StickPathRecord *record;
    assert_ok(scene->ctx,
              stick_path_record_create(scene->ctx, scene->system, &scene->model->step[1], &record));
    while (!stick_simulation_is_done(scene->run)) {
        assert_ok(scene->ctx, stick_path_record_see(record, scene->run));
        scene_step(scene);
    }
    assert_ok(scene->ctx, stick_path_record_see(record, scene->run));
    Judged judged = judge_record(scene, record);
    stick_path_record_destroy(record);
    return judged;
}

// K* = k_tt - mu s k_tn
static void stiffness_of_steady_sliding(void **state)
{
    const double speed[] = {-1, 1}, stiffness[] = {0.1, 3.9};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        open_corner(&scene, *state, 1.9, 0, -1, speed[k]);
        Judged judged = judge_end(&scene);
        assert_int_equal(judged.verdict, STICK_VERDICT_NO_GROWTH);
        assert_near(judged.smallest, stiffness[k], 1e-13);
        scene_close(&scene);
    }
}

// m = 1.5, k = 6, N = 2, mu = 0.3 + 0.2 exp(-v/0.1) at v = 0.1; material damping a M + b K stops it at a + b k/m =
// 0.981.
static void materials_damp_falling_friction(void **state)
{
    const struct {
        double mass, stiffness; // a, b
        StickVerdict verdict;
    } rayleigh[] = {{0, 0, STICK_VERDICT_FLUTTER},     {0.5, 0, STICK_VERDICT_FLUTTER},
                    {0.98, 0, STICK_VERDICT_FLUTTER},  {0.982, 0, STICK_VERDICT_NO_GROWTH},
                    {0.5, 0.1, STICK_VERDICT_FLUTTER}, {0.5, 0.13, STICK_VERDICT_NO_GROWTH}};
    double slope = -2 * exp(-1);
    for (int i = 0; i < 6; i++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {spring: {young: 8, density: 4.5e-4, rayleigh: {mass: %.17g, stiffness: %.17g}}}\n"
            "bodies: {mass: {mesh: {rectangle: {size: [100, 100], cells: [1, 1], pattern: triangles}},\n"
            "                plane: stress, material: spring, mass: lumped}}\n"
            "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [0.1, 0]}}\n"
            "supports: [{on: mass.top, displacement: [0, 0]}, {on: mass.right, displacement: [0, 0]}]\n"
            "loads: [{on: mass.bottom-left, force: [0, -2]}]\n"
            "contacts: [{between: [mass.bottom-left, plate], friction: \"0.3 + 0.2*exp(-v/0.1)\"}]\n"
            "steps:\n"
            "  - {name: drag, quasistatic: {end: 40, increments: 40}}\n"
            "  - {name: judge, stability: {at: end}}\n",
            rayleigh[i].mass, rayleigh[i].stiffness);
        double damping = rayleigh[i].mass + 4 * rayleigh[i].stiffness,
               growth = -(damping + 2 * slope / 1.5) / 2;
        Judged judged = judge_end(&scene);
        assert_near(judged.growth, growth, 1e-8);
        assert_near(judged.frequency * 2 * acos(-1), sqrt(4 - growth * growth), 1e-8);
        assert_int_equal(judged.verdict, rayleigh[i].verdict);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(thresholds_are_exact),
        test_with_context(three_solutions_of_one_increment),
        test_with_context(solutions_are_one_below_the_bound),
        test_with_context(stiffness_of_steady_sliding),
        test_with_context(materials_damp_falling_friction),
    };
    return cmocka_run_group_tests_name("closed_forms", tests, NULL, NULL);
}
