// SPDX-License-Identifier: Apache-2.0
#include "contact/facet_weights.h"

#include "base/memory.h"

#include <math.h>

StickStatus stick_facet_add_weight(StickContext *ctx, StickFacetSet *set, int node, double weight)
{
    size_t count = (size_t)set->nweights + 1;
    STICK_RESERVE(ctx, set->node, set->node_capacity, count);
    STICK_RESERVE(ctx, set->weight, set->weight_capacity, count);
    set->node[set->nweights] = node;
    set->weight[set->nweights++] = weight;
    return STICK_OK;
}

static StickStatus integrate(const StickMeshFlank *curve, int cell, double from, double to,
                             StickFacetIntegrals *sum)
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

int stick_facet_cell(const StickMeshFlank *curve, double s)
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

double stick_facet_sides(const StickMeshFlank *curve, double s)
{
    int cell = stick_facet_cell(curve, s);
    return cell + (s - curve->s[cell]) / (curve->s[cell + 1] - curve->s[cell]);
}

int stick_facet_ring(const StickMeshFlank *curve)
{
    if (curve->s[0] < curve->flank.from) // the last node comes before the first one as well
        return curve->nnodes - 2;
    return curve->node[0] == curve->node[curve->nnodes - 1] ? curve->nnodes - 1 : 0;
}

double stick_facet_period(const StickMeshFlank *curve)
{
    return curve->flank.to - curve->flank.from;
}

double stick_facet_wrap(const StickMeshFlank *curve, double s)
{
    double period = stick_facet_period(curve);
    return stick_facet_ring(curve) ? s - period * floor((s - curve->flank.from) / period) : s;
}

static double parameter_between(const StickMeshFlank *curve, double sides)
{
    int cell = (int)fmin(fmax(floor(sides), 0), curve->nnodes - 2);
    double u = fmin(fmax(sides - cell, 0), 1);
    return (1 - u) * curve->s[cell] + u * curve->s[cell + 1];
}

double stick_facet_parameter(const StickMeshFlank *curve, double sides)
{
    int ring = stick_facet_ring(curve);
    double turns = ring ? floor(sides / ring) : 0;
    return parameter_between(curve, sides - turns * ring) + turns * stick_facet_period(curve);
}

// Adds to the weight of a node, which may be there from the first one on.
static StickStatus share(StickContext *ctx, StickFacetSet *set, int first, int node, double weight)
{
    for (int k = set->nweights - 1; k >= first; k--)
        if (set->node[k] == node) {
            set->weight[k] += weight;
            return STICK_OK;
        }
    return stick_facet_add_weight(ctx, set, node, weight);
}

// Integrals of hat functions over a part of a curve between its first and its last node.
static StickStatus add_part(StickContext *ctx, const StickMeshFlank *curve, double from, double to, int first,
                            StickFacetSet *set, StickFacetIntegrals *sum)
{
    for (int cell = stick_facet_cell(curve, from); cell < curve->nnodes - 1 && curve->s[cell] < to; cell++) {
        double a = fmax(from, curve->s[cell]), b = fmin(to, curve->s[cell + 1]);
        STICK_TRY(integrate(curve, cell, a, b, sum));
        STICK_TRY(share(ctx, set, first, curve->node[cell], sum->hat[0]));
        STICK_TRY(share(ctx, set, first, curve->node[cell + 1], sum->hat[1]));
    }
    return STICK_OK;
}

// What is beyond the seam of a ring goes on at its start.
static StickStatus add_around(StickContext *ctx, const StickMeshFlank *curve, double from, double to,
                              StickFacetSet *set, StickFacetIntegrals *sum)
{
    const StickFlank *flank = &curve->flank;
    double period = stick_facet_period(curve), start = stick_facet_wrap(curve, from), turned = from - start;
    double end = fmin(to - turned, start + period);
    int first = set->nweights;
    STICK_TRY(add_part(ctx, curve, start, fmin(end, flank->to), first, set, sum));
    if (end > flank->to) {
        double before = sum->length;
        STICK_TRY(add_part(ctx, curve, flank->from, end - period, first, set, sum));
        sum->moment += period * (sum->length - before);
    }
    sum->moment += turned * sum->length;
    return STICK_OK;
}

// Averages of hat functions over a part of a curve.
StickStatus stick_facet_weigh(StickContext *ctx, const StickMeshFlank *curve, double from, double to,
                              StickFacetSet *set, StickFacetIntegrals *sum)
{
    int first = set->nweights;
    double last = curve->s[curve->nnodes - 1];
    *sum = (StickFacetIntegrals){0};
    if (!stick_facet_ring(curve)) {
        from = fmin(fmax(from, curve->s[0]), last);
        to = fmin(fmax(to, from), last);
    }
    if (!(to > from)) // beyond the nodes, or no length: all at a point
        to = fmin(from + 1e-9 * (last - curve->s[0]), last), from = to - 1e-9 * (last - curve->s[0]);
    if (stick_facet_ring(curve))
        STICK_TRY(add_around(ctx, curve, from, to, set, sum));
    else
        STICK_TRY(add_part(ctx, curve, from, to, first, set, sum));
    for (int k = first; k < set->nweights; k++)
        set->weight[k] /= sum->length;
    return STICK_OK;
}
