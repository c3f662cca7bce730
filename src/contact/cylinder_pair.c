// SPDX-License-Identifier: Apache-2.0
// Two cylinders: all directions that can part them most.
//
//                  end      side                         rim
//     end          z        z                            z
//     side                  across both axes, or away    search on a circle
//     rim                                                Newton's method on the sphere
#include "contact/cylinder.h"

typedef struct Search {
    const StickCylinder *a, *b;
    double tie;
    StickAxis *best;
    int *end;
} Search;

static double apart(const Search *search, const double n[3])
{
    double down[3] = {-n[0], -n[1], -n[2]};
    return -stick_cylinder_height(search->a, down) - stick_cylinder_height(search->b, n);
}

static bool level(const StickCylinder *cylinder, const double n[3])
{
    return fabs(stick_vec_dot(n, cylinder->z)) < 1e-9;
}

static bool straight(const StickCylinder *cylinder, const double n[3])
{
    double cross[3];
    stick_vec_cross(n, cylinder->z, cross);
    return stick_vec_norm(cross) < 1e-13;
}

static void ends_of(const StickCylinder *cylinder, double start[3], double whole[3])
{
    stick_vec_axpy(cylinder->centre, -cylinder->half, cylinder->z, start);
    for (int k = 0; k < 3; k++)
        whole[k] = 2 * cylinder->half * cylinder->z[k];
}

// A point of each where they face each other: of two sides where their axes are nearest; else a single point of one.
static void set_points(const Search *search, StickAxis *best)
{
    const double *n = best->normal;
    double down[3] = {-n[0], -n[1], -n[2]};
    if (level(search->a, n) && level(search->b, n)) {
        double x[3], d[3], y[3], e[3], s, t;
        ends_of(search->a, x, d);
        ends_of(search->b, y, e);
        stick_segments_nearest(x, d, y, e, &s, &t);
        stick_vec_axpy(x, s, d, x);
        stick_vec_axpy(x, -search->a->radius, n, best->at_a);
        stick_vec_axpy(best->at_a, -best->s, n, best->at_b);
    } else if (level(search->a, n) || straight(search->a, n)) {
        stick_cylinder_support(search->b, n, best->at_b);
        stick_vec_axpy(best->at_b, best->s, n, best->at_a);
    } else {
        stick_cylinder_support(search->a, down, best->at_a);
        stick_vec_axpy(best->at_a, -best->s, n, best->at_b);
    }
}

static void offer(const Search *search, const double n[3], int end)
{
    double s = apart(search, n);
    if (s <= search->best->s + search->tie)
        return;
    memcpy(search->best->normal, n, sizeof search->best->normal);
    search->best->s = s;
    *search->end = end;
}

static void offer_rim(void *search, const double n[3])
{
    offer(search, n, 0);
}

static void offer_both(const Search *search, double n[3], int end)
{
    offer(search, n, end);
    for (int k = 0; k < 3; k++)
        n[k] = -n[k];
    offer(search, n, end);
}

// From axis to axis, at right angles to the one of `own`.
static void try_away(const Search *search, const StickCylinder *own)
{
    double n[3];
    stick_vec_sub(search->a->centre, search->b->centre, n);
    stick_vec_axpy(n, -stick_vec_dot(n, own->z), own->z, n);
    if (stick_vec_normalise(n) <= search->tie)
        memcpy(n, own->x, sizeof n);
    offer(search, n, 0);
}

static void try_sides(const Search *search)
{
    double n[3];
    stick_vec_cross(search->a->z, search->b->z, n);
    if (stick_vec_normalise(n) > 1e-9)
        offer_both(search, n, 0);
    try_away(search, search->a);
    try_away(search, search->b);
}

// The side of one against a rim of the other.
static void try_side_rim(Search *search, bool rim_of_a)
{
    const StickCylinder *sided = rim_of_a ? search->b : search->a;
    StickRimArc arc = {
        .cylinder = rim_of_a ? search->a : search->b, .side = rim_of_a ? -1 : 1, .length = 2 * M_PI};
    memcpy(arc.anchor, sided->centre, sizeof arc.anchor);
    memcpy(arc.u, sided->x, sizeof arc.u);
    memcpy(arc.w, sided->y, sizeof arc.w);
    stick_cylinder_rim_arc(&arc, offer_rim, search);
}

// ---- rim against rim

// Second derivative of -height of a rim on the tangent plane of n: -r tau tau' / |n x z|.
static void add_rim_curvature(const StickCylinder *cylinder, const double n[3], const double t1[3],
                              const double t2[3], double H[3])
{
    double tau[3];
    stick_vec_cross(cylinder->z, n, tau);
    double sine = stick_vec_normalise(tau), p = stick_vec_dot(tau, t1), q = stick_vec_dot(tau, t2);
    double scale = cylinder->radius / (sine > 1e-12 ? sine : 1e-12);
    H[0] -= scale * p * p;
    H[1] -= scale * p * q;
    H[2] -= scale * q * q;
}

