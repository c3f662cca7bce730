// SPDX-License-Identifier: Apache-2.0
// Laws of contact in the step: friction by directions, cohesion, and laws that depend on place, speed and a state, each
// against a closed form.
#include "stepping/scene.h"

#include <stickslip/certificate.h>

#define HEAD "stickslip: 1\nmaterials: {stone: {density: 2500}}\n"
#define G 9.81

static void scene_run(const Scene *scene)
{
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
}

static double *q_of(const Scene *scene, int body)
{
    return scene->run->state.now.q + scene->system->body[body].first;
}

static double *v_of(const Scene *scene, int body)
{
    return scene->run->state.now.v + scene->system->body[body].first;
}

static void check_books(const Scene *scene)
{
    const StickLedger *ledger = &scene->run->ledger;
    assert_below(ledger->worst_closure, 1e-10);
    assert_below(ledger->worst_momentum, 1e-12);
    assert_below(ledger->worst_angular, 1e-12);
    assert_below(ledger->worst_jump, 1e-10);
    assert_true(ledger->structural >= -1e-10 * ledger->scale);
    assert_true(ledger->frictional >= -1e-10 * ledger->scale);
}

// How many contacts of the last step have this status.
static int count_status(const Scene *scene, StickContactStatus status)
{
    int count = 0;
    for (int c = 0; c < scene->run->contacts.ncontacts; c++)
        count += stick_simulation_status(scene->run, c) == status;
    return count;
}

// ---- friction by directions

// A flat box on a floor; gravity leans towards the floor's plane, by angle, so that its part along the plane is lean G.
static void open_slab(Scene *scene, StickContext *ctx, const char *friction, double lean, double angle,
                      const char *more, double h, double end)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD
             "bodies: {slab: {rigid: {box: [0.4, 0.4, 0.02]}, material: stone, position: [0, 0, 0.01]%s}}\n"
             "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
             "gravity: [%.17g, %.17g, -9.81]\n"
             "contacts: [{between: all, friction: %s}]\n"
             "steps: [{dynamics: {step: %.17g, end: %.17g}}]\n",
             more, lean * G * cos(angle), lean * G * sin(angle), friction, h, end);
    assert_ok(ctx, scene_try(scene, ctx, text));
}

// Where the section is an ellipse, its radius in a direction.
static double radius_of(double a, double b, double angle)
{
    return 1 / hypot(cos(angle) / a, sin(angle) / b);
}

// The axis points to 30 degrees: what matters is the angle from there.
static void slabs_stick_inside_of_an_ellipse(void **state)
{
    const double turned = acos(-1) / 6;
    for (int k = 0; k < 8; k++) {
        Scene scene;
        double angle = 0.3 + k * acos(-1) / 4, limit = radius_of(0.2, 0.5, angle - turned);
        char friction[200];
        snprintf(friction, sizeof friction, "{ellipse: [0.2, 0.5], axis: [%.17g, 0.5, 7]}", cos(turned));
        open_slab(&scene, *state, friction, 0.999 * limit, angle, "", 1e-3, 0.02);
        scene_run(&scene);
        assert_below(stick_simulation_largest(scene.run->state.now.v, 6), 1e-9);
        assert_int_equal(count_status(&scene, STICK_APART), 0);
        scene_close(&scene);
        open_slab(&scene, *state, friction, 1.001 * limit, angle, "", 1e-3, 0.02);
        scene_run(&scene);
        // it slides along the outward normal of the ellipse, where a small excess leads it to
        const double *v = v_of(&scene, 0);
        double x = v[0] * cos(turned) + v[1] * sin(turned), y = v[1] * cos(turned) - v[0] * sin(turned);
        double along = atan2(sin(angle - turned) / (0.5 * 0.5), cos(angle - turned) / (0.2 * 0.2));
        assert_near(remainder(atan2(y, x) - along, 2 * acos(-1)), 0, 0.02);
        assert_int_equal(count_status(&scene, STICK_SLIPPING), 4);
        check_books(&scene);
        scene_close(&scene);
    }
}

