// SPDX-License-Identifier: Apache-2.0
#include "stepping/linearity.h"

#include "stepping/quasistatic.h"

#include <math.h>

static const double bent = 1e-10; // how far from linear loads may be, relative

// Shares of the way that are looked at: quarters, where bisections end, and steps of the golden section, which leave no
// gap above 1/40 and meet no period.
enum { QUARTERS = 3, UNEVEN = 64, SHARES = QUARTERS + UNEVEN };
static const double golden = 0.61803398874989484820;

static double share_of(int k)
{
    return k < QUARTERS ? 0.25 * (k + 1) : fmod((k - QUARTERS + 1) * golden, 1);
}

// What a share of the way shows: how far off the straight line, and the size that this is judged by.
typedef struct Sample {
    double t0, t1, share;
    double off, size;
} Sample;

static double bend(double start, double middle, double end, double share)
{
    return fabs(middle - (1 - share) * start - share * end);
}

static double time_of(const Sample *sample)
{
    return sample->t0 + sample->share * (sample->t1 - sample->t0);
}

static StickStatus bend_of_supports(const StickLinearity *linearity, StickSimulation *run, Sample *sample)
{
    // also those of the whole increment tell how large they are
    double from = stick_quasistatic_time(run, run->advance.piece, 0),
           to = stick_quasistatic_time(run, run->advance.piece, 1);
    (void)linearity;
    for (int k = 0; k < run->supports.count; k++) {
        double value[5], time[5] = {sample->t0, time_of(sample), sample->t1, from, to};
        const StickSupport *support = &run->supports.support[k];
        for (int j = 0; j < 5; j++) {
            STICK_TRY(stick_support_value(support, time[j], &value[j]));
            sample->size = fmax(sample->size, fabs(value[j]));
        }
        // a velocity is linear in its integral only if it is constant
        double off = support->displacement ? bend(value[0], value[1], value[2], sample->share)
                                           : fmax(fabs(value[1] - value[0]), fabs(value[2] - value[0]));
        sample->off = fmax(sample->off, off);
    }
    return STICK_OK;
}

// An obstacle's mean velocity over a part must be that over the whole piece.
static StickStatus bend_of_obstacles(const StickLinearity *linearity, StickSimulation *run, Sample *sample)
{
    const StickContactSet *whole = linearity->whole;
    StickContactSet *set = &run->middle;
    double h = sample->share * (sample->t1 - sample->t0);
    StickDetection part = {.t = sample->t0, .h = h, .q = linearity->q, .all = true};
    STICK_TRY(stick_pairs_detect(run->pairs, &part, set));
    for (int c = 0; c < set->ncontacts; c++)
        for (int k = 0; k < set->dim; k++) {
            double speed = whole->contact[c].u_drive[k];
            sample->size = fmax(sample->size, fabs(speed) * run->spec->step);
            sample->off = fmax(sample->off, fabs(set->contact[c].u_drive[k] - speed) * h);
        }
    return STICK_OK;
}

static StickStatus bend_of_loads(const StickLinearity *linearity, StickSimulation *run, Sample *sample)
{
    const double *F0 = linearity->F0, *F1 = linearity->F1;
    STICK_TRY(stick_loads_force(run->ctx, &run->loads, time_of(sample), run->rhs));
    for (int i = 0; i < run->state.n; i++) {
        sample->size = fmax(sample->size, fmax(fabs(F0[i]), fabs(F1[i])));
        sample->off = fmax(sample->off, bend(F0[i], run->rhs[i], F1[i], sample->share));
    }
    return STICK_OK;
}

static StickStatus is_straight(const StickLinearity *linearity, StickSimulation *run, Sample sample,
                               bool *straight)
{
    StickStatus (*const bends[])(const StickLinearity *, StickSimulation *,
                                 Sample *) = {bend_of_supports, bend_of_loads, bend_of_obstacles};
    *straight = true;
    for (size_t k = 0; k < sizeof bends / sizeof *bends && *straight; k++) {
        sample.off = sample.size = 0;
        STICK_TRY(bends[k](linearity, run, &sample));
        *straight = sample.off <= bent * sample.size;
    }
    return STICK_OK;
}

StickStatus stick_linearity_check(StickLinearity *linearity, StickSimulation *run, double t0, double t1,
                                  bool *linear)
{
    StickDetection whole = {.t = t0, .h = t1 - t0, .q = linearity->q, .all = true};
    STICK_TRY(stick_loads_force(run->ctx, &run->loads, t0, linearity->F0));
    STICK_TRY(stick_loads_force(run->ctx, &run->loads, t1, linearity->F1));
    STICK_TRY(stick_pairs_detect(run->pairs, &whole, linearity->whole));
    *linear = true;
    for (int k = 0; k < SHARES && *linear; k++)
        STICK_TRY(is_straight(linearity, run, (Sample){.t0 = t0, .t1 = t1, .share = share_of(k)}, linear));
    return STICK_OK;
}

StickStatus stick_linearity_is_curve(StickLinearity *linearity, StickSimulation *run, double t0, double t1,
                                     bool *curve)
{
    double middle = 0.5 * (t0 + t1);
    bool first, second;
    STICK_TRY(stick_linearity_check(linearity, run, t0, middle, &first));
    STICK_TRY(stick_linearity_check(linearity, run, middle, t1, &second));
    *curve = !first && !second;
    return STICK_OK;
}
