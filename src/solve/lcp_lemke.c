// SPDX-License-Identifier: Apache-2.0
// Lemke's method with the lexicographic rule [CPS92 §4.4, §4.9]: w = M z + q + e z0, z0 driven to zero.
//
// The tableau says each basic variable as an affine function of the nonbasic ones,
//
//     basic_i = b_i + sum_s T_is nonbasic_s,   s = 0 ... n  (n pairs and z0),
//
// by columns, so that a pivot is one axpy per column. Everything is in scaled variables w' = g R w and
// z' = g C^-1 z, all factors powers of two, so that no test for zero depends on the units of the user.
#include <stickslip/lcp.h>

#include "base/clock.h"
#include "base/memory.h"
#include "solve/lcp_work.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// W of a pile is singular: what round-off leaves of a zero pivot must not be taken for one.
static const double zero_pivot = 3e-9;   // of a column entry, relative to the column's largest or 1
static const double tie = 1e-12;         // of b after the step, relative to the largest b
static const double lexical_tie = 1e-10; // of two ratios beyond the first column
static const double lost = 1e-6;         // a basis that misses by more than this is not called a solution
enum { MODERATE = 4096 };                // ratio of row or column magnitudes below which R = I

struct StickLemke {
    StickContext *ctx;
    int room;          // largest order there is room for
    double *T;         // n x (n + 2) by columns, the last one is b; later the factors of the basis
    double *row_scale; // R
    double *col_scale; // C
    double *z, *refined, *residual;
    double *w, *ratio;
    int *row_variable;  // n
    int *slot_variable; // n + 1
    int *where;         // 2 n + 1: row of a basic variable, or -1 - slot of a nonbasic one
    int *tied;
    lapack_int *swaps;

    // of the present problem
    const StickLcp *lcp;
    int n;
    double q_scale;  // g
    int last_column; // w of the first row where it breaks ties last, or -1: the plain order
};

StickStatus stick_lemke_create(StickContext *ctx, StickLemke **lemke)
{
    StickLemke *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    *lemke = created;
    return STICK_OK;
}

static void free_workspace(StickLemke *lemke)
{
    double *reals[] = {lemke->T,       lemke->row_scale, lemke->col_scale, lemke->z,
                       lemke->refined, lemke->residual,  lemke->w,         lemke->ratio};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        stick_free(lemke->ctx, reals[k]);
    stick_free(lemke->ctx, lemke->row_variable);
    stick_free(lemke->ctx, lemke->slot_variable);
    stick_free(lemke->ctx, lemke->where);
    stick_free(lemke->ctx, lemke->tied);
    stick_free(lemke->ctx, lemke->swaps);
    *lemke = (StickLemke){.ctx = lemke->ctx};
}

void stick_lemke_destroy(StickLemke *lemke)
{
    if (!lemke)
        return;
    free_workspace(lemke);
    stick_free(lemke->ctx, lemke);
}

static StickStatus take_workspace(StickLemke *lemke, size_t n)
{
    StickContext *ctx = lemke->ctx;
    STICK_ALLOC(ctx, lemke->T, n * (n + 2));
    STICK_ALLOC(ctx, lemke->row_scale, n);
    STICK_ALLOC(ctx, lemke->col_scale, n);
    STICK_ALLOC(ctx, lemke->z, n);
    STICK_ALLOC(ctx, lemke->refined, n);
    STICK_ALLOC(ctx, lemke->residual, n);
    STICK_ALLOC(ctx, lemke->w, n);
    STICK_ALLOC(ctx, lemke->ratio, n);
    STICK_ALLOC(ctx, lemke->row_variable, n);
    STICK_ALLOC(ctx, lemke->slot_variable, n + 1);
    STICK_ALLOC(ctx, lemke->where, 2 * n + 1);
    STICK_ALLOC(ctx, lemke->tied, n);
    STICK_ALLOC(ctx, lemke->swaps, n);
    return STICK_OK;
}

