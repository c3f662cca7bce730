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

// Contacts from one on, with their r, u and weights: the first of each belongs to it.
typedef struct Slice {
    const StickFrictionProblem *problem;
    int first, count, facets;
    const double *r, *u, *weight;
} Slice;

// weight: per contact, or NULL for the raw variables
static void add_up(const Slice *slice, const double *weight, Sums *sums)
{
    int dim = slice->problem->dim, facets = slice->facets;
    for (int k = 0; k < slice->count; k++) {
        int c = slice->first + k;
        double s = weight ? sqrt(weight[k]) : 1, r_c[3], u_c[3], free_c[3];
        Law law = law_of(slice->problem, c, facets), exact = law_of(slice->problem, c, 0);
        read_contact(dim, k, s, slice->r, r_c);
        read_contact(dim, k, 1 / s, slice->u, u_c);
        read_contact(dim, c, 1 / s, slice->problem->u_free, free_c);
        double own = defect(&law, r_c, u_c);
        sums->defect += own;
        sums->exact_defect += facets == 0 ? own : defect(&exact, r_c, u_c);
        sums->u_free += dot(free_c, free_c);
        sums->r += dot(r_c, r_c);
        sums->u += dot(u_c, u_c);
    }
}

// Violations in words of mechanics.
typedef struct Violations {
    double r, u, out, penetration; // largest ones
    double products, power, rr, uu;
} Violations;

static void find_violations(const Slice *slice, Violations *found)
{
    int dim = slice->problem->dim;
    for (int k = 0; k < slice->count; k++) {
        double r_c[3], u_c[3], free_c[3];
        Law law = law_of(slice->problem, slice->first + k, slice->facets);
        read_contact(dim, k, 1, slice->r, r_c);
        read_contact(dim, k, 1, slice->u, u_c);
        read_contact(dim, slice->first + k, 1, slice->problem->u_free, free_c);
        double rr = dot(r_c, r_c), uu = dot(u_c, u_c);
        found->r = fmax(found->r, sqrt(rr));
        found->u = fmax(found->u, sqrt(fmax(uu, dot(free_c, free_c))));
        found->out = fmax(found->out, outside(&law, r_c));
        found->penetration = fmax(found->penetration, -u_c[0]);
        found->products += fabs(r_c[0] * u_c[0]);
        found->power += r_c[1] * u_c[1] + r_c[2] * u_c[2];
        found->rr += rr;
        found->uu += uu;
    }
}

