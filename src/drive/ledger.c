// SPDX-License-Identifier: Apache-2.0
#include "drive/ledger.h"

#include "base/pool.h"
#include "base/total.h"
#include "base/vec.h"
#include "bodies/finite.h"
#include "bodies/modes.h"

#include <math.h>
#include <string.h>

// Terms of one step, before they are summed.
typedef struct Terms {
    double external, supports, normal, tangential; // works on the bodies
    double viscous, algorithmic, material;
    double joints;     // work on the bodies
    double impulse[6]; // external, supports, contact, minus damping; by StickSystem.axis
    double contact[6], support[6];
    double impulses;          // sum of their sizes
    double residual, largest; // of the balance of momentum at free degrees of freedom
    double uncertain; // quasistatics: energy below which bodies that only translate cannot be told apart
} Terms;

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
    stick_total(ctx, n, add_products, &(Product){x, y}, &sum, 1);
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
    stick_total(system->ctx, system->ndofs, add_momenta, &(Momentum){system, Mv}, sum, 4);
    memcpy(momentum, sum, 3 * sizeof *sum);
    *scale = fmax(*scale, sum[3]);
}

// Part of a rigid body in an angular momentum, or of its impulses p in a moment: x x p + p_R. Both products of a component
// of x x p count for the size, since they may cancel.
static void moment_of(const StickSystem *system, const StickBody *body, const double *q, const double *p,
                      double sum[3], double *size)
{
    int dim = system->dim;
    double x[3] = {0}, f[3] = {0}, own[3] = {0}, moment[3];
    for (int k = 0; k < dim; k++) {
        x[k] = body->rigid->centre[k] + q[body->first + k];
        f[k] = p[k];
    }
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        own[dim == 2 ? 2 : k] = p[dim + k];
    stick_vec_cross(x, f, moment);
    for (int k = 0; k < 3; k++) {
        sum[k] += moment[k] + own[k];
        *size += fabs(x[(k + 1) % 3] * f[(k + 2) % 3]) + fabs(x[(k + 2) % 3] * f[(k + 1) % 3]) + fabs(own[k]);
    }
}

typedef struct Angular {
    const StickSystem *system;
    const StickMotion *motion;
} Angular;

static void add_angular_momenta(const void *data, int from, int to, double *sum)
{
    const Angular *angular = data;
    for (int b = from; b < to; b++) {
        const StickBody *body = &angular->system->body[b];
        if (body->rigid)
            moment_of(angular->system, body, angular->motion->q, angular->motion->Mv + body->first, sum,
                      &sum[3]);
    }
}

static void angular_of(const StickSystem *system, const StickMotion *motion, double angular[3], double *scale)
{
    double sum[4];
    stick_total(system->ctx, system->nbodies, add_angular_momenta, &(Angular){system, motion}, sum, 4);
    memcpy(angular, sum, 3 * sizeof *sum);
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
    angular_of(system, motion, ledger->angular, &ledger->angular_scale);
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

static void note_residual(Terms *terms, double residual, double largest)
{
    terms->residual = fmax(terms->residual, fabs(residual));
    terms->largest = fmax(terms->largest, largest);
}

// Balance of momentum of the theta family: rho = M dv - h (F - K q)_th + h C v* - p.
static Terms theta_terms(const StickLedgerStep *step)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double theta = step->scheme->theta, kappa = step->scheme->kappa, h = step->h;
    Terms terms = {0};
    for (int i = 0; i < step->system->ndofs; i++) {
        int k = step->system->axis[i];
        double F = theta * m1->F[i] + (1 - theta) * m0->F[i];
        double Kq = theta * m1->Kq[i] + (1 - theta) * m0->Kq[i];
        double Cv = kappa * m1->Cv[i] + (1 - kappa) * m0->Cv[i];
        double dq = m1->q[i] - m0->q[i], dv = m1->v[i] - m0->v[i];
        double Mdv = m1->Mv[i] - m0->Mv[i], Kdq = m1->Kq[i] - m0->Kq[i];
        double p = step->p_N[i] + step->p_T[i];
        double rho = Mdv - h * (F - Kq - Cv) - p;
        terms.external += dq * F;
        terms.normal += dq * step->p_N[i] / h;
        terms.tangential += dq * step->p_T[i] / h;
        terms.viscous += dq * Cv;
        terms.algorithmic += (kappa - 0.5) * dv * Mdv + (theta - 0.5) * dq * Kdq;
        terms.contact[k] += p;
        terms.impulse[k] += h * F - h * Cv + p;
        terms.impulses += fabs(h * F) + fabs(p) + (step->prescribed[i] ? fabs(rho) : 0);
        m1->reaction[i] = 0;
        if (step->prescribed[i]) {
            terms.supports += dq * rho / h;
            terms.support[k] += rho;
            m1->reaction[i] = rho / h;
        } else {
            note_residual(&terms, rho, fmax(fabs(m1->Mv[i]), h * fabs(Kq)));
        }
    }
    for (int k = 0; k < 3; k++)
        terms.impulse[k] += terms.support[k];
    return terms;
}

