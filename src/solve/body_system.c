// SPDX-License-Identifier: Apache-2.0
#include "solve/body_system.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Bodies of one piece of work, and pieces of a sum over contacts.
enum { BODIES = 32, SUMS = 64 };

// Largest number of doubles in the factors: 1.2 GB.
static const double most_numbers = 1.5e8;

// Columns of H and rows of blocks are padded to vectors of four numbers; the compiler splits them where the processor
// has only pairs.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#define HAS_WIDE() __builtin_cpu_supports("avx2")
#else
#define WIDE
#define HAS_WIDE() 0
#endif

static int padded(int ndofs)
{
    return (ndofs + 3) / 4 * 4;
}

StickStatus stick_body_system_create(StickContext *ctx, StickBodySystem *system)
{
    *system = (StickBodySystem){.ctx = ctx};
    STICK_TRY(stick_block_lu_create(ctx, &system->lu));
    stick_block_lu_limit(system->lu, most_numbers);
    return STICK_OK;
}

void stick_body_system_destroy(StickBodySystem *system)
{
    if (!system->ctx)
        return;
    stick_block_lu_destroy(system->lu);
    stick_body_joints_destroy(&system->joints);
    stick_residual_release(&system->pieces);
    stick_free(system->ctx, system->ints);
    stick_free(system->ctx, system->reals);
    stick_free(system->ctx, system->other);
    stick_free(system->ctx, system->block);
    stick_free(system->ctx, system->value);
    stick_free(system->ctx, system->col);
    *system = (StickBodySystem){0};
}

// ---- threads

// A function of items from ... to - 1, by pieces.
typedef struct Pieces {
    StickRange *function;
    StickBodySum *add; // or a sum ...
    void *data;
    int count, length;
    double sum[SUMS]; // ... of every piece
} Pieces;

static void run_piece(void *data, int part)
{
    Pieces *pieces = data;
    int from = part * pieces->length, rest = pieces->count - from;
    int to = from + (rest < pieces->length ? rest : pieces->length);
    if (pieces->add)
        pieces->sum[part] = pieces->add(pieces->data, from, to);
    else
        pieces->function(pieces->data, from, to);
}

static int run_pieces(const StickBodySystem *system, Pieces *pieces)
{
    int nparts = (pieces->count + pieces->length - 1) / pieces->length;
    if (system->has_threads)
        stick_threads_run(system->ctx, &(StickParts){run_piece, pieces, nparts, system->ncontacts});
    else
        for (int part = 0; part < nparts; part++)
            run_piece(pieces, part);
    return nparts;
}

void stick_body_system_range(const StickBodySystem *system, StickRange *function, void *data)
{
    run_pieces(
        system,
        &(Pieces){.function = function, .data = data, .count = system->ncontacts, .length = STICK_PIECE});
}

double stick_body_system_sum(const StickBodySystem *system, StickBodySum *function, const void *data)
{
    int even = (system->ncontacts - 1) / SUMS + 1;
    Pieces pieces = {.add = function,
                     .data = (void *)data,
                     .count = system->ncontacts,
                     .length = even > STICK_PIECE ? even : STICK_PIECE};
    int nparts = run_pieces(system, &pieces);
    double sum = 0;
    for (int part = 0; part < nparts; part++)
        sum += pieces.sum[part];
    return sum;
}

static void for_bodies(const StickBodySystem *system, StickRange *function, void *data)
{
    run_pieces(system,
               &(Pieces){.function = function, .data = data, .count = system->nbodies, .length = BODIES});
}

// ---- bodies of a problem

