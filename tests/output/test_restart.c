// SPDX-License-Identifier: Apache-2.0
// A run that is resumed goes on with the same bits: rigid bodies in the plane and in space, joints, and bodies under
// finite deformation with what they remember.
#include "output/restart.h"

#include "output/scratch.h"
#include "stepping/scene.h"

static const char plane[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "bodies: {block: {rigid: {box: [0.45, 0.4]}, material: stone, repeat: {i: [0, 1], j: [0, 3]}, position: "
    "[\"0.46*i\", \"0.2 + 0.4*j\"]}}\n"
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"0.05*sin(20*t)\", 0]}}\n"
    "gravity: [0, -9.81]\n"
    "contacts: [{between: all, friction: 0.3}]\n"
    "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n";

static const char space[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "bodies: {block: {rigid: {box: [0.45, 0.4, 0.3]}, material: stone, repeat: {i: [0, 3]}, position: "
    "[\"0.1*i\", 0, \"0.15 + 0.3*i\"], angular-velocity: [0.1, 0.2, 1]}}\n"
    "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
    "gravity: [0, 0, -9.81]\n"
    "contacts: [{between: all, friction: 0.3}]\n"
    "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n";

static const char linkage[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "bodies: {link: {rigid: {box: [0.5, 0.1]}, material: stone, repeat: {i: [0, 3]}, position: "
    "[\"0.5*i\", 0.06]}}\n"
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "gravity: [0, -9.81]\n"
    "contacts: [{between: all, friction: 0.3}]\n"
    "joints: [{pin: {between: [\"link[i]\", \"link[i+1]\"], at: [\"0.5*i + 0.25\", 0.06]}, repeat: {i: [0, "
    "2]}}, "
    "{motor: {between: [\"link[1]\", \"link[2]\"], angle: sin(5*t)}}]\n"
    "steps: [{dynamics: {scheme: moreau, step: 2e-3, end: 1}}]\n";

// Friction that weakens as it slides, on bonds of the start: state variables go on.
static const char weakening[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "bodies: {block: {rigid: {box: [0.45, 0.4]}, material: stone, repeat: {j: [0, 3]}, position: [0, \"0.2 + "
    "0.4*j\"], velocity: [\"j\", 0]}}\n"
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "gravity: [0, -9.81]\n"
    "contacts: [{between: all, friction: \"0.5 - 0.2*min(state/0.1, 1)\", cohesion: 50, state: {start: 0.01, "
    "rate: v}}]\n"
    "steps: [{dynamics: {step: 1e-3, end: 1}}]\n";

// Rubber that relaxes and is pressed more and more, then one that flows as it bounces.
static const char pressed[] = "stickslip: 1\n"
                              "materials: {rubber: {law: neo-hookean, shear: 1, bulk: 20, density: 1, prony: "
                              "[{share: 0.3, time: 0.2}]}}\n"
                              "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [4, 4]}}, element: "
                              "mean-dilatation, plane: strain, "
                              "material: rubber}}\n"
                              "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                              "supports: [{on: block.top, displacement: [\"0.1*t\", \"-0.3*t\"]}]\n"
                              "contacts: [{between: [block.bottom, ground], friction: 0.3}]\n"
                              "steps: [{quasistatic: {end: 1, increments: 10}}]\n";

static const char flowing[] =
    "stickslip: 1\n"
    "materials: {metal: {law: j2, young: 1e9, poisson: 0.3, density: 1000, yield: 1e6, hardening: {modulus: "
    "1e7}}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [3, 3], origin: [0, 0.01]}}, element: "
    "mean-dilatation, plane: strain, material: metal, velocity: [10, -50]}}\n"
    "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "contacts: [{between: [block.bottom, ground], friction: 0.3}]\n"
    "steps: [{dynamics: {scheme: theta, theta: 0.6, step: 2e-4, end: 1}}]\n";

static void write_state(Scratch *scratch, const StickSimulation *run)
{
    StickCheckpointWriter *writer;
    assert_ok(scratch->ctx,
              stick_checkpoint_create(scratch->ctx, scratch_path(scratch, "state.h5"), &writer));
    assert_ok(scratch->ctx, stick_restart_put(writer, run));
    assert_ok(scratch->ctx, stick_checkpoint_commit(writer));
}

static void read_state(Scratch *scratch, StickSimulation *run)
{
    StickCheckpoint *checkpoint;
    assert_ok(scratch->ctx,
              stick_checkpoint_open(scratch->ctx, scratch_path(scratch, "state.h5"), &checkpoint));
    assert_ok(scratch->ctx, stick_restart_get(checkpoint, run));
    stick_checkpoint_close(checkpoint);
}

static void resumed_runs_have_the_same_bits(void **state)
{
    Scratch *scratch = *state;
    const char *models[] = {plane, space, linkage, weakening};
    for (int k = 0; k < 4; k++) {
        Scene first, second;
        assert_ok(scratch->ctx, scene_try(&first, scratch->ctx, models[k]));
        assert_ok(scratch->ctx, scene_try(&second, scratch->ctx, models[k]));
        scene_steps(&first, 60);
        assert_true(first.run->state.memory.nkeyed > 0);
        write_state(scratch, first.run);
        read_state(scratch, second.run);
        scene_steps(&first, 60);
        scene_steps(&second, 60);
        size_t bytes = (size_t)first.run->state.n * sizeof(double);
        assert_memory_equal(first.run->state.now.q, second.run->state.now.q, bytes);
        assert_memory_equal(first.run->state.now.v, second.run->state.now.v, bytes);
        assert_memory_equal(&first.run->ledger, &second.run->ledger, sizeof(StickLedger));
        scene_close(&first);
        scene_close(&second);
    }
}

static void bodies_under_finite_strains_remember(void **state)
{
    Scratch *scratch = *state;
    const char *models[] = {pressed, flowing};
    for (int k = 0; k < 2; k++) {
        Scene first, second;
        assert_ok(scratch->ctx, scene_try(&first, scratch->ctx, models[k]));
        assert_ok(scratch->ctx, scene_try(&second, scratch->ctx, models[k]));
        scene_steps(&first, 5);
        write_state(scratch, first.run);
        read_state(scratch, second.run);
        scene_steps(&first, 5);
        scene_steps(&second, 5);
        assert_true(first.run->ledger.material > 1e-4 * first.run->ledger.scale);
        size_t bytes = (size_t)first.run->state.n * sizeof(double),
               kept = (size_t)first.system->nhistory * sizeof(double);
        assert_memory_equal(first.run->state.now.q, second.run->state.now.q, bytes);
        assert_memory_equal(first.run->state.now.Kq, second.run->state.now.Kq, bytes);
        assert_memory_equal(first.run->state.now.history, second.run->state.now.history, kept);
        assert_memory_equal(&first.run->ledger, &second.run->ledger, sizeof(StickLedger));
        scene_close(&first);
        scene_close(&second);
    }
}

// A column whose forces are not unique.
static const char told[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "bodies: {block: {rigid: {box: [0.45, 0.4]}, material: stone, repeat: {j: [0, 3]}, position: [0, '0.2 + "
    "0.4*j']}}\n"
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "gravity: [0, -9.81]\n"
    "contacts: [{between: all, friction: 0.3}]\n"
    "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 1}, solver: {name: gauss-seidel}}]\n";

// What was told before is not told again.
static void warnings_are_told_once(void **state)
{
    Scratch *scratch = *state;
    Scene first, second;
    assert_ok(scratch->ctx, scene_try(&first, scratch->ctx, told));
    scene_steps(&first, 4);
    assert_int_equal(times_warned(scratch->ctx, "are not unique"), 1);
    write_state(scratch, first.run);
    stick_diagnostics_clear(scratch->ctx);
    assert_ok(scratch->ctx, scene_try(&second, scratch->ctx, told));
    read_state(scratch, second.run);
    scene_steps(&second, 150);
    assert_int_equal(times_warned(scratch->ctx, "are not unique"), 0);
    scene_close(&first);
    scene_close(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(resumed_runs_have_the_same_bits, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(warnings_are_told_once, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(bodies_under_finite_strains_remember, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests_name("restart", tests, NULL, NULL);
}
