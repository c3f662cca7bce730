// SPDX-License-Identifier: Apache-2.0
// Interior points for the forces of least norm (force_selection.h):
//
//     min 1/2 |r|^2,   H r = p,   r = E x,   x in the cone |x_T| <= x_0
//
// with E = diag(1, mu, mu) at a contact that sticks and E = (1, a)', x one number, where the force has a known
// direction. With displacements y of the bodies and s in the cone
//
//     E'E x - E'H'y - s = 0,   x o s = 0
//
// A step takes the factors of H D H', D = E (E'E + V^2)^-1 E', V the scaling of Nesterov and Todd. The
// number of steps hardly depends on how thin the set of forces is, where Newton's method of force_selection.c
// alternates.
#ifndef SOLVE_FORCE_INTERIOR_H
#define SOLVE_FORCE_INTERIOR_H

#include "solve/body_system.h"

// Admissible force of a contact of a known motion: none, any force of its cone, or one of a known direction.
typedef enum StickForceKind { STICK_FORCE_OPEN, STICK_FORCE_CLOSED, STICK_FORCE_SLIDES } StickForceKind;

typedef struct StickForceInterior StickForceInterior;

StickStatus stick_force_interior_create(StickContext *ctx, StickForceInterior **interior);
void stick_force_interior_destroy(StickForceInterior *interior);

// Room for the problem that the system has loaded.
StickStatus stick_force_interior_reserve(StickForceInterior *interior, const StickBodySystem *system);

// The problem by its contacts; nothing is written through these pointers but D, the blocks of the factors.
typedef struct StickForceTask {
    StickBodySystem *system;
    const StickFrictionProblem *problem;
    const unsigned char *kind; // ncontacts: StickForceKind
    const double *direction;   // dim * ncontacts: r / r_N where kind is STICK_FORCE_SLIDES
    const double *p;           // ndofs * nbodies
    double ballast;            // masses that keep H D H' regular, in units of the largest mass `mass`
    double mass;
    double *D; // dim * dim * ncontacts
} StickForceTask;

// r: any forces with the momenta p, then those of least norm, within their cones. True: x.s is so small that they are,
// steps being the number of factorisations; false, too, where cones other than circular ones forbid the method.
bool stick_force_interior_solve(StickForceInterior *interior, const StickForceTask *task, double *r,
                                int *steps);

#endif
