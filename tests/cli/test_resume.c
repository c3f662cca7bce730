// SPDX-License-Identifier: Apache-2.0
// A run that is killed and resumed ends with the same bytes as one that was left alone.
#include "brief.h"
#include "cli/models.h"

#include "base/random.h"
#include "output/table.h"

#include <ftw.h>

// ---- comparison of result folders

// nftw hands no data on: the folders that are compared, and what was found.
static const char *compared, *against;
static int differences, files;

static bool has_timings(const char *name)
{
    return strcmp(name, "summary.json") == 0 || strcmp(name, "run.log") == 0;
}

static int compare_file(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    const char *inside = path + strlen(compared);
    struct stat twin;
    char other_path[1024];
    if (kind != FTW_F)
        return 0;
    snprintf(other_path, sizeof other_path, "%s%s", against, inside);
    char *mine = read_text(compared, inside), *other = read_text(against, inside);
    bool same = stat(other_path, &twin) == 0;
    if (same && !has_timings(path + place->base))
        same = twin.st_size == about->st_size && memcmp(mine, other, (size_t)about->st_size) == 0;
    if (!same)
        print_error("%s differs from that of %s, or is missing there\n", path, against);
    differences += !same;
    files++;
    free(mine);
    free(other);
    return 0;
}

static void compare_one_way(const char *folder, const char *reference)
{
    compared = folder;
    against = reference;
    assert_int_equal(nftw(folder, compare_file, 16, FTW_PHYS), 0);
}

// The part of a summary that holds no timings.
static void assert_same_part(const char *mine, const char *other, const char *from, const char *to)
{
    const char *a = strstr(mine, from), *b = strstr(other, from);
    assert_true(a && b && strstr(a, to) && strstr(b, to));
    size_t length = (size_t)(strstr(a, to) - a);
    assert_int_equal(length, strstr(b, to) - b);
    assert_memory_equal(a, b, length);
}

static void assert_same_summary(const char *folder, const char *reference)
{
    char *mine = read_text(folder, "summary.json"), *other = read_text(reference, "summary.json");
    assert_true(mine && other);
    assert_same_part(mine, other, "\"certificate\"", "\"seconds\"");
    assert_same_part(mine, other, "\"histories\"", "\"messages\"");
    free(mine);
    free(other);
}

// Same files, same bytes, in both directions.
static void assert_same_results(Scratch *scratch, const char *folder, const char *reference)
{
    char a[512], b[512];
    snprintf(a, sizeof a, "%s/%s", scratch->folder, folder);
    snprintf(b, sizeof b, "%s/%s", scratch->folder, reference);
    differences = files = 0;
    compare_one_way(a, b);
    compare_one_way(b, a);
    assert_int_equal(differences, 0);
    assert_true(files > 20);
}

// ---- kills

typedef struct Killer {
    Scratch *scratch;
    StickRandom random;
    char options[64];
    double span; // delays are below this
    int kills;
} Killer;

// Starts the line and kills it after a random delay, unless it has ended by then. Tells whether it was killed.
static bool kill_after_a_while(Killer *killer, const char *line)
{
    pid_t child = start_line(killer->scratch->folder, line);
    double delay = stick_random_uniform(&killer->random, 0, killer->span);
    // the first one at once
    wait_seconds(killer->kills == 0 ? 0 : delay);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    bool killed = WIFSIGNALED(status);
    if (!killed && WEXITSTATUS(status) != 0) {
        char *said = read_text(killer->scratch->folder, "stderr.txt");
        fail_msg("'%s' ended with %d: %s", line, WEXITSTATUS(status), said);
    }
    killer->kills += killed;
    return killed;
}

