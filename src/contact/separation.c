// SPDX-License-Identifier: Apache-2.0
#include "contact/separation.h"

// ---- faces

// Faces of `own`, whose outer normals are `side` times n: +1 for b, -1 for a.
static bool try_faces(const StickCore *own, const StickCore *other, double side, double limit, double tie,
                      StickAxis *best)
{
    for (int f = 0; f < own->nfaces; f++) {
        double plane[4], height;
        stick_core_plane(own, f, plane);
        double down[3] = {-plane[0], -plane[1], -plane[2]};
        int vertex = stick_core_support(other, down, &height);
        double s = -height - plane[3];
        if (s > limit)
            return false;
        if (s <= best->s + tie)
            continue;
        double x[3], foot[3];
        stick_core_vertex(other, vertex, x);
        stick_vec_axpy(x, -s, plane, foot);
        for (int k = 0; k < 3; k++)
            best->normal[k] = side * plane[k];
        memcpy(best->at_a, side > 0 ? x : foot, sizeof x);
        memcpy(best->at_b, side > 0 ? foot : x, sizeof x);
        best->feature =
            side > 0 ? stick_feature(STICK_FEATURE_A, vertex, 0) : stick_feature(STICK_FEATURE_B, 0, vertex);
        best->s = s;
    }
    return true;
}

// ---- pairs of edges

enum { BLOCK = 48 };

double stick_arc_bound(const StickNormalArc *arc, const double w[3])
{
    double c = stick_vec_dot(arc->from, arc->to), p = stick_vec_dot(arc->from, w),
           q = stick_vec_dot(arc->to, w);
    if (q > c * p && p > c * q) {
        double cross[3];
        stick_vec_cross(arc->unit, w, cross);
        return stick_vec_norm(cross);
    }
    return p > q ? p : q;
}

void stick_arc_make(const StickCore *core, int index, double side, StickNormalArc *arc)
{
    const int *edge = core->edge + 4 * (ptrdiff_t)index;
    double end[3];
    stick_core_vertex(core, edge[0], arc->x);
    stick_core_vertex(core, edge[1], end);
    stick_vec_sub(end, arc->x, arc->along);
    memcpy(arc->unit, arc->along, sizeof end);
    stick_vec_normalise(arc->unit);
    arc->edge = index;
    arc->open = edge[2] < 0;
    if (arc->open)
        return;
    stick_core_turn(core, core->face + 4 * (ptrdiff_t)edge[2], arc->from);
    stick_core_turn(core, core->face + 4 * (ptrdiff_t)edge[3], arc->to);
    for (int k = 0; k < 3; k++) {
        arc->from[k] *= side;
        arc->to[k] *= side;
    }
}

// The next edges of a core that may still beat the best axis. With a point y of the other one on all arcs of an edge at
// x: s(n) <= side n.(y - x), where b has side 1.
static int gather_arcs(const StickCore *core, double side, const double y[3], double best, int *next,
                       StickNormalArc *arc)
{
    int count = 0;
    for (; *next < core->nedges && count < BLOCK; ++*next) {
        double w[3];
        stick_arc_make(core, *next, side, &arc[count]);
        for (int k = 0; k < 3; k++)
            w[k] = side * (y[k] - arc[count].x[k]);
        if (arc[count].open || stick_arc_bound(&arc[count], w) > best)
            count++;
    }
    return count;
}

// Do two arcs cross (or nearly so)? Only then both edges are farthest along their common normal.
static bool arcs_cross(const StickNormalArc *a, const StickNormalArc *b)
{
    const double slack = 1e-12;
    if (a->open || b->open)
        return true;
    // each arc's ends on both sides of the plane of the other arc, and the arcs not opposite to each other
    double bf = stick_vec_dot(b->from, a->unit), bt = stick_vec_dot(b->to, a->unit);
    if (bf * bt > slack)
        return false;
    double af = stick_vec_dot(a->from, b->unit), at = stick_vec_dot(a->to, b->unit);
    if (af * at > slack)
        return false;
    double middle_a[3], middle_b[3];
    stick_vec_axpy(a->from, 1, a->to, middle_a);
    stick_vec_axpy(b->from, 1, b->to, middle_b);
    double n[3];
    stick_vec_cross(a->unit, b->unit, n);
    return stick_vec_dot(n, middle_a) * stick_vec_dot(n, middle_b) >= -slack;
}

