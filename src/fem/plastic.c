// SPDX-License-Identifier: Apache-2.0
#include "fem/plastic.h"

#include "fem/spectral.h"
#include "fem/tensor.h"

#include <math.h>

enum { MOST_ITERATIONS = 100 };

// ---- hardening

static StickYield by_table(const StickHardening *hardening, double a)
{
    const double *row = hardening->row;
    double work = 0;
    for (int k = 0; k + 1 < hardening->nrows; k++, row += 2) {
        double slope = (row[3] - row[1]) / (row[2] - row[0]);
        if (a < row[2]) {
            double stress = row[1] + slope * (a - row[0]);
            return (StickYield){stress, slope, work + 0.5 * (row[1] + stress) * (a - row[0])};
        }
        work += 0.5 * (row[1] + row[3]) * (row[2] - row[0]);
    }
    return (StickYield){row[1], 0, work + row[1] * (a - row[0])};
}

StickYield stick_hardening_at(const StickHardening *hardening, double a)
{
    if (hardening->nrows > 0)
        return by_table(hardening, a);
    StickYield yield = {hardening->yield + hardening->modulus * a, hardening->modulus,
                        hardening->yield * a + 0.5 * hardening->modulus * a * a};
    if (hardening->rate > 0) {
        double rise = hardening->saturation - hardening->yield, rate = hardening->rate,
               left = -expm1(-rate * a);
        yield.stress += rise * left;
        yield.slope += rise * rate * exp(-rate * a);
        yield.work += rise * (a - left / rate);
    }
    return yield;
}

// ---- return

// The flow in which q(trial) - 3 shear flow = yield(a + flow), by Newton's method within brackets. Negative: none
// found. On both sides of a steep piece of a table Newton's method would alternate between two points: if a step does
// not halve the excess, the next one is a bisection.
static double find_flow(const StickMaterial *material, double q, double a)
{
    double low = 0, high = q / (3 * material->shear), flow = 0, before = INFINITY;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        StickYield yield = stick_hardening_at(&material->hardening, a + flow);
        double excess = q - 3 * material->shear * flow - yield.stress;
        if (fabs(excess) <= 1e-15 * q)
            return flow;
        if (excess > 0)
            low = flow;
        else
            high = flow;
        double next = flow + excess / (3 * material->shear + yield.slope);
        if (!(next >= low && next <= high) || fabs(excess) > 0.5 * before)
            next = 0.5 * (low + high);
        before = fabs(excess);
        if (fabs(next - flow) <= 4e-16 * next)
            return next;
        flow = next;
    }
    return -1;
}

// The trial state in its principal axes.
typedef struct Trial {
    double e[3]; // logarithmic elastic strains, deviatoric
    double axis[3][3];
    double q; // von Mises' stress
} Trial;

STICK_KERNEL Trial try_elastic(int dim, const StickMaterial *material, const StickMaterialPoint *point)
{
    Trial trial;
    double b[6], square[3], mean = 0, sum = 0;
    stick_six_push(dim, point->F, point->past, 1 / point->grown, b);
    stick_six_eigen(b, square, trial.axis);
    for (int k = 0; k < 3; k++) {
        trial.e[k] = 0.5 * log(square[k]);
        mean += trial.e[k] / 3;
    }
    for (int k = 0; k < 3; k++) {
        trial.e[k] -= mean;
        sum += trial.e[k] * trial.e[k];
    }
    trial.q = 2 * material->shear * sqrt(1.5 * sum);
    return trial;
}

// In the plane the third axis is z.
STICK_KERNEL int components(int dim)
{
    return dim == 2 ? 4 : 6;
}

// sum value[a] axis[a] axis[a]'
STICK_KERNEL void assemble(int dim, const double value[3], const double axis[3][3], double A[6])
{
    A[4] = A[5] = 0;
    for (int k = 0; k < components(dim); k++) {
        A[k] = 0;
        for (int a = 0; a < 3; a++)
            A[k] += value[a] * axis[a][stick_six_row[k]] * axis[a][stick_six_col[k]];
    }
}

// ---- tangent

// x coth x, by its series where its parts are large or unsure
static double x_coth(double x)
{
    double y = x * x;
    return y < 2.5e-3 ? 1 + y * (1.0 / 3 - y * (1.0 / 45 - y * (2.0 / 945 - y / 4725))) : x / tanh(x);
}

