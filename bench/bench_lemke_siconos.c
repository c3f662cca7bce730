// SPDX-License-Identifier: Apache-2.0
// Lemke's method beside Siconos' lcp_lexicolemke on the same dense LCPs: plane friction in its facet form, with a full W
// and with the W of a file. The goal is at most a tenth of the time with 300 contacts.
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "linalg/threads.h"
#include "problems/problem_file.h"
#include "solve/friction_lcp.h"
#include "solve/lcp_work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

enum { REPEATS = 5, PIVOTS = 100000 };

typedef struct Arena {
    StickLcp lcp;
    double *M, *z, *w;
    StickSparseLcp sparse;
} Arena;

typedef struct Times {
    double ours[REPEATS], ours_sparse[REPEATS], theirs[REPEATS];
    StickSolveInfo info;
    int failed; // theirs
    double residual;
} Times;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, REPEATS, sizeof *values, by_value);
    return values[REPEATS / 2];
}

static void fill_dense(Arena *arena)
{
    const StickSparse *M = arena->sparse.M;
    for (int j = 0; j < M->cols; j++)
        for (int k = M->start[j]; k < M->start[j + 1]; k++)
            arena->M[(size_t)j * (size_t)M->cols + (size_t)M->row[k]] = M->value[k];
    arena->lcp = (StickLcp){M->cols, arena->M, arena->sparse.q};
}

static double time_theirs(Arena *arena, int *failed)
{
    LinearComplementarityProblem problem = {
        .size = arena->lcp.n,
        .M = NM_create_from_data(NM_DENSE, arena->lcp.n, arena->lcp.n, arena->M),
        .q = (double *)arena->lcp.q,
    };
    SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = PIVOTS;
    memset(arena->z, 0, (size_t)arena->lcp.n * sizeof *arena->z);
    double clock = stick_clock_cpu();
    lcp_lexicolemke(&problem, arena->z, arena->w, failed, options);
    double seconds = stick_clock_cpu() - clock;
    solver_options_delete(options);
    free(options);
    free(problem.M);
    return seconds;
}

static StickStatus run_both(StickLemke *lemke, Arena *arena, Times *times)
{
    size_t n = (size_t)arena->lcp.n;
    for (int k = 0; k < REPEATS; k++) {
        times->theirs[k] = time_theirs(arena, &times->failed);
        times->residual = stick_lcp_residual(&arena->lcp, arena->z);
        double clock = stick_clock_cpu();
        STICK_TRY(stick_lemke_solve(lemke, &arena->lcp, PIVOTS, arena->z, &times->info));
        times->ours[k] = stick_clock_cpu() - clock;
        memset(arena->z, 0, n * sizeof *arena->z);
        clock = stick_clock_cpu();
        STICK_TRY(stick_lemke_solve_sparse(lemke, &arena->sparse, PIVOTS, arena->z, &times->info));
        times->ours_sparse[k] = stick_clock_cpu() - clock;
    }
    return STICK_OK;
}

static StickStatus compare(StickContext *ctx, const char *name, const StickFrictionProblem *problem,
                           double *ratio)
{
    Arena arena = {0};
    Times times;
    StickFrictionLcp *friction_lcp;
    StickLemke *lemke;
    STICK_TRY(stick_friction_lcp_create(ctx, 4, &friction_lcp));
    STICK_TRY(stick_lemke_create(ctx, &lemke));
    STICK_TRY(stick_friction_lcp_build(friction_lcp, problem, STICK_LCP_FACETS, &arena.sparse));
    size_t n = (size_t)arena.sparse.M->cols;
    STICK_ALLOC(ctx, arena.M, n * n);
    STICK_ALLOC(ctx, arena.z, n);
    STICK_ALLOC(ctx, arena.w, n);
    fill_dense(&arena);
    STICK_TRY(run_both(lemke, &arena, &times));
    double ours = median(times.ours), sparse = median(times.ours_sparse), theirs = median(times.theirs);
    *ratio = theirs / ours;
    printf("%-32s n = %zu, %s after %d pivots, residual %.1e\n", name, n,
           stick_solve_end_name(times.info.end), times.info.iterations, times.info.residual);
    printf("  lcp_lexicolemke %10.2f ms%s, residual %.1e\n", 1e3 * theirs, times.failed ? " (failed)" : "",
           times.residual);
    printf("  ours, M full    %10.2f ms, %.1f times as fast\n", 1e3 * ours, *ratio);
    printf("  ours, M sparse  %10.2f ms, %.1f times as fast\n", 1e3 * sparse, theirs / sparse);
    stick_free(ctx, arena.M);
    stick_free(ctx, arena.z);
    stick_free(ctx, arena.w);
    stick_lemke_destroy(lemke);
    stick_friction_lcp_destroy(friction_lcp);
    return times.info.end == STICK_SOLVE_CONVERGED ? STICK_OK : STICK_CHECK_FAILED;
}

