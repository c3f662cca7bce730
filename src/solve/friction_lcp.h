// SPDX-License-Identifier: Apache-2.0
// A friction problem as a linear complementarity problem w = M z + q [VPJR98 §5.1, with our signs].
//
// Every form is linear contact by contact: r = R z and w = L u + N z, so that M = L W R + N and q = L u_free.
// In 3D the cone is a polyhedral one: its section r_N = 1 is mu times the m-gon inscribed in the circle with
// vertices at the angles 2 pi k / m, so that r is always in Coulomb's own cone; the facet normals d_k are at
// the angles (2 k + 1) pi / m. With other sections than the disk, of any contact, only the vertex form is built: with
// the vertices of polygons themselves, and those of the m-gon in the disk that an ellipse is the image of.
#ifndef SOLVE_FRICTION_LCP_H
#define SOLVE_FRICTION_LCP_H

#include <stickslip/friction.h>
#include <stickslip/lcp.h>

typedef enum StickLcpForm {
    // z = (r_N, Phi_1.., lambda_j), w = (u_N, lambda_1.., Phi_j): Phi_j = mu cos(pi/m) r_N - d_j.r_T,
    // u_T = -sum lambda_j d_j; the first dim - 1 facets are orthogonal and give r_T.
    // n = 3 nc in 2D, (m + 1) nc in 3D.
    STICK_LCP_FACETS,
    // z = (r_N, beta_k, gamma), w = (u_N, gamma + v_k.u_T, mu r_N - sum beta): r_T = sum beta_k v_k with
    // the vertices v_k; copositive whenever W is [ST96]. n = (m + 2) nc, m = 2 in 2D.
    STICK_LCP_VERTICES,
} StickLcpForm;

typedef struct StickFrictionLcp StickFrictionLcp;

// facets: of the cone in 3D, a multiple of 4
StickStatus stick_friction_lcp_create(StickContext *ctx, int facets, StickFrictionLcp **lcp);
void stick_friction_lcp_destroy(StickFrictionLcp *lcp);

// Order of the largest LCP of such a problem in any form, or -1 if it is too large to be sensible.
int stick_friction_lcp_order(const StickFrictionLcp *lcp, const StickFrictionProblem *problem);

// Most unknowns that can be basic at a time, one more for z0: r has dim components per contact, and what N adds to
// them has as many at most.
int stick_friction_lcp_most_basic(int dim, int ncontacts);

// Entries of the largest M in any form.
size_t stick_friction_lcp_entries(const StickFrictionLcp *lcp, const StickFrictionProblem *problem);

// Makes room, so that the functions below allocate nothing. Only the size, the pattern of W and
// the sections are looked at.
StickStatus stick_friction_lcp_reserve(StickFrictionLcp *lcp, const StickFrictionProblem *problem);

// Fills M and q in dimensionless variables: sqrt(w) r and u / sqrt(w), w = trace(W_cc) / dim to a power of
// two. A contact with mu = 0 keeps only its r_N. *built stays valid until the next call.
StickStatus stick_friction_lcp_build(StickFrictionLcp *lcp, const StickFrictionProblem *problem,
                                     StickLcpForm form, StickSparseLcp *built);

// Marks by z > 0 the unknowns that are basic in the state of r, open, stuck or sliding: all that a start needs.
// Nothing is marked in the vertex form.
void stick_friction_lcp_guess(StickFrictionLcp *lcp, const double *r, double *z);

// r of the problem that was built last, from its z.
void stick_friction_lcp_recover(StickFrictionLcp *lcp, const double *z, double *r);

#endif
