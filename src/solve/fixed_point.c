// SPDX-License-Identifier: Apache-2.0
#include "solve/fixed_point.h"

#include "base/memory.h"
#include "solve/cone.h"

#include <stdio.h>
#include <string.h>

enum { MOST_INNER = 1000, MOST_NEAR = 3 };
static const double FRACTION = 0.1; // of the change of p that the inner residual may be
static const double TIGHTEN = 0.1;  // most that it sinks in one outer iteration
static const double FIRST = 0.1;    // of the first residual
static const double ROUND_OFF = 1e-14;

void stick_fixed_point_create(StickContext *ctx, const StickSolverOptions *options, StickFixedPoint *nested)
{
    *nested = (StickFixedPoint){0};
    stick_scaled_create(ctx, options, &nested->scaled);
    stick_mixing_create(ctx, &nested->mixing);
}

void stick_fixed_point_destroy(StickFixedPoint *nested)
{
    stick_free(nested->scaled.ctx, nested->room);
    stick_scaled_destroy(&nested->scaled);
    stick_mixing_destroy(&nested->mixing);
}

StickStatus stick_fixed_point_reserve(StickFixedPoint *nested, const StickFrictionProblem *problem)
{
    size_t nc = (size_t)problem->ncontacts, n = (size_t)problem->dim * nc;
    STICK_TRY(stick_scaled_reserve(&nested->scaled, problem));
    STICK_TRY(stick_mixing_reserve(&nested->mixing, problem->ncontacts));
    STICK_RESERVE(nested->scaled.ctx, nested->room, nested->capacity, 3 * n + 2 * nc);
    return STICK_OK;
}

// p of the law at x
static void set_parameter(const StickFixedPoint *nested, double *p)
{
    const StickScaled *scaled = &nested->scaled;
    int dim = scaled->dim;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double y[3];
        for (int k = 0, i = dim * c; k < dim; k++, i++)
            y[k] = nested->Wx[i] + scaled->q[i];
        double mu = stick_section_of(scaled->problem, c) ? 1 : scaled->mu[c];
        p[c] = nested->law == STICK_NESTED_THRESHOLD ? mu * fmax(nested->x[dim * c], 0)
                                                     : stick_scaled_lift(scaled, c, y);
    }
}

void stick_fixed_point_load(StickFixedPoint *nested, const StickFrictionProblem *problem, const double *r)
{
    nested->x = nested->room;
    nested->Wx = nested->x + problem->dim * problem->ncontacts;
    nested->on_cone = nested->Wx + problem->dim * problem->ncontacts;
    nested->p = nested->on_cone + problem->dim * problem->ncontacts;
    nested->p_new = nested->p + problem->ncontacts;
    stick_scaled_load(&nested->scaled, problem, r, nested->x);
    stick_scaled_apply(&nested->scaled, nested->x, nested->Wx);
    set_parameter(nested, nested->p);
}

// P(x - y - mu |y_T| n) of a contact
static void project(const StickFixedPoint *nested, int c, double p[3])
{
    const StickScaled *scaled = &nested->scaled;
    int dim = scaled->dim;
    double y[3];
    for (int k = 0, i = dim * c; k < dim; k++, i++)
        y[k] = nested->Wx[i] + scaled->q[i];
    const StickSection *section = stick_section_of(scaled->problem, c);
    if (section)
        stick_section_step(section, 1, nested->x + dim * c, y, p);
    else
        stick_cone_step(dim, scaled->mu[c], 1, nested->x + dim * c, y, p);
}

// |x - P(x - y - mu |y_T| n)|
static double natural_residual(const StickFixedPoint *nested)
{
    const StickScaled *scaled = &nested->scaled;
    double sum = 0;
    int dim = scaled->dim;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double p[3];
        project(nested, c, p);
        for (int k = 0; k < dim; k++)
            sum += (nested->x[dim * c + k] - p[k]) * (nested->x[dim * c + k] - p[k]);
    }
    return sqrt(sum);
}

// |x_T|, or the size s for which x_T is on the boundary of s D_1.
static double tangent_of(const StickSection *section, int dim, const double *x)
{
    return section ? stick_section_gauge(section, x + 1) : stick_cone_tangent(dim, x);
}