// dv_1/dt = -a^2 v_1 g / phi, dv_2/dt = -b^2 v_2 g / phi, phi = |(a v_1, b v_2)|: v_1 / v_1(0) = (v_2 / v_2(0))^(a/b)^2
static double curve_error(StickContext *ctx, double h)
{
    Scene scene;
    open_slab(&scene, ctx, "{ellipse: [0.2, 0.4], axis: [1, 0, 0]}", 0, 0, ", velocity: [2, 2, 0]", h, 0.4);
    scene_run(&scene);
    const double *v = v_of(&scene, 0);
    double error = fabs(v[0] / 2 - pow(v[1] / 2, 0.25));
    assert_true(v[1] < 0.8 && v[1] > 0.5);
    assert_near(v[5], 0, 1e-9); // it does not turn
    check_books(&scene);
    scene_close(&scene);
    return error;
}

static void thrown_slabs_curve_towards_the_easy_direction(void **state)
{
    double coarse = curve_error(*state, 4e-3), fine = curve_error(*state, 2e-3);
    assert_below(coarse, 0.02);
    assert_below(fine / coarse, 0.55);
    // along an axis the deceleration is exactly that of its coefficient
    for (int k = 0; k < 2; k++) {
        Scene scene;
        open_slab(&scene, *state, "{ellipse: [0.2, 0.4], axis: [1, 0, 0], factor: \"0.5 + t*0\"}", 0, 0,
                  k == 0 ? ", velocity: [2, 0, 0]" : ", velocity: [0, 2, 0]", 1e-3, 0.5);
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[k], 2 - 0.5 * G * (k == 0 ? 0.1 : 0.2), 1e-9);
        double taken = 2500 * 0.4 * 0.4 * 0.02 * G * (k == 0 ? 0.1 : 0.2) * q_of(&scene, 0)[k];
        assert_near(scene.run->ledger.friction, taken, 1e-8 * taken);
        scene_close(&scene);
    }
}

// A ratchet: 0.1 holds what slides towards +x, 0.6 what slides towards -x, 0.3 across. Corners are forces on the slab.
static const char ratchet[] =
    "{polygon: [[-0.1, -0.3], [0.6, -0.3], [0.6, 0.3], [-0.1, 0.3]], axis: [1, 0, 0]}";

static void polygons_hold_each_way_by_their_own_coefficient(void **state)
{
    const double pi = acos(-1), limit[4] = {0.1, 0.3, 0.6, 0.3};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        open_slab(&scene, *state, ratchet, 0.999 * limit[k], k * pi / 2, "", 1e-3, 0.02);
        scene_run(&scene);
        assert_below(stick_simulation_largest(scene.run->state.now.v, 6), 1e-9);
        scene_close(&scene);
        open_slab(&scene, *state, ratchet, limit[k] + 0.1, k * pi / 2, "", 1e-3, 0.1);
        scene_run(&scene);
        const double *v = v_of(&scene, 0);
        assert_near(v[0] * cos(k * pi / 2) + v[1] * sin(k * pi / 2), 0.1 * G * 0.1, 1e-9);
        check_books(&scene);
        scene_close(&scene);
    }
}

// On a wall the axis is projected, and another frame of tangents is used there.
static void sections_are_oriented_on_any_plane(void **state)
{
    for (int across = 0; across < 2; across++) {
        Scene scene;
        double mu = across ? 0.5 : 0.2;
        scene_open(
            &scene, *state,
            "materials: {stone: {density: 2500}}\n"
            "bodies: {slab: {rigid: {box: [0.02, 0.4, 0.4]}, material: stone, position: [0.01, 0, 0]}}\n"
            "obstacles: {wall: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}}\n"
            "gravity: [-10, %g, %g]\n"
            "contacts: [{between: all, friction: {ellipse: [0.2, 0.5], axis: [3, 0, -1]}}]\n"
            "steps: [{dynamics: {step: 1e-3, end: 0.1}}]\n",
            across ? 8.0 : 0.0, across ? 0.0 : 8.0);
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[across ? 1 : 2], 0.1 * (8 - 10 * mu), 1e-9);
        scene_close(&scene);
    }
}

