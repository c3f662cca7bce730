// SPDX-License-Identifier: Apache-2.0
#include "solve/force_selection.h"

#include "base/memory.h"
#include "solve/body_system.h"
#include "solve/cone.h"
#include "solve/force_interior.h"
#include "solve/problem.h"
#include "solve/section.h"

#include <math.h>
#include <string.h>

struct StickForceSelection {
    StickContext *ctx;
    StickBodySystem system;
    StickForceInterior *interior;
    const StickFrictionProblem *problem;
    double *r, *v, *D,
        *direction;          // dim x ncontacts, D dim times as many; direction: r / r_N where it slides
    double *zero, *Du, *fit; // dim x ncontacts
    double *y, *dy, *trial, *F, *p, *q, *Mq; // ndofs x nbodies
    unsigned char *kind, *status;            // ncontacts
    StickJointRow *joint;                    // the rigid ones
    double mass;                             // the largest
    bool has_factors;                        // the last factorisation succeeded
    double *reals;
    size_t real_room, kind_room, joint_room;
};

// Newton's steps before interior points take over, and evaluations along one until the slope has fallen to this share.
enum { FEW = 6, MANY = 200, TRIES = 12 };
static const double slope_share = 0.1;

// Factors serve for another step as long as one leaves no more than this share of the error.
static const double quick = 0.1;

// Of the stiffness H D H', the masses that keep it regular where contacts do not hold a body.
static const double ballast = 1e-11;

// Far from the solution more of these masses restrain bodies that lose contact, which limit the step of all others.
// The weight is a multiple of the error; it increases if a step is shorter than the least part.
static const double first_weight = 1e-3, least_weight = 1e-6, most_weight = 1e3, weight_up = 10,
                    weight_down = 0.1, least_part = 0.2, fast = 0.3, most_ballast = 1;

// |F| of the momenta that steps aim at, and at the end.
static const double aim = 1e-13, accurate = 1e-10;

// Refined momenta may leave a little more of the error: they have less noise even where the largest error is
// another one.
static const double worse = 2;

// A contact at rest moves by less than this share of the tolerance; where no forces are found for that, by less
// than the next one.
static const double shares[] = {1, 0.03};

StickStatus stick_force_selection_create(StickContext *ctx, StickForceSelection **selection)
{
    StickForceSelection *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    StickStatus status = stick_body_system_create(ctx, &created->system);
    if (status == STICK_OK)
        status = stick_force_interior_create(ctx, &created->interior);
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
    stick_force_interior_destroy(selection->interior);
    stick_free(selection->ctx, selection->reals);
    stick_free(selection->ctx, selection->kind);
    stick_free(selection->ctx, selection->joint);
    stick_free(selection->ctx, selection);
}

// The bodies of the problem without springs and dampers, whose forces follow from the motion.
static StickStatus load(StickForceSelection *own, const StickFrictionProblem *problem, bool may_use_threads)
{
    StickFrictionProblem rigid = *problem;
    StickBodies bodies = *problem->bodies;
    STICK_RESERVE(own->ctx, own->joint, own->joint_room, bodies.njoints);
    bodies.njoints = 0;
    bodies.joint = own->joint;
    for (int i = 0; i < problem->bodies->njoints; i++)
        if (problem->bodies->joint[i].compliance == 0)
            own->joint[bodies.njoints++] = problem->bodies->joint[i];
    rigid.bodies = &bodies;
    return stick_body_system_load(&own->system, &rigid, may_use_threads);
}

