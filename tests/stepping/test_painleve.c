// SPDX-License-Identifier: Apache-2.0
// Painleve's rod: it slides on its lower end and leans so that friction presses it down. Whatever the friction the step
// passes with finite impulses, and where there are several motions to go on with they are told.
#include "stepping/scene.h"

#include <string.h>

static const double half = 0.5, speed = 2;

// lift: velocity of all of it away from the floor; others: bodies before it
static void open_rod_beside(Scene *scene, StickContext *ctx, double angle, double mu, double lift,
                            double gravity, const char *others)
{
    double w = 1e-6;
    scene_open(
        scene, ctx,
        "bodies: {%srod: {rigid: {box: [%.17g, %g], mass: 3}, position: [%.17g, %.17g], rotation: %.17g, "
        "velocity: [%.17g, %.17g]}}\n"
        "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "gravity: [0, %g]\n"
        "contacts: [{between: all, friction: %.17g}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-4, end: 0.5}}]\n",
        others, 2 * half, w, half * cos(angle), half * sin(angle) + 0.5 * w * cos(angle), angle, -speed, lift,
        -gravity, mu);
}

static void open_rod(Scene *scene, StickContext *ctx, double angle, double mu, double lift, double gravity)
{
    open_rod_beside(scene, ctx, angle, mu, lift, gravity, "");
}

// tan(angle) = 2: above mu = 4/3 the end stops at once, and the rod turns about it with the angular momentum it had.
static void rods_pass_with_finite_impulses(void **state)
{
    double angle = atan(2), stopped = 3 * speed * sin(angle) / (4 * half);
    for (double mu = 0; mu < 3.1; mu += 0.25) {
        Scene scene;
        double first = 0, impulse = 0;
        open_rod(&scene, *state, angle, mu, 0, 9.81);
        while (!stick_simulation_is_done(scene.run)) {
            const StickSimulation *run = scene.run;
            scene_step(&scene);
            for (int c = 0; c < run->contacts.ncontacts; c++)
                impulse = fmax(impulse, run->r[2 * c]);
            if (run->state.step == 1)
                first = run->state.now.v[2];
        }
        if (mu < 4. / 3)
            assert_below(fabs(first), 0.2 * stopped);
        else
            assert_near(first / stopped, 1, 1e-3);
        // never more than would stop all of it twice
        assert_true(isfinite(impulse) && impulse < 2 * 3 * (speed + sqrt(2 * 9.81 * 2 * half)));
        const StickLedger *ledger = &scene.run->ledger;
        assert_below(ledger->worst_closure, 1e-12);
        assert_below(ledger->worst_jump, 1e-12);
        assert_below(ledger->kinetic, ledger->initial + ledger->external + 1e-12);
        scene_close(&scene);
    }
}

// The same in space, a capsule that slides along x, with an inertia about its own axis that does not matter.
static void open_space_rod(Scene *scene, StickContext *ctx, double angle, double mu, const char *others)
{
    double w = 1e-6, J = 3 * half * half / 3;
    scene_open(
        scene, ctx,
        "bodies: {%srod: {rigid: {capsule: {radius: %g, length: %.17g}, mass: 3, inertia: [%.17g, %.17g, "
        "0.1]}, position: [%.17g, 0, %.17g], rotation: {axis: [0, 1, 0], angle: %.17g}, velocity: [%.17g, "
        "0, 1e-7]}}\n"
        "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
        "contacts: [{between: all, friction: %.17g}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-4, end: 0.5}}]\n",
        others, w, 2 * half, J, J, half * cos(angle), half * sin(angle) + w, acos(0) - angle, -speed, mu);
}

static bool has_several(StickContext *ctx, double angle, double mu, int dim)
{
    Scene scene;
    if (dim == 2)
        open_rod(&scene, ctx, angle, mu, 1e-7, 0);
    else
        open_space_rod(&scene, ctx, angle, mu, "");
    scene_step(&scene);
    bool several = scene.run->record.several > 0;
    if (several)
        assert_near(scene.run->record.several_most, 3, 0);
    scene_close(&scene);
    return several;
}

