// SPDX-License-Identifier: Apache-2.0
// Objects that are smaller than the sides of a deformable surface do not pass between its nodes.
#include "brief.h"
#include "stepping/scene.h"

#include <math.h>

// ---- a punch that is pressed into a block of rubber

typedef struct Punch {
    const char *kind; // of the obstacle
    double x;         // place along the surface, in sides of 10 mm
    double way;       // beyond the surface
    int cells;        // along 40 mm
    const char *method, *element;
} Punch;

static double press(StickContext *ctx, const Punch *p)
{
    Scene scene;
    scene_open(&scene, ctx,
               "parameters: {xs: %.17g}\n"
               "materials: {p: {young: 1e7, poisson: 0.25, density: 1000}}\n"
               "bodies: {b: {mesh: {rectangle: {size: [0.04, 0.05], cells: [%d, %d], origin: [-0.02, 0]}}, "
               "element: %s, plane: stress, thickness: 0.01, material: p}}\n"
               "obstacles: {g: {%s, displacement: [0, \"%g*t\"]}}\n"
               "supports: [{on: b.top, displacement: [0, 0]}]\n"
               "contacts: [{between: [b.bottom, g], friction: 0.2, method: %s}]\n"
               "steps: [{quasistatic: {end: 1, increments: 5}}]\n",
               0.01 * p->x, p->cells, p->cells * 5 / 4, p->element, p->kind, p->way + 1e-4, p->method);
    while (!stick_simulation_is_done(scene.run))
        scene_step(&scene);
    // supports carry what the punch gives, and nothing is out of balance
    const StickMotion *now = &scene.run->state.now;
    double given = 0, carried = 0;
    for (int i = 1; i < scene.system->ndofs; i += 2) {
        given += now->contact_N[i] + now->contact_T[i];
        carried += now->reaction[i];
    }
    assert_near(carried, -given, 1e-9 * fabs(given));
    double force = scene_force(&scene);
    scene_close(&scene);
    return force;
}

#define CIRCLE(r) "circle: {centre: [xs, -" r " - 1e-4], radius: " r "}"
static const char wedge[] = "polyline: {points: [[xs - 0.02, -0.0201], [xs, -1e-4], [xs + 0.02, -0.0201]]}";
static const char needle[] =
    "polyline: {points: [[xs - 5e-4, -0.02], [xs - 5e-4, -1e-4], [xs + 5e-4, -1e-4], [xs + 5e-4, -0.02]]}";
static const char box[] = "polyline: {points: [[xs - 2e-3, -4.1e-3], [xs - 2e-3, -1e-4], [xs + 2e-3, -1e-4], "
                          "[xs + 2e-3, -4.1e-3], [xs - 2e-3, -4.1e-3]]}";
static const char table[] = "polyline: {points: [[xs - 1e-3, -1e-4], [xs + 1e-3, -1e-4]]}";

// Wherever it is between nodes, of every kind, by both methods and with linear and quadratic elements.
static void every_punch_has_a_force(void **state)
{
    static const char *const kinds[] = {CIRCLE("5e-4"), CIRCLE("3e-3"), CIRCLE("1e-2"), CIRCLE("2e-2"),
                                        CIRCLE("5e-2"), wedge,          needle,         box,
                                        table};
    static const double x[] = {0, 0.13, 0.5, 0.99};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k += (size_t)test_size(1, 2)) {
        for (int m = 0; m < 3; m++) {
            double least = INFINITY, most = 0;
            for (int i = 0; i < 4; i++) {
                Punch p = {kinds[k],
                           x[i],
                           5e-4,
                           4,
                           m == 0 ? "nodes" : "integrated",
                           m == 2 ? "quadratic" : "linear"};
                double force = press(*state, &p);
                least = fmin(least, force);
                most = fmax(most, force);
            }
            if (!(least > 5 && most < 2.2 * least))
                fail_msg("forces from %g to %g of %s, method %d", least, most, kinds[k], m);
        }
    }
}

// The same force as on a mesh whose nodes see it, but for what coarse elements are too stiff: by half at the middle of a
// side that is five times the radius, by some per cent where the radius is most of a side.
static void a_punch_has_the_force_of_a_fine_mesh(void **state)
{
    static const char *const methods[] = {"nodes", "integrated"};
    for (int m = 0; m < 2; m++) {
        Punch p = {CIRCLE("2e-3"), 0.5, 3.8e-3, 32, methods[m], "linear"};
        double fine = press(*state, &p), last = INFINITY;
        static const int cells[] = {4, 8, 16};
        static const double off[] = {0.6, 0.1, 0.03};
        for (int k = 0; k < 3; k++) {
            p.cells = cells[k];
            double error = fabs(press(*state, &p) / fine - 1);
            assert_below(error, fmin(last, off[k]));
            last = error;
        }
    }
}

