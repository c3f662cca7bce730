// SPDX-License-Identifier: Apache-2.0
#include "study/bench.h"

#include "base/file.h"
#include "base/text.h"
#include "linalg/threads.h"
#include "problems/probe.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <string.h>

// ---- the folder

typedef struct Names {
    char **name;
    size_t count, capacity;
} Names;

static void destroy_names(StickContext *ctx, Names *names)
{
    for (size_t k = 0; k < names->count; k++)
        stick_free(ctx, names->name[k]);
    stick_free(ctx, names->name);
}

static bool is_problem_name(const char *name)
{
    static const char *const ends[] = {".dat", ".hdf5", ".h5"};
    size_t length = strlen(name);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        size_t end = strlen(ends[k]);
        if (length > end && strcmp(name + length - end, ends[k]) == 0)
            return true;
    }
    return false;
}

static StickStatus grow(StickContext *ctx, Names *names)
{
    STICK_RESERVE(ctx, names->name, names->capacity, names->count + 1);
    return STICK_OK;
}

// Kept in the order of their bytes. The path is the list's, whether there is room or not.
static StickStatus add_path(StickContext *ctx, char *path, Names *names)
{
    if (!path)
        return STICK_NO_MEMORY;
    if (grow(ctx, names) != STICK_OK) {
        stick_free(ctx, path);
        return STICK_NO_MEMORY;
    }
    size_t place = names->count++;
    for (; place > 0 && strcmp(names->name[place - 1], path) > 0; place--)
        names->name[place] = names->name[place - 1];
    names->name[place] = path;
    return STICK_OK;
}

static StickStatus list_folder(StickContext *ctx, const char *folder, Names *names)
{
    DIR *listing = opendir(folder);
    StickStatus status = STICK_OK;
    STICK_CHECK(ctx, listing, STICK_IO, "cannot read folder '%s': %s", folder, strerror(errno));
    for (const struct dirent *entry = readdir(listing); entry && status == STICK_OK; entry = readdir(listing))
        if (is_problem_name(entry->d_name))
            status = add_path(ctx, stick_path_join(ctx, folder, entry->d_name), names);
    closedir(listing);
    STICK_TRY(status);
    STICK_CHECK(ctx, names->count > 0, STICK_USAGE, "'%s' holds no .dat, .hdf5 or .h5 file", folder);
    return STICK_OK;
}

static StickStatus list_rest(StickContext *ctx, const StickBench *rest, Names *names)
{
    for (int p = 0; p < rest->nproblems; p++)
        if (rest->problem[p].is_other)
            STICK_TRY(add_path(ctx, stick_copy_text(ctx, rest->problem[p].path), names));
    return STICK_OK;
}

// ---- results

int stick_bench_done(const StickBench *bench)
{
    int count = 0;
    for (int p = 0; p < bench->nproblems; p++)
        count += bench->problem[p].trial != NULL;
    return count;
}

int stick_bench_others(const StickBench *bench)
{
    int count = 0;
    for (int p = 0; p < bench->nproblems; p++)
        count += bench->problem[p].is_other;
    return count;
}

const StickTrial *stick_bench_trial(const StickBench *bench, const StickBenchProblem *problem, int solver,
                                    int tolerance)
{
    return &problem->trial[solver * bench->ntolerances + tolerance];
}

double stick_bench_best(const StickBench *bench, const StickBenchProblem *problem, int tolerance)
{
    double best = INFINITY;
    for (int s = 0; s < bench->nsolvers; s++) {
        const StickTrial *trial = stick_bench_trial(bench, problem, s, tolerance);
        if (trial->reached)
            best = fmin(best, trial->seconds);
    }
    return best;
}

StickBenchScore stick_bench_score(const StickBench *bench, int solver, int tolerance)
{
    StickBenchScore score = {0};
    double sum = 0;
    for (int p = 0; p < bench->nproblems; p++) {
        const StickBenchProblem *problem = &bench->problem[p];
        if (!problem->trial)
            continue;
        score.problems++;
        const StickTrial *trial = stick_bench_trial(bench, problem, solver, tolerance);
        if (!trial->reached)
            continue;
        double best = stick_bench_best(bench, problem, tolerance);
        score.reached++;
        score.fastest += trial->seconds <= best;
        sum += log(trial->seconds / best);
    }
    score.ratio = score.reached > 0 ? exp(sum / score.reached) : NAN;
    return score;
}

void stick_bench_destroy(StickBench *bench)
{
    for (int p = 0; p < bench->nproblems; p++) {
        stick_free(bench->ctx, bench->problem[p].path);
        stick_free(bench->ctx, bench->problem[p].trial);
    }
    if (bench->ctx) {
        stick_free(bench->ctx, bench->problem);
        stick_free(bench->ctx, bench->solver);
    }
    *bench = (StickBench){0};
}

// ---- running

