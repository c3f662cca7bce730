// SPDX-License-Identifier: Apache-2.0
// Contacts of a step: where bodies may touch, how far they are, and the rows of H that turn velocities into
// relative ones.
//
//          slave body
//      ____.____.____        gap > 0: apart
//              ^ n           n: from the antagonist (obstacle or master surface) to the slave
//      _______/____\___      u = H' v + u_drive, u_N > 0 opens
//         antagonist
//
// Gaps are those of q at the start of the step [VPJR98 section 4]. Where normals turn on the way (curved obstacles,
// bodies that rotate), frames and H are taken half a step later, at q + h/2 v [JM91 section 7]: what moves along
// a circle then stays on it, while frames of the start would lead it off by h^2 v^2 / 2R in every step.
#ifndef CONTACT_CONTACT_H
#define CONTACT_CONTACT_H

#include "bodies/system.h"

#include <stdint.h>

// A node that stands in a corner of its antagonist, seen from where it is free, touches both sides of it: at
// most so many contacts have the same pair and feature.
enum { STICK_LAYERS = 2 };

// One candidate contact. Its columns of H touch the degrees of freedom dof[first] ... dof[first + count - 1]
// of the set.
typedef struct StickContact {
    int pair;     // index of the pair (model contact); -1: rigid bodies by their shapes, and then ...
    int rule;     // ... the rule of the model that holds for them
    int body[2];  // a: slave; b: antagonist, -1: ...
    int obstacle; // ... this obstacle, or -1
    uint32_t shapes, name; // rigid: which shapes, and the feature of the touching point: see StickContactKey
    int feature; // who it is within its pair, the same from step to step: the slave node that carries the
        // unknown, or, beyond the nodes of the slave's body, a feature of the counterface (contact/two_pass.h)
    int node;  // of the slave's body: the one that results are shown at
    int layer; // tells contacts of the same feature apart: less than STICK_LAYERS, the same from step to step
    bool exchanged; // its layer is the other one than it was found with
    int first;
    int count;
    bool swept; // found on the way of the step (StickMotionSweep), with the frame of where it will touch
    int round; // ... by which sweep of the step (StickMotionSweep.round); -1: in the step before, which it completes
    bool completes;   // ... rigid: its impulse may be completed in the next step, with ...
    double arm[2][3]; // ... these lever arms on both bodies, from the mass centres to the place, in space
    bool carried;     // modified theta: its gap is that of where velocities carry the bodies at the start
    bool inelastic;   // its restitution is not used in this step
    bool waits;       // found beyond the distance at which shapes touch: StickDetection.ahead
    bool lost;        // moreau: it goes on with the points that it had, because the search does not find it
    bool keeps_depth; // moreau: of bodies that overlapped at the start
    int known;        // moreau: 1 + place of what it remembers; 0: new
    double closing;   // moreau: speed at which its gap may close in the step
    double gap; // signed distance, > 0 open; of integrated surfaces the mean weighted by the base function
    double u_drive[3]; // local relative velocity from prescribed motion of the obstacle
    double area; // tributary area (2D: length times thickness), for pressures; 0: a group without facets
    double frame[3][3]; // rows n, t1, t2, orthonormal, right-handed in 2D: t1 = n turned by -90 degrees
    double place[3];    // of the slave point
} StickContact;

// Who a contact of rigid bodies is, the same from step to step.
typedef struct StickContactKey {
    int a, b; // bodies; b = -1 - obstacle
    uint32_t shapes, feature;
} StickContactKey;

typedef struct StickContactSet {
    StickContext *ctx; // whose threads work on it; NULL: none
    int dim;
    int ncontacts;
    StickContact *contact;
    int *dof;  // degrees of freedom of the system
    double *H; // dim values per entry of dof: H[entry * dim + k] multiplies v[dof[entry]] in u_k
    size_t contact_capacity, dof_capacity, H_capacity;
} StickContactSet;

void stick_contact_set_destroy(StickContext *ctx, StickContactSet *set);

// Gives the contacts the frames and columns of H that they have in a set found half a step later, where they are
// found in it and have not turned by more than a part of a right angle; gaps stay.
StickStatus stick_contact_set_turn(StickContext *ctx, StickContactSet *set, const StickContactSet *middle);

// Contacts that have come over an edge of their counterface since the set before, and have moved by less than `near`, keep
// the frames and columns of H of that set: normals differ on both sides of an edge, and an iteration might change between
// them for ever.
StickStatus stick_contact_set_keep_facets(StickContext *ctx, StickContactSet *set,
                                          const StickContactSet *before, double near);

// Contacts of a node that has two of them, here or in the set before, get the layers of those before that have their
// normals: bodies that deform make nooks where pieces had one layer, and which contact is which may hang on rounding.
void stick_contact_set_keep_layers(StickContactSet *set, const StickContactSet *before);

// The layers that contacts were found with in a set whose layers were kept (it may be the same one): whoever looks for
// contacts there anew, in the next step or for output, finds these.
void stick_contact_set_return_layers(StickContactSet *set, const StickContactSet *kept);

// u (dim * ncontacts) = H' v, without u_drive.
void stick_contact_velocity(const StickContactSet *set, const double *v, double *u);

// p += H r over the degrees of freedom of the system; with normal_only / tangential_only just that part.
typedef enum StickContactPart { STICK_WHOLE, STICK_NORMAL, STICK_TANGENTIAL } StickContactPart;
void stick_contact_scatter(const StickContactSet *set, const double *r, StickContactPart part, double *p);

// All pairs of a model, ready for detection: surfaces, trees, obstacles.
typedef struct StickPairs StickPairs;