static void tell_violations(const Violations *found, StickCertificate *certificate)
{
    certificate->cone = found->r > 0 ? found->out / found->r : 0;
    certificate->penetration = found->u > 0 ? found->penetration / found->u : 0;
    certificate->complementarity =
        found->products > 0 ? found->products / (sqrt(found->rr) * sqrt(found->uu)) : 0;
    certificate->dissipation = found->power;
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

// What a problem and r are judged by: sums over parts of the contacts, which are cut at the same places for every number
// of threads.
enum { PARTS = 64 };

typedef struct Judgement {
    Sums raw, scale_free;
    Violations violations;
    bool finite;
} Judgement;

typedef struct Judged {
    const StickFrictionProblem *problem;
    const double *r;
    int facets;
    double *u, *weight; // of all contacts, where W is given by its action
    int length;         // of a part
    Judgement part[PARTS];
} Judged;

// From W_cc and W r of contact i: the weight trace(W_cc) / dim, and u = W r + u_free.
static double finish_row(const StickFrictionProblem *problem, int i, const double *diagonal, double *u)
{
    int d = problem->dim;
    double trace = 0;
    for (int a = 0; a < d; a++) {
        trace += diagonal[a * (d + 1)];
        u[a] += problem->u_free[(size_t)d * (size_t)i + (size_t)a];
    }
    return trace > 0 ? trace / d : 1;
}

static void compute_rows(const Judged *judged, int from, int to, double *u, double *weight)
{
    const StickFrictionProblem *problem = judged->problem;
    int d = problem->dim;
    memset(u, 0, (size_t)(d * (to - from)) * sizeof *u);
    for (int i = from; i < to; i++, u += d) {
        double diagonal[9] = {0};
        multiply_row(problem->W, i, judged->r, u, diagonal);
        *weight++ = finish_row(problem, i, diagonal, u);
    }
}

static StickStatus compute_by_action(StickContext *ctx, Judged *judged)
{
    const StickFrictionProblem *problem = judged->problem;
    size_t n = (size_t)problem->ncontacts, d = (size_t)problem->dim;
    STICK_ALLOC(ctx, judged->u, n * (d + 1));
    judged->weight = judged->u + n * d;
    problem->apply_W->apply(problem->apply_W->data, judged->r, judged->u);
    for (int i = 0; i < problem->ncontacts; i++) {
        double diagonal[9] = {0};
        problem->apply_W->diagonal(problem->apply_W->data, i, diagonal);
        judged->weight[i] = finish_row(problem, i, diagonal, judged->u + d * (size_t)i);
    }
    return STICK_OK;
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

static void judge_slice(const Slice *slice, Judgement *found)
{
    int n = slice->problem->dim * slice->count;
    found->finite = found->finite && all_finite(n, slice->r) && all_finite(n, slice->u);
    if (!found->finite)
        return;
    add_up(slice, NULL, &found->raw);
    add_up(slice, slice->weight, &found->scale_free);
    find_violations(slice, &found->violations);
}

static void judge_part(void *data, int part)
{
    Judged *judged = data;
    const StickFrictionProblem *problem = judged->problem;
    int from = part * judged->length, rest = problem->ncontacts - from, dim = problem->dim;
    int to = from + (rest < judged->length ? rest : judged->length);
    Judgement found = {.finite = true};
    for (int first = from; first < to; first += STICK_PIECE) {
        double u[3 * STICK_PIECE], weight[STICK_PIECE];
        int count = to - first < STICK_PIECE ? to - first : STICK_PIECE;
        Slice slice = {problem, first, count, judged->facets, judged->r + dim * first, u, weight};
        if (problem->W) {
            compute_rows(judged, first, first + count, u, weight);
        } else {
            slice.u = judged->u + dim * first;
            slice.weight = judged->weight + first;
        }
        judge_slice(&slice, &found);
    }
    judged->part[part] = found;
}

static void add_sums(Sums *sum, const Sums *more)
{
    sum->defect += more->defect;
    sum->exact_defect += more->exact_defect;
    sum->u_free += more->u_free;
    sum->r += more->r;
    sum->u += more->u;
}

static void add_violations(Violations *sum, const Violations *more)
{
    sum->r = fmax(sum->r, more->r);
    sum->u = fmax(sum->u, more->u);
    sum->out = fmax(sum->out, more->out);
    sum->penetration = fmax(sum->penetration, more->penetration);
    sum->products += more->products;
    sum->power += more->power;
    sum->rr += more->rr;
    sum->uu += more->uu;
}

static Judgement judge_parts(StickContext *ctx, Judged *judged)
{
    int n = judged->problem->ncontacts, even = (n + PARTS - 1) / PARTS;
    Judgement all = {.finite = true};
    judged->length = even > STICK_PIECE ? even : STICK_PIECE;
    int nparts = (n + judged->length - 1) / judged->length;
    stick_threads_run(ctx, &(StickParts){judge_part, judged, nparts, n});
    for (int k = 0; k < nparts; k++) {
        add_sums(&all.raw, &judged->part[k].raw);
        add_sums(&all.scale_free, &judged->part[k].scale_free);
        add_violations(&all.violations, &judged->part[k].violations);
        all.finite = all.finite && judged->part[k].finite;
    }
    return all;
}

static void judge(const Judgement *found, StickCertificate *certificate)
{
    const Sums *raw = &found->raw, *scale_free = &found->scale_free;
    tell_violations(&found->violations, certificate);
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
    StickCertificate found = {.facets = problem->dim == 3 ? facets : 0, .tolerance = tolerance};
    Judged judged = {.problem = problem, .r = r, .facets = found.facets};
    if (problem->ncontacts > 0 && !problem->W)
        STICK_TRY(compute_by_action(ctx, &judged));
    Judgement all = judge_parts(ctx, &judged);
    if (all.finite)
        judge(&all, &found);
    else
        refuse(&found);
    stick_free(ctx, judged.u);
    *certificate = found;
    return STICK_OK;
}
