// SPDX-License-Identifier: Apache-2.0
#include "condense/delassus.h"

#include "base/memory.h"

#include <string.h>

enum { SOLVE_BLOCK = 32 }; // right-hand sides per solve

// Compliance of one body's contact degrees of freedom.
typedef struct BodyCompliance {
    int count;    // contact degrees of freedom that are free
    int *packed;  // count: their place among the free ones of the body
    int *column;  // count: their column in S, or -1 if it is not solved for yet
    int ncolumns; // solved for so far
    double *S;    // count x ncolumns
    size_t capacity;
} BodyCompliance;

// One entry of H that counts: a free degree of freedom of a body.
typedef struct Entry {
    int contact;
    int index;       // among the contact degrees of freedom of the body
    const double *H; // dim values
} Entry;

struct StickDelassus {
    StickContext *ctx;
    const StickSystem *system;
    StickStepMatrix *matrix;
    int generation;
    int *index; // ndofs of the system: place among its body's contact degrees of freedom, or -1
    int *owner; // ndofs of the system: the body
    BodyCompliance *body;
    long solves;
    StickBlocks W;
    size_t start_capacity, col_capacity, value_capacity;
    Entry *entry; // by body, then by contact
    size_t entry_capacity;
    double *Y; // S H_d of one contact: count x dim
    size_t Y_capacity;
    double *right; // SOLVE_BLOCK right-hand sides
    size_t right_capacity;
};

static StickStatus number_dofs(StickDelassus *D, const StickPairs *pairs)
{
    StickContext *ctx = D->ctx;
    const StickSystem *system = D->system;
    const int *dofs = stick_pairs_dofs(pairs);
    int ndofs = stick_pairs_ndofs(pairs);
    for (int i = 0; i < system->ndofs; i++)
        D->index[i] = -1;
    for (int b = 0, k = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        BodyCompliance *own = &D->body[b];
        for (int i = body->first; i < body->first + body->ndofs; i++)
            D->owner[i] = b;
        int from = k;
        while (k < ndofs && dofs[k] < body->first + body->ndofs)
            k++;
        STICK_ALLOC(ctx, own->packed, k - from);
        STICK_ALLOC(ctx, own->column, k - from);
        for (int j = from; j < k; j++) {
            int place = stick_step_matrix_free(D->matrix, b, dofs[j] - body->first);
            if (place < 0)
                continue;
            D->index[dofs[j]] = own->count;
            own->column[own->count] = -1;
            own->packed[own->count++] = place;
        }
    }
    return STICK_OK;
}

static StickStatus fill(StickDelassus *D, const StickPairs *pairs)
{
    STICK_ALLOC(D->ctx, D->index, D->system->ndofs);
    STICK_ALLOC(D->ctx, D->owner, D->system->ndofs);
    STICK_ALLOC(D->ctx, D->body, D->system->nbodies);
    return number_dofs(D, pairs);
}

StickStatus stick_delassus_create(StickContext *ctx, const StickSystem *system, StickStepMatrix *matrix,
                                  const StickPairs *pairs, StickDelassus **delassus)
{
    StickDelassus *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->system = system;
    created->matrix = matrix;
    StickStatus status = fill(created, pairs);
    if (status != STICK_OK) {
        stick_delassus_destroy(created);
        return status;
    }
    *delassus = created;
    return STICK_OK;
}

void stick_delassus_destroy(StickDelassus *D)
{
    if (!D)
        return;
    StickContext *ctx = D->ctx;
    for (int b = 0; D->body && b < D->system->nbodies; b++) {
        stick_free(ctx, D->body[b].packed);
        stick_free(ctx, D->body[b].column);
        stick_free(ctx, D->body[b].S);
    }
    stick_free(ctx, D->index);
    stick_free(ctx, D->owner);
    stick_free(ctx, D->body);
    stick_free(ctx, D->W.start);
    stick_free(ctx, D->W.col);
    stick_free(ctx, D->W.value);
    stick_free(ctx, D->entry);
    stick_free(ctx, D->Y);
    stick_free(ctx, D->right);
    stick_free(ctx, D);
}

// ---- compliance

