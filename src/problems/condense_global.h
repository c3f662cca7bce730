// SPDX-License-Identifier: Apache-2.0
// From a global problem to a local one: W = H' M^-1 H, u_free = H' M^-1 f + w.
#ifndef PROBLEMS_CONDENSE_GLOBAL_H
#define PROBLEMS_CONDENSE_GLOBAL_H

#include "problems/problem_file.h"

// By Cholesky factors if M is symmetric positive definite, by LU factors otherwise; a singular M is
// STICK_NOT_SOLVED. The local problem is destroyed by stick_friction_data_destroy.
StickStatus stick_condense_global(StickContext *ctx, const StickGlobalData *global, StickFrictionData *local);

#endif
