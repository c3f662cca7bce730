// SPDX-License-Identifier: Apache-2.0
// Every command with failing allocations, failing files and kills. A fault ends in a message and an exit code that is not 0, or
// leaves no trace: results are those of an undisturbed command. After it a run can be resumed to the same results, or
// started again. With STICKSLIP_TEST_FAULTS=N there are N times as many faults (nightly: 2000 allocations, 400 calls of files
// and 300 kills in all with 25).
#include "cli/models.h"

#include "base/random.h"

#include <errno.h>
#include <ftw.h>

typedef struct Command {
    const char *line;   // writes into "out"
    const char *before; // a line that makes what it needs; NULL: nothing
    const char *result; // file or folder that it writes; NULL: nothing
    int code;           // of the undisturbed command
    bool runs;          // can be resumed
    int memory, io, kills;
} Command;

static const Command commands[] = {
    {"run model.yaml -o out --quiet --no-plots --checkpoint 9", NULL, "out", 0, true, 16, 6, 8},
    {"run study.yaml -o out --quiet --no-plots", NULL, "out", 0, true, 12, 3, 3},
    {"run motion.yaml -o out --quiet --no-plots", NULL, "out", 0, true, 20, 2, 1},
    {"resume out --quiet --no-plots", "run model.yaml -o out --quiet --no-plots --checkpoint 9 kill", "out",
     0, true, 10, 2, 0},
    {"check study.yaml", NULL, NULL, 0, false, 8, 0, 0},
    {"solve problem.hdf5 -o out.hdf5 --force", NULL, "out.hdf5", 0, false, 6, 1, 0},
    {"compare whole whole2 -o out", NULL, "out", 0, false, 5, 1, 0},
    {"examples two-bars --force", NULL, "two-bars.yaml", 0, false, 1, 1, 0},
    {"bench problems --solvers gauss-seidel --repeats 1 -o out", NULL, NULL, 0, false, 2, 0, 0},
};

// A ball that hops: signals, portraits and sounds when it ends.
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

// ---- one command under one fault

static void set_fault(const char *fault)
{
    setenv("LD_PRELOAD", STICKSLIP_FAULT_SHIM, 1);
    if (fault)
        setenv("STICKSLIP_FAULT", fault, 1);
}

static void no_fault(void)
{
    unsetenv("LD_PRELOAD");
    unsetenv("STICKSLIP_FAULT");
    unsetenv("STICKSLIP_FAULT_COUNT");
}

static void start_anew(Scratch *scratch, const Command *command)
{
    assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "out")));
    remove(scratch_path(scratch, "out.hdf5"));
    if (!command->before)
        return;
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)(strlen(command->before) - 5), command->before);
    set_fault("kill:150");
    Outcome killed = run_line(scratch->folder, line);
    no_fault();
    assert_int_equal(killed.code, -SIGKILL);
    forget(&killed);
}

// ---- comparison of results

static const char *compared, *against;
static int differences;

