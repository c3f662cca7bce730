// SPDX-License-Identifier: Apache-2.0
#include "stepping/ledger.h"

#include "base/reduction.h"
#include "bodies/finite.h"
#include "stepping/ledger_moreau.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Product {
    const double *x, *y;
} Product;

static void add_products(const void *data, int from, int to, double *sum)
{
    const Product *product = data;
    for (int i = from; i < to; i++)
        *sum += product->x[i] * product->y[i];
}

static double half_product(StickContext *ctx, const double *x, const double *y, int n)
{
    double sum;
    stick_reduction(ctx, n, add_products, &(Product){x, y}, &sum, 1);
    return 0.5 * sum;
}

// Energy stored in deformation. Where no body is under finite deformation, one sum over all.
static double elastic_of(const StickSystem *system, const StickMotion *motion)
{
    double sum = motion->stored;
    if (!stick_system_is_finite(system))
        return half_product(system->ctx, motion->q, motion->Kq, system->ndofs);
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        if (!body->finite)
            sum += half_product(system->ctx, motion->q + body->first, motion->Kq + body->first, body->ndofs);
    }
    return sum;
}

typedef struct Momentum {
    const StickSystem *system;
    const double *Mv;
} Momentum;

// By direction, and the sizes.
static void add_momenta(const void *data, int from, int to, double *sum)
{
    const Momentum *momentum = data;
    const int *axis = momentum->system->axis;
    for (int i = from; i < to; i++) {
        if (axis[i] >= STICK_AXIS_TURN)
            continue;
        sum[axis[i]] += momentum->Mv[i];
        sum[3] += fabs(momentum->Mv[i]);
    }
}

static void momentum_of(const StickSystem *system, const double *Mv, double momentum[3], double *scale)
{
    double sum[4];
    stick_reduction(system->ctx, system->ndofs, add_momenta, &(Momentum){system, Mv}, sum, 4);
    memcpy(momentum, sum, 3 * sizeof *sum);
    *scale = fmax(*scale, sum[3]);
}

void stick_ledger_start(StickLedger *ledger, const StickSystem *system, const StickMotion *motion)
{
    *ledger = (StickLedger){
        .kinetic = half_product(system->ctx, motion->v, motion->Mv, system->ndofs),
        .elastic = elastic_of(system, motion),
    };
    ledger->initial = ledger->kinetic + ledger->elastic;
    ledger->scale = ledger->initial;
    momentum_of(system, motion->Mv, ledger->momentum, &ledger->momentum_scale);
    stick_ledger_angular(system, motion, ledger->angular, &ledger->angular_scale);
}

void stick_ledger_set_off(StickLedger *ledger, const StickSystem *system, const StickMotion *motion)
{
    double before = ledger->kinetic;
    ledger->kinetic = half_product(system->ctx, motion->v, motion->Mv, system->ndofs);
    ledger->supports += ledger->kinetic - before;
    momentum_of(system, motion->Mv, ledger->momentum, &ledger->momentum_scale);
    for (int k = 0; k < 3; k++)
        ledger->support_impulse[k] += ledger->momentum[k];
}

void stick_ledger_disturb(StickLedger *ledger, const StickSystem *system, const StickMotion *motion)
{
    double before = ledger->kinetic + ledger->elastic;
    ledger->kinetic = half_product(system->ctx, motion->v, motion->Mv, system->ndofs);
    ledger->elastic = elastic_of(system, motion);
    ledger->external += ledger->kinetic + ledger->elastic - before;
    momentum_of(system, motion->Mv, ledger->momentum, &ledger->momentum_scale);
}

// Directions in which a translation costs no energy: all but the radius of rings.
static bool is_translation(const StickSystem *system, int k)
{
    for (int b = 0; b < system->nbodies && !stick_system_is_rigid(system); b++)
        if (system->dim == 2 && system->body[b].continuum.plane == STICK_AXISYMMETRIC && k == 0)
            return false;
    return true;
}

