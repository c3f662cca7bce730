// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in space by Moreau's step: free tops, balances to the last digits.
#include "brief.h"
#include "stepping/mechanism.h"

// ---- free tops

static void open_top(Scene *scene, StickContext *ctx, const char *box, const char *spin, double h, double end)
{
    scene_open(scene, ctx,
               "materials: {stone: {density: 2500}}\n"
               "bodies: {top: {rigid: {box: %s}, material: stone, angular-velocity: %s}}\n"
               "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}}]\n",
               box, spin, h, end);
}

// About the middle axis a spin turns over again and again (Dzhanibekov): momentum and energy are kept to round-off.
static void tops_keep_angular_momentum_and_energy(void **state)
{
    Scene scene;
    double angular[3], least = INFINITY, worst = 0;
    open_top(&scene, *state, "[0.3, 0.5, 0.1]", "[5, 0.01, 0]", 2e-3, 10);
    double energy = scene.run->ledger.kinetic;
    memcpy(angular, scene.run->ledger.angular, sizeof angular);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        StickPose pose = stick_rigid_pose(scene.system->body[0].rigid, q_of(&scene, 0));
        least = fmin(least, pose.axis[0][0]);
        worst = fmax(worst, fabs(scene.run->ledger.kinetic / energy - 1));
    }
    for (int i = 0; i < 3; i++)
        assert_near(scene.run->ledger.angular[i], angular[i], 1e-13 * scene.run->ledger.angular_scale);
    assert_below(least, -0.9); // it turned over
    assert_below(worst, 1e-12);
    check_books_within(&scene, 1e-12);
    scene_close(&scene);
}

static int warnings_about(StickContext *ctx, size_t from, const char *words)
{
    int count = 0;
    for (size_t k = from; k < stick_diagnostic_count(ctx); k++)
        count += stick_diagnostic(ctx, k)->severity == STICK_WARNING &&
                 strstr(stick_diagnostic(ctx, k)->text, words) != NULL;
    return count;
}

// Bricks, plates, needles and nearly symmetric bodies over 1e5 steps of 0.3 rad, and over fewer of 1 rad, which warn.
static void fast_tops_keep_angular_momentum_and_energy(void **state)
{
    const struct {
        const char *box;
        double angle, steps, momentum;
    } top[] = {{"[0.3, 0.2, 0.1]", 0.3, 1e5, 1e-12},  {"[0.5, 0.4, 0.01]", 0.3, 1e4, 1e-12},
               {"[0.01, 1, 0.012]", 0.3, 1e4, 1e-10}, {"[0.3, 0.3, 0.300001]", 0.3, 1e4, 1e-12},
               {"[0.3, 0.2, 0.1]", 1, 1e4, 1e-12},    {"[0.3, 0.2, 0.1]", 40, 1e3, 1e-12}};
    for (size_t k = 0; k < sizeof top / sizeof *top; k++) {
        Scene scene;
        double steps = test_is_brief() ? 400 : top[k].steps;
        double angular[3], worst = 0, off = 0, speed = sqrt(1 + 2e-6);
        size_t before = stick_diagnostic_count(*state);
        open_top(&scene, *state, top[k].box, "[0.1, 100, 0.1]", top[k].angle / 100 / speed * (1 - 1e-3),
                 steps * top[k].angle / 100 / speed * (1 - 1e-3));
        const StickLedger *ledger = &scene.run->ledger;
        double energy = ledger->kinetic;
        memcpy(angular, ledger->angular, sizeof angular);
        while (!stick_simulation_is_done(scene.run)) {
            scene_step(&scene);
            worst = fmax(worst, fabs(ledger->kinetic / energy - 1));
            for (int i = 0; i < 3; i++)
                off = fmax(off, fabs(ledger->angular[i] - angular[i]) / stick_vec_norm(angular));
        }
        print_message("%s, %g rad per step, %g steps: momentum within %.1e, energy within %.1e\n", top[k].box,
                      top[k].angle, steps, off, worst);
        assert_below(off, top[k].momentum);
        assert_below(worst, 1e-10);
        assert_below(ledger->algorithmic_gain, 1e-10);
        // tumbling bodies are at times faster than at the start
        double most = scene.run->record.turned_most;
        assert_true(most > (1 - 2e-3) * top[k].angle && (k != 3 || most < 0.3));
        assert_int_equal(warnings_about(*state, before, "rotates by"), most > 0.3);
        scene_close(&scene);
    }
}