// Runs into "killed", killed so often and resumed each time, then to the end.
static void run_with_kills(Killer *killer, const char *model, int kills)
{
    char run[256], resume[256];
    const char *folder = killer->scratch->folder;
    snprintf(run, sizeof run, "run %s -o killed --force --quiet %s", model, killer->options);
    snprintf(resume, sizeof resume, "resume killed --quiet %s", killer->options);
    killer->kills = 0;
    for (int tries = 0; killer->kills < kills && tries < 6 * kills; tries++) {
        bool resumable = exists(folder, "killed/model.yaml");
        if (kill_after_a_while(killer, resumable ? resume : run))
            continue;
        // it was faster: what it made is right, and the next one begins
        assert_same_results(killer->scratch, "killed", "whole");
        assert_ok(killer->scratch->ctx,
                  stick_folder_remove(killer->scratch->ctx, scratch_path(killer->scratch, "killed")));
    }
    Outcome outcome = run_line(folder, exists(folder, "killed/model.yaml") ? resume : run);
    assert_code(outcome, 0);
    forget(&outcome);
}

// Other moments for another STICKSLIP_TEST_SEED.
static uint64_t chosen_seed(void)
{
    const char *seed = getenv("STICKSLIP_TEST_SEED");
    return seed ? 1000 * strtoull(seed, NULL, 10) : 20;
}

// The same model left alone, then killed; the span of the delays is a part of the time that it takes.
static void compare_with_kills(Scratch *scratch, const char *options, double part, int kills)
{
    char line[256];
    kills = test_size(kills, 1);
    snprintf(line, sizeof line, "run model.yaml -o whole --quiet %s", options);
    Outcome outcome = run_line(scratch->folder, line);
    assert_code(outcome, 0);
    Killer killer = {.scratch = scratch,
                     .random = stick_random_seed(chosen_seed() + (uint64_t)kills),
                     .span = part * outcome.seconds};
    forget(&outcome);
    snprintf(killer.options, sizeof killer.options, "%s", options);
    run_with_kills(&killer, "model.yaml", kills);
    assert_same_results(scratch, "killed", "whole");
    print_message("%d kills\n", killer.kills);
}

static void test_killed_with_a_checkpoint_per_step(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "steps: 60", test_is_brief() ? "steps: 120" : "steps: 400");
    compare_with_kills(scratch, "--checkpoint 1", 0.12, 20);
    char a[512], b[512];
    snprintf(a, sizeof a, "%s/killed", scratch->folder);
    snprintf(b, sizeof b, "%s/whole", scratch->folder);
    assert_same_summary(a, b);
}

// With the default a short run has no checkpoint between its start and its end.
static void test_killed_without_a_checkpoint(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "steps: 60", test_is_brief() ? "steps: 120" : "steps: 400");
    compare_with_kills(scratch, "", 1, 4);
}

static void test_killed_newmark(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "scheme: theta-euler", "scheme: newmark");
    compare_with_kills(scratch, "--checkpoint 3", 0.4, 4);
}

static void test_killed_between_cases(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml",
                "checks:", "cases: {vary: {scheme: [theta-euler, modified-theta, newmark]}}\nchecks:");
    compare_with_kills(scratch, "--checkpoint 2", 0.3, 6);
}

static void test_killed_in_a_sequence_of_steps(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "checks:",
                "  - {name: fly, dynamics: {scheme: newmark, step: 0.5*h, end: 1.5*steps*h}}\nchecks:");
    compare_with_kills(scratch, "--checkpoint 2", 0.4, 5);
}

// Two blocks with friction, pressed and pushed: by increments of turning frames with a held force, and from event to event on
// a plane; then let go in time.
static const char quasistatic_model[] =
    "stickslip: 1\n"
    "materials: {steel: {law: elastic, young: 1e9, poisson: 0.3, density: 7800}}\n"
    "bodies:\n"
    "  low: {mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}, plane: strain, material: steel}\n"
    "  high: {mesh: {rectangle: {size: [0.04, 0.02], cells: [8, 2], origin: [0.03, 0.0201]}}, plane: "
    "strain,\n"
    "         material: steel}\n"
    "supports:\n"
    "  - {on: low.bottom, displacement: [0, 0]}\n"
    "  - {on: high.top, displacement: [\"1e-4*max(t - 1, 0)\", free]}\n"
    "loads: [{on: high.top, hold: [free, \"-1e5*min(t, 1)\"]}]\n"
    "contacts: [{between: [high.bottom, low.top], friction: 0.3}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 20}}\n"
    "  - {name: push, quasistatic: {end: 3, increments: 60}}\n"
    "output: {fields: {every: 7}, history: [{name: force, of: high.bottom, what: "
    "contact_force.tangential}]}\n";

