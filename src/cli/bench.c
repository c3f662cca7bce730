// SPDX-License-Identifier: Apache-2.0
// stickslip bench: solvers compared on the problems of a folder.
#include "study/bench.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 64, MOST_TOLERANCES = 16, NAME_WIDTH = 44, SHOWN = 3 };

// ---- lists of the command line

// A list cut at its commas, in a copy of its own.
typedef struct List {
    char *copy;
    const char *word[MOST_NAMES];
    int count;
} List;

static StickStatus split(StickContext *ctx, const char *text, List *list)
{
    *list = (List){.copy = stick_copy_text(ctx, text)};
    if (!list->copy)
        return STICK_NO_MEMORY;
    for (char *word = strtok(list->copy, ","); word; word = strtok(NULL, ",")) {
        STICK_CHECK(ctx, list->count < MOST_NAMES, STICK_USAGE, "more than %d words in '%s'", MOST_NAMES,
                    text);
        list->word[list->count++] = word;
    }
    STICK_CHECK(ctx, list->count > 0, STICK_USAGE, "'%s' is an empty list", text);
    return STICK_OK;
}

// The largest first, each once.
static StickStatus add_tolerance(StickContext *ctx, const char *word, double *tolerance, int *count)
{
    double value;
    STICK_CHECK(ctx, stick_parse_number(word, &value) && value > 0 && value <= 1, STICK_USAGE,
                "--tol takes numbers above 0, at most 1, not '%s'", word);
    STICK_CHECK(ctx, *count < MOST_TOLERANCES, STICK_USAGE, "more than %d tolerances", MOST_TOLERANCES);
    int place = *count;
    while (place > 0 && tolerance[place - 1] <= value)
        place--;
    if (place < *count && tolerance[place] == value)
        return STICK_OK;
    memmove(tolerance + place + 1, tolerance + place, (size_t)(*count - place) * sizeof *tolerance);
    tolerance[place] = value;
    ++*count;
    return STICK_OK;
}

static StickStatus parse_tolerances(StickContext *ctx, const char *text, double *tolerance, int *count)
{
    List list;
    StickStatus status = split(ctx, text ? text : "1e-4,1e-6,1e-8", &list);
    for (int k = 0; k < list.count && status == STICK_OK; k++)
        status = add_tolerance(ctx, list.word[k], tolerance, count);
    stick_free(ctx, list.copy);
    return status;
}

// ---- for people

// The next faster solver of a problem behind the time `after` and solver `last`; -1 if there is none.
static int next_fastest(const StickBench *bench, const StickBenchProblem *problem, int tolerance,
                        double after, int last)
{
    int found = -1;
    double best = INFINITY;
    for (int s = 0; s < bench->nsolvers; s++) {
        const StickTrial *trial = stick_bench_trial(bench, problem, s, tolerance);
        bool behind = trial->seconds > after || (trial->seconds == after && s > last);
        if (trial->reached && behind && trial->seconds < best) {
            best = trial->seconds;
            found = s;
        }
    }
    return found;
}

static void print_fastest(const StickBench *bench, const StickBenchProblem *problem, int tolerance)
{
    double after = -1;
    int last = -1;
    for (int k = 0; k < SHOWN; k++) {
        int s = next_fastest(bench, problem, tolerance, after, last);
        char seconds[32];
        if (s < 0)
            break;
        after = stick_bench_trial(bench, problem, s, tolerance)->seconds;
        last = s;
        stick_seconds_text(after, seconds);
        printf("%s%s %s", k ? ", " : "", bench->solver[s], seconds);
    }
    printf("%s\n", last < 0 ? "none" : "");
}

static void print_problem(void *user, const StickBench *bench, const StickBenchProblem *problem)
{
    (void)user;
    for (int t = 0; t < bench->ntolerances; t++) {
        int reached = 0;
        for (int s = 0; s < bench->nsolvers; s++)
            reached += stick_bench_trial(bench, problem, s, t)->reached;
        printf("%-*.*s %6d  %7.0e  %2d of %-2d  ", NAME_WIDTH, NAME_WIDTH,
               t == 0 ? stick_path_name(problem->path) : "", problem->size, bench->tolerance[t], reached,
               bench->nsolvers);
        print_fastest(bench, problem, t);
    }
    fflush(stdout);
}

static void print_scores(const StickBench *bench)
{
    printf("\n%-22s", "solver");
    for (int t = 0; t < bench->ntolerances; t++)
        printf("  %24.0e", bench->tolerance[t]);
    printf("\n");
    for (int s = 0; s < bench->nsolvers; s++) {
        printf("%-22s", bench->solver[s]);
        for (int t = 0; t < bench->ntolerances; t++) {
            StickBenchScore score = stick_bench_score(bench, s, t);
            char ratio[32] = "-";
            if (score.reached > 0)
                snprintf(ratio, sizeof ratio, "x%.3g", score.ratio);
            printf("  %3d of %-3d best %-3d %6s", score.reached, score.problems, score.fastest, ratio);
        }
        printf("\n");
    }
    printf("(solved, how often the fastest, geometric mean of the time over the fastest)\n");
}

// ---- the command

static const char *kind_name(bool lcp)
{
    return lcp ? "complementarity" : "friction";
}

static StickStatus show(const StickArguments *arguments, const StickBench *bench)
{
    if (stick_bench_done(bench) == 0)
        return STICK_OK;
    print_scores(bench);
    if (!arguments->folder)
        return STICK_OK;
    STICK_TRY(stick_bench_write(bench, arguments->folder));
    printf("results in %s\n", arguments->folder);
    return STICK_OK;
}

