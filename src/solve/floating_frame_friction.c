// SPDX-License-Identifier: Apache-2.0
#include "solve/floating_frame_friction.h"

#include "base/memory.h"
#include "solve/residual.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Compliance of the springs by that of the stiffest contact, as seen by a motion.
static const double first_softness = 10;

// Springs that did not bring the forces nearer to balance become softer by this; where that has been done so often
// nothing holds the frames.
static const double softer = 10;
enum { MOST_PASSES = 60, MOST_SOFTER = 12 };

// Relative distance from the cone below which a contact slides.
static const double on_limit = 1e-7;

typedef enum Status { APART, SLIPS, STICKS } Status;

struct StickFloatingFrameSolver {
    StickContext *ctx;
    StickSolverOptions options;
    StickSolver *solver;
    // Of the present problem: n = 2 ncontacts.
    double *W;        // n x n by rows
    StickBlocks soft; // W + C a C', full
    double *u_free;   // n
    double *a;        // l
    double *trial_r, *trial_theta, *trial_u;
    Status *status; // ncontacts
    // K x = y over forces of contacts that press and motions.
    double *K, *y;
    int *row; // of the unknowns of K: row of W, which is that of its equation, too
    int *pivot;
    size_t W_room, start_room, col_room, value_room, u_free_room, a_room, trial_r_room, trial_theta_room,
        trial_u_room, status_room, K_room, y_room, row_room, pivot_room;
};

StickStatus stick_floating_frame_friction_create(StickContext *ctx, const char *name,
                                                 const StickSolverOptions *options,
                                                 StickFloatingFrameSolver **solver)
{
    StickFloatingFrameSolver *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->options = *options;
    StickStatus status = stick_solver_create(ctx, name, options, &created->solver);
    if (status != STICK_OK) {
        stick_floating_frame_friction_destroy(created);
        return status;
    }
    *solver = created;
    return STICK_OK;
}

void stick_floating_frame_friction_destroy(StickFloatingFrameSolver *solver)
{
    if (!solver)
        return;
    StickContext *ctx = solver->ctx;
    void *block[] = {solver->W,           solver->u_free,  solver->a,      solver->trial_r,
                     solver->trial_theta, solver->trial_u, solver->status, solver->K,
                     solver->y,           solver->row,     solver->pivot};
    for (size_t k = 0; k < sizeof block / sizeof *block; k++)
        stick_free(ctx, block[k]);
    stick_blocks_destroy(ctx, &solver->soft);
    stick_solver_destroy(solver->solver);
    stick_free(ctx, solver);
}

static StickStatus reserve(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem)
{
    StickContext *ctx = solver->ctx;
    size_t count = (size_t)problem->contact.ncontacts, n = 2 * count, l = (size_t)problem->l, all = n + l;
    STICK_RESERVE(ctx, solver->W, solver->W_room, n * n);
    STICK_RESERVE(ctx, solver->soft.start, solver->start_room, count + 1);
    STICK_RESERVE(ctx, solver->soft.col, solver->col_room, count * count);
    STICK_RESERVE(ctx, solver->soft.value, solver->value_room, n * n);
    STICK_RESERVE(ctx, solver->u_free, solver->u_free_room, n);
    STICK_RESERVE(ctx, solver->a, solver->a_room, l);
    STICK_RESERVE(ctx, solver->trial_r, solver->trial_r_room, n);
    STICK_RESERVE(ctx, solver->trial_theta, solver->trial_theta_room, l);
    STICK_RESERVE(ctx, solver->trial_u, solver->trial_u_room, n);
    STICK_RESERVE(ctx, solver->status, solver->status_room, count);
    STICK_RESERVE(ctx, solver->K, solver->K_room, all * all);
    STICK_RESERVE(ctx, solver->y, solver->y_room, all);
    STICK_RESERVE(ctx, solver->row, solver->row_room, n);
    STICK_RESERVE(ctx, solver->pivot, solver->pivot_room, all);
    return STICK_OK;
}

// ---- springs