// n at right angles to both edges, on the side of their arcs; false: they are parallel.
static bool common_normal(const StickNormalArc *a, const StickNormalArc *b, double n[3])
{
    const StickNormalArc *guide = a->open ? b : a;
    double middle[3];
    stick_vec_cross(a->unit, b->unit, n);
    if (stick_vec_normalise(n) < 1e-9)
        return false;
    stick_vec_axpy(guide->from, 1, guide->to, middle);
    double sign = stick_vec_dot(n, middle) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        n[k] *= sign;
    return true;
}

static void set_crossing(const StickNormalArc *a, const StickNormalArc *b, StickAxis *axis)
{
    double s, t;
    stick_segments_nearest(a->x, a->along, b->x, b->along, &s, &t);
    stick_vec_axpy(a->x, s, a->along, axis->at_a);
    stick_vec_axpy(b->x, t, b->along, axis->at_b);
    axis->feature = stick_feature(STICK_FEATURE_CROSSING, a->edge, b->edge);
}

static bool try_pair(const StickCore *a, const StickCore *b, const StickNormalArc *p, const StickNormalArc *q,
                     double limit, double tie, StickAxis *best)
{
    double n[3], between[3], low, high;
    if (!arcs_cross(p, q) || !common_normal(p, q, n))
        return true;
    stick_vec_sub(p->x, q->x, between);
    if (stick_vec_dot(n, between) <= best->s + tie)
        return true;
    double down[3] = {-n[0], -n[1], -n[2]};
    stick_core_support(a, down, &low);
    stick_core_support(b, n, &high);
    double s = -low - high;
    if (s > limit)
        return false;
    // another edge reaches farther: that one has the points
    if (s <= best->s + tie || stick_vec_dot(n, between) > s + tie)
        return true;
    memcpy(best->normal, n, sizeof n);
    best->s = s;
    set_crossing(p, q, best);
    return true;
}

static bool try_edges(const StickCore *a, const StickCore *b, double limit, double tie, StickAxis *best)
{
    StickNormalArc of_a[BLOCK], of_b[BLOCK];
    // points of either core that are deep in the other one: they tell most about what can still be better
    double deep_a[3], deep_b[3];
    double height, down[3] = {-best->normal[0], -best->normal[1], -best->normal[2]};
    stick_core_vertex(a, stick_core_support(a, down, &height), deep_a);
    stick_core_vertex(b, stick_core_support(b, best->normal, &height), deep_b);
    for (int i = 0; i < a->nedges;) {
        int na = gather_arcs(a, -1, deep_b, best->s + tie, &i, of_a);
        for (int j = 0; na > 0 && j < b->nedges;) {
            int nb = gather_arcs(b, 1, deep_a, best->s + tie, &j, of_b);
            for (int p = 0; p < na; p++)
                for (int q = 0; q < nb; q++)
                    if (!try_pair(a, b, &of_a[p], &of_b[q], limit, tie, best))
                        return false;
        }
    }
    return true;
}

bool stick_separation_find(const StickCore *a, const StickCore *b, double limit,
                           const StickTolerance *tolerance, StickAxis *axis)
{
    axis->s = -INFINITY;
    return try_faces(a, b, -1, limit, tolerance->tie, axis) &&
           try_faces(b, a, 1, limit, tolerance->tie, axis) && try_edges(a, b, limit, tolerance->tie, axis);
}

// ---- nearest points

