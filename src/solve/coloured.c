// SPDX-License-Identifier: Apache-2.0
#include "solve/coloured.h"

#include "base/memory.h"
#include "base/pool.h"
#include "solve/coloured_mix.h"
#include "solve/coloured_rows.h"
#include "solve/method.h"
#include "solve/problem.h"

#include <string.h>

struct StickColoured {
    StickContext *ctx;
    StickPool *pool;
    StickColouring colouring;
    // Pattern of W that it belongs to: bodies at rest have that of the last step.
    bool has_colours;
    int known_n, *known_start, *known_col;
    StickRows rows;
    StickRowsKernel *sweep, *product;
    StickMeasures *sums;                 // one per chunk
    StickMeasures free;                  // of u_free alone
    const StickFrictionProblem *problem; // while it is being loaded
    double drive;                        // its squared velocity scale
    StickRowsKernel *kernel;             // that runs on the chunks ...
    int first_chunk;                     // ... from this one on
    size_t start_room, col_room, value_room, u_free_room, weight_room, drive_room, local_room, r_room, u_room,
        sums_room, known_start_room, known_col_room;
};

// ---- life

StickStatus stick_coloured_create(StickContext *ctx, int nthreads, StickColoured **coloured)
{
    StickColoured *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    StickStatus status = stick_pool_create(ctx, nthreads, &created->pool);
    if (status != STICK_OK) {
        stick_free(ctx, created);
        return status;
    }
    *coloured = created;
    return STICK_OK;
}

void stick_coloured_destroy(StickColoured *coloured)
{
    if (!coloured)
        return;
    StickContext *ctx = coloured->ctx;
    StickRows *rows = &coloured->rows;
    stick_pool_destroy(coloured->pool);
    stick_colouring_destroy(ctx, &coloured->colouring);
    stick_free(ctx, coloured->known_start);
    stick_free(ctx, coloured->known_col);
    stick_free(ctx, rows->start);
    stick_free(ctx, rows->col);
    stick_free(ctx, rows->value);
    stick_free(ctx, rows->u_free);
    stick_free(ctx, rows->weight);
    stick_free(ctx, rows->drive);
    stick_free(ctx, rows->local);
    stick_free(ctx, rows->r);
    stick_free(ctx, rows->u);
    stick_free(ctx, coloured->sums);
    stick_free(ctx, coloured);
}

StickStatus stick_coloured_reserve(StickColoured *coloured, const StickFrictionProblem *problem)
{
    StickContext *ctx = coloured->ctx;
    StickRows *rows = &coloured->rows;
    int nblocks = problem->W && problem->ncontacts > 0 ? problem->W->start[problem->ncontacts] : 0;
    size_t n = (size_t)problem->ncontacts, dim = (size_t)problem->dim, blocks = (size_t)nblocks;
    size_t locals = n * stick_rows_local_size(problem->dim) / sizeof *rows->local + 1;
    STICK_TRY(stick_colouring_reserve(ctx, &coloured->colouring, problem->ncontacts));
    STICK_RESERVE(ctx, coloured->known_start, coloured->known_start_room, n + 1);
    STICK_RESERVE(ctx, coloured->known_col, coloured->known_col_room, blocks);
    STICK_RESERVE(ctx, rows->start, coloured->start_room, n + 1);
    STICK_RESERVE(ctx, rows->col, coloured->col_room, blocks + STICK_ROWS_AHEAD);
    STICK_RESERVE(ctx, rows->value, coloured->value_room, blocks * dim * dim + 1);
    STICK_RESERVE(ctx, rows->u_free, coloured->u_free_room, n * dim);
    STICK_RESERVE(ctx, rows->weight, coloured->weight_room, n);
    STICK_RESERVE(ctx, rows->drive, coloured->drive_room, n);
    STICK_RESERVE(ctx, rows->local, coloured->local_room, locals);
    STICK_RESERVE(ctx, rows->r, coloured->r_room, n * dim);
    STICK_RESERVE(ctx, rows->u, coloured->u_room, n * dim);
    STICK_RESERVE(ctx, coloured->sums, coloured->sums_room, coloured->colouring.chunk_room);
    return STICK_OK;
}

// ---- in and out

static void add_sums(const StickSums *more, StickSums *sum)
{
    sum->defect += more->defect;
    sum->r += more->r;
    sum->u += more->u;
    sum->u_free += more->u_free;
}

static StickMeasures total(const StickColoured *coloured)
{
    StickMeasures sum = {0};
    for (int k = 0; k < coloured->colouring.nchunks; k++) {
        add_sums(&coloured->sums[k].shared, &sum.shared);
        add_sums(&coloured->sums[k].scale_free, &sum.scale_free);
        sum.contact = fmax(sum.contact, coloured->sums[k].contact);
    }
    return sum;
}