// Over a node and on: forces change by no more than the place does.
static void forces_go_on_over_nodes(void **state)
{
    static const char *const kinds[] = {CIRCLE("2e-3"), wedge};
    for (int k = 0; k < 2; k++) {
        for (int m = 0; m < 2; m++) {
            double last = 0, most = 0, jump = 0;
            for (int i = -4; i <= 4; i++) {
                Punch p = {kinds[k], i * (abs(i) < 3 ? 0.001 : 0.02), 1e-3,
                           4,        m ? "integrated" : "nodes",      "linear"};
                double force = press(*state, &p);
                if (i > -4)
                    jump = fmax(jump, fabs(force - last));
                most = fmax(most, force);
                last = force;
            }
            assert_below(jump, 0.1 * most);
        }
    }
}

// ---- rigid bodies that fall on a plate

static void open_fall(Scene *scene, StickContext *ctx, int dim, const char *shape, double x, double height,
                      const char *pattern)
{
    if (dim == 2)
        scene_open(scene, ctx,
                   "materials: {s: {young: 1e8, poisson: 0.25, density: 1000}}\n"
                   "bodies:\n"
                   "  p: {mesh: {rectangle: {size: [0.1, 0.03], cells: [10, 3], origin: [-0.05, -0.03]}}, "
                   "element: %s, material: s}\n"
                   "  d: {rigid: {%s}, material: s, position: [%g, %g], velocity: [0, -1]}\n"
                   "supports: [{on: p.bottom, displacement: [0, 0]}]\n"
                   "contacts: [{between: [p.top, d], friction: 0.1}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 2e-5, end: 1}}]\n",
                   pattern, shape, x, height);
    else
        scene_open(scene, ctx,
                   "materials: {s: {young: 1e8, poisson: 0.25, density: 1000}}\n"
                   "bodies:\n"
                   "  p: {mesh: {box: {size: [0.04, 0.04, 0.02], cells: [4, 4, 2], origin: [-0.02, -0.02, "
                   "-0.02], pattern: %s}}, material: s}\n"
                   "  d: {rigid: {%s}, material: s, position: [%g, 0.0021, %g], velocity: [0, 0, -1]}\n"
                   "supports: [{on: p.bottom, displacement: [0, 0, 0]}]\n"
                   "contacts: [{between: [p.top, d], friction: 0.1}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 2e-5, end: 1}}]\n",
                   pattern, shape, x, height);
}

// It is stopped, and what the supports take is the change of momentum.
static void assert_stopped(Scene *scene, int dim, double start)
{
    const StickLedger *ledger = &scene->run->ledger;
    const StickBody *body = &scene->system->body[1];
    double first = ledger->momentum[dim - 1], lowest = start, touched = 0;
    for (int i = 0; i < 200; i++) {
        scene_step(scene);
        lowest = fmin(lowest, start + scene->run->state.now.q[body->first + dim - 1]);
        touched = fmax(touched, scene_force(scene));
    }
    assert_true(touched > 0);
    assert_true(lowest > -1.5e-3);
    assert_true(scene->run->state.now.v[body->first + dim - 1] > -0.9);
    assert_near(ledger->momentum[dim - 1] - first, ledger->support_impulse[dim - 1],
                1e-10 * ledger->momentum_scale);
    assert_below(ledger->worst_momentum, 1e-12);
}

typedef struct Fall {
    const char *shape;
    double height; // of the middle above its lowest point
} Fall;

static void nothing_falls_between_the_nodes_of_a_line(void **state)
{
    static const Fall falls[] = {
        {"disk: 5e-4", 5e-4},
        {"disk: 3e-3", 3e-3},
        {"disk: 1e-2", 1e-2},
        {"disk: 2.5e-2", 2.5e-2},
        {"box: [1e-3, 1e-3]", 5e-4},
        {"box: [6e-3, 6e-3]", 3e-3},
        {"box: [2e-2, 2e-2]", 1e-2},
        {"box: [1e-3, 2e-2]", 1e-2},
        {"polygon: [[0, -3e-3], [3e-3, 3e-3], [-3e-3, 3e-3]]", 4e-3},
    };
    static const double x[] = {0, 1.3e-3, 5e-3};
    for (size_t k = 0; k < sizeof falls / sizeof *falls; k++) {
        for (int i = 0; i < 6; i += test_size(1, 4)) {
            Scene scene;
            double start = falls[k].height + 2e-4;
            open_fall(&scene, *state, 2, falls[k].shape, x[i % 3], start, i < 3 ? "linear" : "quadratic");
            assert_stopped(&scene, 2, start);
            scene_close(&scene);
        }
    }
}

