// SPDX-License-Identifier: Apache-2.0
#include "gears/tell.h"

#include "base/check.h"
#include "base/pi.h"
#include "gears/gear_mesh.h"

#include <math.h>
#include <stdio.h>

static const double DEGREE = STICK_PI / 180;
static const double NO_BACKLASH = 1e-9; // of the module

static void warn_of_undercut(StickContext *ctx, const StickGearPair *pair, int g)
{
    const StickTooth *tooth = &pair->tooth[g];
    if (tooth->undercut)
        stick_warn_at(
            ctx, pair->spec->mark,
            "gear '%s.%d' is undercut: its flanks begin at radius %.6g; a 'shift' of at least %.4f, "
            "a smaller 'dedendum' or more teeth avoid it",
            pair->spec->name, g + 1, tooth->form, tooth->least_shift);
}

static void warn_of_interference(StickContext *ctx, const StickGearPair *pair, int g)
{
    static const char *const into[] = {
        [STICK_INTERFERENCE_INVOLUTE] = "the fillets, outside the involutes",
        [STICK_INTERFERENCE_FILLET] = "the fillets",
        [STICK_INTERFERENCE_ROOT] = "the root circle",
        [STICK_INTERFERENCE_TIP] = "the tips",
    };
    static const char *const help[] = {
        [STICK_INTERFERENCE_INVOLUTE] = "a smaller 'addendum' of the one or a larger 'shift' of the other",
        [STICK_INTERFERENCE_FILLET] =
            "a smaller 'addendum' of the one, or a larger 'dedendum' or smaller 'rack-radius' of the other",
        [STICK_INTERFERENCE_ROOT] = "a smaller 'addendum' of the one or a larger 'dedendum' of the other",
        [STICK_INTERFERENCE_TIP] = "a smaller 'addendum', or a larger difference of the teeth",
    };
    StickInterference kind = pair->interference[g];
    const char *name = pair->spec->name;
    bool said = g == 1 && kind == STICK_INTERFERENCE_TIP && pair->interference[0] == kind;
    if (kind != STICK_INTERFERENCE_NONE && !said)
        stick_warn_at(
            ctx, pair->spec->mark,
            "interference: the tips of gear '%s.%d' run into %s of gear '%s.%d', by %.3g; %s avoids it", name,
            g + 1, into[kind], name, 2 - g, pair->interferes[g], help[kind]);
}

static void warn_of_ratio(StickContext *ctx, const StickGearPair *pair)
{
    char nearer[64] = "";
    if (pair->contact_ratio >= 1)
        return;
    if (pair->backlash > NO_BACKLASH * pair->spec->module)
        snprintf(nearer, sizeof nearer, ", or a 'centre-distance' nearer to %.10g",
                 stick_gears_tight_distance(pair->spec));
    stick_warn_at(ctx, pair->spec->mark,
                  "the contact ratio of gears '%s' is %.6g: below 1 there are positions in which no exact "
                  "flanks are in contact and tip corners carry the load; use a larger 'addendum'%s",
                  pair->spec->name, pair->contact_ratio, nearer);
}

// In modules: reliefs are usually a few hundredths of a module.
static const double largest_relief = 0.1;

static void warn_of_amount(StickContext *ctx, const StickGearPair *pair, int g, const char *key,
                           double amount)
{
    if (amount > largest_relief * pair->spec->module)
        stick_warn_at(ctx, pair->spec->mark,
                      "%s of gear '%s.%d' removes %g, which is %.3g modules: the teeth hardly touch; amounts "
                      "are in the unit of length of the model, as those of 'module'",
                      key, pair->spec->name, g + 1, amount, amount / pair->spec->module);
}

// Reliefs of both ends that meet leave nothing of the flank as it was.
static void warn_of_reliefs(StickContext *ctx, const StickGearPair *pair, int g)
{
    const StickGearSpec *gear = &pair->spec->gear[g];
    double active[2], taken = 0;
    warn_of_amount(ctx, pair, g, "'tip-relief'", gear->tip.amount);
    warn_of_amount(ctx, pair, g, "'root-relief'", gear->root.amount);
    warn_of_amount(ctx, pair, g, "'crowning'", gear->crowning);
    stick_gear_active(pair, g, active);
    taken += gear->tip.amount > 0 ? gear->tip.length : 0;
    taken += gear->root.amount > 0 ? gear->root.length : 0;
    double length = (active[1] - active[0]) / pair->spec->module;
    if (taken > length)
        stick_warn_at(ctx, pair->spec->mark,
                      "reliefs of gear '%s.%d' have together the length %g, but its active flank has %.6g "
                      "modules: nothing of the original flank remains",
                      pair->spec->name, g + 1, taken, length);
}

