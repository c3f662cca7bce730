// SPDX-License-Identifier: Apache-2.0
// Rest is rest: stacks in the plane and in space stay where they are for 10^4 steps, and the walls of a box carry exactly
// what is in it.
#include "brief.h"
#include "drive/mechanism.h"

// Upward impulse of the obstacles in the last step.
static double lift(const Scene *scene)
{
    const StickRun *run = scene->run;
    int dim = scene->system->dim;
    double sum = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *contact = &run->contacts.contact[c];
        for (int k = 0; k < dim && contact->body[1] < 0; k++)
            sum += run->r[dim * c + k] * contact->frame[k][dim - 1];
    }
    return sum;
}

// Two rows of ten disks with hollows, touching both walls; a third one lies on them somewhere else than in the middle.
static void walls_carry_disks_at_rest(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "parameters: {r: 0.1, up: 'r*sqrt(3)'}\n" STONE "bodies:\n"
        "  low: {rigid: {disk: r}, material: stone, repeat: {i: [0, 9]}, position: ['r + 2*r*i', r]}\n"
        "  mid: {rigid: {disk: r}, material: stone, repeat: {i: [0, 8]}, position: ['2*r + 2*r*i', 'r + "
        "up']}\n"
        "  top: {rigid: {disk: r}, material: stone, repeat: {i: [0, 3]}, position: ['3*r + 2*r*i', 'r + "
        "2*up']}\n"
        "obstacles:\n"
        "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
        "  left: {plane: {point: [0, 0], normal: [1, 0]}}\n"
        "  right: {plane: {point: [2, 0], normal: [-1, 0]}}\n"
        "gravity: [0, -9.81]\n"
        "contacts: [{between: all, friction: 0.3}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: %g, overlap: accept}}]\n",
        test_is_brief() ? 0.03 : 0.3);
    double weight = 23 * acos(-1) * 0.01 * 9.81 * scene.run->h, worst = 0;
    while (!stick_run_is_done(scene.run)) {
        scene_step(&scene);
        worst = fmax(worst, fabs(lift(&scene) / weight - 1));
    }
    print_message("disks in a box: walls carry their weight to %.1e\n", worst);
    assert_below(worst, 1e-8);
    check_books_within(&scene, 1e-12);
    scene_close(&scene);
}

// Disks of several sizes fall into a box; once they lie, the walls carry them.
static void walls_carry_what_has_fallen(void **state)
{
    Scene scene;
    if (test_is_brief())
        skip(); // 20 s until all lie
    scene_open(&scene, *state,
               STONE
               "bodies:\n"
               "  ball: {rigid: {disk: '0.1 + 0.02*((3*i + j) %% 4)'}, material: stone, repeat: {i: [0, 3], "
               "j: [0, 2]}, position: ['0.2 + 0.33*i + 0.03*j', '0.2 + 0.35*j']}\n"
               "obstacles:\n"
               "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
               "  left: {plane: {point: [0, 0], normal: [1, 0]}}\n"
               "  right: {plane: {point: [1.45, 0], normal: [-1, 0]}}\n"
               "gravity: [0, -9.81]\n"
               "contacts: [{between: all, friction: 0.5}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 20}}]\n");
    double weight = 0, worst = 0;
    for (int b = 0; b < scene.system->nbodies; b++)
        weight += scene.system->body[b].rigid->mass * 9.81 * scene.run->h;
    while (!stick_run_is_done(scene.run)) {
        scene_step(&scene);
        if (scene.run->state.now.t > 19)
            worst = fmax(worst, fabs(lift(&scene) / weight - 1));
    }
    print_message("disks that fell into a box: %.1e, kinetic energy %.1e\n", worst,
                  scene.run->ledger.kinetic / scene.run->ledger.scale);
    assert_below(worst, 1e-8);
    check_books_within(&scene, 1e-12);
    scene_close(&scene);
}

static double drift(StickContext *ctx, int dim, int steps)
{
    Scene scene;
    scene_open(&scene, ctx,
               STONE
               "bodies: {box: {rigid: {box: [0.5%s, 0.4]}, material: stone, repeat: {j: [0, 9]}, position: "
               "[0%s, '0.2 + 0.4*j']}}\n"
               "obstacles: {floor: {plane: {point: [0, 0%s], normal: [0%s, 1]}}}\n"
               "gravity: [0%s, -9.81]\n"
               "contacts: [{between: all, friction: 0.3}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: %g}}]\n",
               dim == 3 ? ", 0.5" : "", dim == 3 ? ", 0" : "", dim == 3 ? ", 0" : "", dim == 3 ? ", 0" : "",
               dim == 3 ? ", 0" : "", 1e-3 * steps);
    scene_run(&scene);
    assert_int_equal(scene.run->state.step, steps);
    double moved = stick_run_largest(scene.run->state.now.q, scene.run->state.n) / 4;
    assert_near(lift(&scene) / (10 * scene.system->body[0].rigid->mass * 9.81 * scene.run->h), 1, 1e-8);
    scene_close(&scene);
    return moved;
}

static void stacks_do_not_drift(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        int steps = test_size(10000, 300);
        double moved = drift(*state, dim, steps);
        print_message("ten blocks, dimension %d: moved by %.1e of their height in %d steps\n", dim, moved,
                      steps);
        assert_below(moved, 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(walls_carry_disks_at_rest),
        test_with_context(walls_carry_what_has_fallen),
        test_with_context(stacks_do_not_drift),
    };
    return cmocka_run_group_tests_name("drive.rest", tests, NULL, NULL);
}
