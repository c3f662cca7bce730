// SPDX-License-Identifier: Apache-2.0
// Technique 1, after Conry and Seireg [CS70, VBH88 (2)]: the simplex method on
//   min sum z,  B p + z = lambda,  A p + C (theta+ - theta-) - d = -eps,  all >= 0,
// in which no variable enters the basis while its complement is basic (p_i and d_i). It may end in a deadlock: no
// variable that reduces the sum may enter, though a solution exists. Motions have no cost: as long as some theta
// closes another pair, it enters first. Rows with eps < 0 get an artificial variable of their own. Rows whose d is
// basic need no algebra: the inverse is that of the other rows alone, and of the loads.
#include "base/memory.h"
#include "solve/mlcp_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_UPDATES = 50 };

// Variables by number: p (m), theta+ (l), theta- (l), z of loads (l), z of pairs (m), d (m).
typedef struct Simplex {
    StickMlcpWork *work;
    int m, l;
    int n;       // rows and columns of the inverse
    int *column; // n: variables
    int *row;    // n: loads (0 .. l-1) and pairs (l ..)
    int *at;     // 3 (m + l): place among the columns, or -1
    int *row_at; // m + l: place among the rows, or -1, then d of the pair is basic
    int *tried;  // 3 (m + l)
    int updates;
} Simplex;

typedef struct Pivot {
    int enters;
    int leaves; // -1: nothing
} Pivot;

static int first_d(const Simplex *simplex)
{
    return 2 * simplex->m + 3 * simplex->l;
}

static bool is_artificial(const Simplex *simplex, int v)
{
    return v >= simplex->m + 2 * simplex->l && v < first_d(simplex);
}

// p_i of d_i and the other way; theta- of theta+; -1 of artificial ones
static int complement(const Simplex *simplex, int v)
{
    int m = simplex->m, l = simplex->l;
    if (v < m)
        return first_d(simplex) + v;
    if (v >= first_d(simplex))
        return v - first_d(simplex);
    return v < m + l ? v + l : v < m + 2 * l ? v - l : -1;
}

static bool is_basic(const Simplex *simplex, int v)
{
    int i = v - first_d(simplex);
    return i >= 0 ? simplex->row_at[simplex->l + i] < 0 : simplex->at[v] >= 0;
}

static double entry(const Simplex *simplex, int row, int v)
{
    const StickMlcpWork *work = simplex->work;
    int m = simplex->m, l = simplex->l, i = row - l;
    if (i < 0) {
        double side = work->lambda[row] < 0 ? -1 : 1;
        return v < m ? side * stick_mlcp_B(work, row, v) : v == m + 2 * l + row;
    }
    if (v < m)
        return stick_mlcp_A(work, i, v);
    if (v < m + l)
        return stick_mlcp_C(work, i, v - m);
    if (v < m + 2 * l)
        return -stick_mlcp_C(work, i, v - m - l);
    return v == first_d(simplex) + i ? -1 : v == m + 3 * l + i;
}

static void gather(const Simplex *simplex, int v, double *u)
{
    for (int k = 0; k < simplex->n; k++)
        u[k] = entry(simplex, simplex->row[k], v);
}

static void gather_row(const Simplex *simplex, int row, double *v)
{
    for (int k = 0; k < simplex->n; k++)
        v[k] = entry(simplex, row, simplex->column[k]);
}

// ---- start

static void add(Simplex *simplex, int row, int v)
{
    simplex->row_at[row] = simplex->at[v] = simplex->n;
    simplex->row[simplex->n] = row;
    simplex->column[simplex->n++] = v;
}

static StickStatus rebuild(Simplex *simplex, bool *done)
{
    StickMlcpWork *work = simplex->work;
    int n = simplex->n;
    STICK_RESERVE(work->ctx, work->K, work->K_room, (size_t)n * (size_t)n);
    STICK_TRY(stick_bordered_reserve(work->ctx, &work->inverse, n + 1));
    for (int k = 0; k < n; k++)
        gather(simplex, simplex->column[k], work->K + (size_t)k * (size_t)n);
    *done = stick_bordered_set(&work->inverse, n, work->K);
    simplex->updates = 0;
    return STICK_OK;
}

