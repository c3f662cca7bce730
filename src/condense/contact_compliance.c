// SPDX-License-Identifier: Apache-2.0
#include "condense/contact_compliance.h"

#include "base/memory.h"

#include <string.h>

enum { SOLVE_BLOCK = 32 }; // right-hand sides per solve

static StickStatus number_dofs(StickContactCompliance *C, const StickPairs *pairs)
{
    StickContext *ctx = C->ctx;
    const StickSystem *system = C->system;
    const int *dofs = stick_pairs_dofs(pairs);
    int ndofs = stick_pairs_ndofs(pairs);
    STICK_ALLOC(ctx, C->index, system->ndofs);
    STICK_ALLOC(ctx, C->owner, system->ndofs);
    STICK_ALLOC(ctx, C->body, system->nbodies);
    for (int i = 0; i < system->ndofs; i++)
        C->index[i] = -1;
    for (int b = 0, k = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        StickBodyCompliance *own = &C->body[b];
        for (int i = body->first; i < body->first + body->ndofs; i++)
            C->owner[i] = b;
        int from = k;
        while (k < ndofs && dofs[k] < body->first + body->ndofs)
            k++;
        if (!body->rigid) {
            STICK_ALLOC(ctx, own->packed, k - from);
            STICK_ALLOC(ctx, own->column, k - from);
            STICK_ALLOC(ctx, own->touched, k - from);
            STICK_ALLOC(ctx, own->place, k - from);
        }
        for (int j = from; j < k; j++) {
            int place = stick_step_matrix_free(C->matrix, b, dofs[j] - body->first);
            if (place < 0)
                continue;
            if (!body->rigid) {
                own->column[own->count] = -1;
                own->packed[own->count] = place;
            }
            C->index[dofs[j]] = own->count++;
        }
    }
    return STICK_OK;
}

StickStatus stick_contact_compliance_create(StickContext *ctx, const StickSystem *system,
                                            StickStepMatrix *matrix, const StickPairs *pairs,
                                            StickContactCompliance *compliance)
{
    StickContactCompliance made = {.ctx = ctx, .system = system, .matrix = matrix};
    StickStatus status = number_dofs(&made, pairs);
    if (status == STICK_OK)
        *compliance = made;
    else
        stick_contact_compliance_destroy(&made);
    return status;
}

void stick_contact_compliance_destroy(StickContactCompliance *C)
{
    StickContext *ctx = C->ctx;
    if (!ctx)
        return;
    for (int b = 0; C->body && b < C->system->nbodies; b++) {
        stick_free(ctx, C->body[b].packed);
        stick_free(ctx, C->body[b].column);
        stick_free(ctx, C->body[b].touched);
        stick_free(ctx, C->body[b].place);
        stick_free(ctx, C->body[b].compact);
        stick_free(ctx, C->body[b].S);
    }
    stick_free(ctx, C->index);
    stick_free(ctx, C->owner);
    stick_free(ctx, C->body);
    stick_free(ctx, C->Y);
    stick_free(ctx, C->right);
    stick_free(ctx, C->asked);
    *C = (StickContactCompliance){0};
}

void stick_contact_compliance_renew(StickContactCompliance *C)
{
    for (int b = 0; b < C->system->nbodies; b++) {
        StickBodyCompliance *own = &C->body[b];
        int generation = stick_step_matrix_body_generation(C->matrix, b);
        if (own->generation == generation)
            continue;
        own->generation = generation;
        own->ncolumns = 0;
        own->has_compact = false;
        for (int i = 0; i < own->count && own->column; i++)
            own->column[i] = -1;
    }
}

// ---- columns of S

// Solves for one block of columns of S. Blocks have fixed boundaries, so that the bits of a column do not depend on
// the order of contacts: a resumed run continues with the same bits.
static StickStatus solve_block(StickContactCompliance *C, int b, int first)
{
    StickBodyCompliance *own = &C->body[b];
    size_t order = (size_t)stick_step_matrix_order(C->matrix, b);
    int count = own->count - first < SOLVE_BLOCK ? own->count - first : SOLVE_BLOCK;
    STICK_RESERVE(C->ctx, C->right, C->right_capacity, order * (size_t)count);
    STICK_RESERVE(C->ctx, own->S, own->capacity, (size_t)own->count * (size_t)(own->ncolumns + count));
    memset(C->right, 0, order * (size_t)count * sizeof *C->right);
    for (int k = 0; k < count; k++)
        C->right[(size_t)k * order + (size_t)own->packed[first + k]] = 1;
    STICK_TRY(stick_step_matrix_solve_body(C->matrix, b, C->right, count, C->right));
    for (int k = 0; k < count; k++) {
        double *column = own->S + (size_t)own->ncolumns * (size_t)own->count;
        for (int i = 0; i < own->count; i++)
            column[i] = C->right[(size_t)k * order + (size_t)own->packed[i]];
        own->column[first + k] = own->ncolumns++;
    }
    C->solves += count;
    return STICK_OK;
}

