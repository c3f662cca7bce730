// SPDX-License-Identifier: Apache-2.0
#include "mesh/halving.h"

#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>

void stick_halving_init(StickHalving *halving, StickContext *ctx, StickHalvingRule rule)
{
    *halving = (StickHalving){.ctx = ctx, .rule = rule};
}

void stick_halving_destroy(StickHalving *halving)
{
    stick_free(halving->ctx, halving->x);
    stick_free(halving->ctx, halving->cell);
    stick_free(halving->ctx, halving->slot);
    halving->x = NULL;
    halving->cell = NULL;
    halving->slot = NULL;
}

StickStatus stick_halving_add_node(StickHalving *halving, const double x[2], int *node)
{
    STICK_RESERVE(halving->ctx, halving->x, halving->x_room, 2 * ((size_t)halving->nnodes + 1));
    *node = halving->nnodes++;
    halving->x[2 * (size_t)*node] = x[0];
    halving->x[2 * (size_t)*node + 1] = x[1];
    return STICK_OK;
}

StickStatus stick_halving_add_cell(StickHalving *halving, const StickHalvingCell *cell)
{
    StickHalvingCell copy = *cell; // may be one of those that move
    STICK_RESERVE(halving->ctx, halving->cell, halving->cell_room, (size_t)halving->ncells + 1);
    halving->cell[halving->ncells++] = copy;
    return STICK_OK;
}

// ---- nodes in the middle of edges, by the ends of these

static size_t first_slot(const StickHalving *halving, int low, int high)
{
    uint64_t key = (uint64_t)(uint32_t)low << 32 | (uint32_t)high;
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(key >> 20) & (halving->nslots - 1);
}

// The slot of an edge, or the free one where it belongs.
static StickHalvingEdge *find(const StickHalving *halving, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    size_t k = first_slot(halving, low, high);
    while (halving->slot[k].middle != 0 &&
           (halving->slot[k].end[0] != low || halving->slot[k].end[1] != high))
        k = (k + 1) & (halving->nslots - 1);
    return &halving->slot[k];
}

// The node in the middle of an edge; 0: no such node.
static int middle_of(const StickHalving *halving, int a, int b)
{
    return halving->nslots > 0 ? find(halving, a, b)->middle : 0;
}

static void put(StickHalving *halving, int a, int b, int middle)
{
    *find(halving, a, b) = (StickHalvingEdge){{a < b ? a : b, a < b ? b : a}, middle};
}

static StickStatus grow_slots(StickHalving *halving)
{
    StickHalvingEdge *old = halving->slot;
    size_t count = halving->nslots;
    if (halving->nedges < count / 2)
        return STICK_OK;
    StickHalvingEdge *slot;
    STICK_ALLOC(halving->ctx, slot, count > 0 ? 2 * count : 64);
    halving->slot = slot;
    halving->nslots = count > 0 ? 2 * count : 64;
    for (size_t k = 0; k < count; k++)
        if (old[k].middle != 0)
            put(halving, old[k].end[0], old[k].end[1], old[k].middle);
    stick_free(halving->ctx, old);
    return STICK_OK;
}

StickStatus stick_halving_set_middle(StickHalving *halving, int a, int b, int middle)
{
    assert(middle > 0);
    STICK_TRY(grow_slots(halving));
    put(halving, a, b, middle);
    halving->nedges++;
    return STICK_OK;
}

// ---- cutting

static StickStatus add_place(StickHalving *halving, int block, double u, double v, int *node)
{
    double x[2];
    halving->rule.place(halving->rule.user, block, u, v, x);
    return stick_halving_add_node(halving, x, node);
}

// The node in the middle of a side, which a neighbour may have made.
static StickStatus take_middle(StickHalving *halving, const StickHalvingCell *cell, int side, int *node)
{
    int a = cell->node[side], b = cell->node[(side + 1) % 4];
    double u = side % 2 ? cell->u[side == 1] : 0.5 * (cell->u[0] + cell->u[1]);
    double v = side % 2 ? 0.5 * (cell->v[0] + cell->v[1]) : cell->v[side == 2];
    *node = middle_of(halving, a, b);
    if (*node != 0)
        return STICK_OK;
    STICK_TRY(add_place(halving, cell->block, u, v, node));
    return stick_halving_set_middle(halving, a, b, *node);
}

// Child c has corner c of the cell, the middles of both sides that meet there, and the node inside.
static StickHalvingCell child_of(const StickHalvingCell *cell, int c, const int middle[4], int inside)
{
    StickHalvingCell child = *cell;
    bool right = c == 1 || c == 2, up = c > 1;
    child.u[!right] = 0.5 * (cell->u[0] + cell->u[1]);
    child.v[!up] = 0.5 * (cell->v[0] + cell->v[1]);
    child.node[(c + 1) % 4] = middle[c];
    child.node[(c + 2) % 4] = inside;
    child.node[(c + 3) % 4] = middle[(c + 3) % 4];
    child.tag[(c + 1) % 4] = child.tag[(c + 2) % 4] = -1;
    child.level++;
    child.cut = false;
    return child;
}