// An end that is about to lift may do so, slide on pressed down by its own friction, or stop: three from the friction on
// at which there is no force, mu = (1 + 3 cos^2)/(3 sin cos).
static void several_motions_begin_where_no_force_is_left(void **state)
{
    const double degrees[] = {45, 60, 63.4349488229, 70}, mu[] = {5. / 3, 1.347151, 4. / 3, 1.401119};
    for (int k = 0; k < 8; k++) {
        double angle = degrees[k % 4] * acos(-1) / 180, low = 0.5, high = 3;
        int dim = 2 + k / 4;
        assert_true(has_several(*state, angle, high, dim));
        while (high - low > 1e-6) {
            double middle = 0.5 * (low + high);
            *(has_several(*state, angle, middle, dim) ? &high : &low) = middle;
        }
        print_message("several from mu = %.6f on at %.3f degrees (%.6f)\n", high, degrees[k % 4], mu[k % 4]);
        assert_near(high, mu[k % 4], 1e-5);
    }
}

// Told once, with what to do; counted in every step.
static void several_motions_are_told_once(void **state)
{
    Scene scene;
    size_t before = stick_diagnostic_count(*state);
    open_rod(&scene, *state, atan(2), 2, 1e-7, 0);
    scene_steps(&scene, 3);
    assert_int_equal(stick_diagnostic_count(*state), before + 1);
    const StickDiagnostic *told = stick_diagnostic(*state, before);
    assert_non_null(strstr(told->text, "the contact problem at body 'rod' (1 contact) has 3 solutions"));
    print_message("%s; %g steps\n", told->text, scene.run->record.several);
    scene_close(&scene);
    // what presses down has one motion only
    open_rod(&scene, *state, atan(2), 2, 0, 9.81);
    scene_steps(&scene, 3);
    assert_int_equal(stick_diagnostic_count(*state), before + 1);
    scene_close(&scene);
}

// The corner of a box that meets a node of a plate exactly has a contact at each of its sides. They share the force in
// several ways, which are one motion: velocities differ by round-off.
static void contacts_of_one_point_have_one_motion(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {s: {young: 1e8, poisson: 0.25, density: 1000}}\n"
               "bodies:\n"
               "  p: {mesh: {rectangle: {size: [0.2, 0.05], cells: [20, 5]}}, material: s}\n"
               "  d: {rigid: {box: [0.0005, 0.0005], mass: 0.05}, position: [0.1, 0.05065355339059328], "
               "velocity: [0, -1], rotation: 0.7853981633974483}\n"
               "supports: [{on: p.bottom, displacement: [0, 0]}]\n"
               "contacts: [{between: [p.top, d], friction: 0.1}]\n"
               "steps: [{dynamics: {step: 1e-4, end: 1e-3}}]\n");
    bool met = false;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        met = met || scene.run->record.worst_contact > 0 || scene.run->contacts.ncontacts > 1;
    }
    assert_true(met);
    assert_near(scene.run->record.several, 0, 0);
    scene_close(&scene);
}

// A disk whose step is far too long for the plate that it hits: the plate deforms already, and the step is what helps.
static void advice_fits_deformable_bodies(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {s: {young: 1e12, poisson: 0.25, density: 1e5}}\n"
               "bodies:\n"
               "  p: {mesh: {rectangle: {size: [0.2, 0.02], cells: [20, 2]}}, material: s}\n"
               "  d: {rigid: {disk: 0.005, mass: 1e-3}, position: [0.1, 0.3], velocity: [0, -1e6]}\n"
               "supports: [{on: p.left, displacement: [0, 0]}, {on: p.right, displacement: [0, 0]}]\n"
               "contacts: [{between: [p.boundary, d], friction: 0.1}]\n"
               "steps: [{dynamics: {step: 1e-5, end: 1e-4}}]\n");
    scene_step(&scene);
    assert_int_equal(times_warned(*state, "has 3 solutions"), 1);
    assert_int_equal(times_warned(*state, "compare with a shorter time step"), 1);
    assert_int_equal(times_warned(*state, "compare with a deformable body"), 0);
    scene_close(&scene);
}

// What rests elsewhere, however much of it, is no part of the problem of the rod, which is named.
static void others_do_not_hide_them(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        Scene scene;
        size_t before = stick_diagnostic_count(*state);
        if (dim == 2)
            open_rod_beside(&scene, *state, atan(2), 2, 1e-7, 0,
                            "slab: {rigid: {box: [1, 0.1], mass: 1}, position: ['10 + 3*i', 0.05], "
                            "repeat: {i: [0, 2]}}, ");
        else
            open_space_rod(&scene, *state, atan(2), 2,
                           "slab: {rigid: {box: [1, 1, 0.1], mass: 1}, position: ['10 + 3*i', 0, 0.05], "
                           "repeat: {i: [0, 2]}}, ");
        scene_steps(&scene, 2);
        const StickSimulation *run = scene.run;
        assert_true(run->contacts.ncontacts > 3 * dim);
        assert_near(run->record.several, 2, 0);
        assert_near(run->record.several_most, 3, 0);
        assert_int_equal(stick_diagnostic_count(*state), before + 1);
        const char *told = stick_diagnostic(*state, before)->text;
        print_message("%d contacts: %s\n", run->contacts.ncontacts, told);
        assert_non_null(strstr(told, "the contact problem at body 'rod'"));
        scene_close(&scene);
    }
}