// Balance of forces of Newmark at t^{i+1}: R = M a + C v + K q - F - P.
static Terms newmark_terms(const StickLedgerStep *step)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double gamma = step->scheme->theta, beta = gamma * step->scheme->kappa, h = step->h;
    Terms terms = {0};
    for (int i = 0; i < step->system->ndofs; i++) {
        int k = step->system->axis[i];
        double dq = m1->q[i] - m0->q[i];
        double Mda = m1->Ma[i] - m0->Ma[i], da = m1->a[i] - m0->a[i];
        double Mdv = m1->Mv[i] - m0->Mv[i];
        double P0 = m0->contact_N[i] + m0->contact_T[i], P1 = m1->contact_N[i] + m1->contact_T[i];
        double R = m1->Ma[i] + m1->Cv[i] + m1->Kq[i] - m1->F[i] - P1;
        m1->reaction[i] = step->prescribed[i] ? R : 0;
        double Rm = 0.5 * (m0->reaction[i] + m1->reaction[i]);
        double support = h * ((1 - gamma) * m0->reaction[i] + gamma * m1->reaction[i]);
        double contact = h * ((1 - gamma) * P0 + gamma * P1);
        terms.external += 0.5 * dq * (m0->F[i] + m1->F[i]);
        terms.supports += dq * Rm;
        terms.normal += 0.5 * dq * (m0->contact_N[i] + m1->contact_N[i]);
        terms.tangential += 0.5 * dq * (m0->contact_T[i] + m1->contact_T[i]);
        terms.viscous += 0.5 * dq * (m0->Cv[i] + m1->Cv[i]);
        terms.algorithmic += h * (beta - gamma / 2) * da * Mdv - (gamma - 0.5) * dq * Mda;
        terms.contact[k] += contact;
        terms.support[k] += support;
        terms.impulses += fabs(contact) + fabs(support) + h * fabs((1 - gamma) * m0->F[i] + gamma * m1->F[i]);
        terms.impulse[k] +=
            contact + support + h * ((1 - gamma) * (m0->F[i] - m0->Cv[i]) + gamma * (m1->F[i] - m1->Cv[i]));
        if (!step->prescribed[i])
            note_residual(&terms, h * R, fmax(fabs(m1->Mv[i]), h * fabs(m1->Kq[i])));
    }
    return terms;
}

// Of the energy and forces of nodes that are moved one by one: less than this is round-off of those that move together.
static const double little = 1e-5;

// Balance of forces at the end of an increment: R = K q - F - P; impulses are these forces over its time.
static Terms quasistatic_terms(const StickLedgerStep *step)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double h = step->h, alone = 0;
    Terms terms = {0};
    for (int i = 0; i < step->system->ndofs; i++) {
        int k = step->system->axis[i];
        double dq = m1->q[i] - m0->q[i];
        double P0 = m0->contact_N[i] + m0->contact_T[i], P1 = m1->contact_N[i] + m1->contact_T[i];
        double R0 = m0->Kq[i] - m0->F[i] - P0, R1 = m1->Kq[i] - m1->F[i] - P1;
        terms.external += 0.5 * dq * (m0->F[i] + m1->F[i]);
        terms.normal += 0.5 * dq * (m0->contact_N[i] + m1->contact_N[i]);
        terms.tangential += 0.5 * dq * (m0->contact_T[i] + m1->contact_T[i]);
        terms.contact[k] += h * P1;
        terms.impulse[k] += h * (m1->F[i] + P1);
        terms.impulses += h * (fabs(m1->F[i]) + fabs(P1) + (step->prescribed[i] ? fabs(R1) : 0));
        alone += h * step->stiffness[i] * fabs(m1->q[i]);
        terms.uncertain += little * step->stiffness[i] * m1->q[i] * m1->q[i];
        m1->reaction[i] = 0;
        if (step->prescribed[i]) {
            m1->reaction[i] = R1;
            terms.supports += 0.5 * dq * (R0 + R1);
            terms.support[k] += h * R1;
        } else {
            terms.algorithmic -= 0.5 * dq * R0;
            double moved = fmax(fabs(m0->q[i]), fabs(m1->q[i]));
            double forces = fmax(fabs(m1->F[i]), fabs(P1));
            note_residual(&terms, R1, fmax(forces, fmax(fabs(m1->Kq[i]), step->stiffness[i] * moved)));
        }
    }
    // of bodies that are carried along without a force round-off is all there is
    terms.impulses = fmax(terms.impulses, little * alone);
    for (int k = 0; k < 3; k++)
        terms.impulse[k] += terms.support[k];
    return terms;
}

