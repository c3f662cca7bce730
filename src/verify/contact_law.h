// SPDX-License-Identifier: Apache-2.0
// The contact law of one contact for the verifier: the cone, and the violation of the law by r and u. Shares no code
// with solve/.
#ifndef VERIFY_CONTACT_LAW_H
#define VERIFY_CONTACT_LAW_H

#include <stickslip/friction.h>

// The contact law of one contact: facets = 0 is Coulomb's own cone, or that of the section.
typedef struct StickLaw {
    int dim;
    double mu;
    int facets;
    const StickSection *section; // NULL: the disk of mu
} StickLaw;

// |r - P(r - u - lift n)|^2, with lift = mu |u_T|, or the support function of the section at -u_T
double stick_law_defect(const StickLaw *law, const double r[3], const double u[3]);

// Distance of r from the cone, along r_T or the axis.
double stick_law_outside(const StickLaw *law, const double r[3]);

#endif
