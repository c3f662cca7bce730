// SPDX-License-Identifier: Apache-2.0
// Proximal active-set Newton for Coulomb's law, as a method of its own and as a part of others: run from a point
// for some steps, see how far it came, go on or leave.
#ifndef SOLVE_NEWTON_H
#define SOLVE_NEWTON_H

#include "solve/residual.h"

// Whose equation of the contact law is linearised: the disk that r_T - rho u_T is projected on has the radius
// mu (r_N - rho u_N) [AC91] or mu r_N [JM91].
typedef enum StickNewtonMap { STICK_NEWTON_ALART_CURNIER, STICK_NEWTON_JEAN_MOREAU } StickNewtonMap;

typedef struct StickNewton StickNewton;

// Result of a run.
typedef struct StickNewtonRun {
    bool converged;
    bool stalled;           // no progress: do not continue
    int steps;              // factorisations
    double flops;           // of all of them
    StickResidual residual; // of the best point
} StickNewtonRun;

// options must outlive it.
StickStatus stick_newton_create(StickContext *ctx, const StickSolverOptions *options, StickNewtonMap map,
                                StickNewton **newton);
void stick_newton_destroy(StickNewton *newton);

// If factors would take more numbers than this, no room is made for them, and their flops are infinite: then the
// method must not be started. 0: no limit.
void stick_newton_limit(StickNewton *newton, double most_numbers);

// Room for problems of this size and pattern; cheap where there is room.
StickStatus stick_newton_reserve(StickNewton *newton, const StickFrictionProblem *problem);

// Of one factorisation with all contacts active: the price of a step, from the pattern alone.
double stick_newton_flops(const StickNewton *newton);

// Starts at r. Then call it repeatedly: each call makes at most most_steps steps from the last end point. r is the
// best point so far (at first the start) on input and the best one since on output, with u = W r + u_free.
void stick_newton_start(StickNewton *newton, const StickFrictionProblem *problem, const double *r);
StickNewtonRun stick_newton_continue(StickNewton *newton, const StickFrictionProblem *problem, int most_steps,
                                     double *r, double *u);

// The proximal problem with this alpha (in units of w) around r, step by step: a step writes its result to r and u =
// W r + u_free, better or worse; false if its equations could not be solved. Operations are added to flops.
// With directions, in space: friction of a sliding contact opposes its last velocity, a fixed point. If a contact
// hardly slides, Newton's equations have a triple root: an angle a between r_T and -u_T reduces friction by a^2 / 2,
// which alone makes the contact slide, and the error is a |u_T|.
typedef struct StickNewtonProximal {
    double alpha;
    bool has_directions;
} StickNewtonProximal;
void stick_newton_proximal_begin(StickNewton *newton, const StickFrictionProblem *problem,
                                 const StickNewtonProximal *around, const double *r);
bool stick_newton_proximal_step(StickNewton *newton, const StickFrictionProblem *problem, double *r,
                                double *u, double *flops);

// After a step: whether another one solves the same linear equations again.
bool stick_newton_proximal_is_settled(const StickNewton *newton, const StickFrictionProblem *problem);

// Equal compliance at every contact: the contact law holds between r and W r + u_free + value (r - centre).
typedef struct StickNewtonCompliance {
    double value;
    const double *centre; // NULL: 0
} StickNewtonCompliance;

// Solves the problem with this compliance, to rounding, from r. If it did not converge, r is unchanged. The residual of
// the run is not set.
StickNewtonRun stick_newton_compliant(StickNewton *newton, const StickFrictionProblem *problem,
                                      const StickNewtonCompliance *compliance, int most_steps, double *r);

#endif