StickStatus stick_force_selection_reserve(StickForceSelection *own, const StickFrictionProblem *problem,
                                          bool may_use_threads)
{
    size_t n = (size_t)problem->ncontacts, d = (size_t)problem->dim, rows = d * n;
    STICK_TRY(load(own, problem, may_use_threads));
    STICK_TRY(stick_force_interior_reserve(own->interior, &own->system));
    size_t bodies = (size_t)own->system.ndofs * (size_t)own->system.nbodies;
    STICK_RESERVE(own->ctx, own->reals, own->real_room, (6 + d) * rows + 7 * bodies);
    STICK_RESERVE(own->ctx, own->kind, own->kind_room, 2 * n);
    own->status = own->kind + n;
    double **of_contacts[] = {&own->r, &own->v, &own->direction, &own->zero, &own->Du, &own->fit},
           **of_bodies[] = {&own->y, &own->dy, &own->trial, &own->F, &own->p, &own->q, &own->Mq};
    for (size_t k = 0; k < 6; k++)
        *of_contacts[k] = own->reals + k * rows;
    own->D = own->reals + 6 * rows;
    for (size_t k = 0; k < 7; k++)
        *of_bodies[k] = own->D + d * rows + k * bodies;
    memset(own->zero, 0, rows * sizeof *own->zero);
    return STICK_OK;
}

double stick_force_selection_flops(const StickForceSelection *selection)
{
    return stick_body_system_flops(&selection->system);
}

// ---- the law of the known motion

// r = P(z) on the cone of a contact that sticks, and D = dP/dz. Outside of the cone s = r_N and r_T = t(s, z_T),
// the point of s D_1 nearest to z_T, where s is the minimum of (s - z_N)^2 + |z_T - t|^2. t is homogeneous: the
// derivative of that is
//     (1 + t.t_s / s) ds = dz_N + t_s.dz_T,   t_s = dt/ds
static void project(const StickFrictionProblem *problem, int c, const double *z, double *r, double *D)
{
    int d = problem->dim, m = d - 1;
    double at[3] = {0}, t_s[2] = {0}, t_z[4] = {0}, slope = 1;
    bool is_inside = true;
    stick_friction_project(problem, c, z, r);
    for (int k = 0; k < d; k++)
        is_inside &= r[k] == z[k];
    for (int k = 0; k < d && is_inside; k++)
        D[k * (d + 1)] = 1;
    if (is_inside || !(r[0] > 0))
        return;
    memcpy(at, z, (size_t)d * sizeof *z);
    at[0] = r[0];
    stick_friction_linearise(problem, c, at, t_s, t_z);
    for (int i = 0; i < m; i++)
        slope += r[1 + i] * t_s[i] / r[0];
    D[0] = 1 / slope;
    for (int i = 0; i < m; i++) {
        D[(1 + i) * d] = D[1 + i] = t_s[i] / slope;
        for (int j = 0; j < m; j++)
            D[(1 + i) * d + 1 + j] = t_z[i * m + j] + t_s[i] * t_s[j] / slope;
    }
}

// r = a max(a.z, 0) / a.a with the direction a of a force, and D = dr/dz
static void project_on(int d, const double *a, const double *z, double *r, double *D)
{
    double size = 0, product = 0;
    for (int k = 0; k < d; k++) {
        size += a[k] * a[k];
        product += a[k] * z[k];
    }
    for (int k = 0; k < d && product > 0; k++) {
        r[k] = a[k] * product / size;
        for (int l = 0; l < d; l++)
            D[k * d + l] = a[k] * a[l] / size;
    }
}

