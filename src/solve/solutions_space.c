// SPDX-License-Identifier: Apache-2.0
// All solutions of one contact in space: open, stuck, or sliding with u_T = -l r_T. With the normal part eliminated
// as in solve/local.h, r_T = P(l) / D(l) and |r_T| = mu r_N is Q(l) = |P(l)| with
//
//     P = -(adj S) g - l g,   D = det S + l tr S + l^2,   Q = -(mu / a_NN) (b_N D + a_NT.P)
//
// where l runs through the zeros of the quartic Q^2 - |P|^2 above 0 that have Q >= 0.
#include "solve/local.h"
#include "solve/solutions.h"

#include <string.h>

enum { QUARTIC = 4, HALVINGS = 60 };

// ---- zeros

static double value(const double *c, int degree, double x)
{
    double sum = 0;
    for (int k = degree; k >= 0; k--)
        sum = sum * x + c[k];
    return sum;
}

static double bisect(const double *c, int degree, double low, double high)
{
    bool sign = value(c, degree, low) > 0;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        *((value(c, degree, middle) > 0) == sign ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

// Where a polynomial changes its sign between 0 and 1, ascending: between the places where its slope does.
static int zeros(const double *c, int degree, double *x)
{
    double slope[QUARTIC], at[QUARTIC + 2] = {0};
    int count = 0, n = 1;
    if (degree == 0)
        return 0;
    for (int k = 1; k <= degree; k++)
        slope[k - 1] = k * c[k];
    n += zeros(slope, degree - 1, at + 1);
    at[n] = 1;
    for (int k = 0; k < n; k++)
        if ((value(c, degree, at[k]) > 0) != (value(c, degree, at[k + 1]) > 0))
            x[count++] = bisect(c, degree, at[k], at[k + 1]);
    return count;
}

// Zeros of a quartic above 0, by l = x / (1 - x).
static int positive_zeros(const double c[QUARTIC + 1], double *l)
{
    static const int binomial[QUARTIC + 1][QUARTIC + 1] = {
        {1}, {1, -1}, {1, -2, 1}, {1, -3, 3, -1}, {1, -4, 6, -4, 1}};
    double folded[QUARTIC + 1] = {0};
    for (int i = 0; i <= QUARTIC; i++)
        for (int j = 0; j <= QUARTIC - i; j++)
            folded[i + j] += c[i] * binomial[QUARTIC - i][j];
    int count = zeros(folded, QUARTIC, l);
    for (int k = 0; k < count; k++)
        l[k] /= 1 - l[k];
    return count;
}

// ---- one contact

typedef struct Contact {
    StickLocal3 local;
    double b[3]; // without units: A by its mean diagonal, b by its largest entry
    double impulse, velocity;
    double g[2], P[2], Q[3]; // P(0), coefficients of Q
    double det, trace;
} Contact;

static void take(const StickFrictionProblem *problem, Contact *contact)
{
    double A[9], mean, size = 0;
    memcpy(A, problem->W->value, sizeof A);
    mean = (A[0] + A[4] + A[8]) / 3;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fabs(problem->u_free[k]));
    for (int k = 0; k < 9; k++)
        A[k] /= mean;
    for (int k = 0; k < 3; k++)
        contact->b[k] = size > 0 ? problem->u_free[k] / size : 0;
    contact->velocity = size;
    contact->impulse = size / mean;
    stick_local_prepare3(A, problem->mu[0], &contact->local);
}

static void prepare_slip(Contact *contact)
{
    const double *A = contact->local.A, *S = contact->local.S, *b = contact->b;
    double factor = contact->local.mu / A[0], *g = contact->g, *P = contact->P;
    g[0] = b[1] - A[3] * b[0] / A[0];
    g[1] = b[2] - A[6] * b[0] / A[0];
    P[0] = -(S[3] * g[0] - S[1] * g[1]);
    P[1] = -(S[0] * g[1] - S[2] * g[0]);
    contact->det = S[0] * S[3] - S[1] * S[2];
    contact->trace = S[0] + S[3];
    contact->Q[0] = -factor * (b[0] * contact->det + A[1] * P[0] + A[2] * P[1]);
    contact->Q[1] = -factor * (b[0] * contact->trace - A[1] * g[0] - A[2] * g[1]);
    contact->Q[2] = -factor * b[0];
}

// r from its tangential part where u_N = 0; u = A r + b
static void add(const Contact *contact, StickSolutions *solutions, const double r[3])
{
    const double *A = contact->local.A;
    int k = solutions->count++;
    for (int i = 0; i < 3; i++) {
        double u = contact->b[i] + A[3 * i] * r[0] + A[3 * i + 1] * r[1] + A[3 * i + 2] * r[2];
        solutions->r[k][i] = contact->impulse * r[i];
        solutions->u[k][i] = contact->velocity * u;
    }
}

static double normal_impulse(const Contact *contact, double r1, double r2)
{
    const double *A = contact->local.A;
    return -(contact->b[0] + A[1] * r1 + A[2] * r2) / A[0];
}

static void add_stuck(const Contact *contact, StickSolutions *solutions)
{
    double r1 = contact->P[0] / contact->det, r2 = contact->P[1] / contact->det,
           N = normal_impulse(contact, r1, r2);
    if (N >= 0 && hypot(r1, r2) <= contact->local.mu * N)
        add(contact, solutions, (const double[]){N, r1, r2});
}

static void add_sliding(const Contact *contact, StickSolutions *solutions)
{
    const double *Q = contact->Q, *P = contact->P, *g = contact->g;
    double c[QUARTIC + 1] = {
        Q[0] * Q[0] - P[0] * P[0] - P[1] * P[1], 2 * (Q[0] * Q[1] + P[0] * g[0] + P[1] * g[1]),
        Q[1] * Q[1] + 2 * Q[0] * Q[2] - g[0] * g[0] - g[1] * g[1], 2 * Q[1] * Q[2], Q[2] * Q[2]};
    double l[QUARTIC];
    int count = positive_zeros(c, l);
    for (int k = 0; k < count; k++) {
        double D = contact->det + l[k] * (contact->trace + l[k]);
        double r1 = (P[0] - l[k] * g[0]) / D, r2 = (P[1] - l[k] * g[1]) / D;
        double N = normal_impulse(contact, r1, r2);
        if (N >= 0)
            add(contact, solutions, (const double[]){N, r1, r2});
    }
}

void stick_solutions_find_space(const StickFrictionProblem *problem, StickSolutions *solutions)
{
    Contact contact;
    solutions->count = 0;
    take(problem, &contact);
    prepare_slip(&contact);
    if (contact.b[0] >= 0)
        add(&contact, solutions, (const double[3]){0});
    add_sliding(&contact, solutions);
    add_stuck(&contact, solutions);
}
