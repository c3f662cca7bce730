// SPDX-License-Identifier: Apache-2.0
#include "linalg/arnoldi.h"

#include "base/memory.h"
#include "linalg/winding.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <string.h>

enum { REFINEMENTS = 2, ATTEMPTS = 4 };
static const double MARGIN = 1.02; // of a radius: the farthest found eigenvalue must lie beyond
static const double ROOM = 1.3;    // the same before counting: fewer samples are needed then
static const double SIDE = 1.001;  // ratio of distances that distinguishes both sides of a circle
static const double GAP = 1.01;    // of a radius: how far a circle is moved away from it
static const double ASIDE = 0.1;   // of a radius: distance of the shift of a second run

struct StickArnoldi {
    StickContext *ctx;
    StickPencil *pencil;
};

StickArnoldiOptions stick_arnoldi_default(void)
{
    StickArnoldiOptions options = {.krylov = stick_krylov_default(), .residual = 1e-10, .samples = 256};
    options.krylov.unmeasured = true;
    options.proof = STICK_ARNOLDI_COUNT;
    return options;
}

StickStatus stick_arnoldi_create(StickContext *ctx, const StickSparse *K, const StickSparse *C,
                                 const StickSparse *M, StickArnoldi **created)
{
    StickPencil *pencil;
    STICK_TRY(stick_pencil_create(ctx, K, C, M, &pencil));
    StickArnoldi *arnoldi = stick_alloc(ctx, 1, sizeof *arnoldi);
    if (!arnoldi) {
        stick_pencil_destroy(pencil);
        return STICK_NO_MEMORY;
    }
    *arnoldi = (StickArnoldi){ctx, pencil};
    *created = arnoldi;
    return STICK_OK;
}

void stick_arnoldi_destroy(StickArnoldi *arnoldi)
{
    if (!arnoldi)
        return;
    stick_pencil_destroy(arnoldi->pencil);
    stick_free(arnoldi->ctx, arnoldi);
}

// ---- near a shift

// One step of inverse iteration: z := OP z, value by the quotient of Rayleigh; room for z.
static StickStatus refine(StickPencil *pencil, double complex shift, double complex *z, double complex *room,
                          double complex *value)
{
    int N = stick_pencil_length(pencil);
    double complex product, size;
    STICK_TRY(stick_pencil_apply(pencil, z, room));
    cblas_zdotc_sub(N, z, 1, room, 1, &product);
    cblas_zdotc_sub(N, z, 1, z, 1, &size);
    *value = shift + size / product;
    memcpy(z, room, (size_t)N * sizeof *z);
    stick_eigen_normalise(N, z);
    return STICK_OK;
}

typedef struct Pairs {
    StickArnoldi *arnoldi;
    const StickArnoldiOptions *options;
    double complex shift;
    StickEigen raw;       // of OP
    double complex *room; // a vector of OP
    StickArnoldiReport *report;
} Pairs;

// Pair k of the original problem; refined if its residual is too large.
static StickStatus take_pair(Pairs *pairs, int k, StickEigen *eigen)
{
    StickPencil *pencil = pairs->arnoldi->pencil;
    double complex *z = pairs->raw.vector + (size_t)k * (size_t)pairs->raw.n;
    double complex *x = eigen->vector + (size_t)k * (size_t)eigen->n;
    eigen->value[k] = pairs->shift + 1 / pairs->raw.value[k];
    for (int step = 0;; step++) {
        stick_pencil_take(pencil, eigen->value[k], z, x);
        stick_eigen_normalise(eigen->n, x);
        eigen->residual[k] = stick_pencil_residual(pencil, eigen->value[k], x);
        if (eigen->residual[k] <= pairs->options->residual || step == REFINEMENTS)
            break;
        STICK_TRY(refine(pencil, pairs->shift, z, pairs->room, &eigen->value[k]));
        pairs->report->products++;
        pairs->report->refined += step == 0;
    }
    bool asked =
        pairs->options->within == 0 || cabs(eigen->value[k] - pairs->shift) <= pairs->options->within;
    STICK_CHECK(
        pairs->arnoldi->ctx, !asked || eigen->residual[k] <= pairs->options->residual, STICK_NOT_SOLVED,
        "eigenvalue %g %+g i of an eigenproblem of order %d has residual %.1e, not %.1e: look for fewer "
        "of them, or not as far",
        creal(eigen->value[k]), cimag(eigen->value[k]), eigen->n, eigen->residual[k],
        pairs->options->residual);
    return STICK_OK;
}

