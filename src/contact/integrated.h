// SPDX-License-Identifier: Apache-2.0
// Surfaces in contact by integration: one contact per slave node, its relative velocity and gap weighted by
// the hat function of the node. Uniform pressure goes through surfaces that do not match [JM91 section 8].
#ifndef CONTACT_INTEGRATED_H
#define CONTACT_INTEGRATED_H

#include "contact/search.h"

// Share of a node (by its first degree of freedom) in the contact of slave node j.
typedef struct StickShare {
    int j;
    int dof;
    double value;
} StickShare;

typedef struct StickIntegralSum {
    double area;      // integral of F_j
    double gap;       // integral of F_j gap, against an obstacle
    double offset[3]; // integral of F_j (x_slave - x_master)
    double normal[3]; // integral of F_j n
} StickIntegralSum;

// Working memory of one pair: grows to what a step needs and stays.
typedef struct StickIntegral {
    StickContext *ctx;
    StickIntegralSum *sum; // by slave node
    int *start;            // slave nodes + 1: shares of node j are sorted[start[j]] ...
    StickShare *share, *sorted;
    size_t nshares, share_capacity, sorted_capacity;
    int *dof; // stencil of one contact
    double *weight;
    size_t dof_capacity, weight_capacity;
} StickIntegral;

StickStatus stick_integral_create(StickContext *ctx, const StickSurface *slave, StickIntegral *integral);
void stick_integral_destroy(StickIntegral *integral);

// Appends a contact for every slave node that has an antagonist within reach, in the order of nodes, all in layer
// 0: in a nook a node has one contact with the mean normal. Counts what is lost.
StickStatus stick_integrated_detect(StickIntegral *integral, const StickSearch *search, StickHits *hits,
                                    StickContactSet *set);

#endif
