// SPDX-License-Identifier: Apache-2.0
#include "solve/sweep.h"

#include "base/memory.h"
#include "solve/cone.h"
#include "solve/lanes.h"
#include "solve/problem.h"
#include "solve/section_local.h"

#include <string.h>

enum { FIRST_MEASURES = 3, MEASURE_EVERY = 16 };

// An error is near the tolerance below this multiple of it.
static const double NEAR = 8;

static double pass_plain(StickSweep *sweep, StickDirection direction, double relaxation);
STICK_AVX2 static double pass_avx2(StickSweep *sweep, StickDirection direction, double relaxation);

// ---- life

StickStatus stick_sweep_create(StickContext *ctx, StickSweep **sweep)
{
    StickSweep *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->pass = STICK_HAS_AVX2() ? pass_avx2 : pass_plain;
    *sweep = created;
    return STICK_OK;
}

void stick_sweep_destroy(StickSweep *sweep)
{
    if (!sweep)
        return;
    stick_free(sweep->ctx, sweep->r);
    stick_free(sweep->ctx, sweep->u);
    stick_free(sweep->ctx, sweep->packed);
    stick_free(sweep->ctx, sweep->scale);
    stick_free(sweep->ctx, sweep->drive);
    stick_free(sweep->ctx, sweep->start);
    stick_free(sweep->ctx, sweep->place);
    stick_free(sweep->ctx, sweep->row);
    stick_free(sweep->ctx, sweep->value);
    stick_free(sweep->ctx, sweep->local);
    stick_free(sweep->ctx, sweep);
}

static int stride_of(int dim)
{
    return dim == 3 ? 4 : dim;
}

size_t stick_sweep_length(const StickFrictionProblem *problem)
{
    return ((size_t)stride_of(problem->dim) * (size_t)problem->ncontacts + 3) / 4 * 4;
}

StickStatus stick_sweep_reserve(StickSweep *sweep, const StickFrictionProblem *problem)
{
    StickContext *ctx = sweep->ctx;
    size_t dim = (size_t)problem->dim, count = (size_t)problem->ncontacts;
    size_t blocks = problem->W && count > 0 ? (size_t)problem->W->start[count] : 0;
    static const size_t local_size[] = {0, sizeof(StickLocal1), sizeof(StickLocal2), sizeof(StickLocal3)};
    STICK_RESERVE(ctx, sweep->r, sweep->room_r, stick_sweep_length(problem));
    STICK_RESERVE(ctx, sweep->u, sweep->room_u, stick_sweep_length(problem));
    STICK_RESERVE(ctx, sweep->packed, sweep->room_packed, 2 * dim * count);
    STICK_RESERVE(ctx, sweep->scale, sweep->room_scale, count);
    STICK_RESERVE(ctx, sweep->drive, sweep->room_drive, count);
    STICK_RESERVE(ctx, sweep->start, sweep->room_start, count + 1);
    STICK_RESERVE(ctx, sweep->place, sweep->room_place, count);
    STICK_RESERVE(ctx, sweep->row, sweep->room_row, blocks);
    // vectors of four reach one beyond the last block
    STICK_RESERVE(ctx, sweep->value, sweep->room_value, blocks * dim * dim + 3);
    STICK_RESERVE(ctx, sweep->local, sweep->room_local, count * local_size[dim] / sizeof *sweep->local);
    return STICK_OK;
}

// ---- block columns

// One block by rows to one by columns.
STICK_BODY void transpose_block(int d, const double *block, double *transposed)
{
    if (d == 3) {
        StickFour low = *(const StickFour *)block, high = *(const StickFour *)(block + 4);
        *(StickFour *)transposed = __builtin_shufflevector(low, high, 0, 3, 6, 1);
        *(StickFour *)(transposed + 4) = __builtin_shufflevector(high, low, 0, 3, 6, 1);
        transposed[8] = block[8];
        return;
    }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            transposed[j * d + i] = block[i * d + j];
}