static const char events_model[] =
    "stickslip: 1\n"
    "materials: {steel: {law: elastic, young: 1e9, poisson: 0.3, density: 7800}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [0.08, 0.04], cells: [20, 6]}}, plane: strain, material: "
    "steel}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"2e-4*abs(abs(t - 3.5) - "
    "2.5)\", 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-1e-4*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: 0.8}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 1}}\n"
    "  - {name: drag, quasistatic: {end: 8, increments: 4, follow: events}}\n"
    "  - {name: release, dynamics: {scheme: newmark, step: 0.01, end: 8.2}}\n"
    "output: {fields: {every: 7}, history: [{name: force, of: block.bottom, what: "
    "contact_force.tangential}],\n"
    "         profiles: [{name: stress, of: block.bottom, at: [0.5, 1, 2.03, 2.04, 3.3, 5, 6.7, 8.005, "
    "8.2]}]}\n";

// Its path is judged twice, and goes on between and behind it.
static const char stability_model[] =
    "stickslip: 1\n"
    "materials: {steel: {law: elastic, young: 1e9, poisson: 0.3, density: 7800}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [0.08, 0.04], cells: [6, 2]}}, plane: strain, material: "
    "steel}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"2e-4*max(t - 1, 0)\", "
    "0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-1e-4*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: 0.8}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 1}}\n"
    "  - {name: drag, quasistatic: {end: 3, increments: 20, follow: events}}\n"
    "  - {name: table, stability: {of: drag, shapes: 2, damping: {beta: 1e-6}}}\n"
    "  - {name: on, quasistatic: {end: 4, increments: 10, follow: events}}\n"
    "  - {name: late, stability: {of: drag, at: [2.5, 3], mass: unit, shapes: 1}}\n"
    "  - {name: release, dynamics: {scheme: newmark, step: 0.01, end: 4.05}}\n";

// A disturbance of a judged state grows: its mode is found anew when the run is resumed.
static const char disturbed_model[] =
    "stickslip: 1\n"
    "materials: {soft: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [6, 2]}}, plane: stress, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-max(t - 1, 0)\", 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 1}}\n"
    "  - {name: drag, quasistatic: {end: 9, increments: 8, follow: events}}\n"
    "  - {name: judge, stability: {of: drag}}\n"
    "  - {name: shake, dynamics: {step: 1e-5, end: 9.002, perturb: {mode: 1, random: 1e-9, seed: 4}}}\n"
    "output:\n"
    "  fields: {every: 7}\n"
    "  spectrum: [{name: rub, of: block.bottom, what: velocity.x}]\n"
    "  phase: [{name: round, of: block.bottom-left}]\n"
    "  sound: {of: block.bottom, what: velocity.y, slow: 100}\n";

static void test_killed_in_a_disturbance(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", disturbed_model);
    compare_with_kills(scratch, "--checkpoint 3", 0.4, 6);
    assert_true(exists(scratch->folder, "whole/history/shake-growth.csv"));
    assert_true(exists(scratch->folder, "whole/motion/shake/contacts.csv"));
    assert_true(exists(scratch->folder, "whole/sound.wav"));
}

// A family of steady sliding, its map, and motion from one of its states.
static const char family_model[] =
    "stickslip: 1\n"
    "parameters: {mu: 0.3}\n"
    "materials: {soft: {law: neo-hookean, shear: 1.7, bulk: 40, density: 1.2e-9}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [6, 2]}}, plane: strain, element: "
    "mean-dilatation, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [-100, 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-3*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 2}, friction: 0}\n"
    "  - {name: slide, steady-sliding: {vary: {mu: {from: 0, to: 0.6, by: 0.1}}}}\n"
    "  - {name: map, stability: {of: slide, locate: none}}\n"
    "  - {name: shake, dynamics: {from: {step: slide, mu: 0.33}, step: 1e-5, end: 2.0005, perturb: {mode: 1, "
    "amplitude: 1e-3}}}\n";

static void test_killed_around_a_family(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", family_model);
    compare_with_kills(scratch, "--checkpoint 1", 0.4, 6);
    assert_true(exists(scratch->folder, "whole/stability/map/sweep.csv"));
    assert_true(exists(scratch->folder, "whole/history/shake-growth.csv"));
}

static void test_killed_around_stability(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", stability_model);
    compare_with_kills(scratch, "--checkpoint 1", 0.3, 8);
    assert_true(exists(scratch->folder, "whole/stability/table/spectrum.csv"));
    assert_true(exists(scratch->folder, "whole/history/late.csv"));
    // it is a result folder like any other
    Outcome again = run_line(scratch->folder, "run model.yaml -o whole --force --quiet");
    assert_code(again, 0);
    forget(&again);
}

// Blocks on a shaken ground, and a pendulum with a spring and a motor beside them.
static const char shaken[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "bodies:\n"
    "  block: {rigid: {box: [0.45, 0.4]}, material: stone, repeat: {i: [0, 1], j: [0, 3]}, position: "
    "[\"0.225 + "
    "0.45*i\", \"0.2 + 0.4*j\"]}\n"
    "  arm: {rigid: {stadium: {radius: 0.05, length: 0.5}}, material: stone, position: [2, 1], rotation: "
    "0.3}\n"
    "  bob: {rigid: {disk: 0.1}, material: stone, position: [2.5, 1]}\n"
    "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, record: {file: quake.csv, what: velocity, "
    "along: [1, 0]}}}\n"
    "gravity: [0, -9.81]\n"
    "contacts: [{between: all, friction: \"v > 0 and 0.3 or 0.4\"}]\n"
    "joints:\n"
    "  - {name: hinge, pin: {between: [arm, ground], at: [2, 1.2]}}\n"
    "  - {name: wire, spring: {between: [arm, bob], from: [2, 1], to: [2.4, 1], stiffness: 500, damping: "
    "2}}\n"
    "loads: [{on: bob, force: [\"-100*(x - 2.5)\", 0]}]\n"
    "steps:\n"
    "  - {name: shake, dynamics: {step: 2e-3, end: 0.3}}\n"
    "  - {name: rest, dynamics: {step: 1e-3, end: 0.4}}\n"
    "output: {fields: {every: 20}, history: [{name: gap, of: [\"block[0,0]\", \"block[1,0]\"], what: "
    "distance}, "
    "{name: turn, of: arm, what: angle}]}\n";

// A spinning box that falls on others, on the group of rotations.
static const char tumbling[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "bodies:\n"
    "  box: {rigid: {box: [0.3, 0.2, 0.1]}, material: stone, repeat: {k: [0, 3]}, position: [\"0.02*k\", 0, "
    "\"0.3 + 0.3*k\"], rotation: [0.1, \"0.2*k\", 0], angular-velocity: [3, 1, \"-2*k\"]}\n"
    "  ball: {rigid: {sphere: 0.1}, material: stone, repeat: {i: [0, 2]}, position: [\"0.3*i\", 0.5, 0.1], "
    "velocity: [0, -1, 0]}\n"
    "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
    "gravity: [0, 0, -9.81]\n"
    "contacts: [{between: all, friction: 0.3, restitution: 0.2}]\n"
    "steps: [{name: fall, dynamics: {step: 2e-3, end: 0.6}}]\n"
    "output: {fields: {every: 20}, history: [{name: speed, of: \"box[3]\", what: angular_velocity.x}]}\n";

static void test_killed_with_rigid_bodies(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "quake.csv", "0,0\n0.1,1\n0.2,-1\n0.3,0.5\n0.4,0\n");
    write_text(scratch->folder, "model.yaml", shaken);
    compare_with_kills(scratch, "--checkpoint 7", 0.4, 5);
}

static void test_killed_with_rigid_bodies_in_space(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", tumbling);
    compare_with_kills(scratch, "--checkpoint 7", 0.4, 5);
}

static void test_killed_by_increments(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", quasistatic_model);
    compare_with_kills(scratch, "--checkpoint 1", 0.3, 6);
}

static void test_killed_between_events(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", events_model);
    compare_with_kills(scratch, "--checkpoint 1", 0.3, 8);
    assert_true(exists(scratch->folder, "whole/history/events.csv"));
    assert_int_equal(count_lines(scratch->folder, "whole/profiles/stress.csv"), 1 + 9 * 21);
}

// ---- interruption

// Waits until a table has some rows: it can be read while the run goes on.
static void wait_for_rows(Scratch *scratch, const char *name, int rows)
{
    double end = clock_now() + 20;
    while (count_lines(scratch->folder, name) <= rows) {
        assert_true(clock_now() < end);
        wait_seconds(0.002);
    }
    StickColumns columns;
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, scratch_path(scratch, name), &columns));
    assert_true(columns.nrows >= (size_t)rows);
    assert_string_equal(columns.name[0], "t [s]");
    stick_columns_destroy(scratch->ctx, &columns);
}