StickStatus stick_lemke_reserve(StickLemke *lemke, int n)
{
    STICK_CHECK(lemke->ctx, n >= 0, STICK_BAD_INPUT, "an LCP of order %d", n);
    if (n <= lemke->room)
        return STICK_OK;
    free_workspace(lemke);
    STICK_TRY(take_workspace(lemke, (size_t)n));
    lemke->room = n;
    return STICK_OK;
}

// ---- scaling

// Largest magnitudes of the rows and columns of R M C; returns the ratio of the largest to the least nonzero.
static double magnitudes(const StickLemke *lemke, double *row, double *col)
{
    int n = lemke->n;
    double low = DBL_MAX, high = 0;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int j = 0; j < n; j++) {
        const double *M = lemke->lcp->M + (size_t)j * (size_t)n;
        double largest = 0;
        for (int i = 0; i < n; i++) {
            double entry = fabs(lemke->row_scale[i] * M[i] * lemke->col_scale[j]);
            row[i] = fmax(row[i], entry);
            largest = fmax(largest, entry);
        }
        col[j] = largest;
    }
    for (int i = 0; i < 2 * n; i++) {
        double size = i < n ? row[i] : col[i - n];
        low = size > 0 ? fmin(low, size) : low;
        high = fmax(high, size);
    }
    return high > 0 ? high / low : 1;
}

// R and C by a few passes of equilibration; R stays I while the magnitudes are moderate, for the covering
// vector is e in scaled variables and the path of pivots hangs on it (columns and a common factor do not
// matter to the path).
static void choose_scales(StickLemke *lemke)
{
    int n = lemke->n;
    double *row = lemke->w, *col = lemke->ratio, largest = 0, largest_q = 0;
    for (int i = 0; i < n; i++)
        lemke->row_scale[i] = lemke->col_scale[i] = 1;
    bool moderate = magnitudes(lemke, row, col) <= MODERATE;
    for (int pass = 0; pass < 4 && !moderate; pass++) {
        for (int i = 0; i < n; i++) {
            lemke->row_scale[i] /= row[i] > 0 ? sqrt(row[i]) : 1;
            lemke->col_scale[i] /= col[i] > 0 ? sqrt(col[i]) : 1;
        }
        magnitudes(lemke, row, col);
    }
    for (int i = 0; i < n; i++) {
        lemke->row_scale[i] = stick_power_of_two(lemke->row_scale[i]);
        lemke->col_scale[i] = stick_power_of_two(lemke->col_scale[i]);
        largest = fmax(largest, row[i]);
    }
    for (int i = 0; i < n; i++) {
        lemke->col_scale[i] /= stick_power_of_two(largest);
        largest_q = fmax(largest_q, fabs(lemke->row_scale[i] * lemke->lcp->q[i]));
    }
    lemke->q_scale = 1 / stick_power_of_two(largest_q);
}

static double scaled_q(const StickLemke *lemke, int i)
{
    return lemke->q_scale * lemke->row_scale[i] * lemke->lcp->q[i];
}

static double scaled_M(const StickLemke *lemke, int i, int j)
{
    return lemke->row_scale[i] * lemke->lcp->M[(size_t)j * (size_t)lemke->n + (size_t)i] *
           lemke->col_scale[j];
}

// ---- tableau

static double *column(const StickLemke *lemke, int slot)
{
    return lemke->T + (size_t)slot * (size_t)lemke->n;
}

static double *right_hand_side(const StickLemke *lemke)
{
    return column(lemke, lemke->n + 1);
}

// Variables: w_i is i, z_i is n + i, z0 is 2 n.
static int complement(const StickLemke *lemke, int variable)
{
    return variable < lemke->n ? variable + lemke->n : variable - lemke->n;
}

// w = q + M z + e z0 with all z nonbasic
static void fill_tableau(StickLemke *lemke)
{
    int n = lemke->n;
    double *b = right_hand_side(lemke);
    for (int j = 0; j < n; j++) {
        double *T = column(lemke, j);
        for (int i = 0; i < n; i++)
            T[i] = scaled_M(lemke, i, j);
        lemke->row_variable[j] = j;
        lemke->slot_variable[j] = n + j;
        lemke->where[j] = j;
        lemke->where[n + j] = -1 - j;
        column(lemke, n)[j] = 1;
        b[j] = scaled_q(lemke, j);
    }
    lemke->slot_variable[n] = 2 * n;
    lemke->where[2 * n] = -1 - n;
}

