// SPDX-License-Identifier: Apache-2.0
// Bodies that go farther in a step than they are thick: they hit what is on their way, by the laws of all others, and go on
// where there is nothing.
#include "stepping/mechanism.h"

// Two balls in the plane and in space whose ways cross, each going 8 of its radii in a step: at every offset of the start
// they collide as slow ones do, and keep momentum, angular momentum and energy.
static void fast_balls_exchange_their_velocities(void **state)
{
    static const char *const shape[] = {"disk: 0.01", "sphere: 0.01"};
    for (int k = 0; k < 40; k++) {
        Scene scene;
        const char *z = k % 2 ? ", 0" : "";
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  a: {rigid: {%s, mass: 1}, position: [%.17g, 0%s], velocity: [80, 0%s]}\n"
                   "  b: {rigid: {%s, mass: 1}, position: [1, 0%s], velocity: [-80, 0%s]}\n"
                   "contacts: [{between: all, restitution: 1}]\n"
                   "steps: [{dynamics: {step: 1e-3, end: 0.02}}]\n",
                   shape[k % 2], -1 - 0.004 * k, z, z, shape[k % 2], z, z);
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[0], -80, 1e-9);
        assert_near(v_of(&scene, 1)[0], 80, 1e-9);
        check_books(&scene);
        scene_close(&scene);
    }
}

// A ball that strikes a free bar beside its middle: what comes of it by momentum, angular momentum and restitution, whatever
// the step. The wall is 2 mm thick, and the ball goes 0.1 in a step.
static void fast_ball_turns_a_thin_bar(void **state)
{
    // 1/m_e = 1/m + 1/M + d^2/J with d = 0.3, J = M (L^2 + w^2)/12; u = 100, e = 0.5
    const double m = 0.1, M = 2, J = 2 * (1 + 4e-6) / 12, d = 0.3, u = 100;
    const double r = 1.5 * u / (1 / m + 1 / M + d * d / J);
    for (int k = 0; k < 20; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  ball: {rigid: {disk: 0.01, mass: 0.1}, position: [%.17g, 0.3], velocity: [100, 0]}\n"
                   "  bar: {rigid: {box: [0.002, 1], mass: 2}}\n"
                   "contacts: [{between: all, restitution: 0.5}]\n"
                   "steps: [{dynamics: {step: 1e-3, end: 0.012}}]\n",
                   -0.5 - 0.005 * k);
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[0], u - r / m, 1e-6 * u);
        assert_near(v_of(&scene, 1)[0], r / M, 1e-6 * u);
        assert_near(v_of(&scene, 1)[2], -d * r / J, 1e-6 * u);
        check_books(&scene);
        scene_close(&scene);
    }
}

// Past the end of a wall, and through the gap between two, at an angle.
static void fast_balls_pass_where_there_is_room(void **state)
{
    for (int k = 0; k < 20; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "bodies:\n"
            "  ball: {rigid: {disk: 0.01, mass: 0.1}, position: [%.17g, %.17g], velocity: [100, 100]}\n"
            "  low: {rigid: {box: [0.002, 1], mass: 2}, position: [0, -0.52]}\n"
            "  high: {rigid: {box: [0.002, 1], mass: 2}, position: [0, 0.52]}\n"
            "contacts: [{between: all, restitution: 0.5}]\n"
            "steps: [{dynamics: {step: 1e-3, end: 0.012}}]\n",
            -0.5 - 0.005 * k, -0.5 - 0.005 * k);
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[0], 100, 0);
        assert_near(v_of(&scene, 0)[1], 100, 0);
        scene_close(&scene);
    }
}

