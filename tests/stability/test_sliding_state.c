// SPDX-License-Identifier: Apache-2.0
// From a run to the state that is judged: forces, directions, speeds and the slope of the law of friction.
#include "stepping/scene.h"

#include "stability/conditions.h"
#include "stability/sliding_state.h"

// One element on a moving plate, pressed by 0.01; its top is held. Friction falls with the speed.
static void open_square(Scene *scene, StickContext *ctx, const char *friction, const char *stability)
{
    scene_open(scene, ctx,
               "materials: {soft: {young: 3, poisson: 0.2, density: 4}}\n"
               "bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: "
               "soft}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [-0.1*t, 0]}}\n"
               "supports: [{on: square.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"
               "contacts: [{between: [square.bottom, plate], friction: %s}]\n"
               "steps:\n"
               "  - {name: drag, quasistatic: {end: 4, increments: 40}}\n"
               "  - {name: judge, stability: {at: end, mass: lumped%s}}\n",
               friction, stability);
}

static StickPathRecord *record_all(const Scene *scene)
{
    StickPathRecord *record;
    assert_ok(scene->ctx,
              stick_path_record_create(scene->ctx, scene->system, &scene->model->step[1], &record));
    do
        assert_ok(scene->ctx, stick_path_record_see(record, scene->run));
    while (!stick_simulation_is_done(scene->run) && stick_simulation_step(scene->run) == STICK_OK);
    assert_ok(scene->ctx, stick_path_record_see(record, scene->run));
    return record;
}

static void the_slope_is_that_of_the_law(void **state)
{
    Scene scene;
    StickGlobalMatrices whole;
    StickSlidingState sliding;
    open_square(&scene, *state, "\"0.2 + 0.3*exp(-5*v)\"", "");
    StickPathRecord *record = record_all(&scene);
    assert_ok(*state, stick_global_matrices_create(*state, scene.system, STICK_MASS_LUMPED, &whole));
    for (int without = 0; without < 2; without++) {
        StickSlidingSource source = {scene.run, record, &whole, without == 1};
        assert_ok(*state, stick_sliding_state_create(*state, &source, 0, &sliding));
        assert_int_equal(sliding.contacts.ncontacts, 2);
        for (int c = 0; c < 2; c++) {
            const StickContactMotion *motion = &sliding.motion[c];
            assert_int_equal(motion->status, STICK_SLIPPING);
            // the plate goes to the left under a block at rest: it slides to the right over it
            assert_near(motion->slip[0], 1, 1e-15);
            assert_near(motion->speed, 0.1, 1e-10);
            assert_near(motion->mu, 0.2 + 0.3 * exp(-0.5), 1e-10);
            assert_near(motion->r[1], -motion->mu * motion->r[0], 1e-12);
            assert_near(motion->slope, without ? 0 : -1.5 * exp(-0.5), 1e-7);
        }
        assert_true(sliding.sliding.steady);
        stick_sliding_state_destroy(*state, &sliding);
    }
    stick_global_matrices_destroy(*state, &whole);
    stick_path_record_destroy(record);
    scene_close(&scene);
}

// r_N d mu/d r_N by a law of both: 0.3 - 0.5 p + 0.1 v. The bottom is 1 long, half of it belongs to each node.
static void what_pressure_changes_is_that_of_the_law(void **state)
{
    Scene scene;
    StickGlobalMatrices whole;
    StickSlidingState sliding;
    open_square(&scene, *state, "\"0.3 - 0.5*p + 0.1*v\"", "");
    StickPathRecord *record = record_all(&scene);
    assert_ok(*state, stick_global_matrices_create(*state, scene.system, STICK_MASS_LUMPED, &whole));
    for (int without = 0; without < 2; without++) {
        StickSlidingSource source = {scene.run, record, &whole, without == 1};
        assert_ok(*state, stick_sliding_state_create(*state, &source, 0, &sliding));
        for (int c = 0; c < 2; c++) {
            const StickContactMotion *motion = &sliding.motion[c];
            assert_true(motion->r[0] > 1e-3);
            assert_near(motion->press, without ? 0 : -0.5 * motion->r[0] / 0.5, 1e-10);
            assert_near(motion->slope, without ? 0 : 0.1, 1e-10);
        }
        stick_sliding_state_destroy(*state, &sliding);
    }
    stick_global_matrices_destroy(*state, &whole);
    stick_path_record_destroy(record);
    scene_close(&scene);
}

