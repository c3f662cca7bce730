// SPDX-License-Identifier: Apache-2.0
// Active-set Newton inside proximal points. With z = r - rho u, rho = 1/w, w = trace(W_cc)/d, and t = z_T/|z_T| a
// contact is
//
//     open    z_N <= 0:          r = 0
//     stuck   |z_T| <= mu z_N:   u = 0
//     slides  otherwise:         u_N = 0,  r_T - mu z_N t = 0
//
// and one step solves these equations linearised, with K = (mu z_N/|z_T|)(I - t t') and u_N + du_N = 0 put in
// [AC91]; [JM91] has mu r_N in place of mu z_N:
//
//     slides  (I - K) dr_T - mu t dr_N + rho K du_T = -(r_T - mu r_N t)
//
// With another section D_1 than the disk r_T is the point of z_N D_1 nearest to z_T, s z_N + K z_T, and s stands for
// mu t.
//
// Open contacts leave the system. W is rank deficient more often than not, so that u = W r + u_free gives way to
// u + alpha w (r - centre): a regular problem that a few full steps solve if alpha is large enough. Its solution
// Open contacts leave the system. W is often rank deficient, so u = W r + u_free is replaced by u + alpha w (r -
// centre): a regular problem that a few full steps solve if alpha is large enough. Its solution is the next centre,
// and alpha decreases; if the steps fail, they start again at the centre with a larger alpha. The defect may rise
// from centre to centre, as friction is not monotone: the best point is kept separately.
#include "solve/newton.h"

#include "base/memory.h"
#include "linalg/block_lu.h"
#include "solve/cone.h"
#include "solve/method.h"
#include "solve/problem.h"
#include "solve/section.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum Status { OPEN, STUCK, SLIDES } Status;

struct StickNewton {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickNewtonMap map;
    StickBlockLu *lu;
    double *value; // blocks of the linearised equations, in the pattern of W
    double *dense; // the same of the active contacts, by columns
    int *pivot;    // of the dense factors
    double *rho;   // ncontacts
    // Each dim * ncontacts:
    double *r, *u;         // iterate, u with alpha w (r - centre)
    double *closed_u;      // u once open contacts have r = 0
    double *centre;        // of the proximal problem
    double *right, *step;  // of the linearised equations
    double *previous;      // r before a step with equal compliance
    int *active, nactive;  // contacts that are not open
    int *place;            // ncontacts: their number among the active
    unsigned char *status; // ncontacts
    bool has_directions;   // contacts slide in the directions of their velocities u ...
    double *speed;         // ncontacts: |u_T|
    double *direction;     // ... without the term of a proximal point: u_T / |u_T|, or 0; dim * ncontacts
    double alpha;          // of the proximal problem at hand
    double equal;          // > 0: compliance added to every contact, in place of alpha w of its own
    double failed;         // the last one that was too small, forgotten gradually
    double outer;          // defect at the centre
    int inner;             // steps around it
    size_t value_room, dense_room, real_room, int_room, status_room;
    double *reals;
    int *ints;
};

// Dense factors up to the small order, and as a way out up to the large one.
enum { SMALL_ORDER = 48, DENSE_ORDER = 600, MOST_INNER = 8 };

// Schedule of alpha, in units of w. Chosen on stacks, piles and granular flows; values near these need up to 50 %
// more steps for the same problems.
static const double first_alpha = 0.1, least_alpha = 1e-9, most_alpha = 10;
static const double quick_down = 0.1, slow_down = 0.5, forget = 0.3, up = 4;

// A proximal problem is solved well enough when its defect is this share of that of the whole, or left early when
// the defect of the whole leaps down; beyond the last it has blown up.
static const double enough = 0.5, leap = 0.1, blown = 1e6;

// Limits of the report of the sparse factors below which the solution is refined, and its required accuracy after
// that.
static const double safe_pivot = 1e-9, safe_growth = 1e4, accurate = 1e-4;

