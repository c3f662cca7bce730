// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of a symmetric tensor.
#ifndef FEM_SPECTRAL_H
#define FEM_SPECTRAL_H

// A = sum value[a] vector[a] vector[a]', orthonormal to rounding also where values are equal; in no order.
void stick_six_eigen(const double A[6], double value[3], double vector[3][3]);

#endif