static StickStatus begin(Simplex *simplex, StickMlcpWork *work)
{
    int m = work->m, l = work->l, all = 3 * (m + l);
    *simplex = (Simplex){.work = work, .m = m, .l = l};
    STICK_RESERVE(work->ctx, work->ids, work->ids_room, (size_t)(9 * (m + l)));
    simplex->at = work->ids;
    simplex->tried = simplex->at + all;
    simplex->row_at = simplex->tried + all;
    simplex->column = simplex->row_at + m + l;
    simplex->row = simplex->column + m + l;
    memset(work->ids, -1, (size_t)(9 * (m + l)) * sizeof *work->ids);
    for (int k = 0; k < l; k++)
        add(simplex, k, m + 2 * l + k);
    for (int i = 0; i < m; i++)
        if (work->eps[i] < 0)
            add(simplex, l + i, m + 3 * l + i);
    return STICK_OK;
}

// ---- values

// Adds columns times x to p and theta.
static void scatter(const Simplex *simplex, const double *x, double *p, double *theta)
{
    int m = simplex->m, l = simplex->l;
    memset(p, 0, (size_t)m * sizeof *p);
    memset(theta, 0, (size_t)l * sizeof *theta);
    for (int k = 0; k < simplex->n; k++) {
        int v = simplex->column[k];
        if (v < m)
            p[v] = x[k];
        else if (v < m + 2 * l)
            theta[(v - m) % l] = v < m + l ? x[k] : -x[k];
    }
}

// x, p, theta, d; the sum of artificial variables is returned.
static double evaluate(Simplex *simplex)
{
    StickMlcpWork *work = simplex->work;
    double sum = 0;
    for (int k = 0; k < simplex->n; k++) {
        int row = simplex->row[k];
        work->rhs[k] = row < simplex->l ? fabs(work->lambda[row]) : -work->eps[row - simplex->l];
    }
    stick_bordered_solve(&work->inverse, work->rhs, work->x);
    scatter(simplex, work->x, work->p, work->theta);
    stick_mlcp_separations(work);
    for (int k = 0; k < simplex->n; k++)
        sum += is_artificial(simplex, simplex->column[k]) ? work->x[k] : 0;
    return sum;
}

// The sum of the rows of the inverse that belong to artificial variables.
static void price(const Simplex *simplex, double *dual)
{
    const StickMlcpWork *work = simplex->work;
    for (int k = 0; k < simplex->n; k++)
        work->rhs[k] = is_artificial(simplex, simplex->column[k]);
    stick_bordered_solve_left(&work->inverse, work->rhs, dual);
}

// How much the sum falls for each unit of v.
static double gain(const Simplex *simplex, const double *dual, int v)
{
    double sum = 0, size = 0;
    if (v >= first_d(simplex))
        return -dual[simplex->row_at[simplex->l + v - first_d(simplex)]];
    for (int k = 0; k < simplex->n; k++) {
        double term = dual[k] * entry(simplex, simplex->row[k], v);
        sum += term;
        size += fabs(term);
    }
    return fabs(sum) <= stick_mlcp_zero * (1 + size) ? 0 : sum;
}

// ---- what leaves

// The shorter step wins; on ties artificial variables leave first, then the complement of the entering variable, then
// the first variable.
typedef struct Ratio {
    int leaves, rank;
    double length;
} Ratio;

static void compare(const Simplex *simplex, int enters, int v, double value, double rate, double tie,
                    Ratio *best)
{
    if (rate <= stick_mlcp_zero)
        return;
    double length = fmax(value, 0) / rate;
    int rank = is_artificial(simplex, v) ? 0 : v == complement(simplex, enters) ? 1 : 2;
    bool longer = length > best->length + tie, shorter = length < best->length - tie;
    if (best->leaves >= 0 && (longer || (!shorter && rank >= best->rank)))
        return;
    *best = (Ratio){v, rank, length};
}

