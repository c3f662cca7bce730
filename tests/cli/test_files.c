// SPDX-License-Identifier: Apache-2.0
// What surrounds a run: inputs and results that change under it, closed streams, other programs in its folder, signals, limits
// of memory.
#include "cli/models.h"

#include <ftw.h>
#include <sys/resource.h>
#include <sys/stat.h>

// ---- a folder as bytes

static uint64_t folder_hash;
static int folder_files;

// In any order: sums of hashes.
static int add_file(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)place;
    uint64_t hash = 1469598103934665603u;
    for (const char *c = path; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    FILE *stream = kind == FTW_F ? fopen(path, "rb") : NULL;
    for (int c; stream && (c = getc(stream)) != EOF;)
        hash = (hash ^ (unsigned char)c) * 1099511628211u;
    if (stream)
        fclose(stream);
    folder_hash += hash + (uint64_t)about->st_mtim.tv_nsec * (kind == FTW_F);
    folder_files++;
    return 0;
}

// Names, contents and times of all files.
static uint64_t hash_folder(Scratch *scratch, const char *name)
{
    folder_hash = 0, folder_files = 0;
    assert_int_equal(nftw(scratch_path(scratch, name), add_file, 16, FTW_PHYS), 0);
    assert_true(folder_files > 3);
    return folder_hash;
}

static void wait_for_rows(Scratch *scratch, const char *table, int rows)
{
    for (double end = clock_now() + 30; count_lines(scratch->folder, table) <= rows; wait_seconds(0.002))
        assert_true(clock_now() < end);
}

static long long file_size(Scratch *scratch, const char *name)
{
    struct stat facts;
    return stat(scratch_path(scratch, name), &facts) == 0 ? (long long)facts.st_size : -1;
}

// A run that is killed once a table has this number of rows, if it is not faster.
static void kill_run(Scratch *scratch, const char *line, const char *table, int rows)
{
    pid_t child = start_line(scratch->folder, line);
    wait_for_rows(scratch, table, rows);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

// ---- what a checkpoint relies on

// Blocks of a mesh file on the ground of a record.
static const char made_of_files[] =
    "stickslip: 1\n"
    "parameters: {mu: 0.3}\n"
    "materials: {steel: {young: 1e9, poisson: 0.3, density: 7800}}\n"
    "bodies: {block: {mesh: {file: block.inp}, plane: strain, material: steel}}\n"
    "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, record: {file: quake.csv, what: velocity, "
    "along: [1, 0]}}}\n"
    "gravity: [0, -9.81]\n"
    "contacts: [{between: [block.foot, ground], friction: mu}]\n"
    "steps: [{name: shake, dynamics: {step: 1e-5, end: 0.03}}]\n"
    "output: {fields: {every: 20}, history: [{name: force, of: block.foot, what: contact_force.normal}]}\n";

static const char block_mesh[] = "*NODE\n1, 0, 0\n2, 0.1, 0\n3, 0.1, 0.1\n4, 0, 0.1\n"
                                 "*ELEMENT, TYPE=CPE4, ELSET=all\n1, 1, 2, 3, 4\n*NSET, NSET=foot\n1, 2\n"
                                 "*SURFACE, NAME=foot\n1, S1\n";
static const char quake[] = "0,0\n0.01,0.1\n0.02,-0.1\n0.03,0\n";

static void write_made_of_files(Scratch *scratch)
{
    write_text(scratch->folder, "model.yaml", made_of_files);
    write_text(scratch->folder, "block.inp", block_mesh);
    write_text(scratch->folder, "quake.csv", quake);
}

// Changes one byte in the middle, cuts the end off, appends, or removes; gives back what was there.
typedef enum Change { FLIP, CUT, MORE, REMOVE, CHANGES } Change;

static void change_file(Scratch *scratch, const char *name, Change change)
{
    char path[1024];
    snprintf(path, sizeof path, "%s", scratch_path(scratch, name));
    char *bytes;
    size_t count;
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, &count));
    if (change == REMOVE)
        assert_int_equal(remove(path), 0);
    else if (change == MORE) {
        FILE *stream = fopen(path, "ab");
        assert_non_null(stream);
        assert_true(fputs("# more\n", stream) >= 0 && fclose(stream) == 0);
    } else {
        bytes[count / 2] = (char)(bytes[count / 2] == '1' ? '2' : '1');
        write_bytes(scratch->folder, name, bytes, change == CUT ? count / 2 : count);
    }
    stick_free(scratch->ctx, bytes);
}