// ---- Moreau's scheme

// Momenta of a rigid body in space between the ends of a step: in the middle, and at the end before joints hold it.
typedef struct Momenta {
    double v_I[STICK_RIGID_DOFS], v_F[STICK_RIGID_DOFS], v_E[STICK_RIGID_DOFS];
} Momenta;

static Momenta momenta_of(const StickLedgerStep *step, const StickBody *body)
{
    const StickVelocityJump *jump = step->jump;
    const double *v_E = jump->v_E ? jump->v_E : step->after->v;
    Momenta p;
    int at = body->first;
    stick_rigid_momentum(body->rigid, jump->q_M + at, jump->v_I + at, p.v_I);
    stick_rigid_momentum(body->rigid, jump->q_M + at, jump->v_F + at, p.v_F);
    stick_rigid_momentum(body->rigid, step->after->q + at, v_E + at, p.v_E);
    return p;
}

// What the kinetic energy of a rigid body in space loses as J(R) turns: from start to middle at L_I, from middle to end
// at L_F. A support that holds the angular velocity changes L there, and works.
static double turned(const StickLedgerStep *step, const StickBody *body)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    const StickVelocityJump *jump = step->jump;
    const bool *held = step->prescribed + body->first;
    Momenta p = {0};
    double lost = 0;
    if (held[3] || held[4] || held[5])
        p = momenta_of(step, body);
    for (int k = 3; k < 6; k++) {
        int i = body->first + k;
        double v_E = jump->v_E ? jump->v_E[i] : m1->v[i], L_F = m1->Mv[i] - (jump->p_F ? jump->p_F[i] : 0);
        if (held[k])
            lost += 0.5 * m0->v[i] * (m0->Mv[i] - p.v_I[k]) + 0.5 * m1->v[i] * (p.v_F[k] - p.v_E[k]) +
                    0.5 * (jump->v_I[i] + jump->v_F[i]) * (p.v_I[k] - m0->Mv[i] + m1->Mv[i] - p.v_F[k]) -
                    m1->v[i] * (m1->Mv[i] - p.v_E[k]);
        else
            lost += 0.5 * (m0->v[i] - jump->v_I[i]) * m0->Mv[i] + 0.5 * (jump->v_F[i] - v_E) * L_F;
    }
    return lost;
}

// Impulses of joints at a degree of freedom, in the middle and at the end of the step; their work.
typedef struct Linked {
    double p_M, p_F, work;
} Linked;

static Linked linked_at(const StickLedgerStep *step, int i, double v)
{
    const StickVelocityJump *jump = step->jump;
    if (!jump->p_M)
        return (Linked){0};
    double p_M = jump->p_M[i], p_F = jump->p_F[i];
    return (Linked){p_M, p_F, v * p_M + 0.5 * (jump->v_E[i] + step->after->v[i]) * p_F};
}

