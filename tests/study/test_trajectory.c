// SPDX-License-Identifier: Apache-2.0
// A step along a trajectory as a study: its tables, stops and resumes, and how it ends where nothing holds a load.
#include "study/blocks.h"
#include "study/model_file.h"
#include "study/overview.h"

#include <stickslip/study.h>

static const char cam[] =
    "stickslip: 1\n"
    "materials: {steel: {young: 2e8, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  cam: {mesh: {disk: {radius: 4, core: [8, 8], rings: 2, centre: [1, 0]}}, material: steel,\n"
    "        flanks: {outer: {x: 1 + 4*cos(s), y: 4*sin(s), from: 0, to: 2*pi}}}\n"
    "  roller: {mesh: {patches: [{cells: [40, 8], sides: {bottom: lower},\n"
    "    map: [(2 - 0.2*eta)*sin(0.6*xi - 0.3), -(2 - 0.2*eta)*cos(0.6*xi - 0.3)]}]}, material: steel,\n"
    "           flanks: {lower: {x: 2*sin(s), y: -2*cos(s), from: -0.3, to: 0.3}}}\n"
    "frames:\n"
    "  cam: {angle: t}\n"
    "  roller: {at: [0, \"sin(t) + sqrt(36 - cos(t)^2)\"], free: [y], force: [0, %s]}\n"
    "supports: [{on: cam.centre, displacement: [0, 0]}, {on: cam.rightmost, displacement: [free, 0]},\n"
    "           {on: roller.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [roller.lower, cam.outer], max-distance: 0.5, friction: 0.1}]\n"
    "steps: [{trajectory: {to: 6, positions: 7%s}}]\n"
    "output:\n"
    "  fields: {every: 2}\n"
    "  history:\n"
    "    - {name: lift, of: roller, what: shift.y}\n"
    "    - {name: moment, of: cam, what: frame-moment}\n"
    "    - {name: load, of: roller.lower, what: contact-load}\n"
    "    - {name: peak, of: cam, what: peak-pressure}\n"
    "    - {name: nodes, of: cam.outer, what: contact-pressure}\n"
    "    - {name: stuck, of: cam, what: sticking}\n"
    "checks:\n"
    "  - {that: min(load), at-least: 9}\n"
    "  - {that: contact.solves, at-least: 7}\n";

typedef struct Stop {
    volatile sig_atomic_t *stop;
} Stop;

static void stop_now(void *user, const char *name, long step, long nsteps, double t, double end)
{
    (void)name, (void)step, (void)nsteps, (void)t, (void)end;
    *((Stop *)user)->stop = 1;
}

static char *table(StickContext *ctx, const ModelFile *scene, const char *name)
{
    char path[600], *bytes;
    size_t count;
    snprintf(path, sizeof path, "%s/history/%s.csv", scene->folder, name);
    assert_ok(ctx, stick_file_read(ctx, path, &bytes, &count));
    return bytes;
}

// Stopped after every single position and resumed: the tables are those of one go, one row for each position.
static void stop_after_each_position(void **state, const char *step)
{
    static char text[4096];
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    snprintf(text, sizeof text, cam, "-10", step);
    ModelFile scene = make_model_file(scratch, text);
    StickStudyOptions options = {.model = scene.model, .folder = scene.folder, .force = true};
    assert_ok(ctx, stick_study_run(ctx, &options));
    char *lift = table(ctx, &scene, "lift"), *load = table(ctx, &scene, "load");
    char *peak = table(ctx, &scene, "peak"), *nodes = table(ctx, &scene, "nodes");
    assert_string_equal(strchr(peak, '\n'), strchr(nodes, '\n'));
    stick_free(ctx, peak);
    stick_free(ctx, nodes);
    int rows = 0;
    for (const char *at = lift; (at = strchr(at, '\n')); at++)
        rows++;
    assert_int_equal(rows, 1 + 7);
    volatile sig_atomic_t stop = 0;
    Stop heard = {&stop};
    options.stop = &stop;
    options.progress = (StickProgress){stop_now, &heard};
    for (int k = 0; k < 6; k++) {
        stop = 0;
        assert_int_equal(k ? stick_study_resume(ctx, &options) : stick_study_run(ctx, &options),
                         STICK_INTERRUPTED);
    }
    stop = 0;
    options.progress = (StickProgress){0};
    assert_ok(ctx, stick_study_resume(ctx, &options));
    char *again = table(ctx, &scene, "lift"), *load_again = table(ctx, &scene, "load");
    assert_string_equal(again, lift);
    assert_string_equal(load_again, load);
    char *texts[] = {lift, load, again, load_again};
    for (int k = 0; k < 4; k++)
        stick_free(ctx, texts[k]);
}

static void stopped_after_each_position(void **state)
{
    stop_after_each_position(state, "}, solver: {name: lemke");
}

// What the next position needs of the last one is saved, too.
static void positions_that_remember_resume(void **state)
{
    stop_after_each_position(state, "}, solver: {name: auto");
}

static void positions_at_actual_places_resume(void **state)
{
    stop_after_each_position(state, ", pairs: actual}, solver: {name: newton");
}

// The last good position is saved and shown.
static void a_load_that_nothing_holds_ends_the_run(void **state)
{
    static char text[4096];
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    snprintf(text, sizeof text, cam, "10*t - 25", "}, solver: {name: lemke");
    ModelFile scene = make_model_file(scratch, text);
    StickStudyOptions options = {.model = scene.model, .folder = scene.folder, .force = true};
    assert_int_equal(stick_study_run(ctx, &options), STICK_NOT_SOLVED);
    char path[600], *bytes;
    size_t count;
    snprintf(path, sizeof path, "%s/run.log", scene.folder);
    assert_ok(ctx, stick_file_read(ctx, path, &bytes, &count));
    assert_non_null(strstr(bytes, "statically unstable"));
    assert_non_null(strstr(bytes, "motion along y of roller"));
    assert_non_null(strstr(bytes, "the last good state, t = 2, is saved"));
    stick_free(ctx, bytes);
}

// Few strips on the width of a contact tell its force, not its pressure; and there is no ledger to speak of.
static void pressures_of_wide_strips_are_told(void **state)
{
    static char text[4096];
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    snprintf(text, sizeof text, cam, "-10", "}, solver: {name: lemke");
    ModelFile scene = make_model_file(scratch, text);
    StickStudyOptions options = {.model = scene.model, .folder = scene.folder, .force = true};
    assert_ok(ctx, stick_study_run(ctx, &options));
    bool told = false;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        told = told || strstr(stick_diagnostic(ctx, k)->text,
                              "contact 1 presses by 1 strip on the mean: its forces are right");
    assert_true(told);
    StickText overview;
    stick_text_init(&overview, ctx);
    assert_ok(ctx, stick_overview(ctx, scene.folder, &overview));
    assert_non_null(strstr(overview.bytes, "contact solves certified to"));
    assert_null(strstr(overview.bytes, "momentum"));
    stick_text_destroy(&overview);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(stopped_after_each_position),
        test_with_scratch(positions_that_remember_resume),
        test_with_scratch(positions_at_actual_places_resume),
        test_with_scratch(a_load_that_nothing_holds_ends_the_run),
        test_with_scratch(pressures_of_wide_strips_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