// Larger islands are searched. A plate that leans and slides on its lower edge, two contacts in space, has the motions of the rod.
static bool plate_has_several(StickContext *ctx, double angle, double mu)
{
    Scene scene;
    double w = 1e-6;
    scene_open(&scene, ctx,
               "bodies: {plate: {rigid: {box: [%.17g, 0.4, %g], mass: 3}, position: [%.17g, 0, %.17g], "
               "rotation: {axis: [0, "
               "-1, 0], angle: %.17g}, velocity: [%.17g, 0, 1e-7]}}\n"
               "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
               "contacts: [{between: all, friction: %.17g}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 1e-4, end: 0.5}}]\n",
               2 * half, w, half * cos(angle), half * sin(angle) + 0.5 * w * cos(angle), angle, -speed, mu);
    scene_step(&scene);
    assert_int_equal(scene.run->contacts.ncontacts, 2);
    bool several = scene.run->record.several > 0;
    assert_int_equal(times_warned(ctx, "different motions satisfy the contact laws at body 'plate'"),
                     several);
    stick_diagnostics_clear(ctx);
    scene_close(&scene);
    return several;
}

static void larger_islands_are_searched(void **state)
{
    double angle = atan(2);
    for (double mu = 0.1; mu < 1.3; mu += 0.3)
        assert_false(plate_has_several(*state, angle, mu));
    for (double mu = 1.35; mu < 4; mu += 0.3)
        assert_true(plate_has_several(*state, angle, mu));
}

// Two plates on sliders press a box, which is held or slips out. Pressure may be shifted sideways on both faces, and then the box
// turns, even about the points that hold it.
static void open_gripped(Scene *scene, StickContext *ctx, const char *solver, double force)
{
    scene_open(scene, ctx,
               "bodies:\n"
               "  box: {rigid: {box: [0.5, 0.6, 0.8], mass: 1}}\n"
               "  low: {rigid: {box: [2, 0.4, 0.1], mass: 1}, position: [0, 0, -0.45]}\n"
               "  high: {rigid: {box: [2, 0.4, 0.1], mass: 1}, position: [0, 0, 0.45]}\n"
               "gravity: [10, 0, 0]\n"
               "joints: [{name: a, slider: {between: [low], axis: [0, 0, 1]}}, {name: b, slider: {between: "
               "[high], axis: [0, "
               "0, 1]}}]\n"
               "loads: [{on: low, force: [0, 0, %g]}, {on: high, force: [0, 0, %g]}]\n"
               "contacts: [{between: all, friction: 0.5}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 3}, solver: {name: %s}}]\n",
               force, -force, solver);
}

static void motions_that_pressure_leaves_open_are_reported(void **state)
{
    const char *solvers[] = {"auto", "newton", "gauss-seidel"};
    for (int k = 0; k < 6; k++) {
        Scene scene;
        bool is_held = k % 2, is_auto = k / 2 == 0;
        open_gripped(&scene, *state, solvers[k / 2], is_held ? 20 : 5);
        scene_steps(&scene, 20);
        // the default solver returns the motion of equal compliance
        double *q = scene.run->state.now.q;
        if (is_auto) {
            assert_near(q[0], is_held ? 0 : 0.5 * 5 * 0.04, 1e-9);
            for (int i = 1; i < 6; i++)
                assert_near(q[i], 0, 1e-9);
        }
        assert_int_equal(times_warned(*state, "different motions satisfy the contact laws"), 1);
        assert_int_equal(times_warned(*state, "the contact forces at body"), !is_auto);
        stick_diagnostics_clear(*state);
        scene_close(&scene);
    }
}