StickStatus stick_pairs_create(StickContext *ctx, const StickSystem *system, StickPairs **pairs);
void stick_pairs_destroy(StickPairs *pairs);

// Which degrees of freedom are prescribed: rigid bodies that have no free ones do not touch each other or obstacles.
void stick_pairs_hold(StickPairs *pairs, const bool *prescribed);

// How many features contacts of a pair may have.
int stick_pairs_features(const StickPairs *pairs, int pair);

// Degrees of freedom that any contact may ever touch, ascending: those on which a step is condensed.
int stick_pairs_ndofs(const StickPairs *pairs);
const int *stick_pairs_dofs(const StickPairs *pairs);

// Finds the candidates nearer than the reach at displacements q and time t: the obstacles stand where they are
// at time t, and u_drive is their mean velocity from t to t + h. With all = true every slave feature that has an
// antagonist is listed, however far (for output). On an error the set is empty. Rigid bodies against each other and
// against obstacles come last, by their shapes and sorted by their keys: those that touch or overlap at q (with all =
// true none).
//
// A node is in contact with the nearest side of the master surface, whichever way it came. Sides of the master
// body that are not in its group do not stop anything: a node that came in through one of them below the
// surface is pushed out through the surface, so name all sides that may be met.
typedef struct StickDetection {
    double t, h;
    const double *q;
    double reach; // candidates: gap <= reach, or the reach of their pair where that is larger
    bool all;
    // nbodies: beyond their reach, gaps are listed that bodies which move this far could close; NULL: not
    const double *ahead;
} StickDetection;
StickStatus stick_pairs_detect(StickPairs *pairs, const StickDetection *where, StickContactSet *set);

// From now on, detections have overlaps of contacts with `overclosure: resolve` shrink from those at q and t = 0 to none at
// the end (contact/overclosure.h).
StickStatus stick_pairs_resolve(StickPairs *pairs, const double *q, double h, double end);

// u_drive of a contact of a rigid body with an obstacle in the step of the last detection.
void stick_pairs_drive(const StickPairs *pairs, StickContact *contact);

// What hits others, or obstacles, as it moves with velocities v for a time h from q, where the last detection was: rigid
// bodies by their shapes (contact/rigid_sweep.h) and surfaces (contact/surface_sweep.h). The contacts are added to the set at
// their places. changed: how many are new or have a new frame.
typedef struct StickMotionSweep {
    const double *v;
    double h;
    const bool *all; // nbodies, or NULL: all hits of this rigid body count; otherwise its first one
    const double *q;
    double t;     // at the start
    int round;    // of sweeps of this span
    bool linear;  // gaps are linearised at the start, also far ones: slower surfaces are swept, too
    double ahead; // gaps of contacts are those of obstacles at this time after the start
} StickMotionSweep;
StickStatus stick_pairs_sweep(StickPairs *pairs, const StickMotionSweep *sweep, StickContactSet *set,
                              int *changed);

// Contacts of surfaces that sweeps have found, at their places in a set.
StickStatus stick_pairs_insert(StickPairs *pairs, const StickContactSet *hits, StickContactSet *set);

// Whether the surfaces of any pair but those before planes move so far that they are swept.
StickStatus stick_pairs_are_fast(StickPairs *pairs, const StickMotionSweep *sweep, bool *fast);

// Contacts of surfaces that move so far that they are swept stand for what is near: a gap that is linearised from far
// stops bodies that only pass by. Those that are farther than a part of the scale of their pair are taken out of the set,
// but not before planes.
StickStatus stick_pairs_near(StickPairs *pairs, const StickMotionSweep *sweep,
                             double *near); // by pairs; slow: inf
StickStatus stick_pairs_drop_far(StickPairs *pairs, const StickMotionSweep *sweep, StickContactSet *set);

// What the last detection had to leave out because it is too deep to be told how it came there: inside of the
// master body, behind the nearest side of the master surface by more than the size of that side. These are
// nodes of the slave; where surfaces are integrated and no node is lost, sides by their middles, each named by
// its first node.
typedef struct StickLost {
    int count;
    int pair, feature; // the deepest one
    double depth;
    double place[3];
    bool counterface; // some are corners of the counterface inside of the slave
} StickLost;
const StickLost *stick_pairs_lost(const StickPairs *pairs);

// Nodes of master surfaces that lie inside of the slave's body, clear of its skin, where the last detection was: a pair
// looks only at nodes of its first surface, so that a corner of the second one sinks in unseen unless the pair is given
// in the other order too. feature: the node of the master's body; depth is not known.
// t: its time; pairs whose overlap at the start is being resolved then are left out.
StickStatus stick_pairs_buried(StickPairs *pairs, double t, StickLost *buried);

// Shortest distance of a rigid body and another one, or an obstacle (b = -1), at q and time t of a detection.
StickStatus stick_pairs_distance(StickPairs *pairs, const StickDetection *where, int a, int b, int obstacle,
                                 double *distance);

// Largest mean speed of an obstacle from t to t + h: what the reach of a step must also cover.
StickStatus stick_pairs_obstacle_speed(StickPairs *pairs, double t, double h, double *speed);

// Whether any normal may change as bodies move: not where all there is to touch is flat and at rest but for translations.
bool stick_pairs_turn(const StickPairs *pairs);

// The first contact of the model whose normals change as bodies move along their antagonist: another body, or an obstacle
// that is round (a polyline is flat but at its corners); -1: none.
int stick_pairs_round(const StickPairs *pairs);

// The first contact of the model whose surfaces are integrated, or -1.
int stick_pairs_integrated(const StickPairs *pairs);

// The step of time in which prescribed velocities of obstacles are taken as smooth: the shortest step of the model.
double stick_pairs_panel(const StickModel *model);

#endif
