// SPDX-License-Identifier: Apache-2.0
// Outcomes: statements that are evaluated, counted and shown, and never fail; and the headline of runs and studies.
#include "study/blocks.h"
#include "study/model_file.h"

#include <sys/stat.h>

#include "report/summary_tree.h"
#include "study/headline.h"
#include "study/overview.h"
#include <stickslip/study.h>

// A block slides on a floor with friction mu from a speed of 1 until it stops: it goes v^2 / (2 mu g) far.
#define SLIDING                                                                                     \
    "stickslip: 1\nparameters: {mu: 0.5}\nmaterials: {a: {density: 1000}}\n"                        \
    "bodies: {b: {rigid: {box: [0.2, 0.1]}, material: a, position: [0, 0.05], velocity: [1, 0]}}\n" \
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\ngravity: [0, -10]\n"             \
    "contacts: [{between: all, friction: mu, dissipation: 1}]\n"                                    \
    "steps: [{name: s, dynamics: {scheme: moreau, step: 5e-3, end: 0.6}}]\n"                        \
    "output: {history: [{name: way, of: b, what: displacement.x}]}\n"

static StickStatus run(Scratch *scratch, const char *text)
{
    ModelFile scene = make_model_file(scratch, text);
    StickStudyOptions options = {.model = scene.model, .folder = scene.folder, .force = true};
    return stick_study_run(scratch->ctx, &options);
}

static void assert_in_file(Scratch *scratch, const char *file, const char *words)
{
    char *text;
    size_t count;
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, scratch_path(scratch, file), &text, &count));
    if (!strstr(text, words))
        fail_msg("'%s' is not in %s: %s", words, file, text);
    stick_free(scratch->ctx, text);
}

// The text of a key of a mapping in a summary; "" if there is none.
static void read_key(Scratch *scratch, const char *folder, const char *list, const char *item,
                     const char *key, char value[512])
{
    StickSummaryTree tree;
    value[0] = '\0';
    assert_ok(scratch->ctx, stick_summary_tree_read(scratch->ctx, scratch_path(scratch, folder), &tree));
    const StickYaml *map = stick_summary_find(tree.root, list);
    if (item) {
        const StickYaml *one = map ? map->first : NULL;
        while (one && strcmp(stick_summary_text(one, "name"), item) != 0)
            one = one->next;
        map = one;
    }
    const char *found = stick_summary_text(map, key);
    snprintf(value, 512, "%s", found ? found : "");
    stick_summary_tree_destroy(&tree);
}

static void an_outcome_may_be_false(void **state)
{
    Scratch *scratch = *state;
    char value[512];
    assert_ok(scratch->ctx, run(scratch, SLIDING
                                "outcomes:\n  - {name: stays on the table, that: final(way), at-most: 0.15}\n"
                                "  - {name: falls off the table, that: final(way), at-least: 0.15}\n"
                                "  - {that: final(way), is: 0.1, within-percent: 5}\n"));
    read_key(scratch, "out", "outcomes", "stays on the table", "holds", value);
    assert_string_equal(value, "true");
    read_key(scratch, "out", "outcomes", "falls off the table", "holds", value);
    assert_string_equal(value, "false");
    read_key(scratch, "out", "outcomes", "falls off the table", "condition", value);
    assert_string_equal(value, "at least 0.15");
    read_key(scratch, "out", "outcomes", "falls off the table", "value", value);
    assert_near(strtod(value, NULL), 0.1, 0.005);
    // without a name it is the statement
    read_key(scratch, "out", "outcomes", "final(way) is 0.1", "holds", value);
    assert_string_equal(value, "true");
    assert_near(summary_number(scratch, "exit_code"), 0, 0);
}

