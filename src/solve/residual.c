// SPDX-License-Identifier: Apache-2.0
#include "solve/residual.h"

#include "base/memory.h"
#include "base/pool.h"
#include "solve/problem.h"
#include "solve/section.h"

#include <float.h>

void stick_residual_velocity(const StickFrictionProblem *problem, const double *r, double *u)
{
    stick_friction_apply(problem, r, u);
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        u[i] += problem->u_free[i];
}

// Largest values over the contacts.
typedef struct Most {
    double penetration, u;
    double contact; // squared, as is ...
    double rounded; // ... that of contacts whose error is no more than round-off
    int worst;
} Most;

double stick_residual_drive(const StickFrictionProblem *problem)
{
    double largest = 0;
    const double *u_free = problem->u_free;
    if (problem->velocity_scale)
        return 0;
    for (int c = 0; c < problem->ncontacts; c++, u_free += problem->dim)
        largest = fmax(largest, stick_sums_square(problem->dim, u_free));
    return largest;
}

// The square of the round-off in u of contact c, from W, r and their product of n terms:
// 4 sqrt(n) eps sum_j |W_cj| |r_j|, entry by entry
static double round_off(const StickBlocks *W, int c, const double *r)
{
    int d = W->d;
    double sum[3] = {0};
    for (int k = W->start[c]; k < W->start[c + 1]; k++)
        for (int e = 0; e < d * d; e++)
            sum[e / d] += fabs(W->value[(size_t)k * (size_t)(d * d) + (size_t)e] * r[d * W->col[k] + e % d]);
    double terms = d * (W->start[c + 1] - W->start[c]);
    return 16 * terms * DBL_EPSILON * DBL_EPSILON * stick_sums_square(d, sum);
}

double stick_residual_round_off(const StickFrictionProblem *problem, const double *r, const double *u)
{
    double drive = stick_residual_drive(problem), largest = 0;
    for (int c = 0; problem->W && c < problem->ncontacts; c++) {
        double V = fmax(stick_residual_scale(problem, c, drive),
                        stick_sums_square(problem->dim, u + problem->dim * c));
        largest = V > 0 ? fmax(largest, round_off(problem->W, c, r) / V) : largest;
    }
    return sqrt(largest);
}

// Errors of contacts above this one are compared with round-off; squared.
static const double judged = 1e-11 * 1e-11;

// Of contacts from ... to - 1; all_r is that of all contacts, u that of the first of these.
static inline __attribute__((always_inline)) void add_contacts(int dim, const StickFrictionProblem *problem,
                                                               int from, int to, double drive,
                                                               const double *all_r, const double *u,
                                                               StickMeasures *sums, Most *most)
{
    const double *u_free = problem->u_free + (size_t)dim * (size_t)from,
                 *r = all_r + (size_t)dim * (size_t)from;
    for (int c = from; c < to; c++, u_free += dim, r += dim, u += dim) {
        double mu = dim == 1 ? 0 : problem->mu[c], s = sqrt(stick_friction_weight(problem, c)), defect;
        most->penetration = fmax(most->penetration, -u[0]);
#pragma GCC unroll 3
        for (int k = 0; k < dim; k++)
            most->u = fmax(most->u, fmax(fabs(u[k]), fabs(u_free[k])));
        const StickSection *section = stick_section_of(problem, c);
        if (section) {
            stick_section_sums_add(section, 1, r, u, &sums->shared);
            defect = stick_section_sums_add(section, s, r, u, &sums->scale_free);
        } else {
            stick_sums_add(dim, mu, 1, r, u, &sums->shared);
            defect = stick_sums_add(dim, mu, s, r, u, &sums->scale_free);
        }
        double before = most->contact;
        stick_sums_raise(dim, defect, s * s, stick_residual_scale(problem, c, drive), r, u, &most->contact);
        if (most->contact > before) {
            bool is_lost =
                most->contact > judged && problem->W && defect * s * s <= round_off(problem->W, c, all_r);
            most->rounded = is_lost ? fmax(most->rounded, most->contact) : most->rounded;
            most->worst = is_lost ? most->worst : c;
            most->contact = is_lost ? before : most->contact;
        }
        stick_sums_add_free(dim, 1, u_free, &sums->shared);
        stick_sums_add_free(dim, s, u_free, &sums->scale_free);
    }
}

StickResidual stick_residual_of(const StickMeasures *sums)
{
    const StickSums *scale_free = &sums->scale_free;
    double lost = scale_free->r * DBL_EPSILON * DBL_EPSILON;
    return (StickResidual){
        .shared = stick_sums_error(&sums->shared),
        .scale_free = stick_sums_error(scale_free),
        .velocity = stick_sums_relative(scale_free->defect + lost, fmax(scale_free->u_free, scale_free->u)),
        .contact = sqrt(sums->contact),
        .worst = -1,
    };
}

static void add_range(const StickFrictionProblem *problem, int from, int to, double drive, const double *r,
                      const double *u, StickMeasures *sums, Most *most)
{
    size_t first = (size_t)problem->dim * (size_t)from;
    if (problem->dim == 1)
        add_contacts(1, problem, from, to, drive, r, u + first, sums, most);
    else if (problem->dim == 2)
        add_contacts(2, problem, from, to, drive, r, u + first, sums, most);
    else
        add_contacts(3, problem, from, to, drive, r, u + first, sums, most);
}

