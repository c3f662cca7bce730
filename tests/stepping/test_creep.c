// SPDX-License-Identifier: Apache-2.0
// Structures at rest stay where they are, whatever load presses on them: errors of contact solves that accumulate stay below 1e-6 of the
// size of a block over 1e5 steps at the default tolerance. STICKSLIP_TEST_LONG takes them all; without it up to 2000 steps show the rate.
#include "stepping/scene.h"

#include <stdlib.h>

static const double size = 0.1;

typedef struct Structure {
    const char *name;
    int dim;
    const char *bodies, *obstacles, *gravity;
    const char *loaded, *load; // body, and the direction of its load, with %g for its size
    double weight;             // that the load is a multiple of
} Structure;

static const Structure structures[] = {
    {"box", 2, "  b: {rigid: {box: [0.2, 0.1], mass: 1}, position: [0, 0.05]}\n",
     "f: {plane: {point: [0, 0], normal: [0, 1]}}", "[2, -9.81]", "b", "[0, -%g]", 9.81},
    {"stack", 2,
     "  b: {rigid: {box: [0.2, 0.1], mass: 1}, repeat: {i: [0, 4]}, position: [0, '0.05 + 0.1*i']}\n",
     "f: {plane: {point: [0, 0], normal: [0, 1]}}", "[0.5, -9.81]", "b[4]", "[0, -%g]", 9.81},
    {"wall", 2,
     "  b: {rigid: {box: [0.2, 0.1], mass: 1}, repeat: {i: [0, 3], j: [0, 4]}, position: ['0.21*i + 0.06*(j "
     "% 2)', '0.05 + 0.1*j']}\n"
     "  t: {rigid: {box: [0.2, 0.1], mass: 1}, position: [0.27, 0.55]}\n",
     "f: {plane: {point: [0, 0], normal: [0, 1]}}", "[0.3, -9.81]", "t", "[0, -%g]", 9.81},
    {"stack in space", 3,
     "  b: {rigid: {box: [0.2, 0.2, 0.1], mass: 1}, repeat: {i: [0, 4]}, position: [0, 0, '0.05 + 0.1*i']}\n",
     "f: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}", "[0.5, 0.3, -9.81]", "b[4]", "[0, 0, -%g]", 9.81},
    {"wall in space", 3,
     "  b: {rigid: {box: [0.2, 0.1, 0.1], mass: 1}, repeat: {i: [0, 2], j: [0, 3]}, position: ['0.21*i + "
     "0.06*(j % 2)', 0, '0.05 + "
     "0.1*j']}\n"
     "  t: {rigid: {box: [0.2, 0.1, 0.1], mass: 1}, position: [0.21, 0, 0.45]}\n",
     "f: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}", "[0.3, 0.1, -9.81]", "t", "[0, 0, -%g]", 9.81},
    // held by friction 0.5 between a wall and a load of at least 4 times the weight
    {"box on a wall", 2, "  b: {rigid: {box: [0.1, 0.2], mass: 1}, position: [0.05, 0]}\n",
     "f: {plane: {point: [0, 0], normal: [1, 0]}}", "[-39.24, -9.81]", "b", "[-%g, 0]", 9.81},
};

static void open_structure(Scene *scene, StickContext *ctx, const Structure *structure, double load)
{
    char force[100];
    snprintf(force, sizeof force, structure->load, load * structure->weight);
    scene_open(scene, ctx,
               "bodies:\n%sobstacles: {%s}\ngravity: %s\nloads: [{on: '%s', force: %s}]\n"
               "contacts: [{between: all, friction: 0.5}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 1000}}]\n",
               structure->bodies, structure->obstacles, structure->gravity, structure->loaded, force);
}

static double largest_motion(const Scene *scene)
{
    double largest = 0;
    for (int i = 0; i < scene->run->state.n; i++)
        largest = fmax(largest, fabs(scene->run->state.now.q[i]));
    return largest;
}

// Displacements and angles are below the bound after all steps, and grow at most in proportion to them.
static void nothing_creeps(void **state)
{
    static const double loads[] = {1e-6, 1, 1e3, 1e6};
    bool is_long = getenv("STICKSLIP_TEST_LONG") != NULL;
    for (size_t k = 0; k < sizeof structures / sizeof *structures; k++)
        for (int load = 0; load < 4; load++) {
            Scene scene;
            open_structure(&scene, *state, &structures[k], loads[load]);
            int steps = is_long ? 100000 : scene.system->nbodies > 5 ? 600 : 2000;
            scene_steps(&scene, steps / 2);
            double half = largest_motion(&scene);
            scene_steps(&scene, steps / 2);
            double all = largest_motion(&scene);
            if (is_long)
                print_message("%s, load %g: %.1e of the size after %d steps, %.1e after %d\n",
                              structures[k].name, loads[load], half / size, steps / 2, all / size, steps);
            assert_below(all, 1e-6 * size * steps / 1e5);
            // what grows is far below the bound, or round-off
            assert_below(all, 2.5 * half + 1e-9 * size);
            scene_close(&scene);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {test_with_context(nothing_creeps)};
    return cmocka_run_group_tests_name("stepping.creep", tests, NULL, NULL);
}
