// SPDX-License-Identifier: Apache-2.0
// What every kind of step does with its contact problem u = W r + u_free: condense, solve, certify, apply, remember.
//
// In dynamics the unknowns are velocities and r are impulses; in quasistatics they are displacements of the increment
// and r are forces. Both stand in state.next.v until the step is done, and u_drive of the contacts is in their unit.
#ifndef STEPPING_CONTACT_PROBLEM_H
#define STEPPING_CONTACT_PROBLEM_H

#include "stepping/simulation.h"

// Adds the processor time since the last call to a phase.
void stick_contact_problem_clock(double *last, double *phase);

// Room for all that belongs to the contacts of the step.
StickStatus stick_contact_problem_reserve(StickSimulation *run);

// Guess (r by slots of the memory, count x dim) and friction from what each contact remembers.
StickStatus stick_contact_problem_recall(StickSimulation *run, const double *r);

// What a contact of rigid bodies remembers, once it was recalled and until the step is remembered; NULL: it is new.
const StickKeyedMemory *stick_contact_problem_known(const StickSimulation *run, int contact);

// r, u and how it ended
StickStatus stick_contact_problem_solve(StickSimulation *run);

// The verifier sees only the problem and r. An error above the tolerance and within `accept` is counted, and the run goes on.
StickStatus stick_contact_problem_certify(StickSimulation *run);

// Forces by slots of the memory, which stay as contacts come and go: those of a set are kept, all others are zero; the
// contacts of the step have those that are kept.
void stick_contact_problem_keep(StickSimulation *run, const StickContactSet *set, const double *r);
void stick_contact_problem_fetch(StickSimulation *run);

// p_N and p_T: H r in its parts
void stick_contact_problem_press(StickSimulation *run);

// next.v = v_free + A^-1 p, with p in work of the run; of bodies under finite deformation once after each linearisation.
StickStatus stick_contact_problem_correct(StickSimulation *run);

// v = v_free + A^-1 H r  [VPJR98 (13)]
StickStatus stick_contact_problem_apply(StickSimulation *run);

// The relative velocities of the new v must be those of the condensed problem; scale: size of what else is there.
StickStatus stick_contact_problem_check(StickSimulation *run, double scale);

// What the step enters into the ledger, with the work of its r on moving obstacles.
StickLedgerStep stick_contact_problem_entry(const StickSimulation *run);

// Before anything is remembered: the last good state stays as it is.
StickStatus stick_contact_problem_refuse_not_finite(StickSimulation *run);

// What each contact keeps for the next step, and the record of all.
StickStatus stick_contact_problem_remember(StickSimulation *run);

// A look at how far bodies have turned; then the new state is the present one.
void stick_contact_problem_end(StickSimulation *run);

#endif
