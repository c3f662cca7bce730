// SPDX-License-Identifier: Apache-2.0
#include "contact/manifold_3d.h"

#include "contact/cylinder.h"

static void middle_of(const StickPlacedShape *placed, const double from[3], double x[3])
{
    StickCore frame = {.axis = placed->axis};
    stick_core_turn(&frame, placed->shape->centre, x);
    for (int k = 0; k < 3; k++)
        x[k] += placed->centre[k] - from[k];
}

static StickTolerance tolerance_of(const StickPlacedShape *a, const StickPlacedShape *b)
{
    double p = a->shape->bound, q = b->shape->bound, small = p < q ? p : q, large = p < q ? q : p;
    return (StickTolerance){1e-12 * small + 1e-14 * large, 1e-10 * small + 1e-13 * large};
}

static void reverse(StickManifold *manifold)
{
    for (int k = 0; k < 3; k++)
        manifold->normal[k] = -manifold->normal[k];
}

// Does a point of the manifold have the gap that the axis says?
static bool reached(const StickManifold *manifold, double gap, double slack)
{
    for (int k = 0; k < manifold->count; k++)
        if (manifold->point[k].gap <= gap + slack)
            return true;
    return false;
}

// ---- balls and capsules

// A direction for cores that meet: across both segments, or one of them, towards a.
static void choose_normal(const StickCore *a, const StickCore *b, const double d[3], const double e[3],
                          double n[3])
{
    double other[3], between[3];
    stick_vec_cross(d, e, n);
    if (stick_vec_norm(n) <= 1e-12 * stick_vec_norm(d) * stick_vec_norm(e)) {
        const double *along = a->nvertices > 1 ? d : e;
        memcpy(n, (double[]){0, 0, 1}, 3 * sizeof(double));
        if (a->nvertices > 1 || b->nvertices > 1)
            stick_patch_frame(along, n, other);
    }
    stick_vec_normalise(n);
    stick_vec_sub(a->origin, b->origin, between);
    if (stick_vec_dot(n, between) < 0)
        for (int k = 0; k < 3; k++)
            n[k] = -n[k];
}

static void touch_round(const StickCore *a, const StickCore *b, double reach, const StickTolerance *tolerance,
                        StickManifold *manifold)
{
    StickAxis axis = {.feature = 0};
    StickContactPatch of_a, of_b;
    double x[3], d[3], y[3], e[3], s, t;
    stick_core_vertex(a, 0, x);
    stick_core_vertex(a, a->nvertices - 1, d);
    stick_vec_sub(d, x, d);
    stick_core_vertex(b, 0, y);
    stick_core_vertex(b, b->nvertices - 1, e);
    stick_vec_sub(e, y, e);
    stick_segments_nearest(x, d, y, e, &s, &t);
    stick_vec_axpy(x, s, d, axis.at_a);
    stick_vec_axpy(y, t, e, axis.at_b);
    stick_vec_sub(axis.at_a, axis.at_b, axis.normal);
    axis.s = stick_vec_norm(axis.normal);
    if (axis.s > 0.01 * tolerance->tie)
        stick_vec_normalise(axis.normal);
    else
        choose_normal(a, b, d, e, axis.normal);
    if (a->nvertices == 1 || b->nvertices == 1) {
        stick_patch_single(&axis, a->radius, b->radius, reach, manifold);
        return;
    }
    double down[3] = {-axis.normal[0], -axis.normal[1], -axis.normal[2]};
    stick_patch_edge(a, down, false, &of_a);
    stick_patch_edge(b, axis.normal, false, &of_b);
    stick_patch_overlay(&of_a, &of_b, &axis, reach, tolerance, manifold);
    if (!reached(manifold, axis.s - a->radius - b->radius, 4 * tolerance->inside))
        stick_patch_single(&axis, a->radius, b->radius, reach, manifold);
}

// ---- polyhedra

