// SPDX-License-Identifier: Apache-2.0
#include "stepping/ledger_moreau.h"

#include "base/pool.h"
#include "base/reduction.h"
#include "base/vec.h"

#include <string.h>

// ---- angular momentum

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

// A place that is corrected by s has its momentum there: s x p.
static void moment_of_shift(const StickSystem *system, const StickBody *body, const StickLedgerStep *step,
                            double sum[3])
{
    const StickVelocityJump *jump = step->jump;
    double s[3] = {0}, p[3] = {0}, moment[3];
    for (int k = 0; k < system->dim; k++) {
        int i = body->first + k;
        s[k] = jump->shift[i];
        p[k] = step->after->Mv[i] - (jump->p_F ? jump->p_F[i] : 0); // joints hold velocities there
    }
    stick_vec_cross(s, p, moment);
    for (int k = 0; k < 3; k++)
        sum[k] += moment[k];
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

void stick_ledger_angular(const StickSystem *system, const StickMotion *motion, double angular[3],
                          double *scale)
{
    double sum[4];
    stick_reduction(system->ctx, system->nbodies, add_angular_momenta, &(Angular){system, motion}, sum, 4);
    memcpy(angular, sum, 3 * sizeof *sum);
    *scale = fmax(*scale, sum[3]);
}

// ---- terms of a step

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

// Impulses without duration are reactions over a time of 1.
static double duration(const StickLedgerStep *step)
{
    return step->h > 0 ? step->h : 1;
}

// What the bodies from one to another give to the terms of a step.
static StickLedgerTerms moreau_terms_of(const StickLedgerStep *step, int from, int to)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double h = step->h;
    StickLedgerTerms terms = {0};
    for (int b = from; b < to; b++) {
        const StickBody *body = &step->system->body[b];
        double theta = body->rigid ? 0.5 : step->scheme->theta;
        if (body->rigid && step->system->dim == 3)
            terms.algorithmic += turned(step, body);
        for (int i = body->first; i < body->first + body->ndofs; i++) {
            int k = step->system->axis[i];
            double F = m1->F[i], p = step->p_N[i] + step->p_T[i];
            double shift = step->jump->shift ? step->jump->shift[i] : 0;
            double Ks = step->jump->shift && !body->rigid ? step->jump->stiff[i] : 0, Kq1 = m1->Kq[i] - Ks;
            double Kq = theta * Kq1 + (1 - theta) * m0->Kq[i];
            double Cv = theta * m1->Cv[i] + (1 - theta) * m0->Cv[i];
            double v = theta * step->jump->v_F[i] + (1 - theta) * step->jump->v_I[i], dq = h * v;
            double Mdv = m1->Mv[i] - m0->Mv[i], Kdq = Kq1 - m0->Kq[i];
            Linked joint = linked_at(step, i, v);
            double inner = step->jump->inner ? step->jump->inner[i] : 0;
            double rho = Mdv - h * (F - Kq - Cv) - p - joint.p_M - joint.p_F - inner;
            terms.algorithmic -= v * inner;
            terms.joints += joint.work;
            double lift = shift * (Kq1 + 0.5 * Ks - F);
            terms.external += (dq + shift) * F;
            terms.normal += v * step->p_N[i] + lift;
            terms.correction += lift;
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
            step->room[i] = step->prescribed[i] ? 0 : rho;
            if (step->prescribed[i]) {
                // what joints give at the end of the step, the support takes there
                terms.supports += v * (rho + joint.p_F) - m1->v[i] * joint.p_F;
                terms.support[k] += rho;
                m1->reaction[i] = rho / duration(step);
            } else {
                stick_ledger_terms_judge(&terms, rho,
                                         fmax(fabs(m1->Mv[i]), h * fmax(fabs(Kq), fabs(F)) + fabs(p) +
                                                                   fabs(joint.p_M) + fabs(inner)));
            }
        }
    }
    return terms;
}

