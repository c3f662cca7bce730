// SPDX-License-Identifier: Apache-2.0
#include "problems/task.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "problems/condense_global.h"
#include "problems/mixed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const StickMark nowhere = {NULL, 0, 0};

StickStatus stick_task_create(StickContext *ctx, const StickProblemFile *file, StickTask *task)
{
    StickTask made = {.ctx = ctx,
                      .file = file,
                      .is_lcp = file->kind == STICK_PROBLEM_LCP,
                      .is_mates = file->kind == STICK_PROBLEM_MATES};
    if (made.is_lcp) {
        made.lcp = stick_problem_lcp(file);
    } else if (made.is_mates) {
        made.mates = stick_problem_mates(file);
    } else if (file->kind == STICK_PROBLEM_GLOBAL) {
        STICK_TRY(stick_condense_global(ctx, &file->global, &made.condensed));
        StickFrictionData *local = &made.condensed;
        made.friction = (StickFrictionProblem){
            .dim = local->dim, .ncontacts = local->ncontacts, .u_free = local->u_free, .mu = local->mu};
    } else {
        made.friction = stick_problem_friction(file);
    }
    *task = made;
    if (file->kind == STICK_PROBLEM_GLOBAL)
        task->friction.W = &task->condensed.W;
    return STICK_OK;
}

void stick_task_destroy(StickTask *task)
{
    if (task->ctx)
        stick_friction_data_destroy(task->ctx, &task->condensed);
    *task = (StickTask){0};
}

StickMethodKind stick_method_kind(StickProblemKind kind)
{
    return kind == STICK_PROBLEM_LCP     ? STICK_METHODS_LCP
           : kind == STICK_PROBLEM_MATES ? STICK_METHODS_MATES
                                         : STICK_METHODS_FRICTION;
}

const char *stick_method_name_of(StickMethodKind kind, int index)
{
    return kind == STICK_METHODS_LCP     ? stick_lcp_method_name(index)
           : kind == STICK_METHODS_MATES ? stick_mlcp_method_name(index)
                                         : stick_solver_name(index);
}

const char *stick_task_solver(const StickTask *task, int index)
{
    StickMethodKind kind = stick_method_kind(task->file->kind);
    // most files hold W alone
    return kind == STICK_METHODS_FRICTION && stick_solver_needs_bodies(index) && !task->friction.bodies
               ? NULL
               : stick_method_name_of(kind, index);
}

const char *stick_task_default_solver(const StickTask *task)
{
    return task->is_mates ? stick_mlcp_method_name(0) : task->is_lcp ? "lemke" : "auto";
}

void stick_attempt_destroy(StickContext *ctx, StickAttempt *attempt)
{
    stick_solution_data_destroy(ctx, &attempt->solution);
}

static StickStatus set_options(StickContext *ctx, const StickAttemptOptions *given, const StickOption *table,
                               void *options)
{
    for (int k = 0; k < given->nset; k++)
        STICK_TRY(stick_options_set(ctx, table, options, given->set[k].name, given->set[k].value, nowhere));
    return STICK_OK;
}

static StickStatus take_room(const StickTask *task, const double *guess, StickSolutionData *solution)
{
    size_t n = (size_t)stick_problem_entries(task->file);
    STICK_ALLOC(task->ctx, solution->r, n);
    STICK_ALLOC(task->ctx, solution->u, n);
    if (guess)
        memcpy(solution->r, guess, n * sizeof *guess);
    return STICK_OK;
}

// ---- friction

static StickStatus certify_friction(const StickTask *task, StickAttempt *attempt)
{
    StickCertificate *found = &attempt->certificate;
    STICK_TRY(stick_certify(task->ctx, &task->friction, attempt->solution.r, attempt->info.facets,
                            attempt->tolerance, found));
    attempt->error = found->error;
    attempt->error_scale_free = found->error_scale_free;
    attempt->certified = found->certified;
    return STICK_OK;
}

