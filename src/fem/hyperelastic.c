// SPDX-License-Identifier: Apache-2.0
#include "fem/hyperelastic.h"

#include "fem/tensor.h"

#include <math.h>

// Of dW~/dC~ pushed forward: tau = dev(k), and what of k comes from a2.
typedef struct Pushed {
    double k[6]; // 2 a1 F~ P F~' - m
    double m[6]; // 2 a2 F~^-T Q F~^-1
} Pushed;

static Pushed push(const StickHyperelastic *law, const double F[3][3], double J)
{
    Pushed pushed = {{0}, {0}};
    double shrink = 1 / cbrt(J * J), inverse[3][3];
    stick_six_push(F, law->P, 2 * law->a1 * shrink, pushed.k);
    if (law->a2 == 0)
        return pushed;
    stick_tensor_inverse(F, J, inverse);
    stick_six_pull((const double(*)[3])inverse, law->Q, 2 * law->a2 / shrink, pushed.m);
    for (int i = 0; i < 6; i++)
        pushed.k[i] -= pushed.m[i];
    return pushed;
}

// What every isochoric law has: 2/3 tr(k) (I - 1x1/3) - 2/3 (1 x tau + tau x 1)
static void projected_tangent(double trace, const double tau[6], double c[6][6])
{
    memset(c, 0, 36 * sizeof(double));
    for (int i = 0; i < 6; i++)
        c[i][i] = (i < 3 ? 2.0 : 1.0) / 3 * trace;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            c[i][j] -= 2.0 / 9 * trace;
        for (int j = 0; j < 6; j++) {
            c[i][j] -= 2.0 / 3 * tau[j];
            c[j][i] -= 2.0 / 3 * tau[j];
        }
    }
}

// The bend of a2 Q : C~^-1, where d becomes 2 (d m + m d), projected from both sides.
static void add_inverse_tangent(const double m[6], double c[6][6])
{
    double trace = stick_six_trace(m);
    for (int i = 0; i < 3; i++) {
        // shears that follow each other: of axes i, j and of j, k; they meet by the one of k, i
        int j = (i + 1) % 3, s = 3 + i, next = 3 + j;
        double meet = m[3 + (i + 2) % 3];
        c[i][i] += 4 * m[i];
        c[s][s] += m[i] + m[j];
        c[i][s] += 2 * m[s], c[s][i] += 2 * m[s];
        c[j][s] += 2 * m[s], c[s][j] += 2 * m[s];
        c[s][next] += meet, c[next][s] += meet;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            c[i][j] += 4.0 / 9 * trace;
        for (int j = 0; j < 6; j++) {
            c[i][j] -= 4.0 / 3 * m[j];
            c[j][i] -= 4.0 / 3 * m[j];
        }
    }
}

double stick_hyperelastic_stress(const StickHyperelastic *law, const double F[3][3], double J, double tau[6],
                                 double c[6][6])
{
    Pushed pushed = push(law, F, J);
    double trace = stick_six_trace(pushed.k);
    for (int i = 0; i < 6; i++)
        tau[i] = pushed.k[i] - (i < 3 ? trace / 3 : 0);
    if (c)
        projected_tangent(trace, tau, c);
    if (c && law->a2 != 0)
        add_inverse_tangent(pushed.m, c);
    return 0.5 * trace + stick_six_trace(pushed.m);
}
