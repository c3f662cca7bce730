// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/examples.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "linalg/threads.h"
#include "model/schema.h"
#include "problems/hdf5_memory.h"
#include "study/overview.h"

#include <stickslip/friction.h>
#include <stickslip/lcp.h>
#include <stickslip/mlcp.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// What hears the diagnostics of the library.
typedef struct Voice {
    const StickContext *ctx;
    StickBar bar;
    bool silent; // they are printed as JSON at the end
    bool colour;
} Voice;

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Whether the same was said before, among the first count: the cases of a study are read from one file.
static bool was_said(const StickContext *ctx, const StickDiagnostic *said, size_t count)
{
    for (size_t k = 0; k < count && k < stick_diagnostic_count(ctx); k++) {
        const StickDiagnostic *before = stick_diagnostic(ctx, k);
        if (before->line == said->line && before->column == said->column &&
            same_text(before->file, said->file) && same_text(before->text, said->text))
            return true;
    }
    return false;
}

static void print_diagnostic(void *user, const StickDiagnostic *said)
{
    Voice *voice = user;
    static const char *const word[] = {"note", "warning", "error"};
    static const char *const colour[] = {"36", "33", "31"};
    if (voice->silent || was_said(voice->ctx, said, stick_diagnostic_count(voice->ctx) - 1))
        return;
    stick_bar_clear(&voice->bar);
    if (said->file && said->line > 0 && said->column > 0)
        fprintf(stderr, "%s:%d:%d: ", said->file, said->line, said->column);
    else if (said->file && said->line > 0)
        fprintf(stderr, "%s:%d: ", said->file, said->line);
    else if (said->file)
        fprintf(stderr, "%s: ", said->file);
    if (voice->colour)
        fprintf(stderr, "\033[1;%sm%s\033[0m: %s\n", colour[said->severity], word[said->severity],
                said->text);
    else
        fprintf(stderr, "%s: %s\n", word[said->severity], said->text);
}

// ---- commands

typedef StickStatus (*Command)(StickContext *ctx, const StickArguments *arguments, Voice *voice);

static StickStatus one_operand(StickContext *ctx, const StickArguments *arguments, const char *what)
{
    STICK_CHECK(ctx, arguments->noperands == 1, STICK_USAGE,
                "'stickslip %s' takes one %s; see 'stickslip %s --help'", arguments->command, what,
                arguments->command);
    return STICK_OK;
}

static StickStatus most_operands(StickContext *ctx, const StickArguments *arguments, int most)
{
    STICK_CHECK(ctx, arguments->noperands <= most, STICK_USAGE,
                "'stickslip %s' knows nothing to do with '%s'; see 'stickslip %s --help'", arguments->command,
                arguments->operand[most], arguments->command);
    return STICK_OK;
}

// model.yaml -> model.out, in the present folder
static StickStatus default_folder(StickContext *ctx, const char *model, char **folder)
{
    const char *name = stick_path_name(model), *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    STICK_ALLOC(ctx, *folder, (size_t)length + 5);
    snprintf(*folder, (size_t)length + 5, "%.*s.out", length, name);
    return STICK_OK;
}

static StickStudyOptions study_options(const StickArguments *arguments, Voice *voice)
{
    StickStudyOptions options = {
        .overrides = arguments->define,
        .noverrides = arguments->ndefines,
        .force = arguments->force,
        .checkpoint_steps = arguments->checkpoint,
        .dump_problems = arguments->dump,
        .threads = arguments->threads,
        .no_plots = arguments->no_plots,
    };
    if (!arguments->quiet)
        options.progress = (StickProgress){stick_bar_report, &voice->bar};
    return options;
}

static bool is_in(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    return stick_file_exists(path);
}

