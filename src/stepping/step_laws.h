// SPDX-License-Identifier: Apache-2.0
// What the laws of contact say in a step beside mu: sections of the cone, cohesion, and state variables.
//
// Cohesion c is a complete law again [JM91 3] for R = r + h c n: R is in the cone, u_N >= 0, and R = 0 where u_N > 0. With
// pull = h c, u = W r + u_free = W R + (u_free - W pull n) is an ordinary problem for R; the contact holds tension up
// to c, friction up to mu (r_N + h c), and is gone in the step after it has opened. One that holds while bodies turn is
// opened by a gap of order h^3 in a step: it stays one, and closes it, u_N + gap/h >= 0.
#ifndef STEPPING_STEP_LAWS_H
#define STEPPING_STEP_LAWS_H

#include "contact/laws.h"

typedef struct StickSimulation StickSimulation; // stepping/simulation.h

typedef struct StickStepLaws {
    bool has_sections, has_cohesion, has_state; // any law of the model
    int corners;                                // most of a polygon
    StickSection *section;                      // ncontacts
    const StickSection **section_of;            // ncontacts; NULL: the disk of mu
    double *vertex;                             // ncontacts x corners x 2
    double *pull;                               // ncontacts: impulse of attraction
    double *pull_n, *pull_u;                    // dim x ncontacts: pull along n, and W of it
    double *approach;                           // ncontacts: speed at the start of the step
    double *state, *rate;                       // ncontacts: state variables and their rates
    StickModel *varied; // the model with another value of a parameter of friction; NULL: none ...
    StickSystem shown;  // ... and the system with that model
    size_t section_capacity, section_of_capacity, vertex_capacity, pull_capacity, pull_n_capacity,
        pull_u_capacity, approach_capacity, state_capacity, rate_capacity;
} StickStepLaws;

void stick_step_laws_init(const StickSystem *system, StickStepLaws *laws);
void stick_step_laws_destroy(StickContext *ctx, StickStepLaws *laws);

// Room for the contacts of the step; what no law of the model has takes none.
StickStatus stick_step_laws_reserve(StickSimulation *run);

// The gap up to which a contact that holds together by cohesion goes on.
double stick_step_laws_stretch(const StickSimulation *run, const StickContact *contact);

// State variables that contacts remember or start with, friction and its sections.
StickStatus stick_step_laws_recall(StickSimulation *run);

// Friction is that of the model with another value of a parameter from now on.
StickStatus stick_step_laws_vary(StickSimulation *run, const char *parameter, double value);

// Friction of contacts: that of the step where it has one of its own, else that of the laws.
StickStatus stick_step_laws_friction(const StickSimulation *run, const StickContactSet *set,
                                     const StickSight *sight, double *mu);

// Speeds of approach, from the velocity at the start of the step; returns the largest.
double stick_step_laws_approach(StickSimulation *run);

// Newton's coefficients, at these; time is that of the end of the step, as for all laws.
StickStatus stick_step_laws_restitution(StickSimulation *run, double *restitution);

// Attraction of the step: u_free becomes that of R.
StickStatus stick_step_laws_attract(StickSimulation *run);

// r becomes R (sign = 1), or R becomes r (sign = -1).
void stick_step_laws_shift(StickSimulation *run, double sign);

// State variables at the end of the step, at the sliding speeds there.
StickStatus stick_step_laws_end(StickSimulation *run, const double *speed);

// With cohesion: whether a contact of rigid bodies did not open in the step.
bool stick_step_laws_holds(const StickSimulation *run, int contact);

// Impulse of attraction of a contact.
static inline double stick_step_laws_pull(const StickStepLaws *laws, int contact)
{
    return laws->has_cohesion ? laws->pull[contact] : 0;
}

#endif