static StickStatus reserve(StickBodySystem *system, const StickBodies *bodies)
{
    size_t n = (size_t)system->ncontacts, all = (size_t)bodies->nbodies, v = (size_t)system->ndofs, p = v / 3,
           ends = 2 * (n + (size_t)bodies->njoints), most = all < ends ? all : ends;
    STICK_RESERVE(system->ctx, system->ints, system->int_room, all + 6 * n + (4 + p) * (most + 1));
    STICK_RESERVE(system->ctx, system->reals, system->real_room,
                  2 * n * (size_t)system->dim * (size_t)system->lead + most * (2 * v * v + v));
    int *room = system->ints;
    system->number = room;
    system->side = system->number + all;
    system->list = system->side + 2 * n;
    system->pair = system->list + 2 * n;
    system->first = system->pair + 2 * n;
    system->start = system->first + most + 1;
    system->own = system->start + most + 1;
    system->mark = system->own + most + 1;
    system->row_start = system->mark + most + 1;
    system->H = system->reals;
    system->M = system->H + 2 * n * (size_t)system->dim * (size_t)system->lead;
    system->S = system->M + most * v * v;
    system->p = system->S + most * v * v;
    return STICK_OK;
}

// Own numbers in the order of the contacts, and the sides of every body.
static void number_bodies(StickBodySystem *system, const StickBodies *bodies)
{
    int n = system->ncontacts, *first = system->first;
    memset(system->number, -1, (size_t)bodies->nbodies * sizeof *system->number);
    system->nbodies = 0;
    for (int k = 0; k < 2 * n; k++) {
        int body = bodies->sides[k / 2].body[k % 2];
        if (body >= 0 && system->number[body] < 0)
            system->number[body] = system->nbodies++;
        system->side[k] = body < 0 ? -1 : system->number[body];
    }
    system->nbodies = stick_body_joints_number(bodies, system->number, system->nbodies);
    memset(first, 0, (size_t)(system->nbodies + 1) * sizeof *first);
    for (int k = 0; k < 2 * n; k++)
        if (system->side[k] >= 0)
            first[system->side[k] + 1]++;
    for (int b = 0; b < system->nbodies; b++)
        first[b + 1] += first[b];
    for (int k = 0; k < 2 * n; k++)
        if (system->side[k] >= 0)
            system->list[first[system->side[k]]++] = k;
    for (int b = system->nbodies; b > 0; b--)
        first[b] = first[b - 1];
    first[0] = 0;
}

// Bodies that touch, by marks: b is added to the lists of its neighbours in ascending order. count: only their number.
static void list_pairs(StickBodySystem *system, bool count, int *at)
{
    memset(system->mark, -1, (size_t)system->nbodies * sizeof *system->mark);
    for (int b = 0; b < system->nbodies; b++)
        for (int k = system->first[b] - 1; k < system->first[b + 1]; k++) {
            int a = k < system->first[b] ? b : system->side[system->list[k] ^ 1];
            if (a < 0 || system->mark[a] == b)
                continue;
            system->mark[a] = b;
            if (!count)
                system->other[at[a]] = b;
            at[a]++;
        }
}

static StickStatus find_pairs(StickBodySystem *system)
{
    int *start = system->start, nbodies = system->nbodies, p = system->ndofs / 3;
    memset(start, 0, (size_t)(nbodies + 1) * sizeof *start);
    list_pairs(system, true, start + 1);
    for (int b = 0; b < nbodies; b++)
        start[b + 1] += start[b];
    size_t pairs = (size_t)start[nbodies], size = (size_t)(system->ndofs * system->lead);
    STICK_RESERVE(system->ctx, system->other, system->pair_room, pairs);
    STICK_RESERVE(system->ctx, system->block, system->block_room, pairs * size);
    STICK_RESERVE(system->ctx, system->value, system->value_room, pairs * size);
    STICK_RESERVE(system->ctx, system->col, system->col_room, pairs * (size_t)(p * p));
    memcpy(system->own, start, (size_t)nbodies * sizeof *start);
    list_pairs(system, false, system->own);
    for (int b = 0; b < nbodies; b++) {
        for (int k = start[b]; k < start[b + 1]; k++)
            system->mark[system->other[k]] = k;
        system->own[b] = system->mark[b];
        for (int k = system->first[b]; k < system->first[b + 1]; k++) {
            int a = system->side[system->list[k] ^ 1];
            system->pair[system->list[k]] = a < 0 ? -1 : system->mark[a];
        }
        // rows and columns of 3 x 3 blocks
        for (int i = 0; i < p; i++)
            for (int k = start[b], at = p * p * start[b] + i * p * (start[b + 1] - start[b]);
                 k < start[b + 1]; k++)
                for (int j = 0; j < p; j++)
                    system->col[at++] = p * system->other[k] + j;
        for (int i = 0; i < p; i++)
            system->row_start[p * b + i] = p * p * start[b] + i * p * (start[b + 1] - start[b]);
    }
    system->row_start[p * nbodies] = p * p * start[nbodies];
    return stick_block_lu_analyse(system->lu, p * nbodies, system->row_start, system->col, 3);
}