static void forget_columns(StickDelassus *D)
{
    for (int b = 0; b < D->system->nbodies; b++) {
        BodyCompliance *own = &D->body[b];
        own->ncolumns = 0;
        for (int i = 0; i < own->count; i++)
            own->column[i] = -1;
    }
    D->generation = stick_step_matrix_generation(D->matrix);
}

// Solves for one block of columns of S. Blocks are cut at fixed places, so that the bits of a column do not
// depend on the order in which contacts came: a run that is resumed goes on with the same bits.
static StickStatus solve_block(StickDelassus *D, int b, int first)
{
    BodyCompliance *own = &D->body[b];
    size_t order = (size_t)stick_step_matrix_order(D->matrix, b);
    int count = own->count - first < SOLVE_BLOCK ? own->count - first : SOLVE_BLOCK;
    STICK_RESERVE(D->ctx, D->right, D->right_capacity, order * (size_t)count);
    STICK_RESERVE(D->ctx, own->S, own->capacity, (size_t)own->count * (size_t)(own->ncolumns + count));
    memset(D->right, 0, order * (size_t)count * sizeof *D->right);
    for (int k = 0; k < count; k++)
        D->right[(size_t)k * order + (size_t)own->packed[first + k]] = 1;
    STICK_TRY(stick_step_matrix_solve_body(D->matrix, b, D->right, count, D->right));
    for (int k = 0; k < count; k++) {
        double *column = own->S + (size_t)own->ncolumns * (size_t)own->count;
        for (int i = 0; i < own->count; i++)
            column[i] = D->right[(size_t)k * order + (size_t)own->packed[i]];
        own->column[first + k] = own->ncolumns++;
    }
    D->solves += count;
    return STICK_OK;
}

// Makes sure that S has a column for every degree of freedom that these entries of body b touch.
static StickStatus complete_columns(StickDelassus *D, int b, const Entry *entry, int nentries)
{
    BodyCompliance *own = &D->body[b];
    for (int e = 0; e < nentries; e++)
        if (own->column[entry[e].index] < 0)
            STICK_TRY(solve_block(D, b, entry[e].index / SOLVE_BLOCK * SOLVE_BLOCK));
    return STICK_OK;
}

// ---- blocks

// Entries of H at free degrees of freedom of body b, contact by contact.
static int collect_entries(const StickDelassus *D, const StickContactSet *set, int b, Entry *entry)
{
    int count = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        for (int e = contact->first; e < contact->first + contact->count; e++) {
            int dof = set->dof[e];
            if (D->owner[dof] == b && D->index[dof] >= 0)
                entry[count++] = (Entry){c, D->index[dof], &set->H[(size_t)e * (size_t)set->dim]};
        }
    }
    return count;
}

// Whether contacts c and d press on a common body: only then there is a block.
static bool shares_body(const StickDelassus *D, const StickContactSet *set, const StickContact *c,
                        const StickContact *d)
{
    for (int i = c->first; i < c->first + c->count; i++) {
        int b = D->owner[set->dof[i]];
        if (i > c->first && b == D->owner[set->dof[i - 1]])
            continue;
        for (int j = d->first; j < d->first + d->count; j++)
            if (D->owner[set->dof[j]] == b)
                return true;
    }
    return false;
}

static StickStatus pattern(StickDelassus *D, const StickContactSet *set)
{
    StickBlocks *W = &D->W;
    int n = set->ncontacts, d2 = set->dim * set->dim;
    W->d = set->dim;
    W->n = n;
    STICK_RESERVE(D->ctx, W->start, D->start_capacity, n + 1);
    int blocks = 0;
    for (int c = 0; c < n; c++) {
        W->start[c] = blocks;
        STICK_RESERVE(D->ctx, W->col, D->col_capacity, blocks + n);
        for (int d = 0; d < n; d++)
            if (c == d || shares_body(D, set, &set->contact[c], &set->contact[d]))
                W->col[blocks++] = d;
    }
    W->start[n] = blocks;
    STICK_RESERVE(D->ctx, W->value, D->value_capacity, (size_t)blocks * (size_t)d2);
    memset(W->value, 0, (size_t)blocks * (size_t)d2 * sizeof *W->value);
    return STICK_OK;
}

