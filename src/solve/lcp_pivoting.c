// SPDX-License-Identifier: Apache-2.0
// Principal pivoting [CPS92 §4.1-4.3] on a plain tableau, by columns, in scaled variables.
//
// Of each pair (z_i, w_i) one is basic and one is not; pair i always owns row i and column i:
//
//     basic = T nonbasic + constant,   x = values of the basic ones, y = values of the nonbasic ones.
//
// All pivots are principal, so that T stays positive semidefinite, or a P-matrix, if M is. Least index: the
// first negative pair changes sides; finite for P-matrices, 2^n - 1 pivots at worst [Mur88]. Keller: one
// negative pair at a time is driven to zero while no other one that is nonnegative turns negative [Kel73].
#include "solve/lcp_work.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

static const double zero_pivot = 1e-10; // of an entry of T, relative to the largest of its column or 1
static const double negative = 1e-12; // below minus this, relative to the largest value, a value is negative

// ---- tableau

static double *column(const StickLcpWork *work, int j)
{
    return work->T + (size_t)j * (size_t)work->n;
}

static void fill_tableau(StickLcpWork *work)
{
    for (int j = 0; j < work->n; j++) {
        for (int i = 0; i < work->n; i++)
            column(work, j)[i] = stick_lcp_work_M(work, i, j);
        work->x[j] = stick_lcp_work_q(work, j);
        work->y[j] = 0;
        work->z_is_basic[j] = false;
    }
}

static double largest_magnitude(int n, const double *x)
{
    return n > 0 ? fabs(x[cblas_idamax(n, x, 1)]) : 0;
}

static double small_entry(const StickLcpWork *work, int j)
{
    return zero_pivot * fmax(1, largest_magnitude(work->n, column(work, j)));
}

static double small_value(const StickLcpWork *work)
{
    return negative * fmax(1, largest_magnitude(work->n, work->x));
}

// Exchanges the basic variable of a row and the nonbasic one of a column, in T alone.
static void exchange(StickLcpWork *work, int row, int col)
{
    int n = work->n;
    double *T_c = column(work, col), p = T_c[row];
    T_c[row] = 0;
    for (int j = 0; j < n; j++) {
        double *T = column(work, j);
        if (j == col || T[row] == 0)
            continue;
        double a = -T[row] / p;
        cblas_daxpy(n, a, T_c, 1, T, 1);
        T[row] = a;
    }
    cblas_dscal(n, 1 / p, T_c, 1);
    T_c[row] = 1 / p;
}

// The variables of pair i change sides and keep their values.
static void change_sides(StickLcpWork *work, int i)
{
    double value = work->x[i];
    work->x[i] = work->y[i];
    work->y[i] = value;
    work->z_is_basic[i] = !work->z_is_basic[i];
}

static void pivot_pair(StickLcpWork *work, int i)
{
    exchange(work, i, i);
    change_sides(work, i);
}

// Both pairs at once, where T_ss = 0: by the two entries off the diagonal, then each goes back to its place.
static void pivot_two_pairs(StickLcpWork *work, int r, int s)
{
    exchange(work, s, r);
    exchange(work, r, s);
    cblas_dswap(work->n, work->T + r, work->n, work->T + s, work->n);
    cblas_dswap(work->n, column(work, r), 1, column(work, s), 1);
    change_sides(work, r);
    change_sides(work, s);
}

// ---- ends

// basic_r = constant + T_r nonbasic with constant < 0 and T_r <= 0: no solution, whatever M is.
static bool row_is_infeasible(const StickLcpWork *work, int r)
{
    double constant = work->x[r];
    for (int j = 0; j < work->n; j++) {
        if (column(work, j)[r] > small_entry(work, j))
            return false;
        constant -= column(work, j)[r] * work->y[j];
    }
    return constant < -small_value(work);
}

// The diagonal of pair i contradicts the method's class of matrices.
static StickSolveEnd break_down(const StickLcpWork *work, int i, const char *class, StickSolveInfo *info)
{
    if (row_is_infeasible(work, i)) {
        snprintf(info->detail, sizeof info->detail, "no solution: the row of %c%d stays negative",
                 work->z_is_basic[i] ? 'z' : 'w', i + 1);
        return STICK_SOLVE_RAY;
    }
    snprintf(info->detail, sizeof info->detail, "M is not %s: pair %d has the pivot %.1e", class, i + 1,
             column(work, i)[i]);
    return STICK_SOLVE_LIMIT;
}

static StickSolveEnd reach_limit(const StickLcpWork *work, StickSolveInfo *info)
{
    snprintf(info->detail, sizeof info->detail, "limit of %d pivots", work->options->iterations);
    return STICK_SOLVE_LIMIT;
}

static bool is_finite(const StickLcpWork *work)
{
    return isfinite(cblas_dasum(work->n, work->x, 1)) && isfinite(cblas_dasum(work->n, work->y, 1));
}

static StickSolveEnd finish(StickLcpWork *work, double *z, StickSolveInfo *info)
{
    for (int i = 0; i < work->n; i++)
        work->trial[i] = work->z_is_basic[i] ? work->x[i] : 0;
    return stick_lcp_work_finish(work, work->trial, false, z, info);
}

// ---- least index

static int first_negative(const StickLcpWork *work)
{
    double small = small_value(work);
    for (int i = 0; i < work->n; i++)
        if (work->x[i] < -small)
            return i;
    return -1;
}

// The nonbasic variable of the pair moves until the basic one is zero; then they change sides.
static void drive_and_pivot(StickLcpWork *work, int r)
{
    double t = -work->x[r] / column(work, r)[r];
    cblas_daxpy(work->n, t, column(work, r), 1, work->x, 1);
    work->x[r] = 0;
    work->y[r] += t;
    pivot_pair(work, r);
}

