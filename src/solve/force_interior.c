// SPDX-License-Identifier: Apache-2.0
#include "solve/force_interior.h"

#include "base/memory.h"
#include "solve/cone.h"
#include "solve/lorentz.h"
#include "solve/section.h"

#include <string.h>

struct StickForceInterior {
    StickContext *ctx;
    double *x, *s, *dx, *ds, *lambda, *f, *defect,
        *rows;                                 // dim * ncontacts; rows: of contacts, for products with H
    double *y, *dy, *F, *load, *rest, *change; // ndofs * nbodies
    double *zero;
    double *B; // dim * dim * ncontacts: (E'E + V^2)^-1
    StickLorentzScaling *scaling;
    unsigned char *active;
    double *reals;
    size_t real_room, scaling_room, active_room;
};

enum { MOST_STEPS = 60, MOST_SHORT = 4, MOST_STALLED = 10, PASSES = 3 };
static const double to_boundary = 0.99, short_step = 0.1, stalled = 0.5;

// The start is this far inside the cones, in units of the mean force. The iteration ends if x.s, which bounds |r -
// r*|^2, is below the first share of |r|^2; below the second one r is accurate enough.
static const double inside = 1, least_gap = 1e-17, small_gap = 1e-13;

StickStatus stick_force_interior_create(StickContext *ctx, StickForceInterior **interior)
{
    STICK_ALLOC(ctx, *interior, 1);
    (*interior)->ctx = ctx;
    return STICK_OK;
}

void stick_force_interior_destroy(StickForceInterior *own)
{
    if (!own)
        return;
    stick_free(own->ctx, own->reals);
    stick_free(own->ctx, own->scaling);
    stick_free(own->ctx, own->active);
    stick_free(own->ctx, own);
}

StickStatus stick_force_interior_reserve(StickForceInterior *own, const StickBodySystem *system)
{
    size_t n = (size_t)system->ncontacts, d = (size_t)system->dim, rows = d * n,
           bodies = (size_t)system->ndofs * (size_t)system->nbodies;
    STICK_RESERVE(own->ctx, own->reals, own->real_room, (9 + d) * rows + 6 * bodies);
    STICK_RESERVE(own->ctx, own->scaling, own->scaling_room, n);
    STICK_RESERVE(own->ctx, own->active, own->active_room, n);
    double **of_contacts[] = {&own->x, &own->s,      &own->dx,   &own->ds,  &own->lambda,
                              &own->f, &own->defect, &own->rows, &own->zero},
           **of_bodies[] = {&own->y, &own->dy, &own->F, &own->load, &own->rest, &own->change};
    for (size_t k = 0; k < 9; k++)
        *of_contacts[k] = own->reals + k * rows;
    for (size_t k = 0; k < 6; k++)
        *of_bodies[k] = own->reals + 9 * rows + k * bodies;
    own->B = own->reals + 9 * rows + 6 * bodies;
    memset(own->zero, 0, rows * sizeof *own->zero);
    return STICK_OK;
}

// ---- cones

// The columns of E, of which there are m; 0: no force.
static int cone_of(const StickForceTask *task, int c, double E[9])
{
    int d = task->problem->dim;
    double mu = d > 1 ? task->problem->mu[c] : 0;
    memset(E, 0, 9 * sizeof *E);
    if (task->kind[c] == STICK_FORCE_OPEN)
        return 0;
    if (task->kind[c] == STICK_FORCE_CLOSED && mu > 0) {
        for (int k = 0; k < d; k++)
            E[4 * k] = k == 0 ? 1 : mu;
        return d;
    }
    E[0] = 1;
    for (int k = 1; k < d && task->kind[c] == STICK_FORCE_SLIDES; k++)
        E[3 * k] = task->direction[d * c + k];
    return 1;
}

// r = E x
static void spread(const double *E, int d, int m, const double *x, double *r)
{
    for (int k = 0; k < d; k++) {
        r[k] = 0;
        for (int j = 0; j < m; j++)
            r[k] += E[3 * k + j] * x[j];
    }
}

