// SPDX-License-Identifier: Apache-2.0
// Left-looking elimination by supernodes. A supernode holds the diagonal block D of its columns, the rows L
// below it and the transpose U' of the columns right of it, both by columns with the same rows:
//
//     D | U        P D = L_D U_D,   L := L U_D^-1,   U' := U' P' L_D^-T,
//     --+---       and then for a later supernode that meets the rows of this one
//     L |          D, L -= L U[its columns],   U' -= U' L'[its columns].
#include "linalg/block_lu.h"

#include "base/memory.h"
#include "base/pool.h"
#include "linalg/block_lu_plan.h"
#include "linalg/dense_kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The rows L and the columns U of a supernode, each by a thread of its own.
enum { SIDES = 2 };

// An earlier supernode that meets the one at hand: from its row p on, m of them in columns of that one.
typedef struct StickEarlier {
    int s, p, m;
} StickEarlier;

struct StickBlockLu {
    StickBlockPlan plan;
    double *value;          // of all supernodes
    double *product[SIDES]; // of one supernode with itself, for one that it meets
    double *x;              // n * d: by elimination
    double *rest;           // n * d: residual
    int *pivot;             // n * d
    int *target[SIDES];     // where the rows of a product go to in its supernode
    StickEarlier *earlier;  // n: what the supernode at hand meets
    bool has_threads;
    int *position; // n: where a row stands in the supernode at hand
    int *head, *next, *met;
    size_t value_room, product_room, real_room, int_room, earlier_room;
    double *products;
    double *reals;
    int *ints;
};

StickStatus stick_block_lu_create(StickContext *ctx, StickBlockLu **created)
{
    StickBlockLu *lu;
    STICK_ALLOC(ctx, lu, 1);
    lu->plan.ctx = ctx;
    *created = lu;
    return STICK_OK;
}

void stick_block_lu_destroy(StickBlockLu *lu)
{
    if (!lu)
        return;
    StickContext *ctx = lu->plan.ctx;
    stick_block_plan_destroy(&lu->plan);
    stick_free(ctx, lu->value);
    stick_free(ctx, lu->products);
    stick_free(ctx, lu->earlier);
    stick_free(ctx, lu->reals);
    stick_free(ctx, lu->ints);
    stick_free(ctx, lu);
}

void stick_block_lu_limit(StickBlockLu *lu, double most_numbers)
{
    lu->plan.most_numbers = most_numbers;
}

void stick_block_lu_threads(StickBlockLu *lu, bool has_threads)
{
    lu->has_threads = has_threads;
}

static StickStatus reserve_numbers(StickBlockLu *lu)
{
    StickBlockPlan *plan = &lu->plan;
    size_t n = (size_t)plan->n, rows = n * (size_t)plan->d;
    size_t lead = (size_t)stick_kernel_padded(plan->most_rows * plan->d);
    size_t columns = (size_t)(stick_block_plan_most_width(plan) * plan->d);
    STICK_RESERVE(plan->ctx, lu->value, lu->value_room, stick_block_plan_room(plan));
    size_t product = lead * columns + STICK_KERNEL_PAD;
    STICK_RESERVE(plan->ctx, lu->products, lu->product_room, SIDES * product);
    STICK_RESERVE(plan->ctx, lu->earlier, lu->earlier_room, n);
    STICK_RESERVE(plan->ctx, lu->reals, lu->real_room, 2 * rows);
    STICK_RESERVE(plan->ctx, lu->ints, lu->int_room, rows + 6 * n);
    lu->x = lu->reals;
    lu->rest = lu->x + rows;
    lu->pivot = lu->ints;
    for (int side = 0; side < SIDES; side++) {
        lu->product[side] = lu->products + (size_t)side * product;
        lu->target[side] = lu->pivot + rows + (size_t)side * n;
    }
    lu->position = lu->target[SIDES - 1] + n;
    lu->head = lu->position + n;
    lu->next = lu->head + n;
    lu->met = lu->next + n;
    return STICK_OK;
}

StickStatus stick_block_lu_analyse(StickBlockLu *lu, int n, const int *start, const int *col, int d)
{
    assert(d >= 1 && d <= 3);
    STICK_TRY(stick_block_plan_analyse(&lu->plan, n, start, col, d));
    StickStatus status = lu->plan.n > 0 ? reserve_numbers(lu) : STICK_OK;
    if (status != STICK_OK)
        lu->plan.n = 0;
    return status;
}

double stick_block_lu_flops(const StickBlockLu *lu)
{
    return lu->plan.flops;
}

double stick_block_lu_numbers(const StickBlockLu *lu)
{
    return 2 * lu->plan.fill * lu->plan.d * lu->plan.d;
}

// ---- the parts of a supernode