StickSolveEnd stick_lcp_pivoting_least_index(StickLcpWork *work, double *z, StickSolveInfo *info)
{
    fill_tableau(work);
    for (;;) {
        int r = first_negative(work);
        if (r < 0)
            return finish(work, z, info);
        if (column(work, r)[r] <= small_entry(work, r))
            return break_down(work, r, "a P-matrix", info);
        if (info->iterations >= work->options->iterations)
            return reach_limit(work, info);
        drive_and_pivot(work, r);
        info->iterations++;
        if (!is_finite(work))
            return STICK_SOLVE_NOT_FINITE;
    }
}

// ---- Keller

// Negative basic variables may sink to this bound and no further, or a ray would prove nothing [CPS92 §4.2].
static double lowest_value(const StickLcpWork *work)
{
    return -2 * largest_magnitude(work->n, work->x) - 1;
}

static int negative_pair(const StickLcpWork *work)
{
    double small = small_value(work);
    for (int i = 0; i < work->n; i++)
        if (work->x[i] < -small || work->y[i] < 0)
            return i;
    return -1;
}

// How far the nonbasic variable of pair r may go by pair r itself: up to zero if it is negative, else until
// the basic one has come up to zero.
static double own_step(const StickLcpWork *work, int r)
{
    double T_rr = column(work, r)[r];
    if (work->y[r] < 0)
        return -work->y[r];
    return T_rr > small_entry(work, r) ? -work->x[r] / T_rr : DBL_MAX;
}

// Whether the step brings the negative variable of pair r to zero but for round-off.
static bool arrives(const StickLcpWork *work, int r, double step)
{
    double value = work->y[r] < 0 ? work->y[r] + step : work->x[r] + step * column(work, r)[r];
    return value >= -small_value(work);
}

// The pair that blocks first, r itself preferred in a tie, then the least index; -1 if none does.
static int blocking_pair(const StickLcpWork *work, int r, double lowest, double *step)
{
    const double *T_r = column(work, r);
    double small = small_entry(work, r), zero = small_value(work), own = own_step(work, r);
    int blocking = own < DBL_MAX ? r : -1;
    *step = own;
    for (int i = 0; i < work->n; i++) {
        if (i == r || T_r[i] >= -small)
            continue;
        double room = work->x[i] >= -zero ? fmax(work->x[i], 0) : fmax(work->x[i] - lowest, 0);
        if (room / -T_r[i] < *step) {
            *step = room / -T_r[i];
            blocking = i;
        }
    }
    if (own < DBL_MAX && arrives(work, r, *step)) {
        *step = own;
        blocking = r;
    }
    return blocking;
}

// Moves the nonbasic variable of pair r; the one that blocks lands on its bound exactly.
static void drive(StickLcpWork *work, int r, double step, int blocking, double lowest)
{
    bool sunk = work->x[blocking] < -small_value(work);
    cblas_daxpy(work->n, step, column(work, r), 1, work->x, 1);
    work->y[r] += step;
    if (blocking != r)
        work->x[blocking] = sunk ? lowest : 0;
}

static StickSolveEnd report_ray(const StickLcpWork *work, int r, StickSolveInfo *info)
{
    snprintf(info->detail, sizeof info->detail, "ray: nothing blocks %c%d", work->z_is_basic[r] ? 'w' : 'z',
             r + 1);
    return STICK_SOLVE_RAY;
}

// The end of a major cycle: pair r is nonnegative, by a pivot if its basic variable has come to zero.
static void settle(StickLcpWork *work, int r, bool basic_came_up, StickSolveInfo *info)
{
    if (!basic_came_up) {
        work->y[r] = 0;
        return;
    }
    work->x[r] = 0;
    pivot_pair(work, r);
    info->iterations++;
}

// Drives pair r until it is nonnegative: CONVERGED then.
static StickSolveEnd major_cycle(StickLcpWork *work, int r, double lowest, StickSolveInfo *info)
{
    static const char class[] = "positive semidefinite or a P-matrix";
    while (info->iterations < work->options->iterations) {
        double step;
        if (column(work, r)[r] < -small_entry(work, r))
            return break_down(work, r, class, info);
        int s = blocking_pair(work, r, lowest, &step);
        if (s < 0)
            return report_ray(work, r, info);
        bool basic_comes_up = work->y[r] >= 0;
        drive(work, r, step, s, lowest);
        if (!is_finite(work))
            return STICK_SOLVE_NOT_FINITE;
        if (s == r) {
            settle(work, r, basic_comes_up, info);
            return STICK_SOLVE_CONVERGED;
        }
        double T_ss = column(work, s)[s], small = small_entry(work, s);
        if (T_ss < -small || (T_ss <= small && column(work, s)[r] <= small))
            return break_down(work, s, class, info);
        if (T_ss > small)
            pivot_pair(work, s);
        else
            pivot_two_pairs(work, r, s);
        info->iterations += T_ss > small ? 1 : 2;
    }
    return reach_limit(work, info);
}

StickSolveEnd stick_lcp_pivoting_keller(StickLcpWork *work, double *z, StickSolveInfo *info)
{
    fill_tableau(work);
    double lowest = lowest_value(work);
    for (int r = negative_pair(work); r >= 0; r = negative_pair(work)) {
        StickSolveEnd end = major_cycle(work, r, lowest, info);
        if (end != STICK_SOLVE_CONVERGED)
            return end;
    }
    return finish(work, z, info);
}
