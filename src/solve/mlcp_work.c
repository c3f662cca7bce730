// SPDX-License-Identifier: Apache-2.0
#include "solve/mlcp_work.h"

#include "base/memory.h"
#include "solve/lcp_work.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double lost = 1e-12;      // relative residual beyond which the inverse is recomputed
static const double exact = 1e-15;     // and below which it needs no correction
static const double round_off = 1e-15; // of a force, relative to the sizes: less counts as zero

// ---- the problem of a user

static bool all_finite(size_t count, const double *x)
{
    double sum = 0; // of zeros, or not a number
    for (size_t k = 0; k < count; k++)
        sum += x[k] - x[k];
    return sum == 0;
}

static StickStatus check_numbers(StickContext *ctx, const char *name, int rows, int cols, const double *x)
{
    STICK_CHECK(ctx, x || rows == 0 || cols == 0, STICK_BAD_INPUT, "%s of the pairs is missing", name);
    size_t count = (size_t)rows * (size_t)cols, k = 0;
    if (all_finite(count, x))
        return STICK_OK;
    while (isfinite(x[k]))
        k++;
    if (cols == 1)
        return stick_fail(ctx, STICK_BAD_INPUT, "%s%zu of the pairs is %g", name, k + 1, x[k]);
    return stick_fail(ctx, STICK_BAD_INPUT, "%s(%zu,%zu) of the pairs is %g", name, k % (size_t)rows + 1,
                      k / (size_t)rows + 1, x[k]);
}

StickStatus stick_mlcp_check(StickContext *ctx, const StickMixedLcp *mates)
{
    STICK_CHECK(ctx, mates->m >= 0, STICK_BAD_INPUT, "%d candidate pairs", mates->m);
    STICK_CHECK(ctx, mates->l >= 0, STICK_BAD_INPUT, "%d free motions", mates->l);
    STICK_TRY(check_numbers(ctx, "A", mates->m, mates->m, mates->A));
    STICK_TRY(check_numbers(ctx, "B", mates->l, mates->m, mates->B));
    STICK_TRY(check_numbers(ctx, "C", mates->m, mates->l, mates->C));
    STICK_TRY(check_numbers(ctx, "eps", mates->m, 1, mates->eps));
    return check_numbers(ctx, "lambda", mates->l, 1, mates->lambda);
}

// ---- room

static void hand_out_reals(StickMlcpWork *work, size_t m, size_t l)
{
    const struct {
        double **vector;
        size_t count;
    } parts[] = {
        {&work->S, m},           {&work->E, l},         {&work->T, l},         {&work->eps, m},
        {&work->lambda, l},      {&work->B, l * m},     {&work->C, l * m},     {&work->basis, l * l},
        {&work->p, m},           {&work->d, m},         {&work->theta, l},     {&work->x, m + 2 * l},
        {&work->rhs, m + 2 * l}, {&work->u, m + 2 * l}, {&work->v, m + 2 * l}, {&work->dual, m + 2 * l},
        {&work->d_rate, m}};
    double *next = work->reals;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        *parts[k].vector = next;
        next += parts[k].count;
    }
}

static StickStatus reserve(StickMlcpWork *work, int m, int l)
{
    if (work->reals && m <= work->room_m && l <= work->room_l)
        return STICK_OK;
    size_t pairs = (size_t)(m > work->room_m ? m : work->room_m);
    size_t motions = (size_t)(l > work->room_l ? l : work->room_l);
    stick_free(work->ctx, work->reals);
    stick_free(work->ctx, work->integers);
    stick_free(work->ctx, work->flag);
    work->reals = NULL;
    work->integers = NULL;
    work->flag = NULL;
    work->room_m = work->room_l = 0;
    STICK_ALLOC(work->ctx, work->reals, 10 * pairs + 14 * motions + (2 * pairs + motions) * motions);
    STICK_ALLOC(work->ctx, work->integers, 2 * pairs + 3 * motions);
    STICK_ALLOC(work->ctx, work->flag, pairs);
    work->room_m = (int)pairs;
    work->room_l = (int)motions;
    hand_out_reals(work, pairs, motions);
    work->member = work->integers;
    work->place = work->member + pairs;
    work->row = work->place + pairs;
    work->col = work->row + motions;
    work->pair = work->col + motions;
    return STICK_OK;
}