StickStatus stick_newton_create(StickContext *ctx, const StickSolverOptions *options, StickNewtonMap map,
                                StickNewton **created)
{
    StickNewton *newton;
    STICK_ALLOC(ctx, newton, 1);
    newton->ctx = ctx;
    newton->options = options;
    newton->map = map;
    StickStatus status = stick_block_lu_create(ctx, &newton->lu);
    if (status != STICK_OK) {
        stick_free(ctx, newton);
        return status;
    }
    *created = newton;
    return STICK_OK;
}

void stick_newton_destroy(StickNewton *newton)
{
    if (!newton)
        return;
    stick_block_lu_destroy(newton->lu);
    stick_free(newton->ctx, newton->value);
    stick_free(newton->ctx, newton->dense);
    stick_free(newton->ctx, newton->reals);
    stick_free(newton->ctx, newton->ints);
    stick_free(newton->ctx, newton->status);
    stick_free(newton->ctx, newton);
}

void stick_newton_limit(StickNewton *newton, double most_numbers)
{
    stick_block_lu_limit(newton->lu, most_numbers);
}

StickStatus stick_newton_reserve(StickNewton *newton, const StickFrictionProblem *problem)
{
    size_t d = (size_t)problem->dim, n = (size_t)problem->ncontacts, rows = d * n;
    size_t order = rows < DENSE_ORDER ? rows : DENSE_ORDER;
    const StickBlocks *W = problem->W;
    STICK_RESERVE(newton->ctx, newton->value, newton->value_room, (size_t)W->start[n] * d * d);
    STICK_RESERVE(newton->ctx, newton->dense, newton->dense_room, order * order);
    STICK_RESERVE(newton->ctx, newton->reals, newton->real_room, 8 * rows + 2 * n);
    STICK_RESERVE(newton->ctx, newton->ints, newton->int_room, order + 2 * n);
    STICK_RESERVE(newton->ctx, newton->status, newton->status_room, n);
    newton->r = newton->reals;
    newton->u = newton->r + rows;
    newton->closed_u = newton->u + rows;
    newton->centre = newton->closed_u + rows;
    newton->right = newton->centre + rows;
    newton->step = newton->right + rows;
    newton->previous = newton->step + rows;
    newton->direction = newton->previous + rows;
    newton->rho = newton->direction + rows;
    newton->speed = newton->rho + n;
    newton->pivot = newton->ints;
    newton->active = newton->pivot + order;
    newton->place = newton->active + n;
    return stick_block_lu_analyse(newton->lu, W->n, W->start, W->col, W->d);
}

double stick_newton_flops(const StickNewton *newton)
{
    return stick_block_lu_flops(newton->lu);
}

// ---- linearised equations

// Row block c of the equations: (X W + Y) dr = right.
typedef struct Rows {
    double X[9], Y[9]; // by rows
    double right[3];
} Rows;

static double friction(const StickFrictionProblem *problem, int c)
{
    return problem->dim == 1 ? 0 : problem->mu[c];
}

static Status status_of(const StickNewton *newton, const StickFrictionProblem *problem, int c)
{
    int d = problem->dim;
    double rho = newton->rho[c], mu = friction(problem, c), z[3] = {0};
    for (int k = 0; k < d; k++)
        z[k] = newton->r[d * c + k] - rho * newton->u[d * c + k];
    double size = newton->map == STICK_NEWTON_ALART_CURNIER ? z[0] : fmax(newton->r[d * c], 0);
    double radius = mu * size;
    const StickSection *section = stick_section_of(problem, c);
    if (!(z[0] > 0))
        return OPEN;
    if (section)
        return stick_section_gauge(section, z + 1) > size ? SLIDES : STUCK;
    return d > 1 && (mu == 0 || stick_cone_tangent(d, z) > radius) ? SLIDES : STUCK;
}

static Rows stuck_rows(int d, double rho, const double *u)
{
    Rows rows = {0};
    for (int k = 0; k < d; k++) {
        rows.X[k * (d + 1)] = rho;
        rows.right[k] = -rho * u[k];
    }
    return rows;
}

