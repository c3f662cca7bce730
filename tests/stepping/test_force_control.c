// SPDX-License-Identifier: Apache-2.0
// Total forces that are held by moving a group of nodes as one.
#include "stepping/scene.h"

#include "fem/fem.h"

static void run_to_the_end(const Scene *scene)
{
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
}

static double reaction_of(const Scene *scene, int body, const char *group, int axis)
{
    const StickGroup *nodes = scene_group(scene, body, group);
    double sum = 0;
    for (int k = 0; k < nodes->nnodes; k++)
        sum += scene->run->state.now
                   .reaction[scene->system->body[body].first + nodes->node[k] * scene->system->dim + axis];
    return sum;
}

// The body itself resists: a bar of stiffness E A/L, with a load along it that is carried, too.
static void spring_by_closed_form(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {young: 1000, poisson: 0, density: 1}}\n"
               "bodies: {bar: {mesh: {bar: {length: 2, elements: 4}}, material: soft, thickness: 0.5}}\n"
               "supports: [{on: bar.start, displacement: [0.01*t]}]\n"
               "gravity: [4*t]\n"
               "loads: [{on: bar.end, hold: [7*t]}]\n"
               "steps: [{quasistatic: {end: 2, increments: 3}}]\n");
    run_to_the_end(&scene);
    // u(L) = u(0) + Q L/EA + rho g L^2/2E
    assert_near(scene.run->state.now.q[4], 0.02 + 14 * 2 / 500.0 + 8.0 * 4 / 2 / 1000, 1e-14);
    assert_near(reaction_of(&scene, 0, "end", 0), 14, 1e-11);
    assert_near(reaction_of(&scene, 0, "start", 0), -14 - 8, 1e-11);
    assert_true(scene.run->ledger.worst_closure < 1e-12);
    scene_close(&scene);
}

// Only contact resists: two blocks on top of each other, pressed by P and pulled by Q.
static void open_blocks(Scene *scene, StickContext *ctx, int upper, const char *method, double part)
{
    scene_open(
        scene, ctx,
        "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
        "bodies:\n"
        "  lower: {mesh: {rectangle: {size: [1, 0.5], cells: [4, 2]}}, material: soft}\n"
        "  upper: {mesh: {rectangle: {size: [1, 0.5], cells: [%d, 2], origin: [0, 0.5]}}, material: soft}\n"
        "supports:\n"
        "  - {on: lower.bottom, displacement: [free, 0]}\n"
        "  - {on: lower.left, displacement: [0, free]}\n"
        "  - {on: lower.right, displacement: [0, free]}\n"
        "  - {on: upper.left, displacement: [\"%g*t\", free]}\n"
        "  - {on: upper.right, displacement: [\"%g*t\", free]}\n"
        "loads: [{on: upper.top, hold: [free, -1000*t]}]\n"
        "contacts: [{between: [upper.bottom, lower.top], friction: 0, method: %s}]\n"
        "steps: [{quasistatic: {end: 1, increments: 1}}]\n",
        upper, part, part, method);
}

// A uniform pressure goes through matching meshes, and through others where contact is integrated.
static void pressure_through_contact(void **state)
{
    static const struct {
        int upper;
        const char *method;
    } patches[] = {{4, "nodes"}, {5, "integrated"}, {3, "integrated"}};
    for (size_t k = 0; k < sizeof patches / sizeof *patches; k++) {
        Scene scene;
        open_blocks(&scene, *state, patches[k].upper, patches[k].method, 0);
        run_to_the_end(&scene);
        for (int b = 0; b < 2; b++) {
            const StickBody *body = &scene.system->body[b];
            double stress[6 * 64];
            assert_true(body->mesh.nnodes <= 64);
            const StickMotion *now = &scene.run->state.now;
            assert_ok(*state, stick_fem_stress(*state, &body->continuum, now->q + body->first,
                                               now->v + body->first, stress));
            for (int i = 0; i < body->mesh.nnodes; i++) {
                assert_near(stress[6 * i + 1], -1000, 1e-5);
                assert_near(stress[6 * i], -1000 * 0.3 / 0.7, 1e-5);
            }
        }
        assert_near(scene_force(&scene), 1000, 1e-6);
        assert_near(reaction_of(&scene, 1, "top", 1), -1000, 1e-5);
        scene_close(&scene);
    }
}

