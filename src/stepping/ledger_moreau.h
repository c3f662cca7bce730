// SPDX-License-Identifier: Apache-2.0
// Moreau's scheme in the ledger: the terms of its steps, angular momentum of rigid bodies, and the jump of velocities.
#ifndef STEPPING_LEDGER_MOREAU_H
#define STEPPING_LEDGER_MOREAU_H

#include "stepping/ledger_terms.h"

enum { STICK_LEDGER_PARTS = 64 };

// Moments of all impulses of a step, those of contact among them, and the sum of their sizes.
typedef struct StickLedgerMoments {
    double all[3], contact[3], size;
} StickLedgerMoments;

// What a step of Moreau's scheme enters, part by part of the bodies.
typedef struct StickLedgerMoreau {
    const StickLedgerStep *step;
    StickLedgerTerms terms[STICK_LEDGER_PARTS];
    StickLedgerMoments moments[STICK_LEDGER_PARTS];
    double decrement[STICK_LEDGER_PARTS];
} StickLedgerMoreau;

// The terms of a step; the sums are kept for stick_ledger_moreau_add.
StickLedgerTerms stick_ledger_moreau_sum(const StickLedgerStep *step, StickLedgerMoreau *sums);

// Angular momentum and the jump, once the energies of the step are in the ledger.
void stick_ledger_moreau_add(StickLedger *ledger, const StickLedgerMoreau *sums);

// Angular momentum of rigid bodies about the origin of space; scale grows to the sum of the sizes of its parts.
void stick_ledger_angular(const StickSystem *system, const StickMotion *motion, double angular[3],
                          double *scale);

#endif
