// SPDX-License-Identifier: Apache-2.0
#include "stepping/first_hits.h"

#include "base/memory.h"
#include "stepping/simulation.h"

#include <math.h>
#include <string.h>

StickStatus stick_first_hits_keep(StickSimulation *run)
{
    StickFirstHits *hits = &run->first_hits;
    const StickContactSet *set = &run->contacts;
    int n = set->ncontacts, dim = run->system->dim, pressed = 0;
    size_t vector = (size_t)run->state.n * sizeof(double);
    STICK_RESERVE(run->ctx, hits->contact, hits->capacity, n);
    STICK_RESERVE(run->ctx, hits->r, hits->r_capacity, n * dim);
    STICK_RESERVE(run->ctx, hits->status, hits->status_capacity, n);
    if (!hits->p_N)
        STICK_ALLOC(run->ctx, hits->p_N, run->state.n);
    if (!hits->p_T)
        STICK_ALLOC(run->ctx, hits->p_T, run->state.n);
    memcpy(hits->contact, set->contact, (size_t)n * sizeof *set->contact);
    memcpy(hits->r, run->r, (size_t)n * (size_t)dim * sizeof *run->r);
    for (int c = 0; c < n; c++) {
        hits->status[c] = stick_simulation_status(run, c);
        pressed += run->r[c * dim] > 0;
    }
    memcpy(hits->p_N, run->p_N, vector);
    memcpy(hits->p_T, run->p_T, vector);
    hits->count = n;
    hits->iterations = run->info.iterations;
    hits->certificate = run->certificate;
    run->record.most_contacts = fmax(run->record.most_contacts, n);
    run->record.most_active = fmax(run->record.most_active, pressed);
    return STICK_OK;
}

void stick_first_hits_add(StickSimulation *run)
{
    const StickFirstHits *hits = &run->first_hits;
    for (int i = 0; i < run->state.n && hits->count > 0; i++) {
        run->p_N[i] += hits->p_N[i];
        run->p_T[i] += hits->p_T[i];
    }
}

void stick_first_hits_destroy(StickContext *ctx, StickFirstHits *hits)
{
    stick_free(ctx, hits->contact);
    stick_free(ctx, hits->r);
    stick_free(ctx, hits->status);
    stick_free(ctx, hits->p_N);
    stick_free(ctx, hits->p_T);
    *hits = (StickFirstHits){0};
}
