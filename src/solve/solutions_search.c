// SPDX-License-Identifier: Apache-2.0
#include "solve/solutions_search.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/problem.h"
#include "solve/residual.h"

#include <math.h>
#include <string.h>

// Other solutions are solved to the tolerance TOLERANCE. A solution is another motion if a velocity differs by more
// than OTHER times the largest free velocity from all that belong to the known solution: the known solution itself,
// and the results of the same methods started from it. The known solution has an error, its residual, which may be
// large if the tolerance is large: results started from it belong to it up to AMPLIFIED times its residual. If there
// are no such results, other solutions must differ by that amount.
static const double TOLERANCE = 1e-10, OTHER = STICK_OTHER_MOTION, AMPLIFIED = 100;

enum { METHODS = 2, STARTS = 6, SWEEPS = 500, NEWTON_STEPS = 40 };

struct StickSolutionsSearch {
    StickContext *ctx;
    StickSolver *method[METHODS];
    double *r, *u; // dim * ncontacts
    double *near;  // METHODS of u: solved from the known solution
    size_t r_room, u_room, near_room;
};

StickStatus stick_solutions_search_create(StickContext *ctx, StickSolutionsSearch **search)
{
    static const char *const name[METHODS] = {"gauss-seidel", "newton"};
    static const int iterations[METHODS] = {SWEEPS, NEWTON_STEPS};
    StickSolutionsSearch *created;
    STICK_ALLOC(ctx, created, 1);
    *created = (StickSolutionsSearch){.ctx = ctx};
    for (int k = 0; k < METHODS; k++) {
        StickSolverOptions options = stick_solver_options_default();
        options.tolerance = TOLERANCE;
        options.iterations = iterations[k];
        StickStatus status = stick_solver_create(ctx, name[k], &options, &created->method[k]);
        if (status != STICK_OK) {
            stick_solutions_search_destroy(created);
            return status;
        }
    }
    *search = created;
    return STICK_OK;
}

void stick_solutions_search_destroy(StickSolutionsSearch *search)
{
    if (!search)
        return;
    for (int k = 0; k < METHODS; k++)
        stick_solver_destroy(search->method[k]);
    stick_free(search->ctx, search->r);
    stick_free(search->ctx, search->u);
    stick_free(search->ctx, search->near);
    stick_free(search->ctx, search);
}

// Impulses that would stop the free motion of each contact by itself are the scale of the starting points.
static void start_at(const StickFrictionProblem *problem, const double *known, int start, double *r)
{
    int d = problem->dim;
    StickRandom random = stick_random_seed((uint64_t)start);
    double scale = 0;
    for (int i = 0; i < d * problem->ncontacts; i++)
        scale = fmax(scale,
                     fmax(fabs(known[i]), fabs(problem->u_free[i]) / stick_friction_weight(problem, i / d)));
    for (int c = 0; c < problem->ncontacts; c++) {
        double *own = r + d * c, mu = problem->mu[c];
        const double *old = known + d * c;
        switch (start) {
        case 0: // no force
            memset(own, 0, (size_t)d * sizeof *own);
            break;
        case 1: // wedged
            memset(own, 0, (size_t)d * sizeof *own);
            own[0] = 100 * scale;
            break;
        case 2: // friction reversed, and more of it
            own[0] = 2 * old[0];
            for (int k = 1; k < d; k++)
                own[k] = -2 * old[k];
            break;
        default:
            own[0] = scale * stick_random_uniform(&random, 0, 2);
            for (int k = 1; k < d; k++)
                own[k] = mu * own[0] * stick_random_uniform(&random, -0.7, 0.7);
        }
    }
}

static double apart(int n, const double *u, const double *other, double scale)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(u[i] - other[i]) / scale);
    return most;
}

// Solves from search->r by a method.
static StickStatus solve(StickSolutionsSearch *search, const StickFrictionProblem *problem, int method,
                         double *u, bool *converged)
{
    StickSolveInfo info;
    STICK_TRY(stick_solver_solve(search->method[method], problem, search->r, u, &info));
    *converged = info.end == STICK_SOLVE_CONVERGED;
    return STICK_OK;
}

StickStatus stick_solutions_search(StickSolutionsSearch *search, const StickFrictionProblem *problem,
                                   const double *r, const double *u, double *difference)
{
    int n = problem->dim * problem->ncontacts, nnear = 0;
    double scale = 0;
    bool converged;
    *difference = 0;
    for (int i = 0; i < n; i++)
        scale = fmax(scale, fabs(problem->u_free[i]));
    if (!problem->W || problem->ncontacts > STICK_SOLUTIONS_SEARCH_CONTACTS || !(scale > 0))
        return STICK_OK;
    STICK_RESERVE(search->ctx, search->r, search->r_room, (size_t)n);
    STICK_RESERVE(search->ctx, search->u, search->u_room, (size_t)n);
    STICK_RESERVE(search->ctx, search->near, search->near_room, (size_t)METHODS * (size_t)n);
    for (int k = 0; k < METHODS; k++)
        STICK_TRY(stick_solver_reserve(search->method[k], problem));
    // the known solution without its error
    double error = stick_residual_error(stick_residual(problem, r, u), STICK_MEASURE_BOTH);
    double own = fmax(OTHER, AMPLIFIED * error);
    for (int k = 0; k < METHODS; k++) {
        double *found = search->near + (size_t)nnear * (size_t)n;
        memcpy(search->r, r, (size_t)n * sizeof *r);
        STICK_TRY(solve(search, problem, k, found, &converged));
        nnear += converged && apart(n, found, u, scale) <= own;
    }
    for (int start = 0; start < STARTS; start++)
        for (int k = 0; k < METHODS; k++) {
            start_at(problem, r, start, search->r);
            STICK_TRY(solve(search, problem, k, search->u, &converged));
            if (!converged)
                continue;
            double off = apart(n, search->u, u, scale);
            bool is_other = off > (nnear > 0 ? OTHER : own);
            for (int i = 0; i < nnear; i++)
                is_other &= apart(n, search->u, search->near + (size_t)i * (size_t)n, scale) > OTHER;
            if (is_other)
                *difference = fmax(*difference, off);
        }
    return STICK_OK;
}
