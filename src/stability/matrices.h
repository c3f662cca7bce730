// SPDX-License-Identifier: Apache-2.0
// M*, C*, K*: the matrices of small motions about a sliding state, on the degrees of freedom that stay free
// [RBV02 (114)]. Motions are a = Z a*, and rows are gathered by Y', which leaves no contact force:
//
//     stuck:     the slave moves with its antagonist                          Y and Z alike
//     slipping:  its normal motion is that of the antagonist                  Y = Z + m n (slip . u_T)
//
//     M* = Y' M Z    K* = Y' K Z    C* = Y' C Z + sum r_N (slope s s' + mu/speed t t')
//
// with m = d(mu r_N)/d r_N, which is mu unless its law depends on the pressure, and s, t the rows of relative sliding
// along the direction of sliding and across it. Antagonists are rigid or master surfaces; frames and contact points
// on master surfaces do not change.
#ifndef STABILITY_MATRICES_H
#define STABILITY_MATRICES_H

#include "stability/sliding.h"

typedef struct StickReduced {
    int n;               // active degrees of freedom; 0: supports and stuck contacts hold all
    StickSparse Z, Y;    // ndofs x n
    StickSparse M, C, K; // n x n: starred
    bool damped;         // C* is not zero; otherwise it is empty
    int open, stuck, slipping;
    int rubbing;      // those that slip with friction
    StickSparse slip; // rubbing x n: relative sliding of each along its direction; (121) reads slip a* >= 0
    int *contact;     // rubbing: whose rows they are
} StickReduced;

// Refuses, with the name of the contact: contacts of integrated surfaces; a closed slave node in two contacts or also
// a master of another one; a slipping contact whose support holds it along the normal or obliquely to it.
StickStatus stick_reduced_create(StickContext *ctx, const StickSliding *sliding, StickReduced *reduced);
void stick_reduced_destroy(StickContext *ctx, StickReduced *reduced);

// a (ndofs) = Z a*
void stick_reduced_expand(const StickReduced *reduced, const double *active, double *a);
void stick_reduced_expand_complex(const StickReduced *reduced, const double _Complex *active,
                                  double _Complex *a);

#endif