// Makes sure that S has a column for every degree of freedom that these entries of body b touch.
static StickStatus complete_columns(StickContactCompliance *C, int b, const StickContactEntry *entry,
                                    int nentries)
{
    StickBodyCompliance *own = &C->body[b];
    for (int e = 0; e < nentries; e++) {
        if (own->column[entry[e].index] >= 0)
            continue;
        STICK_CHECK(C->ctx, !stick_is_stopped(C->ctx), STICK_INTERRUPTED,
                    "interrupted in the compliance of %d degrees of freedom in contact", own->ntouched);
        STICK_TRY(solve_block(C, b, entry[e].index / SOLVE_BLOCK * SOLVE_BLOCK));
    }
    return STICK_OK;
}

// ---- what contacts touch

// Lists the degrees of freedom that these entries touch, ascending; true if they are those of the step before.
static bool list_touched(StickBodyCompliance *own, const StickContactEntry *entry, int nentries)
{
    int before = own->ntouched, count = 0;
    bool same = own->has_compact;
    memset(own->place, 0, (size_t)own->count * sizeof *own->place);
    for (int e = 0; e < nentries; e++)
        own->place[entry[e].index] = 1;
    for (int i = 0; i < own->count; i++) {
        if (!own->place[i])
            continue;
        same = same && count < before && own->touched[count] == i;
        own->touched[count] = i;
        own->place[i] = count++;
    }
    own->ntouched = count;
    return same && count == before;
}

// S at the degrees of freedom that are touched: gathered once for as long as these stay the same.
static StickStatus compact_compliance(StickContactCompliance *C, StickBodyCompliance *own)
{
    size_t n = (size_t)own->ntouched;
    STICK_RESERVE(C->ctx, own->compact, own->compact_capacity, n * n);
    for (size_t j = 0; j < n; j++) {
        const double *S = own->S + (size_t)own->column[own->touched[j]] * (size_t)own->count;
        double *column = own->compact + j * n;
        for (size_t i = 0; i < n; i++)
            column[i] = S[own->touched[i]];
    }
    own->has_compact = true;
    return STICK_OK;
}

// With a tangent that changes in every iteration the compliance is computed for the touched places only; its bits do
// not depend on earlier calls.
static StickStatus find_compliance(StickContactCompliance *C, int b, const StickContactEntry *entry,
                                   int nentries)
{
    StickBodyCompliance *own = &C->body[b];
    size_t n = (size_t)own->ntouched;
    bool found;
    STICK_RESERVE(C->ctx, own->compact, own->compact_capacity, n * n);
    STICK_RESERVE(C->ctx, C->asked, C->asked_capacity, n);
    for (size_t i = 0; i < n; i++)
        C->asked[i] = own->packed[own->touched[i]];
    STICK_TRY(stick_step_matrix_compliance(C->matrix, b, C->asked, own->ntouched, own->compact, &found));
    own->has_compact = found;
    C->solves += found ? own->ntouched : 0;
    if (found)
        return STICK_OK;
    STICK_TRY(complete_columns(C, b, entry, nentries));
    return compact_compliance(C, own);
}

// Y = S H_d for the entries of one contact: a column per direction.
static void compliance_of_contact(const StickBodyCompliance *own, const StickContactEntry *entry,
                                  int nentries, int dim, double *Y)
{
    size_t n = (size_t)own->ntouched;
    memset(Y, 0, n * (size_t)dim * sizeof *Y);
    for (int e = 0; e < nentries; e++) {
        const double *S = own->compact + (size_t)own->place[entry[e].index] * n;
        for (int k = 0; k < dim; k++) {
            double H = entry[e].H[k], *y = Y + (size_t)k * n;
            for (size_t i = 0; i < n && H != 0; i++)
                y[i] += S[i] * H;
        }
    }
}

// W_dc += (H_c' Y)' over the entries of contact c, with Y = S H_d.
static void add_block(const StickBodyCompliance *own, const StickContactEntry *entry, int nentries, int dim,
                      const double *Y, double *block)
{
    for (int e = 0; e < nentries; e++) {
        const double *y = Y + own->place[entry[e].index];
        for (int l = 0; l < dim; l++)
            for (int k = 0; k < dim; k++)
                block[l * dim + k] += y[l * own->ntouched] * entry[e].H[k];
    }
}

static int entries_of_contact(const StickContactEntry *entry, int from, int nentries)
{
    int to = from;
    while (to < nentries && entry[to].contact == entry[from].contact)
        to++;
    return to - from;
}

StickStatus stick_contact_compliance_add(StickContactCompliance *C, int b, const StickContactEntry *entry,
                                         int nentries, StickBlocks *W)
{
    StickBodyCompliance *own = &C->body[b];
    int dim = W->d;
    if (!list_touched(own, entry, nentries))
        STICK_TRY(find_compliance(C, b, entry, nentries));
    STICK_RESERVE(C->ctx, C->Y, C->Y_capacity, (size_t)own->ntouched * (size_t)dim);
    for (int d = 0; d < nentries;) {
        int nd = entries_of_contact(entry, d, nentries), at = W->start[entry[d].contact];
        compliance_of_contact(own, entry + d, nd, dim, C->Y);
        for (int c = 0; c <= d;) {
            int nc = entries_of_contact(entry, c, nentries);
            while (W->col[at] < entry[c].contact)
                at++;
            add_block(own, entry + c, nc, dim, C->Y, W->value + (size_t)at * (size_t)(dim * dim));
            c += nc;
        }
        d += nd;
    }
    return STICK_OK;
}