// A solver that missed a tolerance is not asked for a smaller one.
static StickStatus run_solver(const StickTask *task, const StickBenchOptions *options, const char *solver,
                              StickTrial *trials)
{
    for (int t = 0; t < options->ntolerances; t++) {
        StickTrialOptions trial = {
            .solver = solver,
            .attempt = {.tolerance = options->tolerance[t], .set = options->set, .nset = options->nset},
            .limit = options->limit,
            .repeats = options->repeats,
        };
        if (t > 0 && !trials[t - 1].reached) {
            trials[t] = trials[t - 1];
            continue;
        }
        STICK_TRY(stick_trial_run(task, &trial, &trials[t]));
        // even a median is at least a tick
        trials[t].seconds = fmax(trials[t].seconds, 1e-9);
    }
    return STICK_OK;
}

static StickStatus run_task(const StickBench *bench, const StickBenchOptions *options, const StickTask *task,
                            StickBenchProblem *problem)
{
    STICK_ALLOC(bench->ctx, problem->trial, (size_t)bench->nsolvers * (size_t)bench->ntolerances);
    for (int s = 0; s < bench->nsolvers; s++)
        STICK_TRY(run_solver(task, options, bench->solver[s],
                             problem->trial + (size_t)s * (size_t)bench->ntolerances));
    if (options->report)
        options->report(options->user, bench, problem);
    return STICK_OK;
}

static StickStatus run_file(const StickBench *bench, const StickBenchOptions *options,
                            const StickProblemFile *file, StickBenchProblem *problem)
{
    StickTask task = {0};
    STICK_CHECK(bench->ctx, file->kind != STICK_PROBLEM_MATES, STICK_BAD_INPUT,
                "'%s' holds pairs of bodies; 'stickslip solve FILE --solver all' compares their methods",
                problem->path);
    problem->size = stick_problem_size(file);
    problem->is_other = (file->kind == STICK_PROBLEM_LCP) != bench->is_lcp;
    if (problem->is_other)
        return STICK_OK;
    STICK_TRY(stick_task_create(bench->ctx, file, &task));
    problem->dim = task.is_lcp ? 1 : task.friction.dim;
    StickStatus status = run_task(bench, options, &task, problem);
    stick_task_destroy(&task);
    return status;
}

// What cannot be read is left out; what cannot be written or allocated ends the comparison.
static StickStatus run_path(const StickBench *bench, const StickBenchOptions *options,
                            StickBenchProblem *problem)
{
    StickProblemFile *file;
    StickStatus status = stick_problem_read_apart(bench->ctx, problem->path, options->as, &file);
    if (status == STICK_OK) {
        status = run_file(bench, options, file, problem);
        stick_problem_destroy(file);
    }
    if (status != STICK_BAD_INPUT && status != STICK_NOT_SOLVED)
        return status;
    stick_warn(bench->ctx, "'%s' is left out", problem->path);
    return STICK_OK;
}

static StickStatus check_name(const StickBench *bench, const char *name)
{
    enum { MOST = 64 };
    const char *known[MOST];
    size_t count = 0;
    for (int k = 0; k < MOST; k++) {
        const char *one = bench->is_lcp ? stick_lcp_method_name(k) : stick_solver_name(k);
        if (!one)
            break;
        if (stick_text_equal(one, name))
            return STICK_OK;
        known[count++] = one;
    }
    return stick_fail(bench->ctx, STICK_USAGE, "unknown solver '%s'%s", name,
                      stick_suggestion(name, known, count).text);
}

static StickStatus choose_solvers(StickBench *bench, const StickBenchOptions *options)
{
    int count = options->nsolvers;
    while (options->nsolvers == 0 &&
           (bench->is_lcp ? stick_lcp_method_name(count) != NULL
                          : stick_solver_name(count) && !stick_solver_needs_bodies(count)))
        count++;
    STICK_ALLOC(bench->ctx, bench->solver, count);
    bench->nsolvers = count;
    for (int k = 0; k < count; k++) {
        bench->solver[k] = options->nsolvers > 0 ? options->solver[k]
                           : bench->is_lcp       ? stick_lcp_method_name(k)
                                                 : stick_solver_name(k);
        STICK_TRY(check_name(bench, bench->solver[k]));
    }
    return STICK_OK;
}

static StickStatus run_all(StickBench *bench, const StickBenchOptions *options, Names *names)
{
    STICK_TRY(options->rest ? list_rest(bench->ctx, options->rest, names)
                            : list_folder(bench->ctx, options->folder, names));
    STICK_ALLOC(bench->ctx, bench->problem, names->count);
    for (size_t k = 0; k < names->count; k++) {
        StickBenchProblem *problem = &bench->problem[bench->nproblems];
        problem->path = stick_copy_text(bench->ctx, names->name[k]);
        if (!problem->path)
            return STICK_NO_MEMORY;
        bench->nproblems++;
        STICK_TRY(run_path(bench, options, problem));
    }
    return STICK_OK;
}

StickStatus stick_bench_run(StickContext *ctx, const StickBenchOptions *options, bool lcp, StickBench *bench)
{
    StickBench made = {
        .ctx = ctx, .is_lcp = lcp, .tolerance = options->tolerance, .ntolerances = options->ntolerances};
    Names names = {0};
    STICK_TRY(stick_blas_prepare(ctx, 1));
    StickStatus status = choose_solvers(&made, options);
    if (status == STICK_OK)
        status = run_all(&made, options, &names);
    destroy_names(ctx, &names);
    if (status != STICK_OK)
        stick_bench_destroy(&made);
    else
        *bench = made;
    return status;
}