// Changes the file in every way; each time the resume is refused with code 7, names the file and touches nothing.
static void assert_refuses(Scratch *scratch, const char *name, const char *words, int changes)
{
    char path[1024];
    snprintf(path, sizeof path, "%s", scratch_path(scratch, name));
    char *good;
    size_t count;
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &good, &count));
    for (int change = 0; change < changes; change++) {
        change_file(scratch, name, (Change)change);
        uint64_t before = hash_folder(scratch, "out");
        Outcome outcome = run_line(scratch->folder, "resume out");
        if (outcome.code != 7 || !strstr(outcome.err, words))
            fail_msg("change %d of %s: code %d\n%s", change, name, outcome.code, outcome.err);
        forget(&outcome);
        assert_true(hash_folder(scratch, "out") == before);
        write_bytes(scratch->folder, name, good, count);
    }
    stick_free(scratch->ctx, good);
}

static void changed_inputs_and_results_are_refused(void **state)
{
    Scratch *scratch = *state;
    write_made_of_files(scratch);
    kill_run(scratch, "run model.yaml -o out --quiet --checkpoint 60", "out/history/energy.csv", 70);
    assert_refuses(scratch, "block.inp", "block.inp", CHANGES);
    assert_refuses(scratch, "quake.csv", "quake.csv", CHANGES);
    assert_refuses(scratch, "out/history/force.csv", "force.csv", FLIP + 1);
    assert_refuses(scratch, "out/history/energy.csv", "energy.csv", CUT + 1);
    assert_refuses(scratch, "out/fields/frame-000000.vtu", "frame-000000.vtu", CHANGES);
    assert_refuses(scratch, "out/fields.pvd", "fields.pvd", CHANGES);
    assert_refuses(scratch, "out/checkpoint/state.h5", "state.h5", CHANGES);
    // tables may be missing, too
    char *table = read_text(scratch->folder, "out/history/momentum.csv");
    assert_non_null(table);
    assert_int_equal(remove(scratch_path(scratch, "out/history/momentum.csv")), 0);
    expect(scratch->folder, "resume out", 7, "momentum.csv");
    write_text(scratch->folder, "out/history/momentum.csv", table);
    free(table);
    // a model that says something else, but not one that is only written in another way
    char *model = read_text(scratch->folder, "out/model.yaml"), *mu = strstr(model, "mu: 0.3");
    assert_non_null(mu);
    mu[6] = '4';
    write_text(scratch->folder, "out/model.yaml", model);
    expect(scratch->folder, "resume out", 7, "model.yaml was changed");
    mu[6] = '3';
    char *commented = calloc(strlen(model) + 64, 1);
    assert_non_null(commented);
    strcat(strcat(commented, "# a comment\n"), model);
    write_text(scratch->folder, "out/model.yaml", commented);
    expect(scratch->folder, "resume out --quiet", 0, "");
    free(commented);
    free(model);
}

// A case that has ended stands for its inputs, too: a study is never made of two models.
static void a_study_is_not_mixed(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "checks:", "cases: {vary: {steps: [5, 3000, 6]}}\nchecks:");
    kill_run(scratch, "run model.yaml -o out --quiet --checkpoint 50", "out/cases/3000/history/energy.csv",
             60);
    char *model = read_text(scratch->folder, "out/model.yaml"), *mu = strstr(model, "mu: 0.2");
    mu[6] = '4';
    write_text(scratch->folder, "out/model.yaml", model);
    uint64_t before = hash_folder(scratch, "out");
    expect(scratch->folder, "resume out", 7, "was changed");
    assert_true(hash_folder(scratch, "out") == before);
    mu[6] = '2';
    write_text(scratch->folder, "out/model.yaml", model);
    free(model);
    assert_refuses(scratch, "out/cases/5/history/force.csv", "force.csv", CUT + 1);
    assert_refuses(scratch, "out/cases/3000/checkpoint/state.h5", "state.h5", CHANGES);
    expect(scratch->folder, "resume out --quiet", 0, "");
}

// ---- an unfinished run claims nothing

