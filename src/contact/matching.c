// SPDX-License-Identifier: Apache-2.0
#include "contact/matching.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/projection.h"

#include <math.h>

// Nodes match that lie opposite to each other to this part of a facet, and on round surfaces, where the perpendicular of a
// node misses its image by the gap times the slope, to this part of their distance.
static const double OPPOSITE = 0.01, SLOPE = 0.3;

// Surfaces face each other if the cosine of the angle between their normals is below this.
static const double FACING = -0.2;

// Distances up to which nodes are judged, in facets of the other surface; each one if nothing was found within the last.
static const double DISTANCE[] = {1, 4, 16, 64, 256};
enum { DISTANCES = sizeof DISTANCE / sizeof *DISTANCE };

typedef struct Judgement {
    int judged;
    bool match;
} Judgement;

// Nodes of a that have a foot on b within a distance.
static StickStatus judge_nodes(const StickSurface *a, const StickSurface *b, const StickBvh *tree,
                               double distance, StickHits *hits, Judgement *found)
{
    for (int i = 0; i < a->nnodes && found->match; i++) {
        const double *place = a->place + 3 * i;
        StickProjection nearest = {.distance = distance};
        StickBox box;
        double size = 0; // of the nearest facet
        for (int k = 0; k < 3; k++) {
            box.low[k] = place[k] - distance;
            box.high[k] = place[k] + distance;
        }
        STICK_TRY(stick_bvh_query(tree, &box, hits));
        for (size_t h = 0; h < hits->count; h++) {
            StickProjection projection;
            stick_piece_project(b, hits->item[h], place, &projection);
            if (projection.distance < nearest.distance &&
                stick_vec_dot(a->normal + 3 * i, b->piece[hits->item[h]].normal) < FACING) {
                nearest = projection;
                size = b->piece[hits->item[h]].size;
            }
        }
        // beyond the rim of the other surface there is nothing to match
        if (size == 0 || !nearest.inside)
            continue;
        double largest = 0;
        for (int k = 0; k < 4; k++)
            largest = fmax(largest, nearest.weight[k]);
        found->judged++;
        found->match = (1 - largest) * size <= OPPOSITE * size + SLOPE * nearest.distance;
    }
    return STICK_OK;
}

StickStatus stick_surfaces_match(StickContext *ctx, const StickSurface *a, const StickSurface *b, bool *match)
{
    const StickSurface *side[2] = {a, b};
    StickBvh tree[2] = {{0}};
    StickHits hits = {0};
    Judgement found = {.judged = 0, .match = true};
    StickStatus status = STICK_OK;
    for (int s = 0; s < 2 && status == STICK_OK; s++)
        status = stick_surface_tree(ctx, side[s], &tree[s]);
    for (int d = 0; d < DISTANCES && found.judged == 0; d++)
        for (int s = 0; s < 2 && status == STICK_OK; s++)
            status = judge_nodes(side[s], side[1 - s], &tree[1 - s], DISTANCE[d] * side[1 - s]->largest,
                                 &hits, &found);
    for (int s = 0; s < 2; s++)
        stick_bvh_destroy(&tree[s]);
    stick_free(ctx, hits.item);
    *match = found.judged > 0 && found.match;
    return status;
}
