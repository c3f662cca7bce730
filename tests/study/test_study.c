// SPDX-License-Identifier: Apache-2.0
// A study as a caller of the library runs it, without the program around it.
#include "study/blocks.h"
#include "study/model_file.h"

#include "study/overview.h"
#include <stickslip/study.h>

#include <time.h>
#include <unistd.h>

static StickStudyOptions options_of(const ModelFile *scene)
{
    return (StickStudyOptions){.model = scene->model, .folder = scene->folder, .force = true};
}

static StickStatus check_study(StickContext *ctx, void *data)
{
    StickStudyOptions options = options_of(data);
    return stick_study_check(ctx, &options);
}

static StickStatus run_study(StickContext *ctx, void *data)
{
    const ModelFile *scene = data;
    StickStudyOptions options = options_of(scene);
    STICK_TRY(stick_study_run(ctx, &options));
    StickText text;
    stick_text_init(&text, ctx);
    StickStatus status = stick_overview(ctx, scene->folder, &text);
    stick_text_destroy(&text);
    return status;
}

static void test_check_with_every_allocation_failing(void **state)
{
    ModelFile scene = make_model_file(*state, BAR_MODEL "checks: [{that: max(speed), at-most: 2}]\n");
    assert_survives_failing_memory(check_study, &scene);
    assert_false(stick_file_exists(scene.folder));
}

static void test_run_with_every_allocation_failing(void **state)
{
    ModelFile scene = make_model_file(
        *state, "stickslip: 1\n"
                "materials: {a: {law: elastic, young: 1, poisson: 0, density: 1}}\n"
                "bodies: {b: {mesh: {bar: {length: 1, elements: 1}}, material: a, velocity: [1]}}\n"
                "steps: [{name: fly, dynamics: {scheme: theta-euler, step: 1, end: 1}}]\n");
    assert_survives_failing_memory(run_study, &scene);
}

// Memory by contacts is told where there were many, and is what came with them.
static void test_memory_per_contact(void **state)
{
    for (int many = 0; many < 2; many++) {
        char model[600], path[600], *bytes;
        size_t count;
        snprintf(
            model, sizeof model,
            "stickslip: 1\n"
            "materials: {a: {density: 1}}\n"
            "bodies: {b: {rigid: {disk: 1}, material: a, repeat: {i: [1, %d]}, position: [\"3*i\", 1]}}\n"
            "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
            "contacts: [{between: all, friction: 0}]\n"
            "gravity: [0, -1]\n"
            "steps: [{name: rest, dynamics: {scheme: moreau, step: 0.1, end: 0.2}}]\n",
            many ? 1000 : 10);
        ModelFile scene = make_model_file(*state, model);
        StickContext *ctx = scene.scratch->ctx;
        StickStudyOptions options = options_of(&scene);
        assert_ok(ctx, stick_study_run(ctx, &options));
        snprintf(path, sizeof path, "%s/summary.json", scene.folder);
        assert_ok(ctx, stick_file_read(ctx, path, &bytes, &count));
        const char *all = strstr(bytes, "\"memory_bytes\": "), *each = strstr(bytes, "\"contact_bytes\": ");
        assert_true(all && !each == !many);
        if (many) {
            double bytes_each = strtod(each + 17, NULL);
            assert_true(bytes_each > 100 && 1000 * bytes_each < strtod(all + 16, NULL));
        }
        stick_free(ctx, bytes);
    }
}

static void count_warning(void *user, const StickDiagnostic *said)
{
    if (said->severity == STICK_WARNING)
        ++*(int *)user;
}

static int times_in_file(StickContext *ctx, const char *folder, const char *name, const char *words)
{
    char path[600], *bytes;
    size_t count;
    int times = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(ctx, stick_file_read(ctx, path, &bytes, &count));
    for (const char *at = strstr(bytes, words); at; at = strstr(at + 1, words))
        times++;
    stick_free(ctx, bytes);
    return times;
}

