// SPDX-License-Identifier: Apache-2.0
// Punches with corners and round ones pressed into a block and dragged along it, quasistatically: corners and edges that
// meet nodes, sides and dents of the surface must not lead an increment back and forth.
#include "stepping/scene.h"

#include <math.h>
#include <stdio.h>

typedef struct Press {
    const char *shape; // of the obstacle, its highest point is (xs, 0)
    double x;          // of the punch, in sides of 5 mm
    double depth;      // in sides
    double drag;       // in sides, after the press
    double friction;
    bool finite;
    const char *method, *element;
    int cells; // along 40 mm
} Press;

static void open_press(Scene *scene, StickContext *ctx, const Press *p)
{
    const char *material =
        p->finite ? "law: mooney-rivlin, a1: 1.2e6, a2: 0.8e6, bulk: 6.7e6" : "young: 1e7, poisson: 0.25";
    scene_open(scene, ctx,
               "parameters: {xs: %.17g}\n"
               "materials: {p: {%s, density: 1000}}\n"
               "bodies: {b: {mesh: {rectangle: {size: [0.04, 0.02], cells: [%d, %d], origin: [-0.02, 0]}}, "
               "element: %s, plane: strain, thickness: 0.01, material: p}}\n"
               "obstacles: {g: {%s, displacement: [\"%g*max(0, t - 1)\", \"%g*min(t, 1)\"]}}\n"
               "supports: [{on: b.top, displacement: [0, 0]}]\n"
               "contacts: [{between: [b.bottom, g], friction: %g, method: %s}]\n"
               "steps: [{quasistatic: {end: %d, increments: %d}}]\n",
               0.005 * p->x, material, p->cells, p->cells / 2, p->element, p->shape, 0.005 * p->drag,
               0.005 * p->depth, p->friction, p->method, p->drag > 0 ? 2 : 1, p->drag > 0 ? 6 : 3);
}

// The force at the end, which supports carry; negative: an increment cannot be solved.
static double press(StickContext *ctx, const Press *p)
{
    Scene scene;
    open_press(&scene, ctx, p);
    while (!stick_simulation_is_done(scene.run))
        if (stick_simulation_step(scene.run) != STICK_OK) {
            scene_close(&scene);
            return -1;
        }
    const StickMotion *now = &scene.run->state.now;
    double given = 0, carried = 0;
    for (int i = 1; i < scene.system->ndofs; i += 2) {
        given += now->contact_N[i] + now->contact_T[i];
        carried += now->reaction[i];
    }
    assert_near(carried, -given, 1e-9 * fabs(given));
    scene_close(&scene);
    return given;
}

#define FLAT(half)                                                                                    \
    "polyline: {points: [[xs - " half ", -0.03], [xs - " half ", 0], [xs + " half ", 0], [xs + " half \
    ", -0.03]]}"
static const char wedge[] = "polyline: {points: [[xs - 0.02, -0.002], [xs, 0], [xs + 0.02, -0.002]]}";
static const char corner[] = "polyline: {points: [[xs - 0.013, -0.0075], [xs, 0], [xs + 0.0075, -0.013]]}";
static const char box[] =
    "polyline: {points: [[xs - 5e-3, -8e-3], [xs - 5e-3, 0], [xs + 5e-3, 0], [xs + 5e-3, -8e-3], "
    "[xs - 5e-3, -8e-3]]}";
static const char circle[] = "circle: {centre: [xs, -0.0075], radius: 0.0075}";

static const char *const kinds[] = {
    FLAT("1.25e-4"), FLAT("2.5e-3"), FLAT("5e-3"), FLAT("6.5e-3"), FLAT("0.0125"), FLAT("0.025"),
    wedge,           corner,         box,          circle};

// Narrow and wide, on nodes, near them and between: all are solved, and both methods give nearly the same force.
static void every_punch_is_solved(void **state)
{
    static const double x[] = {0, 0.13, 0.5}, friction[] = {0, 0.3};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int i = 0; i < 12; i++) {
            Press p = {
                .shape = kinds[k], .x = x[i % 3], .depth = 0.1, .friction = friction[i / 3 % 2], .cells = 8};
            p.element = i < 6 ? "linear" : "quadratic";
            double force[2];
            for (int m = 0; m < 2; m++) {
                p.method = m ? "integrated" : "nodes";
                force[m] = press(*state, &p);
                if (!(force[m] > 0))
                    fail_msg("%s at %g sides, %s, %s, friction %g: not solved", p.shape, p.x, p.method,
                             p.element, p.friction);
            }
            // what is flatter than 0.2 is seen by quadrature alone where it is integrated
            if (kinds[k] != wedge)
                assert_near(force[1], force[0], 0.05 * force[0]);
        }
}

