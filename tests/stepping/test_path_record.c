// SPDX-License-Identifier: Apache-2.0
// What a path leaves for a stability step: its statuses, each with a state of equilibrium that has them.
#include "stepping/scene.h"

#include "stepping/path_record.h"

// A block is pressed and dragged forth and back, in one step from event to event or by increments.
static void open_path(Scene *scene, StickContext *ctx, const char *quasistatic, const char *stability)
{
    scene_open(
        scene, ctx,
        "materials: {soft: {young: 5, poisson: 0.3, density: 1}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [4, 2], cells: [8, 3]}}, plane: stress, material: soft}}\n"
        "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]},\n"
        "                    displacement: [\"0.2*max(t - 1, 0) - 0.5*max(t - 4, 0)\", 0]}}\n"
        "supports: [{on: block.top, displacement: [0, \"-0.05*min(t, 1)\"]}]\n"
        "contacts: [{between: [block.bottom, plate], friction: 0.6}]\n"
        "steps:\n"
        "  - {name: path, quasistatic: {end: 6, %s}}\n"
        "  - {name: judge, stability: {%s}}\n",
        quasistatic, stability);
}

static StickPathRecord *record_all(const Scene *scene)
{
    StickPathRecord *record;
    assert_ok(scene->ctx,
              stick_path_record_create(scene->ctx, scene->system, &scene->model->step[1], &record));
    assert_ok(scene->ctx, stick_path_record_see(record, scene->run));
    while (!stick_simulation_is_done(scene->run)) {
        scene_step(scene);
        assert_ok(scene->ctx, stick_path_record_see(record, scene->run));
    }
    return record;
}

// Statuses follow each other without a gap, and each is another one.
static void assert_complete(const StickPathRecord *record, double begin, double end)
{
    assert_true(record->count > 0);
    assert_near(record->status[0].begin, begin, 1e-12);
    assert_near(record->status[record->count - 1].end, end, 1e-12);
    for (int k = 0; k < record->count; k++) {
        const StickPathStatusRecord *status = &record->status[k];
        assert_true(status->end > status->begin && status->t > status->begin && status->t <= status->end);
        if (k > 0) {
            assert_true(status->begin == status[-1].end);
            assert_near(status->force_begin, status[-1].force_end, 1e-14);
        }
    }
}

// Every contact of every status keeps Coulomb's law, and slips against friction.
static void assert_coulomb(const StickPathRecord *record)
{
    for (int k = 0; k < record->ntouches; k++) {
        const StickPathTouch *touch = &record->touch[k];
        assert_true(touch->r[0] > 0);
        if (touch->status == STICK_SLIPPING) {
            assert_near(fabs(touch->r[1]), touch->mu * touch->r[0], 1e-10);
            assert_true(touch->r[1] * touch->u[1] < 0);
        } else {
            assert_true(fabs(touch->r[1]) < touch->mu * touch->r[0]);
            assert_near(touch->u[1], 0, 1e-9);
        }
    }
}

static void statuses_lie_between_events(void **state)
{
    Scene scene;
    open_path(&scene, *state, "increments: 6, follow: events", "of: path");
    StickPathRecord *record = record_all(&scene);
    assert_complete(record, 0, 6);
    assert_coulomb(record);
    // each kink of the loads and each event begins a status, or changes nothing
    assert_true(record->count > 10 && record->count <= scene.run->record.events + 6);
    // the whole surface slips steadily at the end of the way forth, and of the way back
    int steady = 0;
    for (int k = 0; k < record->count; k++)
        steady += record->status[k].steady > 0;
    assert_int_equal(steady, 2);
    assert_true(record->status[record->count - 1].steady > 0);
    stick_path_record_destroy(record);
    scene_close(&scene);
}

// A change of status is seen at the end of the increment in which it is, so at most one increment late.
static void increments_find_the_same_statuses(void **state)
{
    Scene events, increments;
    open_path(&events, *state, "increments: 6, follow: events", "of: path");
    open_path(&increments, *state, "increments: 600", "of: path");
    StickPathRecord *exact = record_all(&events), *near = record_all(&increments);
    assert_complete(near, 0, 6);
    assert_coulomb(near);
    for (int k = 0; k < exact->count; k++) {
        const StickPathStatusRecord *status = &exact->status[k];
        if (status->end - status->begin < 0.03)
            continue;
        double middle = (status->begin + status->end) / 2;
        int other = 0;
        while (near->status[other].end < middle)
            other++;
        assert_true(near->status[other].count == status->count);
        const StickPathTouch *a = stick_path_record_touches(exact, k),
                             *b = stick_path_record_touches(near, other);
        for (int c = 0; c < (int)status->count; c++)
            assert_true(a[c].slot == b[c].slot && a[c].status == b[c].status);
    }
    stick_path_record_destroy(exact);
    stick_path_record_destroy(near);
    scene_close(&events);
    scene_close(&increments);
}

