// SPDX-License-Identifier: Apache-2.0
#include "stepping/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the largest part in a motion that nothing holds: smaller ones do not count.
static const double least_part = 1e-3;

static bool takes_part(const StickTrajectory *trajectory, int motion)
{
    double most = 0;
    for (int j = 0; j < trajectory->frames.nmotions; j++)
        most = fmax(most, fabs(trajectory->unstable[j]));
    return fabs(trajectory->unstable[motion]) > least_part * most;
}

// "rotation of pair.2", and where several take part "motion along x of a and rotation of b"
static void name_motion(const StickTrajectory *trajectory, char text[256])
{
    const StickFrames *frames = &trajectory->frames;
    size_t length = 0;
    text[0] = '\0';
    for (int j = 0; j < frames->nmotions && length < 200; j++)
        if (takes_part(trajectory, j))
            length +=
                (size_t)snprintf(text + length, 256 - length, "%s%s", length ? " and " : "", frames->name[j]);
}

static bool is_sector(const StickGearSpec *gear)
{
    return gear->mesh_teeth > 0 && gear->mesh_teeth < gear->teeth;
}

// What brings pairs to a motion that has none.
static const char *remedy(const StickTrajectory *trajectory)
{
    const StickFrames *frames = &trajectory->frames;
    for (int j = 0; j < frames->nmotions; j++) {
        int gears = takes_part(trajectory, j) ? frames->frame[frames->body[j]].gears : -1;
        if (gears < 0)
            continue;
        const StickGearSpec *gear = frames->pair[gears].spec->gear;
        if (is_sector(&gear[0]) || is_sector(&gear[1]))
            return "perhaps the sectors have no teeth that touch here: mesh more of them ('teeth' of the "
                   "gears' "
                   "'mesh'), let the step's 'from' and 'to' stay where those that there are touch, or give "
                   "contacts a larger 'max-distance'";
        return "give contacts a larger 'max-distance'";
    }
    return "give contacts a larger 'max-distance', or frames an ideal motion that brings surfaces nearer";
}

// Candidate pairs of bodies that would move.
static int count_pairs(const StickTrajectory *trajectory)
{
    const StickFacetSet *set = &trajectory->set;
    int count = 0;
    for (int i = 0; i < set->npairs; i++) {
        bool counts = false;
        for (int j = 0; j < trajectory->frames.nmotions; j++)
            for (int side = 0; side < 2; side++)
                counts = counts || (takes_part(trajectory, j) &&
                                    set->pair[i].side[side].body == trajectory->frames.body[j]);
        count += counts;
    }
    return count;
}

static StickStatus refuse_unstable(StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    double t = run->state.next.t;
    int count = count_pairs(trajectory);
    char motion[256];
    name_motion(trajectory, motion);
    if (count == 0)
        return stick_simulation_refuse_at(
            run, run->spec->mark,
            "step '%s', t = %g: statically unstable: there are no candidate pairs that "
            "could hold the %s against its load; %s",
            run->spec->name, t, motion, remedy(trajectory));
    return stick_simulation_refuse_at(
        run, run->spec->mark,
        "step '%s', t = %g: statically unstable: none of %d candidate pairs holds the %s "
        "against its load; turn the load around, hold this motion, or give contacts a "
        "larger 'max-distance'",
        run->spec->name, t, count, motion);
}

// Where Lemke's method finds nothing, with all that slides, strips that may stick can still be in balance.
const char *stick_trajectory_other_solver(const StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    bool is_auto = strcmp(run->solver_name, "auto") == 0;
    bool by_lemke = trajectory->info.by_lemke || strcmp(run->solver_name, "lemke") == 0;
    if (trajectory->sticking)
        return is_auto ? "newton" : "auto";
    return by_lemke ? "auto" : "lemke";
}

StickStatus stick_trajectory_refuse(StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickSolveInfo *info = &trajectory->info.solve;
    if (info->end == STICK_SOLVE_UNSTABLE)
        return refuse_unstable(run);
    return stick_simulation_refuse_at(
        run, run->spec->mark,
        "step '%s', t = %g: %s did not solve %d candidate pairs: %s after %d %s%s%s; try "
        "'solver: %s'",
        run->spec->name, run->state.next.t, run->solver_name, trajectory->set.npairs,
        stick_solve_end_name(info->end), info->iterations, trajectory->sticking ? "iterations" : "pivots",
        info->detail[0] ? ", " : "", info->detail, stick_trajectory_other_solver(run));
}
