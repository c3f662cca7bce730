// SPDX-License-Identifier: Apache-2.0
// Dense matrices for tests of eigenpairs, and what holds of every answer.
#ifndef TESTS_LINALG_DENSE_H
#define TESTS_LINALG_DENSE_H

#include "base/random.h"
#include "check.h"
#include "linalg/eigen.h"

#include <complex.h>
#include <string.h>

enum { MOST = 60 };

typedef struct Dense {
    double at[MOST * MOST];
} Dense;

static inline void put(Dense *A, int n, int i, int j, double value)
{
    A->at[j * n + i] = value;
}

static inline void tridiagonal(Dense *A, int n, double diagonal, double side)
{
    memset(A, 0, sizeof *A);
    for (int i = 0; i < n; i++) {
        put(A, n, i, i, diagonal);
        if (i > 0) {
            put(A, n, i, i - 1, side);
            put(A, n, i - 1, i, side);
        }
    }
}

static inline void fill_random(Dense *A, int n, StickRandom *random, double diagonal)
{
    for (int k = 0; k < n * n; k++)
        A->at[k] = stick_random_uniform(random, -1, 1) + (k % (n + 1) == 0) * diagonal;
}

// Two degrees of freedom that friction couples: their modes meet at mu = 3/4.
static inline void coupling(double mu, Dense *M, Dense *C, Dense *K)
{
    tridiagonal(M, 2, 1, 0);
    memset(C, 0, sizeof *C);
    tridiagonal(K, 2, 2, 1);
    put(K, 2, 0, 1, 1 - mu * 4 / 3);
}

// What holds of every answer: order, pairs, vectors of norm one with a real largest component, small residuals.
static inline void check_form(const StickEigen *eigen, double tolerance)
{
    for (int k = 0; k < eigen->count; k++) {
        const double complex *x = eigen->vector + k * eigen->n;
        double complex value = eigen->value[k], before = k ? eigen->value[k - 1] : -INFINITY;
        double largest = 0;
        bool real = false;
        assert_true(creal(before) <= creal(value));
        for (int i = 0; i < eigen->n; i++) {
            largest = fmax(largest, cabs(x[i]));
            real = real || (cabs(x[i]) > 1 - 1e-7 && cimag(x[i]) == 0 && creal(x[i]) > 0);
        }
        assert_near(largest, 1, 1e-14);
        assert_true(real);
        assert_below(eigen->residual[k], tolerance);
        if (cimag(value) < 0) {
            assert_true(eigen->value[k + 1] == conj(value));
            for (int i = 0; i < eigen->n; i++)
                assert_true(x[eigen->n + i] == conj(x[i]));
        }
    }
}

#endif
