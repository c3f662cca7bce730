// SPDX-License-Identifier: Apache-2.0
// Continuous collision detection: when two moving shapes first touch, by conservative advancement.
//
// Contacts are detected at one configuration per step. A shape that moves far in a step may be on the other side of a thin
// one at the next detection, so fast pairs are followed along their paths: centres move with constant velocity v, axes
// rotate with constant angular velocity w, or in space by free rotation (StickTumble). No pair that is `gap` apart along the normal n can touch before
//
//     gap / (-n.(v_a - v_b) + |w_a| R_a + |w_b| R_b)          R: farthest point of the shape from the centre of its body
#ifndef CONTACT_CCD_H
#define CONTACT_CCD_H

#include "bodies/rigid.h"
#include "contact/manifold.h"
#include "contact/obstacle.h"

// The rotation of a body in space without torque: its angular velocity is not constant.
typedef struct StickTumble {
    const StickRigid *rigid;
    double phi[3]; // rotation vector at the start
    double L[3];   // spatial angular momentum
    double most;   // bound of its angular speed
} StickTumble;

typedef struct StickMovingShape {
    StickPlacedShape at; // at the start
    double v[3], w[3];
    const StickTumble *tumble; // NULL: w is constant
} StickMovingShape;

typedef struct StickCcdPair {
    int dim;
    StickMovingShape a;
    const StickMovingShape *b;     // NULL: an obstacle, which translates with its own velocity
    const StickObstacle *obstacle; // NULL: b
    double span;                   // duration
    double thin;                   // half thicknesses of both: the scale of lengths
    double depth;                  // smallest penetration that counts
    bool by_centre;                // a hit keeps a centre on its side, not the points that touch
} StickCcdPair;

enum { STICK_CCD_POINTS = 32 };

// Where they touch, and the centres of both bodies at that time. Points have the gap that is left there.
typedef struct StickCcdHit {
    double time;
    int count;
    struct {
        double normal[3]; // from b to a
        StickManifoldPoint point;
    } touch[STICK_CCD_POINTS];
    double centre_a[3], centre_b[3];
    bool by_centre; // as StickCcdPair.by_centre
} StickCcdHit;

// Of a pair that is apart at the start: the first time in the span at which both touch and would penetrate each other if they
// moved on. Shapes that only graze each other, as a block that slides from one tile to the next, do not hit.
bool stick_ccd(const StickCcdPair *pair, StickCcdHit *hit);

// Of an obstacle from inside, whose inside is convex: whether the shape is beyond it at the end of its path, by more than
// `depth`; where it hit, or with at_end what is beyond it at the end.
bool stick_ccd_leaves(const StickCcdPair *pair, bool at_end, StickCcdHit *hit);

// Of a pair that touches at the start and rotates: where it penetrates on its path, deeper than at the start by a part of `thin`;
// the deepest place of what can be passed through up to a part of `thin`, otherwise of the whole path.
bool stick_ccd_sinks(const StickCcdPair *pair, StickCcdHit *hit);

// Of a body with the degrees of freedom q and the angular velocity w; false: it turns about a constant axis, or hardly within
// the time.
bool stick_ccd_tumble(const StickRigid *rigid, const double *q, const double w[3], double time,
                      StickTumble *tumble);

// Largest speed of a point of the shape due to the rotation of its body; a ball that turns about its centre does not move.
double stick_ccd_turning_speed(const StickMovingShape *moving);

#endif