// W = I / 4 + A A' / n with n = 2 nc; u_free presses in on the whole and slides both ways.
static StickStatus run_full(StickContext *ctx, int nc, double *ratio)
{
    StickRandom random = stick_random_seed(1);
    size_t n = 2 * (size_t)nc;
    double *A, *value, *u_free, *mu;
    int *start, *col;
    STICK_ALLOC(ctx, A, n * n);
    STICK_ALLOC(ctx, value, n * n);
    STICK_ALLOC(ctx, u_free, n);
    STICK_ALLOC(ctx, mu, nc);
    STICK_ALLOC(ctx, start, nc + 1);
    STICK_ALLOC(ctx, col, nc * nc);
    for (size_t k = 0; k < n * n; k++)
        A[k] = stick_random_uniform(&random, -1, 1);
    for (size_t i = 0; i < n; i++) {
        u_free[i] = stick_random_uniform(&random, -1, 1) - (i % 2 == 0 ? 0.5 : 0);
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += A[i * n + k] * A[j * n + k];
            value[(i / 2 * (size_t)nc + j / 2) * 4 + i % 2 * 2 + j % 2] = (i == j) * 0.25 + sum / (double)n;
        }
    }
    for (int i = 0; i < nc; i++) {
        mu[i] = 0.3;
        start[i + 1] = (i + 1) * nc;
        for (int j = 0; j < nc; j++)
            col[i * nc + j] = j;
    }
    StickBlocks W = {2, nc, start, col, value};
    StickFrictionProblem problem = {.dim = 2, .ncontacts = nc, .W = &W, .u_free = u_free, .mu = mu};
    StickStatus status = compare(ctx, "full W", &problem, ratio);
    void *blocks[] = {A, value, u_free, mu, start, col};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        stick_free(ctx, blocks[k]);
    return status;
}

static StickStatus run_file(StickContext *ctx, const char *folder, const char *name)
{
    char path[512];
    double ratio;
    StickProblemFile *file;
    snprintf(path, sizeof path, "%s/friction/%s", folder, name);
    STICK_TRY(stick_problem_read(ctx, path, STICK_PROBLEM_FRICTION, &file));
    StickFrictionProblem problem = stick_problem_friction(file);
    StickStatus status = compare(ctx, name, &problem, &ratio);
    stick_problem_destroy(file);
    return status;
}

int main(void)
{
    StickContext *ctx = stick_context_create(NULL);
    const char *folder = getenv("STICKSLIP_DATA");
    double ratio;
    stick_blas_single_thread();
    StickStatus status = run_full(ctx, 30, &ratio);
    if (status == STICK_OK)
        status = run_full(ctx, 300, &ratio);
    if (status == STICK_OK) {
        printf("goal with 300 contacts: 10 times as fast\n");
        status = ratio >= 10 ? STICK_OK : STICK_CHECK_FAILED;
    }
    if (folder)
        run_file(ctx, folder, "FrictionContactProblem00237.dat");
    if (status != STICK_OK)
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    stick_context_destroy(ctx);
    return status;
}
