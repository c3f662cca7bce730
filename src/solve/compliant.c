// SPDX-License-Identifier: Apache-2.0
// The limit r(eps), eps -> 0, is computed in two parts:
//
// 1. Continuation: r(eps) for eps = 1e-2, 1e-4, 1e-6 by Newton's method, each from the previous one. At eps = 1e-2
// the
//    problem is well conditioned, and Newton starts from the guess. The guess is ignored if a level fails, or if
//    friction
//    can wedge a contact (mu |W_NT| >= W_NN): then even the problem with compliance may have several solutions.
//    Continuation then starts from r = 0 at eps = 10, where contacts hardly interact, with levels as close as
//    necessary.
// 2. Proximal points: r(1e-6) becomes the centre of the next problem with the same compliance, and so on. This
// removes
//    the error of the regularisation, of the order of eps. It adds to r only combinations of columns of W: the
//    distribution of forces in the null space of W remains that of equal springs.
#include "solve/compliant.h"

#include "base/memory.h"
#include "solve/problem.h"
#include "solve/section.h"

#include <math.h>
#include <string.h>

struct StickCompliant {
    StickContext *ctx;
    StickNewton *newton;
    double *r, *centre; // dim * ncontacts
    double *dense;      // of Cholesky's factors
    size_t r_room, centre_room, dense_room;
};

// Levels of eps from a guess, and the cold start with its ratio from level to level: if a level fails, the ratio moves
// to its square root.
static const double warm_level = 1e-2, cold_level = 10, last_level = 1e-6;
static const double warm_ratio = 1e-2, cold_ratio = 1e-1, closest_ratio = 0.7;

// Newton steps of one level, levels of a continuation, proximal points.
enum { LEVEL_STEPS = 12, MOST_LEVELS = 60, MOST_CENTRES = 60 };

// Proximal points reduce the error by about eps w over the smallest compliance that matters; with a mass ratio of 1e6
// both are equal. Where one reduces the error by less than the first factor, eps decreases, unless Newton's method
// fails there; at the smallest eps they stop when one reduces the error by less than the second factor.
static const double slow_gain = 0.1, least_gain = 0.7, proximal_ratio = 0.1, proximal_up = 3,
                    least_proximal = 1e-10;

// Pivots of Cholesky's method below this share of the diagonal are zero.
static const double zero_pivot = 1e-8;

StickStatus stick_compliant_create(StickContext *ctx, StickNewton *newton, StickCompliant **compliant)
{
    STICK_ALLOC(ctx, *compliant, 1);
    **compliant = (StickCompliant){.ctx = ctx, .newton = newton};
    return STICK_OK;
}

void stick_compliant_destroy(StickCompliant *compliant)
{
    if (!compliant)
        return;
    stick_free(compliant->ctx, compliant->r);
    stick_free(compliant->ctx, compliant->centre);
    stick_free(compliant->ctx, compliant->dense);
    stick_free(compliant->ctx, compliant);
}

StickStatus stick_compliant_reserve(StickCompliant *compliant, const StickFrictionProblem *problem)
{
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    STICK_RESERVE(compliant->ctx, compliant->r, compliant->r_room, n);
    STICK_RESERVE(compliant->ctx, compliant->centre, compliant->centre_room, n);
    if (n <= STICK_COMPLIANT_ORDER)
        STICK_RESERVE(compliant->ctx, compliant->dense, compliant->dense_room, n * n);
    return STICK_OK;
}