// Finds the kinds of contacts from r and u: contacts open or slide if they move by more than the admissible error, or
// by more than this share of it if their forces are nearer to those of this motion than to those of rest. fit: the
// nearest forces of these kinds, which prove that admissible forces exist.
static void find_kinds(StickForceSelection *own, const StickSolverOptions *options, double share,
                       const double *r, const double *u, double *fit)
{
    const StickFrictionProblem *problem = own->problem;
    int d = problem->dim;
    double drive = stick_residual_drive(problem), D[9];
    for (int c = 0; c < problem->ncontacts; c++) {
        double bound = options->tolerance * sqrt(stick_residual_scale(problem, c, drive)),
               most = share * bound, *direction = own->direction + d * c, *own_fit = fit + d * c;
        const double *own_u = u + d * c, *own_r = r + d * c;
        double speed = stick_cone_tangent(d, own_u), w = stick_friction_weight(problem, c), off = 0;
        bool has_section = stick_section_of(problem, c) != NULL;
        own->kind[c] = STICK_FORCE_CLOSED;
        memset(own_fit, 0, (size_t)d * sizeof *own_fit);
        // of a section the direction is known from a force only
        if (own_u[0] > bound || (own_u[0] > most && own_u[0] > w * own_r[0]) || !(own_r[0] >= 0) ||
            (has_section && speed > most && !(own_r[0] > 0))) {
            own->kind[c] = STICK_FORCE_OPEN;
            continue;
        }
        direction[0] = 1;
        for (int k = 1; k < d && speed > most; k++)
            direction[k] = has_section ? own_r[k] / own_r[0] : -problem->mu[c] * own_u[k] / speed;
        if (speed > most)
            project_on(d, direction, own_r, own_fit, D);
        for (int k = 0; k < d; k++)
            off = hypot(off, own_r[k] - own_fit[k]);
        if (speed > bound || (speed > most && w * off <= speed))
            own->kind[c] = STICK_FORCE_SLIDES;
        else
            stick_friction_project(problem, c, own_r, own_fit);
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
        if (own->kind[c] == STICK_FORCE_CLOSED)
            project(own->problem, c, z, r, D);
        else if (own->kind[c] == STICK_FORCE_SLIDES)
            project_on(d, own->direction + d * c, z, r, D);
        own->status[c] = r[0] > 0;
    }
}

// |F| in the metric of S. Forces of joints cancel in S F, not in F.S F.
static double norm(StickForceSelection *own, const double *F)
{
    StickBodySystem *system = &own->system;
    double sum = 0;
    stick_body_system_response(system, F, own->q);
    stick_body_system_momentum(system, own->q, own->Mq);
    for (int i = 0; i < system->ndofs * system->nbodies; i++)
        sum += own->q[i] * own->Mq[i];
    return sqrt(fmax(sum, 0));
}

// F = p - H P(-H' y), the gradient, with D; returns |F| in the metric of S, which forces of joints do not change.
static double evaluate(StickForceSelection *own, const double *y)
{
    StickBodySystem *system = &own->system;
    int n = system->ndofs * system->nbodies;
    stick_body_system_velocity(system, own->zero, y, own->v);
    stick_body_system_range(system, law_range, own);
    stick_body_system_impulse(system, own->r, own->F);
    for (int i = 0; i < n; i++)
        own->F[i] = own->p[i] - own->F[i];
    return norm(own, own->F);
}

// ---- Newton's method

static bool factor(StickForceSelection *own, double soft, int *steps)
{
    (*steps)++;
    own->has_factors = stick_body_system_factor(&own->system, own->status, own->D, soft / own->mass - 1);
    return own->has_factors;
}

// x = A^-1 F with G x = 0. The borders of joints ensure this up to the round-off of motions that only the ballast
// holds.
static void solve(StickForceSelection *own, const double *F, double *x)
{
    stick_body_system_solve(&own->system, F, x);
    if (own->system.joints.count == 0)
        return;
    stick_body_system_momentum(&own->system, x, own->q);
    stick_body_system_response(&own->system, own->q, x);
}

