// SPDX-License-Identifier: Apache-2.0
#include "plain_gauss_seidel.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_STEPS = 100 };
static const double SMALL = 1e-8; // change at which the projected iteration ends, relative

// r = P(r - rho (u + mu |u_T| n)), P the projection on the cone
static void project(int dim, double mu, const double *z, double *r)
{
    double t = dim == 2 ? fabs(z[1]) : sqrt(z[1] * z[1] + z[2] * z[2]);
    if (t <= mu * z[0]) {
        memcpy(r, z, (size_t)dim * sizeof *r);
    } else if (mu * t <= -z[0]) {
        memset(r, 0, (size_t)dim * sizeof *r);
    } else {
        r[0] = (z[0] + mu * t) / (1 + mu * mu);
        for (int k = 1; k < dim; k++)
            r[k] = mu * r[0] * z[k] / t;
    }
}

static void iterate(int dim, const double *A, const double *b, double mu, double *r)
{
    double trace = 0;
    for (int k = 0; k < dim; k++)
        trace += A[k * (dim + 1)];
    for (int step = 0; step < MOST_STEPS; step++) {
        double u[3], z[3], next[3], change = 0, size = 0, slide = 0;
        for (int i = 0; i < dim; i++) {
            u[i] = b[i];
            for (int j = 0; j < dim; j++)
                u[i] += A[i * dim + j] * r[j];
        }
        for (int i = 1; i < dim; i++)
            slide += u[i] * u[i];
        u[0] += mu * sqrt(slide);
        for (int i = 0; i < dim; i++)
            z[i] = r[i] - u[i] / trace;
        project(dim, mu, z, next);
        for (int i = 0; i < dim; i++) {
            change += (next[i] - r[i]) * (next[i] - r[i]);
            size += next[i] * next[i];
        }
        memcpy(r, next, (size_t)dim * sizeof *r);
        if (change <= SMALL * SMALL * size)
            return;
    }
}

// Slip in the plane: u_N = 0 and r_T = -s mu r_N, s the sign of u_T.
static void slip(const double *A, const double *b, double mu, double *r)
{
    for (int s = -1; s <= 1; s += 2) {
        r[0] = -b[0] / (A[0] - s * mu * A[1]);
        r[1] = -s * mu * r[0];
        if (s * (b[1] + A[2] * r[0] + A[3] * r[1]) >= 0)
            return;
    }
}

// A r = -b by elimination; true if r is in the cone.
static bool stick(int dim, const double *A, const double *b, double mu, double *r)
{
    double M[3][4];
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++)
            M[i][j] = A[i * dim + j];
        M[i][dim] = -b[i];
    }
    for (int k = 0; k < dim; k++)
        for (int i = k + 1; i < dim; i++) {
            double factor = M[i][k] / M[k][k];
            for (int j = k; j <= dim; j++)
                M[i][j] -= factor * M[k][j];
        }
    for (int i = dim - 1; i >= 0; i--) {
        r[i] = M[i][dim];
        for (int j = i + 1; j < dim; j++)
            r[i] -= M[i][j] * r[j];
        r[i] /= M[i][i];
    }
    double t = dim == 2 ? fabs(r[1]) : sqrt(r[1] * r[1] + r[2] * r[2]);
    return t <= mu * r[0];
}

static inline void sweep(int dim, const StickFrictionProblem *problem, double *r)
{
    const StickBlocks *W = problem->W;
    for (int c = 0; c < W->n; c++) {
        double b[3], found[3], *own = r + dim * c;
        const double *A = NULL;
        for (int i = 0; i < dim; i++)
            b[i] = problem->u_free[dim * c + i];
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            const double *block = W->value + (size_t)(dim * dim) * (size_t)k, *x = r + dim * W->col[k];
            if (W->col[k] == c) {
                A = block;
                continue;
            }
            for (int i = 0; i < dim; i++)
                for (int j = 0; j < dim; j++)
                    b[i] += block[i * dim + j] * x[j];
        }
        if (b[0] >= 0)
            memset(own, 0, (size_t)dim * sizeof *own);
        else if (stick(dim, A, b, problem->mu[c], found))
            memcpy(own, found, (size_t)dim * sizeof *own);
        else if (dim == 2)
            slip(A, b, problem->mu[c], own);
        else
            iterate(dim, A, b, problem->mu[c], own);
    }
}

void plain_gauss_seidel_sweep(const StickFrictionProblem *problem, double *r)
{
    if (problem->dim == 2)
        sweep(2, problem, r);
    else
        sweep(3, problem, r);
}
