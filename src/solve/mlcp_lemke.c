// SPDX-License-Identifier: Apache-2.0
// Lemke's method on the pairs: the motions are eliminated by the pairs s that stage I takes for them,
//   p_s = B_s^-1 (lambda - B_r p_r),  theta = C_s^-1 (d_s - eps_s - A_s p),
// so that w = (p_s, d_r) is M z + q of z = (d_s, p_r). With B = C' and A positive semidefinite, M is so, too.
#include "base/memory.h"
#include "solve/mlcp_work.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double round_off = 1e-13; // of a sum, relative to its terms

// A sum that is round-off is zero: a force of -1e-17 that nothing can lift would leave no solution.
typedef struct Sum {
    double value, size;
} Sum;

static void add(Sum *sum, double term)
{
    sum->value += term;
    sum->size += fabs(term);
}

static double cleaned(Sum sum)
{
    return fabs(sum.value) <= round_off * sum.size ? 0 : sum.value;
}

// F = B_s^-1 B (rank x m, in work->B) and G = C C_s^-1 (m x rank, in work->C), by the inverse of [0 B_s; C_s
// A_ss].
static void eliminate_motions(StickMlcpWork *work)
{
    int rank = work->rank;
    const StickBordered *inverse = &work->inverse;
    for (int j = 0; j < work->m; j++)
        for (int t = 0; t < rank; t++) {
            Sum f = {0}, g = {0};
            for (int s = 0; s < rank; s++) {
                add(&f, stick_bordered_at(inverse, rank + t, s) * stick_mlcp_B(work, work->row[s], j));
                add(&g, stick_bordered_at(inverse, s, rank + t) * stick_mlcp_C(work, j, work->col[s]));
            }
            work->B[(size_t)j * (size_t)rank + (size_t)t] = cleaned(f);
            work->C[(size_t)t * (size_t)work->m + (size_t)j] = cleaned(g);
        }
}

// y - G y_s on the rows r of y, and y_s as it was
static void clear_motions(const StickMlcpWork *work, double *y)
{
    for (int t = 0; t < work->rank; t++)
        work->u[t] = y[work->pair[t]];
    for (int t = 0; t < work->rank; t++)
        cblas_daxpy(work->m, -work->u[t], work->C + (size_t)t * (size_t)work->m, 1, y, 1);
}

// Column j of M, a pair of r: d_r of p_j = 1, with p_s = -f_j
static void fill_column(const StickMlcpWork *work, int j, double *y)
{
    const double *f = work->B + (size_t)j * (size_t)work->rank;
    for (int i = 0; i < work->m; i++) {
        y[i] = stick_mlcp_A(work, i, j);
        for (int t = 0; t < work->rank; t++)
            y[i] -= f[t] * stick_mlcp_A(work, i, work->pair[t]);
    }
    clear_motions(work, y);
    for (int t = 0; t < work->rank; t++)
        y[work->pair[t]] = -f[t];
}

// Column of d_s = 1 for the pair of motion t
static void fill_motion_column(const StickMlcpWork *work, int t, double *y)
{
    memcpy(y, work->C + (size_t)t * (size_t)work->m, (size_t)work->m * sizeof *y);
    for (int s = 0; s < work->rank; s++)
        y[work->pair[s]] = 0;
}

// q: p_s and d_r of z = 0
static void fill_constant(const StickMlcpWork *work, double *q)
{
    double *h = work->v;
    for (int t = 0; t < work->rank; t++) {
        Sum sum = {0};
        for (int s = 0; s < work->rank; s++)
            add(&sum, stick_bordered_at(&work->inverse, work->rank + t, s) * work->lambda[work->row[s]]);
        h[t] = cleaned(sum);
    }
    for (int i = 0; i < work->m; i++) {
        q[i] = work->eps[i];
        for (int t = 0; t < work->rank; t++)
            q[i] += stick_mlcp_A(work, i, work->pair[t]) * h[t];
    }
    clear_motions(work, q);
    for (int t = 0; t < work->rank; t++)
        q[work->pair[t]] = h[t];
}

