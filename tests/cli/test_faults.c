// SPDX-License-Identifier: Apache-2.0
// Every command with failing allocations, failing files and signals. A fault ends in a message and an exit code that is not 0, or
// leaves no trace: results are those of an undisturbed command. After it a run can be resumed to the same results, and other
// commands can be started again. With STICKSLIP_TEST_FAULTS=N there are N times as many faults (nightly, with 25: at least
// 2000 allocations, 400 calls of files and 300 kills); STICKSLIP_TEST_FAULT=WORDS takes only the commands that contain them.
#include "cli/models.h"

#include "base/random.h"

#include <errno.h>
#include <ftw.h>

enum { LIMIT = 20 }; // seconds; a command that takes longer hangs

typedef struct Command {
    const char *line;   // writes into "out"
    const char *before; // a run into "out" that is killed before; NULL: none
    const char *result; // file or folder that it writes; NULL: nothing
    bool runs;          // can be resumed
    bool prints;        // the same text on the standard output each time
    int memory, io, kills, stops;
} Command;

#define SILENT "-o out --quiet --no-plots"

static const Command commands[] = {
    {"run model.yaml " SILENT " --checkpoint 9", NULL, "out", true, false, 8, 3, 4, 1},
    {"run model.yaml " SILENT " --report --dump-problems=20", NULL, "out", true, false, 4, 1, 0, 0},
    {"run study.yaml " SILENT, NULL, "out", true, false, 6, 2, 2, 1},
    {"run motion.yaml " SILENT, NULL, "out", true, false, 8, 1, 1, 0},
    {"run flat.yaml " SILENT " --checkpoint 11", NULL, "out", true, false, 6, 1, 1, 0},
    {"run space.yaml " SILENT " --checkpoint 11", NULL, "out", true, false, 6, 1, 1, 0},
    {"run brick.yaml " SILENT " --checkpoint 7", NULL, "out", true, false, 4, 1, 1, 0},
    {"run rubber.yaml " SILENT " --checkpoint 1", NULL, "out", true, false, 5, 1, 1, 0},
    {"run path.yaml " SILENT " --checkpoint 1", NULL, "out", true, false, 8, 1, 1, 0},
    {"run sliding.yaml " SILENT " --checkpoint 1", NULL, "out", true, false, 8, 1, 1, 0},
    {"run gears.yaml " SILENT " --checkpoint 1", NULL, "out", true, false, 4, 1, 1, 0},
    {"resume out --quiet --no-plots", "run model.yaml " SILENT " --checkpoint 9", "out", true, false, 6, 1, 1,
     0},
    {"check study.yaml", NULL, NULL, false, true, 4, 1, 0, 0},
    {"check gears.yaml --json", NULL, NULL, false, true, 2, 1, 0, 0},
    {"report whole whole2 -o out.html", NULL, "out.html", false, false, 4, 1, 1, 0},
    {"compare whole whole2 -o out", NULL, "out", false, true, 3, 1, 1, 0},
    {"solve problem.hdf5 -o out.hdf5", NULL, "out.hdf5", false, false, 4, 1, 1, 0},
    {"bench problems --solvers gauss-seidel --repeats 1 -o out", NULL, NULL, false, false, 2, 1, 0, 0},
    {"examples two-bars", NULL, "two-bars.yaml", false, true, 1, 1, 1, 0},
    {"schema --json", NULL, NULL, false, true, 1, 1, 0, 0},
    {"solvers", NULL, NULL, false, true, 0, 1, 0, 0},
};

// A block that shakes: signals, portraits and sounds when it ends.
static const char motion_model[] = "stickslip: 1\n"
                                   "materials: {soft: {young: 5, poisson: 0.3, density: 1.2e-9}}\n"
                                   "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [4, 2]}}, "
                                   "plane: stress, material: soft, velocity: [0, -100]}}\n"
                                   "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                                   "supports: [{on: block.top, displacement: [0, 0]}]\n"
                                   "contacts: [{between: [block.bottom, plate], friction: 0.3}]\n"
                                   "steps: [{name: shake, dynamics: {step: 1e-5, end: 2e-3}}]\n"
                                   "output:\n"
                                   "  spectrum: [{name: rub, of: block.bottom, what: velocity.x}]\n"
                                   "  phase: [{name: round, of: block.bottom-left}]\n"
                                   "  sound: {of: block.bottom, what: velocity.y, slow: 100}\n";

