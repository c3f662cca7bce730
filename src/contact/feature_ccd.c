// SPDX-License-Identifier: Apache-2.0
#include "contact/feature_ccd.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

// Of a facet or an edge: a crossing this far beyond it is on it, so that nothing passes between two that join.
static const double beyond = 1e-7;

// Edges whose sine is below this are parallel: their ends meet the facets.
static const double parallel = 1e-6;

// Of the radius: what is round has touched at this distance.
static const double touching = 1e-6;

// ... and what touches and turns is followed in steps up to this.
static const double longest_stride = 0.25;

enum { MOST_HALVINGS = 100, MOST_ADVANCES = 300 };

void stick_moving_place(const StickMovingPoint *point, double t, double place[3])
{
    stick_vec_axpy(point->x, t, point->d, place);
}

// ---- where a height becomes negative

typedef double (*Height)(const void *data, double t);

// Between two times with heights of different signs, to the last digits.
static double bisect(Height height, const void *data, double low, double high)
{
    for (int k = 0; k < MOST_HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            break;
        *(height(data, middle) >= 0 ? &low : &high) = middle;
    }
    return low;
}

// The times at which a polynomial of degree 3 at most has an extremum in the interval.
static int extrema(Height height, const void *data, double at[2])
{
    double f0 = height(data, 0), f1 = height(data, 1.0 / 3), f2 = height(data, 2.0 / 3), f3 = height(data, 1);
    double c3 = 4.5 * (f3 - 3 * f2 + 3 * f1 - f0), c2 = 4.5 * (-f3 + 4 * f2 - 5 * f1 + 2 * f0);
    double c1 = f3 - f0 - c2 - c3;
    // 3 c3 t^2 + 2 c2 t + c1 = 0
    double root = c2 * c2 - 3 * c3 * c1;
    int count = 0;
    if (!(root >= 0))
        return 0;
    double q = -(c2 + copysign(sqrt(root), c2));
    double found[2] = {q / (3 * c3), c1 / q};
    for (int k = 0; k < 2; k++)
        if (found[k] > 0 && found[k] < 1)
            at[count++] = found[k];
    if (count == 2 && at[0] > at[1]) {
        double first = at[0];
        at[0] = at[1];
        at[1] = first;
    }
    return count;
}

static int crossings(Height height, const void *data, double root[STICK_CROSSINGS])
{
    double at[4] = {0};
    int count = 0, last = 1 + extrema(height, data, at + 1);
    at[last] = 1;
    for (int k = 0; k < last && count < STICK_CROSSINGS; k++)
        if (height(data, at[k]) >= 0 && height(data, at[k + 1]) < 0)
            root[count++] = bisect(height, data, at[k], at[k + 1]);
    return count;
}

// ---- a point and a facet

typedef struct PointFacet {
    const StickMovingPoint *point;
    const StickMovingFacet *facet;
} PointFacet;

// Outward, not normalised.
static void facet_normal(const StickMovingFacet *facet, double t, double normal[3])
{
    double a[3], b[3], c[3];
    memcpy(normal, facet->normal, sizeof facet->normal);
    if (facet->ncorners == 1)
        return;
    stick_moving_place(&facet->corner[0], t, a);
    stick_moving_place(&facet->corner[1], t, b);
    stick_vec_sub(b, a, b);
    normal[0] = b[1], normal[1] = -b[0], normal[2] = 0;
    if (facet->ncorners == 2)
        return;
    stick_moving_place(&facet->corner[2], t, c);
    stick_vec_sub(c, a, c);
    stick_vec_cross(b, c, normal);
}

// From the first corner to the point.
static void from_corner(const PointFacet *pair, double t, double from[3])
{
    double corner[3];
    stick_moving_place(pair->point, t, from);
    stick_moving_place(&pair->facet->corner[0], t, corner);
    stick_vec_sub(from, corner, from);
}

static double height_over_facet(const void *data, double t)
{
    const PointFacet *pair = data;
    double normal[3], from[3];
    facet_normal(pair->facet, t, normal);
    from_corner(pair, t, from);
    return stick_vec_dot(normal, from);
}

