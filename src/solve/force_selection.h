// SPDX-License-Identifier: Apache-2.0
// Forces of equal small compliance for a motion that is known, for large structures of rigid bodies.
//
// Many r have the momenta p = H r of one solution. The limit of small compliance (compliant.h) is the one of equal springs at all
// contacts: with displacements y of the bodies,
//
//     H R(z) = p,    z = -H' y,
//
// where R is the contact law at a contact that stays closed: z_N >= 0 with z_T returned to the cone where it sticks, friction against the
// known direction where it slides, and 0 where it opens. Newton's method in y needs the factors of H D H', D = dR/dz, as
// body_newton.c does: a few of them give an answer that does not depend on the way to the solution.
#ifndef SOLVE_FORCE_SELECTION_H
#define SOLVE_FORCE_SELECTION_H

#include <stickslip/friction.h>

typedef struct StickForceSelection StickForceSelection;

StickStatus stick_force_selection_create(StickContext *ctx, StickForceSelection **selection);
void stick_force_selection_destroy(StickForceSelection *selection);

// r, with u = W r + u_free, solves the problem, which has bodies and no joints. Both are replaced by the forces of equal
// compliance where these are found and solve it, too. steps: factorisations.
StickStatus stick_force_selection_solve(StickForceSelection *selection, const StickFrictionProblem *problem,
                                        const StickSolverOptions *options, double *r, double *u, int *steps);

#endif
