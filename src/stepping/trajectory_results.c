// SPDX-License-Identifier: Apache-2.0
// What there is to tell of a position of a trajectory.
#include "stepping/simulation.h"
#include "stepping/trajectory.h"

#include <math.h>
#include <string.h>

const double *stick_simulation_deformation(const StickSimulation *run)
{
    return run->trajectory ? run->trajectory->u : run->state.now.q;
}

void stick_simulation_axes(const StickSimulation *run, int body, double axes[2])
{
    axes[0] = 1, axes[1] = 0;
    if (run->trajectory)
        memcpy(axes, run->trajectory->frames.frame[body].axes, 2 * sizeof *axes);
}

StickContactStatus stick_trajectory_status(const StickSimulation *run, int pair)
{
    const StickTrajectory *trajectory = run->trajectory;
    return !(trajectory->p[pair] > 0)          ? STICK_APART
           : trajectory->set.pair[pair].sticks ? STICK_STICKING
                                               : STICK_SLIPPING;
}

StickGroupLoad stick_trajectory_touch(const StickSimulation *run, int body, const char *group)
{
    const StickTrajectory *trajectory = run->trajectory;
    double thickness = run->system->body[body].continuum.thickness;
    StickGroupLoad touch = {0};
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        for (int side = 0; side < 2; side++) {
            const StickSurfaceCurve *surface =
                stick_facets_surface(trajectory->strips, pair->side[side].surface);
            if (surface->body != body || (group && strcmp(surface->curve->group, group) != 0) ||
                !(trajectory->p[i] > 0))
                continue;
            touch.load += trajectory->p[i];
            touch.pressure = fmax(touch.pressure, trajectory->p[i] / (pair->length * thickness));
            touch.pairs++;
            touch.sticking += pair->sticks;
        }
    }
    return touch;
}

double stick_trajectory_error(const StickSimulation *run, int gears)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickGearPair *pair = &trajectory->frames.pair[gears];
    const StickFrame *frame = &trajectory->frames.frame[pair->spec->body[1]];
    double turned = trajectory->theta[frame->motion[STICK_FRAME_ROTATION]];
    return (frame->spin > 0 ? -turned : turned) * pair->working[1];
}

double stick_trajectory_input(const StickSimulation *run, int gears)
{
    const StickTrajectory *trajectory = run->trajectory;
    int body = trajectory->frames.pair[gears].spec->body[0];
    double moment = trajectory->reaction[body][STICK_FRAME_ROTATION];
    return (trajectory->frames.frame[body].spin > 0 ? moment : -moment) + 0.0; // without load no -0
}