// The variable that a v which enters drives to zero first, or -1.
static int leaving(const Simplex *simplex, int v)
{
    StickMlcpWork *work = simplex->work;
    double *w = work->v, *rate = work->rhs, *p = work->u, tie = stick_mlcp_zero * stick_mlcp_sizes(work).gap;
    Ratio best = {-1, 3, INFINITY};
    double *theta = work->basis; // of statics, which are not in use here
    gather(simplex, v, work->u);
    stick_bordered_solve(&work->inverse, work->u, w);
    for (int k = 0; k < simplex->n; k++) {
        compare(simplex, v, simplex->column[k], work->x[k], w[k], tie, &best);
        rate[k] = -w[k];
    }
    scatter(simplex, rate, p, theta);
    if (v < simplex->m)
        p[v] += 1;
    else if (v < simplex->m + 2 * simplex->l)
        theta[(v - simplex->m) % simplex->l] += v < simplex->m + simplex->l ? 1 : -1;
    stick_mlcp_image(work, false, p, theta, work->d_rate);
    for (int i = 0; i < simplex->m; i++)
        if (simplex->row_at[simplex->l + i] < 0)
            compare(simplex, v, first_d(simplex) + i, work->d[i], -work->d_rate[i], tie, &best);
    return best.leaves;
}

// ---- what enters

static bool may_enter(const Simplex *simplex, int v, int leaves)
{
    int other = complement(simplex, v);
    return leaves >= 0 && (other == leaves || !is_basic(simplex, other));
}

// The next variable to try among those with a gain, in the order of the options; -1: none.
static int next_gain(const Simplex *simplex, const double *dual)
{
    StickMlcpOrder order = simplex->work->options->order;
    int all = 3 * (simplex->m + simplex->l), chosen = -1;
    double best = 0;
    for (int v = 0; v < all; v++) {
        if (simplex->tried[v] > 0 || is_artificial(simplex, v) || is_basic(simplex, v))
            continue;
        double found = gain(simplex, dual, v);
        if (found <= stick_mlcp_zero || (order == STICK_MLCP_LARGEST && found <= best))
            continue;
        best = found;
        chosen = v;
        if (order == STICK_MLCP_FIRST)
            break;
    }
    return chosen;
}

// A motion that costs nothing and brings a pair into touch.
static Pivot approach(const Simplex *simplex, const double *dual)
{
    for (int v = simplex->m; v < simplex->m + 2 * simplex->l; v++) {
        if (is_basic(simplex, v) || is_basic(simplex, complement(simplex, v)) || gain(simplex, dual, v) < 0)
            continue;
        int leaves = leaving(simplex, v);
        if (leaves >= first_d(simplex))
            return (Pivot){v, leaves};
    }
    return (Pivot){-1, -1};
}

static Pivot choose(const Simplex *simplex, double *dual)
{
    int all = 3 * (simplex->m + simplex->l);
    price(simplex, dual);
    Pivot touch = approach(simplex, dual);
    if (touch.enters >= 0)
        return touch;
    memset(simplex->tried, 0, (size_t)all * sizeof *simplex->tried);
    for (int v = next_gain(simplex, dual); v >= 0; v = next_gain(simplex, dual)) {
        int leaves = leaving(simplex, v);
        if (may_enter(simplex, v, leaves))
            return (Pivot){v, leaves};
        simplex->tried[v] = 1;
    }
    return (Pivot){-1, -1};
}

// ---- the exchange

static void forget_row(Simplex *simplex, int at)
{
    simplex->row_at[simplex->row[at]] = -1;
    simplex->row[at] = simplex->row[simplex->n - 1];
    if (at < simplex->n - 1)
        simplex->row_at[simplex->row[at]] = at;
}

static void forget_column(Simplex *simplex, int at)
{
    simplex->at[simplex->column[at]] = -1;
    simplex->column[at] = simplex->column[simplex->n - 1];
    if (at < simplex->n - 1)
        simplex->at[simplex->column[at]] = at;
}

static void put_column(Simplex *simplex, int at, int v)
{
    gather(simplex, v, simplex->work->u);
    stick_bordered_change_column(&simplex->work->inverse, at, simplex->work->u);
    simplex->at[simplex->column[at]] = -1;
    simplex->column[at] = v;
    simplex->at[v] = at;
}

