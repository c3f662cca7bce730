// SPDX-License-Identifier: Apache-2.0
// A global problem M v = H r + f, u = H' v + w seen by the solvers without forming W = H' M^-1 H: M is factored
// once, and every product is two sparse products and one solve.
#ifndef PROBLEMS_GLOBAL_OPERATOR_H
#define PROBLEMS_GLOBAL_OPERATOR_H

#include "problems/problem_file.h"

typedef struct StickGlobalOperator StickGlobalOperator;

// The data must outlive it. A singular M is STICK_NOT_SOLVED.
StickStatus stick_global_operator_create(StickContext *ctx, const StickGlobalData *global,
                                         StickGlobalOperator **made);
void stick_global_operator_destroy(StickGlobalOperator *made);

// The problem by its action, u_free = H' M^-1 f + w; valid as long as the operator is. Products use room of the
// operator: one at a time.
StickFrictionProblem stick_global_operator_problem(const StickGlobalOperator *made);

#endif
