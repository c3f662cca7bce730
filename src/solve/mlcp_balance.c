// SPDX-License-Identifier: Apache-2.0
// Statics alone: is there p >= 0 with B p = lambda? The simplex method on min sum z, B p + z = lambda, with
// an inverse of order l; by duality, where the sum stays positive, a motion y has B'y >= 0 and lambda'y < 0.
#include "solve/mlcp_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double left_over = 1e-9; // imbalance that round-off may leave, relative to the largest load

// The present basis: column[i] is a pair, or -1 for the artificial variable of row i.
typedef struct Statics {
    StickMlcpWork *work;
    int *column;   // l
    double *N;     // l x l by columns, the inverse of the basis
    double *value; // l
    double *dual;  // l
    double *rate;  // l
} Statics;

// Rows are turned so that lambda >= 0.
static double turned(const StickMlcpWork *work, int i, int j)
{
    return work->lambda[i] < 0 ? -stick_mlcp_B(work, i, j) : stick_mlcp_B(work, i, j);
}

static void begin(Statics *statics)
{
    const StickMlcpWork *work = statics->work;
    size_t l = (size_t)work->l;
    memset(statics->N, 0, l * l * sizeof *statics->N);
    for (size_t i = 0; i < l; i++) {
        statics->N[i * (l + 1)] = 1;
        statics->column[i] = -1;
        statics->value[i] = fabs(work->lambda[i]);
    }
}

// dual = sum of the rows of N with artificial variables; the sum of these is returned.
static double price(Statics *statics)
{
    int l = statics->work->l;
    double sum = 0;
    memset(statics->dual, 0, (size_t)l * sizeof *statics->dual);
    for (int i = 0; i < l; i++) {
        if (statics->column[i] >= 0)
            continue;
        sum += statics->value[i];
        for (int k = 0; k < l; k++)
            statics->dual[k] += statics->N[k * l + i];
    }
    return sum;
}

static bool is_basic(const Statics *statics, int j)
{
    for (int i = 0; i < statics->work->l; i++)
        if (statics->column[i] == j)
            return true;
    return false;
}

// The first pair that reduces the sum: with the first of ties below, no basis is repeated (Bland).
static int entering(const Statics *statics)
{
    const StickMlcpWork *work = statics->work;
    for (int j = 0; j < work->m; j++) {
        double gain = 0, size = 0;
        for (int i = 0; i < work->l; i++) {
            double term = statics->dual[i] * turned(work, i, j);
            gain += term;
            size += fabs(term);
        }
        if (gain > stick_mlcp_zero * (1 + size) && !is_basic(statics, j))
            return j;
    }
    return -1;
}

static int leaving(const Statics *statics)
{
    int chosen = -1;
    double least = INFINITY;
    for (int i = 0; i < statics->work->l; i++) {
        if (statics->rate[i] <= stick_mlcp_zero)
            continue;
        double ratio = fmax(statics->value[i], 0) / statics->rate[i];
        if (ratio < least || (ratio == least && statics->column[i] < statics->column[chosen])) {
            least = ratio;
            chosen = i;
        }
    }
    return chosen;
}

static void exchange(Statics *statics, int r, int j)
{
    int l = statics->work->l;
    double pivot = statics->rate[r];
    for (int k = 0; k <= l; k++) {
        double *column = k < l ? statics->N + k * l : statics->value, kept = column[r] / pivot;
        for (int i = 0; i < l; i++)
            column[i] -= statics->rate[i] * kept;
        column[r] = kept;
    }
    statics->column[r] = j;
}

// Ends with the least sum of artificial variables, or undecided.
static double least_imbalance(Statics *statics)
{
    const StickMlcpWork *work = statics->work;
    begin(statics);
    for (int pivots = 0;; pivots++) {
        double sum = price(statics);
        int j = entering(statics);
        if (j < 0 || pivots > 50 * (work->m + work->l))
            return j < 0 ? sum : 0;
        for (int i = 0; i < work->l; i++) {
            statics->rate[i] = 0;
            for (int k = 0; k < work->l; k++)
                statics->rate[i] += statics->N[k * work->l + i] * turned(work, k, j);
        }
        int r = leaving(statics);
        if (r < 0)
            return 0;
        exchange(statics, r, j);
    }
}

bool stick_mlcp_balance(StickMlcpWork *work, double *y)
{
    int l = work->l;
    double largest = 0, length = 0;
    Statics statics = {work, work->pair, work->basis, work->x, work->rhs, work->u};
    for (int k = 0; k < l; k++)
        largest = fmax(largest, fabs(work->lambda[k]));
    if (least_imbalance(&statics) <= left_over * largest)
        return true;
    for (int k = 0; k < l; k++) {
        y[k] = (work->lambda[k] < 0 ? 1 : -1) * work->E[k] * statics.dual[k];
        length = hypot(length, y[k]);
    }
    for (int k = 0; k < l; k++)
        y[k] /= length;
    return false;
}

// The largest parts of the motion by their names.
static void describe(const StickMlcpWork *work, const double *y, char *text, size_t size)
{
    int used = snprintf(text, size, "statically unstable: hold this motion or add pairs that stop it:");
    for (int k = 0; k < work->l && used > 0 && (size_t)used + 1 < size; k++) {
        if (fabs(y[k]) < 1e-9)
            continue;
        char number[16];
        snprintf(number, sizeof number, "%d", k + 1);
        used += snprintf(text + used, size - (size_t)used, " %+.3g %s%s", y[k],
                         work->mates->motion ? work->mates->motion[k] : "theta",
                         work->mates->motion ? "" : number);
    }
}

bool stick_mlcp_is_unstable(StickMlcpWork *work, const StickMlcpSolution *solution, StickMlcpInfo *info)
{
    double *y = work->v;
    if (stick_mlcp_balance(work, y))
        return false;
    describe(work, y, info->solve.detail, sizeof info->solve.detail);
    if (solution->motion)
        memcpy(solution->motion, y, (size_t)work->l * sizeof *y);
    info->solve.end = STICK_SOLVE_UNSTABLE;
    return true;
}
