// SPDX-License-Identifier: Apache-2.0
// What every kind of step does with its contact problem u = W r + u_free: condense, solve, certify, apply, remember.
//
// In dynamics the unknowns are velocities and r are impulses; in quasistatics they are displacements of the increment
// and r are forces. Both stand in state.next.v until the step is done, and u_drive of the contacts is in their unit.
#ifndef DRIVE_TOUCH_H
#define DRIVE_TOUCH_H

#include "drive/run.h"

// Adds the processor time since the last call to a phase.
void stick_touch_clock(double *last, double *phase);

// Room for all that belongs to the contacts of the step.
StickStatus stick_touch_reserve(StickRun *run);

// Guess (r by slots of the memory, count x dim) and friction from what each contact remembers.
StickStatus stick_touch_recall(StickRun *run, const double *r);

// What a contact of rigid bodies remembers, once it was recalled and until the step is remembered; NULL: it is new.
const StickKeyedMemory *stick_touch_known(const StickRun *run, int contact);

// r, u and how it ended
StickStatus stick_touch_solve(StickRun *run);

// The verifier sees only the problem and r. An error above the tolerance and within `accept` is counted, and the run goes on.
StickStatus stick_touch_certify(StickRun *run);

// Forces by slots of the memory, which stay as contacts come and go: those of a set are kept, all others are zero; the
// contacts of the step have those that are kept.
void stick_touch_keep(StickRun *run, const StickContactSet *set, const double *r);
void stick_touch_fetch(StickRun *run);

// p_N and p_T: H r in its parts
void stick_touch_press(StickRun *run);

// next.v = v_free + A^-1 p, with p in work of the run; of bodies under finite deformation once after each linearisation.
StickStatus stick_touch_correct(StickRun *run);

// v = v_free + A^-1 H r  [VPJR98 (13)]
StickStatus stick_touch_apply(StickRun *run);

// The relative velocities of the new v must be those of the condensed problem; scale: size of what else is there.
StickStatus stick_touch_check(StickRun *run, double scale);

// What the step enters into the ledger, with the work of its r on moving obstacles.
StickLedgerStep stick_touch_entry(const StickRun *run);

// Before anything is remembered: the last good state stays as it is.
StickStatus stick_touch_refuse_not_finite(StickRun *run);

// What each contact keeps for the next step, and the record of all.
StickStatus stick_touch_remember(StickRun *run);

// A look at how far bodies have turned; then the new state is the present one.
void stick_touch_end(StickRun *run);

#endif