static StickStatus take_pairs(Pairs *pairs, StickEigen *eigen)
{
    size_t n = (size_t)eigen->n;
    for (int k = 0; k < eigen->count; k++) {
        double complex value = pairs->raw.value[k];
        bool second =
            cimag(pairs->shift) == 0 && k > 0 && cimag(value) != 0 && value == conj(pairs->raw.value[k - 1]);
        if (!second) {
            STICK_TRY(take_pair(pairs, k, eigen));
        } else {
            eigen->value[k] = conj(eigen->value[k - 1]);
            eigen->residual[k] = eigen->residual[k - 1];
            for (size_t i = 0; i < n; i++)
                eigen->vector[(size_t)k * n + i] = conj(eigen->vector[(size_t)(k - 1) * n + i]);
        }
        pairs->report->residual = fmax(pairs->report->residual, eigen->residual[k]);
    }
    return STICK_OK;
}

static StickStatus solve(Pairs *pairs, StickEigen *eigen)
{
    StickArnoldi *arnoldi = pairs->arnoldi;
    StickKrylovReport report;
    STICK_TRY(stick_pencil_factor(arnoldi->pencil, pairs->shift));
    StickKrylovOperator op = stick_pencil_operator(arnoldi->pencil);
    StickStatus status =
        stick_krylov_largest(arnoldi->ctx, &op, &pairs->options->krylov, &pairs->raw, &report);
    pairs->report->products += report.products;
    pairs->report->restarts += report.restarts;
    STICK_TRY(status);
    STICK_ALLOC(arnoldi->ctx, pairs->room, op.n);
    STICK_TRY(stick_eigen_create(arnoldi->ctx, stick_pencil_order(arnoldi->pencil), pairs->raw.count, eigen));
    STICK_TRY(take_pairs(pairs, eigen));
    eigen->rcond = stick_pencil_report(arnoldi->pencil).rcond;
    return stick_eigen_sort(arnoldi->ctx, eigen);
}

static StickStatus find_nearest(StickArnoldi *arnoldi, double complex shift,
                                const StickArnoldiOptions *options, StickEigen *eigen,
                                StickArnoldiReport *report)
{
    Pairs pairs = {.arnoldi = arnoldi, .options = options, .shift = shift, .report = report};
    StickEigen made = {0};
    int before = stick_pencil_factorisations(arnoldi->pencil);
    StickStatus status = solve(&pairs, &made);
    report->factorisations += stick_pencil_factorisations(arnoldi->pencil) - before;
    stick_eigen_destroy(arnoldi->ctx, &pairs.raw);
    stick_free(arnoldi->ctx, pairs.room);
    if (status == STICK_OK)
        *eigen = made;
    else
        stick_eigen_destroy(arnoldi->ctx, &made);
    return status;
}

StickStatus stick_arnoldi_nearest(StickArnoldi *arnoldi, double complex shift,
                                  const StickArnoldiOptions *options, StickEigen *eigen,
                                  StickArnoldiReport *report)
{
    *report = (StickArnoldiReport){0};
    return find_nearest(arnoldi, shift, options, eigen, report);
}

// ---- in a circle

static int count_within(const StickEigen *eigen, double complex center, double radius)
{
    int count = 0;
    for (int k = 0; k < eigen->count; k++)
        count += cabs(eigen->value[k] - center) < radius;
    return count;
}

static StickStatus check_circle(StickContext *ctx, double complex center, double radius)
{
    STICK_CHECK(ctx, isfinite(creal(center)) && isfinite(cimag(center)), STICK_USAGE,
                "center %g %+g i is not finite", creal(center), cimag(center));
    STICK_CHECK(ctx, isfinite(radius) && radius > 0, STICK_USAGE, "radius %g is not positive", radius);
    return STICK_OK;
}

static StickStatus count_inside(StickArnoldi *arnoldi, double complex center, double radius,
                                const StickEigen *known, int samples, int *count, StickArnoldiReport *report)
{
    int more = 0, taken, before = stick_pencil_factorisations(arnoldi->pencil);
    StickStatus status =
        stick_winding_count(arnoldi->ctx, arnoldi->pencil, center, radius, known ? known->value : NULL,
                            known ? known->count : 0, samples, &more, &taken);
    report->samples += taken;
    report->factorisations += stick_pencil_factorisations(arnoldi->pencil) - before;
    if (status == STICK_OK)
        *count = more + (known ? count_within(known, center, radius) : 0);
    return status;
}

StickStatus stick_arnoldi_count(StickArnoldi *arnoldi, double complex center, double radius,
                                const StickEigen *known, int samples, int *count, StickArnoldiReport *report)
{
    *report = (StickArnoldiReport){0};
    STICK_TRY(check_circle(arnoldi->ctx, center, radius));
    return count_inside(arnoldi, center, radius, known, samples, count, report);
}

typedef struct Window {
    StickArnoldi *arnoldi;
    double complex center;
    double radius;
    StickArnoldiOptions options;
    StickArnoldiReport *report;
    StickEigen found;
    bool all; // no finite ones are beyond
} Window;

