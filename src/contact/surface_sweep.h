// SPDX-License-Identifier: Apache-2.0
// Surfaces of deformable bodies that would pass through others, or through obstacles, on the way of a step: they become
// contacts of the problem that led them there, as rigid bodies do (contact/rigid_sweep.h).
//
// Nodes, facets and edges move along straight lines from where they are to where the step leads them. A pair is swept if it
// moves farther, relative to each other, than a part of its scale: the least length of an element, thickness of a rigid
// body or of an obstacle. Features that are tested (contact/feature_ccd.h):
//
//     nodes of the first surface           against the second one or an obstacle
//     corners of the second one            against facets of the first one: small objects do not pass between its nodes
//     balls, capsules, circles, cylinders  against facets of the first one
//     edges, in space                      where they meet before nodes and facets do
#ifndef CONTACT_SURFACE_SWEEP_H
#define CONTACT_SURFACE_SWEEP_H

#include "contact/two_pass.h"

// A pair of the model, as contact/pairs.c has it.
typedef struct StickSweptPair {
    int pair;
    const StickContactSpec *spec;
    const StickSurface *slave;
    const StickObstacle *obstacle; // where it is at the start of the span; or, where it is NULL, ...
    const StickSurface *master;
    StickBvh *master_tree;
    StickTwoPass *second;
    bool mutual;
    double scale;
} StickSweptPair;

typedef struct StickSurfaceSweep StickSurfaceSweep;

StickStatus stick_surface_sweep_create(StickContext *ctx, int dim, StickSurfaceSweep **sweep);
void stick_surface_sweep_destroy(StickSurfaceSweep *sweep);

// The scale of a pair; infinite for a plane alone.
double stick_surface_sweep_scale(const StickSurface *slave, const StickObstacle *obstacle,
                                 const StickSurface *master);

// Before the pairs of a span.
void stick_surface_sweep_clear(StickSurfaceSweep *sweep);

// Places the features of a pair for a span; false: it is too slow to be swept.
StickStatus stick_surface_sweep_begin(StickSurfaceSweep *sweep, const StickSweptPair *pair,
                                      const StickMotionSweep *span, bool *is_fast);

// After that: up to which gap contacts of a detection stand for the span, because the motion does not turn their gaps.
double stick_surface_sweep_near(const StickSurfaceSweep *sweep);

// After that, of a fast pair: finds what the set of contacts does not hold back.
StickStatus stick_surface_sweep_find(StickSurfaceSweep *sweep, const StickContactSet *set);

// After all pairs: puts the contacts found at their places in the set. changed: how many.
StickStatus stick_surface_sweep_merge(StickSurfaceSweep *sweep, StickContactSet *set, int *changed);

// Puts contacts of surfaces at their places in a set.
StickStatus stick_surface_sweep_insert(StickSurfaceSweep *sweep, const StickContactSet *hits,
                                       StickContactSet *set);

#endif
