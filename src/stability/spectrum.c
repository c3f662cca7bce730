// SPDX-License-Identifier: Apache-2.0
#include "stability/spectrum.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/sparse_product.h"
#include "stability/eigenvalue_error.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PROPORTIONAL = 1e-12; // of C* that M* and K* may leave
static const double LOW = 1e-8;    // of the largest stiffness over mass: |Lambda| that may have no stiffness
static const double SURE = 1e-6;   // of the same: |Im Lambda| beyond which rounding did not make it
static const double ASIDE = 0.013; // of the radius: centre of a window, for K* may be singular
static const double NEAR_ZERO =
    1e-8;                           // of the size of K* over that of M*: where the lowest are looked for ...
static const double FARTHER = 1e3;  // ... and from there again, while that is too near to zero
static const double BEYOND = 1.001; // of the farthest of the lowest

StickSpectrumOptions stick_spectrum_default(void)
{
    return (StickSpectrumOptions){.most = 1500, .proof = STICK_ARNOLDI_REPEAT, .growth = 1e-8};
}

bool stick_spectrum_is_few(const StickSpectrumOptions *options, int count)
{
    return count > 0 && count <= options->most / 2;
}

void stick_spectrum_destroy(StickContext *ctx, StickSpectrum *spectrum)
{
    stick_free(ctx, spectrum->mode);
    stick_free(ctx, spectrum->vector);
    *spectrum = (StickSpectrum){0};
}

const StickMode *stick_spectrum_first(const StickSpectrum *spectrum, StickModeKind kind)
{
    for (int k = 0; k < spectrum->count; k++)
        if (spectrum->mode[k].kind == kind)
            return &spectrum->mode[k];
    return NULL;
}

// ---- roots

double complex stick_spectrum_root(double complex Lambda, double alpha, double beta)
{
    double complex half = (alpha + beta * Lambda) / 2, root = csqrt(half * half - Lambda);
    double complex first = -half + root, second = -half - root;
    // The smaller of two roots of one sign is a difference of near numbers: their product is Lambda.
    if (cabs(first) < cabs(second))
        first = Lambda / second;
    else if (cabs(second) > 0)
        second = Lambda / first;
    bool upper =
        creal(first) > creal(second) || (creal(first) == creal(second) && cimag(first) >= cimag(second));
    return upper ? first : second;
}

// ---- C* = alpha M* + beta K*

static double inner(const StickSparse *A, const StickSparse *B)
{
    double sum = 0;
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            int other = stick_sparse_find(B, A->row[k], j);
            sum += other < 0 ? 0 : A->value[k] * B->value[other];
        }
    return sum;
}

static StickStatus rest_of(StickContext *ctx, const StickReduced *r, double alpha, double beta, double *rest)
{
    StickSparse first, second;
    STICK_TRY(stick_sparse_sum(ctx, 1, &r->C, -alpha, &r->M, &first));
    StickStatus status = stick_sparse_sum(ctx, 1, &first, -beta, &r->K, &second);
    stick_sparse_destroy(ctx, &first);
    STICK_TRY(status);
    *rest = sqrt(inner(&second, &second));
    stick_sparse_destroy(ctx, &second);
    return STICK_OK;
}

// Least squares over the entries, M* and K* scaled to length 1.
static StickStatus find_damping(StickContext *ctx, const StickReduced *r, StickSpectrum *spectrum)
{
    double m = sqrt(inner(&r->M, &r->M)), k = sqrt(inner(&r->K, &r->K)), c = sqrt(inner(&r->C, &r->C));
    double mk = inner(&r->M, &r->K) / (m * k), cm = inner(&r->C, &r->M) / m, ck = inner(&r->C, &r->K) / k;
    double determinant = 1 - mk * mk, rest;
    spectrum->damping = c > 0 ? STICK_DAMPING_GENERAL : STICK_DAMPING_NONE;
    if (!(c > 0) || !(determinant > PROPORTIONAL))
        return STICK_OK;
    double alpha = (cm - mk * ck) / determinant / m, beta = (ck - mk * cm) / determinant / k;
    // a remainder of C* from one term alone counts as rounding
    if (fabs(alpha) * m <= PROPORTIONAL * c)
        alpha = 0;
    if (fabs(beta) * k <= PROPORTIONAL * c)
        beta = 0;
    STICK_TRY(rest_of(ctx, r, alpha, beta, &rest));
    if (rest <= PROPORTIONAL * c) {
        spectrum->damping = STICK_DAMPING_PROPORTIONAL;
        spectrum->alpha = alpha;
        spectrum->beta = beta;
    }
    return STICK_OK;
}