// A threshold differs from mu x_N by its last change: moves sliding contacts onto the cone, so that r shows which
// slide.
static void bring_to_cone(StickFixedPoint *nested)
{
    const StickScaled *scaled = &nested->scaled;
    int dim = scaled->dim;
    memcpy(nested->on_cone, nested->x, (size_t)scaled->n * sizeof *nested->x);
    for (int c = 0; c < scaled->ncontacts; c++) {
        double p[3], *x = nested->on_cone + dim * c;
        const StickSection *section = stick_section_of(scaled->problem, c);
        double mu = section ? 1 : scaled->mu[c], limit = mu * fmax(x[0], 0),
               tangent = tangent_of(section, dim, x);
        project(nested, c, p);
        bool slides = p[0] > 0 && tangent_of(section, dim, p) >= mu * p[0] * (1 - ROUND_OFF);
        bool is_off = fabs(tangent - limit) > ROUND_OFF * limit;
        for (int k = 1; k < dim && slides && is_off && tangent > 0; k++)
            x[k] *= limit / tangent;
    }
}

// Convergence test at x. If x passes but its projection on the cone does not, a few more iterations are made.
static StickSolveEnd weigh(StickFixedPoint *nested, double *r, double *u)
{
    StickScaled *scaled = &nested->scaled;
    StickSolveEnd end = stick_scaled_end(scaled, stick_scaled_weigh(scaled, nested->x, r, u));
    if (end != STICK_SOLVE_CONVERGED || nested->law != STICK_NESTED_THRESHOLD)
        return end;
    bring_to_cone(nested);
    end = stick_scaled_end(scaled, stick_scaled_weigh(scaled, nested->on_cone, r, u));
    nested->near += end != STICK_SOLVE_CONVERGED && nested->near == 0;
    return end;
}

static void start(StickFixedPoint *nested)
{
    double relaxation = nested->scaled.options->relaxation;
    nested->tolerance = FIRST * natural_residual(nested);
    stick_mixing_start(&nested->mixing, nested->scaled.ncontacts, relaxation > 0 ? relaxation : 1, 0);
}

// One inner solve.
static void advance(StickFixedPoint *nested, StickSolveInfo *info)
{
    int left = nested->scaled.options->iterations - info->iterations;
    info->iterations += nested->inner(nested->data, &nested->scaled, nested->p, nested->tolerance,
                                      left < MOST_INNER ? left : MOST_INNER, nested->x, nested->Wx);
}

// p and the inner tolerance for the next one; returns the change that p made.
static double renew(StickFixedPoint *nested)
{
    set_parameter(nested, nested->p_new);
    double change = stick_mixing_step(&nested->mixing, nested->p_new, nested->tolerance, nested->p);
    nested->tolerance = fmin(fmax(FRACTION * change, TIGHTEN * nested->tolerance), nested->tolerance);
    return change;
}

void stick_fixed_point_run(StickFixedPoint *nested, double *r, double *u, StickSolveInfo *info)
{
    StickScaled *scaled = &nested->scaled;
    nested->near = 0;
    info->end = weigh(nested, r, u);
    start(nested);
    while (info->end == STICK_SOLVE_LIMIT && info->iterations < scaled->options->iterations &&
           nested->near <= MOST_NEAR && !stick_is_stopped(scaled->ctx)) {
        nested->near += nested->near > 0;
        advance(nested, info);
        info->end = weigh(nested, r, u);
        renew(nested);
    }
    // r is the best one then, and u that of another
    if (nested->near > 0) {
        stick_residual_velocity(scaled->problem, r, u);
        info->end = STICK_SOLVE_CONVERGED;
    }
    if (info->end != STICK_SOLVE_CONVERGED)
        snprintf(info->detail, sizeof info->detail, "best error %.1e", scaled->best);
}

void stick_fixed_point_settle(StickFixedPoint *nested, double tolerance, StickSolveInfo *info)
{
    bool settled = false;
    start(nested);
    while (!settled && info->iterations < nested->scaled.options->iterations &&
           !stick_is_stopped(nested->scaled.ctx)) {
        double inner = nested->tolerance;
        advance(nested, info);
        settled = renew(nested) <= tolerance && inner <= tolerance;
    }
    info->end = settled ? STICK_SOLVE_CONVERGED : STICK_SOLVE_LIMIT;
}
