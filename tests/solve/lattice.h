// SPDX-License-Identifier: Apache-2.0
// Large sparse friction problems with a known solution: a band of contacts, each coupled to a few others.
#ifndef TESTS_SOLVE_LATTICE_H
#define TESTS_SOLVE_LATTICE_H

#include "solve/manufactured.h"

typedef struct Lattice {
    int *start, *col;
    double *value, *u_free, *mu, *r, *u;
    StickBlocks W;
    StickFrictionProblem problem;
} Lattice;

static inline void lattice_destroy(Lattice *lattice)
{
    free(lattice->start), free(lattice->col), free(lattice->value);
    free(lattice->u_free), free(lattice->mu), free(lattice->r), free(lattice->u);
}

static inline void lattice_block(Lattice *lattice, StickRandom *random, int k, int diagonal, double coupling)
{
    int d = lattice->W.d;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            lattice->value[(k * d + i) * d + j] =
                diagonal && i == j ? 1 : stick_random_uniform(random, -coupling, coupling);
}

// Contacts touch those 1, 2 and 37 further on, with blocks that are not symmetric.
static inline void lattice_create(Lattice *lattice, StickRandom *random, int dim, int n, double coupling)
{
    static const int steps[] = {-37, -2, -1, 0, 1, 2, 37};
    size_t most = 7 * (size_t)n, rows = (size_t)(dim * n);
    *lattice = (Lattice){
        .start = malloc(((size_t)n + 1) * sizeof(int)),
        .col = malloc(most * sizeof(int)),
        .value = malloc(most * (size_t)(dim * dim) * sizeof(double)),
        .u_free = malloc(rows * sizeof(double)),
        .mu = malloc((size_t)n * sizeof(double)),
        .r = malloc(rows * sizeof(double)),
        .u = malloc(rows * sizeof(double)),
    };
    lattice->W = (StickBlocks){dim, n, lattice->start, lattice->col, lattice->value};
    lattice->problem = (StickFrictionProblem){
        .dim = dim, .ncontacts = n, .W = &lattice->W, .u_free = lattice->u_free, .mu = lattice->mu};
    int count = 0;
    for (int c = 0; c < n; c++) {
        lattice->start[c] = count;
        for (int s = 0; s < 7; s++)
            if (c + steps[s] >= 0 && c + steps[s] < n) {
                lattice->col[count] = c + steps[s];
                lattice_block(lattice, random, count++, steps[s] == 0, coupling);
            }
        lattice->mu[c] = c % 5 == 0 ? 0 : stick_random_uniform(random, 0.05, 0.9);
        manufacture_contact(random, dim, dim == 1 ? 0 : lattice->mu[c], lattice->r + dim * c,
                            lattice->u + dim * c);
    }
    lattice->start[n] = count;
    stick_friction_apply(&lattice->problem, lattice->r, lattice->u_free);
    for (int i = 0; i < dim * n; i++)
        lattice->u_free[i] = lattice->u[i] - lattice->u_free[i];
}

#endif
