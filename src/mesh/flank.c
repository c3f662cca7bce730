// SPDX-License-Identifier: Apache-2.0
#include "mesh/flank.h"

#include "base/check.h"

#include <math.h>

// Steps of differences of a formula are this part of its range.
static const double difference_step = 2e-3;
enum { PIECES = 32, MOST_ITERATIONS = 80 };

static int outward(const StickFlank *flank)
{
    if (flank->outward != 0)
        return flank->outward;
    return flank->kind == STICK_FLANK_INVOLUTE ? flank->hand : 1;
}

// Normal and curvature from the derivatives by s; a tangent of length 0 has the direction given.
static void frame(int side, const double second[2], const double direction[2], StickFlankPoint *point)
{
    const double *t = point->tangent;
    double length = hypot(t[0], t[1]);
    double along[2] = {direction[0], direction[1]};
    if (length > 0)
        along[0] = t[0] / length, along[1] = t[1] / length;
    point->normal[0] = side * along[1];
    point->normal[1] = -side * along[0];
    double bend = t[0] * second[1] - t[1] * second[0];
    point->curvature = length > 0 ? side * bend / (length * length * length) : INFINITY;
}

// ---- involutes

// Material taken off at s, and its derivatives.
static void relieve(const StickFlank *flank, double s, double off[3])
{
    off[0] = off[1] = off[2] = 0;
    for (int k = 0; k < flank->nreliefs; k++) {
        const StickRelief *relief = &flank->relief[k];
        double width = relief->full - relief->none, n = relief->power;
        double u = (s - relief->none) / width;
        if (u <= 0)
            continue;
        off[0] += relief->amount * pow(u, n);
        off[1] += relief->amount * n * pow(u, n - 1) / width;
        off[2] += n == 1 ? 0 : relief->amount * n * (n - 1) * pow(u, n - 2) / (width * width);
    }
}

// x = b e(a) - (h s - o off) e'(a) with the angle a = start + h s / b of the point that the line leaves the circle at:
// the normal is -o e'(a).
static void involute_at(const StickFlank *flank, double s, StickFlankPoint *point)
{
    double b = flank->base, h = flank->hand, o = outward(flank);
    double a = flank->start + h * s / b;
    double e[2] = {cos(a), sin(a)}, turned[2] = {-e[1], e[0]};
    double off[3];
    relieve(flank, s, off);
    double line = -h * s + o * off[0];
    // components of dx/ds and its derivative along e and e'
    double first[2] = {(s - o * h * off[0]) / b, o * off[1]};
    double second[2] = {(1 - 2 * o * h * off[1]) / b, first[0] * h / b + o * off[2]};
    double bend[2], direction[2];
    for (int k = 0; k < 2; k++) {
        point->x[k] = b * e[k] + line * turned[k];
        point->tangent[k] = first[0] * e[k] + first[1] * turned[k];
        bend[k] = second[0] * e[k] + second[1] * turned[k];
        direction[k] = e[k];
    }
    frame((int)o, bend, direction, point);
}

// ---- chains

static void chain_at(const StickFlank *flank, double s, StickFlankPoint *point)
{
    int low = 0, high = flank->npoints - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s < flank->s[middle])
            high = middle;
        else
            low = middle;
    }
    double length = flank->s[high] - flank->s[low], u = (s - flank->s[low]) / length;
    const double *a = flank->point + 2 * low, *b = flank->point + 2 * high;
    for (int k = 0; k < 2; k++) {
        point->x[k] = (1 - u) * a[k] + u * b[k];
        point->tangent[k] = (b[k] - a[k]) / length;
    }
    frame(outward(flank), (double[2]){0, 0}, point->tangent, point);
}

// ---- formulas

static StickStatus formula_place(const StickFlank *flank, double s, double x[2])
{
    StickVariables seen = {.s = s};
    for (int k = 0; k < 2; k++)
        STICK_TRY(stick_expression_value(flank->formula[k], &seen, &x[k]));
    return STICK_OK;
}