static StickStatus friction_options(StickContext *ctx, const StickAttemptOptions *given,
                                    StickSolverOptions *options)
{
    *options = stick_solver_options_default();
    if (given->tolerance > 0)
        options->tolerance = given->tolerance;
    STICK_TRY(set_options(ctx, given, stick_solver_options_table, options));
    if (given->threads > 0)
        options->threads = given->threads;
    return STICK_OK;
}

static StickStatus attempt_friction(const StickTask *task, const StickAttemptOptions *given,
                                    StickAttempt *attempt)
{
    StickSolverOptions options;
    StickSolver *solver;
    STICK_TRY(friction_options(task->ctx, given, &options));
    attempt->tolerance = options.tolerance;
    STICK_TRY(stick_solver_create(task->ctx, attempt->solver, &options, &solver));
    StickStatus status = stick_solver_reserve(solver, &task->friction);
    double start = stick_clock_cpu();
    if (status == STICK_OK)
        status = stick_solver_solve(solver, &task->friction, attempt->solution.r, attempt->solution.u,
                                    &attempt->info);
    attempt->seconds = stick_clock_cpu() - start;
    stick_solver_destroy(solver);
    STICK_TRY(status);
    return certify_friction(task, attempt);
}

// ---- lcp

static StickStatus certify_lcp(const StickTask *task, StickAttempt *attempt)
{
    const StickLcp *lcp = &task->lcp;
    const double *z = attempt->solution.r;
    StickLcpCertificate found;
    STICK_TRY(stick_certify_lcp(task->ctx, lcp, z, attempt->tolerance, &found));
    attempt->error = found.error;
    attempt->error_scale_free = found.error_scale_free;
    attempt->certified = found.certified;
    memcpy(attempt->solution.u, lcp->q, (size_t)lcp->n * sizeof *lcp->q);
    for (int j = 0; j < lcp->n; j++)
        for (int i = 0; i < lcp->n; i++)
            attempt->solution.u[i] += lcp->M[(size_t)j * (size_t)lcp->n + (size_t)i] * z[j];
    return STICK_OK;
}

static StickStatus lcp_options(StickContext *ctx, const StickAttemptOptions *given, StickLcpOptions *options)
{
    *options = stick_lcp_options_default();
    if (given->tolerance > 0)
        options->tolerance = given->tolerance;
    return set_options(ctx, given, stick_lcp_options_table, options);
}

static StickStatus attempt_lcp(const StickTask *task, const StickAttemptOptions *given, StickAttempt *attempt)
{
    StickLcpOptions options;
    StickLcpSolver *solver;
    STICK_TRY(lcp_options(task->ctx, given, &options));
    STICK_TRY(
        stick_options_set(task->ctx, stick_lcp_options_table, &options, "method", attempt->solver, nowhere));
    attempt->tolerance = options.tolerance;
    STICK_TRY(stick_lcp_create(task->ctx, &options, &solver));
    StickStatus status = stick_lcp_reserve(solver, task->lcp.n);
    double start = stick_clock_cpu();
    if (status == STICK_OK)
        status = stick_lcp_solve(solver, &task->lcp, attempt->solution.r, &attempt->info);
    attempt->seconds = stick_clock_cpu() - start;
    stick_lcp_destroy(solver);
    STICK_TRY(status);
    return certify_lcp(task, attempt);
}

// ---- pairs of bodies

static StickStatus mates_options(StickContext *ctx, const StickAttemptOptions *given,
                                 StickMlcpOptions *options)
{
    *options = stick_mlcp_options_default();
    if (given->tolerance > 0)
        options->tolerance = given->tolerance;
    return set_options(ctx, given, stick_mlcp_options_table, options);
}

static StickStatus certify_mates(const StickTask *task, StickAttempt *attempt)
{
    StickMlcpCertificate found;
    STICK_TRY(stick_certify_mates(task->ctx, &task->mates, attempt->solution.r, attempt->solution.v,
                                  attempt->tolerance, &found));
    attempt->error = found.error;
    attempt->error_scale_free = NAN;
    attempt->equilibrium = found.balance;
    attempt->certified = found.certified;
    return STICK_OK;
}

