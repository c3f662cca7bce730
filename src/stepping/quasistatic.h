// SPDX-License-Identifier: Apache-2.0
// One increment of a quasistatic path: the reduced incremental problem [RBV02 (7)] as a complementarity problem on the
// displacements of the increment [RBV02 (12)],
//
//     K dq = F(t^{i+1}) - K q^i + H r,   u = H' dq + u_drive,   0 <= u_N + gap  perp  r_N >= 0,  Coulomb on (u_T, r_T)
//
// r are forces. Where normals turn (curved obstacles, antagonists that deform) gaps are linearised at the start of
// the increment first, then where the last pass has led, until the gaps at its end are met.
#ifndef STEPPING_QUASISTATIC_H
#define STEPPING_QUASISTATIC_H

#include "stepping/simulation.h"

// An increment is cut into 2^12 parts at most.
enum { STICK_MOST_CUTS = 12 };

// One increment, or a part of it: one that cannot be solved is halved, again and again up to a limit.
StickStatus stick_quasistatic_step(StickSimulation *run);

// One increment from the present state to next.t, with the answer of the contact problem from the walk if there is
// one. On STICK_NOT_SOLVED the present state is as before.
StickStatus stick_quasistatic_increment(StickSimulation *run);

// Record and books before an increment is tried.
typedef struct StickBefore {
    StickStatistics record;
    StickLedger ledger;
} StickBefore;

// The increment up to a part of the present one, without taking it: the present state stays; what is next, the contacts,
// the record and the books are those of the try, pass_r its forces.
StickStatus stick_quasistatic_try(StickSimulation *run, const StickBefore *before, double part);

// Time at the end of a part of an increment.
double stick_quasistatic_time(const StickSimulation *run, double piece, double part);

// A part was solved up to its end: the next one is tried at twice the length where two in a row fit.
void stick_advance_accept(StickAdvance *advance, double part);

// Displacements of the supports from now to time t, into dq.
StickStatus stick_quasistatic_supports(const StickSimulation *run, double t, double *dq);

// Enters what has led from now to next into the books; forces that are out of balance there are refused. u_drive of the
// contacts are velocities.
StickStatus stick_quasistatic_books(StickSimulation *run);

// Forces of the supports in the present state, at the start.
void stick_quasistatic_reactions(StickSimulation *run);

#endif