// What the bodies from one to another give to the terms of a step.
static Terms moreau_terms_of(const StickLedgerStep *step, int from, int to)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double h = step->h;
    Terms terms = {0};
    for (int b = from; b < to; b++) {
        const StickBody *body = &step->system->body[b];
        double theta = body->rigid ? 0.5 : step->scheme->theta;
        if (body->rigid && step->system->dim == 3)
            terms.algorithmic += turned(step, body);
        for (int i = body->first; i < body->first + body->ndofs; i++) {
            int k = step->system->axis[i];
            double F = m1->F[i], p = step->p_N[i] + step->p_T[i];
            double Kq = theta * m1->Kq[i] + (1 - theta) * m0->Kq[i];
            double Cv = theta * m1->Cv[i] + (1 - theta) * m0->Cv[i];
            double v = theta * step->jump->v_F[i] + (1 - theta) * step->jump->v_I[i], dq = h * v;
            double Mdv = m1->Mv[i] - m0->Mv[i], Kdq = m1->Kq[i] - m0->Kq[i];
            Linked joint = linked_at(step, i, v);
            double rho = Mdv - h * (F - Kq - Cv) - p - joint.p_M - joint.p_F;
            terms.joints += joint.work;
            terms.external += dq * F;
            terms.normal += v * step->p_N[i];
            terms.tangential += v * step->p_T[i];
            terms.viscous += dq * Cv;
            if (!body->rigid)
                terms.algorithmic += (theta - 0.5) * ((m1->v[i] - m0->v[i]) * Mdv + dq * Kdq);
            terms.contact[k] += p;
            terms.impulse[k] += h * F - h * Cv + p + joint.p_M + joint.p_F;
            terms.impulses += k < STICK_AXIS_TURN ? fabs(h * F) + fabs(p) + fabs(joint.p_M) +
                                                        (step->prescribed[i] ? fabs(rho) : 0)
                                                  : 0;
            m1->reaction[i] = 0;
            if (step->prescribed[i]) {
                // what joints give at the end of the step, the support takes there
                terms.supports += v * (rho + joint.p_F) - m1->v[i] * joint.p_F;
                terms.support[k] += rho;
                m1->reaction[i] = rho / h;
            } else {
                note_residual(&terms, rho,
                              fmax(fabs(m1->Mv[i]), h * fmax(fabs(Kq), fabs(F)) + fabs(p) + fabs(joint.p_M)));
            }
        }
    }
    return terms;
}

// Moments of all impulses of a step, those of contact among them, and the sum of their sizes.
typedef struct Moments {
    double all[3], contact[3], size;
} Moments;

static Moments moments_of(const StickLedgerStep *step, int from, int to)
{
    const StickSystem *system = step->system;
    Moments moments = {0};
    for (int b = from; b < to; b++) {
        const StickBody *body = &system->body[b];
        double p[STICK_RIGID_DOFS], all[STICK_RIGID_DOFS], end[STICK_RIGID_DOFS];
        for (int k = 0; k < body->ndofs && body->rigid; k++) {
            int i = body->first + k;
            p[k] = step->p_N[i] + step->p_T[i];
            Linked joint = linked_at(step, i, 0);
            all[k] = p[k] + step->h * (step->after->F[i] + step->after->reaction[i]) + joint.p_M;
            all[k] += step->prescribed[i] ? joint.p_F : 0;
            end[k] = step->prescribed[i] ? 0 : joint.p_F;
        }
        if (!body->rigid)
            continue;
        moment_of(system, body, step->jump->q_M, all, moments.all, &moments.size);
        moment_of(system, body, step->jump->q_M, p, moments.contact, &moments.size);
        moment_of(system, body, step->after->q, end, moments.all, &moments.size);
    }
    return moments;
}

// The energy that contact takes from u_L to u_F, by masses where bodies are rigid and by works where they are not.
static double decrement_of(const StickLedgerStep *step, int from, int to)
{
    const StickVelocityJump *jump = step->jump;
    double lost = 0;
    for (int b = from; b < to; b++) {
        const StickBody *body = &step->system->body[b];
        const double *v_L = jump->v_L + body->first, *v_F = jump->v_F + body->first;
        double L[STICK_RIGID_DOFS], F[STICK_RIGID_DOFS];
        if (body->rigid) {
            stick_rigid_momentum(body->rigid, jump->q_M + body->first, v_L, L);
            stick_rigid_momentum(body->rigid, jump->q_M + body->first, v_F, F);
        }
        for (int k = 0; k < body->ndofs; k++) {
            double p = step->p_N[body->first + k] + step->p_T[body->first + k];
            bool prescribed = step->prescribed[body->first + k];
            lost += 0.5 * (v_L[k] + v_F[k]) * (body->rigid && !prescribed ? L[k] - F[k] : -p);
        }
    }
    return lost;
}

// What a step of Moreau's scheme enters, part by part of the bodies.
enum { PARTS = 64 };
typedef struct MoreauSums {
    const StickLedgerStep *step;
    Terms terms[PARTS];
    Moments moments[PARTS];
    double decrement[PARTS];
} MoreauSums;

static void sum_part(void *data, int part)
{
    MoreauSums *sums = data;
    long nbodies = sums->step->system->nbodies;
    int from = (int)(nbodies * part / PARTS), to = (int)(nbodies * (part + 1) / PARTS);
    sums->terms[part] = moreau_terms_of(sums->step, from, to);
    sums->moments[part] = moments_of(sums->step, from, to);
    sums->decrement[part] = decrement_of(sums->step, from, to);
}

