// SPDX-License-Identifier: Apache-2.0
// What one step enters into the ledger, by the balance of its scheme: works, dissipations, impulses and residuals.
#ifndef STEPPING_LEDGER_TERMS_H
#define STEPPING_LEDGER_TERMS_H

#include "stepping/ledger.h"

#include <math.h>

// Terms of one step, before they are summed.
typedef struct StickLedgerTerms {
    double external, supports, normal, tangential; // works on the bodies
    double viscous, algorithmic, material;
    double joints;     // work on the bodies
    double correction; // work of normal contact on corrections of penetration, in `normal` too
    double impulse[6]; // external, supports, contact, minus damping; by StickSystem.axis
    double contact[6], support[6];
    double impulses;          // sum of their sizes
    double residual, largest; // of the balance of momentum at free degrees of freedom
    double uncertain; // quasistatics: energy below which bodies that only translate cannot be told apart
} StickLedgerTerms;

// A residual at a free degree of freedom, and the largest of what should cancel there.
static inline void stick_ledger_terms_judge(StickLedgerTerms *terms, double residual, double largest)
{
    terms->residual = fmax(terms->residual, fabs(residual));
    terms->largest = fmax(terms->largest, largest);
}

// Of all schemes but moreau; reactions of the state behind the step are filled in.
StickLedgerTerms stick_ledger_terms(const StickLedgerStep *step);

// Of what bodies that move by modes carry (reaction), these feel nothing.
void stick_ledger_terms_judge_modes(const StickLedgerStep *step, StickLedgerTerms *terms);

// The part of the bracket that bodies under finite deformation have beyond (theta - 1/2) dq.dF_int, which is in it.
void stick_ledger_terms_add_finite(const StickLedgerStep *step, StickLedgerTerms *terms);

#endif
