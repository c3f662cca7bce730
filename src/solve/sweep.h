// SPDX-License-Identifier: Apache-2.0
// Sweeps over the contacts of a friction problem, each solved exactly while the others wait [JM91], in scatter
// form: u = W r + u_free is kept up to date, and a contact that changes by dr adds its block column,
//
//     u_j += W_jc dr  for all j that c touches.
//
// So open contacts cost a comparison, and the error of every sweep a pass over the contacts, without a product.
// Round-off accumulates in u: stick_sweep_refresh recomputes it.
#ifndef SOLVE_SWEEP_H
#define SOLVE_SWEEP_H

#include "solve/local.h"
#include "solve/residual.h"

typedef enum StickDirection { STICK_FORWARD, STICK_BACKWARD } StickDirection;

// Others read all of it, and may write r and u together (u must stay W r + u_free).
typedef struct StickSweep {
    StickContext *ctx;
    const StickFrictionProblem *problem; // that was loaded; must live as long as it is swept
    int dim, ncontacts;
    int stride;    // of a contact in r and u: 1, 2, or 4 in 3D, where the last entry is zero
    size_t length; // of r and u: stride * ncontacts, rounded up to a multiple of 4 by zeros
    double *r, *u;
    double *packed; // 2 x dim * ncontacts: r and u without gaps, for products
    double *scale;  // sqrt(w) of each contact, w = trace(W_cc) / dim
    double *drive;  // squared velocity scale of its island
    // Block columns of W: block k of column c stands in block row row[k], value + k dim^2, by columns.
    int *start, *row, *place;
    double *value;
    double *local;                          // ncontacts of StickLocal1, StickLocal2 or StickLocal3
    StickResidual residual;                 // of the last r that stick_sweep_accepts measured
    double u_free_size, u_free_size_scaled; // sums of squares, scaled: of u_free / sqrt(w)
    double (*pass)(struct StickSweep *sweep, StickDirection direction, double relaxation);
    bool sections; // of the problem: its contacts take another pass
    size_t room_r, room_u, room_packed, room_scale, room_drive, room_start, room_place, room_row, room_value,
        room_local;
} StickSweep;

StickStatus stick_sweep_create(StickContext *ctx, StickSweep **sweep);
void stick_sweep_destroy(StickSweep *sweep);

// Room for a problem of this size and pattern of W.
StickStatus stick_sweep_reserve(StickSweep *sweep, const StickFrictionProblem *problem);

// Takes in W, u_free and mu of a problem there is room for, about the price of two sweeps; r = 0, u = u_free.
void stick_sweep_load(StickSweep *sweep, const StickFrictionProblem *problem);

// Goes to an r of dim * ncontacts, with u computed for it; and gives the present one. Right after loading the
// start does the same, at no cost for an r of zeros or where its u is known (else NULL).
void stick_sweep_set(StickSweep *sweep, const double *r);
void stick_sweep_start(StickSweep *sweep, const double *r, const double *u);
void stick_sweep_get(const StickSweep *sweep, double *r);

// The layout of r and u for a problem: their length, and such a vector without its gaps.
size_t stick_sweep_length(const StickFrictionProblem *problem);
void stick_sweep_pack(const StickSweep *sweep, const double *vector, double *packed);

// Recomputes u = W r + u_free, with the same bits as stick_residual_velocity.
void stick_sweep_refresh(StickSweep *sweep);

// One sweep over all contacts. Each change is multiplied by the relaxation; if the result leaves the cone, it is
// projected back. Returns |change of r|.
double stick_sweep_run(StickSweep *sweep, StickDirection direction, double relaxation);

// The error that decides by this measure (both: the largest) of r and u as they are kept, without the guard
// against an r that diverges. NaN where something is not finite.
double stick_sweep_error(const StickSweep *sweep, StickMeasure measure);

// Measuring costs up to a third of a sweep: a measurement is due where, by the relation of error and change that
// the last one saw, the error may have come near the tolerance; the first ones are, and every sixteenth is.
typedef struct StickWatch {
    int sweeps, last; // done, and done at the last measurement
    double relation;  // error / change
} StickWatch;

bool stick_watch_is_due(StickWatch *watch, double change, double tolerance);
void stick_watch_saw(StickWatch *watch, double change, double error);

// Final test: writes r in the caller's layout, recomputes u, and returns whether stick_residual accepts them. The
// sweep continues from the new u.
bool stick_sweep_accepts(StickSweep *sweep, const StickSolverOptions *options, double *r, double *u);

// Without the wider instructions of the processor from now on: for tests that the bits are the same.
void stick_sweep_use_plain(StickSweep *sweep);

// The first sweep from r = 0, from the rows of W as they are, without loading: half of a product. r goes out.
void stick_sweep_first(const StickFrictionProblem *problem, double *r);

// The same where there is no guess (r = 0), with u and the residual of it; otherwise false, and nothing is touched.
bool stick_sweep_from_nothing(const StickFrictionProblem *problem, double *r, double *u,
                              StickResidual *residual);

// Multiplications and additions of a sweep that changes all contacts, for decisions about cost.
double stick_sweep_flops(const StickSweep *sweep);

#endif
