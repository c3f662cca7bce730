// SPDX-License-Identifier: Apache-2.0
// Penetration in Moreau's step is corrected by the places of bodies, apart from their velocities:
//
//     0 <= gap + h u_N - depth + (W lambda)_N   ⊥   lambda >= 0,        q += A^-1 H_N lambda
//
// where `depth` <= 0 is what a contact was first seen with: of bodies that overlap at the start it is kept, after an impact
// it fades, with or without a load. Velocities and kinetic energy stay; what loads and the stiffness of bodies resist,
// dq.(K (q + dq/2) - F), is taken from what normal impulses have dissipated before (ledger: impact), so that contact as a whole never gives energy. Moving
// obstacles pay for the rest, up to the work that they have done otherwise: bodies catch up with them. What that does not pay
// for, and what cannot be corrected because the bodies of an island are jammed, remains, and is reported (stepping/penetration_monitor.h).
#ifndef STEPPING_PENETRATION_H
#define STEPPING_PENETRATION_H

#include "bodies/system.h"
#include "contact/contact.h"

typedef struct StickSimulation StickSimulation; // stepping/simulation.h

// What contacts of the same two shapes, or the same pair of surfaces, remember. As they roll and slide on each other their
// points get new names: depth belongs to the shapes, what overlapped at the start to the bodies.
typedef struct StickPenetrationPair {
    bool keep;    // they overlapped at the start
    bool any;     // there are some ...
    double depth; // ... with this least depth
} StickPenetrationPair;

typedef struct StickPenetration {
    double *shift;              // ndofs, moreau: by which the places of the last step were corrected ...
    double *stiff;              // ... and K shift
    StickPenetrationPair *pair; // of the model's contacts
    bool is_shifted;            // ... if they were
    double pushed;              // work on it that moving obstacles do
    double *b, *lambda;         // ncontacts
    int *island, *next;         // ncontacts: the first contact of its island, and the next one in it or -1
    bool *is_moved;             // ncontacts: its island is corrected in this step
    bool *is_free; // ncontacts, of first contacts: bodies of its island touch nothing that is held
    size_t b_capacity, lambda_capacity, island_capacity, next_capacity, moved_capacity, free_capacity;
} StickPenetration;

StickStatus stick_penetration_create(StickContext *ctx, const StickSystem *system,
                                     StickPenetration *penetration);
void stick_penetration_destroy(StickContext *ctx, StickPenetration *penetration);

// After next.q and v_F are there; run->depth: out.
StickStatus stick_penetration_correct(StickSimulation *run);

// The penetration of a contact up to which nothing is corrected.
double stick_penetration_margin(const StickSimulation *run, const StickContact *contact);

#endif