// The shift that must be subtracted from the A of the local problem to give W_cc; false if it is zero.
static bool shift_of(const StickRows *rows, int c, const double *block, double *rest)
{
    bool shifted = false;
    const double *A = stick_rows_diagonal(rows, c);
    for (int e = 0; e < rows->dim * rows->dim; e++) {
        rest[e] = block[e] - A[e];
        shifted |= rest[e] != 0;
    }
    return shifted;
}

// The local problem, and the number of neighbours: a contact whose W_cc was shifted is its own neighbour.
static void prepare_row(StickColoured *coloured, int c, StickMeasures *sums)
{
    StickRows *rows = &coloured->rows;
    const StickFrictionProblem *problem = coloured->problem;
    int old = coloured->colouring.order[c], count = problem->W->start[old + 1] - problem->W->start[old];
    size_t d = (size_t)rows->dim;
    double block[9], rest[9];
    stick_friction_diagonal(problem, old, block);
    stick_rows_prepare(rows, c, block, d == 1 ? 0 : problem->mu[old]);
    rows->start[c + 1] = shift_of(rows, c, block, rest) ? count : count - 1;
    rows->weight[c] = stick_friction_weight(problem, old);
    rows->drive[c] = stick_residual_scale(problem, old, coloured->drive);
    for (size_t i = 0; i < d; i++) {
        double u_free = problem->u_free[d * (size_t)old + i];
        rows->u_free[d * (size_t)c + i] = u_free;
        sums->shared.u_free += u_free * u_free;
        sums->scale_free.u_free += u_free * u_free / rows->weight[c];
    }
}

static void prepare_part(void *data, int part)
{
    StickColoured *coloured = data;
    StickChunk chunk = coloured->colouring.chunk[part];
    StickMeasures sums = {0};
    for (int c = chunk.first; c < chunk.end; c++)
        prepare_row(coloured, c, &sums);
    coloured->sums[part] = sums;
}

static void copy_block(const StickColoured *coloured, const double *block, int col, int to)
{
    const StickRows *rows = &coloured->rows;
    size_t d = (size_t)rows->dim;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            rows->value[d * d * (size_t)to + j * d + i] = block[i * d + j];
    rows->col[to] = col;
}

// Contacts that were solved just before are the last of a row: the sum over all others need not wait for them.
enum { JUST_BEFORE = 4 };

static void copy_row(const StickColoured *coloured, int c)
{
    const StickRows *rows = &coloured->rows;
    const StickBlocks *W = coloured->problem->W;
    int old = coloured->colouring.order[c], to = rows->start[c];
    size_t d = (size_t)rows->dim;
    double rest[9];
    for (int last = 0; last < 2; last++)
        for (int k = W->start[old]; k < W->start[old + 1]; k++) {
            const double *block = W->value + d * d * (size_t)k;
            int place = coloured->colouring.place[W->col[k]];
            if ((place < c && place >= c - JUST_BEFORE) != last)
                continue;
            if (place != c)
                copy_block(coloured, block, place, to++);
            else if (shift_of(rows, c, block, rest))
                copy_block(coloured, rest, place, to++);
        }
}

static void copy_part(void *data, int part)
{
    const StickColoured *coloured = data;
    StickChunk chunk = coloured->colouring.chunk[part];
    for (int c = chunk.first; c < chunk.end; c++)
        copy_row(coloured, c);
}

static bool is_known(const StickColoured *coloured, const StickBlocks *W)
{
    size_t rows = ((size_t)W->n + 1) * sizeof *W->start, columns = (size_t)W->start[W->n] * sizeof *W->col;
    return coloured->has_colours && coloured->known_n == W->n &&
           memcmp(coloured->known_start, W->start, rows) == 0 &&
           memcmp(coloured->known_col, W->col, columns) == 0;
}

// Colours depend on nothing but the pattern.
static void make_colours(StickColoured *coloured, const StickBlocks *W)
{
    if (is_known(coloured, W))
        return;
    stick_colouring_make(&coloured->colouring, W);
    memcpy(coloured->known_start, W->start, ((size_t)W->n + 1) * sizeof *W->start);
    memcpy(coloured->known_col, W->col, (size_t)W->start[W->n] * sizeof *W->col);
    coloured->known_n = W->n;
    coloured->has_colours = true;
}

