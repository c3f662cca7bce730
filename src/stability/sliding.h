// SPDX-License-Identifier: Apache-2.0
// A state whose stability is to be judged: matrices, supports, and the status of every contact.
//
// Signs are those of docs/notation.md: n points to the slave, r_N >= 0, sliding is the motion of the slave over its
// antagonist, and friction opposes it: r_T = -mu r_N slip.
#ifndef STABILITY_SLIDING_H
#define STABILITY_SLIDING_H

#include "stepping/simulation.h"

typedef struct StickContactMotion {
    StickContactStatus status;
    double slip[2]; // of one that slips: direction in t1, t2, of length 1
    double speed; // of one that slips: > 0. INFINITY where time has no scale: the direction of friction stays
    double mu;
    double slope; // d mu / d speed
    double press; // r_N d mu / d r_N, of a law that sees the pressure
    double r[3];  // force on the slave: N, T1, T2
} StickContactMotion;

typedef struct StickSliding {
    const StickSystem *system; // for names in messages; NULL: numbers alone
    const StickSparse *M;      // ndofs x ndofs, as all of them; NULL: M* is the unit matrix
    const StickSparse *C;      // NULL: none
    const StickSparse *K;
    const bool *prescribed; // ndofs
    const StickContactSet *contacts;
    const StickContactMotion *motion; // ncontacts
    bool has_forces;                  // r is known
    bool steady; // the state is at rest or slides steadily: it solves the dynamic problem for all times
} StickSliding;

enum { STICK_SLIDING_NAME = 160 };

// "contact 3 (node 7 of body 'block')"
void stick_sliding_name(const StickSliding *sliding, int contact, char text[STICK_SLIDING_NAME]);

// Number of tangents: 0, 1, 2.
static inline int stick_sliding_tangents(const StickSliding *sliding)
{
    return sliding->contacts->dim - 1;
}

// Whether a contact is free along its tangents: it slips, or only friction would hold it and it has none.
static inline bool stick_sliding_slips(const StickSliding *sliding, int contact)
{
    const StickContactMotion *motion = &sliding->motion[contact];
    bool free = motion->status == STICK_SLIPPING || (motion->status == STICK_STICKING && motion->mu == 0);
    return free && stick_sliding_tangents(sliding) > 0;
}

// Whether it rubs as it slips: only then its direction of sliding matters.
static inline bool stick_sliding_rubs(const StickSliding *sliding, int contact)
{
    const StickContactMotion *motion = &sliding->motion[contact];
    return stick_sliding_slips(sliding, contact) &&
           (motion->mu > 0 || motion->slope != 0 || motion->press != 0);
}

// r_T along the direction of sliding, and |r_T|.
double stick_sliding_along(const StickSliding *sliding, int contact);
double stick_sliding_friction(const StickSliding *sliding, int contact);

// Largest normal force: reference for forces.
double stick_sliding_scale(const StickSliding *sliding);

// Refuses matrices that do not fit and states that contradict Coulomb: r_T outside of the cone, friction that drives
// sliding, adhesion. Forces are judged to `tolerance` of the largest.
StickStatus stick_sliding_check(StickContext *ctx, const StickSliding *sliding, double tolerance);

#endif
