// SPDX-License-Identifier: Apache-2.0
#include "study/frequencies.h"

#include "base/pi.h"

#include <math.h>

// Waves cross a body of many elements in longer times than single nodes swing, but not by more than this; and who wants
// many digits may take thousands of time steps for one swing. A density in other units is 1e12 times too large or small.
static const double FAR_BELOW = 1e-3, FAR_BELOW_STEPS = 1e-5, FAR_ABOVE = 1e6;

// Degrees of freedom whose modes all together are found quickly.
enum { FEW = 400 };

static double diagonal_of(const StickSparse *matrix, int j)
{
    for (int e = matrix->start[j]; e < matrix->start[j + 1]; e++)
        if (matrix->row[e] == j)
            return matrix->value[e];
    return 0;
}

// Of the fastest node that moves alone: about that of the highest mode.
static double highest_frequency(const StickSystem *system)
{
    double most = 0;
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        for (int j = 0; !body->rigid && j < body->ndofs; j++) {
            double M = diagonal_of(&body->M, j), K = diagonal_of(&body->K, j);
            most = M > 0 && K > 0 ? fmax(most, sqrt(K / M) / (2 * STICK_PI)) : most;
        }
    }
    return most;
}

static void warn(StickContext *ctx, const StickSystem *system, const StickStepSpec *step, const char *than,
                 double frequency)
{
    char unit[STICK_FREQUENCY_TEXT];
    stick_frequency_unit(&system->model->units, unit);
    stick_warn_at(
        ctx, step->mark,
        "step '%s': the highest frequencies of the bodies lie near %.3g%s, far from %s: are densities and "
        "moduli in the units of the model (such as t, mm, N and s together)?",
        step->name, frequency, unit, than);
}

void stick_frequencies_watch(StickContext *ctx, const StickSystem *system, const StickStepSpec *step)
{
    const StickStabilitySpec *stability = &step->stability;
    bool judges = step->kind == STICK_STEP_STABILITY;
    if (judges && stability->vary.parameter && stability->highest == 0 && stability->modes == 0 &&
        system->ndofs > FEW)
        stick_note(
            ctx,
            "step '%s' follows all modes of %d degrees of freedom from value to value, which takes long: "
            "'highest' names the frequency up to which they are looked for",
            step->name, system->ndofs);
    double asked = judges ? stability->highest : step->kind == STICK_STEP_DYNAMICS ? 1 / step->step : 0;
    double frequency = asked > 0 && stability->mass != STICK_MASS_UNIT ? highest_frequency(system) : 0;
    double least = (judges ? FAR_BELOW : FAR_BELOW_STEPS) * asked;
    if (frequency > 0 && (frequency < least || (!judges && frequency > FAR_ABOVE * asked)))
        warn(ctx, system, step, judges ? "'highest'" : "one in a time step", frequency);
}