// A bullet and a plate in space, and thin wires as obstacles; the plate is led and moves towards the bullet.
static void fast_balls_are_stopped_in_space(void **state)
{
#define LED                                                                                               \
    "  plate: {rigid: {cylinder: {radius: 0.5, length: 0.002}, mass: 2000}, rotation: [0, deg(90), 0]}\n" \
    "supports: [{on: plate, velocity: [-5, 0, 0], angular-velocity: [0, 0, 0]}]\n"
    static const char *const stop[] = {
        "  plate: {rigid: {box: [0.002, 1, 1], mass: 2000}, rotation: [0.3, 0, 0]}\n",
        LED,
        "obstacles: {wire: {cylinder: {point: [0, 0, 0], axis: [0, 0.2, 1], radius: 0.001}}}\n",
        "obstacles: {wire: {sphere: {centre: [0, 0, 0], radius: 0.001}, velocity: [-5, 0, 0]}}\n",
    };
    for (int k = 0; k < 40; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "bodies:\n"
            "  ball: {rigid: {sphere: 0.01, mass: 0.1}, position: [%.17g, 0, 0], velocity: [100, 0, 0]}\n"
            "%scontacts: [{between: all, friction: 0.2}]\n"
            "steps: [{dynamics: {step: 1e-3, end: 0.012}}]\n",
            -0.5 - 0.01 * (k / 4), stop[k % 4]);
        scene_run(&scene);
        assert_below(q_of(&scene, 0)[0], 0.5 + 0.01 * (k / 4) - 0.005);
        assert_below(v_of(&scene, 0)[0], 1);
        check_books(&scene);
        scene_close(&scene);
    }
}

// What slides over the floor of a tray is stopped by its wall, though both are one body; what slides from one tile of a floor
// to the next is not.
static void fast_boxes_in_trays_are_stopped_by_walls(void **state)
{
    static const char *const last[] = {"{box: [0.02, 1], position: [3, 0.5]}",
                                       "{box: [4, 0.2], position: [7, -0.1]}"};
    for (int k = 0; k < 20; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "bodies:\n"
            "  tray: {rigid: {compound: [{box: [10, 0.2], position: [0, -0.1]}, %s]%s}\n"
            "  b: {rigid: {box: [0.1, 0.1], mass: 1}, position: [%.17g, 0.0505], velocity: [47, -0.2]}\n"
            "supports: [{on: tray, velocity: [0, 0], angular-velocity: 0}]\n"
            "gravity: [0, -9.81]\n"
            "contacts: [{between: all, friction: 0.1}]\nsteps: [{dynamics: {step: 5e-3, end: 0.12}}]\n",
            last[k % 2], ", mass: 1000}", -0.012 * k);
        scene_run(&scene);
        double x = q_of(&scene, 1)[0] - 0.012 * k;
        if (k % 2)
            assert_near(v_of(&scene, 1)[0], 47 - 0.1 * (0.2 + 9.81 * 0.12), 1e-9);
        else
            assert_below(fmax(x, fabs(v_of(&scene, 1)[0])), 3);
        scene_close(&scene);
    }
}

// A wire that is moved strikes a ball at rest: it gets its speed.
static void fast_obstacles_strike_what_rests(void **state)
{
    for (int k = 0; k < 20; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies: {ball: {rigid: {disk: 0.01, mass: 0.1}, position: [%.17g, 0]}}\n"
                   "obstacles: {wire: {circle: {centre: [-0.5, 0], radius: 0.001}, velocity: [100, 0]}}\n"
                   "contacts: [{between: all}]\nsteps: [{dynamics: {step: 1e-3, end: 0.012}}]\n",
                   0.005 * k);
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[0], 100, 1e-9);
        check_books(&scene);
        scene_close(&scene);
    }
}

// A ball that goes many thicknesses of a soft plate in a step: it is stopped at the plate and gives it its momentum.
static void fast_balls_do_not_pass_deformable_plates(void **state)
{
    for (double v = 10; v < 1e6; v *= 30) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {rubber: {young: 1e6, poisson: 0.3, density: 1000}}\n"
            "bodies:\n"
            "  plate: {mesh: {rectangle: {size: [0.02, 1], cells: [2, 20]}}, material: rubber}\n"
            "  ball: {rigid: {disk: 0.05, mass: 1}, position: [-0.5, 0.5], velocity: [%g, 0]}\n"
            "contacts: [{between: [plate.left, ball]}]\nsteps: [{dynamics: {step: 1e-3, end: %.17g}}]\n",
            v, 2e-3 * ceil(1 + 500 / v));
        scene_run(&scene);
        double given = 1 * (v - v_of(&scene, 1)[0]),
               taken = 20 * scene_mean(&scene, 0, 0, scene.run->state.now.v);
        assert_true(v_of(&scene, 1)[0] < 0.5 * v);
        assert_near(taken, given, 1e-9 * v);
        scene_close(&scene);
    }
}

