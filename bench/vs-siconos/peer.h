// SPDX-License-Identifier: Apache-2.0
// The peer: solvers of Siconos Numerics on a friction problem of ours.
#ifndef VS_SICONOS_PEER_H
#define VS_SICONOS_PEER_H

#include <stickslip/friction.h>

typedef struct Peer Peer; // the problem in Siconos' storages

Peer *peer_create(const StickFrictionProblem *problem);
void peer_destroy(Peer *peer);

// Names of the solvers for a dimension, NULL past the last; the first is the one that Siconos takes by default.
const char *peer_solver(int dim, int index);

// Solves so many times (at most MOST_REPEATS) from r = 0, each with fresh options and a fresh copy of the problem, and
// tells the processor seconds of one call alone.
enum { MOST_REPEATS = 200 };
double peer_solve(const Peer *peer, int index, double tolerance, int repeats, double *r, double *u);

#endif