// Requests more eigenvalues until the farthest one lies clearly outside.
static StickStatus find_all(Window *window)
{
    int *count = &window->options.krylov.count, N = stick_pencil_length(window->arnoldi->pencil);
    double margin = window->options.proof == STICK_ARNOLDI_COUNT ? ROOM : MARGIN;
    window->options.within = margin * window->radius; // farther ones only show that there are no more
    for (;; *count *= 2) {
        *count = *count < N ? *count : N;
        stick_eigen_destroy(window->arnoldi->ctx, &window->found);
        STICK_TRY(
            find_nearest(window->arnoldi, window->center, &window->options, &window->found, window->report));
        window->all = *count == N || window->found.count < *count;
        double farthest = 0;
        for (int k = 0; k < window->found.count; k++)
            farthest = fmax(farthest, cabs(window->found.value[k] - window->center));
        if (window->all || farthest > margin * window->radius)
            return STICK_OK;
    }
}

// The next larger distance after `radius`; `radius` itself if there is no other.
static double next_distance(const Window *window, double radius)
{
    double next = INFINITY;
    for (int k = 0; k < window->found.count; k++) {
        double distance = cabs(window->found.value[k] - window->center);
        if (distance > radius)
            next = fmin(next, distance);
    }
    return isfinite(next) ? next : radius;
}

// A radius just beyond the one of the window, in the first gap that is wide enough to separate both sides.
// Eigenvalues that were found are divided out before counting and may lie near the circle; others lie beyond the
// farthest of them.
static double safe_radius(const Window *window)
{
    double widest = 1, best = window->radius;
    for (double from = window->radius, to; (to = next_distance(window, from)) > from; from = to) {
        if (to / from > widest) {
            widest = to / from;
            best = from * sqrt(fmin(widest, GAP * GAP));
        }
        if (widest > SIDE)
            break;
    }
    return best;
}

// How many there are within the radius, by a second run from elsewhere.
static StickStatus count_again(Window *window, double radius, int *count)
{
    Window second = *window;
    double distance = ASIDE * window->radius;
    second.found = (StickEigen){0};
    second.center += cimag(window->center) == 0 ? distance : distance * (0.6 + 0.8 * I);
    second.radius = radius + distance;
    second.options.proof = STICK_ARNOLDI_TRUST;
    second.options.krylov.count += second.options.krylov.count / 2 + 5;
    second.options.krylov.seed += 1000;
    StickStatus status = find_all(&second);
    if (status == STICK_OK)
        *count = count_within(&second.found, window->center, radius);
    stick_eigen_destroy(window->arnoldi->ctx, &second.found);
    return status;
}

static StickStatus count_by_proof(Window *window, double radius, int *count)
{
    if (window->options.proof == STICK_ARNOLDI_REPEAT)
        return count_again(window, radius, count);
    return count_inside(window->arnoldi, window->center, radius, &window->found, window->options.samples,
                        count, window->report);
}

// Finds, counts, and finds again with another start and a larger space while some were missed.
static StickStatus find_proved(Window *window)
{
    int found = 0, count = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        STICK_TRY(find_all(window));
        double radius = safe_radius(window);
        found = count = count_within(&window->found, window->center, radius);
        if (window->options.proof != STICK_ARNOLDI_TRUST)
            STICK_TRY(count_by_proof(window, radius, &count));
        if (count == found)
            return STICK_OK;
        window->options.krylov.count += 10 + (count > found ? count - found : 0);
        window->options.krylov.seed++;
    }
    return stick_fail(window->arnoldi->ctx, STICK_NOT_SOLVED,
                      "%d eigenvalues were found around %g %+g i, but there are %d", found,
                      creal(window->center), cimag(window->center), count);
}

static StickStatus take_inside(const Window *window, StickEigen *eigen)
{
    size_t n = (size_t)window->found.n;
    int count = count_within(&window->found, window->center, window->radius);
    STICK_TRY(stick_eigen_create(window->arnoldi->ctx, window->found.n, count, eigen));
    eigen->rcond = window->found.rcond;
    for (int k = 0, to = 0; k < window->found.count; k++)
        if (cabs(window->found.value[k] - window->center) < window->radius) {
            eigen->value[to] = window->found.value[k];
            eigen->residual[to] = window->found.residual[k];
            memcpy(eigen->vector + (size_t)to++ * n, window->found.vector + (size_t)k * n,
                   n * sizeof *eigen->vector);
        }
    return STICK_OK;
}

StickStatus stick_arnoldi_window(StickArnoldi *arnoldi, double complex center, double radius,
                                 const StickArnoldiOptions *options, StickEigen *eigen,
                                 StickArnoldiReport *report)
{
    *report = (StickArnoldiReport){0};
    STICK_TRY(check_circle(arnoldi->ctx, center, radius));
    Window window = {arnoldi, center, radius, *options, report, {0}, false};
    window.options.krylov.basis = 0;
    StickStatus status = find_proved(&window);
    if (status == STICK_OK)
        status = take_inside(&window, eigen);
    stick_eigen_destroy(arnoldi->ctx, &window.found);
    return status;
}
