// SPDX-License-Identifier: Apache-2.0
// Lemke's method with the lexicographic rule [CPS92 §4.4, §4.9]: w = M z + q + d z0, z0 driven to zero.
//
// Everything is in scaled variables w' = g R w and z' = g C^-1 z, all factors powers of two, so that no test for
// zero depends on the units of the user.
#include <stickslip/lcp.h>

#include "base/memory.h"
#include "solve/lcp_path.h"
#include "solve/lcp_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double lost = 1e-6;    // a basis that misses by more than this is not called a solution
static const double proved = 1e-12; // of M'v relative to |v|, below which it is not positive

struct StickLemke {
    StickContext *ctx;
    StickLcpPath path;
    double q_scale; // g
};

// One problem, with M in one of two forms.
typedef struct Given {
    const StickLcp *dense;
    const StickSparseLcp *sparse;
    int most_pivots;
    bool is_near; // z is a guess
} Given;

StickStatus stick_lemke_create(StickContext *ctx, StickLemke **lemke)
{
    StickLemke *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    *lemke = created;
    return STICK_OK;
}

void stick_lemke_destroy(StickLemke *lemke)
{
    if (!lemke)
        return;
    stick_lcp_path_free(lemke->ctx, &lemke->path);
    stick_free(lemke->ctx, lemke);
}

StickStatus stick_lemke_reserve(StickLemke *lemke, int n)
{
    STICK_CHECK(lemke->ctx, n >= 0, STICK_BAD_INPUT, "an LCP of order %d", n);
    STICK_TRY(stick_lcp_path_reserve(lemke->ctx, &lemke->path, n, n));
    return stick_lcp_matrix_reserve(lemke->ctx, &lemke->path.M, n);
}

StickStatus stick_lemke_reserve_sparse(StickLemke *lemke, int n, size_t entries, int most_basic)
{
    STICK_CHECK(lemke->ctx, n >= 0, STICK_BAD_INPUT, "an LCP of order %d", n);
    STICK_TRY(stick_lcp_path_reserve(lemke->ctx, &lemke->path, n, most_basic < n ? most_basic : n));
    return stick_lcp_matrix_reserve_sparse(lemke->ctx, &lemke->path.M, n, entries);
}

// ---- starts

static void load_q(StickLemke *lemke, const double *q)
{
    StickLcpPath *path = &lemke->path;
    path->n = path->M.n;
    for (int i = 0; i < path->n; i++)
        path->q[i] = path->M.R[i] * q[i];
    lemke->q_scale = 1 / stick_power_of_two(stick_largest_magnitude(path->n, path->q));
    for (int i = 0; i < path->n; i++)
        path->q[i] *= lemke->q_scale;
}

static void set_kinds_cold(StickLcpPath *path)
{
    memset(path->kind, STICK_LCP_W, (size_t)path->n);
}

// The guess is a basis: z's above zero. Dependent ones are left out; false if none remains.
static bool set_kinds_near(StickLcpPath *path, const double *z)
{
    int count = 0;
    path->z0_place = -1;
    for (int i = 0; i < path->n; i++)
        path->kind[i] = z[i] > 0 ? STICK_LCP_Z : STICK_LCP_W;
    path->basis.M = &path->M;
    if (!stick_lcp_basis_factor(&path->basis, path->kind) || !stick_lcp_basis_is_regular(&path->basis))
        if (!stick_lcp_basis_repair(&path->basis, path->kind))
            return false;
    for (int i = 0; i < path->n; i++)
        count += path->kind[i] == STICK_LCP_Z;
    return count > 0;
}

// A complementary basis with z_B basic is the start of the equivalent problem in which the pairs of B have changed
// sides, its principal transform [CPS92 §2.3]. Its covering vector is e if ours is d = e_w - M_B e_B: then z0
// lifts all basic variables alike, and is feasible as soon as the lowest is zero.
static bool start(StickLcpPath *path)
{
    path->z0_place = -1;
    memcpy(path->home, path->kind, (size_t)path->n);
    for (int i = 0; i < path->n; i++) {
        path->d[i] = path->kind[i] == STICK_LCP_W;
        path->z[i] = path->kind[i] == STICK_LCP_Z ? -1 : 0;
    }
    stick_lcp_matrix_multiply(&path->M, path->z, path->d);
    return stick_lcp_path_settle(path);
}