// Only what is there is listed: a run without plots has none.
static void print_overview(StickContext *ctx, const char *folder)
{
    StickText text;
    stick_text_init(&text, ctx);
    if (stick_overview(ctx, folder, &text) == STICK_OK && text.bytes)
        fputs(text.bytes, stdout);
    stick_text_destroy(&text);
    printf("results in %s: ", folder);
    if (is_in(folder, "sweep.csv"))
        printf("numbers of all cases in sweep.csv, the results of each in cases/, ");
    else
        printf("%s%shistory/ as tables, ", is_in(folder, "plots") ? "plots/ to look at, " : "",
               is_in(folder, "fields.pvd") ? "fields.pvd for ParaView, " : "");
    printf("summary.json for scripts\n");
}

// The overview of what was computed, or where to look after a failure.
static void print_end(StickContext *ctx, const StickArguments *arguments, StickStatus status,
                      const char *folder)
{
    if (!arguments->quiet && (status == STICK_OK || status == STICK_CHECK_FAILED))
        print_overview(ctx, folder);
    else if (status == STICK_NOT_SOLVED || status == STICK_INTERRUPTED)
        stick_note(ctx, "results so far are in '%s': see run.log and history/ there", folder);
}

static StickStatus run_into(StickContext *ctx, const StickArguments *arguments, Voice *voice,
                            const char *folder)
{
    bool started = false;
    StickStudyOptions options = study_options(arguments, voice);
    options.model = arguments->operand[0];
    options.folder = folder;
    options.started = &started;
    StickSignals signals;
    stick_signals_catch(&signals, ctx, &options);
    StickStatus status = stick_study_run(ctx, &options);
    stick_signals_leave(&signals);
    stick_bar_clear(&voice->bar);
    print_end(ctx, arguments, status, folder);
    return started ? stick_report_run(ctx, arguments, folder, status) : status;
}

static StickStatus command_run(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    STICK_TRY(one_operand(ctx, arguments, "model file"));
    if (arguments->report)
        STICK_TRY(stick_report_check(ctx));
    char *folder = NULL;
    if (!arguments->folder)
        STICK_TRY(default_folder(ctx, arguments->operand[0], &folder));
    StickStatus status = run_into(ctx, arguments, voice, arguments->folder ? arguments->folder : folder);
    stick_free(ctx, folder);
    return status;
}

static StickStatus command_resume(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    STICK_TRY(one_operand(ctx, arguments, "result folder"));
    if (arguments->report)
        STICK_TRY(stick_report_check(ctx));
    bool started = false;
    StickStudyOptions options = study_options(arguments, voice);
    options.folder = arguments->operand[0];
    options.started = &started;
    StickSignals signals;
    stick_signals_catch(&signals, ctx, &options);
    StickStatus status = stick_study_resume(ctx, &options);
    stick_signals_leave(&signals);
    stick_bar_clear(&voice->bar);
    print_end(ctx, arguments, status, options.folder);
    return started ? stick_report_run(ctx, arguments, options.folder, status) : status;
}

// On the error stream where there is no memory for the text.
static void print_diagnostics_json(StickContext *ctx, Voice *voice)
{
    static const char *const word[] = {"note", "warning", "error"};
    StickText text;
    StickJson json;
    stick_text_init(&text, ctx);
    stick_json_init(&json, &text);
    stick_json_list(&json);
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++) {
        const StickDiagnostic *said = stick_diagnostic(ctx, k);
        if (was_said(ctx, said, k))
            continue;
        stick_json_object(&json);
        stick_json_key(&json, "severity");
        stick_json_text(&json, word[said->severity]);
        stick_json_key(&json, "file");
        stick_json_text(&json, said->file);
        stick_json_key(&json, "line");
        stick_json_integer(&json, said->line);
        stick_json_key(&json, "column");
        stick_json_integer(&json, said->column);
        stick_json_key(&json, "text");
        stick_json_text(&json, said->text);
        stick_json_end_object(&json);
    }
    stick_json_end_list(&json);
    bool made = stick_text_status(&text) == STICK_OK;
    if (made)
        fputs(text.bytes, stdout);
    stick_text_destroy(&text);
    voice->silent = made;
    for (size_t k = 0; !made && k < stick_diagnostic_count(ctx); k++)
        print_diagnostic(voice, stick_diagnostic(ctx, k));
    if (!made)
        fprintf(stderr, "error: no memory for the list of messages\n");
}