static void nothing_falls_between_the_nodes_of_a_face(void **state)
{
    static const Fall falls[] = {
        {"sphere: 5e-4", 5e-4},
        {"sphere: 5e-3", 5e-3},
        {"box: [5e-4, 5e-4, 4e-3]", 2e-3},
        {"box: [4e-3, 4e-3, 4e-3]", 2e-3},
        {"box: [5e-4, 0.1, 4e-3]", 2e-3}, // its ends are beyond the plate
        {"capsule: {length: 3e-3, radius: 1e-3}", 2.5e-3},
    };
    for (size_t k = 0; k < sizeof falls / sizeof *falls; k++) {
        for (int i = 0; i < 4; i += test_size(1, 3)) {
            Scene scene;
            double start = falls[k].height + 2e-4;
            open_fall(&scene, *state, 3, falls[k].shape, i % 2 ? 5e-3 : 1.3e-3, start,
                      i < 2 ? "hexes" : "tets");
            assert_stopped(&scene, 3, start);
            scene_close(&scene);
        }
    }
}

// A small sphere and a thin cylinder pressed into a face between its nodes: the force is carried by the support.
static void small_obstacles_press_on_faces(void **state)
{
    static const char *const kinds[] = {
        "sphere: {centre: [1.3e-3, 2.1e-3, -1.1e-3], radius: 1e-3}",
        "cylinder: {point: [0, 2.1e-3, -1.1e-3], axis: [1, 0.3, 0], radius: 1e-3}",
    };
    for (int k = 0; k < 8; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {p: {young: 1e7, poisson: 0.25, density: 1000}}\n"
                   "bodies: {b: {mesh: {box: {size: [0.04, 0.04, 0.02], cells: [4, 4, 2], origin: [-0.02, "
                   "-0.02, 0], pattern: %s}}, material: p}}\n"
                   "obstacles: {g: {%s, displacement: [0, 0, \"6e-4*t\"]}}\n"
                   "supports: [{on: b.top, displacement: [0, 0, 0]}]\n"
                   "contacts: [{between: [b.bottom, g], friction: 0.2, method: %s}]\n"
                   "steps: [{quasistatic: {end: 1, increments: 3}}]\n",
                   k < 4 ? "hexes" : "tets", kinds[k % 2], k / 2 % 2 ? "integrated" : "nodes");
        while (!stick_simulation_is_done(scene.run))
            scene_step(&scene);
        const StickMotion *now = &scene.run->state.now;
        double given = 0, carried = 0;
        for (int i = 2; i < scene.system->ndofs; i += 3) {
            given += now->contact_N[i] + now->contact_T[i];
            carried += now->reaction[i];
        }
        assert_true(given > 10);
        assert_near(carried, -given, 1e-8 * given);
        scene_close(&scene);
    }
}

// ---- a narrow punch and a coarse block

static const char *const block_patch[] = {"{corners: [[-0.02, 0], [0.02, 0], [0.02, 0.02], [-0.02, 0.02]], "
                                          "cells: [4, 2], sides: {top: st, bottom: sb}}",
                                          "{corners: [[-0.02, -0.02, 0], [0.02, -0.02, 0], [0.02, 0.02, 0], "
                                          "[-0.02, 0.02, 0], [-0.02, -0.02, 0.02], "
                                          "[0.02, -0.02, 0.02], [0.02, 0.02, 0.02], [-0.02, 0.02, 0.02]], "
                                          "cells: [4, 4, 2], sides: {top: st, bottom: sb}}"};
static const char *const punch_patch[] = {
    "{corners: [[0.004, 0.0206], [0.006, 0.0206], [0.006, 0.0306], [0.004, 0.0306]], cells: [1, 5], "
    "sides: {top: pt, bottom: pb, left: pl}}",
    "{corners: [[0.004, 0.004, 0.0206], [0.006, 0.004, 0.0206], [0.006, 0.006, 0.0206], [0.004, 0.006, "
    "0.0206], "
    "[0.004, 0.004, 0.0306], [0.006, 0.004, 0.0306], [0.006, 0.006, 0.0306], [0.004, 0.006, 0.0306]], "
    "cells: [1, 1, 5], sides: {top: pt, bottom: pb, left: pl}}"};

