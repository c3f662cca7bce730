// SPDX-License-Identifier: Apache-2.0
// Bodies at rest on each other as friction problems of any size: one step of gravity, all forces unknown.
#ifndef BENCH_PACKING_H
#define BENCH_PACKING_H

#include <stickslip/friction.h>

typedef enum PackingKind {
    PACKING_DISKS, // in the plane: a triangular lattice, radii and normals a little disturbed, some contacts missing
    PACKING_BRICKS, // in the plane: a wall in running bond, two contacts per face
    PACKING_BOXES,  // in space: the same, four contacts per face
} PackingKind;

typedef struct Packing {
    StickContext *ctx;
    StickFrictionProblem problem;
    StickBlocks W;
    double *u_free, *mu;
} Packing;

// About ncontacts contacts, the same ones on every machine.
StickStatus packing_create(StickContext *ctx, PackingKind kind, int ncontacts, Packing *packing);
void packing_destroy(Packing *packing);

#endif