static void outcomes_are_counted_over_cases(void **state)
{
    Scratch *scratch = *state;
    char value[512];
    assert_ok(scratch->ctx,
              run(scratch, SLIDING "cases: {vary: {mu: [0.2, 0.4, 0.8]}}\n"
                                   "outcomes:\n  - {name: \"falls, off\", that: final(way), at-least: 0.15}\n"
                                   "  - {name: rough, that: final(way), at-least: 0, when: \"mu > 0.3\"}\n"));
    read_key(scratch, "out", "outcomes", "falls, off", "holds", value);
    assert_string_equal(value, "1");
    read_key(scratch, "out", "outcomes", "falls, off", "cases", value);
    assert_string_equal(value, "3");
    read_key(scratch, "out", "outcomes", "rough", "holds", value);
    assert_string_equal(value, "2");
    read_key(scratch, "out", "outcomes", "rough", "cases", value);
    assert_string_equal(value, "2");
    read_key(scratch, "out", "headline", NULL, "text", value);
    assert_string_equal(value, "falls, off in 1 of 3 cases; rough in 2 of 2 cases");
    assert_in_file(scratch, "out/sweep.csv", "case,mu,exit_code,\"outcome.falls, off\",outcome.rough,");
    assert_in_file(scratch, "out/sweep.csv", "\n0.2,0.2,0,1,,");
    assert_in_file(scratch, "out/sweep.csv", "\n0.4,0.4,0,0,1,");
    assert_in_file(scratch, "out/sweep.csv", "\n0.8,0.8,0,0,1,");
    StickText text;
    stick_text_init(&text, scratch->ctx);
    assert_ok(scratch->ctx, stick_overview(scratch->ctx, scratch_path(scratch, "out"), &text));
    assert_non_null(
        strstr(text.bytes, "study of 3 cases: falls, off in 1 of 3 cases; rough in 2 of 2 cases\n"));
    assert_non_null(strstr(text.bytes, "  falls, off: true (final(way) = "));
    assert_non_null(strstr(text.bytes, " contact solves certified to 1e-8 (largest error "));
    stick_text_destroy(&text);
    // the largest error is that of the summary
    char largest[64];
    stick_text_init(&text, scratch->ctx);
    assert_ok(scratch->ctx, stick_overview(scratch->ctx, scratch_path(scratch, "out/cases/0.2"), &text));
    read_key(scratch, "out/cases/0.2", "certificate", NULL, "worst_error", value);
    snprintf(largest, sizeof largest, "(largest error %.1e)", atof(value));
    assert_non_null(strstr(text.bytes, largest));
    stick_text_destroy(&text);
}

// A check next to an outcome still fails the run, and the outcome is there.
static void checks_still_fail(void **state)
{
    Scratch *scratch = *state;
    char value[512];
    assert_int_equal(run(scratch, SLIDING "checks: [{that: final(way), at-least: 1}]\n"
                                          "outcomes: [{name: moves, that: final(way), at-least: 0.01}]\n"),
                     STICK_CHECK_FAILED);
    read_key(scratch, "out", "outcomes", "moves", "holds", value);
    assert_string_equal(value, "true");
}

// A value that is not a number makes an outcome neither true nor false.
static void an_undefined_outcome_is_null(void **state)
{
    Scratch *scratch = *state;
    static const char still[] =
        "stickslip: 1\nparameters: {k: 0}\nmaterials: {a: {density: 1}}\n"
        "bodies: {b: {rigid: {disk: 1}, material: a}}\nloads: [{on: b, torque: 1}]\n"
        "steps: [{name: turn, dynamics: {scheme: moreau, step: 0.1, end: 0.2}}]\n"
        "cases: {vary: {k: [0, 1]}}\noutcomes: [{name: loses energy, that: energy.ratio, at-most: 1}]\n";
    assert_ok(scratch->ctx, run(scratch, still));
    assert_in_file(scratch, "out/cases/0/summary.json", "\"holds\": null");
    assert_in_file(scratch, "out/summary.json", "\"undefined\": 2");
    assert_in_file(scratch, "out/summary.json", "loses energy in 0 of 2 cases (undefined in 2)");
    assert_in_file(scratch, "out/sweep.csv", "\n1,1,0,nan,");
}

