// SPDX-License-Identifier: Apache-2.0
// Contact: laws, contacts between named surfaces, rules for rigid bodies.
#ifndef MODEL_CONTACT_SPEC_H
#define MODEL_CONTACT_SPEC_H

#include "model/expression.h"
#include "model/target.h"

typedef enum StickContactMethod {
    STICK_CONTACT_DEFAULT, // nodes, or integrated for quadratic elements
    STICK_CONTACT_NODES,
    STICK_CONTACT_INTEGRATED,
} StickContactMethod;

// Bodies that overlap at the start of the model.
typedef enum StickOverclosure {
    STICK_OVERCLOSURE_DEFAULT, // named surfaces: keep; rigid bodies: the setting of the step, else refuse
    STICK_OVERCLOSURE_KEEP,
    STICK_OVERCLOSURE_RESOLVE,
    STICK_OVERCLOSURE_ADJUST,
    STICK_OVERCLOSURE_REFUSE,
} StickOverclosure;

typedef enum StickLawKind {
    STICK_LAW_DISK,     // isotropic: |r_T| <= friction r_N
    STICK_LAW_ELLIPSE,  // (r_1/ellipse[0])^2 + (r_2/ellipse[1])^2 <= r_N^2
    STICK_LAW_POLYGON,  // r_T in r_N times the convex hull of corners
    STICK_LAW_INTERVAL, // friction interval[0] for sliding along the axis, interval[1] against it
} StickLawKind;

// The contact law of two bodies.
typedef struct StickLawSpec {
    StickExpression *friction; // sees t, place, sliding and state; of a section its factor
    StickLawKind section;      // ellipse and polygon in space, interval in the plane
    double ellipse[2], interval[2];
    int ncorners;
    double *corner;            // 2 each, anticlockwise, 0 inside
    double axis[3];            // first axis of a section: this fixed direction, projected on the tangents
    StickExpression *cohesion; // largest force of attraction per contact, sees as friction; NULL: none
    // Newton's, u_N+ = -e u_N-; sees as friction, and the speed of approach; NULL: none
    StickExpression *restitution;
    // delta of the whole system, sees t and the largest speed of approach; NULL: not given here
    StickExpression *dissipation;
    // state variable of a contact of rigid bodies, which the others see: when it is first seen (sees t, place), and
    // d state / dt (sees as friction); NULL: none
    StickExpression *state_start, *state_rate;
} StickLawSpec;

typedef struct StickContactSpec {
    StickMark mark;
    StickTarget slave; // first of "between": carries the unknowns. A rigid body without group: its whole skin
    StickTarget master;
    StickLawSpec law;
    StickContactMethod method;
    StickOverclosure overclosure;
    double
        reach; // search distance: pairs farther apart than this and than the possible motion in a step are ignored
    // Of bodies on trajectories (StickModel.mating): strips of the first surface touch where their normals meet the
    // other one.
    double max_distance; // of candidates for contact; 0: not one of these
    int strip;           // sides of elements of the first that a strip is as long as
    int gears;           // index of the pair whose drive flanks are meant; -1: slave and master
} StickContactSpec;

typedef enum StickSideKind { STICK_SIDE_ALL, STICK_SIDE_MATERIAL, STICK_SIDE_TARGET } StickSideKind;

// Which bodies and obstacles a rule is for.
typedef struct StickSideSpec {
    StickMark mark;
    StickSideKind kind;
    int material;
    StickTarget target; // without a group
} StickSideSpec;

// Contact of rigid bodies with each other and with obstacles. Of several rules for a pair the most specific one holds
// (stick_model_rule).
typedef struct StickRuleSpec {
    StickMark mark;
    StickSideSpec side[2];
    StickLawSpec law;
    StickOverclosure overclosure;
} StickRuleSpec;

#endif
