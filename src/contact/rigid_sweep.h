// SPDX-License-Identifier: Apache-2.0
// Rigid bodies that would pass through others, or through obstacles, with given velocities: they become contacts of the
// problem that has produced these velocities.
//
//        a at the detection          The contact has the frame and the lever arms of the time tau at which both touch, and
//         O                          the gap that the velocities v of the sweep close until then:
//          \ v
//           \                            gap = gap(tau) - tau u_N(v),      u_N + gap / span >= 0
//     _______O___  b at tau
//                                    A velocity that meets this leads at most to where they touch.
#ifndef CONTACT_RIGID_SWEEP_H
#define CONTACT_RIGID_SWEEP_H

#include "contact/rigid_pairs.h"

typedef struct StickRigidSweep StickRigidSweep;

StickStatus stick_rigid_sweep_create(StickContext *ctx, const StickRigidPairs *pairs,
                                     StickRigidSweep **sweep);
void stick_rigid_sweep_destroy(StickRigidSweep *sweep);

// From where the last detection placed the bodies. Adds the first hits of each body to the set, or all, and tells how many
// contacts are new or changed. Pairs of shapes that have contacts from the detection are not swept.
StickStatus stick_rigid_sweep_add(StickRigidSweep *sweep, const StickMotionSweep *span, StickContactSet *set,
                                  int *changed);

#endif
