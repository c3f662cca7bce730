// SPDX-License-Identifier: Apache-2.0
// The program as a user meets it: commands, options, exit codes, and what stands in a result folder.
#include "cli/models.h"

#include "output/table.h"

#include <sys/resource.h>
#include <sys/stat.h>

// ---- words on the command line

static void test_help(void **state)
{
    Scratch *scratch = *state;
    static const char *const lines[] = {"--help", "-h", "help", "run --help", "help run"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        Outcome outcome = run_line(scratch->folder, lines[k]);
        assert_code(outcome, 0);
        assert_says(outcome.out, "stickslip run MODEL [-o DIR]");
        assert_says(outcome.out, "Exit codes: 0 done, contact solves certified");
        assert_string_equal(outcome.err, "");
        forget(&outcome);
    }
    Outcome version = run_line(scratch->folder, "--version");
    assert_code(version, 0);
    assert_int_equal(strncmp(version.out, "stickslip 0.", 12), 0);
    assert_says(version.out, "OpenBLAS has the kernels of: ");
    forget(&version);
    Outcome bare = run_line(scratch->folder, "");
    assert_code(bare, 2);
    assert_says(bare.out, "First steps");
    forget(&bare);
}

static void test_wrong_words(void **state)
{
    Scratch *scratch = *state;
    static const struct {
        const char *line, *said;
    } wrong[] = {
        {"rnu model.yaml", "there is no command 'rnu'; did you mean 'run'?"},
        {"help chekc", "did you mean 'check'?"},
        {"run", "'stickslip run' takes one model file"},
        {"run a.yaml b.yaml", "takes one model file"},
        {"run a.yaml --forse", "unknown option '--forse'; did you mean '--force'?"},
        {"run a.yaml -o", "option '-o' needs a value"},
        {"run a.yaml -D h", "-D takes name=value, not 'h'"},
        {"run a.yaml -D =1", "-D takes name=value"},
        {"run a.yaml --checkpoint 0", "takes a whole number above 0, not '0'"},
        {"run a.yaml --checkpoint often", "takes a whole number above 0, not 'often'"},
        {"run a.yaml --json", "'stickslip run' takes no '--json'"},
        {"check a.yaml -o b", "'stickslip check' takes no '-o'"},
        {"resume a -D h=1", "'stickslip resume' takes no '-D'"},
        {"solvers --quiet", "'stickslip solvers' takes no '--quiet'"},
        {"solvers lemke", "'stickslip solvers' knows nothing to do with 'lemke'"},
        {"schema materials", "'stickslip schema' knows nothing to do with 'materials'"},
        {"examples two-bars pillar", "'stickslip examples' knows nothing to do with 'pillar'"},
        {"run a.yaml -jmany", "option '-j' takes a whole number above 0, not 'many'"},
        {"check a.yaml -j4", "'stickslip check' takes no '-j'"},
        {"resume nowhere", "'nowhere' cannot be resumed: there is no such folder"},
        {"examples two-brs", "there is no example 'two-brs'; did you mean 'two-bars'?"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect(scratch->folder, wrong[k].line, 2, wrong[k].said);
}

static void test_output_that_cannot_be_written(void **state)
{
    (void)state;
    if (!stick_file_exists("/dev/full"))
        return;
    int status = system(STICKSLIP_PROGRAM " examples >/dev/full 2>/dev/null");
    assert_int_equal(code_of(status), 7);
}

// ---- check

static void test_check(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    Outcome outcome = run_line(scratch->folder, "check model.yaml");
    assert_code(outcome, 0);
    assert_string_equal(outcome.out, "model.yaml: no errors\n");
    forget(&outcome);
    outcome = run_line(scratch->folder, "check model.yaml --json");
    assert_code(outcome, 0);
    assert_string_equal(outcome.out, "[]\n");
    forget(&outcome);
    assert_false(exists(scratch->folder, "model.out"));
}

static void test_check_for_machines(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "density: 7800", "density: \"-1\\u0022\", yuong: 2");
    Outcome outcome = run_line(scratch->folder, "check model.yaml --json");
    assert_code(outcome, 4);
    assert_string_equal(outcome.err, "");
    assert_says(outcome.out, "\"severity\": \"error\"");
    assert_says(outcome.out, "\"file\": \"model.yaml\"");
    assert_near(json_number(outcome.out, "line"), 5, 0);
    assert_says(outcome.out, "did you mean 'young'?");
    assert_json(scratch, "stdout.txt");
    forget(&outcome);
}

// ---- examples

static void test_examples(void **state)
{
    Scratch *scratch = *state;
    Outcome outcome = run_line(scratch->folder, "examples");
    assert_code(outcome, 0);
    assert_says(outcome.out, "two-bars ");
    assert_says(outcome.out, "Impact of two elastic bars");
    forget(&outcome);
    outcome = run_line(scratch->folder, "examples two-bars");
    assert_code(outcome, 0);
    assert_says(outcome.out, "stickslip run two-bars.yaml");
    forget(&outcome);
    char *mine = read_text(scratch->folder, "two-bars.yaml"),
         *original = read_text(STICKSLIP_EXAMPLES, "two-bars.yaml");
    assert_string_equal(mine, original);
    free(mine);
    free(original);
    write_text(scratch->folder, "two-bars.yaml", "my own");
    expect(scratch->folder, "examples two-bars", 2, "'two-bars.yaml' is there already; --force replaces it");
    mine = read_text(scratch->folder, "two-bars.yaml");
    assert_string_equal(mine, "my own");
    free(mine);
    expect(scratch->folder, "examples two-bars --force", 0, "");
}

// ---- the schema

static void test_schema(void **state)
{
    Scratch *scratch = *state;
    Outcome outcome = run_line(scratch->folder, "schema --json");
    assert_code(outcome, 0);
    write_text(scratch->folder, "schema.json", outcome.out);
    forget(&outcome);
    assert_json(scratch, "schema.json");
    if (!has_python("jsonschema, yaml"))
        return;
    // YAML 1.1 reads the key "on" as a truth value, YAML 1.2 does not
    write_text(
        scratch->folder, "validate.py",
        "import glob, json, re, sys, yaml, jsonschema\n"
        "class Loader(yaml.SafeLoader): pass\n"
        "Loader.yaml_implicit_resolvers = {k: [r for r in v if r[0] != 'tag:yaml.org,2002:bool']\n"
        "    for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}\n"
        "Loader.add_implicit_resolver('tag:yaml.org,2002:bool', re.compile('^(true|false)$'), list('tf'))\n"
        "schema = json.load(open('schema.json'))\n"
        "checker = jsonschema.validators.validator_for(schema)\n"
        "checker.check_schema(schema)\n"
        "files = glob.glob(sys.argv[1] + '/*.yaml')\n"
        "assert files\n"
        "for name in files:\n"
        "    checker(schema).validate(yaml.load(open(name), Loader))\n"
        "try:\n"
        "    checker(schema).validate({'stickslip': 1, 'boddies': {}})\n"
        "except jsonschema.ValidationError:\n"
        "    sys.exit(0)\n"
        "sys.exit('an unknown key passed')\n");
    char command[1024];
    snprintf(command, sizeof command, "cd '%s' && python3 validate.py '%s'", scratch->folder,
             STICKSLIP_EXAMPLES);
    assert_true(runs(command));
}

// ---- run and its folder

static void test_parameters_from_the_command_line(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -oout -D steps=4 -Dmu=0.5 -j2 --quiet", 0, "");
    char *summary = read_text(scratch->folder, "out/summary.json"),
         *model = read_text(scratch->folder, "out/model.yaml");
    assert_near(json_number(summary, "steps"), 4, 0);
    assert_says(model, "mu: 0.5");
    free(summary);
    free(model);
    expect(scratch->folder, "run model.yaml -o other -D stesp=4", 4, "did you mean 'steps'?");
    assert_false(exists(scratch->folder, "other"));
}

static void test_default_folder(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "my.model.yaml", blocks_model);
    expect(scratch->folder, "run my.model.yaml -D steps=2 --quiet", 0, "");
    assert_true(exists(scratch->folder, "my.model.out/summary.json"));
}