// In the plane: 0.1 along the axis, 0.6 against it, as the first body slides; a table that stands first in the file is that.
static void intervals_hold_each_way(void **state)
{
    for (int k = 0; k < 4; k++) {
        Scene scene;
        bool on_table = k > 1;
        double lean = k % 2 ? -0.7 : 0.7, mu = (lean > 0) != on_table ? 0.1 : 0.6;
        scene_open(&scene, *state,
                   "materials: {stone: {density: 2500}}\n"
                   "bodies:\n"
                   "  table: {rigid: {box: [4, 0.2]}, material: stone, position: [0, -0.1]}\n"
                   "  block: {rigid: {box: [0.4, 0.02]}, material: stone, position: [0, 0.01]}\n"
                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                   "supports: [{on: table, displacement: [0, 0], rotation: 0}]\n"
                   "gravity: [%.17g, -9.81]\n"
                   "contacts: [{between: [block, %s], friction: {interval: [0.1, 0.6], axis: [2, 1]}}]\n"
                   "steps: [{dynamics: {step: 1e-3, end: 0.1}}]\n",
                   lean * G, on_table ? "table" : "floor");
        scene_run(&scene);
        assert_near(v_of(&scene, 1)[0], copysign(0.1 * G * (0.7 - mu), lean), 1e-9);
        assert_near(stick_simulation_friction(scene.run, 0), mu, 1e-9);
        assert_int_equal(count_status(&scene, STICK_SLIPPING), 2);
        check_books(&scene);
        scene_close(&scene);
    }
}

// Every solver that takes sections finds the same motion; others are refused when the model is read.
static void solvers_agree_or_refuse_by_name(void **state)
{
    char text[2048];
    for (int k = 0; stick_solver_name(k); k++) {
        Scene scene;
        snprintf(text, sizeof text,
                 HEAD
                 "bodies: {slab: {rigid: {box: [0.4, 0.4, 0.02]}, material: stone, position: [0, 0, 0.01], "
                 "velocity: [1, 0.5, 0]}}\n"
                 "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                 "gravity: [0, 0, -9.81]\n"
                 "contacts: [{between: all, friction: %s}]\n"
                 "steps: [{dynamics: {step: 1e-2, end: 0.05}, solver: {name: %s, tolerance: 1e-6}}]\n",
                 ratchet, stick_solver_name(k));
        if (!stick_solver_takes_sections(k)) {
            stick_diagnostics_clear(*state);
            assert_int_equal(scene_try(&scene, *state, text), STICK_BAD_INPUT);
            assert_non_null(strstr(stick_last_error(*state), "a contact has anisotropic friction"));
            continue;
        }
        assert_ok(*state, scene_try(&scene, *state, text));
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[0], 1 - 0.05 * G * 0.1, 1e-4);
        assert_near(v_of(&scene, 0)[1], 0.5 - 0.05 * G * 0.3, 1e-4);
        scene_close(&scene);
    }
}

// Deformable bodies have it, too, by every scheme of dynamics.
static void surfaces_have_sections(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {rubber: {young: 1e6, poisson: 0.3, density: 1000}}\n"
        "bodies: {pad: {mesh: {box: {size: [0.4, 0.4, 0.02], cells: [2, 2, 1]}}, material: rubber, "
        "velocity: [1, 1, 0]}}\n"
        "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
        "gravity: [0, 0, -9.81]\n"
        "contacts: [{between: [pad.bottom, floor], friction: {ellipse: [0.1, 0.3], axis: [1, 0, 0]}}]\n"
        "steps: [{dynamics: {scheme: theta, theta: 1, step: 1e-3, end: 0.05}}]\n");
    double p[2] = {0};
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        for (int c = 0; c < scene.run->contacts.ncontacts; c++) {
            const double *r = &scene.run->r[3 * c];
            const StickContact *contact = &scene.run->contacts.contact[c];
            for (int k = 0; k < 2; k++)
                p[k] += r[1] * contact->frame[1][k] + r[2] * contact->frame[2][k];
        }
    }
    double mass = 1000 * 0.4 * 0.4 * 0.02, v[2];
    for (int k = 0; k < 2; k++) {
        v[k] = scene_mean(&scene, 0, k, scene.run->state.now.v);
        assert_near(mass * (v[k] - 1), p[k], 1e-9);
    }
    // friction is a^2 and b^2 of phi on the average
    assert_true(v[0] < 0.99 && v[1] < v[0]);
    assert_near((1 - v[1]) / (1 - v[0]), 9, 1);
    scene_close(&scene);
}

// ---- cohesion

