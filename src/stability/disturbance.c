// SPDX-License-Identifier: Apache-2.0
#include "stability/disturbance.h"

#include "base/memory.h"
#include "base/random.h"
#include "linalg/factor.h"
#include "linalg/pencil.h"
#include "linalg/sparse_product.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 8 };                    // of inverse iteration, at most
static const double ASIDE = 1e-7;       // of the eigenvalue: the shift of inverse iteration
static const double GOOD = 1e-12;       // residual at which it ends ...
static const double ENOUGH = 1e-9;      // ... and with which a left vector may be used
static const double SINGLE = 1e-8;      // least part of w' P'(lambda) A: of a double root nothing is left
static const double SAME_GROWTH = 1e-8; // growth rates that differ by less are one

void stick_disturbance_destroy(StickContext *ctx, StickDisturbance *disturbance)
{
    stick_free(ctx, disturbance->shape);
    stick_free(ctx, disturbance->left_d);
    stick_free(ctx, disturbance->left_rate);
    *disturbance = (StickDisturbance){0};
}

// ---- the mode

static int find_mode(const StickSpectrum *spectrum, int number)
{
    int found = -1;
    for (int k = 0; k < spectrum->count; k++) {
        const StickMode *mode = &spectrum->mode[k];
        bool grows = mode->kind == STICK_MODE_FLUTTER || mode->kind == STICK_MODE_DIVERGES;
        if (number > 0 ? mode->number == number
                       : grows && (found < 0 || mode->growth > spectrum->mode[found].growth))
            found = k;
    }
    return found;
}

// Where nothing grows: the first of those that decay least.
static int find_slowest(const StickSpectrum *spectrum)
{
    int found = -1;
    double least = -INFINITY;
    for (int k = 0; k < spectrum->count; k++) {
        const StickMode *mode = &spectrum->mode[k];
        if (mode->kind != STICK_MODE_OSCILLATES || mode->growth <= least)
            continue;
        found = k;
        least = mode->growth + SAME_GROWTH * fabs(mode->growth);
    }
    return found;
}

static StickStatus choose_mode(StickContext *ctx, const StickSpectrum *spectrum, int number, int *found)
{
    *found = find_mode(spectrum, number);
    if (*found < 0 && number == 0) {
        *found = find_slowest(spectrum);
        STICK_CHECK(ctx, *found >= 0, STICK_BAD_INPUT,
                    "no mode grows or oscillates in this state: there is no mode for a disturbance");
        stick_warn(
            ctx,
            "no mode grows in this state, so the disturbance should not grow either: mode %d is followed",
            spectrum->mode[*found].number);
    }
    STICK_CHECK(ctx, *found >= 0, STICK_BAD_INPUT, "there is no mode %d: modes found are %d", number,
                spectrum->count);
    STICK_CHECK(ctx, spectrum->mode[*found].kind != STICK_MODE_NEUTRAL, STICK_BAD_INPUT,
                "mode %d has no stiffness: it neither oscillates nor grows", spectrum->mode[*found].number);
    return STICK_OK;
}

// ---- the left vector

typedef struct Left {
    StickContext *ctx;
    const StickReduced *reduced;
    StickSparse Mt, Ct, Kt;
    StickPencil *pencil; // of the transposed matrices
    double complex *z;   // two vectors of the pencil's operator
    double complex *w;   // n
    double residual;
} Left;

static StickStatus transpose(Left *left, bool quadratic)
{
    const StickReduced *r = left->reduced;
    STICK_TRY(stick_sparse_transpose(left->ctx, &r->M, &left->Mt));
    STICK_TRY(stick_sparse_transpose(left->ctx, &r->K, &left->Kt));
    if (quadratic)
        STICK_TRY(stick_sparse_transpose(left->ctx, &r->C, &left->Ct));
    return stick_pencil_create(left->ctx, &left->Kt, quadratic ? &left->Ct : NULL, &left->Mt, &left->pencil);
}

static void scale_to_one(double complex *z, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, cabs(z[i]));
    for (int i = 0; i < n && largest > 0; i++)
        z[i] /= largest;
}