// Rows of the lower triangle L of the symmetric part of W, L L' = W; the order of contacts does not matter for a rank
// that is not in doubt.
bool stick_compliant_is_regular(const StickFrictionProblem *problem, double *L)
{
    const StickBlocks *W = problem->W;
    int d = problem->dim, n = d * problem->ncontacts;
    if (problem->ncontacts == 1)
        return true;
    if (!W || n > STICK_COMPLIANT_ORDER)
        return false;
    memset(L, 0, (size_t)n * (size_t)n * sizeof *L);
    for (int c = 0; c < W->n; c++)
        for (int k = W->start[c]; k < W->start[c + 1]; k++)
            for (int e = 0; e < d * d; e++) {
                int i = d * c + e / d, j = d * W->col[k] + e % d;
                if (j <= i)
                    L[(size_t)i * (size_t)n + (size_t)j] = W->value[(size_t)k * (size_t)(d * d) + (size_t)e];
            }
    for (int i = 0; i < n; i++) {
        double *row = L + (size_t)i * (size_t)n, diagonal = row[i];
        for (int j = 0; j <= i; j++) {
            const double *other = L + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum / other[j];
            else if (sum > zero_pivot * diagonal)
                row[i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

bool stick_compliant_selects(StickCompliant *compliant, const StickFrictionProblem *problem)
{
    return problem->W && problem->ncontacts > 1 && !stick_compliant_is_regular(problem, compliant->dense);
}

bool stick_compliant_can_wedge(const StickFrictionProblem *problem)
{
    int d = problem->dim;
    for (int c = 0; c < problem->ncontacts && d > 1; c++) {
        const StickSection *section = stick_section_of(problem, c);
        const double *block =
            problem->W->value + (size_t)stick_blocks_diagonal(problem->W, c) * (size_t)(d * d);
        double coupling = d == 2 ? fabs(block[1]) : hypot(block[1], block[2]);
        if (section || (problem->mu[c] > 0 && problem->mu[c] * coupling >= block[0]))
            return true;
    }
    return false;
}

// One level; true if it was solved, and r is its solution.
static bool solve_level(const StickCompliant *compliant, const StickFrictionProblem *problem,
                        const double *centre, double value, StickCompliantEnd *end)
{
    StickNewtonCompliance added = {value, centre};
    StickNewtonRun run =
        stick_newton_compliant(compliant->newton, problem, &added, LEVEL_STEPS, compliant->r);
    end->steps += run.steps;
    end->flops += run.flops;
    return run.converged;
}

// From r at the first level down to the last one.
static bool follow(const StickCompliant *compliant, const StickFrictionProblem *problem, double w,
                   bool is_warm, StickCompliantEnd *end)
{
    double level = is_warm ? warm_level : cold_level, ratio = is_warm ? warm_ratio : cold_ratio;
    if (!solve_level(compliant, problem, NULL, level * w, end))
        return false;
    for (int k = 0; level > last_level * (1 + 1e-9); k++) {
        double next = fmax(level * ratio, last_level);
        if (k == MOST_LEVELS || stick_is_stopped(compliant->ctx))
            return false;
        if (solve_level(compliant, problem, NULL, next * w, end)) {
            level = next;
            ratio = is_warm ? ratio : fmax(cold_ratio, ratio * ratio);
        } else if (is_warm || ratio > closest_ratio) {
            return false;
        } else {
            ratio = sqrt(ratio);
        }
    }
    return true;
}

StickCompliantEnd stick_compliant_solve(StickCompliant *compliant, const StickFrictionProblem *problem,
                                        const StickSolverOptions *options, double *r, double *u)
{
    StickCompliantEnd end = {0};
    StickSolverOptions aim = *options;
    int n = problem->dim * problem->ncontacts;
    size_t size = (size_t)n * sizeof *r;
    double w = 0;
    if (options->aim > 0)
        aim.tolerance = fmin(options->aim, options->tolerance);
    for (int c = 0; c < problem->ncontacts; c++)
        w += stick_friction_weight(problem, c) / problem->ncontacts;
    memcpy(compliant->r, r, size);
    if (stick_compliant_can_wedge(problem) || !follow(compliant, problem, w, true, &end)) {
        memset(compliant->r, 0, size);
        if (!follow(compliant, problem, w, false, &end))
            return end;
    }

    // proximal points: the best one is kept in centre
    StickResidual residual;
    double level = last_level, lowest = least_proximal;
    for (int k = 0;; k++) {
        stick_residual_velocity(problem, compliant->r, u);
        residual = stick_residual(problem, compliant->r, u);
        double error = stick_residual_error(residual, options->measure);
        double before = stick_residual_error(end.residual, options->measure);
        bool is_better = k == 0 || error < before;
        if (is_better) {
            end.residual = residual;
            memcpy(compliant->centre, compliant->r, size);
        }
        if (stick_residual_within(end.residual, &aim) || k == MOST_CENTRES)
            break;
        bool is_slow = k > 0 && !(error < slow_gain * before), may_fall = level > lowest * (1 + 1e-9);
        if (is_slow && may_fall)
            level = fmax(level * proximal_ratio, lowest);
        else if (k > 0 && !(error < least_gain * before))
            break;
        bool is_solved = false;
        while (!is_solved) {
            memcpy(compliant->r, compliant->centre, size);
            is_solved = solve_level(compliant, problem, compliant->centre, level * w, &end);
            if (is_solved || !(level < last_level) || stick_is_stopped(compliant->ctx))
                break;
            lowest = level = fmin(last_level, level * proximal_up);
        }
        if (!is_solved)
            break;
    }
    end.converged = stick_residual_within(end.residual, options);
    end.found = true;
    memcpy(r, compliant->centre, size);
    stick_residual_velocity(problem, r, u);
    return end;
}