void stick_mlcp_free(StickMlcpWork *work)
{
    StickContext *ctx = work->ctx;
    void *const blocks[] = {work->reals,     work->integers, work->flag, work->K, work->seen.hash,
                            work->seen.bits, work->M,        work->q,    work->z, work->ids};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        stick_free(ctx, blocks[k]);
    stick_bordered_free(ctx, &work->inverse);
    stick_lemke_destroy(work->lemke);
    *work = (StickMlcpWork){.ctx = ctx};
}

// ---- scales

// The diagonal of A where it represents the size of its row, else the largest other entry; 0 for an empty row.
static void size_pairs(const StickMixedLcp *mates, double *size)
{
    size_t m = (size_t)mates->m;
    memset(size, 0, m * sizeof *size);
    for (size_t j = 0; j < m; j++) {
        double of_column = 0;
        for (size_t i = 0; i < m; i++) {
            double entry = fabs(mates->A[j * m + i]);
            size[i] = entry > size[i] ? entry : size[i];
            of_column = entry > of_column ? entry : of_column;
        }
        size[j] = fmax(size[j], of_column);
    }
    for (size_t i = 0; i < m; i++) {
        double diagonal = mates->A[i * (m + 1)];
        size[i] = diagonal > 1e-3 * size[i] ? diagonal : size[i];
    }
}

// Pairs without any entry get the usual scale.
static void scale_pairs(StickMlcpWork *work)
{
    double mean = 0;
    int count = 0;
    size_pairs(work->mates, work->S);
    for (int i = 0; i < work->m; i++) {
        mean += work->S[i] > 0 ? log(work->S[i]) : 0;
        count += work->S[i] > 0;
    }
    double usual = count > 0 ? exp(mean / count) : 1;
    for (int i = 0; i < work->m; i++)
        work->S[i] = stick_power_of_two(1 / sqrt(work->S[i] > 0 ? work->S[i] : usual));
}

static void scale_motions(StickMlcpWork *work)
{
    for (int k = 0; k < work->l; k++) {
        double of_B = 0, of_C = 0;
        work->E[k] = work->T[k] = 1;
        for (int i = 0; i < work->m; i++) {
            of_B = fmax(of_B, fabs(stick_mlcp_B(work, k, i)));
            of_C = fmax(of_C, fabs(stick_mlcp_C(work, i, k)));
        }
        work->E[k] = 1 / stick_power_of_two(of_B);
        work->T[k] = 1 / stick_power_of_two(of_C);
    }
}

StickStatus stick_mlcp_begin(StickMlcpWork *work, const StickMixedLcp *mates)
{
    STICK_TRY(reserve(work, mates->m, mates->l));
    work->mates = mates;
    work->m = mates->m;
    work->l = mates->l;
    work->rank = work->k = 0;
    work->inverse.n = 0;
    scale_pairs(work);
    scale_motions(work);
    work->load = work->usual = 0;
    for (int k = 0; k < work->l; k++) {
        work->lambda[k] = work->E[k] * mates->lambda[k];
        work->load = fmax(work->load, fabs(work->lambda[k]));
    }
    for (int i = 0; i < work->m; i++) {
        work->eps[i] = work->S[i] * mates->eps[i];
        work->usual = fmax(work->usual, fabs(work->eps[i]));
    }
    work->usual = work->load > 0 ? work->load : work->usual;
    return STICK_OK;
}

// ---- the system of the connected pairs

void stick_mlcp_column(const StickMlcpWork *work, int j, double *u)
{
    for (int t = 0; t < work->rank; t++)
        u[t] = stick_mlcp_B(work, work->row[t], j);
    for (int s = 0; s < work->k; s++)
        u[work->rank + s] = stick_mlcp_A(work, work->member[s], j);
}

void stick_mlcp_row(const StickMlcpWork *work, int j, double *v)
{
    for (int t = 0; t < work->rank; t++)
        v[t] = stick_mlcp_C(work, j, work->col[t]);
    for (int s = 0; s < work->k; s++)
        v[work->rank + s] = stick_mlcp_A(work, j, work->member[s]);
}

