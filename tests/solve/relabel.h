// SPDX-License-Identifier: Apache-2.0
// The same friction problem with its contacts in another order: an answer must not hang on how they were numbered.
#ifndef TESTS_SOLVE_RELABEL_H
#define TESTS_SOLVE_RELABEL_H

#include "base/random.h"

#include <stickslip/friction.h>

#include <stdlib.h>
#include <string.h>

typedef struct Relabelled {
    StickBlocks W;
    double *u_free, *mu;
    StickFrictionProblem problem;
} Relabelled;

static inline void relabelled_free(Relabelled *other)
{
    free(other->W.start), free(other->W.col), free(other->W.value), free(other->u_free), free(other->mu);
    *other = (Relabelled){0};
}

// place[c]: where contact c goes; old[place[c]] = c.
static inline void random_places(StickRandom *random, int n, int *place, int *old)
{
    for (int c = 0; c < n; c++)
        place[c] = c;
    for (int c = n - 1; c > 0; c--) {
        int other = (int)(stick_random_uniform(random, 0, 1) * (c + 1)), kept = place[c];
        other = other > c ? c : other;
        place[c] = place[other];
        place[other] = kept;
    }
    for (int c = 0; c < n; c++)
        old[place[c]] = c;
}

// Appends a block to the row that began at start, columns ascending.
static inline void relabel_block(StickBlocks *W, int start, int *count, int col, const double *block)
{
    size_t size = (size_t)(W->d * W->d);
    int k = (*count)++;
    for (; k > start && W->col[k - 1] > col; k--) {
        W->col[k] = W->col[k - 1];
        memcpy(W->value + (size_t)k * size, W->value + (size_t)(k - 1) * size, size * sizeof *block);
    }
    W->col[k] = col;
    memcpy(W->value + (size_t)k * size, block, size * sizeof *block);
}

static inline void relabel(const StickFrictionProblem *problem, StickRandom *random, Relabelled *other)
{
    const StickBlocks *W = problem->W;
    int n = problem->ncontacts, d = problem->dim, count = 0;
    size_t blocks = (size_t)W->start[n], size = (size_t)(d * d);
    int *place = malloc((size_t)n * sizeof *place), *old = malloc((size_t)n * sizeof *old);
    *other = (Relabelled){
        .W = {d, n, calloc((size_t)n + 1, sizeof(int)), malloc(blocks * sizeof(int)),
              malloc(blocks * size * sizeof(double))},
        .u_free = malloc((size_t)(d * n) * sizeof(double)),
        .mu = malloc((size_t)n * sizeof(double)),
    };
    random_places(random, n, place, old);
    for (int i = 0; i < n; i++) {
        for (int k = W->start[old[i]]; k < W->start[old[i] + 1]; k++)
            relabel_block(&other->W, other->W.start[i], &count, place[W->col[k]],
                          W->value + (size_t)k * size);
        other->W.start[i + 1] = count;
        memcpy(other->u_free + d * i, problem->u_free + d * old[i], (size_t)d * sizeof(double));
        other->mu[i] = problem->mu[old[i]];
    }
    free(place);
    free(old);
    other->problem = (StickFrictionProblem){
        .dim = d, .ncontacts = n, .W = &other->W, .u_free = other->u_free, .mu = other->mu};
}

#endif