// Rigid bodies in the plane, one on a pin.
static const char flat_model[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "bodies:\n"
    "  brick: {rigid: {box: [0.5, 0.25]}, material: stone, repeat: {j: [0, 2]}, position: [\"0.05*j\", "
    "\"0.125 + 0.25*j\"]}\n"
    "  disk: {rigid: {disk: 0.1, mass: 1}, position: [0.8, 0.15], velocity: [-2, 0]}\n"
    "  arm: {rigid: {box: [0.6, 0.1]}, material: stone, position: [-0.9, 0.8]}\n"
    "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "gravity: [0, -9.81]\n"
    "contacts: [{between: all, friction: 0.5}]\n"
    "joints:\n"
    "  - {name: bearing, pin: {between: [arm], at: [-0.6, 0.8]}}\n"
    "steps: [{name: fall, dynamics: {scheme: moreau, step: 2e-3, end: 0.1}}]\n"
    "output:\n"
    "  fields: {every: 10}\n"
    "  history:\n"
    "    - {name: top, of: \"brick[2]\", what: position.x}\n"
    "    - {name: force, of: ground, what: contact_force.y}\n";

// Rigid bodies in space.
static const char space_model[] = "stickslip: 1\n"
                                  "materials: {stone: {density: 2500}}\n"
                                  "bodies:\n"
                                  "  ball: {rigid: {sphere: 0.05}, material: stone, repeat: {i: [0, 1], k: "
                                  "[0, 1]}, position: [\"0.11*i + 0.01*k\", 0, \"0.05 + 0.101*k\"]}\n"
                                  "  box: {rigid: {box: [0.1, 0.1, 0.1]}, material: stone, position: [0.4, "
                                  "0, 0.051], velocity: [-1, 0, 0]}\n"
                                  "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                                  "gravity: [0, 0, -9.81]\n"
                                  "contacts: [{between: all, friction: 0.4}]\n"
                                  "steps: [{name: fall, dynamics: {scheme: moreau, step: 2e-3, end: 0.1}}]\n"
                                  "output:\n"
                                  "  fields: {every: 10}\n"
                                  "  history: [{name: top, of: \"ball[0,1]\", what: position.z}]\n";

// A deformable block in space strikes a plate.
static const char brick_model[] =
    "stickslip: 1\n"
    "materials: {steel: {young: 1e9, poisson: 0.3, density: 7800}}\n"
    "bodies: {block: {mesh: {box: {size: [0.1, 0.1, 0.05], cells: [2, 2, 1]}}, material: steel, velocity: "
    "[1, 0, -2]}}\n"
    "obstacles: {plate: {plane: {point: [0, 0, -0.0001], normal: [0, 0, 1]}}}\n"
    "contacts: [{between: [block.bottom, plate], friction: 0.3}]\n"
    "steps: [{name: hit, dynamics: {step: 1e-5, end: 3e-4}}]\n"
    "output:\n"
    "  fields: {every: 5}\n"
    "  history: [{name: force, of: block.bottom, what: contact_force.normal}]\n";

// Rubber pressed and sheared in increments.
static const char rubber_model[] =
    "stickslip: 1\n"
    "materials: {rubber: {law: neo-hookean, young: 5, poisson: 0.4, density: 1e-9}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [10, 10], cells: [3, 3]}}, plane: strain, material: rubber}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "supports: [{on: block.top, displacement: [\"0.5*max(t - 1, 0)\", \"-min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: 0.3}]\n"
    "steps: [{name: press, quasistatic: {end: 2, increments: 6}}]\n"
    "output:\n"
    "  fields: {every: 2}\n"
    "  history: [{name: force, of: block.bottom, what: contact_force.normal}]\n";

// A path from event to event, its stability, and modes over the friction.
static const char path_model[] =
    "stickslip: 1\n"
    "parameters: {mu: 0.5}\n"
    "materials: {soft: {young: 3, poisson: 0.3, density: 4}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}, plane: stress, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-0.1*max(t - 1, 0)\", "
    "0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 4}}\n"
    "  - {name: drag, quasistatic: {end: 2, increments: 1, follow: events}}\n"
    "  - {name: judge, stability: {of: drag, modes: 4}}\n"
    "  - {name: coupling, stability: {of: drag, vary: {mu: {from: 0.3, to: 0.5, by: 0.1}}, modes: 4}}\n"
    "output:\n"
    "  fields: {every: 1}\n"
    "  history: [{name: force, of: block.bottom, what: contact_force.normal}]\n";

// Steady sliding, its stability, and the motion out of it.
static const char sliding_model[] =
    "stickslip: 1\n"
    "parameters: {mu: 0.4}\n"
    "materials: {soft: {young: 5, poisson: 0.3, density: 1.2e-9}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [4, 2]}}, plane: stress, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [-100, 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 2}, friction: 0}\n"
    "  - {name: slide, steady-sliding: {vary: {mu: {from: 0, to: 0.4, by: 0.2}}}}\n"
    "  - {name: map, stability: {of: slide, modes: 4}}\n"
    "  - {name: free, dynamics: {from: {step: slide, mu: 0.4}, step: 2e-5, end: 2.0005, perturb: {of: map, "
    "mode: 1, amplitude: 1e-5}}}\n"
    "output:\n"
    "  history: [{name: force, of: block.bottom, what: contact_force.normal}]\n";

// Two gears over a tooth.
static const char gears_model[] =
    "stickslip: 1\n"
    "parameters: {mu: 0.1}\n"
    "materials: {steel: {young: 30e6, poisson: 0.3, density: 7.3e-4}}\n"
    "gears:\n"
    "  pair: {teeth: [20, 20], diametral-pitch: 10, pressure-angle: deg(20), addendum: 0.75, dedendum: 1.4, "
    "rack-radius: 0.375,\n"
    "         centre-distance: 2, face-width: 1, bore: 0.5, material: steel, mesh: {flank-nodes: 9, "
    "fine-teeth: 1, fillet: 0.05}}\n"
    "supports:\n"
    "  - {on: pair.1.bore, displacement: [0, 0]}\n"
    "  - {on: pair.2.bore, displacement: [0, 0]}\n"
    "contacts: [{between: pair, friction: mu, max-distance: 0.01}]\n"
    "steps: [{name: roll, trajectory: {cycle: tooth, positions: 2, torque: {pair.2: 1000}}}]\n"
    "output:\n"
    "  fields: {every: 2}\n"
    "  history: [{name: error, of: pair, what: transmission_error}]\n";

// ---- one command under one fault

static void set_fault(Scratch *scratch, const char *fault)
{
    setenv("LD_PRELOAD", STICKSLIP_FAULT_SHIM, 1);
    setenv("STICKSLIP_FAULT_MARK", scratch_path(scratch, "happened"), 1);
    if (fault)
        setenv("STICKSLIP_FAULT", fault, 1);
    remove(scratch_path(scratch, "happened"));
}

static void no_fault(void)
{
    unsetenv("LD_PRELOAD");
    unsetenv("STICKSLIP_FAULT");
    unsetenv("STICKSLIP_FAULT_MARK");
    unsetenv("STICKSLIP_FAULT_COUNT");
}

static Outcome run_within_limit(Scratch *scratch, const char *line)
{
    Outcome outcome = {.code = wait_for(start_line(scratch->folder, line), LIMIT)};
    outcome.out = read_text(scratch->folder, "stdout.txt");
    outcome.err = read_text(scratch->folder, "stderr.txt");
    return outcome;
}

static void start_anew(Scratch *scratch, const Command *command)
{
    static const char *const files[] = {"out.hdf5", "out.html", "two-bars.yaml"};
    assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "out")));
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        remove(scratch_path(scratch, files[k]));
    if (!command->before)
        return;
    set_fault(scratch, "signal:150:9");
    Outcome killed = run_within_limit(scratch, command->before);
    no_fault();
    assert_int_equal(killed.code, -SIGKILL);
    forget(&killed);
}

// ---- comparison of results

static const char *compared, *against;
static int differences;

static bool is_page(const char *name)
{
    return strstr(name, ".html") != NULL;
}

// To its last word.
static bool is_whole_page(const char *text)
{
    const char *end = strstr(text, "</html>");
    return end && end[7 + strspn(end + 7, "\n")] == '\0';
}

// What holds times.
static bool may_differ(const char *name)
{
    return strcmp(name, "summary.json") == 0 || strcmp(name, "run.log") == 0 || is_page(name);
}

// The same text between two words, or neither has them.
static bool same_part(const char *mine, const char *other, const char *from, const char *to)
{
    const char *a = strstr(mine, from), *b = strstr(other, from);
    const char *a_end = a ? strstr(a, to) : NULL, *b_end = b ? strstr(b, to) : NULL;
    if (!a_end || !b_end)
        return !a_end && !b_end;
    return a_end - a == b_end - b && memcmp(a, b, (size_t)(a_end - a)) == 0;
}

// All numbers of a summary but times.
static bool same_summary(const char *mine, const char *other)
{
    return same_part(mine, other, "\"certificate\"", "\"seconds\"") &&
           same_part(mine, other, "\"histories\"", "\"messages\"");
}

static int compare_file(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    if (kind != FTW_F)
        return 0;
    struct stat twin;
    char other_path[900];
    snprintf(other_path, sizeof other_path, "%s%s", against, path + strlen(compared));
    char *mine = read_text("", path), *other = read_text("", other_path);
    bool same = mine && other && stat(other_path, &twin) == 0;
    if (same && !may_differ(path + place->base))
        same = about->st_size == twin.st_size && memcmp(mine, other, (size_t)about->st_size) == 0;
    if (same && strcmp(path + place->base, "summary.json") == 0)
        same = same_summary(mine, other);
    if (same && is_page(path))
        same = is_whole_page(mine) && is_whole_page(other);
    if (!same)
        print_error("%s differs from %s, or is missing there\n", path, other_path);
    differences += !same;
    free(mine);
    free(other);
    return 0;
}

// The same files with the same bytes; of what holds times, that it is there.
static bool same_results(Scratch *scratch, const char *result, const char *reference)
{
    char mine[512], other[512];
    snprintf(mine, sizeof mine, "%s/%s", scratch->folder, result);
    snprintf(other, sizeof other, "%s/%s", scratch->folder, reference);
    differences = 0;
    compared = mine, against = other;
    if (nftw(mine, compare_file, 16, FTW_PHYS) != 0)
        return false;
    compared = other, against = mine;
    return nftw(other, compare_file, 16, FTW_PHYS) == 0 && differences == 0;
}

// ---- judgement

// All of them are reported, not only the first.
static int complaints;

#define complain(...)             \
    do {                          \
        print_error(__VA_ARGS__); \
        print_error("\n");        \
        complaints++;             \
    } while (0)

typedef struct Tally {
    int memory, io, kills, stops; // faults that happened
    int failures, traceless, resumed;
} Tally;

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static bool is_memory(const char *fault)
{
    return begins(fault, "memory") || begins(fault, "own") || begins(fault, "drought");
}

static int signal_of(const char *fault)
{
    return begins(fault, "signal") || begins(fault, "moment") ? atoi(strrchr(fault, ':') + 1) : 0;
}

static bool blames_a_good_file(const char *text)
{
    return strstr(text, "damaged") && !strstr(text, "too little memory");
}

static void judge_end(const Command *command, const char *fault, const Outcome *outcome)
{
    int number = signal_of(fault);
    // a child may be the one that is killed: its parent reports it
    bool child_killed =
        number == SIGKILL && outcome->code == STICK_NO_MEMORY && strstr(outcome->err, "was killed");
    if (child_killed || (number && (number == SIGKILL || !command->runs) && outcome->code == -number))
        return;
    const char *said =
        strstr(command->line, "--json") && !begins(fault, "stdout") ? outcome->out : outcome->err;
    if (outcome->code <= 0 || (!strstr(said, "error") && !strstr(outcome->err, "error")))
        complain("%s with %s: ended with %d\n%s%s", command->line, fault, outcome->code, outcome->out,
                 outcome->err);
    // an allocation of the C library inside of a call of a file is named by the error of this call
    bool named = outcome->code == STICK_IO && strstr(outcome->err, "Cannot allocate memory");
    if (is_memory(fault) && !named && (outcome->code != STICK_NO_MEMORY || blames_a_good_file(outcome->err)))
        complain("%s with %s: ended with %d, not as for lack of memory\n%s", command->line, fault,
                 outcome->code, outcome->err);
    if (!is_memory(fault) && !number && outcome->code != STICK_IO)
        complain("%s with %s: ended with %d, not as for a file\n%s", command->line, fault, outcome->code,
                 outcome->err);
    if (number && outcome->code != STICK_INTERRUPTED)
        complain("%s with %s: ended with %d, not as interrupted\n%s", command->line, fault, outcome->code,
                 outcome->err);
}

// After a fault a run is resumed to the results of an undisturbed one, or refused if it had not begun.
static void judge_resume(Scratch *scratch, const Command *command, const char *fault, const char *said,
                         Tally *tally)
{
    Outcome after =
        run_within_limit(scratch, strstr(command->line, "--report")
                                      ? "resume out --quiet --no-plots --report --dump-problems=20"
                                      : "resume out --quiet --no-plots");
    if (after.code == 0) {
        tally->resumed++;
        if (!same_results(scratch, "out", "reference"))
            complain("%s with %s, then resumed: other results\n%s", command->line, fault, said);
    } else if (after.code != STICK_USAGE || !strstr(after.err, "cannot be resumed"))
        complain("%s with %s, then resume: ended with %d\n%s\nafter\n%s", command->line, fault, after.code,
                 after.err, said);
    forget(&after);
}

// A result that is there is whole; then the same command again, which may replace it.
static void judge_again(Scratch *scratch, const Command *command, const char *fault, const char *said)
{
    char line[256];
    if (command->result && strchr(command->result, '.') && exists(scratch->folder, command->result) &&
        !same_results(scratch, command->result, "reference"))
        complain("%s with %s: left a part of its result\n%s", command->line, fault, said);
    snprintf(line, sizeof line, "%s%s", command->line, command->result ? " --force" : "");
    if (!command->result)
        stick_folder_remove(scratch->ctx, scratch_path(scratch, "out"));
    Outcome after = run_within_limit(scratch, line);
    if (after.code != 0 || (command->result && !same_results(scratch, command->result, "reference")))
        complain("%s with %s, then again: ended with %d, or other results\n%s\nafter\n%s", command->line,
                 fault, after.code, after.err, said);
    forget(&after);
}

static void judge(Scratch *scratch, const Command *command, const char *fault, Tally *tally)
{
    start_anew(scratch, command);
    set_fault(scratch, fault);
    Outcome outcome = run_within_limit(scratch, command->line);
    no_fault();
    if (exists(scratch->folder, "happened")) {
        int number = signal_of(fault);
        int *count = is_memory(fault)    ? &tally->memory
                     : number == 0       ? &tally->io
                     : number == SIGKILL ? &tally->kills
                                         : &tally->stops;
        ++*count;
    }
    bool reported = outcome.code == 0 && strstr(outcome.out, "left out because it can't be read");
    if (outcome.code == 0 && !reported) {
        tally->traceless++;
        char *printed = command->prints ? read_text(scratch->folder, "printed") : NULL;
        if ((command->result && !same_results(scratch, command->result, "reference")) ||
            (printed && strcmp(printed, outcome.out) != 0))
            complain("%s with %s: exit code 0, but other results\n%s%s", command->line, fault, outcome.out,
                     outcome.err);
        free(printed);
    } else {
        tally->failures++;
        // a page without what can't be read says so
        if (!reported)
            judge_end(command, fault, &outcome);
        else if (!strstr(outcome.err, "warning: "))
            complain("%s with %s: no reason\n%s", command->line, fault, outcome.out);
        if (reported)
            remove(scratch_path(scratch, command->result));
        if (command->runs)
            judge_resume(scratch, command, fault, outcome.err, tally);
        else
            judge_again(scratch, command, fault, outcome.err);
    }
    forget(&outcome);
}

static void prepare(Scratch *scratch)
{
    write_text(scratch->folder, "model.yaml", blocks_model);
    write_model(scratch->folder, "study.yaml", "checks:", "cases: {vary: {steps: [5, 8]}}\nchecks:");
    write_text(scratch->folder, "motion.yaml", motion_model);
    write_text(scratch->folder, "flat.yaml", flat_model);
    write_text(scratch->folder, "space.yaml", space_model);
    write_text(scratch->folder, "brick.yaml", brick_model);
    write_text(scratch->folder, "rubber.yaml", rubber_model);
    write_text(scratch->folder, "path.yaml", path_model);
    write_text(scratch->folder, "sliding.yaml", sliding_model);
    write_text(scratch->folder, "gears.yaml", gears_model);
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "problems")));
    expect(scratch->folder, "run model.yaml -o whole --quiet --no-plots --dump-problems=20", 0, "");
    expect(scratch->folder, "run model.yaml -o whole2 --quiet --no-plots --dump-problems=20", 0, "");
    char from[2048];
    snprintf(from, sizeof from,
             "mv '%s/whole/problems/'*.hdf5 '%s/problem.hdf5' && cp '%s/problem.hdf5' '%s/problems/a.hdf5'",
             scratch->folder, scratch->folder, scratch->folder, scratch->folder);
    assert_int_equal(system(from), 0);
    char line[1024];
    snprintf(line, sizeof line, "rm -r '%s/whole/problems' '%s/whole2/problems'", scratch->folder,
             scratch->folder);
    assert_int_equal(system(line), 0);
}

