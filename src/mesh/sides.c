// SPDX-License-Identifier: Apache-2.0
#include "mesh/sides.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void sort_few(int *value, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && value[j - 1] > value[j]; j--) {
            int kept = value[j];
            value[j] = value[j - 1];
            value[j - 1] = kept;
        }
}

static StickSide make_side(const StickMesh *mesh, StickFacet facet)
{
    StickSide side = {{0}, facet};
    stick_mesh_facet_nodes(mesh, facet, side.corner);
    int ncorners = stick_shape_info(stick_mesh_facet_shape(mesh, facet))->corners;
    sort_few(side.corner, ncorners);
    for (int k = ncorners; k < STICK_MOST_FACET_NODES; k++)
        side.corner[k] = -1;
    return side;
}

static int compare_corners(const int *a, const int *b)
{
    for (int k = 0; k < STICK_MOST_FACET_NODES; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_sides(const void *left, const void *right)
{
    const StickSide *a = left, *b = right;
    int order = compare_corners(a->corner, b->corner);
    if (order == 0)
        order = (a->facet.element > b->facet.element) - (a->facet.element < b->facet.element);
    return order ? order : (a->facet.side > b->facet.side) - (a->facet.side < b->facet.side);
}

static long count_sides(const StickMesh *mesh)
{
    long count = 0;
    for (int e = 0; e < mesh->nelements; e++)
        count += stick_shape_info(mesh->shape[e])->nsides;
    return count;
}

// Puts every side into the bucket of its smallest corner; start[i + 1] ends as the end of bucket i.
static void fill_buckets(const StickMesh *mesh, StickSides *sides)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < mesh->nelements; e++)
            for (int s = 0; s < stick_shape_info(mesh->shape[e])->nsides; s++) {
                StickSide side = make_side(mesh, (StickFacet){e, s});
                if (pass == 0)
                    sides->start[side.corner[0] + 1]++;
                else
                    sides->side[sides->start[side.corner[0]]++] = side;
            }
        for (int i = 0; pass == 0 && i < mesh->nnodes; i++)
            sides->start[i + 1] += sides->start[i];
    }
    memmove(sides->start + 1, sides->start, (size_t)mesh->nnodes * sizeof *sides->start);
    sides->start[0] = 0;
}

StickStatus stick_sides_create(StickContext *ctx, const StickMesh *mesh, StickSides *sides)
{
    long count = count_sides(mesh);
    STICK_CHECK(ctx, count <= INT_MAX, STICK_NO_MEMORY, "a mesh of %ld element sides is too large", count);
    *sides = (StickSides){.count = (int)count, .nnodes = mesh->nnodes};
    sides->side = stick_alloc(ctx, (size_t)count, sizeof *sides->side);
    sides->start = stick_alloc(ctx, (size_t)mesh->nnodes + 1, sizeof *sides->start);
    if (!sides->side || !sides->start) {
        stick_sides_destroy(ctx, sides);
        return STICK_NO_MEMORY;
    }
    fill_buckets(mesh, sides);
    for (int i = 0; i < mesh->nnodes; i++)
        qsort(sides->side + sides->start[i], (size_t)(sides->start[i + 1] - sides->start[i]),
              sizeof *sides->side, compare_sides);
    return STICK_OK;
}

void stick_sides_destroy(StickContext *ctx, StickSides *sides)
{
    stick_free(ctx, sides->side);
    stick_free(ctx, sides->start);
    *sides = (StickSides){0};
}

int stick_sides_alike(const StickSides *sides, int first)
{
    int k = first + 1;
    while (k < sides->count && compare_corners(sides->side[k].corner, sides->side[first].corner) == 0)
        k++;
    return k - first;
}

// Position of the first side with these sorted corners, or -1.
static int locate(const StickSides *sides, const int *corner)
{
    for (int k = sides->start[corner[0]]; k < sides->start[corner[0] + 1]; k++)
        if (compare_corners(sides->side[k].corner, corner) == 0)
            return k;
    return -1;
}

bool stick_sides_find(const StickSides *sides, const int *corner, int ncorners, StickFacet *facet)
{
    int wanted[STICK_MOST_FACET_NODES] = {-1, -1, -1, -1};
    memcpy(wanted, corner, (size_t)ncorners * sizeof *corner);
    sort_few(wanted, ncorners);
    int k = locate(sides, wanted);
    if (k >= 0)
        *facet = sides->side[k].facet;
    return k >= 0;
}

bool stick_sides_is_free(const StickSides *sides, const StickMesh *mesh, StickFacet facet)
{
    StickSide side = make_side(mesh, facet);
    return stick_sides_alike(sides, locate(sides, side.corner)) == 1;
}