static StickStatus command_check(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    STICK_TRY(one_operand(ctx, arguments, "model file"));
    StickStudyOptions options = study_options(arguments, voice);
    options.model = arguments->operand[0];
    voice->silent = arguments->json;
    StickStatus status = stick_study_check(ctx, &options);
    if (arguments->json)
        print_diagnostics_json(ctx, voice);
    else if (status == STICK_OK)
        printf("%s: no errors\n", arguments->operand[0]);
    return status;
}

// The first line behind "title:" says what an example is.
static void print_example_line(const StickExample *example)
{
    const char *title = strstr(example->text, "title:");
    int length = title ? (int)strcspn(title + 6, "\n") : 0;
    printf("  %-20s%.*s\n", example->name, length, title ? title + 6 : "");
}

static StickStatus copy_example(StickContext *ctx, const StickExample *example, bool force)
{
    char path[256];
    snprintf(path, sizeof path, "%.200s.yaml", example->name);
    STICK_CHECK(ctx, force || !stick_file_exists(path), STICK_USAGE,
                "'%s' is there already; --force replaces it", path);
    STICK_TRY(stick_file_write(ctx, path, example->text, strlen(example->text)));
    printf("%s written; now: stickslip run %s\n", path, path);
    return STICK_OK;
}

static StickStatus command_examples(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    (void)voice;
    const char *names[64];
    size_t count = 0;
    STICK_TRY(most_operands(ctx, arguments, 1));
    if (arguments->noperands == 0)
        printf("Examples; 'stickslip examples NAME' writes one into this folder:\n");
    for (const StickExample *example = stick_examples; example->name && count < 64; example++) {
        names[count++] = example->name;
        if (arguments->noperands == 0)
            print_example_line(example);
        else if (strcmp(example->name, arguments->operand[0]) == 0)
            return copy_example(ctx, example, arguments->force);
    }
    if (arguments->noperands == 0)
        return STICK_OK;
    StickSuggestion suggestion = stick_suggestion(arguments->operand[0], names, count);
    return stick_fail(ctx, STICK_USAGE, "there is no example '%s'%s", arguments->operand[0], suggestion.text);
}

static StickStatus command_schema(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    StickText text;
    (void)voice;
    STICK_TRY(most_operands(ctx, arguments, 0));
    stick_text_init(&text, ctx);
    if (arguments->json)
        stick_schema_json(&text);
    else
        stick_schema_markdown(&text);
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK && text.bytes)
        fputs(text.bytes, stdout);
    stick_text_destroy(&text);
    return status;
}

static StickStatus command_solvers(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    (void)voice;
    STICK_TRY(most_operands(ctx, arguments, 0));
    printf("For friction problems, in model files and by --solver:\n");
    for (int k = 0; stick_solver_name(k); k++)
        printf("  %-22s %s\n", stick_solver_name(k), stick_solver_text(k));
    printf("For complementarity problems of files, by --solver:\n");
    for (int k = 0; stick_lcp_method_name(k); k++)
        printf("  %-22s %s\n", stick_lcp_method_name(k), stick_lcp_method_text(k));
    printf("For pairs of bodies of files, by --solver:\n");
    for (int k = 0; stick_mlcp_method_name(k); k++)
        printf("  %-22s %s\n", stick_mlcp_method_name(k), stick_mlcp_method_text(k));
    return STICK_OK;
}

static StickStatus command_solve(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    voice->silent = arguments->json;
    return stick_command_solve(ctx, arguments);
}

static StickStatus command_bench(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    (void)voice;
    return stick_command_bench(ctx, arguments);
}

static StickStatus command_compare(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    (void)voice;
    return stick_command_compare(ctx, arguments);
}

static StickStatus command_report(StickContext *ctx, const StickArguments *arguments, Voice *voice)
{
    (void)voice;
    return stick_command_report(ctx, arguments);
}

