// SPDX-License-Identifier: Apache-2.0
// The matrix of a step, A = m M + a C + b K, body by body, on the degrees of freedom that are not prescribed.
#ifndef CONDENSE_STEP_MATRIX_H
#define CONDENSE_STEP_MATRIX_H

#include "bodies/supports.h"

typedef struct StickStepMatrix StickStepMatrix;

StickStatus stick_step_matrix_create(StickContext *ctx, const StickSystem *system,
                                     const StickSupports *supports, StickStepMatrix **matrix);
void stick_step_matrix_destroy(StickStepMatrix *matrix);

// Sets the coefficients; refactors only if they changed. Without mass (m = 0) A is singular for a body that the
// supports leave free to move: STICK_BAD_INPUT, with the name of the body.
StickStatus stick_step_matrix_set(StickStepMatrix *matrix, double m, double a, double b);

// Sets the tangent to use instead of K of a body, values on the pattern of K, which must stay in memory; NULL: K
// again. Every call must be followed by stick_step_matrix_set, which refactors. A tangent need not be positive
// definite; solves with a singular one give STICK_NOT_SOLVED.
void stick_step_matrix_tangent(StickStepMatrix *matrix, int body, const double *value);

// Bodies whose tangent was not positive definite when it was factored last.
int stick_step_matrix_indefinite(const StickStepMatrix *matrix);

// Mass blocks of rigid bodies in space depend on the orientation: uses those at q from now on. Before the first call
// they are those of the initial orientation.
void stick_step_matrix_turn(StickStepMatrix *matrix, const double *q);

// Inverse of the block of a rigid body over its free degrees of freedom, order x order by rows; NULL: deformable.
const double *stick_step_matrix_rigid(const StickStepMatrix *matrix, int body);

// Number of times the blocks of rigid bodies have changed.
long stick_step_matrix_turns(const StickStepMatrix *matrix);

// Number of factorisations so far, of all bodies together or of one: if it has changed, results derived from a factor
// are out of date.
int stick_step_matrix_generation(const StickStepMatrix *matrix);
int stick_step_matrix_body_generation(const StickStepMatrix *matrix, int body);

// Solves A v = rhs on the free degrees of freedom; v comes in with the prescribed velocities in their places.
// rhs is overwritten.
StickStatus stick_step_matrix_solve(StickStepMatrix *matrix, double *rhs, double *v);

// The same in two halves, if p depends on a part of v: begin solves A v = rhs at these degrees of freedom
// (ascending), where v is known from then on; end solves A v = rhs + p for all. Prescribed velocities are in v each
// time.
StickStatus stick_step_matrix_begin(StickStepMatrix *matrix, const int *dof, int ndofs, double *rhs,
                                    double *v);
StickStatus stick_step_matrix_end(StickStepMatrix *matrix, const double *p, double *v);

// v += A^-1 p on the free degrees of freedom. p is overwritten.
StickStatus stick_step_matrix_correct(StickStepMatrix *matrix, double *p, double *v);

// Place of a degree of freedom of a body among its free ones, -1 if it is prescribed.
int stick_step_matrix_free(const StickStepMatrix *matrix, int body, int local);

// Solves A_b X = B for one body, k right-hand sides over its free degrees of freedom.
StickStatus stick_step_matrix_solve_body(StickStepMatrix *matrix, int body, const double *B, int k,
                                         double *X);
// S (k x k) = A_b^-1 at k of its free degrees of freedom, by a faster method if a tangent is set and its factors
// allow it; else found is false.
StickStatus stick_step_matrix_compliance(StickStepMatrix *matrix, int body, const int *place, int k,
                                         double *S, bool *found);
int stick_step_matrix_order(const StickStepMatrix *matrix, int body);

// Bytes of all factors.
double stick_step_matrix_bytes(const StickStepMatrix *matrix);

#endif
