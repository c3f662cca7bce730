// SPDX-License-Identifier: Apache-2.0
#include "study/dump.h"

#include "base/file.h"
#include "base/text.h"
#include "problems/fclib.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- lists of steps

// The next "10", "20-30" or "100-" of a list; false at its end or where it is none.
static bool next_range(const char **at, long range[2])
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    range[0] = range[1] = strtol(*at, &end, 10);
    if (*end == '-') {
        range[1] = LONG_MAX;
        if (end[1] >= '0' && end[1] <= '9')
            range[1] = strtol(end + 1, &end, 10);
        else
            end++;
    }
    if (errno != 0 || range[0] > range[1] || (*end != ',' && *end != '\0'))
        return false;
    *at = *end == ',' ? end + 1 : end;
    return true;
}

StickStatus stick_dump_check(StickContext *ctx, const char *steps)
{
    const char *at = steps ? steps : "";
    long range[2];
    while (*at != '\0')
        STICK_CHECK(ctx, next_range(&at, range), STICK_USAGE,
                    "'%s' is no list of steps as 10,20-30 or 100-: it goes wrong at '%s'", steps, at);
    return STICK_OK;
}

StickStatus stick_dump_check_model(const char *steps, const StickModel *model)
{
    for (int k = 0; k < stick_model_laws(model) && steps; k++)
        if (stick_model_law(model, k)->section != STICK_LAW_DISK)
            return stick_fail_at(model->ctx, STICK_USAGE, stick_model_law_mark(model, k),
                                 "this contact has friction by directions, which FCLIB's files cannot hold: "
                                 "leave --dump-problems out, or give one coefficient");
    return STICK_OK;
}

bool stick_dump_wants(const char *steps, long step)
{
    long range[2];
    if (!steps || steps[0] == '\0')
        return steps != NULL;
    for (const char *at = steps; next_range(&at, range);)
        if (step >= range[0] && step <= range[1])
            return true;
    return false;
}

// ---- the problem

// Without friction, W r + u_free is M z + q.
static StickStatus fill_lcp(StickContext *ctx, const StickFrictionProblem *problem, StickProblemFile *file)
{
    const StickBlocks *W = problem->W;
    size_t n = (size_t)problem->ncontacts;
    StickLcpData *lcp = &file->lcp;
    file->kind = STICK_PROBLEM_LCP;
    lcp->n = problem->ncontacts;
    STICK_ALLOC(ctx, lcp->M, n * n);
    STICK_ALLOC(ctx, lcp->q, n);
    memcpy(lcp->q, problem->u_free, n * sizeof *lcp->q);
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++)
            lcp->M[(size_t)W->col[k] * n + (size_t)i] = W->value[k];
    return STICK_OK;
}

// Nothing is changed through this view, and nothing of it is freed.
static void view_friction(const StickSimulation *run, const StickFrictionProblem *problem,
                          StickProblemFile *file)
{
    file->kind = STICK_PROBLEM_FRICTION;
    file->friction = (StickFrictionData){
        .dim = run->system->dim,
        .ncontacts = run->contacts.ncontacts,
        .W = *run->W,
        .u_free = run->u_free,
        .mu = run->mu,
    };
    if (problem->bodies)
        file->friction.bodies = *problem->bodies;
}

// r and u = W r + u_free
static StickStatus add_solution(StickContext *ctx, const StickFrictionProblem *problem, double *r,
                                StickSolutionData *solution)
{
    int n = problem->dim * problem->ncontacts;
    STICK_ALLOC(ctx, solution->u, n);
    stick_friction_apply(problem, r, solution->u);
    for (int i = 0; i < n; i++)
        solution->u[i] += problem->u_free[i];
    solution->r = r;
    return STICK_OK;
}