static void an_unfinished_run_claims_nothing(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "poisson: 0.3", "poisson: 0.499");
    kill_run(scratch, "run model.yaml -o out --quiet --checkpoint 10 -D steps=100000",
             "out/history/energy.csv", 20);
    char *log = read_text(scratch->folder, "out/run.log");
    assert_says(log, "model.yaml:");
    assert_says(log, "Poisson's ratio 0.499");
    free(log);
    char *summary = read_text(scratch->folder, "out/summary.json");
    assert_says(summary, "\"state\": \"running\"");
    assert_says(summary, "\"exit_code\": null");
    assert_says(summary, "\"certified\": false");
    assert_null(strstr(summary, "\"certified\": true"));
    free(summary);
    // signals are handled once the table of the killed run grows
    long long rows = file_size(scratch, "out/history/energy.csv");
    pid_t child = start_line(scratch->folder, "resume out --quiet");
    for (double end = clock_now() + STARTED_DEADLINE; file_size(scratch, "out/history/energy.csv") <= rows;
         wait_seconds(0.002))
        assert_true(clock_now() < end);
    kill(child, SIGTERM);
    assert_int_equal(wait_for(child, STARTED_DEADLINE), 130);
    summary = read_text(scratch->folder, "out/summary.json");
    assert_says(summary, "\"exit_code\": 130");
    assert_says(summary, "\"certified\": false");
    assert_null(strstr(summary, "\"certified\": true"));
    free(summary);
}

// ---- streams

// Starts a line of the shell in the folder, in which $0 is the program; returns its exit code.
static int run_shell(Scratch *scratch, const char *line)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (chdir(scratch->folder) != 0)
            _exit(99);
        setenv("PATH", "/bin:/usr/bin", 1);
        execl("/bin/sh", "sh", "-c", line, STICKSLIP_PROGRAM, (char *)NULL);
        _exit(99);
    }
    return wait_for(child, STARTED_DEADLINE);
}

// Messages never end up in result files that took the place of a closed stream.
static void closed_streams_are_opened(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o whole --quiet", 0, "");
    static const char *const closed[] = {"2>&-", ">&-", "<&-", "<&- >&- 2>&-"};
    char *whole = read_text(scratch->folder, "whole/history/energy.csv");
    for (size_t k = 0; k < sizeof closed / sizeof *closed; k++) {
        char line[256];
        snprintf(line, sizeof line, "PATH=/nowhere; \"$0\" run model.yaml -o out --force %s", closed[k]);
        assert_int_equal(run_shell(scratch, line), 0);
        char *table = read_text(scratch->folder, "out/history/energy.csv");
        assert_string_equal(table, whole);
        free(table);
    }
    free(whole);
}

// ---- pipes and devices

static void make_pipe(Scratch *scratch, const char *name)
{
    remove(scratch_path(scratch, name));
    assert_int_equal(mkfifo(scratch_path(scratch, name), 0666), 0);
}