// Block rows to block columns. Mostly the pattern is symmetric, and the columns begin where the rows do: place
// says where the next block of a column goes. false if a column turns out to be longer than its row.
STICK_BODY bool copy_columns(int d, const StickBlocks *W, const int *start, int *place, int *row,
                             double *value)
{
    const double *block = W->value;
    memcpy(place, start, (size_t)W->n * sizeof *place);
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++, block += d * d) {
            int c = W->col[k], to = place[c]++;
            if (to == start[c + 1])
                return false;
            row[to] = i;
            transpose_block(d, block, value + (size_t)to * (size_t)(d * d));
        }
    return true;
}

static bool copy_columns1(const StickBlocks *W, const int *start, int *place, int *row, double *value)
{
    return copy_columns(1, W, start, place, row, value);
}

static bool copy_columns2(const StickBlocks *W, const int *start, int *place, int *row, double *value)
{
    return copy_columns(2, W, start, place, row, value);
}

static bool copy_columns3(const StickBlocks *W, const int *start, int *place, int *row, double *value)
{
    return copy_columns(3, W, start, place, row, value);
}

static void count_columns(const StickBlocks *W, int *start)
{
    memset(start, 0, ((size_t)W->n + 1) * sizeof *start);
    for (int k = 0; k < W->start[W->n]; k++)
        start[W->col[k] + 1]++;
    for (int c = 0; c < W->n; c++)
        start[c + 1] += start[c];
}

static bool try_columns(StickSweep *sweep, const StickBlocks *W)
{
    static bool (*const copy[])(const StickBlocks *, const int *, int *, int *,
                                double *) = {NULL, copy_columns1, copy_columns2, copy_columns3};
    return copy[W->d](W, sweep->start, sweep->place, sweep->row, sweep->value);
}

static void take_columns(StickSweep *sweep, const StickBlocks *W)
{
    memcpy(sweep->start, W->start, ((size_t)W->n + 1) * sizeof *W->start);
    if (try_columns(sweep, W))
        return;
    count_columns(W, sweep->start);
    try_columns(sweep, W);
}

// ---- contacts

static void take_contact(StickSweep *sweep, int c, const double *A, double mu)
{
    double trace = 0;
    for (int k = 0; k < sweep->dim; k++)
        trace += A[k * (sweep->dim + 1)];
    sweep->scale[c] = sqrt(trace > 0 ? trace / sweep->dim : 1);
    if (sweep->dim == 1)
        stick_local_prepare1(A, (StickLocal1 *)sweep->local + c);
    else if (sweep->dim == 2)
        stick_local_prepare2(A, mu, (StickLocal2 *)sweep->local + c);
    else
        stick_local_prepare3(A, mu, (StickLocal3 *)sweep->local + c);
}

static void take_contacts(StickSweep *sweep, const StickFrictionProblem *problem)
{
    size_t dim = (size_t)problem->dim, stride = (size_t)sweep->stride;
    const StickBlocks *W = problem->W;
    memset(sweep->r, 0, sweep->length * sizeof *sweep->r);
    memset(sweep->u, 0, sweep->length * sizeof *sweep->u);
    sweep->u_free_size = sweep->u_free_size_scaled = 0;
    double drive = stick_residual_drive(problem);
    for (int c = 0; c < problem->ncontacts; c++) {
        const double *A = W->value + (size_t)stick_blocks_diagonal(W, c) * dim * dim;
        const double *u_free = problem->u_free + dim * (size_t)c;
        take_contact(sweep, c, A, dim == 1 ? 0 : problem->mu[c]);
        sweep->drive[c] = stick_residual_scale(problem, c, drive);
        double size = 0, inverse = 1 / sweep->scale[c];
        for (size_t k = 0; k < dim; k++) {
            sweep->u[stride * (size_t)c + k] = u_free[k];
            size += u_free[k] * u_free[k];
        }
        sweep->u_free_size += size;
        sweep->u_free_size_scaled += size * inverse * inverse;
    }
}

