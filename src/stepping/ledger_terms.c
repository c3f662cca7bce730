// SPDX-License-Identifier: Apache-2.0
#include "stepping/ledger_terms.h"

#include "bodies/modes.h"

// Balance of momentum of the theta family: rho = M dv - h (F - K q)_th + h C v* - p.
static StickLedgerTerms theta_terms(const StickLedgerStep *step)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double theta = step->scheme->theta, kappa = step->scheme->kappa, h = step->h;
    StickLedgerTerms terms = {0};
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
        step->room[i] = step->prescribed[i] ? 0 : rho;
        if (step->prescribed[i]) {
            terms.supports += dq * rho / h;
            terms.support[k] += rho;
            m1->reaction[i] = rho / h;
        } else {
            stick_ledger_terms_judge(&terms, rho, fmax(fabs(m1->Mv[i]), h * fabs(Kq)));
        }
    }
    for (int k = 0; k < 3; k++)
        terms.impulse[k] += terms.support[k];
    return terms;
}

// Balance of forces of Newmark at t^{i+1}: R = M a + C v + K q - F - P.
static StickLedgerTerms newmark_terms(const StickLedgerStep *step)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double gamma = step->scheme->theta, beta = gamma * step->scheme->kappa, h = step->h;
    StickLedgerTerms terms = {0};
    for (int i = 0; i < step->system->ndofs; i++) {
        int k = step->system->axis[i];
        double dq = m1->q[i] - m0->q[i];
        double Mda = m1->Ma[i] - m0->Ma[i], da = m1->a[i] - m0->a[i];
        double Mdv = m1->Mv[i] - m0->Mv[i];
        double P0 = m0->contact_N[i] + m0->contact_T[i], P1 = m1->contact_N[i] + m1->contact_T[i];
        double R = m1->Ma[i] + m1->Cv[i] + m1->Kq[i] - m1->F[i] - P1;
        m1->reaction[i] = step->prescribed[i] ? R : 0;
        step->room[i] = step->prescribed[i] ? 0 : h * R;
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
            stick_ledger_terms_judge(&terms, h * R, fmax(fabs(m1->Mv[i]), h * fabs(m1->Kq[i])));
    }
    return terms;
}

// Of the energy and forces of nodes that are moved one by one: less than this is round-off of those that move together.
static const double little = 1e-5;

// Balance of forces at the end of an increment: R = K q - F - P; impulses are these forces over its time.
static StickLedgerTerms quasistatic_terms(const StickLedgerStep *step)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double h = step->h, alone = 0;
    StickLedgerTerms terms = {0};
    for (int i = 0; i < step->system->ndofs; i++) {
        int k = step->system->axis[i];
        double dq = m1->q[i] - m0->q[i] + (step->carried ? h * step->carried[i] : 0);
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
            stick_ledger_terms_judge(&terms, R1,
                                     fmax(forces, fmax(fabs(m1->Kq[i]), step->stiffness[i] * moved)));
        }
    }
    // of bodies that are carried along without a force round-off is all there is
    terms.impulses = fmax(terms.impulses, little * alone);
    for (int k = 0; k < 3; k++)
        terms.impulse[k] += terms.support[k];
    return terms;
}

StickLedgerTerms stick_ledger_terms(const StickLedgerStep *step)
{
    if (!step->scheme)
        return quasistatic_terms(step);
    return step->scheme->kind == STICK_SCHEME_NEWMARK ? newmark_terms(step) : theta_terms(step);
}

void stick_ledger_terms_judge_modes(const StickLedgerStep *step, StickLedgerTerms *terms)
{
    const StickMotion *m1 = step->after;
    double h = step->h;
    for (int b = 0; b < step->system->nbodies && !stick_system_is_rigid(step->system); b++) {
        const StickBody *body = &step->system->body[b];
        int at = body->first;
        if (!body->modes)
            continue;
        stick_modes_felt(body->modes, m1->reaction + at, step->room + at);
        for (int i = at; i < at + body->ndofs; i++) {
            step->room[i] = body->modes->held[i - at] ? 0 : h * step->room[i];
            if (!body->modes->held[i - at])
                stick_ledger_terms_judge(terms, step->room[i], fmax(fabs(m1->Mv[i]), h * fabs(m1->Kq[i])));
        }
    }
}

void stick_ledger_terms_add_finite(const StickLedgerStep *step, StickLedgerTerms *terms)
{
    const StickMotion *m0 = step->before, *m1 = step->after;
    double work = 0;
    stick_ledger_terms_judge(terms, 0, (step->scheme ? step->h : 1) * step->faint);
    terms->impulses += step->h * step->faint;
    for (int b = 0; b < step->system->nbodies; b++) {
        const StickBody *body = &step->system->body[b];
        for (int i = body->first; i < body->first + body->ndofs && body->finite; i++) {
            double dq = m1->q[i] - m0->q[i] + (step->carried ? step->h * step->carried[i] : 0);
            work += 0.5 * dq * (m0->Kq[i] + m1->Kq[i]);
            // what supports carry is a force in the body, too
            stick_ledger_terms_judge(terms, 0, (step->scheme ? step->h : 1) * fabs(m1->Kq[i]));
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
