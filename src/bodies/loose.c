// SPDX-License-Identifier: Apache-2.0
//
// Elements that share a side move together where nothing deforms. Such blocks may share single nodes (in space
// edges), which act as hinges. With the rigid motions of all blocks of a part as unknowns z, the rows of supports and
// of shared nodes are B z = 0, and the free motions are the null space of G = B' B.
#include "bodies/loose.h"

#include "base/memory.h"
#include "base/vec.h"
#include "bodies/rigid_motions.h"
#include "mesh/sides.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FREE = 1e-10; // of the largest eigenvalue of G
enum { MOTIONS = STICK_RIGID_MOTIONS, MOST_BLOCKS = 60 };

typedef struct Block {
    int part, nnodes, nelements;
    double low[3], high[3], centre[3], size;
} Block;

typedef struct Finder {
    StickContext *ctx;
    const StickBody *body;
    const StickSupports *supports;
    int nmotions;
    int *node_parent, *element_parent;
    int *block_of;   // nelements
    int *node_block; // nnodes: one of its blocks
    int nblocks, nparts;
    Block *block;
    bool *prescribed; // ndofs
} Finder;

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void unite(int *parent, int i, int j)
{
    int a = root_of(parent, i), b = root_of(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
}

// Blocks by common sides, parts by common nodes; both are numbered in the order of their first elements.
static StickStatus find_blocks(Finder *finder)
{
    const StickMesh *mesh = &finder->body->mesh;
    StickContext *ctx = finder->ctx;
    StickSides sides;
    STICK_ALLOC(ctx, finder->node_parent, mesh->nnodes);
    STICK_ALLOC(ctx, finder->element_parent, mesh->nelements);
    STICK_ALLOC(ctx, finder->block_of, mesh->nelements);
    STICK_ALLOC(ctx, finder->node_block, mesh->nnodes);
    for (int i = 0; i < mesh->nnodes; i++)
        finder->node_parent[i] = i;
    for (int e = 0; e < mesh->nelements; e++) {
        finder->element_parent[e] = e;
        for (int k = mesh->start[e] + 1; k < mesh->start[e + 1]; k++)
            unite(finder->node_parent, mesh->node[k], mesh->node[k - 1]);
    }
    STICK_TRY(stick_sides_create(ctx, mesh, &sides));
    for (int s = 0, alike; s < sides.count; s += alike) {
        alike = stick_sides_alike(&sides, s);
        for (int k = 1; k < alike; k++)
            unite(finder->element_parent, sides.side[s].facet.element, sides.side[s + k].facet.element);
    }
    stick_sides_destroy(ctx, &sides);
    for (int e = 0; e < mesh->nelements; e++) {
        int root = root_of(finder->element_parent, e);
        finder->block_of[e] = root == e ? finder->nblocks++ : finder->block_of[root];
    }
    for (int i = 0; i < mesh->nnodes; i++) {
        finder->nparts += root_of(finder->node_parent, i) == i;
        finder->node_block[i] = -1;
    }
    STICK_ALLOC(ctx, finder->block, finder->nblocks);
    for (int b = 0; b < finder->nblocks; b++)
        for (int d = 0; d < 3; d++)
            finder->block[b].low[d] = HUGE_VAL, finder->block[b].high[d] = -HUGE_VAL;
    for (int e = 0; e < mesh->nelements; e++) {
        Block *block = &finder->block[finder->block_of[e]];
        block->nelements++;
        block->part = root_of(finder->node_parent, mesh->node[mesh->start[e]]);
        for (int k = mesh->start[e]; k < mesh->start[e + 1]; k++) {
            int node = mesh->node[k];
            block->nnodes += finder->node_block[node] < 0;
            if (finder->node_block[node] < 0)
                finder->node_block[node] = finder->block_of[e];
            for (int d = 0; d < mesh->dim; d++) {
                double x = mesh->x[(size_t)node * (size_t)mesh->dim + (size_t)d];
                block->low[d] = fmin(block->low[d], x);
                block->high[d] = fmax(block->high[d], x);
            }
        }
    }
    for (int b = 0; b < finder->nblocks; b++)
        for (int d = 0; d < mesh->dim; d++) {
            Block *block = &finder->block[b];
            block->centre[d] = (block->low[d] + block->high[d]) / 2;
            block->size = fmax(block->size, block->high[d] - block->low[d]);
        }
    return STICK_OK;
}

// Displacement of a degree of freedom by each motion of a block, rotations by one over its size.
static void motion_at(const Finder *finder, int b, int node, int k, double motion[MOTIONS])
{
    const StickMesh *mesh = &finder->body->mesh;
    const Block *block = &finder->block[b];
    double x[3] = {0};
    for (int d = 0; d < mesh->dim; d++)
        x[d] = (mesh->x[(size_t)node * (size_t)mesh->dim + (size_t)d] - block->centre[d]) / block->size;
    memset(motion, 0, MOTIONS * sizeof *motion);
    if (finder->nmotions == 1) {
        motion[0] = k == mesh->dim - 1;
        return;
    }
    motion[k] = 1;
    if (mesh->dim == 2)
        motion[2] = k == 0 ? -x[1] : x[0];
    else {
        motion[3 + (k + 1) % 3] = x[(k + 2) % 3];
        motion[3 + (k + 2) % 3] = -x[(k + 1) % 3];
    }
}

static void add_row(double *G, int n, const double *row, const int *at, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            G[(size_t)at[i] * (size_t)n + (size_t)at[j]] += row[i] * row[j];
}

// G of the blocks first[0 .. m - 1] of one part: place[b] is the block's number among them, -1 for others.
static void assemble(const Finder *finder, const int *place, int n, double *G)
{
    const StickMesh *mesh = &finder->body->mesh;
    int q = finder->nmotions;
    double row[2 * MOTIONS];
    int at[2 * MOTIONS];
    for (int e = 0; e < mesh->nelements; e++) {
        int b = finder->block_of[e];
        if (place[b] < 0)
            continue;
        for (int v = mesh->start[e]; v < mesh->start[e + 1]; v++) {
            int node = mesh->node[v], other = finder->node_block[node];
            for (int k = 0; k < mesh->dim; k++) {
                for (int i = 0; i < q; i++)
                    at[i] = place[b] * q + i, at[q + i] = place[other] * q + i;
                motion_at(finder, b, node, k, row);
                if (finder->prescribed[node * mesh->dim + k])
                    add_row(G, n, row, at, q);
                if (other == b)
                    continue;
                // the node moves the same way with both blocks
                motion_at(finder, other, node, k, row + q);
                for (int i = q; i < 2 * q; i++)
                    row[i] = -row[i];
                add_row(G, n, row, at, 2 * q);
            }
        }
    }
}

// Whether the unit vector along k lies in the span of the orthonormal columns; those are n long, one after the other.
static bool spans(const double *column, int count, int n, int k)
{
    double square = 0;
    for (int c = 0; c < count; c++)
        square += column[c * n + k] * column[c * n + k];
    return square > 1 - 1e-8;
}

// Orthonormal columns of the span of those given; n long. Returns how many.
static int orthonormal(double *column, int count, int n)
{
    int kept = 0;
    for (int c = 0; c < count; c++) {
        double *x = &column[c * n], norm = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < kept; j++) {
                double dot = 0;
                for (int i = 0; i < n; i++)
                    dot += column[j * n + i] * x[i];
                for (int i = 0; i < n; i++)
                    x[i] -= dot * column[j * n + i];
            }
        for (int i = 0; i < n; i++)
            norm += x[i] * x[i];
        if (norm < 1e-12)
            continue;
        for (int i = 0; i < n; i++)
            column[kept * n + i] = x[i] / sqrt(norm);
        kept++;
    }
    return kept;
}