// Of the axes a and the next one, to the lower triangle.
STICK_KERNEL void add_shear(int dim, const StickMaterial *material, const Trial *trial, double keep, int a,
                            double c[6][6])
{
    int b = (a + 1) % 3, size = components(dim);
    double x = trial->e[a] - trial->e[b], mixed[6];
    double shear = material->shear * keep * (x_coth(x) - trial->e[a] - trial->e[b]);
    const double *n = trial->axis[a], *m = trial->axis[b];
    for (int k = 0; k < size; k++)
        mixed[k] = n[stick_six_row[k]] * m[stick_six_col[k]] + m[stick_six_row[k]] * n[stick_six_col[k]];
    for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++)
            c[i][j] += shear * mixed[i] * mixed[j];
}

// In principal axes: c_aabb = dtau_a/de_b - 2 tau_a (a = b), and of shears
//     c_abab = (tau_a b_b - tau_b b_a)/(b_a - b_b) = [2 shear keep x coth x - (tau_a + tau_b)]/2,  x = e_a - e_b,
// as tau = 2 shear keep e: keep is the part of the trial stress that is left, bend what its change takes off. With
// N_a = axis_a axis_a', sums over b of -1/3 N_b and of e_b N_b are -1/3 and e.
STICK_KERNEL void set_tangent(int dim, const StickMaterial *material, const Trial *trial, double keep,
                              double bend, double c[6][6])
{
    int n = components(dim);
    double G = material->shear, e[6], volume = 2.0 / 3 * G * keep, length2 = 0, factor[3], N[3][6];
    assemble(dim, trial->e, trial->axis, e);
    for (int a = 0; a < 3; a++)
        length2 += trial->e[a] * trial->e[a];
    bend = bend != 0 ? 2 * G * bend / length2 : 0;
    for (int a = 0; a < 3; a++) {
        const double one[3] = {a == 0, a == 1, a == 2};
        assemble(dim, one, trial->axis, N[a]);
        factor[a] = 2 * G * keep * (1 - 2 * trial->e[a]);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = -bend * e[i] * e[j] - (i < 3 ? volume : 0);
            for (int a = 0; a < 3; a++)
                sum += factor[a] * N[a][i] * N[a][j];
            c[i][j] = sum;
        }
    }
    for (int a = 0; a < (dim == 2 ? 1 : 3); a++)
        add_shear(dim, material, trial, keep, a, c);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            c[j][i] = c[i][j];
}

// ---- step

void stick_plastic_rest(double *history)
{
    stick_six_identity(history);
    history[6] = 0;
}

// Cp^-1 = F~^-1 be F~^-T
STICK_KERNEL void keep_flow(int dim, const Trial *trial, double keep, StickMaterialPoint *point)
{
    double inverse[3][3], b[6], square[3];
    for (int k = 0; k < 3; k++)
        square[k] = exp(2 * keep * trial->e[k]);
    assemble(dim, square, trial->axis, b);
    stick_tensor_inverse(dim, point->F, point->J, inverse);
    stick_six_push(dim, (const double(*)[3])inverse, b, point->grown, point->next);
}

STICK_KERNEL bool step(int dim, const StickMaterial *material, StickMaterialPoint *point)
{
    double a = point->past[6], keep = 1, bend = 0, G = material->shear, tau[3];
    Trial trial = try_elastic(dim, material, point);
    StickYield past = stick_hardening_at(&material->hardening, a);
    if (!isfinite(trial.q))
        return false;
    memcpy(point->next, point->past, STICK_PLASTIC_HISTORY * sizeof(double));
    if (trial.q > past.stress) {
        double flow = find_flow(material, trial.q, a);
        if (!(flow >= 0))
            return false;
        StickYield yield = stick_hardening_at(&material->hardening, a + flow);
        keep = 1 - 3 * G * flow / trial.q;
        bend = 1 / (1 + yield.slope / (3 * G)) - (1 - keep);
        keep_flow(dim, &trial, keep, point);
        point->next[6] = a + flow;
        point->loss = fmax(yield.work - past.work, 0);
    }
    for (int k = 0; k < 3; k++) {
        tau[k] = 2 * G * keep * trial.e[k];
        point->energy += tau[k] * tau[k] / (4 * G);
    }
    assemble(dim, tau, trial.axis, point->tau);
    if (!point->no_tangent)
        set_tangent(dim, material, &trial, keep, bend, point->c);
    return true;
}

bool stick_plastic_step(const StickMaterial *material, StickMaterialPoint *point)
{
    return point->flat ? step(2, material, point) : step(3, material, point);
}