// Without energy at the start there is no ratio, and of rigid bodies no turn that would be too far.
static void test_numbers_that_are_none(void **state)
{
    ModelFile scene =
        make_model_file(*state, "stickslip: 1\n"
                                "units: {length: m, time: s, force: N}\n"
                                "materials: {a: {density: 1}}\n"
                                "bodies: {b: {rigid: {disk: 1}, material: a}}\n"
                                "loads: [{on: b, torque: 1}]\n"
                                "steps: [{name: turn, dynamics: {scheme: moreau, step: 0.1, end: 0.2}}]\n"
                                "checks: [{that: energy.ratio, at-most: 1}]\n");
    StickContext *ctx = scene.scratch->ctx;
    StickStudyOptions options = options_of(&scene);
    assert_int_equal(stick_study_run(ctx, &options), STICK_CHECK_FAILED);
    assert_int_equal(times_in_file(ctx, scene.folder, "summary.json", "\"energy.ratio\": null"), 1);
    assert_int_equal(times_in_file(ctx, scene.folder, "summary.json", "\"rotation.largest\": null"), 1);
    assert_int_equal(times_in_file(ctx, scene.folder, "history/momentum.csv", "angular_momentum.z [N m s]"),
                     1);
}

// What is odd about the model is heard once, and stands with the results of each run.
static void test_warnings_of_reading_stay_with_the_run(void **state)
{
    static const struct {
        const char *cases, *folder;
    } table[] = {{"", ""}, {"cases: {a: {speed: 1}, b: {speed: 2}}\n", "/cases/b"}};
    for (size_t k = 0; k < 2; k++) {
        char model[1000], folder[600];
        snprintf(model, sizeof model,
                 "stickslip: 1\nparameters: {speed: 1}\nmaterials: {a: {density: 1}}\n"
                 "bodies: {b: {rigid: {disk: 1}, material: a, position: [0, 2]}}\n"
                 "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, displacement: "
                 "[\"sin(t)\", 0]}}\ncontacts: [{between: all, friction: 0}]\n"
                 "steps: [{name: fly, dynamics: {scheme: moreau, step: 0.1, end: 0.2}}]\n%s",
                 table[k].cases);
        ModelFile scene = make_model_file(*state, model);
        StickContext *ctx = scene.scratch->ctx;
        StickStudyOptions options = options_of(&scene);
        options.force = true;
        int heard = 0;
        stick_context_listen(ctx, (StickListener){count_warning, &heard});
        assert_ok(ctx, stick_study_run(ctx, &options));
        assert_int_equal(heard, 1);
        snprintf(folder, sizeof folder, "%s%s", scene.folder, table[k].folder);
        assert_int_equal(times_in_file(ctx, folder, "run.log", "starts with a jump"), 1);
        assert_int_equal(times_in_file(ctx, folder, "summary.json", "starts with a jump"), 1);
        assert_ok(ctx, stick_study_resume(ctx, &options));
        assert_int_equal(heard, 1);
        assert_int_equal(times_in_file(ctx, folder, "run.log", "starts with a jump"), 1);
        stick_context_listen(ctx, (StickListener){0});
    }
}

static void count_element_type(void *user, const StickDiagnostic *said)
{
    *(int *)user += strstr(said->text, "of type C3D8I") != NULL;
}