static void test_nothing_is_overwritten(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o out -D steps=2 --quiet", 0, "");
    char *before = read_text(scratch->folder, "out/summary.json");
    expect(scratch->folder, "run model.yaml -o out", 2, "'out' is there already; --force replaces it");
    char *after = read_text(scratch->folder, "out/summary.json");
    assert_string_equal(before, after);
    free(before);
    free(after);
    // a model that is wrong leaves the old results alone
    expect(scratch->folder, "run model.yaml -o out --force -D mu=-1", 4, "friction");
    assert_true(exists(scratch->folder, "out/summary.json"));
    expect(scratch->folder, "run model.yaml -o out --force -D steps=3 --quiet", 0, "");
    after = read_text(scratch->folder, "out/summary.json");
    assert_near(json_number(after, "steps"), 3, 0);
    free(after);
}

// --force removes result folders only, and none with something else in it.
static void test_force_is_careful(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o . --force", 2, "model.yaml' stands in '.'");
    assert_true(exists(scratch->folder, "model.yaml"));
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "thesis")));
    write_text(scratch->folder, "thesis/chapter-1.txt", "long work");
    expect(scratch->folder, "run model.yaml -o thesis --force", 2, "it has 'chapter-1.txt'");
    assert_true(exists(scratch->folder, "thesis/chapter-1.txt"));
    expect(scratch->folder, "run model.yaml -o out -D steps=2 --quiet", 0, "");
    write_text(scratch->folder, "out/notes.txt", "mine");
    expect(scratch->folder, "run model.yaml -o out --force", 2, "it has 'notes.txt'");
    assert_true(exists(scratch->folder, "out/notes.txt"));
    expect(scratch->folder, "run out/model.yaml -o out --force", 2, "stands in 'out'");
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "other")));
    write_text(scratch->folder, "other/model.yaml", "only a model of somebody");
    expect(scratch->folder, "run model.yaml -o other --force", 2, "is not a result folder");
    assert_true(exists(scratch->folder, "other/model.yaml"));
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "empty")));
    expect(scratch->folder, "run model.yaml -o empty --force -D steps=2 --quiet", 0, "");
    expect(scratch->folder, "run model.yaml -o model.yaml --force", 2, "is a file, not a folder");
}

