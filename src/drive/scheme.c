// SPDX-License-Identifier: Apache-2.0
#include "drive/scheme.h"

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
