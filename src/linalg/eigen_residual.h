// SPDX-License-Identifier: Apache-2.0
// Residuals of eigenpairs of dense problems.
#ifndef LINALG_EIGEN_RESIDUAL_H
#define LINALG_EIGEN_RESIDUAL_H

#include "linalg/eigen.h"

// Of sum of sign[p] value^p A[p] x = 0, over the size of its terms; an A[p] that is NULL is zero.
StickStatus stick_eigen_measure(StickContext *ctx, StickEigen *eigen, const double *const A[3],
                                const double sign[3]);

#endif