// A block below a ceiling, by two corners, each of which holds a part of half its weight.
static void open_hanging(Scene *scene, StickContext *ctx, double part, const char *more, double h, double end)
{
    char text[2048];
    double weight = 2500 * 0.4 * 0.2 * G;
    snprintf(text, sizeof text,
             HEAD "bodies: {block: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0, -0.1]}}\n"
                  "obstacles: {ceiling: {plane: {point: [0, 0], normal: [0, -1]}}}\n"
                  "gravity: [0, -9.81]\n"
                  "contacts: [{between: all, friction: 0.3, cohesion: %.17g%s}]\n"
                  "steps: [{dynamics: {step: %.17g, end: %.17g}}]\n",
             part * weight / 2, more, h, end);
    assert_ok(ctx, scene_try(scene, ctx, text));
}

static void blocks_hang_where_cohesion_carries_them(void **state)
{
    Scene scene;
    double h = 1e-3;
    const double parts[] = {1 + 1e-6, 1.5};
    for (int i = 0; i < 2; i++) {
        open_hanging(&scene, *state, parts[i], "", h, 1);
        scene_run(&scene);
        for (int k = 0; k < 3; k++)
            assert_near(q_of(&scene, 0)[k], 0, 1e-11);
        assert_near(scene_force(&scene) / (2500 * 0.4 * 0.2 * G), -1, 1e-9);
        assert_int_equal(count_status(&scene, STICK_APART), 0);
        check_books(&scene);
        scene_close(&scene);
    }
    // the step in which it opens still pulls; then it falls freely
    open_hanging(&scene, *state, 0.999, "", h, 1);
    scene_run(&scene);
    assert_near(v_of(&scene, 0)[1], -G * (1 - h) - 0.001 * G * h, 1e-9);
    assert_int_equal(scene.run->contacts.ncontacts, 0);
    check_books(&scene);
    scene_close(&scene);
}

// In space by four corners, and a chain of boxes glued to each other and held by a pin: joints take a part.
static void glued_boxes_hang_in_space_and_on_joints(void **state)
{
    Scene scene;
    double weight = 2500 * 0.2 * 0.2 * 0.2 * G;
    scene_open(
        &scene, *state,
        "materials: {stone: {density: 2500}}\n"
        "bodies: {box: {rigid: {box: [0.2, 0.2, 0.2]}, material: stone, repeat: {i: [0, 2]}, position: [0, "
        "0, \"-0.1 - 0.2*i\"]}}\n"
        "obstacles: {ceiling: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}}\n"
        "gravity: [0, 0, -9.81]\n"
        "contacts: [{between: all, friction: 0.3, cohesion: %.17g}]\n"
        "steps: [{dynamics: {step: 1e-3, end: 0.3}}]\n",
        3.001 * weight / 4);
    scene_run(&scene);
    assert_below(stick_simulation_largest(scene.run->state.now.q, scene.run->state.n), 1e-10);
    check_books(&scene);
    scene_close(&scene);
    scene_open(&scene, *state,
               "materials: {stone: {density: 2500}}\n"
               "bodies:\n"
               "  beam: {rigid: {box: [1, 0.1]}, material: stone, position: [0, 0.05]}\n"
               "  block: {rigid: {box: [0.2, 0.2]}, material: stone, position: [0.4, -0.1]}\n"
               "gravity: [0, -9.81]\n"
               "joints: [{pin: {between: [beam], at: [-0.5, 0.05]}}]\n"
               "contacts: [{between: all, friction: 0.5, cohesion: 4000}]\n"
               "steps: [{dynamics: {step: 1e-3, end: 0.5}}]\n");
    scene_run(&scene);
    // they swing as one: in the axes of the beam the block is where it was, along it to first order in the step
    const double *beam = q_of(&scene, 0), *block = q_of(&scene, 1);
    double c = cos(beam[2]), s = sin(beam[2]), x = 0.4 + block[0] - beam[0], y = -0.15 + block[1] - beam[1];
    assert_true(beam[2] < -1.4);
    assert_near(block[2], beam[2], 1e-8);
    assert_near(c * x + s * y, 0.4, 2e-3);
    assert_near(c * y - s * x, -0.15, 3e-6);
    check_books(&scene);
    scene_close(&scene);
}