static void expand(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem)
{
    const StickBlocks *W = problem->contact.W;
    size_t n = 2 * (size_t)W->n;
    memset(solver->W, 0, n * n * sizeof *solver->W);
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++)
            for (int e = 0; e < 4; e++)
                solver->W[(2 * (size_t)i + (size_t)(e / 2)) * n + 2 * (size_t)W->col[k] + (size_t)(e % 2)] =
                    W->value[4 * (size_t)k + (size_t)e];
}

// A motion without any contact gets no spring: its theta does not change.
static void soften(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem)
{
    size_t n = 2 * (size_t)problem->contact.ncontacts;
    for (int j = 0; j < problem->l; j++) {
        double stiffest = 0;
        for (size_t i = 0; i < n; i++) {
            double c = problem->C[(size_t)j * n + i], own = solver->W[i * n + i];
            stiffest = own > 0 ? fmax(stiffest, c * c / own) : stiffest;
        }
        solver->a[j] = stiffest > 0 ? first_softness / stiffest : 0;
    }
}

// W + C a C'
static void spring(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem)
{
    int count = problem->contact.ncontacts;
    size_t n = 2 * (size_t)count;
    solver->soft.d = 2;
    solver->soft.n = count;
    for (int i = 0; i <= count; i++)
        solver->soft.start[i] = i * count;
    for (size_t row = 0; row < n; row++)
        for (size_t col = 0; col < n; col++) {
            double sum = solver->W[row * n + col];
            for (size_t j = 0; j < (size_t)problem->l; j++)
                sum += problem->C[j * n + row] * solver->a[j] * problem->C[j * n + col];
            size_t block = (row / 2) * (size_t)count + col / 2;
            solver->soft.col[block] = (int)(col / 2);
            solver->soft.value[4 * block + 2 * (row % 2) + col % 2] = sum;
        }
}

// u_free = w + C x, x being theta, or theta - a lambda of the springs
static void free_motion(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem,
                        const double *theta, bool springs)
{
    size_t n = 2 * (size_t)problem->contact.ncontacts;
    for (size_t i = 0; i < n; i++) {
        double sum = problem->contact.u_free[i];
        for (int j = 0; j < problem->l; j++) {
            double x = theta[j] - (springs ? solver->a[j] * problem->lambda[j] : 0);
            sum += problem->C[(size_t)j * n + i] * x;
        }
        solver->u_free[i] = sum;
    }
}

// (C'r - lambda)_j, and its reference size
static double imbalance_of(const StickFloatingFrame *problem, const double *r, int j, double *size)
{
    size_t n = 2 * (size_t)problem->contact.ncontacts;
    double sum = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        double part = problem->C[(size_t)j * n + i] * r[i];
        sum += part;
        all += fabs(part);
    }
    *size = fmax(all, fabs(problem->lambda[j]));
    return sum - problem->lambda[j];
}

double stick_floating_frame_friction_imbalance(const StickFloatingFrame *problem, const double *r)
{
    double worst = 0, size;
    for (int j = 0; j < problem->l; j++) {
        double off = imbalance_of(problem, r, j, &size);
        worst = fmax(worst, size > 0 ? fabs(off) / size : 0);
    }
    return worst;
}

// ---- the linear system of the statuses

static int find_statuses(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem, const double *r)
{
    int unknowns = 0;
    for (int c = 0; c < problem->contact.ncontacts; c++) {
        double limit = problem->contact.mu[c] * r[2 * c];
        solver->status[c] = !(r[2 * c] > 0)                                ? APART
                            : fabs(r[2 * c + 1]) >= limit * (1 - on_limit) ? SLIPS
                                                                           : STICKS;
        for (int k = 0; k < (int)solver->status[c]; k++)
            solver->row[unknowns++] = 2 * c + k;
    }
    return unknowns;
}

// Friction of a contact that slides, per unit of its normal force.
static double rub(const StickFloatingFrameSolver *solver, const StickFloatingFrame *problem, const double *r,
                  int row)
{
    int c = row / 2;
    return solver->status[c] == SLIPS ? copysign(problem->contact.mu[c], r[2 * c + 1]) : 0;
}