// Runs the model into the folder and interrupts it on its way, once the table has rows. A run that is through before
// the signal comes is done again.
static void interrupt_run(Scratch *scratch, const char *folder, const char *table, int signal_number)
{
    char line[128];
    int code = 0;
    snprintf(line, sizeof line, "run model.yaml -o %s --quiet", folder);
    for (int tries = 0; code == 0 && tries < 5; tries++) {
        assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, folder)));
        pid_t child = start_line(scratch->folder, line);
        wait_for_rows(scratch, table, 20);
        kill(child, signal_number);
        code = wait_for(child, 10);
    }
    assert_int_equal(code, 130);
}

// Killed when all steps are done, while the end is written and drawn.
static void test_killed_during_the_end(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    Outcome whole = run_with(scratch->folder, true, "run model.yaml -o whole --quiet");
    assert_code(whole, 0);
    forget(&whole);
    for (int k = 0; k < 3; k++) {
        char line[] = "run model.yaml -o killed --quiet", *words[MOST_WORDS + 1];
        split_words(line, words);
        pid_t child = start_program(scratch->folder, true, words);
        wait_for_rows(scratch, "killed/history/force.csv", 61);
        wait_seconds(0.02 * k);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        Outcome outcome = run_with(scratch->folder, true, "resume killed --quiet");
        assert_code(outcome, 0);
        forget(&outcome);
        assert_same_results(scratch, "killed", "whole");
        assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "killed")));
    }
}

