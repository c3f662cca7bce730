// SPDX-License-Identifier: Apache-2.0
// Two patches seen along n: one that is flat (a, if both are) is the window, and its sides cut the other one.
//
//        window        a corner of the result lies between two sides: of the patch (a vertex of it), of the window (a
//      +--------+      vertex of the window) or one of each (a crossing). So its name does not depend on which of both
//      |    o---x--    patches was the window.
//      |    |   |
//      +----x---+
#include "contact/patch.h"

enum { MOST = 2 * STICK_MOST_PATCH };

// The plane at right angles to n.
typedef struct View {
    double t1[3], t2[3], n[3];
} View;

// A patch in that plane, anticlockwise.
typedef struct Flat {
    int count;
    double x[STICK_MOST_PATCH][2];
    int label[STICK_MOST_PATCH];
    double height[2]; // of the ends of a segment or a point, along n
    double slope[3];  // polygon: height = slope[0] + slope[1] x + slope[2] y
    double shift;     // from the core to its surface
    const StickCore *core;
} Flat;

// A corner, and the side that starts there: k of the patch, or -1 - k of the window.
typedef struct Corner {
    double x[2];
    int side;
} Corner;

typedef struct Cut {
    int count;
    Corner corner[MOST];
} Cut;

// ---- flat patches

static void flatten(const StickContactPatch *patch, const View *view, bool is_a, Flat *flat)
{
    flat->count = patch->count;
    flat->core = patch->core;
    flat->shift = is_a ? -patch->radius : patch->radius;
    for (int k = 0; k < patch->count; k++) {
        // a is seen from inside: its corners run clockwise
        int from = is_a ? patch->count - 1 - k : k;
        flat->x[k][0] = stick_vec_dot(view->t1, patch->x[from]);
        flat->x[k][1] = stick_vec_dot(view->t2, patch->x[from]);
        flat->label[k] = patch->label[from];
        if (k < 2)
            flat->height[k] = stick_vec_dot(view->n, patch->x[from]);
    }
    if (patch->count < 3)
        return;
    double c = stick_vec_dot(patch->plane, view->n);
    flat->slope[0] = patch->plane[3] / c;
    flat->slope[1] = -stick_vec_dot(patch->plane, view->t1) / c;
    flat->slope[2] = -stick_vec_dot(patch->plane, view->t2) / c;
}

// Height of the surface above a point of the plane.
static double height_at(const Flat *flat, const double x[2])
{
    if (flat->count > 2)
        return flat->slope[0] + flat->slope[1] * x[0] + flat->slope[2] * x[1] + flat->shift;
    if (flat->count == 1)
        return flat->height[0] + flat->shift;
    double d[2] = {flat->x[1][0] - flat->x[0][0], flat->x[1][1] - flat->x[0][1]};
    double length2 = d[0] * d[0] + d[1] * d[1];
    double t = length2 > 0 ? (d[0] * (x[0] - flat->x[0][0]) + d[1] * (x[1] - flat->x[0][1])) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return flat->height[0] + t * (flat->height[1] - flat->height[0]) + flat->shift;
}

// ---- cutting

// The part of a polygon to the left of the line through x along the unit vector d.
static void cut_by(const Cut *old, const double x[2], const double d[2], int side, double slack, Cut *cut)
{
    double left[MOST];
    for (int k = 0; k < old->count; k++)
        left[k] = d[0] * (old->corner[k].x[1] - x[1]) - d[1] * (old->corner[k].x[0] - x[0]);
    cut->count = 0;
    for (int k = 0; k < old->count; k++) {
        int next = k + 1 < old->count ? k + 1 : 0;
        const Corner *p = &old->corner[k], *q = &old->corner[next];
        bool in = left[k] >= -slack, next_in = left[next] >= -slack;
        if (in && cut->count < MOST)
            cut->corner[cut->count++] = *p;
        if (in == next_in || cut->count == MOST)
            continue;
        double t = left[k] / (left[k] - left[next]);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        cut->corner[cut->count++] = (Corner){
            {p->x[0] + t * (q->x[0] - p->x[0]), p->x[1] + t * (q->x[1] - p->x[1])}, in ? side : p->side};
    }
}

// Result in `cut[0]` or `cut[1]`, returned.
static const Cut *cut_by_window(const Flat *patch, const Flat *window, double slack, Cut cut[2])
{
    int now = 0;
    cut[0].count = patch->count;
    for (int k = 0; k < patch->count; k++)
        cut[0].corner[k] = (Corner){{patch->x[k][0], patch->x[k][1]}, k};
    for (int k = 0; k < window->count && cut[now].count > 0; k++) {
        const double *x = window->x[k], *y = window->x[k + 1 < window->count ? k + 1 : 0];
        double d[2] = {y[0] - x[0], y[1] - x[1]}, length = sqrt(d[0] * d[0] + d[1] * d[1]);
        if (!(length > slack))
            continue;
        d[0] /= length;
        d[1] /= length;
        cut_by(&cut[now], x, d, -1 - k, slack, &cut[1 - now]);
        now = 1 - now;
    }
    return &cut[now];
}