static bool may_differ(const char *name)
{
    return strcmp(name, "summary.json") == 0 || strcmp(name, "run.log") == 0;
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

typedef struct Tally {
    int faults, failures, traceless, resumed;
} Tally;

static void judge(Scratch *scratch, const Command *command, const char *fault, Tally *tally)
{
    start_anew(scratch, command);
    set_fault(fault);
    Outcome outcome = run_line(scratch->folder, command->line);
    no_fault();
    bool killed = strncmp(fault, "kill", 4) == 0;
    tally->faults++;
    if (outcome.code == command->code) {
        tally->traceless++;
        if (command->result && !same_results(scratch, command->result, "reference"))
            fail_msg("%s with %s: exit code %d, but other results\n%s%s", command->line, fault, outcome.code,
                     outcome.out, outcome.err);
    } else {
        tally->failures++;
        if (killed ? outcome.code != -SIGKILL : outcome.code <= 0 || !strstr(outcome.err, "error:"))
            fail_msg("%s with %s: ended with %d\n%s%s", command->line, fault, outcome.code, outcome.out,
                     outcome.err);
        if (strstr(outcome.err, "damaged") && !strstr(outcome.err, "too little memory"))
            fail_msg("%s with %s: a good file is called damaged\n%s", command->line, fault, outcome.err);
    }
    if (command->runs && outcome.code != command->code) {
        Outcome after = run_line(scratch->folder, "resume out --quiet --no-plots");
        if (after.code == 0) {
            tally->resumed++;
            if (!same_results(scratch, "out", "reference"))
                fail_msg("%s with %s, then resumed: other results\n%s", command->line, fault, outcome.err);
        } else if (after.code != 2 || !strstr(after.err, "cannot be resumed"))
            fail_msg("%s with %s, then resume: ended with %d\n%s\nafter\n%s", command->line, fault,
                     after.code, after.err, outcome.err);
        forget(&after);
    }
    forget(&outcome);
}

static void prepare(Scratch *scratch)
{
    write_text(scratch->folder, "model.yaml", blocks_model);
    write_model(scratch->folder, "study.yaml", "checks:", "cases: {vary: {steps: [5, 8]}}\nchecks:");
    write_text(scratch->folder, "motion.yaml", motion_model);
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
static void measure(Scratch *scratch, const Command *command, long calls[3])
{
    char counts[512];
    start_anew(scratch, command);
    snprintf(counts, sizeof counts, "%s/counts", scratch->folder);
    set_fault(NULL);
    setenv("STICKSLIP_FAULT_COUNT", counts, 1);
    Outcome outcome = run_line(scratch->folder, command->line);
    no_fault();
    assert_code(outcome, command->code);
    forget(&outcome);
    char *text = read_text(scratch->folder, "counts");
    assert_non_null(text);
    assert_int_equal(sscanf(text, "%ld %ld %ld", &calls[0], &calls[1], &calls[2]), 3);
    free(text);
    assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "reference")));
    char line[1024];
    snprintf(line, sizeof line, "cp -r '%s/%s' '%s/reference'", scratch->folder,
             command->result ? command->result : "counts", scratch->folder);
    assert_int_equal(system(line), 0);
}

static void every_command_under_faults(void **state)
{
#ifdef STICKSLIP_SANITIZED
    skip(); // sanitizers have an allocator of their own
#endif
    Scratch *scratch = *state;
    const char *text = getenv("STICKSLIP_TEST_FAULTS"), *only = getenv("STICKSLIP_TEST_FAULT");
    int scale = text ? atoi(text) : 1;
    StickRandom random = stick_random_seed(text ? 7 : 3);
    static const int reasons[] = {ENOSPC, EIO, EDQUOT, EACCES};
    prepare(scratch);
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        const Command *command = &commands[c];
        Tally tally = {0};
        long calls[3];
        char fault[64];
        if (only && !strstr(command->line, only))
            continue;
        measure(scratch, command, calls);
        for (int k = 0; k < command->memory * scale; k++) {
            bool own = k % 2;
            snprintf(fault, sizeof fault, "%s:%ld", own ? "own" : "memory",
                     1 + (long)stick_random_uniform(&random, 0, (double)calls[own]));
            judge(scratch, command, fault, &tally);
        }
        for (int k = 0; k < command->io * scale; k++) {
            snprintf(fault, sizeof fault, "io:%ld:%d",
                     1 + (long)stick_random_uniform(&random, 0, (double)calls[2]), reasons[k % 4]);
            judge(scratch, command, fault, &tally);
        }
        for (int k = 0; k < command->kills * scale; k++) {
            snprintf(fault, sizeof fault, "kill:%ld",
                     1 + (long)stick_random_uniform(&random, 0, (double)calls[2]));
            judge(scratch, command, fault, &tally);
        }
        print_message(
            "%s: %d faults, %d ended with a message or a kill (%d of them resumed), %d left no trace\n",
            command->line, tally.faults, tally.failures, tally.resumed, tally.traceless);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {test_with_scratch(every_command_under_faults)};
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
