// SPDX-License-Identifier: Apache-2.0
// Times of contacts, of a history that is made by hand.
#include "output/scratch.h"
#include "stepping/scene.h"

#include "output/contact_times.h"

static const char model[] =
    "stickslip: 1\n"
    "materials: {soft: {young: 1, density: 1}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [2, 1], cells: [2, 1]}}, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "contacts: [{between: [block.bottom, plate], friction: 0.5}]\n"
    "steps: [{name: move, dynamics: {scheme: theta-euler, theta: 1, step: 0.25, end: %s}}]\n";

enum { NODE = 3, APART = 'a', STICKS = 's', SLIPS = 'l', GONE = '.' };

// What one node does in every time step, with a normal force of the number of the step and a sliding speed of 2; the
// others are apart. Of one that is gone there is no candidate.
static StickStatus play(Scene *scene, StickContactTimes *times, const char *what, long from)
{
    StickSimulation *run = scene->run;
    double force = stick_simulation_force(run);
    for (long step = from; what[step - 1]; step++) {
        char now = what[step - 1];
        run->state.step = step;
        run->contacts.ncontacts = now == GONE ? 0 : 1;
        run->contacts.contact[0].feature = run->contacts.contact[0].node = 1;
        run->contacts.contact[0].layer = 0;
        run->mu[0] = 0.5;
        run->r[0] = now == STICKS || now == SLIPS ? (double)step / force : 0;
        run->r[1] = now == SLIPS ? -0.5 * run->r[0] : 0;
        run->u[1] = now == SLIPS ? 2 : 0;
        STICK_TRY(stick_contact_times_see(times, run));
    }
    return STICK_OK;
}

static void open_scene(Scene *scene, StickContext *ctx, const char *end)
{
    char text[1024];
    snprintf(text, sizeof text, model, end);
    assert_ok(ctx, scene_try(scene, ctx, text));
    assert_ok(ctx, stick_simulation_step(scene->run)); // finds the contacts
    assert_int_equal(scene->run->contacts.ncontacts, NODE);
}

typedef struct Row {
    int count;
    double row[STICK_BOOK_COLUMNS];
} Row;

static StickStatus take(void *user, const double *row)
{
    Row *kept = user;
    kept->count++;
    memcpy(kept->row, row, sizeof kept->row);
    return STICK_OK;
}

static double value_of(const StickSystem *system, const Row *row, const char *name)
{
    StickBook book;
    stick_contact_times_book(system, &book);
    for (int k = 0; k < book.ncolumns; k++)
        if (strncmp(book.column[k], name, strlen(name)) == 0 && strcspn(book.column[k], " ") == strlen(name))
            return row->row[k];
    fail_msg("there is no column '%s'", name);
    return NAN;
}

static void assert_row(const Scene *scene, const StickContactTimes *times, double from, double to,
                       const double expected[8])
{
    static const char *const names[] = {
        "stick",        "slip", "apart", "impacts", "normal_force", "normal_force_rms", "normal_force_most",
        "sliding_speed"};
    Row row = {0};
    assert_ok(scene->ctx, stick_contact_times_rows(times, scene->system, from, to, take, &row));
    assert_int_equal(row.count, 1); // nodes that never touched have none
    assert_near(value_of(scene->system, &row, "node"), 2, 0);
    assert_near(value_of(scene->system, &row, "x"), 1, 0);
    assert_near(value_of(scene->system, &row, "t"), from, 1e-12);
    assert_near(value_of(scene->system, &row, "end"), to, 1e-12);
    for (int k = 0; k < 8; k++)
        assert_near(value_of(scene->system, &row, names[k]), expected[k], 1e-9);
}

// Eight time steps, from 0 to 2: forces 1, 2, 0, 0, 5, 6, 0, 8.
static const char told[] = "sla.ll.s";

static void a_history_is_summed_up(void **state)
{
    Scene scene;
    StickContactTimes times;
    open_scene(&scene, *state, "2");
    stick_contact_times_init(*state, scene.run->spec, &times);
    assert_ok(*state, play(&scene, &times, told, 1));
    const double whole[] = {2.0 / 8, 3.0 / 8, 3.0 / 8, 2, 22.0 / 8, sqrt(130.0 / 8 - 22.0 * 22 / 64), 8, 2};
    assert_row(&scene, &times, 0, 2, whole);
    const double half[] = {1.0 / 4, 2.0 / 4, 1.0 / 4, 2, 19.0 / 4, sqrt(125.0 / 4 - 19.0 * 19 / 16), 8, 2};
    assert_row(&scene, &times, 1, 2, half);
    const double one[] = {0, 0, 1, 0, 0, 0, 0, 0};
    assert_row(&scene, &times, 0.5, 0.75, one);
    stick_contact_times_destroy(&times);
    scene_close(&scene);
}