// Messages about a mesh file are heard once, although it is read when the model is checked and again by each run; every
// run keeps them.
static void test_warnings_of_mesh_files_stay_with_the_run(void **state)
{
    static const char mesh[] =
        "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n"
        "7, 1, 1, 1\n8, 0, 1, 1\n*ELEMENT, TYPE=C3D8I, ELSET=ALL\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
        "*NSET, NSET=LOW\n1, 2, 3, 4\n*NSET, NSET=HIGH\n5, 6, 7, 8\n"
        "*MATERIAL, NAME=m\n*ELASTIC\n1, 0.3\n";
    static const struct {
        const char *cases, *folder[2];
    } table[] = {{"", {"", ""}},
                 {"parameters: {pull: 1}\ncases: {a: {pull: 1}, b: {pull: 2}}\n", {"/cases/a", "/cases/b"}}};
    for (size_t k = 0; k < 2; k++) {
        char model[1000], folder[600];
        snprintf(model, sizeof model,
                 "stickslip: 1\nunits: {length: m, time: s, force: N}\n"
                 "materials: {m: {young: 1000, poisson: 0.3, density: 1}}\n"
                 "bodies: {b: {mesh: {file: cube.inp}, material: m}}\n"
                 "supports: [{on: b.LOW, displacement: [0, 0, 0]}, {on: b.HIGH, displacement: [free, free, "
                 "0.1*t]}]\n"
                 "steps: [{name: pull, quasistatic: {end: 1, increments: 1}}]\n"
                 "output: {history: [{name: u, of: b.HIGH, what: displacement.z}]}\n%s",
                 table[k].cases);
        ModelFile scene = make_model_file(*state, model);
        StickContext *ctx = scene.scratch->ctx;
        assert_ok(ctx, stick_file_write(ctx, scratch_path(scene.scratch, "cube.inp"), mesh, strlen(mesh)));
        StickStudyOptions options = options_of(&scene);
        options.force = true;
        int heard = 0;
        stick_context_listen(ctx, (StickListener){count_element_type, &heard});
        assert_ok(ctx, stick_study_run(ctx, &options));
        for (int j = 0; j < 2; j++) {
            snprintf(folder, sizeof folder, "%s%s", scene.folder, table[k].folder[j]);
            assert_int_equal(times_in_file(ctx, folder, "run.log", "of type C3D8I"), 1);
            assert_int_equal(times_in_file(ctx, folder, "run.log", "ignored cards"), 1);
            assert_int_equal(times_in_file(ctx, folder, "summary.json", "of type C3D8I"), 1);
            assert_int_equal(times_in_file(ctx, folder, "summary.json", "ignored cards"), 1);
            // without contact, the headline is the first history
            assert_int_equal(
                times_in_file(ctx, folder, "summary.json", "\"text\": \"At the end (t = 1 s): u 0.1 m\""), 1);
        }
        // a second run in the same context keeps them, too
        assert_ok(ctx, stick_study_run(ctx, &options));
        assert_int_equal(times_in_file(ctx, folder, "run.log", "of type C3D8I"), 1);
        assert_int_equal(heard, k == 0);
        stick_context_listen(ctx, (StickListener){0});
    }
}

// A block that is shaken slides to and fro. In each second turn the speed at the end of a step has the other sign than its
// mean: friction gives some energy. The other body, which flies by, has so much that this is told by one step or by all only.
static void shake(ModelFile *scene, Scratch *scratch, double energy, int steps)
{
    char model[1200];
    snprintf(model, sizeof model,
             "stickslip: 1\n"
             "materials: {stiff: {young: 1e6, poisson: 0, density: 1}}\n"
             "bodies:\n"
             "  block: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: stiff, "
             "velocity: [0.05, 0]}\n"
             "  other: {mesh: {rectangle: {size: [1, 1], cells: [1, 1], origin: [0, 9]}}, plane: stress, "
             "material: stiff, velocity: [%.17g, 0]}\n"
             "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
             "contacts: [{between: [block.bottom, floor], friction: 0.1}]\n"
             "loads: [{on: block.all, force: [\"20*cos(50*pi*t + 0.3)\", -10]}]\n"
             "steps: [{name: shake, dynamics: {scheme: theta, theta: 0.6, step: 0.01, end: %.17g}}]\n"
             "output: {fields: {every: 0}}\n",
             sqrt(2 * energy), 0.01 * steps);
    *scene = make_model_file(scratch, model);
    StickStudyOptions options = options_of(scene);
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
}

static void test_energy_from_friction_is_told_by_step_and_in_all(void **state)
{
    static const struct {
        double energy;
        int steps;
        bool in_one, told;
    } table[] = {{7000, 200, false, false}, {5000, 200, true, true}, {7000, 4600, false, true}};
    Scratch *scratch = *state;
    for (int k = 0; k < 3; k++) {
        ModelFile scene;
        shake(&scene, scratch, table[k].energy, table[k].steps);
        double gain = summary_number(scratch, "friction.gain"),
               gains = summary_number(scratch, "friction.gains");
        assert_true((gain > 1e-6) == table[k].in_one && gain > 5e-7 && gains > 0.2 * table[k].steps);
        assert_true(table[k].in_one || (gain * gains > 1e-3) == table[k].told);
        assert_int_equal(times_in_file(scratch->ctx, scene.folder, "run.log", "friction gave energy"),
                         table[k].told);
    }
}

