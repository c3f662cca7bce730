// SPDX-License-Identifier: Apache-2.0
#include "output/oscillation.h"

#include "base/memory.h"
#include "output/fourier.h"

#include <math.h>
#include <string.h>

const double stick_return_limit = 0.05;

enum { FEWEST = 16, MOST_BLOCKS = 40, FEWEST_BLOCKS = 4, MOST_PERIODS = 16, FINEST = 8 };
static const double FEWEST_PERIODS = 8;     // in a signal whose motion is told
static const double REST = 1e-12;           // of the largest value: below, nothing but rounding moves
static const double GREW = 1.2, FELL = 0.8; // level of the last quarter over that of the quarter before
static const double STEADY = 1.05; // likewise of halves of a window, of a motion that returns to itself
static const double LOW = 0.6,
                    HIGH = 1.5;      // levels of blocks of a saturated motion, over the level at its end
static const double LATEST = 0.75;   // part of the signal at which saturated motion begins at the latest
static const double FORGOTTEN = 0.5; // distance at which the motion has first left itself

const char *stick_motion_word(StickMotionKind kind)
{
    static const char *const word[] = {"at rest", "decays", "grows", "periodic", "modulated", "short"};
    return word[kind];
}

// ---- levels

static double mean_of(const double *y, size_t first, size_t end)
{
    double sum = 0;
    for (size_t k = first; k < end; k++)
        sum += y[k];
    return sum / (double)(end - first);
}

// r.m.s. of the deviation from the mean
static double level_of(const double *y, size_t first, size_t end)
{
    double mean = mean_of(y, first, end), sum = 0;
    for (size_t k = first; k < end; k++)
        sum += (y[k] - mean) * (y[k] - mean);
    return sqrt(sum / (double)(end - first));
}

static double largest(const StickSignal *signal)
{
    double most = 0;
    for (size_t k = 0; k < signal->n; k++)
        most = fmax(most, fabs(signal->y[k]));
    return most;
}

static void measure(const StickSignal *signal, StickOscillation *cycle)
{
    double most = -HUGE_VAL, least = HUGE_VAL;
    for (size_t k = cycle->first; k < cycle->end; k++) {
        most = fmax(most, signal->y[k]);
        least = fmin(least, signal->y[k]);
    }
    cycle->mean = mean_of(signal->y, cycle->first, cycle->end);
    cycle->rms = level_of(signal->y, cycle->first, cycle->end);
    cycle->amplitude = (most - least) / 2;
}

// ---- the window

static StickSignal part_of(const StickSignal *signal, size_t first, size_t end)
{
    return (StickSignal){end - first, signal->t0 + (double)first * signal->dt, signal->dt, signal->y + first};
}

static StickStatus find_peaks(StickContext *ctx, const StickSignal *signal, StickWindow window,
                              StickOscillation *cycle)
{
    StickLines lines;
    StickSignal part = part_of(signal, cycle->first, cycle->end);
    STICK_TRY(stick_lines_create(ctx, &part, window, &lines));
    cycle->npeaks = stick_lines_peaks(&lines, window, cycle->peak);
    stick_lines_destroy(ctx, &lines);
    return STICK_OK;
}

static double periods_in(const StickSignal *signal, const StickOscillation *cycle)
{
    double time = (double)(cycle->end - cycle->first) * signal->dt;
    return cycle->npeaks > 0 ? time * cycle->peak[0].frequency : 0;
}

static size_t clamp_sample(const StickSignal *signal, double t)
{
    double k = ceil((t - signal->t0) / signal->dt - 1e-6);
    return k <= 0 ? 0 : k >= (double)signal->n ? signal->n : (size_t)k;
}

// Whether the level of the last quarter is another one than that of the quarter before.
static StickMotionKind trend(const double *y, size_t first, size_t end)
{
    size_t quarter = (end - first) / 4;
    double ratio = level_of(y, end - quarter, end) / level_of(y, end - 2 * quarter, end - quarter);
    return ratio > GREW ? STICK_GROWS : ratio < FELL ? STICK_DECAYS : STICK_MODULATED;
}

// Blocks of two dominant periods at least: the first of those up to the end which all have about the level of the second
// half. One more is left out, in which the motion settles.
static size_t saturated_from(const StickSignal *signal, double periods)
{
    size_t n = signal->n;
    int blocks = (int)fmax(FEWEST_BLOCKS, fmin(MOST_BLOCKS, periods / 2)), first = blocks;
    double level = level_of(signal->y, n / 2, n);
    while (first > 0) {
        size_t begin = n * (size_t)(first - 1) / (size_t)blocks, end = n * (size_t)first / (size_t)blocks;
        double own = level_of(signal->y, begin, end);
        if (own < LOW * level || own > HIGH * level)
            break;
        first--;
    }
    return n * (size_t)(first + 1) / (size_t)blocks;
}