static StickStatus cut_cell(StickHalving *halving, int c)
{
    StickHalvingCell cell = halving->cell[c];
    int middle[4], inside;
    for (int side = 0; side < 4; side++)
        STICK_TRY(take_middle(halving, &cell, side, &middle[side]));
    STICK_TRY(add_place(halving, cell.block, 0.5 * (cell.u[0] + cell.u[1]), 0.5 * (cell.v[0] + cell.v[1]),
                        &inside));
    for (int k = 0; k < 4; k++) {
        StickHalvingCell child = child_of(&cell, k, middle, inside);
        STICK_TRY(stick_halving_add_cell(halving, &child));
    }
    halving->cell[c].cut = true;
    return STICK_OK;
}

// Whether neighbours leave a cell no other choice.
static bool must_be_cut(const StickHalving *halving, const StickHalvingCell *cell)
{
    int middles = 0;
    for (int side = 0; side < 4; side++) {
        int a = cell->node[side], b = cell->node[(side + 1) % 4], m = middle_of(halving, a, b);
        if (m != 0 && (middle_of(halving, a, m) != 0 || middle_of(halving, m, b) != 0))
            return true;
        middles += m != 0;
    }
    return middles > 1;
}

StickStatus stick_halving_cut(StickHalving *halving)
{
    enum { MOST_CELLS = INT_MAX / 8 };
    bool again = true;
    while (again) {
        again = false;
        for (int c = 0; c < halving->ncells; c++) {
            const StickHalvingCell *cell = &halving->cell[c];
            if (cell->cut || !(halving->rule.wanted(halving->rule.user, cell) || must_be_cut(halving, cell)))
                continue;
            STICK_CHECK(halving->ctx, halving->ncells < MOST_CELLS, STICK_NO_MEMORY,
                        "a mesh of more than %d cells is too large", MOST_CELLS);
            STICK_TRY(cut_cell(halving, c));
            again = true;
        }
    }
    return STICK_OK;
}

// ---- elements

// Nodes and tags anticlockwise.
static void turn_over(StickHalvingCell *cell)
{
    int node = cell->node[1], tag[4];
    cell->node[1] = cell->node[3];
    cell->node[3] = node;
    for (int k = 0; k < 4; k++)
        tag[k] = cell->tag[3 - k];
    for (int k = 0; k < 4; k++)
        cell->tag[k] = tag[k];
}

// The element of a cell: nodes from the side with a node in its middle on, if there is one; first: that side.
static int element_of(const StickHalving *halving, const StickHalvingCell *cell, int node[5], int *first)
{
    int count = 0, middle = 0;
    *first = 0;
    for (int side = 0; side < 4; side++) {
        int m = middle_of(halving, cell->node[side], cell->node[(side + 1) % 4]);
        if (m != 0) {
            middle = m;
            *first = side;
        }
    }
    for (int k = 0; k < 4; k++) {
        node[count++] = cell->node[(*first + k) % 4];
        if (k == 0 && middle != 0)
            node[count++] = middle;
    }
    return count;
}

static StickStatus add_element(const StickHalving *halving, const StickHalvingCell *cell, const int (*of)[2],
                               StickMeshBuilder *builder)
{
    int node[5], first, e = builder->mesh.nelements;
    int count = element_of(halving, cell, node, &first);
    STICK_TRY(stick_builder_add_element(builder, count == 5 ? STICK_QUAD5 : STICK_QUAD4, node, 0));
    for (int k = 0; k < 4; k++) {
        int tag = cell->tag[(first + k) % 4];
        StickFacet facet = {e, count == 5 ? k + 1 : k}; // no side at the boundary has a node in its middle
        for (int g = 0; g < 2 && tag >= 0; g++)
            if (of[tag][g] >= 0)
                STICK_TRY(stick_builder_group_facet(builder, of[tag][g], facet));
    }
    return STICK_OK;
}

StickStatus stick_halving_build(const StickHalving *halving, const int (*of)[2], StickMeshBuilder *builder)
{
    for (int i = 0; i < halving->nnodes; i++)
        STICK_TRY(stick_builder_add_node(builder, &halving->x[2 * (size_t)i], 0));
    for (int c = 0; c < halving->ncells; c++) {
        StickHalvingCell cell = halving->cell[c];
        if (cell.cut)
            continue;
        if (cell.mirrored)
            turn_over(&cell);
        STICK_TRY(add_element(halving, &cell, of, builder));
    }
    return STICK_OK;
}