// M = S^-1 over the velocities that are free, and 1 for those that are prescribed.
static void invert(int n, const double *S, double *M)
{
    memcpy(M, S, (size_t)(n * n) * sizeof *M);
    for (int k = 0; k < n; k++)
        M[k * (n + 1)] += M[k * (n + 1)] == 0;
    for (int k = 0; k < n; k++) {
        double pivot = 1 / M[k * (n + 1)];
        M[k * (n + 1)] = 1;
        for (int j = 0; j < n; j++)
            M[k * n + j] *= pivot;
        for (int i = 0; i < n; i++) {
            double factor = M[i * n + k];
            if (i == k || factor == 0)
                continue;
            M[i * n + k] = 0;
            for (int j = 0; j < n; j++)
                M[i * n + j] -= factor * M[k * n + j];
        }
    }
}

static void load_masses(StickBodySystem *system, const StickBodies *bodies)
{
    int v = system->ndofs;
    size_t size = (size_t)(v * v);
    for (int body = 0; body < bodies->nbodies; body++) {
        int b = system->number[body];
        if (b < 0)
            continue;
        memcpy(system->S + (size_t)b * size, bodies->S + (size_t)body * size, size * sizeof *system->S);
        invert(v, system->S + (size_t)b * size, system->M + (size_t)b * size);
    }
}

typedef struct Columns {
    StickBodySystem *system;
    const StickBodies *bodies;
} Columns;

static void load_columns(void *data, int from, int to)
{
    const Columns *columns = data;
    const StickBodies *bodies = columns->bodies;
    int v = columns->system->ndofs, dim = columns->system->dim, lead = columns->system->lead;
    for (int k = 2 * from; k < 2 * to; k++) {
        int body = bodies->sides[k / 2].body[k % 2];
        double *H = columns->system->H + (size_t)k * (size_t)(dim * lead);
        const double *S = bodies->S + (size_t)(body < 0 ? 0 : body) * (size_t)(v * v);
        const double *given = bodies->H + (size_t)bodies->sides[k / 2].entry[k % 2] * (size_t)dim;
        for (int i = 0; i < lead; i++)
            for (int l = 0; l < dim; l++) // prescribed velocities take no part
                H[l * lead + i] = body >= 0 && i < v && S[i * (v + 1)] != 0 ? given[i * dim + l] : 0;
    }
}

StickStatus stick_body_system_load(StickBodySystem *system, const StickFrictionProblem *problem,
                                   bool may_use_threads)
{
    const StickBodies *bodies = problem->bodies;
    system->dim = problem->dim;
    system->ndofs = bodies->ndofs;
    system->lead = padded(bodies->ndofs);
    system->ncontacts = problem->ncontacts;
    system->has_threads = may_use_threads && problem->ncontacts >= STICK_BODY_THREADS;
    system->pieces.is_alone = !system->has_threads;
    stick_block_lu_threads(system->lu, system->has_threads);
    STICK_TRY(reserve(system, bodies));
    STICK_TRY(stick_residual_reserve(system->ctx, problem, &system->pieces));
    number_bodies(system, bodies);
    load_masses(system, bodies);
    stick_body_system_range(system, load_columns, &(Columns){system, bodies});
    STICK_TRY(stick_body_joints_load(system->ctx, &system->joints, bodies, system->number, system->nbodies,
                                     system->S, &system->is_well));
    return find_pairs(system);
}

double stick_body_system_flops(const StickBodySystem *system)
{
    double rows = system->nbodies * (double)system->ndofs;
    return system->is_well
               ? stick_block_lu_flops(system->lu) +
                     stick_body_joints_flops(&system->joints, rows, 2 * stick_block_lu_numbers(system->lu))
               : INFINITY;
}

// ---- products