StickStatus stick_mlcp_rebuild(StickMlcpWork *work, bool *done)
{
    int n = work->rank + work->k;
    STICK_RESERVE(work->ctx, work->K, work->K_room, (size_t)n * (size_t)n);
    STICK_TRY(stick_bordered_reserve(work->ctx, &work->inverse, n));
    for (int t = 0; t < work->rank; t++) {
        double *column = work->K + (size_t)t * (size_t)n;
        memset(column, 0, (size_t)n * sizeof *column);
        for (int s = 0; s < work->k; s++)
            column[work->rank + s] = stick_mlcp_C(work, work->member[s], work->col[t]);
    }
    for (int s = 0; s < work->k; s++)
        stick_mlcp_column(work, work->member[s], work->K + (size_t)(work->rank + s) * (size_t)n);
    *done = stick_bordered_set(&work->inverse, n, work->K);
    return STICK_OK;
}

StickStatus stick_mlcp_connect_set(StickMlcpWork *work, const bool *set, bool *done)
{
    work->k = 0;
    for (int i = 0; i < work->m; i++) {
        work->place[i] = set[i] ? work->k : -1;
        if (set[i])
            work->member[work->k++] = i;
    }
    return stick_mlcp_rebuild(work, done);
}

StickStatus stick_mlcp_connect(StickMlcpWork *work, int j, bool *done)
{
    double size;
    STICK_TRY(stick_bordered_reserve(work->ctx, &work->inverse, work->rank + work->k + 1));
    stick_mlcp_column(work, j, work->u);
    stick_mlcp_row(work, j, work->v);
    double sigma = stick_bordered_schur(&work->inverse, work->u, work->v, stick_mlcp_A(work, j, j), &size);
    *done = fabs(sigma) > stick_mlcp_zero * size;
    if (!*done)
        return STICK_OK;
    stick_bordered_grow(&work->inverse, sigma);
    work->place[j] = work->k;
    work->member[work->k++] = j;
    return STICK_OK;
}

// Whether entry (i, i) of the inverse is zero compared with its row and column.
static bool is_zero_pivot(const StickBordered *inverse, int i)
{
    double in_row = 0, in_column = 0;
    for (int k = 0; k < inverse->n; k++) {
        in_row = fmax(in_row, fabs(stick_bordered_at(inverse, i, k)));
        in_column = fmax(in_column, fabs(stick_bordered_at(inverse, k, i)));
    }
    return fabs(stick_bordered_at(inverse, i, i)) <= stick_mlcp_zero * sqrt(in_row) * sqrt(in_column);
}

bool stick_mlcp_disconnect(StickMlcpWork *work, int i)
{
    int s = work->place[i], last = work->member[work->k - 1];
    if (is_zero_pivot(&work->inverse, work->rank + s))
        return false;
    stick_bordered_drop(&work->inverse, work->rank + s, work->rank + s);
    work->member[s] = last;
    work->place[last] = s;
    work->place[i] = -1;
    work->k--;
    return true;
}

// ---- values

void stick_mlcp_image(const StickMlcpWork *work, bool with_eps, const double *p, const double *theta,
                      double *d)
{
    const StickMixedLcp *mates = work->mates;
    size_t m = (size_t)work->m;
    for (size_t i = 0; i < m; i++)
        d[i] = with_eps ? mates->eps[i] : 0;
    for (int j = 0; j < work->m; j++)
        if (p[j] != 0)
            cblas_daxpy(work->m, work->S[j] * p[j], mates->A + (size_t)j * m, 1, d, 1);
    for (int k = 0; k < work->l; k++)
        if (theta[k] != 0)
            cblas_daxpy(work->m, work->T[k] * theta[k], mates->C + (size_t)k * m, 1, d, 1);
    for (size_t i = 0; i < m; i++)
        d[i] *= work->S[i];
}

void stick_mlcp_separations(StickMlcpWork *work)
{
    stick_mlcp_image(work, true, work->p, work->theta, work->d);
}

// lambda - B p of equation i
static double imbalance(const StickMlcpWork *work, int i)
{
    double sum = work->lambda[i];
    for (int j = 0; j < work->m; j++)
        if (work->p[j] != 0)
            sum -= stick_mlcp_B(work, i, j) * work->p[j];
    return sum;
}

StickMlcpSizes stick_mlcp_sizes(const StickMlcpWork *work)
{
    StickMlcpSizes sizes = {work->usual, 0};
    for (int i = 0; i < work->m; i++)
        sizes.force = fmax(sizes.force, fabs(work->p[i]));
    for (int k = 0; k < work->l; k++)
        sizes.gap = fmax(sizes.gap, fabs(work->theta[k]));
    sizes.gap += sizes.force;
    return sizes;
}