// Teeth k of the input that touch on the way of a step, with exact flanks.
static void teeth_of(const StickGearPair *pair, const StickStepSpec *step, int *first, int *last)
{
    const StickTrajectorySpec *way = &step->trajectory;
    double from = way->from - 0.5, to = (way->by_tooth ? way->to - step->step : way->to) - 0.5;
    *first = (int)ceil(pair->from / pair->base_pitch - to);
    *last = (int)floor(pair->to / pair->base_pitch - from);
}

// How many teeth about tooth 0 of gear g are needed for those.
static int teeth_needed(const StickGearPair *pair, int g, int first, int last)
{
    int z = pair->tooth[g].teeth, count = 1;
    for (int k = first; k <= last && k - first < z; k++) {
        int tooth = g == 0 ? (k % z + z) % z : stick_gear_mate(pair, k);
        while (!stick_gear_is_about(z, tooth, count))
            count++;
    }
    return count;
}

static void warn_of_teeth(StickContext *ctx, const StickGearPair *pair, int g, const StickStepSpec *step)
{
    const StickGearSpec *gear = &pair->spec->gear[g];
    int first, last;
    teeth_of(pair, step, &first, &last);
    int needed = teeth_needed(pair, g, first, last);
    if (gear->mesh_teeth > 0 && gear->mesh_teeth < needed)
        stick_warn_at(ctx, step->mark,
                      "step '%s': teeth of gear '%s.%d' that should be in contact are outside its sector of "
                      "%d teeth, so loads and transmission error are wrong there: %d or more for 'teeth' of "
                      "its 'mesh' have them all",
                      step->name, pair->spec->name, g + 1, gear->mesh_teeth, needed);
    else if (gear->fine_teeth > 0 && gear->fine_teeth < needed)
        stick_warn_at(ctx, step->mark,
                      "step '%s': of gear '%s.%d' coarse teeth touch as well: %d or more for 'fine-teeth' of "
                      "its 'mesh' make all of them fine",
                      step->name, pair->spec->name, g + 1, needed);
}

static void note(StickContext *ctx, const StickGearPair *pair)
{
    double a = pair->spec->centre_distance, backlash = pair->backlash;
    if (fabs(backlash) < NO_BACKLASH * pair->spec->module)
        backlash = 0;
    stick_note(ctx,
               "gears '%s': contact ratio %.6f, line of action from %.6g to %.6g of base pitch %.6g, "
               "working pressure angle %.6g degrees, centre distance %.10g, backlash %.3g",
               pair->spec->name, pair->contact_ratio, pair->from, pair->to, pair->base_pitch,
               pair->working_angle / DEGREE, a, backlash);
}

static StickStatus tell_pair(StickContext *ctx, const StickModel *model, const StickGearPairSpec *spec)
{
    StickGearPair pair;
    STICK_TRY(stick_gear_pair_make(ctx, spec, &pair));
    for (int g = 0; g < 2; g++) {
        warn_of_undercut(ctx, &pair, g);
        warn_of_interference(ctx, &pair, g);
        warn_of_reliefs(ctx, &pair, g);
        for (int k = 0; k < model->nsteps; k++)
            if (model->step[k].kind == STICK_STEP_TRAJECTORY)
                warn_of_teeth(ctx, &pair, g, &model->step[k]);
    }
    warn_of_ratio(ctx, &pair);
    note(ctx, &pair);
    return STICK_OK;
}

StickStatus stick_gears_tell(StickContext *ctx, const StickModel *model)
{
    StickStatus worst = STICK_OK;
    for (int k = 0; k < model->ngears; k++) {
        StickStatus status = tell_pair(ctx, model, &model->gears[k]);
        worst = status != STICK_OK ? status : worst;
    }
    return worst;
}