static Rows sliding_rows(const StickNewton *newton, const StickFrictionProblem *problem, int c)
{
    int d = problem->dim;
    const double *r = newton->r + d * c, *u = newton->u + d * c, *closed = newton->closed_u + d * c;
    double rho = newton->rho[c], mu = friction(problem, c), t[3] = {0}, z_N = r[0] - rho * u[0];
    double speed = newton->has_directions && d == 3 ? newton->speed[c] : 0;
    for (int k = 1; k < d; k++)
        t[k] = speed > 0 ? -newton->direction[d * c + k] : r[k] - rho * u[k];
    double size = stick_cone_tangent(d, t);
    double radius = mu * (newton->map == STICK_NEWTON_ALART_CURNIER ? z_N : fmax(r[0], 0));
    double ratio = speed > 0 ? mu * fmax(r[0], 0) / (rho * speed) : size > 0 ? radius / size : 0;
    for (int k = 1; k < d; k++)
        t[k] = size > 0 ? t[k] / size : 0;
    Rows rows = {.X = {rho}, .right = {-rho * closed[0]}};
    for (int i = 1; i < d; i++) {
        rows.Y[i * d] = -mu * t[i];
        rows.right[i] = mu * r[0] * t[i] - r[i];
        for (int j = 1; j < d; j++) {
            double K = ratio * ((i == j) - t[i] * t[j]);
            rows.X[i * d + j] = rho * K;
            rows.Y[i * d + j] = (i == j) - (speed > 0 ? 0 : K);
            rows.right[i] -= rho * K * (closed[j] - u[j]);
        }
    }
    return rows;
}

static Rows section_rows(const StickNewton *newton, const StickFrictionProblem *problem, int c)
{
    int d = problem->dim, m = d - 1;
    const double *r = newton->r + d * c, *u = newton->u + d * c, *closed = newton->closed_u + d * c;
    double rho = newton->rho[c], z[3], s[2], K[4];
    for (int k = 0; k < d; k++)
        z[k] = r[k] - rho * u[k];
    double size = newton->map == STICK_NEWTON_ALART_CURNIER ? z[0] : fmax(r[0], 0);
    stick_section_linearise(stick_section_of(problem, c), size, z + 1, s, K);
    Rows rows = {.X = {rho}, .right = {-rho * closed[0]}};
    for (int i = 1; i < d; i++) {
        rows.Y[i * d] = -s[i - 1];
        rows.right[i] = s[i - 1] * r[0] - r[i];
        for (int j = 1; j < d; j++) {
            double entry = K[(i - 1) * m + j - 1];
            rows.X[i * d + j] = rho * entry;
            rows.Y[i * d + j] = (i == j) - entry;
            rows.right[i] += entry * (z[j] - rho * (closed[j] - u[j]));
        }
    }
    return rows;
}

// Compliance added by the regularisation to the diagonal of W_cc.
static double added_compliance(const StickNewton *newton, int c)
{
    return newton->equal > 0 ? newton->equal : newton->alpha / newton->rho[c];
}

// value = X W + (Y + alpha w X on the diagonal) in the blocks of row c that belong to active contacts
static inline __attribute__((always_inline)) void fill_blocks(int d, StickNewton *newton,
                                                              const StickBlocks *W, int c, const Rows *rows)
{
    for (int k = W->start[c]; k < W->start[c + 1]; k++) {
        if (newton->status[W->col[k]] == OPEN)
            continue;
        double *value = newton->value + (size_t)k * (size_t)(d * d);
        const double *block = W->value + (size_t)k * (size_t)(d * d), *X = rows->X;
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) {
                value[i * d + j] = X[i * d] * block[j];
                for (int l = 1; l < d; l++)
                    value[i * d + j] += X[i * d + l] * block[l * d + j];
            }
        // friction in a given direction needs no regularisation
        int regular =
            newton->has_directions && newton->speed[c] > 0 && newton->status[c] == SLIDES ? d : d * d;
        for (int e = 0; e < d * d && W->col[k] == c; e++)
            value[e] += rows->Y[e] + (e < regular ? added_compliance(newton, c) * X[e] : 0);
    }
}