void stick_sweep_load(StickSweep *sweep, const StickFrictionProblem *problem)
{
    sweep->problem = problem;
    sweep->dim = problem->dim;
    sweep->ncontacts = problem->ncontacts;
    sweep->stride = stride_of(problem->dim);
    sweep->length = stick_sweep_length(problem);
    sweep->sections = stick_section_any(problem);
    take_columns(sweep, problem->W);
    take_contacts(sweep, problem);
}

// ---- r and u

static void spread(const StickSweep *sweep, const double *from, double *to)
{
    int dim = sweep->dim, stride = sweep->stride;
    for (int c = 0; c < sweep->ncontacts; c++)
        for (int k = 0; k < dim; k++)
            to[(size_t)stride * (size_t)c + (size_t)k] = from[(size_t)dim * (size_t)c + (size_t)k];
}

void stick_sweep_pack(const StickSweep *sweep, const double *vector, double *packed)
{
    int dim = sweep->dim, stride = sweep->stride;
    for (int c = 0; c < sweep->ncontacts; c++)
        for (int k = 0; k < dim; k++)
            packed[(size_t)dim * (size_t)c + (size_t)k] = vector[(size_t)stride * (size_t)c + (size_t)k];
}

void stick_sweep_get(const StickSweep *sweep, double *r)
{
    stick_sweep_pack(sweep, sweep->r, r);
}

void stick_sweep_set(StickSweep *sweep, const double *r)
{
    spread(sweep, r, sweep->r);
    stick_residual_velocity(sweep->problem, r, sweep->packed);
    spread(sweep, sweep->packed, sweep->u);
}

void stick_sweep_start(StickSweep *sweep, const double *r, const double *u)
{
    if (u) {
        spread(sweep, r, sweep->r);
        spread(sweep, u, sweep->u);
        return;
    }
    for (int i = 0; i < sweep->dim * sweep->ncontacts; i++)
        if (r[i] != 0) {
            stick_sweep_set(sweep, r);
            return;
        }
}

void stick_sweep_refresh(StickSweep *sweep)
{
    double *r = sweep->packed + (size_t)sweep->dim * (size_t)sweep->ncontacts;
    stick_sweep_get(sweep, r);
    stick_sweep_set(sweep, r);
}

bool stick_sweep_accepts(StickSweep *sweep, const StickSolverOptions *options, double *r, double *u)
{
    stick_sweep_get(sweep, r);
    stick_residual_velocity(sweep->problem, r, u);
    spread(sweep, u, sweep->u);
    sweep->residual = stick_residual(sweep->problem, r, u);
    return stick_residual_within(sweep->residual, options);
}

// ---- the pass over the contacts

// over-relaxed changes may leave the cone
STICK_BODY void relax(int dim, double mu, double relaxation, const double *old, double *r)
{
    double y[3];
    for (int k = 0; k < dim; k++)
        y[k] = old[k] + relaxation * (r[k] - old[k]);
    stick_cone_project(dim, mu, y, r);
}

STICK_BODY double pass1(StickSweep *sweep, StickDirection direction, double relaxation)
{
    int n = sweep->ncontacts;
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int c = direction == STICK_FORWARD ? k : n - 1 - k;
        double *r = sweep->r + c, old = *r;
        if (old == 0 && sweep->u[c] >= 0)
            continue;
        stick_local_update1((StickLocal1 *)sweep->local + c, sweep->u + c, r);
        if (relaxation != 1)
            relax(1, 0, relaxation, &old, r);
        double change = *r - old;
        for (int e = sweep->start[c]; e < sweep->start[c + 1] && change != 0; e++)
            sweep->u[sweep->row[e]] += sweep->value[e] * change;
        sum += change * change;
    }
    return sum;
}