static double clamp(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

void stick_segments_nearest(const double x[3], const double d[3], const double y[3], const double e[3],
                            double *s, double *t)
{
    double w[3];
    stick_vec_sub(x, y, w);
    double dd = stick_vec_dot(d, d), ee = stick_vec_dot(e, e), de = stick_vec_dot(d, e);
    double dw = stick_vec_dot(d, w), ew = stick_vec_dot(e, w), cross[3];
    stick_vec_cross(d, e, cross);
    double det = stick_vec_dot(cross, cross);
    if (det > 1e-24 * dd * ee) {
        *s = clamp((de * ew - ee * dw) / det);
    } else {
        // parallel: the middle of what they have in common
        double p = dd > 0 ? -dw / dd : 0, q = dd > 0 ? (de - dw) / dd : 0;
        *s = (clamp(p < q ? p : q) + clamp(p < q ? q : p)) / 2;
    }
    *t = ee > 0 ? clamp((ew + *s * de) / ee) : 0;
    *s = dd > 0 ? clamp((*t * de - dw) / dd) : 0;
}

// The point of edge `index` nearest to x; a core without edges is its only vertex.
static void nearest_on_edge(const StickCore *core, int index, const double x[3], double foot[3], int *vertex)
{
    double end[3], along[3], w[3];
    const int alone[2] = {0, 0}, *edge = core->nedges > 0 ? core->edge + 4 * (ptrdiff_t)index : alone;
    stick_core_vertex(core, edge[0], foot);
    stick_core_vertex(core, edge[1], end);
    stick_vec_sub(end, foot, along);
    stick_vec_sub(x, foot, w);
    double length2 = stick_vec_dot(along, along), t = length2 > 0 ? stick_vec_dot(along, w) / length2 : 0;
    *vertex = t <= 0 ? edge[0] : t >= 1 ? edge[1] : -1;
    if (t >= 1)
        memcpy(foot, end, sizeof end);
    else if (t > 0)
        stick_vec_axpy(foot, t, along, foot);
}

// Vertices of `own` against edges of `other`, which lies before it along n; nothing beyond the best distance is looked at.
static void try_corners(const StickCore *own, const StickCore *other, const double n[3], double side,
                        double *best, StickAxis *axis)
{
    double top, ahead[3] = {side * n[0], side * n[1], side * n[2]};
    stick_core_support(other, ahead, &top);
    for (int v = 0; v < own->nvertices; v++) {
        double x[3];
        stick_core_vertex(own, v, x);
        double height = stick_vec_dot(ahead, x);
        for (int i = 0; height - top < *best && i < (other->nedges > 0 ? other->nedges : 1); i++) {
            double foot[3], between[3];
            int vertex;
            nearest_on_edge(other, i, x, foot, &vertex);
            stick_vec_sub(x, foot, between);
            double distance = stick_vec_norm(between);
            if (!(distance < *best))
                continue;
            *best = distance;
            memcpy(side > 0 ? axis->at_a : axis->at_b, x, sizeof x);
            memcpy(side > 0 ? axis->at_b : axis->at_a, foot, sizeof foot);
            if (vertex >= 0)
                axis->feature = side > 0 ? stick_feature(STICK_FEATURE_BOTH, v, vertex)
                                         : stick_feature(STICK_FEATURE_BOTH, vertex, v);
            else
                axis->feature =
                    side > 0 ? stick_feature(STICK_FEATURE_A, v, 0) : stick_feature(STICK_FEATURE_B, 0, v);
        }
    }
}

bool stick_separation_corners(const StickCore *a, const StickCore *b, double limit, StickAxis *axis)
{
    // what is just at the limit is still found
    const double most = limit * (1 + 1e-14);
    double n[3], best = most;
    memcpy(n, axis->normal, sizeof n);
    try_corners(a, b, n, 1, &best, axis);
    try_corners(b, a, n, -1, &best, axis);
    if (!(best < most))
        return false;
    stick_vec_sub(axis->at_a, axis->at_b, axis->normal);
    axis->s = stick_vec_normalise(axis->normal);
    return true;
}