// Weights of the corners at the place of the point; false: it is not on the facet.
static bool weights_at(const PointFacet *pair, double t, double weight[3])
{
    const StickMovingFacet *facet = pair->facet;
    double side[2][3], from[3], origin[3];
    weight[0] = 1, weight[1] = weight[2] = 0;
    if (facet->ncorners == 1)
        return true;
    stick_moving_place(&facet->corner[0], t, origin);
    for (int k = 1; k < facet->ncorners; k++) {
        stick_moving_place(&facet->corner[k], t, side[k - 1]);
        stick_vec_sub(side[k - 1], origin, side[k - 1]);
    }
    from_corner(pair, t, from);
    double aa = stick_vec_dot(side[0], side[0]), af = stick_vec_dot(side[0], from);
    if (facet->ncorners == 2) {
        weight[1] = af / aa;
    } else {
        double ab = stick_vec_dot(side[0], side[1]), bb = stick_vec_dot(side[1], side[1]),
               bf = stick_vec_dot(side[1], from), det = aa * bb - ab * ab;
        weight[1] = (bb * af - ab * bf) / det;
        weight[2] = (aa * bf - ab * af) / det;
    }
    weight[0] = 1 - weight[1] - weight[2];
    for (int k = 0; k < facet->ncorners; k++) {
        if (!(weight[k] >= -beyond))
            return false;
        weight[k] = fmax(0, weight[k]);
    }
    double sum = weight[0] + weight[1] + weight[2];
    for (int k = 0; k < 3; k++)
        weight[k] /= sum;
    return true;
}

static double closing_of(const StickMovingPoint *point, const StickMovingFacet *facet,
                         const StickFeatureHit *hit)
{
    double u[3] = {point->d[0], point->d[1], point->d[2]};
    for (int k = 0; k < facet->ncorners; k++)
        stick_vec_axpy(u, -hit->weight[k], facet->corner[k].d, u);
    return -stick_vec_dot(hit->normal, u);
}

int stick_point_meets_facet(const StickMovingPoint *point, const StickMovingFacet *facet,
                            StickFeatureHit hit[STICK_CROSSINGS])
{
    PointFacet pair = {point, facet};
    double root[STICK_CROSSINGS];
    int found = crossings(height_over_facet, &pair, root), count = 0;
    for (int k = 0; k < found; k++) {
        StickFeatureHit one = {.time = root[k]};
        facet_normal(facet, root[k], one.normal);
        if (!(stick_vec_normalise(one.normal) > 0) || !weights_at(&pair, root[k], one.weight))
            continue;
        one.closing = closing_of(point, facet, &one);
        hit[count++] = one;
    }
    return count;
}

// ---- a point and what is round

typedef struct PointRound {
    const StickMovingPoint *point, *centre;
    const double *axis;
    double radius, side;
} PointRound;

static void arm_of(const PointRound *pair, double t, double arm[3])
{
    double centre[3];
    stick_moving_place(pair->point, t, arm);
    stick_moving_place(pair->centre, t, centre);
    stick_vec_sub(arm, centre, arm);
    if (pair->axis)
        stick_vec_axpy(arm, -stick_vec_dot(arm, pair->axis), pair->axis, arm);
}

static double height_over_round(const void *data, double t)
{
    const PointRound *pair = data;
    double arm[3];
    arm_of(pair, t, arm);
    return pair->side * (stick_vec_dot(arm, arm) - pair->radius * pair->radius);
}

bool stick_point_meets_round(const StickMovingPoint *point, const StickMovingPoint *centre,
                             const double *axis, double radius, bool inside, StickFeatureHit *hit)
{
    PointRound pair = {point, centre, axis, radius, inside ? -1 : 1};
    double root[STICK_CROSSINGS], u[3];
    if (crossings(height_over_round, &pair, root) == 0)
        return false;
    *hit = (StickFeatureHit){.time = root[0], .weight = {1}, .other = {1}};
    arm_of(&pair, root[0], hit->normal);
    stick_vec_normalise(hit->normal);
    for (int k = 0; k < 3; k++)
        hit->normal[k] *= pair.side;
    stick_vec_sub(point->d, centre->d, u);
    hit->closing = -stick_vec_dot(hit->normal, u);
    return true;
}

// ---- two edges

typedef struct Edges {
    const StickMovingEdge *a, *b;
    double sign;
} Edges;

typedef struct Lines {
    double a[3], b[3], between[3]; // directions; from the start of a to that of b
} Lines;

static Lines lines_at(const Edges *pair, double t)
{
    Lines at;
    double x[3], y[3];
    stick_moving_place(&pair->a->end[0], t, x);
    stick_moving_place(&pair->a->end[1], t, at.a);
    stick_moving_place(&pair->b->end[0], t, y);
    stick_moving_place(&pair->b->end[1], t, at.b);
    stick_vec_sub(at.a, x, at.a);
    stick_vec_sub(at.b, y, at.b);
    stick_vec_sub(y, x, at.between);
    return at;
}