STICK_BODY double pass2(StickSweep *sweep, StickDirection direction, double relaxation)
{
    int n = sweep->ncontacts;
    const int *start = sweep->start, *row = sweep->row;
    const double *value = sweep->value;
    double *u = sweep->u, sum = 0;
    for (int k = 0; k < n; k++) {
        int c = direction == STICK_FORWARD ? k : n - 1 - k;
        double *r = sweep->r + 2 * c;
        if (r[0] == 0 && r[1] == 0 && u[2 * c] >= 0)
            continue;
        StickLocal2 *local = (StickLocal2 *)sweep->local + c;
        double old[2] = {r[0], r[1]}, new[2] = {r[0], r[1]};
        stick_local_update2(local, u + 2 * c, new);
        if (relaxation != 1)
            relax(2, local->mu, relaxation, old, new);
        r[0] = new[0], r[1] = new[1];
        double d0 = new[0] - old[0], d1 = new[1] - old[1];
        if (d0 == 0 && d1 == 0)
            continue;
        sum += d0 * d0 + d1 * d1;
        const double *block = value + (size_t)start[c] * 4;
        for (int e = start[c], end = start[c + 1]; e < end; e++, block += 4) {
            StickTwo *u_j = (StickTwo *)(u + 2 * (size_t)row[e]);
            *u_j += *(const StickTwo *)block * d0 + *(const StickTwo *)(block + 2) * d1;
        }
    }
    return sum;
}

STICK_BODY double pass3(StickSweep *sweep, StickDirection direction, double relaxation)
{
    int n = sweep->ncontacts;
    const int *start = sweep->start, *row = sweep->row;
    const double *value = sweep->value;
    double *u = sweep->u, sum = 0;
    const StickFourBits mask = {-1, -1, -1, 0};
    for (int k = 0; k < n; k++) {
        int c = direction == STICK_FORWARD ? k : n - 1 - k;
        double *r = sweep->r + 4 * (size_t)c;
        if (r[0] == 0 && u[4 * c] >= 0 && r[1] == 0 && r[2] == 0)
            continue;
        StickLocal3 *local = (StickLocal3 *)sweep->local + c;
        double old[3] = {r[0], r[1], r[2]}, new[3] = {r[0], r[1], r[2]};
        stick_local_update3(local, u + 4 * (size_t)c, new);
        if (relaxation != 1)
            relax(3, local->mu, relaxation, old, new);
        r[0] = new[0], r[1] = new[1], r[2] = new[2];
        double d0 = new[0] - old[0], d1 = new[1] - old[1], d2 = new[2] - old[2];
        if (d0 == 0 && d1 == 0 && d2 == 0)
            continue;
        sum += d0 * d0 + d1 * d1 + d2 * d2;
        const double *block = value + (size_t)start[c] * 9;
        for (int e = start[c], end = start[c + 1]; e < end; e++, block += 9) {
            StickFour *u_j = (StickFour *)(u + 4 * (size_t)row[e]);
            StickFour change = *(const StickFour *)block * d0 + *(const StickFour *)(block + 3) * d1 +
                               *(const StickFour *)(block + 6) * d2;
            *u_j += (StickFour)((StickFourBits)change & mask);
        }
    }
    return sum;
}

// Any contact, by its section or with the disk.
static void update_any(StickSweep *sweep, int c, const double *u, double *r)
{
    const StickSection *section = stick_section_of(sweep->problem, c);
    if (sweep->dim == 2) {
        StickLocal2 *local = (StickLocal2 *)sweep->local + c;
        if (section)
            stick_section_update(local, section, u, r);
        else
            stick_local_update2(local, u, r);
    } else {
        StickLocal3 *local = (StickLocal3 *)sweep->local + c;
        if (section)
            stick_section_update(local, section, u, r);
        else
            stick_local_update3(local, u, r);
    }
}