// The first of the lowest.
static int lowest(const StickLcpPath *path)
{
    int place = 0;
    for (int i = 1; i < path->n; i++)
        place = path->b[i] < path->b[place] ? i : place;
    return place;
}

static bool start_is_tied(const StickLcpPath *path)
{
    int count = 0;
    double least = path->b[lowest(path)];
    for (int i = 0; i < path->n; i++)
        count += path->b[i] == least;
    return count > 1;
}

// ---- the path

// v >= 0 with M'v <= 0 and q.v < 0 leaves no z >= 0 with M z + q >= 0, for then v.(M z + q) < 0 [CPS92 §3.1].
static bool proves_infeasible(const StickLcpPath *path, const double *v)
{
    double sum = 0, product = 0;
    for (int i = 0; i < path->n; i++) {
        sum += v[i];
        product += path->q[i] * v[i];
    }
    for (int j = 0; j < path->n; j++)
        if (stick_lcp_matrix_dot_column(&path->M, j, v) > proved * sum)
            return false;
    return product < -proved * sum;
}

// Candidates for v: a row without an entry above zero, and the z's of the ray, which are one whenever M is
// copositive-plus [CPS92 §4.4].
static bool is_infeasible(StickLcpPath *path, int entering)
{
    int n = path->n;
    double *v = path->best, *largest = path->w;
    stick_lcp_matrix_row_maxima(&path->M, largest);
    for (int i = 0; i < n; i++)
        if (largest[i] <= 0 && path->q[i] < 0)
            return true;
    for (int i = 0; i < n; i++)
        v[i] = path->kind[i] == STICK_LCP_Z ? fmax(path->T[i], 0) : 0;
    if (entering >= n)
        v[entering - n] = 1;
    return proves_infeasible(path, v);
}

static StickSolveEnd tell_ray(StickLcpPath *path, int entering, StickSolveInfo *info)
{
    bool is_w = entering < path->n;
    snprintf(info->detail, sizeof info->detail, "ray: nothing blocks %c%d%s", is_w ? 'w' : 'z',
             (is_w ? entering : entering - path->n) + 1, is_infeasible(path, entering) ? "; infeasible" : "");
    return STICK_SOLVE_RAY;
}

static StickSolveEnd tell_singular(const StickLcpPath *path, StickSolveInfo *info)
{
    bool is_finite = isfinite(stick_largest_magnitude(path->n, path->b));
    snprintf(info->detail, sizeof info->detail, "round-off: a basis is singular or there is no room for it");
    return is_finite ? STICK_SOLVE_LIMIT : STICK_SOLVE_NOT_FINITE;
}

// From the kinds, pivots until z0 leaves. The entering variable is always the complement of the one that left.
static StickSolveEnd follow_path(StickLcpPath *path, int most_pivots, StickSolveInfo *info)
{
    int entering = 2 * path->n, place = lowest(path);
    if (path->b[place] >= 0)
        return STICK_SOLVE_CONVERGED;
    if (!stick_lcp_path_direction(path, entering))
        return tell_singular(path, info);
    while (info->iterations < most_pivots) {
        int leaving = stick_lcp_path_variable(path, place);
        info->iterations++;
        if (!stick_lcp_path_pivot(path, entering, place))
            return tell_singular(path, info);
        if (leaving == 2 * path->n)
            return STICK_SOLVE_CONVERGED;
        entering = stick_lcp_path_complement(path, leaving);
        if (!stick_lcp_path_direction(path, entering))
            return tell_singular(path, info);
        place = stick_lcp_path_blocking(path);
        if (place < 0)
            return tell_ray(path, entering, info);
    }
    snprintf(info->detail, sizeof info->detail, "limit of %d pivots", most_pivots);
    return STICK_SOLVE_LIMIT;
}

// ---- the solution

// z' of the basis
static void read_basis(const StickLcpPath *path, double *z)
{
    for (int i = 0; i < path->n; i++)
        z[i] = path->kind[i] == STICK_LCP_Z ? fmax(path->b[i], 0) : 0;
}