static double relative(double error, double scale)
{
    return scale > 0 ? error / scale : error;
}

static void add_momentum(StickLedger *ledger, const StickLedgerStep *step, const StickLedgerTerms *terms)
{
    double before[3];
    for (int k = 0; k < 3; k++)
        before[k] = ledger->momentum[k];
    if (step->scheme)
        momentum_of(step->system, step->after->Mv, ledger->momentum, &ledger->momentum_scale);
    ledger->momentum_scale = fmax(ledger->momentum_scale, terms->impulses);
    double error = 0;
    for (int k = 0; k < step->system->dim; k++) {
        ledger->contact_impulse[k] += terms->contact[k];
        ledger->support_impulse[k] += terms->support[k];
        if (is_translation(step->system, k))
            error = fmax(error, fabs(ledger->momentum[k] - before[k] - terms->impulse[k]));
    }
    ledger->momentum_error = relative(error, ledger->momentum_scale);
    ledger->worst_momentum = fmax(ledger->worst_momentum, ledger->momentum_error);
}

static double largest_of(const double *values, int count)
{
    double largest = 0;
    for (int k = 0; k < count; k++)
        largest = fmax(largest, fabs(values[k]));
    return largest;
}

static void add_energy(StickLedger *ledger, const StickLedgerStep *step, const StickLedgerTerms *terms)
{
    const StickMotion *m1 = step->after;
    double before = ledger->kinetic + ledger->elastic;
    ledger->kinetic = step->scheme ? half_product(step->system->ctx, m1->v, m1->Mv, step->system->ndofs) : 0;
    ledger->elastic = elastic_of(step->system, m1);
    double growth = ledger->kinetic + ledger->elastic - before;

    double pushed = step->jump ? step->jump->pushed : 0;
    double impact = pushed - terms->normal - step->drive_N, friction = -terms->tangential - step->drive_T;
    double obstacles = pushed - step->drive_N - step->drive_T;
    double algorithmic = terms->algorithmic + (step->scheme ? 0 : impact);
    impact = step->scheme ? impact : 0;
    double work = terms->external + terms->supports + obstacles + terms->joints;
    double taken = terms->viscous + terms->material + friction + impact + algorithmic;
    ledger->external += terms->external;
    ledger->supports += terms->supports;
    ledger->obstacles += obstacles;
    ledger->joints += terms->joints;
    ledger->correction += terms->correction;
    ledger->pushed += pushed;
    ledger->viscous += terms->viscous;
    ledger->friction += friction;
    ledger->impact += impact;
    ledger->algorithmic += algorithmic;
    ledger->material += terms->material;

    double sizes[] = {ledger->scale,    ledger->kinetic,   ledger->elastic, ledger->external,
                      ledger->supports, ledger->obstacles, ledger->impact,  ledger->friction,
                      ledger->joints,   ledger->material};
    ledger->scale = largest_of(sizes, sizeof sizes / sizeof *sizes);
    ledger->scale = fmax(ledger->scale, terms->uncertain);
    if (step->jump) // at rest, what gravity would have given in a step is all there is
        ledger->scale = fmax(ledger->scale, step->jump->structural);
    double scale = ledger->scale > 0 ? ledger->scale : 1;
    // increments have no scheme: theirs is judged by itself
    ledger->algorithmic_most =
        step->scheme ? fmax(ledger->algorithmic_most, ledger->algorithmic) : ledger->algorithmic;
    ledger->algorithmic_gain =
        fmax(ledger->algorithmic_gain, (ledger->algorithmic_most - ledger->algorithmic) / scale);
    ledger->closure = (growth - work + taken) / scale;
    ledger->worst_closure = fmax(ledger->worst_closure, fabs(ledger->closure));
    if (!step->scheme)
        return;       // means of forces at both ends tell nothing about single steps
    if (step->jump) { // what contact gives is told from the loose velocity on [JM91 (6.4)]
        growth = work - step->jump->structural - step->jump->frictional;
        friction = step->jump->frictional;
    }
    ledger->gain = (growth - work) / scale;
    ledger->normal_gain = (growth - work + friction) / scale;
    ledger->given += fmax(0, fmin(growth - work, growth - work + friction));
    // an overlap is adjusted but for a small part, whose energy is judged by that of the whole
    ledger->worst_gain = fmax(ledger->worst_gain, (growth - work) / fmax(scale, step->system->adjusted));
    // a jump is as exact as the answers of the solver are
    double given = -friction / scale, seen = step->jump ? 1e-9 : 1e-12;
    if (given > seen)
        ledger->friction_gains++;
    ledger->friction_gain = fmax(ledger->friction_gain, given);
}

