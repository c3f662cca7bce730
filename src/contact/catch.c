// SPDX-License-Identifier: Apache-2.0
#include "contact/catch.h"

#include "base/vec.h"
#include "contact/plane_touch.h"
#include "contact/space_touch.h"

enum { MOST_STEPS = 100 };

// Of what is deep: shapes that are nearer than this meet.
static const double near = 1e-3;

// Of what is deep: shapes that are nowhere deeper on their way than this graze each other, as what slides from one tile to
// the next does.
static const double shallow = 0.1;

static double least_gap(const StickManifold *manifold)
{
    double least = INFINITY;
    for (int k = 0; k < manifold->count; k++)
        least = fmin(least, manifold->point[k].gap);
    return least;
}

// Where a part of the way is gone: b stands, a has gone the way of both.
static double touch_on_the_way(const StickCatch *pair, const double way[3], double part, double reach,
                               StickManifold *manifold)
{
    StickPlacedShape a = pair->a;
    stick_vec_axpy(a.centre, part, way, a.centre);
    if (pair->dim == 2)
        stick_plane_touch(&a, &pair->b, reach, manifold);
    else
        stick_space_touch(&a, &pair->b, reach, manifold);
    return least_gap(manifold);
}

static void put_back(const StickCatch *pair, const double way[3], double part, StickManifold *manifold)
{
    bool a_is_fast = stick_vec_norm(pair->way_a) >= stick_vec_norm(pair->way_b);
    for (int k = 0; k < manifold->count; k++) {
        double *place = manifold->point[k].place;
        if (a_is_fast)
            stick_vec_axpy(place, -part, way, place);
        manifold->point[k].gap -= part * stick_vec_dot(manifold->normal, way);
    }
}

// From where they are as deep as counts along the normal of where they meet, to the end of the way.
static bool graze(const StickCatch *pair, const double way[3], double from)
{
    enum { PLACES = 8 };
    for (int k = 0; k <= PLACES; k++) {
        StickManifold manifold;
        double part = from + (1 - from) * k / PLACES;
        if (-touch_on_the_way(pair, way, part, 0, &manifold) > shallow * pair->deep)
            return false;
    }
    return true;
}

// No shape goes farther than to the plane that parts both: they cannot have met before.
bool stick_catch(const StickCatch *pair, StickManifold *manifold)
{
    double way[3], part = 0;
    stick_vec_sub(pair->way_a, pair->way_b, way);
    double length = stick_vec_norm(way), slack = near * pair->deep;
    for (int k = 0; k < MOST_STEPS && part < 1; k++) {
        double gap = touch_on_the_way(pair, way, part, (1 - part) * length + slack, manifold);
        double closing = -stick_vec_dot(manifold->normal, way);
        if (manifold->count == 0 || !(closing > 0))
            return false;
        if (gap > slack) {
            part += gap / closing;
            continue;
        }
        if ((1 - part) * closing <= pair->deep || graze(pair, way, part + pair->deep / closing))
            return false;
        put_back(pair, way, part, manifold);
        return true;
    }
    return false;
}
