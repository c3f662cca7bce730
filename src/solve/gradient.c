// SPDX-License-Identifier: Apache-2.0
#include "solve/gradient.h"

#include "base/memory.h"
#include "solve/cone.h"

#include <string.h>

static const double SHRINK = 0.97; // of L after every iteration: it may have been too careful
static const double GROW = 1.5;
static const double MOST_L = 1e30;

void stick_gradient_create(StickContext *ctx, StickGradient *gradient)
{
    *gradient = (StickGradient){.ctx = ctx};
}

void stick_gradient_destroy(StickGradient *gradient)
{
    stick_free(gradient->ctx, gradient->room);
}

StickStatus stick_gradient_reserve(StickGradient *gradient, int n)
{
    STICK_RESERVE(gradient->ctx, gradient->room, gradient->capacity, 6 * (size_t)n);
    return STICK_OK;
}

void stick_gradient_start(StickGradient *gradient, int n)
{
    gradient->L = 1;
    gradient->x_old = gradient->room;
    gradient->Wx_old = gradient->x_old + n;
    gradient->v = gradient->Wx_old + n;
    gradient->Wv = gradient->v + n;
    gradient->trial = gradient->Wv + n;
    gradient->Wx_trial = gradient->trial + n;
}

void stick_gradient_project(const StickScaled *scaled, StickGradientSet set, int contact, const double *y,
                            double *p)
{
    int dim = scaled->dim;
    const StickSection *section = stick_section_of(scaled->problem, contact);
    if (!set.threshold) {
        stick_scaled_project(scaled, contact, y, p);
        return;
    }
    if (section) {
        p[0] = fmax(y[0], 0);
        stick_section_nearest(section, set.threshold[contact], y + 1, p + 1);
        return;
    }
    double tangent = stick_cone_tangent(dim, y), g = set.threshold[contact];
    double along = tangent > g ? g / tangent : 1;
    p[0] = fmax(y[0], 0);
    for (int k = 1; k < dim; k++)
        p[k] = along * y[k];
}

double stick_gradient_residual(const StickScaled *scaled, StickGradientSet set, const double *b,
                               const double *x, const double *Wx)
{
    double sum = 0;
    int dim = scaled->dim;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double y[3], p[3];
        for (int k = 0, i = dim * c; k < dim; k++, i++)
            y[k] = x[i] - Wx[i] - b[i];
        stick_gradient_project(scaled, set, c, y, p);
        for (int k = 0; k < dim; k++)
            sum += (x[dim * c + k] - p[k]) * (x[dim * c + k] - p[k]);
    }
    return sqrt(sum);
}

// trial = P(v - (Wv + b) / L)
static void step(const StickGradient *gradient, const StickScaled *scaled, StickGradientSet set,
                 const double *b)
{
    int dim = scaled->dim;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double y[3];
        for (int k = 0, i = dim * c; k < dim; k++, i++)
            y[k] = gradient->v[i] - (gradient->Wv[i] + b[i]) / gradient->L;
        stick_gradient_project(scaled, set, c, y, gradient->trial + dim * c);
    }
}

// The quadratic decreases by the step dx = trial - v if dx'What dx <= L |dx|^2.
static bool is_short(const StickGradient *gradient, int n)
{
    double curvature = 0, length = 0;
    for (int i = 0; i < n; i++) {
        double dx = gradient->trial[i] - gradient->v[i];
        curvature += dx * (gradient->Wx_trial[i] - gradient->Wv[i]);
        length += dx * dx;
    }
    return !(curvature > gradient->L * length * (1 + 1e-12)) || gradient->L > MOST_L;
}

static void descend(StickGradient *gradient, StickScaled *scaled, StickGradientSet set, const double *b)
{
    for (;;) {
        step(gradient, scaled, set, b);
        stick_scaled_apply(scaled, gradient->trial, gradient->Wx_trial);
        if (is_short(gradient, scaled->n))
            return;
        gradient->L *= GROW;
    }
}

// The momentum goes uphill when the step from v turns against the step from x.
static bool uphill(const StickGradient *gradient, int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (gradient->v[i] - gradient->trial[i]) * (gradient->trial[i] - x[i]);
    return sum > 0;
}

// v = trial + beta (trial - x), and x = trial
static void advance(StickGradient *gradient, int n, double beta, double *x, double *Wx)
{
    for (int i = 0; i < n; i++) {
        gradient->v[i] = gradient->trial[i] + beta * (gradient->trial[i] - x[i]);
        gradient->Wv[i] = gradient->Wx_trial[i] + beta * (gradient->Wx_trial[i] - Wx[i]);
        x[i] = gradient->trial[i];
        Wx[i] = gradient->Wx_trial[i];
    }
}

int stick_gradient_solve(StickGradient *gradient, StickScaled *scaled, StickGradientSet set, const double *b,
                         double tolerance, int most, double *x, double *Wx)
{
    int n = scaled->n, iterations = 0;
    double theta = 1;
    stick_scaled_apply(scaled, x, Wx);
    memcpy(gradient->v, x, (size_t)n * sizeof *x);
    memcpy(gradient->Wv, Wx, (size_t)n * sizeof *x);
    while (iterations < most && !stick_is_stopped(scaled->ctx)) {
        descend(gradient, scaled, set, b);
        iterations++;
        double next = (1 + sqrt(1 + 4 * theta * theta)) / 2, beta = (theta - 1) / next;
        if (uphill(gradient, n, x))
            next = 1, beta = 0;
        theta = next;
        advance(gradient, n, beta, x, Wx);
        gradient->L *= SHRINK;
        // not a number ends here too
        if (!(stick_gradient_residual(scaled, set, b, x, Wx) > tolerance))
            break;
    }
    return iterations;
}
