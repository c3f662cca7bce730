// SPDX-License-Identifier: Apache-2.0
// Surfaces in contact by integration: one contact per slave node, its relative velocity and gap weighted by
// the hat function of the node. Uniform pressure goes through surfaces that do not match [JM91 section 8].
//
//     slave  \      /         A mean gap is that of the sides around a node. Where they rise from the counterface, the node
//         ____\_.__/____      is inside before the mean gap closes: such a tip has a contact of its own.
//         counterface
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
    double *rise; // slave nodes: least slope at which the pieces around rise from the tangent plane, as made
    double *size; // ... and the size of the largest of them
    double *counter_rise; // the same slope of the nodes of a master surface
} StickIntegral;

// Surfaces at their places at the start; master: NULL before an obstacle.
StickStatus stick_integral_create(StickContext *ctx, const StickSurface *slave, const StickSurface *master,
                                  StickIntegral *integral);
void stick_integral_destroy(StickIntegral *integral);

// Appends a contact for every slave node that has an antagonist within reach, in the order of nodes, all in layer
// 0: in a nook a node has one contact with the mean normal. Counts what is lost.
StickStatus stick_integrated_detect(StickIntegral *integral, const StickSearch *search, StickHits *hits,
                                    StickContactSet *set);

// After it: appends the contacts of tips, one feature for every slave node from 'first' on. A tip moves as its node; its gap is
//     (1 - theta) gap of the node + theta mean gap,    theta = 1 where the sides around are flush: then there is no contact.
// H is not blended, because rows next to theta = 1 would be nearly those of the mean gap, which sweeps cannot resolve.
// has_own: which nodes have a contact of their own already (NULL: none).
StickStatus stick_integrated_tips(StickIntegral *integral, const StickSearch *search, int first,
                                  const bool *has_own, StickHits *hits, StickContactSet *set);

#endif