static StickStatus make_lcp(StickMlcpWork *work, const bool *start)
{
    size_t m = (size_t)work->m;
    STICK_RESERVE(work->ctx, work->M, work->M_room, m * m);
    STICK_RESERVE(work->ctx, work->q, work->q_room, m);
    STICK_RESERVE(work->ctx, work->z, work->z_room, m);
    eliminate_motions(work);
    for (int j = 0; j < work->m; j++) {
        int t = work->place[j];
        if (t < 0)
            fill_column(work, j, work->M + (size_t)j * m);
        else
            fill_motion_column(work, t, work->M + (size_t)j * m);
        work->z[j] = start && start[j] == (t < 0) ? 1 : 0;
    }
    fill_constant(work, work->q);
    return STICK_OK;
}

// p and theta of z, before any refinement.
static void read_solution(StickMlcpWork *work)
{
    for (int i = 0; i < work->m; i++) {
        double w = work->q[i];
        for (int j = 0; work->place[i] >= 0 && j < work->m; j++)
            w += work->M[(size_t)j * (size_t)work->m + (size_t)i] * work->z[j];
        work->p[i] = work->place[i] >= 0 ? fmax(w, 0) : work->z[i];
    }
    memset(work->theta, 0, (size_t)work->l * sizeof *work->theta);
    stick_mlcp_separations(work);
    // theta = C_s^-1 (d_s - ...): the inverse has C_s^-1 in its rows of theta
    for (int t = 0; t < work->rank; t++)
        for (int s = 0; s < work->rank; s++) {
            int j = work->pair[s];
            work->theta[work->col[t]] +=
                stick_bordered_at(&work->inverse, t, work->rank + s) * (work->z[j] - work->d[j]);
        }
    stick_mlcp_separations(work);
}

// The system of the pairs that press, where it is regular, is exact up to round-off.
static StickStatus refine(StickMlcpWork *work, const StickMlcpSolution *solution, StickMlcpInfo *info)
{
    bool done;
    for (int i = 0; i < work->m; i++)
        work->flag[i] = work->p[i] > work->d[i];
    STICK_TRY(stick_mlcp_connect_set(work, work->flag, &done));
    if (done)
        STICK_TRY(stick_mlcp_evaluate(work, &done));
    info->solve.end = done ? stick_mlcp_give(work, solution, info) : STICK_SOLVE_LIMIT;
    return STICK_OK;
}

static StickStatus take_answer(StickMlcpWork *work, const StickMlcpSolution *solution, StickMlcpInfo *info)
{
    read_solution(work);
    info->solve.end = stick_mlcp_give(work, solution, info);
    StickMlcpInfo direct = *info;
    STICK_TRY(refine(work, solution, info));
    if (info->solve.end != STICK_SOLVE_CONVERGED)
        *info = direct;
    return STICK_OK;
}

StickStatus stick_mlcp_by_lemke(StickMlcpWork *work, const bool *start, const StickMlcpSolution *solution,
                                StickMlcpInfo *info)
{
    bool done = false;
    StickSolveInfo lemke;
    info->solve.end = stick_mlcp_choose(work, start, info);
    if (info->solve.end == STICK_SOLVE_CONVERGED) {
        work->k = work->rank;
        memcpy(work->member, work->pair, (size_t)work->rank * sizeof *work->member);
        STICK_TRY(stick_mlcp_rebuild(work, &done));
    }
    if (!done) {
        bool unstable = stick_mlcp_is_unstable(work, solution, info);
        if (!unstable && info->solve.end == STICK_SOLVE_CONVERGED) {
            info->solve.end = STICK_SOLVE_LIMIT;
            snprintf(info->solve.detail, sizeof info->solve.detail,
                     "pairs of the free motions depend on each other");
        }
        return STICK_OK;
    }
    STICK_TRY(make_lcp(work, start));
    if (!work->lemke)
        STICK_TRY(stick_lemke_create(work->ctx, &work->lemke));
    StickLcp lcp = {work->m, work->M, work->q};
    STICK_TRY(stick_lemke_solve_near(work->lemke, &lcp, work->options->iterations, work->z, &lemke));
    info->solve.iterations += lemke.iterations;
    info->solve.end = lemke.end;
    if (lemke.end == STICK_SOLVE_CONVERGED)
        return take_answer(work, solution, info);
    memcpy(info->solve.detail, lemke.detail, sizeof lemke.detail);
    stick_mlcp_is_unstable(work, solution, info);
    return STICK_OK;
}