typedef struct CommandEntry {
    const char *name;
    const char *usage;
    const char *text;
    Command run;
    unsigned takes; // STICK_OPTION_...
} CommandEntry;

static const CommandEntry commands[] = {
    {"run",
     "run MODEL [-o DIR] [-D name=value] [-j N] [--report] [--no-plots] [--checkpoint N]\n"
     "                  [--dump-problems[=STEPS]] [--force] [--quiet]",
     "Runs a model file into a result folder (by default <model>.out in this folder).", command_run,
     STICK_OPTION_FOLDER | STICK_OPTION_DEFINE | STICK_OPTION_CHECKPOINT | STICK_OPTION_DUMP |
         STICK_OPTION_THREADS | STICK_OPTION_REPORT | STICK_OPTION_NO_PLOTS | STICK_OPTION_FORCE |
         STICK_OPTION_QUIET},
    {"check", "check MODEL [-D name=value] [--json]",
     "Reads a model and builds its bodies; says all errors, runs nothing.", command_check,
     STICK_OPTION_DEFINE | STICK_OPTION_JSON},
    {"resume",
     "resume DIR [-j N] [--report] [--no-plots] [--checkpoint N] [--dump-problems[=STEPS]] [--quiet]",
     "Goes on in a result folder whose run was killed or interrupted.", command_resume,
     STICK_OPTION_CHECKPOINT | STICK_OPTION_DUMP | STICK_OPTION_THREADS | STICK_OPTION_REPORT |
         STICK_OPTION_NO_PLOTS | STICK_OPTION_QUIET},
    {"report", "report DIR... [-o FILE.html] [--full] [--force]",
     "Makes one page of a result folder, DIR/report.html, that any browser opens; of several with -o.",
     command_report, STICK_OPTION_PAGE | STICK_OPTION_FULL | STICK_OPTION_FORCE},
    {"compare", "compare DIR... [--tol T] [--base RUN] [-o DIR] [--json] [--force]",
     "Histories of runs or cases side by side and against what is exact; exit code 3 if they differ.",
     command_compare,
     STICK_OPTION_AGREE | STICK_OPTION_BASE | STICK_OPTION_FOLDER | STICK_OPTION_JSON | STICK_OPTION_FORCE},
    {"solve",
     "solve FILE... [--solver NAME|all] [--tol T] [--as lcp|friction|global|mates] [--set name=value]\n"
     "                  [--guess K|--cold] [-j N] [-o FILE.hdf5] [--json] [--force]",
     "Solves discrete contact problems (FCLIB's HDF5 files, .dat texts) and certifies the answers.",
     command_solve,
     STICK_OPTION_SOLVER | STICK_OPTION_TOLERANCE | STICK_OPTION_AS | STICK_OPTION_SET | STICK_OPTION_GUESS |
         STICK_OPTION_COLD | STICK_OPTION_THREADS | STICK_OPTION_FILE | STICK_OPTION_JSON |
         STICK_OPTION_FORCE},
    {"bench",
     "bench DIR [--solvers A,B] [--tol T1,T2] [--limit SECONDS] [--repeats N] [--set name=value]\n"
     "                  [--as lcp|friction|global] [-o DIR] [--force]",
     "Compares solvers on all problems of a folder: a table, a CSV file and pictures.", command_bench,
     STICK_OPTION_SOLVERS | STICK_OPTION_TOLERANCES | STICK_OPTION_LIMIT | STICK_OPTION_REPEATS |
         STICK_OPTION_SET | STICK_OPTION_AS | STICK_OPTION_FOLDER | STICK_OPTION_FORCE},
    {"examples", "examples [NAME] [--force]", "Lists the examples, or writes one into this folder.",
     command_examples, STICK_OPTION_FORCE},
    {"schema", "schema [--json]", "Prints all keys of the model file, as text or as JSON Schema.",
     command_schema, STICK_OPTION_JSON},
    {"solvers", "solvers", "Lists the contact solvers.", command_solvers, 0},
};

