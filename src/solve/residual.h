// SPDX-License-Identifier: Apache-2.0
// The error measure in the stopping test of all solvers: the natural map |r - P(r - u - mu |u_T| n)|, with the cone
// and phi_1(u_T) of its section where a contact has one.
#ifndef SOLVE_RESIDUAL_H
#define SOLVE_RESIDUAL_H

#include "solve/sums.h"

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickResidual {
    double shared;     // over max(|u_free|, |r|, |u|)
    double scale_free; // the same in the variables sqrt(w) r and u / sqrt(w), w = trace(W_cc) / dim
    // Scale-free, with the round-off of r, over max(|u_free|, |u|) alone: a diverging r can't hide.
    double velocity;
    // Largest -u_N over the largest of |u_free|, |u|: with a large mu the natural map hides it.
    double penetration;
    // Largest error of a contact in its own scale: its natural map as a velocity, w |r - P(r - (u + mu |u_T| n) /
    // w)|, over max(|u|, V) with V the largest |u_free| of its island. Velocities have the same size for light and
    // heavy bodies. Impulses do not: w |r| of a heavy load on a light body is far above V and cancels out. It is no
    // scale. Contacts whose error is within the round-off of r do not count.
    double contact;
    int worst;      // this contact
    double rounded; // largest error of contacts that do not count
} StickResidual;

// u = W r + u_free
void stick_residual_velocity(const StickFrictionProblem *problem, const double *r, double *u);

// u must be W r + u_free.
StickResidual stick_residual(const StickFrictionProblem *problem, const double *r, const double *u);

// For large problems, on the threads of the context. Sums are made over pieces that do not depend on the number of
// threads; they differ from the sums above by rounding. Inside a task of the threads the pieces must be processed
// alone.
typedef struct StickResidualPiece StickResidualPiece;
typedef struct StickResidualPieces {
    StickContext *ctx;
    StickResidualPiece *piece;
    bool is_alone; // on the thread that calls
    size_t room;
} StickResidualPieces;
StickStatus stick_residual_reserve(StickContext *ctx, const StickFrictionProblem *problem,
                                   StickResidualPieces *pieces);
void stick_residual_release(StickResidualPieces *pieces);
StickResidual stick_residual_by_pieces(const StickResidualPieces *pieces, const StickFrictionProblem *problem,
                                       const double *r, const double *u);

// u = W r + u_free, by blocks, and its residual in one pass over W.
StickResidual stick_residual_measure(const StickResidualPieces *pieces, const StickFrictionProblem *problem,
                                     const double *r, double *u);

// The same from sums over all contacts, but for the penetration, which is left 0, and the worst contact.
StickResidual stick_residual_of(const StickMeasures *sums);

// The error that decides by this measure; both: the largest of the shared, the scale-free and that of a contact.
double stick_residual_error(StickResidual residual, int measure);

// The largest error of the same kind that rounding makes at a contact, 4 sqrt(n) eps sum_j |W_cj| |r_j| with n
// terms. Of W by its action: 0.
double stick_residual_round_off(const StickFrictionProblem *problem, const double *r, const double *u);

// Largest |u_free| of all contacts, squared; and that of the island of contact c, where the problem knows it.
double stick_residual_drive(const StickFrictionProblem *problem);
static inline double stick_residual_scale(const StickFrictionProblem *problem, int c, double drive)
{
    return problem->velocity_scale ? problem->velocity_scale[c] * problem->velocity_scale[c] : drive;
}

// Whether the measures selected by the options are within the tolerance, the velocity error within its square root,
// the penetration within its fourth root; false for NaN. With the shared measure alone the velocity error only
// detects a diverging r.
bool stick_residual_within(StickResidual residual, const StickSolverOptions *options);

// The same without that of contacts in their own scales: for methods that leave these to an active-set polish.
bool stick_residual_within_whole(StickResidual residual, const StickSolverOptions *options);

#endif