static void fill_row(StickNewton *newton, const StickFrictionProblem *problem, int c)
{
    const StickBlocks *W = problem->W;
    int d = W->d;
    Rows rows = newton->status[c] == STUCK     ? stuck_rows(d, newton->rho[c], newton->closed_u + d * c)
                : stick_section_of(problem, c) ? section_rows(newton, problem, c)
                                               : sliding_rows(newton, problem, c);
    for (int k = 0; k < d; k++)
        newton->right[d * c + k] = rows.right[k];
    if (d == 3)
        fill_blocks(3, newton, W, c, &rows);
    else if (d == 2)
        fill_blocks(2, newton, W, c, &rows);
    else
        fill_blocks(1, newton, W, c, &rows);
}

// u += alpha w (r - centre)
static void add_proximal(const StickNewton *newton, const StickFrictionProblem *problem, double *u)
{
    int d = problem->dim;
    for (int c = 0; c < problem->ncontacts; c++)
        for (int k = d * c; k < d * (c + 1); k++)
            u[k] += added_compliance(newton, c) * (newton->r[k] - newton->centre[k]);
}

// Statuses, and r = 0 where it is open, with closed_u = W r + u_free.
static void decide(StickNewton *newton, const StickFrictionProblem *problem)
{
    int d = problem->dim;
    bool opened = false;
    newton->nactive = 0;
    for (int c = 0; c < problem->ncontacts; c++) {
        newton->status[c] = (unsigned char)status_of(newton, problem, c);
        if (newton->status[c] != OPEN) {
            newton->active[newton->nactive++] = c;
            continue;
        }
        for (int k = 0; k < d; k++) {
            opened |= newton->r[d * c + k] != 0;
            newton->r[d * c + k] = 0;
        }
    }
    if (opened) {
        stick_residual_velocity(problem, newton->r, newton->closed_u);
        add_proximal(newton, problem, newton->closed_u);
    } else
        memcpy(newton->closed_u, newton->u, (size_t)(d * problem->ncontacts) * sizeof *newton->u);
}

// ---- one step

static bool solve_dense(StickNewton *newton, const StickBlocks *W)
{
    int d = W->d, order = d * newton->nactive;
    memset(newton->dense, 0, (size_t)order * (size_t)order * sizeof *newton->dense);
    for (int a = 0; a < newton->nactive; a++)
        newton->place[newton->active[a]] = a;
    for (int a = 0; a < newton->nactive; a++) {
        int c = newton->active[a];
        memcpy(newton->step + d * a, newton->right + d * c, (size_t)d * sizeof *newton->step);
        for (int k = W->start[c]; k < W->start[c + 1]; k++)
            for (int e = 0; e < d * d && newton->status[W->col[k]] != OPEN; e++)
                newton->dense[(size_t)(newton->place[W->col[k]] * d + e % d) * (size_t)order +
                              (size_t)(a * d + e / d)] =
                    newton->value[(size_t)k * (size_t)(d * d) + (size_t)e];
    }
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, order, order, newton->dense, order, newton->pivot) != 0)
        return false;
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', order, 1, newton->dense, order, newton->pivot, newton->step,
                        order);
    for (int a = newton->nactive - 1; a >= 0; a--)
        memmove(newton->step + d * newton->active[a], newton->step + d * a, (size_t)d * sizeof *newton->step);
    return true;
}

// With little pivoting an iterative refinement checks the accuracy of the solution.
static bool solve_sparse(StickNewton *newton, double *flops)
{
    StickBlockLuReport report =
        stick_block_lu_factor(newton->lu, newton->value, newton->active, newton->nactive);
    *flops += report.flops;
    if (!(report.pivot > 0))
        return false;
    stick_block_lu_solve(newton->lu, newton->right, newton->step);
    if (report.pivot > safe_pivot && report.growth < safe_growth)
        return true;
    double first = stick_block_lu_refine(newton->lu, newton->value, newton->right, newton->step);
    return first < 1 &&
           stick_block_lu_refine(newton->lu, newton->value, newton->right, newton->step) < accurate;
}