// The step of Newton's method for s(n) on the sphere, or of steepest ascent where s is not concave; returns the slope of s.
static double rise(const Search *search, const double n[3], double step[3])
{
    double t1[3], t2[3], at_a[3], at_b[3], g[3], down[3] = {-n[0], -n[1], -n[2]};
    stick_patch_frame(n, t1, t2);
    stick_cylinder_support(search->a, down, at_a);
    stick_cylinder_support(search->b, n, at_b);
    stick_vec_sub(at_a, at_b, g);
    double s = stick_vec_dot(g, n), p = stick_vec_dot(g, t1), q = stick_vec_dot(g, t2), H[3] = {-s, 0, -s};
    add_rim_curvature(search->a, n, t1, t2, H);
    add_rim_curvature(search->b, n, t1, t2, H);
    double det = H[0] * H[2] - H[1] * H[1], scale = search->a->radius + search->b->radius;
    double x = p / scale, y = q / scale;
    if (H[0] + H[2] < 0 && det > 1e-12 * (H[0] + H[2]) * (H[0] + H[2])) {
        x = (-p * H[2] + q * H[1]) / det;
        y = (-q * H[0] + p * H[1]) / det;
    }
    double length = sqrt(x * x + y * y), most = length > 0.5 ? 0.5 / length : 1;
    for (int k = 0; k < 3; k++)
        step[k] = most * (x * t1[k] + y * t2[k]);
    return sqrt(p * p + q * q);
}

static double go(const Search *search, const double n[3], double scale, const double step[3], double next[3])
{
    stick_vec_axpy(n, scale, step, next);
    stick_vec_normalise(next);
    return apart(search, next);
}

// Uphill from n while s tells it; then, as s is flat at the top, while its slope does.
static void climb(const Search *search, double n[3])
{
    double s = apart(search, n), step[3], next[3], ahead[3], slope = rise(search, n, step);
    for (int i = 0; i < 30; i++) {
        double scale = 1, there = go(search, n, scale, step, next);
        for (; scale > 1e-6 && !(there > s - search->tie / 10); scale /= 2)
            there = go(search, n, scale / 2, step, next);
        double after = rise(search, next, ahead);
        if (!(there > s + search->tie / 10) && !(after < 0.5 * slope))
            break;
        memcpy(n, next, sizeof next);
        memcpy(step, ahead, sizeof step);
        s = there;
        slope = after;
    }
}

// Do they face each other along the best axis? Apart, none is better then; overlapping, by no more than the overlap, which
// is left at that where it is as small as for bodies at rest.
static bool proved(const Search *search)
{
    double slack = 10 * search->tie, least = fmin(search->a->radius, search->b->radius);
    set_points(search, search->best);
    return search->best->s > -1e-6 * least && stick_cylinder_holds(search->a, search->best->at_a, slack) &&
           stick_cylinder_holds(search->b, search->best->at_b, slack);
}

static void try_climb(const Search *search, const double start[3])
{
    double n[3];
    memcpy(n, start, sizeof n);
    if (stick_vec_normalise(n) < 0.1 || proved(search))
        return;
    climb(search, n);
    offer(search, n, 0);
}

// Beside the axis of an end, where the other one is farther out than the rim.
static void climb_from_end(const Search *search, const StickCylinder *own, double side, double sign)
{
    const StickCylinder *other = own == search->a ? search->b : search->a;
    double n[3], ahead[3], x[3], out[3];
    for (int k = 0; k < 3; k++) {
        n[k] = -side * sign * own->z[k];
        ahead[k] = side * n[k];
    }
    stick_cylinder_support(other, ahead, x);
    stick_vec_sub(own->centre, x, out);
    stick_vec_axpy(out, -stick_vec_dot(out, own->z), own->z, out);
    if (stick_vec_normalise(out) <= own->radius)
        return;
    stick_vec_axpy(n, 0.05 * side, out, n);
    try_climb(search, n);
}

// From the best direction so far, and from it turned towards the middle of what both rims can have.
static void try_rims(const Search *search)
{
    double best[3], n[3];
    memcpy(best, search->best->normal, sizeof best);
    try_climb(search, best);
    double to_a = stick_vec_dot(best, search->a->z), to_b = stick_vec_dot(best, search->b->z);
    for (int pair = 0; pair < 4; pair++) {
        double p = pair & 1 ? 0.4 : -0.4, q = pair & 2 ? 0.4 : -0.4;
        // a rim that is far off the best direction is not nearest
        if (p * to_a < -0.3 || q * to_b < -0.3)
            continue;
        stick_vec_axpy(best, p, search->a->z, n);
        stick_vec_axpy(n, q, search->b->z, n);
        try_climb(search, n);
    }
    for (int sign = -1; sign < 2; sign += 2) {
        climb_from_end(search, search->a, 1, sign);
        climb_from_end(search, search->b, -1, sign);
    }
}

bool stick_cylinder_pair_axis(const StickCylinder *a, const StickCylinder *b, double limit,
                              const StickTolerance *tolerance, StickAxis *axis, int *end)
{
    Search search = {a, b, tolerance->tie, axis, end};
    double n[3];
    axis->s = -INFINITY;
    memcpy(n, a->z, sizeof n);
    offer_both(&search, n, 1);
    memcpy(n, b->z, sizeof n);
    offer_both(&search, n, 2);
    try_sides(&search);
    if (!proved(&search)) {
        try_side_rim(&search, true);
        try_side_rim(&search, false);
    }
    if (axis->s <= limit)
        try_rims(&search);
    if (axis->s > limit)
        return false;
    axis->feature = stick_feature(STICK_FEATURE_BOTH, STICK_RIM_FARTHEST, STICK_RIM_FARTHEST);
    set_points(&search, axis);
    return true;
}