static void test_folder_that_cannot_be_made(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o model.yaml/out", 7, "cannot create folder 'model.yaml");
    expect(scratch->folder, "run model.yaml -o /proc/nothing/here", 7, "cannot create folder '/proc");
    if (geteuid() == 0)
        return;
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "locked")));
    assert_int_equal(chmod(scratch_path(scratch, "locked"), 0555), 0);
    expect(scratch->folder, "run model.yaml -o locked/out", 7, "Permission denied");
}

// A limit on the size of files acts as a full disk does, and its signal does not end the program; then there is room again.
static void test_full_disk(void **state)
{
    Scratch *scratch = *state;
    static const rlim_t limits[] = {100, 1500, 6000, 20000};
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o whole -D steps=200 --quiet", 0, "");
    char *whole = read_text(scratch->folder, "whole/history/energy.csv");
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct rlimit before, now;
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        now = before;
        now.rlim_cur = limits[k];
        setrlimit(RLIMIT_FSIZE, &now);
        pid_t child =
            start_line(scratch->folder, "run model.yaml -o out -D steps=200 --quiet --force --checkpoint 10");
        setrlimit(RLIMIT_FSIZE, &before);
        int code = wait_for(child, 30);
        char *said = read_text(scratch->folder, "stderr.txt");
        if (code != 7)
            fail_msg("exit code %d with files of at most %d bytes: %s", code, (int)limits[k], said);
        assert_says(said, "cannot write");
        free(said);
        const char *line = exists(scratch->folder, "out/model.yaml")
                               ? "resume out --quiet"
                               : "run model.yaml -o out --force -D steps=200 --quiet";
        expect(scratch->folder, line, 0, "");
        char *resumed = read_text(scratch->folder, "out/history/energy.csv");
        assert_string_equal(resumed, whole);
        free(resumed);
    }
    free(whole);
}