// Inverse iteration with a shift next to the known eigenvalue.
static StickStatus iterate(Left *left, double complex value)
{
    int length = stick_pencil_length(left->pencil);
    double complex *z = left->z, *next = left->z + length;
    StickRandom random = stick_random_seed(11);
    for (int i = 0; i < length; i++)
        z[i] = stick_random_uniform(&random, -1, 1);
    STICK_TRY(stick_pencil_factor(left->pencil, value * (1 + ASIDE)));
    for (int k = 0; k < SWEEPS; k++) {
        STICK_TRY(stick_pencil_apply(left->pencil, z, next));
        scale_to_one(next, length);
        memcpy(z, next, (size_t)length * sizeof *z);
        stick_pencil_take(left->pencil, value, z, left->w);
        left->residual = stick_pencil_residual(left->pencil, value, left->w);
        if (left->residual <= GOOD)
            break;
    }
    STICK_CHECK(left->ctx, left->residual <= ENOUGH, STICK_NOT_SOLVED,
                "the left vector of a mode was not found: residual %.1e; other modes are too near",
                left->residual);
    return STICK_OK;
}

static StickStatus find_left(Left *left, const StickSpectrum *spectrum, const StickMode *mode)
{
    bool quadratic = spectrum->damping == STICK_DAMPING_GENERAL;
    STICK_TRY(transpose(left, quadratic));
    STICK_ALLOC(left->ctx, left->z, 2 * stick_pencil_length(left->pencil));
    STICK_ALLOC(left->ctx, left->w, left->reduced->n);
    return iterate(left, quadratic ? mode->lambda : mode->Lambda);
}

static void drop_left(Left *left)
{
    stick_sparse_destroy(left->ctx, &left->Mt);
    stick_sparse_destroy(left->ctx, &left->Ct);
    stick_sparse_destroy(left->ctx, &left->Kt);
    stick_pencil_destroy(left->pencil);
    stick_free(left->ctx, left->z);
    stick_free(left->ctx, left->w);
}

// ---- both on all degrees of freedom

// y += factor A' x
static void add_transposed(const StickSparse *A, double complex factor, const double complex *x,
                           double complex *y)
{
    for (int j = 0; j < A->cols; j++) {
        double complex sum = 0;
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            sum += A->value[k] * x[A->row[k]];
        y[j] += factor * sum;
    }
}

typedef struct Spread {
    StickContext *ctx;
    const StickReduced *reduced;
    StickSparse ZZ;
    StickFactor *factor; // of Z'Z
    double *part;        // n
    double *whole;       // ndofs
} Spread;

// y (ndofs) = Z (Z'Z)^-1 x, so that y . (Z u) = x . u
static StickStatus spread_left(Spread *s, const double complex *x, double complex *y)
{
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < s->reduced->n; i++)
            s->part[i] = side ? cimag(x[i]) : creal(x[i]);
        STICK_TRY(stick_factor_solve(s->factor, s->part, 1, s->part));
        stick_reduced_expand(s->reduced, s->part, s->whole);
        for (int i = 0; i < s->reduced->Z.rows; i++)
            y[i] = side ? y[i] + I * s->whole[i] : s->whole[i];
    }
    return STICK_OK;
}

static StickStatus make_spread(Spread *s)
{
    StickSparse Zt;
    STICK_ALLOC(s->ctx, s->part, s->reduced->n);
    STICK_ALLOC(s->ctx, s->whole, s->reduced->Z.rows);
    STICK_TRY(stick_sparse_transpose(s->ctx, &s->reduced->Z, &Zt));
    StickStatus status = stick_sparse_product(s->ctx, &Zt, &s->reduced->Z, &s->ZZ);
    stick_sparse_destroy(s->ctx, &Zt);
    STICK_TRY(status);
    STICK_TRY(stick_factor_create(s->ctx, &s->ZZ, &s->factor));
    return stick_factor_refactor(s->factor, &s->ZZ);
}

static void drop_spread(Spread *s)
{
    stick_factor_destroy(s->factor);
    stick_sparse_destroy(s->ctx, &s->ZZ);
    stick_free(s->ctx, s->part);
    stick_free(s->ctx, s->whole);
}

// Normalises the largest component of A to 1: a change of phase does not matter.
static void normalise(StickDisturbance *made)
{
    double complex largest = 0;
    for (int i = 0; i < made->n; i++)
        if (cabs(made->shape[i]) > cabs(largest) * (1 + 1e-12))
            largest = made->shape[i];
    for (int i = 0; i < made->n && cabs(largest) > 0; i++)
        made->shape[i] /= largest;
}

