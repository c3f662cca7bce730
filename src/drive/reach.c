// SPDX-License-Identifier: Apache-2.0
#include "drive/reach.h"

#include "base/check.h"
#include "drive/mating.h"

#include <math.h>

// How far free motions bring pairs nearer beyond 'max-distance' of their contacts: at most, and 0 or more.
static double way_beyond(const StickRun *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickStripSet *set = &trajectory->set;
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
static double separation(const StickTrajectory *trajectory, const StickStripPair *pair)
{
    const StickFrames *frames = &trajectory->frames;
    double d = pair->gap + stick_mating_parting(trajectory, pair, trajectory->u, STICK_MATING_NORMAL);
    for (int j = 0; j < frames->nmotions; j++)
        d += trajectory->theta[j] *
             stick_mating_couple(trajectory, pair, frames->body[j], frames->motion[j], STICK_MATING_NORMAL);
    return d;
}

StickStatus stick_reach_check(StickRun *run)
{
    StickTrajectory *trajectory = run->trajectory;
    double beyond = trajectory->is_told ? 0 : way_beyond(run), needed = 0;
    const StickContactSpec *mating = NULL;
    if (beyond == 0)
        return STICK_OK;
    StickStripSet found = {0}, taken = trajectory->set;
    StickStatus status =
        stick_strips_find_beyond(trajectory->strips, &trajectory->frames, run->state.next.t, beyond, &found);
    trajectory->set = found;
    for (int i = 0; i < found.npairs && status == STICK_OK; i++) {
        const StickStripPair *pair = &found.pair[i];
        const StickContactSpec *own = &run->system->model->mating[pair->mating];
        if (pair->gap > fmax(own->max_distance, needed) && separation(trajectory, pair) < 0)
            mating = own, needed = pair->gap;
    }
    trajectory->set = taken;
    stick_strip_set_destroy(run->ctx, &found);
    if (mating)
        stick_warn_at(run->ctx, mating->mark,
                      "step '%s', t = %g: surfaces that were %.3g apart overlap now, but pairs farther apart "
                      "than 'max-distance', %g, are left out: results are wrong; take at least %.2g",
                      run->spec->name, run->state.next.t, needed, mating->max_distance, 2 * needed);
    trajectory->is_told = mating != NULL;
    return status;
}