// Y = S H_d for the entries of one contact.
static void compliance_of_contact(const BodyCompliance *own, const Entry *entry, int nentries, int dim,
                                  double *Y)
{
    memset(Y, 0, (size_t)own->count * (size_t)dim * sizeof *Y);
    for (int e = 0; e < nentries; e++) {
        const double *S = own->S + (size_t)own->column[entry[e].index] * (size_t)own->count;
        for (int k = 0; k < dim; k++) {
            double *y = Y + (size_t)k * (size_t)own->count, H = entry[e].H[k];
            for (int i = 0; i < own->count; i++)
                y[i] += S[i] * H;
        }
    }
}

// W_cd += H_c' Y over the entries of contact c.
static void add_block(const BodyCompliance *own, const Entry *entry, int nentries, int dim, const double *Y,
                      double *block)
{
    for (int e = 0; e < nentries; e++)
        for (int k = 0; k < dim; k++)
            for (int l = 0; l < dim; l++)
                block[k * dim + l] +=
                    entry[e].H[k] * Y[(size_t)l * (size_t)own->count + (size_t)entry[e].index];
}

static double *find_block(const StickBlocks *W, int c, int d)
{
    int low = W->start[c], high = W->start[c + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (W->col[middle] < d)
            low = middle + 1;
        else
            high = middle;
    }
    return W->value + (size_t)low * (size_t)(W->d * W->d);
}

static int entries_of_contact(const Entry *entry, int from, int nentries)
{
    int to = from;
    while (to < nentries && entry[to].contact == entry[from].contact)
        to++;
    return to - from;
}

// Adds what body b gives to the blocks W_cd with c <= d.
static StickStatus add_body(StickDelassus *D, const StickContactSet *set, int b)
{
    BodyCompliance *own = &D->body[b];
    int nentries = collect_entries(D, set, b, D->entry), dim = set->dim;
    STICK_TRY(complete_columns(D, b, D->entry, nentries));
    STICK_RESERVE(D->ctx, D->Y, D->Y_capacity, (size_t)own->count * (size_t)dim);
    for (int d = 0; d < nentries;) {
        int nd = entries_of_contact(D->entry, d, nentries);
        compliance_of_contact(own, D->entry + d, nd, dim, D->Y);
        for (int c = 0; c <= d;) {
            int nc = entries_of_contact(D->entry, c, nentries);
            add_block(own, D->entry + c, nc, dim, D->Y,
                      find_block(&D->W, D->entry[c].contact, D->entry[d].contact));
            c += nc;
        }
        d += nd;
    }
    return STICK_OK;
}

// The lower blocks are the transposed upper ones, and the diagonal blocks are made symmetric to the bit.
static void mirror(StickBlocks *W)
{
    int d = W->d;
    for (int c = 0; c < W->n; c++) {
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            double *upper = W->value + (size_t)k * (size_t)(d * d);
            if (W->col[k] < c)
                continue;
            double *lower = W->col[k] == c ? upper : find_block(W, W->col[k], c);
            for (int i = 0; i < d; i++)
                for (int j = W->col[k] == c ? i + 1 : 0; j < d; j++)
                    lower[j * d + i] = upper[i * d + j];
        }
    }
}

StickStatus stick_delassus_blocks(StickDelassus *D, const StickContactSet *set, const StickBlocks **W)
{
    if (D->generation != stick_step_matrix_generation(D->matrix))
        forget_columns(D);
    size_t most_entries = 0;
    for (int c = 0; c < set->ncontacts; c++)
        most_entries += (size_t)set->contact[c].count;
    STICK_RESERVE(D->ctx, D->entry, D->entry_capacity, most_entries);
    STICK_TRY(pattern(D, set));
    for (int b = 0; b < D->system->nbodies; b++)
        if (D->body[b].count > 0)
            STICK_TRY(add_body(D, set, b));
    mirror(&D->W);
    *W = &D->W;
    return STICK_OK;
}

long stick_delassus_solves(const StickDelassus *D)
{
    return D->solves;
}
