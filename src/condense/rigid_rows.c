// SPDX-License-Identifier: Apache-2.0
#include "condense/rigid_rows.h"

#include "base/memory.h"
#include "base/pool.h"
#include "contact/contact_set.h"

#include <string.h>

void stick_rigid_rows_destroy(StickRigidRows *rows)
{
    stick_free(rows->ctx, rows->sides);
    stick_free(rows->ctx, rows->MH);
    stick_free(rows->ctx, rows->S);
}

// One W.
typedef struct Adding {
    StickRigidRows *rows;
    const StickContactSet *set;
    StickBlocks *W;
} Adding;

static StickBodySides sides_of(const StickRigidRows *rows, const StickContactSet *set,
                               const StickContact *contact)
{
    StickBodySides sides = {{-1, -1}, {0, 0}};
    bool by_shapes = contact->pair < 0; // rigid bodies, whose columns stand one after the other
    for (int side = 0; side < 2; side++) {
        int body = contact->body[side], entry = contact->first;
        if (body < 0 || !(by_shapes || rows->system->body[body].rigid) ||
            stick_step_matrix_order(rows->matrix, body) == 0)
            continue;
        if (by_shapes)
            entry += side * stick_rigid_ndofs(set->dim);
        while (!by_shapes && set->dof[entry] != rows->system->body[body].first)
            entry++;
        sides.body[side] = body;
        sides.entry[side] = entry;
    }
    return sides;
}

// Without supports, translation and rotation are uncoupled. dim is a compile-time constant.
static inline __attribute__((always_inline)) void spread_freely(int dim, const double *S, const double *H,
                                                                double *MH)
{
    int ndofs = stick_rigid_ndofs(dim);
    for (int i = 0; i < dim; i++)
        for (int k = 0; k < dim; k++)
            MH[i * dim + k] = S[i * ndofs + i] * H[i * dim + k];
    for (int i = dim; i < ndofs; i++) {
        for (int k = 0; k < dim; k++) {
            double sum = 0;
            for (int j = dim; j < ndofs; j++)
                sum += S[i * ndofs + j] * H[j * dim + k];
            MH[i * dim + k] = sum;
        }
    }
}

// A^-1 H of one contact and body; zero where a degree of freedom is prescribed.
static void spread(const StickRigidRows *rows, const StickContactSet *set, int body, int entry)
{
    const double *S = stick_step_matrix_rigid(rows->matrix, body);
    int dim = set->dim, order = stick_step_matrix_order(rows->matrix, body), ndofs = stick_rigid_ndofs(dim);
    const double *H = set->H + (size_t)entry * (size_t)dim;
    double *MH = rows->MH + (size_t)entry * (size_t)dim;
    if (order == ndofs && dim == 2) {
        spread_freely(2, S, H, MH);
        return;
    }
    if (order == ndofs) {
        spread_freely(3, S, H, MH);
        return;
    }
    memset(MH, 0, (size_t)(ndofs * dim) * sizeof *MH);
    for (int i = 0; i < ndofs; i++) {
        for (int j = 0; j < ndofs; j++) {
            int row = stick_step_matrix_free(rows->matrix, body, i),
                column = stick_step_matrix_free(rows->matrix, body, j);
            for (int k = 0; k < dim && row >= 0 && column >= 0; k++)
                MH[i * dim + k] += S[row * order + column] * H[j * dim + k];
        }
    }
}

static void spread_range(void *data, int from, int to)
{
    const Adding *adding = data;
    for (int c = from; c < to; c++) {
        StickBodySides sides = sides_of(adding->rows, adding->set, &adding->set->contact[c]);
        for (int side = 0; side < 2; side++)
            if (sides.body[side] >= 0)
                spread(adding->rows, adding->set, sides.body[side], sides.entry[side]);
        adding->rows->sides[c] = sides;
    }
}

// Product of ndofs x dim columns: block += (A^-1 H_d)' H_c
static inline __attribute__((always_inline)) void multiply(int dim, const double *MH, const double *H,
                                                           double *block)
{
    for (int i = 0; i < stick_rigid_ndofs(dim); i++)
        for (int l = 0; l < dim; l++)
            for (int k = 0; k < dim; k++)
                block[l * dim + k] += MH[i * dim + l] * H[i * dim + k];
}

