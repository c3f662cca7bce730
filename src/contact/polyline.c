// SPDX-License-Identifier: Apache-2.0
//
//      free   | c | b               a: foot inside of a segment, normal of the segment
//             |   |                 b: around a convex vertex, normal from the vertex to the place
//    ____ a __|___|                 c: in a nook both segments are touched, and each goes on straight behind it
//      solid                        the chain ends a small overhang beyond its ends: there is nothing to touch
//
#include "contact/polyline.h"

#include "base/vec.h"

#include <stdbool.h>

// How far an open chain goes on beyond its ends, in lengths of the end segment: as surfaces beyond their rim.
static const double OVERHANG = 0.05;

// Segments in a nook have normals with a cosine below this, about 14 degrees: flatter ones are a curve, where
// the nearest segment is enough and two contacts would nearly repeat each other.
static const double SHARP = 0.97;

typedef enum Where { ON_SEGMENT, AT_VERTEX, BEYOND } Where;

// What a place sees of one segment.
typedef struct Foot {
    int segment;
    Where where;
    int vertex;      // the nearest point, unless on the segment
    double point[3]; // nearest of the segment
    double distance;
} Foot;

static bool is_closed(const StickObstacleSpec *spec)
{
    const double *first = spec->points, *last = spec->points + 2 * (spec->npoints - 1);
    return spec->npoints > 3 && first[0] == last[0] && first[1] == last[1];
}

static bool is_end(const StickObstacleSpec *spec, int vertex)
{
    return (vertex == 0 || vertex == spec->npoints - 1) && !is_closed(spec);
}

// The solid is on the right of the direction of travel, so the normal is on the left.
static void segment_normal(const StickObstacleSpec *spec, int segment, double normal[3])
{
    const double *a = spec->points + 2 * segment, *b = a + 2;
    normal[0] = a[1] - b[1], normal[1] = b[0] - a[0], normal[2] = 0;
    stick_vec_normalise(normal);
}

// Normals of the two segments that meet at a vertex which is no end.
static void vertex_normals(const StickObstacleSpec *spec, int vertex, double before[3], double after[3])
{
    int nsegments = spec->npoints - 1;
    segment_normal(spec, (vertex + nsegments - 1) % nsegments, before);
    segment_normal(spec, vertex % nsegments, after);
}

// A sharp corner that is open to the free side: the chain turns left.
static bool is_nook(const StickObstacleSpec *spec, int vertex)
{
    double before[3], after[3];
    if (is_end(spec, vertex))
        return false;
    vertex_normals(spec, vertex, before, after);
    return before[0] * after[1] - before[1] * after[0] > 0 && stick_vec_dot(before, after) < SHARP;
}

