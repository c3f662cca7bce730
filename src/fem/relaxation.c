// SPDX-License-Identifier: Apache-2.0
#include "fem/relaxation.h"

#include "fem/hyperelastic.h"
#include "fem/tensor.h"

#include <math.h>

// X follows Y by dX/dt = Y - X (time in units of the term's own), Y from Y0 to Y1 linearly.
typedef struct Follower {
    double end; // of the step
    const double *X0, *Y0, *Y1;
} Follower;

// tr X Y^-1 + tr X^-1 Y - 6 at the time s, computed as tr Z Y^-1 Z X^-1 with Z = X - Y: no cancellation, however long
// the step.
static double distance(const Follower *follower, double s)
{
    double X[6], Y[6], Z[6], invX[6], invY[6], full[3][3], square[6];
    double e = exp(-s), turned = -expm1(-s) / follower->end, part = s / follower->end;
    for (int k = 0; k < 6; k++) {
        Z[k] = e * (follower->X0[k] - follower->Y0[k]) - turned * (follower->Y1[k] - follower->Y0[k]);
        Y[k] = (1 - part) * follower->Y0[k] + part * follower->Y1[k];
        X[k] = Y[k] + Z[k];
    }
    stick_six_inverse(3, X, invX);
    stick_six_inverse(3, Y, invY);
    stick_six_to_tensor(Z, full);
    stick_six_push(3, (const double(*)[3])full, invY, 1, square);
    return fmax(stick_six_inner(square, invX), 0);
}

// Its integral over the step, by Gauss's rule on intervals that resolve both the first decay and the slow motion
// after it.
static double lost(const Follower *follower)
{
    static const double piece[] = {0, 1, 3, 7, 15, 31},
                        place[] = {-0.7745966692414834, 0, 0.7745966692414834},
                        weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double sum = 0;
    for (int k = 0; k < 6 && piece[k] < follower->end; k++) {
        double low = piece[k], high = k < 5 ? fmin(piece[k + 1], follower->end) : follower->end;
        for (int p = 0; p < 3; p++)
            sum += (high - low) * weight[p] *
                   distance(follower, 0.5 * (low + high) + 0.5 * (high - low) * place[p]);
    }
    return sum;
}

// ---- one kind of networks

typedef struct Networks {
    double coefficient;     // a1 or a2
    int first;              // of its terms in the history
    const double *Y0, *Y1;  // C~^-1 of a1, C~ of a2
    const double *inverse1; // of Y1
    double *constant;       // P or Q of the law
} Networks;

// A step of a term: x = h/T, e = exp(-x), phi = (1 - e)/x
typedef struct Decay {
    double x, e, phi;
} Decay;

static Decay decay_of(double x)
{
    double lost = -expm1(-x);
    return (Decay){x, 1 - lost, x > 0 ? lost / x : 1};
}

// Contribution of one term to constant, energy and loss, and its next state.
STICK_KERNEL void relax(int dim, const Networks *networks, double share, const Decay *decay, int k,
                        StickMaterialPoint *point)
{
    const double *X0 = &point->past[networks->first + 6 * k];
    double *X1 = &point->next[networks->first + 6 * k], stiffness = networks->coefficient * share;
    for (int i = 0; i < 6; i++) {
        double inherited = decay->e * X0[i] + (decay->phi - decay->e) * networks->Y0[i];
        networks->constant[i] += share * inherited;
        X1[i] = inherited + (1 - decay->phi) * networks->Y1[i];
    }
    point->energy += stiffness * stick_six_excess(dim, X1, networks->inverse1); // det Y = 1
    if (point->h > 0 && !point->no_loss)
        point->loss += stiffness * lost(&(Follower){decay->x, X0, networks->Y0, networks->Y1});
}

// ---- history

int stick_relaxation_history(const StickMaterial *material)
{
    if (material->nprony == 0)
        return 0;
    return 6 + 6 * material->nprony * (material->a2 != 0 ? 2 : 1);
}

void stick_relaxation_rest(const StickMaterial *material, double *history)
{
    for (int k = 0; k < stick_relaxation_history(material); k += 6)
        stick_six_identity(&history[k]);
}

static double lasting_of(const StickMaterial *material)
{
    double lasting = 1;
    for (int k = 0; k < material->nprony; k++)
        lasting -= material->prony[k].share;
    return lasting;
}

STICK_KERNEL void step(int dim, const StickMaterial *material, StickMaterialPoint *point)
{
    double C[6], inverse[6], before[6], turned[3][3], lasting = lasting_of(material);
    double P[6] = {lasting, lasting, lasting, 0, 0, 0}, Q[6] = {lasting, lasting, lasting, 0, 0, 0};
    stick_tensor_transpose(dim, (const double(*)[3])point->F, turned);
    stick_six_product(dim, (const double(*)[3])turned, (const double(*)[3])turned, 1 / point->grown, C);
    stick_six_inverse(dim, C, inverse);
    stick_six_inverse(dim, point->past, before);
    const Networks first = {material->a1, 6, before, inverse, C, P};
    const Networks second = {material->a2, 6 + 6 * material->nprony, point->past, C, inverse, Q};
    for (int k = 0; k < material->nprony; k++) {
        const StickProny *term = &material->prony[k];
        Decay decay = decay_of(point->h / term->time);
        relax(dim, &first, term->share, &decay, k, point);
        if (material->a2 != 0)
            relax(dim, &second, term->share, &decay, k, point);
    }
    StickHyperelastic law = {material->a1, material->a2, P, Q};
    stick_hyperelastic_stress(&law, point);
    point->energy += lasting * stick_hyperelastic_energy(&law, point);
    memcpy(point->next, C, sizeof C);
}

void stick_relaxation_step(const StickMaterial *material, StickMaterialPoint *point)
{
    if (point->flat)
        step(2, material, point);
    else
        step(3, material, point);
}