typedef struct Panel {
    const StickSupernode *node;
    int columns, rows; // scalar ones
    int lead;          // of L and U
    double *D, *L, *U; // U is stored transposed
    int *pivot;
    const int *row; // block rows of L and U
} Panel;

static Panel panel_of(const StickBlockLu *lu, int s)
{
    const StickBlockPlan *plan = &lu->plan;
    const StickSupernode *node = &plan->supernode[s];
    Panel panel = {.node = node, .columns = node->width * plan->d, .rows = node->nrows * plan->d};
    size_t columns = (size_t)panel.columns;
    panel.lead = stick_block_plan_lead(plan, node);
    panel.D = lu->value + node->value;
    panel.L = panel.D + columns * columns;
    panel.U = panel.L + columns * (size_t)panel.lead;
    panel.pivot = lu->pivot + node->first * plan->d;
    panel.row = plan->row + node->rows;
    return panel;
}

// ---- values of A

static inline void put_block(int d, const double *block, double *at, int lead)
{
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++)
            at[a + (size_t)b * (size_t)lead] = block[a * d + b];
}

static inline void put_transposed(int d, const double *block, double *at, int lead)
{
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++)
            at[b + (size_t)a * (size_t)lead] = block[a * d + b];
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double largest(int n, const double *x)
{
    double most = 0;
    for (int k = 0; k < n; k++)
        most = larger(most, fabs(x[k]));
    return most;
}

static inline __attribute__((always_inline)) void load_column(int d, StickBlockLu *lu, const double *value,
                                                              const Panel *panel, int j)
{
    const StickBlockPlan *plan = &lu->plan;
    int first = panel->node->first, i = plan->order[plan->active[first + j]];
    const double *diagonal = value + (size_t)plan->diagonal[i] * (size_t)(d * d);
    size_t column = (size_t)(j * d);
    put_block(d, diagonal, panel->D + column * (size_t)panel->columns + column, panel->columns);
    for (int k = plan->pair_start[i]; k < plan->pair_start[i + 1]; k++) {
        StickBlockPair pair = plan->pair[k];
        int row = plan->local[pair.node];
        if (row < first)
            continue;
        const double *right = value + (size_t)(pair.right < 0 ? 0 : pair.right) * (size_t)(d * d);
        const double *below = value + (size_t)(pair.below < 0 ? 0 : pair.below) * (size_t)(d * d);
        size_t at = (size_t)(lu->position[row] * d);
        if (row < first + panel->node->width) {
            if (pair.below >= 0)
                put_block(d, below, panel->D + column * (size_t)panel->columns + at, panel->columns);
            continue;
        }
        if (pair.below >= 0)
            put_block(d, below, panel->L + column * (size_t)panel->lead + at, panel->lead);
        if (pair.right >= 0)
            put_transposed(d, right, panel->U + column * (size_t)panel->lead + at, panel->lead);
    }
}

static void load(StickBlockLu *lu, const double *value, const Panel *panel)
{
    size_t columns = (size_t)panel->columns;
    memset(panel->D, 0, columns * (columns + 2 * (size_t)panel->lead) * sizeof *panel->D);
    for (int j = 0; j < panel->node->width; j++)
        lu->position[panel->node->first + j] = j;
    for (int k = 0; k < panel->node->nrows; k++)
        lu->position[panel->row[k]] = k;
    for (int j = 0; j < panel->node->width; j++)
        if (lu->plan.d == 3)
            load_column(3, lu, value, panel, j);
        else if (lu->plan.d == 2)
            load_column(2, lu, value, panel, j);
        else
            load_column(1, lu, value, panel, j);
}

// ---- elimination

// Rows from ... to - 1 of a column of the product, taken from a panel's column.
static inline void subtract_rows(int d, const int *target, int from, int to, const double *product,
                                 double *column)
{
    if (d == 3)
        for (int i = from; i < to; i++) {
            double *y = column + target[i];
            y[0] -= product[3 * i];
            y[1] -= product[3 * i + 1];
            y[2] -= product[3 * i + 2];
        }
    else if (d == 2)
        for (int i = from; i < to; i++) {
            double *y = column + target[i];
            y[0] -= product[2 * i];
            y[1] -= product[2 * i + 1];
        }
    else
        for (int i = from; i < to; i++)
            column[target[i]] -= product[i];
}

// Takes L U of the rows of an earlier supernode away: of the rows of the one at hand with its diagonal block ...
static void subtract_below(StickBlockLu *lu, const Panel *panel, const Panel *earlier, int p, int m)
{
    int d = lu->plan.d, count = earlier->node->nrows - p, lead = stick_kernel_padded(count * d);
    int *target = lu->target[0];
    for (int i = 0; i < count; i++)
        target[i] = lu->position[earlier->row[p + i]] * d;
    StickDense all = {count * d, earlier->columns, earlier->L + p * d, earlier->lead};
    stick_kernel_product(all, (StickDense){m * d, earlier->columns, earlier->U + p * d, earlier->lead},
                         lu->product[0], lead);
    for (int j = 0; j < m * d; j++) {
        size_t column = (size_t)(target[j / d] + j % d);
        const double *product = lu->product[0] + (size_t)j * (size_t)lead;
        subtract_rows(d, target, 0, m, product, panel->D + column * (size_t)panel->columns);
        subtract_rows(d, target, m, count, product, panel->L + column * (size_t)panel->lead);
    }
}