// Of a signal that has not come to an end, or in which no end is seen, the second half.
static void choose_window(const StickSignal *signal, double periods, StickOscillation *cycle)
{
    cycle->first = signal->n / 2;
    cycle->end = signal->n;
    cycle->kind = trend(signal->y, 0, signal->n);
    if (cycle->kind != STICK_MODULATED)
        return;
    size_t first = saturated_from(signal, periods);
    if ((double)first <= LATEST * (double)signal->n)
        cycle->first = first;
}

// ---- the return

typedef struct Return {
    size_t n;
    double *y;      // n: without mean, smoothed
    double *square; // n + 1: sums of y^2 up to here
    double *c;      // lags: correlation
    size_t lags;
} Return;

// Squared distance of the motion from itself some samples later: 0 the same, 1 no relation, 2 the opposite.
static double distance(const Return *r, size_t lag)
{
    double energy = r->square[r->n - lag] + r->square[r->n] - r->square[lag];
    return energy > 0 ? (energy - 2 * r->c[lag]) / energy : 1;
}

// A motion with shocks would miss itself by half a sample: means over a small part of a period, twice, forgive this.
static void smooth(double *y, size_t n, size_t width, double *work)
{
    for (int pass = 0; pass < 2 && width > 1; pass++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            sum += y[k] - (k >= width ? y[k - width] : 0);
            work[k] = sum / (double)width;
        }
        memcpy(y, work, n * sizeof *y);
    }
}

// The minimum of the parabola through three distances, and where it lies.
static double refine(const Return *r, size_t lag, double *where)
{
    double a = distance(r, lag - 1), b = distance(r, lag), c = distance(r, lag + 1);
    double bend = a - 2 * b + c, shift = bend > 0 ? 0.5 * (a - c) / bend : 0;
    *where = (double)lag + shift;
    return fmax(0, b - 0.25 * (a - c) * shift);
}

static bool is_return(const Return *r, size_t lag)
{
    return distance(r, lag) <= distance(r, lag - 1) && distance(r, lag) < distance(r, lag + 1);
}

// The best return near a number of samples, and where; NaN: the motion does not return there.
static double return_near(const Return *r, double guess, double room, double *at)
{
    size_t from = (size_t)(guess - room), to = (size_t)(guess + room) + 1, lag = from;
    for (size_t k = from; k <= to && k + 1 < r->lags; k++)
        lag = distance(r, k) < distance(r, lag) ? k : lag;
    return lag > from && lag < to && lag + 1 < r->lags ? refine(r, lag, at) : NAN;
}

// It must return after two, three, ... periods as well, or it is modulated slowly; many periods together tell one of them
// better. The worst return; NaN where there is none.
static double follow_returns(const Return *r, double worst, double *period)
{
    double at, room = 0.1 * *period + 1;
    for (double many = 2; many * *period + room + 3 < (double)r->lags && !isnan(worst); many++) {
        double d = return_near(r, many * *period, room, &at);
        worst = isnan(d) ? d : fmax(worst, d);
        *period = isnan(d) ? *period : at / many;
    }
    return worst;
}

// The first return that is good enough, else the best one, of lags up to `last`.
static double first_return(const Return *r, size_t last, double *period)
{
    size_t lag = 1;
    double best = INFINITY, at;
    while (lag + 1 < last && distance(r, lag) < FORGOTTEN)
        lag++;
    for (; lag + 1 < last && best > stick_return_limit * stick_return_limit; lag++) {
        if (!is_return(r, lag))
            continue;
        double d = refine(r, lag, &at);
        *period = d < best ? at : *period;
        best = fmin(best, d);
    }
    return best;
}

static void find_return(const Return *r, double dt, StickOscillation *cycle)
{
    double limit = stick_return_limit * stick_return_limit, period = NAN;
    double longest = MOST_PERIODS / (cycle->peak[0].frequency * dt) + 3;
    size_t last = longest < (double)r->lags ? (size_t)longest : r->lags;
    double d = first_return(r, last, &period);
    double worst = d <= limit ? follow_returns(r, d, &period) : d;
    if (worst <= limit)
        cycle->period = period * dt;
    cycle->return_error = isfinite(worst) ? sqrt(worst) : NAN;
}

static StickStatus fill_return(StickContext *ctx, const StickSignal *signal, StickOscillation *cycle,
                               Return *r)
{
    const double *y = signal->y + cycle->first;
    size_t width = (size_t)(1 / (cycle->peak[0].frequency * signal->dt) / FINEST);
    for (size_t k = 0; k < r->n; k++)
        r->y[k] = y[k] - cycle->mean;
    smooth(r->y, r->n, width, r->square);
    if (width > 1) { // the first means are not of their whole width
        r->n -= 2 * width;
        memmove(r->y, r->y + 2 * width, r->n * sizeof *y);
    }
    r->lags = r->n / 3;
    r->square[0] = 0;
    for (size_t k = 0; k < r->n; k++)
        r->square[k + 1] = r->square[k] + r->y[k] * r->y[k];
    STICK_TRY(stick_fourier_correlate(ctx, r->n, r->y, r->lags, r->c));
    find_return(r, signal->dt, cycle);
    return STICK_OK;
}

