// SPDX-License-Identifier: Apache-2.0
// Momentum and energy ledger: every term is computed by itself, so that the sum is a check, not a definition.
//
// With v* = (q^{i+1} - q^i) / h, f_th = theta f^{i+1} + (1 - theta) f^i, p = H r and rho the impulse of the
// supports, the schemes of the theta family give exactly
//
//   dT + dU = dq.F_th + v*.rho + v*.p - h v*.C v* - [(kappa - 1/2) dv.M dv + (theta - 1/2) dq.K dq]
//
// The bracket is what the algorithm dissipates. v*.p = sum of r.(u* - u_drive): impact and friction take -r_N
// u*_N and -r_T.u*_T, moving obstacles give -r.u_drive. Newmark, with f_m = (f^i + f^{i+1}) / 2 and forces R,
// P at both ends:
//
//   dT + dU = dq.(F_m + R_m + P_m) - dq.C v_m - [h (beta - gamma/2) da.M dv - (gamma - 1/2) dq.M da]
//
// Quasistatics, where K q = F + R + P at the end of an increment, and at its start but for what is out of balance there,
// f_0 = F + R + P - K q (a load that is there at once):
//
//   dU = dq.(F_m + R_m + P_m) - [dq.f_0 / 2]
//
// In steady sliding dq also has h v of the rigid motion with which a body moves through its state: it changes no strains,
// but friction and supports do work on it.
//
// Bodies under finite deformation have a stored energy in place of q.K q / 2, and dissipate D by their material. Of them
// the bracket has, in place of (theta - 1/2) dq.K dq and of nothing,
//
//   dq.F_int_th - dU - D          (quasistatics: theta = 1/2)
//
// The means of both ends are exact where forces vary linearly, as between two events. What the normal forces of gaps
// that close within an increment seem to do belongs to the bracket: of that the increments are too long.
//
// Moreau's scheme is of the theta family, with kappa = theta = 1/2 for rigid bodies; in space their kinetic energy also
// changes with J(R) from the ends of the step to its middle, which belongs to the bracket. Beside this the jump of each
// step is split as [JM91 (6.4)] does, from u_L to u_F: into structural and frictional dissipation. Joints work by their
// impulses in the middle, over the mean velocity of the step, and by those that hold velocities at its end. Where places are
// corrected by s apart from velocities, loads work F.s, and normal contact gives what deforms bodies and works against
// loads, s.(K (q + s/2) - F), with q before it.
#ifndef STEPPING_LEDGER_H
#define STEPPING_LEDGER_H

#include "stepping/scheme.h"
#include "stepping/state.h"

// All of it doubles: a checkpoint keeps it as one array.
typedef struct StickLedger {
    double kinetic, elastic; // at the end of the last step
    double initial;          // kinetic + elastic at the start
    // Sums over all steps: works given to the bodies, dissipations taken from them.
    double external, supports, obstacles;
    double viscous, friction, impact, algorithmic;
    double material; // plastic flow, relaxation
    double scale;    // largest energy or work so far, or loss of contact in one step of moreau
    double closure;  // what the terms of the last step miss, relative to scale
    double worst_closure;
    double gain; // growth of kinetic + elastic energy in the last step beyond the works, relative to scale
    double worst_gain;
    double given;          // sum of all such growth that contact gave, as an energy
    double normal_gain;    // the same without what friction gave
    double friction_gain;  // largest energy that friction gave in one step, relative to scale
    double friction_gains; // number of steps in which it did
    double momentum[3];
    double contact_impulse[3]; // on the bodies, summed over all steps
    double support_impulse[3];
    double momentum_scale; // largest sum of m |v|, or of the impulses of a step, so far
    double momentum_error; // change of momentum minus impulses in the last step, relative to momentum_scale
    double worst_momentum;
    double equilibrium; // largest residual at a free degree of freedom, relative to the largest term there
    double worst_equilibrium;
    // Rigid bodies, moreau. Dissipation by [JM91 (6.4)], summed; what it misses in a step, relative to scale.
    double structural, frictional;
    double jump_error, worst_jump;
    double joints;            // work of joints, motors, springs and dampers on the bodies, summed
    double angular[3];        // angular momentum about the origin of space
    double contact_moment[3]; // of the impulses of contact on rigid bodies, summed over all steps
    double angular_scale;     // largest sum of the parts of angular momentum, or of moments in a step, so far
    double angular_error;     // change of angular momentum minus moments in the last step, relative
    double worst_angular;
    double correction; // work of correcting penetration, taken from `impact` or done by obstacles, summed
    double pushed;     // the part of it that moving obstacles do, in `obstacles`, summed
    double open_steps; // steps in which a balance does not close ...
    double open_time;  // ... and the end of the first of them
    // Negative algorithmic dissipation: largest sum so far, and the largest fall below it, relative to scale.
    double algorithmic_most, algorithmic_gain;
} StickLedger;

// Moreau's scheme: the middle of the step, and the velocities between which contact acts.
typedef struct StickVelocityJump {
    const double *q_M, *v_I, *v_L, *v_F;
    // Joints, NULL without: velocity at the end before they held it, impulses in the middle and at the end; and their
    // work from v_L to v_F.
    const double *v_E, *p_M, *p_F;
    double joints;
    double pushes, twists;         // sums of the sizes of their forces and moments
    double structural, frictional; // [JM91 (6.4)]
    double drive;                  // sum of r.u_drive
    const double *inner;           // impulses by stiffness and damping, without duration; NULL: none
    const double *shift; // by which penetration was corrected (stepping/penetration.h); NULL: it was not
    const double *stiff; // K shift
    double pushed;       // work on it that moving obstacles do
} StickVelocityJump;

// One step as the ledger sees it.
typedef struct StickLedgerStep {
    const StickSystem *system;
    const StickScheme *scheme; // NULL: quasistatic
    double h;
    double tolerance;                  // of the contact problem: balances have to close to the same
    const StickMotion *before, *after; // reaction of after: out, forces (impulses / h) of the supports
    const double *p_N, *p_T;       // impulses of contact on the degrees of freedom; quasistatics: see motion
    double drive_N, drive_T;       // works of contact on obstacles: sums of r_N u_drive_N and r_T.u_drive_T
    const bool *prescribed;        // degrees of freedom with a support, or of bodies that move by modes
    double *room;                  // ndofs: for residuals of the balance of momentum; quasistatics: NULL
    const double *stiffness;       // quasistatics: diagonal of K, what residuals are judged by
    double faint;                  // forces of bodies under finite deformation that are as good as none
    const StickVelocityJump *jump; // moreau
    const double *
        carried; // steady sliding: velocities with which bodies move through the state, beside dq; NULL: none
} StickLedgerStep;

void stick_ledger_start(StickLedger *ledger, const StickSystem *system, const StickMotion *motion);

// Bodies that were at rest are set off by their supports, which give the energy and momentum that they have now.
void stick_ledger_set_off(StickLedger *ledger, const StickSystem *system, const StickMotion *motion);

// The state was changed from outside, which gives the energy and momentum that it has more.
void stick_ledger_disturb(StickLedger *ledger, const StickSystem *system, const StickMotion *motion);

void stick_ledger_add(StickLedger *ledger, const StickLedgerStep *step);

// What the energy balance of all steps together misses, relative to scale.
double stick_ledger_balance(const StickLedger *ledger);

#endif