// W x = -w - C theta and C'x = lambda in forces by `size`, the largest entry of W.
static void fill(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem, const double *r, int k,
                 double size)
{
    size_t n = 2 * (size_t)problem->contact.ncontacts, order = (size_t)(k + problem->l);
    memset(solver->K, 0, order * order * sizeof *solver->K);
    for (int col = 0; col < k; col++) {
        size_t from = (size_t)solver->row[col];
        double friction = rub(solver, problem, r, (int)from), *column = &solver->K[(size_t)col * order];
        for (int row = 0; row < k; row++) {
            const double *w = &solver->W[(size_t)solver->row[row] * n + from];
            column[row] = (w[0] + (friction != 0 ? friction * w[1] : 0)) / size;
        }
        for (int j = 0; j < problem->l; j++) {
            const double *c = &problem->C[(size_t)j * n + from];
            column[k + j] = c[0] + (friction != 0 ? friction * c[1] : 0);
            solver->K[(size_t)(k + j) * order + (size_t)col] = c[0];
        }
        solver->y[col] = -problem->contact.u_free[from];
    }
    for (int j = 0; j < problem->l; j++)
        solver->y[k + j] = size * problem->lambda[j];
}

// r and theta of the statuses of r; false where they leave something undetermined.
static bool solve_statuses(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem,
                           const double *r)
{
    size_t n = 2 * (size_t)problem->contact.ncontacts;
    int k = find_statuses(solver, problem, r), order = k + problem->l;
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, solver->W[i * n + i]);
    if (k < problem->l || k == 0 || !(size > 0))
        return false;
    fill(solver, problem, r, k, size);
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, order, 1, solver->K, order, solver->pivot, solver->y, order) != 0)
        return false;
    memset(solver->trial_r, 0, n * sizeof *solver->trial_r);
    for (int i = 0; i < k; i++) {
        int row = solver->row[i];
        solver->trial_r[row] = solver->y[i] / size;
        if (solver->status[row / 2] == SLIPS)
            solver->trial_r[row + 1] = rub(solver, problem, r, row) * solver->trial_r[row];
    }
    memcpy(solver->trial_theta, &solver->y[k], (size_t)problem->l * sizeof *solver->trial_theta);
    for (int i = 0; i < order; i++)
        if (!isfinite(solver->y[i]))
            return false;
    return true;
}

// ---- passes

// Whether r and theta solve the problem; also computes u.
static bool is_solved(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem, const double *r,
                      const double *theta, double *u, StickSolveInfo *info)
{
    StickFrictionProblem contact = problem->contact;
    if (contact.ncontacts == 0)
        return stick_floating_frame_friction_imbalance(problem, r) <= solver->options.tolerance;
    free_motion(solver, problem, theta, false);
    contact.u_free = solver->u_free;
    stick_residual_velocity(&contact, r, u);
    StickResidual residual = stick_residual(&contact, r, u);
    info->residual = residual.shared;
    return stick_residual_within(residual, &solver->options) &&
           stick_floating_frame_friction_imbalance(problem, r) <= solver->options.tolerance;
}

// Takes the solution of the statuses if it solves the problem; otherwise the iteration with springs continues.
static bool finish(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem,
                   const StickFloatingFrameSolution *solution, StickSolveInfo *info)
{
    size_t n = 2 * (size_t)problem->contact.ncontacts;
    if (solve_statuses(solver, problem, solution->r) &&
        is_solved(solver, problem, solver->trial_r, solver->trial_theta, solver->trial_u, info)) {
        memcpy(solution->r, solver->trial_r, n * sizeof *solution->r);
        memcpy(solution->u, solver->trial_u, n * sizeof *solution->u);
        memcpy(solution->theta, solver->trial_theta, (size_t)problem->l * sizeof *solution->theta);
        return true;
    }
    return is_solved(solver, problem, solution->r, solution->theta, solution->u, info);
}