static StickStatus look_for_return(StickContext *ctx, const StickSignal *signal, StickOscillation *cycle)
{
    Return r = {.n = cycle->end - cycle->first};
    r.y = stick_alloc(ctx, r.n, sizeof *r.y);
    r.square = stick_alloc(ctx, r.n + 1, sizeof *r.square);
    r.c = stick_alloc(ctx, r.n / 3 + 1, sizeof *r.c);
    StickStatus status = STICK_NO_MEMORY;
    if (r.y && r.square && r.c)
        status = fill_return(ctx, signal, cycle, &r);
    stick_free(ctx, r.y);
    stick_free(ctx, r.square);
    stick_free(ctx, r.c);
    return status;
}

// What returns to itself may grow or decay by little from period to period: levels of whole periods tell, of the second
// half of the window and of the first.
static StickMotionKind slow_trend(const StickSignal *signal, const StickOscillation *cycle)
{
    double samples = cycle->period / signal->dt, half = (double)(cycle->end - cycle->first) / 2;
    size_t count = (size_t)(floor(half / samples) * samples + 0.5);
    if (count < 2)
        return STICK_PERIODIC;
    double before = level_of(signal->y, cycle->end - 2 * count, cycle->end - count),
           after = level_of(signal->y, cycle->end - count, cycle->end);
    return after > STEADY * before ? STICK_GROWS : before > STEADY * after ? STICK_DECAYS : STICK_PERIODIC;
}

enum { TREND_BLOCKS = 6 };
static const double DRIFT = 1.1; // from the first of these blocks to the last

// What does not return to itself may do so because it gets less, or more, from block to block all the way.
static StickMotionKind steady_trend(const StickSignal *signal, const StickOscillation *cycle)
{
    size_t n = cycle->end - cycle->first;
    double level[TREND_BLOCKS];
    bool falls = periods_in(signal, cycle) >= 2 * TREND_BLOCKS, grows = falls;
    for (size_t k = 0; k < TREND_BLOCKS; k++) {
        level[k] = level_of(signal->y, cycle->first + n * k / TREND_BLOCKS,
                            cycle->first + n * (k + 1) / TREND_BLOCKS);
        falls = falls && (k == 0 || level[k] < level[k - 1]);
        grows = grows && (k == 0 || level[k] > level[k - 1]);
    }
    if (falls && level[0] > DRIFT * level[TREND_BLOCKS - 1])
        return STICK_DECAYS;
    return grows && level[TREND_BLOCKS - 1] > DRIFT * level[0] ? STICK_GROWS : STICK_MODULATED;
}

// ---- all

// What the level says comes first: a motion that grows may return to itself in shape only.
static StickStatus judge(StickContext *ctx, const StickSignal *signal, StickOscillation *cycle)
{
    if (periods_in(signal, cycle) < FEWEST_PERIODS / 2) {
        cycle->kind = STICK_TOO_SHORT;
        return STICK_OK;
    }
    STICK_TRY(look_for_return(ctx, signal, cycle));
    if (cycle->kind == STICK_MODULATED && !isnan(cycle->period))
        cycle->kind = slow_trend(signal, cycle);
    else if (cycle->kind == STICK_MODULATED)
        cycle->kind = steady_trend(signal, cycle);
    cycle->period = cycle->kind == STICK_PERIODIC ? cycle->period : NAN;
    return STICK_OK;
}

static StickStatus find(StickContext *ctx, const StickSignal *signal, const StickOscillationOptions *options,
                        StickOscillation *cycle)
{
    bool given = isfinite(options->from) || isfinite(options->to);
    cycle->first = given && isfinite(options->from) ? clamp_sample(signal, options->from)
                   : given                          ? 0
                                                    : signal->n / 2;
    cycle->end = isfinite(options->to) ? clamp_sample(signal, options->to + signal->dt) : signal->n;
    if (cycle->end < cycle->first + FEWEST) {
        cycle->first = signal->n / 2;
        cycle->end = signal->n;
    }
    if (level_of(signal->y, cycle->first, cycle->end) <= fmax(REST * largest(signal), options->rest)) {
        cycle->kind = STICK_AT_REST;
        return STICK_OK;
    }
    STICK_TRY(find_peaks(ctx, signal, options->window, cycle));
    if (given)
        cycle->kind = trend(signal->y, cycle->first, cycle->end);
    else
        choose_window(signal, 2 * periods_in(signal, cycle), cycle);
    STICK_TRY(find_peaks(ctx, signal, options->window, cycle));
    measure(signal, cycle);
    return judge(ctx, signal, cycle);
}

StickStatus stick_oscillation_find(StickContext *ctx, const StickSignal *signal,
                                   const StickOscillationOptions *options, StickOscillation *cycle)
{
    StickOscillation found = {.kind = STICK_TOO_SHORT, .period = NAN, .return_error = NAN};
    found.end = signal->n;
    if (signal->n >= FEWEST)
        STICK_TRY(find(ctx, signal, options, &found));
    if (signal->n > 0)
        measure(signal, &found);
    found.from = signal->t0 + (double)found.first * signal->dt;
    found.to = signal->t0 + ((double)found.end - 1) * signal->dt;
    *cycle = found;
    return STICK_OK;
}
