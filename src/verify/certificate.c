// SPDX-License-Identifier: Apache-2.0
// Written apart from solve/ on purpose: nothing here is shared with what it checks.
#include <stickslip/certificate.h>

#include "base/memory.h"
#include "base/pool.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The contact law of one contact: facets = 0 is Coulomb's own cone, or that of the section.
typedef struct Law {
    int dim;
    double mu;
    int facets;
    const StickSection *section; // NULL: the disk of mu
} Law;

// ---- the cone

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
static void nearest_in_round_cone(const Law *law, const double y[3], double p[3])
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

static bool has_kind(const Law *law, StickSectionKind kind)
{
    return law->section && law->section->kind == kind;
}

static int count_edges(const Law *law)
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
static void edge(const Law *law, int k, double e[3])
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
static double excess_of_facet(const Law *law, int k, const double y[3])
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

static double facet_excess(const Law *law, const double y[3])
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
static void nearest_in_faceted_cone(const Law *law, const double y[3], double p[3])
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

static bool is_faceted(const Law *law)
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

static void nearest_in_cone(const Law *law, const double y[3], double p[3])
{
    if (is_faceted(law))
        nearest_in_faceted_cone(law, y, p);
    else if (has_kind(law, STICK_SECTION_ELLIPSE))
        nearest_in_elliptical_cone(law->section, y, p);
    else if (law->section)
        nearest_in_round_cone(&(Law){2, slope(law->section, y[1]), 0, NULL}, y, p);
    else
        nearest_in_round_cone(law, y, p);
}

// mu |u_T|, or the support function of the section, which may be a polygon, at -u_T.
static double lift(const Law *law, const double u[3])
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

// |r - P(r - u - lift n)|^2
static double defect(const Law *law, const double r[3], const double u[3])
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

// How far r is out of the cone, along r_T or the axis.
static double outside(const Law *law, const double r[3])
{
    double excess = is_faceted(law)                        ? facet_excess(law, r)
                    : has_kind(law, STICK_SECTION_ELLIPSE) ? elliptical_excess(law->section, r)
                    : law->section                         ? fabs(r[1]) - slope(law->section, r[1]) * r[0]
                                                           : length_T(law->dim, r) - law->mu * r[0];
    return fmax(0, fmax(excess, -r[0]));
}

// ---- sums over the contacts

typedef struct Sums {
    double defect, exact_defect; // all squared
    double u_free, r, u;
} Sums;

static double relative(double defect_squared, double size_squared)
{
    if (defect_squared == 0)
        return 0;
    double error = sqrt(defect_squared) / sqrt(size_squared);
    return isfinite(error) ? error : INFINITY;
}

static double error_of(const Sums *sums, double defect_squared)
{
    return relative(defect_squared, fmax(sums->u_free, fmax(sums->r, sums->u)));
}

static void read_contact(int dim, int c, double scale, const double *x, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < dim; k++)
        out[k] = x[(size_t)dim * (size_t)c + (size_t)k] * scale;
}

static Law law_of(const StickFrictionProblem *problem, int c, int facets)
{
    return (Law){problem->dim, problem->dim == 1 ? 0 : problem->mu[c], facets,
                 problem->section && problem->dim > 1 ? problem->section[c] : NULL};
}

// weight: per contact, or NULL for the raw variables
static Sums add_up(const StickFrictionProblem *problem, const double *weight, const double *r,
                   const double *u, int facets)
{
    Sums sums = {0};
    for (int c = 0; c < problem->ncontacts; c++) {
        double s = weight ? sqrt(weight[c]) : 1, r_c[3], u_c[3], free_c[3];
        Law law = law_of(problem, c, facets), exact = law_of(problem, c, 0);
        read_contact(problem->dim, c, s, r, r_c);
        read_contact(problem->dim, c, 1 / s, u, u_c);
        read_contact(problem->dim, c, 1 / s, problem->u_free, free_c);
        double own = defect(&law, r_c, u_c);
        sums.defect += own;
        sums.exact_defect += facets == 0 ? own : defect(&exact, r_c, u_c);
        sums.u_free += dot(free_c, free_c);
        sums.r += dot(r_c, r_c);
        sums.u += dot(u_c, u_c);
    }
    return sums;
}