// ---- how a run ends

static void test_overview_and_pictures(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    Outcome outcome = run_with(scratch->folder, true, "run model.yaml -o out");
    assert_code(outcome, 0);
    assert_says(outcome.out, "contact solves certified to ");
    assert_says(outcome.out, "  force ");
    assert_says(outcome.out, "results in out: ");
    assert_says(outcome.err, "step 60 of 60, t = 0.0006");
    assert_int_equal(strstr(outcome.out, "plots/ to look at") != NULL, exists(scratch->folder, "out/plots"));
    forget(&outcome);
    if (!have_program("gnuplot"))
        return;
    assert_true(exists(scratch->folder, "out/plots/force.svg"));
    char *energy = read_text(scratch->folder, "out/plots/energy.svg");
    assert_says(energy, "kinetic");
    assert_says(energy, "friction");
    assert_null(strstr(energy, "viscous")); // zero throughout
    assert_null(strstr(energy, "external"));
    free(energy);
}

// Only files that are there are listed.
static void test_list_of_results(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out --no-plots");
    assert_code(outcome, 0);
    assert_says(outcome.out, "results in out: ");
    assert_says(outcome.out, "history/ as tables, summary.json for scripts");
    assert_null(strstr(outcome.out, "plots/"));
    assert_int_equal(strstr(outcome.out, "fields.pvd") != NULL, exists(scratch->folder, "out/fields.pvd"));
    forget(&outcome);
}

static void test_failed_check(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "at-most: 1e-10}",
                "at-most: -1}\n  - {name: hard push, that: max(force), at-least: 1e9}");
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out");
    assert_code(outcome, 3);
    assert_says(outcome.err, "model.yaml:16:5: error: check failed: momentum.error is ");
    assert_says(outcome.err, "not at most -1");
    assert_says(outcome.err, "model.yaml:17:5: error: check failed: hard push: max(force) is ");
    assert_says(outcome.out, "results in out"); // they are there all the same
    forget(&outcome);
    char *summary = read_text(scratch->folder, "out/summary.json");
    assert_says(summary, "\"state\": \"finished\"");
    assert_near(json_number(summary, "exit_code"), 3, 0);
    assert_says(summary, "\"passed\": false");
    free(summary);
}

// A window without rows can only be known at the end; the other checks are judged all the same.
static void test_check_that_cannot_be_evaluated(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "checks:\n",
                "checks:\n  - {that: max(force), from: 5, to: 6, at-most: 1}\n");
    expect(scratch->folder, "run model.yaml -o out --quiet", 4,
           "model.yaml:16:5: error: no row of the series");
    char *summary = read_text(scratch->folder, "out/summary.json");
    assert_says(summary, "\"passed\": true");
    free(summary);
}

static void test_not_solved(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "end: steps*h}",
                "end: steps*h}, solver: {name: gauss-seidel, iterations: 1}");
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out");
    assert_code(outcome, 6);
    assert_says(outcome.err, "was not solved: ");
    assert_says(outcome.err, "the last good state, t = ");
    assert_says(outcome.err, "results so far are in 'out'");
    forget(&outcome);
    char *summary = read_text(scratch->folder, "out/summary.json"),
         *log = read_text(scratch->folder, "out/run.log");
    assert_says(summary, "\"state\": \"failed\"");
    assert_says(summary, "\"certified\": false");
    assert_near(json_number(summary, "exit_code"), 6, 0);
    assert_says(log, "was not solved");
    free(summary);
    free(log);
    assert_json(scratch, "out/summary.json");
    assert_true(exists(scratch->folder, "out/checkpoint/state.h5"));
    expect(scratch->folder, "resume out", 6, "was not solved"); // from the last good state, to the same end
}