static bool solve_step(StickNewton *newton, const StickBlocks *W, double *flops)
{
    int order = W->d * newton->nactive;
    if (order == 0)
        return true;
    if (order > SMALL_ORDER && solve_sparse(newton, flops))
        return true;
    double cube = (double)order * order * order;
    *flops += order <= DENSE_ORDER ? 2 * cube / 3 : 0;
    return order <= DENSE_ORDER && solve_dense(newton, W);
}

// One step of the proximal problem; false if its equations could not be solved.
static bool advance(StickNewton *newton, const StickFrictionProblem *problem, double *flops)
{
    int d = problem->dim;
    decide(newton, problem);
    for (int a = 0; a < newton->nactive; a++)
        fill_row(newton, problem, newton->active[a]);
    if (!solve_step(newton, problem->W, flops))
        return false;
    for (int a = 0; a < newton->nactive; a++)
        for (int k = d * newton->active[a]; k < d * (newton->active[a] + 1); k++)
            newton->r[k] += newton->step[k];
    return true;
}

// ---- proximal points

// |r - P(r - rho (u + mu |u_T| n))| in scale-free variables
static double defect(const StickNewton *newton, const StickFrictionProblem *problem, const double *r,
                     const double *u)
{
    int d = problem->dim;
    double sum = 0;
    for (int c = 0; c < problem->ncontacts; c++) {
        double p[3];
        const StickSection *section = stick_section_of(problem, c);
        if (section)
            stick_section_step(section, newton->rho[c], r + d * c, u + d * c, p);
        else
            stick_cone_step(d, friction(problem, c), newton->rho[c], r + d * c, u + d * c, p);
        for (int k = 0; k < d; k++)
            sum += (r[d * c + k] - p[k]) * (r[d * c + k] - p[k]) / newton->rho[c];
    }
    return sqrt(sum);
}

void stick_newton_start(StickNewton *newton, const StickFrictionProblem *problem, const double *r)
{
    size_t size = (size_t)(problem->dim * problem->ncontacts) * sizeof *r;
    for (int c = 0; c < problem->ncontacts; c++)
        newton->rho[c] = 1 / stick_friction_weight(problem, c);
    memcpy(newton->r, r, size);
    memcpy(newton->centre, r, size);
    stick_residual_velocity(problem, r, newton->u);
    newton->outer = defect(newton, problem, r, newton->u);
    newton->alpha = first_alpha;
    newton->equal = 0;
    newton->failed = 0;
    newton->inner = 0;
    newton->has_directions = false;
}

// The centre moves to the iterate, whose velocity is u, and alpha down: faster where fewer steps were needed,
// slowly where it failed before.
static void move_centre(StickNewton *newton, size_t size, const double *u, double outer)
{
    double down = newton->inner <= 2 ? quick_down : newton->inner <= 5 ? sqrt(quick_down) : 1;
    if (newton->alpha * down <= newton->failed) {
        down = fmax(down, slow_down);
        newton->failed *= forget;
    }
    newton->alpha = fmax(newton->alpha * down, least_alpha);
    newton->inner = 0;
    newton->outer = outer;
    memcpy(newton->centre, newton->r, size);
    memcpy(newton->u, u, size);
}

// Back to the centre, with a larger alpha.
static void retreat(StickNewton *newton, const StickFrictionProblem *problem, size_t size)
{
    newton->failed = newton->alpha;
    newton->alpha *= up;
    newton->inner = 0;
    memcpy(newton->r, newton->centre, size);
    stick_residual_velocity(problem, newton->r, newton->u);
}

// By which points are compared: a diverging r is small next to its own size.
static double merit(const StickNewton *newton, StickResidual residual)
{
    return fmax(stick_residual_error(residual, newton->options->measure),
                residual.velocity * residual.velocity);
}