// A start in which what presses, and sticks, in r does so: P is homogeneous, so that y is exact for the right D.
static bool start(StickForceSelection *own, const double *r, int *steps)
{
    int d = own->problem->dim, n = own->system.ndofs * own->system.nbodies;
    for (int c = 0; c < own->problem->ncontacts; c++) {
        const StickSection *section = stick_section_of(own->problem, c);
        const double *own_r = r + d * c;
        double *D = own->D + d * d * c, tangent = stick_cone_tangent(d, own_r), along[3] = {0};
        memset(D, 0, (size_t)(d * d) * sizeof *D);
        own->status[c] = own->kind[c] != STICK_FORCE_OPEN && own_r[0] > 0;
        bool is_inside = own->kind[c] == STICK_FORCE_CLOSED &&
                         (section || d == 1 || tangent < (1 - 1e-6) * own->problem->mu[c] * own_r[0]);
        for (int k = 0; k < d && own->status[c] && is_inside; k++)
            D[k * (d + 1)] = 1;
        if (own->status[c] && !is_inside)
            project_on(d, own_r, own_r, along, D);
        // forces at the limit of friction may turn, too
        for (int i = 1;
             i < d && own->status[c] && !is_inside && own->kind[c] == STICK_FORCE_CLOSED && tangent > 0; i++)
            for (int j = 1; j < d; j++)
                D[i * d + j] += (i == j) - own_r[i] * own_r[j] / (tangent * tangent);
    }
    if (!factor(own, ballast, steps))
        return false;
    solve(own, own->p, own->y);
    for (int i = 0; i < n; i++)
        own->y[i] = -own->y[i];
    return true;
}

// F at y - part dy
static double evaluate_part(StickForceSelection *own, double part)
{
    int n = own->system.ndofs * own->system.nbodies;
    for (int i = 0; i < n; i++)
        own->trial[i] = own->y[i] - part * own->dy[i];
    return evaluate(own, own->trial);
}

static double slope(const StickForceSelection *own)
{
    double sum = 0;
    for (int i = 0; i < own->system.ndofs * own->system.nbodies; i++)
        sum += own->F[i] * own->dy[i];
    return sum;
}

// The part of the step where the function is least, that is where F . dy is zero; at_low: at y. error: |F| there.
static double search(StickForceSelection *own, double at_low, double *error)
{
    double low = 0, high = 0, at_high = 0, part = 1, first = at_low;
    for (int k = 0; k < TRIES; k++) {
        *error = evaluate_part(own, part);
        double now = slope(own);
        if (fabs(now) <= slope_share * fabs(first) || (now > 0 && part == 1))
            return part;
        low = now > 0 ? part : low;
        at_low = now > 0 ? now : at_low;
        high = now > 0 ? high : part;
        at_high = now > 0 ? at_high : now;
        double width = high - low, next = low + at_low * width / (at_low - at_high);
        part = fmin(fmax(next, low + 0.1 * width), high - 0.1 * width);
    }
    *error = evaluate_part(own, part);
    return part;
}

static void take_trial(StickForceSelection *own)
{
    memcpy(own->y, own->trial, (size_t)(own->system.ndofs * own->system.nbodies) * sizeof *own->y);
}

// From a guess of the forces, or from y with the present factors. True: F is zero up to round-off.
static bool find(StickForceSelection *own, const double *guess, int most, int *steps)
{
    StickBodySystem *system = &own->system;
    int v = system->ndofs, n = v * system->nbodies;
    double weight = first_weight, size = norm(own, own->p);
    own->mass = 0;
    for (int i = 0; i < n; i++)
        own->mass = fmax(own->mass, system->M[(i / v * v + i % v) * v + i % v]);
    if (guess && !start(own, guess, steps))
        return false;
    int first = *steps;
    double error = evaluate(own, own->y);
    if (guess && !(error <= size)) { // statuses that balance nothing
        memset(own->y, 0, (size_t)n * sizeof *own->y);
        error = evaluate(own, own->y);
    }
    while (error > aim * size && isfinite(error) && !stick_is_stopped(own->ctx)) {
        // with the factors at hand
        solve(own, own->F, own->dy);
        double next = evaluate_part(own, 1);
        if (next <= quick * error) {
            take_trial(own);
            error = next;
            continue;
        }
        error = evaluate(own, own->y);
        if (error <= accurate * size || *steps - first > most)
            break;
        // with those of this place
        if (!factor(own, fmin(most_ballast, fmax(ballast, weight * error / size)), steps))
            return false;
        solve(own, own->F, own->dy);
        double before = error, part = search(own, slope(own), &error);
        take_trial(own);
        if (part < least_part)
            weight = fmin(most_weight, weight_up * weight);
        else if (error < fast * before)
            weight = fmax(least_weight, weight_down * weight);
    }
    return error <= accurate * size;
}