static double volume_of_edges(const void *data, double t)
{
    const Edges *pair = data;
    Lines at = lines_at(pair, t);
    double normal[3];
    stick_vec_cross(at.a, at.b, normal);
    return pair->sign * stick_vec_dot(normal, at.between);
}

static void edge_normal(const StickMovingEdge *edge, double t, double normal[3])
{
    normal[0] = normal[1] = normal[2] = 0;
    for (int k = 0; k < edge->nfacets; k++) {
        double own[3];
        facet_normal(&edge->facet[k], t, own);
        stick_vec_normalise(own);
        stick_vec_axpy(normal, 1, own, normal);
    }
}

// The lines of both edges are coplanar at t: do they cross within both, from outside?
static bool edges_cross(const Edges *pair, double t, StickFeatureHit *hit)
{
    Lines at = lines_at(pair, t);
    double n[3], u[3], out_a[3], out_b[3];
    double aa = stick_vec_dot(at.a, at.a), bb = stick_vec_dot(at.b, at.b), ab = stick_vec_dot(at.a, at.b),
           det = aa * bb - ab * ab;
    if (!(det > parallel * parallel * aa * bb))
        return false;
    // a s - b u = between
    double ag = stick_vec_dot(at.a, at.between), bg = stick_vec_dot(at.b, at.between);
    double s = (bb * ag - ab * bg) / det, w = (ab * ag - aa * bg) / det;
    if (!(s >= -beyond && s <= 1 + beyond && w >= -beyond && w <= 1 + beyond))
        return false;
    s = fmax(0, fmin(1, s));
    w = fmax(0, fmin(1, w));
    stick_vec_cross(at.a, at.b, n);
    stick_vec_normalise(n);
    edge_normal(pair->a, t, out_a);
    edge_normal(pair->b, t, out_b);
    if (stick_vec_dot(n, out_b) < stick_vec_dot(n, out_a))
        for (int k = 0; k < 3; k++)
            n[k] = -n[k];
    if (!(stick_vec_dot(n, out_b) > 0 && stick_vec_dot(n, out_a) < 0))
        return false;
    for (int k = 0; k < 3; k++)
        u[k] = (1 - s) * pair->a->end[0].d[k] + s * pair->a->end[1].d[k] - (1 - w) * pair->b->end[0].d[k] -
               w * pair->b->end[1].d[k];
    *hit = (StickFeatureHit){.time = t, .weight = {1 - s, s}, .other = {1 - w, w}};
    memcpy(hit->normal, n, sizeof n);
    hit->closing = -stick_vec_dot(n, u);
    return hit->closing > 0;
}

bool stick_edges_meet(const StickMovingEdge *a, const StickMovingEdge *b, StickFeatureHit *hit)
{
    bool found = false;
    for (int turn = 0; turn < 2; turn++) {
        Edges pair = {a, b, turn ? -1 : 1};
        double root[STICK_CROSSINGS];
        int count = crossings(volume_of_edges, &pair, root);
        for (int k = 0; k < count; k++) {
            StickFeatureHit one;
            if (!edges_cross(&pair, root[k], &one) || (found && one.time >= hit->time))
                continue;
            *hit = one;
            found = true;
        }
    }
    return found;
}

// ---- a facet and a round core

// Nearest points of a facet and a core.
typedef struct Nearest {
    double distance;
    double weight[3], other[2];
    double from[3]; // core to facet
} Nearest;

static void take_if_nearer(Nearest *best, const double facet[3][3], int ncorners, const double core[2][3],
                           int ncore, const double weight[3], const double other[2])
{
    double from[3] = {0};
    for (int k = 0; k < ncorners; k++)
        stick_vec_axpy(from, weight[k], facet[k], from);
    for (int k = 0; k < ncore; k++)
        stick_vec_axpy(from, -other[k], core[k], from);
    double distance = stick_vec_norm(from);
    if (!(distance < best->distance))
        return;
    best->distance = distance;
    memcpy(best->weight, weight, sizeof best->weight);
    memcpy(best->other, other, sizeof best->other);
    memcpy(best->from, from, sizeof from);
}

static double clamp(double x)
{
    return fmax(0, fmin(1, x));
}

