// SPDX-License-Identifier: Apache-2.0
// One face for the methods that solve w = M z + q, w >= 0, z >= 0, w'z = 0.
#include "base/memory.h"
#include "solve/lcp_work.h"

#include <math.h>
#include <stdio.h>

typedef struct Method {
    const char *text;
    bool needs_diagonal; // positive
    bool needs_guess;
    StickSolveEnd (*solve)(StickLcpWork *work, double *z, StickSolveInfo *info); // NULL: Lemke's own object
} Method;

// In the order of StickLcpMethod.
static const Method methods[] = {
    {"Lemke's method with the lexicographic rule", false, false, NULL},
    {"principal pivoting by the least index, for P-matrices", false, false, stick_lcp_pivoting_least_index},
    {"Keller's principal pivoting, for positive semidefinite and P-matrices", false, false,
     stick_lcp_pivoting_keller},
    {"projected Gauss-Seidel, or SOR by the relaxation", true, true, stick_lcp_projected_solve},
    {"semismooth Newton on min(z, w) = 0", false, true, stick_lcp_newton_min},
    {"semismooth Newton on the Fischer-Burmeister function", false, true, stick_lcp_newton_fischer},
};
enum { NMETHODS = sizeof methods / sizeof *methods };

static const char *const method_names[] = {"lemke",      "least-index",    "keller", "projected",
                                           "newton-min", "newton-fischer", NULL};
_Static_assert(sizeof method_names / sizeof *method_names == NMETHODS + 1, "a choice per method");

const StickOption stick_lcp_options_table[] = {
    {"method", STICK_OPTION_CHOICE, offsetof(StickLcpOptions, method), 0, NMETHODS - 1, method_names,
     "how the complementarity problem is solved"},
    {"tolerance", STICK_OPTION_REAL, offsetof(StickLcpOptions, tolerance), 1e-16, 1, NULL,
     "error |min(z, M z + q)| / |q| at which a solve ends"},
    {"iterations", STICK_OPTION_INTEGER, offsetof(StickLcpOptions, iterations), 1, 1e9, NULL,
     "most pivots, sweeps or Newton steps of one solve"},
    {"relaxation", STICK_OPTION_REAL, offsetof(StickLcpOptions, relaxation), 1e-3, 1.999, NULL,
     "over- or under-relaxation of projected sweeps; 1 is Gauss-Seidel"},
    {0},
};

struct StickLcpSolver {
    StickContext *ctx;
    StickLcpOptions options;
    const Method *method;
    StickLemke *lemke; // of Lemke's method
    StickLcpWork work; // of all others
};

StickLcpOptions stick_lcp_options_default(void)
{
    return (StickLcpOptions){
        .method = STICK_LCP_LEMKE, .tolerance = 1e-10, .iterations = 10000, .relaxation = 1};
}

const char *stick_lcp_method_name(int index)
{
    return index >= 0 && index < NMETHODS ? method_names[index] : NULL;
}

const char *stick_lcp_method_text(int index)
{
    return index >= 0 && index < NMETHODS ? methods[index].text : NULL;
}

StickStatus stick_lcp_create(StickContext *ctx, const StickLcpOptions *options, StickLcpSolver **solver)
{
    STICK_TRY(stick_options_check(ctx, stick_lcp_options_table, options));
    StickLcpSolver *created;
    STICK_ALLOC(ctx, created, 1);
    *created = (StickLcpSolver){.ctx = ctx, .options = *options, .method = &methods[options->method]};
    if (!created->method->solve) {
        StickStatus status = stick_lemke_create(ctx, &created->lemke);
        if (status != STICK_OK) {
            stick_free(ctx, created);
            return status;
        }
    }
    *solver = created;
    return STICK_OK;
}

void stick_lcp_destroy(StickLcpSolver *solver)
{
    if (!solver)
        return;
    stick_lemke_destroy(solver->lemke);
    stick_lcp_work_free(solver->ctx, &solver->work);
    stick_free(solver->ctx, solver);
}

StickStatus stick_lcp_reserve(StickLcpSolver *solver, int n)
{
    return solver->lemke ? stick_lemke_reserve(solver->lemke, n)
                         : stick_lcp_work_reserve(solver->ctx, &solver->work, n);
}

static StickStatus check_method(const StickLcpSolver *solver, const StickLcp *lcp, const double *z)
{
    const Method *method = solver->method;
    for (int i = 0; i < lcp->n; i++) {
        double diagonal = lcp->M[(size_t)i * (size_t)(lcp->n + 1)];
        STICK_CHECK(solver->ctx, !method->needs_guess || isfinite(z[i]), STICK_BAD_INPUT,
                    "the guess of z%d is %g", i + 1, z[i]);
        STICK_CHECK(solver->ctx, !method->needs_diagonal || diagonal > 0, STICK_BAD_INPUT,
                    "M(%d,%d) of an LCP is %g, but the method '%s' needs a positive diagonal", i + 1, i + 1,
                    diagonal, method_names[solver->options.method]);
    }
    return STICK_OK;
}

static bool all_positive(int n, const double *q)
{
    for (int i = 0; i < n; i++)
        if (q[i] < 0)
            return false;
    return true;
}

// Lemke's own word is not measured against the tolerance; ours is.
static StickStatus solve_by_lemke(StickLcpSolver *solver, const StickLcp *lcp, double *z,
                                  StickSolveInfo *info)
{
    STICK_TRY(stick_lemke_solve(solver->lemke, lcp, solver->options.iterations, z, info));
    if (info->end == STICK_SOLVE_CONVERGED && !(info->residual <= solver->options.tolerance)) {
        info->end = STICK_SOLVE_LIMIT;
        snprintf(info->detail, sizeof info->detail, "the last point misses by %.1e", info->residual);
    }
    return STICK_OK;
}

StickStatus stick_lcp_solve(StickLcpSolver *solver, const StickLcp *lcp, double *z, StickSolveInfo *info)
{
    StickSolveInfo ended = {.end = STICK_SOLVE_CONVERGED};
    STICK_TRY(stick_lcp_check(solver->ctx, lcp));
    STICK_TRY(check_method(solver, lcp, z));
    STICK_TRY(stick_lcp_reserve(solver, lcp->n));
    if (all_positive(lcp->n, lcp->q)) {
        for (int i = 0; i < lcp->n; i++)
            z[i] = 0;
    } else if (solver->lemke) {
        STICK_TRY(solve_by_lemke(solver, lcp, z, &ended));
    } else {
        ended.residual = INFINITY;
        stick_lcp_work_begin(&solver->work, lcp, &solver->options);
        ended.end = solver->method->solve(&solver->work, z, &ended);
    }
    *info = ended;
    return STICK_OK;
}