static void relax_any(const StickSweep *sweep, int c, double relaxation, const double *old, double *r)
{
    const StickSection *section = stick_section_of(sweep->problem, c);
    double y[3];
    if (!section) {
        relax(sweep->dim, sweep->problem->mu[c], relaxation, old, r);
        return;
    }
    for (int k = 0; k < sweep->dim; k++)
        y[k] = old[k] + relaxation * (r[k] - old[k]);
    stick_section_project(section, y, r);
}

// u_j += W_jc change
static void scatter(StickSweep *sweep, int c, const double *change)
{
    size_t d = (size_t)sweep->dim, stride = (size_t)sweep->stride;
    for (int e = sweep->start[c]; e < sweep->start[c + 1]; e++) {
        const double *block = sweep->value + (size_t)e * d * d;
        double *u_j = sweep->u + stride * (size_t)sweep->row[e];
        for (size_t j = 0; j < d; j++)
            for (size_t i = 0; i < d; i++)
                u_j[i] += block[d * j + i] * change[j];
    }
}

static double pass_sections(StickSweep *sweep, StickDirection direction, double relaxation)
{
    int n = sweep->ncontacts, dim = sweep->dim;
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int c = direction == STICK_FORWARD ? k : n - 1 - k;
        double *r = sweep->r + (size_t)sweep->stride * (size_t)c,
               *u = sweep->u + (size_t)sweep->stride * (size_t)c;
        double old[3] = {0}, change[3], size = 0;
        for (int i = 0; i < dim; i++)
            size += fabs(old[i] = r[i]);
        if (size == 0 && u[0] >= 0)
            continue;
        update_any(sweep, c, u, r);
        if (relaxation != 1)
            relax_any(sweep, c, relaxation, old, r);
        for (int i = 0; i < dim; i++) {
            change[i] = r[i] - old[i];
            sum += change[i] * change[i];
        }
        scatter(sweep, c, change);
    }
    return sum;
}

STICK_BODY double pass(StickSweep *sweep, StickDirection direction, double relaxation)
{
    if (sweep->dim == 1)
        return pass1(sweep, direction, relaxation);
    return sweep->dim == 2 ? pass2(sweep, direction, relaxation) : pass3(sweep, direction, relaxation);
}

static double pass_plain(StickSweep *sweep, StickDirection direction, double relaxation)
{
    return pass(sweep, direction, relaxation);
}

STICK_AVX2 static double pass_avx2(StickSweep *sweep, StickDirection direction, double relaxation)
{
    return pass(sweep, direction, relaxation);
}

double stick_sweep_run(StickSweep *sweep, StickDirection direction, double relaxation)
{
    return sqrt((sweep->sections ? pass_sections : sweep->pass)(sweep, direction, relaxation));
}

bool stick_watch_is_due(StickWatch *watch, double change, double tolerance)
{
    int since = ++watch->sweeps - watch->last;
    return watch->sweeps <= FIRST_MEASURES || since >= MEASURE_EVERY ||
           !(watch->relation * change > NEAR * tolerance);
}

void stick_watch_saw(StickWatch *watch, double change, double error)
{
    watch->last = watch->sweeps;
    watch->relation = change > 0 ? error / change : 0;
}

void stick_sweep_use_plain(StickSweep *sweep)
{
    sweep->pass = pass_plain;
}

double stick_sweep_flops(const StickSweep *sweep)
{
    double d = sweep->dim, blocks = sweep->ncontacts > 0 ? sweep->start[sweep->ncontacts] : 0;
    return 2 * d * d * blocks + 40 * d * sweep->ncontacts;
}

// ---- the first sweep