// "move along x and y and turn": of the null vectors of one block, q numbers each.
static int describe(const Finder *finder, double *motion, int count, char *text, size_t size)
{
    static const char *const axis[] = {"x", "y", "z"};
    int dim = finder->body->mesh.dim, q = finder->nmotions, free = 0, turns = q - dim;
    double turn[MOTIONS * 3];
    size_t length = 0;
    count = orthonormal(motion, count, q);
    for (int k = 0; k < (q == 1 ? 1 : dim); k++)
        if (spans(motion, count, q, k)) {
            const char *along = q == 1 ? axis[dim - 1] : axis[k];
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       free > 0 ? " and " : "move along ", along);
            free++;
        }
    if (q == 1)
        return count;
    for (int c = 0; c < count; c++)
        for (int k = 0; k < turns; k++)
            turn[c * turns + k] = motion[c * q + dim + k];
    int rotations = orthonormal(turn, count, turns), told = 0;
    for (int k = 0; k < turns; k++)
        if (spans(turn, rotations, turns, k)) {
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       told > 0   ? " and "
                                       : free > 0 ? " and turn"
                                                  : "turn",
                                       dim == 2   ? ""
                                       : told > 0 ? axis[k]
                                                  : "");
            if (dim == 3 && told == 0)
                length += (size_t)snprintf(text + length, size - length, " about %s", axis[k]);
            told++;
        }
    if (free + told == 0)
        snprintf(text + length, size - length, "move without deforming");
    return count;
}

// The largest group whose nodes all belong to the block, before all groups of elements; NULL: no group.
static const char *group_of(const Finder *finder, int b)
{
    const StickMesh *mesh = &finder->body->mesh;
    const StickGroup *best = NULL;
    for (int g = 0; g < mesh->ngroups; g++) {
        const StickGroup *group = &mesh->group[g];
        bool inside = group->nnodes > 0;
        for (int i = 0; i < group->nnodes && inside; i++)
            inside = finder->node_block[group->node[i]] == b;
        if (inside && (!best || (group->nelements > 0) > (best->nelements > 0) ||
                       ((group->nelements > 0) == (best->nelements > 0) && group->nnodes > best->nnodes)))
            best = group;
    }
    return best ? best->name : NULL;
}