// A law that goes wrong on the way: its place is said, and what was computed before is kept.
static void test_law_that_goes_wrong(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "friction: mu", "friction: \"mu - 2000*t\"");
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out --quiet");
    assert_code(outcome, 4);
    assert_says(outcome.err, "model.yaml:12:");
    assert_says(outcome.err, "the last good state, t = ");
    forget(&outcome);
    char *summary = read_text(scratch->folder, "out/summary.json");
    assert_says(summary, "\"state\": \"failed\"");
    assert_true(json_number(summary, "steps") > 3);
    free(summary);
}

// Each step is held to its own tolerance: a looser one before a stricter one is no lack of certificate.
static void test_steps_of_two_tolerances_are_certified(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "end: steps*h}}\n",
                "end: steps*h}, solver: {name: gauss-seidel, tolerance: 1e-3}}\n"
                "  - {name: on, dynamics: {scheme: theta-euler, theta: 0.55, step: h, end: 2*steps*h}}\n");
    expect(scratch->folder, "run model.yaml -o out --quiet", 0, "");
    char *summary = read_text(scratch->folder, "out/summary.json");
    assert_says(summary, "\"certified\": true");
    free(summary);
}

// The smallest code of all cases, and what each of them did.
static void test_code_of_a_study(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml",
                "end: steps*h}}\nchecks:\n  - {that: momentum.error, at-most: 1e-10}",
                "end: steps*h}, solver: {name: gauss-seidel, iterations: limit}}\n"
                "cases:\n  good: {bound: 1}\n  wrong: {bound: -1}\n  stuck: {limit: 1}\n"
                "checks:\n  - {that: momentum.error, at-most: bound}");
    char *text = read_text(scratch->folder, "model.yaml");
    char *found = strstr(text, "parameters: {");
    assert_non_null(found);
    size_t head = (size_t)(found - text) + 13, size = strlen(text) + 64;
    char *more = calloc(size, 1);
    snprintf(more, size, "%.*sbound: 1, limit: 5000, %s", (int)head, text, text + head);
    write_text(scratch->folder, "model.yaml", more);
    free(text);
    free(more);
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out --quiet");
    assert_code(outcome, 3);
    assert_says(outcome.err, "case 'wrong' ended: ");
    assert_says(outcome.err, "case 'stuck' ended: ");
    forget(&outcome);
    char *summary = read_text(scratch->folder, "out/summary.json");
    assert_near(json_number(summary, "exit_code"), 3, 0);
    const char *stuck = strstr(summary, "\"stuck\"");
    assert_non_null(stuck);
    assert_near(json_number(stuck, "exit_code"), 6, 0);
    assert_near(json_number(strstr(summary, "\"good\""), "exit_code"), 0, 0);
    free(summary);
    assert_json(scratch, "out/summary.json");
}

// Same model, same bytes.
static void test_same_input_same_bits(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o a --quiet", 0, "");
    expect(scratch->folder, "run model.yaml -o b --quiet", 0, "");
    static const char *const names[] = {"history/energy.csv", "history/contact.csv", "history/force.csv",
                                        "fields.pvd"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "a/%s", names[k]);
        snprintf(b, sizeof b, "b/%s", names[k]);
        char *one = read_text(scratch->folder, a), *other = read_text(scratch->folder, b);
        assert_string_equal(one, other);
        free(one);
        free(other);
    }
}

