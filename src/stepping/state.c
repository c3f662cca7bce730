// SPDX-License-Identifier: Apache-2.0
#include "stepping/state.h"

#include "base/memory.h"
#include "bodies/finite.h"
#include "contact/rigid_pairs.h"

#include <string.h>

enum { MOTION_VECTORS = 12 };

static void list_vectors(StickMotion *motion, double **vector[MOTION_VECTORS])
{
    double **all[MOTION_VECTORS] = {
        &motion->q, &motion->v,  &motion->Mv,        &motion->Cv,        &motion->Kq,       &motion->F,
        &motion->a, &motion->Ma, &motion->contact_N, &motion->contact_T, &motion->reaction, &motion->kick,
    };
    for (int k = 0; k < MOTION_VECTORS; k++)
        vector[k] = all[k];
}

static StickStatus create_motion(StickContext *ctx, const StickSystem *system, StickMotion *motion)
{
    double **vector[MOTION_VECTORS];
    list_vectors(motion, vector);
    for (int k = 0; k < MOTION_VECTORS; k++)
        STICK_ALLOC(ctx, *vector[k], system->ndofs);
    STICK_ALLOC(ctx, motion->history, system->nhistory);
    stick_system_rest(system, motion->history);
    return STICK_OK;
}

static void destroy_motion(StickContext *ctx, StickMotion *motion)
{
    double **vector[MOTION_VECTORS];
    list_vectors(motion, vector);
    for (int k = 0; k < MOTION_VECTORS; k++)
        stick_free(ctx, *vector[k]);
    stick_free(ctx, motion->history);
}

static StickStatus create_memory(StickContext *ctx, const StickSystem *system, const StickPairs *pairs,
                                 StickContactMemory *memory)
{
    const StickModel *model = system->model;
    STICK_ALLOC(ctx, memory->first, model->ncontacts);
    STICK_ALLOC(ctx, memory->features, model->ncontacts);
    for (int k = 0; k < model->ncontacts; k++) {
        memory->first[k] = memory->count;
        memory->features[k] = stick_pairs_features(pairs, k);
        memory->count += STICK_LAYERS * memory->features[k];
    }
    STICK_ALLOC(ctx, memory->r, (size_t)memory->count * (size_t)system->dim);
    STICK_ALLOC(ctx, memory->speed, memory->count);
    STICK_ALLOC(ctx, memory->pressure, memory->count);
    STICK_ALLOC(ctx, memory->known, memory->count);
    STICK_ALLOC(ctx, memory->depth, memory->count);
    STICK_ALLOC(ctx, memory->kept, memory->count);
    STICK_ALLOC(ctx, memory->closing, memory->count);
    STICK_ALLOC(ctx, memory->mu, memory->count);
    STICK_ALLOC(ctx, memory->turns, memory->count);
    return STICK_OK;
}

static StickStatus fill(StickContext *ctx, const StickSystem *system, const StickPairs *pairs,
                        StickState *state)
{
    state->n = system->ndofs;
    STICK_TRY(create_motion(ctx, system, &state->now));
    STICK_TRY(create_motion(ctx, system, &state->next));
    return create_memory(ctx, system, pairs, &state->memory);
}

StickStatus stick_state_create(StickContext *ctx, const StickSystem *system, const StickPairs *pairs,
                               StickState *state)
{
    *state = (StickState){0};
    StickStatus status = fill(ctx, system, pairs, state);
    if (status != STICK_OK)
        stick_state_destroy(ctx, state);
    return status;
}

void stick_state_destroy(StickContext *ctx, StickState *state)
{
    destroy_motion(ctx, &state->now);
    destroy_motion(ctx, &state->next);
    stick_free(ctx, state->memory.first);
    stick_free(ctx, state->memory.features);
    stick_free(ctx, state->memory.r);
    stick_free(ctx, state->memory.speed);
    stick_free(ctx, state->memory.pressure);
    stick_free(ctx, state->memory.known);
    stick_free(ctx, state->memory.depth);
    stick_free(ctx, state->memory.kept);
    stick_free(ctx, state->memory.closing);
    stick_free(ctx, state->memory.mu);
    stick_free(ctx, state->memory.turns);
    stick_free(ctx, state->memory.keyed);
    stick_free(ctx, state->memory.keyed_next);
    *state = (StickState){0};
}

int stick_memory_place(const StickContactMemory *memory, const StickContactKey *key)
{
    int low = 0, high = memory->nkeyed;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (stick_contact_key_compare(&memory->keyed[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const StickKeyedMemory *stick_memory_keyed(const StickContactMemory *memory, const StickContact *contact)
{
    StickContactKey key = stick_contact_key(contact);
    int at = stick_memory_place(memory, &key);
    bool found = at < memory->nkeyed && stick_contact_key_compare(&memory->keyed[at].key, &key) == 0;
    return found ? &memory->keyed[at] : NULL;
}

StickStatus stick_memory_copy_keyed(StickContext *ctx, const StickContactMemory *from, StickContactMemory *to)
{
    STICK_RESERVE(ctx, to->keyed, to->keyed_capacity, from->nkeyed);
    if (from->nkeyed > 0)
        memcpy(to->keyed, from->keyed, (size_t)from->nkeyed * sizeof *to->keyed);
    to->nkeyed = from->nkeyed;
    return STICK_OK;
}