static void put_row(Simplex *simplex, int at, int row)
{
    gather_row(simplex, row, simplex->work->v);
    stick_bordered_change_row(&simplex->work->inverse, at, simplex->work->v);
    simplex->row_at[simplex->row[at]] = -1;
    simplex->row[at] = row;
    simplex->row_at[row] = at;
}

static StickStatus border(Simplex *simplex, int row, int v)
{
    StickMlcpWork *work = simplex->work;
    double size;
    STICK_TRY(stick_bordered_reserve(work->ctx, &work->inverse, simplex->n + 1));
    gather(simplex, v, work->u);
    gather_row(simplex, row, work->v);
    double sigma = stick_bordered_schur(&work->inverse, work->u, work->v, entry(simplex, row, v), &size);
    stick_bordered_grow(&work->inverse, sigma);
    add(simplex, row, v);
    return STICK_OK;
}

static StickStatus exchange(Simplex *simplex, Pivot pivot, bool *done)
{
    int d = first_d(simplex), l = simplex->l;
    *done = true;
    if (pivot.enters < d && pivot.leaves < d) {
        put_column(simplex, simplex->at[pivot.leaves], pivot.enters);
    } else if (pivot.enters < d) {
        STICK_TRY(border(simplex, l + pivot.leaves - d, pivot.enters));
    } else if (pivot.leaves >= d) {
        put_row(simplex, simplex->row_at[l + pivot.enters - d], l + pivot.leaves - d);
    } else {
        int row = simplex->row_at[l + pivot.enters - d], column = simplex->at[pivot.leaves];
        stick_bordered_drop(&simplex->work->inverse, row, column);
        forget_row(simplex, row);
        forget_column(simplex, column);
        simplex->n--;
    }
    return ++simplex->updates > MOST_UPDATES ? rebuild(simplex, done) : STICK_OK;
}

// ---- the method

static void report_deadlock(const Simplex *simplex, StickMlcpInfo *info)
{
    const StickMlcpWork *work = simplex->work;
    int first = simplex->m + 2 * simplex->l;
    for (int k = 0; k < simplex->l; k++)
        if (simplex->at[first + k] >= 0)
            info->imbalance += work->x[simplex->at[first + k]] / work->E[k];
    info->solve.end = STICK_SOLVE_DEADLOCK;
    snprintf(info->solve.detail, sizeof info->solve.detail,
             "deadlock: a sum of artificial variables of %.6g is left; take connect-disconnect or lemke",
             info->imbalance);
}

typedef enum Course { SOLVED, BLOCKED, CUT_OFF } Course;

static void end_here(Simplex *simplex, Course course, const StickMlcpSolution *solution, StickMlcpInfo *info)
{
    StickMlcpWork *work = simplex->work;
    if (course == SOLVED) {
        info->solve.end = stick_mlcp_give(work, solution, info);
    } else if (course == BLOCKED) {
        report_deadlock(simplex, info);
    } else {
        info->solve.end = STICK_SOLVE_LIMIT;
        snprintf(info->solve.detail, sizeof info->solve.detail, "ended after %d pivots of at most %d",
                 info->solve.iterations, work->options->iterations);
    }
    if (info->solve.end != STICK_SOLVE_CONVERGED)
        stick_mlcp_is_unstable(work, solution, info);
}

StickStatus stick_mlcp_simplex(StickMlcpWork *work, const bool *start, const StickMlcpSolution *solution,
                               StickMlcpInfo *info)
{
    Simplex simplex;
    Course course = CUT_OFF;
    bool done;
    (void)start; // it begins without any pair
    STICK_TRY(begin(&simplex, work));
    STICK_TRY(rebuild(&simplex, &done));
    while (done && info->solve.iterations < work->options->iterations && !stick_mlcp_is_to_end(work, info)) {
        if (evaluate(&simplex) <= stick_mlcp_zero * stick_mlcp_sizes(work).force) {
            course = SOLVED;
            break;
        }
        Pivot pivot = choose(&simplex, work->dual);
        if (pivot.enters < 0) {
            course = BLOCKED;
            break;
        }
        STICK_TRY(exchange(&simplex, pivot, &done));
        info->solve.iterations++;
    }
    end_here(&simplex, course, solution, info);
    return STICK_OK;
}
