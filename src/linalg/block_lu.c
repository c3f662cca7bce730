// SPDX-License-Identifier: Apache-2.0
// Left-looking elimination by supernodes. A supernode holds the diagonal block D of its columns, the rows L
// below it and the transpose U' of the columns right of it, both by columns with the same rows:
//
//     D | U        P D = L_D U_D,   L := L U_D^-1,   U' := U' P' L_D^-T,
//     --+---       and then for a later supernode that meets the rows of this one
//     L |          D, L -= L U[its columns],   U' -= U' L'[its columns].
//
// The elimination tree of a large matrix is split into independent parts (block_lu_plan.h): threads process them one
// after the other. Then the supernodes of the top follow in turn; their columns are distributed over the threads.
// Parts and blocks of columns are the same for every number of threads, and so are the bits.
#include "linalg/block_lu.h"

#include "base/memory.h"
#include "base/pool.h"
#include "linalg/block_lu_plan.h"
#include "linalg/dense_kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The rows L and the columns U of a supernode are independent of each other, and so are blocks of this number of its
// columns.
enum { SIDES = 2, PIECE_COLUMNS = 12 };

// What works at the same time: parts, or pieces of a supernode.
enum { LANES = STICK_BLOCK_PARTS };

// An earlier supernode that is coupled to the present one: from its row p on, m of them in columns of the present
// one.
typedef struct StickEarlier {
    int s, p, m;
} StickEarlier;

// Work space of one of those.
typedef struct Lane {
    double *product; // of one supernode with itself, for one that it meets
    int *target;     // where the rows of a product go to in its supernode
    int *position;   // n: where a row stands in the supernode at hand
} Lane;

