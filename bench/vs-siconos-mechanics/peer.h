// SPDX-License-Identifier: Apache-2.0
// Siconos' mechanics behind an interface in C: spheres in a box of five planes, or bricks on a floor; contacts by
// Bullet, the scheme of Moreau and Jean with theta = 1/2, one linearisation per step, contact problems solved from the
// impulses of the last step.
#ifndef BENCH_MECHANICS_PEER_H
#define BENCH_MECHANICS_PEER_H

#include <stdbool.h>

typedef struct PeerScene {
    int nbodies;
    const double *centre; // nbodies x 3
    double radius;        // of spheres; 0: bricks ...
    double brick[3];      // ... of these sides
    double mass, inertia[3], friction, gravity;
    double side; // of the box of spheres: floor at z = 0, walls at x, y = 0 and side
    double step, tolerance;
} PeerScene;

// The friction problem of the last step, W by rows of 3 x 3 blocks, each by columns; owned by the peer.
typedef struct PeerProblem {
    int ncontacts;
    const unsigned long *start, *col; // block rows
    double *const *block;
    const double *u_free, *r;
    int sweeps;
} PeerProblem;

typedef struct Peer Peer;

#ifdef __cplusplus
extern "C" {
#endif

// Names of solvers of the contact problem, NULL behind the last.
const char *peer_solver(int index);

Peer *peer_create(const PeerScene *scene, int solver);
void peer_destroy(Peer *peer);

// False if it threw an exception, which is printed.
bool peer_step(Peer *peer);
PeerProblem peer_problem(const Peer *peer);

// Centre, velocity of the centre, angular velocity in axes of the body.
void peer_body(const Peer *peer, int body, double centre[3], double velocity[6]);

#ifdef __cplusplus
}
#endif

#endif
