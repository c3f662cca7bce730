// SPDX-License-Identifier: Apache-2.0
// What the law of each contact of a set says at the start of a step: friction and its section, restitution, cohesion, and
// the state variable that a law may keep.
#ifndef CONTACT_LAWS_H
#define CONTACT_LAWS_H

#include "contact/contact.h"

#include <stickslip/friction.h>

// What laws see; each array has a value per contact, or is NULL, for zero.
typedef struct StickSight {
    double t;
    const double *speed, *pressure; // at the end of the last step
    const double *approach; // speed with which bodies come towards each other at the start of the step
    const double *state;
} StickSight;

// Coulomb's coefficient; of a section its factor.
StickStatus stick_laws_friction(const StickSystem *system, const StickContactSet *set,
                                const StickSight *sight, double *mu);

// Newton's coefficient.
StickStatus stick_laws_restitution(const StickSystem *system, const StickContactSet *set,
                                   const StickSight *sight, double *restitution);

// Largest force of attraction.
StickStatus stick_laws_cohesion(const StickSystem *system, const StickContactSet *set,
                                const StickSight *sight, double *cohesion);

// The state variable of a contact when it is first seen, and how fast it changes; 0 where its law has none.
StickStatus stick_laws_start(const StickSystem *system, const StickContactSet *set, double t, int contact,
                             double *state);
StickStatus stick_laws_rate(const StickSystem *system, const StickContactSet *set, const StickSight *sight,
                            double *rate);

// The section of a contact in its tangents, with the factor; vertices of a polygon go to vertex (stick_laws_corners x
// 2). False: it is the disk of mu.
bool stick_laws_section(const StickSystem *system, const StickContact *contact, double factor,
                        StickSection *section, double *vertex);

// Most corners of a section of the model.
int stick_laws_corners(const StickModel *model);

// Whether any law of the model has this.
bool stick_laws_have_sections(const StickModel *model);
bool stick_laws_have_cohesion(const StickModel *model);
bool stick_laws_have_restitution(const StickModel *model);
bool stick_laws_have_state(const StickModel *model);

#endif