// The resolved model of a result folder runs by itself and gives the same.
static void test_the_model_in_the_folder_is_the_model(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o a -D mu=0.35 --quiet", 0, "");
    expect(scratch->folder, "run a/model.yaml -o b --quiet", 0, "");
    char *one = read_text(scratch->folder, "a/history/energy.csv"),
         *other = read_text(scratch->folder, "b/history/energy.csv");
    assert_string_equal(one, other);
    free(one);
    free(other);
}

// ---- the documentation is the contract

// Every key of a summary, and every column of the tables, is in docs/reference/results.md.
static void test_results_are_documented(void **state)
{
    Scratch *scratch = *state;
    char *page = read_text(STICKSLIP_DOCS, "reference/results.md");
    assert_non_null(page);
    write_model(scratch->folder, "model.yaml", "checks:", "cases: {vary: {mu: [0.1, 0.2]}}\nchecks:");
    expect(scratch->folder, "run model.yaml -o out --quiet", 0, "");
    static const char *const summaries[] = {"out/summary.json", "out/cases/0.1/summary.json"};
    static const char *const free_keys[] = {"0.1", "0.2", "force"};
    for (int k = 0; k < 2; k++) {
        char *text = read_text(scratch->folder, summaries[k]);
        assert_non_null(text);
        for (char *end = strstr(text, "\": "); end; end = strstr(end + 1, "\": ")) {
            char *start = end;
            while (start[-1] != '"')
                start--;
            char key[128];
            bool named_by_the_model = false;
            snprintf(key, sizeof key, "%.*s", (int)(end - start), start);
            for (int j = 0; j < 3; j++)
                named_by_the_model |= strcmp(key, free_keys[j]) == 0;
            char quoted[160];
            snprintf(quoted, sizeof quoted, "`%s`", key);
            if (!named_by_the_model && !strstr(page, quoted))
                fail_msg("the key %s of summary.json is not documented", quoted);
        }
        free(text);
    }
    static const char *const books[] = {"energy", "momentum", "contact"};
    for (int k = 0; k < 3; k++) {
        char name[64];
        StickColumns columns;
        snprintf(name, sizeof name, "out/cases/0.1/history/%s.csv", books[k]);
        assert_ok(scratch->ctx, stick_table_read(scratch->ctx, scratch_path(scratch, name), &columns));
        for (int j = 1; j < columns.ncolumns; j++) {
            char quoted[160];
            size_t length = stick_column_name_length(columns.name[j]);
            if (length > 2 && columns.name[j][length - 2] == '.') // .x and .y are one entry
                length -= 2;
            snprintf(quoted, sizeof quoted, "`%.*s", (int)length, columns.name[j]);
            if (!strstr(page, quoted))
                fail_msg("the column %s of %s.csv is not documented", columns.name[j], books[k]);
        }
        stick_columns_destroy(scratch->ctx, &columns);
    }
    free(page);
}

// Fields of each step as often as it says, from its start on; of others as the output says.
static void steps_have_fields_of_their_own(void **state)
{
    Scratch *scratch = *state;
    write_text(
        scratch->folder, "model.yaml",
        "stickslip: 1\n"
        "materials: {m: {young: 10, poisson: 0.3, density: 1}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: strain, material: m}}\n"
        "supports: [{on: block.top, displacement: [0, 0]}, {on: block.bottom, displacement: [0, 0.01*t]}]\n"
        "steps:\n"
        "  - {name: slow, quasistatic: {end: 1, increments: 10}, fields: 5}\n"
        "  - {name: none, quasistatic: {end: 2, increments: 10}, fields: 0}\n"
        "  - {name: rest, quasistatic: {end: 3, increments: 10}}\n"
        "  - {name: own, quasistatic: {end: 4, increments: 10}, fields: 4}\n"
        "output: {fields: {every: 2}}\n");
    expect(scratch->folder, "run model.yaml -o out", 0, "");
    char *series = read_text(scratch->folder, "out/fields.pvd");
    static const double times[] = {0, 0.5, 1, 2.2, 2.4, 2.6, 2.8, 3, 3.4, 3.8, 4};
    const char *at = series;
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        at = strstr(at, "timestep=\"");
        assert_non_null(at);
        at += strlen("timestep=\"");
        assert_near(strtod(at, NULL), times[k], 1e-12);
    }
    assert_null(strstr(at, "timestep=\""));
    free(series);
    write_text(scratch->folder, "model.yaml",
               "stickslip: 1\nsteps: [{quasistatic: {end: 1, increments: 10}, fields: -1}]\n");
    expect(scratch->folder, "check model.yaml", 4, "'fields' is -1, but must be >= 0");
}