static StickResidual residual_from(const StickMeasures *sums, const Most *most)
{
    StickResidual residual = stick_residual_of(sums);
    residual.penetration = most->u > 0 ? most->penetration / most->u : 0;
    residual.contact = sqrt(most->contact);
    residual.worst = most->worst;
    residual.rounded = sqrt(most->rounded);
    return residual;
}

StickResidual stick_residual(const StickFrictionProblem *problem, const double *r, const double *u)
{
    StickMeasures sums = {0};
    Most most = {.worst = -1};
    add_range(problem, 0, problem->ncontacts, stick_residual_drive(problem), r, u, &sums, &most);
    return residual_from(&sums, &most);
}

// ---- by pieces

struct StickResidualPiece {
    StickMeasures sums;
    Most most;
};

typedef struct Asked {
    const StickFrictionProblem *problem;
    const double *r, *u;
    double *product; // u, where it is computed
    StickResidualPiece *piece;
    double drive;
} Asked;

StickStatus stick_residual_reserve(StickContext *ctx, const StickFrictionProblem *problem,
                                   StickResidualPieces *pieces)
{
    pieces->ctx = ctx;
    STICK_RESERVE(ctx, pieces->piece, pieces->room, stick_piece_count(problem->ncontacts));
    return STICK_OK;
}

void stick_residual_release(StickResidualPieces *pieces)
{
    if (pieces->ctx)
        stick_free(pieces->ctx, pieces->piece);
    *pieces = (StickResidualPieces){0};
}

// Measures the range right after the product, while the blocks of its contacts are still in the cache.
static void measure_range(void *data, int from, int to)
{
    const Asked *asked = data;
    const StickFrictionProblem *problem = asked->problem;
    StickResidualPiece piece = {.most = {.worst = -1}};
    if (asked->product) {
        stick_blocks_apply(problem->W, from, to, asked->r, asked->product);
        for (int i = problem->dim * from; i < problem->dim * to; i++)
            asked->product[i] += problem->u_free[i];
    }
    add_range(problem, from, to, asked->drive, asked->r, asked->u, &piece.sums, &piece.most);
    asked->piece[from / STICK_PIECE] = piece;
}

static void add_sums(const StickSums *more, StickSums *sum)
{
    sum->defect += more->defect;
    sum->r += more->r;
    sum->u += more->u;
    sum->u_free += more->u_free;
}

static StickResidual add_pieces(const StickResidualPieces *pieces, Asked *asked)
{
    const StickFrictionProblem *problem = asked->problem;
    StickMeasures sums = {0};
    Most most = {.worst = -1};
    asked->piece = pieces->piece;
    asked->drive = stick_residual_drive(problem);
    stick_threads_range(pieces->is_alone ? NULL : pieces->ctx, problem->ncontacts, measure_range, asked);
    for (int k = 0; k < stick_piece_count(problem->ncontacts); k++) {
        const StickResidualPiece *piece = &pieces->piece[k];
        add_sums(&piece->sums.shared, &sums.shared);
        add_sums(&piece->sums.scale_free, &sums.scale_free);
        most.penetration = fmax(most.penetration, piece->most.penetration);
        most.u = fmax(most.u, piece->most.u);
        if (piece->most.contact > most.contact) {
            most.contact = piece->most.contact;
            most.worst = piece->most.worst;
        }
        most.rounded = fmax(most.rounded, piece->most.rounded);
    }
    return residual_from(&sums, &most);
}

StickResidual stick_residual_by_pieces(const StickResidualPieces *pieces, const StickFrictionProblem *problem,
                                       const double *r, const double *u)
{
    return add_pieces(pieces, &(Asked){.problem = problem, .r = r, .u = u});
}

StickResidual stick_residual_measure(const StickResidualPieces *pieces, const StickFrictionProblem *problem,
                                     const double *r, double *u)
{
    return add_pieces(pieces, &(Asked){.problem = problem, .r = r, .u = u, .product = u});
}

double stick_residual_error(StickResidual residual, int measure)
{
    // keeps a value that is not a number
    if (measure == STICK_MEASURE_SHARED || !isfinite(residual.shared))
        return residual.shared;
    return fmax(fmax(residual.shared, residual.scale_free), residual.contact);
}

bool stick_residual_within(StickResidual residual, const StickSolverOptions *options)
{
    double tolerance = options->tolerance;
    if (options->measure == STICK_MEASURE_SHARED)
        return residual.shared <= tolerance && residual.velocity <= 1;
    return residual.shared <= tolerance && residual.scale_free <= tolerance &&
           residual.contact <= tolerance && residual.velocity <= sqrt(tolerance) &&
           residual.penetration <= sqrt(sqrt(tolerance));
}

bool stick_residual_within_whole(StickResidual residual, const StickSolverOptions *options)
{
    residual.contact = 0;
    return stick_residual_within(residual, options);
}