// Friction is that of r_N + c: mu 2 c carries the weight of a block that nothing presses on its wall.
static void blocks_stick_on_a_wall(void **state)
{
    double weight = 2500 * 0.1 * 0.4 * G, mu = 0.5;
    for (int k = 0; k < 2; k++) {
        Scene scene;
        double part = k == 0 ? 1.0001 : 0.9;
        scene_open(&scene, *state,
                   "materials: {stone: {density: 2500}}\n"
                   "bodies: {block: {rigid: {box: [0.1, 0.4]}, material: stone, position: [0.05, 0]}}\n"
                   "obstacles: {wall: {plane: {point: [0, 0], normal: [1, 0]}}}\n"
                   "gravity: [0, -9.81]\n"
                   "contacts: [{between: all, friction: %g, cohesion: %.17g}]\n"
                   "steps: [{dynamics: {step: 1e-3, end: 0.5}}]\n",
                   mu, part * weight / (2 * mu));
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[1], k == 0 ? 0 : -0.5 * G * (1 - part), 1e-8);
        assert_near(v_of(&scene, 0)[0], 0, 1e-9);
        assert_near(scene_force(&scene), 0, 1e-6);
        // equal compliance shares the weight equally as far as the cones allow: the upper corner is at its limit
        assert_int_equal(count_status(&scene, STICK_SLIPPING), k == 0 ? 1 : 2);
        assert_int_equal(count_status(&scene, STICK_STICKING), k == 0 ? 1 : 0);
        // the upper corner is torn at, the lower one is pressed: the couple of the weight
        double most = fmax(scene.run->r[0], scene.run->r[2]) / scene.run->h;
        assert_near(most * 0.4, (k == 0 ? 1 : part) * weight * 0.05, 1e-4 * weight);
        check_books(&scene);
        scene_close(&scene);
    }
}

// A force that grows pulls it off the floor at F = m g + 2 c.
static void glued_blocks_are_pulled_off_at_their_strength(void **state)
{
    Scene scene;
    double weight = 2500 * 0.4 * 0.2 * G, strength = 3000, h = 1e-3, rate = 1e4;
    scene_open(&scene, *state,
               "materials: {stone: {density: 2500}}\n"
               "bodies: {block: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0, 0.1]}}\n"
               "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "gravity: [0, -9.81]\n"
               "loads: [{on: block, force: [0, \"1e4*t\"]}]\n"
               "contacts: [{between: [block, floor], cohesion: %g}]\n"
               "steps: [{dynamics: {step: %g, end: 2}}]\n",
               strength, h);
    double least = 0;
    while (v_of(&scene, 0)[1] < 1e-9 && !stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        least = fmin(least, scene_force(&scene));
    }
    assert_near(scene.run->state.now.t, (weight + 2 * strength) / rate, 1.01 * h);
    assert_near(least, -2 * strength, 1e-6);
    scene_steps(&scene, 100);
    assert_int_equal(scene.run->contacts.ncontacts, 0);
    check_books(&scene);
    scene_close(&scene);
}

// Cohesion that only contacts of the start have: what broke stays broken, and holds nothing when it is closed again.
static void bonds_break_for_good_by_their_state(void **state)
{
    for (int k = 0; k < 2; k++) {
        Scene scene;
        const char *law =
            k == 0 ? "cohesion: 3000" : "cohesion: \"3000*state\", state: {start: \"t == 0 and 1 or 0\"}";
        // torn off for 0.05 s, let fall, and pulled again by 1.5 times its weight of 1962, which 6000 more would hold
        scene_open(
            &scene, *state,
            "materials: {stone: {density: 2500}}\n"
            "bodies: {block: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0, 0.1]}}\n"
            "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
            "gravity: [0, -9.81]\n"
            "loads: [{on: block, force: [0, \"t < 0.1 and 5000 or t < 0.15 and 9000 or t < 1.5 and 0 or "
            "2943\"]}]\n"
            "contacts: [{between: all, %s}]\n"
            "steps: [{dynamics: {step: 1e-3, end: 2}}]\n",
            law);
        scene_steps(&scene, 100);
        assert_near(q_of(&scene, 0)[1], 0, 1e-11); // the bond holds
        scene_steps(&scene, 1300);
        assert_near(q_of(&scene, 0)[1], 0, 1e-2); // back on the floor
        assert_near(v_of(&scene, 0)[1], 0, 1e-9);
        scene_run(&scene);
        double rises = 0.5 * 0.5 * G * 0.5 * 0.5;
        assert_near(q_of(&scene, 0)[1], k == 0 ? 0 : rises, 0.02);
        check_books(&scene);
        scene_close(&scene);
    }
}