// ... or of its columns.
static void subtract_right(StickBlockLu *lu, const Panel *panel, const Panel *earlier, int p, int m)
{
    int d = lu->plan.d, count = earlier->node->nrows - p, lead = stick_kernel_padded((count - m) * d);
    int *target = lu->target[1];
    if (count == m)
        return;
    for (int i = 0; i < count; i++)
        target[i] = lu->position[earlier->row[p + i]] * d;
    StickDense rest = {(count - m) * d, earlier->columns, earlier->U + (p + m) * d, earlier->lead};
    stick_kernel_product(rest, (StickDense){m * d, earlier->columns, earlier->L + p * d, earlier->lead},
                         lu->product[1], lead);
    for (int j = 0; j < m * d; j++) {
        size_t column = (size_t)(target[j / d] + j % d);
        subtract_rows(d, target + m, 0, count - m, lu->product[1] + (size_t)j * (size_t)lead,
                      panel->U + column * (size_t)panel->lead);
    }
}

// Supernodes wait in the list of the one that their next row belongs to.
static void wait_for_next(StickBlockLu *lu, int s)
{
    const StickSupernode *node = &lu->plan.supernode[s];
    if (lu->met[s] == node->nrows)
        return;
    int next = lu->plan.supernode_of[lu->plan.row[node->rows + lu->met[s]]];
    lu->next[s] = lu->head[next];
    lu->head[next] = s;
}

// The supernode at hand with all that it meets.
typedef struct Work {
    StickBlockLu *lu;
    const Panel *panel;
    int nearlier;
    double growth;
} Work;

static int list_earlier(StickBlockLu *lu, const Panel *panel, int s)
{
    int end = panel->node->first + panel->node->width, count = 0;
    for (int e = lu->head[s], next; e >= 0; e = next) {
        next = lu->next[e];
        Panel earlier = panel_of(lu, e);
        int p = lu->met[e], m = 0;
        while (p + m < earlier.node->nrows && earlier.row[p + m] < end)
            m++;
        lu->earlier[count++] = (StickEarlier){e, p, m};
        lu->met[e] += m;
        wait_for_next(lu, e);
    }
    return count;
}

static void subtract_side(void *data, int side)
{
    const Work *work = data;
    for (int k = 0; k < work->nearlier; k++) {
        const StickEarlier *met = &work->lu->earlier[k];
        Panel earlier = panel_of(work->lu, met->s);
        if (side == 0)
            subtract_below(work->lu, work->panel, &earlier, met->p, met->m);
        else
            subtract_right(work->lu, work->panel, &earlier, met->p, met->m);
    }
}

// Both sides of a supernode: on two threads where it is large. A side has the same bits on every number of them.
static void run_sides(Work *work, StickPart *side)
{
    const Panel *panel = work->panel;
    if (work->lu->has_threads)
        stick_threads_run(work->lu->plan.ctx, &(StickParts){side, work, SIDES, panel->columns * panel->rows});
    else
        for (int k = 0; k < SIDES; k++)
            side(work, k);
}

// Largest multiplier among those below the diagonal block.
static double largest_multiplier(const Panel *panel)
{
    double most = 0;
    for (int j = 0; j < panel->columns; j++)
        most = larger(most, largest(panel->rows, panel->L + (size_t)j * (size_t)panel->lead));
    return most;
}

static double smallest_pivot(const Panel *panel)
{
    double least = INFINITY;
    for (int k = 0; k < panel->columns; k++) {
        double size = fabs(panel->D[(size_t)k * (size_t)(panel->columns + 1)]);
        least = size < least ? size : least;
    }
    return least;
}

static void divide_side(void *data, int side)
{
    Work *work = data;
    const Panel *panel = work->panel;
    if (side == 0) {
        stick_kernel_divide_upper(panel->columns, panel->D, panel->rows, panel->L, panel->lead);
        work->growth = largest_multiplier(panel);
    } else {
        stick_kernel_divide_lower(panel->columns, panel->D, panel->pivot, panel->rows, panel->U, panel->lead);
    }
}

// false if it is singular
static bool eliminate(Work *work, double scale, StickBlockLuReport *report)
{
    const Panel *panel = work->panel;
    if (!stick_kernel_lu(panel->columns, panel->D, panel->pivot))
        return false;
    run_sides(work, divide_side);
    double pivot = scale > 0 ? smallest_pivot(panel) / scale : 1;
    report->growth = larger(work->growth, report->growth);
    report->pivot = pivot < report->pivot ? pivot : report->pivot;
    return true;
}