// A free motion is kept where there is one.
static StickStatus solve_mates(const StickTask *task, const StickMlcpOptions *options, StickAttempt *attempt)
{
    StickSolutionData *made = &attempt->solution;
    StickMlcpSolution solution = {.p = made->r, .d = made->u, .theta = made->v, .motion = made->l};
    StickMlcpSolver *solver;
    StickMlcpInfo info;
    STICK_TRY(stick_mlcp_create(task->ctx, options, &solver));
    double start = stick_clock_cpu();
    StickStatus status = stick_mlcp_solve(solver, &task->mates, NULL, &solution, &info);
    attempt->seconds = stick_clock_cpu() - start;
    stick_mlcp_destroy(solver);
    STICK_TRY(status);
    attempt->info = info.solve;
    if (info.solve.end != STICK_SOLVE_UNSTABLE) {
        stick_free(task->ctx, made->l);
        made->l = NULL;
    }
    return STICK_OK;
}

static StickStatus attempt_mates(const StickTask *task, const StickAttemptOptions *given,
                                 StickAttempt *attempt)
{
    StickMlcpOptions options;
    STICK_TRY(mates_options(task->ctx, given, &options));
    STICK_TRY(
        stick_options_set(task->ctx, stick_mlcp_options_table, &options, "method", attempt->solver, nowhere));
    attempt->tolerance = options.tolerance;
    STICK_ALLOC(task->ctx, attempt->solution.v, task->mates.l);
    STICK_ALLOC(task->ctx, attempt->solution.l, task->mates.l);
    STICK_TRY(solve_mates(task, &options, attempt));
    return certify_mates(task, attempt);
}

// ---- any

static StickStatus fail_name(const StickTask *task, const char *solver)
{
    enum { MOST = 64 };
    const char *names[MOST];
    char list[1024] = "";
    size_t count = 0, length = 0;
    for (; count < MOST && stick_task_solver(task, (int)count); count++) {
        names[count] = stick_task_solver(task, (int)count);
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       count ? ", " : "; known: ", names[count]);
    }
    StickSuggestion suggestion = stick_suggestion(solver, names, count);
    return stick_fail(task->ctx, STICK_BAD_INPUT, "unknown solver '%s' for %s%s", solver,
                      task->is_mates ? "pairs of bodies"
                      : task->is_lcp ? "a complementarity problem"
                                     : "a friction problem",
                      suggestion.text[0] ? suggestion.text : list);
}

StickStatus stick_task_attempt(const StickTask *task, const char *solver, const StickAttemptOptions *options,
                               StickAttempt *attempt)
{
    StickAttempt made = {0};
    for (int k = 0; !made.solver && stick_task_solver(task, k); k++)
        if (stick_text_equal(stick_task_solver(task, k), solver))
            made.solver = stick_task_solver(task, k);
    if (!made.solver)
        return fail_name(task, solver);
    StickStatus status = take_room(task, options->guess, &made.solution);
    if (status == STICK_OK)
        status = task->is_mates ? attempt_mates(task, options, &made)
                 : task->is_lcp ? attempt_lcp(task, options, &made)
                                : attempt_friction(task, options, &made);
    if (status != STICK_OK)
        stick_attempt_destroy(task->ctx, &made);
    else
        *attempt = made;
    return status;
}

// ---- options

bool stick_method_exists(StickMethodKind kind, const char *name)
{
    for (int k = 0;; k++) {
        const char *known = stick_method_name_of(kind, k);
        if (!known || stick_text_equal(known, name))
            return known != NULL;
    }
}

// A solver is made of them: it knows more than the ranges.
static StickStatus try_options(StickContext *ctx, StickMethodKind kind, const StickAttemptOptions *given)
{
    if (kind == STICK_METHODS_MATES) {
        StickMlcpOptions options;
        STICK_TRY(mates_options(ctx, given, &options));
        return stick_options_check(ctx, stick_mlcp_options_table, &options);
    }
    if (kind == STICK_METHODS_LCP) {
        StickLcpOptions options;
        STICK_TRY(lcp_options(ctx, given, &options));
        return stick_options_check(ctx, stick_lcp_options_table, &options);
    }
    StickSolverOptions options;
    StickSolver *solver;
    STICK_TRY(friction_options(ctx, given, &options));
    STICK_TRY(stick_solver_create(ctx, stick_solver_name(0), &options, &solver));
    stick_solver_destroy(solver);
    return STICK_OK;
}