// ---- eigenvalues

typedef struct Solve {
    StickContext *ctx;
    const StickReduced *reduced;
    const StickSpectrumOptions *options;
    double *dense; // M*, K*, and C* where there is a part of it that is not proportional
    StickEigen eigen;
    StickEigenvalueError *noise;         // NULL until needed
    StickEigenvalueErrorReport *rounded; // of every eigenvalue
    StickSpectrum made;
} Solve;

static bool is_quadratic(const Solve *solve)
{
    return solve->made.damping == STICK_DAMPING_GENERAL;
}

// In the quadratic problem a pair of lambda is one oscillation, represented by the one above the real axis.
static bool stands_for_itself(const Solve *solve, double complex value)
{
    return !is_quadratic(solve) || cimag(value) >= 0;
}

static StickStatus solve_dense(Solve *solve)
{
    const StickReduced *r = solve->reduced;
    size_t n = (size_t)r->n, square = n * n;
    int order = is_quadratic(solve) ? 2 * r->n : r->n;
    STICK_CHECK(solve->ctx, order <= solve->options->most, STICK_BAD_INPUT,
                "all modes of %d degrees of freedom take dense matrices of order %d, more than %d: "
                "request the lowest modes, or the modes up to a frequency",
                r->n, order, solve->options->most);
    STICK_ALLOC(solve->ctx, solve->dense, (is_quadratic(solve) ? 3 : 2) * square);
    double *M = solve->dense, *K = M + square, *C = K + square;
    stick_eigen_fill(&r->M, M);
    stick_eigen_fill(&r->K, K);
    solve->made.complete = true;
    if (!is_quadratic(solve))
        return stick_eigen_pencil(solve->ctx, r->n, K, M, &solve->eigen);
    stick_eigen_fill(&r->C, C);
    return stick_eigen_quadratic(solve->ctx, r->n, M, C, K, &solve->eigen);
}

// Search region of eigenvalues. If it starts at zero, the centre is moved slightly off it, and the circle is larger
// by this distance.
typedef struct Circle {
    double complex center;
    double radius;
} Circle;

static Circle around_zero(double radius)
{
    return (Circle){ASIDE * radius, (1 + ASIDE) * radius};
}

static Circle window_of(const Solve *solve)
{
    double low = 2 * STICK_PI * solve->options->lowest, high = 2 * STICK_PI * solve->options->highest;
    if (is_quadratic(solve) && low > 0)
        return (Circle){I * (low + high) / 2, (high - low) / 2};
    if (is_quadratic(solve))
        return around_zero(high);
    low *= low;
    high *= high;
    return low > 0 ? (Circle){(low + high) / 2, (high - low) / 2} : around_zero(high);
}

static double size_of(const StickSparse *A)
{
    return sqrt(inner(A, A));
}