static void mistakes_are_found_before_the_run(void **state)
{
    Scratch *scratch = *state;
    assert_int_equal(run(scratch, SLIDING "outcomes: [{name: x, that: final(wya), at-least: 0}]\n"),
                     STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "there is no series 'wya'; did you mean 'way'?");
    assert_int_equal(run(scratch,
                         SLIDING "outcomes: [{name: x, that: final(way), at-least: 0}, {name: x, that: "
                                 "final(way), at-most: 1}]\n"),
                     STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "two outcomes have the name 'x'");
    assert_int_equal(run(scratch, SLIDING "outcomes: [{name: x, that: final(way)}]\n"), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "an outcome needs exactly one of");
    assert_false(stick_file_exists(scratch_path(scratch, "out")));
}

// ---- headlines

static StickNamedHeadline headline(const char *name, const char *about, double value, bool alarm)
{
    char json[400];
    StickSummaryTree tree;
    StickNamedHeadline made = {.name = name};
    StickContext *ctx = stick_context_create(NULL);
    Scratch scratch = {.ctx = ctx};
    snprintf(scratch.folder, sizeof scratch.folder, "%s", "/tmp/stickslip-headline-XXXXXX");
    assert_non_null(mkdtemp(scratch.folder));
    snprintf(json, sizeof json,
             "{\"headline\": {\"about\": \"%s\", \"text\": \"%s of %s\", \"value\": %g, \"alarm\": %s}}",
             about, about, name, value, alarm ? "true" : "false");
    assert_ok(ctx, stick_file_write(ctx, scratch_path(&scratch, "summary.json"), json, strlen(json)));
    assert_ok(ctx, stick_summary_tree_read(ctx, scratch.folder, &tree));
    stick_headline_read(tree.root, &made.headline);
    stick_summary_tree_destroy(&tree);
    stick_folder_remove(ctx, scratch.folder);
    stick_context_destroy(ctx);
    return made;
}

static void cases_are_gathered(void **state)
{
    (void)state;
    StickNamedHeadline one[] = {headline("a", "stability", 0, false),
                                headline("b", "stability", 12, true),
                                {.name = "failed"},
                                headline("c", "stability", 3, true)};
    StickHeadline all;
    stick_headline_gather(one, 4, &all);
    assert_string_equal(all.text, "Unstable in 2 of 3 cases; worst in 'b': stability of b");
    assert_true(all.alarm);
    StickNamedHeadline gears[] = {headline("x", "gears", 1, false), headline("y", "gears", 2, false)};
    stick_headline_gather(gears, 2, &all);
    assert_string_equal(all.text, "Largest in 'y': gears of y");
    StickNamedHeadline none[] = {{.name = "p"}, {.name = "q"}};
    stick_headline_gather(none, 2, &all);
    assert_null(all.about);
    // one that this version does not know
    assert_null(headline("z", "weather", 1, false).headline.about);
}