// Checks in a context of its own, because another kind of problem may accept options that this one rejects; the errors
// of the trials are not reported.
StickStatus stick_attempt_check(StickContext *ctx, const StickAttemptOptions *options,
                                bool kinds[STICK_METHOD_KINDS])
{
    bool taken[STICK_METHOD_KINDS] = {false}, any = false;
    StickContext *apart = stick_context_create(NULL);
    STICK_CHECK(ctx, apart, STICK_NO_MEMORY, "no memory to check options");
    StickStatus status = STICK_OK;
    for (int kind = STICK_METHOD_KINDS - 1; kind >= 0; kind--) {
        StickStatus found = kinds[kind] ? try_options(apart, (StickMethodKind)kind, options) : STICK_OK;
        taken[kind] = kinds[kind] && found == STICK_OK;
        any = any || taken[kind];
        status = found != STICK_OK ? found : status;
    }
    if (any || status == STICK_OK)
        status = STICK_OK;
    else
        status =
            stick_fail(ctx, status == STICK_BAD_INPUT ? STICK_USAGE : status, "%s", stick_last_error(apart));
    stick_context_destroy(apart);
    STICK_TRY(status);
    memcpy(kinds, taken, sizeof taken);
    return STICK_OK;
}

// ---- the rest of the solution

// The velocities H' v + w of v must be those of the condensed problem.
static double inconsistency(const StickTask *task, const StickSolutionData *solution)
{
    const StickGlobalData *global = &task->file->global;
    double difference = 0, size = 0;
    for (int j = 0; j < global->H.cols; j++) {
        double u = global->w[j];
        for (int k = global->H.start[j]; k < global->H.start[j + 1]; k++)
            u += global->H.value[k] * solution->v[global->H.row[k]];
        difference = isfinite(u) ? fmax(difference, fabs(u - solution->u[j])) : INFINITY;
        size = fmax(size, fmax(fabs(u), fmax(fabs(global->w[j]), fabs(task->friction.u_free[j]))));
    }
    return difference == 0 ? 0 : difference / size;
}

static StickStatus complete_global(const StickTask *task, StickAttempt *attempt)
{
    const StickGlobalData *global = &task->file->global;
    StickSolutionData *solution = &attempt->solution;
    STICK_ALLOC(task->ctx, solution->v, global->M.rows);
    if (global->G.cols > 0)
        STICK_ALLOC(task->ctx, solution->l, global->G.cols);
    STICK_TRY(stick_global_velocity(task->ctx, global, solution->r, solution->v, solution->l));
    STICK_TRY(stick_global_equilibrium(task->ctx, global, solution->r, solution->v, solution->l,
                                       &attempt->equilibrium));
    attempt->equilibrium = fmax(attempt->equilibrium, inconsistency(task, solution));
    attempt->certified = attempt->certified && attempt->equilibrium <= attempt->tolerance;
    return STICK_OK;
}

static StickStatus complete_mixed(const StickTask *task, StickAttempt *attempt)
{
    const StickMixedData *mixed = &task->file->mixed;
    StickSolutionData *solution = &attempt->solution;
    STICK_ALLOC(task->ctx, solution->l, mixed->R.rows);
    STICK_TRY(stick_mixed_multipliers(task->ctx, mixed, solution->r, solution->l));
    STICK_TRY(stick_mixed_defect(task->ctx, mixed, task->friction.u_free, solution, &attempt->equilibrium));
    attempt->certified = attempt->certified && attempt->equilibrium <= attempt->tolerance;
    return STICK_OK;
}

StickStatus stick_task_complete(const StickTask *task, StickAttempt *attempt)
{
    if (task->file->kind == STICK_PROBLEM_GLOBAL)
        return complete_global(task, attempt);
    return task->file->mixed.R.rows > 0 ? complete_mixed(task, attempt) : STICK_OK;
}
