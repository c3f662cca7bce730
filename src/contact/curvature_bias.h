// SPDX-License-Identifier: Apache-2.0
// What the curvature of a hollow obstacle asks for. A body that goes on for a step along the tangent sinks in by
// h^2 u_T^2 / 2 rho, and loses what the next tangent does not take of its velocity. A chord leads back to the surface, and
// meets it as steeply as it left it: nothing is lost.
//
//      .       .      rho: from the centre or axis to the corner, or to the middle of a round end
//       \     /       b:   normal velocity of the chord, rho^2 = (rho - h b)^2 + h^2 u_T^2
//        `-.-'
#ifndef CONTACT_CURVATURE_BIAS_H
#define CONTACT_CURVATURE_BIAS_H

#include "contact/contact.h"

// Normal velocity with which a contact at q keeps its gap until h later, where bodies have velocities v; 0 where it needs
// none. Rims of cylinders touch now here, now there: they have none.
double stick_contact_bend(const StickSystem *system, const StickContact *contact, const double *q,
                          const double *v, double h);

#endif
