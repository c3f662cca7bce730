// SPDX-License-Identifier: Apache-2.0
#include "solve/local.h"

#include <assert.h>
#include <string.h>

enum { ROOT_STEPS = 200 };

// Relative to l; the error that it leaves is its square.
static const double LAST_STEP = 1e-7;

// A contact counts as definite if its pivots are above this share of the trace bound.
static const double DEFINITE = 1e-13;
// First multiple of trace / dim that is added to the others; each further one is ten times larger.
static const double FIRST_SHIFT = 1e-9;

// For l beyond this multiple of the trace of S, r does not depend on S any more. Up to there, and for g between these
// sizes, squares of l and g neither overflow nor underflow.
static const double FAR = 1e20, LEAST_G = 1e-30, MOST_G = 1e30;

// ---- preparation

static bool is_definite(int dim, const double *A)
{
    double least = 0, S[4];
    for (int k = 0; k < dim; k++)
        least += DEFINITE * A[k * (dim + 1)];
    if (!(A[0] > least))
        return false;
    if (dim < 3)
        return dim == 1 || A[3] - A[2] * A[1] / A[0] > least;
    for (int k = 0; k < 4; k++)
        S[k] = A[4 + k / 2 * 3 + k % 2] - A[3 + k / 2 * 3] * A[1 + k % 2] / A[0];
    return S[0] > least && S[3] > least && S[0] * S[3] - S[1] * S[2] > least * (S[0] + S[3]);
}

// Adds to the diagonal what makes A definite.
static void shift(int dim, double *A)
{
    double trace = 0, diagonal[3];
    for (int k = 0; k < dim; k++)
        trace += diagonal[k] = A[k * (dim + 1)];
    double step = FIRST_SHIFT * (trace > 0 ? trace / dim : 1);
    for (; !is_definite(dim, A) && isfinite(step); step *= 10)
        for (int k = 0; k < dim; k++)
            A[k * (dim + 1)] = diagonal[k] + step;
}

void stick_local_prepare1(const double *A, StickLocal1 *local)
{
    local->A = A[0];
    if (!(A[0] > 0))
        shift(1, &local->A);
    local->inverse = 1 / local->A;
}

void stick_local_prepare2(const double *A, double mu, StickLocal2 *local)
{
    double *a = local->A;
    memcpy(a, A, sizeof local->A);
    if (!is_definite(2, a))
        shift(2, a);
    local->mu = mu;
    local->inverse_N = 1 / a[0];
    local->lever = a[2] * local->inverse_N;
    local->inverse_S = 1 / (a[3] - local->lever * a[1]);
    for (int s = 0; s < 2; s++) {
        double pivot = a[0] + (s ? mu : -mu) * a[1];
        local->slip[s] = pivot > 0 ? 1 / pivot : 0;
    }
}

void stick_local_prepare3(const double *A, double mu, StickLocal3 *local)
{
    double *a = local->A, *S = local->S;
    memcpy(a, A, sizeof local->A);
    if (!is_definite(3, a))
        shift(3, a);
    local->mu = mu;
    local->l = 0;
    local->inverse_N = 1 / a[0];
    double lever1 = a[3] * local->inverse_N, lever2 = a[6] * local->inverse_N;
    S[0] = a[4] - lever1 * a[1];
    S[1] = a[5] - lever1 * a[2];
    S[2] = a[7] - lever2 * a[1];
    S[3] = a[8] - lever2 * a[2];
    local->inverse_det = 1 / (S[0] * S[3] - S[1] * S[2]);
}

// ---- slip in space

// (S + l I) r_T = -g, so r_T = P(l) / D(l) with P = -(adj S) g - l g, D = det S + l tr S + l^2, and l > 0 is
// the root of F(l) = (mu / a_NN)(-b_N D - a_NT.P) - |P|. F(0) < 0, since stick failed, and F grows like l^2.
typedef struct Slip {
    double press;      // -mu b_N / a_NN
    double a[2];       // mu a_NT / a_NN
    double g[2], P[2]; // P at l = 0
    double a_g;        // a.g
    double det, trace; // of S
} Slip;

// Newton's step from l for mu r_N / |r_T| = 1, which is nearly linear in l: N = press D - a.P.
static inline double slip_step(const Slip *slip, double l, double *F)
{
    double P1 = slip->P[0] - l * slip->g[0], P2 = slip->P[1] - l * slip->g[1], PP = P1 * P1 + P2 * P2;
    double N = slip->press * (slip->det + l * (slip->trace + l)) - (slip->a[0] * P1 + slip->a[1] * P2);
    double slope = slip->press * (slip->trace + 2 * l) + slip->a_g, P_g = P1 * slip->g[0] + P2 * slip->g[1];
    *F = N - sqrt(PP);
    return -*F * PP / (slope * PP + N * P_g);
}

