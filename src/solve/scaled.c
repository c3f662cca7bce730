// SPDX-License-Identifier: Apache-2.0
#include "solve/scaled.h"

#include "base/memory.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

void stick_scaled_create(StickContext *ctx, const StickSolverOptions *options, StickScaled *scaled)
{
    *scaled = (StickScaled){.ctx = ctx, .options = options};
}

void stick_scaled_destroy(StickScaled *scaled)
{
    stick_free(scaled->ctx, scaled->room);
}

StickStatus stick_scaled_reserve(StickScaled *scaled, const StickFrictionProblem *problem)
{
    size_t nc = (size_t)problem->ncontacts, n = (size_t)problem->dim * nc;
    STICK_RESERVE(scaled->ctx, scaled->room, scaled->capacity, 2 * nc + 2 * n);
    return STICK_OK;
}

// The power of two nearest to sqrt(w) in the sense of its square, so that scaling rounds nothing: w / s^2 is in
// [1/2, 2).
static double scale_of(double w)
{
    int exponent = ilogb(w) + 1;
    return scalbn(1, (exponent - (exponent & 1)) / 2);
}

void stick_scaled_load(StickScaled *scaled, const StickFrictionProblem *problem, const double *r, double *x)
{
    int dim = problem->dim, nc = problem->ncontacts, n = dim * nc;
    scaled->problem = problem;
    scaled->dim = dim, scaled->ncontacts = nc, scaled->n = n;
    scaled->s = scaled->room;
    scaled->mu = scaled->s + nc;
    scaled->q = scaled->mu + nc;
    scaled->r = scaled->q + n;
    scaled->best = INFINITY;
    for (int c = 0; c < nc; c++) {
        scaled->s[c] = scale_of(stick_friction_weight(problem, c));
        scaled->mu[c] = dim == 1 ? 0 : problem->mu[c];
        for (int i = dim * c; i < dim * (c + 1); i++) {
            scaled->q[i] = problem->u_free[i] / scaled->s[c];
            x[i] = r[i] * scaled->s[c];
        }
    }
}

void stick_scaled_answer(const StickScaled *scaled, const double *x, double *r)
{
    for (int c = 0, i = 0; c < scaled->ncontacts; c++)
        for (int k = 0; k < scaled->dim; k++, i++)
            r[i] = x[i] / scaled->s[c];
}

void stick_scaled_apply(StickScaled *scaled, const double *x, double *Wx)
{
    stick_scaled_answer(scaled, x, scaled->r);
    stick_friction_apply(scaled->problem, scaled->r, Wx);
    for (int c = 0, i = 0; c < scaled->ncontacts; c++)
        for (int k = 0; k < scaled->dim; k++, i++)
            Wx[i] /= scaled->s[c];
}

void stick_scaled_blocks(const StickScaled *scaled, double *value)
{
    const StickBlocks *W = scaled->problem->W;
    size_t size = (size_t)W->d * (size_t)W->d, e = 0;
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++)
            for (size_t end = e + size; e < end; e++)
                value[e] = W->value[e] / scaled->s[i] / scaled->s[W->col[k]];
}

StickResidual stick_scaled_weigh(StickScaled *scaled, const double *x, double *r, double *u)
{
    stick_scaled_answer(scaled, x, scaled->r);
    stick_residual_velocity(scaled->problem, scaled->r, u);
    StickResidual residual = stick_residual(scaled->problem, scaled->r, u);
    double error = stick_residual_error(residual, scaled->options->measure);
    // a diverging r would make its relative error look small
    if (residual.velocity > 1)
        error = fmax(error, 1);
    if (error < scaled->best || stick_residual_within(residual, scaled->options)) {
        scaled->best = error;
        memcpy(r, scaled->r, (size_t)scaled->n * sizeof *r);
    }
    return residual;
}

StickSolveEnd stick_scaled_end(const StickScaled *scaled, StickResidual residual)
{
    if (stick_residual_within(residual, scaled->options))
        return STICK_SOLVE_CONVERGED;
    return isfinite(residual.shared) ? STICK_SOLVE_LIMIT : STICK_SOLVE_NOT_FINITE;
}

double stick_scaled_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double stick_scaled_norm(int n, const double *a)
{
    return sqrt(stick_scaled_dot(n, a, a));
}