// Nearest places s along p + s a and u along q + u b, both from 0 to 1.
static void nearest_of_segments(const double p[3], const double a[3], const double q[3], const double b[3],
                                double *s, double *u)
{
    double g[3];
    stick_vec_sub(q, p, g);
    double aa = stick_vec_dot(a, a), bb = stick_vec_dot(b, b), ab = stick_vec_dot(a, b),
           ag = stick_vec_dot(a, g), bg = stick_vec_dot(b, g), det = aa * bb - ab * ab;
    *s = det > 1e-14 * aa * bb ? clamp((bb * ag - ab * bg) / det) : aa > 0 ? clamp(ag / aa) : 0;
    *u = bb > 0 ? clamp((*s * ab - bg) / bb) : 0;
    *s = aa > 0 ? clamp((*u * ab + ag) / aa) : 0;
}

// An end of the core over the inside of a triangle.
static void look_inside(const double facet[3][3], const double core[2][3], int ncore, int end, Nearest *best)
{
    double a[3], b[3], from[3], other[2] = {end == 0, end == 1};
    stick_vec_sub(facet[1], facet[0], a);
    stick_vec_sub(facet[2], facet[0], b);
    stick_vec_sub(core[end], facet[0], from);
    double aa = stick_vec_dot(a, a), ab = stick_vec_dot(a, b), bb = stick_vec_dot(b, b),
           af = stick_vec_dot(a, from), bf = stick_vec_dot(b, from), det = aa * bb - ab * ab;
    double weight[3] = {0, (bb * af - ab * bf) / det, (aa * bf - ab * af) / det};
    weight[0] = 1 - weight[1] - weight[2];
    if (weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0)
        take_if_nearer(best, facet, 3, core, ncore, weight, other);
}

static Nearest nearest_at(const StickMovingFacet *facet, const StickMovingCore *core, double t)
{
    Nearest best = {.distance = INFINITY};
    double corner[3][3], end[2][3] = {{0}}, axis[3] = {0};
    int n = facet->ncorners;
    for (int k = 0; k < n; k++)
        stick_moving_place(&facet->corner[k], t, corner[k]);
    for (int k = 0; k < core->ncore; k++)
        stick_moving_place(&core->end[k], t, end[k]);
    if (core->ncore == 2)
        stick_vec_sub(end[1], end[0], axis);
    for (int k = 0; k < (n == 2 ? 1 : n); k++) {
        int next = (k + 1) % n;
        double side[3], s, u, weight[3] = {0}, other[2];
        stick_vec_sub(corner[next], corner[k], side);
        nearest_of_segments(corner[k], side, end[0], axis, &s, &u);
        weight[next] += s;
        weight[k] += 1 - s;
        other[0] = 1 - u, other[1] = u;
        take_if_nearer(&best, corner, n, end, core->ncore, weight, other);
    }
    for (int k = 0; k < core->ncore && n == 3; k++)
        look_inside(corner, end, core->ncore, k, &best);
    return best;
}

// The fastest approach of any two of their points along a direction: while it stays, a plane between them parts them.
static double rate_along(const StickMovingFacet *facet, const StickMovingCore *core, const double n[3])
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < facet->ncorners; k++)
        least = fmin(least, stick_vec_dot(n, facet->corner[k].d));
    for (int k = 0; k < core->ncore; k++)
        most = fmax(most, stick_vec_dot(n, core->end[k].d));
    return most - least;
}

bool stick_facet_meets_core(const StickMovingFacet *facet, const StickMovingCore *core, StickFeatureHit *hit)
{
    double t = 0, slack = touching * core->radius, stride = slack;
    for (int step = 0; step < MOST_ADVANCES && t < 1; step++) {
        Nearest at = nearest_at(facet, core, t);
        double gap = at.distance - core->radius;
        if (!(at.distance > 0) || (step == 0 && gap < -slack))
            return false;
        double n[3];
        for (int k = 0; k < 3; k++)
            n[k] = at.from[k] / at.distance;
        double rate = rate_along(facet, core, n);
        if (!(rate > 0) || gap > (1 - t) * rate)
            return false;
        if (gap > slack) {
            t += gap / rate;
            continue;
        }
        *hit = (StickFeatureHit){.time = t, .other = {at.other[0], at.other[1]}};
        memcpy(hit->weight, at.weight, sizeof at.weight);
        memcpy(hit->normal, n, sizeof n);
        double u[3] = {0};
        for (int k = 0; k < facet->ncorners; k++)
            stick_vec_axpy(u, at.weight[k], facet->corner[k].d, u);
        for (int k = 0; k < core->ncore; k++)
            stick_vec_axpy(u, -at.other[k], core->end[k].d, u);
        hit->closing = -stick_vec_dot(n, u);
        if (hit->closing > 0)
            return true;
        // other points of it approach
        t += stride / rate;
        stride = fmin(2 * stride, longest_stride * core->radius);
    }
    return false;
}