// The kinds (friction, complementarity) that --as, the names of solvers and their options leave; names that
// fit neither are taken for those of friction.
static StickStatus choose_kinds(StickContext *ctx, const StickBenchOptions *options,
                                bool kinds[STICK_METHOD_KINDS])
{
    StickAttemptOptions attempt = {.tolerance = options->tolerance[options->ntolerances - 1],
                                   .set = options->set,
                                   .nset = options->nset};
    bool any = options->as == STICK_PROBLEM_AUTO;
    kinds[0] = options->as != STICK_PROBLEM_LCP;
    kinds[1] = options->as == STICK_PROBLEM_LCP || any;
    kinds[STICK_METHODS_MATES] = false;
    for (int k = 0; k < options->nsolvers && any; k++)
        for (int kind = 0; kind < 2; kind++)
            kinds[kind] = kinds[kind] && stick_method_exists((StickMethodKind)kind, options->solver[k]);
    kinds[0] = kinds[0] || !kinds[1];
    return stick_attempt_check(ctx, &attempt, kinds);
}

static StickStatus bench_kind(StickContext *ctx, const StickArguments *arguments,
                              const StickBenchOptions *options, bool lcp, StickBench *bench)
{
    char heading[64];
    snprintf(heading, sizeof heading, "%s problem", kind_name(lcp));
    printf("%-*s %6s  %7s  %8s  %s\n", NAME_WIDTH, heading, "size", "tol", "reached", "fastest");
    STICK_TRY(stick_bench_run(ctx, options, lcp, bench));
    StickStatus status = show(arguments, bench);
    if (status != STICK_OK)
        stick_bench_destroy(bench);
    return status;
}

// The problems of the other kind have a table of their own, or are at least spoken of.
static StickStatus bench_others(const StickBench *bench, const StickArguments *arguments,
                                StickBenchOptions options, bool wanted, int *done)
{
    StickBench other;
    int count = stick_bench_others(bench);
    if (count == 0)
        return STICK_OK;
    if (!wanted) {
        stick_warn(bench->ctx,
                   "%d %s problem%s left out: --as, the solvers or their options are for %s problems", count,
                   kind_name(!bench->is_lcp), count == 1 ? " is" : "s are", kind_name(bench->is_lcp));
        return STICK_OK;
    }
    options.rest = bench;
    if (*done > 0)
        printf("\n");
    STICK_TRY(bench_kind(bench->ctx, arguments, &options, !bench->is_lcp, &other));
    *done += stick_bench_done(&other);
    stick_bench_destroy(&other);
    return STICK_OK;
}

static StickStatus bench_kinds(StickContext *ctx, const StickArguments *arguments,
                               const StickBenchOptions *options)
{
    StickBench bench;
    bool kinds[STICK_METHOD_KINDS] = {false};
    STICK_TRY(choose_kinds(ctx, options, kinds));
    STICK_TRY(bench_kind(ctx, arguments, options, !kinds[0], &bench));
    int done = stick_bench_done(&bench);
    StickStatus status = bench_others(&bench, arguments, *options, kinds[0] && kinds[1], &done);
    stick_bench_destroy(&bench);
    STICK_TRY(status);
    STICK_CHECK(ctx, done > 0, STICK_BAD_INPUT, "'%s' holds no problem for these solvers", options->folder);
    return STICK_OK;
}

static StickStatus check_arguments(StickContext *ctx, const StickArguments *arguments, StickProblemKind *as)
{
    STICK_CHECK(ctx, arguments->noperands == 1, STICK_USAGE,
                "'stickslip bench' takes one folder; see 'stickslip bench --help'");
    STICK_CHECK(ctx, stick_folder_exists(arguments->operand[0]), STICK_USAGE, "'%s' is no folder",
                arguments->operand[0]);
    STICK_CHECK(ctx, !arguments->folder || arguments->force || !stick_file_exists(arguments->folder),
                STICK_USAGE, "'%s' is there already; --force writes into it", arguments->folder);
    STICK_CHECK(ctx, arguments->repeats <= STICK_MOST_REPEATS, STICK_USAGE, "--repeats takes at most %d",
                STICK_MOST_REPEATS);
    if (arguments->as)
        STICK_CHECK(ctx, stick_problem_kind_parse(ctx, arguments->as, as) == STICK_OK, STICK_USAGE,
                    "--as takes lcp, friction or global");
    STICK_CHECK(ctx, *as != STICK_PROBLEM_MATES, STICK_USAGE,
                "'stickslip bench' takes no pairs of bodies; 'stickslip solve FILE --solver all' compares "
                "their methods");
    return STICK_OK;
}

StickStatus stick_command_bench(StickContext *ctx, const StickArguments *arguments)
{
    StickProblemKind as = STICK_PROBLEM_AUTO;
    double tolerance[MOST_TOLERANCES + 1];
    int ntolerances = 0;
    List solvers = {0};
    STICK_TRY(check_arguments(ctx, arguments, &as));
    STICK_TRY(parse_tolerances(ctx, arguments->tolerances, tolerance, &ntolerances));
    StickBenchOptions options = {
        .folder = arguments->operand[0],
        .as = as,
        .tolerance = tolerance,
        .ntolerances = ntolerances,
        .limit = arguments->limit > 0 ? arguments->limit : 5,
        .repeats = arguments->repeats > 0 ? arguments->repeats : 3,
        .set = arguments->set,
        .nset = arguments->nsets,
        .report = print_problem,
    };
    StickStatus status = arguments->solvers ? split(ctx, arguments->solvers, &solvers) : STICK_OK;
    options.solver = solvers.word;
    options.nsolvers = solvers.count;
    if (status == STICK_OK)
        status = bench_kinds(ctx, arguments, &options);
    stick_free(ctx, solvers.copy);
    return status;
}
