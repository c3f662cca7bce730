// SPDX-License-Identifier: Apache-2.0
#include "stability/global_matrices.h"

#include "base/memory.h"
#include "bodies/finite.h"
#include "bodies/loads.h"
#include "linalg/sparse_product.h"

typedef struct Parts {
    StickTriplets M, C, K;
} Parts;

static StickStatus add_block(StickContext *ctx, StickTriplets *T, const StickSparse *A, int first)
{
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->value[k] != 0)
                STICK_TRY(stick_triplets_add(ctx, T, first + A->row[k], first + j, A->value[k]));
    return STICK_OK;
}

// The mass that a body was not made with.
static StickStatus add_other_mass(StickContext *ctx, const StickBody *body, StickTriplets *T)
{
    StickContinuum continuum = body->continuum;
    StickSparse M, C, K;
    continuum.lumped_mass = !continuum.lumped_mass;
    STICK_TRY(stick_fem_matrices(ctx, &continuum, &M, &C, &K));
    StickStatus status = add_block(ctx, T, &M, body->first);
    stick_sparse_destroy(ctx, &M);
    stick_sparse_destroy(ctx, &C);
    stick_sparse_destroy(ctx, &K);
    return status;
}

static StickStatus add_body(StickContext *ctx, const StickBody *body, StickMass mass, Parts *parts)
{
    bool other = mass == (body->continuum.lumped_mass ? STICK_MASS_CONSISTENT : STICK_MASS_LUMPED);
    if (other)
        STICK_TRY(add_other_mass(ctx, body, &parts->M));
    else if (mass != STICK_MASS_UNIT)
        STICK_TRY(add_block(ctx, &parts->M, &body->M, body->first));
    STICK_TRY(add_block(ctx, &parts->C, &body->C, body->first));
    return add_block(ctx, &parts->K, &body->K, body->first);
}

static StickStatus build(StickContext *ctx, const StickSystem *system, StickMass mass, Parts *parts,
                         StickGlobalMatrices *whole)
{
    for (int b = 0; b < system->nbodies; b++)
        STICK_TRY(add_body(ctx, &system->body[b], mass, parts));
    whole->damped = parts->C.count > 0;
    whole->unit_mass = mass == STICK_MASS_UNIT;
    STICK_TRY(stick_sparse_from_triplets(ctx, &parts->M, &whole->M));
    STICK_TRY(stick_sparse_from_triplets(ctx, &parts->C, &whole->C));
    return stick_sparse_from_triplets(ctx, &parts->K, &whole->K);
}

StickStatus stick_global_matrices_create(StickContext *ctx, const StickSystem *system, StickMass mass,
                                         StickGlobalMatrices *whole)
{
    int n = system->ndofs;
    Parts parts = {{.rows = n, .cols = n}, {.rows = n, .cols = n}, {.rows = n, .cols = n}};
    StickGlobalMatrices made = {0};
    StickStatus status = build(ctx, system, mass, &parts, &made);
    stick_triplets_destroy(ctx, &parts.M);
    stick_triplets_destroy(ctx, &parts.C);
    stick_triplets_destroy(ctx, &parts.K);
    if (status == STICK_OK)
        *whole = made;
    else
        stick_global_matrices_destroy(ctx, &made);
    return status;
}

void stick_global_matrices_destroy(StickContext *ctx, StickGlobalMatrices *whole)
{
    stick_sparse_destroy(ctx, &whole->M);
    stick_sparse_destroy(ctx, &whole->C);
    stick_sparse_destroy(ctx, &whole->K);
    *whole = (StickGlobalMatrices){0};
}

// ---- the tangent at a state

typedef struct Tangent {
    double **value; // nbodies: of finite bodies, on the pattern of K
    double *next, *force;
} Tangent;

static StickStatus add_followers(StickContext *ctx, const StickSystem *system,
                                 const StickGlobalMatricesState *state, double **tangent)
{
    StickLoads loads;
    STICK_TRY(stick_loads_create(ctx, system, &loads));
    StickStatus status = stick_loads_tangent(ctx, &loads, state->t, state->q, tangent);
    stick_loads_destroy(ctx, &loads);
    return status;
}

static StickStatus evaluate(StickContext *ctx, const StickSystem *system,
                            const StickGlobalMatricesState *state, Tangent *tangent)
{
    STICK_ALLOC(ctx, tangent->value, system->nbodies);
    STICK_ALLOC(ctx, tangent->next, system->nhistory);
    STICK_ALLOC(ctx, tangent->force, system->ndofs);
    for (int b = 0; b < system->nbodies; b++)
        if (system->body[b].finite)
            STICK_ALLOC(ctx, tangent->value[b], system->body[b].K.start[system->body[b].ndofs]);
    StickFiniteForces task = {.q = state->q,
                              .past = state->history,
                              .next = tangent->next,
                              .force = tangent->force,
                              .tangent = tangent->value};
    STICK_TRY(stick_system_forces(system, &task));
    STICK_CHECK(ctx, task.bad_element < 0, STICK_NOT_SOLVED, "element %d of body '%s' is inverted",
                task.bad_element + 1, system->body[task.bad_body].name);
    return add_followers(ctx, system, state, tangent->value);
}

static StickStatus build_tangent(StickContext *ctx, const StickSystem *system, const Tangent *tangent,
                                 StickSparse *K)
{
    StickTriplets T = {.rows = system->ndofs, .cols = system->ndofs};
    StickStatus status = STICK_OK;
    for (int b = 0; b < system->nbodies && status == STICK_OK; b++) {
        StickSparse block = system->body[b].K;
        if (tangent->value[b])
            block.value = tangent->value[b];
        status = add_block(ctx, &T, &block, system->body[b].first);
    }
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &T, K);
    stick_triplets_destroy(ctx, &T);
    return status;
}

StickStatus stick_global_matrices_tangent(StickContext *ctx, const StickSystem *system,
                                          const StickGlobalMatricesState *state, StickGlobalMatrices *whole)
{
    Tangent tangent = {0};
    StickSparse K;
    if (!stick_system_is_finite(system))
        return STICK_OK;
    StickStatus status = evaluate(ctx, system, state, &tangent);
    if (status == STICK_OK)
        status = build_tangent(ctx, system, &tangent, &K);
    for (int b = 0; tangent.value && b < system->nbodies; b++)
        stick_free(ctx, tangent.value[b]);
    stick_free(ctx, tangent.value);
    stick_free(ctx, tangent.next);
    stick_free(ctx, tangent.force);
    STICK_TRY(status);
    stick_sparse_destroy(ctx, &whole->K);
    whole->K = K;
    return STICK_OK;
}

static StickStatus add_to_damping(StickContext *ctx, double factor, const StickSparse *A,
                                  StickGlobalMatrices *whole)
{
    StickSparse sum;
    if (!(factor > 0))
        return STICK_OK;
    STICK_TRY(stick_sparse_sum(ctx, 1, &whole->C, factor, A, &sum));
    stick_sparse_destroy(ctx, &whole->C);
    whole->C = sum;
    whole->damped = true;
    return STICK_OK;
}

StickStatus stick_global_matrices_add_damping(StickContext *ctx, double alpha, double beta,
                                              StickGlobalMatrices *whole)
{
    STICK_TRY(add_to_damping(ctx, alpha, &whole->M, whole));
    return add_to_damping(ctx, beta, &whole->K, whole);
}
