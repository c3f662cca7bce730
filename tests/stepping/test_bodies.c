// SPDX-License-Identifier: Apache-2.0
// Several bodies: momentum passes through a row of bars, a ram pushes, a block slides far over another one,
// and what is held touches what is held.
#include "stepping/scene.h"

// Three equal bars in a row, only the first moves: elastic waves hand its momentum to the last one, bar by
// bar.
static void momentum_passes_through_a_chain(void **state)
{
    const char *schemes[] = {"theta", "theta-euler", "modified-theta"};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                   "bodies:\n"
                   "  one: {mesh: {bar: {length: 1, elements: 100}}, material: soft, velocity: [1]}\n"
                   "  two: {mesh: {bar: {length: 1, elements: 100, origin: [1]}}, material: soft}\n"
                   "  three: {mesh: {bar: {length: 1, elements: 100, origin: [2]}}, material: soft}\n"
                   "contacts:\n"
                   "  - {between: [one.end, two.start], friction: 0}\n"
                   "  - {between: [two.end, three.start], friction: 0}\n"
                   "steps: [{dynamics: {scheme: %s, theta: 0.52, step: 2e-4, end: 0.15}}]\n",
                   schemes[k]);
        // exact: each bar is left after 2 L / c, the last one flies away with all of the momentum after 4 L /
        // c
        while (scene.run->state.now.t < 4.4 / sqrt(1e3))
            scene_step(&scene);
        const double *v = scene.run->state.now.v;
        print_message("%s: velocities %.4f %.4f %.4f, gain %.1e\n", schemes[k], scene_mean(&scene, 0, 0, v),
                      scene_mean(&scene, 1, 0, v), scene_mean(&scene, 2, 0, v), scene.run->ledger.worst_gain);
        assert_near(scene_mean(&scene, 0, 0, v), 0, 0.06);
        assert_near(scene_mean(&scene, 1, 0, v), 0, 0.06);
        assert_near(scene_mean(&scene, 2, 0, v), 1, 0.06);
        assert_near(scene.run->ledger.momentum[0], 1000, 1e-7);
        assert_below(scene.run->ledger.worst_gain, 1e-13);
        scene_close(&scene);
    }
}

// A ram at constant speed throws a free bar away with twice its speed, if no energy is lost.
static void moving_obstacle_pushes_a_bar(void **state)
{
    const char *schemes[] = {"theta", "theta-euler", "modified-theta"};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
            "bodies: {bar: {mesh: {bar: {length: 1, elements: 100, origin: [0.05]}}, material: soft}}\n"
            "obstacles: {ram: {plane: {point: [0], normal: [1]}, displacement: [\"2*t\"]}}\n"
            "contacts: [{between: [bar.start, ram], friction: 0}]\n"
            "steps: [{dynamics: {scheme: %s, theta: 0.52, step: 2e-4, end: 0.2}}]\n",
            schemes[k]);
        double impulse = 0;
        while (scene.run->state.now.t < 0.025 + 2.6 / sqrt(1e3)) {
            scene_step(&scene);
            impulse += scene_force(&scene) * 2e-4;
        }
        const StickLedger *ledger = &scene.run->ledger;
        double v = scene_mean(&scene, 0, 0, scene.run->state.now.v);
        print_message("%s: thrown with %.4f\n", schemes[k], v);
        assert_near(v, 4, 0.2);
        assert_near(ledger->momentum[0], impulse, 1e-7);
        assert_near(ledger->obstacles, 2 * impulse, 1e-9 * 8000);
        assert_below(ledger->worst_closure, 1e-12);
        scene_close(&scene);
    }
}

// A block slides from one end of a long base to the other, over many facets.
static void block_slides_far_over_a_deformable_base(void **state)
{
    const char *methods[] = {"nodes", "integrated"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {law: elastic, young: 1e7, poisson: 0.3, density: 1000, rayleigh: "
                   "{stiffness: 1e-4}}}\n"
                   "bodies:\n"
                   "  base: {mesh: {rectangle: {size: [3, 0.2], cells: [24, 2]}}, material: soft}\n"
                   "  block: {mesh: {rectangle: {size: [0.5, 0.2], cells: [5, 2], origin: [0.2, 0.2]}}, "
                   "material: soft,\n"
                   "          velocity: [5, 0]}\n"
                   "supports: [{on: base.bottom, displacement: [0, 0]}]\n"
                   "gravity: [0, -10]\n"
                   "contacts: [{between: [block.bottom, base.top], friction: 0.2, method: %s}]\n"
                   "steps: [{dynamics: {scheme: theta-euler, theta: 0.7, step: 1e-3, end: 1}}]\n",
                   methods[k]);
        scene_steps(&scene, 400);
        double v = scene_mean(&scene, 1, 0, scene.run->state.now.v),
               x = scene_mean(&scene, 1, 0, scene.run->state.now.q);
        print_message("%s: slid %.4f, velocity %.4f\n", methods[k], x, v);
        assert_near(x, 5 * 0.4 - 0.5 * 2 * 0.16, 0.02);
        assert_near(v, 5 - 0.2 * 10 * 0.4, 0.03);
        assert_below(scene.run->ledger.worst_momentum, 1e-12);
        assert_below(scene.run->ledger.worst_closure, 1e-10);
        scene_close(&scene);
    }
}

// Contacts that cannot move, or only along one direction, are no trouble: symmetry planes and clamped
// corners.
static void contacts_may_be_held(void **state)
{
    const char *held[] = {"[0, free]", "[0, 0]"}, *solvers[] = {"lemke", "gauss-seidel"};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}, material: soft}}\n"
                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                   "supports: [{on: block.left, displacement: %s}]\n"
                   "gravity: [1, -10]\n"
                   "contacts: [{between: [block.bottom, floor], friction: 0.5}]\n"
                   "steps: [{dynamics: {scheme: theta-euler, theta: 1, step: 0.1, end: 10}, solver: %s}]\n",
                   held[k / 2], solvers[k % 2]);
        scene_steps(&scene, 40);
        assert_below(scene.run->ledger.worst_momentum, 1e-12);
        assert_below(scene.run->ledger.worst_closure, 1e-10);
        if (k < 2)
            assert_near(scene_force(&scene), 1e4, 1);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(momentum_passes_through_a_chain),
        test_with_context(moving_obstacle_pushes_a_bar),
        test_with_context(block_slides_far_over_a_deformable_base),
        test_with_context(contacts_may_be_held),
    };
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
