// SPDX-License-Identifier: Apache-2.0
// Friction problems of bodies in the plane on frames whose motions theta are free: find r and theta with
//
//     u = W r + C theta + w,   C'r = lambda,   r and u by Coulomb's law.
//
// Frames have no stiffness of their own, so that theta cannot be eliminated: contacts alone hold it. Springs of
// compliance a, at rest at theta_k, make it follow from r,
//
//     theta = theta_k + a (C'r - lambda),   u = (W + C a C') r + w + C (theta_k - a lambda),
//
// which is a friction problem for any solver; theta_{k+1} = theta is the method of multipliers, whose limit does not
// depend on a. The statuses of its solution give r and theta by one linear system [W C; C' 0]; usually this is the
// final solution.
#ifndef SOLVE_FLOATING_FRAME_FRICTION_H
#define SOLVE_FLOATING_FRAME_FRICTION_H

#include <stickslip/friction.h>

typedef struct StickFloatingFrame {
    StickFrictionProblem contact; // dim 2, W by blocks; u_free = w, that of theta = 0
    int l;                        // free motions
    const double *C;              // 2 ncontacts x l by columns
    const double *lambda;         // l
} StickFloatingFrame;

typedef struct StickFloatingFrameSolver StickFloatingFrameSolver; // a solver and workspace, grown on demand

StickStatus stick_floating_frame_friction_create(StickContext *ctx, const char *name,
                                                 const StickSolverOptions *options,
                                                 StickFloatingFrameSolver **solver);
void stick_floating_frame_friction_destroy(StickFloatingFrameSolver *solver);

typedef struct StickFloatingFrameSolution {
    double *r;      // 2 ncontacts: in as a guess, out as the solution
    double *theta;  // l: likewise
    double *u;      // 2 ncontacts
    double *motion; // l: of an unstable system, the motion that nothing holds; its largest entry is 1 or -1
} StickFloatingFrameSolution;

// The end is UNSTABLE where no forces of contact within friction hold theta against lambda. Unless it converged r and
// theta are of no use.
StickStatus stick_floating_frame_friction_solve(StickFloatingFrameSolver *solver,
                                                const StickFloatingFrame *problem,
                                                const StickFloatingFrameSolution *solution,
                                                StickSolveInfo *info);

// Largest |C'r - lambda|, each relative to the larger of |lambda_j| and the sum of |C_ij r_i|.
double stick_floating_frame_friction_imbalance(const StickFloatingFrame *problem, const double *r);

#endif
