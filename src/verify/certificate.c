// SPDX-License-Identifier: Apache-2.0
// Written independently of solve/ on purpose: no code is shared with the checked solvers.
#include <stickslip/certificate.h>

#include "base/memory.h"
#include "base/pool.h"
#include "verify/contact_law.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
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

static StickLaw law_of(const StickFrictionProblem *problem, int c, int facets)
{
    return (StickLaw){problem->dim, problem->dim == 1 ? 0 : problem->mu[c], facets,
                      problem->section && problem->dim > 1 ? problem->section[c] : NULL};
}

// Contacts from one on, with their r, u and weights: the first of each belongs to it.
typedef struct Slice {
    const StickFrictionProblem *problem;
    int first, count, facets;
    const double *r, *u, *weight, *push, *drive;
} Slice;

// The contact with the largest of a number; -1: none.
typedef struct Worst {
    double value;
    int contact;
} Worst;

// Contacts in their own scales.
typedef struct OwnScale {
    Worst error, excess, round_off;
} OwnScale;

static void keep_worst(Worst *worst, double value, int contact)
{
    if (value > worst->value)
        *worst = (Worst){value, contact};
}

// weight: per contact, or NULL for the raw variables; then contacts in their own scales are left out
static void add_up(const Slice *slice, const double *weight, Sums *sums, OwnScale *found)
{
    int dim = slice->problem->dim, facets = slice->facets;
    for (int k = 0; k < slice->count; k++) {
        int c = slice->first + k;
        double s = weight ? sqrt(weight[k]) : 1, r_c[3], u_c[3], free_c[3];
        StickLaw law = law_of(slice->problem, c, facets), exact = law_of(slice->problem, c, 0);
        read_contact(dim, k, s, slice->r, r_c);
        read_contact(dim, k, 1 / s, slice->u, u_c);
        read_contact(dim, c, 1 / s, slice->problem->u_free, free_c);
        double own = stick_law_defect(&law, r_c, u_c);
        sums->defect += own;
        sums->exact_defect += facets == 0 ? own : stick_law_defect(&exact, r_c, u_c);
        sums->u_free += dot(free_c, free_c);
        sums->r += dot(r_c, r_c);
        sums->u += dot(u_c, u_c);
        if (!weight)
            continue;
        // velocities: drive is the largest free one of the island, push what impulses do before they cancel
        double drive = slice->drive[k] > 0 ? slice->drive[k] : s * sqrt(dot(r_c, r_c));
        double scale = fmax(s * sqrt(dot(u_c, u_c)), drive);
        double lost = 8 * DBL_EPSILON * slice->push[k], error = s * sqrt(own);
        if (own > 0)
            keep_worst(&found->error, error / scale, c);
        if (error > lost)
            keep_worst(&found->excess, error / scale, c);
        if (scale > 0)
            keep_worst(&found->round_off, lost / scale, c);
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
        StickLaw law = law_of(slice->problem, slice->first + k, slice->facets);
        read_contact(dim, k, 1, slice->r, r_c);
        read_contact(dim, k, 1, slice->u, u_c);
        read_contact(dim, slice->first + k, 1, slice->problem->u_free, free_c);
        double rr = dot(r_c, r_c), uu = dot(u_c, u_c);
        found->r = fmax(found->r, sqrt(rr));
        found->u = fmax(found->u, sqrt(fmax(uu, dot(free_c, free_c))));
        found->out = fmax(found->out, stick_law_outside(&law, r_c));
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

// One block row of W r, the diagonal block, and the sum of the sizes of its n terms, times sqrt(n).
static double multiply_row(const StickBlocks *W, int i, const double *r, double *y, double *diagonal)
{
    int d = W->d;
    double sizes[3] = {0};
    for (int k = W->start[i]; k < W->start[i + 1]; k++) {
        const double *block = W->value + (size_t)k * (size_t)(d * d),
                     *r_j = r + (size_t)d * (size_t)W->col[k];
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) {
                double term = block[a * d + b] * r_j[b];
                y[a] += term;
                sizes[a] += fabs(term);
            }
        if (W->col[k] == i)
            memcpy(diagonal, block, (size_t)(d * d) * sizeof *block);
    }
    return sqrt(d * (W->start[i + 1] - W->start[i]) * dot(sizes, sizes));
}

// Measures of a problem and r: sums over parts of the contacts. The parts are the same for every number of threads.
enum { PARTS = 64 };

typedef struct Judgement {
    Sums raw, scale_free;
    OwnScale own;
    Violations violations;
    bool finite;
} Judgement;

static const Judgement nothing = {.own = {{0, -1}, {0, -1}, {0, -1}}, .finite = true};

typedef struct Judged {
    const StickFrictionProblem *problem;
    const double *r;
    int facets;
    double *drive;             // of all contacts: largest free velocity of the island
    double *u, *weight, *push; // of all contacts, where W is given by its action
    int length;                // of a part
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

static void compute_rows(const Judged *judged, int from, int to, double *u, double *weight, double *push)
{
    const StickFrictionProblem *problem = judged->problem;
    int d = problem->dim;
    memset(u, 0, (size_t)(d * (to - from)) * sizeof *u);
    for (int i = from; i < to; i++, u += d) {
        double diagonal[9] = {0};
        *push++ = multiply_row(problem->W, i, judged->r, u, diagonal);
        *weight++ = finish_row(problem, i, diagonal, u);
    }
}

static StickStatus compute_by_action(StickContext *ctx, Judged *judged)
{
    const StickFrictionProblem *problem = judged->problem;
    size_t n = (size_t)problem->ncontacts, d = (size_t)problem->dim;
    STICK_ALLOC(ctx, judged->u, n * (d + 2));
    judged->weight = judged->u + n * d;
    judged->push = judged->weight + n;
    problem->apply_W->apply(problem->apply_W->data, judged->r, judged->u);
    for (int i = 0; i < problem->ncontacts; i++) {
        double diagonal[9] = {0};
        problem->apply_W->diagonal(problem->apply_W->data, i, diagonal);
        judged->weight[i] = finish_row(problem, i, diagonal, judged->u + d * (size_t)i);
        // the row is not known: use the effect of the contact on itself
        double r_i[3];
        read_contact(problem->dim, i, judged->weight[i], judged->r, r_i);
        judged->push[i] = sqrt(dot(r_i, r_i));
    }
    return STICK_OK;
}

// ---- islands

// The contact that represents the island of c. Shortens the chain to it on the way (path compression).
static int leader(int *next, int c)
{
    for (; next[c] != c; c = next[c])
        next[c] = next[next[c]];
    return c;
}

static void join_rows(const StickBlocks *W, int *next)
{
    for (int c = 0; c < W->n; c++)
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            int a = leader(next, c), b = leader(next, W->col[k]);
            next[a > b ? a : b] = a > b ? b : a;
        }
}

// Contacts up to this number need no memory for their islands.
enum { FEW = 1024 };

// Below this share of the largest of all, free velocities of an island are taken for round-off.
static const double LEAST_DRIVE = 1e-6;

// The largest |u_free| of the island of each contact. next: work space, ncontacts numbers.
static void find_drive(Judged *judged, int *next)
{
    const StickFrictionProblem *problem = judged->problem;
    int n = problem->ncontacts;
    memset(judged->drive, 0, (size_t)n * sizeof *judged->drive);
    for (int c = 0; c < n; c++)
        next[c] = problem->W ? c : 0;
    if (problem->W)
        join_rows(problem->W, next);
    for (int c = 0; c < n; c++) {
        double free[3];
        read_contact(problem->dim, c, 1, problem->u_free, free);
        double *most = &judged->drive[leader(next, c)];
        *most = fmax(*most, sqrt(dot(free, free)));
    }
    double all = 0;
    for (int c = 0; c < n; c++)
        all = fmax(all, judged->drive[c]);
    // leaders come first
    for (int c = 0; c < n; c++)
        judged->drive[c] = fmax(judged->drive[leader(next, c)], LEAST_DRIVE * all);
}

// Rejects sections whose data do not define a friction law.
static StickStatus check_section(StickContext *ctx, const StickSection *section, int dim, int contact)
{
    bool good = section->kind == STICK_SECTION_INTERVAL ? dim == 2 : dim == 3;
    if (section->kind == STICK_SECTION_POLYGON)
        good = good && section->nvertices >= 3 && section->vertex;
    else
        good = good && section->mu[0] > 0 && section->mu[1] > 0 &&
               isfinite(section->mu[0] + section->mu[1]) && isfinite(section->angle);
    STICK_CHECK(ctx, good, STICK_BAD_INPUT, "the friction section of contact %d is not valid in dimension %d",
                contact, dim);
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
    add_up(slice, NULL, &found->raw, NULL);
    add_up(slice, slice->weight, &found->scale_free, &found->own);
    find_violations(slice, &found->violations);
}

static void judge_part(void *data, int part)
{
    Judged *judged = data;
    const StickFrictionProblem *problem = judged->problem;
    int from = part * judged->length, rest = problem->ncontacts - from, dim = problem->dim;
    int to = from + (rest < judged->length ? rest : judged->length);
    Judgement found = nothing;
    for (int first = from; first < to; first += STICK_PIECE) {
        double u[3 * STICK_PIECE], weight[STICK_PIECE], push[STICK_PIECE];
        int count = to - first < STICK_PIECE ? to - first : STICK_PIECE;
        Slice slice = {problem, first,  count, judged->facets,       judged->r + dim * first,
                       u,       weight, push,  judged->drive + first};
        if (problem->W) {
            compute_rows(judged, first, first + count, u, weight, push);
        } else {
            slice.u = judged->u + dim * first;
            slice.weight = judged->weight + first;
            slice.push = judged->push + first;
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
    Judgement all = nothing;
    judged->length = even > STICK_PIECE ? even : STICK_PIECE;
    int nparts = (n + judged->length - 1) / judged->length;
    stick_threads_run(ctx, &(StickParts){judge_part, judged, nparts, n});
    for (int k = 0; k < nparts; k++) {
        add_sums(&all.raw, &judged->part[k].raw);
        add_sums(&all.scale_free, &judged->part[k].scale_free);
        add_violations(&all.violations, &judged->part[k].violations);
        const OwnScale *own = &judged->part[k].own;
        keep_worst(&all.own.error, own->error.value, own->error.contact);
        keep_worst(&all.own.excess, own->excess.value, own->excess.contact);
        keep_worst(&all.own.round_off, own->round_off.value, own->round_off.contact);
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
    certificate->contact_error = found->own.error.value;
    certificate->worst_contact = found->own.error.contact;
    certificate->contact_excess = found->own.excess.value;
    certificate->round_off = found->own.round_off.value;
    double lost = scale_free->r * DBL_EPSILON * DBL_EPSILON;
    certificate->velocity_error =
        relative(scale_free->defect + lost, fmax(scale_free->u_free, scale_free->u));
    certificate->certified = certificate->error <= certificate->tolerance &&
                             certificate->error_scale_free <= certificate->tolerance &&
                             certificate->contact_excess <= certificate->tolerance &&
                             certificate->velocity_error <= sqrt(certificate->tolerance) &&
                             certificate->penetration <= sqrt(sqrt(certificate->tolerance)) &&
                             certificate->cone <= sqrt(certificate->tolerance);
}

static void refuse(StickCertificate *certificate)
{
    certificate->error = certificate->error_scale_free = INFINITY;
    certificate->exact_error = certificate->exact_error_scale_free = INFINITY;
    certificate->velocity_error = certificate->contact_error = certificate->contact_excess = INFINITY;
    certificate->cone = certificate->penetration = certificate->complementarity = INFINITY;
    certificate->dissipation = NAN;
}

StickStatus stick_certify(StickContext *ctx, const StickFrictionProblem *problem, const double *r, int facets,
                          double tolerance, StickCertificate *certificate)
{
    STICK_TRY(check(ctx, problem, facets, tolerance));
    StickCertificate found = {
        .facets = problem->dim == 3 ? facets : 0, .tolerance = tolerance, .worst_contact = -1};
    Judged judged = {.problem = problem, .r = r, .facets = found.facets};
    // small problems, which are solved very often, need no memory
    double few_drives[FEW], *drives = NULL;
    int few_links[FEW], *links = NULL;
    judged.drive = few_drives;
    if (problem->ncontacts > FEW) {
        STICK_ALLOC(ctx, drives, problem->ncontacts);
        judged.drive = drives;
        links = stick_alloc(ctx, (size_t)problem->ncontacts, sizeof *links);
    }
    StickStatus status = problem->ncontacts > FEW && !links ? STICK_NO_MEMORY : STICK_OK;
    if (status == STICK_OK)
        find_drive(&judged, links ? links : few_links);
    if (status == STICK_OK && problem->ncontacts > 0 && !problem->W)
        status = compute_by_action(ctx, &judged);
    if (status == STICK_OK) {
        Judgement all = judge_parts(ctx, &judged);
        if (all.finite)
            judge(&all, &found);
        else
            refuse(&found);
        *certificate = found;
    }
    stick_free(ctx, judged.u);
    stick_free(ctx, drives);
    stick_free(ctx, links);
    return status;
}