// What cannot be resolved is refused; balls and bodies that turn about a principal axis know no limit.
static void rotations_that_cannot_be_resolved_are_refused(void **state)
{
    for (int ball = 0; ball < 2; ball++) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies: {top: {rigid: {%s, mass: 1}, angular-velocity: [1, 1e6, 0]}}\n"
                   "steps: [{dynamics: {scheme: moreau, step: 1e-2, end: 1}}]\n",
                   ball ? "sphere: 0.2" : "box: [0.3, 0.2, 0.1]");
        if (ball) {
            scene_run(&scene);
        } else {
            assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
            assert_non_null(strstr(stick_last_error(*state), "rotates by"));
        }
        scene_close(&scene);
    }
}

// A symmetric top: its axis goes round the angular momentum with the angular velocity L / J1.
static void symmetric_tops_precess(void **state)
{
    Scene scene;
    open_top(&scene, *state, "[0.4, 0.4, 0.2]", "[1, 0, 4]", 1e-3, 1);
    const StickRigid *rigid = scene.system->body[0].rigid;
    double L[3] = {rigid->J0[0] * 1, 0, rigid->J0[8] * 4}, rate = stick_vec_norm(L) / rigid->J0[0];
    scene_run(&scene);
    // axis(t): that of the start, turned about L by rate t
    StickPose pose = stick_rigid_pose(rigid, q_of(&scene, 0));
    double n[3], z[3] = {0, 0, 1}, side[3];
    memcpy(n, L, sizeof n);
    stick_vec_normalise(n);
    stick_vec_cross(n, z, side);
    for (int i = 0; i < 3; i++) {
        double part = n[i] * n[2], axis = part + (z[i] - part) * cos(rate) + side[i] * sin(rate);
        assert_near(pose.axis[2][i], axis, 1e-12);
    }
    scene_close(&scene);
}

// ---- tops of which some components of the spin are prescribed

// Axes of the body (by columns of R) and the momenta L_x, L_y that nothing changes; w_z(t) is given.
enum { AXES = 9, TOP = 11 };

static double spin_about_z(double t)
{
    return 5 + sin(3 * t);
}

// [J_xx J_xy; J_xy J_yy] (w_x, w_y) = (L_x, L_y) - (J_xz, J_yz) w_z, J = R J0 R'
static void spin_of(const double J0[3], double t, const double *top, double w[3])
{
    double J[2][3] = {{0}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                J[i][j] += J0[k] * top[3 * i + k] * top[3 * j + k];
    w[2] = spin_about_z(t);
    double x = top[AXES] - J[0][2] * w[2], y = top[AXES + 1] - J[1][2] * w[2];
    double det = J[0][0] * J[1][1] - J[0][1] * J[0][1];
    w[0] = (J[1][1] * x - J[0][1] * y) / det;
    w[1] = (J[0][0] * y - J[0][1] * x) / det;
}

static void rate_of(const double J0[3], double t, const double *top, double *rate)
{
    double w[3];
    spin_of(J0, t, top, w);
    for (int k = 0; k < 3; k++) {
        double axis[3] = {top[k], top[3 + k], top[6 + k]}, turns[3];
        stick_vec_cross(w, axis, turns);
        for (int i = 0; i < 3; i++)
            rate[3 * i + k] = turns[i];
    }
    rate[AXES] = rate[AXES + 1] = 0;
}

// The same top by the classical method of Runge and Kutta.
static void integrate(const double J0[3], const double start[3], double end, int steps, double w[3])
{
    double top[TOP] = {1, 0, 0, 0, 1, 0, 0, 0, 1, J0[0] * start[0], J0[1] * start[1]}, h = end / steps;
    const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    for (int n = 0; n < steps; n++) {
        double rate[TOP] = {0}, sum[TOP] = {0}, stage[TOP];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < TOP; i++)
                stage[i] = top[i] + h * at[s] * rate[i];
            rate_of(J0, h * (n + at[s]), stage, rate);
            for (int i = 0; i < TOP; i++)
                sum[i] += weight[s] * rate[i];
        }
        for (int i = 0; i < TOP; i++)
            top[i] += h * sum[i];
    }
    spin_of(J0, end, top, w);
}

