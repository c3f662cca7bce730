// SPDX-License-Identifier: Apache-2.0
// The matrix of a step, A = m M + a C + b K, body by body, on the degrees of freedom that are not prescribed.
#ifndef CONDENSE_STEP_MATRIX_H
#define CONDENSE_STEP_MATRIX_H

#include "bodies/supports.h"

typedef struct StickStepMatrix StickStepMatrix;

StickStatus stick_step_matrix_create(StickContext *ctx, const StickSystem *system,
                                     const StickSupports *supports, StickStepMatrix **matrix);
void stick_step_matrix_destroy(StickStepMatrix *matrix);

// Sets the coefficients; factors anew only if they changed. Without mass (m = 0) A is singular for a body that the
// supports leave loose: STICK_BAD_INPUT by name.
StickStatus stick_step_matrix_set(StickStepMatrix *matrix, double m, double a, double b);

// From now on K of a body is this tangent, values on the pattern of its K, which must stay; NULL: its K again. The
// factors follow with the next stick_step_matrix_set, after every call of this. A tangent need not be positive definite;
// solves with one that is singular are STICK_NOT_SOLVED.
void stick_step_matrix_tangent(StickStepMatrix *matrix, int body, const double *value);

// Bodies whose tangent was not positive definite when it was factored last.
int stick_step_matrix_indefinite(const StickStepMatrix *matrix);

// The mass blocks of rigid bodies in space depend on how they are turned: those at q hold from now on. Before the first
// call it is the start.
void stick_step_matrix_turn(StickStepMatrix *matrix, const double *q);

// Inverse of the block of a rigid body over its free degrees of freedom, order x order by rows; NULL: deformable.
const double *stick_step_matrix_rigid(const StickStepMatrix *matrix, int body);

// Number of times the blocks of rigid bodies have changed.
long stick_step_matrix_turns(const StickStepMatrix *matrix);

// Number of factorisations so far, of all bodies together or of one: what was derived from a factor is stale when it has
// changed.
int stick_step_matrix_generation(const StickStepMatrix *matrix);
int stick_step_matrix_body_generation(const StickStepMatrix *matrix, int body);

// Solves A v = rhs on the free degrees of freedom; v comes in with the prescribed velocities in their places.
// rhs is overwritten.
StickStatus stick_step_matrix_solve(StickStepMatrix *matrix, double *rhs, double *v);

// The same in halves, with p that is known only when some of v is: A v = rhs at these degrees of freedom (ascending),
// where v is known from then on, then A v = rhs + p at all. What is prescribed is in v each time.
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
// S (k x k) = A_b^-1 at k of its free degrees of freedom, by a short cut where a tangent is set and its factors let it;
// else found is false.
StickStatus stick_step_matrix_compliance(StickStepMatrix *matrix, int body, const int *place, int k,
                                         double *S, bool *found);
int stick_step_matrix_order(const StickStepMatrix *matrix, int body);

// Bytes of all factors.
double stick_step_matrix_bytes(const StickStepMatrix *matrix);

#endif