static void name_block(const Finder *finder, int b, const char *motions, StickLoose *found)
{
    const Block *block = &finder->block[b];
    const char *group = group_of(finder, b);
    char place[200] = "", named[160] = "";
    if (finder->nblocks == 1) {
        snprintf(found->text, sizeof found->text, "it can %s", motions);
        return;
    }
    for (int d = 0; d < finder->body->mesh.dim; d++)
        snprintf(place + strlen(place), sizeof place - strlen(place), "%s%.5g to %.5g", d > 0 ? ", " : "",
                 block->low[d], block->high[d]);
    if (group)
        snprintf(named, sizeof named, ", with the group '%.100s',", group);
    snprintf(found->text, sizeof found->text,
             "%s; its part of %d element%s and %d nodes within (%s)%s can %s",
             finder->nparts > 1 ? "its mesh is in parts that are not connected"
                                : "parts of its mesh share nodes, but no sides",
             block->nelements, block->nelements > 1 ? "s" : "", block->nnodes, place, named, motions);
}

// One part: G of its blocks and its free motions.
static StickStatus look_at_part(const Finder *finder, int part, int *place, StickLoose *found)
{
    int q = finder->nmotions, count = 0;
    for (int b = 0; b < finder->nblocks; b++)
        place[b] = finder->block[b].part == part ? count++ : -1;
    if (count > MOST_BLOCKS)
        return STICK_OK;
    int n = q * count, nfree = 0, lwork = 34 * n + 64, worst = -1;
    size_t square = (size_t)n * (size_t)n;
    double *G, *value, most = 0;
    STICK_ALLOC(finder->ctx, G, square + (size_t)n + (size_t)lwork);
    value = G + square;
    assemble(finder, place, n, G);
    int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, G, n, value, value + n, lwork);
    while (info == 0 && nfree < n && value[nfree] <= FREE * value[n - 1])
        nfree++;
    // the block that moves most
    for (int b = 0; b < finder->nblocks && nfree > 0; b++) {
        double square_sum = 0;
        for (int v = 0; v < nfree && place[b] >= 0; v++)
            for (int i = 0; i < q; i++)
                square_sum += G[(size_t)v * (size_t)n + (size_t)(place[b] * q + i)] *
                              G[(size_t)v * (size_t)n + (size_t)(place[b] * q + i)];
        if (square_sum > most * (1 + 1e-9)) {
            most = square_sum;
            worst = b;
        }
    }
    if (worst >= 0) {
        double motion[MOTIONS * MOTIONS];
        char motions[120] = "";
        int kept = nfree < MOTIONS ? nfree : MOTIONS;
        for (int v = 0; v < kept; v++)
            for (int i = 0; i < q; i++)
                motion[v * q + i] = G[(size_t)v * (size_t)n + (size_t)(place[worst] * q + i)];
        describe(finder, motion, kept, motions, sizeof motions);
        found->motions = nfree;
        found->hinged = count > 1;
        name_block(finder, worst, motions, found);
    }
    stick_free(finder->ctx, G);
    return STICK_OK;
}

static StickStatus look(Finder *finder, StickLoose *found)
{
    const StickBody *body = finder->body;
    int *place;
    STICK_TRY(find_blocks(finder));
    STICK_ALLOC(finder->ctx, finder->prescribed, body->ndofs);
    for (int s = 0; s < finder->supports->count; s++) {
        int local = finder->supports->support[s].dof - body->first;
        if (local >= 0 && local < body->ndofs)
            finder->prescribed[local] = true;
    }
    found->nparts = finder->nparts;
    STICK_ALLOC(finder->ctx, place, finder->nblocks);
    StickStatus status = STICK_OK;
    for (int i = 0; i < body->mesh.nnodes && status == STICK_OK && found->motions == 0; i++)
        if (root_of(finder->node_parent, i) == i)
            status = look_at_part(finder, i, place, found);
    stick_free(finder->ctx, place);
    return status;
}

StickStatus stick_loose_find(StickContext *ctx, const StickBody *body, const StickSupports *supports,
                             StickLoose *found)
{
    Finder finder = {
        .ctx = ctx, .body = body, .supports = supports, .nmotions = stick_rigid_motions_count(body)};
    *found = (StickLoose){0};
    StickStatus status = look(&finder, found);
    stick_free(ctx, finder.node_parent);
    stick_free(ctx, finder.element_parent);
    stick_free(ctx, finder.block_of);
    stick_free(ctx, finder.node_block);
    stick_free(ctx, finder.block);
    stick_free(ctx, finder.prescribed);
    return status;
}
