// SPDX-License-Identifier: Apache-2.0
// How nodes share a strip of a curve: averages of their hat functions over it.
#ifndef CONTACT_FACET_WEIGHTS_H
#define CONTACT_FACET_WEIGHTS_H

#include "contact/facets.h"

// What integrals over a part of a curve give: of 1, s and both hat functions of a cell by length.
typedef struct StickFacetIntegrals {
    double length, moment, hat[2];
} StickFacetIntegrals;

// Puts a weight at the end of a set.
StickStatus stick_facet_add_weight(StickContext *ctx, StickFacetSet *set, int node, double weight);

// The side between two nodes that a parameter is in.
int stick_facet_cell(const StickMeshFlank *curve, double s);

// Sides of a closed curve; 0: it has ends. Behind its end a closed one goes on at its start, with parameters that grow by
// its period; stick_facet_wrap brings them back between both.
int stick_facet_ring(const StickMeshFlank *curve);
double stick_facet_period(const StickMeshFlank *curve);
double stick_facet_wrap(const StickMeshFlank *curve, double s);

// A place on a curve, counted in sides from its first node, by its parameter; and its parameter by that.
double stick_facet_sides(const StickMeshFlank *curve, double s);
double stick_facet_parameter(const StickMeshFlank *curve, double sides);

// Weights of a part of a curve, which may lie in several cells and across the seam of a ring, at the end of a set; sum has its length and moment.
StickStatus stick_facet_weigh(StickContext *ctx, const StickMeshFlank *curve, double from, double to,
                              StickFacetSet *set, StickFacetIntegrals *sum);

#endif
