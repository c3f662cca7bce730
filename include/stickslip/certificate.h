// SPDX-License-Identifier: Apache-2.0
// The independent verifier: residuals of a friction problem recomputed from the raw data, whoever solved it.
//
// Exact law: r in K, u + mu |u_T| n in its dual, orthogonal, K = {|r_T| <= mu r_N}.
// Faceted law in 3D with m facets: the section r_N = 1 of K is mu times the regular m-gon with vertices
// (cos 2 pi k/m, sin 2 pi k/m) on the circle, so d_k.r_T <= mu cos(pi/m) r_N, d_k at the angles
// (2 k + 1) pi/m; in place of |u_T| stands the support function of the m-gon at -u_T, which is the largest of
// -v_k.u_T over its vertices v_k.
// With a section D_1 of a contact (friction.h): K = {r_T in r_N D_1}, and sup {u_T.t, t in -D_1} in place of mu |u_T|;
// faceted, the m-gon is mapped as the disk is to the ellipse; polygons and intervals are not changed.
#ifndef STICKSLIP_CERTIFICATE_H
#define STICKSLIP_CERTIFICATE_H

#include <stickslip/friction.h>
#include <stickslip/lcp.h>
#include <stickslip/mlcp.h>

#include <stdbool.h>

typedef struct StickCertificate {
    // Natural map residual |r - P(r - u - mu |u_T| n)| over max(|u_free|, |r|, |u|), and the same in the
    // scale-free variables sqrt(w) r and u / sqrt(w), w = trace(W_cc) / dim. With facets > 0: of the
    // polyhedral cone.
    double error;
    double error_scale_free;
    // The same two of the exact cone; equal to the above when facets = 0.
    double exact_error;
    double exact_error_scale_free;
    // The same defect, including the round-off of r, in the scale-free variables over max(|u_free|, |u|) only. It
    // detects an r that diverges along the null space of W, which its own size would hide. A certified solution has
    // at most the square root of the tolerance here.
    double velocity_error;
    double cone;            // largest violation of r in the cone, relative to the largest |r|
    double penetration;     // largest -u_N, relative to the largest of |u_free|, |u|
    double complementarity; // sum |r_N u_N| over |r| |u|
    double dissipation;     // sum of r_T . u_T: not positive
    // The largest error of a contact in its own scale, and this contact (-1: all errors are zero): its natural map as a
    // velocity, w |r - P(r - (u + mu |u_T| n) / w)|, over max(|u|, V), where V is the largest |u_free| of its island,
    // the contacts that chains of blocks of W connect with it (at least 1e-6 of the largest of all). Velocities have
    // the same size for light and heavy bodies. Impulses do not: w |r| of a heavy load on a light body is far above V
    // and cancels out. It is no scale (except where V is zero).
    double contact_error;
    int worst_contact;
    // The largest error that rounding of r and u makes at a contact, 8 sqrt(n) eps sum_j |W_cj| |r_j| (n terms) in
    // the same scale: double precision cannot resolve more.
    double round_off;
    // The largest contact_error of a contact at which it is above the round-off: the part that a better r would reduce.
    double contact_excess;
    int facets; // of the cone that it is certified against; 0: the exact one
    double tolerance;
    // Certified: error, error_scale_free and contact_excess are within the tolerance, velocity_error and cone within
    // its square root, penetration within its fourth root. The last one is weaker because with a very large mu the
    // natural map of a contact that is pressed in at r = 0 is about 1 / mu.
    bool certified;
} StickCertificate;

// Checks r against the problem. Only r is trusted; u is computed here. facets: 0 for the exact cone, at least
// 3 for a polyhedral one in 3D (no matter in 1D and 2D). An r that is not finite gets infinite errors, and no
// certificate.
StickStatus stick_certify(StickContext *ctx, const StickFrictionProblem *problem, const double *r, int facets,
                          double tolerance, StickCertificate *certificate);

typedef struct StickLcpCertificate {
    double error; // |min(z, w)| over |q|
    // The same in the variables z_i sqrt(d_i) and w_i / sqrt(d_i), q alike, so that units do not matter: d_i is
    // M_ii, or where that is not positive, or lost in round-off, the mean size of the largest entries of row
    // and column i.
    double error_scale_free;
    double negative_z, negative_w; // largest -z and -w
    double complementarity;        // sum |z w| over |z| |w|
    double tolerance;
    bool certified; // error and error_scale_free within tolerance
} StickLcpCertificate;

// Checks z against w = M z + q. Only z is trusted; w is computed here. A z that is not finite gets infinite
// errors, and no certificate.
StickStatus stick_certify_lcp(StickContext *ctx, const StickLcp *lcp, const double *z, double tolerance,
                              StickLcpCertificate *certificate);

typedef struct StickMlcpCertificate {
    // Largest |lambda - B p|, each relative to the larger of |lambda_k| and the sum of |B_kj p_j|.
    double balance;
    double negative_p;      // largest -p, relative to the largest p
    double negative_d;      // largest -d, relative to the largest of |eps| and |A p|
    double complementarity; // largest of min(p, d), both relative like that
    double error;           // the largest of these
    double tolerance;
    bool certified; // error within tolerance
} StickMlcpCertificate;

// Checks forces p and motions theta of pairs of bodies. Only these are trusted; d is computed here. Numbers
// that are not finite get infinite errors, and no certificate.
StickStatus stick_certify_mates(StickContext *ctx, const StickMixedLcp *mates, const double *p,
                                const double *theta, double tolerance, StickMlcpCertificate *certificate);

#endif
