// SPDX-License-Identifier: Apache-2.0
// Springs at contacts that press, which hold up a body that is not stable by itself.
//
// The tangent of a body that is much compressed may not be positive definite, though the obstacle that presses it keeps
// it in place: then W = H' A^-1 H is not, either. So the contacts P that pressed last have springs in A while an iteration
// is solved, against motions from its start x_k on,
//
//     A' = A + rho H_P H_P',     A' (x - x_k) = f + H r',     r = r' - rho H_P' (x - x_k)
//
// A contact of P that stays closed, u = 0, has H_P' (x - x_k) = -u_k, the gap that is left at x_k: with R = r' + rho u_k
//
//     u = W' R + u_free' - W' (rho u_k)_P,      R = r
//
// and nothing has changed but what is factored (as u is 0 to round-off only, r = R - rho u). One that opens is pulled back by its spring: it is out of P in the
// next iteration, which has to follow. Springs between two bodies would couple their factors: they are in W alone
// (stepping/contact_geometric_stiffness.h).
#ifndef STEPPING_CONTACT_REGULARIZATION_H
#define STEPPING_CONTACT_REGULARIZATION_H

#include "stepping/contact_geometric_stiffness.h"

typedef struct StickContactRegularization {
    double rho;
    double *spring; // slots of the memory: 1 where there is one, or 0
    double *shift;  // rho u_k, of the contacts of the present problem; dim each
    double *room;
    size_t shift_capacity, room_capacity;
    bool settled; // all of P stayed closed in the last solve
    StickContactGeometricStiffness turning;
} StickContactRegularization;

StickStatus stick_contact_regularization_create(const StickSimulation *run,
                                                StickContactRegularization *shore);
void stick_contact_regularization_destroy(StickContext *ctx, StickContactRegularization *shore);

// Adds springs to the tangents, at those contacts of a set that r (by slots of the memory) presses.
void stick_contact_regularization_put(StickSimulation *run, StickContactRegularization *shore,
                                      const StickContactSet *set, const double *r, double **tangent);

// Whether W of the run is one that a contact problem can have; others are refused.
bool stick_contact_regularization_is_stable(const StickSimulation *run);
StickStatus stick_contact_regularization_refuse_unstable(StickSimulation *run);

// W of the contacts of the run and of what turns with them. r (by slots of the memory) presses; q is where they are,
// NULL where frames are kept.
StickStatus stick_contact_regularization_blocks(StickSimulation *run, StickContactRegularization *shore,
                                                const double *r, const double *q);

// u_free of the run becomes that of R; x: where the iteration starts.
StickStatus stick_contact_regularization_shift(StickSimulation *run, StickContactRegularization *shore,
                                               const double *x);

// x = x_free + A'^-1 H r', then r is that of the contacts as they are.
StickStatus stick_contact_regularization_apply(StickSimulation *run, StickContactRegularization *shore);

#endif
