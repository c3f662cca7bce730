// SPDX-License-Identifier: Apache-2.0
// Candidates for contact of bodies on trajectories [VBH88]: strips of even pressure on the true shape of a surface, each
// with its mate where its normal meets the other surface.
//
// The force of a pair is p g on the mate's body and -p g on the strip's, on one line through the strip's centre, with
// g = n - mu sense t, n out of the strip's body, t = n turned by +90 degrees. Nodes share it by weights, the averages of
// their hat functions over the strip; displacements are averaged by the same weights.
//
// Each gear is pushed along the normal of its own flank at its own point: tangents of both base circles, as they are
// again when the deformed flanks touch, where those of one gear would be off by the angle at which it stays behind.
#ifndef CONTACT_FACETS_H
#define CONTACT_FACETS_H

#include "bodies/frames.h"

// One of the two surfaces of a pair: 0 is the strip's, 1 the mate's.
typedef struct StickFacetSide {
    int surface; // of the StickFacets
    int body;
    double s;         // parameter of the centre
    double x[2];      // where its force acts, in space
    double normal[2]; // from strip to mate, along which its force acts
    int first, count; // of its weights
} StickFacetSide;

typedef struct StickFacetPair {
    int mating; // of the model
    StickFacetSide side[2];
    int strip;        // number on its surface
    double x[2];      // centre of the strip, in space
    double normal[2]; // out of its body
    double length;    // of the strip
    double gap;       // from the strip to its mate along the normal, before anything deforms
    // Way of the mate's body along t against the strip's by the ideal motion: -1, 0 or 1, and where it changes within the
    // strip the mean.
    double sense;
    double speed; // of it
    bool sticks;  // it presses and does not slide; sense is then the part of mu that its friction takes
    double mu;
} StickFacetPair;

typedef struct StickFacetSet {
    int npairs;
    StickFacetPair *pair;
    int nweights;
    int *node; // of the body
    double *weight;
    size_t pair_capacity, node_capacity, weight_capacity;
} StickFacetSet;

typedef struct StickSurfaceCurve {
    int body;
    const StickMeshFlank *curve;
    double middle[2], radius; // of a circle around it, in the frame of the mesh
} StickSurfaceCurve;

typedef struct StickFacets StickFacets;

StickStatus stick_facets_create(StickContext *ctx, const StickSystem *system, const StickFrames *frames,
                                StickFacets **strips);
void stick_facets_destroy(StickFacets *strips);

int stick_facets_surfaces(const StickFacets *strips);
const StickSurfaceCurve *stick_facets_surface(const StickFacets *strips, int surface);

// Pairs within the distance of their contact, as the frames are placed.
StickStatus stick_facets_find(StickFacets *strips, const StickFrames *frames, double t, StickFacetSet *set);

// Also those that are farther apart than 'max-distance' by as much.
StickStatus stick_facets_find_beyond(StickFacets *strips, const StickFrames *frames, double t, double beyond,
                                     StickFacetSet *set);

void stick_facet_set_destroy(StickContext *ctx, StickFacetSet *set);

// g of a side: the force on the mate's body per unit of p, and that on the strip's turned around.
void stick_facet_force(const StickFacetPair *pair, int side, double g[2]);

#endif