// Derivatives by central differences of order 8.
static StickStatus formula_at(const StickFlank *flank, double s, StickFlankPoint *point)
{
    static const double first[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    static const double second[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    double h = difference_step * (flank->to - flank->from), bend[2];
    STICK_TRY(formula_place(flank, s, point->x));
    for (int k = 0; k < 2; k++) {
        point->tangent[k] = 0;
        bend[k] = second[0] * point->x[k] / (h * h);
    }
    for (int j = 1; j <= 4; j++) {
        double before[2], after[2];
        STICK_TRY(formula_place(flank, s - j * h, before));
        STICK_TRY(formula_place(flank, s + j * h, after));
        for (int k = 0; k < 2; k++) {
            point->tangent[k] += first[j - 1] * (after[k] - before[k]) / h;
            bend[k] += second[j] * (after[k] + before[k]) / (h * h);
        }
    }
    frame(outward(flank), bend, (double[2]){1, 0}, point);
    return STICK_OK;
}

StickStatus stick_flank_at(const StickFlank *flank, double s, StickFlankPoint *point)
{
    StickFlankPoint found;
    if (flank->kind == STICK_FLANK_INVOLUTE)
        involute_at(flank, s, &found);
    else if (flank->kind == STICK_FLANK_CHAIN)
        chain_at(flank, s, &found);
    else
        STICK_TRY(formula_at(flank, s, &found));
    *point = found;
    return STICK_OK;
}

// ---- places on a curve that are zeros of a function of the point

// Zero where the line through `place` along `direction` meets the curve, or where the curve is square to the way to
// `place` (direction NULL); with its derivative by s.
typedef struct Search {
    const StickFlank *flank;
    const double *place, *direction;
} Search;

static StickStatus look(const Search *search, double s, double *value, double *slope, StickFlankPoint *point)
{
    STICK_TRY(stick_flank_at(search->flank, s, point));
    const double *t = point->tangent, *d = search->direction;
    double way[2] = {point->x[0] - search->place[0], point->x[1] - search->place[1]};
    if (d) {
        *value = d[0] * way[1] - d[1] * way[0];
        *slope = d[0] * t[1] - d[1] * t[0];
        return STICK_OK;
    }
    double length = t[0] * t[0] + t[1] * t[1];
    double off = way[0] * point->normal[0] + way[1] * point->normal[1];
    *value = way[0] * t[0] + way[1] * t[1];
    *slope = isfinite(point->curvature) ? length * (1 + off * point->curvature) : length;
    return STICK_OK;
}

// The value alone: for a line that is the place alone, without the differences of a formula.
static StickStatus look_only(const Search *search, double s, double *value)
{
    const double *d = search->direction;
    double x[2], slope;
    StickFlankPoint point;
    if (!d || search->flank->kind != STICK_FLANK_FORMULA)
        return look(search, s, value, &slope, &point);
    STICK_TRY(formula_place(search->flank, s, x));
    *value = d[0] * (x[1] - search->place[1]) - d[1] * (x[0] - search->place[0]);
    return STICK_OK;
}

// Newton's method, held between two places at which the value has different signs.
static StickStatus zero_between(const Search *search, double low, double value_low, double high,
                                double *found)
{
    double s = (low + high) / 2, narrow = 4e-16 * (fabs(low) + fabs(high));
    for (int k = 0; k < MOST_ITERATIONS && fabs(high - low) > narrow; k++) {
        double value, slope;
        StickFlankPoint point;
        STICK_TRY(look(search, s, &value, &slope, &point));
        if (value == 0)
            break;
        if ((value < 0) == (value_low < 0))
            low = s;
        else
            high = s;
        double next = s - value / slope;
        if (!(next > fmin(low, high) && next < fmax(low, high)))
            next = (low + high) / 2;
        if (fabs(next - s) <= narrow) {
            s = next;
            break;
        }
        s = next;
    }
    *found = s;
    return STICK_OK;
}

static double way_to(const StickFlankPoint *point, const double place[2])
{
    return hypot(point->x[0] - place[0], point->x[1] - place[1]);
}

// Of all zeros between from and to that pieces of the range show, the one nearest to the place.
static StickStatus nearest_zero(const Search *search, bool *found, double *s, double *distance)
{
    const StickFlank *flank = search->flank;
    double before = flank->from, value_before = 0;
    StickFlankPoint point;
    for (int k = 0; k <= PIECES; k++) {
        double here = k == PIECES ? flank->to : flank->from + (flank->to - flank->from) * k / PIECES;
        double value, zero = here;
        STICK_TRY(look_only(search, here, &value));
        bool crosses = k > 0 && value_before != 0 && value != 0 && (value < 0) != (value_before < 0);
        if (crosses)
            STICK_TRY(zero_between(search, before, value_before, here, &zero));
        if (crosses || value == 0) {
            STICK_TRY(stick_flank_at(flank, zero, &point));
            double way = way_to(&point, search->place);
            if (!*found || way < *distance)
                *s = zero, *distance = way;
            *found = true;
        }
        before = here;
        value_before = value;
    }
    return STICK_OK;
}

StickStatus stick_flank_meet(const StickFlank *flank, const double point[2], const double direction[2],
                             StickFlankMeet *meet)
{
    Search search = {flank, point, direction};
    StickFlankMeet found = {.met = false};
    STICK_TRY(nearest_zero(&search, &found.met, &found.s, &found.distance));
    if (found.met) {
        StickFlankPoint at;
        STICK_TRY(stick_flank_at(flank, found.s, &at));
        found.distance = (at.x[0] - point[0]) * direction[0] + (at.x[1] - point[1]) * direction[1];
    }
    *meet = found;
    return STICK_OK;
}

StickStatus stick_flank_nearest(const StickFlank *flank, const double place[2], double *s, double *distance)
{
    Search search = {flank, place, NULL};
    bool found = false;
    double best = flank->from, way = 0;
    STICK_TRY(nearest_zero(&search, &found, &best, &way));
    for (int k = 0; k < 2; k++) {
        StickFlankPoint end;
        STICK_TRY(stick_flank_at(flank, k ? flank->to : flank->from, &end));
        if (!found || way_to(&end, place) < way) {
            best = k ? flank->to : flank->from;
            way = way_to(&end, place);
            found = true;
        }
    }
    *s = best;
    *distance = way;
    return STICK_OK;
}
