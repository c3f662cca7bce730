// SPDX-License-Identifier: Apache-2.0
// A pile of spheres as a friction problem of any size: sites of a face-centred lattice, radii and normals a
// little disturbed, of the 12 contacts of a site about half, the lowest layer on a floor, one step of
// gravity.
#ifndef BENCH_PILE_H
#define BENCH_PILE_H

#include <stickslip/friction.h>

typedef struct Pile {
    StickContext *ctx;
    StickFrictionProblem problem;
    StickBlocks W;
    double *u_free, *mu;
} Pile;

// About ncontacts contacts, the same ones on every machine; those of a sphere have numbers near each other.
StickStatus pile_create(StickContext *ctx, int ncontacts, Pile *pile);
void pile_destroy(Pile *pile);

#endif