typedef struct Product {
    const StickBodySystem *system;
    const double *B, *in, *add;
    double *out;
} Product;

INLINE void velocity_of(int dim, int v, int lead, const Product *product, int from, int to)
{
    const StickBodySystem *system = product->system;
    for (int c = from; c < to; c++) {
        double *u = product->out + (size_t)c * (size_t)dim;
        for (int l = 0; l < dim; l++)
            u[l] = product->add[(size_t)c * (size_t)dim + (size_t)l];
        for (int k = 2 * c; k < 2 * c + 2; k++) {
            if (system->side[k] < 0)
                continue;
            const double *H = system->H + (size_t)k * (size_t)(dim * lead),
                         *w = product->in + system->side[k] * v;
            for (int l = 0; l < dim; l++)
                for (int i = 0; i < v; i++)
                    u[l] += H[l * lead + i] * w[i];
        }
    }
}

static void velocity_range(void *data, int from, int to)
{
    const Product *product = data;
    int dim = product->system->dim, v = product->system->ndofs;
    if (dim == 3 && v == 6)
        velocity_of(3, 6, 8, product, from, to);
    else
        velocity_of(dim, v, padded(v), product, from, to);
}

void stick_body_system_velocity(const StickBodySystem *system, const double *u_free, const double *v,
                                double *u)
{
    Product product = {.system = system, .in = v, .add = u_free, .out = u};
    stick_body_system_range(system, velocity_range, &product);
}

INLINE void impulse_of(int dim, int v, int lead, const Product *product, int from, int to)
{
    const StickBodySystem *system = product->system;
    for (int b = from; b < to; b++) {
        double *p = product->out + b * v;
        memset(p, 0, (size_t)v * sizeof *p);
        for (int e = system->first[b]; e < system->first[b + 1]; e++) {
            size_t k = (size_t)system->list[e];
            const double *H = system->H + k * (size_t)(dim * lead), *r = product->in + k / 2 * (size_t)dim;
            for (int l = 0; l < dim; l++)
                for (int i = 0; i < v; i++)
                    p[i] += H[l * lead + i] * r[l];
        }
    }
}

static void impulse_range(void *data, int from, int to)
{
    const Product *product = data;
    int dim = product->system->dim, v = product->system->ndofs;
    if (dim == 3 && v == 6)
        impulse_of(3, 6, 8, product, from, to);
    else
        impulse_of(dim, v, padded(v), product, from, to);
}

void stick_body_system_impulse(const StickBodySystem *system, const double *r, double *p)
{
    Product product = {.system = system, .in = r, .out = p};
    for_bodies(system, impulse_range, &product);
}

// q = B p by bodies
static void multiply_range(void *data, int from, int to)
{
    const Product *product = data;
    int v = product->system->ndofs;
    for (int b = from; b < to; b++) {
        const double *B = product->B + b * v * v, *p = product->in + b * v;
        for (int i = 0; i < v; i++) {
            double sum = 0;
            for (int j = 0; j < v; j++)
                sum += B[i * v + j] * p[j];
            product->out[b * v + i] = sum;
        }
    }
}

void stick_body_system_momentum(const StickBodySystem *system, const double *w, double *p)
{
    for_bodies(system, multiply_range, &(Product){.system = system, .B = system->M, .in = w, .out = p});
    stick_body_joints_momentum(&system->joints, w, p);
}

void stick_body_system_response(StickBodySystem *system, const double *p, double *w)
{
    for_bodies(system, multiply_range, &(Product){.system = system, .B = system->S, .in = p, .out = w});
    stick_body_joints_response(&system->joints, system->S, w);
}

// ---- residuals

StickResidual stick_body_system_measure(const StickBodySystem *system, const StickFrictionProblem *problem,
                                        const double *r, double *u)
{
    return stick_residual_measure(&system->pieces, problem, r, u);
}

StickResidual stick_body_system_residual(const StickBodySystem *system, const StickFrictionProblem *problem,
                                         const double *r, const double *u)
{
    return stick_residual_by_pieces(&system->pieces, problem, r, u);
}

// ---- the matrix

typedef struct Matrix {
    StickBodySystem *system;
    const unsigned char *status;
    const double *D;
    double shift;
} Matrix;