static void test_interrupted_and_resumed(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 3000");
    expect(scratch->folder, "run model.yaml -o whole --quiet", 0, "");
    static const int signals[] = {SIGINT, SIGTERM};
    for (int k = 0; k < 2; k++) {
        interrupt_run(scratch, "broken", "broken/history/force.csv", signals[k]);
        char *said = read_text(scratch->folder, "stderr.txt");
        assert_says(said, "interrupted at t = ");
        assert_says(said, "stickslip resume");
        free(said);
        char *summary = read_text(scratch->folder, "broken/summary.json");
        assert_says(summary, "\"state\": \"interrupted\"");
        assert_near(json_number(summary, "exit_code"), 130, 0);
        assert_json(scratch, "broken/summary.json");
        free(summary);
        assert_true(exists(scratch->folder, "broken/checkpoint/state.h5"));
        expect(scratch->folder, "resume broken --quiet", 0, "");
        assert_same_results(scratch, "broken", "whole");
        char *log = read_text(scratch->folder, "broken/run.log");
        assert_says(log, "interrupted at t = "); // what was said before stays
        free(log);
        assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "broken")));
    }
}

static void test_interrupted_study_tells_what_has_not_run(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "checks:", "cases: {vary: {steps: [5, 5000, 6]}}\nchecks:");
    interrupt_run(scratch, "out", "out/cases/5000/history/force.csv", SIGINT);
    char *summary = read_text(scratch->folder, "out/summary.json");
    assert_says(summary, "\"state\": \"interrupted\"");
    assert_says(summary, "\"state\": \"not run\"");
    free(summary);
    assert_false(exists(scratch->folder, "out/cases/6"));
    Outcome outcome = run_line(scratch->folder, "resume out --quiet");
    assert_code(outcome, 0);
    assert_says(outcome.err, "cases/5' is finished");
    forget(&outcome);
    summary = read_text(scratch->folder, "out/summary.json");
    assert_null(strstr(summary, "not run"));
    free(summary);
}

