// SPDX-License-Identifier: Apache-2.0
#include "stepping/scheme.h"

StickScheme stick_scheme(const StickStepSpec *spec)
{
    StickScheme scheme = {.kind = spec->scheme, .theta = spec->theta, .kappa = spec->theta};
    switch (spec->scheme) {
    case STICK_SCHEME_THETA:
        break;
    case STICK_SCHEME_THETA_EULER:
        scheme.kappa = 1;
        break;
    case STICK_SCHEME_MODIFIED_THETA:
        scheme.ahead = 1 - spec->theta;
        break;
    case STICK_SCHEME_NEWMARK:
        scheme.theta = spec->gamma;
        scheme.kappa = spec->beta / spec->gamma;
        break;
    case STICK_SCHEME_MOREAU:
        break;
    }
    return scheme;
}

const char *stick_scheme_name(StickSchemeKind kind)
{
    switch (kind) {
    case STICK_SCHEME_THETA:
        return "theta";
    case STICK_SCHEME_THETA_EULER:
        return "theta-euler";
    case STICK_SCHEME_MODIFIED_THETA:
        return "modified-theta";
    case STICK_SCHEME_NEWMARK:
        return "newmark";
    case STICK_SCHEME_MOREAU:
        return "moreau";
    }
    return "unknown";
}

// theta family: w = q + h theta v, where theta q^{i+1} + (1 - theta) q^i would be if the velocity stayed as
// it is. Newmark: w = q + h v + h^2 (1/2 - kappa) a, where q^{i+1} would be.
void stick_scheme_predictor(const StickScheme *scheme, const StickSchemeStart *start, double *w)
{
    double h = start->h, kappa = scheme->kappa;
    if (scheme->kind == STICK_SCHEME_NEWMARK) {
        for (int i = 0; i < start->n; i++)
            w[i] = start->q[i] + h * start->v[i] + h * h * (0.5 - kappa) * start->a[i];
    } else {
        for (int i = 0; i < start->n; i++)
            w[i] = start->q[i] + h * scheme->theta * start->v[i];
    }
}

// theta family: h (theta F1 + (1 - theta) F0 - C v - K w)
// Newmark:      h (1 - gamma) M a + h gamma (F1 - C v - K w)
void stick_scheme_right_side(const StickScheme *scheme, const StickSchemeStart *start, double *rhs)
{
    double h = start->h, theta = scheme->theta;
    if (scheme->kind == STICK_SCHEME_NEWMARK) {
        for (int i = 0; i < start->n; i++)
            rhs[i] =
                h * (1 - theta) * start->Ma[i] + h * theta * (start->F1[i] - start->Cv[i] - start->Kw[i]);
    } else {
        for (int i = 0; i < start->n; i++)
            rhs[i] = h * (theta * start->F1[i] + (1 - theta) * start->F0[i] - start->Cv[i] - start->Kw[i]);
    }
}

void stick_scheme_advance(const StickScheme *scheme, const StickSchemeStart *start, const double *v1,
                          double *q1, double *a1)
{
    double h = start->h, kappa = scheme->kappa, gamma = scheme->theta;
    for (int i = 0; i < start->n; i++)
        q1[i] = start->q[i] + h * (kappa * v1[i] + (1 - kappa) * start->v[i]);
    if (scheme->kind != STICK_SCHEME_NEWMARK)
        return;
    for (int i = 0; i < start->n; i++) {
        q1[i] += h * h * (0.5 - kappa) * start->a[i];
        a1[i] = (v1[i] - start->v[i] - h * (1 - gamma) * start->a[i]) / (h * gamma);
    }
}

double stick_scheme_gap(const StickScheme *scheme, double h, double gap, double u0)
{
    return scheme->kind == STICK_SCHEME_MODIFIED_THETA ? gap + h * scheme->ahead * u0 : gap;
}

double stick_scheme_bias(const StickScheme *scheme, double h, double gap, double u0, double a0, double drive)
{
    double kappa = scheme->kappa;
    switch (scheme->kind) {
    case STICK_SCHEME_MODIFIED_THETA:
        return gap / h; // [10]
    case STICK_SCHEME_NEWMARK:
        return (gap + h * (1 - kappa) * (u0 + drive) + h * h * (0.5 - kappa) * a0) / (h * kappa);
    case STICK_SCHEME_THETA:
    case STICK_SCHEME_THETA_EULER:
    case STICK_SCHEME_MOREAU:
        break;
    }
    return (gap + h * (1 - kappa) * (u0 + drive)) / (h * kappa); // [8], [9]
}

double stick_scheme_passive_bias(const StickScheme *scheme, double u0)
{
    return (1 - scheme->kappa) / scheme->kappa * u0;
}

double stick_scheme_force(const StickScheme *scheme, double h)
{
    return scheme->kind == STICK_SCHEME_NEWMARK ? 1 / (h * scheme->theta) : 1 / h;
}

// ---- modes

typedef struct Complex2 {
    double complex a, b, c, d; // [[a, b], [c, d]]
} Complex2;

// The eigenvalue that is nearer to what it should be.
static double complex eigenvalue(const Complex2 *m, double complex exact)
{
    double complex half = (m->a + m->d) / 2, root = csqrt((m->a - m->d) * (m->a - m->d) / 4 + m->b * m->c);
    return cabs(half + root - exact) <= cabs(half - root - exact) ? half + root : half - root;
}

// Of (q, h v) without damping, M^-1 K = -lambda^2, x = (h lambda)^2:
//     q1 = q + kappa hv1 + (1 - kappa) hv,      hv1 = hv + x (theta q1 + (1 - theta) q)
static Complex2 step_of_family(const StickScheme *scheme, double complex x)
{
    double theta = scheme->theta, kappa = scheme->kappa;
    double complex left = 1 - theta * kappa * x;
    Complex2 m = {(1 + kappa * (1 - theta) * x) / left, 1 / left, 0, 0};
    m.c = x * (theta * m.a + 1 - theta);
    m.d = 1 + x * theta * m.b;
    return m;
}

// Newmark: q1 = q + hv + x ((1/2 - beta) q + beta q1),      hv1 = hv + x ((1 - gamma) q + gamma q1)
static Complex2 step_of_newmark(const StickScheme *scheme, double complex x)
{
    double gamma = scheme->theta, beta = scheme->kappa * scheme->theta;
    Complex2 m = {(1 + (0.5 - beta) * x) / (1 - beta * x), 1 / (1 - beta * x), 0, 0};
    m.c = x * (gamma * m.a + 1 - gamma);
    m.d = 1 + x * gamma * m.b;
    return m;
}

double complex stick_scheme_factor(const StickScheme *scheme, double h, double complex lambda)
{
    double complex x = h * lambda;
    bool newmark = scheme->kind == STICK_SCHEME_NEWMARK;
    if (!newmark && scheme->kappa == scheme->theta)
        return (1 + (1 - scheme->theta) * x) / (1 - scheme->theta * x);
    Complex2 m = newmark ? step_of_newmark(scheme, x * x) : step_of_family(scheme, x * x);
    return eigenvalue(&m, cexp(x));
}

double stick_scheme_damping(const StickScheme *scheme, double h, double w)
{
    double part =
        scheme->kind == STICK_SCHEME_NEWMARK ? scheme->theta - 0.5 : scheme->theta + scheme->kappa - 1;
    return part / 2 * h * w * w;
}
