// SPDX-License-Identifier: Apache-2.0
// Written independently of solve/ on purpose: no code is shared with the checked solvers.
#include "verify/contact_law.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double length_T(int dim, const double x[3])
{
    return dim == 3 ? hypot(x[1], x[2]) : dim == 2 ? fabs(x[1]) : 0;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// In the plane of the axis and y_T the cone is the wedge between the axis and the ray along (1, mu).
static void nearest_in_round_cone(const StickLaw *law, const double y[3], double p[3])
{
    double t = length_T(law->dim, y), along = (y[0] + law->mu * t) / (1 + law->mu * law->mu);
    bool inside = y[0] >= 0 && t <= law->mu * y[0];
    memset(p, 0, 3 * sizeof *p);
    if (inside) {
        memcpy(p, y, 3 * sizeof *p);
    } else if (along > 0) {
        p[0] = along;
        for (int k = 1; k < 3 && t > 0; k++)
            p[k] = law->mu * along * (y[k] / t);
    }
}

static bool has_kind(const StickLaw *law, StickSectionKind kind)
{
    return law->section && law->section->kind == kind;
}

static int count_edges(const StickLaw *law)
{
    return has_kind(law, STICK_SECTION_POLYGON) ? law->section->nvertices : law->facets;
}

// From the axes of the ellipse to the tangents, as a turn by its angle; and back, by minus the angle.
static void turn(double angle, const double x[2], double t[2])
{
    double c = cos(angle), s = sin(angle), first = c * x[0] - s * x[1];
    t[1] = s * x[0] + c * x[1];
    t[0] = first;
}

// Edge k of a faceted cone, at a normal component of 1.
static void edge(const StickLaw *law, int k, double e[3])
{
    e[0] = 1;
    if (has_kind(law, STICK_SECTION_POLYGON)) {
        memcpy(e + 1, law->section->vertex + 2 * (k % law->section->nvertices), 2 * sizeof *e);
        return;
    }
    double angle = 2 * acos(-1) * k / law->facets;
    e[1] = law->mu * cos(angle);
    e[2] = law->mu * sin(angle);
    if (law->section) {
        double x[2] = {law->section->mu[0] * cos(angle), law->section->mu[1] * sin(angle)};
        turn(law->section->angle, x, e + 1);
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// How far y_T is above the line of side k of y_N times the section: d_k.y_T - mu cos(pi/m) y_N of the m-gon.
static double excess_of_facet(const StickLaw *law, int k, const double y[3])
{
    double e[3], f[3];
    if (!law->section) {
        double half = acos(-1) / law->facets, angle = (2 * k + 1) * half;
        return cos(angle) * y[1] + sin(angle) * y[2] - law->mu * cos(half) * y[0];
    }
    edge(law, k, e);
    edge(law, k + 1, f);
    double d1 = f[2] - e[2], d2 = e[1] - f[1];
    return (d1 * (y[1] - y[0] * e[1]) + d2 * (y[2] - y[0] * e[2])) / hypot(d1, d2);
}

static double facet_excess(const StickLaw *law, const double y[3])
{
    double largest = -INFINITY;
    for (int k = 0; k < count_edges(law); k++)
        largest = fmax(largest, excess_of_facet(law, k, y));
    return largest;
}

// The point of the plane of two edges that is nearest to y; false if it lies outside of the facet.
static bool nearest_in_face(const double e[3], const double f[3], const double y[3], double p[3])
{
    double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), ey = dot(e, y), fy = dot(f, y);
    double det = ee * ff - ef * ef, a = (ff * ey - ef * fy) / det, b = (ee * fy - ef * ey) / det;
    if (!(det > 0 && a >= 0 && b >= 0))
        return false;
    for (int i = 0; i < 3; i++)
        p[i] = a * e[i] + b * f[i];
    return true;
}

// Of points that are nearest to y on a ray of their own |y - p|^2 = |y|^2 - y.p: no digits are lost where
// |p| is much less than |y|.
static void keep_nearer(const double y[3], const double candidate[3], double p[3])
{
    if (dot(y, candidate) > dot(y, p))
        memcpy(p, candidate, 3 * sizeof *p);
}

// The foot of y on the facet that it is above, or of the apex and the edges the nearest; y itself if it is inside. A
// foot is not compared with an edge: where both are near each other, their distances from y are equal to round-off long
// before they are.
static void nearest_in_faceted_cone(const StickLaw *law, const double y[3], double p[3])
{
    double e[3], f[3], candidate[3];
    if (facet_excess(law, y) <= 0) {
        memcpy(p, y, 3 * sizeof *p);
        return;
    }
    memset(p, 0, 3 * sizeof *p);
    for (int k = 0; k < count_edges(law); k++) {
        edge(law, k, e);
        edge(law, k + 1, f);
        double a = dot(e, y) / dot(e, e);
        for (int i = 0; i < 3; i++)
            candidate[i] = fmax(a, 0) * e[i];
        keep_nearer(y, candidate, p);
        if (excess_of_facet(law, k, y) > 0 && nearest_in_face(e, f, y, candidate)) {
            memcpy(p, candidate, 3 * sizeof *p);
            return;
        }
    }
}

static bool is_faceted(const StickLaw *law)
{
    if (law->section)
        return has_kind(law, STICK_SECTION_POLYGON) ||
               (law->facets > 0 && has_kind(law, STICK_SECTION_ELLIPSE));
    return law->facets > 0 && law->dim == 3 && law->mu > 0;
}

// In the plane, the edge on the side of y_T.
static double slope(const StickSection *section, double y_T)
{
    return y_T > 0 ? section->mu[1] : section->mu[0];
}

// Where an elliptical cone is touched from outside, in the axes of its section: at the edge e = (1, a c, b s) its
// outward normal is N = (-1, c / a, s / b), and y - p is along N, so y.(e x N) = 0,
//
//     y_N c s (a / b - b / a) - x1 s (b + 1 / b) + x2 c (a + 1 / a) = 0.
//
// By symmetry x >= 0 and (c, s) is in the first quadrant; there the left side over c s falls, so that halving the
// angle between directions on both sides finds the only one.
static void touching_edge(const double mu[2], double y_N, const double x[2], double e[3])
{
    double a = mu[0], b = mu[1], low[2] = {1, 0}, high[2] = {0, 1}, middle[2] = {0};
    double both = y_N * (a / b - b / a), first = x[0] * (b + 1 / b), second = x[1] * (a + 1 / a);
    for (int k = 0; k < 60; k++) {
        double c = low[0] + high[0], s = low[1] + high[1], size = sqrt(c * c + s * s);
        c = middle[0] = c / size, s = middle[1] = s / size;
        memcpy(both * c * s - first * s + second * c > 0 ? low : high, middle, sizeof middle);
    }
    e[0] = 1;
    e[1] = a * middle[0];
    e[2] = b * middle[1];
}

static void nearest_in_elliptical_cone(const StickSection *section, const double y[3], double p[3])
{
    const double *mu = section->mu;
    double x[2], e[3], along = 0;
    turn(-section->angle, y + 1, x);
    memset(p, 0, 3 * sizeof *p);
    if (hypot(x[0] / mu[0], x[1] / mu[1]) <= y[0]) {
        memcpy(p, y, 3 * sizeof *p);
        return;
    }
    double quadrant[2] = {fabs(x[0]), fabs(x[1])};
    touching_edge(mu, y[0], quadrant, e);
    along = (y[0] * e[0] + quadrant[0] * e[1] + quadrant[1] * e[2]) / dot(e, e);
    if (!(along > 0))
        return;
    double on[2] = {copysign(along * e[1], x[0]), copysign(along * e[2], x[1])};
    p[0] = along;
    turn(section->angle, on, p + 1);
}

static void nearest_in_cone(const StickLaw *law, const double y[3], double p[3])
{
    if (is_faceted(law))
        nearest_in_faceted_cone(law, y, p);
    else if (has_kind(law, STICK_SECTION_ELLIPSE))
        nearest_in_elliptical_cone(law->section, y, p);
    else if (law->section)
        nearest_in_round_cone(&(StickLaw){2, slope(law->section, y[1]), 0, NULL}, y, p);
    else
        nearest_in_round_cone(law, y, p);
}

// mu |u_T|, or the support function of the section, which may be a polygon, at -u_T.
static double lift(const StickLaw *law, const double u[3])
{
    double largest = 0, e[3], x[2];
    if (!is_faceted(law) && has_kind(law, STICK_SECTION_ELLIPSE)) {
        turn(-law->section->angle, u + 1, x);
        return hypot(law->section->mu[0] * x[0], law->section->mu[1] * x[1]);
    }
    if (has_kind(law, STICK_SECTION_INTERVAL))
        return slope(law->section, -u[1]) * fabs(u[1]);
    if (!is_faceted(law))
        return law->mu * length_T(law->dim, u);
    for (int k = 0; k < count_edges(law); k++) {
        edge(law, k, e);
        largest = fmax(largest, -(e[1] * u[1] + e[2] * u[2]));
    }
    return largest;
}

double stick_law_defect(const StickLaw *law, const double r[3], const double u[3])
{
    double y[3] = {r[0] - u[0] - lift(law, u), r[1] - u[1], r[2] - u[2]}, p[3];
    nearest_in_cone(law, y, p);
    double d = distance(r, p);
    return d * d;
}

// |r_T| less the length that r_N times an ellipse has in its direction.
static double elliptical_excess(const StickSection *section, const double r[3])
{
    double x[2], size = hypot(r[1], r[2]);
    turn(-section->angle, r + 1, x);
    return size > 0 ? size - r[0] * size / hypot(x[0] / section->mu[0], x[1] / section->mu[1]) : -r[0];
}

double stick_law_outside(const StickLaw *law, const double r[3])
{
    double excess = is_faceted(law)                        ? facet_excess(law, r)
                    : has_kind(law, STICK_SECTION_ELLIPSE) ? elliptical_excess(law->section, r)
                    : law->section                         ? fabs(r[1]) - slope(law->section, r[1]) * r[0]
                                                           : length_T(law->dim, r) - law->mu * r[0];
    return fmax(0, fmax(excess, -r[0]));
}
