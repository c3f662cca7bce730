// SPDX-License-Identifier: Apache-2.0
#include "condense/rigid_inverse.h"

#include "bodies/rigid.h"

// In place, by Gauss and Jordan; symmetric and positive definite: no pivoting.
static void invert(double *A, int n)
{
    for (int k = 0; k < n; k++) {
        double pivot = 1 / A[k * n + k];
        A[k * n + k] = 1;
        for (int j = 0; j < n; j++)
            A[k * n + j] *= pivot;
        for (int i = 0; i < n; i++) {
            double factor = A[i * n + k];
            if (i == k || factor == 0)
                continue;
            A[i * n + k] = 0;
            for (int j = 0; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
    }
}

// Of a body in space without supports: mass and inertia stand side by side.
static void invert_free(const double *block, double m, double *inverse)
{
    double J[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            J[3 * i + j] = m * block[6 * (3 + i) + 3 + j];
        inverse[6 * i + i] = 1 / (m * block[6 * i + i]);
    }
    invert(J, 3);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            inverse[6 * (3 + i) + 3 + j] = inverse[6 * (3 + j) + 3 + i] = J[3 * i + j];
}

void stick_rigid_inverse(int ndofs, const double *block, double m, const int *free, int n, double *inverse)
{
    if (n == STICK_RIGID_DOFS) {
        invert_free(block, m, inverse);
        return;
    }
    for (int i = 0; i < ndofs; i++)
        for (int j = 0; j < ndofs; j++)
            if (free[i] >= 0 && free[j] >= 0)
                inverse[free[i] * n + free[j]] = m * block[i * ndofs + j];
    invert(inverse, n);
    for (int i = 0; i < n; i++) // symmetric to the bit
        for (int j = 0; j < i; j++)
            inverse[i * n + j] = inverse[j * n + i];
}
