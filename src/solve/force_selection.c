// SPDX-License-Identifier: Apache-2.0
#include "solve/force_selection.h"

#include "base/memory.h"
#include "solve/body_system.h"
#include "solve/cone.h"
#include "solve/problem.h"
#include "solve/residual.h"
#include "solve/section.h"

#include <math.h>
#include <string.h>

// What a contact of the known motion may do.
typedef enum Kind { OPEN, CLOSED, SLIDES } Kind;

struct StickForceSelection {
    StickContext *ctx;
    StickBodySystem system;
    const StickFrictionProblem *problem;
    double *r, *v, *D,
        *direction; // dim x ncontacts, D dim times as many; direction: r_T / r_N where it slides
    double *zero;   // dim x ncontacts
    double *y, *dy, *trial, *F, *p, *q; // ndofs x nbodies
    unsigned char *kind, *status;       // ncontacts
    double *reals;
    size_t real_room, kind_room;
};

// Newton's steps, and evaluations along one until the slope has fallen to this share.
enum { STEPS = 40, TRIES = 12 };
static const double slope_share = 0.1;

// Of the stiffness H D H', the masses that keep it regular where contacts do not hold a body.
static const double ballast = 1e-11;

// Bodies that lose contact limit the step of all others. Where it is shorter than this, more of these masses restrain such motions.
static const double least_part = 0.05, first_ballast = 1e-6, ballast_up = 100, ballast_down = 0.1,
                    most_ballast = 1;

// |F| of the momenta at the end; the share that a step must leave.
static const double accurate = 1e-13, least_gain = 0.9;

StickStatus stick_force_selection_create(StickContext *ctx, StickForceSelection **selection)
{
    StickForceSelection *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    StickStatus status = stick_body_system_create(ctx, &created->system);
    if (status != STICK_OK) {
        stick_force_selection_destroy(created);
        return status;
    }
    *selection = created;
    return STICK_OK;
}

void stick_force_selection_destroy(StickForceSelection *selection)
{
    if (!selection)
        return;
    stick_body_system_destroy(&selection->system);
    stick_free(selection->ctx, selection->reals);
    stick_free(selection->ctx, selection->kind);
    stick_free(selection->ctx, selection);
}

static StickStatus reserve(StickForceSelection *own, const StickFrictionProblem *problem)
{
    size_t n = (size_t)problem->ncontacts, d = (size_t)problem->dim, rows = d * n;
    STICK_TRY(stick_body_system_load(&own->system, problem, true));
    size_t bodies = (size_t)own->system.ndofs * (size_t)own->system.nbodies;
    STICK_RESERVE(own->ctx, own->reals, own->real_room, (4 + d) * rows + 6 * bodies);
    STICK_RESERVE(own->ctx, own->kind, own->kind_room, 2 * n);
    own->status = own->kind + n;
    own->r = own->reals;
    own->v = own->r + rows;
    own->direction = own->v + rows;
    own->zero = own->direction + rows;
    own->D = own->zero + rows;
    own->y = own->D + d * rows;
    own->dy = own->y + bodies;
    own->trial = own->dy + bodies;
    own->F = own->trial + bodies;
    own->p = own->F + bodies;
    own->q = own->p + bodies;
    return STICK_OK;
}

// From r and u: contacts that open or slide by more than the error that is allowed.
static void find_kinds(StickForceSelection *own, const StickSolverOptions *options, const double *r,
                       const double *u)
{
    const StickFrictionProblem *problem = own->problem;
    int d = problem->dim;
    double drive = stick_residual_drive(problem);
    for (int c = 0; c < problem->ncontacts; c++) {
        double most = options->tolerance * sqrt(stick_residual_scale(problem, c, drive)),
               *direction = own->direction + d * c;
        const double *own_u = u + d * c, *own_r = r + d * c;
        double speed = stick_cone_tangent(d, own_u);
        own->kind[c] = CLOSED;
        if (own_u[0] > most || !(own_r[0] >= 0))
            own->kind[c] = OPEN;
        else if (d > 1 && speed > most)
            own->kind[c] = SLIDES;
        // of a section the direction is known from a force only
        if (own->kind[c] == SLIDES && stick_section_of(problem, c) && !(own_r[0] > 0))
            own->kind[c] = OPEN;
        for (int k = 1; k < d && own->kind[c] == SLIDES; k++)
            direction[k] =
                stick_section_of(problem, c) ? own_r[k] / own_r[0] : -problem->mu[c] * own_u[k] / speed;
    }
}

