// SPDX-License-Identifier: Apache-2.0
#include "solve/islands.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

void stick_islands_destroy(StickIslands *islands)
{
    StickContext *ctx = islands->ctx;
    if (!ctx)
        return;
    stick_free(ctx, islands->order);
    stick_free(ctx, islands->first);
    stick_free(ctx, islands->root);
    stick_free(ctx, islands->place);
    stick_free(ctx, islands->start);
    stick_free(ctx, islands->block);
    stick_free(ctx, islands->col);
    stick_free(ctx, islands->value);
    stick_free(ctx, islands->u_free);
    stick_free(ctx, islands->mu);
    stick_free(ctx, islands->section);
    stick_free(ctx, islands->settled);
    stick_free(ctx, islands->sides);
    *islands = (StickIslands){0};
}

// ---- finding

// The first contact of the island as far as it is known; on the way every second link is shortened.
static int root_of(int *root, int c)
{
    while (root[c] != c)
        c = root[c] = root[root[c]];
    return c;
}

// Joins coupled contacts until a single island is left; roots are always the first contacts.
static int join(const StickBlocks *W, int *root)
{
    int count = W->n;
    for (int c = 0; c < W->n; c++)
        root[c] = c;
    for (int c = 0; c < W->n && count > 1; c++) {
        int mine = root_of(root, c);
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            int other = root[W->col[k]];
            if (other == mine || (other = root_of(root, other)) == mine)
                continue;
            root[mine < other ? other : mine] = mine < other ? mine : other;
            mine = mine < other ? mine : other;
            count--;
        }
    }
    return count;
}

void stick_islands_roots(const StickBlocks *W, int *root)
{
    join(W, root);
    for (int c = 0; c < W->n; c++)
        root[c] = root_of(root, c);
}

// Below this share of the largest, free velocities of an island are not more than round-off of those of the others.
static const double least_share = 1e-6;

void stick_islands_velocity(const StickFrictionProblem *problem, int *root, double *velocity)
{
    int n = problem->ncontacts, d = problem->dim, count = problem->W ? join(problem->W, root) : 1;
    memset(velocity, 0, (size_t)n * sizeof *velocity);
    for (int c = 0; c < n; c++) {
        double square = 0;
        int first = count == 1 ? 0 : root_of(root, c);
        for (int k = d * c; k < d * (c + 1); k++)
            square += problem->u_free[k] * problem->u_free[k];
        velocity[first] = fmax(velocity[first], sqrt(square));
    }
    double all = 0;
    for (int c = 0; c < n; c++)
        all = fmax(all, velocity[c]);
    // the first contact of an island comes before the others
    for (int c = 0; c < n; c++)
        velocity[c] = fmax(velocity[count == 1 ? 0 : root_of(root, c)], least_share * all);
}

static StickStatus reserve(StickIslands *islands, const StickFrictionProblem *problem)
{
    StickContext *ctx = islands->ctx;
    size_t n = (size_t)problem->ncontacts, d = (size_t)problem->dim, blocks = (size_t)problem->W->start[n];
    size_t count = (size_t)islands->count;
    STICK_RESERVE(ctx, islands->order, islands->order_room, n);
    STICK_RESERVE(ctx, islands->first, islands->first_room, count + 1);
    STICK_RESERVE(ctx, islands->place, islands->place_room, n);
    STICK_RESERVE(ctx, islands->start, islands->start_room, n + count);
    STICK_RESERVE(ctx, islands->block, islands->block_room, count);
    STICK_RESERVE(ctx, islands->col, islands->col_room, blocks);
    STICK_RESERVE(ctx, islands->value, islands->value_room, blocks * d * d);
    STICK_RESERVE(ctx, islands->u_free, islands->u_free_room, n * d);
    STICK_RESERVE(ctx, islands->mu, islands->mu_room, n);
    if (problem->section)
        STICK_RESERVE(ctx, islands->section, islands->section_room, n);
    if (problem->settled)
        STICK_RESERVE(ctx, islands->settled, islands->settled_room, n);
    islands->has_bodies = problem->bodies != NULL;
    if (problem->bodies)
        STICK_RESERVE(ctx, islands->sides, islands->sides_room, n);
    return STICK_OK;
}

