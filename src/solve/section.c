// SPDX-License-Identifier: Apache-2.0
#include "solve/section.h"

#include "base/check.h"

#include <string.h>

enum { ROOT_STEPS = 100 };

// Relative step below which the root of the projection is found.
static const double LAST_STEP = 1e-15;

// ---- checks

bool stick_section_any(const StickFrictionProblem *problem)
{
    for (int c = 0; problem->section && problem->dim > 1 && c < problem->ncontacts; c++)
        if (problem->section[c])
            return true;
    return false;
}

const char *stick_section_name(const StickSection *section)
{
    static const char *const names[] = {"elliptical", "polygonal", "one-sided"};
    return names[section->kind];
}

static double cross(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

static const double *vertex_of(const StickSection *section, int k)
{
    return section->vertex + 2 * (k == section->nvertices ? 0 : k);
}

// Counter-clockwise around 0 with a left turn at each vertex, and around it once.
static StickStatus check_polygon(StickContext *ctx, const StickSection *section, int contact)
{
    int n = section->nvertices;
    double turned = 0;
    STICK_CHECK(ctx, n >= 3 && section->vertex, STICK_BAD_INPUT,
                "the polygonal section of contact %d has %d vertices, but takes at least 3", contact, n);
    for (int k = 0; k < 2 * n; k++)
        STICK_CHECK(ctx, isfinite(section->vertex[k]), STICK_BAD_INPUT,
                    "vertex %d of the section of contact %d holds %g", k / 2, contact, section->vertex[k]);
    for (int k = 0; k < n; k++) {
        const double *v = vertex_of(section, k), *w = vertex_of(section, k + 1),
                     *x = vertex_of(section, (k + 2) % n);
        double side[2] = {w[0] - v[0], w[1] - v[1]}, next[2] = {x[0] - w[0], x[1] - w[1]};
        STICK_CHECK(ctx, cross(v, w) > 0, STICK_BAD_INPUT,
                    "0 is not inside of the section of contact %d, or its vertices do not go "
                    "counter-clockwise: side %d from (%g, %g) to (%g, %g)",
                    contact, k, v[0], v[1], w[0], w[1]);
        STICK_CHECK(ctx, cross(side, next) > 0, STICK_BAD_INPUT,
                    "the section of contact %d is not convex at its vertex %d, (%g, %g)", contact,
                    (k + 1) % n, w[0], w[1]);
        turned += atan2(cross(v, w), v[0] * w[0] + v[1] * w[1]);
    }
    STICK_CHECK(ctx, turned < 3 * acos(-1), STICK_BAD_INPUT,
                "the vertices of the section of contact %d go around 0 more than once", contact);
    return STICK_OK;
}

StickStatus stick_section_check(StickContext *ctx, const StickSection *section, int dim, int contact)
{
    STICK_CHECK(ctx,
                section->kind == STICK_SECTION_ELLIPSE || section->kind == STICK_SECTION_POLYGON ||
                    section->kind == STICK_SECTION_INTERVAL,
                STICK_BAD_INPUT, "the section of contact %d is of no known kind: %d", contact,
                (int)section->kind);
    STICK_CHECK(ctx, stick_section_dim(section) == dim, STICK_BAD_INPUT,
                "contact %d has a section that is %s, in dimension %d", contact, stick_section_name(section),
                dim);
    if (section->kind == STICK_SECTION_POLYGON)
        return check_polygon(ctx, section, contact);
    for (int k = 0; k < 2; k++)
        STICK_CHECK(ctx, isfinite(section->mu[k]) && section->mu[k] > 0, STICK_BAD_INPUT,
                    "mu[%d] of the section of contact %d is %g, but must be positive", k, contact,
                    section->mu[k]);
    STICK_CHECK(ctx, isfinite(section->angle), STICK_BAD_INPUT,
                "the angle of the section of contact %d is %g", contact, section->angle);
    return STICK_OK;
}

// ---- the ellipse

void stick_section_map(const StickSection *section, double B[4])
{
    double c = cos(section->angle), s = sin(section->angle);
    B[0] = section->mu[0] * c, B[1] = -section->mu[1] * s;
    B[2] = section->mu[0] * s, B[3] = section->mu[1] * c;
}

// Components along its axes, and back.
static void to_axes(const StickSection *section, const double t[2], double x[2])
{
    double c = cos(section->angle), s = sin(section->angle);
    x[0] = c * t[0] + s * t[1];
    x[1] = c * t[1] - s * t[0];
}

static void from_axes(const StickSection *section, const double x[2], double t[2])
{
    double c = cos(section->angle), s = sin(section->angle);
    t[0] = c * x[0] - s * x[1];
    t[1] = s * x[0] + c * x[1];
}

// The m >= 0 with |p| = 1, p_i = b_i / (e_i + d_i m), all e, d >= 0, where |p| > 1 at m = 0. 1 / |p| is concave and
// grows: Newton's steps from the left never pass the root. p goes out with length 1.
static double secular_root(const double b[2], const double e[2], const double d[2], double p[2])
{
    double most_d = fmax(d[0], d[1]), most_e = fmax(e[0], e[1]);
    double m = fmax(0, (hypot(b[0], b[1]) - most_e) / most_d), length = 1;
    for (int step = 0; step < ROOT_STEPS; step++) {
        double slope = 0;
        for (int i = 0; i < 2; i++)
            p[i] = b[i] == 0 ? 0 : b[i] / (e[i] + d[i] * m);
        length = hypot(p[0], p[1]);
        for (int i = 0; i < 2; i++)
            slope += b[i] == 0 ? 0 : p[i] / length * (p[i] / length) * d[i] / (e[i] + d[i] * m);
        // d(1 / |p|) / dm = slope / |p|
        double change = (length - 1) / slope;
        m += change;
        if (!(change > LAST_STEP * m))
            break;
    }
    for (int i = 0; i < 2; i++)
        p[i] /= length;
    return m;
}

// On the boundary: x_i = a_i n p_i with p_i = a_i y_i / ((1 + a_i^2) n - y_N), |p| = 1. The unknown is n - y_N where
// y_N > 0, n itself elsewhere, so that no digits are lost.
static void project_ellipse(const StickSection *section, const double *y, double *r)
{
    const double *a = section->mu;
    double x[2], b[2], d[2], e[2], p[2], above = fmax(y[0], 0);
    to_axes(section, y + 1, x);
    for (int i = 0; i < 2; i++) {
        b[i] = a[i] * x[i];
        d[i] = 1 + a[i] * a[i];
        e[i] = y[0] > 0 ? a[i] * a[i] * y[0] : -y[0];
    }
    memset(r, 0, 3 * sizeof *r);
    if (hypot(b[0], b[1]) <= -y[0])
        return;
    if (hypot(x[0] / a[0], x[1] / a[1]) <= y[0]) {
        memcpy(r, y, 3 * sizeof *r);
        return;
    }
    r[0] = above + secular_root(b, e, d, p);
    for (int i = 0; i < 2; i++)
        x[i] = a[i] * r[0] * p[i];
    from_axes(section, x, r + 1);
}

// In its axes the nearest point is a_i size p_i with p_i = a_i x_i / (a_i^2 size + l), |p| = 1. Gives l.
static double nearest_direction(const StickSection *section, double size, const double x[2], double p[2])
{
    const double *a = section->mu;
    double b[2] = {a[0] * x[0], a[1] * x[1]}, d[2] = {1, 1};
    double e[2] = {a[0] * a[0] * size, a[1] * a[1] * size};
    return secular_root(b, e, d, p);
}

static void nearest_in_ellipse(const StickSection *section, double size, const double *y, double *t)
{
    const double *a = section->mu;
    double x[2], p[2];
    to_axes(section, y, x);
    if (hypot(x[0] / a[0], x[1] / a[1]) <= size) {
        memcpy(t, y, 2 * sizeof *t);
        return;
    }
    nearest_direction(section, size, x, p);
    for (int i = 0; i < 2; i++)
        x[i] = a[i] * size * p[i];
    from_axes(section, x, t);
}

// The derivatives of x_i = (1 + l / (a_i^2 size)) t_i and sum (t_i / a_i)^2 = size^2, with q_i = p_i / a_i and D_i =
// a_i^2 / (a_i^2 size + l): dt = (D q / q'Dq) dsize + size (D - D q q'D / q'Dq) dx.
static void linearise_ellipse(const StickSection *section, double size, const double *y, double *d_size,
                              double *d_y)
{
    const double *a = section->mu;
    double x[2], p[2], D[2], Dq[2], qDq = 0, c = cos(section->angle), s = sin(section->angle);
    to_axes(section, y, x);
    double l = nearest_direction(section, size, x, p);
    for (int i = 0; i < 2; i++) {
        D[i] = a[i] * a[i] / (a[i] * a[i] * size + l);
        Dq[i] = D[i] * p[i] / a[i];
        qDq += Dq[i] * p[i] / a[i];
    }
    double along[2] = {Dq[0] / qDq, Dq[1] / qDq};
    double K11 = size * (D[0] - Dq[0] * along[0]), K12 = -size * Dq[0] * along[1],
           K22 = size * (D[1] - Dq[1] * along[1]);
    from_axes(section, along, d_size);
    d_y[0] = c * c * K11 - 2 * c * s * K12 + s * s * K22;
    d_y[3] = s * s * K11 + 2 * c * s * K12 + c * c * K22;
    d_y[1] = d_y[2] = c * s * (K11 - K22) + (c * c - s * s) * K12;
}

// ---- the polygon

// Of one facet of the cone, between the edges (1, v) and (1, w): its outward normal, and the directions inside of it
// that are normal to the edges and point to the other one.
typedef struct Facet {
    double normal[3], from_v[3], from_w[3];
} Facet;

static void cross3(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static Facet facet_of(const double e[3], const double f[3])
{
    Facet facet;
    cross3(f, e, facet.normal);
    cross3(e, facet.normal, facet.from_v);
    cross3(facet.normal, f, facet.from_w);
    return facet;
}

// Projects a point above a facet onto it, and any other outside point onto the edge that is nearest by its angle.
static void project_polygon(const StickSection *section, const double *y, double *p)
{
    double along = 0, e[3] = {1, section->vertex[0], section->vertex[1]};
    bool inside = true;
    memset(p, 0, 3 * sizeof *p);
    for (int k = 0; k < section->nvertices; k++) {
        const double *w = vertex_of(section, k + 1);
        double f[3] = {1, w[0], w[1]};
        Facet facet = facet_of(e, f);
        double above = dot3(facet.normal, y), cosine = dot3(e, y) / sqrt(dot3(e, e));
        inside = inside && above <= 0;
        if (above > 0 && dot3(facet.from_v, y) >= 0 && dot3(facet.from_w, y) >= 0) {
            for (int i = 0; i < 3; i++)
                p[i] = y[i] - above / dot3(facet.normal, facet.normal) * facet.normal[i];
            return;
        }
        for (int i = 0; i < 3 && cosine > along; i++)
            p[i] = dot3(e, y) / dot3(e, e) * e[i];
        along = fmax(along, cosine);
        memcpy(e, f, sizeof e);
    }
    if (inside)
        memcpy(p, y, 3 * sizeof *p);
}

// The side, and the part of it from its first vertex on, 0 to size, whose point is nearest to y. false: y is inside.
static bool nearest_side(const StickSection *section, double size, const double *y, int *nearest, double *at)
{
    double least = INFINITY;
    bool inside = true;
    for (int k = 0; k < section->nvertices; k++) {
        const double *v = vertex_of(section, k), *w = vertex_of(section, k + 1);
        double side[2] = {w[0] - v[0], w[1] - v[1]}, from[2] = {y[0] - size * v[0], y[1] - size * v[1]};
        double part = (side[0] * from[0] + side[1] * from[1]) / (side[0] * side[0] + side[1] * side[1]);
        part = fmin(fmax(part, 0), size);
        inside = inside && cross(side, from) >= 0;
        double away = hypot(from[0] - part * side[0], from[1] - part * side[1]);
        if (away < least) {
            least = away;
            *nearest = k;
            *at = part;
        }
    }
    return !inside;
}

static void nearest_in_polygon(const StickSection *section, double size, const double *y, double *t)
{
    int k = 0;
    double part = 0;
    memcpy(t, y, 2 * sizeof *t);
    if (!nearest_side(section, size, y, &k, &part))
        return;
    const double *v = vertex_of(section, k), *w = vertex_of(section, k + 1);
    for (int i = 0; i < 2; i++)
        t[i] = size * v[i] + part * (w[i] - v[i]);
}

// At a vertex t = size v; on a side it moves along the side with y, and along its normal with size.
static void linearise_polygon(const StickSection *section, double size, const double *y, double *d_size,
                              double *d_y)
{
    int k = 0;
    double part = 0;
    nearest_side(section, size, y, &k, &part);
    const double *v = vertex_of(section, k), *w = vertex_of(section, k + 1);
    double side[2] = {w[0] - v[0], w[1] - v[1]}, length = hypot(side[0], side[1]);
    memset(d_y, 0, 4 * sizeof *d_y);
    memcpy(d_size, part > 0 ? w : v, 2 * sizeof *d_size);
    if (!(part > 0 && part < size))
        return;
    double distance = cross(v, side) / length;
    d_size[0] = distance * side[1] / length;
    d_size[1] = -distance * side[0] / length;
    for (int i = 0; i < 4; i++)
        d_y[i] = side[i / 2] / length * (side[i % 2] / length);
}

// ---- one contact

double stick_section_lift(const StickSection *section, const double *u)
{
    double x[2], largest = 0;
    if (section->kind == STICK_SECTION_INTERVAL)
        return u[1] > 0 ? section->mu[0] * u[1] : -section->mu[1] * u[1];
    if (section->kind == STICK_SECTION_ELLIPSE) {
        to_axes(section, u + 1, x);
        return hypot(section->mu[0] * x[0], section->mu[1] * x[1]);
    }
    for (int k = 0; k < section->nvertices; k++)
        largest = fmax(largest, -(section->vertex[2 * k] * u[1] + section->vertex[2 * k + 1] * u[2]));
    return largest;
}

double stick_section_gauge(const StickSection *section, const double *t)
{
    double x[2], largest = 0;
    if (section->kind == STICK_SECTION_INTERVAL)
        return t[0] > 0 ? t[0] / section->mu[1] : -t[0] / section->mu[0];
    if (section->kind == STICK_SECTION_ELLIPSE) {
        to_axes(section, t, x);
        return hypot(x[0] / section->mu[0], x[1] / section->mu[1]);
    }
    for (int k = 0; k < section->nvertices; k++) {
        const double *v = vertex_of(section, k), *w = vertex_of(section, k + 1);
        double side[2] = {w[0] - v[0], w[1] - v[1]};
        largest = fmax(largest, cross(t, side) / cross(v, side));
    }
    return largest;
}

void stick_section_project(const StickSection *section, const double *y, double *p)
{
    if (section->kind == STICK_SECTION_INTERVAL)
        stick_cone_project(2, section->mu[y[1] > 0], y, p);
    else if (section->kind == STICK_SECTION_ELLIPSE)
        project_ellipse(section, y, p);
    else
        project_polygon(section, y, p);
}

void stick_section_nearest(const StickSection *section, double size, const double *y, double *t)
{
    if (section->kind == STICK_SECTION_INTERVAL)
        t[0] = fmin(fmax(y[0], -section->mu[0] * size), section->mu[1] * size);
    else if (section->kind == STICK_SECTION_ELLIPSE)
        nearest_in_ellipse(section, size, y, t);
    else
        nearest_in_polygon(section, size, y, t);
}

void stick_section_linearise(const StickSection *section, double size, const double *y, double *d_size,
                             double *d_y)
{
    if (section->kind == STICK_SECTION_INTERVAL) {
        d_size[0] = y[0] > 0 ? section->mu[1] : -section->mu[0];
        d_y[0] = 0;
    } else if (section->kind == STICK_SECTION_ELLIPSE) {
        linearise_ellipse(section, size, y, d_size, d_y);
    } else {
        linearise_polygon(section, size, y, d_size, d_y);
    }
}

void stick_friction_project(const StickFrictionProblem *problem, int contact, const double *y, double *p)
{
    const StickSection *section = stick_section_of(problem, contact);
    if (section && problem->dim > 1)
        stick_section_project(section, y, p);
    else
        stick_cone_project(problem->dim, problem->dim > 1 ? problem->mu[contact] : 0, y, p);
}

void stick_friction_linearise(const StickFrictionProblem *problem, int contact, const double *z,
                              double *d_size, double *d_y)
{
    int m = problem->dim - 1;
    const StickSection *section = stick_section_of(problem, contact);
    if (section) {
        stick_section_linearise(section, z[0], z + 1, d_size, d_y);
        return;
    }
    // t = mu z_N z_T / |z_T|
    double mu = problem->mu[contact], size = stick_cone_tangent(problem->dim, z);
    double ratio = size > 0 ? mu * z[0] / size : 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            d_y[i * m + j] = ratio * ((i == j) - (size > 0 ? z[1 + i] * z[1 + j] / (size * size) : 0));
    for (int i = 0; i < m; i++)
        d_size[i] = size > 0 ? mu * z[1 + i] / size : 0;
}

void stick_section_step(const StickSection *section, double rho, const double *r, const double *u, double *p)
{
    int dim = stick_section_dim(section);
    double y[3] = {0};
    for (int k = 0; k < dim; k++)
        y[k] = r[k] - rho * u[k];
    y[0] -= rho * stick_section_lift(section, u);
    stick_section_project(section, y, p);
}

double stick_section_sums_add(const StickSection *section, double s, const double *r, const double *u,
                              StickSums *sums)
{
    int dim = stick_section_dim(section);
    double scaled_r[3], scaled_u[3], p[3], rr = 0, defect = 0;
    for (int k = 0; k < dim; k++) {
        scaled_r[k] = r[k] * s;
        scaled_u[k] = u[k] / s;
        rr += scaled_r[k] * scaled_r[k];
        sums->u += scaled_u[k] * scaled_u[k];
    }
    sums->r += rr;
    if (rr == 0 && u[0] >= 0)
        return 0;
    stick_section_step(section, 1, scaled_r, scaled_u, p);
    for (int k = 0; k < dim; k++)
        defect += (scaled_r[k] - p[k]) * (scaled_r[k] - p[k]);
    sums->defect += defect;
    return defect;
}
