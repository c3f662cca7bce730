// SPDX-License-Identifier: Apache-2.0
#include "fem/relaxation.h"

#include "fem/tensor.h"

#include <math.h>

// X follows Y by dX/dt = Y - X (time in units of the term's own), Y from Y0 to Y1 linearly.
typedef struct Follower {
    double end; // of the step
    const double *X0, *Y0, *Y1;
} Follower;

static double one_minus_exp_over(double x)
{
    return x > 0 ? -expm1(-x) / x : 1;
}

// X at the time s, without what it has of Y(s) itself.
static void inherited(const Follower *follower, double s, double X[6])
{
    double e = exp(-s), phi = one_minus_exp_over(s);
    for (int k = 0; k < 6; k++)
        X[k] = e * follower->X0[k] + (phi - e) * follower->Y0[k];
}

// tr X Y^-1 + tr X^-1 Y - 6 at the time s
static double distance(const Follower *follower, double s)
{
    double X[6], Y[6], invX[6], invY[6], part = s / follower->end;
    inherited(follower, s, X);
    for (int k = 0; k < 6; k++) {
        Y[k] = (1 - part) * follower->Y0[k] + part * follower->Y1[k];
        X[k] += (1 - one_minus_exp_over(s)) * Y[k];
    }
    stick_six_inverse(X, invX);
    stick_six_inverse(Y, invY);
    return fmax(stick_six_inner(X, invY) + stick_six_inner(invX, Y) - 6, 0);
}

// Its integral over the step, by Gauss's rule on pieces that see both the first decay and the slow motion behind it.
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
    double Y0[6], Y1[6];    // C~^-1 of a1, C~ of a2
    const double *inverse1; // of Y1
    double *constant;       // P or Q of the law
} Networks;

// What one term adds to constant, energy and loss, and its next state.
static void relax(const Networks *networks, const StickProny *term, const double *X0, double *X1,
                  StickMaterialPoint *point)
{
    Follower follower = {point->h / term->time, X0, networks->Y0, networks->Y1};
    double stiffness = networks->coefficient * term->share, own = 1 - one_minus_exp_over(follower.end);
    inherited(&follower, follower.end, X1);
    for (int k = 0; k < 6; k++) {
        networks->constant[k] += term->share * X1[k];
        X1[k] += own * networks->Y1[k];
    }
    point->energy +=
        stiffness * (stick_six_inner(X1, networks->inverse1) - 3 - log(stick_six_determinant(X1)));
    if (point->h > 0 && !point->no_loss)
        point->loss += stiffness * lost(&follower);
}

static void relax_all(const Networks *networks, const StickMaterial *material, int first,
                      StickMaterialPoint *point)
{
    double lasting = 1;
    for (int k = 0; k < material->nprony; k++)
        lasting -= material->prony[k].share;
    for (int k = 0; k < 6; k++)
        networks->constant[k] = k < 3 ? lasting : 0;
    point->energy += networks->coefficient * lasting * (stick_six_trace(networks->inverse1) - 3);
    for (int k = 0; k < material->nprony; k++)
        relax(networks, &material->prony[k], &point->past[first + 6 * k], &point->next[first + 6 * k], point);
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

void stick_relaxation_step(const StickMaterial *material, double J, StickMaterialPoint *point,
                           StickHyperelastic *law)
{
    double C[6], inverse[6], one[6];
    stick_six_identity(one);
    stick_six_pull((const double(*)[3])point->F, one, 1 / cbrt(J * J), C);
    stick_six_inverse(C, inverse);
    const double *past = point->past;
    Networks first = {.coefficient = law->a1, .inverse1 = C, .constant = law->P};
    stick_six_inverse(past, first.Y0);
    memcpy(first.Y1, inverse, sizeof inverse);
    relax_all(&first, material, 6, point);
    if (law->a2 != 0) {
        Networks second = {.coefficient = law->a2, .inverse1 = inverse, .constant = law->Q};
        memcpy(second.Y0, past, sizeof C);
        memcpy(second.Y1, C, sizeof C);
        relax_all(&second, material, 6 + 6 * material->nprony, point);
    }
    memcpy(point->next, C, sizeof C);
}
