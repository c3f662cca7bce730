// SPDX-License-Identifier: Apache-2.0
// Augmented Lagrangian with radial return and Newton's method [AC91; RBV02 (14)-(15)]: with multipliers l and a
// penalty 1/c the impulse is x = l - (y + slip) / c, which is the contact law of
//
//     y + c (x - l) = (What + c) x + q - c l
//
// and has regular matrices for every What. It is solved by generalised Newton steps on the projections
//
//     z = x - rho y_c:  open if z_N <= 0, stuck if |z_T| <= mu z_N, else sliding with x_T = mu z_N z_T / |z_T|,
//
// where rho is the inverse of the contact's own stiffness, c and the mean of its diagonal of What;
//
// then l = x (Uzawa), and the penalty grows while Newton's steps converge and falls back where they do not.
#include "base/memory.h"
#include "linalg/block_lu.h"
#include "solve/cone.h"
#include "solve/method.h"
#include "solve/problem.h"
#include "solve/scaled.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NEWTON = 8 };
static const double FIRST_C = 0.1;
static const double LEAST_C = 1e-10, MOST_C = 10;
static const double STIFFER = 0.1;   // factor on c after an augmentation that converged ...
static const double CAREFUL = 0.3;   // ... right after one that did not
static const double SOFTER = 10;     // after one that did not
static const double FRACTION = 0.5;  // of the step c |x - l| that the residual may be
static const double LONG = 3;        // of the first residual, a step that is not taken
static const double HOPELESS = 1000; // growth of the residual
static const double LEAST_PIVOT = 1e-14;

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickScaled scaled;
    StickBlockLu *lu;
    double c;          // inverse of the penalty
    double *x, *l, *y; // n: impulse, multipliers, y_c = What x + q + c (x - l)
    double *b;         // n
    double *a;         // ncontacts: mean of the diagonal of What
    double *room;      // of these
    double *value, *J; // blocks of What and of the matrix of Newton's step
    double *blocks;    // of these
    int *active;       // contacts that are not open
    int nactive;
    size_t capacity, blocks_capacity, active_capacity;
} Work;

static void destroy(void *data)
{
    Work *work = data;
    stick_scaled_destroy(&work->scaled);
    stick_block_lu_destroy(work->lu);
    stick_free(work->ctx, work->room);
    stick_free(work->ctx, work->blocks);
    stick_free(work->ctx, work->active);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    stick_scaled_create(ctx, options, &work->scaled);
    return stick_block_lu_create(ctx, &work->lu);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    const StickBlocks *W = problem->W;
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    STICK_TRY(stick_scaled_reserve(&work->scaled, problem));
    STICK_TRY(stick_block_lu_analyse(work->lu, W->n, W->start, W->col, W->d));
    STICK_RESERVE(work->ctx, work->room, work->capacity, 4 * n + (size_t)problem->ncontacts);
    STICK_RESERVE(work->ctx, work->active, work->active_capacity, problem->ncontacts);
    STICK_RESERVE(work->ctx, work->blocks, work->blocks_capacity,
                  2 * (size_t)W->start[W->n] * (size_t)(W->d * W->d));
    return STICK_OK;
}

static void load(Work *work, const StickFrictionProblem *problem, const double *r)
{
    const StickBlocks *W = problem->W;
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    work->x = work->room;
    work->l = work->x + n;
    work->y = work->l + n;
    work->b = work->y + n;
    work->a = work->b + n;
    work->value = work->blocks;
    work->J = work->value + (size_t)W->start[W->n] * (size_t)(W->d * W->d);
    stick_scaled_load(&work->scaled, problem, r, work->x);
    stick_scaled_blocks(&work->scaled, work->value);
    memcpy(work->l, work->x, n * sizeof *r);
    for (int c = 0; c < W->n; c++) {
        double s = work->scaled.s[c];
        work->a[c] = stick_friction_weight(problem, c) / (s * s);
    }
    work->c = work->options->relaxation > 0 ? work->options->relaxation : FIRST_C;
}

// ---- the law with multipliers held

static void set_velocity(Work *work)
{
    StickScaled *scaled = &work->scaled;
    stick_scaled_apply(scaled, work->x, work->y);
    for (int i = 0; i < scaled->n; i++)
        work->y[i] += scaled->q[i] + work->c * (work->x[i] - work->l[i]);
}

// |x - P(x - y_c - mu |y_cT| n)|
static double residual_of_law(const Work *work)
{
    const StickScaled *scaled = &work->scaled;
    int dim = scaled->dim;
    double sum = 0;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double p[3];
        stick_cone_step(dim, scaled->mu[c], 1, work->x + dim * c, work->y + dim * c, p);
        for (int k = 0; k < dim; k++)
            sum += (work->x[dim * c + k] - p[k]) * (work->x[dim * c + k] - p[k]);
    }
    return sqrt(sum);
}

static double rho_of(const Work *work, int contact)
{
    return 1 / (work->a[contact] + work->c);
}

// Sets x = 0 for open contacts and lists the others.
static void part(Work *work)
{
    const StickScaled *scaled = &work->scaled;
    int dim = scaled->dim;
    bool moved = false;
    work->nactive = 0;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double *x = work->x + dim * c;
        if (x[0] - rho_of(work, c) * work->y[dim * c] > 0) {
            work->active[work->nactive++] = c;
            continue;
        }
        for (int k = 0; k < dim; k++) {
            moved = moved || x[k] != 0;
            x[k] = 0;
        }
    }
    if (moved)
        set_velocity(work);
}

// A row of Newton's step: E dy + D dx = -f
typedef struct Row {
    double E[9], D[9], f[3];
} Row;

