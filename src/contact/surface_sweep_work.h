// SPDX-License-Identifier: Apache-2.0
// What the sweep of surfaces works with; only for contact/surface_sweep*.c.
#ifndef CONTACT_SURFACE_SWEEP_WORK_H
#define CONTACT_SURFACE_SWEEP_WORK_H

#include "contact/feature_ccd.h"
#include "contact/surface_sweep.h"

// Nodes of a surface with their paths, seen from the counterface.
typedef struct StickSweptSurface {
    const StickSurface *of;
    StickMovingPoint *point; // nnodes
    size_t capacity;
    double centre[3]; // of a rigid body at the start
} StickSweptSurface;

// Nodes of a surface with their shares at one side of a contact.
typedef struct StickSweptSide {
    int count;
    int node[3];
    double weight[3];
} StickSweptSide;

typedef struct StickSweptHit {
    double time;
    double normal[3]; // from the counterface to the slave
    int feature;      // within its pair
    StickSweptSide slave, master;
} StickSweptHit;

struct StickSurfaceSweep {
    StickContext *ctx;
    // the present pair
    const StickSweptPair *pair;
    const StickMotionSweep *span;
    const StickContactSet *set;
    StickSweptSurface slave, master;
    StickMovingCore core; // of a round rigid body
    double common[3];     // motion of the counterface, which paths are seen from
    double motion;        // longest path of a point, relative to the other side
    int *first_at;        // contacts of the set at each node of the slave ...
    int *next_at;         // ... and the next one of each
    double *node_time;    // when each node of the slave hits something
    StickSweptHit *hit;
    size_t nhits;
    StickHits found;
    // all pairs
    bool *drop; // contacts of the set that are replaced
    size_t ndrop;
    StickContactSet caught, merged;
    size_t first_at_capacity, next_at_capacity, node_time_capacity, hit_capacity, drop_capacity;
};

// Puts all hits of the pair that count and that no contact of the set holds back into sweep->hit.
StickStatus stick_swept_features(StickSurfaceSweep *sweep);

// Whether a contact of the set at one of these nodes of the slave holds back a hit.
bool stick_swept_is_held(const StickSurfaceSweep *sweep, const int *node, int count,
                         const StickFeatureHit *hit, const double normal[3]);

// Whether a hit penetrates by more than round-off.
bool stick_swept_counts(const StickSurfaceSweep *sweep, const StickFeatureHit *hit);

StickStatus stick_swept_put(StickSurfaceSweep *sweep, const StickSweptHit *hit);

#endif
