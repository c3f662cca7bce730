// SPDX-License-Identifier: Apache-2.0
// (m M)^-1 of a rigid body on its free degrees of freedom.
#ifndef CONDENSE_RIGID_INVERSE_H
#define CONDENSE_RIGID_INVERSE_H

// block: M, ndofs x ndofs; free: place of each degree of freedom among the n free ones, or -1; inverse: n x n,
// exactly symmetric. In space and without supports (n = 6) only the blocks of mass and inertia are set: the rest must
// be zero.
void stick_rigid_inverse(int ndofs, const double *block, double m, const int *free, int n, double *inverse);

#endif
