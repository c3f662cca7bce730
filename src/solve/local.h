// SPDX-License-Identifier: Apache-2.0
// One contact alone: u = A r + b with A = W_cc, solved exactly in 1D, 2D and 3D. Open where b_N >= 0; else
// u_N = 0, the normal part is eliminated,
//
//     r_N = -(b_N + a_NT.r_T) / a_NN,  u_T = S r_T + g,
//     S = A_TT - a_TN a_NT / a_NN,     g = b_T - a_TN b_N / a_NN,
//
// and the result is stick (u_T = 0), or slip (u_T = -l r_T, l > 0, |r_T| = mu r_N) where stick violates the cone.
// With a_NN > 0 and S positive definite one of the three always exists, for any mu and any unsymmetric A. Otherwise a
// multiple of the unit matrix is added to A: r is then the proximal point of the last r, and fixed points are
// unchanged.
#ifndef SOLVE_LOCAL_H
#define SOLVE_LOCAL_H

#include <math.h>
#include <stdbool.h>

// Prepared once per contact. A, S by rows, including the added multiple of the unit matrix.
typedef struct StickLocal1 {
    double A;
    double inverse; // 1 / A
} StickLocal1;

typedef struct StickLocal2 {
    double A[4];
    double mu;
    double inverse_N; // 1 / a_NN
    double inverse_S; // 1 / S
    double slip[2];   // 1 / (a_NN + s mu a_NT) for s = -1, 1; 0 where this is not positive
    double lever;     // a_TN / a_NN
} StickLocal2;

typedef struct StickLocal3 {
    double A[9];
    double mu;
    double inverse_N; // 1 / a_NN
    double S[4];
    double inverse_det; // 1 / det S
    double l;           // of the last slip; 0: none yet
} StickLocal3;

// A by rows as it is in W.
void stick_local_prepare1(const double *A, StickLocal1 *local);
void stick_local_prepare2(const double *A, double mu, StickLocal2 *local);
void stick_local_prepare3(const double *A, double mu, StickLocal3 *local);

// One contact from its raw data: r comes in as the last iterate.
void stick_local_solve(int dim, const double *A, const double *b, double mu, double *r);

// Slip in 3D with the normal eliminated; l comes in as a guess.
void stick_local_slip(const StickLocal3 *local, double b_N, const double g[2], double *l, double r[3]);

// b = u - A r from the present u and r of the contact; r goes out as the solution for this b.
static inline void stick_local_update1(const StickLocal1 *local, const double *u, double *r)
{
    double b = u[0] - local->A * r[0];
    r[0] = b >= 0 ? 0 : -b * local->inverse;
}

static inline void stick_local_update2(const StickLocal2 *local, const double *u, double *r)
{
    const double *A = local->A;
    double b_N = u[0] - (A[0] * r[0] + A[1] * r[1]), b_T = u[1] - (A[2] * r[0] + A[3] * r[1]);
    if (b_N >= 0) {
        r[0] = r[1] = 0;
        return;
    }
    double g = b_T - local->lever * b_N;
    double T = -g * local->inverse_S, N = -(b_N + A[1] * T) * local->inverse_N;
    // by round-off alone stick may fail where slip has no pivot
    if (fabs(T) > local->mu * N && local->slip[g < 0] > 0) {
        N = -b_N * local->slip[g < 0];
        T = g < 0 ? local->mu * N : -local->mu * N;
    }
    r[0] = N;
    r[1] = T;
}

static inline void stick_local_update3(StickLocal3 *local, const double *u, double *r)
{
    const double *A = local->A, *S = local->S;
    double b_N = u[0] - (A[0] * r[0] + A[1] * r[1] + A[2] * r[2]);
    if (b_N >= 0) {
        r[0] = r[1] = r[2] = 0;
        return;
    }
    double b1 = u[1] - (A[3] * r[0] + A[4] * r[1] + A[5] * r[2]);
    double b2 = u[2] - (A[6] * r[0] + A[7] * r[1] + A[8] * r[2]);
    double press = b_N * local->inverse_N, g[2] = {b1 - A[3] * press, b2 - A[6] * press};
    double T1 = -(S[3] * g[0] - S[1] * g[1]) * local->inverse_det;
    double T2 = -(S[0] * g[1] - S[2] * g[0]) * local->inverse_det;
    double N = -press - (A[1] * T1 + A[2] * T2) * local->inverse_N, most = local->mu * N;
    if (N >= 0 && T1 * T1 + T2 * T2 <= most * most)
        r[0] = N, r[1] = T1, r[2] = T2;
    else
        stick_local_slip(local, b_N, g, &local->l, r);
}

#endif
