// SPDX-License-Identifier: Apache-2.0
// One face for the methods that solve lambda = B p, d = eps + A p + C theta, p >= 0, d >= 0, p'd = 0.
#include "base/check.h"
#include "base/memory.h"
#include "solve/mlcp_work.h"

#include <math.h>

typedef struct Method {
    const char *text;
    StickStatus (*solve)(StickMlcpWork *work, const bool *start, const StickMlcpSolution *solution,
                         StickMlcpInfo *info);
} Method;

// In the order of StickMlcpMethod.
static const Method methods[] = {
    {"pairs connected and disconnected one by one, Lemke's method where that comes to no end",
     stick_mlcp_connecting},
    {"the simplex method without complements in one basis; historical, may come to a deadlock",
     stick_mlcp_simplex},
    {"Lemke's method, free motions eliminated", stick_mlcp_by_lemke},
    {"all sets of at most 20 pairs, and how many solutions there are", stick_mlcp_by_enumeration},
};
enum { NMETHODS = sizeof methods / sizeof *methods };

static const char *const method_names[] = {"connect-disconnect", "conry-seireg", "lemke", "enumerate", NULL};
_Static_assert(sizeof method_names / sizeof *method_names == NMETHODS + 1, "a name per method");
static const char *const order_names[] = {"largest", "first", "last", NULL};

const StickOption stick_mlcp_options_table[] = {
    {"method", STICK_OPTION_CHOICE, offsetof(StickMlcpOptions, method), 0, NMETHODS - 1, method_names,
     "how the pairs are solved"},
    {"order", STICK_OPTION_CHOICE, offsetof(StickMlcpOptions, order), 0, 2, order_names,
     "which of several pairs is taken: by the largest violation or gain, or by its number"},
    {"tolerance", STICK_OPTION_REAL, offsetof(StickMlcpOptions, tolerance), 1e-16, 1, NULL,
     "error of balance and complementarity, without units, at which a solve is accepted"},
    {"iterations", STICK_OPTION_INTEGER, offsetof(StickMlcpOptions, iterations), 1, 1e9, NULL,
     "most pivots of one solve"},
    {0},
};

struct StickMlcpSolver {
    StickMlcpOptions options;
    StickMlcpWork work;
};

StickMlcpOptions stick_mlcp_options_default(void)
{
    return (StickMlcpOptions){
        .method = STICK_MLCP_CONNECT, .order = STICK_MLCP_LARGEST, .tolerance = 1e-10, .iterations = 10000};
}

const char *stick_mlcp_method_name(int index)
{
    return index >= 0 && index < NMETHODS ? method_names[index] : NULL;
}

const char *stick_mlcp_method_text(int index)
{
    return index >= 0 && index < NMETHODS ? methods[index].text : NULL;
}

StickStatus stick_mlcp_create(StickContext *ctx, const StickMlcpOptions *options, StickMlcpSolver **solver)
{
    StickMlcpSolver *created;
    STICK_TRY(stick_options_check(ctx, stick_mlcp_options_table, options));
    STICK_ALLOC(ctx, created, 1);
    created->options = *options;
    created->work = (StickMlcpWork){.ctx = ctx, .options = &created->options};
    *solver = created;
    return STICK_OK;
}

void stick_mlcp_destroy(StickMlcpSolver *solver)
{
    if (!solver)
        return;
    StickContext *ctx = solver->work.ctx;
    stick_mlcp_free(&solver->work);
    stick_free(ctx, solver);
}

bool stick_mlcp_is_to_end(const StickMlcpWork *work, const StickMlcpInfo *info)
{
    return info->solve.iterations >= STICK_MLCP_LONG && stick_is_stopped(work->ctx);
}

StickStatus stick_mlcp_solve(StickMlcpSolver *solver, const StickMixedLcp *mates, const bool *start,
                             const StickMlcpSolution *solution, StickMlcpInfo *info)
{
    StickMlcpInfo ended = {.solve = {.residual = INFINITY}};
    STICK_TRY(stick_mlcp_check(solver->work.ctx, mates));
    STICK_TRY(stick_mlcp_begin(&solver->work, mates));
    STICK_TRY(methods[solver->options.method].solve(&solver->work, start, solution, &ended));
    STICK_CHECK(solver->work.ctx,
                ended.solve.end == STICK_SOLVE_CONVERGED || !stick_mlcp_is_to_end(&solver->work, &ended),
                STICK_INTERRUPTED, "interrupted in a contact problem with %d pairs", mates->m);
    *info = ended;
    return STICK_OK;
}