// r = R(z) and D = dR/dz of a contact that sticks
static void stick(const StickFrictionProblem *problem, int c, const double *z, double *r, double *D)
{
    int d = problem->dim, m = d - 1;
    const StickSection *section = stick_section_of(problem, c);
    double s[2] = {0}, K[4] = {0};
    r[0] = z[0];
    bool is_inside = d == 1 || (section ? stick_section_gauge(section, z + 1) <= z[0]
                                        : stick_cone_tangent(d, z) <= problem->mu[c] * z[0]);
    for (int k = 0; k < d && is_inside; k++) {
        r[k] = z[k];
        D[k * (d + 1)] = 1;
    }
    if (is_inside)
        return;
    if (section) {
        stick_section_nearest(section, z[0], z + 1, r + 1);
        stick_section_linearise(section, z[0], z + 1, s, K);
    } else {
        double size = stick_cone_tangent(d, z), ratio = problem->mu[c] * z[0] / size;
        for (int i = 0; i < m; i++) {
            r[1 + i] = ratio * z[1 + i];
            s[i] = problem->mu[c] * z[1 + i] / size;
            for (int j = 0; j < m; j++)
                K[i * m + j] = ratio * ((i == j) - z[1 + i] * z[1 + j] / (size * size));
        }
    }
    D[0] = 1;
    for (int i = 0; i < m; i++) {
        D[(1 + i) * d] = s[i];
        for (int j = 0; j < m; j++)
            D[(1 + i) * d + 1 + j] = K[i * m + j];
    }
}

static void law_range(void *data, int from, int to)
{
    StickForceSelection *own = data;
    int d = own->problem->dim;
    for (int c = from; c < to; c++) {
        double z[3] = {0}, *r = own->r + d * c, *D = own->D + d * d * c;
        for (int k = 0; k < d; k++) {
            z[k] = -own->v[d * c + k];
            r[k] = 0;
        }
        memset(D, 0, (size_t)(d * d) * sizeof *D);
        own->status[c] = own->kind[c] != OPEN && z[0] > 0;
        if (!own->status[c])
            continue;
        if (own->kind[c] == CLOSED) {
            stick(own->problem, c, z, r, D);
            continue;
        }
        r[0] = z[0];
        D[0] = 1;
        for (int k = 1; k < d; k++)
            r[k] = (D[k * d] = own->direction[d * c + k]) * z[0];
    }
}

// F = p - H R(-H' y) with D; returns |F| in the metric of S.
static double evaluate(StickForceSelection *own, const double *y)
{
    StickBodySystem *system = &own->system;
    int n = system->ndofs * system->nbodies;
    double sum = 0;
    stick_body_system_velocity(system, own->zero, y, own->v);
    stick_body_system_range(system, law_range, own);
    stick_body_system_impulse(system, own->r, own->F);
    for (int i = 0; i < n; i++)
        own->F[i] = own->p[i] - own->F[i];
    stick_body_system_response(system, own->F, own->q);
    for (int i = 0; i < n; i++)
        sum += own->F[i] * own->q[i];
    return sqrt(sum);
}

// A start in which what presses, and sticks, in r does so: linear springs at these contacts.
static bool start(StickForceSelection *own, const double *r, double shift)
{
    int d = own->problem->dim, n = own->system.ndofs * own->system.nbodies;
    for (int c = 0; c < own->problem->ncontacts; c++) {
        double *D = own->D + d * d * c, tangent = stick_cone_tangent(d, r + d * c);
        memset(D, 0, (size_t)(d * d) * sizeof *D);
        own->status[c] = own->kind[c] != OPEN && r[d * c] > 0;
        bool is_free = own->kind[c] == CLOSED && (stick_section_of(own->problem, c) || d == 1 ||
                                                  tangent < (1 - 1e-6) * own->problem->mu[c] * r[d * c]);
        for (int k = 0; k < d && own->status[c]; k++) {
            if (is_free || k == 0)
                D[k * (d + 1)] = 1;
            else
                D[k * d] = r[d * c + k] / r[d * c];
        }
    }
    if (!stick_body_system_factor(&own->system, own->status, own->D, shift))
        return false;
    stick_body_system_solve(&own->system, own->p, own->y);
    for (int i = 0; i < n; i++)
        own->y[i] = -own->y[i];
    return true;
}

