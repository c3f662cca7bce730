// SPDX-License-Identifier: Apache-2.0
#include "contact/polygon.h"

#include <assert.h>

// Twice the area of the triangle a, b, c: positive if c is on the left of the way from a to b.
static double left_of(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double stick_polygon_area(const StickPolygon *polygon)
{
    double twice = 0;
    for (int k = 1; k + 1 < polygon->count; k++)
        twice += left_of(polygon->x[0], polygon->x[k], polygon->x[k + 1]);
    return 0.5 * twice;
}

void stick_polygon_middle(const StickPolygon *polygon, double middle[2])
{
    middle[0] = middle[1] = 0;
    for (int k = 0; k < polygon->count; k++) {
        middle[0] += polygon->x[k][0] / polygon->count;
        middle[1] += polygon->x[k][1] / polygon->count;
    }
}

static void append(StickPolygon *polygon, double x, double y)
{
    assert(polygon->count < STICK_MOST_POLYGON);
    polygon->x[polygon->count][0] = x;
    polygon->x[polygon->count++][1] = y;
}

// What is on the left of the line from a to b: one pass of Sutherland and Hodgman.
static StickPolygon cut(const StickPolygon *polygon, const double a[2], const double b[2])
{
    StickPolygon kept = {.count = 0};
    for (int k = 0; k < polygon->count; k++) {
        const double *p = polygon->x[k], *q = polygon->x[(k + 1) % polygon->count];
        double dp = left_of(a, b, p), dq = left_of(a, b, q);
        if (dp >= 0)
            append(&kept, p[0], p[1]);
        if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) {
            double s = dp / (dp - dq);
            append(&kept, p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]));
        }
    }
    return kept;
}

StickPolygon stick_polygon_clip(const StickPolygon *polygon, const StickPolygon *window)
{
    StickPolygon common = {.count = 0};
    int turned = stick_polygon_area(polygon) < 0;
    for (int k = 0; k < polygon->count; k++) {
        int from = turned ? polygon->count - 1 - k : k;
        append(&common, polygon->x[from][0], polygon->x[from][1]);
    }
    for (int k = 0; k < window->count && common.count > 0; k++)
        common = cut(&common, window->x[k], window->x[(k + 1) % window->count]);
    return common;
}
