// SPDX-License-Identifier: Apache-2.0
// From a global problem to a local one: W = H' M^-1 H, u_free = H' M^-1 f + w.
//
// With bilateral rows the unknowns are (v, -l) and [M G; G' 0] takes the place of M, (f, -b) that of f.
#ifndef PROBLEMS_CONDENSE_GLOBAL_H
#define PROBLEMS_CONDENSE_GLOBAL_H

#include "problems/problem_file.h"

// By Cholesky factors if M is symmetric positive definite, by LU factors otherwise; a singular matrix is
// STICK_NOT_SOLVED. The local problem is destroyed by stick_friction_data_destroy.
StickStatus stick_condense_global(StickContext *ctx, const StickGlobalData *global, StickFrictionData *local);

// computes v and l (p values; may be NULL if p = 0) from r
StickStatus stick_global_velocity(StickContext *ctx, const StickGlobalData *global, const double *r,
                                  double *v, double *l);

// |M v - H r - G l - f| over the largest of its terms, and |G' v + b| over its: the larger of the two.
StickStatus stick_global_equilibrium(StickContext *ctx, const StickGlobalData *global, const double *r,
                                     const double *v, const double *l, double *error);

#endif
