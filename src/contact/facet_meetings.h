// SPDX-License-Identifier: Apache-2.0
// Strips as they are cut from surfaces, and which surfaces may touch: made once by strips.c, searched for pairs at every
// position by strip_pairs.c.
#ifndef CONTACT_FACET_MEETINGS_H
#define CONTACT_FACET_MEETINGS_H

#include "contact/facets.h"

// A strip on its surface, in the frame of the mesh.
typedef struct StickContactFacet {
    double from, to, middle; // parameters; across the seam of a ring they go on
    double end[2][2];        // places of both ends
    double x[2], normal[2];  // at the middle
    double length;
    int first, count; // of its weights
} StickContactFacet;

// Two surfaces that may touch.
typedef struct StickFacetMeeting {
    int mating;
    int surface[2];
    int first, count; // of its strips
} StickFacetMeeting;

struct StickFacets {
    StickContext *ctx;
    const StickSystem *system;
    int nsurfaces;
    StickSurfaceCurve *surface;
    StickMeshFlank **own; // curves of groups that have none
    int nown;
    int nmeetings;
    StickFacetMeeting *meeting;
    int nstrips;
    StickContactFacet *strip;
    StickFacetSet fixed; // weights of all strips
    double beyond;       // how far pairs are looked for beyond 'max-distance'
    size_t surface_capacity, own_capacity, meeting_capacity, strip_capacity;
};

// Cuts a part out of a curve; its weights go to the end of a set.
StickStatus stick_facet_cut(StickContext *ctx, const StickMeshFlank *curve, double from, double to,
                            StickFacetSet *set, StickContactFacet *strip);

#endif