static void overlay_cores(const StickCore *a, const StickCore *b, const StickAxis *axis, double reach,
                          const StickTolerance *tolerance, StickManifold *manifold)
{
    StickContactPatch of_a, of_b;
    double down[3] = {-axis->normal[0], -axis->normal[1], -axis->normal[2]};
    stick_patch_face(a, down, &of_a);
    stick_patch_face(b, axis->normal, &of_b);
    bool flat = of_a.cosine >= STICK_FLAT || of_b.cosine >= STICK_FLAT;
    if (of_a.count == 0 || !flat)
        stick_patch_edge(a, down, flat, &of_a);
    if (of_b.count == 0 || !flat)
        stick_patch_edge(b, axis->normal, flat, &of_b);
    stick_patch_overlay(&of_a, &of_b, axis, reach, tolerance, manifold);
}

// Are the points of the axis in both cores, just s apart? Then no direction parts them more.
static bool proved(const StickCore *a, const StickCore *b, const StickAxis *axis, double slack)
{
    uint32_t kind = axis->feature >> 30;
    for (int k = 0; k < 3; k++)
        if (fabs(axis->at_a[k] - axis->at_b[k] - axis->s * axis->normal[k]) > slack)
            return false;
    return kind == STICK_FEATURE_CROSSING ||
           (kind == STICK_FEATURE_A && stick_core_holds(b, axis->at_b, slack)) ||
           (kind == STICK_FEATURE_B && stick_core_holds(a, axis->at_a, slack));
}

static void touch_cores(const StickCore *a, const StickCore *b, double reach, const StickTolerance *tolerance,
                        StickManifold *manifold)
{
    StickAxis axis;
    double radii = a->radius + b->radius, slack = 4 * tolerance->inside;
    manifold->count = 0;
    if (!stick_separation_find(a, b, reach + radii, tolerance, &axis))
        return;
    overlay_cores(a, b, &axis, reach, tolerance, manifold);
    bool face = axis.feature >> 30 != STICK_FEATURE_CROSSING;
    // apart, but not along a face or across two edges
    if (axis.s > tolerance->tie && !(face && reached(manifold, axis.s - radii, slack)) &&
        !proved(a, b, &axis, slack)) {
        manifold->count = 0;
        if (!stick_separation_corners(a, b, reach + radii, &axis))
            return;
        overlay_cores(a, b, &axis, reach, tolerance, manifold);
    }
    if (!reached(manifold, axis.s - radii, slack))
        stick_patch_single(&axis, a->radius, b->radius, reach, manifold);
}

// ---- cylinders

static void touch_cylinder_core(const StickCylinder *a, const StickCore *b, double reach,
                                const StickTolerance *tolerance, StickManifold *manifold)
{
    StickAxis axis;
    StickContactPatch of_a, of_b;
    int end;
    manifold->count = 0;
    if (!stick_cylinder_core_axis(a, b, reach + b->radius, tolerance, &axis, &end))
        return;
    double down[3] = {-axis.normal[0], -axis.normal[1], -axis.normal[2]};
    stick_patch_face(b, axis.normal, &of_b);
    stick_cylinder_patch(a, down, of_b.cosine >= STICK_FLAT, end == 1 ? axis.at_b : NULL, &of_a);
    bool flat = of_a.cosine >= STICK_FLAT || of_b.cosine >= STICK_FLAT;
    if (of_b.count == 0 || !flat)
        stick_patch_edge(b, axis.normal, flat, &of_b);
    stick_patch_overlay(&of_a, &of_b, &axis, reach, tolerance, manifold);
    if (!reached(manifold, axis.s - b->radius, 4 * tolerance->inside))
        stick_patch_single(&axis, 0, b->radius, reach, manifold);
}