static void tops_keep_the_momenta_about_axes_that_are_not_held(void **state)
{
    double error[2], w[3];
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {stone: {density: 1000}}\n"
            "bodies: {top: {rigid: {box: [0.1, 0.2, 0.4]}, material: stone, angular-velocity: [1, 0, 5]}}\n"
            "supports: [{on: top, velocity: [0, 0, 0], angular-velocity: [free, free, \"5 + sin(3 * t)\"]}]\n"
            "steps: [{dynamics: {scheme: moreau, step: %.17g, end: 1}}]\n",
            k == 0 ? 2e-3 : 1e-3);
        const double *J0 = scene.system->body[0].rigid->J0, J[3] = {J0[0], J0[4], J0[8]};
        integrate(J, (const double[]){1, 0, 5}, 1, 2000, w);
        scene_run(&scene);
        double off[3];
        stick_vec_sub(v_of(&scene, 0) + 3, w, off);
        error[k] = stick_vec_norm(off);
        check_books_within(&scene, 1e-13);
        assert_below(scene.run->ledger.worst_equilibrium, 1e-12);
        scene_close(&scene);
    }
    print_message("held about z: (%g, %g, %g), errors %.2e, %.2e\n", w[0], w[1], w[2], error[0], error[1]);
    assert_below(error[1], 1e-4);
    assert_below(error[1], 0.3 * error[0]);
}

// Contact, and a rod that hangs on the body by a ball joint, act on what is free.
static void bodies_that_are_held_in_part_keep_their_books(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {stone: {density: 1000}}\n"
        "bodies:\n"
        "  top: {rigid: {box: [0.1, 0.2, 0.4]}, material: stone, angular-velocity: [1, 0, 5]}\n"
        "  rod: {rigid: {box: [0.4, 0.05, 0.05]}, material: stone, position: [0.3, 0, 0.2]}\n"
        "  ball: {rigid: {sphere: 0.1}, material: stone, position: [-0.6, 0.02, 0.1], velocity: [1, 0, 0]}\n"
        "supports: [{on: top, velocity: [0, free, 0], angular-velocity: [free, \"sin(3 * t)\", 5]}]\n"
        "joints: [{ball: {between: [top, rod], at: [0.05, 0, 0.2]}}]\n"
        "contacts: [{between: all, friction: 0.3, dissipation: 0.5}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n");
    scene_run(&scene);
    assert_true(scene.run->record.most_active > 0 && scene.run->ledger.frictional > 0);
    check_books_within(&scene, 1e-12);
    assert_below(scene.run->ledger.worst_equilibrium, 1e-11);
    scene_close(&scene);
}

// ---- several bodies

// Boxes, spheres, capsules and cylinders that hit each other, without anything from outside.
static void isolated_bodies_keep_momentum_and_angular_momentum(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {stone: {density: 2500}}\n"
        "bodies:\n"
        "  box: {rigid: {box: [0.5, 0.3, 0.4]}, material: stone, position: [-1, 0.1, 0], velocity: [2, 0, "
        "0], "
        "angular-velocity: [1, 5, 2]}\n"
        "  ball: {rigid: {sphere: 0.3}, material: stone}\n"
        "  rod: {rigid: {capsule: {radius: 0.1, length: 0.6}}, material: stone, position: [0.8, 0.1, 0], "
        "velocity: [-2, 0.1, 0], angular-velocity: [3, 0, -4]}\n"
        "  can: {rigid: {cylinder: {radius: 0.2, length: 0.5}}, material: stone, position: [0, -0.9, 0], "
        "velocity: [0, 2, 0.1], angular-velocity: [3, 4, 0]}\n"
        "contacts: [{between: all, friction: 0.5, dissipation: 0.4}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n");
    double momentum[3], angular[3];
    memcpy(momentum, scene.run->ledger.momentum, sizeof momentum);
    memcpy(angular, scene.run->ledger.angular, sizeof angular);
    scene_run(&scene);
    const StickLedger *ledger = &scene.run->ledger;
    assert_true(ledger->structural > 0 && ledger->frictional > 0);
    for (int k = 0; k < 3; k++) {
        assert_near(ledger->momentum[k], momentum[k], 1e-12 * ledger->momentum_scale);
        assert_near(ledger->angular[k], angular[k], 1e-12 * ledger->angular_scale);
    }
    check_books_within(&scene, 1e-12);
    scene_close(&scene);
}