// Removes the error of the motion from the momenta, with the present factors: pressed bodies come to rest in
//     (H D H' + b M) dw = -H D u,   b M dw = -H D (u + H' dw),
// so that there are forces with the momenta p + M dw. True: these were found.
static bool refine(StickForceSelection *own, int *steps)
{
    StickBodySystem *system = &own->system;
    int d = own->problem->dim, rows = d * own->problem->ncontacts;
    for (int i = 0; i < rows; i++) {
        int most = own->kind[i / d] == STICK_FORCE_SLIDES ? 1 : d; // what slides has no velocity across it
        own->Du[i] = 0;
        for (int k = 0; k < most; k++)
            own->Du[i] -= own->D[d * i + k] * own->v[i / d * d + k];
    }
    stick_body_system_impulse(system, own->Du, own->F);
    solve(own, own->F, own->dy);
    stick_body_system_momentum(system, own->dy, own->F);
    for (int i = 0; i < system->ndofs * system->nbodies; i++)
        own->p[i] += own->F[i];
    return find(own, NULL, FEW, steps);
}

// From interior points, where Newton's method does not converge: there are forces with the momenta of fit. Newton's
// method then removes the remaining error, if the set of forces is not too thin for it.
static bool find_inside(StickForceSelection *own, int *steps)
{
    StickForceTask task = {&own->system, own->problem, own->kind, own->direction,
                           own->p,       ballast,      own->mass, own->D};
    stick_body_system_impulse(&own->system, own->fit, own->p);
    if (!stick_force_interior_solve(own->interior, &task, own->fit, steps))
        return false;
    if (!find(own, own->fit, FEW, steps))
        memcpy(own->r, own->fit, (size_t)(own->problem->dim * own->problem->ncontacts) * sizeof *own->r);
    return true;
}

// The residual of the forces that were found, or of refined ones where these are better.
static StickResidual settle(StickForceSelection *own, const StickSolverOptions *options, int *steps)
{
    size_t size = (size_t)(own->problem->dim * own->problem->ncontacts) * sizeof *own->r;
    StickResidual found = stick_body_system_measure(&own->system, own->problem, own->r, own->v);
    double error = stick_residual_error(found, options->measure);
    if (error <= options->aim || !own->has_factors)
        return found;
    memcpy(own->fit, own->r, size);
    if (refine(own, steps)) {
        StickResidual refined = stick_body_system_measure(&own->system, own->problem, own->r, own->v);
        if (stick_residual_within(refined, options) &&
            (stick_residual_error(refined, options->measure) <= worse * error ||
             !stick_residual_within(found, options)))
            return refined;
    }
    memcpy(own->r, own->fit, size);
    return stick_body_system_measure(&own->system, own->problem, own->r, own->v);
}

StickSelectionEnd stick_force_selection_solve(StickForceSelection *own, const StickFrictionProblem *problem,
                                              const StickSolverOptions *options, const double *guess,
                                              double *r, double *u)
{
    StickSelectionEnd end = {0};
    size_t size = (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r;
    own->problem = problem;
    if (!isfinite(stick_force_selection_flops(own)))
        return end;
    // a few steps of Newton's method, interior points, and many steps in turn
    for (size_t k = 0; k < 3 * sizeof shares / sizeof *shares && !end.found; k++) {
        find_kinds(own, options, shares[k / 3], r, u, own->fit);
        stick_body_system_impulse(&own->system, r, own->p);
        if (k % 3 == 1 ? !find_inside(own, &end.steps)
                       : !find(own, guess, k % 3 == 0 ? FEW : MANY, &end.steps))
            continue;
        end.residual = settle(own, options, &end.steps);
        end.found = stick_residual_within(end.residual, options);
    }
    if (!end.found)
        return end;
    memcpy(r, own->r, size);
    memcpy(u, own->v, size);
    return end;
}