static void open_pulled(Scene *scene, StickContext *ctx, double part)
{
    scene_open(scene, ctx,
               "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [1, 0.5], cells: [8, 4]}}, material: soft}}\n"
               "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "loads: [{on: block.top, hold: [\"%g*500*max(0, t - 1)\", \"-1000*min(t, 1)\"]}]\n"
               "contacts: [{between: [block.bottom, ground], friction: 0.5}]\n"
               "steps: [{quasistatic: {end: 2, increments: 10}}]\n",
               part);
}

// A block that is pulled by less than mu P is in equilibrium; by more it is not, from that force on.
static void block_is_pulled(void **state)
{
    Scene scene;
    open_pulled(&scene, *state, 0.5);
    run_to_the_end(&scene);
    for (int c = 0; c < scene.run->contacts.ncontacts; c++)
        assert_int_equal(stick_simulation_status(scene.run, c), STICK_STICKING);
    assert_near(scene_force(&scene), 1000, 1e-5);
    assert_near(reaction_of(&scene, 0, "top", 0), 250, 1e-5);
    assert_near(reaction_of(&scene, 0, "top", 1), -1000, 1e-5);
    assert_true(scene.run->ledger.worst_closure < 1e-11);
    scene_close(&scene);

    open_pulled(&scene, *state, 1.25);
    StickStatus status = STICK_OK;
    while (status == STICK_OK && !stick_simulation_is_done(scene.run))
        status = stick_simulation_step(scene.run);
    assert_int_equal(status, STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "the path may end here by a jump"));
    assert_non_null(strstr(stick_last_error(*state), "no motion of the groups that are held"));
    assert_near(scene.run->state.now.t, 1.8, 1e-4);
    assert_true(scene.run->record.cuts == 12);
    scene_close(&scene);
}

// A force that nothing resists before the gap is closed.
static void force_closes_a_gap(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {soft: {young: 1e6, poisson: 0, density: 1000}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [1, 0.5], cells: [2, 2], origin: [0, 0.1]}}, material: "
        "soft}}\n"
        "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "supports: [{on: block.left, displacement: [0, free]}, {on: block.right, displacement: [0, free]}]\n"
        "loads: [{on: block.top, hold: [free, -1000*t]}]\n"
        "contacts: [{between: [block.bottom, ground], friction: 0}]\n"
        "steps: [{quasistatic: {end: 1, increments: 2}}]\n");
    run_to_the_end(&scene);
    assert_near(scene_force(&scene), 1000, 1e-6);
    assert_near(scene.run->state.now.q[scene_dof(&scene, 0, "top", 1)], -0.1 - 1000 * 0.5 / 1e6, 1e-10);
    scene_close(&scene);
}

static void what_cannot_be_held(void **state)
{
    static const struct {
        const char *supports, *loads, *step;
        const char *says;
    } models[] = {
        {"[{on: block.top, displacement: [0, 0]}]", "[{on: block.top, hold: [~, 1]}]",
         "quasistatic: {end: 1}",
         "component 2 of node 7 of body 'block' cannot be held: it is prescribed or held already"},
        {"[{on: block.top, displacement: [0, 0]}]", "[{on: block.left, hold: [1, ~]}]",
         "quasistatic: {end: 1}", "cannot be held"},
        {"[{on: block.bottom, displacement: [0, 0]}]", "[{on: block.top, hold: [~, ~]}]",
         "quasistatic: {end: 1}", "'hold' controls no axis: give a force along at least one axis"},
        {"[{on: block.bottom, displacement: [0, 0]}]", "[{on: block.top, hold: [~, 1]}]",
         "dynamics: {step: 0.1, end: 1}", "is for quasistatic steps only"},
        {"[{on: block.bottom, displacement: [0, 0]}]", "[{on: block.top, hold: [~, 1]}]",
         "quasistatic: {end: 1, follow: events}", "cannot follow events: a force is held"},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        Scene scene;
        char text[1024];
        snprintf(text, sizeof text,
                 "stickslip: 1\n"
                 "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                 "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}}\n"
                 "supports: %s\nloads: %s\nsteps: [{%s}]\n",
                 models[k].supports, models[k].loads, models[k].step);
        assert_int_equal(scene_try(&scene, *state, text), STICK_BAD_INPUT);
        if (!strstr(stick_last_error(*state), models[k].says))
            print_error("%s\n", stick_last_error(*state));
        assert_non_null(strstr(stick_last_error(*state), models[k].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(spring_by_closed_form), test_with_context(pressure_through_contact),
        test_with_context(block_is_pulled),       test_with_context(force_closes_a_gap),
        test_with_context(what_cannot_be_held),
    };
    return cmocka_run_group_tests_name("hold", tests, NULL, NULL);
}
