// SPDX-License-Identifier: Apache-2.0
#include "contact/strip_weights.h"

#include "base/memory.h"

#include <math.h>

StickStatus stick_strip_add_weight(StickContext *ctx, StickStripSet *set, int node, double weight)
{
    size_t count = (size_t)set->nweights + 1;
    STICK_RESERVE(ctx, set->node, set->node_capacity, count);
    STICK_RESERVE(ctx, set->weight, set->weight_capacity, count);
    set->node[set->nweights] = node;
    set->weight[set->nweights++] = weight;
    return STICK_OK;
}

static StickStatus integrate(const StickMeshFlank *curve, int cell, double from, double to,
                             StickStripIntegrals *sum)
{
    static const double point[3] = {-0.7745966692414834, 0, 0.7745966692414834};
    static const double weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    double low = curve->s[cell], high = curve->s[cell + 1];
    sum->hat[0] = sum->hat[1] = 0;
    for (int k = 0; k < 3; k++) {
        double s = 0.5 * (from + to) + 0.5 * (to - from) * point[k], u = (s - low) / (high - low);
        StickFlankPoint at;
        STICK_TRY(stick_flank_at(&curve->flank, s, &at));
        double part = 0.5 * (to - from) * weight[k] * hypot(at.tangent[0], at.tangent[1]);
        sum->length += part;
        sum->moment += part * s;
        sum->hat[0] += part * (1 - u);
        sum->hat[1] += part * u;
    }
    return STICK_OK;
}

int stick_strip_cell(const StickMeshFlank *curve, double s)
{
    int low = 0, high = curve->nnodes - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s < curve->s[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

double stick_strip_sides(const StickMeshFlank *curve, double s)
{
    int cell = stick_strip_cell(curve, s);
    return cell + (s - curve->s[cell]) / (curve->s[cell + 1] - curve->s[cell]);
}

double stick_strip_parameter(const StickMeshFlank *curve, double sides)
{
    int cell = (int)fmin(fmax(floor(sides), 0), curve->nnodes - 2);
    double u = fmin(fmax(sides - cell, 0), 1);
    return (1 - u) * curve->s[cell] + u * curve->s[cell + 1];
}

// Averages of hat functions over a part of a curve, which may lie in several cells.
StickStatus stick_strip_weigh(StickContext *ctx, const StickMeshFlank *curve, double from, double to,
                              StickStripSet *set, StickStripIntegrals *sum)
{
    int first = set->nweights;
    double last = curve->s[curve->nnodes - 1];
    *sum = (StickStripIntegrals){0};
    from = fmin(fmax(from, curve->s[0]), last);
    to = fmin(fmax(to, from), last);
    if (!(to > from)) // beyond the nodes, or no length: all at a point
        to = fmin(from + 1e-9 * (last - curve->s[0]), last), from = to - 1e-9 * (last - curve->s[0]);
    for (int cell = stick_strip_cell(curve, from); cell < curve->nnodes - 1 && curve->s[cell] < to; cell++) {
        double a = fmax(from, curve->s[cell]), b = fmin(to, curve->s[cell + 1]);
        STICK_TRY(integrate(curve, cell, a, b, sum));
        if (set->nweights > first && set->node[set->nweights - 1] == curve->node[cell])
            set->weight[set->nweights - 1] += sum->hat[0];
        else
            STICK_TRY(stick_strip_add_weight(ctx, set, curve->node[cell], sum->hat[0]));
        STICK_TRY(stick_strip_add_weight(ctx, set, curve->node[cell + 1], sum->hat[1]));
    }
    for (int k = first; k < set->nweights; k++)
        set->weight[k] /= sum->length;
    return STICK_OK;
}
