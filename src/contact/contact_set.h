// SPDX-License-Identifier: Apache-2.0
// How contacts are put into a set: a frame from a normal, and a stencil of nodes that becomes columns of H.
#ifndef CONTACT_CONTACT_SET_H
#define CONTACT_CONTACT_SET_H

#include "contact/contact.h"

// Nodes by their first degree of freedom, each with its weight in the relative velocity: u = sum weight *
// frame * v.
typedef struct StickStencil {
    int count;
    const int *dof;
    const double *weight;
} StickStencil;

// Rows n, t1, t2. In 2D t1 is n turned by -90 degrees; in 3D it is x, or y where n is nearly x, laid into the
// plane.
void stick_contact_frame(int dim, const double normal[3], double frame[3][3]);

// Local relative velocity from the velocity of the obstacle: u_drive = -frame * velocity.
void stick_contact_drive(StickContact *contact, const double velocity[3]);

// Entries of H that contacts of the set have so far.
int stick_contact_set_entries(const StickContactSet *set);

// Makes room for so many contacts and entries in all.
StickStatus stick_contact_set_reserve(StickContext *ctx, StickContactSet *set, size_t ncontacts,
                                      size_t nentries);

// Appends a contact; its first and count are set here.
StickStatus stick_contact_set_add(StickContext *ctx, StickContactSet *set, const StickContact *contact,
                                  const StickStencil *stencil);

// The same with columns of H that are there already: count degrees of freedom, dim values each.
StickStatus stick_contact_set_append(StickContext *ctx, StickContactSet *set, const StickContact *contact,
                                     int count, const int *dof, const double *H);

// Columns of H of a rigid body, by its first degree of freedom, with its mass centre at a place: u += sign frame (v + omega x
// (contact->place - centre)). Returns their number, at most STICK_RIGID_DOFS; dim values each go into H.
int stick_contact_rigid_columns(int dim, int first, const double centre[3], const StickContact *contact,
                                double sign, int *dof, double *H);

#endif