// x = E'r
static void gather(const double *E, int d, int m, const double *r, double *x)
{
    for (int j = 0; j < m; j++) {
        x[j] = 0;
        for (int k = 0; k < d; k++)
            x[j] += E[3 * k + j] * r[k];
    }
}

// E'E is diagonal.
static double square(const double *E, int d, int j)
{
    double sum = 0;
    for (int k = 0; k < d; k++)
        sum += E[3 * k + j] * E[3 * k + j];
    return sum;
}

// A^-1 of a symmetric positive definite matrix of m <= 3 rows, in rows of d, by Gauss and Jordan
static void invert(int m, int d, double A[9], double *inverse)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            inverse[i * d + j] = i == j;
    for (int k = 0; k < m; k++) {
        double pivot = A[3 * k + k];
        for (int j = 0; j < m; j++) {
            A[3 * k + j] /= pivot;
            inverse[k * d + j] /= pivot;
        }
        for (int i = 0; i < m; i++) {
            double factor = A[3 * i + k];
            for (int j = 0; j < m && i != k; j++) {
                A[3 * i + j] -= factor * A[3 * k + j];
                inverse[i * d + j] -= factor * inverse[k * d + j];
            }
        }
    }
}

// ---- steps

// Scaling, B = (E'E + V^2)^-1 and D = E B E' at the point, and the factors.
static bool factor(StickForceInterior *own, const StickForceTask *task)
{
    int d = task->problem->dim;
    memset(task->D, 0, (size_t)(d * d * task->problem->ncontacts) * sizeof *task->D);
    for (int c = 0; c < task->problem->ncontacts; c++) {
        double E[9], A[9], *B = own->B + d * d * c, *D = task->D + d * d * c;
        int m = cone_of(task, c, E);
        own->active[c] = m > 0;
        if (m == 0)
            continue;
        StickLorentzScaling *V = &own->scaling[c];
        *V = stick_lorentz_scaling(m, own->x + d * c, own->s + d * c);
        stick_lorentz_scale(m, V, own->x + d * c, own->lambda + d * c);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                A[3 * i + j] = V->eta * V->eta *
                                   (2 * V->w[i] * V->w[j] + (i != j   ? 0
                                                             : i == 0 ? -1
                                                                      : 1)) +
                               (i == j ? square(E, d, i) : 0);
        invert(m, d, A, B);
        for (int k = 0; k < d; k++)
            for (int l = 0; l < d; l++)
                for (int i = 0; i < m; i++)
                    for (int j = 0; j < m; j++)
                        D[k * d + l] += E[3 * k + i] * B[i * d + j] * E[3 * l + j];
    }
    return stick_body_system_factor(task->system, own->active, task->D, task->ballast / task->mass - 1);
}

// defect = E'H'y + s - E'E x of each contact, F = p - H E x
static void measure(StickForceInterior *own, const StickForceTask *task)
{
    int d = task->problem->dim, n = task->system->ndofs * task->system->nbodies;
    stick_body_system_velocity(task->system, own->zero, own->y, own->defect);
    for (int c = 0; c < task->problem->ncontacts; c++) {
        double E[9], own_defect[3], *x = own->x + d * c;
        int m = cone_of(task, c, E);
        gather(E, d, m, own->defect + d * c, own_defect);
        for (int j = 0; j < m; j++)
            own->defect[d * c + j] = own_defect[j] + own->s[d * c + j] - square(E, d, j) * x[j];
        spread(E, d, m, x, own->rows + d * c);
    }
    stick_body_system_impulse(task->system, own->rows, own->F);
    for (int i = 0; i < n; i++)
        own->F[i] = task->p[i] - own->F[i];
}

// dy of H D H' dy = load, without the ballast that the factors have.
static void solve_bodies(StickForceInterior *own, const StickForceTask *task)
{
    int d = task->problem->dim, n = task->system->ndofs * task->system->nbodies;
    memset(own->dy, 0, (size_t)n * sizeof *own->dy);
    for (int pass = 0; pass < PASSES; pass++) {
        stick_body_system_velocity(task->system, own->zero, own->dy, own->rows);
        for (int c = 0; c < task->problem->ncontacts; c++) {
            double Du[3] = {0}, *u = own->rows + d * c;
            for (int k = 0; k < d; k++)
                for (int l = 0; l < d; l++)
                    Du[k] += task->D[d * d * c + d * k + l] * u[l];
            memcpy(u, Du, (size_t)d * sizeof *u);
        }
        stick_body_system_impulse(task->system, own->rows, own->rest);
        for (int i = 0; i < n; i++)
            own->rest[i] = own->load[i] - own->rest[i];
        stick_body_system_solve(task->system, own->rest, own->change);
        for (int i = 0; i < n; i++)
            own->dy[i] += own->change[i];
    }
}

