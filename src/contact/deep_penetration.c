// SPDX-License-Identifier: Apache-2.0
//
// To be behind a side of the master is not enough: bodies pass below a plate, and around the rim of a surface.
// Lost is what is within the volume of the master's body, clear of its skin, and straight behind the surface.
#include "contact/deep_penetration.h"

#include "contact/node_facet.h"

// Nearer to the skin than this part of a side, bodies that stand face to face cannot be told from buried ones.
static const double CLEAR = 0.05;

static void count_lost(const StickSearch *search, int feature, const double place[3], double depth)
{
    StickLost *lost = search->lost;
    if (lost->count++ > 0 && depth <= lost->depth)
        return;
    lost->pair = search->pair;
    lost->feature = feature;
    lost->depth = depth;
    for (int k = 0; k < 3; k++)
        lost->place[k] = place[k];
}

StickStatus stick_deep_penetration_look(const StickSearch *search, int feature, const double place[3],
                                        StickHits *hits)
{
    StickSurfacePoint touch[STICK_LAYERS];
    int count;
    bool inside;
    if (!search->interior || !stick_interior_may_hold(search->interior, place))
        return STICK_OK;
    // What touches is not lost; what is nearest is asked last, of all pieces, because few get there.
    STICK_TRY(stick_surface_touch(search->master, search->tree, place, 0, hits, touch, &count));
    if (count > 0)
        return STICK_OK;
    STICK_TRY(stick_interior_holds(search->interior, place, hits, &inside));
    if (!inside)
        return STICK_OK;
    StickSurfacePoint nearest = stick_surface_nearest(search->master, place);
    if (nearest.piece < 0 || nearest.gap >= -search->master->piece[nearest.piece].size)
        return STICK_OK;
    double margin = CLEAR * search->master->piece[nearest.piece].size;
    STICK_TRY(stick_interior_buries(search->interior, place, margin, hits, &inside));
    if (inside)
        count_lost(search, feature, place, -nearest.gap);
    return STICK_OK;
}
