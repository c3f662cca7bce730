// SPDX-License-Identifier: Apache-2.0
// Newton's method for bodies under finite deformation in contact, after Josephy: forces and gaps are linearised where the
// last iteration has led, contact and friction are solved as they are [RBV02 (71)-(73), (79)-(81)].
//
//     x = v (dynamics) or dq (quasistatics),   q = q(x),   A_k = M + h kappa C + h^2 theta kappa K_T   (or K_T)
//
//     x_free = x_k + A_k^-1 f(x_k),   x_{k+1} = x_free + A_k^-1 H r,   r by the contact problem with W = H' A_k^-1 H
//
// where f is what is out of balance without contact: of dynamics
//
//     f = h (theta (F - F_int)^{i+1} + (1 - theta) (F - F_int)^i) - C (q^{i+1} - q^i) - M (v^{i+1} - v^i)
//
// and of quasistatics f = F^{i+1} - F_int(q). Prescribed motions are carried by A_k like all others: nodes of supports
// are not moved ahead of their neighbours. Linear bodies take part with their K. An iteration that inverts an element, or
// that leads farther from balance than before, goes a part of its way only.
//
// Bodies with mean dilatation may ask for smaller changes of volume than their bulk modulus leaves: then pressures become
// multipliers and the iteration goes on, until the changes are small enough (Lagrangian augmentations).
#ifndef STEPPING_NEWTON_CONTACT_H
#define STEPPING_NEWTON_CONTACT_H

#include "stepping/contact_regularization.h"
#include "stepping/simulation.h"

// Iterations, and those of relaxed ones.
enum { STICK_MOST_NEWTON = 30, STICK_MOST_RELAXED = 50 };

// One iteration, for whoever asks why it failed.
typedef struct StickNewtonRow {
    double residual; // f + H r after it, relative to the largest force
    double gap;      // error of the gaps there, relative to the displacements
    double change;   // of H r, relative to the largest force
    double part;     // of its way that was gone
    int contacts, active;
} StickNewtonRow;

struct StickNewtonContact {
    double **tangent; // nbodies: K_T of finite bodies, NULL of others
    double *past;     // nhistory: at the start of the step, with the multipliers of now
    double *x;        // ndofs: the iterate
    double *target;   // ndofs: x of supports
    double *p;        // ndofs: H r of the iterate
    double *way;      // ndofs: to the next one
    double residual;  // of the iterate, absolute ...
    double scale;     // ... and the largest force that is in it
    double best;      // least residual of the iterates that might do, of the largest force; INFINITY: none
    double stiffest;  // of the finite bodies at rest: diagonal of K
    double faint;     // forces that say nothing: bodies are at rest again
    double gap;       // set by those who look at gaps; relative
    int before;       // iterations of this step until the problem changed (an augmentation, other biases) ...
    int count;        // ... and since
    bool relaxed;     // increments: frames and gaps are those of a place on the way
    StickNewtonRow row[STICK_MOST_RELAXED];
    int augmentations; // in this step
    double volume;     // largest |theta - 1| at the iterate
    int bad_body, bad_element;
    StickContactRegularization regularization;
    bool shored;  // A has springs
    bool halfway; // x_free is known at contacts alone
};

// NULL where no body is under finite deformation. Refused by name: what these bodies do not do.
StickStatus stick_newton_contact_create(StickSimulation *run, StickNewtonContact **josephy);
void stick_newton_contact_destroy(StickContext *ctx, const StickSystem *system, StickNewtonContact *josephy);

// Internal forces and energy of a motion that was set from outside, as its history tells.
StickStatus stick_newton_contact_refresh(StickSimulation *run, StickMotion *motion);

// The first iterate: x, or zero (NULL). target of supports is set by the caller; next.t and next.F are there.
StickStatus stick_newton_contact_start(StickSimulation *run, const double *x);

// Counts iterations anew: the problem has changed, and the iterate is where it starts.
void stick_newton_contact_again(StickSimulation *run);

// How much of x_free is asked for: all of it, or what contacts see of it. Then it is not there elsewhere before
// stick_newton_contact_correct, which must follow, and which solves for both together.
typedef enum StickFreePart { STICK_FREE_ALL, STICK_FREE_AT_CONTACTS } StickFreePart;

// Factors of A at the iterate, and x_free into free.
StickStatus stick_newton_contact_linearise(StickSimulation *run, StickFreePart part, double *free);

// The same, where contacts of the set that r (by slots of the memory) presses hold the bodies up (stepping/contact_regularization.h).
StickStatus stick_newton_contact_linearise_shored(StickSimulation *run, const StickContactSet *set,
                                                  const double *r, StickFreePart part, double *free);

// x = x_free + A^-1 p, where x_free stands in x. p is overwritten.
StickStatus stick_newton_contact_correct(StickSimulation *run, double *p, double *x);

// The next iterate is state.next.v, with the contact forces p_N + p_T; or a part of the way to it, and then state.next.v is
// there. next.q and its forces belong to it.
StickStatus stick_newton_contact_advance(StickSimulation *run);

// Whether forces are in balance and volumes small enough, and (the caller tells) gaps are met; one iteration more than
// there may be is refused. An iterate is not taken where an earlier one was nearer to balance by more than round-off.
StickStatus stick_newton_contact_judge(StickSimulation *run, bool gaps_met, bool *done);

// Into next.loss what materials have dissipated in the step to next, before it goes to the books: iterations do not ask.
StickStatus stick_newton_contact_lose(StickSimulation *run);

// The step is taken: its counts go to the record.
void stick_newton_contact_keep(StickSimulation *run);

// A note with the iterations of the step that failed.
void stick_newton_contact_tell(StickSimulation *run);

#endif