// Violations in words of mechanics.
static void tell_violations(const StickFrictionProblem *problem, const double *r, const double *u, int facets,
                            StickCertificate *certificate)
{
    double largest_r = 0, largest_u = 0, out = 0, penetration = 0, products = 0, power = 0, rr = 0, uu = 0;
    for (int c = 0; c < problem->ncontacts; c++) {
        double r_c[3], u_c[3], free_c[3];
        Law law = law_of(problem, c, facets);
        read_contact(problem->dim, c, 1, r, r_c);
        read_contact(problem->dim, c, 1, u, u_c);
        read_contact(problem->dim, c, 1, problem->u_free, free_c);
        largest_r = fmax(largest_r, sqrt(dot(r_c, r_c)));
        largest_u = fmax(largest_u, sqrt(fmax(dot(u_c, u_c), dot(free_c, free_c))));
        out = fmax(out, outside(&law, r_c));
        penetration = fmax(penetration, -u_c[0]);
        products += fabs(r_c[0] * u_c[0]);
        power += r_c[1] * u_c[1] + r_c[2] * u_c[2];
        rr += dot(r_c, r_c);
        uu += dot(u_c, u_c);
    }
    certificate->cone = largest_r > 0 ? out / largest_r : 0;
    certificate->penetration = largest_u > 0 ? penetration / largest_u : 0;
    certificate->complementarity = products > 0 ? products / (sqrt(rr) * sqrt(uu)) : 0;
    certificate->dissipation = power;
}

// ---- the problem

// One block row of W r, and the diagonal block.
static void multiply_row(const StickBlocks *W, int i, const double *r, double *y, double *diagonal)
{
    int d = W->d;
    for (int k = W->start[i]; k < W->start[i + 1]; k++) {
        const double *block = W->value + (size_t)k * (size_t)(d * d),
                     *r_j = r + (size_t)d * (size_t)W->col[k];
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                y[a] += block[a * d + b] * r_j[b];
        if (W->col[k] == i)
            memcpy(diagonal, block, (size_t)(d * d) * sizeof *block);
    }
}

// What a problem and r are judged by.
typedef struct Judged {
    const StickFrictionProblem *problem;
    const double *r;
    double *u, *weight;
    Sums raw, scale_free;
    StickCertificate *certificate;
} Judged;

static void compute_rows(void *data, int from, int to)
{
    const Judged *judged = data;
    const StickFrictionProblem *problem = judged->problem;
    int d = problem->dim;
    for (int i = from; i < to; i++) {
        double diagonal[9] = {0}, trace = 0, *u = judged->u + (size_t)d * (size_t)i;
        if (problem->W)
            multiply_row(problem->W, i, judged->r, u, diagonal);
        else
            problem->apply_W->diagonal(problem->apply_W->data, i, diagonal);
        for (int a = 0; a < d; a++) {
            trace += diagonal[a * (d + 1)];
            u[a] += problem->u_free[(size_t)d * (size_t)i + (size_t)a];
        }
        judged->weight[i] = trace > 0 ? trace / d : 1;
    }
}

// u = W r + u_free (u comes in as zero), and the weight trace(W_cc) / dim of every contact
static void compute_velocity(StickContext *ctx, Judged *judged)
{
    const StickFrictionProblem *problem = judged->problem;
    if (problem->W) {
        stick_threads_range(ctx, problem->ncontacts, compute_rows, judged);
        return;
    }
    problem->apply_W->apply(problem->apply_W->data, judged->r, judged->u);
    compute_rows(judged, 0, problem->ncontacts);
}

// Numbers that make no law are not judged by one.
static StickStatus check_section(StickContext *ctx, const StickSection *section, int dim, int contact)
{
    bool good = section->kind == STICK_SECTION_INTERVAL ? dim == 2 : dim == 3;
    if (section->kind == STICK_SECTION_POLYGON)
        good = good && section->nvertices >= 3 && section->vertex;
    else
        good = good && section->mu[0] > 0 && section->mu[1] > 0 &&
               isfinite(section->mu[0] + section->mu[1]) && isfinite(section->angle);
    STICK_CHECK(ctx, good, STICK_BAD_INPUT, "the section of contact %d is none of dimension %d", contact,
                dim);
    return STICK_OK;
}