struct StickBlockLu {
    StickBlockPlan plan;
    double *value;         // of all supernodes
    double *x;             // n * d: by elimination
    double *rest;          // n * d: residual
    double *sum;           // rows of the top * d for each part: its contribution to them in a solution
    int *pivot;            // n * d
    StickEarlier *earlier; // n: supernodes coupled to the present ones, one list for each part
    bool has_threads;
    int *head, *next, *met;
    Lane lane[LANES];
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
    size_t product = lead * columns + STICK_KERNEL_PAD;
    bool has_parts = stick_block_plan_has_parts(plan);
    size_t lanes = has_parts ? LANES : 1, sums = has_parts ? STICK_BLOCK_PARTS * rows : 0;
    STICK_RESERVE(plan->ctx, lu->value, lu->value_room, stick_block_plan_room(plan));
    STICK_RESERVE(plan->ctx, lu->products, lu->product_room, lanes * product);
    STICK_RESERVE(plan->ctx, lu->earlier, lu->earlier_room, n);
    STICK_RESERVE(plan->ctx, lu->reals, lu->real_room, 2 * rows + sums);
    STICK_RESERVE(plan->ctx, lu->ints, lu->int_room, rows + (3 + 2 * lanes) * n);
    lu->x = lu->reals;
    lu->rest = lu->x + rows;
    lu->sum = lu->rest + rows;
    lu->pivot = lu->ints;
    lu->head = lu->pivot + rows;
    lu->next = lu->head + n;
    lu->met = lu->next + n;
    for (size_t k = 0; k < lanes; k++) {
        int *ints = lu->met + (1 + 2 * k) * n;
        lu->lane[k] = (Lane){.product = lu->products + k * product, .target = ints, .position = ints + n};
    }
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

// Work data of a supernode: the supernodes coupled to it, positions of its rows, and blocks of its columns.
typedef struct Work {
    StickBlockLu *lu;
    const double *value;
    Panel panel;
    const Lane *lane; // one, or in the top one for each piece
    int *position;
    StickEarlier *earlier;
    int nearlier, npieces;
    bool is_shared;      // a supernode of the top
    double scale[LANES]; // largest entry of A in its diagonal block, by pieces
    double growth;
} Work;

// Columns from ... to - 1 of one side of a supernode, and the work space for them.
typedef struct Piece {
    const Work *work;
    const Lane *lane;
    int side, from, to;
} Piece;

static inline __attribute__((always_inline)) void load_column(int d, const Piece *piece, int j)
{
    const Work *work = piece->work;
    const StickBlockPlan *plan = &work->lu->plan;
    const Panel *panel = &work->panel;
    int first = panel->node->first, i = plan->order[plan->active[first + j]];
    size_t column = (size_t)(j * d), lead = column * (size_t)panel->lead;
    double *D = panel->D + column * (size_t)panel->columns;
    if (piece->side == 0)
        put_block(d, work->value + (size_t)plan->diagonal[i] * (size_t)(d * d), D + column, panel->columns);
    for (int k = plan->pair_start[i]; k < plan->pair_start[i + 1]; k++) {
        StickBlockPair pair = plan->pair[k];
        int row = plan->local[pair.node];
        if (row < first)
            continue;
        bool is_inside = row < first + panel->node->width;
        size_t at = (size_t)(work->position[row] * d);
        if (piece->side == 0 && pair.below >= 0)
            put_block(d, work->value + (size_t)pair.below * (size_t)(d * d),
                      (is_inside ? D : panel->L + lead) + at, is_inside ? panel->columns : panel->lead);
        if (piece->side == 1 && pair.right >= 0 && !is_inside)
            put_transposed(d, work->value + (size_t)pair.right * (size_t)(d * d), panel->U + lead + at,
                           panel->lead);
    }
}

// Returns the largest entry in the diagonal block.
static double load(const Piece *piece)
{
    const Panel *panel = &piece->work->panel;
    int d = piece->work->lu->plan.d;
    size_t columns = (size_t)panel->columns, lead = (size_t)panel->lead, from = (size_t)(piece->from * d),
           count = (size_t)((piece->to - piece->from) * d);
    memset((piece->side == 0 ? panel->L : panel->U) + from * lead, 0, count * lead * sizeof *panel->L);
    if (piece->side == 0)
        memset(panel->D + from * columns, 0, count * columns * sizeof *panel->D);
    for (int j = piece->from; j < piece->to; j++)
        if (d == 3)
            load_column(3, piece, j);
        else if (d == 2)
            load_column(2, piece, j);
        else
            load_column(1, piece, j);
    return piece->side == 0 ? largest((int)(count * columns), panel->D + from * columns) : 0;
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

// Subtracts L U of the rows of an earlier supernode, in the columns of a piece: from the rows of the present one with
// its diagonal block, or from the transpose of its columns, U' L'.
static void subtract(const Piece *piece, const StickEarlier *met)
{
    const Work *work = piece->work;
    const Panel *panel = &work->panel;
    Panel earlier = panel_of(work->lu, met->s);
    int d = work->lu->plan.d, from = met->p, end = met->p + met->m, *target = piece->lane->target;
    while (from < end && work->position[earlier.row[from]] < piece->from)
        from++;
    while (end > from && work->position[earlier.row[end - 1]] >= piece->to)
        end--;
    int first = piece->side == 0 ? met->p : met->p + met->m, count = earlier.node->nrows - first;
    if (from == end || count == 0)
        return;
    for (int i = 0; i < count; i++)
        target[i] = work->position[earlier.row[first + i]] * d;
    int inside = met->p + met->m - first, lead = stick_kernel_padded(count * d), width = earlier.columns;
    const double *rows = piece->side == 0 ? earlier.L : earlier.U,
                 *columns = piece->side == 0 ? earlier.U : earlier.L;
    stick_kernel_product((StickDense){count * d, width, rows + first * d, earlier.lead},
                         (StickDense){(end - from) * d, width, columns + from * d, earlier.lead},
                         piece->lane->product, lead);
    for (int j = 0; j < (end - from) * d; j++) {
        size_t column = (size_t)(work->position[earlier.row[from + j / d]] * d + j % d);
        const double *product = piece->lane->product + (size_t)j * (size_t)lead;
        subtract_rows(d, target, 0, inside, product, panel->D + column * (size_t)panel->columns);
        subtract_rows(d, target, inside, count, product,
                      (piece->side == 0 ? panel->L : panel->U) + column * (size_t)panel->lead);
    }
}

// Adds a supernode to the list of the supernode that its next row belongs to, if that is in the same part or
// `is_done`.
static void wait_for_next(StickBlockLu *lu, int s, bool is_done)
{
    const StickSupernode *node = &lu->plan.supernode[s];
    if (lu->met[s] == node->nrows)
        return;
    int next = lu->plan.supernode_of[lu->plan.row[node->rows + lu->met[s]]];
    if (lu->plan.supernode[next].part != node->part && !is_done)
        return;
    lu->next[s] = lu->head[next];
    lu->head[next] = s;
}

static void list_earlier(Work *work, int s)
{
    StickBlockLu *lu = work->lu;
    int end = work->panel.node->first + work->panel.node->width;
    for (int e = lu->head[s], next; e >= 0; e = next) {
        next = lu->next[e];
        Panel earlier = panel_of(lu, e);
        int p = lu->met[e], m = 0;
        while (p + m < earlier.node->nrows && earlier.row[p + m] < end)
            m++;
        work->earlier[work->nearlier++] = (StickEarlier){e, p, m};
        lu->met[e] += m;
        wait_for_next(lu, e, work->is_shared);
    }
}

// Piece k of both sides: its values of A without what earlier supernodes take away.
static void set_piece(void *data, int k)
{
    Work *work = data;
    int width = work->panel.node->width, columns = (width - 1) / work->npieces + 1;
    int from = k / SIDES * columns, to = from + columns;
    Piece piece = {work, work->lane + (work->is_shared ? k : 0), k % SIDES, from < width ? from : width,
                   to < width ? to : width};
    work->scale[k] = load(&piece);
    for (int e = 0; e < work->nearlier; e++)
        subtract(&piece, &work->earlier[e]);
}

// Pieces of a supernode of the top on several threads, where it is large.
static void run_pieces(Work *work, StickPart *function, int count)
{
    const Panel *panel = &work->panel;
    if (work->is_shared && work->lu->has_threads)
        stick_threads_run(work->lu->plan.ctx, &(StickParts){function, work, count,
                                                            panel->columns * (panel->columns + panel->rows)});
    else
        for (int k = 0; k < count; k++)
            function(work, k);
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
    const Panel *panel = &work->panel;
    if (side == 0) {
        stick_kernel_divide_upper(panel->columns, panel->D, panel->rows, panel->L, panel->lead);
        work->growth = largest_multiplier(panel);
    } else {
        stick_kernel_divide_lower(panel->columns, panel->D, panel->pivot, panel->rows, panel->U, panel->lead);
    }
}

// Factors of one part, or of the top.
typedef struct Factors {
    StickBlockLu *lu;
    const double *value;
    StickBlockLuReport report[STICK_BLOCK_PARTS + 1];
} Factors;

static Work begin(const Factors *factors, int s, int part)
{
    StickBlockLu *lu = factors->lu;
    const StickBlockPlan *plan = &lu->plan;
    Work work = {.lu = lu,
                 .value = factors->value,
                 .panel = panel_of(lu, s),
                 .is_shared = part == plan->nparts && part > 0};
    work.lane = &lu->lane[part < plan->nparts ? part : 0];
    work.npieces = work.is_shared ? (work.panel.columns - 1) / PIECE_COLUMNS + 1 : 1;
    work.position = work.lane->position;
    work.earlier = lu->earlier + (part < plan->nparts ? plan->first_of_part[part] : 0);
    for (int j = 0; j < work.panel.node->width; j++)
        work.position[work.panel.node->first + j] = j;
    for (int k = 0; k < work.panel.node->nrows; k++)
        work.position[work.panel.row[k]] = k;
    list_earlier(&work, s);
    return work;
}

// false if it is singular
static bool eliminate(const Factors *factors, int s, int part, StickBlockLuReport *report)
{
    Work work = begin(factors, s, part);
    const Panel *panel = &work.panel;
    double scale = 0;
    run_pieces(&work, set_piece, SIDES * work.npieces);
    for (int k = 0; k < SIDES * work.npieces; k++)
        scale = larger(scale, work.scale[k]);
    if (!stick_kernel_lu(panel->columns, panel->D, panel->pivot))
        return false;
    run_pieces(&work, divide_side, SIDES);
    double pivot = scale > 0 ? smallest_pivot(panel) / scale : 1;
    report->growth = larger(work.growth, report->growth);
    report->pivot = pivot < report->pivot ? pivot : report->pivot;
    wait_for_next(work.lu, s, work.is_shared);
    return true;
}

static void factor_part(void *data, int part)
{
    Factors *factors = data;
    const StickBlockPlan *plan = &factors->lu->plan;
    StickBlockLuReport *report = &factors->report[part];
    *report = (StickBlockLuReport){.pivot = INFINITY};
    for (int k = plan->first_of_part[part]; k < plan->first_of_part[part + 1]; k++)
        if (!eliminate(factors, plan->by_part[k], part, report)) {
            *report = (StickBlockLuReport){.pivot = 0, .growth = INFINITY};
            return;
        }
}

// A function of each part, on the threads if there are any.
static void run_parts(const StickBlockLu *lu, StickPart *function, void *data)
{
    if (lu->has_threads)
        stick_threads_run(lu->plan.ctx, &(StickParts){function, data, lu->plan.nparts, lu->plan.nactive});
    else
        for (int part = 0; part < lu->plan.nparts; part++)
            function(data, part);
}

StickBlockLuReport stick_block_lu_factor(StickBlockLu *lu, const double *value, const int *active,
                                         int nactive)
{
    StickBlockPlan *plan = &lu->plan;
    Factors factors = {.lu = lu, .value = value};
    stick_block_plan_restrict(plan, active, nactive);
    for (int s = 0; s < plan->nsupernodes; s++) {
        lu->head[s] = -1;
        lu->met[s] = 0;
    }
    run_parts(lu, factor_part, &factors);
    StickBlockLuReport report = {.pivot = INFINITY, .flops = plan->active_flops};
    for (int k = 0; k < plan->first_of_part[plan->nparts]; k++)
        wait_for_next(lu, plan->by_part[k], true);
    for (int part = 0; part <= plan->nparts; part++) {
        if (part == plan->nparts && report.pivot > 0)
            factor_part(&factors, part);
        report.growth = larger(report.growth, factors.report[part].growth);
        report.pivot = fmin(report.pivot, factors.report[part].pivot);
    }
    return report;
}

// ---- solution

// Contribution of a part to the rows of the top, to be subtracted.
static double *sum_of(const StickBlockLu *lu, int part)
{
    return lu->sum + (size_t)part * (size_t)(lu->plan.ntop * lu->plan.d);
}

static void solve_forward(StickBlockLu *lu, int s, double *product, double *sum)
{
    Panel panel = panel_of(lu, s);
    int d = lu->plan.d;
    double *x = lu->x + panel.node->first * d;
    stick_kernel_forward(panel.columns, panel.D, panel.pivot, x);
    stick_kernel_times((StickDense){panel.rows, panel.columns, panel.L, panel.lead}, x, product);
    for (int k = 0; k < panel.node->nrows; k++) {
        int row = panel.row[k];
        double *y = k < panel.node->inner ? lu->x + row * d : sum + lu->plan.top[row] * d;
        for (int a = 0; a < d; a++)
            y[a] -= product[k * d + a];
    }
}

static void solve_backward(StickBlockLu *lu, int s, double *product)
{
    Panel panel = panel_of(lu, s);
    int d = lu->plan.d;
    double *x = lu->x + panel.node->first * d;
    for (int k = 0; k < panel.node->nrows; k++)
        for (int a = 0; a < d; a++)
            product[k * d + a] = lu->x[panel.row[k] * d + a];
    stick_kernel_subtract_transposed((StickDense){panel.rows, panel.columns, panel.U, panel.lead}, product,
                                     x);
    stick_kernel_backward(panel.columns, panel.D, x);
}

static void forward_part(void *data, int part)
{
    StickBlockLu *lu = data;
    const StickBlockPlan *plan = &lu->plan;
    bool is_top = part == plan->nparts;
    double *sum = is_top ? NULL : sum_of(lu, part);
    if (!is_top)
        memset(sum, 0, (size_t)(plan->ntop * plan->d) * sizeof *sum);
    for (int k = plan->first_of_part[part]; k < plan->first_of_part[part + 1]; k++)
        solve_forward(lu, plan->by_part[k], lu->lane[is_top ? 0 : part].product, sum);
}

static void backward_part(void *data, int part)
{
    StickBlockLu *lu = data;
    const StickBlockPlan *plan = &lu->plan;
    for (int k = plan->first_of_part[part + 1] - 1; k >= plan->first_of_part[part]; k--)
        solve_backward(lu, plan->by_part[k], lu->lane[part == plan->nparts ? 0 : part].product);
}

// Subtracts the contributions of the parts from the rows of the top, one part after the other.
static void add_sums(StickBlockLu *lu)
{
    const StickBlockPlan *plan = &lu->plan;
    for (int k = plan->first_of_part[plan->nparts]; k < plan->nsupernodes; k++) {
        const StickSupernode *node = &plan->supernode[plan->by_part[k]];
        double *x = lu->x + node->first * plan->d;
        for (int part = 0; part < plan->nparts; part++) {
            const double *sum = sum_of(lu, part) + plan->top[node->first] * plan->d;
            for (int i = 0; i < node->width * plan->d; i++)
                x[i] += sum[i];
        }
    }
}

void stick_block_lu_solve(StickBlockLu *lu, const double *b, double *x)
{
    const StickBlockPlan *plan = &lu->plan;
    int d = plan->d;
    for (int k = 0; k < plan->nactive; k++)
        memcpy(lu->x + k * d, b + plan->order[plan->active[k]] * d, (size_t)d * sizeof *x);
    run_parts(lu, forward_part, lu);
    add_sums(lu);
    forward_part(lu, plan->nparts);
    backward_part(lu, plan->nparts);
    run_parts(lu, backward_part, lu);
    for (int k = 0; k < plan->nactive; k++)
        memcpy(x + plan->order[plan->active[k]] * d, lu->x + k * d, (size_t)d * sizeof *x);
}

// rest = b - A x in row i; returns the larger of |rest| and `most`.
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
