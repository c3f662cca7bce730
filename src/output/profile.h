// SPDX-License-Identifier: Apache-2.0
// Profiles that the model asks for: contact stresses at the nodes along a surface of the plane, at some times.
//
//     t, node, s, x, y, area, pressure, shear, friction, reserve, status
//
// A stress is the force of the contact by the area that this contact stands for; where several of a node carry forces,
// by the sum of their areas. Between two states of a quasistatic path forces are on the
// straight line between theirs, which is exact where events are followed; in dynamics a step has one force.
#ifndef OUTPUT_PROFILE_H
#define OUTPUT_PROFILE_H

#include "output/units.h"
#include "stepping/simulation.h"

enum { STICK_PROFILE_COLUMNS = 11 };

typedef struct StickProfileNode {
    int node;                        // of the body
    double s;                        // length along the surface at rest, the body on the left
    double place[2];                 // at rest
    double area;                     // of its contact; thickness or the ring of an axisymmetric body included
    bool active;                     // a contact carries a force: the area is of such ones only
    double area_at_rest, mu_at_rest; // where there is no candidate; mu: NaN if it is not constant
    double force[2];                 // normal, tangential, at the present state ...
    double before[2];                // ... and at the one before
    double mu;                       // of its contact
    int status;                      // at the present state ...
    int status_before;               // ... and on the way to it
} StickProfileNode;

typedef struct StickProfile {
    const StickProfileSpec *spec;
    int body;
    int count;
    StickProfileNode *node; // count, along the surface
    int *row_of;            // nodes of the body: index in node, or -1
    bool *has_contact;      // contacts of the model: sides of this line are its first surface
    int written;            // of the times
    double t, t_before;     // of the present state, and of the one before; -HUGE_VAL: none
    bool straight;          // between these
    double *kept;           // what a run that is resumed must know
} StickProfile;

// What cannot be followed along a line is an error at its place: a surface in space, a group without sides, sides
// that are on the first surface of no contact, a time behind the last step.
StickStatus stick_profile_create(StickContext *ctx, const StickSystem *system, const StickProfileSpec *spec,
                                 StickProfile *profile);
void stick_profile_destroy(StickContext *ctx, StickProfile *profile);

// Name of a column without its unit; NULL past the last.
const char *stick_profile_column(int column);
// All columns with their units.
void stick_profile_labels(const StickModel *model, char label[STICK_PROFILE_COLUMNS][STICK_LABEL_TEXT]);

// Takes the present state of the run in.
void stick_profile_see(StickProfile *profile, const StickSimulation *run);

// Whether the next time lies before the present state; then its rows, and on to the time after it.
bool stick_profile_is_due(const StickProfile *profile);
void stick_profile_row(const StickProfile *profile, int k, double row[STICK_PROFILE_COLUMNS]);
void stick_profile_next(StickProfile *profile);

// Fills the numbers that a checkpoint keeps, and goes on from them.
size_t stick_profile_kept(const StickProfile *profile);
void stick_profile_keep(const StickProfile *profile);
StickStatus stick_profile_recall(StickContext *ctx, StickProfile *profile);

#endif