// That of the step, in a room of its own.
static StickStatus add_own_solution(StickContext *ctx, const StickSimulation *run,
                                    const StickFrictionProblem *problem, double **r,
                                    StickSolutionData *solution)
{
    STICK_ALLOC(ctx, *r, problem->dim * problem->ncontacts);
    stick_simulation_solution(run, *r);
    return add_solution(ctx, problem, *r, solution);
}

static StickStatus write_problem(const StickDump *dump, const char *path, bool solved)
{
    StickContext *ctx = dump->ctx;
    const StickSimulation *run = dump->run;
    StickFrictionProblem problem = stick_simulation_problem(run);
    STICK_TRY(stick_fclib_refuse_sections(ctx, path, &problem));
    StickSolutionData guess = {0};
    double *own = NULL;
    char title[256];
    snprintf(title, sizeof title, "%.150s, step %ld, t = %g",
             run->system->model->title ? run->system->model->title : "", run->state.step + !solved,
             solved ? run->state.now.t : run->state.next.t);
    StickProblemFile file = {.ctx = ctx, .guess = &guess, .nguesses = 1, .title = title};
    StickStatus status = STICK_OK;
    if (problem.dim == 1)
        status = fill_lcp(ctx, &problem, &file);
    else
        view_friction(run, &problem, &file);
    if (status == STICK_OK)
        status = add_solution(ctx, &problem, run->guess, &guess);
    if (status == STICK_OK && solved)
        status = add_own_solution(ctx, run, &problem, &own, &file.solution);
    if (status == STICK_OK)
        status = stick_fclib_save(ctx, path, &file);
    stick_free(ctx, own);
    stick_free(ctx, guess.u);
    stick_free(ctx, file.solution.u);
    stick_lcp_data_destroy(ctx, &file.lcp);
    return status;
}

// ---- the file

static StickStatus make_path(const StickDump *dump, long step, StickText *path)
{
    stick_text_add(path, "%s/problems", dump->folder);
    STICK_TRY(stick_text_status(path));
    STICK_TRY(stick_folder_create(dump->ctx, path->bytes));
    if (dump->stage > 0)
        stick_text_add(path, "/%d-step-%06ld.hdf5", dump->stage, step);
    else
        stick_text_add(path, "/step-%06ld.hdf5", step);
    return stick_text_status(path);
}

StickStatus stick_dump_step(const StickDump *dump)
{
    StickText path;
    char iterations[48] = "";
    if (dump->run->spec->iterations > 0)
        snprintf(iterations, sizeof iterations, " --set iterations=%d", dump->run->spec->iterations);
    if (!dump->run->has_problem || dump->run->contacts.ncontacts == 0)
        return STICK_OK;
    stick_text_init(&path, dump->ctx);
    StickStatus status = make_path(dump, dump->run->state.step, &path);
    if (status == STICK_OK)
        status = write_problem(dump, path.bytes, true);
    stick_text_destroy(&path);
    return status;
}

void stick_dump_failed(const StickDump *dump)
{
    StickText path;
    char iterations[48] = "";
    if (dump->run->spec->iterations > 0)
        snprintf(iterations, sizeof iterations, " --set iterations=%d", dump->run->spec->iterations);
    if (!dump->run->has_problem || !dump->run->solve_failed || dump->run->contacts.ncontacts == 0 ||
        dump->run->laws.has_sections)
        return;
    stick_text_init(&path, dump->ctx);
    if (make_path(dump, dump->run->state.step + 1, &path) == STICK_OK &&
        write_problem(dump, path.bytes, false) == STICK_OK)
        stick_note(dump->ctx,
                   "the contact problem of this step is kept: 'stickslip solve %s --solver all' tries all "
                   "solvers on it; '--solver %s --tol %g --set aim=%g%s' repeats the solve of the run, from "
                   "the same guess",
                   path.bytes, dump->run->solver_name, dump->run->spec->tolerance,
                   1e-4 * dump->run->spec->tolerance, iterations);
    stick_text_destroy(&path);
}