// The distance from zero that contains the requested number of modes. If the shift is so close to some eigenvalues
// that the others are not found, it is increased.
static StickStatus find_reach(const Solve *solve, StickArnoldi *arnoldi, const StickArnoldiOptions *options,
                              double *reach)
{
    const StickReduced *r = solve->reduced;
    double size = size_of(&r->K) / size_of(&r->M), shift = NEAR_ZERO * size;
    for (int count = 0; count < solve->options->count; shift *= FARTHER) {
        StickEigen found;
        StickArnoldiReport report;
        STICK_TRY(stick_arnoldi_nearest(arnoldi, is_quadratic(solve) ? sqrt(shift) : shift, options, &found,
                                        &report));
        *reach = 0;
        for (int k = count = 0; k < found.count; k++) {
            count += stands_for_itself(solve, found.value[k]);
            *reach = fmax(*reach, BEYOND * cabs(found.value[k]));
        }
        stick_eigen_destroy(solve->ctx, &found);
        STICK_CHECK(solve->ctx, count >= solve->options->count || shift <= size, STICK_NOT_SOLVED,
                    "%d modes requested, %d found; request the modes up to a frequency instead",
                    solve->options->count, count);
    }
    return STICK_OK;
}

static StickStatus find_lowest(Solve *solve, StickArnoldi *arnoldi, StickArnoldiOptions *options)
{
    StickArnoldiReport report;
    double reach;
    options->krylov.count = (is_quadratic(solve) ? 2 : 1) * solve->options->count;
    STICK_TRY(find_reach(solve, arnoldi, options, &reach));
    Circle circle = around_zero(reach);
    options->krylov.count += 5;
    solve->made.highest = (is_quadratic(solve) ? reach : sqrt(reach)) / (2 * STICK_PI);
    return stick_arnoldi_window(arnoldi, circle.center, circle.radius, options, &solve->eigen, &report);
}

static StickStatus find_window(Solve *solve, StickArnoldi *arnoldi, StickArnoldiOptions *options)
{
    StickArnoldiReport report;
    Circle circle = window_of(solve);
    options->krylov.count = 20;
    solve->made.lowest = solve->options->lowest;
    solve->made.highest = solve->options->highest;
    return stick_arnoldi_window(arnoldi, circle.center, circle.radius, options, &solve->eigen, &report);
}

static StickStatus solve_sparse(Solve *solve)
{
    const StickReduced *r = solve->reduced;
    StickArnoldi *arnoldi;
    StickArnoldiOptions options = stick_arnoldi_default();
    options.proof = solve->options->proof;
    STICK_TRY(stick_arnoldi_create(solve->ctx, &r->K, is_quadratic(solve) ? &r->C : NULL, &r->M, &arnoldi));
    StickStatus status = solve->options->highest > 0 ? find_window(solve, arnoldi, &options)
                                                     : find_lowest(solve, arnoldi, &options);
    stick_arnoldi_destroy(arnoldi);
    return status;
}

static bool takes_dense(const Solve *solve)
{
    int order = is_quadratic(solve) ? 2 * solve->reduced->n : solve->reduced->n;
    bool few = stick_spectrum_is_few(solve->options, solve->options->count);
    return solve->options->highest == 0 && !(few && order > solve->options->most);
}

static StickStatus check_mass(const Solve *solve)
{
    const StickReduced *r = solve->reduced;
    for (int j = 0; j < r->n; j++) {
        double largest = 0;
        for (int k = r->M.start[j]; k < r->M.start[j + 1]; k++)
            largest = fmax(largest, fabs(r->M.value[k]));
        if (largest > 0)
            return STICK_OK;
    }
    return stick_fail(solve->ctx, STICK_BAD_INPUT, "M* is zero: no free degree of freedom has a mass");
}

// ---- rounding

// About the largest Lambda without damping: of motions of a single unknown the one with most stiffness over mass.
static double largest_quotient(const StickReduced *r)
{
    double largest = 0;
    for (int j = 0; j < r->n; j++) {
        int m = stick_sparse_find(&r->M, j, j), k = stick_sparse_find(&r->K, j, j);
        if (m >= 0 && k >= 0 && r->M.value[m] > 0)
            largest = fmax(largest, r->K.value[k] / r->M.value[m]);
    }
    return largest;
}