// Of large islands, too, other solvers than the default one report that their forces are one of several distributions.
static void forces_of_walls_are_reported(void **state)
{
    static const char *const solvers[] = {"auto", "newton", "body-newton"};
    for (int k = 0; k < 6; k++) {
        Scene scene;
        bool space = k >= 3;
        scene_open(&scene, *state,
                   "bodies: {b: {rigid: {box: [0.2, %s0.1], mass: 1}, repeat: {i: [0, 7], j: [0, 7]}, "
                   "position: ['0.21*i + 0.06*(j %% 2)', %s'0.05 + 0.1*j']}}\n"
                   "obstacles: {floor: {plane: {point: [0, 0%s], normal: [0, %s1]}}}\n"
                   "gravity: [0, %s-9.81]\ncontacts: [{between: all, friction: 0.5}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 10}, solver: {name: %s}}]\n",
                   space ? "0.1, " : "", space ? "0, " : "", space ? ", 0" : "", space ? "0, " : "",
                   space ? "0, " : "", solvers[k % 3]);
        scene_steps(&scene, 2);
        assert_true(scene.run->contacts.ncontacts > 100);
        assert_int_equal(times_warned(*state, "the contact forces at body"), k % 3 > 0);
        stick_diagnostics_clear(*state);
        scene_close(&scene);
    }
}

// What a loose tolerance leaves out of the forces is no other motion; real ones are found in spite of it.
static void tolerances_make_no_other_motions(void **state)
{
    static const char *const bodies[] = {"a: {rigid: {box: [0.2, 0.1], mass: 1}, position: ['0.02*(i % 2)', "
                                         "'0.05 + 0.1*i'], repeat: {i: [0, 4]}}",
                                         "a: {rigid: {box: [0.2, 0.1], mass: 1}, position: [0, 0.05]}, "
                                         "b: {rigid: {box: [0.2, 0.1], mass: 1}, position: [0.05, 0.15]}, "
                                         "c: {rigid: {box: [0.2, 0.1], mass: 1}, position: [0.25, 0.05]}, "
                                         "d: {rigid: {box: [0.2, 0.1], mass: 1}, position: [0.3, 0.15]}, "
                                         "e: {rigid: {box: [0.3, 0.1], mass: 1}, position: [0.17, 0.25]}, "
                                         "f: {rigid: {box: [0.2, 0.1], mass: 1}, position: [0.2, 0.35]}"};
    static const double tolerances[] = {1e-3, 1e-4, 1e-5};
    for (int k = 0; k < 6; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies: {%s}\n"
                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                   "gravity: [1.962, -9.81]\n"
                   "contacts: [{between: all, friction: 0.3}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 0.1}, solver: {name: gauss-seidel, "
                   "tolerance: %g}}]\n",
                   bodies[k / 3], tolerances[k % 3]);
        while (!stick_simulation_is_done(scene.run))
            scene_step(&scene);
        assert_near(scene.run->record.several, 0, 0);
        scene_close(&scene);
        stick_diagnostics_clear(*state);
    }
    for (int k = 0; k < 3; k++) {
        Scene scene;
        char solver[64];
        snprintf(solver, sizeof solver, "gauss-seidel, tolerance: %g", tolerances[k]);
        open_gripped(&scene, *state, solver, 20);
        scene_steps(&scene, 20);
        assert_true(scene.run->record.several > 0);
        scene_close(&scene);
        stick_diagnostics_clear(*state);
    }
}

// In steps 1, 2, 4 ... 64 and every 64th, whatever else is a power of two.
static void long_runs_are_searched(void **state)
{
    Scene scene;
    double before = 0;
    open_gripped(&scene, *state, "auto", 20);
    for (int step = 1; step <= 260; step++) {
        scene_step(&scene);
        bool is_searched = step % 64 == 0 || (step < 64 && (step & (step - 1)) == 0);
        if (is_searched != (scene.run->record.several > before))
            fail_msg("step %d, %g found", step, scene.run->record.several);
        before = scene.run->record.several;
    }
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(rods_pass_with_finite_impulses),
        test_with_context(several_motions_begin_where_no_force_is_left),
        test_with_context(several_motions_are_told_once),
        test_with_context(contacts_of_one_point_have_one_motion),
        test_with_context(advice_fits_deformable_bodies),
        test_with_context(others_do_not_hide_them),
        test_with_context(larger_islands_are_searched),
        test_with_context(motions_that_pressure_leaves_open_are_reported),
        test_with_context(forces_of_walls_are_reported),
        test_with_context(tolerances_make_no_other_motions),
        test_with_context(long_runs_are_searched),
    };
    return cmocka_run_group_tests_name("stepping.painleve", tests, NULL, NULL);
}