// Restitution parts them, and glue pulls in no more than the one step in which they still overlap; without it what is thrown on glue stays there.
static void glue_holds_what_does_not_bounce(void **state)
{
    for (int k = 0; k < 2; k++) {
        Scene scene;
        double v = 0.05, h = 1e-3;
        scene_open(
            &scene, *state,
            "materials: {stone: {density: 2500}}\n"
            "bodies: {block: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0, 0.1], velocity: [0, "
            "%g]}}\n"
            "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
            "contacts: [{between: all, cohesion: 1000, restitution: %g}]\n"
            "steps: [{dynamics: {step: %g, end: 1}}]\n",
            -v, k == 0 ? 0.5 : 0, h);
        scene_steps(&scene, 200);
        double pull = h * 2 * 1000 / (2500 * 0.4 * 0.2);
        assert_near(v_of(&scene, 0)[1], k == 0 ? 0.5 * v - pull : 0, 1e-10);
        assert_int_equal(scene.run->contacts.ncontacts, k == 0 ? 0 : 2);
        check_books(&scene);
        scene_close(&scene);
    }
}

// What is solved and certified is the problem of R = r + h c n: it is exported with its own solution.
static void exported_problems_have_their_solutions(void **state)
{
    for (int k = 0; k < 2; k++) {
        Scene scene;
        double r[4];
        StickCertificate certificate;
        if (k == 0)
            open_hanging(&scene, *state, 1.5, "", 1e-3, 1);
        else
            scene_open(
                &scene, *state,
                "bodies: {a: {rigid: {disk: 0.5, mass: 2}, velocity: [1, 0]}, b: {rigid: {disk: 0.5, mass: "
                "2}, position: [1, 0]}}\n"
                "contacts: [{between: all, friction: 0.2, dissipation: 0.25}]\n"
                "steps: [{dynamics: {step: 1e-3, end: 1}}]\n");
        scene_step(&scene);
        StickFrictionProblem problem = stick_simulation_problem(scene.run);
        assert_int_equal(problem.ncontacts, k == 0 ? 2 : 1);
        stick_simulation_solution(scene.run, r);
        assert_ok(*state, stick_certify(*state, &problem, r, 0, 1e-10, &certificate));
        assert_true(certificate.certified);
        assert_ok(*state, stick_certify(*state, &problem, scene.run->r, 0, 1e-10, &certificate));
        assert_false(certificate.certified);
        scene_close(&scene);
    }
}

// ---- laws of place, speed and state

static void open_thrown(Scene *scene, StickContext *ctx, const char *law, double height, double speed,
                        double h)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "bodies: {block: {rigid: {box: [0.002, %.17g]}, material: stone, position: [0, %.17g], "
                  "velocity: [%.17g, 0]}}\n"
                  "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                  "gravity: [0, -9.81]\n"
                  "contacts: [{between: all, %s}]\n"
                  "steps: [{dynamics: {step: %.17g, end: 10}}]\n",
             height, height / 2, speed, law, h);
    assert_ok(ctx, scene_try(scene, ctx, text));
}

// Where and when it stops.
static double stop(Scene *scene, double *time)
{
    while (v_of(scene, 0)[0] > 1e-9 && !stick_simulation_is_done(scene->run))
        scene_step(scene);
    *time = scene->run->state.now.t;
    check_books(scene);
    return q_of(scene, 0)[0];
}

static void blocks_stop_behind_where_the_floor_becomes_rough(void **state)
{
    Scene scene;
    double time, v = 2;
    open_thrown(&scene, *state, "friction: \"x > 1 and 0.4 or 0\"", 2e-4, v, 1e-4);
    assert_near(stop(&scene, &time), 1 + v * v / (2 * 0.4 * G), 2e-3);
    assert_near(time, 1 / v + v / (0.4 * G), 2e-3);
    scene_close(&scene);
}

// mu = k x at each corner: x_p = x + mu l where all of it is pressed on, so mu = k x / (1 - k l), and it stops as a spring
// would stop it, after a quarter of a period.
static void friction_that_grows_with_the_place_is_a_spring(void **state)
{
    double error[2], k = 0.3, l = 5e-4, v = 1.5, omega = sqrt(G * k / (1 - k * l)), time;
    for (int i = 0; i < 2; i++) {
        Scene scene;
        double h = i == 0 ? 2e-3 : 1e-3;
        open_thrown(&scene, *state, "friction: \"max(0, 0.3*x)\"", 2 * l, v, h);
        error[i] = fabs(stop(&scene, &time) - v / omega);
        assert_near(time, acos(-1) / (2 * omega), 2 * h);
        scene_close(&scene);
    }
    assert_below(error[0], 1e-2);
    assert_below(error[1] / error[0], 0.55);
}