// Quasistatics tell the force at the end; impacts of deformable bodies their peak.
static void runs_of_deformable_bodies(void **state)
{
    Scratch *scratch = *state;
    char value[512];
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nmaterials: {a: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                  "bodies: {b: {mesh: {bar: {length: 1, elements: 4}}, material: a}}\n"
                  "obstacles: {wall: {plane: {point: [0], normal: [1]}}}\n"
                  "contacts: [{between: [b.start, wall], friction: 0}]\n"
                  "supports: [{on: b.end, displacement: [\"-1e-3*t\"]}]\n"
                  "steps: [{name: press, quasistatic: {increments: 2, end: 1}}]\n"
                  "output: {history: [{name: push, of: b.start, what: contact_force.normal}]}\n"));
    read_key(scratch, "out", "headline", NULL, "text", value);
    assert_string_equal(value, "At the end (t = 1 s): push 1000 N");
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nmaterials: {a: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                  "bodies: {b: {mesh: {bar: {length: 1, elements: 20, origin: [0.001]}}, material: a, "
                  "velocity: [-1]}}\n"
                  "obstacles: {wall: {plane: {point: [0], normal: [1]}}}\n"
                  "contacts: [{between: [b.start, wall], friction: 0}]\n"
                  "steps: [{name: hit, dynamics: {scheme: theta-euler, step: 1e-3, end: 0.05}}]\n"));
    read_key(scratch, "out", "headline", NULL, "about", value);
    assert_string_equal(value, "contact");
    read_key(scratch, "out", "headline", NULL, "text", value);
    assert_true(strncmp(value, "Peak contact force ", 19) == 0);
    // sqrt(E rho) v, and some more by the scheme
    assert_near(strtod(value + 19, NULL), sqrt(1e9), 0.3 * sqrt(1e9));
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nmaterials: {a: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                  "bodies: {b: {mesh: {bar: {length: 1, elements: 2}}, material: a, velocity: [1]}}\n"
                  "obstacles: {wall: {plane: {point: [0], normal: [1]}}}\n"
                  "contacts: [{between: [b.start, wall], friction: 0}]\n"
                  "steps: [{name: fly, dynamics: {scheme: theta-euler, step: 1e-3, end: 0.05}}]\n"));
    read_key(scratch, "out", "headline", NULL, "text", value);
    assert_string_equal(value, "No contact by t = 0.05 s");
    // a model without contact has no contact force to report
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nunits: {length: m, time: s, force: N}\n"
                  "materials: {a: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                  "bodies: {b: {mesh: {bar: {length: 1, elements: 2}}, material: a, velocity: [1]}}\n"
                  "steps: [{name: fly, dynamics: {scheme: theta-euler, step: 1e-3, end: 0.05}}]\n"
                  "output: {history: [{name: u, of: b.end, what: displacement.x}]}\n"));
    read_key(scratch, "out", "headline", NULL, "about", value);
    assert_string_equal(value, "history");
    read_key(scratch, "out", "headline", NULL, "text", value);
    assert_string_equal(value, "At the end (t = 0.05 s): u 0.05 m");
}

// What hits before the first contact problem, and rebounds, is contact: the ball flies 5 m in the first half step.
static void hits_of_the_first_half_step_are_contact(void **state)
{
    Scratch *scratch = *state;
    char value[512];
    assert_ok(
        scratch->ctx,
        run(scratch,
            "stickslip: 1\nmaterials: {a: {density: 1000}}\n"
            "bodies: {b: {rigid: {disk: 0.01, mass: 2}, position: [0, 0], velocity: [1000, 0]}}\n"
            "obstacles: {wall: {plane: {point: [1, 0], normal: [-1, 0]}}}\n"
            "contacts: [{between: all, friction: 0.1, restitution: 0.5}]\n"
            "steps: [{name: fly, dynamics: {scheme: moreau, step: 1e-2, end: 0.1}}]\n"
            "output: {history: [{name: push, of: b, what: contact_force.x}, "
            "{name: normal, of: b, what: contact_force.normal}]}\n"
            "checks: [{that: contact.most_active, at-least: 1}, {that: min(push), at-most: -2.9999e5}, "
            "{that: max(normal), at-least: 2.9999e5}, {that: max(contact.normal_force), is: 3e5, within: "
            "1}, {that: max(contact.candidates), at-least: 1}, {that: final(contact.normal_force), "
            "at-most: 0}]\n"));
    read_key(scratch, "out", "headline", NULL, "text", value);
    assert_string_equal(value, "Largest contact impulse 3000 N s in the time step to t = 0.01 s");
}

// A pipe has no end that could be waited for.
static void pipes_are_no_models(void **state)
{
    Scratch *scratch = *state;
    char pipe[512], folder[512];
    snprintf(pipe, sizeof pipe, "%s", scratch_path(scratch, "pipe.yaml"));
    snprintf(folder, sizeof folder, "%s", scratch_path(scratch, "of-pipe"));
    StickStudyOptions options = {.model = pipe, .folder = folder};
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(stick_study_check(scratch->ctx, &options), STICK_IO);
    assert_error_says(scratch->ctx, "it is no regular file");
}