// ---- names

static int edge_name(const Flat *flat, int side)
{
    int v = flat->label[side], w = flat->label[side + 1 < flat->count ? side + 1 : 0];
    int edge = flat->core ? stick_core_edge_between(flat->core, v, w) : v;
    // a thinned face has sides that are no edges
    return edge >= 0 ? edge : 0x4000 + v;
}

static uint32_t vertex_feature(const Flat *flat, int corner, bool is_a)
{
    return is_a ? stick_feature(STICK_FEATURE_A, flat->label[corner], 0)
                : stick_feature(STICK_FEATURE_B, 0, flat->label[corner]);
}

static uint32_t corner_feature(const Flat *patch, const Flat *window, bool patch_is_a, int before, int after)
{
    if (before >= 0 && after >= 0)
        return vertex_feature(patch, after, patch_is_a);
    if (before < 0 && after < 0)
        return vertex_feature(window, -1 - after, !patch_is_a);
    int of_patch = before >= 0 ? before : after, of_window = -1 - (before >= 0 ? after : before);
    int name = edge_name(patch, patch->count == 2 ? 0 : of_patch), other = edge_name(window, of_window);
    return stick_feature(STICK_FEATURE_CROSSING, patch_is_a ? name : other, patch_is_a ? other : name);
}

// ---- points

typedef struct Candidates {
    int count;
    double x[MOST][2], gap[MOST], middle[MOST];
    int before[MOST], after[MOST];
} Candidates;

static void drop(Candidates *c, int k)
{
    c->count--;
    for (int i = k; i < c->count; i++) {
        memcpy(c->x[i], c->x[i + 1], sizeof c->x[i]);
        c->gap[i] = c->gap[i + 1];
        c->middle[i] = c->middle[i + 1];
        c->before[i] = c->before[i + 1];
        c->after[i] = c->after[i + 1];
    }
}

static bool same_place(const double x[2], const double y[2], double slack)
{
    return fabs(x[0] - y[0]) <= slack && fabs(x[1] - y[1]) <= slack;
}

// Corners within reach; of those at one place only the first.
static void collect(const Cut *cut, const Flat *a, const Flat *b, double reach, double slack, Candidates *c)
{
    c->count = 0;
    for (int k = 0; k < cut->count; k++) {
        const Corner *corner = &cut->corner[k];
        double of_a = height_at(a, corner->x), of_b = height_at(b, corner->x);
        bool again = c->count > 0 && (same_place(corner->x, c->x[c->count - 1], slack) ||
                                      same_place(corner->x, c->x[0], slack));
        if (again || of_a - of_b > reach)
            continue;
        memcpy(c->x[c->count], corner->x, sizeof corner->x);
        c->gap[c->count] = of_a - of_b;
        c->middle[c->count] = (of_a + of_b) / 2;
        c->before[c->count] = cut->corner[k > 0 ? k - 1 : cut->count - 1].side;
        c->after[c->count++] = corner->side;
    }
}

// Twice the area that a polygon loses without a corner.
static double loss(const Candidates *c, int k)
{
    const double *p = c->x[k > 0 ? k - 1 : c->count - 1], *q = c->x[k],
                 *r = c->x[k + 1 < c->count ? k + 1 : 0];
    return fabs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
}

// Height of a corner over the line between its neighbours.
static double rise(const Candidates *c, int k)
{
    const double *p = c->x[k > 0 ? k - 1 : c->count - 1], *r = c->x[k + 1 < c->count ? k + 1 : 0];
    double chord = hypot(r[0] - p[0], r[1] - p[1]);
    return chord > 0 ? loss(c, k) / chord : 0;
}

// Of the slack of a side: corners that rise less are not corners. Sides that lie flush cross anywhere as bodies tremble.
static const double level = 1e4;

// Drops corners on straight sides, then those that widen the polygon least; never the deepest.
static void thin(Candidates *c, double slack)
{
    int deepest = 0;
    for (int k = 1; k < c->count; k++)
        if (c->gap[k] < c->gap[deepest])
            deepest = k;
    while (c->count > 2) {
        int least = deepest == 0 ? 1 : 0;
        for (int k = 0; k < c->count; k++)
            if (k != deepest && loss(c, k) < loss(c, least))
                least = k;
        if (c->count <= STICK_MANIFOLD && rise(c, least) > level * slack)
            break;
        drop(c, least);
        deepest -= least < deepest;
    }
}

static void set_point(const View *view, const double x[2], double gap, double middle, uint32_t feature,
                      StickManifold *manifold)
{
    for (int k = 0; k < manifold->count; k++)
        if (manifold->point[k].feature == feature)
            return;
    StickManifoldPoint *point = &manifold->point[manifold->count++];
    for (int k = 0; k < 3; k++)
        point->place[k] = x[0] * view->t1[k] + x[1] * view->t2[k] + middle * view->n[k];
    point->gap = gap;
    point->feature = feature;
}