static bool is_low(const Solve *solve, double complex value, double largest)
{
    double size = cabs(value);
    return (is_quadratic(solve) ? size * size : size) <= LOW * largest;
}

// Whether rounding may have changed the quantity that decides the kind of a mode: its growth with damping, else the
// imaginary part of Lambda. An imaginary part far above the root of eps is hardly affected by rounding.
static bool is_in_doubt(const Solve *solve, double complex value, double largest)
{
    if (is_low(solve, value, largest))
        return true;
    if (is_quadratic(solve))
        return creal(value) > solve->options->growth * cabs(value);
    return cimag(value) != 0 && fabs(cimag(value)) <= SURE * largest;
}

static StickStatus measure_noise(Solve *solve, int k)
{
    const StickReduced *r = solve->reduced;
    if (!solve->noise)
        STICK_TRY(stick_eigenvalue_error_create(solve->ctx, &r->K, is_quadratic(solve) ? &r->C : NULL, &r->M,
                                                &solve->noise));
    return stick_eigenvalue_error_measure(solve->noise, solve->eigen.value[k],
                                          solve->eigen.vector + (size_t)k * (size_t)solve->eigen.n,
                                          &solve->rounded[k]);
}

static StickStatus find_noise(Solve *solve)
{
    double largest = largest_quotient(solve->reduced);
    const double complex *value = solve->eigen.value;
    STICK_ALLOC(solve->ctx, solve->rounded, solve->eigen.count);
    for (int k = 0; k < solve->eigen.count; k++) {
        if (!is_in_doubt(solve, value[k], largest))
            continue;
        // the two of a pair are rounded alike
        if (k > 0 && cimag(value[k]) != 0 && value[k] == conj(value[k - 1]))
            solve->rounded[k] = solve->rounded[k - 1];
        else
            STICK_TRY(measure_noise(solve, k));
        solve->rounded[k].neutral = solve->rounded[k].neutral && is_low(solve, value[k], largest);
    }
    return STICK_OK;
}

// ---- modes

static double complex lambda_of(const Solve *solve, double complex value)
{
    const StickSpectrum *made = &solve->made;
    if (is_quadratic(solve))
        return value;
    return stick_spectrum_root(value, made->alpha, made->beta);
}

// |d lambda / d Lambda| of a root
static double slope_of(const Solve *solve, const StickMode *mode)
{
    double alpha = solve->made.alpha, beta = solve->made.beta;
    double below = cabs(2 * mode->lambda + alpha + beta * mode->Lambda);
    return below > 0 ? cabs(1 + beta * mode->lambda) / below : 0;
}

static StickModeKind kind_of(const Solve *solve, const StickMode *mode,
                             const StickEigenvalueErrorReport *rounded)
{
    double slope = is_quadratic(solve) ? 1 : slope_of(solve, mode);
    double noise = fmax(solve->options->growth * cabs(mode->lambda), slope * rounded->value);
    if (rounded->neutral)
        return STICK_MODE_NEUTRAL;
    if (!(mode->growth > noise))
        return STICK_MODE_OSCILLATES;
    return fabs(cimag(mode->lambda)) > noise ? STICK_MODE_FLUTTER : STICK_MODE_DIVERGES;
}

static StickMode make_mode(const Solve *solve, int k)
{
    double complex value = solve->eigen.value[k];
    const StickEigenvalueErrorReport *rounded = &solve->rounded[k];
    if (!is_quadratic(solve) && fabs(cimag(value)) <= rounded->value)
        value = creal(value);
    StickMode mode = {.residual = solve->eigen.residual[k], .lambda = lambda_of(solve, value)};
    mode.Lambda = is_quadratic(solve) ? -value * value : value;
    mode.noise = (is_quadratic(solve) ? 2 * cabs(value) : 1) * rounded->value;
    mode.growth = creal(mode.lambda);
    mode.frequency = fabs(cimag(mode.lambda)) / (2 * STICK_PI);
    mode.kind = kind_of(solve, &mode, rounded);
    return mode;
}

