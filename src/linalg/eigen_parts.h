// SPDX-License-Identifier: Apache-2.0
// Common first and last steps of eigensolvers for dense matrices (eigen_symmetric.c, eigen_pencil.c,
// eigen_quadratic.c).
#ifndef LINALG_EIGEN_PARTS_H
#define LINALG_EIGEN_PARTS_H

#include "linalg/eigen.h"

// Every entry of A (n x n) must be a finite number; `name` is for the message.
StickStatus stick_eigen_check_matrix(StickContext *ctx, int n, const double *A, const char *name);

double stick_eigen_largest_entry(int n, const double *A);

// Converts a result of LAPACK to a status.
StickStatus stick_eigen_check_lapack(StickContext *ctx, int info, const char *what, int n);

// Sorts the computed pairs and passes them on to `eigen`, or frees them if the status is an error.
StickStatus stick_eigen_finish(StickContext *ctx, StickStatus status, StickEigen *made, StickEigen *eigen);

#endif
