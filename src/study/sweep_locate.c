// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_locate.h"

#include "base/pi.h"
#include "linalg/root.h"

#include <complex.h>
#include <math.h>

static const double PRECISION = 1e-10; // of the value
static const double BISECTION = 1e-6;  // of the distance of two values

static double quantity_of(const StickSweepCrossing *crossing, const StickModeSet *set, const int mode[2])
{
    double complex Lambda = set->mode[mode[0]].Lambda;
    switch (crossing->quantity) {
    case STICK_SWEEP_DISCRIMINANT:
        Lambda -= set->mode[mode[1]].Lambda;
        return creal(Lambda * Lambda);
    case STICK_SWEEP_GROWTH_RATE:
        return set->mode[mode[0]].growth;
    case STICK_SWEEP_LAMBDA:
        break;
    }
    return creal(Lambda);
}

// The mean of two Lambda is smooth where they meet.
static double frequency_of(const StickSweepCrossing *crossing, const StickModeSet *set, const int mode[2])
{
    if (crossing->quantity != STICK_SWEEP_DISCRIMINANT)
        return set->mode[mode[0]].frequency;
    double complex mean = (set->mode[mode[0]].Lambda + set->mode[mode[1]].Lambda) / 2;
    return fabs(cimag(stick_spectrum_root(creal(mean), set->alpha, set->beta))) / (2 * STICK_PI);
}

// One evaluation after the other; the one nearest to zero tells the frequency.
typedef struct Search {
    const StickSweepSource *source;
    const StickSweepCrossing *crossing;
    double least, frequency;
    bool lost; // a branch could not be followed
} Search;

static void note(Search *search, double f, double frequency)
{
    if (fabs(f) > search->least)
        return;
    search->least = fabs(f);
    search->frequency = frequency;
}

static StickStatus follow(Search *search, const StickSweepPoint *point, double *f)
{
    const StickSweepCrossing *crossing = search->crossing;
    const StickSweepPoint *before = crossing->before;
    StickModeMatch match;
    int mode[2];
    STICK_TRY(stick_mode_match_create(search->source->ctx, before->unit_mass ? NULL : &before->M,
                                      &before->modes, &point->modes, &match));
    for (int k = 0; k < 2; k++)
        mode[k] = match.to[crossing->mode_before[k]];
    stick_mode_match_destroy(search->source->ctx, &match);
    search->lost = mode[0] < 0 || mode[1] < 0 || !stick_sweep_same_status(before, point);
    if (search->lost)
        return STICK_NOT_SOLVED;
    *f = quantity_of(crossing, &point->modes, mode);
    note(search, *f, frequency_of(crossing, &point->modes, mode));
    return STICK_OK;
}

static StickStatus evaluate(void *user, double value, double *f)
{
    Search *search = user;
    StickSweepPoint point;
    STICK_TRY(stick_sweep_point_create(search->source, value, STICK_SWEEP_MODES, &point));
    StickStatus status = follow(search, &point, f);
    stick_sweep_point_destroy(search->source->ctx, &point);
    return status;
}

StickSweepPlace stick_sweep_unlocated(const StickSweepCrossing *crossing)
{
    return (StickSweepPlace){
        .value = crossing->after->value,
        .uncertainty = fabs(crossing->after->value - crossing->before->value),
        .frequency = frequency_of(crossing, &crossing->after->modes, crossing->mode_after),
    };
}

StickStatus stick_sweep_locate(const StickSweepSource *source, const StickSweepCrossing *crossing,
                               StickSweepPlace *place)
{
    Search search = {.source = source, .crossing = crossing, .least = INFINITY};
    const double x[2] = {crossing->before->value, crossing->after->value};
    const double f[2] = {quantity_of(crossing, &crossing->before->modes, crossing->mode_before),
                         quantity_of(crossing, &crossing->after->modes, crossing->mode_after)};
    StickRoot root;
    *place = stick_sweep_unlocated(crossing);
    if (!(f[0] * f[1] < 0))
        return STICK_OK;
    note(&search, f[0], frequency_of(crossing, &crossing->before->modes, crossing->mode_before));
    note(&search, f[1], frequency_of(crossing, &crossing->after->modes, crossing->mode_after));
    StickStatus status = stick_root_find(&(StickRootFunction){evaluate, &search}, x, f,
                                         PRECISION * fmax(fabs(x[0]), fabs(x[1])), &root);
    if (status == STICK_OK)
        *place = (StickSweepPlace){root.x, root.width, search.frequency};
    return search.lost ? STICK_OK : status;
}