// w' = M' z' + q', and |min(z', w')|
static double natural_residual(StickLcpPath *path, const double *z)
{
    double sum = 0;
    memcpy(path->w, path->q, (size_t)path->n * sizeof *path->w);
    stick_lcp_matrix_multiply(&path->M, z, path->w);
    for (int i = 0; i < path->n; i++) {
        double least = fmin(z[i], path->w[i]);
        sum += least * least;
    }
    return sqrt(sum);
}

// |min(z, M z + q)| / |q| in the variables of the user: the scales are powers of two and change no digit.
static double raw_residual(const StickLemke *lemke, const double *q, const double *z)
{
    const StickLcpPath *path = &lemke->path;
    double sum = 0, size = 0;
    for (int i = 0; i < path->n; i++) {
        double least = fmin(z[i], path->w[i] / (path->M.R[i] * lemke->q_scale));
        sum += least * least;
        size += q[i] * q[i];
    }
    return size > 0 ? sqrt(sum / size) : 0;
}

// The better of the path's z and the one of fresh factors, unscaled.
static StickSolveEnd finish(StickLemke *lemke, const double *q, double *z, StickSolveInfo *info)
{
    StickLcpPath *path = &lemke->path;
    double *answer = path->best, *refined = path->T;
    read_basis(path, answer);
    double error = natural_residual(path, answer);
    if (stick_lcp_path_settle(path)) {
        read_basis(path, refined);
        if (!(natural_residual(path, refined) > error))
            answer = refined;
    }
    error = natural_residual(path, answer);
    if (!isfinite(error))
        return STICK_SOLVE_NOT_FINITE;
    if (error > lost) {
        snprintf(info->detail, sizeof info->detail, "round-off: the last basis misses by %.1e", error);
        return STICK_SOLVE_LIMIT;
    }
    for (int i = 0; i < path->n; i++)
        z[i] = answer[i] * path->M.C[i] / lemke->q_scale;
    info->residual = raw_residual(lemke, q, z);
    return STICK_SOLVE_CONVERGED;
}

// ---- the method

// After a tied start the plain order of ties may go round in a circle or back to a ray; with the column of the
// first place last all rows are lexicographically positive and it can't. The plain order comes first: its counts
// are the known ones.
static StickSolveEnd search_cold(StickLcpPath *path, int most_pivots, StickSolveInfo *info)
{
    int patience = info->iterations + 20 * path->n + 50;
    set_kinds_cold(path);
    start(path);
    bool tied = start_is_tied(path);
    path->last_column = -1;
    StickSolveEnd end = follow_path(path, tied && patience < most_pivots ? patience : most_pivots, info);
    if (!tied || end == STICK_SOLVE_CONVERGED)
        return end;
    set_kinds_cold(path);
    start(path);
    path->last_column = lowest(path);
    return follow_path(path, most_pivots, info);
}

// Starts from the basis of a guess. On a ray or after too many pivots the caller restarts from the trivial basis.
static StickSolveEnd search_near(StickLcpPath *path, int most_pivots, const double *z, StickSolveInfo *info)
{
    int patience = 2 * path->n + 20;
    if (!set_kinds_near(path, z) || !start(path))
        return STICK_SOLVE_NONE;
    path->last_column = lowest(path);
    StickSolveEnd end = follow_path(path, patience < most_pivots ? patience : most_pivots, info);
    info->detail[0] = '\0';
    return end;
}

// M is loaded and q has an entry below zero.
static void search(StickLemke *lemke, const Given *given, const double *q, double *z, StickSolveInfo *info)
{
    StickLcpPath *path = &lemke->path;
    info->end = STICK_SOLVE_NONE;
    info->residual = INFINITY;
    load_q(lemke, q);
    if (given->is_near && search_near(path, given->most_pivots, z, info) == STICK_SOLVE_CONVERGED)
        info->end = finish(lemke, q, z, info);
    if (info->end == STICK_SOLVE_CONVERGED)
        return;
    info->end = search_cold(path, given->most_pivots, info);
    if (info->end == STICK_SOLVE_CONVERGED)
        info->end = finish(lemke, q, z, info);
}