void stick_coloured_load(StickColoured *coloured, const StickFrictionProblem *problem)
{
    StickRows *rows = &coloured->rows;
    int dim = problem->dim, n = problem->ncontacts;
    make_colours(coloured, problem->W);
    coloured->problem = problem;
    coloured->drive = stick_residual_drive(problem);
    bool sections = stick_section_any(problem);
    coloured->sweep = sections ? stick_rows_sweep_sections : stick_rows_sweep(dim, stick_rows_wide());
    coloured->product = sections ? stick_rows_product_sections : stick_rows_product(dim, stick_rows_wide());
    rows->section = sections ? problem->section : NULL;
    rows->order = coloured->colouring.order;
    rows->dim = dim;
    stick_pool_run(coloured->pool, prepare_part, coloured, coloured->colouring.nchunks);
    coloured->free = total(coloured);
    rows->start[0] = 0;
    for (int c = 0; c < n; c++)
        rows->start[c + 1] += rows->start[c];
    stick_pool_run(coloured->pool, copy_part, coloured, coloured->colouring.nchunks);
    rows->value[(size_t)(dim * dim) * (size_t)rows->start[n]] = 0;
    memset(rows->col + rows->start[n], 0, STICK_ROWS_AHEAD * sizeof *rows->col);
    memset(rows->r, 0, (size_t)dim * (size_t)n * sizeof *rows->r);
    coloured->problem = NULL;
}

// A vector from the order of the problem to that of the sweep, or back.
typedef struct Move {
    const StickColoured *coloured;
    const double *from;
    double *to;
} Move;

static void take_part(void *data, int part)
{
    const Move *move = data;
    StickChunk chunk = move->coloured->colouring.chunk[part];
    int dim = move->coloured->rows.dim;
    for (int c = chunk.first; c < chunk.end; c++)
        for (int k = 0; k < dim; k++)
            move->to[c * dim + k] = move->from[move->coloured->colouring.order[c] * dim + k];
}

static void put_back_part(void *data, int part)
{
    const Move *move = data;
    StickChunk chunk = move->coloured->colouring.chunk[part];
    int dim = move->coloured->rows.dim;
    for (int c = chunk.first; c < chunk.end; c++)
        for (int k = 0; k < dim; k++)
            move->to[move->coloured->colouring.order[c] * dim + k] = move->from[c * dim + k];
}

void stick_coloured_set(StickColoured *coloured, const double *r)
{
    Move move = {coloured, r, coloured->rows.r};
    stick_pool_run(coloured->pool, take_part, &move, coloured->colouring.nchunks);
}

static void put_back(const StickColoured *coloured, const double *from, double *to)
{
    Move move = {coloured, from, to};
    stick_pool_run(coloured->pool, put_back_part, &move, coloured->colouring.nchunks);
}

void stick_coloured_get(const StickColoured *coloured, double *r)
{
    put_back(coloured, coloured->rows.r, r);
}

void stick_coloured_velocity(const StickColoured *coloured, double *u)
{
    put_back(coloured, coloured->rows.u, u);
}

double *stick_coloured_r(StickColoured *coloured)
{
    return coloured->rows.r;
}

const double *stick_coloured_weight(const StickColoured *coloured)
{
    return coloured->rows.weight;
}

int stick_coloured_dim(const StickColoured *coloured)
{
    return coloured->rows.dim;
}

void stick_coloured_run(StickColoured *coloured, StickPart *part, void *data, int nparts)
{
    stick_pool_run(coloured->pool, part, data, nparts);
}

int stick_coloured_colours(const StickColoured *coloured)
{
    return coloured->colouring.ncolours;
}

double stick_coloured_bytes(const StickColoured *coloured)
{
    int dim = coloured->rows.dim, n = coloured->colouring.n;
    double block = dim * dim * sizeof(double) + sizeof(int);
    // per contact: start, local problem, weight, u_free, r in and out
    double contact = sizeof(int) + stick_rows_local_size(dim) + (1 + 3 * dim) * sizeof(double);
    return block * coloured->rows.start[n] + contact * n;
}

// ---- sweeps and products

static void run_part(void *data, int part)
{
    StickColoured *coloured = data;
    int chunk = coloured->first_chunk + part;
    coloured->kernel(&coloured->rows, coloured->colouring.chunk[chunk], &coloured->sums[chunk]);
}

StickChange stick_coloured_sweep(StickColoured *coloured)
{
    const int *first_chunk = coloured->colouring.first_chunk;
    coloured->kernel = coloured->sweep;
    for (int k = 0; k < coloured->colouring.ncolours; k++) {
        coloured->first_chunk = first_chunk[k];
        stick_pool_run(coloured->pool, run_part, coloured, first_chunk[k + 1] - first_chunk[k]);
    }
    StickMeasures sum = total(coloured);
    return (StickChange){
        stick_sums_relative(sum.shared.defect, fmax(sum.shared.r, coloured->free.shared.u_free)),
        stick_sums_relative(sum.scale_free.defect, fmax(sum.scale_free.r, coloured->free.scale_free.u_free)),
    };
}

