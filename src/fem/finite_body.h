// SPDX-License-Identifier: Apache-2.0
// Internal data of fem/finite.c, shared by several files.
#ifndef FEM_FINITE_BODY_H
#define FEM_FINITE_BODY_H

#include "fem/finite.h"
#include "fem/finite_element.h"

// Of one element.
typedef struct StickFiniteResult {
    bool bad;
    double energy, multiplier, loss, worst;
} StickFiniteResult;

// Data of one element in a sequence of augmentations: V, and U' of this round and of the previous one.
typedef struct StickAugmenting {
    double volume, pressure, before;
} StickAugmenting;

struct StickFinite {
    StickContext *ctx;
    const StickContinuum *continuum;
    const StickSparse *pattern;
    bool ring;
    int per_point;       // history of a point
    size_t *first_value; // nelements, in reference
    double *reference;
    int *first_point;    // nelements + 1
    size_t *first_block; // nelements, in block
    int *block; // of nodes (a, b) of an element, at b * nnodes + a: its place in the columns of node b
    int ncolours;
    int *first_of_colour; // ncolours + 1, in order
    int *order;           // elements by colours
    StickFiniteResult *result;
    StickAugmenting *augmenting; // nelements, with mean dilatation
    double augment_factor;       // of the round before
};

// Fills an element with all data except its history, h and the flags of requested results.
void stick_finite_take(const StickFinite *finite, int e, const double *q, StickFiniteElement *element);
void stick_finite_take_history(const StickFinite *finite, int e, const double *past, double *next,
                               StickFiniteElement *element);

#endif