StickBlockLuReport stick_block_lu_factor(StickBlockLu *lu, const double *value, const int *active,
                                         int nactive)
{
    StickBlockPlan *plan = &lu->plan;
    stick_block_plan_restrict(plan, active, nactive);
    StickBlockLuReport report = {.pivot = INFINITY, .flops = plan->active_flops};
    for (int s = 0; s < plan->nsupernodes; s++) {
        lu->head[s] = -1;
        lu->met[s] = 0;
    }
    for (int s = 0; s < plan->nsupernodes; s++) {
        Panel panel = panel_of(lu, s);
        load(lu, value, &panel);
        double scale = largest(panel.columns * panel.columns, panel.D);
        Work work = {.lu = lu, .panel = &panel, .nearlier = list_earlier(lu, &panel, s)};
        run_sides(&work, subtract_side);
        if (!eliminate(&work, scale, &report))
            return (StickBlockLuReport){.pivot = 0, .growth = INFINITY, .flops = report.flops};
        wait_for_next(lu, s);
    }
    return report;
}

// ---- solution

static void solve_forward(StickBlockLu *lu, int s)
{
    Panel panel = panel_of(lu, s);
    int d = lu->plan.d;
    double *x = lu->x + panel.node->first * d;
    stick_kernel_forward(panel.columns, panel.D, panel.pivot, x);
    stick_kernel_times((StickDense){panel.rows, panel.columns, panel.L, panel.lead}, x, lu->product[0]);
    for (int k = 0; k < panel.node->nrows; k++)
        for (int a = 0; a < d; a++)
            lu->x[panel.row[k] * d + a] -= lu->product[0][k * d + a];
}

static void solve_backward(StickBlockLu *lu, int s)
{
    Panel panel = panel_of(lu, s);
    int d = lu->plan.d;
    double *x = lu->x + panel.node->first * d;
    for (int k = 0; k < panel.node->nrows; k++)
        for (int a = 0; a < d; a++)
            lu->product[0][k * d + a] = lu->x[panel.row[k] * d + a];
    stick_kernel_subtract_transposed((StickDense){panel.rows, panel.columns, panel.U, panel.lead},
                                     lu->product[0], x);
    stick_kernel_backward(panel.columns, panel.D, x);
}

void stick_block_lu_solve(StickBlockLu *lu, const double *b, double *x)
{
    const StickBlockPlan *plan = &lu->plan;
    int d = plan->d;
    for (int k = 0; k < plan->nactive; k++)
        memcpy(lu->x + k * d, b + plan->order[plan->active[k]] * d, (size_t)d * sizeof *x);
    for (int s = 0; s < plan->nsupernodes; s++)
        solve_forward(lu, s);
    for (int s = plan->nsupernodes - 1; s >= 0; s--)
        solve_backward(lu, s);
    for (int k = 0; k < plan->nactive; k++)
        memcpy(x + plan->order[plan->active[k]] * d, lu->x + k * d, (size_t)d * sizeof *x);
}

// rest = b - A x in row i; returns the larger of the size of the rest and what it was.
static double rest_of_row(StickBlockLu *lu, const double *value, const double *b, const double *x, int i,
                          double most)
{
    const StickBlockPlan *plan = &lu->plan;
    int d = plan->d;
    double *rest = lu->rest + i * d;
    memcpy(rest, b + i * d, (size_t)d * sizeof *rest);
    for (int k = plan->start[i]; k < plan->start[i + 1]; k++) {
        if (plan->local[plan->place[plan->col[k]]] < 0)
            continue;
        const double *block = value + (size_t)k * (size_t)(d * d), *other = x + plan->col[k] * d;
        for (int a = 0; a < d; a++)
            for (int c = 0; c < d; c++)
                rest[a] -= block[a * d + c] * other[c];
    }
    return larger(most, largest(d, rest));
}

double stick_block_lu_refine(StickBlockLu *lu, const double *value, const double *b, double *x)
{
    const StickBlockPlan *plan = &lu->plan;
    int d = plan->d;
    double most = 0, size = 0;
    for (int k = 0; k < plan->nactive; k++) {
        int i = plan->order[plan->active[k]];
        most = rest_of_row(lu, value, b, x, i, most);
        size = larger(size, largest(d, b + i * d));
    }
    stick_block_lu_solve(lu, lu->rest, lu->rest);
    for (int k = 0; k < plan->nactive; k++) {
        int i = plan->order[plan->active[k]];
        for (int a = 0; a < d; a++)
            x[i * d + a] += lu->rest[i * d + a];
    }
    return size > 0 ? most / size : most;
}
