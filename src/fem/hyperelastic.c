// SPDX-License-Identifier: Apache-2.0
#include "fem/hyperelastic.h"

#include "fem/tensor.h"

STICK_KERNEL void push_one(int dim, const double F[3][3], const double *S, double scale, double out[6])
{
    if (S)
        stick_six_push(dim, F, S, scale, out);
    else
        stick_six_product(dim, F, F, scale, out);
}

// dW~/dC~ pushed forward: m = 2 a2 F~^-T Q F~^-1 is what of it comes from a2, k = 2 a1 F~ P F~' - m is all of it.
STICK_KERNEL void push(int dim, const StickHyperelastic *law, const StickMaterialPoint *point, double k[6],
                       double m[6])
{
    const double(*F)[3] = (const double(*)[3])point->F;
    double grown = point->grown, inverse[3][3], turned[3][3];
    push_one(dim, F, law->P, 2 * law->a1 / grown, k);
    for (int i = 0; i < 6; i++)
        m[i] = 0;
    if (law->a2 == 0)
        return;
    stick_tensor_inverse(dim, F, point->J, inverse);
    stick_tensor_transpose(dim, (const double(*)[3])inverse, turned);
    push_one(dim, (const double(*)[3])turned, law->Q, 2 * law->a2 * grown, m);
    for (int i = 0; i < 6; i++)
        k[i] -= m[i];
}

// Every isochoric law has 2/3 tr(k) (I - 1x1/3) - 2/3 (1 x tau + tau x 1); a2 Q : C~^-1 bends by 2 (d m + m d),
// projected from both sides. With s = 2/3 tau + 4/3 m, and shears s of the axes i, j:
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
        c[3 + i][3 + i] = 1.0 / 3 * trace + m[i] + m[j];
        if (dim == 3)
            c[3 + i][3 + j] = c[3 + j][3 + i] = m[3 + (i + 2) % 3];
    }
}

// tau = dev(k)
STICK_KERNEL void stress(int dim, const StickHyperelastic *law, StickMaterialPoint *point)
{
    double k[6], m[6], tau[6];
    push(dim, law, point, k, m);
    double trace = stick_six_trace(k), mean = 1.0 / 3 * trace;
    for (int i = 0; i < 6; i++)
        tau[i] = i < 3 ? k[i] - mean : k[i];
    if (!point->no_tangent)
        set_tangent(dim, trace, tau, m, point->c);
    for (int i = 0; i < 6; i++)
        point->tau[i] = tau[i];
}

void stick_hyperelastic_stress(const StickHyperelastic *law, StickMaterialPoint *point)
{
    if (point->flat)
        stress(2, law, point);
    else
        stress(3, law, point);
}

// With D = F - 1, e = F F' - 1 = D + D' + D D' and g = J^(2/3) - 1, which keep the digits of small strains,
//     I1~ - 3 = (tr e - 3 g)/(1 + g),    I2~ - 3 = (2 tr e + II(e) - 3 g (2 + g))/(1 + g)^2,  II = (tr^2 e - e : e)/2
STICK_KERNEL double energy(int dim, const StickHyperelastic *law, const StickMaterialPoint *point)
{
    double D[3][3], e[6], g = point->growth;
    stick_tensor_less_one(dim, (const double(*)[3])point->F, D);
    stick_six_product(dim, (const double(*)[3])D, (const double(*)[3])D, 1, e);
    e[0] += 2 * D[0][0], e[1] += 2 * D[1][1], e[2] += 2 * D[2][2];
    e[3] += D[0][1] + D[1][0];
    double minors = e[0] * e[1] - e[3] * e[3] + (e[0] + e[1]) * e[2];
    if (dim == 3) {
        e[4] += D[1][2] + D[2][1], e[5] += D[2][0] + D[0][2];
        minors -= e[4] * e[4] + e[5] * e[5];
    }
    double trace = stick_six_trace(e), shrink = 1 / point->grown;
    double first = (trace - 3 * g) * shrink;
    double second = (2 * trace + minors - 3 * g * (2 + g)) * (shrink * shrink);
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
