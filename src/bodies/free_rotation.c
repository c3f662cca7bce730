// SPDX-License-Identifier: Apache-2.0
#include "bodies/free_rotation.h"

#include "base/quaternion.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Angle of a substep: the terms of the series fall at least as its powers; ORDER of them are below round-off.
static const double substep = 0.25;
enum { ORDER = 30 };

// Inverse of J0 by its cofactors: exactly symmetric, so that it is the inertia of a body in spite of round-off.
static void invert(const double J[9], double inverse[9])
{
    double c0 = J[4] * J[8] - J[5] * J[5], c1 = J[5] * J[2] - J[1] * J[8], c2 = J[1] * J[5] - J[4] * J[2];
    double det = J[0] * c0 + J[1] * c1 + J[2] * c2;
    inverse[0] = c0 / det;
    inverse[1] = inverse[3] = c1 / det;
    inverse[2] = inverse[6] = c2 / det;
    inverse[4] = (J[0] * J[8] - J[2] * J[2]) / det;
    inverse[5] = inverse[7] = (J[1] * J[2] - J[0] * J[5]) / det;
    inverse[8] = (J[0] * J[4] - J[1] * J[1]) / det;
}

static void product(const double A[9], const double x[3], double y[3])
{
    for (int k = 0; k < 3; k++)
        y[k] = stick_vec_dot(A + 3 * k, x);
}

// The rotation by which the body turns in its own axes within t, starting from the momentum m there. With the terms
// M_n, W_n, P_n of degree n of m(t), w(t) and of the quaternion p(t):
//     M_{n+1} = t/(n+1) sum_i M_i x W_{n-i},    W_n = J0^-1 M_n,    P_{n+1} = t/(2(n+1)) sum_i P_i (0, W_{n-i})
static void series(const double inverse[9], const double m[3], double t, double turn[4])
{
    double M[ORDER + 1][3], W[ORDER + 1][3], P[ORDER + 1][4];
    memcpy(M[0], m, sizeof M[0]);
    product(inverse, M[0], W[0]);
    stick_quaternion_identity(P[0]);
    stick_quaternion_identity(turn);
    double last = 1;
    for (int n = 0; n < ORDER; n++) {
        double sum[3] = {0}, by[4] = {0};
        for (int i = 0; i <= n; i++) {
            const double *w = W[n - i], *p = P[i];
            double cross[3];
            stick_vec_cross(M[i], w, cross);
            for (int k = 0; k < 3; k++)
                sum[k] += cross[k];
            by[0] -= p[1] * w[0] + p[2] * w[1] + p[3] * w[2];
            by[1] += p[0] * w[0] + p[2] * w[2] - p[3] * w[1];
            by[2] += p[0] * w[1] + p[3] * w[0] - p[1] * w[2];
            by[3] += p[0] * w[2] + p[1] * w[1] - p[2] * w[0];
        }
        double size = 0;
        for (int k = 0; k < 4; k++) {
            P[n + 1][k] = t / (2 * (n + 1)) * by[k];
            turn[k] += P[n + 1][k];
            size = fmax(size, fabs(P[n + 1][k]));
        }
        for (int k = 0; k < 3; k++)
            M[n + 1][k] = t / (n + 1) * sum[k];
        product(inverse, M[n + 1], W[n + 1]);
        // two terms in a row: single ones may vanish
        if (fmax(size, last) < 0.01 * DBL_EPSILON)
            break;
        last = size;
    }
}

void stick_free_rotation(const StickRigid *rigid, const double phi[3], const double L[3], double t,
                         double phi1[3])
{
    double inverse[9], turn[4], body[4], back[4], by[4], m[3], w[3], gyro[3];
    invert(rigid->J0, inverse);
    stick_quaternion_exp(phi, turn);
    // fractions of t are multiples of 2^-20, so that their sum is exact
    const double grid = 1048576, least = floor(grid * substep / STICK_FREE_ROTATION_MOST) / grid;
    double done = 0;
    // a body at rest keeps its bits
    bool moves = L[0] != 0 || L[1] != 0 || L[2] != 0;
    while (moves && done < 1) {
        stick_quaternion_product(turn, rigid->turn, body);
        stick_quaternion_inverse(body, back);
        stick_quaternion_rotate(back, L, m);
        product(inverse, m, w);
        stick_vec_cross(m, w, gyro);
        double speed = stick_vec_norm(w);
        double part = fmin(1 - done, fmax(least, floor(grid * substep / (speed * t)) / grid));
        if (!(stick_vec_norm(gyro) > 4 * DBL_EPSILON * stick_vec_norm(m) * speed)) {
            // about a principal axis: any angle at once
            part = 1 - done;
            for (int k = 0; k < 3; k++)
                w[k] *= part * t;
            stick_quaternion_exp(w, by);
        } else {
            series(inverse, m, part * t, by);
        }
        // in spatial axes
        stick_quaternion_rotate(body, by + 1, by + 1);
        stick_quaternion_product(by, turn, turn);
        stick_quaternion_normalise(turn);
        done += part;
    }
    if (moves)
        stick_quaternion_log(turn, phi1);
    else
        memmove(phi1, phi, 3 * sizeof *phi);
}

bool stick_free_rotation_is_isotropic(const StickRigid *rigid)
{
    const double *J = rigid->J0;
    double most = fmax(J[0], fmax(J[4], J[8])), least = fmin(J[0], fmin(J[4], J[8]));
    double skew = fmax(fabs(J[1]), fmax(fabs(J[2]), fabs(J[5])));
    return most - least <= 1e-13 * most && skew <= 1e-13 * most;
}