// Friction falls from 0.5 to 0.3 over the first 0.1 of sliding: v^2 / 2 = g (0.04 + 0.3 (s - 0.1))
static void friction_weakens_by_slip(void **state)
{
    double error[2], v = 1.5, exact = 0.1 + (v * v / (2 * G) - 0.04) / 0.3, time;
    for (int i = 0; i < 2; i++) {
        Scene scene;
        open_thrown(&scene, *state, "friction: \"0.5 - 0.2*min(state/0.1, 1)\", state: {start: 0, rate: v}",
                    2e-4, v, i == 0 ? 2e-3 : 1e-3);
        error[i] = fabs(stop(&scene, &time) - exact);
        // how far it has slid is what it remembers
        assert_near(scene.run->state.memory.keyed[0].state, q_of(&scene, 0)[0], 4e-3);
        scene_close(&scene);
    }
    assert_below(error[0], 5e-3);
    assert_below(error[1] / error[0], 0.6);
}

static void open_ball(Scene *scene, StickContext *ctx, const char *law, double drop)
{
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "bodies: {ball: {rigid: {disk: 0.1}, material: stone, position: [0, %.17g]}}\n"
                  "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                  "gravity: [0, -9.81]\n"
                  "contacts: [{between: all, %s}]\n"
                  "steps: [{dynamics: {step: 1e-3, end: 3}}]\n",
             0.1 + drop, law);
    assert_ok(ctx, scene_try(scene, ctx, text));
}

// The velocities before and after the first impact.
static void bounce(Scene *scene, double *before, double *after)
{
    do {
        *before = v_of(scene, 0)[1];
        scene_step(scene);
        *after = v_of(scene, 0)[1];
    } while (*after < *before);
}

// Hard hits bounce less: e = 1 / (1 + v / 10)
static void restitution_depends_on_the_speed_of_approach(void **state)
{
    const double drops[] = {0.01, 0.1, 1, 3};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        double before, after;
        open_ball(&scene, *state, "restitution: \"1/(1 + approach/10)\"", drops[k]);
        bounce(&scene, &before, &after);
        assert_near(before, -sqrt(2 * G * drops[k]), 2e-2);
        assert_near(after, -before / (1 - before / 10), 1e-9);
        check_books(&scene);
        scene_close(&scene);
    }
}

// Nothing is lost in fast collisions, all in slow ones.
static void dissipation_depends_on_the_largest_speed_of_approach(void **state)
{
    for (int k = 0; k < 2; k++) {
        Scene scene;
        double before, after;
        open_ball(&scene, *state, "dissipation: \"approach > 1 and 0 or 1\"", k == 0 ? 1 : 0.01);
        bounce(&scene, &before, &after);
        // it is seen at the start of the step, and u_L is what comes back
        assert_near(after, k == 0 ? -before + G * 1e-3 : 0, 1e-9);
        check_books(&scene);
        scene_close(&scene);
    }
}

// ---- mistakes

static void what_does_not_go_together_is_refused(void **state)
{
    static const struct {
        const char *law, *step, *says;
    } mistake[] = {
        {"cohesion: 5, dissipation: 0", "step: 1e-3, end: 1",
         "'cohesion' requires a 'dissipation' of 1, but the system has a different one"},
        {"friction: \"0.1*state\"", "step: 1e-3, end: 1",
         "the law of this contact uses 'state', which is not defined: define it, as 'state: {start: 0, rate: "
         "v}'"},
        {"friction: 0.1, state: {rate: v}", "step: 1e-3, end: 1", "needs the key 'start'"},
        {"friction: \"0.1*approach\"", "step: 1e-3, end: 1", "unknown name 'approach'"},
    };
    for (size_t k = 0; k < sizeof mistake / sizeof *mistake; k++) {
        Scene scene;
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "bodies: {ball: {rigid: {disk: 0.1}, material: stone}}\n"
                      "contacts: [{between: all, %s}]\n"
                      "steps: [{dynamics: {%s}}]\n",
                 mistake[k].law, mistake[k].step);
        stick_diagnostics_clear(*state);
        assert_int_equal(scene_try(&scene, *state, text), STICK_BAD_INPUT);
        if (!strstr(stick_last_error(*state), mistake[k].says))
            fail_msg("'%s' is not in '%s'", mistake[k].says, stick_last_error(*state));
    }
    // an index that falls below 1 later is found when it does; so is a cohesion that becomes negative
    static const char *const late[][2] = {
        {"cohesion: 5", "step: 1e-3, end: 1, dissipation: \"1 - t\""},
        {"cohesion: \"0.01 - t\"", "step: 1e-3, end: 1"},
    };
    for (int k = 0; k < 2; k++) {
        Scene scene;
        StickStatus status = STICK_OK;
        scene_open(&scene, *state,
                   "materials: {stone: {density: 2500}}\n"
                   "bodies: {ball: {rigid: {disk: 0.1}, material: stone, position: [0, 0.1]}}\n"
                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                   "contacts: [{between: all, %s}]\n"
                   "steps: [{dynamics: {%s}}]\n",
                   late[k][0], late[k][1]);
        for (int i = 0; i < 30 && status == STICK_OK; i++)
            status = stick_simulation_step(scene.run);
        assert_int_equal(status, STICK_BAD_INPUT);
        assert_non_null(
            strstr(stick_last_error(*state), k == 0 ? "exclude each other" : "must not be negative"));
        scene_close(&scene);
    }
}