// dx, ds and dy for the wanted change f of lambda o lambda:
//     dx = B (E'H'dy + g),   g = V z + defect,   lambda o z = f,   H D H' dy = F - H E B g,   ds = V (z - V dx)
static void solve(StickForceInterior *own, const StickForceTask *task)
{
    int d = task->problem->dim, n = task->system->ndofs * task->system->nbodies;
    for (int c = 0; c < task->problem->ncontacts; c++) {
        double E[9], g[3], Bg[3] = {0}, *z = own->ds + d * c;
        int m = cone_of(task, c, E);
        if (m > 0) {
            stick_lorentz_divide(m, own->lambda + d * c, own->f + d * c, z);
            stick_lorentz_scale(m, &own->scaling[c], z, g);
        }
        for (int i = 0; i < m; i++)
            g[i] += own->defect[d * c + i];
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                Bg[i] += own->B[d * d * c + i * d + j] * g[j];
        memcpy(own->dx + d * c, Bg, (size_t)m * sizeof *Bg);
        spread(E, d, m, Bg, own->rows + d * c);
    }
    stick_body_system_impulse(task->system, own->rows, own->load);
    for (int i = 0; i < n; i++)
        own->load[i] = own->F[i] - own->load[i];
    solve_bodies(own, task);
    stick_body_system_velocity(task->system, own->zero, own->dy, own->rows);
    for (int c = 0; c < task->problem->ncontacts; c++) {
        double E[9], along[3], Vdx[3], rest[3], *dx = own->dx + d * c, *ds = own->ds + d * c;
        int m = cone_of(task, c, E);
        gather(E, d, m, own->rows + d * c, along);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                dx[i] += own->B[d * d * c + i * d + j] * along[j];
        if (m == 0)
            continue;
        stick_lorentz_scale(m, &own->scaling[c], dx, Vdx);
        for (int i = 0; i < m; i++)
            rest[i] = ds[i] - Vdx[i];
        stick_lorentz_scale(m, &own->scaling[c], rest, ds);
    }
}

// Sum of x.s after a step.
static double gap(const StickForceInterior *own, const StickForceTask *task, double step)
{
    int d = task->problem->dim;
    double sum = 0, E[9];
    for (int c = 0; c < task->problem->ncontacts; c++)
        for (int m = cone_of(task, c, E), i = d * c; i < d * c + m; i++)
            sum += (own->x[i] + step * own->dx[i]) * (own->s[i] + step * own->ds[i]);
    return sum;
}

// f = target e - lambda o lambda - weight (V dx) o (V^-1 ds)
static void aim(StickForceInterior *own, const StickForceTask *task, double target, double weight)
{
    int d = task->problem->dim;
    for (int c = 0; c < task->problem->ncontacts; c++) {
        double E[9], a[3], b[3], second[3] = {0}, *f = own->f + d * c;
        int m = cone_of(task, c, E);
        if (m == 0)
            continue;
        if (weight > 0) {
            stick_lorentz_scale(m, &own->scaling[c], own->dx + d * c, a);
            stick_lorentz_unscale(m, &own->scaling[c], own->ds + d * c, b);
            stick_lorentz_product(m, a, b, second);
        }
        stick_lorentz_product(m, own->lambda + d * c, own->lambda + d * c, f);
        for (int i = 0; i < m; i++)
            f[i] = (i == 0 ? target : 0) - f[i] - weight * second[i];
    }
}