static void add_terms(Terms *sum, const Terms *part)
{
    sum->external += part->external;
    sum->supports += part->supports;
    sum->normal += part->normal;
    sum->tangential += part->tangential;
    sum->viscous += part->viscous;
    sum->algorithmic += part->algorithmic;
    sum->joints += part->joints;
    for (int k = 0; k < 6; k++) {
        sum->impulse[k] += part->impulse[k];
        sum->contact[k] += part->contact[k];
        sum->support[k] += part->support[k];
    }
    sum->impulses += part->impulses;
    note_residual(sum, part->residual, part->largest);
}

static Terms moreau_terms(const MoreauSums *sums)
{
    Terms terms = {.impulses = sums->step->jump->pushes};
    for (int part = 0; part < PARTS; part++)
        add_terms(&terms, &sums->terms[part]);
    for (int k = 0; k < 3; k++)
        terms.impulse[k] += terms.support[k];
    return terms;
}

// dL = sum of the moments of all impulses at q_M: exact, because x_F x p_F - x_I x p_I = x_M x (p_F - p_I).
static void add_angular(StickLedger *ledger, const MoreauSums *sums)
{
    const StickLedgerStep *step = sums->step;
    double before[3], moment[3] = {0}, size = step->jump->twists, error = 0;
    memcpy(before, ledger->angular, sizeof before);
    for (int part = 0; part < PARTS; part++) {
        for (int k = 0; k < 3; k++) {
            moment[k] += sums->moments[part].all[k];
            ledger->contact_moment[k] += sums->moments[part].contact[k];
        }
        size += sums->moments[part].size;
    }
    angular_of(step->system, step->after, ledger->angular, &ledger->angular_scale);
    ledger->angular_scale = fmax(ledger->angular_scale, size);
    for (int k = 0; k < 3; k++)
        error = fmax(error, fabs(ledger->angular[k] - before[k] - moment[k]));
    ledger->angular_error = ledger->angular_scale > 0 ? error / ledger->angular_scale : error;
    ledger->worst_angular = fmax(ledger->worst_angular, ledger->angular_error);
}

static void add_jump(StickLedger *ledger, const MoreauSums *sums)
{
    const StickLedgerStep *step = sums->step;
    double decrement = 0;
    for (int part = 0; part < PARTS; part++)
        decrement += sums->decrement[part];
    const StickVelocityJump *jump = step->jump;
    // at rest every step takes away what its weight would have given, while no energy is there
    double scale = fmax(ledger->scale, fabs(jump->structural) + fabs(jump->frictional));
    scale = scale > 0 ? scale : 1;
    ledger->structural += jump->structural;
    ledger->frictional += jump->frictional;
    ledger->jump_error =
        (decrement - jump->structural - jump->frictional - jump->drive + jump->joints) / scale;
    ledger->worst_jump = fmax(ledger->worst_jump, fabs(ledger->jump_error));
}

// Directions in which a translation costs no energy: all but the radius of rings.
static bool is_translation(const StickSystem *system, int k)
{
    for (int b = 0; b < system->nbodies && !stick_system_is_rigid(system); b++)
        if (system->dim == 2 && system->body[b].continuum.plane == STICK_AXISYMMETRIC && k == 0)
            return false;
    return true;
}

static void add_momentum(StickLedger *ledger, const StickLedgerStep *step, const Terms *terms)
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
    ledger->momentum_error = ledger->momentum_scale > 0 ? error / ledger->momentum_scale : error;
    ledger->worst_momentum = fmax(ledger->worst_momentum, ledger->momentum_error);
}

static double largest_of(const double *values, int count)
{
    double largest = 0;
    for (int k = 0; k < count; k++)
        largest = fmax(largest, fabs(values[k]));
    return largest;
}

