// SPDX-License-Identifier: Apache-2.0
#include "stepping/search_distance.h"

#include "base/check.h"
#include "stepping/flank_contact.h"

#include <math.h>

// How far free motions bring pairs nearer beyond 'max-distance' of their contacts: at most, and 0 or more.
static double way_beyond(const StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickFacetSet *set = &trajectory->set;
    double beyond = 0;
    for (int i = 0; i < set->npairs; i++) {
        double way = -run->system->model->mating[set->pair[i].mating].max_distance;
        for (int j = 0; j < trajectory->frames.nmotions; j++)
            way -= trajectory->C[j * set->npairs + i] * trajectory->theta[j];
        beyond = fmax(beyond, way);
    }
    return beyond;
}

// Separation of a pair as bodies are displaced and deformed.
static double separation(const StickTrajectory *trajectory, const StickFacetPair *pair)
{
    const StickFrames *frames = &trajectory->frames;
    double d = pair->gap + stick_flank_contact_parting(trajectory, pair, trajectory->u, STICK_MATING_NORMAL);
    for (int j = 0; j < frames->nmotions; j++)
        d += trajectory->theta[j] * stick_flank_contact_couple(trajectory, pair, frames->body[j],
                                                               frames->motion[j], STICK_MATING_NORMAL);
    return d;
}

// The pair of a set that was farthest apart of those that were left out and overlap now, or NULL.
static const StickFacetPair *farthest(const StickSimulation *run, const StickFacetSet *set)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickFacetPair *found = NULL;
    for (int i = 0; i < set->npairs; i++) {
        const StickFacetPair *pair = &set->pair[i];
        double taken = run->system->model->mating[pair->mating].max_distance + trajectory->beyond;
        if (pair->gap > taken && (!found || pair->gap > found->gap) && separation(trajectory, pair) < 0)
            found = pair;
    }
    return found;
}

static void tell(const StickSimulation *run, const StickFacetPair *pair)
{
    const StickContactSpec *mating = &run->system->model->mating[pair->mating];
    stick_warn_at(run->ctx, mating->mark,
                  "step '%s', t = %g: surfaces that were %.3g apart would overlap, farther than "
                  "'max-distance', %g: these are looked at as well, at more cost; take at least %.2g",
                  run->spec->name, run->state.next.t, pair->gap, mating->max_distance, 2 * pair->gap);
}

StickStatus stick_search_distance_widen(StickSimulation *run, bool *wider)
{
    StickTrajectory *trajectory = run->trajectory;
    double beyond = way_beyond(run);
    *wider = false;
    if (!(beyond > trajectory->beyond))
        return STICK_OK;
    StickFacetSet found = {0}, taken = trajectory->set;
    StickStatus status =
        stick_facets_find_beyond(trajectory->strips, &trajectory->frames, run->state.next.t, beyond, &found);
    trajectory->set = found; // whose nodes separations are those of
    const StickFacetPair *pair = status == STICK_OK ? farthest(run, &found) : NULL;
    trajectory->set = taken;
    if (pair && !trajectory->is_told)
        tell(run, pair);
    if (pair) {
        *wider = trajectory->is_told = true;
        trajectory->beyond = beyond;
    }
    stick_facet_set_destroy(run->ctx, &found);
    return status;
}