// ---- cases

static void test_cases_in_one_table(void **state)
{
    ModelFile scene = make_model_file(
        *state, "stickslip: 1\n"
                "parameters: {v0: 1, w: 'max(1, 2)', k: 3}\n"
                "materials: {a: {law: elastic, young: 1, poisson: 0, density: 1}}\n"
                "bodies: {b: {mesh: {bar: {length: 1, elements: 1}}, material: a, velocity: [v0]}}\n"
                "steps: [{name: fly, dynamics: {scheme: theta-euler, step: 1, end: 2}}]\n"
                "cases: {slow: {v0: 1, w: 'min(3, 4)'}, fast: {v0: 2, k: 7}}\n"
                "output: {history: [{name: path, of: b.all, what: displacement.x}]}\n");
    StickContext *ctx = scene.scratch->ctx;
    StickStudyOptions options = options_of(&scene);
    for (int again = 0; again < 2; again++) { // the second time over its own folder
        assert_ok(ctx, stick_study_run(ctx, &options));
        char path[600], *bytes;
        size_t count;
        snprintf(path, sizeof path, "%s/sweep.csv", scene.folder);
        assert_ok(ctx, stick_file_read(ctx, path, &bytes, &count));
        assert_non_null(strstr(bytes, "case,v0,w,k,exit_code,first(energy.total)"));
        assert_non_null(
            strstr(bytes, "min(path),max(path),final(path)\nslow,1,\"min(3, 4)\",,0,0.5,0.5,0,0,"));
        assert_non_null(strstr(bytes, ",0,2,2\nfast,2,,7,0,2,2,0,0,"));
        stick_free(ctx, bytes);
    }
}