// The force of the punch, as a part of the same body or as a body of its own, with more pairs of surfaces.
static double punch_force(StickContext *ctx, int dim, bool is_one_body, const char *more)
{
    Scene scene;
    const char *plane = dim == 2 ? "plane: stress, thickness: 0.01, " : "", *zero = dim == 2 ? "" : "0, ",
               *block = block_patch[dim - 2], *punch = punch_patch[dim - 2], *of = is_one_body ? "b" : "p";
    char bodies[2048];
    if (is_one_body)
        snprintf(bodies, sizeof bodies, "b: {mesh: {patches: [%s, %s]}, %smaterial: m}", block, punch, plane);
    else
        snprintf(bodies, sizeof bodies,
                 "b: {mesh: {patches: [%s]}, %smaterial: m}, p: {mesh: {patches: [%s]}, %smaterial: m}",
                 block, plane, punch, plane);
    scene_open(
        &scene, ctx,
        "materials: {m: {young: 1e7, poisson: 0.25, density: 1000}}\n"
        "bodies: {%s}\n"
        "supports: [{on: b.sb, displacement: [0, %s0]}, {on: %s.pt, displacement: [0, %s\"-0.0015*t\"]}]\n"
        "contacts: [{between: [b.st, %s.pb], friction: 0.2, method: nodes}%s]\n"
        "steps: [{quasistatic: {end: 1, increments: 10}}]\n",
        bodies, zero, of, zero, of, more);
    while (!stick_simulation_is_done(scene.run))
        scene_step(&scene);
    double force = scene_force(&scene);
    scene_close(&scene);
    return force;
}

// Two surfaces of one body touch as those of two bodies do.
static void two_surfaces_of_one_body_touch(void **state)
{
    static const double least[] = {15, 3.5};
    for (int dim = 2; dim <= 3; dim++) {
        double of_two = punch_force(*state, dim, false, "");
        assert_true(of_two > least[dim - 2]);
        assert_near(punch_force(*state, dim, true, ""), of_two, 1e-8 * of_two);
    }
}

// A pair of other surfaces of the same bodies in the other order changes nothing.
static void unrelated_pairs_change_nothing(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        double alone = punch_force(*state, dim, false, "");
        assert_near(punch_force(*state, dim, false, ", {between: [p.pl, b.sb], method: nodes}"), alone,
                    1e-8 * alone);
    }
}

// ---- memory

static void failing_memory(void **state)
{
    (void)state;
    static char plane[] =
        "stickslip: 1\n"
        "materials: {s: {young: 1e8, poisson: 0.25, density: 1000}}\n"
        "bodies: {p: {mesh: {rectangle: {size: [0.02, 0.01], cells: [2, 1], origin: [-0.01, "
        "-0.01]}}, material: s}, d: {rigid: {box: [1e-3, 1e-3]}, material: s, position: "
        "[2e-3, 5e-4], velocity: [0, -1]}}\n"
        "contacts: [{between: [p.top, d]}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-5, end: 1}}]\n";
    static char space[] = "stickslip: 1\n"
                          "materials: {s: {young: 1e8, poisson: 0.25, density: 1000}}\n"
                          "bodies: {p: {mesh: {box: {size: [0.01, 0.01, 0.01], cells: [1, 1, 1]}}, material: "
                          "s}, d: {rigid: {box: [1e-3, 0.1, 1e-3]}, material: s, position: [2e-3, 2e-3, "
                          "0.0105], velocity: [0, 0, -1]}}\n"
                          "contacts: [{between: [p.top, d]}]\n"
                          "steps: [{dynamics: {scheme: moreau, step: 1e-5, end: 1}}]\n";
    assert_survives_failing_memory(scene_three_steps, plane);
    assert_survives_failing_memory(scene_three_steps, space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_punch_has_a_force),
        test_with_context(a_punch_has_the_force_of_a_fine_mesh),
        test_with_context(forces_go_on_over_nodes),
        test_with_context(nothing_falls_between_the_nodes_of_a_line),
        test_with_context(nothing_falls_between_the_nodes_of_a_face),
        test_with_context(small_obstacles_press_on_faces),
        test_with_context(two_surfaces_of_one_body_touch),
        test_with_context(unrelated_pairs_change_nothing),
        test_with_context(failing_memory),
    };
    return cmocka_run_group_tests_name("stepping.small_objects", tests, NULL, NULL);
}