enum { NCOMMANDS = sizeof commands / sizeof *commands };

static const struct OptionHelp {
    unsigned bit;
    const char *text;
} options_help[] = {
    {STICK_OPTION_FOLDER, "-o DIR             result folder"},
    {STICK_OPTION_FILE, "-o FILE.hdf5       the problem with its solution, as FCLIB keeps it"},
    {STICK_OPTION_PAGE, "-o FILE.html       where the page goes"},
    {STICK_OPTION_FULL, "--full             keeps all frames and rows, however large the page becomes"},
    {STICK_OPTION_REPORT,
     "--report           also makes a page of the results, report.html in the result folder"},
    {STICK_OPTION_NO_PLOTS, "--no-plots         draws no pictures: plots/ stays empty"},
    {STICK_OPTION_DEFINE, "-D name=value      sets a parameter of the model"},
    {STICK_OPTION_SOLVER, "--solver NAME      see 'stickslip solvers'; 'all' compares them"},
    {STICK_OPTION_SOLVERS, "--solvers A,B      only these; by default all"},
    {STICK_OPTION_TOLERANCE, "--tol T            error at which a solve ends and is certified"},
    {STICK_OPTION_AGREE,
     "--tol T            largest relative r.m.s. difference of runs that agree; of separate\n"
     "                     folders 1e-9, cases of one folder may differ without it"},
    {STICK_OPTION_BASE, "--base RUN         the run that the others are compared with, by default the first"},
    {STICK_OPTION_TOLERANCES, "--tol T1,T2        errors to reach, by default 1e-4,1e-6,1e-8"},
    {STICK_OPTION_AS, "--as KIND          what a text file holds: lcp, friction, global or mates"},
    {STICK_OPTION_SET, "--set name=value   sets an option of the solver"},
    {STICK_OPTION_GUESS, "--guess K          starts from guess K of the file (by default from the first)"},
    {STICK_OPTION_COLD, "--cold             starts from zero, whatever guesses there are"},
    {STICK_OPTION_THREADS, "-j N               threads; results have the same bits for every N"},
    {STICK_OPTION_LIMIT, "--limit SECONDS    a solve that takes longer is stopped (by default 5)"},
    {STICK_OPTION_REPEATS, "--repeats N        solves whose median is taken (by default 3)"},
    {STICK_OPTION_DUMP, "--dump-problems    writes the contact problem of each step for 'stickslip solve';\n"
                        "                     =10,20-30 of these steps only"},
    {STICK_OPTION_CHECKPOINT,
     "--checkpoint N     saves the state every N steps (by default every few seconds)"},
    {STICK_OPTION_FORCE, "--force            replaces an earlier result folder or file"},
    {STICK_OPTION_JSON, "--json             output for machines"},
    {STICK_OPTION_QUIET, "--quiet            no progress and no overview"},
};

static const char codes_help[] =
    "Exit codes: 0 done, contact solves certified; 1 internal error, 2 usage, 3 a check failed or runs "
    "differ,\n"
    "4 bad input, 5 bad mesh, 6 not solved or not certified, 7 input/output, 8 memory, 130 interrupted.\n";

void stick_print_help(const char *command)
{
    printf("stickslip %s: bodies that touch, stick, slip and bounce\n\n", STICKSLIP_VERSION);
    unsigned takes = 0;
    for (int k = 0; k < NCOMMANDS; k++) {
        if (command && strcmp(command, commands[k].name) != 0)
            continue;
        printf("  stickslip %s\n      %s\n", commands[k].usage, commands[k].text);
        takes |= commands[k].takes;
    }
    printf(takes ? "\nOptions\n" : "");
    for (size_t k = 0; k < sizeof options_help / sizeof *options_help; k++)
        if (takes & options_help[k].bit)
            printf("  %s\n", options_help[k].text);
    printf("\n%s", codes_help);
    if (!command)
        printf("\nOf one command: stickslip COMMAND --help. Version: stickslip --version.\n"
               "First steps: stickslip examples two-bars && stickslip run two-bars.yaml --report\n");
}