static double over(double error, double size)
{
    return error == 0 ? 0 : isfinite(error) ? fabs(error) / size : INFINITY;
}

static void scatter(StickMlcpWork *work)
{
    memset(work->p, 0, (size_t)work->m * sizeof *work->p);
    memset(work->theta, 0, (size_t)work->l * sizeof *work->theta);
    for (int t = 0; t < work->rank; t++)
        work->theta[work->col[t]] = work->x[t];
    for (int s = 0; s < work->k; s++)
        work->p[work->member[s]] = work->x[work->rank + s];
    stick_mlcp_separations(work);
}

// Residual of the equations of the members; returns its largest value, relative to the sizes.
static double lack(const StickMlcpWork *work, double *rhs)
{
    StickMlcpSizes sizes = stick_mlcp_sizes(work);
    double worst = 0;
    for (int t = 0; t < work->rank; t++) {
        rhs[t] = imbalance(work, work->row[t]);
        worst = fmax(worst, over(rhs[t], sizes.force));
    }
    for (int s = 0; s < work->k; s++) {
        int i = work->member[s];
        rhs[work->rank + s] = -work->d[i];
        worst = fmax(worst, over(work->d[i], sizes.gap + fabs(work->eps[i])));
    }
    return worst;
}

// Solves, and again for what round-off left over; the lack that stays is returned.
static double solve(StickMlcpWork *work)
{
    int n = work->rank + work->k;
    memset(work->x, 0, (size_t)n * sizeof *work->x);
    scatter(work);
    double left = lack(work, work->rhs);
    for (int pass = 0; pass < 2 && left > exact; pass++) {
        stick_bordered_solve(&work->inverse, work->rhs, work->v);
        for (int k = 0; k < n; k++)
            work->x[k] += work->v[k];
        scatter(work);
        left = lack(work, work->rhs);
    }
    return left;
}

StickStatus stick_mlcp_evaluate(StickMlcpWork *work, bool *done)
{
    *done = true;
    if (solve(work) <= lost)
        return STICK_OK;
    STICK_TRY(stick_mlcp_rebuild(work, done));
    if (*done)
        solve(work);
    return STICK_OK;
}

// ---- the solution

// Largest of |min(p, d)| and |lambda - B p|, forces and separations relative to their sizes.
static double residual(StickMlcpWork *work)
{
    StickMlcpSizes sizes = stick_mlcp_sizes(work);
    double worst = 0;
    stick_mlcp_separations(work);
    for (int i = 0; i < work->m; i++) {
        double p = over(work->p[i], sizes.force), d = over(work->d[i], sizes.gap + fabs(work->eps[i]));
        worst = fmax(worst, work->d[i] < 0 ? d : fmin(p, d));
    }
    for (int k = 0; k < work->l; k++)
        worst = fmax(worst, over(imbalance(work, k), sizes.force));
    return worst;
}

StickSolveEnd stick_mlcp_give(StickMlcpWork *work, const StickMlcpSolution *solution, StickMlcpInfo *info)
{
    int connected = 0;
    for (int i = 0; i < work->m; i++)
        work->p[i] = fmax(work->p[i], 0);
    info->solve.residual = residual(work);
    if (!(info->solve.residual <= work->options->tolerance)) {
        snprintf(info->solve.detail, sizeof info->solve.detail, "the last point misses by %.1e",
                 info->solve.residual);
        return isfinite(info->solve.residual) ? STICK_SOLVE_LIMIT : STICK_SOLVE_NOT_FINITE;
    }
    double least = round_off * stick_mlcp_sizes(work).force;
    for (int i = 0; i < work->m; i++) {
        bool presses = work->p[i] > least && work->p[i] >= work->d[i];
        solution->p[i] = presses ? work->S[i] * work->p[i] : 0;
        solution->d[i] = presses ? 0 : fmax(work->d[i], 0) / work->S[i];
        if (solution->connected)
            solution->connected[i] = presses;
        connected += presses;
    }
    for (int k = 0; k < work->l; k++)
        solution->theta[k] = work->T[k] * work->theta[k];
    info->connected = connected;
    return STICK_SOLVE_CONVERGED;
}