// Exchanges the basic variable of a row and the nonbasic one of a slot.
static void pivot(StickLemke *lemke, int row, int slot)
{
    int n = lemke->n, leaving = lemke->row_variable[row], entering = lemke->slot_variable[slot];
    double *T_s = column(lemke, slot);
    double p = T_s[row];
    T_s[row] = 0;
    for (int s = 0; s < n + 2; s++) {
        double *T = column(lemke, s);
        if (s == slot || T[row] == 0)
            continue;
        double y = -T[row] / p;
        cblas_daxpy(n, y, T_s, 1, T, 1);
        T[row] = y;
    }
    cblas_dscal(n, 1 / p, T_s, 1);
    T_s[row] = 1 / p;
    lemke->row_variable[row] = entering;
    lemke->slot_variable[slot] = leaving;
    lemke->where[entering] = row;
    lemke->where[leaving] = -1 - slot;
}

static double largest_magnitude(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

// What a tie left below zero is zero.
static void clear_round_off(StickLemke *lemke)
{
    double *b = right_hand_side(lemke), small = 10 * tie * largest_magnitude(lemke->n, b);
    for (int i = 0; i < lemke->n; i++)
        if (b[i] < 0 && b[i] >= -small)
            b[i] = 0;
}

// ---- ratio test

// Entry of the basis inverse in the column of w_j, a unit vector while w_j is basic; round-off is zero.
static double basis_inverse(const StickLemke *lemke, int row, int j, double small)
{
    int place = lemke->where[j];
    double entry = place >= 0 ? (place == row) : -column(lemke, -1 - place)[row];
    return fabs(entry) <= small ? 0 : entry;
}

// Below this an entry of that column is round-off.
static double smallest_entry(const StickLemke *lemke, int j)
{
    int place = lemke->where[j];
    return place >= 0 ? 0 : zero_pivot * fmax(1, largest_magnitude(lemke->n, column(lemke, -1 - place)));
}

// The columns of the basis inverse in the order in which ties are broken: w_1 ... w_n, the one of first_row
// moved to the end if the start itself was tied and the plain order led nowhere.
static int lexical_column(const StickLemke *lemke, int k)
{
    if (lemke->last_column < 0)
        return k;
    return k == lemke->n - 1 ? lemke->last_column : k + (k >= lemke->last_column);
}

// Among the tied rows the one whose row of the basis inverse over a_i = -T_is is lexicographically least.
static int lexical_least(StickLemke *lemke, const double *T_s, int ntied)
{
    int *tied = lemke->tied;
    for (int place = 0; place < lemke->n && ntied > 1; place++) {
        int j = lexical_column(lemke, place);
        double least = DBL_MAX, largest = 0, small = smallest_entry(lemke, j);
        for (int k = 0; k < ntied; k++) {
            double ratio = basis_inverse(lemke, tied[k], j, small) / -T_s[tied[k]];
            lemke->ratio[k] = ratio;
            least = fmin(least, ratio);
            largest = fmax(largest, fabs(ratio));
        }
        int kept = 0;
        for (int k = 0; k < ntied; k++)
            if (lemke->ratio[k] <= least + lexical_tie * largest)
                tied[kept++] = tied[k];
        ntied = kept;
    }
    int best = tied[0];
    for (int k = 1; k < ntied; k++)
        best = -T_s[tied[k]] > -T_s[best] ? tied[k] : best;
    return best;
}

// The row that blocks the entering variable first, z0 preferred, or -1 on a ray.
static int ratio_test(StickLemke *lemke, int slot)
{
    int n = lemke->n, ntied = 0, z0 = lemke->where[2 * n];
    const double *T_s = column(lemke, slot), *b = right_hand_side(lemke);
    double least_pivot = zero_pivot * fmax(1, largest_magnitude(n, T_s)), step = DBL_MAX;
    for (int i = 0; i < n; i++)
        if (-T_s[i] > least_pivot)
            step = fmin(step, b[i] / -T_s[i]);
    if (step == DBL_MAX)
        return -1;
    double close = tie * largest_magnitude(n, b);
    for (int i = 0; i < n; i++)
        if (-T_s[i] > least_pivot && b[i] + step * T_s[i] <= close)
            lemke->tied[ntied++] = i;
    for (int k = 0; k < ntied; k++)
        if (lemke->tied[k] == z0)
            return z0;
    return lexical_least(lemke, T_s, ntied);
}

// The first pivot lets z0 in: the most negative q leaves, the first one of equals.
static int first_row(const StickLemke *lemke)
{
    int row = 0;
    for (int i = 1; i < lemke->n; i++)
        row = scaled_q(lemke, i) < scaled_q(lemke, row) ? i : row;
    return row;
}

static bool start_is_tied(const StickLemke *lemke)
{
    int count = 0, row = first_row(lemke);
    for (int i = 0; i < lemke->n; i++)
        count += scaled_q(lemke, i) == scaled_q(lemke, row);
    return count > 1;
}

// ---- the method

static void name_variable(const StickLemke *lemke, int variable, char name[16])
{
    bool is_w = variable < lemke->n;
    snprintf(name, 16, "%c%d", is_w ? 'w' : 'z', (is_w ? variable : variable - lemke->n) + 1);
}

// Pivots until z0 leaves. The entering variable is always the complement of the one that left.
static StickSolveEnd follow_path(StickLemke *lemke, int most_pivots, StickSolveInfo *info)
{
    int n = lemke->n, row = first_row(lemke), slot = n;
    fill_tableau(lemke);
    while (info->iterations < most_pivots) {
        int leaving = lemke->row_variable[row];
        pivot(lemke, row, slot);
        info->iterations++;
        clear_round_off(lemke);
        if (!isfinite(cblas_dasum(n, right_hand_side(lemke), 1)))
            return STICK_SOLVE_NOT_FINITE;
        if (leaving == 2 * n)
            return STICK_SOLVE_CONVERGED;
        int entering = complement(lemke, leaving);
        slot = -1 - lemke->where[entering];
        row = ratio_test(lemke, slot);
        if (row < 0) {
            char name[16];
            name_variable(lemke, entering, name);
            snprintf(info->detail, sizeof info->detail, "ray: nothing blocks %s", name);
            return STICK_SOLVE_RAY;
        }
    }
    snprintf(info->detail, sizeof info->detail, "limit of %d pivots", most_pivots);
    return STICK_SOLVE_LIMIT;
}

// w' = M' z' + q', by the raw M
static void compute_w(StickLemke *lemke, const double *z, double *w)
{
    int n = lemke->n;
    memcpy(w, lemke->lcp->q, (size_t)n * sizeof *w);
    for (int j = 0; j < n; j++)
        if (z[j] != 0)
            cblas_daxpy(n, lemke->col_scale[j] * z[j] / lemke->q_scale, lemke->lcp->M + (size_t)j * (size_t)n,
                        1, w, 1);
    for (int i = 0; i < n; i++)
        w[i] *= lemke->row_scale[i] * lemke->q_scale;
}

// |min(z', w')|
static double natural_residual(StickLemke *lemke, const double *z)
{
    double sum = 0;
    compute_w(lemke, z, lemke->w);
    for (int i = 0; i < lemke->n; i++) {
        double least = fmin(z[i], lemke->w[i]);
        sum += least * least;
    }
    return sqrt(sum);
}

// z of the final tableau into lemke->z, and the indices of its basic entries into lemke->tied.
static int read_basis(StickLemke *lemke)
{
    int count = 0;
    const double *b = right_hand_side(lemke);
    for (int i = 0; i < lemke->n; i++) {
        int row = lemke->where[lemke->n + i];
        lemke->z[i] = row >= 0 ? fmax(b[row], 0) : 0;
        if (row >= 0)
            lemke->tied[count++] = i;
    }
    return count;
}

// M'_BB z_B = -q'_B anew from the raw data, with one step of refinement; false if M'_BB is singular.
static bool refine(StickLemke *lemke, int count)
{
    const int *B = lemke->tied;
    double *y = lemke->residual;
    memset(lemke->refined, 0, (size_t)lemke->n * sizeof *lemke->refined);
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++)
            lemke->T[(size_t)j * (size_t)count + (size_t)i] = scaled_M(lemke, B[i], B[j]);
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, count, count, lemke->T, count, lemke->swaps) != 0)
        return false;
    for (int step = 0; step < 2; step++) {
        compute_w(lemke, lemke->refined, lemke->w);
        for (int k = 0; k < count; k++)
            y[k] = -lemke->w[B[k]];
        LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', count, 1, lemke->T, count, lemke->swaps, y, count);
        for (int k = 0; k < count; k++)
            lemke->refined[B[k]] += y[k];
    }
    for (int k = 0; k < count; k++)
        lemke->refined[B[k]] = fmax(lemke->refined[B[k]], 0);
    return true;
}