static Foot find_foot(const StickObstacleSpec *spec, int segment, const double x[3])
{
    const double *a = spec->points + 2 * segment, *b = a + 2;
    double d[2] = {b[0] - a[0], b[1] - a[1]};
    double s = ((x[0] - a[0]) * d[0] + (x[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
    double clamped = fmin(fmax(s, 0), 1);
    Foot foot = {.segment = segment, .vertex = -1};
    if (s <= 0 || s >= 1) {
        foot.vertex = segment + (s >= 1);
        foot.where = AT_VERTEX;
        if (is_end(spec, foot.vertex))
            foot.where = fabs(s - clamped) <= OVERHANG ? ON_SEGMENT : BEYOND;
    }
    foot.point[0] = a[0] + clamped * d[0], foot.point[1] = a[1] + clamped * d[1];
    foot.distance = hypot(x[0] - foot.point[0], x[1] - foot.point[1]);
    return foot;
}

static Foot nearest_foot(const StickObstacleSpec *spec, const double x[3])
{
    Foot nearest = find_foot(spec, 0, x);
    for (int segment = 1; segment < spec->npoints - 1; segment++) {
        Foot other = find_foot(spec, segment, x);
        if (other.distance < nearest.distance)
            nearest = other;
    }
    return nearest;
}

// Distance from the line of the segment.
static double line_distance(const StickObstacleSpec *spec, const Foot *foot, const double x[3],
                            double normal[3])
{
    double from[3];
    stick_vec_sub(x, foot->point, from);
    segment_normal(spec, foot->segment, normal);
    return stick_vec_dot(from, normal);
}

// Distance from a vertex; the mean normal tells the solid from the free side.
static double vertex_distance(const StickObstacleSpec *spec, const Foot *foot, const double x[3],
                              double normal[3])
{
    double from[3], before[3], after[3];
    stick_vec_sub(x, foot->point, from);
    vertex_normals(spec, foot->vertex, before, after);
    stick_vec_axpy(before, 1, after, normal);
    stick_vec_normalise(normal);
    double side = stick_vec_dot(from, normal) >= 0 ? 1 : -1;
    if (foot->distance > 0)
        for (int k = 0; k < 2; k++)
            normal[k] = side * from[k] / foot->distance;
    return side * foot->distance;
}

double stick_polyline_distance(const StickObstacleSpec *spec, const double x[3], double normal[3])
{
    Foot foot = nearest_foot(spec, x);
    if (foot.where == ON_SEGMENT)
        return line_distance(spec, &foot, x, normal);
    if (foot.where == AT_VERTEX)
        return vertex_distance(spec, &foot, x, normal);
    normal[0] = normal[1] = normal[2] = 0;
    return INFINITY;
}

// On both sides of a nook layers differ, and nowhere else: contacts keep theirs while they slide. Around a
// closed chain with an odd number of nooks this cannot be; see keep_apart.
static int segment_layer(const StickObstacleSpec *spec, int segment)
{
    int nooks = 0;
    for (int vertex = 1; vertex <= segment; vertex++)
        nooks += is_nook(spec, vertex);
    return nooks % STICK_LAYERS;
}

static StickObstacleTouch touch_segment(const StickObstacleSpec *spec, const Foot *foot, const double x[3])
{
    StickObstacleTouch touch = {.layer = segment_layer(spec, foot->segment)};
    if (foot->where == AT_VERTEX && !is_nook(spec, foot->vertex))
        touch.gap = vertex_distance(spec, foot, x, touch.normal);
    else
        touch.gap = line_distance(spec, foot, x, touch.normal);
    return touch;
}

static bool in_front(const StickObstacleSpec *spec, int segment, int other)
{
    const double *a = spec->points + 2 * segment, *b = spec->points + 2 * other;
    double normal[3];
    segment_normal(spec, segment, normal);
    double from[3] = {0.5 * (b[0] + b[2]) - 0.5 * (a[0] + a[2]), 0.5 * (b[1] + b[3]) - 0.5 * (a[1] + a[3]),
                      0};
    return stick_vec_dot(from, normal) > 0;
}

// Two segments that look at each other, at an angle, may both be touched.
static bool stand_in_nook(const StickObstacleSpec *spec, int segment, int other)
{
    double n[3], m[3];
    segment_normal(spec, segment, n);
    segment_normal(spec, other, m);
    return stick_vec_dot(n, m) < SHARP && in_front(spec, segment, other) && in_front(spec, other, segment);
}

// The nearest other segment that is touched straight: with a foot on it, or behind a nook at its end.
static bool find_second(const StickObstacleSpec *spec, const double x[3], double reach, const Foot *first,
                        Foot *second)
{
    double normal[3];
    second->distance = INFINITY;
    for (int segment = 0; segment < spec->npoints - 1; segment++) {
        Foot other = find_foot(spec, segment, x);
        if (other.distance >= second->distance || line_distance(spec, &other, x, normal) > reach)
            continue;
        bool straight =
            other.where == ON_SEGMENT || (other.where == AT_VERTEX && is_nook(spec, other.vertex));
        if (straight && stand_in_nook(spec, first->segment, segment))
            *second = other;
    }
    return second->distance < INFINITY;
}

// Layers differ, the lower segment keeps its own, and contacts come in their order.
static void keep_apart(bool first_is_lower, StickObstacleTouch touch[STICK_LAYERS])
{
    StickObstacleTouch *lower = &touch[first_is_lower ? 0 : 1], *higher = &touch[first_is_lower ? 1 : 0];
    if (higher->layer == lower->layer)
        higher->layer = (lower->layer + 1) % STICK_LAYERS;
    if (touch[0].layer > touch[1].layer) {
        StickObstacleTouch first = touch[0];
        touch[0] = touch[1];
        touch[1] = first;
    }
}

int stick_polyline_touch(const StickObstacleSpec *spec, const double x[3], double reach,
                         StickObstacleTouch touch[STICK_LAYERS])
{
    Foot first = nearest_foot(spec, x), second;
    if (first.where == BEYOND)
        return 0;
    touch[0] = touch_segment(spec, &first, x);
    if (touch[0].gap > reach)
        return 0;
    if (!find_second(spec, x, reach, &first, &second))
        return 1;
    touch[1] = touch_segment(spec, &second, x);
    keep_apart(first.segment < second.segment, touch);
    return 2;
}

// ---- corners

bool stick_polyline_is_beyond(const StickObstacleSpec *spec, const double x[3])
{
    Foot foot = nearest_foot(spec, x);
    return foot.vertex >= 0 && is_end(spec, foot.vertex);
}

bool stick_polyline_cone(const StickObstacleSpec *spec, int vertex, StickPolylineCone *cone)
{
    int last = spec->npoints - 1;
    *cone = (StickPolylineCone){.is_end = is_end(spec, vertex)};
    if (cone->is_end) {
        double normal[3];
        segment_normal(spec, vertex == 0 ? 0 : last - 1, normal);
        // the way of travel is the normal turned clockwise
        double along[3] = {normal[1], -normal[0], 0};
        for (int k = 0; k < 3; k++) {
            cone->before[k] = vertex == 0 ? -along[k] : normal[k];
            cone->after[k] = vertex == 0 ? normal[k] : along[k];
        }
        return true;
    }
    if (vertex == last)
        return false;
    vertex_normals(spec, vertex, cone->before, cone->after);
    return cone->before[0] * cone->after[1] - cone->before[1] * cone->after[0] < 0;
}

bool stick_polyline_cone_holds(const StickPolylineCone *cone, const double normal[3])
{
    // sides that lie on a segment are a little off it
    const double little = 1e-3;
    const double *a = cone->before, *b = cone->after;
    double middle[3];
    stick_vec_axpy(a, 1, b, middle);
    return a[0] * normal[1] - a[1] * normal[0] <= little && normal[0] * b[1] - normal[1] * b[0] <= little &&
           stick_vec_dot(middle, normal) > 0;
}
