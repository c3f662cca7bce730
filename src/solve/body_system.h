// SPDX-License-Identifier: Apache-2.0
// The bodies of a friction problem whose W is known in its factored form, W = H' S H, S = M^-1 (with joints:
// body_joints.h): products with H, M and S, and factors of
//
//     A = (1 + shift) M + H D H'
//
// with a dim x dim block D_c for each contact. A has 3 or 6 rows per body and couples bodies that touch, whatever the
// number of contacts between them.
#ifndef SOLVE_BODY_SYSTEM_H
#define SOLVE_BODY_SYSTEM_H

#include "base/pool.h"
#include "linalg/block_lu.h"
#include "solve/body_joints.h"
#include "solve/residual.h"

#include <stickslip/friction.h>

#include <stdbool.h>

// From this number of contacts on threads are worth their start.
enum { STICK_BODY_THREADS = 1000 };

typedef struct StickBodySystem {
    StickContext *ctx;
    bool has_threads; // it uses those of the context
    int dim, ndofs, ncontacts;
    int lead;    // ndofs padded to a multiple of 4: distance of columns of H and rows of blocks
    int nbodies; // that contacts of the problem act on, directly or by joints
    int *number; // of the bodies of the problem: the own number, or -1
    int *side;   // ncontacts x 2: own numbers of bodies, or -1
    int *first;  // nbodies + 1: the sides of a body begin here ...
    int *list;   // ... in this list of 2 * contact + side
    int *start;  // nbodies + 1: the pairs of a body begin here ...
    int *other;  // ... in this ascending list of bodies that it touches, and itself
    int *pair;   // ncontacts x 2: the pair of a side and the other one, -1: none
    int *own;    // nbodies: the pair of a body with itself
    double *H;   // ncontacts x 2 x dim x lead: columns of H one after the other
    double *M, *S;
    double *p; // ndofs * nbodies
    StickResidualPieces pieces;
    StickBodyJoints joints;
    bool is_well;  // joints are independent
    double *block; // of the pairs, ndofs x lead
    StickBlockLu *lu;
    int *row_start, *col; // its pattern by blocks of 3 x 3 ...
    double *value;        // ... and its blocks
    int *ints, *mark;
    double *reals;
    size_t int_room, real_room, pair_room, block_room, value_room, col_room;
} StickBodySystem;

StickStatus stick_body_system_create(StickContext *ctx, StickBodySystem *system);
void stick_body_system_destroy(StickBodySystem *system);

// Loads the bodies of a problem, and makes room for factors. Large problems use the threads of the context, if
// allowed.
StickStatus stick_body_system_load(StickBodySystem *system, const StickFrictionProblem *problem,
                                   bool may_use_threads);

// Operations of one factorisation; not finite where factors would be too large, joints depend on each
// other or are too many.
double stick_body_system_flops(const StickBodySystem *system);

// u = u_free + H' v
void stick_body_system_velocity(const StickBodySystem *system, const double *u_free, const double *v,
                                double *u);

// p = H r
void stick_body_system_impulse(const StickBodySystem *system, const double *r, double *p);

// p = M w, with springs; w = M^-1 p, with springs and joints
void stick_body_system_momentum(const StickBodySystem *system, const double *w, double *p);
void stick_body_system_response(StickBodySystem *system, const double *p, double *w);

// Factors of A, with joints; contacts without D (status 0) are left out. false: A is singular.
bool stick_body_system_factor(StickBodySystem *system, const unsigned char *status, const double *D,
                              double shift);

// dv = A^-1 p
void stick_body_system_solve(StickBodySystem *system, const double *p, double *dv);

// All contacts by pieces, and the sum of a function of them, with the same bits for every number of threads.
typedef double StickBodySum(const void *data, int from, int to);
void stick_body_system_range(const StickBodySystem *system, StickRange *function, void *data);
double stick_body_system_sum(const StickBodySystem *system, StickBodySum *function, const void *data);

// For the problem itself, on the threads of the system: u = W r + u_free by the blocks of W, and its residual; and
// the residual of a given u.
StickResidual stick_body_system_measure(const StickBodySystem *system, const StickFrictionProblem *problem,
                                        const double *r, double *u);
StickResidual stick_body_system_residual(const StickBodySystem *system, const StickFrictionProblem *problem,
                                         const double *r, const double *u);

#endif