// |min(z, M z + q)| / |q| in the variables of the user; lemke->w holds w' of z.
static double raw_residual(const StickLemke *lemke, const double *z)
{
    double sum = 0, size = cblas_dnrm2(lemke->n, lemke->lcp->q, 1);
    for (int i = 0; i < lemke->n; i++) {
        double least = fmin(z[i], lemke->w[i] / (lemke->row_scale[i] * lemke->q_scale));
        sum += least * least;
    }
    return size > 0 ? sqrt(sum) / size : 0;
}

// The better of the tableau's z and the refined one, unscaled.
static StickSolveEnd finish(StickLemke *lemke, double *z, StickSolveInfo *info)
{
    int count = read_basis(lemke);
    double error = natural_residual(lemke, lemke->z);
    const double *best = lemke->z;
    if (refine(lemke, count)) {
        double refined_error = natural_residual(lemke, lemke->refined);
        if (!(refined_error > error))
            best = lemke->refined, error = refined_error;
    }
    if (!isfinite(error))
        return STICK_SOLVE_NOT_FINITE;
    if (error > lost) {
        snprintf(info->detail, sizeof info->detail, "round-off: the last basis misses by %.1e", error);
        return STICK_SOLVE_LIMIT;
    }
    compute_w(lemke, best, lemke->w);
    for (int i = 0; i < lemke->n; i++)
        z[i] = best[i] * lemke->col_scale[i] / lemke->q_scale;
    info->residual = raw_residual(lemke, z);
    return STICK_SOLVE_CONVERGED;
}