static bool all_positive(int n, const double *q)
{
    for (int i = 0; i < n; i++)
        if (q[i] < 0)
            return false;
    return true;
}

static void solve(StickLemke *lemke, const Given *given, double *z, StickSolveInfo *info)
{
    int n = given->dense ? given->dense->n : given->sparse->M->cols;
    const double *q = given->dense ? given->dense->q : given->sparse->q;
    *info = (StickSolveInfo){.end = STICK_SOLVE_CONVERGED};
    if (all_positive(n, q)) {
        for (int i = 0; i < n; i++)
            z[i] = 0;
    } else {
        if (given->dense)
            stick_lcp_matrix_load(&lemke->path.M, given->dense);
        else
            stick_lcp_matrix_load_sparse(&lemke->path.M, given->sparse->M);
        search(lemke, given, q, z, info);
    }
}

static StickStatus check_guess(const StickLemke *lemke, int n, const double *z)
{
    for (int i = 0; i < n; i++)
        STICK_CHECK(lemke->ctx, isfinite(z[i]), STICK_BAD_INPUT, "the guess of z%d is %g", i + 1, z[i]);
    return STICK_OK;
}

StickStatus stick_lemke_solve(StickLemke *lemke, const StickLcp *lcp, int most_pivots, double *z,
                              StickSolveInfo *info)
{
    STICK_TRY(stick_lcp_check(lemke->ctx, lcp));
    STICK_TRY(stick_lemke_reserve(lemke, lcp->n));
    solve(lemke, &(Given){.dense = lcp, .most_pivots = most_pivots}, z, info);
    return STICK_OK;
}

StickStatus stick_lemke_solve_near(StickLemke *lemke, const StickLcp *lcp, int most_pivots, double *z,
                                   StickSolveInfo *info)
{
    STICK_TRY(stick_lcp_check(lemke->ctx, lcp));
    STICK_TRY(check_guess(lemke, lcp->n, z));
    STICK_TRY(stick_lemke_reserve(lemke, lcp->n));
    solve(lemke, &(Given){.dense = lcp, .most_pivots = most_pivots, .is_near = true}, z, info);
    return STICK_OK;
}

// Entries that are finite, in columns that ascend.
static StickStatus check_sparse(StickContext *ctx, const StickSparseLcp *lcp)
{
    const StickSparse *M = lcp->M;
    STICK_CHECK(ctx, M->rows == M->cols && M->cols >= 0, STICK_BAD_INPUT, "M of an LCP is %d x %d", M->rows,
                M->cols);
    for (int j = 0; j < M->cols; j++) {
        STICK_CHECK(ctx, isfinite(lcp->q[j]), STICK_BAD_INPUT, "q%d of an LCP is %g", j + 1, lcp->q[j]);
        for (int k = M->start[j]; k < M->start[j + 1]; k++) {
            int above = k > M->start[j] ? M->row[k - 1] : -1;
            STICK_CHECK(ctx, M->row[k] > above && M->row[k] < M->rows, STICK_BAD_INPUT,
                        "row %d stands after row %d in column %d of M of an LCP", M->row[k] + 1, above + 1,
                        j + 1);
            STICK_CHECK(ctx, isfinite(M->value[k]), STICK_BAD_INPUT, "M(%d,%d) of an LCP is %g",
                        M->row[k] + 1, j + 1, M->value[k]);
        }
    }
    return STICK_OK;
}

StickStatus stick_lemke_solve_sparse(StickLemke *lemke, const StickSparseLcp *lcp, int most_pivots, double *z,
                                     StickSolveInfo *info)
{
    int n = lcp->M->cols;
    STICK_TRY(check_sparse(lemke->ctx, lcp));
    STICK_TRY(check_guess(lemke, n, z));
    // room for fewer basic z's than n may have been made on purpose
    int most_basic = lemke->path.room >= n ? lemke->path.room_order : n;
    STICK_TRY(stick_lemke_reserve_sparse(lemke, n, (size_t)lcp->M->start[n], most_basic));
    solve(lemke, &(Given){.sparse = lcp, .most_pivots = most_pivots, .is_near = true}, z, info);
    return STICK_OK;
}