// One step, and the update of the iterate from its result.
static void try_step(StickNewton *newton, const StickFrictionProblem *problem, double *r, double *u,
                     StickNewtonRun *run)
{
    size_t size = (size_t)(problem->dim * problem->ncontacts) * sizeof *r;
    bool solved = advance(newton, problem, &run->flops);
    newton->inner++;
    run->steps++;
    stick_residual_velocity(problem, newton->r, newton->u);
    double outer = defect(newton, problem, newton->r, newton->u);
    StickResidual residual = stick_residual(problem, newton->r, newton->u);
    if (merit(newton, residual) < merit(newton, run->residual)) {
        memcpy(r, newton->r, size);
        memcpy(u, newton->u, size);
        run->residual = residual;
    }
    memcpy(newton->closed_u, newton->u, size);
    add_proximal(newton, problem, newton->u);
    double inner = defect(newton, problem, newton->r, newton->u);
    if (solved && (inner <= enough * fmin(outer, newton->outer) || outer < leap * newton->outer))
        move_centre(newton, size, newton->closed_u, outer);
    else if (!solved || !isfinite(inner) || newton->inner == MOST_INNER || inner > blown * newton->outer)
        retreat(newton, problem, size);
}

StickNewtonRun stick_newton_continue(StickNewton *newton, const StickFrictionProblem *problem, int most_steps,
                                     double *r, double *u)
{
    StickNewtonRun run = {0};
    stick_residual_velocity(problem, r, u);
    run.residual = stick_residual(problem, r, u);
    while (run.steps < most_steps && newton->alpha <= most_alpha &&
           !stick_residual_within(run.residual, newton->options) && !stick_is_stopped(newton->ctx))
        try_step(newton, problem, r, u, &run);
    run.converged = stick_residual_within(run.residual, newton->options);
    run.stalled = !run.converged && newton->alpha > most_alpha;
    return run;
}

// Of the largest free velocity, the least speed whose direction is known.
static const double least_speed = 1e-8;

// Unit vectors of u_T
static void set_directions(StickNewton *newton, const StickFrictionProblem *problem)
{
    int d = problem->dim;
    double drive = sqrt(stick_residual_drive(problem));
    for (int c = 0; c < problem->ncontacts; c++) {
        double V = fmax(drive, sqrt(stick_residual_scale(problem, c, drive * drive)));
        double speed = stick_cone_tangent(d, newton->u + d * c);
        newton->speed[c] = speed > least_speed * V ? speed : 0;
        for (int k = 0; k < d; k++)
            newton->direction[d * c + k] = newton->speed[c] > 0 ? newton->u[d * c + k] / speed : 0;
    }
}

void stick_newton_proximal_begin(StickNewton *newton, const StickFrictionProblem *problem,
                                 const StickNewtonProximal *around, const double *r)
{
    stick_newton_start(newton, problem, r);
    newton->alpha = around->alpha;
    newton->has_directions = around->has_directions;
    set_directions(newton, problem);
}

bool stick_newton_proximal_step(StickNewton *newton, const StickFrictionProblem *problem, double *r,
                                double *u, double *flops)
{
    size_t size = (size_t)(problem->dim * problem->ncontacts) * sizeof *r;
    if (!advance(newton, problem, flops))
        return false;
    stick_residual_velocity(problem, newton->r, newton->u);
    memcpy(r, newton->r, size);
    memcpy(u, newton->u, size);
    if (newton->has_directions)
        set_directions(newton, problem);
    add_proximal(newton, problem, newton->u);
    return true;
}

// Change of r in a step, relative to its largest entry, below which it has converged: a sliding contact in 3D has found
// its direction, or a contact changes its status without force.
static const double settled_change = 1e-9;
// Where W is singular, round-off in r grows with 1/compliance: changes below this share of r that do not decrease any
// more are round-off.
static const double noisy_change = 1e-6, shrinking = 0.1;

// For given statuses the equations are linear, except where a contact slides in 3D or has a curved section.
static bool is_linear(const StickFrictionProblem *problem, int c, Status status)
{
    return status != SLIDES || problem->dim < 3 || (!stick_section_of(problem, c) && problem->mu[c] == 0);
}