static StickLedgerMoments moments_of(const StickLedgerStep *step, int from, int to)
{
    const StickSystem *system = step->system;
    StickLedgerMoments moments = {0};
    for (int b = from; b < to; b++) {
        const StickBody *body = &system->body[b];
        double p[STICK_RIGID_DOFS], all[STICK_RIGID_DOFS], end[STICK_RIGID_DOFS];
        for (int k = 0; k < body->ndofs && body->rigid; k++) {
            int i = body->first + k;
            p[k] = step->p_N[i] + step->p_T[i];
            Linked joint = linked_at(step, i, 0);
            all[k] =
                p[k] + step->h * step->after->F[i] + duration(step) * step->after->reaction[i] + joint.p_M;
            all[k] += step->prescribed[i] ? joint.p_F : 0;
            end[k] = step->prescribed[i] ? 0 : joint.p_F;
        }
        if (!body->rigid)
            continue;
        moment_of(system, body, step->jump->q_M, all, moments.all, &moments.size);
        moment_of(system, body, step->jump->q_M, p, moments.contact, &moments.size);
        // moments of impulses around the body, which cancel in it where it is at rest
        double force = 0;
        for (int k = 0; k < system->dim; k++)
            force = hypot(force, p[k]);
        moments.size += force * body->rigid->solid->bound;
        moment_of(system, body, step->after->q, end, moments.all, &moments.size);
        if (step->jump->shift)
            moment_of_shift(system, body, step, moments.all);
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

static void sum_part(void *data, int part)
{
    StickLedgerMoreau *sums = data;
    long nbodies = sums->step->system->nbodies;
    int from = (int)(nbodies * part / STICK_LEDGER_PARTS),
        to = (int)(nbodies * (part + 1) / STICK_LEDGER_PARTS);
    sums->terms[part] = moreau_terms_of(sums->step, from, to);
    sums->moments[part] = moments_of(sums->step, from, to);
    sums->decrement[part] = decrement_of(sums->step, from, to);
}

static void add_terms(StickLedgerTerms *sum, const StickLedgerTerms *part)
{
    sum->external += part->external;
    sum->supports += part->supports;
    sum->normal += part->normal;
    sum->tangential += part->tangential;
    sum->viscous += part->viscous;
    sum->algorithmic += part->algorithmic;
    sum->joints += part->joints;
    sum->correction += part->correction;
    for (int k = 0; k < 6; k++) {
        sum->impulse[k] += part->impulse[k];
        sum->contact[k] += part->contact[k];
        sum->support[k] += part->support[k];
    }
    sum->impulses += part->impulses;
    stick_ledger_terms_judge(sum, part->residual, part->largest);
}

StickLedgerTerms stick_ledger_moreau_sum(const StickLedgerStep *step, StickLedgerMoreau *sums)
{
    sums->step = step;
    stick_threads_run(step->system->ctx,
                      &(StickParts){sum_part, sums, STICK_LEDGER_PARTS, step->system->nbodies});
    StickLedgerTerms terms = {.impulses = step->jump->pushes};
    for (int part = 0; part < STICK_LEDGER_PARTS; part++)
        add_terms(&terms, &sums->terms[part]);
    for (int k = 0; k < 3; k++)
        terms.impulse[k] += terms.support[k];
    return terms;
}

// dL = sum of the moments of all impulses at q_M: exact, because x_F x p_F - x_I x p_I = x_M x (p_F - p_I).
static void add_angular(StickLedger *ledger, const StickLedgerMoreau *sums)
{
    const StickLedgerStep *step = sums->step;
    double before[3], moment[3] = {0}, size = step->jump->twists, error = 0;
    memcpy(before, ledger->angular, sizeof before);
    for (int part = 0; part < STICK_LEDGER_PARTS; part++) {
        for (int k = 0; k < 3; k++) {
            moment[k] += sums->moments[part].all[k];
            ledger->contact_moment[k] += sums->moments[part].contact[k];
        }
        size += sums->moments[part].size;
    }
    stick_ledger_angular(step->system, step->after, ledger->angular, &ledger->angular_scale);
    ledger->angular_scale = fmax(ledger->angular_scale, size);
    for (int k = 0; k < 3; k++)
        error = fmax(error, fabs(ledger->angular[k] - before[k] - moment[k]));
    ledger->angular_error = ledger->angular_scale > 0 ? error / ledger->angular_scale : error;
    ledger->worst_angular = fmax(ledger->worst_angular, ledger->angular_error);
}

static void add_jump(StickLedger *ledger, const StickLedgerMoreau *sums)
{
    const StickLedgerStep *step = sums->step;
    double decrement = 0;
    for (int part = 0; part < STICK_LEDGER_PARTS; part++)
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

void stick_ledger_moreau_add(StickLedger *ledger, const StickLedgerMoreau *sums)
{
    add_angular(ledger, sums);
    add_jump(ledger, sums);
}
