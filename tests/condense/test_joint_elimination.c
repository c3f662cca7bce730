// SPDX-License-Identifier: Apache-2.0
// Joints eliminated from a step: rows hold after it, by impulses of the rows alone; redundant rows are dropped;
// compliant rows give way.
#include "base/random.h"
#include "stepping/mechanism.h"

enum { MOST = 64 };

static void open_chain(Scene *scene, StickContext *ctx, const char *more)
{
    scene_open(scene, ctx,
               STONE
               "bodies: {link: {rigid: {box: [1, 0.1]}, material: stone, position: [i, 0], repeat: {i: [0, "
               "4]}}}\n"
               "joints:\n"
               "  - {pin: {between: ['link[i]', 'link[i+1]'], at: ['i + 0.5', 0]}, repeat: {i: [0, 3]}}\n"
               "%s"
               "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n",
               more);
    assert_true(scene->system->ndofs <= MOST);
}

// A (v - v_0) of rigid bodies in the plane
static void momentum(const Scene *scene, const double *v, double *p)
{
    for (int b = 0; b < scene->system->nbodies; b++) {
        const StickBody *body = &scene->system->body[b];
        const double rest[3] = {0};
        stick_rigid_momentum(body->rigid, rest, v + body->first, p + body->first);
    }
}

static void rows_hold_by_their_own_impulses(void **state)
{
    Scene scene;
    StickRandom random = stick_random_seed(11);
    open_chain(&scene, *state, "  - {pin: {between: ['link[0]'], at: [-0.5, 0]}}\n");
    StickJointElimination *links = scene.run->joint_step->links;
    int n = scene.system->ndofs;
    double v[MOST], before[MOST], p[MOST], expected[MOST] = {0}, q[MOST] = {0};
    for (int i = 0; i < n; i++)
        before[i] = v[i] = stick_random_uniform(&random, -1, 1);
    assert_ok(*state, stick_step_matrix_set(scene.run->matrix, 1, 0, 0));
    for (int i = 0; i < links->count; i++)
        links->D[i] = 0;
    assert_ok(*state, stick_joint_elimination_set(links, q, 0));
    for (int i = 0; i < links->count; i++)
        links->c[i] = stick_random_uniform(&random, -1, 1);
    stick_joint_elimination_hold(links, v);
    for (int i = 0; i < links->count; i++) {
        assert_false(links->dropped[i]);
        assert_near(stick_joint_elimination_velocity(links, i, v), links->c[i], 1e-12);
    }
    for (int i = 0; i < n; i++)
        before[i] = v[i] - before[i];
    momentum(&scene, before, p);
    stick_joint_elimination_scatter(links, links->lambda, expected);
    for (int i = 0; i < n; i++)
        assert_near(p[i], expected[i], 1e-12);
    scene_close(&scene);
}

// The second pin at the same place says nothing new.
static void rows_that_follow_are_left_out(void **state)
{
    Scene scene;
    double q[MOST] = {0}, v[MOST] = {0};
    open_chain(&scene, *state, "  - {pin: {between: ['link[1]', 'link[2]'], at: [1.5, 0]}}\n");
    StickJointElimination *links = scene.run->joint_step->links;
    int dropped = 0;
    assert_ok(*state, stick_joint_elimination_set(links, q, 0));
    for (int i = 0; i < links->count; i++) {
        dropped += links->dropped[i];
        links->c[i] = 0;
    }
    assert_int_equal(links->count, 10);
    assert_int_equal(dropped, 2);
    v[0] = 1;
    stick_joint_elimination_hold(links, v);
    for (int i = 0; i < links->count; i++)
        assert_near(stick_joint_elimination_velocity(links, i, v), 0, 1e-12);
    scene_close(&scene);
}

// A link far heavier than those that hold it does not make rows redundant; only truly redundant rows are dropped,
// before or after.
static void masses_do_not_make_rows_follow(void **state)
{
    for (double mass = 1; mass < 1e13; mass *= 1e4) {
        Scene scene;
        double q[MOST] = {0}, v[MOST] = {0};
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  a: {rigid: {box: [1, 0.1], mass: 1}, position: [0.5, 0]}\n"
                   "  b: {rigid: {box: [1, 0.1], mass: %g}, position: [1.5, 0]}\n"
                   "  c: {rigid: {box: [1, 0.1], mass: 1}, position: [2.5, 0]}\n"
                   "joints:\n"
                   "  - {pin: {between: [a], at: [0, 0]}}\n"
                   "  - {pin: {between: [a, b], at: [1, 0]}}\n"
                   "  - {pin: {between: [b, a], at: [1, 0]}}\n"
                   "  - {pin: {between: [b, c], at: [2, 0]}}\n"
                   "  - {pin: {between: [c, b], at: [2, 0]}}\n"
                   "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n",
                   mass);
        StickJointElimination *links = scene.run->joint_step->links;
        assert_ok(*state, stick_step_matrix_set(scene.run->matrix, 1, 0, 0));
        assert_ok(*state, stick_joint_elimination_set(links, q, 0));
        assert_int_equal(links->count, 10);
        for (int i = 0; i < links->count; i++) {
            assert_int_equal(links->dropped[i], i == 4 || i == 5 || i == 8 || i == 9);
            links->c[i] = 0;
        }
        v[scene.system->body[1].first] = v[scene.system->body[1].first + 1] = 1;
        for (int pass = 0; pass < 4; pass++)
            stick_joint_elimination_hold(links, v);
        for (int i = 0; i < links->count; i++)
            assert_near(stick_joint_elimination_velocity(links, i, v), 0, 1e-12);
        scene_close(&scene);
    }
}

static void compliant_rows_give_way(void **state)
{
    Scene scene;
    double q[MOST] = {0}, v[MOST] = {0};
    open_chain(&scene, *state, "");
    StickJointElimination *links = scene.run->joint_step->links;
    for (int i = 0; i < links->count; i++)
        links->D[i] = 0.1 * (i + 1);
    assert_ok(*state, stick_joint_elimination_set(links, q, 0));
    for (int i = 0; i < links->count; i++)
        links->c[i] = 1;
    stick_joint_elimination_hold(links, v);
    for (int i = 0; i < links->count; i++)
        assert_near(stick_joint_elimination_velocity(links, i, v) + links->D[i] * links->lambda[i], 1, 1e-12);
    scene_close(&scene);
}

static void bodies_held_together_are_groups(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE
               "bodies: {link: {rigid: {box: [1, 0.1]}, material: stone, position: [i, 0], repeat: {i: [0, "
               "4]}}}\n"
               "joints:\n"
               "  - {pin: {between: ['link[3]', 'link[1]'], at: [2, 0]}}\n"
               "  - {pin: {between: ['link[3]', 'link[4]'], at: [3.5, 0]}}\n"
               "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n");
    const int *group = scene.run->joint_step->links->group, expected[5] = {0, 1, 2, 1, 1};
    for (int b = 0; b < 5; b++)
        assert_int_equal(group[b], expected[b]);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(rows_hold_by_their_own_impulses), test_with_context(rows_that_follow_are_left_out),
        test_with_context(masses_do_not_make_rows_follow),  test_with_context(compliant_rows_give_way),
        test_with_context(bodies_held_together_are_groups),
    };
    return cmocka_run_group_tests_name("condense.joint_elimination", tests, NULL, NULL);
}