static void add_energy(StickLedger *ledger, const StickLedgerStep *step, const Terms *terms)
{
    const StickMotion *m1 = step->after;
    double before = ledger->kinetic + ledger->elastic;
    ledger->kinetic = step->scheme ? half_product(step->system->ctx, m1->v, m1->Mv, step->system->ndofs) : 0;
    ledger->elastic = elastic_of(step->system, m1);
    double growth = ledger->kinetic + ledger->elastic - before;

    double impact = -terms->normal - step->drive_N, friction = -terms->tangential - step->drive_T;
    double obstacles = -step->drive_N - step->drive_T;
    double algorithmic = terms->algorithmic + (step->scheme ? 0 : impact);
    impact = step->scheme ? impact : 0;
    double work = terms->external + terms->supports + obstacles + terms->joints;
    double taken = terms->viscous + terms->material + friction + impact + algorithmic;
    ledger->external += terms->external;
    ledger->supports += terms->supports;
    ledger->obstacles += obstacles;
    ledger->joints += terms->joints;
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
    ledger->worst_gain = fmax(ledger->worst_gain, ledger->gain);
    // a jump is as exact as the answers of the solver are
    double given = -friction / scale, seen = step->jump ? 1e-9 : 1e-12;
    if (given > seen)
        ledger->friction_gains++;
    ledger->friction_gain = fmax(ledger->friction_gain, given);
}

// The part of the bracket that bodies under finite deformation have beyond (theta - 1/2) dq.dF_int, which is in it.
static void add_finite(const StickLedgerStep *step, Terms *terms)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double work = 0;
    note_residual(terms, 0, (step->scheme ? step->h : 1) * step->faint);
    terms->impulses += step->h * step->faint;
    for (int b = 0; b < step->system->nbodies; b++) {
        const StickBody *body = &step->system->body[b];
        for (int i = body->first; i < body->first + body->ndofs && body->finite; i++) {
            work += 0.5 * (m1->q[i] - m0->q[i]) * (m0->Kq[i] + m1->Kq[i]);
            // what supports carry is a force in the body, too
            note_residual(terms, 0, (step->scheme ? step->h : 1) * fabs(m1->Kq[i]));
            if (step->scheme)
                continue;
            // of bodies that are carried along and meet nothing round-off is all there is
            terms->impulses += step->h * step->stiffness[i] * fabs(m1->q[i]);
            terms->uncertain += step->stiffness[i] * m1->q[i] * m1->q[i];
        }
    }
    terms->material = m1->loss;
    terms->algorithmic += work - (m1->stored - m0->stored) - m1->loss;
}

// Of what bodies that move by modes carry (reaction), these feel nothing.
static void judge_modes(const StickLedgerStep *step, Terms *terms)
{
    const StickMotion *m1 = step->after;
    double h = step->h;
    for (int b = 0; b < step->system->nbodies && !stick_system_is_rigid(step->system); b++) {
        const StickBody *body = &step->system->body[b];
        int at = body->first;
        if (!body->modes)
            continue;
        stick_modes_felt(body->modes, m1->reaction + at, step->room + at);
        for (int i = at; i < at + body->ndofs; i++)
            if (!body->modes->held[i - at])
                note_residual(terms, h * step->room[i], fmax(fabs(m1->Mv[i]), h * fabs(m1->Kq[i])));
    }
}

// Balances hold by construction, whatever the model is: they miss round-off, and what solvers are asked for.
static const double round_off = 1e-8;

static void note_open(StickLedger *ledger, const StickLedgerStep *step)
{
    double error[] = {ledger->closure, ledger->momentum_error, ledger->equilibrium, ledger->jump_error,
                      ledger->angular_error};
    if (largest_of(error, step->jump ? 5 : 3) <= fmax(round_off, step->tolerance))
        return;
    if (ledger->open_steps++ == 0)
        ledger->open_time = step->after->t;
}

void stick_ledger_add(StickLedger *ledger, const StickLedgerStep *step)
{
    MoreauSums sums;
    sums.step = step;
    if (step->jump)
        stick_threads_run(step->system->ctx, &(StickParts){sum_part, &sums, PARTS, step->system->nbodies});
    Terms terms = !step->scheme                                ? quasistatic_terms(step)
                  : step->scheme->kind == STICK_SCHEME_NEWMARK ? newmark_terms(step)
                  : step->jump                                 ? moreau_terms(&sums)
                                                               : theta_terms(step);
    judge_modes(step, &terms);
    if (stick_system_is_finite(step->system))
        add_finite(step, &terms);
    add_momentum(ledger, step, &terms);
    add_energy(ledger, step, &terms);
    if (step->jump) {
        add_angular(ledger, &sums);
        add_jump(ledger, &sums);
    }
    ledger->equilibrium = terms.largest > 0 ? terms.residual / terms.largest : terms.residual;
    ledger->worst_equilibrium = fmax(ledger->worst_equilibrium, ledger->equilibrium);
    note_open(ledger, step);
}
