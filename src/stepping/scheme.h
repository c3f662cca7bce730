// SPDX-License-Identifier: Apache-2.0
// Time discretisation of M dv + C v dt + K q dt = F dt + dp as a measure equation [VPJR98 section 3].
//
// One family holds the paper's three schemes and Newmark's. With kappa the weight of v^{i+1} in the update of
// q and theta its weight in the balance of momentum:
//
//     q^{i+1} = q^i + h (kappa v^{i+1} + (1 - kappa) v^i)
//     M (v^{i+1} - v^i) = h (theta f^{i+1} + (1 - theta) f^i) - C (q^{i+1} - q^i) + p,    f = F - K q,   p = H r
//
//     theta-method           kappa = theta    [6], contact on the gap at t^{i+1}           [8]
//     theta-Euler            kappa = 1        [7], contact on the gap at t^{i+1}           [9]
//     modified theta         kappa = theta    [6], contact on the gap at t^{i+1} + (1 - theta) h  [10]
//     Newmark(beta, gamma)   theta = gamma, kappa = beta / gamma, with the acceleration a^i carried along; the
//                            contact force belongs to t^{i+1}, the gap at t^{i+1} is constrained
//
// All of them share A = M + h kappa C + h^2 theta kappa K (Newmark: h theta C). The damping of theta-Euler thus acts at
// the end of the step, as its displacement does: with weight theta it would give energy to fast modes. Solved for is the change dv of the velocity: its
// right-hand side is without the large terms that cancel, and a body in free flight keeps its velocity.
#ifndef STEPPING_SCHEME_H
#define STEPPING_SCHEME_H

#include "model/model.h"

#include <complex.h>

typedef struct StickScheme {
    StickSchemeKind kind;
    double theta;
    double kappa;
    double
        ahead; // contact is judged this part of a step after its end: 1 - theta of the modified scheme, or 0
} StickScheme;

StickScheme stick_scheme(const StickStepSpec *spec);

const char *stick_scheme_name(StickSchemeKind kind);

// State at the start of a step, as the schemes need it.
typedef struct StickSchemeStart {
    int n;
    double h;
    const double *q, *v, *a; // a: Newmark only
    const double *Mv, *Cv;
    const double *Kw; // K w, see stick_scheme_predictor
    const double *Ma; // Newmark only
    const double *F0, *F1;
} StickSchemeStart;

// The displacement whose elastic force enters the right-hand side: w, and Kw = K w.
void stick_scheme_predictor(const StickScheme *scheme, const StickSchemeStart *start, double *w);

// F~ - A v^i, the right-hand side of A (v^{i+1} - v^i) = F~ - A v^i + p  [6], [7]; rhs may be Kw.
void stick_scheme_right_side(const StickScheme *scheme, const StickSchemeStart *start, double *rhs);

// q^{i+1} and (Newmark) a^{i+1} from v^{i+1}.
void stick_scheme_advance(const StickScheme *scheme, const StickSchemeStart *start, const double *v1,
                          double *q1, double *a1);

// The gap that a scheme constrains: at q^i, or (modified theta) of the body carried on by ahead h at the normal relative
// velocity u0 = H'v^i; the obstacle already stands where it will be then  [10].
double stick_scheme_gap(const StickScheme *scheme, double h, double gap, double u0);

// What is added to the normal relative velocity so that Signorini's condition reads u_N + bias >= 0  [8], [9], [10]:
// gap is that of the scheme, u0 = H'v^i, a0 = H'a^i (Newmark), drive the part of the obstacle.
double stick_scheme_bias(const StickScheme *scheme, double h, double gap, double u0, double a0, double drive);

// The least bias with which a contact that closes takes energy or keeps it: its normal impulse works on
// kappa u^{i+1} + (1 - kappa) u^i, where u^{i+1} = -bias, and u0 = u^i.
double stick_scheme_passive_bias(const StickScheme *scheme, double u0);

// What the scheme makes of exp(lambda h), a mode of M, C, K: exact where kappa = theta, (1 + (1 - theta) h lambda) /
// (1 - theta h lambda), and for other schemes where there is no damping.
double complex stick_scheme_factor(const StickScheme *scheme, double h, double complex lambda);

// What it takes from the growth of a mode that oscillates with w, to first order in h: (theta + kappa - 1)/2 h w^2, which
// is (theta - 1/2) h w^2 where kappa = theta; Newmark: (gamma - 1/2)/2 h w^2.
double stick_scheme_damping(const StickScheme *scheme, double h, double w);

// Contact force per unit of the solver's r.
double stick_scheme_force(const StickScheme *scheme, double h);

#endif