// Whatever ends the lines of the file, and in braces as without: a case has all but the list of cases.
static void test_cases_have_all_else_of_the_file(void **state)
{
    static const char *const table[][4] = {
        {"", "\n", "\n", ""},           {"", "\r\n", "\r\n", ""},       {"", "\r", "\r", ""},
        {"", "\n", "\xC2\x85", ""},     {"", "\n", "\xE2\x80\xA8", ""}, {"", "\n", "\xE2\x80\xA9", ""},
        {"{\n", ",\n", ",\n", "\n}\n"}, {"{\n", ",\n", ",\n", "}"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (int last = 0; last < 2; last++) { // is the list of cases
            static const char cases[] = "cases: {slow: {v0: 1}, fast: {v0: 2}}",
                              output[] = "output: {history: [{name: path, of: b.all, what: displacement.x}]}";
            const char *end = table[k][1];
            char text[800], path[600];
            snprintf(text, sizeof text,
                     "%sstickslip: 1%sparameters: {v0: 1}%s"
                     "materials: {a: {law: elastic, young: 1, poisson: 0, density: 1}}%s"
                     "bodies: {b: {mesh: {bar: {length: 1, elements: 1}}, material: a, velocity: [v0]}}%s"
                     "steps: [{name: fly, dynamics: {scheme: theta-euler, step: 1, end: 2}}]%s%s%s%s%s",
                     table[k][0], table[k][2], end, end, end, end, last ? output : cases, end,
                     last ? cases : output, table[k][3]);
            ModelFile scene = make_model_file(*state, text);
            StickContext *ctx = scene.scratch->ctx;
            StickStudyOptions options = options_of(&scene);
            assert_ok(ctx, stick_study_run(ctx, &options));
            for (int one = 0; one < 2; one++) {
                snprintf(path, sizeof path, "%s/cases/%s/history/path.csv", scene.folder,
                         one ? "fast" : "slow");
                assert_true(stick_file_exists(path));
            }
        }
}

// ---- progress and interruption

typedef struct Heard {
    long steps, planned;
    double end;
    volatile sig_atomic_t *stop; // set after so many steps
    long stop_after;
} Heard;

// Processor time to check a model with so many cases.
static double seconds_to_check(Scratch *scratch, int cases)
{
    StickText text;
    stick_text_init(&text, scratch->ctx);
    stick_text_add(&text, "stickslip: 1\nparameters: {v0: 1}\ncases: {vary: {v0: [1");
    for (int k = 1; k < cases; k++)
        stick_text_add(&text, ", %d", k + 1);
    stick_text_add(&text,
                   "]}}\nmaterials: {a: {law: elastic, young: 1, poisson: 0, density: 1}}\n"
                   "bodies: {b: {mesh: {bar: {length: 1, elements: 1}}, material: a, velocity: [v0]}}\n"
                   "steps: [{name: fly, dynamics: {scheme: theta-euler, step: 1, end: 2}}]\n");
    ModelFile scene = make_model_file(scratch, text.bytes);
    StickStudyOptions options = options_of(&scene);
    clock_t start = clock();
    assert_ok(scratch->ctx, stick_study_check(scratch->ctx, &options));
    stick_text_destroy(&text);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

// 20 times the cases take 20 times as long; with the list of cases in every one of them it would be 100 times.
static void test_check_is_linear_in_the_cases(void **state)
{
    double few = seconds_to_check(*state, 100), many = seconds_to_check(*state, 2000);
    print_message("100 cases %.3f s, 2000 cases %.3f s\n", few, many);
    assert_true(many < 40 * fmax(few, 0.005));
}

// An error in a case has its place in the file, behind a list of cases too.
static void test_errors_of_cases_have_their_place(void **state)
{
    ModelFile scene = make_model_file(
        *state, "stickslip: 1\nparameters: {rho: 1}\ncases:\n  a: {rho: 1}\n  b: {rho: -1}\n\n"
                "materials: {a: {law: elastic, young: 1, poisson: 0, density: rho}}\n"
                "bodies: {b: {mesh: {bar: {length: 1, elements: 1}}, material: a}}\n"
                "steps: [{name: fly, dynamics: {step: 1, end: 2}}]\n");
    StickContext *ctx = scene.scratch->ctx;
    StickStudyOptions options = options_of(&scene);
    assert_int_equal(stick_study_check(ctx, &options), STICK_BAD_INPUT);
    bool found = false;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        found |= stick_diagnostic(ctx, k)->severity == STICK_ERROR && stick_diagnostic(ctx, k)->line == 7;
    assert_true(found);
}

static void hear(void *user, const char *name, long step, long nsteps, double t, double end)
{
    Heard *heard = user;
    assert_string_equal(name, "");
    assert_near(t, 0.1 * (double)step, 1e-12);
    heard->steps++;
    heard->planned = nsteps;
    heard->end = end;
    if (heard->stop && step == heard->stop_after)
        *heard->stop = 1;
}

static void test_progress_is_told(void **state)
{
    Scratch *scratch = *state;
    ModelFile scene = make_model_file(scratch, BAR_MODEL);
    Heard heard = {0};
    StickStudyOptions options = options_of(&scene);
    options.progress = (StickProgress){hear, &heard};
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
    assert_int_equal(heard.steps, 10);
    assert_int_equal(heard.planned, 10);
    assert_near(heard.end, 1, 0);
}

// Stopped after every single step and resumed: the tables are those of one go.
static void test_stopped_after_each_step(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    ModelFile scene = make_model_file(scratch, BAR_MODEL);
    StickStudyOptions options = options_of(&scene);
    char path[600], *whole, *pieces;
    size_t count;
    snprintf(path, sizeof path, "%s/history/speed.csv", scene.folder);
    assert_ok(ctx, stick_study_run(ctx, &options));
    assert_ok(ctx, stick_file_read(ctx, path, &whole, &count));
    volatile sig_atomic_t stop = 0;
    options.stop = &stop;
    for (long step = 1; step <= 10; step++) {
        Heard heard = {.stop = &stop, .stop_after = step};
        stop = 0;
        options.progress = (StickProgress){hear, &heard};
        StickStatus status = step == 1 ? stick_study_run(ctx, &options) : stick_study_resume(ctx, &options);
        assert_int_equal(status, STICK_INTERRUPTED);
        assert_int_equal(heard.steps, 1);
    }
    stop = 0;
    assert_ok(ctx, stick_study_resume(ctx, &options));
    assert_ok(ctx, stick_file_read(ctx, path, &pieces, &count));
    assert_string_equal(pieces, whole);
    stick_free(ctx, whole);
    stick_free(ctx, pieces);
}

// Stopped between two steps, then within the solve of the next one, and resumed: the tables are those of one go.
static void stop_within_a_solve(Scratch *scratch, const char *model)
{
    StickContext *ctx = scratch->ctx;
    ModelFile scene = make_model_file(scratch, model);
    StickStudyOptions options = options_of(&scene);
    char path[600], *whole, *pieces;
    size_t count;
    snprintf(path, sizeof path, "%s/history/path.csv", scene.folder);
    assert_ok(ctx, stick_study_run(ctx, &options));
    assert_ok(ctx, stick_file_read(ctx, path, &whole, &count));
    volatile sig_atomic_t stop = 0;
    Heard heard = {.stop = &stop, .stop_after = 4};
    options.stop = &stop;
    options.progress = (StickProgress){hear, &heard};
    assert_int_equal(stick_study_run(ctx, &options), STICK_INTERRUPTED);
    assert_int_equal(heard.steps, 4);
    stick_diagnostics_clear(ctx);
    assert_int_equal(stick_study_resume(ctx, &options), STICK_INTERRUPTED);
    assert_int_equal(heard.steps, 4);
    assert_error_says(ctx, "interrupted at t = 0.4, the state is saved: 'stickslip resume' goes on");
    stop = 0;
    heard.stop = NULL;
    assert_ok(ctx, stick_study_resume(ctx, &options));
    assert_int_equal(heard.steps, 10);
    assert_ok(ctx, stick_file_read(ctx, path, &pieces, &count));
    assert_string_equal(pieces, whole);
    stick_free(ctx, whole);
    stick_free(ctx, pieces);
}

static void test_stopped_within_a_solve(void **state)
{
    stop_within_a_solve(*state,
                        "stickslip: 1\n"
                        "materials: {a: {density: 1}}\n"
                        "bodies:\n"
                        "  b: {rigid: {disk: 1}, material: a, position: [0, 1]}\n"
                        "  c: {rigid: {disk: 1}, material: a, position: [1.9, 1.7], velocity: [-1, 0]}\n"
                        "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                        "contacts: [{between: all, friction: 0.4}]\n"
                        "gravity: [0, -1]\n"
                        "steps: [{name: fall, dynamics: {scheme: moreau, step: 0.1, end: 1}}]\n"
                        "output: {history: [{name: path, of: c, what: displacement.x}]}\n");
    stop_within_a_solve(
        *state,
        "stickslip: 1\n"
        "materials: {a: {law: elastic, young: 1, poisson: 0, density: 1}}\n"
        "bodies: {b: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, plane: stress, material: a}}\n"
        "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"0.01*t\", 0]}}\n"
        "contacts: [{between: [b.bottom, plate], friction: 0.4}]\n"
        "supports: [{on: b.top, displacement: [0, \"-0.01*t\"]}]\n"
        "steps: [{name: push, quasistatic: {increments: 10, end: 1}}]\n"
        "output: {history: [{name: path, of: b.bottom, what: displacement.x}]}\n");
}

// The overview tells how far a run is from its exact curve: speed 1 up to t = 1, where the bar touches nothing.
static void test_overview(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    ModelFile scene = make_model_file(scratch, BAR_MODEL);
    StickStudyOptions options = options_of(&scene);
    StickText text;
    assert_ok(ctx, stick_study_run(ctx, &options));
    stick_text_init(&text, ctx);
    assert_ok(ctx, stick_overview(ctx, scene.folder, &text));
    assert_non_null(strstr(text.bytes, "contact solve"));
    assert_non_null(strstr(text.bytes, "speed against the exact solution"));
    assert_non_null(strstr(text.bytes, "(this run)                          0      "));
    stick_text_destroy(&text);
}

// A square of one element that slides steadily: of both motions one grows with mu = 0.9, none with 0.5; the other way
// K_S* is not definite with mu = 2. At rest on the cone nothing can be said.
static const char square[] =
    "stickslip: 1\n"
    "units: {time: %s}\n"
    "parameters: {mu: 0.5, speed: -0.1, stop: 9}\n"
    "materials: {soft: {young: 3, poisson: -0.5, density: 4}}\n"
    "bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"speed*min(t, stop)\", "
    "0]}}\n"
    "supports:\n"
    "  - {on: square.top, displacement: [0, -0.01]}\n"
    "  - {on: square.bottom-right, displacement: [free, 0]}\n"
    "contacts: [{between: [square.bottom-left, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: drag, quasistatic: {end: 2, increments: 2}}\n"
    "  - {name: judge, stability: {at: end, mass: %s}}\n"
    "cases: {%s}\n";

static void overview_of_square(Scratch *scratch, const char *time, const char *mass, const char *cases,
                               StickText *text)
{
    char model[2048];
    snprintf(model, sizeof model, square, time, mass, cases);
    ModelFile scene = make_model_file(scratch, model);
    StickStudyOptions options = options_of(&scene);
    stick_text_init(text, scratch->ctx);
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
    assert_ok(scratch->ctx, stick_overview(scratch->ctx, scene.folder, text));
}

static void test_overview_of_stability(void **state)
{
    static const char *const lines[] = {
        "judge: 1 status judged; no mode grows\n",
        "judge: 1 status judged; flutter from t = 1, mode 1 at 0.250089 Hz with growth rate 0.1527\n",
        "judge: 1 status judged; no mode grows; divergence possible from t = 1\n",
        "judge: 1 status judged; undecided\n",
    };
    StickText text;
    overview_of_square(*state, "s", "lumped",
                       "calm: {}, grows: {mu: 0.9}, perhaps: {mu: 2, speed: 0.1}, rests: {stop: 1}", &text);
    const char *from = text.bytes;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        from = strstr(from, lines[k]);
        assert_non_null(from);
    }
    stick_text_destroy(&text);
}

// Frequencies have the unit of the model, and none without mass.
static void test_units_of_frequencies(void **state)
{
    static const char *const given[][3] = {{"ms", "lumped", "1 at 0.25009 1/ms with"},
                                           {"s", "lumped", "1 at 0.25009 Hz with"},
                                           {"s", "unit", "first mode 1 at "}};
    Scratch *scratch = *state;
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        StickText text;
        overview_of_square(scratch, given[k][0], given[k][1], "grows: {mu: 0.9}", &text);
        char *verdicts;
        size_t count;
        assert_ok(scratch->ctx,
                  stick_file_read(scratch->ctx,
                                  scratch_path(scratch, "out/cases/grows/stability/judge/verdicts.txt"),
                                  &verdicts, &count));
        assert_non_null(strstr(verdicts, given[k][2]));
        assert_true((strstr(verdicts, "Hz") != NULL) == (k == 1));
        assert_true((strstr(text.bytes, "Hz") != NULL) == (k == 1));
        assert_true((strstr(text.bytes, "1/ms") != NULL) == (k == 0));
        stick_free(scratch->ctx, verdicts);
        stick_text_destroy(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_memory_per_contact),
        test_with_scratch(test_check_is_linear_in_the_cases),
        test_with_scratch(test_errors_of_cases_have_their_place),
        test_with_scratch(test_warnings_of_reading_stay_with_the_run),
        test_with_scratch(test_warnings_of_mesh_files_stay_with_the_run),
        test_with_scratch(test_energy_from_friction_is_told_by_step_and_in_all),
        test_with_scratch(test_numbers_that_are_none),
        test_with_scratch(test_cases_in_one_table),
        test_with_scratch(test_cases_have_all_else_of_the_file),
        test_with_scratch(test_check_with_every_allocation_failing),
        test_with_scratch(test_run_with_every_allocation_failing),
        test_with_scratch(test_progress_is_told),
        test_with_scratch(test_stopped_after_each_step),
        test_with_scratch(test_stopped_within_a_solve),
        test_with_scratch(test_overview),
        test_with_scratch(test_overview_of_stability),
        test_with_scratch(test_units_of_frequencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
