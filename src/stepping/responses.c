// SPDX-License-Identifier: Apache-2.0
#include "stepping/responses.h"

#include "base/memory.h"

#include <string.h>

enum { BLOCK = 16, NONE = -1 };

void stick_responses_destroy(StickResponses *responses)
{
    stick_free(responses->ctx, responses->z);
    stick_free(responses->ctx, responses->before);
    stick_free(responses->ctx, responses->right);
}

void stick_responses_begin(StickResponses *responses, int count)
{
    responses->count = count;
    responses->block = NONE;
}

static StickStatus reserve(StickResponses *responses)
{
    size_t n = (size_t)responses->system->ndofs;
    STICK_RESERVE(responses->ctx, responses->z, responses->z_capacity, n * BLOCK);
    STICK_RESERVE(responses->ctx, responses->before, responses->before_capacity, n);
    STICK_RESERVE(responses->ctx, responses->right, responses->right_capacity, n * BLOCK);
    return STICK_OK;
}

// Between the columns of z and those of the free degrees of freedom of a body; false if there are no forces.
static bool gather(StickResponses *responses, int b, int count)
{
    const StickBody *body = &responses->system->body[b];
    size_t n = (size_t)responses->system->ndofs;
    size_t order = (size_t)stick_step_matrix_order(responses->matrix, b);
    bool pressed = false;
    for (int i = 0; i < body->ndofs; i++) {
        int place = stick_step_matrix_free(responses->matrix, b, i);
        const double *z = responses->z + body->first + i;
        for (size_t k = 0; k < (size_t)count && place >= 0; k++) {
            responses->right[order * k + (size_t)place] = z[n * k];
            pressed |= z[n * k] != 0;
        }
    }
    return pressed;
}

static void spread(StickResponses *responses, int b, int count)
{
    const StickBody *body = &responses->system->body[b];
    size_t n = (size_t)responses->system->ndofs;
    size_t order = (size_t)stick_step_matrix_order(responses->matrix, b);
    for (int i = 0; i < body->ndofs; i++) {
        int place = stick_step_matrix_free(responses->matrix, b, i);
        double *z = responses->z + body->first + i;
        for (size_t k = 0; k < (size_t)count; k++)
            z[n * k] = place >= 0 ? responses->right[order * k + (size_t)place] : 0;
    }
}

// Columns of z hold the forces of a body, then its displacements; prescribed ones are zero.
static StickStatus solve_body(StickResponses *responses, int b, int count)
{
    double *right = responses->right;
    if (gather(responses, b, count))
        STICK_TRY(stick_step_matrix_solve_body(responses->matrix, b, right, count, right));
    spread(responses, b, count);
    return STICK_OK;
}

static StickStatus solve_block(StickResponses *responses, int block)
{
    size_t n = (size_t)responses->system->ndofs;
    int first = block * BLOCK, count = responses->count - first < BLOCK ? responses->count - first : BLOCK;
    responses->block = NONE;
    memset(responses->z, 0, n * BLOCK * sizeof *responses->z);
    for (int k = 0; k < count; k++)
        STICK_TRY(responses->forces(responses->user, first + k, responses->z + n * (size_t)k));
    for (int b = 0; b < responses->system->nbodies; b++)
        STICK_TRY(solve_body(responses, b, count));
    responses->block = block;
    return STICK_OK;
}

// A block, and the last state of the one before it.
static StickStatus hold_block(StickResponses *responses, int block)
{
    size_t n = (size_t)responses->system->ndofs;
    if (responses->block == block)
        return STICK_OK;
    if (block > 0 && responses->block != block - 1)
        STICK_TRY(solve_block(responses, block - 1));
    if (block > 0)
        memcpy(responses->before, responses->z + n * (BLOCK - 1), n * sizeof *responses->z);
    return solve_block(responses, block);
}

StickStatus stick_responses_get(StickResponses *responses, int state, const double **before, const double **z)
{
    size_t n = (size_t)responses->system->ndofs;
    size_t place = (size_t)(state % BLOCK);
    STICK_TRY(reserve(responses));
    STICK_TRY(hold_block(responses, state / BLOCK));
    *z = responses->z + n * place;
    *before = place > 0 ? *z - n : responses->before;
    return STICK_OK;
}
