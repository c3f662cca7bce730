// SPDX-License-Identifier: Apache-2.0
// Equilibria at positions of an ideal motion [VBH88]: bodies attached to frames that may move a little from it,
//
//     lambda = B p,   d = eps + A p + C theta,   p >= 0,  d >= 0,  p'd = 0                          [VBH88 (1)]
//
// with p the normal forces of candidate pairs (contact/facets.h), d their separations, theta the free motions of frames
// and lambda the loads on them. A comes from the compliance of surface nodes in their frames, which is solved for once:
// when frames turn, forces are turned, not matrices.
#ifndef STEPPING_TRAJECTORY_H
#define STEPPING_TRAJECTORY_H

#include "condense/surface_compliance.h"
#include "contact/facets.h"
#include "stepping/simulation.h"
#include "stepping/trajectory_history.h"

#include <stickslip/mlcp.h>

typedef struct StickSticking StickSticking; // stepping/sticking.h

typedef struct StickTrajectory {
    StickContext *ctx;
    StickFrames frames; // at the last position
    StickFacets *strips;
    StickSurfaceCompliance **compliance; // one per body; NULL: nothing can touch it
    StickMlcpSolver *solver;
    StickSticking *sticking; // strips may stick; NULL: all slide as the ideal motion does
    StickMlcpInfo info;

    // The problem of the last position, and its solution.
    StickFacetSet set;
    double *A, *B, *C; // by columns
    double *eps, *p, *d;
    bool *connected, *start;
    double *lambda, *theta, *unstable;  // one per free motion
    const char **motion;                // names of these
    double *moved;                      // of theta, what frames were moved by before pairs were looked for
    StickTrajectoryHistory now, before; // the last position that was taken, and the one before it
    const StickTrajectoryHistory *past; // of the two, that of the position that is looked for
    double (*reaction)
        [STICK_FRAME_MOTIONS]; // what holds each frame in its ideal motion, loads on free motions included
    double *u;                 // ndofs: displacements of nodes in the frames, along the axes of the system
    double *response;          // of surface nodes to one pair
    double beyond;             // how far pairs of the position are looked for beyond 'max-distance'
    bool is_told;              // that they are
    size_t A_capacity, B_capacity, C_capacity, eps_capacity, p_capacity, d_capacity, connected_capacity,
        start_capacity;
} StickTrajectory;

StickStatus stick_trajectory_create(StickSimulation *run, StickTrajectory **trajectory);
void stick_trajectory_destroy(StickTrajectory *trajectory);

// Positions go on from the end of another run.
void stick_trajectory_take_over(StickSimulation *run, const StickSimulation *before);

// The next position.
StickStatus stick_trajectory_step(StickSimulation *run);

// Puts the frames where pairs are looked for in the next state.
StickStatus stick_trajectory_place(StickSimulation *run);

// Where the last step failed, or none was made since the run was resumed: pairs and forces of the present position are
// there again.
StickStatus stick_trajectory_recall(StickSimulation *run);

// Says why the last solve found no equilibrium, and what to do; a solver that may find one.
StickStatus stick_trajectory_refuse(StickSimulation *run);
const char *stick_trajectory_other_solver(const StickSimulation *run);

// t of position k, from 0.
double stick_trajectory_time(const StickStepSpec *spec, long k);

// Displacements whose strains are those of the bodies: q, or along a trajectory what is left of it in the frames; and by
// which angle a body's axes have turned since.
const double *stick_simulation_deformation(const StickSimulation *run);
void stick_simulation_axes(const StickSimulation *run, int body, double axes[2]);

// Of a pair.
StickContactStatus stick_trajectory_status(const StickSimulation *run, int pair);

// Sum of normal forces on a surface of a body by the name of its group (NULL: on all of them), the largest pressure, and
// how many strips press.
typedef struct StickGroupLoad {
    double load, pressure;
    int pairs, sticking; // of these, how many stick
} StickGroupLoad;
StickGroupLoad stick_trajectory_touch(const StickSimulation *run, int body, const char *group);

// Of a pair of gears: how far the output is behind the ideal motion along its rolling circle, and the moment that drives
// the input.
double stick_trajectory_error(const StickSimulation *run, int gears);
double stick_trajectory_input(const StickSimulation *run, int gears);

#endif