// Largest step inside of the cones.
static double longest(const StickForceInterior *own, const StickForceTask *task)
{
    int d = task->problem->dim;
    double least = INFINITY, E[9];
    for (int c = 0; c < task->problem->ncontacts; c++) {
        int m = cone_of(task, c, E);
        if (m == 0)
            continue;
        least = fmin(least, stick_lorentz_step(m, own->x + d * c, own->dx + d * c));
        least = fmin(least, stick_lorentz_step(m, own->s + d * c, own->ds + d * c));
    }
    return least;
}

// One predictor-corrector step [Meh92]; returns its length, 0 if it failed.
static double advance(StickForceInterior *own, const StickForceTask *task, int cones)
{
    if (!factor(own, task))
        return 0;
    measure(own, task);
    double now = gap(own, task, 0);
    aim(own, task, 0, 0);
    solve(own, task);
    double step = fmin(1, longest(own, task)), ratio = fmin(1, fmax(0, gap(own, task, step) / now));
    aim(own, task, ratio * ratio * ratio * now / cones, step * step);
    solve(own, task);
    step = fmin(1, to_boundary * longest(own, task));
    if (!(step > 0))
        return 0;
    for (int i = 0; i < task->problem->dim * task->problem->ncontacts; i++) {
        own->x[i] += step * own->dx[i];
        own->s[i] += step * own->ds[i];
    }
    for (int i = 0; i < task->system->ndofs * task->system->nbodies; i++)
        own->y[i] += step * own->dy[i];
    return step;
}

// x is r, and s the force that is missing, both moved into the cones; returns the number of these.
static int begin(StickForceInterior *own, const StickForceTask *task, const double *r)
{
    int d = task->problem->dim, n = d * task->problem->ncontacts, cones = 0;
    double sum = 0, E[9];
    for (int i = 0; i < n; i++)
        sum += r[i] * r[i];
    double size = inside * sqrt(sum / fmax(1, task->problem->ncontacts));
    memset(own->y, 0, (size_t)(task->system->ndofs * task->system->nbodies) * sizeof *own->y);
    for (double **v = (double *[]){own->x, own->s, own->dx, own->ds, own->lambda, own->f, NULL}; *v; v++)
        memset(*v, 0, (size_t)n * sizeof **v);
    for (int c = 0; c < task->problem->ncontacts; c++) {
        int m = cone_of(task, c, E);
        double *x = own->x + d * c;
        gather(E, d, m, r + d * c, x);
        for (int j = 0; j < m; j++)
            x[j] /= square(E, d, j);
        if (m == 0)
            continue;
        cones++;
        x[0] = fmax(x[0], sqrt(stick_lorentz_dot(m, x, x))) + size;
        own->s[d * c] = size;
    }
    return cones;
}

bool stick_force_interior_solve(StickForceInterior *own, const StickForceTask *task, double *r, int *steps)
{
    int d = task->problem->dim, n = d * task->problem->ncontacts, short_steps = 0;
    double size = 0, now = INFINITY, before = INFINITY; // before: x.s as many steps ago as may bring little
    for (int c = 0; c < task->problem->ncontacts; c++)
        if (stick_section_of(task->problem, c) && task->kind[c] == STICK_FORCE_CLOSED)
            return false;
    for (int i = 0; i < n; i++)
        size += r[i] * r[i];
    int cones = begin(own, task, r);
    for (int k = 1; cones > 0 && k <= MOST_STEPS && short_steps < MOST_SHORT; k++) {
        double step = advance(own, task, cones);
        now = gap(own, task, 0);
        (*steps)++;
        if (step == 0 || now <= least_gap * size || stick_is_stopped(own->ctx))
            break;
        short_steps = step < short_step ? short_steps + 1 : 0;
        if (k % MOST_STALLED == 0 && !(now < stalled * before))
            break;
        before = k % MOST_STALLED == 0 ? now : before;
    }
    for (int c = 0; c < task->problem->ncontacts; c++) {
        double E[9], z[3] = {0}, x[3] = {0};
        int m = cone_of(task, c, E);
        for (int j = 0; j < m; j++)
            z[j] = own->x[d * c + j];
        if (m > 0)
            stick_cone_project(m, 1, z, x);
        spread(E, d, m, x, r + d * c);
    }
    return cones == 0 || now <= small_gap * size;
}