// Stuck: dy = -y. Sliding, with t = z_T / |z_T| and K = (mu z_N / |z_T|)(I - t t'):
// rho K dy_T + rho mu t dy_N + (I - K) dx_T - mu t dx_N = -(x_T - mu z_N t), and dy_N = -y_N.
static Row row_of(int dim, double mu, double rho, const double *x, const double *y)
{
    Row row = {0};
    double z[3], t[3] = {0};
    for (int k = 0; k < dim; k++) {
        z[k] = x[k] - rho * y[k];
        row.E[k * (dim + 1)] = 1;
        row.f[k] = y[k];
    }
    double tangent = stick_cone_tangent(dim, z);
    if (dim == 1 || (mu > 0 && tangent <= mu * z[0]))
        return row;
    double part_of_z = tangent > 0 ? mu * z[0] / tangent : 0;
    for (int k = 1; k < dim; k++)
        t[k] = tangent > 0 ? z[k] / tangent : 0;
    for (int i = 1; i < dim; i++) {
        for (int j = 1; j < dim; j++) {
            double K = part_of_z * ((i == j) - t[i] * t[j]);
            row.E[i * dim + j] = rho * K;
            row.D[i * dim + j] = (i == j) - K;
        }
        row.E[i * dim] = rho * mu * t[i];
        row.D[i * dim] = -mu * t[i];
        row.f[i] = x[i] - mu * z[0] * t[i];
    }
    return row;
}

// B += E A
static void add_product(int d, const double *E, const double *A, double *B)
{
    for (int i = 0; i < d; i++)
        for (int k = 0; k < d; k++)
            for (int j = 0; j < d; j++)
                B[i * d + j] += E[i * d + k] * A[k * d + j];
}

// J and b of the active contacts
static void assemble(Work *work)
{
    const StickScaled *scaled = &work->scaled;
    const StickBlocks *W = scaled->problem->W;
    int d = W->d;
    size_t size = (size_t)(d * d);
    for (int a = 0; a < work->nactive; a++) {
        int c = work->active[a];
        Row row = row_of(d, scaled->mu[c], rho_of(work, c), work->x + d * c, work->y + d * c);
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            double *J = work->J + (size_t)k * size;
            memset(J, 0, size * sizeof *J);
            add_product(d, row.E, work->value + (size_t)k * size, J);
            for (int e = 0; e < d * d && W->col[k] == c; e++)
                J[e] += row.D[e] + work->c * row.E[e];
        }
        for (int k = 0; k < d; k++)
            work->b[d * c + k] = -row.f[k];
    }
}

// False if the matrix has no good factors.
static bool newton_step(Work *work)
{
    int d = work->scaled.dim;
    part(work);
    if (work->nactive == 0)
        return true;
    assemble(work);
    StickBlockLuReport report = stick_block_lu_factor(work->lu, work->J, work->active, work->nactive);
    if (!(report.pivot > LEAST_PIVOT))
        return false;
    stick_block_lu_solve(work->lu, work->b, work->b);
    for (int a = 0; a < work->nactive; a++)
        for (int i = d * work->active[a]; i < d * (work->active[a] + 1); i++)
            work->x[i] += work->b[i];
    set_velocity(work);
    return true;
}

// ---- augmentations

// |x - l|
static double change(const Work *work)
{
    double sum = 0;
    for (int i = 0; i < work->scaled.n; i++)
        sum += (work->x[i] - work->l[i]) * (work->x[i] - work->l[i]);
    return sqrt(sum);
}

// Newton steps until the residual is small compared with the first residual and with the step c (x - l). False if
// they do not converge, or if the step is much longer than the first residual: in jammed contacts the impulse is
// unbounded.
static bool augment(Work *work, StickSolveInfo *info)
{
    set_velocity(work);
    double first = residual_of_law(work);
    for (int k = 0; k < MOST_NEWTON && info->iterations < work->options->iterations; k++) {
        info->iterations++;
        if (!newton_step(work))
            return false;
        double residual = residual_of_law(work);
        double step = work->c * change(work);
        if (residual <= FRACTION * fmin(first, step) || residual == 0)
            return step <= LONG * first;
        if (!(residual <= HOPELESS * first))
            return false;
    }
    return false;
}

// Uzawa's update, or back to the last multipliers with a lower penalty.
static void update(Work *work, bool converged, bool careful)
{
    size_t bytes = (size_t)work->scaled.n * sizeof *work->x;
    if (converged) {
        memcpy(work->l, work->x, bytes);
        work->c = fmax(work->c * (careful ? CAREFUL : STIFFER), LEAST_C);
    } else {
        memcpy(work->x, work->l, bytes);
        work->c = fmin(work->c * SOFTER, MOST_C);
    }
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    StickScaled *scaled = &work->scaled;
    bool failed = false;
    load(work, problem, r);
    StickResidual residual = stick_scaled_weigh(scaled, work->x, r, u);
    while (stick_scaled_end(scaled, residual) != STICK_SOLVE_CONVERGED &&
           info->iterations < work->options->iterations && !stick_is_stopped(scaled->ctx)) {
        bool converged = augment(work, info);
        residual = stick_scaled_weigh(scaled, work->x, r, u);
        update(work, converged, failed);
        failed = !converged;
    }
    info->end = stick_scaled_end(scaled, residual);
    snprintf(info->detail, sizeof info->detail, "best error %.1e, penalty %.1e", scaled->best, 1 / work->c);
    return STICK_OK;
}

const StickMethod stick_method_augmented_lagrangian = {
    .name = "augmented-lagrangian",
    .text = "augmented Lagrangian with radial return and Newton's method; exact cone",
    .needs_blocks = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