// Whether the statuses of r and u are those of the last step, and its equations were linear.
static bool is_settled(const StickNewton *newton, const StickFrictionProblem *problem, bool *same)
{
    bool linear = true;
    *same = true;
    for (int c = 0; c < problem->ncontacts; c++) {
        Status status = status_of(newton, problem, c);
        *same = *same && status == newton->status[c];
        linear = linear && is_linear(problem, c, status);
    }
    return *same && linear;
}

bool stick_newton_proximal_is_settled(const StickNewton *newton, const StickFrictionProblem *problem)
{
    bool same;
    return is_settled(newton, problem, &same);
}

StickNewtonRun stick_newton_compliant(StickNewton *newton, const StickFrictionProblem *problem,
                                      const StickNewtonCompliance *compliance, int most_steps, double *r)
{
    StickNewtonRun run = {0};
    int n = problem->dim * problem->ncontacts;
    size_t size = (size_t)n * sizeof *r;
    for (int c = 0; c < problem->ncontacts; c++)
        newton->rho[c] = 1 / stick_friction_weight(problem, c);
    newton->equal = compliance->value;
    newton->has_directions = false;
    memcpy(newton->r, r, size);
    if (compliance->centre)
        memcpy(newton->centre, compliance->centre, size);
    else
        memset(newton->centre, 0, size);
    stick_residual_velocity(problem, newton->r, newton->u);
    add_proximal(newton, problem, newton->u);
    double change_before = INFINITY;
    while (run.steps < most_steps && !run.converged && !stick_is_stopped(newton->ctx)) {
        memcpy(newton->previous, newton->r, size);
        run.steps++;
        if (!advance(newton, problem, &run.flops))
            break;
        stick_residual_velocity(problem, newton->r, newton->u);
        add_proximal(newton, problem, newton->u);
        // converged when no status changes and the direction of sliding is found
        double change = 0, largest = 0;
        for (int i = 0; i < n; i++) {
            change = fmax(change, fabs(newton->r[i] - newton->previous[i]));
            largest = fmax(largest, fabs(newton->r[i]));
        }
        bool same, solved = is_settled(newton, problem, &same);
        bool noisy = same && change <= noisy_change * largest && change > shrinking * change_before;
        run.converged = solved || change <= settled_change * largest || noisy;
        change_before = change;
        if (!isfinite(largest))
            break;
    }
    newton->equal = 0;
    if (run.converged)
        memcpy(r, newton->r, size);
    return run;
}

// ---- the methods

typedef struct Work {
    StickNewton *newton;
} Work;

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    return stick_newton_create(ctx, options, STICK_NEWTON_ALART_CURNIER, &((Work *)data)->newton);
}

static StickStatus create_jean_moreau(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    return stick_newton_create(ctx, options, STICK_NEWTON_JEAN_MOREAU, &((Work *)data)->newton);
}

static void destroy(void *data)
{
    stick_newton_destroy(((Work *)data)->newton);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    return stick_newton_reserve(((Work *)data)->newton, problem);
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    StickNewton *newton = ((Work *)data)->newton;
    stick_newton_start(newton, problem, r);
    StickNewtonRun run = stick_newton_continue(newton, problem, newton->options->iterations, r, u);
    info->iterations = run.steps;
    info->end = run.converged                   ? STICK_SOLVE_CONVERGED
                : isfinite(run.residual.shared) ? STICK_SOLVE_LIMIT
                                                : STICK_SOLVE_NOT_FINITE;
    if (run.stalled)
        snprintf(info->detail, sizeof info->detail, "given up at error %.1e, scale-free %.1e",
                 run.residual.shared, run.residual.scale_free);
    return STICK_OK;
}

const StickMethod stick_method_newton = {
    .name = "newton",
    .text = "active-set Newton inside proximal points, equations of Alart and Curnier; exact cone, sparse "
            "factors",
    .needs_blocks = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};

const StickMethod stick_method_newton_jean_moreau = {
    .name = "newton-jean-moreau",
    .text = "the same with the equations of Jean and Moreau: for starts near the solution",
    .needs_blocks = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create_jean_moreau,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
