// SPDX-License-Identifier: Apache-2.0
// Joints and springs between the bodies of a friction problem: rows G v + c lambda = 0 with a compliance c >= 0. They
// border the matrix A of the bodies and are eliminated by their Schur complement C = c + G A^-1 G':
//
//     (A + G' c^-1 G)^-1 = A^-1 - A^-1 G' C^-1 G A^-1
//
// which also holds for rigid joints, where c = 0 and velocities stay in the null space of G.
#ifndef SOLVE_BODY_JOINTS_H
#define SOLVE_BODY_JOINTS_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickBodyJoints {
    StickContext *ctx;
    int ndofs, count;   // velocities of a body; rows
    StickJointRow *row; // of own numbers of bodies; zero where a velocity is prescribed
    double *C, *C_free; // count x count: factors with A, and with the masses alone
    int *pivot;         // count, of C and of C_free
    double *Z;          // count x velocities: A^-1 G'
    double *y;          // count
    size_t row_room, real_room, Z_room, pivot_room;
} StickBodyJoints;

void stick_body_joints_destroy(StickBodyJoints *joints);

// Numbers bodies that joints connect with those that have a number; returns how many there are then.
int stick_body_joints_number(const StickBodies *bodies, int *number, int count);

// The rows between numbered bodies, nbodies of them, with their inverse masses S. Sets `well` if C_free is regular
// and the number of rows is small enough for the bordered form to be efficient.
StickStatus stick_body_joints_load(StickContext *ctx, StickBodyJoints *joints, const StickBodies *bodies,
                                   const int *number, int nbodies, const double *S, bool *well);

// Operations of one factorisation for bodies with this number of velocities; a solve with the factors of the bodies
// alone takes `solve` operations.
double stick_body_joints_flops(const StickBodyJoints *joints, double velocities, double solve);

// p += G' c^-1 G w of the rows with a compliance
void stick_body_joints_momentum(const StickBodyJoints *joints, const double *w, double *p);

// w = S p becomes the response of the bodies with their joints.
void stick_body_joints_response(StickBodyJoints *joints, const double *S, double *w);

// After A has changed: solve(data, p, x) gives x = A^-1 p; p: room for all velocities. false: C is singular.
typedef void StickBodySolve(void *data, const double *p, double *x);
bool stick_body_joints_factor(StickBodyJoints *joints, int nbodies, StickBodySolve *solve, void *data,
                              double *p);

// dv = A^-1 p becomes that of the bordered matrix.
void stick_body_joints_correct(StickBodyJoints *joints, int nbodies, double *dv);

#endif