// A row of balls that are struck one after the other within a step changes nothing for balls far away: they bounce with their
// own restitution, in the plane and in space. The row itself does not gain energy.
static void chains_of_hits_change_nothing_elsewhere(void **state)
{
    enum { ROW = 20 };
    for (int k = 0; k < 6; k++) {
        char row[ROW * 120], *end = row;
        const char *z = k % 2 ? ", 0" : "", *shape = k % 2 ? "sphere" : "disk";
        double speed = k < 2 ? 1 : k < 4 ? 30 : 100, energy = 0.5 * (speed * speed + 1e6);
        for (int i = 0; i < ROW; i++)
            end += sprintf(end, "  d%d: {rigid: {%s: 0.01, mass: 1}, position: [%.17g, 5%s]}\n", i, shape,
                           100 + 0.1 * i, z);
        Scene scene;
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  ball: {rigid: {%s: 0.1, mass: 1}, position: [0, 0.2%s], velocity: [0, %.17g%s]}\n"
                   "  bullet: {rigid: {%s: 0.01, mass: 1}, position: [99.9, 5%s], velocity: [1000, 0%s]}\n%s"
                   "obstacles: {ground: {plane: {point: [0, 0%s], normal: [0, 1%s]}}}\n"
                   "contacts: [{between: all, restitution: 1}]\n"
                   "steps: [{dynamics: {step: 1e-2, end: 0.2}}]\n",
                   shape, z, -speed, z, shape, z, z, row, z, z);
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[1], speed, 1e-9 * speed);
        assert_below(scene.run->ledger.kinetic, energy * (1 + 1e-9));
        scene_close(&scene);
    }
}

