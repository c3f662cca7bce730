// SPDX-License-Identifier: Apache-2.0
// Positions of a trajectory in which strips may stick: Coulomb's law with what each pair has slid since the position
// before,
//
//     u_N = gap + (W r + C theta)_N >= 0,   u_T = way + (W r + C (theta - theta'))_T - what u' had parted them by,
//
// with theta' and u' of the position before, and `way` by which the motion of the frames moved the mate along the strip
// since. u_T is that of the particles which are at the strip and at its mate now; where they touched before does not
// matter. Where nothing came before bodies came undeformed from one time between positions earlier.
#ifndef STEPPING_STICKING_H
#define STEPPING_STICKING_H

#include "solve/floating_frame_friction.h"
#include "stepping/trajectory.h"

typedef struct StickSticking {
    StickContext *ctx;
    StickFloatingFrameSolver *solver;
    StickFrame *earlier, *later; // frames at the position before, and now
    // The problem of the present position, m pairs: 2m entries each, the normal one first.
    StickBlocks W;
    double *C; // 2m x motions by columns
    double *w, *u_free, *r, *u;
    double *mu; // m
    size_t start_capacity, col_capacity, value_capacity, C_capacity, w_capacity, u_free_capacity, r_capacity,
        u_capacity, mu_capacity;
} StickSticking;

// By the name of a friction solver.
StickStatus stick_sticking_create(StickSimulation *run, const char *name, StickSticking **sticking);
void stick_sticking_destroy(StickSticking *sticking);

// W, and A of sliding pairs from it.
StickStatus stick_sticking_pose(StickSimulation *run);

// p, d and theta of the trajectory, and of each pair the part of its friction and whether it sticks; started from the
// solution in which all pairs slide, where there is one.
StickStatus stick_sticking_solve(StickSimulation *run, bool is_guessed);

#endif