// The numbers of calls of an undisturbed command, whose results are the reference.
static void measure(Scratch *scratch, const Command *command, long calls[4])
{
    char counts[512];
    start_anew(scratch, command);
    snprintf(counts, sizeof counts, "%s/counts", scratch->folder);
    set_fault(scratch, NULL);
    setenv("STICKSLIP_FAULT_COUNT", counts, 1);
    Outcome outcome = run_within_limit(scratch, command->line);
    no_fault();
    assert_code(outcome, 0);
    write_text(scratch->folder, "printed", outcome.out);
    forget(&outcome);
    char *text = read_text(scratch->folder, "counts");
    assert_non_null(text);
    assert_int_equal(sscanf(text, "%ld %ld %ld %ld", &calls[0], &calls[1], &calls[2], &calls[3]), 4);
    free(text);
    assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "reference")));
    remove(scratch_path(scratch, "reference"));
    char line[1024];
    snprintf(line, sizeof line, "cp -r '%s/%s' '%s/reference'", scratch->folder,
             command->result ? command->result : "counts", scratch->folder);
    assert_int_equal(system(line), 0);
}

static long one_of(StickRandom *random, long count)
{
    return 1 + (long)stick_random_uniform(random, 0, (double)count);
}

// All faults of one command.
static Tally judge_command(Scratch *scratch, const Command *command, int scale, StickRandom *random)
{
    static const int reasons[] = {ENOSPC, EIO, EDQUOT, EACCES}, signals[] = {SIGTERM, SIGHUP, SIGINT};
    Tally tally = {0};
    long calls[4]; // allocations, own ones, writes, reads
    char fault[64];
    measure(scratch, command, calls);
    for (int k = 0; k < command->memory * scale; k++) {
        // one of all, one of ours, all of ours from some moment on
        static const char *const kinds[] = {"memory", "own", "memory", "own", "drought"};
        const char *which = kinds[k % 5];
        snprintf(fault, sizeof fault, "%s:%ld", which,
                 one_of(random, calls[begins(which, "memory") || calls[1] == 0 ? 0 : 1]));
        judge(scratch, command, fault, &tally);
    }
    for (int k = 0; k < command->io * scale; k++) {
        // a call that writes, a disk that stays full, a call that reads, nowhere to print
        static const char *const kinds[] = {"io", "full", "read", "io"};
        const char *which = command->prints && k % 8 == 0 ? "stdout" : kinds[k % 4];
        if (calls[2] == 0 && strcmp(which, "stdout") != 0)
            which = calls[3] > 0 ? "read" : "stdout";
        snprintf(fault, sizeof fault, "%s:%ld:%d", which,
                 one_of(random, calls[begins(which, "read") ? 3 : 2]), reasons[k / 4 % 4]);
        judge(scratch, command, fault, &tally);
    }
    for (int k = 0; k < command->kills * scale; k++) {
        bool writing = calls[2] > 0 && k % 3 < 2;
        snprintf(fault, sizeof fault, "%s:%ld:%d", writing ? "signal" : "moment",
                 one_of(random, calls[writing ? 2 : 0]), SIGKILL);
        judge(scratch, command, fault, &tally);
    }
    for (int k = 0; k < command->stops * scale; k++) {
        snprintf(fault, sizeof fault, "%s:%ld:%d", k % 2 ? "moment" : "signal",
                 one_of(random, calls[k % 2 ? 0 : 2]), signals[k % 3]);
        judge(scratch, command, fault, &tally);
    }
    print_message(
        "%s: %d allocations, %d calls of files, %d kills, %d stops: %d ended the command (%d of them "
        "resumed), %d left no trace\n",
        command->line, tally.memory, tally.io, tally.kills, tally.stops, tally.failures, tally.resumed,
        tally.traceless);
    return tally;
}