// Numbers the islands in the order of their roots and replaces the roots by the numbers. At first place counts the
// contacts of an island.
static void place_contacts(StickIslands *islands)
{
    int n = islands->ncontacts, next = 0, *number = islands->root, *first = islands->first;
    memset(first, 0, ((size_t)islands->count + 1) * sizeof *first);
    for (int c = 0; c < n; c++)
        islands->place[c] = root_of(islands->root, c);
    for (int c = 0; c < n; c++) {
        number[c] = islands->place[c] == c ? next++ : number[islands->place[c]];
        first[number[c] + 1]++;
    }
    for (int k = 0; k < islands->count; k++)
        first[k + 1] += first[k];
    for (int c = 0; c < n; c++)
        islands->place[c] = first[number[c]]++;
    for (int k = islands->count; k > 0; k--)
        first[k] = first[k - 1];
    first[0] = 0;
    for (int c = 0; c < n; c++)
        islands->order[islands->place[c]] = c;
}

// Each island has a start array of its own, one longer than its contacts.
static void place_blocks(StickIslands *islands, const StickBlocks *W)
{
    int block = 0;
    for (int k = 0; k < islands->count; k++) {
        int first = islands->first[k], *start = islands->start + first + k;
        islands->block[k] = block;
        for (int p = first; p < islands->first[k + 1]; p++) {
            int c = islands->order[p];
            start[p - first] = block - islands->block[k];
            for (int e = W->start[c]; e < W->start[c + 1]; e++)
                islands->col[block++] = islands->place[W->col[e]] - first;
        }
        start[islands->first[k + 1] - first] = block - islands->block[k];
    }
}

StickStatus stick_islands_find(StickContext *ctx, const StickFrictionProblem *problem, StickIslands *islands)
{
    islands->ctx = ctx;
    islands->dim = problem->dim;
    islands->ncontacts = problem->ncontacts;
    islands->count = 1;
    if (!problem->W || problem->ncontacts < 2)
        return STICK_OK;
    STICK_RESERVE(ctx, islands->root, islands->root_room, problem->ncontacts);
    islands->count = join(problem->W, islands->root);
    if (islands->count == 1)
        return STICK_OK;
    STICK_TRY(reserve(islands, problem));
    place_contacts(islands);
    place_blocks(islands, problem->W);
    return STICK_OK;
}

// ---- numbers

void stick_islands_load(StickIslands *islands, const StickFrictionProblem *problem)
{
    size_t d = (size_t)islands->dim;
    const StickBlocks *W = problem->W;
    double *value = islands->value;
    islands->sections = problem->section != NULL;
    islands->has_settled = problem->settled != NULL;
    islands->has_bodies = problem->bodies != NULL;
    if (islands->has_bodies)
        islands->bodies = *problem->bodies;
    for (int p = 0; p < islands->ncontacts; p++) {
        int c = islands->order[p];
        size_t row = (size_t)(W->start[c + 1] - W->start[c]) * d * d;
        memcpy(value, W->value + (size_t)W->start[c] * d * d, row * sizeof *value);
        value += row;
        if (d > 1)
            islands->mu[p] = problem->mu[c];
        if (islands->sections)
            islands->section[p] = problem->section[c];
        if (islands->has_settled)
            islands->settled[p] = problem->settled[c];
        if (islands->has_bodies)
            islands->sides[p] = problem->bodies->sides[c];
    }
    stick_islands_sort(islands, problem->u_free, islands->u_free);
}

void stick_islands_take(const StickIslands *islands, int island, StickIsland *taken)
{
    int first = islands->first[island], n = islands->first[island + 1] - first;
    size_t d = (size_t)islands->dim, block = (size_t)islands->block[island];
    *taken = (StickIsland){
        .first = first,
        .ncontacts = n,
        .W = {islands->dim, n, islands->start + first + island, islands->col + block,
              islands->value + block * d * d},
        .problem = {.dim = islands->dim,
                    .ncontacts = n,
                    .W = &taken->W,
                    .u_free = islands->u_free + d * (size_t)first,
                    .mu = islands->mu + first,
                    .section = islands->sections ? islands->section + first : NULL,
                    .settled = islands->has_settled ? islands->settled + first : NULL,
                    .bodies = islands->has_bodies ? &taken->bodies : NULL},
    };
    if (islands->has_bodies) {
        taken->bodies = islands->bodies;
        taken->bodies.sides = islands->sides + first;
    }
}

void stick_islands_sort(const StickIslands *islands, const double *vector, double *sorted)
{
    size_t d = (size_t)islands->dim;
    for (int p = 0; p < islands->ncontacts; p++)
        for (size_t k = 0; k < d; k++)
            sorted[d * (size_t)p + k] = vector[d * (size_t)islands->order[p] + k];
}

void stick_islands_put_back(const StickIslands *islands, const double *sorted, double *vector)
{
    size_t d = (size_t)islands->dim;
    for (int p = 0; p < islands->ncontacts; p++)
        for (size_t k = 0; k < d; k++)
            vector[d * (size_t)islands->order[p] + k] = sorted[d * (size_t)p + k];
}