// block += HD other' with the columns of both
INLINE void add_product(int dim, int v, int lead, const double *HD, const double *other, double *block)
{
    for (int j = 0; j < lead; j += 4) {
        Four column[3];
        for (int l = 0; l < dim; l++)
            column[l] = *(const Four *)(other + l * lead + j);
        for (int i = 0; i < v; i++) {
            Four sum = *(Four *)(block + i * lead + j);
            for (int l = 0; l < dim; l++)
                sum += column[l] * HD[l * lead + i];
            *(Four *)(block + i * lead + j) = sum;
        }
    }
}

// One row of bodies: blocks of its pairs, then as blocks of 3 x 3.
INLINE void set_row(int dim, int v, int lead, const Matrix *matrix, int b)
{
    StickBodySystem *system = matrix->system;
    int first = system->start[b], count = system->start[b + 1] - first, own = system->own[b], p = v / 3;
    size_t size = (size_t)(v * lead);
    double *row = system->block + (size_t)first * size, *diagonal = row + (size_t)(own - first) * size;
    memset(row, 0, (size_t)count * size * sizeof *row);
    for (int i = 0; i < v; i++)
        for (int j = 0; j < v; j++)
            diagonal[i * lead + j] = (1 + matrix->shift) * system->M[(b * v + i) * v + j];
    for (int e = system->first[b]; e < system->first[b + 1]; e++) {
        size_t k = (size_t)system->list[e], c = k / 2;
        if (matrix->status[c] == 0)
            continue;
        const double *H = system->H + k * (size_t)(dim * lead), *D = matrix->D + c * (size_t)(dim * dim);
        Four HD[3 * 2];
        for (int l = 0; l < dim; l++)
            for (int i = 0; i < lead / 4; i++) {
                HD[l * (lead / 4) + i] = *(const Four *)(H + 4 * i) * D[l];
                for (int m = 1; m < dim; m++)
                    HD[l * (lead / 4) + i] += *(const Four *)(H + m * lead + 4 * i) * D[m * dim + l];
            }
        add_product(dim, v, lead, (const double *)HD, H, diagonal);
        if (system->pair[k] >= 0)
            add_product(dim, v, lead, (const double *)HD, system->H + (k ^ 1) * (size_t)(dim * lead),
                        row + (size_t)(system->pair[k] - first) * size);
    }
    double *value = system->value + (size_t)first * (size_t)(v * v);
    for (int i = 0; i < p; i++)
        for (int k = 0; k < count; k++)
            for (int j = 0; j < p; j++, value += 9)
                for (int x = 0; x < 3; x++)
                    for (int y = 0; y < 3; y++)
                        value[3 * x + y] = row[(k * v + 3 * i + x) * lead + 3 * j + y];
}

WIDE static void set_rows_wide(const Matrix *matrix, int from, int to)
{
    for (int b = from; b < to; b++)
        set_row(3, 6, 8, matrix, b);
}

static void set_rows(void *data, int from, int to)
{
    const Matrix *matrix = data;
    int dim = matrix->system->dim, v = matrix->system->ndofs;
    if (dim == 3 && v == 6 && HAS_WIDE()) {
        set_rows_wide(matrix, from, to);
        return;
    }
    for (int b = from; b < to; b++)
        set_row(dim, v, padded(v), matrix, b);
}

static void solve_bodies(void *data, const double *p, double *x)
{
    stick_block_lu_solve(((StickBodySystem *)data)->lu, p, x);
}

bool stick_body_system_factor(StickBodySystem *system, const unsigned char *status, const double *D,
                              double shift)
{
    Matrix matrix = {system, status, D, shift};
    for_bodies(system, set_rows, &matrix);
    return stick_block_lu_factor(system->lu, system->value, NULL, 0).pivot > 0 &&
           stick_body_joints_factor(&system->joints, system->nbodies, solve_bodies, system, system->p);
}

void stick_body_system_solve(StickBodySystem *system, const double *p, double *dv)
{
    stick_block_lu_solve(system->lu, p, dv);
    stick_body_joints_correct(&system->joints, system->nbodies, dv);
}