// ---- resuming what needs no or bears no resume

static void test_resume_of_a_finished_run_changes_nothing(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o out --quiet", 0, "");
    char *before = read_text(scratch->folder, "out/summary.json");
    expect(scratch->folder, "resume out --quiet", 0, "finished");
    char *after = read_text(scratch->folder, "out/summary.json");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

// The code of a finished run with a failed check stays its code.
static void test_resume_keeps_the_code(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "at-most: 1e-10", "at-most: -1");
    expect(scratch->folder, "run model.yaml -o out --quiet", 3, "check failed: momentum.error is ");
    expect(scratch->folder, "resume out --quiet", 3, "checks failed");
}

static void damage(Scratch *scratch, const char *name, size_t cut, long flipped)
{
    char *path = strdup(scratch_path(scratch, name));
    char *bytes;
    size_t count;
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, &count));
    if (flipped >= 0)
        bytes[(size_t)flipped % count] ^= 1;
    write_bytes(scratch->folder, name, bytes, count - cut % count);
    stick_free(scratch->ctx, bytes);
    free(path);
}

// Nothing is written when the checkpoint cannot be read.
static void test_resume_of_a_damaged_checkpoint(void **state)
{
    Scratch *scratch = *state;
    static const struct {
        size_t cut;
        long flipped;
    } damages[] = {{1, -1}, {5000, -1}, {0, 3000}, {0, 2}, {0, 600}};
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 3000");
    interrupt_run(scratch, "out", "out/history/force.csv", SIGINT);
    const char *const kept[] = {"out/history/force.csv", "out/history/energy.csv", "out/summary.json",
                                "out/run.log"};
    char *before[4], *good;
    size_t size;
    for (int k = 0; k < 4; k++)
        before[k] = read_text(scratch->folder, kept[k]);
    assert_ok(scratch->ctx,
              stick_file_read(scratch->ctx, scratch_path(scratch, "out/checkpoint/state.h5"), &good, &size));
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        damage(scratch, "out/checkpoint/state.h5", damages[d].cut, damages[d].flipped);
        expect(scratch->folder, "resume out --quiet", 7, "state.h5");
        for (int k = 0; k < 4; k++) {
            char *after = read_text(scratch->folder, kept[k]);
            assert_string_equal(after, before[k]);
            free(after);
        }
        write_bytes(scratch->folder, "out/checkpoint/state.h5", good, size);
    }
    expect(scratch->folder, "resume out --quiet", 0, "");
    for (int k = 0; k < 4; k++)
        free(before[k]);
    stick_free(scratch->ctx, good);
}

static void test_resume_of_a_shortened_history(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 3000");
    interrupt_run(scratch, "out", "out/history/force.csv", SIGINT);
    damage(scratch, "out/history/force.csv", 40, -1);
    expect(scratch->folder, "resume out --quiet", 7, "force.csv");
}