static void every_command_under_faults(void **state)
{
#ifdef STICKSLIP_SANITIZED
    skip(); // sanitizers have an allocator of their own
#endif
    Scratch *scratch = *state;
    const char *text = getenv("STICKSLIP_TEST_FAULTS"), *only = getenv("STICKSLIP_TEST_FAULT");
    int scale = text ? atoi(text) : 1;
    Tally all = {0};
    prepare(scratch);
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        if (only && !strstr(commands[c].line, only))
            continue;
        // the same faults whichever commands come before
        StickRandom random = stick_random_seed((text ? 700 : 300) + c);
        Tally tally = judge_command(scratch, &commands[c], scale, &random);
        all.memory += tally.memory, all.io += tally.io, all.kills += tally.kills, all.stops += tally.stops;
    }
    print_message("in all %d allocations that failed, %d calls of files that failed, %d kills, %d stops\n",
                  all.memory, all.io, all.kills, all.stops);
    assert_int_equal(complaints, 0);
    if (!only && scale >= 25)
        assert_true(all.memory >= 2000 && all.io >= 400 && all.kills >= 300);
}

// A block whose stiffness METIS orders: while it does so, signals have handlers of its own.
static void a_signal_while_a_library_handles_it(void **state)
{
#ifdef STICKSLIP_SANITIZED
    skip(); // sanitizers have an allocator of their own
#endif
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml",
               "stickslip: 1\n"
               "materials: {steel: {young: 1e9, poisson: 0.3, density: 7800}}\n"
               "bodies: {block: {mesh: {box: {size: [1, 1, 1], cells: [13, 13, 13]}}, material: steel}}\n"
               "obstacles: {ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: [1, 0, 0]}}\n"
               "supports: [{on: block.top, displacement: [0, 0, \"-1e-3*t\"]}]\n"
               "contacts: [{between: [block.bottom, ground], friction: 0.3}]\n"
               "steps: [{quasistatic: {end: 1, increments: 4}}]\n"
               "output: {fields: {every: 0}}\n");
    static const char *const faults[] = {"handler:1:15", "handler:40:15"};
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        set_fault(scratch, faults[k]);
        Outcome stopped = run_within_limit(scratch, "run model.yaml --force " SILENT);
        no_fault();
        assert_true(exists(scratch->folder, "happened"));
        assert_int_equal(stopped.code, STICK_INTERRUPTED);
        assert_says(stopped.err, "the state is saved");
        forget(&stopped);
        Outcome after = run_within_limit(scratch, "resume out --quiet --no-plots");
        assert_int_equal(after.code, 0);
        forget(&after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {test_with_scratch(a_signal_while_a_library_handles_it),
                                       test_with_scratch(every_command_under_faults)};
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