// The command ends at once, says that a file of this name cannot be written, and leaves the pipe.
static void assert_leaves_pipe(Scratch *scratch, const char *name, const char *line)
{
    struct stat about;
    make_pipe(scratch, name);
    expect(scratch->folder, line, 7, "cannot write '");
    assert_int_equal(lstat(scratch_path(scratch, name), &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
}

// Pipes in the place of files that are written are not waited for and not replaced. Devices are no regular files either.
static void pipes_are_not_written(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    write_text(scratch->folder, "slipping.dat", "2 1 0 2 2 2 2 2 0 0 3 -1 0.5 0.1\n");
    expect(scratch->folder, "run model.yaml -o out --quiet --no-plots", 0, "");
    expect(scratch->folder, "solve slipping.dat -o answer.hdf5", 0, "");
    assert_leaves_pipe(scratch, "new.html.new", "report out -o new.html");
    assert_leaves_pipe(scratch, "answer.hdf5", "solve slipping.dat -o answer.hdf5 --force");
    // a link to a pipe, as /dev/stdout may be one
    assert_int_equal(symlink("answer.hdf5", scratch_path(scratch, "link.hdf5")), 0);
    expect(scratch->folder, "solve slipping.dat -o link.hdf5 --force", 7, "no regular file");
    // and in a folder that is resumed
    kill_run(scratch, "run model.yaml -o half --quiet --no-plots --checkpoint 20 -D steps=20000",
             "half/history/energy.csv", 30);
    assert_leaves_pipe(scratch, "half/run.log", "resume half --quiet");
    assert_int_equal(remove(scratch_path(scratch, "half/run.log")), 0);
    assert_leaves_pipe(scratch, "half/summary.json.new", "resume half --quiet");
}

// ---- several programs in one folder

static void two_that_replace_one_folder(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 1500");
    expect(scratch->folder, "run model.yaml -o whole --quiet", 0, "");
    char *whole = read_text(scratch->folder, "whole/history/force.csv");
    for (int round = 0; round < 4; round++) {
        pid_t child[3];
        int good = 0;
        for (int k = 0; k < 3; k++)
            child[k] = start_line(scratch->folder, "run model.yaml -o out --force --quiet");
        for (int k = 0; k < 3; k++) {
            int code = wait_for(child[k], STARTED_DEADLINE);
            assert_true(code == 0 || code == 2);
            good += code == 0;
        }
        assert_true(good >= 1);
        char *table = read_text(scratch->folder, "out/history/force.csv");
        assert_string_equal(table, whole);
        free(table);
        char *summary = read_text(scratch->folder, "out/summary.json");
        assert_says(summary, "\"state\": \"finished\"");
        free(summary);
    }
    free(whole);
}

// ---- signals

static void a_hang_up_saves(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "steps: 60", "steps: 100000");
    pid_t child = start_line(scratch->folder, "run model.yaml -o out --quiet --checkpoint 20");
    wait_for_rows(scratch, "out/history/energy.csv", 20);
    kill(child, SIGHUP);
    kill(child, SIGHUP); // as from a terminal that closes
    assert_int_equal(wait_for(child, 10), 130);
    char *said = read_text(scratch->folder, "stderr.txt");
    assert_says(said, "interrupted at t = ");
    free(said);
    // nohup
    assert_int_equal(run_shell(scratch, "trap '' HUP; \"$0\" run model.yaml -o nohup --quiet -D steps=3000 & "
                                        "sleep 0.2; kill -HUP $!; wait $!"),
                     0);
}

// One factorisation takes longer than anybody waits: the program ends in time, and the folder can be resumed.
static void a_signal_in_a_long_call(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml",
               "stickslip: 1\n"
               "materials: {steel: {young: 1e9, poisson: 0.3, density: 7800}}\n"
               "bodies: {block: {mesh: {box: {size: [1, 1, 1], cells: [n, n, n]}}, material: steel}}\n"
               "parameters: {n: 44}\n"
               "obstacles: {ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: [1, 0, 0]}}\n"
               "supports: [{on: block.top, displacement: [0, 0, \"-1e-3*t\"]}]\n"
               "contacts: [{between: [block.bottom, ground], friction: 0.3}]\n"
               "steps: [{quasistatic: {end: 1, increments: 2}}]\n"
               "output: {fields: {every: 0}}\n");
    static const double delays[] = {0.6, 3};
    for (size_t k = 0; k < sizeof delays / sizeof *delays; k++) {
        pid_t child = start_line(scratch->folder, "run model.yaml -o out --force --quiet");
        wait_seconds(delays[k]);
        kill(child, SIGTERM);
        // two seconds on an idle machine; the factorisation alone would take longer than this limit
        assert_int_equal(wait_for(child, 15), 130);
        char *said = read_text(scratch->folder, "stderr.txt");
        assert_says(said, "interrupted");
        free(said);
        if (exists(scratch->folder, "out/summary.json")) {
            char *summary = read_text(scratch->folder, "out/summary.json");
            assert_null(strstr(summary, "\"certified\": true"));
            free(summary);
        }
    }
}

// ---- memory

static void little_memory_is_an_error(void **state)
{
    Scratch *scratch = *state;
#ifdef STICKSLIP_SANITIZED
    skip(); // shadow memory alone is more
#endif
    write_text(scratch->folder, "model.yaml", blocks_model);
    static const int limits[] = {100000, 150000, 200000, 300000};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        char line[256];
        snprintf(line, sizeof line,
                 "ulimit -v %d; PATH=/nowhere; \"$0\" run model.yaml -o out --force 2>stderr.txt", limits[k]);
        assert_int_equal(run_shell(scratch, line), 8);
        char *said = read_text(scratch->folder, "stderr.txt");
        assert_says(said, "error: no memory");
        free(said);
    }
    assert_int_equal(
        run_shell(scratch, "ulimit -v 1000000; PATH=/nowhere; \"$0\" run model.yaml -o out --quiet --force"),
        0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(changed_inputs_and_results_are_refused),
        test_with_scratch(a_study_is_not_mixed),
        test_with_scratch(an_unfinished_run_claims_nothing),
        test_with_scratch(closed_streams_are_opened),
        test_with_scratch(pipes_are_not_written),
        test_with_scratch(two_that_replace_one_folder),
        test_with_scratch(a_hang_up_saves),
        test_with_scratch(a_signal_in_a_long_call),
        test_with_scratch(little_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