// Bodies that hit a plate 20 mm before its end, and are far beyond it at the next detection: they leave it along its surface, or
// with the velocity of the rebound, as with short steps. Friction takes its part of the whole impulse.
static void bodies_leave_the_end_of_a_plate_along_it(void **state)
{
    static const struct {
        int dim;
        const char *body, *plate;
        double half;
    } hit[] = {
        {2, "disk: 0.01", "w: {rigid: {box: [2, 0.02], mass: 1}, position: [0, -0.01]}", 0.01},
        {2, "box: [0.02, 0.02]", "w: {rigid: {box: [2, 0.02], mass: 1}, position: [0, -0.01]}", 0.01},
        {2, "stadium: {radius: 0.01, length: 0.03}",
         "w: {rigid: {box: [2, 1e-3], mass: 1}, position: [0, -5e-4]}", 0.025},
        {2, "disk: 0.01", NULL, 0.01},
        {3, "sphere: 0.01", "w: {rigid: {box: [2, 2, 0.02], mass: 1}, position: [0, 0, -0.01]}", 0.01},
        {3, "box: [0.02, 0.02, 0.02]", "w: {rigid: {box: [2, 2, 1e-3], mass: 1}, position: [0, 0, -5e-4]}",
         0.01},
        {3, "sphere: 0.01",
         "w: {rigid: {cylinder: {radius: 1, length: 0.02}, mass: 1}, position: [0, 0, -0.01]}", 0.01},
    };
    static const double speed[] = {10, 100, 3e3, 3e4};
    for (size_t k = 0; k < sizeof hit / sizeof *hit; k++) {
        for (int e = 0; e < 2; e++) {
            for (size_t s = 0; s < sizeof speed / sizeof *speed; s++) {
                Scene scene;
                int dim = hit[k].dim;
                // friction would turn a stadium that stands on its end, and a box that rebounds
                bool is_smooth = k == 2 || (e && strstr(hit[k].body, "box"));
                const char *y = dim == 2 ? "" : ", 0",
                           *held = "velocity: [0, 0, 0], angular-velocity: [0, 0, 0]";
                double v = speed[s], u = v / 2;
                char other[300];
                if (hit[k].plate)
                    snprintf(other, sizeof other, "  %s\nsupports: [{on: w, %s}]\n", hit[k].plate,
                             dim == 2 ? "velocity: [0, 0], angular-velocity: 0" : held);
                else
                    snprintf(other, sizeof other,
                             "obstacles: {w: {polyline: {points: [[-1, 0], [1, 0], [1, -0.1], [-1, -0.1], "
                             "[-1, 0]]}}}\n");
                scene_open(&scene, *state,
                           "bodies:\n  b: {rigid: {%s, mass: 1}, position: [%.17g%s, %.17g], velocity: "
                           "[%g%s, %g]}\n%s"
                           "contacts: [{between: all, friction: %g, restitution: %d}]\n"
                           "steps: [{dynamics: {step: 1e-2, end: 0.05}}]\n",
                           hit[k].body, 0.98 - v * 0.008, y, hit[k].half + 0.008 * u, v, y, -u, other,
                           is_smooth ? 0.0 : 0.2, e);
                scene_run(&scene);
                const double *w = v_of(&scene, 0);
                double height = hit[k].half + 0.008 * u + q_of(&scene, 0)[dim - 1];
                assert_near(w[dim - 1], e * u, 1e-9 * v);
                assert_true(height > hit[k].half - 1e-9 * fmax(1, v));
                if (!e)
                    assert_near(height, hit[k].half, 1e-9 * fmax(1, v));
                assert_near(w[0], v - (is_smooth ? 0 : 0.2 * (1 + e) * u), 1e-6 * v);
                check_books(&scene);
                scene_close(&scene);
            }
        }
    }
}

// The same with a free bar, whose end a ball without friction hits: momentum, angular momentum and u_N = 0 at the hit, though
// the ball is past the bar when the impulse is completed.
static void fast_ball_turns_a_bar_that_it_passes(void **state)
{
    // 1/m_e = 1/m + 1/M + d^2/J
    const double m = 0.1, M = 2, J = 2 * (1 + 4e-4) / 12, d = 0.48, u = 6;
    const double r = u / (1 / m + 1 / M + d * d / J);
    for (int k = 0; k < 8; k++) {
        Scene scene;
        double late = 0.001 * (k + 1); // when it hits
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  ball: {rigid: {disk: 0.01, mass: 0.1}, position: [%.17g, %.17g], velocity: [20, -6]}\n"
                   "  bar: {rigid: {box: [1, 0.02], mass: 2}, position: [0, -0.01]}\n"
                   "contacts: [{between: all}]\nsteps: [{dynamics: {step: 1e-2, end: 0.05}}]\n",
                   0.48 - 20 * (0.005 + late), 0.01 + 6 * (0.005 + late));
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[0], 20, 1e-9);
        assert_near(v_of(&scene, 0)[1], -u + r / m, 1e-9 * u);
        assert_near(v_of(&scene, 1)[1], -r / M, 1e-9 * u);
        assert_near(v_of(&scene, 1)[2], -d * r / J, 1e-9 * u);
        check_books(&scene);
        scene_close(&scene);
    }
}

// From the centre of a shape to its nearest place in a round container of radius 0.5, over all steps.
static double farthest_in(Scene *scene, int dim, bool is_tube)
{
    const double start[3] = {-0.2, -0.2, 0};
    double most = 0;
    while (!stick_simulation_is_done(scene->run)) {
        double x[3] = {0}, r = 0;
        scene_step(scene);
        for (int k = 0; k < dim; k++) {
            x[k] = start[k] + q_of(scene, 0)[k];
            r = k == 2 && is_tube ? fmax(r, fabs(x[k])) : hypot(r, x[k]);
        }
        most = fmax(most, r);
    }
    return most;
}