// ---- growth that cannot be followed over its end

typedef struct Bisection {
    const StickSweepSource *source;
    const StickSweepPoint *grows; // the last point where it does, one of the caller's or ...
    StickSweepPoint held;         // ... this
    int mode;                     // of it
    double none;                  // a value where it does not
    bool lost;
} Bisection;

static void hold(Bisection *bisection, StickSweepPoint *point, int mode)
{
    stick_sweep_point_destroy(bisection->source->ctx, &bisection->held);
    bisection->held = *point;
    bisection->grows = &bisection->held;
    bisection->mode = mode;
    *point = (StickSweepPoint){0};
}

// Which mode of a point is the one that grows; -1: none.
static StickStatus find_growth(const Bisection *bisection, const StickSweepPoint *point, int *mode)
{
    const StickSweepPoint *grows = bisection->grows;
    StickModeMatch match;
    STICK_TRY(stick_mode_match_create(bisection->source->ctx, grows->unit_mass ? NULL : &grows->M,
                                      &grows->modes, &point->modes, &match));
    *mode = match.to[bisection->mode];
    if (*mode >= 0 && !stick_mode_grows(&point->modes.mode[*mode]))
        *mode = -1;
    stick_mode_match_destroy(bisection->source->ctx, &match);
    return STICK_OK;
}

static StickStatus look_at_middle(Bisection *bisection, double value)
{
    StickSweepPoint point;
    int mode;
    STICK_TRY(stick_sweep_point_create(bisection->source, value, STICK_SWEEP_MODES, &point));
    StickStatus status = find_growth(bisection, &point, &mode);
    bisection->lost = status == STICK_OK && !stick_sweep_same_status(bisection->grows, &point);
    if (status == STICK_OK && mode >= 0)
        hold(bisection, &point, mode);
    else
        bisection->none = value;
    stick_sweep_point_destroy(bisection->source->ctx, &point);
    return status;
}

// From far away a shape may be too different to be found: from near by it is looked for once more.
static StickStatus confirm_none(Bisection *bisection)
{
    StickSweepPoint point;
    int mode = -1;
    STICK_TRY(stick_sweep_point_create(bisection->source, bisection->none, STICK_SWEEP_MODES, &point));
    StickStatus status = find_growth(bisection, &point, &mode);
    bisection->lost = mode >= 0;
    stick_sweep_point_destroy(bisection->source->ctx, &point);
    return status;
}

static StickStatus bisect(Bisection *bisection)
{
    double least = BISECTION * fabs(bisection->none - bisection->grows->value);
    while (!bisection->lost && fabs(bisection->none - bisection->grows->value) > least)
        STICK_TRY(look_at_middle(bisection, (bisection->none + bisection->grows->value) / 2));
    return bisection->lost ? STICK_OK : confirm_none(bisection);
}

StickStatus stick_sweep_locate_growth(const StickSweepSource *source, const StickSweepPoint *grows, int mode,
                                      const StickSweepPoint *other, StickSweepPlace *place)
{
    Bisection bisection = {.source = source, .grows = grows, .mode = mode, .none = other->value};
    StickStatus status = bisect(&bisection);
    if (status == STICK_OK && !bisection.lost)
        *place = (StickSweepPlace){
            .value = bisection.grows->value,
            .uncertainty = fabs(bisection.none - bisection.grows->value),
            .frequency = bisection.grows->modes.mode[bisection.mode].frequency,
        };
    stick_sweep_point_destroy(source->ctx, &bisection.held);
    return status;
}