// After a tied start the plain order of ties may go round in a circle or back to a ray; with the first row's
// column last all rows are lexicographically positive and it can't. The plain order comes first: its counts
// are the known ones.
static StickSolveEnd search(StickLemke *lemke, int most_pivots, StickSolveInfo *info)
{
    bool tied = start_is_tied(lemke);
    int patience = 20 * lemke->n + 50;
    lemke->last_column = -1;
    StickSolveEnd end = follow_path(lemke, tied && patience < most_pivots ? patience : most_pivots, info);
    if (!tied || end == STICK_SOLVE_CONVERGED)
        return end;
    lemke->last_column = first_row(lemke);
    return follow_path(lemke, most_pivots, info);
}

static bool all_positive(int n, const double *q)
{
    for (int i = 0; i < n; i++)
        if (q[i] < 0)
            return false;
    return true;
}

StickStatus stick_lemke_solve(StickLemke *lemke, const StickLcp *lcp, int most_pivots, double *z,
                              StickSolveInfo *info)
{
    double start = stick_clock_cpu();
    STICK_TRY(stick_lcp_check(lemke->ctx, lcp));
    STICK_TRY(stick_lemke_reserve(lemke, lcp->n));
    *info = (StickSolveInfo){.end = STICK_SOLVE_CONVERGED};
    lemke->lcp = lcp;
    lemke->n = lcp->n;
    if (all_positive(lcp->n, lcp->q)) {
        for (int i = 0; i < lcp->n; i++)
            z[i] = 0;
    } else {
        info->residual = INFINITY;
        choose_scales(lemke);
        info->end = search(lemke, most_pivots, info);
        if (info->end == STICK_SOLVE_CONVERGED)
            info->end = finish(lemke, z, info);
    }
    info->seconds = stick_clock_cpu() - start;
    return STICK_OK;
}