// Pressed deep and dragged over several nodes, with small and with finite strains.
static void punches_are_dragged_over_nodes(void **state)
{
    for (size_t k = 1; k < sizeof kinds / sizeof *kinds; k += 1 + (k == 4)) // the widest covers the block
        for (int i = 0; i < 8; i++) {
            Press p = {.shape = kinds[k], .x = 0, .depth = 0.3, .drag = 0.4, .cells = 8, .method = "nodes"};
            p.friction = i % 2 ? 0.3 : 0;
            p.element = i / 2 % 2 ? "quadratic" : "linear";
            p.finite = i / 4 % 2;
            if (!(press(*state, &p) > 0))
                fail_msg("%s, %s, friction %g, finite %d: not solved", p.shape, p.element, p.friction,
                         p.finite);
        }
}

// Both methods converge to the same force, from coarse meshes on without a jump where the surface gets steep.
static void both_methods_converge_to_one_force(void **state)
{
    double fine[2], error[2] = {INFINITY, INFINITY};
    for (int m = 0; m < 2; m++) {
        Press p = {.shape = FLAT("5e-3"), .x = 0.13, .depth = 0.1, .cells = 64, .element = "quadratic"};
        p.method = m ? "integrated" : "nodes";
        fine[m] = press(*state, &p);
    }
    assert_near(fine[1], fine[0], 1e-3 * fine[0]);
    for (int cells = 8; cells <= 32; cells *= 2)
        for (int m = 0; m < 2; m++) {
            Press p = {
                .shape = FLAT("5e-3"), .x = 0.13, .depth = 0.1, .cells = cells, .element = "quadratic"};
            p.method = m ? "integrated" : "nodes";
            double off = fabs(press(*state, &p) / fine[0] - 1);
            assert_below(off, fmin(0.12, 0.75 * error[m]));
            error[m] = off;
        }
}

// Under a flat punch without friction p = P/(pi sqrt(a^2 - x^2)): a third of the force is under the inner half.
static void pressure_of_a_flat_punch(void **state)
{
    for (int m = 0; m < 2; m++) {
        Press p = {.shape = FLAT("2.5e-3"), .depth = 0.02, .cells = 128, .element = "linear"};
        Scene scene;
        p.method = m ? "integrated" : "nodes";
        open_press(&scene, *state, &p);
        while (!stick_simulation_is_done(scene.run))
            assert_int_equal(stick_simulation_step(scene.run), STICK_OK);
        const StickContactSet *set = &scene.run->contacts;
        double all = 0, inner = 0;
        for (int c = 0; c < set->ncontacts; c++) {
            double x = fabs(set->contact[c].place[0]), share = x < 1.24e-3 ? 1 : x < 1.26e-3 ? 0.5 : 0;
            all += scene.run->r[2 * c];
            inner += share * scene.run->r[2 * c];
        }
        assert_near(inner / all, 1.0 / 3, 0.02);
        scene_close(&scene);
    }
}

// A cylinder along the diagonals of the faces touches nodes, and edges right beside them.
static void a_cylinder_along_the_diagonal(void **state)
{
    static const double radius[] = {1e-3, 1e-2};
    for (int i = 0; i < 8; i++) {
        Scene scene;
        double r = radius[i % 2];
        scene_open(
            &scene, *state,
            "materials: {p: {young: 1e7, poisson: 0.25, density: 1000}}\n"
            "bodies: {b: {mesh: {box: {size: [0.04, 0.04, 0.02], cells: [4, 4, 2], origin: [-0.02, -0.02, "
            "0]}}, material: p}}\n"
            "obstacles: {g: {cylinder: {point: [0, 0, %g], axis: [1, 1, 0], radius: %g}, displacement: "
            "[0, 0, \"3e-3*t\"]}}\n"
            "supports: [{on: b.top, displacement: [0, 0, 0]}]\n"
            "contacts: [{between: [b.bottom, g], friction: %g, method: %s}]\n"
            "steps: [{quasistatic: {end: 1, increments: 4}}]\n",
            -r, r, i / 2 % 2 ? 0.3 : 0, i / 4 ? "integrated" : "nodes");
        while (!stick_simulation_is_done(scene.run))
            scene_step(&scene);
        assert_true(scene_force(&scene) > 500);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_punch_is_solved),
        test_with_context(punches_are_dragged_over_nodes),
        test_with_context(both_methods_converge_to_one_force),
        test_with_context(pressure_of_a_flat_punch),
        test_with_context(a_cylinder_along_the_diagonal),
    };
    return cmocka_run_group_tests_name("stepping.punches", tests, NULL, NULL);
}
