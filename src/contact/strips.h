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
#ifndef CONTACT_STRIPS_H
#define CONTACT_STRIPS_H

#include "bodies/frames.h"

// One of the two surfaces of a pair: 0 is the strip's, 1 the mate's.
typedef struct StickStripSide {
    int surface; // of the StickStrips
    int body;
    double s;         // parameter of the centre
    double x[2];      // where its force acts, in space
    double normal[2]; // from strip to mate, along which its force acts
    int first, count; // of its weights
} StickStripSide;

typedef struct StickStripPair {
    int mating; // of the model
    StickStripSide side[2];
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
} StickStripPair;

typedef struct StickStripSet {
    int npairs;
    StickStripPair *pair;
    int nweights;
    int *node; // of the body
    double *weight;
    size_t pair_capacity, node_capacity, weight_capacity;
} StickStripSet;

typedef struct StickSurfaceCurve {
    int body;
    const StickMeshFlank *curve;
    double middle[2], radius; // of a circle around it, in the frame of the mesh
} StickSurfaceCurve;

typedef struct StickStrips StickStrips;

StickStatus stick_strips_create(StickContext *ctx, const StickSystem *system, const StickFrames *frames,
                                StickStrips **strips);
void stick_strips_destroy(StickStrips *strips);

int stick_strips_surfaces(const StickStrips *strips);
const StickSurfaceCurve *stick_strips_surface(const StickStrips *strips, int surface);

// Pairs within the distance of their contact, as the frames are placed.
StickStatus stick_strips_find(StickStrips *strips, const StickFrames *frames, double t, StickStripSet *set);

// Also those that are farther apart than 'max-distance' by as much.
StickStatus stick_strips_find_beyond(StickStrips *strips, const StickFrames *frames, double t, double beyond,
                                     StickStripSet *set);

void stick_strip_set_destroy(StickContext *ctx, StickStripSet *set);

// g of a side: the force on the mate's body per unit of p, and that on the strip's turned around.
void stick_strip_force(const StickStripPair *pair, int side, double g[2]);

#endif