// The kernels that the program tells of in an environment.
static void kernels_in(const char *folder, char *const *environment, char kernels[128])
{
    char *const words[] = {(char[]){"stickslip"}, (char[]){"--version"}, NULL};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        redirect(folder, "stdout.txt", STDOUT_FILENO);
        execve(STICKSLIP_PROGRAM, words, environment);
        _exit(99);
    }
    assert_int_equal(wait_for(child, STARTED_DEADLINE), 0);
    char *out = read_text(folder, "stdout.txt");
    assert_int_equal(sscanf(out, "%*[^\n] OpenBLAS has the kernels of: %127s", kernels), 1);
    free(out);
}

// What a user tells OpenBLAS reaches it, wherever it stands in the environment.
static void test_environment_of_libraries(void **state)
{
    Scratch *scratch = *state;
    static char kind[] = "OPENBLAS_CORETYPE=Nehalem", threads[] = "OPENBLAS_NUM_THREADS=1",
                other[] = "HOME=/", short_one[] = "OPENBLAS", sanitizer[] = "ASAN_OPTIONS=detect_leaks=0";
    char usual[128], wanted[128], found[128];
    kernels_in(scratch->folder, (char *[]){threads, NULL}, usual);
    kernels_in(scratch->folder, (char *[]){threads, kind, NULL}, wanted);
    if (strcmp(usual, wanted) == 0)
        print_message("OpenBLAS has the kernels of one processor, or this is the one\n");
    char **const environments[] = {
        (char *[]){kind, other, NULL},
        (char *[]){other, kind, NULL},
        (char *[]){kind, NULL},
        (char *[]){kind, threads, NULL},
        (char *[]){other, kind, threads, NULL},
        (char *[]){kind, short_one, NULL},
        (char *[]){sanitizer, kind, NULL},
    };
    for (size_t k = 0; k < sizeof environments / sizeof *environments; k++) {
        kernels_in(scratch->folder, environments[k], found);
        assert_string_equal(found, wanted);
    }
    kernels_in(scratch->folder, (char *[]){NULL}, found);
    assert_string_equal(found, usual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_help),
        test_with_scratch(test_environment_of_libraries),
        test_with_scratch(test_wrong_words),
        test_with_scratch(test_output_that_cannot_be_written),
        test_with_scratch(test_check),
        test_with_scratch(test_check_for_machines),
        test_with_scratch(test_examples),
        test_with_scratch(test_schema),
        test_with_scratch(test_parameters_from_the_command_line),
        test_with_scratch(test_default_folder),
        test_with_scratch(test_nothing_is_overwritten),
        test_with_scratch(test_force_is_careful),
        test_with_scratch(test_folder_that_cannot_be_made),
        test_with_scratch(test_full_disk),
        test_with_scratch(test_overview_and_pictures),
        test_with_scratch(test_list_of_results),
        test_with_scratch(test_failed_check),
        test_with_scratch(test_check_that_cannot_be_evaluated),
        test_with_scratch(test_not_solved),
        test_with_scratch(test_law_that_goes_wrong),
        test_with_scratch(test_steps_of_two_tolerances_are_certified),
        test_with_scratch(test_code_of_a_study),
        test_with_scratch(test_same_input_same_bits),
        test_with_scratch(test_the_model_in_the_folder_is_the_model),
        test_with_scratch(test_results_are_documented),
        test_with_scratch(steps_have_fields_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