// One friction problem with springs, and where they take theta.
static StickStatus pass(StickFloatingFrameSolver *solver, const StickFloatingFrame *problem,
                        const StickFloatingFrameSolution *solution, StickSolveInfo *info)
{
    StickFrictionProblem contact = problem->contact;
    StickSolveInfo own;
    double size;
    spring(solver, problem);
    free_motion(solver, problem, solution->theta, true);
    contact.W = &solver->soft;
    contact.u_free = solver->u_free;
    STICK_TRY(stick_solver_solve(solver->solver, &contact, solution->r, solution->u, &own));
    for (int j = 0; j < problem->l; j++)
        solution->theta[j] += solver->a[j] * imbalance_of(problem, solution->r, j, &size);
    info->iterations += own.iterations;
    info->end = own.end;
    memcpy(info->detail, own.detail, sizeof info->detail);
    return STICK_OK;
}

static void tell_unstable(const StickFloatingFrame *problem, const StickFloatingFrameSolution *solution,
                          StickSolveInfo *info)
{
    double most = 0, size;
    info->end = STICK_SOLVE_UNSTABLE;
    snprintf(info->detail, sizeof info->detail, "no forces of contact balance the loads");
    for (int j = 0; j < problem->l; j++) {
        double off = -imbalance_of(problem, solution->r, j, &size);
        solution->motion[j] = size > 0 ? off / size : 0;
        most = fmax(most, fabs(solution->motion[j]));
    }
    for (int j = 0; j < problem->l && most > 0; j++)
        solution->motion[j] /= most;
}

static StickStatus check(const StickFloatingFrameSolver *solver, const StickFloatingFrame *problem)
{
    size_t n = 2 * (size_t)problem->contact.ncontacts;
    STICK_CHECK(solver->ctx, problem->contact.dim == 2 && (problem->contact.W || n == 0) && problem->l >= 0,
                STICK_BAD_INPUT,
                "contacts of frames have dimension 2 and W by blocks, but here the dimension is %d",
                problem->contact.dim);
    for (int j = 0; j < problem->l; j++) {
        STICK_CHECK(solver->ctx, isfinite(problem->lambda[j]), STICK_BAD_INPUT, "lambda of motion %d is %g",
                    j, problem->lambda[j]);
        for (size_t i = 0; i < n; i++)
            STICK_CHECK(solver->ctx, isfinite(problem->C[(size_t)j * n + i]), STICK_BAD_INPUT,
                        "C of motion %d is %g at contact %zu", j, problem->C[(size_t)j * n + i], i / 2);
    }
    return STICK_OK;
}

StickStatus stick_floating_frame_friction_solve(StickFloatingFrameSolver *solver,
                                                const StickFloatingFrame *problem,
                                                const StickFloatingFrameSolution *solution,
                                                StickSolveInfo *info)
{
    STICK_TRY(check(solver, problem));
    STICK_TRY(reserve(solver, problem));
    *info = (StickSolveInfo){.end = STICK_SOLVE_CONVERGED};
    if (problem->contact.ncontacts > 0)
        expand(solver, problem);
    soften(solver, problem);
    double left = INFINITY;
    int times = 0;
    bool solved = finish(solver, problem, solution, info); // a guess may be the answer
    for (int k = 0; k < MOST_PASSES && times < MOST_SOFTER && !solved; k++) {
        if (problem->contact.ncontacts > 0)
            STICK_TRY(pass(solver, problem, solution, info));
        solved = finish(solver, problem, solution, info);
        double now = stick_floating_frame_friction_imbalance(problem, solution->r);
        if (!(now < 0.5 * left)) {
            times++;
            for (int j = 0; j < problem->l; j++)
                solver->a[j] *= softer;
        }
        left = now;
    }
    if (solved)
        info->end = STICK_SOLVE_CONVERGED;
    else if (left > sqrt(solver->options.tolerance))
        tell_unstable(problem, solution, info);
    else
        info->end = STICK_SOLVE_LIMIT;
    return STICK_OK;
}