// The model file that the run was started from must be what it was, though a copy is kept: users edit it and expect that it
// counts. A resume that is refused changes nothing; a file that is gone is no reason to refuse.
static void test_resume_after_the_model_file_was_edited(void **state)
{
    Scratch *scratch = *state;
    static const char *const kept[] = {"out/summary.json", "out/model.yaml", "out/history/force.csv",
                                       "out/run.log"};
    char *before[4];
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 3000");
    expect(scratch->folder, "run model.yaml -o whole --quiet", 0, "");
    interrupt_run(scratch, "out", "out/history/force.csv", SIGINT);
    for (int k = 0; k < 4; k++)
        before[k] = read_text(scratch->folder, kept[k]);
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 2999");
    expect(scratch->folder, "resume out --quiet", 7, "model.yaml' was changed after this run was started");
    expect(scratch->folder, "resume out --quiet", 7, "kept as 'out/model.yaml'");
    expect(scratch->folder, "resume out --quiet", 7, "--force' starts again");
    for (int k = 0; k < 4; k++) {
        char *after = read_text(scratch->folder, kept[k]);
        assert_string_equal(after, before[k]);
        free(after);
        free(before[k]);
    }
    assert_int_equal(unlink(scratch_path(scratch, "model.yaml")), 0);
    expect(scratch->folder, "resume out --quiet", 0, "");
    // it was written from a file that is there again, with the same bytes
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 3000");
    assert_same_results(scratch, "out", "whole");
}

// A study whose cases have not all begun, by the file in the folder that holds them.
static void test_resume_of_a_study_after_the_model_file_was_edited(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 3000");
    char *text = read_text(scratch->folder, "model.yaml"), *study = calloc(strlen(text) + 200, 1);
    assert_non_null(study);
    sprintf(study, "%scases: {a: {}, b: {}, c: {}}\n", text);
    write_text(scratch->folder, "model.yaml", study);
    interrupt_run(scratch, "out", "out/cases/a/history/force.csv", SIGINT);
    strcat(study, "# another line\n");
    write_text(scratch->folder, "model.yaml", study);
    expect(scratch->folder, "resume out --quiet", 7, "was changed after this run was started");
    assert_false(exists(scratch->folder, "out/cases/b/model.yaml"));
    study[strlen(study) - strlen("# another line\n")] = '\0';
    write_text(scratch->folder, "model.yaml", study);
    expect(scratch->folder, "resume out --quiet", 0, "");
    free(text);
    free(study);
}

static void test_resume_of_what_is_no_result_folder(void **state)
{
    Scratch *scratch = *state;
    expect(scratch->folder, "resume nowhere", 2, "no such folder");
    expect(scratch->folder, "resume .", 2, "no model.yaml");
    expect(scratch->folder, "resume", 2, "takes one result folder");
}

// Two programs in one folder would destroy each other's tables.
static void test_one_program_at_a_time(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 100000");
    pid_t child = start_line(scratch->folder, "run model.yaml -o out --quiet");
    wait_for_rows(scratch, "out/history/force.csv", 3);
    expect(scratch->folder, "resume out", 2, "another stickslip is at work");
    expect(scratch->folder, "run model.yaml -o out --force", 2, "another stickslip is at work");
    kill(child, SIGINT);
    assert_int_equal(wait_for(child, 10), 130);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_killed_with_a_checkpoint_per_step),
        test_with_scratch(test_killed_without_a_checkpoint),
        test_with_scratch(test_killed_newmark),
        test_with_scratch(test_killed_between_cases),
        test_with_scratch(test_killed_in_a_sequence_of_steps),
        test_with_scratch(test_killed_with_rigid_bodies),
        test_with_scratch(test_killed_with_rigid_bodies_in_space),
        test_with_scratch(test_killed_by_increments),
        test_with_scratch(test_killed_between_events),
        test_with_scratch(test_killed_around_stability),
        test_with_scratch(test_killed_around_a_family),
        test_with_scratch(test_killed_in_a_disturbance),
        test_with_scratch(test_killed_during_the_end),
        test_with_scratch(test_interrupted_and_resumed),
        test_with_scratch(test_interrupted_study_tells_what_has_not_run),
        test_with_scratch(test_resume_of_a_finished_run_changes_nothing),
        test_with_scratch(test_resume_keeps_the_code),
        test_with_scratch(test_resume_of_a_damaged_checkpoint),
        test_with_scratch(test_resume_of_a_shortened_history),
        test_with_scratch(test_resume_after_the_model_file_was_edited),
        test_with_scratch(test_resume_of_a_study_after_the_model_file_was_edited),
        test_with_scratch(test_resume_of_what_is_no_result_folder),
        test_with_scratch(test_one_program_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