// Friction that falls with speed pumps energy into the sliding: it grows, as it does not with constant friction.
static void falling_friction_makes_it_unstable(void **state)
{
    for (int falls = 0; falls < 2; falls++) {
        Scene scene;
        StickGlobalMatrices whole;
        StickSlidingState sliding;
        StickStability found;
        StickStabilityOptions options = stick_stability_default();
        open_square(&scene, *state, falls ? "\"0.3 - 0.1*v\"" : "0.29", "");
        StickPathRecord *record = record_all(&scene);
        assert_ok(*state, stick_global_matrices_create(*state, scene.system, STICK_MASS_LUMPED, &whole));
        StickSlidingSource source = {scene.run, record, &whole, false};
        assert_ok(*state, stick_sliding_state_create(*state, &source, 0, &sliding));
        assert_ok(*state, stick_stability_create(*state, &sliding.sliding, &options, &found));
        assert_int_equal(found.verdict, falls ? STICK_VERDICT_FLUTTER : STICK_VERDICT_NO_GROWTH);
        stick_stability_destroy(*state, &found);
        stick_sliding_state_destroy(*state, &sliding);
        stick_global_matrices_destroy(*state, &whole);
        stick_path_record_destroy(record);
        scene_close(&scene);
    }
}

typedef struct Given {
    Scene scene;
    StickPathRecord *record;
    StickGlobalMatrices whole;
} Given;

static StickStatus make_state(StickContext *ctx, void *data)
{
    Given *given = data;
    StickSlidingSource source = {given->scene.run, given->record, &given->whole, false};
    StickSlidingState sliding = {0};
    StickStatus status = stick_sliding_state_create(ctx, &source, 0, &sliding);
    stick_sliding_state_destroy(ctx, &sliding);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    Given given;
    open_square(&given.scene, *state, "0.3", "");
    given.record = record_all(&given.scene);
    assert_ok(*state,
              stick_global_matrices_create(*state, given.scene.system, STICK_MASS_MODEL, &given.whole));
    assert_survives_failing_memory(make_state, &given);
    stick_global_matrices_destroy(*state, &given.whole);
    stick_path_record_destroy(given.record);
    scene_close(&given.scene);
}

// A contact that carried a force but is gone where it is looked for.
static void lost_contacts_are_counted(void **state)
{
    Given given;
    open_square(&given.scene, *state, "0.3", "");
    given.record = record_all(&given.scene);
    assert_ok(*state,
              stick_global_matrices_create(*state, given.scene.system, STICK_MASS_MODEL, &given.whole));
    given.record->touch[0].slot = given.scene.run->state.memory.count - 1;
    assert_int_equal(make_state(*state, &given), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "of 2 contacts that carry a force 1 are found again"));
    stick_global_matrices_destroy(*state, &given.whole);
    stick_path_record_destroy(given.record);
    scene_close(&given.scene);
}

// An impossible state: friction in the direction of sliding. If friction is only oblique, the deviation is reported.
static void friction_that_drives_is_refused(void **state)
{
    Given given;
    open_square(&given.scene, *state, "0.3", "");
    given.record = record_all(&given.scene);
    assert_ok(*state,
              stick_global_matrices_create(*state, given.scene.system, STICK_MASS_MODEL, &given.whole));
    assert_ok(*state, make_state(*state, &given));
    given.record->touch[1].u[1] *= -1;
    assert_int_equal(make_state(*state, &given), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "(node 2 of body 'square'): friction does not oppose"));
    assert_non_null(strstr(stick_last_error(*state), "contradicts Coulomb's law"));
    given.record->touch[1].u[2] = given.record->touch[1].u[1] *= -1;
    StickSlidingSource source = {given.scene.run, given.record, &given.whole, false};
    StickSlidingState sliding;
    assert_ok(*state, stick_sliding_state_create(*state, &source, 0, &sliding));
    assert_near(sliding.askew, atan(1), 1e-12);
    assert_int_equal(sliding.most_askew, 1);
    stick_sliding_state_destroy(*state, &sliding);
    stick_global_matrices_destroy(*state, &given.whole);
    stick_path_record_destroy(given.record);
    scene_close(&given.scene);
}

// Gaps are small against the deformation, wherever the body was carried to.
static void the_length_of_gaps_is_not_how_far_a_body_went(void **state)
{
    Scene scene;
    open_square(&scene, *state, "0.3", "");
    StickPathRecord *record = record_all(&scene);
    StickSlidingSource source = {scene.run, record, NULL, false};
    const StickStabilitySpec *wants = &scene.model->step[1].stability;
    double length = stick_sliding_state_options(&source, wants, 0).length;
    assert_true(length > 1e-3 && length < 0.1);
    for (int i = 0; i < record->n; i += 2)
        record->q[i] += 1e6;
    assert_near(stick_sliding_state_options(&source, wants, 0).length, length, 1e-8);
    stick_path_record_destroy(record);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_slope_is_that_of_the_law),
        test_with_context(what_pressure_changes_is_that_of_the_law),
        test_with_context(falling_friction_makes_it_unstable),
        test_with_context(lost_contacts_are_counted),
        test_with_context(friction_that_drives_is_refused),
        test_with_context(the_length_of_gaps_is_not_how_far_a_body_went),
        test_with_context(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("sliding_state", tests, NULL, NULL);
}