// Newton's steps inside the bracket; where one leaves it, the geometric middle. The error after a step is about
// the square of the step, so that a step below the root of the precision is the last.
static double slip_root(const Slip *slip, double l)
{
    double low = 0, high = INFINITY, most = FAR * slip->trace, F;
    l = fmin(l, most);
    for (int k = 0; k < ROOT_STEPS; k++) {
        double step = slip_step(slip, l, &F), next = l + step;
        if (fabs(step) <= LAST_STEP * l)
            return next;
        *(F < 0 ? &low : &high) = l;
        if (!(next > low && next < high))
            next = high == INFINITY ? 8 * l : low > 0 ? sqrt(low * high) : high / 16;
        if (next == low || next == high)
            return next;
        if (next > most)
            return most;
        l = next;
    }
    return l;
}

// The l at which the tangential force of a round S would meet the cone.
static double first_guess(const Slip *slip)
{
    double l = sqrt(slip->g[0] * slip->g[0] + slip->g[1] * slip->g[1]) / slip->press - slip->trace / 2;
    double least = 1e-3 * slip->trace;
    return l > least && isfinite(l) ? l : least;
}

// Far out, where l is about |g - t a.g| / press: r_T = mu r_N t with t = -g / |g|. False if l is not so large.
static bool slip_far(const StickLocal3 *local, const Slip *slip, double b_N, double r[3])
{
    double size = sqrt(slip->g[0] * slip->g[0] + slip->g[1] * slip->g[1]), share = 1 - slip->a_g / size;
    if (!(share * size > FAR * slip->trace * slip->press))
        return false;
    r[0] = -b_N * local->inverse_N / share;
    r[1] = -local->mu * r[0] * (slip->g[0] / size);
    r[2] = -local->mu * r[0] * (slip->g[1] / size);
    return true;
}

static void slip_scaled(const StickLocal3 *local, double b_N, const double g[2], double *l, double r[3])
{
    const double *A = local->A, *S = local->S;
    double factor = local->mu * local->inverse_N;
    Slip slip = {
        .press = -factor * b_N,
        .a = {factor * A[1], factor * A[2]},
        .g = {g[0], g[1]},
        .P = {-(S[3] * g[0] - S[1] * g[1]), -(S[0] * g[1] - S[2] * g[0])},
        .a_g = factor * (A[1] * g[0] + A[2] * g[1]),
        .det = S[0] * S[3] - S[1] * S[2],
        .trace = S[0] + S[3],
    };
    if (slip_far(local, &slip, b_N, r))
        return;
    *l = slip_root(&slip, *l > 0 ? *l : first_guess(&slip));
    double D = slip.det + *l * (slip.trace + *l);
    r[1] = (slip.P[0] - *l * g[0]) / D;
    r[2] = (slip.P[1] - *l * g[1]) / D;
    r[0] = -(b_N + A[1] * r[1] + A[2] * r[2]) * local->inverse_N;
}

// r scales with b_N and g, l does not: where squares would overflow or underflow, g is scaled to about 1.
void stick_local_slip(const StickLocal3 *local, double b_N, const double g[2], double *l, double r[3])
{
    double size = fmax(fabs(g[0]), fabs(g[1]));
    if (!(local->mu > 0)) {
        r[0] = -b_N * local->inverse_N, r[1] = r[2] = 0;
    } else if ((size > LEAST_G && size < MOST_G) || !(size > 0 && isfinite(size))) {
        slip_scaled(local, b_N, g, l, r);
    } else {
        int e = ilogb(size), least = ilogb(b_N) - 900;
        e = e > least ? e : least;
        slip_scaled(local, scalbn(b_N, -e), (double[]){scalbn(g[0], -e), scalbn(g[1], -e)}, l, r);
        for (int k = 0; k < 3; k++)
            r[k] = scalbn(r[k], e);
    }
}

// Updates start from r = 0 and use u for b; the shift of A times the last r is included in b.
static void owe_shift(int dim, const double *A, const double *shifted, const double *r, double *b)
{
    for (int k = 0; k < dim; k++)
        b[k] -= (shifted[k * (dim + 1)] - A[k * (dim + 1)]) * r[k];
}

void stick_local_solve(int dim, const double *A, const double *b, double mu, double *r)
{
    assert(dim >= 1 && dim <= 3);
    double u[3], x[3] = {0};
    memcpy(u, b, (size_t)dim * sizeof *u);
    if (dim == 1) {
        StickLocal1 local;
        stick_local_prepare1(A, &local);
        owe_shift(dim, A, &local.A, r, u);
        stick_local_update1(&local, u, x);
    } else if (dim == 2) {
        StickLocal2 local;
        stick_local_prepare2(A, mu, &local);
        owe_shift(dim, A, local.A, r, u);
        stick_local_update2(&local, u, x);
    } else {
        StickLocal3 local;
        stick_local_prepare3(A, mu, &local);
        owe_shift(dim, A, local.A, r, u);
        stick_local_update3(&local, u, x);
    }
    memcpy(r, x, (size_t)dim * sizeof *x);
}
