// SPDX-License-Identifier: Apache-2.0
#include "output/trajectory_values.h"

#include "stepping/trajectory.h"

#include <math.h>

static double free_motion(const StickTrajectory *trajectory, int body, int motion)
{
    int k = trajectory->frames.frame[body].motion[motion];
    return k >= 0 ? trajectory->theta[k] : 0;
}

static double touch_value(const StickSimulation *run, StickResultKind kind, const StickTarget *of)
{
    StickGroupLoad touch = stick_trajectory_touch(run, of->body, of->group);
    return kind == STICK_RESULT_CONTACT_LOAD    ? touch.load
           : kind == STICK_RESULT_PEAK_PRESSURE ? touch.pressure
           : kind == STICK_RESULT_STICKING      ? touch.sticking
                                                : touch.pairs;
}

double stick_trajectory_value(const StickSimulation *run, const StickResult *what,
                              const StickHistorySpec *spec)
{
    const StickTrajectory *trajectory = run->trajectory;
    if (!trajectory)
        return NAN;
    switch (what->kind) {
    case STICK_RESULT_SHIFT:
        return free_motion(trajectory, spec->of.body, spec->component);
    case STICK_RESULT_ROTATION:
        return free_motion(trajectory, spec->of.body, STICK_FRAME_ROTATION);
    case STICK_RESULT_FRAME_FORCE:
        return trajectory->reaction[spec->of.body][spec->component];
    case STICK_RESULT_FRAME_MOMENT:
        return trajectory->reaction[spec->of.body][STICK_FRAME_ROTATION];
    case STICK_RESULT_TRANSMISSION_ERROR:
        return stick_trajectory_error(run, spec->gears);
    case STICK_RESULT_INPUT_TORQUE:
        return stick_trajectory_input(run, spec->gears);
    case STICK_RESULT_ROLL:
        return stick_frames_roll(&trajectory->frames, spec->gears, run->state.now.t);
    default:
        return touch_value(run, what->kind, &spec->of);
    }
}

void stick_trajectory_nodes(const StickSimulation *run, const StickResult *what, int body, double *values)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickFacetSet *set = &trajectory->set;
    double thickness = run->system->body[body].continuum.thickness;
    for (int i = 0; i < set->npairs; i++)
        for (int side = 0; side < 2; side++) {
            const StickFacetSide *own = &set->pair[i].side[side];
            double pressure = trajectory->p[i] / (set->pair[i].length * thickness);
            double value = what->kind == STICK_RESULT_CONTACT_PRESSURE
                               ? pressure
                               : (double)stick_trajectory_status(run, i);
            for (int k = own->first; own->body == body && k < own->first + own->count; k++)
                values[set->node[k]] = fmax(values[set->node[k]], value);
        }
}