static StickStatus check(StickContext *ctx, const StickFrictionProblem *problem, int facets, double tolerance)
{
    STICK_CHECK(ctx, problem->dim >= 1 && problem->dim <= 3, STICK_BAD_INPUT,
                "a friction problem of dimension %d", problem->dim);
    STICK_CHECK(ctx, problem->ncontacts >= 0, STICK_BAD_INPUT, "a friction problem of %d contacts",
                problem->ncontacts);
    STICK_CHECK(ctx, facets == 0 || facets >= 3, STICK_BAD_INPUT, "a friction cone of %d facets", facets);
    STICK_CHECK(ctx, tolerance > 0, STICK_BAD_INPUT, "a tolerance of %g for a certificate", tolerance);
    if (problem->ncontacts == 0)
        return STICK_OK;
    STICK_CHECK(ctx, problem->W || problem->apply_W, STICK_BAD_INPUT, "a friction problem without W");
    STICK_CHECK(ctx, !problem->W || (problem->W->d == problem->dim && problem->W->n == problem->ncontacts),
                STICK_BAD_INPUT, "W has %d block rows of order %d for %d contacts of dimension %d",
                problem->W->n, problem->W->d, problem->ncontacts, problem->dim);
    STICK_CHECK(ctx, problem->u_free && (problem->mu || problem->dim == 1), STICK_BAD_INPUT,
                "a friction problem without u_free or mu");
    for (int c = 0; problem->section && c < problem->ncontacts; c++)
        if (problem->section[c])
            STICK_TRY(check_section(ctx, problem->section[c], problem->dim, c));
    return STICK_OK;
}

static bool all_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

// Each sum by itself, so that they may be made at the same time.
enum { RAW_SUMS, SCALE_FREE_SUMS, VIOLATIONS, NSUMS };

static void sum_part(void *data, int part)
{
    Judged *judged = data;
    int facets = judged->certificate->facets;
    if (part == RAW_SUMS)
        judged->raw = add_up(judged->problem, NULL, judged->r, judged->u, facets);
    else if (part == SCALE_FREE_SUMS)
        judged->scale_free = add_up(judged->problem, judged->weight, judged->r, judged->u, facets);
    else
        tell_violations(judged->problem, judged->r, judged->u, facets, judged->certificate);
}

static void judge(StickContext *ctx, Judged *judged)
{
    StickCertificate *certificate = judged->certificate;
    stick_threads_run(ctx, &(StickParts){sum_part, judged, NSUMS, judged->problem->ncontacts});
    const Sums *raw = &judged->raw, *scale_free = &judged->scale_free;
    certificate->error = error_of(raw, raw->defect);
    certificate->exact_error = error_of(raw, raw->exact_defect);
    certificate->error_scale_free = error_of(scale_free, scale_free->defect);
    certificate->exact_error_scale_free = error_of(scale_free, scale_free->exact_defect);
    double lost = scale_free->r * DBL_EPSILON * DBL_EPSILON;
    certificate->velocity_error =
        relative(scale_free->defect + lost, fmax(scale_free->u_free, scale_free->u));
    certificate->certified = certificate->error <= certificate->tolerance &&
                             certificate->error_scale_free <= certificate->tolerance &&
                             certificate->velocity_error <= sqrt(certificate->tolerance) &&
                             certificate->penetration <= sqrt(sqrt(certificate->tolerance)) &&
                             certificate->cone <= sqrt(certificate->tolerance);
}

static void refuse(StickCertificate *certificate)
{
    certificate->error = certificate->error_scale_free = INFINITY;
    certificate->exact_error = certificate->exact_error_scale_free = INFINITY;
    certificate->velocity_error = INFINITY;
    certificate->cone = certificate->penetration = certificate->complementarity = INFINITY;
    certificate->dissipation = NAN;
}

StickStatus stick_certify(StickContext *ctx, const StickFrictionProblem *problem, const double *r, int facets,
                          double tolerance, StickCertificate *certificate)
{
    STICK_TRY(check(ctx, problem, facets, tolerance));
    int n = problem->dim * problem->ncontacts;
    double *u;
    STICK_ALLOC(ctx, u, (size_t)n + (size_t)problem->ncontacts);
    StickCertificate found = {.facets = problem->dim == 3 ? facets : 0, .tolerance = tolerance};
    Judged judged = {.problem = problem, .r = r, .u = u, .weight = u + n, .certificate = &found};
    if (problem->ncontacts > 0)
        compute_velocity(ctx, &judged);
    if (all_finite(n, r) && all_finite(n, u))
        judge(ctx, &judged);
    else
        refuse(&found);
    stick_free(ctx, u);
    *certificate = found;
    return STICK_OK;
}