StickResidual stick_coloured_residual(StickColoured *coloured)
{
    coloured->kernel = coloured->product;
    coloured->first_chunk = 0;
    stick_pool_run(coloured->pool, run_part, coloured, coloured->colouring.nchunks);
    StickMeasures sum = total(coloured);
    sum.shared.u_free = coloured->free.shared.u_free;
    sum.scale_free.u_free = coloured->free.scale_free.u_free;
    return stick_residual_of(&sum);
}

// ---- the method

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickColoured *coloured;
    StickColouredMix *mix; // NULL: plain sweeps
    StickResidualPieces pieces;
} Work;

// A check costs as much as a sweep. The change of a sweep decreases with the error, so the change predicts when the
// next check is worthwhile; each check updates the ratio of the two.
typedef struct Checks {
    double best;        // error of the best iterate so far
    double aim;         // change at which the error should be small enough
    int latest;         // number of sweeps after which a check comes in any case
    StickResidual last; // residual
} Checks;

static void destroy(void *data)
{
    Work *work = data;
    stick_residual_release(&work->pieces);
    stick_coloured_mix_destroy(work->mix);
    stick_coloured_destroy(work->coloured);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    *work = (Work){.ctx = ctx, .options = options};
    return stick_coloured_create(ctx, options->threads, &work->coloured);
}

static StickStatus create_mixed(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    STICK_TRY(create(ctx, options, work));
    return stick_coloured_mix_create(ctx, work->coloured, &work->mix);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    if (work->mix)
        STICK_TRY(stick_coloured_mix_reserve(work->mix, problem));
    STICK_TRY(stick_residual_reserve(work->ctx, problem, &work->pieces));
    return stick_coloured_reserve(work->coloured, problem);
}

// One counted sweep. With acceleration the iterate moves on only here, so that the previous one could be measured.
static double sweep_once(Work *work, StickSolveInfo *info)
{
    if (work->mix && info->iterations > 0)
        stick_coloured_mix_after(work->mix);
    if (work->mix)
        stick_coloured_mix_before(work->mix);
    StickChange change = stick_coloured_sweep(work->coloured);
    info->iterations++;
    return work->options->measure == STICK_MEASURE_SHARED ? change.shared
                                                          : fmax(change.shared, change.scale_free);
}

// Measures the iterate, and keeps it in r if it is the best so far.
static void check(Work *work, double change, int sweeps, Checks *checks, double *r)
{
    checks->last = stick_coloured_residual(work->coloured);
    double error = stick_residual_error(checks->last, work->options->measure);
    if (error < checks->best || stick_residual_within(checks->last, work->options)) {
        checks->best = error;
        stick_coloured_get(work->coloured, r);
    }
    checks->aim = change * fmin(0.9, work->options->tolerance / error);
    checks->latest = 2 * sweeps > 4 ? 2 * sweeps : 4;
}

// The final test uses the measure that all solvers share, with u computed from the problem itself.
static bool is_solved(const Work *work, const Checks *checks, const StickFrictionProblem *problem,
                      const double *r, double *u, StickSolveInfo *info)
{
    if (!stick_residual_within(checks->last, work->options))
        return false;
    StickResidual residual = stick_residual_measure(&work->pieces, problem, r, u);
    info->residual = residual.shared;
    return stick_residual_within(residual, work->options);
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    int most = work->options->iterations;
    Checks checks = {.best = INFINITY};
    stick_coloured_load(work->coloured, problem);
    stick_coloured_set(work->coloured, r);
    if (work->mix)
        stick_coloured_mix_start(work->mix);
    check(work, INFINITY, 0, &checks, r);
    bool solved = is_solved(work, &checks, problem, r, u, info);
    double change = 1;
    while (!solved && isfinite(checks.last.shared) && change > 0 && info->iterations < most &&
           !stick_is_stopped(work->ctx)) {
        change = sweep_once(work, info);
        if (change > checks.aim && info->iterations < checks.latest && info->iterations < most)
            continue;
        check(work, change, info->iterations, &checks, r);
        solved = is_solved(work, &checks, problem, r, u, info);
    }
    info->end = solved                         ? STICK_SOLVE_CONVERGED
                : isfinite(checks.last.shared) ? STICK_SOLVE_LIMIT
                                               : STICK_SOLVE_NOT_FINITE;
    return STICK_OK;
}

const StickMethod stick_method_coloured = {
    .name = "coloured",
    .text = "Gauss-Seidel on several threads, contacts in colours, for very large problems; exact cone",
    .needs_blocks = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};

const StickMethod stick_method_coloured_mixed = {
    .name = "coloured",
    .text = "the same with Anderson's acceleration",
    .needs_blocks = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create_mixed,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