// Up to 1e4 lengths in a step, with and without restitution: nothing leaves a round container, or remains in its wall.
static void fast_bodies_stay_in_round_containers(void **state)
{
#define TUBE                                                                                              \
    "c: {cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 0.5, side: inside}}, "                     \
    "low: {plane: {point: [0, 0, -0.5], normal: [0, 0, 1]}}, high: {plane: {point: [0, 0, 0.5], normal: " \
    "[0, 0, -1]}}"
    static const struct {
        int dim;
        const char *body, *container;
        bool is_tube;
    } in[] = {
        {2, "disk: 0.03", "c: {circle: {centre: [0, 0], radius: 0.5, side: inside}}", false},
        {2, "box: [0.06, 0.04]", "c: {circle: {centre: [0, 0], radius: 0.5, side: inside}}", false},
        {3, "sphere: 0.03", "c: {sphere: {centre: [0, 0, 0], radius: 0.5, side: inside}}", false},
        {3, "cylinder: {radius: 0.03, length: 0.05}",
         "c: {sphere: {centre: [0, 0, 0], radius: 0.5, side: inside}}", false},
        {3, "sphere: 0.03", TUBE, true},
        {3, "cylinder: {radius: 0.03, length: 0.05}", TUBE, true},
    };
    static const double speed[] = {5, 30, 500, 3e4}, way[][3] = {{-0.9, 0.43, 0.1}, {0.35, 0.38, 0.86}};
    for (size_t k = 0; k < sizeof in / sizeof *in; k++) {
        for (int n = 0; n < 16; n++) {
            Scene scene;
            int dim = in[k].dim;
            const double *d = way[n % 2], v = speed[n / 4];
            // what is not round would rotate too far in a step
            if (v > 500 && dim == 3 && !strstr(in[k].body, "sphere"))
                continue;
            char z[60] = "";
            if (dim == 3)
                snprintf(z, sizeof z, ", %.17g", d[2] * v);
            scene_open(&scene, *state,
                       "bodies:\n  b: {rigid: {%s, mass: 1}, position: [-0.2, -0.2%s], rotation: %s, "
                       "velocity: [%.17g, "
                       "%.17g%s]}\n"
                       "obstacles: {%s}\ncontacts: [{between: all, friction: 0.2, restitution: %d}]\n"
                       "steps: [{dynamics: {step: 1e-2, end: 0.3}}]\n",
                       in[k].body, dim == 3 ? ", 0" : "", dim == 3 ? "[0.6, 0.2, 0.1]" : "0.5", d[0] * v,
                       d[1] * v, z, in[k].container, n / 2 % 2);
            assert_below(farthest_in(&scene, dim, in[k].is_tube), 0.5);
            // what rotates by radians in a step may be reported
            if (strstr(in[k].body, "disk") || strstr(in[k].body, "sphere"))
                assert_true(scene.run->record.passed == 0);
            assert_below(scene.run->record.penetration, 1e-3);
            check_books_within(&scene, 1e-9);
            scene_close(&scene);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(bodies_leave_the_end_of_a_plate_along_it),
        test_with_context(fast_ball_turns_a_bar_that_it_passes),
        test_with_context(fast_bodies_stay_in_round_containers),
        test_with_context(fast_balls_exchange_their_velocities),
        test_with_context(fast_ball_turns_a_thin_bar),
        test_with_context(fast_balls_pass_where_there_is_room),
        test_with_context(fast_balls_are_stopped_in_space),
        test_with_context(fast_boxes_in_trays_are_stopped_by_walls),
        test_with_context(fast_obstacles_strike_what_rests),
        test_with_context(fast_balls_do_not_pass_deformable_plates),
        test_with_context(chains_of_hits_change_nothing_elsewhere),
    };
    return cmocka_run_group_tests_name("stepping.fast", tests, NULL, NULL);
}