typedef struct Place {
    StickMode mode;
    double order; // by which modes are counted
    int from;
} Place;

static Place make_place(const Solve *solve, int k)
{
    Place place = {.mode = make_mode(solve, k), .from = k};
    place.order = is_quadratic(solve) ? cabs(place.mode.Lambda) : creal(place.mode.Lambda);
    return place;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
    const Place *a = left, *b = right;
    int order = compare(a->order, b->order);
    if (order == 0)
        order = compare(fabs(cimag(a->mode.Lambda)), fabs(cimag(b->mode.Lambda)));
    return order ? order : compare(a->from, b->from);
}

// Circles that begin at zero are larger than the requested window; growing modes are listed even outside the window.
static bool is_listed(const Solve *solve, const StickMode *mode)
{
    double highest = 2 * STICK_PI * solve->made.highest;
    return solve->made.complete || solve->made.lowest > 0 || mode->kind == STICK_MODE_FLUTTER ||
           mode->kind == STICK_MODE_DIVERGES || cabs(mode->Lambda) <= highest * highest;
}

static void fill(const Solve *solve, Place *place, StickSpectrum *made)
{
    size_t n = (size_t)solve->eigen.n;
    int count = 0;
    for (int k = 0; k < solve->eigen.count; k++) {
        place[count] = make_place(solve, k);
        count += stands_for_itself(solve, solve->eigen.value[k]) && is_listed(solve, &place[count].mode);
    }
    qsort(place, (size_t)count, sizeof *place, compare_places);
    made->count = count;
    for (int k = 0; k < count; k++) {
        made->mode[k] = place[k].mode;
        made->mode[k].number = k + 1;
        memcpy(made->vector + (size_t)k * n, solve->eigen.vector + (size_t)place[k].from * n,
               n * sizeof *made->vector);
    }
}

static StickStatus take_modes(Solve *solve)
{
    StickSpectrum *made = &solve->made;
    Place *place;
    size_t n = (size_t)solve->eigen.n, count = (size_t)solve->eigen.count;
    made->n = solve->eigen.n;
    made->infinite = solve->eigen.infinite;
    made->rcond = solve->eigen.rcond;
    STICK_ALLOC(solve->ctx, made->mode, count);
    STICK_ALLOC(solve->ctx, made->vector, n * count);
    STICK_ALLOC(solve->ctx, place, count);
    fill(solve, place, made);
    stick_free(solve->ctx, place);
    return STICK_OK;
}

static StickStatus run(Solve *solve)
{
    const StickReduced *r = solve->reduced;
    STICK_TRY(check_mass(solve));
    if (r->damped && !solve->options->undamped)
        STICK_TRY(find_damping(solve->ctx, r, &solve->made));
    STICK_TRY(takes_dense(solve) ? solve_dense(solve) : solve_sparse(solve));
    STICK_TRY(find_noise(solve));
    return take_modes(solve);
}

StickStatus stick_spectrum_create(StickContext *ctx, const StickReduced *reduced,
                                  const StickSpectrumOptions *options, StickSpectrum *spectrum)
{
    Solve solve = {.ctx = ctx, .reduced = reduced, .options = options};
    STICK_CHECK(ctx, options->highest >= 0 && isfinite(options->highest), STICK_USAGE,
                "modes up to a frequency of %g", options->highest);
    STICK_CHECK(ctx, options->lowest == 0 || (options->lowest > 0 && options->lowest < options->highest),
                STICK_USAGE, "modes from a frequency of %g up to %g", options->lowest, options->highest);
    StickStatus status = run(&solve);
    stick_free(ctx, solve.dense);
    stick_free(ctx, solve.rounded);
    stick_eigenvalue_error_destroy(solve.noise);
    stick_eigen_destroy(ctx, &solve.eigen);
    if (status == STICK_OK)
        *spectrum = solve.made;
    else
        stick_spectrum_destroy(ctx, &solve.made);
    return status;
}