// W_cd is computed from A^-1 H of the later one of both contacts and H of the earlier one: symmetric to the bit.
static inline __attribute__((always_inline)) void set_block(int dim, const Adding *adding, int c, int d,
                                                            double *block)
{
    const double *MH = adding->rows->MH, *H = adding->set->H;
    const StickBodySides *later = &adding->rows->sides[c > d ? c : d],
                         *earlier = &adding->rows->sides[c > d ? d : c];
    double sum[9] = {0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (later->body[i] >= 0 && later->body[i] == earlier->body[j])
                multiply(dim, MH + dim * later->entry[i], H + dim * earlier->entry[j], sum);
    for (int l = 0; l < dim; l++)
        for (int k = 0; k < dim; k++)
            block[l * dim + k] = c > d || (c == d && l >= k) ? sum[l * dim + k] : sum[k * dim + l];
}

static inline __attribute__((always_inline)) void set_row(int dim, const Adding *adding, int c)
{
    const StickBlocks *W = adding->W;
    for (int at = W->start[c]; at < W->start[c + 1]; at++)
        set_block(dim, adding, c, W->col[at], W->value + (size_t)at * (size_t)(dim * dim));
}

static void set_rows(void *data, int from, int to)
{
    const Adding *adding = data;
    if (adding->set->dim == 2)
        for (int c = from; c < to; c++)
            set_row(2, adding, c);
    else
        for (int c = from; c < to; c++)
            set_row(3, adding, c);
}

// Contacts may have columns after those of the last one.
static size_t entries_of(const StickContactSet *set)
{
    size_t entries = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        size_t end = (size_t)(set->contact[c].first + set->contact[c].count);
        entries = end > entries ? end : entries;
    }
    return entries;
}

StickStatus stick_rigid_rows_set(StickRigidRows *rows, const StickContactSet *set, StickBlocks *W)
{
    Adding adding = {rows, set, W};
    size_t entries = entries_of(set);
    STICK_RESERVE(rows->ctx, rows->sides, rows->sides_capacity, set->ncontacts);
    STICK_RESERVE(rows->ctx, rows->MH, rows->MH_capacity, entries * (size_t)set->dim);
    stick_threads_range(rows->ctx, set->ncontacts, spread_range, &adding);
    stick_threads_range(rows->ctx, set->ncontacts, set_rows, &adding);
    return STICK_OK;
}

static void copy_inverses(void *data, int from, int to)
{
    const StickRigidRows *rows = data;
    int ndofs = stick_rigid_ndofs(rows->system->dim);
    size_t size = (size_t)(ndofs * ndofs);
    memset(rows->S + size * (size_t)from, 0, size * (size_t)(to - from) * sizeof *rows->S);
    for (int b = from; b < to; b++) {
        const double *inverse = stick_step_matrix_rigid(rows->matrix, b);
        int order = stick_step_matrix_order(rows->matrix, b);
        double *S = rows->S + size * (size_t)b;
        for (int i = 0; i < ndofs; i++)
            for (int j = 0; j < ndofs; j++) {
                int row = stick_step_matrix_free(rows->matrix, b, i);
                int column = stick_step_matrix_free(rows->matrix, b, j);
                if (row >= 0 && column >= 0)
                    S[i * ndofs + j] = inverse[row * order + column];
            }
    }
}

StickStatus stick_rigid_rows_bodies(StickRigidRows *rows, const StickContactSet *set, StickBodies *bodies)
{
    int nbodies = rows->system->nbodies, ndofs = stick_rigid_ndofs(set->dim);
    STICK_RESERVE(rows->ctx, rows->S, rows->S_capacity, nbodies * ndofs * ndofs);
    stick_threads_range(rows->ctx, nbodies, copy_inverses, rows);
    *bodies =
        (StickBodies){.nbodies = nbodies, .ndofs = ndofs, .S = rows->S, .H = set->H, .sides = rows->sides};
    return STICK_OK;
}