// Bodies without any symmetry that tumble about their middle axes, turn over and hit each other: in each
// step both momenta stay, and (6.4) splits what is lost from u_L to u_F.
static void tumbling_bodies_keep_their_momenta_in_every_step(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {stone: {density: 2500}}\n"
        "bodies:\n"
        "  wedge: {rigid: {hull: [[0, 0, 0], [0.7, 0, 0], [0, 0.5, 0], [0.1, 0.1, 0.25]]}, material: "
        "stone, position: [-0.5, 0, 0], velocity: [1, 0, 0], angular-velocity: [0.1, 9, 0.05]}\n"
        "  slab: {rigid: {box: [0.3, 0.6, 0.1]}, material: stone, position: [0.5, 0, 0], velocity: [-1, "
        "0.05, 0], angular-velocity: [8, 0.01, 0]}\n"
        "  box: {rigid: {box: [0.2, 0.4, 0.3]}, material: stone, position: [0, 0.8, 0], velocity: [0, -1, "
        "0.1], angular-velocity: [0.01, 0, 7]}\n"
        "contacts: [{between: all, friction: 0.4, dissipation: 0.2}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1.5}}]\n");
    const StickLedger *ledger = &scene.run->ledger;
    double momentum[3], angular[3], hits = 0;
    while (!stick_simulation_is_done(scene.run)) {
        memcpy(momentum, ledger->momentum, sizeof momentum);
        memcpy(angular, ledger->angular, sizeof angular);
        scene_step(&scene);
        hits += scene.run->contacts.ncontacts > 0;
        for (int k = 0; k < 3; k++) {
            assert_near(ledger->momentum[k], momentum[k], 1e-12 * ledger->momentum_scale);
            assert_near(ledger->angular[k], angular[k], 1e-12 * ledger->angular_scale);
        }
    }
    print_message("tumbling: %g steps with contact, lost %.3f of the energy, %.3f by friction\n", hits,
                  (ledger->structural + ledger->frictional) / ledger->initial,
                  ledger->frictional / ledger->initial);
    assert_true(hits > 2 && ledger->structural > 0 && ledger->frictional > 0);
    check_books_within(&scene, 1e-12);
    scene_close(&scene);
}

// 1.25e8 times as heavy: what round-off leaves of the forces of the large one moves the small one.
static void light_bodies_carry_heavy_ones(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {stone: {density: 1000}}\n"
               "bodies:\n"
               "  small: {rigid: {sphere: 1e-3}, material: stone, position: [0, 0, 1e-3]}\n"
               "  large: {rigid: {sphere: 0.5}, material: stone, position: [0, 0, 0.502]}\n"
               "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
               "gravity: [0, 0, -9.81]\n"
               "contacts: [{between: all, friction: 0.3}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 0.05}}]\n");
    scene_run(&scene);
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 3; k++) {
            assert_near(q_of(&scene, b)[k], 0, 2e-5); // a gap by round-off: g h^2, once
            assert_near(v_of(&scene, b)[k], 0, 1e-8);
        }
    check_books_within(&scene, 1e-12);
    assert_true(scene.run->ledger.open_steps == 0);
    scene_close(&scene);
}

// A momentum that comes from nowhere: the first step that it is missed in is kept, with the number of them.
static void balances_that_do_not_close_are_told(void **state)
{
    Scene scene;
    open_top(&scene, *state, "[0.3, 0.5, 0.1]", "[5, 0.01, 0]", 1e-3, 1);
    const StickLedger *ledger = &scene.run->ledger;
    scene_steps(&scene, 3);
    assert_true(ledger->open_steps == 0);
    for (int k = 0; k < 2; k++) {
        scene.run->state.now.Mv[4] *= 1 + 1e-3;
        scene.run->ledger.kinetic *= 1 + 1e-3;
        scene_step(&scene);
        scene_step(&scene);
    }
    assert_true(ledger->open_steps == 2);
    assert_near(ledger->open_time, 4e-3, 1e-12);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(tops_keep_angular_momentum_and_energy),
        test_with_context(fast_tops_keep_angular_momentum_and_energy),
        test_with_context(rotations_that_cannot_be_resolved_are_refused),
        test_with_context(symmetric_tops_precess),
        test_with_context(tops_keep_the_momenta_about_axes_that_are_not_held),
        test_with_context(bodies_that_are_held_in_part_keep_their_books),
        test_with_context(isolated_bodies_keep_momentum_and_angular_momentum),
        test_with_context(tumbling_bodies_keep_their_momenta_in_every_step),
        test_with_context(light_bodies_carry_heavy_ones),
        test_with_context(balances_that_do_not_close_are_told),
    };
    return cmocka_run_group_tests_name("moreau_space", tests, NULL, NULL);
}