static const CommandEntry *find_command(StickContext *ctx, const char *word)
{
    const char *names[NCOMMANDS];
    for (int k = 0; k < NCOMMANDS; k++) {
        names[k] = commands[k].name;
        if (strcmp(commands[k].name, word) == 0)
            return &commands[k];
    }
    StickSuggestion suggestion = stick_suggestion(word, names, NCOMMANDS);
    stick_fail(ctx, STICK_USAGE, "there is no command '%s'%s; see 'stickslip --help'", word, suggestion.text);
    return NULL;
}

static StickStatus command_help(StickContext *ctx, int argc, char **argv)
{
    if (argc > 2 && !find_command(ctx, argv[2]))
        return STICK_USAGE;
    stick_print_help(argc > 2 ? argv[2] : NULL);
    return argc < 2 ? STICK_USAGE : STICK_OK;
}

static StickStatus command_version(void)
{
    printf("stickslip %s\nOpenBLAS has the kernels of: %s\n", STICKSLIP_VERSION, stick_blas_kernels());
    if (stick_blas_is_lost())
        printf("  It does not know this processor: with OPENBLAS_CORETYPE=Haswell in the environment\n"
               "  (or SkylakeX, if there is AVX-512) large bodies are factored faster.\n");
    return STICK_OK;
}

static StickStatus dispatch(StickContext *ctx, int argc, char **argv, Voice *voice)
{
    bool asks_help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
                     strcmp(argv[1], "help") == 0;
    if (asks_help)
        return command_help(ctx, argc, argv);
    if (strcmp(argv[1], "--version") == 0)
        return command_version();
    const CommandEntry *entry = find_command(ctx, argv[1]);
    if (!entry)
        return STICK_USAGE;
    for (int k = 2; k < argc; k++) {
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
            stick_print_help(entry->name);
            return STICK_OK;
        }
    }
    StickArguments arguments;
    STICK_TRY(stick_arguments_parse(ctx, argc - 1, argv + 1, entry->takes, &arguments));
    StickStatus status = entry->run(ctx, &arguments, voice);
    stick_arguments_destroy(ctx, &arguments);
    return status;
}

// Who ends with an error hears why, even from a function that forgot to say so.
static void explain(const StickContext *ctx, StickStatus status)
{
    bool explained = status == STICK_OK || status == STICK_USAGE || status == STICK_CHECK_FAILED ||
                     status == STICK_NOT_SOLVED || stick_error_count(ctx) > 0;
    if (!explained)
        fprintf(stderr, "error: stickslip ends with exit code %d (%s); no reason was reported\n", status,
                stick_status_name(status));
}

// What was printed must have arrived: a full disk behind a pipe or a file is an error, too.
static StickStatus flush_output(StickContext *ctx, Voice *voice, StickStatus status)
{
    bool good = fflush(stdout) == 0 && !ferror(stdout);
    if (good || status != STICK_OK)
        return status;
    voice->silent = false; // a list of errors would not arrive, either
    return stick_fail(ctx, STICK_IO, "cannot write to the standard output: %s", strerror(errno));
}

int stick_program(int argc, char **argv)
{
    stick_process_open_streams();
    StickContext *ctx = stick_context_create(NULL);
    if (!ctx) {
        fprintf(stderr, "error: no memory to start\n");
        return STICK_NO_MEMORY;
    }
    Voice voice = {.ctx = ctx, .colour = isatty(STDERR_FILENO) == 1};
    stick_bar_init(&voice.bar, stderr);
    stick_hdf5_no_closing();
    stick_context_listen(ctx, (StickListener){print_diagnostic, &voice});
    stick_process_begin();
    StickStatus status = flush_output(ctx, &voice, dispatch(ctx, argc, argv, &voice));
    if (status == STICK_OK)
        status = stick_failure_since(ctx, 0);
    stick_process_end();
    explain(ctx, status);
    stick_context_destroy(ctx);
    return status;
}