// y - part dy, where F . dy is zero: for given directions of sliding F is the gradient of a concave function but for friction. Returns
// |F|; taken: part.
static double take_part(StickForceSelection *own, double *taken)
{
    int n = own->system.ndofs * own->system.nbodies;
    double low = 0, at_low = 0, high = 0, at_high = 0, part = 1, error = INFINITY;
    for (int i = 0; i < n; i++)
        at_low += own->F[i] * own->dy[i];
    double first = at_low;
    for (int k = 0; k < TRIES; k++) {
        double slope = 0;
        for (int i = 0; i < n; i++)
            own->trial[i] = own->y[i] - part * own->dy[i];
        error = evaluate(own, own->trial);
        for (int i = 0; i < n; i++)
            slope += own->F[i] * own->dy[i];
        if (fabs(slope) <= slope_share * fabs(first) || (slope > 0 && part == 1))
            break;
        low = slope > 0 ? part : low;
        at_low = slope > 0 ? slope : at_low;
        high = slope > 0 ? high : part;
        at_high = slope > 0 ? at_high : slope;
        double width = high - low, next = low + at_low * width / (at_low - at_high);
        part = fmin(fmax(next, low + 0.1 * width), high - 0.1 * width);
    }
    memcpy(own->y, own->trial, (size_t)n * sizeof *own->y);
    *taken = part;
    return error;
}

// Newton's method; true: F is zero but for round-off.
static bool find(StickForceSelection *own, const double *r, int *steps)
{
    StickBodySystem *system = &own->system;
    int v = system->ndofs, n = v * system->nbodies;
    double mass = 0, size = 0;
    for (int i = 0; i < n; i++)
        mass = fmax(mass, system->M[(i / v * v + i % v) * v + i % v]);
    double shift = ballast / mass - 1, soft = ballast;
    stick_body_system_response(system, own->p, own->q);
    for (int i = 0; i < n; i++)
        size += own->p[i] * own->q[i];
    size = sqrt(size);
    (*steps)++;
    if (!start(own, r, shift))
        return false;
    double error = evaluate(own, own->y);
    for (int k = 0; k < STEPS && error > accurate * size; k++) {
        (*steps)++;
        if (!stick_body_system_factor(system, own->status, own->D, soft / mass - 1))
            return false;
        stick_body_system_solve(system, own->F, own->dy);
        double part, next = take_part(own, &part);
        soft = part < least_part ? fmin(most_ballast, fmax(first_ballast, ballast_up * soft))
                                 : fmax(ballast, ballast_down * soft);
        bool is_round_off = next <= 1e3 * accurate * size && !(next < least_gain * error);
        error = next;
        if (is_round_off || !isfinite(error))
            break;
    }
    return error <= 1e3 * accurate * size;
}

StickStatus stick_force_selection_solve(StickForceSelection *own, const StickFrictionProblem *problem,
                                        const StickSolverOptions *options, double *r, double *u, int *steps)
{
    size_t size = (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r;
    own->problem = problem;
    if (!problem->bodies || problem->bodies->njoints > 0)
        return STICK_OK;
    STICK_TRY(reserve(own, problem));
    if (!isfinite(stick_body_system_flops(&own->system)))
        return STICK_OK;
    memset(own->zero, 0, size);
    find_kinds(own, options, r, u);
    stick_body_system_impulse(&own->system, r, own->p);
    if (!find(own, r, steps))
        return STICK_OK;
    if (!stick_residual_within(stick_body_system_measure(&own->system, problem, own->r, own->v), options))
        return STICK_OK;
    memcpy(r, own->r, size);
    memcpy(u, own->v, size);
    return STICK_OK;
}