static void touch_cylinders(const StickCylinder *a, const StickCylinder *b, double reach,
                            const StickTolerance *tolerance, StickManifold *manifold)
{
    StickAxis axis;
    StickContactPatch of_a, of_b;
    int end;
    manifold->count = 0;
    if (!stick_cylinder_pair_axis(a, b, reach, tolerance, &axis, &end))
        return;
    double down[3] = {-axis.normal[0], -axis.normal[1], -axis.normal[2]};
    double cosine_a = fabs(stick_vec_dot(down, a->z)), cosine_b = fabs(stick_vec_dot(down, b->z));
    stick_cylinder_patch(a, down, cosine_b >= STICK_FLAT, end == 1 ? axis.at_b : NULL, &of_a);
    stick_cylinder_patch(b, axis.normal, cosine_a >= STICK_FLAT, end == 2 ? axis.at_a : NULL, &of_b);
    stick_patch_overlay(&of_a, &of_b, &axis, reach, tolerance, manifold);
    if (!reached(manifold, axis.s, 4 * tolerance->inside))
        stick_patch_single(&axis, 0, 0, reach, manifold);
}

static void touch_cylinder(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                           const StickTolerance *tolerance, StickManifold *manifold)
{
    StickCylinder of_a, of_b;
    StickCore core;
    const double *from = a->centre;
    if (a->shape->kind == STICK_SHAPE_CYLINDER)
        stick_cylinder_place(a, from, &of_a);
    if (b->shape->kind == STICK_SHAPE_CYLINDER)
        stick_cylinder_place(b, from, &of_b);
    if (a->shape->kind == b->shape->kind) {
        touch_cylinders(&of_a, &of_b, reach, tolerance, manifold);
    } else if (a->shape->kind == STICK_SHAPE_CYLINDER) {
        stick_core_place(b, from, &core);
        touch_cylinder_core(&of_a, &core, reach, tolerance, manifold);
    } else {
        stick_core_place(a, from, &core);
        touch_cylinder_core(&of_b, &core, reach, tolerance, manifold);
        reverse(manifold);
    }
}

// ---- all pairs

// Nearly all pairs of many balls: nothing but this.
static void touch_balls(const StickPlacedShape *a, const StickPlacedShape *b, const double between[3],
                        double reach, StickManifold *manifold)
{
    double distance = stick_vec_norm(between), p = a->shape->radius, q = b->shape->radius, x[3];
    bool apart = distance > 1e-14 * (p + q);
    middle_of(a, a->centre, x);
    manifold->count = distance - p - q <= reach ? 1 : 0;
    for (int k = 0; k < 3; k++) {
        manifold->normal[k] = apart ? between[k] / distance : (k == 2);
        manifold->point[0].place[k] = x[k] - (distance + p - q) / 2 * manifold->normal[k];
    }
    manifold->point[0].gap = distance - p - q;
    manifold->point[0].feature = 0;
}

void stick_manifold_3d(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                       StickManifold *manifold)
{
    double middle_a[3], middle_b[3], between[3], most = a->shape->bound + b->shape->bound + reach;
    StickShapeKind kind_a = a->shape->kind, kind_b = b->shape->kind;
    manifold->count = 0;
    middle_of(a, a->centre, middle_a);
    middle_of(b, a->centre, middle_b);
    stick_vec_sub(middle_a, middle_b, between);
    if (stick_vec_dot(between, between) > most * most * (1 + 1e-12))
        return;
    StickTolerance tolerance = tolerance_of(a, b);
    if (kind_a == STICK_SHAPE_BALL && kind_b == STICK_SHAPE_BALL) {
        touch_balls(a, b, between, reach, manifold);
    } else if (kind_a == STICK_SHAPE_CYLINDER || kind_b == STICK_SHAPE_CYLINDER) {
        touch_cylinder(a, b, reach, &tolerance, manifold);
    } else {
        StickCore core_a, core_b;
        stick_core_place(a, a->centre, &core_a);
        stick_core_place(b, a->centre, &core_b);
        if (kind_a == STICK_SHAPE_POLYTOPE || kind_b == STICK_SHAPE_POLYTOPE)
            touch_cores(&core_a, &core_b, reach, &tolerance, manifold);
        else
            touch_round(&core_a, &core_b, reach, &tolerance, manifold);
    }
    for (int k = 0; k < manifold->count; k++)
        for (int d = 0; d < 3; d++)
            manifold->point[k].place[d] += a->centre[d];
}