static void overlay_window(const Flat *a, const Flat *b, bool window_is_a, const View *view, double reach,
                           double slack, StickManifold *manifold)
{
    Cut cut[2];
    Candidates c;
    const Flat *window = window_is_a ? a : b, *patch = window_is_a ? b : a;
    collect(cut_by_window(patch, window, slack, cut), a, b, reach, 4 * slack, &c);
    thin(&c, slack);
    for (int k = 0; k < c.count; k++)
        set_point(view, c.x[k], c.gap[k], c.middle[k],
                  corner_feature(patch, window, !window_is_a, c.before[k], c.after[k]), manifold);
}

// ---- two segments

// Where two nearly parallel segments run side by side: both ends of it. false: they are not, or not side by side.
static bool overlay_segments(const Flat *a, const Flat *b, const View *view, double reach, double slack,
                             StickManifold *manifold)
{
    double d[2] = {a->x[1][0] - a->x[0][0], a->x[1][1] - a->x[0][1]},
           length = sqrt(d[0] * d[0] + d[1] * d[1]);
    double e[2] = {b->x[1][0] - b->x[0][0], b->x[1][1] - b->x[0][1]}, other = sqrt(e[0] * e[0] + e[1] * e[1]);
    double cross = d[0] * e[1] - d[1] * e[0], dot = d[0] * e[0] + d[1] * e[1];
    if (!(length > slack) || !(other > slack) || fabs(cross) > STICK_LEVEL * length * other)
        return false;
    // along a: its ends at 0 and length, those of b at t[0] <= t[1]
    double t[2];
    int first = dot < 0 ? 1 : 0;
    for (int k = 0; k < 2; k++)
        t[k] = (d[0] * (b->x[k][0] - a->x[0][0]) + d[1] * (b->x[k][1] - a->x[0][1])) / length;
    bool low_of_b = t[first] > 0, high_of_b = t[1 - first] < length;
    double end[2] = {low_of_b ? t[first] : 0, high_of_b ? t[1 - first] : length};
    if (!(end[1] > end[0] + slack))
        return false;
    for (int k = 0; k < 2; k++) {
        bool of_b = k == 0 ? low_of_b : high_of_b;
        double x[2] = {a->x[0][0] + end[k] * d[0] / length, a->x[0][1] + end[k] * d[1] / length};
        double s = (e[0] * (x[0] - b->x[0][0]) + e[1] * (x[1] - b->x[0][1])) / (other * other);
        double y[2] = {b->x[0][0] + s * e[0], b->x[0][1] + s * e[1]};
        double of_a = height_at(a, x), height_b = height_at(b, y),
               middle[2] = {(x[0] + y[0]) / 2, (x[1] + y[1]) / 2};
        int corner = of_b ? (k == 0 ? first : 1 - first) : k;
        if (of_a - height_b <= reach)
            set_point(view, middle, of_a - height_b, (of_a + height_b) / 2,
                      vertex_feature(of_b ? b : a, corner, !of_b), manifold);
    }
    return manifold->count > 0;
}

// ---- both

void stick_patch_single(const StickAxis *axis, double radius_a, double radius_b, double reach,
                        StickManifold *manifold)
{
    double gap = axis->s - radius_a - radius_b;
    memcpy(manifold->normal, axis->normal, sizeof manifold->normal);
    manifold->count = gap <= reach ? 1 : 0;
    StickManifoldPoint *point = &manifold->point[0];
    for (int k = 0; k < 3; k++)
        point->place[k] = (axis->at_a[k] + axis->at_b[k]) / 2 + (radius_b - radius_a) / 2 * axis->normal[k];
    point->gap = gap;
    point->feature = axis->feature;
}

void stick_patch_overlay(const StickContactPatch *a, const StickContactPatch *b, const StickAxis *axis,
                         double reach, const StickTolerance *tolerance, StickManifold *manifold)
{
    View view;
    Flat flat_a, flat_b;
    memcpy(view.n, axis->normal, sizeof view.n);
    memcpy(manifold->normal, axis->normal, sizeof view.n);
    stick_patch_frame(view.n, view.t1, view.t2);
    flatten(a, &view, true, &flat_a);
    flatten(b, &view, false, &flat_b);
    manifold->count = 0;
    if (a->cosine >= STICK_FLAT || b->cosine >= STICK_FLAT)
        overlay_window(&flat_a, &flat_b, a->cosine >= STICK_FLAT, &view, reach, tolerance->inside, manifold);
    else if (a->count != 2 || b->count != 2 ||
             !overlay_segments(&flat_a, &flat_b, &view, reach, tolerance->inside, manifold))
        stick_patch_single(axis, a->radius, b->radius, reach, manifold);
}
