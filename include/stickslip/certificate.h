// SPDX-License-Identifier: Apache-2.0
// The independent verifier: residuals of a friction problem recomputed from the raw data, whoever solved it.
#ifndef STICKSLIP_CERTIFICATE_H
#define STICKSLIP_CERTIFICATE_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickCertificate {
    // Natural map residual |r - P(r - u - mu |u_T| n)| over max(|u_free|, |r|, |u|), and the same in the scale-free
    // variables sqrt(w) r and u / sqrt(w), w = trace(W_cc) / dim. With facets > 0: of the polyhedral cone.
    double error;
    double error_scale_free;
    // The same two of the exact cone; equal to the above when facets = 0.
    double exact_error;
    double exact_error_scale_free;
    double cone;            // largest violation of r in the cone, relative to the largest |r|
    double penetration;     // largest -u_N, relative to the largest of |u_free|, |u|
    double complementarity; // sum |r_N u_N| over |r| |u|
    double dissipation;     // sum of r_T . u_T: not positive
    int facets;             // of the cone that it is certified against; 0: the exact one
    double tolerance;
    bool certified; // error and error_scale_free within tolerance
} StickCertificate;

// Checks r against the problem. Only r is trusted; u is computed here.
StickStatus stick_certify(StickContext *ctx, const StickFrictionProblem *problem, const double *r, int facets,
                          double tolerance, StickCertificate *certificate);

#endif