static void only_what_is_asked_for_is_kept(void **state)
{
    Scene scene;
    open_path(&scene, *state, "increments: 6, follow: events", "of: path, at: end");
    StickPathRecord *record = record_all(&scene);
    assert_int_equal(record->count, 1);
    assert_near(record->status[0].end, 6, 1e-12);
    assert_coulomb(record);
    stick_path_record_destroy(record);
    scene_close(&scene);
    open_path(&scene, *state, "increments: 60", "of: path, at: [0, 2.05, 2.3, 6]");
    record = record_all(&scene);
    assert_int_equal(record->count, 4);
    assert_near(record->status[0].begin, 0, 1e-12);
    assert_near(record->status[1].begin, 2, 1e-12);
    assert_near(record->status[2].end, 2.3, 1e-12);
    assert_near(record->status[3].end, 6, 1e-12);
    stick_path_record_destroy(record);
    scene_close(&scene);
}

// One that is looked at anew at any state goes on as the one that has seen all of them.
static void it_goes_on_after_a_pause(void **state)
{
    Scene scene;
    StickPathRecord *late;
    open_path(&scene, *state, "increments: 6, follow: events", "of: path");
    assert_ok(*state, stick_path_record_create(*state, scene.system, &scene.model->step[1], &late));
    scene_steps(&scene, 9);
    double from = scene.run->state.now.t;
    assert_ok(*state, stick_path_record_see(late, scene.run));
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        assert_ok(*state, stick_path_record_see(late, scene.run));
    }
    assert_complete(late, from, 6);
    scene_close(&scene);
    open_path(&scene, *state, "increments: 6, follow: events", "of: path");
    StickPathRecord *whole = record_all(&scene);
    int behind = whole->count - late->count;
    for (int k = 1; k < late->count; k++) {
        assert_memory_equal(&late->q[k * late->n], &whole->q[(behind + k) * whole->n],
                            (size_t)late->n * sizeof *late->q);
        assert_memory_equal(stick_path_record_touches(late, k), stick_path_record_touches(whole, behind + k),
                            (size_t)late->status[k].count * sizeof *late->touch);
    }
    stick_path_record_destroy(whole);
    stick_path_record_destroy(late);
    scene_close(&scene);
}

// Statuses of a cube that is dragged in space, with friction and a direction that may change with time.
static int count_statuses(StickContext *ctx, int increments, const char *friction, const char *x,
                          const char *y)
{
    Scene scene;
    scene_open(&scene, ctx,
               "materials: {soft: {young: 5, poisson: 0, density: 1}}\n"
               "bodies: {cube: {mesh: {box: {size: [2, 2, 1], cells: [1, 1, 1]}}, material: soft}}\n"
               "obstacles: {plate: {plane: {point: [0, 0, 0], normal: [0, 0, 1]},\n"
               "                    displacement: [\"%s\", \"%s\", 0]}}\n"
               "supports: [{on: cube.top, displacement: [0, 0, -0.01]}]\n"
               "contacts: [{between: [cube.bottom, plate], friction: \"%s\"}]\n"
               "steps:\n"
               "  - {name: path, quasistatic: {end: 1, increments: %d}}\n"
               "  - {name: judge, stability: {of: path}}\n",
               x, y, friction, increments);
    StickPathRecord *record = record_all(&scene);
    int count = record->count;
    assert_complete(record, 0, 1);
    stick_path_record_destroy(record);
    scene_close(&scene);
    return count;
}

// It adds up: friction that grows by 20 % in steps below 1 %, a direction that turns by 0.9 rad in steps below 0.05.
static void slow_changes_make_statuses(void **state)
{
    for (int increments = 40; increments <= 160; increments *= 2) {
        assert_in_range(count_statuses(*state, increments, "0.1*exp(0.2*t)", "10*t", "0"), 13, 19);
        assert_in_range(count_statuses(*state, increments, "0.1", "10*sin(0.9*t)", "10*(1-cos(0.9*t))"), 13,
                        19);
        assert_int_equal(count_statuses(*state, increments, "0.1", "10*t", "0"), 1);
    }
}

static StickStatus see_twice(StickContext *ctx, void *data)
{
    const Scene *scene = data;
    StickPathRecord *record;
    STICK_TRY(stick_path_record_create(ctx, scene->system, &scene->model->step[1], &record));
    record->t = -1;
    StickStatus status = stick_path_record_see(record, scene->run);
    record->t = 0; // as if the last step had not been seen
    if (status == STICK_OK)
        status = stick_path_record_see(record, scene->run);
    stick_path_record_destroy(record);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    Scene scene;
    open_path(&scene, *state, "increments: 6, follow: events", "of: path");
    scene_steps(&scene, 2);
    assert_survives_failing_memory(see_twice, &scene);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(statuses_lie_between_events),
        test_with_context(increments_find_the_same_statuses),
        test_with_context(only_what_is_asked_for_is_kept),
        test_with_context(it_goes_on_after_a_pause),
        test_with_context(slow_changes_make_statuses),
        test_with_context(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("path_record", tests, NULL, NULL);
}