// For a real motion, an oscillation and its conjugate, each has half of it.
static StickStatus scale_left(StickContext *ctx, StickDisturbance *made)
{
    double complex lambda = made->mode.lambda, sum = 0;
    double size = 0;
    for (int i = 0; i < made->n; i++) {
        double complex of_d = made->left_d[i] * made->shape[i],
                       of_rate = lambda * made->left_rate[i] * made->shape[i];
        sum += of_d + of_rate;
        size += cabs(of_d) + cabs(of_rate);
    }
    STICK_CHECK(ctx, cabs(sum) > SINGLE * size, STICK_BAD_INPUT,
                "mode %d is a double root: its growth cannot be separated from that of the other mode",
                made->mode.number);
    bool oscillates = fabs(cimag(lambda)) > SINGLE * cabs(lambda);
    double complex factor = (oscillates ? 2 : 1) / sum;
    for (int i = 0; i < made->n; i++) {
        made->left_d[i] *= factor;
        made->left_rate[i] *= factor;
    }
    return STICK_OK;
}

typedef struct Work {
    StickContext *ctx;
    const StickReduced *reduced;
    const StickSpectrum *spectrum;
    Left left;
    Spread spread;
    double complex *room; // 2 n
} Work;

static StickStatus fill(Work *work, int found, bool damped, StickDisturbance *made)
{
    const StickReduced *r = work->reduced;
    size_t n = (size_t)r->n, ndofs = (size_t)r->Z.rows;
    double complex *of_d, *of_rate;
    made->n = r->Z.rows;
    made->mode = work->spectrum->mode[found];
    STICK_TRY(find_left(&work->left, work->spectrum, &made->mode));
    STICK_TRY(make_spread(&work->spread));
    STICK_ALLOC(work->ctx, made->shape, ndofs);
    STICK_ALLOC(work->ctx, made->left_d, ndofs);
    STICK_ALLOC(work->ctx, made->left_rate, ndofs);
    STICK_ALLOC(work->ctx, work->room, 2 * n);
    of_d = work->room;
    of_rate = of_d + n;
    made->left_residual = work->left.residual;
    add_transposed(&r->M, 1, work->left.w, of_rate);
    add_transposed(&r->M, made->mode.lambda, work->left.w, of_d);
    if (damped)
        add_transposed(&r->C, 1, work->left.w, of_d);
    STICK_TRY(spread_left(&work->spread, of_d, made->left_d));
    STICK_TRY(spread_left(&work->spread, of_rate, made->left_rate));
    stick_reduced_expand_complex(work->spread.reduced, work->spectrum->vector + (size_t)found * n,
                                 made->shape);
    normalise(made);
    return scale_left(work->ctx, made);
}

static StickStatus make(StickContext *ctx, const StickReduced *reduced, const StickSpectrum *spectrum,
                        int number, StickDisturbance *made)
{
    int found;
    bool damped = reduced->damped && spectrum->damping != STICK_DAMPING_NONE;
    STICK_TRY(choose_mode(ctx, spectrum, number, &found));
    Work work = {.ctx = ctx, .reduced = reduced, .spectrum = spectrum};
    work.left = (Left){.ctx = ctx, .reduced = reduced};
    work.spread = (Spread){.ctx = ctx, .reduced = reduced};
    StickStatus status = fill(&work, found, damped, made);
    drop_left(&work.left);
    drop_spread(&work.spread);
    stick_free(ctx, work.room);
    return status;
}

StickStatus stick_disturbance_create(StickContext *ctx, const StickReduced *reduced,
                                     const StickSpectrumOptions *options, int number,
                                     StickDisturbance *disturbance)
{
    StickSpectrum spectrum;
    StickDisturbance made = {0};
    STICK_TRY(stick_spectrum_create(ctx, reduced, options, &spectrum));
    StickStatus status = make(ctx, reduced, &spectrum, number, &made);
    stick_spectrum_destroy(ctx, &spectrum);
    if (status == STICK_OK)
        *disturbance = made;
    else
        stick_disturbance_destroy(ctx, &made);
    return status;
}

// ---- use

double complex stick_disturbance_measure(const StickDisturbance *disturbance, const double *d,
                                         const double *rate)
{
    double complex a = 0;
    for (int i = 0; i < disturbance->n; i++)
        a += disturbance->left_d[i] * d[i] + disturbance->left_rate[i] * rate[i];
    return a;
}

StickStatus stick_disturbance_random(StickContext *ctx, const StickReduced *reduced, uint64_t seed, double *d)
{
    StickRandom random = stick_random_seed(seed);
    double *active, largest = 0;
    STICK_ALLOC(ctx, active, reduced->n);
    for (int i = 0; i < reduced->n; i++)
        active[i] = stick_random_uniform(&random, -1, 1);
    stick_reduced_expand(reduced, active, d);
    stick_free(ctx, active);
    for (int i = 0; i < reduced->Z.rows; i++)
        largest = fmax(largest, fabs(d[i]));
    for (int i = 0; i < reduced->Z.rows && largest > 0; i++)
        d[i] /= largest;
    return STICK_OK;
}
