// SPDX-License-Identifier: Apache-2.0
// Selects forces where a known motion does not determine them: those of equal small compliance at all contacts.
//
// Many r have the momenta p = H r of one solution, or momenta that differ by forces of rigid joints, G' lambda. Of
// all that obey the laws for its motion the one of least Euclidean norm is returned:
//
//     min 1/2 |r|^2,   H r - p = G' lambda,   r in K
//
// where K is the cone of friction at a contact that sticks, a known direction in it at one that slides, and 0 at
// one that opens. 1/2 |r|^2 is the energy of equal springs at all contacts; K is convex, so that there is one
// answer whatever the way to the solution. With displacements y of the bodies, G y = 0, it is r = P(-H' y), P the
// projection on K, where y is the minimum of the convex function
//
//     1/2 |P(-H' y)|^2 + p.y
//
// Newton's method needs the factors of H D H', D = dP/dz, as body_newton.c does.
#ifndef SOLVE_FORCE_SELECTION_H
#define SOLVE_FORCE_SELECTION_H

#include "solve/residual.h"

typedef struct StickForceSelection StickForceSelection;

StickStatus stick_force_selection_create(StickContext *ctx, StickForceSelection **selection);
void stick_force_selection_destroy(StickForceSelection *selection);

// Room for a problem that has bodies, so that a solve allocates nothing.
StickStatus stick_force_selection_reserve(StickForceSelection *selection, const StickFrictionProblem *problem,
                                          bool may_use_threads);

// Operations of one factorisation of the problem that was reserved for; not finite where factors would be too
// large.
double stick_force_selection_flops(const StickForceSelection *selection);

// How a selection ended.
typedef struct StickSelectionEnd {
    bool found;
    int steps;              // factorisations
    StickResidual residual; // of r, if it was found
} StickSelectionEnd;

// r, with u = W r + u_free, solves the problem that was reserved for. Both are replaced by the selected forces, or
// unchanged where these are not found or do not solve the problem as well. guess: forces that may be near, which
// save time only; may be r.
StickSelectionEnd stick_force_selection_solve(StickForceSelection *selection,
                                              const StickFrictionProblem *problem,
                                              const StickSolverOptions *options, const double *guess,
                                              double *r, double *u);

#endif
