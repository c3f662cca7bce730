// SPDX-License-Identifier: Apache-2.0
// How nodes share a strip of a curve: averages of their hat functions over it.
#ifndef CONTACT_STRIP_WEIGHTS_H
#define CONTACT_STRIP_WEIGHTS_H

#include "contact/strips.h"

// What integrals over a part of a curve give: of 1, s and both hat functions of a cell by length.
typedef struct StickStripIntegrals {
    double length, moment, hat[2];
} StickStripIntegrals;

// Puts a weight at the end of a set.
StickStatus stick_strip_add_weight(StickContext *ctx, StickStripSet *set, int node, double weight);

// The side between two nodes that a parameter is in.
int stick_strip_cell(const StickMeshFlank *curve, double s);

// Sides of a closed curve; 0: it has ends. Behind its end a closed one goes on at its start, with parameters that grow by
// its period; stick_strip_wrap brings them back between both.
int stick_strip_ring(const StickMeshFlank *curve);
double stick_strip_period(const StickMeshFlank *curve);
double stick_strip_wrap(const StickMeshFlank *curve, double s);

// A place on a curve, counted in sides from its first node, by its parameter; and its parameter by that.
double stick_strip_sides(const StickMeshFlank *curve, double s);
double stick_strip_parameter(const StickMeshFlank *curve, double sides);

// Weights of a part of a curve, which may lie in several cells and across the seam of a ring, at the end of a set; sum has its length and moment.
StickStatus stick_strip_weigh(StickContext *ctx, const StickMeshFlank *curve, double from, double to,
                              StickStripSet *set, StickStripIntegrals *sum);

#endif