static StickStatus step_with_all_laws(StickContext *ctx, void *data)
{
    Scene scene;
    STICK_TRY(scene_try(&scene, ctx, data));
    StickStatus status = stick_simulation_step(scene.run);
    if (status == STICK_OK)
        status = stick_simulation_step(scene.run);
    scene_close(&scene);
    return status;
}

static void laws_survive_failing_memory(void **state)
{
    (void)state;
    char text[] = HEAD
        "bodies: {slab: {rigid: {box: [0.4, 0.4, 0.02]}, material: stone, position: [0, 0, 0.01]}}\n"
        "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
        "gravity: [1, 0, -9.81]\n"
        "contacts: [{between: all, friction: {polygon: [[1, 0], [0, 1], [-1, -1]], axis: [1, 0, 0], factor: "
        "\"0.1 + state\"}, cohesion: 5, state: {start: 0, rate: 1}}]\n"
        "steps: [{dynamics: {step: 1e-3, end: 1}}]\n";
    assert_survives_failing_memory(step_with_all_laws, text);
}

// All laws of a step are asked at its end: a ball that lies on the ground hits it in the first step.
static void restitution_sees_the_time_at_the_end_of_the_step(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {stone: {density: 1}}\n"
        "bodies: {ball: {rigid: {disk: 0.5}, material: stone, position: [0, 0.5], velocity: [0, -1]}}\n"
        "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "contacts: [{between: all, friction: 0, restitution: \"t > 0 and 1 or 0\"}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1e-3}}]\n");
    scene_run(&scene);
    assert_near(scene.run->state.now.v[1], 1, 1e-12);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(restitution_sees_the_time_at_the_end_of_the_step),
        test_with_context(slabs_stick_inside_of_an_ellipse),
        test_with_context(thrown_slabs_curve_towards_the_easy_direction),
        test_with_context(polygons_hold_each_way_by_their_own_coefficient),
        test_with_context(sections_are_oriented_on_any_plane),
        test_with_context(intervals_hold_each_way),
        test_with_context(solvers_agree_or_refuse_by_name),
        test_with_context(surfaces_have_sections),
        test_with_context(blocks_hang_where_cohesion_carries_them),
        test_with_context(glued_boxes_hang_in_space_and_on_joints),
        test_with_context(blocks_stick_on_a_wall),
        test_with_context(glued_blocks_are_pulled_off_at_their_strength),
        test_with_context(bonds_break_for_good_by_their_state),
        test_with_context(glue_holds_what_does_not_bounce),
        test_with_context(exported_problems_have_their_solutions),
        test_with_context(blocks_stop_behind_where_the_floor_becomes_rough),
        test_with_context(friction_that_grows_with_the_place_is_a_spring),
        test_with_context(friction_weakens_by_slip),
        test_with_context(restitution_depends_on_the_speed_of_approach),
        test_with_context(dissipation_depends_on_the_largest_speed_of_approach),
        test_with_context(what_does_not_go_together_is_refused),
        test_with_context(laws_survive_failing_memory),
    };
    return cmocka_run_group_tests_name("stepping.step_laws", tests, NULL, NULL);
}