// A time step that was cut leaves the length of its last part.
static void steps_that_were_cut_count_whole(void **state)
{
    Scene scene;
    StickContactTimes times;
    Row row = {0};
    open_scene(&scene, *state, "2");
    scene.run->h /= 8;
    stick_contact_times_init(*state, scene.run->spec, &times);
    assert_ok(*state, play(&scene, &times, told, 1));
    assert_ok(*state, stick_contact_times_rows(&times, scene.system, 1, 2, take, &row));
    assert_near(value_of(scene.system, &row, "t"), 1, 1e-12);
    assert_near(value_of(scene.system, &row, "end"), 2, 1e-12);
    assert_near(value_of(scene.system, &row, "normal_force"), 19.0 / 4, 1e-12);
    stick_contact_times_destroy(&times);
    scene_close(&scene);
}

// A node that comes in later was apart before, and hits.
static void who_comes_later_was_apart(void **state)
{
    Scene scene;
    StickContactTimes times;
    open_scene(&scene, *state, "1");
    stick_contact_times_init(*state, scene.run->spec, &times);
    assert_ok(*state, play(&scene, &times, "...s", 1));
    const double expected[] = {0.25, 0, 0.75, 1, 1, sqrt(3), 4, 0};
    assert_row(&scene, &times, 0, 1, expected);
    stick_contact_times_destroy(&times);
    scene_close(&scene);
}

// Many time steps: windows are rounded inwards to fortieths.
static void windows_are_whole_parts(void **state)
{
    Scene scene;
    StickContactTimes times;
    Row row = {0};
    char what[401];
    memset(what, STICKS, 400);
    what[400] = '\0';
    open_scene(&scene, *state, "100");
    stick_contact_times_init(*state, scene.run->spec, &times);
    assert_ok(*state, play(&scene, &times, what, 1));
    assert_ok(*state, stick_contact_times_rows(&times, scene.system, 51, 99, take, &row));
    assert_near(value_of(scene.system, &row, "t"), 52.5, 1e-9);
    assert_near(value_of(scene.system, &row, "end"), 97.5, 1e-9);
    assert_near(value_of(scene.system, &row, "stick"), 1, 0);
    stick_contact_times_destroy(&times);
    scene_close(&scene);
}

static StickStatus put(StickContext *ctx, const char *path, const StickContactTimes *times)
{
    StickCheckpointWriter *writer;
    STICK_TRY(stick_checkpoint_create(ctx, path, &writer));
    STICK_TRY(stick_contact_times_put(writer, 3, times));
    return stick_checkpoint_commit(writer);
}

static void a_checkpoint_keeps_all(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Scene scene;
    StickContactTimes times, again;
    StickCheckpoint *checkpoint;
    const char *path = scratch_path(scratch, "state.h5");
    open_scene(&scene, ctx, "2");
    stick_contact_times_init(ctx, scene.run->spec, &times);
    stick_contact_times_init(ctx, scene.run->spec, &again);
    assert_ok(ctx, play(&scene, &times, "sla", 1));
    assert_ok(ctx, put(ctx, path, &times));
    assert_ok(ctx, stick_checkpoint_open(ctx, path, &checkpoint));
    assert_ok(ctx, stick_contact_times_get(checkpoint, 3, scene.run, &again));
    stick_checkpoint_close(checkpoint);
    assert_ok(ctx, play(&scene, &again, told, 4));
    const double whole[] = {2.0 / 8, 3.0 / 8, 3.0 / 8, 2, 22.0 / 8, sqrt(130.0 / 8 - 22.0 * 22 / 64), 8, 2};
    assert_row(&scene, &again, 0, 2, whole);
    stick_contact_times_destroy(&times);
    stick_contact_times_destroy(&again);
    scene_close(&scene);
}

static StickStatus play_once(StickContext *ctx, void *data)
{
    Scene *scene = data;
    StickContactTimes times;
    stick_contact_times_init(ctx, scene->run->spec, &times);
    StickStatus status = play(scene, &times, told, 1);
    stick_contact_times_destroy(&times);
    return status;
}

static void no_memory_is_survived(void **state)
{
    Scene scene;
    open_scene(&scene, *state, "2");
    assert_survives_failing_memory(play_once, &scene);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_history_is_summed_up),    test_with_context(steps_that_were_cut_count_whole),
        test_with_context(who_comes_later_was_apart), test_with_context(windows_are_whole_parts),
        test_with_scratch(a_checkpoint_keeps_all),    test_with_context(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
