// SPDX-License-Identifier: Apache-2.0
// Lemke's method on a friction problem: the facet form first, the copositive vertex form where that fails.
#include "base/memory.h"
#include "solve/friction_lcp.h"
#include "solve/method.h"
#include "solve/residual.h"
#include "solve/section.h"

#include <stdio.h>
#include <string.h>

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickFrictionLcp *friction_lcp;
    StickLemke *lemke;
    double *z;
    size_t room;
} Work;

static void destroy(void *data)
{
    Work *work = data;
    stick_lemke_destroy(work->lemke);
    stick_friction_lcp_destroy(work->friction_lcp);
    stick_free(work->ctx, work->z);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    STICK_TRY(stick_friction_lcp_create(ctx, options->facets, &work->friction_lcp));
    return stick_lemke_create(ctx, &work->lemke);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    int dim = problem->dim, ncontacts = problem->ncontacts;
    STICK_TRY(stick_friction_lcp_reserve(work->friction_lcp, problem));
    int order = stick_friction_lcp_order(work->friction_lcp, problem);
    STICK_TRY(stick_lemke_reserve_sparse(work->lemke, order,
                                         stick_friction_lcp_entries(work->friction_lcp, problem),
                                         stick_friction_lcp_most_basic(dim, ncontacts)));
    STICK_RESERVE(work->ctx, work->z, work->room, order);
    return STICK_OK;
}

static bool is_zero(int n, const double *r)
{
    for (int i = 0; i < n; i++)
        if (r[i] != 0)
            return false;
    return true;
}

static StickStatus try_form(Work *work, const StickFrictionProblem *problem, StickLcpForm form, double *r,
                            StickSolveInfo *info)
{
    StickSparseLcp lcp;
    STICK_TRY(stick_friction_lcp_build(work->friction_lcp, problem, form, &lcp));
    if (is_zero(problem->dim * problem->ncontacts, r))
        memset(work->z, 0, (size_t)lcp.M->cols * sizeof *work->z);
    else
        stick_friction_lcp_guess(work->friction_lcp, r, work->z);
    STICK_TRY(stick_lemke_solve_sparse(work->lemke, &lcp, work->options->iterations, work->z, info));
    if (info->end == STICK_SOLVE_CONVERGED)
        stick_friction_lcp_recover(work->friction_lcp, work->z, r);
    return STICK_OK;
}

static bool any_friction(const StickFrictionProblem *problem)
{
    for (int c = 0; c < problem->ncontacts && problem->dim > 1; c++)
        if (problem->mu[c] > 0 || stick_section_of(problem, c))
            return true;
    return false;
}

// A section with a smooth boundary, which facets only come near to.
static bool any_curved(const StickFrictionProblem *problem)
{
    for (int c = 0; c < problem->ncontacts && problem->dim == 3; c++) {
        const StickSection *section = stick_section_of(problem, c);
        if (section ? section->kind == STICK_SECTION_ELLIPSE : problem->mu[c] > 0)
            return true;
    }
    return false;
}

// r = 0 is a solution when nothing is pressed in; a path of pivots need not end there.
static bool all_open(const StickFrictionProblem *problem)
{
    for (int c = 0; c < problem->ncontacts; c++)
        if (problem->u_free[(size_t)problem->dim * (size_t)c] < 0)
            return false;
    return true;
}

// Reports the error in the exact cone of a faceted solution.
static void tell_exact_error(const StickFrictionProblem *problem, const double *r, double *u,
                             StickSolveInfo *info)
{
    stick_residual_velocity(problem, r, u);
    size_t length = strlen(info->detail);
    snprintf(info->detail + length, sizeof info->detail - length, "%serror of the exact cone %.1e",
             length ? "; " : "", stick_residual(problem, r, u).shared);
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    StickSolveInfo facets, vertices;
    if (all_open(problem)) {
        memset(r, 0, (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r);
        info->end = STICK_SOLVE_CONVERGED;
        return STICK_OK;
    }
    bool sections = stick_section_any(problem);
    STICK_TRY(try_form(work, problem, sections ? STICK_LCP_VERTICES : STICK_LCP_FACETS, r, &facets));
    *info = facets;
    if (!sections && facets.end != STICK_SOLVE_CONVERGED && any_friction(problem)) {
        STICK_TRY(try_form(work, problem, STICK_LCP_VERTICES, r, &vertices));
        *info = vertices;
        info->iterations += facets.iterations;
        snprintf(info->detail, sizeof info->detail, "facet form: %.40s; vertex form: %.40s", facets.detail,
                 vertices.end == STICK_SOLVE_CONVERGED ? "solved" : vertices.detail);
    }
    info->facets = any_curved(problem) ? work->options->facets : 0;
    if (info->facets > 0 && info->end == STICK_SOLVE_CONVERGED)
        tell_exact_error(problem, r, u, info);
    return STICK_OK;
}

const StickMethod stick_method_lemke = {
    .name = "lemke",
    .text =
        "Lemke's pivots on the complementarity problem; exact in 2D, a faceted cone in 3D; small problems",
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
