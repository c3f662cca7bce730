// SPDX-License-Identifier: Apache-2.0
#include "condense/rigid_rows.h"

#include "base/memory.h"
#include "base/pool.h"

#include <string.h>

void stick_rigid_rows_destroy(StickRigidRows *rows)
{
    stick_free(rows->ctx, rows->sides);
    stick_free(rows->ctx, rows->MH);
}

// One W.
typedef struct Adding {
    StickRigidRows *rows;
    const StickContactSet *set;
    StickBlocks *W;
} Adding;

static StickRigidSides sides_of(const StickRigidRows *rows, const StickContactSet *set,
                                const StickContact *contact)
{
    StickRigidSides sides = {{-1, -1}, {0, 0}};
    for (int side = 0; side < 2; side++) {
        int body = contact->body[side], entry = contact->first;
        if (body < 0 || !rows->system->body[body].rigid || stick_step_matrix_order(rows->matrix, body) == 0)
            continue;
        while (set->dof[entry] != rows->system->body[body].first)
            entry++;
        sides.body[side] = body;
        sides.entry[side] = entry;
    }
    return sides;
}

// Without supports, translation and rotation have nothing to do with each other.
static void spread_freely(const double *S, int dim, const double *H, double *MH)
{
    int ndofs = stick_rigid_ndofs(dim);
    for (int i = 0; i < dim; i++)
        for (int k = 0; k < dim; k++)
            MH[i * dim + k] = S[i * ndofs + i] * H[i * dim + k];
    for (int i = dim; i < ndofs; i++)
        for (int j = dim; j < ndofs; j++)
            for (int k = 0; k < dim; k++)
                MH[i * dim + k] += S[i * ndofs + j] * H[j * dim + k];
}

// A^-1 H of one contact and body; zero where a degree of freedom is prescribed.
static void spread(const StickRigidRows *rows, const StickContactSet *set, int body, int entry)
{
    const double *S = stick_step_matrix_rigid(rows->matrix, body);
    int dim = set->dim, order = stick_step_matrix_order(rows->matrix, body), ndofs = stick_rigid_ndofs(dim);
    const double *H = set->H + (size_t)entry * (size_t)dim;
    double *MH = rows->MH + (size_t)entry * (size_t)dim;
    memset(MH, 0, (size_t)(ndofs * dim) * sizeof *MH);
    if (order == ndofs) {
        spread_freely(S, dim, H, MH);
        return;
    }
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
        StickRigidSides sides = sides_of(adding->rows, adding->set, &adding->set->contact[c]);
        for (int side = 0; side < 2; side++)
            if (sides.body[side] >= 0)
                spread(adding->rows, adding->set, sides.body[side], sides.entry[side]);
        adding->rows->sides[c] = sides;
    }
}

// Product of ndofs x dim columns: block += (A^-1 H_d)' H_c
static inline void multiply(int ndofs, int dim, const double *MH, const double *H, double *block)
{
    for (int i = 0; i < ndofs; i++)
        for (int l = 0; l < dim; l++)
            for (int k = 0; k < dim; k++)
                block[l * dim + k] += MH[i * dim + l] * H[i * dim + k];
}

// W_cd is computed from A^-1 H of the later one of both contacts and H of the earlier one: symmetric to the bit.
static void set_block(const Adding *adding, int c, int d, double *block)
{
    const double *MH = adding->rows->MH, *H = adding->set->H;
    const StickRigidSides *later = &adding->rows->sides[c > d ? c : d],
                          *earlier = &adding->rows->sides[c > d ? d : c];
    int dim = adding->set->dim;
    double sum[9] = {0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            if (later->body[i] < 0 || later->body[i] != earlier->body[j])
                continue;
            if (dim == 2)
                multiply(3, 2, MH + 2 * later->entry[i], H + 2 * earlier->entry[j], sum);
            else
                multiply(6, 3, MH + 3 * later->entry[i], H + 3 * earlier->entry[j], sum);
        }
    for (int l = 0; l < dim; l++)
        for (int k = 0; k < dim; k++)
            block[l * dim + k] = c > d || (c == d && l >= k) ? sum[l * dim + k] : sum[k * dim + l];
}

static void set_rows(void *data, int from, int to)
{
    const Adding *adding = data;
    const StickBlocks *W = adding->W;
    for (int c = from; c < to; c++)
        for (int at = W->start[c]; at < W->start[c + 1]; at++)
            set_block(adding, c, W->col[at], W->value + (size_t)at * (size_t)(W->d * W->d));
}

StickStatus stick_rigid_rows_set(StickRigidRows *rows, const StickContactSet *set, StickBlocks *W)
{
    Adding adding = {rows, set, W};
    size_t entries = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        size_t end = (size_t)(set->contact[c].first + set->contact[c].count);
        entries = end > entries ? end : entries;
    }
    STICK_RESERVE(rows->ctx, rows->sides, rows->sides_capacity, set->ncontacts);
    STICK_RESERVE(rows->ctx, rows->MH, rows->MH_capacity, entries * (size_t)set->dim);
    stick_threads_range(rows->ctx, set->ncontacts, spread_range, &adding);
    stick_threads_range(rows->ctx, set->ncontacts, set_rows, &adding);
    return STICK_OK;
}
