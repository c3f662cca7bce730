// SPDX-License-Identifier: Apache-2.0
// The matrix block inside all .dat problem files: dense, sparse by blocks, or a printed CSparse matrix.
#ifndef PROBLEMS_NUMERICS_MATRIX_H
#define PROBLEMS_NUMERICS_MATRIX_H

#include "problems/reader.h"

#include <stickslip/sparse.h>

// Reads a matrix; zeros are dropped and repeated entries summed. On a failure A is untouched.
StickStatus stick_numerics_matrix_read(StickTextReader *reader, const char *name, StickSparse *A);

#endif
