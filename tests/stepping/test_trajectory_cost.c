// SPDX-License-Identifier: Apache-2.0
// What a mesh cycle costs, counted: each body is factored once for all positions, and the compliance of a surface node is
// solved for when it is first touched, never again.
#include "stepping/gear_pair.h"

enum { MOST_BODIES = 2, AXES = 2, BLOCK_COLUMNS = 32 };

static const GearCase small = {.young = 30e6, .torque = 1000, .nodes = 33, .strip = 1, .teeth = 5, .fine = 3};

typedef struct Cost {
    int factors[MOST_BODIES];
    long columns[MOST_BODIES]; // compliance solved for
} Cost;

static Cost cost_of(const Scene *scene)
{
    const StickTrajectory *trajectory = scene->run->trajectory;
    Cost cost;
    for (int b = 0; b < MOST_BODIES; b++) {
        cost.factors[b] = stick_step_matrix_body_generation(scene->run->matrix, b);
        cost.columns[b] = stick_surface_compliance_solves(trajectory->compliance[b]);
    }
    return cost;
}

// Marks nodes of a body whose forces or displacements pairs of the present position share.
static void mark_nodes(const Scene *scene, int body, bool *marked)
{
    const StickFacetSet *set = &scene->run->trajectory->set;
    for (int i = 0; i < set->npairs; i++)
        for (int side = 0; side < 2; side++) {
            const StickFacetSide *own = &set->pair[i].side[side];
            for (int k = own->first; own->body == body && k < own->first + own->count; k++)
                marked[set->node[k]] = true;
        }
}

// Columns of blocks that have a marked node: what is solved for at most.
static long columns_of(const Scene *scene, int body, const bool *marked)
{
    const StickSurfaceCompliance *compliance = scene->run->trajectory->compliance[body];
    long sum = 0;
    int last = -1;
    for (int i = 0; i < scene->system->body[body].mesh.nnodes; i++) {
        int block = marked[i] ? AXES * stick_surface_compliance_place(compliance, i) / BLOCK_COLUMNS : last;
        int left = AXES * stick_surface_compliance_count(compliance) - block * BLOCK_COLUMNS;
        sum += block == last ? 0 : left < BLOCK_COLUMNS ? left : BLOCK_COLUMNS;
        last = block;
    }
    return sum;
}

static void check_factors(const Scene *scene)
{
    Cost cost = cost_of(scene);
    for (int b = 0; b < MOST_BODIES; b++)
        assert_int_equal(cost.factors[b], 1);
}

static void a_cycle_factors_each_gear_once(void **state)
{
    Scene scene;
    gear_open(&scene, *state, &small);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        check_factors(&scene);
    }
    // a position that is made again is no reason either
    assert_ok(*state, stick_simulation_recall(scene.run, NULL));
    check_factors(&scene);
    scene_close(&scene);
}

// As many columns as nodes that were touched until now need, at every position.
static void columns_are_those_of_nodes_that_were_touched(void **state)
{
    Scene scene;
    bool *marked[MOST_BODIES];
    gear_open(&scene, *state, &small);
    for (int b = 0; b < MOST_BODIES; b++)
        marked[b] = test_calloc((size_t)scene.system->body[b].mesh.nnodes, sizeof **marked);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        Cost cost = cost_of(&scene);
        for (int b = 0; b < MOST_BODIES; b++) {
            mark_nodes(&scene, b, marked[b]);
            assert_in_range(cost.columns[b], 1, columns_of(&scene, b, marked[b]));
        }
    }
    for (int b = 0; b < MOST_BODIES; b++)
        test_free(marked[b]);
    scene_close(&scene);
}

// All positions of a cycle solve for at most three times the columns of one.
static void a_cycle_solves_less_than_three_positions(void **state)
{
    Scene scene;
    GearCase same = small;
    same.from = 0.5, same.to = 0.5 + 1e-9, same.positions = 3;
    gear_open(&scene, *state, &same);
    scene_step(&scene);
    Cost once = cost_of(&scene);
    scene_steps(&scene, 2);
    Cost again = cost_of(&scene);
    for (int b = 0; b < MOST_BODIES; b++)
        assert_int_equal(again.columns[b], once.columns[b]); // at the same place nothing is solved again
    scene_close(&scene);
    gear_open(&scene, *state, &small);
    scene_steps(&scene, POSITIONS);
    Cost all = cost_of(&scene);
    for (int b = 0; b < MOST_BODIES; b++)
        assert_in_range(all.columns[b], once.columns[b], 3 * once.columns[b]);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_cycle_factors_each_gear_once),
        test_with_context(columns_are_those_of_nodes_that_were_touched),
        test_with_context(a_cycle_solves_less_than_three_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
