// SPDX-License-Identifier: Apache-2.0
#include "fem/hyperelastic.h"

#include "fem/tensor.h"

// Of dW~/dC~ pushed forward: tau = dev(k), and what of k comes from a2.
typedef struct Pushed {
    double k[6]; // 2 a1 F~ P F~' - m
    double m[6]; // 2 a2 F~^-T Q F~^-1
} Pushed;

STICK_KERNEL void push_one(int dim, const double F[3][3], const double *S, double scale, double out[6])
{
    if (S)
        stick_six_push(dim, F, S, scale, out);
    else
        stick_six_square(dim, F, scale, out);
}

STICK_KERNEL Pushed push(int dim, const StickHyperelastic *law, const StickMaterialPoint *point)
{
    const double(*F)[3] = point->F;
    Pushed pushed = {{0}, {0}};
    double grown = 1 + point->growth, inverse[3][3], turned[3][3];
    push_one(dim, F, law->P, 2 * law->a1 / grown, pushed.k);
    if (law->a2 == 0)
        return pushed;
    stick_tensor_inverse(dim, F, point->J, inverse);
    stick_tensor_transpose(dim, (const double(*)[3])inverse, turned);
    push_one(dim, (const double(*)[3])turned, law->Q, 2 * law->a2 * grown, pushed.m);
    for (int i = 0; i < 6; i++)
        pushed.k[i] -= pushed.m[i];
    return pushed;
}

// Every isochoric law has 2/3 tr(k) (I - 1x1/3) - 2/3 (1 x tau + tau x 1); a2 Q : C~^-1 bends by 2 (d m + m d), projected
// from both sides. With s = 2/3 tau + 4/3 m, and shears s of the axes i, j:
//     c_ij = -2/9 tr k + 4/9 tr m - s_i - s_j + [i = j] (2/3 tr k + 4 m_i)
//     c_is = [s has axis i] 2 m_s - s_s
//     c_ss = 1/3 tr k + m_i + m_j,   of two shears: m of the third
STICK_KERNEL void set_tangent(int dim, double trace, const double tau[6], const double m[6], double c[6][6])
{
    double s[6], both = 4.0 / 9 * stick_six_trace(m) - 2.0 / 9 * trace;
    for (int k = 0; k < 6; k++)
        s[k] = 2.0 / 3 * tau[k] + 4.0 / 3 * m[k];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            c[i][j] = both - (s[i] + s[j]);
        c[i][i] += 2.0 / 3 * trace + 4 * m[i];
        for (int k = 3; k < (dim == 2 ? 4 : 6); k++)
            c[i][k] = c[k][i] = (stick_six_row[k] == i || stick_six_col[k] == i ? 2 * m[k] : 0) - s[k];
    }
    for (int i = 0; i < (dim == 2 ? 1 : 3); i++) {
        int j = (i + 1) % 3;
        c[3 + i][3 + i] = trace / 3 + m[i] + m[j];
        if (dim == 3)
            c[3 + i][3 + j] = c[3 + j][3 + i] = m[3 + (i + 2) % 3];
    }
}

STICK_KERNEL void stress(int dim, const StickHyperelastic *law, StickMaterialPoint *point)
{
    Pushed pushed = push(dim, law, point);
    double trace = stick_six_trace(pushed.k), tau[6];
    for (int i = 0; i < 6; i++)
        tau[i] = pushed.k[i] - (i < 3 ? trace / 3 : 0);
    if (!point->no_tangent)
        set_tangent(dim, trace, tau, pushed.m, point->c);
    memcpy(point->tau, tau, sizeof tau);
}

void stick_hyperelastic_stress(const StickHyperelastic *law, StickMaterialPoint *point)
{
    if (point->flat)
        stress(2, law, point);
    else
        stress(3, law, point);
}

// With e = F F' - 1 and g = J^(2/3) - 1, which keep the digits of small strains,
//     I1~ - 3 = (tr e - 3 g)/(1 + g),    I2~ - 3 = (2 tr e + (tr^2 e - e : e)/2 - 3 g (2 + g))/(1 + g)^2
STICK_KERNEL double energy(int dim, const StickHyperelastic *law, const StickMaterialPoint *point)
{
    double D[3][3] = {{0}}, e[6], g = point->growth;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[i][j] = point->F[i][j] - (i == j);
    stick_six_square(dim, (const double(*)[3])D, 1, e);
    for (int k = 0; k < 6; k++)
        e[k] += D[stick_six_row[k]][stick_six_col[k]] + D[stick_six_col[k]][stick_six_row[k]];
    double trace = stick_six_trace(e), square = stick_six_inner(e, e);
    double first = (trace - 3 * g) / (1 + g);
    double second = (2 * trace + 0.5 * (trace * trace - square) - 3 * g * (2 + g)) / ((1 + g) * (1 + g));
    return law->a1 * first + law->a2 * second;
}

double stick_hyperelastic_energy(const StickHyperelastic *law, const StickMaterialPoint *point)
{
    return point->flat ? energy(2, law, point) : energy(3, law, point);
}

void stick_hyperelastic_step(const StickMaterial *material, StickMaterialPoint *point)
{
    const StickHyperelastic law = {.a1 = material->a1, .a2 = material->a2};
    stick_hyperelastic_stress(&law, point);
    point->energy = stick_hyperelastic_energy(&law, point);
}