// ---- planes

static void put_point(const double x[3], double radius, double gap, int label, StickManifold *manifold)
{
    StickManifoldPoint *point = &manifold->point[manifold->count++];
    stick_vec_axpy(x, -radius - gap / 2, manifold->normal, point->place);
    point->gap = gap;
    point->feature = stick_feature(STICK_FEATURE_A, label, 0);
}

static bool has(const StickManifold *manifold, int label)
{
    for (int k = 0; k < manifold->count; k++)
        if (manifold->point[k].feature == stick_feature(STICK_FEATURE_A, label, 0))
            return true;
    return false;
}

// Of many vertices: the lowest one, and those farthest in directions all around.
static void put_extreme(const StickCore *core, const double n[3], double offset, double reach,
                        StickManifold *manifold)
{
    double t1[3], t2[3], x[3], height, down[3] = {-n[0], -n[1], -n[2]};
    stick_patch_frame(n, t1, t2);
    int lowest = stick_core_support(core, down, &height);
    stick_core_vertex(core, lowest, x);
    put_point(x, core->radius, -height - offset - core->radius, lowest, manifold);
    for (int k = 0; k < STICK_MANIFOLD - 1; k++) {
        double angle = 2 * M_PI * k / (STICK_MANIFOLD - 1), farthest = -INFINITY, gap = 0;
        int best = -1;
        for (int v = 0; v < core->nvertices; v++) {
            stick_core_vertex(core, v, x);
            double far = cos(angle) * stick_vec_dot(t1, x) + sin(angle) * stick_vec_dot(t2, x);
            double here = stick_vec_dot(n, x) - offset - core->radius;
            if (here <= reach && far > farthest) {
                farthest = far;
                best = v;
                gap = here;
            }
        }
        if (best >= 0 && !has(manifold, best)) {
            stick_core_vertex(core, best, x);
            put_point(x, core->radius, gap, best, manifold);
        }
    }
}

static void touch_plane_core(const StickCore *core, const double n[3], double offset, double reach,
                             StickManifold *manifold)
{
    for (int v = 0; v < core->nvertices; v++) {
        double x[3];
        stick_core_vertex(core, v, x);
        double gap = stick_vec_dot(n, x) - offset - core->radius;
        if (gap > reach)
            continue;
        if (manifold->count == STICK_MANIFOLD) {
            manifold->count = 0;
            put_extreme(core, n, offset, reach, manifold);
            return;
        }
        put_point(x, core->radius, gap, v, manifold);
    }
}

static void touch_plane_cylinder(const StickCylinder *cylinder, const double n[3], double offset,
                                 double reach, StickManifold *manifold)
{
    StickContactPatch patch;
    double down[3] = {-n[0], -n[1], -n[2]};
    stick_cylinder_patch(cylinder, down, true, NULL, &patch);
    for (int k = 0; k < patch.count; k++) {
        double gap = stick_vec_dot(n, patch.x[k]) - offset;
        if (gap <= reach)
            put_point(patch.x[k], 0, gap, patch.label[k], manifold);
    }
}

void stick_manifold_3d_plane(const StickPlacedShape *a, const double point[3], const double normal[3],
                             double reach, StickManifold *manifold)
{
    double from_a[3];
    stick_vec_sub(point, a->centre, from_a);
    double offset = stick_vec_dot(normal, from_a);
    memcpy(manifold->normal, normal, sizeof manifold->normal);
    manifold->count = 0;
    if (a->shape->kind == STICK_SHAPE_CYLINDER) {
        StickCylinder cylinder;
        stick_cylinder_place(a, a->centre, &cylinder);
        touch_plane_cylinder(&cylinder, normal, offset, reach, manifold);
    } else {
        StickCore core;
        stick_core_place(a, a->centre, &core);
        touch_plane_core(&core, normal, offset, reach, manifold);
    }
    for (int k = 0; k < manifold->count; k++)
        for (int d = 0; d < 3; d++)
            manifold->point[k].place[d] += a->centre[d];
}