// Balances hold by construction, whatever the model is: they miss round-off, and what solvers are asked for.
static const double round_off = 1e-8;

// The energy balance does not depend on how exact contact is solved: it is judged by this at any tolerance.
static const double closed = 1e-6;

// Of a sum of a dozen products.
static const double ulps = 8 * DBL_EPSILON;

// What the rounding of displacements alone does to the impulses of a body's elastic forces: of stiff bodies that have gone
// far it is more than round_off of the little that they carry.
static double rounded_away(const StickLedgerStep *step, const StickBody *body)
{
    double largest = 0;
    for (int j = 0; j < body->ndofs && !body->rigid && !body->finite; j++)
        for (int e = body->K.start[j]; e < body->K.start[j + 1]; e++)
            if (body->K.row[e] == j)
                largest = fmax(largest, fabs(body->K.value[e] * step->after->q[body->first + j]));
    return ulps * step->h * largest;
}

// The largest residual of a body that is more than what was rounded away of this body.
static double residual_left(const StickLedgerStep *step)
{
    double left = 0;
    for (int b = 0; b < step->system->nbodies; b++) {
        const StickBody *body = &step->system->body[b];
        double residual = largest_of(step->room + body->first, body->ndofs);
        if (residual > left && residual > rounded_away(step, body))
            left = residual;
    }
    return left;
}

static void note_open(StickLedger *ledger, const StickLedgerStep *step, const StickLedgerTerms *terms)
{
    double error[] = {ledger->closure, ledger->momentum_error, ledger->equilibrium, ledger->jump_error,
                      ledger->angular_error};
    double allowed = fmax(round_off, step->tolerance);
    if (step->scheme && ledger->equilibrium > allowed)
        error[2] = relative(residual_left(step), terms->largest);
    if (largest_of(error, step->jump ? 5 : 3) <= allowed && fabs(ledger->closure) <= closed)
        return;
    if (ledger->open_steps++ == 0)
        ledger->open_time = step->after->t;
}

void stick_ledger_add(StickLedger *ledger, const StickLedgerStep *step)
{
    StickLedgerMoreau sums;
    StickLedgerTerms terms;
    if (step->jump)
        terms = stick_ledger_moreau_sum(step, &sums);
    else
        terms = stick_ledger_terms(step);
    stick_ledger_terms_judge_modes(step, &terms);
    if (stick_system_is_finite(step->system))
        stick_ledger_terms_add_finite(step, &terms);
    add_momentum(ledger, step, &terms);
    add_energy(ledger, step, &terms);
    if (step->jump)
        stick_ledger_moreau_add(ledger, &sums);
    ledger->equilibrium = relative(terms.residual, terms.largest);
    ledger->worst_equilibrium = fmax(ledger->worst_equilibrium, ledger->equilibrium);
    note_open(ledger, step, &terms);
}

double stick_ledger_balance(const StickLedger *ledger)
{
    double grown = ledger->kinetic + ledger->elastic - ledger->initial;
    double work = ledger->external + ledger->supports + ledger->obstacles + ledger->joints;
    double taken =
        ledger->viscous + ledger->friction + ledger->impact + ledger->algorithmic + ledger->material;
    return relative(fabs(grown - work + taken), ledger->scale);
}
