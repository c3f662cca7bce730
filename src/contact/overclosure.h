// SPDX-License-Identifier: Apache-2.0
// Overlap at the start of a model that contacts resolve: it shrinks in proportion to time, as if the surfaces grew, so that
//     gap(t) = distance - s(t) depth,   u_drive_N = -depth ds/dt,   s(t) = 1 - t/end,   depth <= 0.
#ifndef CONTACT_OVERCLOSURE_H
#define CONTACT_OVERCLOSURE_H

#include "contact/contact.h"

typedef struct StickOverclosures {
    bool any;
    double end;     // of the first step: from there on s = 0
    double deepest; // at most 0
    int *first;     // contacts of the model: their first entry of depth, and the end
    double *depth;  // by layer and feature
    int nrigid;     // pairs of rigid bodies, ascending
    struct StickRigidOverclosure {
        int a, b; // b = -1 - obstacle
        double depth;
    } * rigid;
    size_t rigid_capacity;
} StickOverclosures;

// Whether contacts of the model say so.
bool stick_overclosures_are_resolved(const StickModel *model);

// Depths of the contacts of a set that was found at the start.
StickStatus stick_overclosures_create(StickContext *ctx, const StickModel *model, const StickPairs *pairs,
                                      const StickContactSet *set, double end, StickOverclosures *made);
void stick_overclosures_destroy(StickContext *ctx, StickOverclosures *overclosures);

// Gaps and drives of a set that was found at t, over h; rigid bodies that do not touch then are left out.
void stick_overclosures_apply(const StickOverclosures *overclosures, double t, double h,
                              StickContactSet *set);

// Largest speed with which surfaces grow from t to t + h.
double stick_overclosures_speed(const StickOverclosures *overclosures, double t, double h);

#endif