static void rounding_is_no_motion_in_the_headline(void **state)
{
    Scratch *scratch = *state;
    char value[512];
    assert_ok(scratch->ctx,
              run(scratch, "stickslip: 1\nmaterials: {a: {density: 1000}}\n"
                           "bodies: {b: {rigid: {box: [1, 0.7]}, material: a, repeat: {i: [0, 2]}, position: "
                           "[0, \"0.7*(i + 0.5)\"]}}\n"
                           "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                           "contacts: [{between: all, friction: 0.5}]\ngravity: [0, -9.81]\n"
                           "steps: [{name: rest, dynamics: {scheme: moreau, step: 1e-2, end: 0.2}}]\n"));
    read_key(scratch, "out", "headline", NULL, "text", value);
    assert_string_equal(value, "No collapse by t = 0.2 s: nothing moved (tilts below 1e-09 rad, relative "
                               "displacements below 1e-09)");
}

// A run that fails after its stability step says what this has judged, and nothing of what it did not come to.
static void failed_runs_keep_what_was_judged(void **state)
{
    Scratch *scratch = *state;
    char value[512];
    for (int judged = 0; judged < 2; judged++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "stickslip: 1\nmaterials: {a: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                 "bodies: {b: {mesh: {bar: {length: 1, elements: 4}}, material: a}}\n"
                 "obstacles: {wall: {plane: {point: [0], normal: [1]}}}\n"
                 "contacts: [{between: [b.start, wall], friction: 0}]\n"
                 "supports: [{on: b.end, displacement: [\"-1e-3*t\"]}]\n"
                 "steps:\n  - {name: press, quasistatic: {increments: 2, end: 1}}\n%s"
                 "  - {name: go, dynamics: {scheme: moreau, step: 1e-2, end: 2, dissipation: \"t > 1.5 and 2 "
                 "or 1\"}}\n",
                 judged ? "  - {name: judge, stability: {of: press}}\n" : "");
        assert_int_equal(run(scratch, text), STICK_BAD_INPUT);
        assert_error_says(scratch->ctx, "dissipation index must be from 0 to 1");
        read_key(scratch, "out", "headline", NULL, "text", value);
        assert_int_equal(strncmp(value, "Stable: no mode grows", judged ? 21 : 0), 0);
        assert_true(judged || value[0] == '\0');
    }
}

static StickStatus run_study(StickContext *ctx, void *data)
{
    const ModelFile *scene = data;
    StickStudyOptions options = {.model = scene->model, .folder = scene->folder, .force = true};
    return stick_study_run(ctx, &options);
}

static void memory_may_end_anywhere(void **state)
{
    ModelFile scene = make_model_file(
        *state, "stickslip: 1\nparameters: {mu: 0}\nmaterials: {a: {density: 1}}\n"
                "bodies: {b: {rigid: {box: [1, 1]}, material: a, position: [0, 0.5]}}\n"
                "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\ngravity: [0, -10]\n"
                "contacts: [{between: all, friction: mu}]\n"
                "steps: [{name: s, dynamics: {scheme: moreau, step: 0.1, end: 0.1}}]\n"
                "cases: {vary: {mu: [0]}}\noutcomes: [{that: final(collapse.fallen), at-least: 1}]\n");
    assert_survives_failing_memory(run_study, &scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(an_outcome_may_be_false),
        test_with_scratch(outcomes_are_counted_over_cases),
        test_with_scratch(pipes_are_no_models),
        test_with_scratch(rounding_is_no_motion_in_the_headline),
        test_with_scratch(failed_runs_keep_what_was_judged),
        test_with_scratch(hits_of_the_first_half_step_are_contact),
        test_with_scratch(checks_still_fail),
        test_with_scratch(an_undefined_outcome_is_null),
        test_with_scratch(mistakes_are_found_before_the_run),
        cmocka_unit_test(cases_are_gathered),
        test_with_scratch(runs_of_deformable_bodies),
        test_with_scratch(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