STICK_BODY void first(int dim, const StickFrictionProblem *problem, double *r)
{
    const StickBlocks *W = problem->W;
    size_t d = (size_t)dim;
    for (int c = 0; c < W->n; c++) {
        double b[3];
        int k = W->start[c];
        for (size_t i = 0; i < d; i++)
            b[i] = problem->u_free[d * (size_t)c + i];
        for (; W->col[k] < c; k++) {
            const double *block = W->value + (size_t)k * d * d, *x = r + d * (size_t)W->col[k];
            for (size_t i = 0; i < d && x[0] != 0; i++)
                for (size_t j = 0; j < d; j++)
                    b[i] += block[d * i + j] * x[j];
        }
        for (size_t i = 0; i < d; i++)
            r[d * (size_t)c + i] = 0;
        const StickSection *section = stick_section_of(problem, c);
        if (b[0] < 0 && section)
            stick_section_solve(section, W->value + (size_t)k * d * d, b, r + d * (size_t)c);
        else if (b[0] < 0)
            stick_local_solve(dim, W->value + (size_t)k * d * d, b, dim == 1 ? 0 : problem->mu[c],
                              r + d * (size_t)c);
    }
}

void stick_sweep_first(const StickFrictionProblem *problem, double *r)
{
    if (problem->dim == 1)
        first(1, problem, r);
    else if (problem->dim == 2)
        first(2, problem, r);
    else
        first(3, problem, r);
}

bool stick_sweep_from_nothing(const StickFrictionProblem *problem, double *r, double *u,
                              StickResidual *residual)
{
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        if (r[i] != 0)
            return false;
    stick_sweep_first(problem, r);
    stick_residual_velocity(problem, r, u);
    *residual = stick_residual(problem, r, u);
    return true;
}

// ---- errors

STICK_BODY void add_up(int dim, const StickSweep *sweep, StickSums *raw, StickSums *scaled, double *contact)
{
    size_t stride = (size_t)sweep->stride;
    for (int c = 0; c < sweep->ncontacts; c++) {
        const double *r = sweep->r + stride * (size_t)c, *u = sweep->u + stride * (size_t)c;
        double mu = dim == 1 ? 0 : sweep->problem->mu[c];
        stick_sums_add(dim, mu, 1, r, u, raw);
        if (scaled) {
            double s = sweep->scale[c], defect = stick_sums_add(dim, mu, s, r, u, scaled);
            stick_sums_raise(dim, defect, s * s, sweep->drive[c], r, u, contact);
        }
    }
}

static void add_up_sections(const StickSweep *sweep, StickSums *raw, StickSums *scaled, double *contact)
{
    size_t stride = (size_t)sweep->stride;
    for (int c = 0; c < sweep->ncontacts; c++) {
        const StickSection *section = stick_section_of(sweep->problem, c);
        const double *r = sweep->r + stride * (size_t)c, *u = sweep->u + stride * (size_t)c;
        for (int k = 0; k < (scaled ? 2 : 1); k++) {
            StickSums *sums = k ? scaled : raw;
            double s = k ? sweep->scale[c] : 1, mu = sweep->problem->mu[c], defect;
            if (section)
                defect = stick_section_sums_add(section, s, r, u, sums);
            else if (sweep->dim == 2)
                defect = stick_sums_add(2, mu, s, r, u, sums);
            else
                defect = stick_sums_add(3, mu, s, r, u, sums);
            if (k)
                stick_sums_raise(sweep->dim, defect, s * s, sweep->drive[c], r, u, contact);
        }
    }
}

double stick_sweep_error(const StickSweep *sweep, StickMeasure measure)
{
    StickSums raw = {.u_free = sweep->u_free_size}, scaled = {.u_free = sweep->u_free_size_scaled};
    StickSums *also = measure == STICK_MEASURE_BOTH ? &scaled : NULL;
    double contact = 0;
    if (sweep->sections)
        add_up_sections(sweep, &raw, also, &contact);
    else if (sweep->dim == 1)
        add_up(1, sweep, &raw, also, &contact);
    else if (sweep->dim == 2)
        add_up(2, sweep, &raw, also, &contact);
    else
        add_up(3, sweep, &raw, also, &contact);
    double error = stick_sums_error(&raw), other;
    if (!also)
        return error;
    other = stick_sums_error(&scaled);
    other = sqrt(contact) > other ? sqrt(contact) : other;
    return error > other || isnan(error) ? error : other;
}
