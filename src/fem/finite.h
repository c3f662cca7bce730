// SPDX-License-Identifier: Apache-2.0
// A continuum under finite deformation: internal forces and their tangent, total Lagrangian.
//
//     F_int = sum over points of B' (tau + p J 1) dV,       p = U'(theta) + lambda
//
// With mean dilatation (q4p0, h8p0, and their rings) theta and p belong to the element [RBV02 (58)], theta = v / V, and
// lambda is the multiplier of its Lagrangian augmentations; else theta = J at each point. The history of points and
// elements (plastic strains, relaxing stresses, lambda) is an array of doubles that belongs to the caller, as
// displacements do: a step reads the past one and writes the next.
#ifndef FEM_FINITE_H
#define FEM_FINITE_H

#include "fem/fem.h"

typedef struct StickFinite StickFinite;

// Keeps continuum and pattern (that of K of stick_fem_matrices). Refused at the body: plane stress, bars.
StickStatus stick_finite_create(StickContext *ctx, const StickContinuum *continuum,
                                const StickSparse *pattern, StickFinite **finite);
void stick_finite_destroy(StickFinite *finite);

// Number of doubles of the history, and the history at rest.
int stick_finite_history(const StickFinite *finite);
void stick_finite_rest(const StickFinite *finite, double *history);

typedef struct StickFiniteTask {
    const double *q; // ndofs
    double h;        // time since the past history; 0: nothing relaxes
    const double *past;
    double *next;    // out; may not be past
    double *force;   // out, ndofs: F_int
    double *tangent; // out: values of dF_int/dq on the pattern, symmetric; NULL: not computed
    bool no_loss;    // skip the loss by relaxation, which costs as much as all the rest
    // out
    int bad_element; // first inverted one, or without a state in its law: then the other results are invalid; -1: none
    double energy; // stored; with multiplier_energy the potential of F_int, if nothing is dissipated
    double multiplier_energy; // sum of lambda (theta - 1) V
    double loss;              // dissipated in the step
    double worst_volume;      // largest |theta - 1| over elements, or points
} StickFiniteTask;

// On the threads of the context, the same bits for every number of them.
StickStatus stick_finite_evaluate(StickFinite *finite, StickFiniteTask *task);

// Largest |theta - 1| of the elements; infinite with an inverted one. Without mean dilatation 0.
double stick_finite_volume_change(const StickFinite *finite, const double *q);

// One augmentation. In the first round lambda of every element becomes its pressure p at q; in later rounds it is
// extrapolated from the change of U' since then. No effect without mean dilatation.
StickStatus stick_finite_augment(StickFinite *finite, const double *q, int round, double *history);

// Fields of a converged state: nothing flows or relaxes any more. NULL members are not computed.
typedef struct StickFiniteFields {
    // at the nodes, by the points of each element, averaged over elements
    double *stress;  // nnodes x 6, Cauchy's, as in stick_fem_stress
    double *plastic; // nnodes, equivalent strain
    // of the elements
    double *pressure; // nelements, mean of -tr(sigma) / 3
    double *volume;   // nelements, theta
} StickFiniteFields;
StickStatus stick_finite_fields(StickFinite *finite, const double *q, const double *history,
                                const StickFiniteFields *fields);

#endif
