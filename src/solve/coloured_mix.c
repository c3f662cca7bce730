// SPDX-License-Identifier: Apache-2.0
#include "solve/coloured_mix.h"

#include "base/memory.h"
#include "solve/gram.h"

#include <string.h>

enum { WINDOW = 4, PIECE = 4096, NVECTORS = 3 };

// |f| may grow by this factor before an extrapolation is taken back.
static const double GROWTH = 10;

// Sums over one piece.
typedef struct Sums {
    double size;            // |f|^2
    double product[WINDOW]; // dF_j . dF_newest
    double moment[WINDOW];  // dF_j . f
} Sums;

struct StickColouredMix {
    StickContext *ctx;
    StickColoured *coloured;
    size_t length;
    double *memory, *x, *f, *g; // x: r before the sweep, then the new f; f and g = G(r) of the last step
    double *dF, *dG;            // WINDOW changes
    Sums *sums;                 // of each piece
    StickGram gram;
    int count, newest;
    bool has_last;
    double last_size;
    double weight[WINDOW]; // of the combination
    size_t room, sums_room;
};

StickStatus stick_coloured_mix_create(StickContext *ctx, StickColoured *coloured, StickColouredMix **created)
{
    StickColouredMix *mix;
    STICK_ALLOC(ctx, mix, 1);
    mix->ctx = ctx;
    mix->coloured = coloured;
    *created = mix;
    return STICK_OK;
}

void stick_coloured_mix_destroy(StickColouredMix *mix)
{
    if (!mix)
        return;
    stick_free(mix->ctx, mix->memory);
    stick_free(mix->ctx, mix->sums);
    stick_free(mix->ctx, mix);
}

static int pieces(const StickColouredMix *mix)
{
    return (int)((mix->length + PIECE - 1) / PIECE);
}

StickStatus stick_coloured_mix_reserve(StickColouredMix *mix, const StickFrictionProblem *problem)
{
    mix->length = (size_t)problem->dim * (size_t)problem->ncontacts;
    STICK_RESERVE(mix->ctx, mix->memory, mix->room, (NVECTORS + 2 * WINDOW) * mix->length);
    STICK_RESERVE(mix->ctx, mix->sums, mix->sums_room, pieces(mix));
    mix->x = mix->memory;
    mix->f = mix->x + mix->length;
    mix->g = mix->f + mix->length;
    mix->dF = mix->g + mix->length;
    mix->dG = mix->dF + WINDOW * mix->length;
    return STICK_OK;
}

static void forget(StickColouredMix *mix)
{
    mix->count = 0;
    mix->newest = WINDOW - 1;
    mix->has_last = false;
}

void stick_coloured_mix_start(StickColouredMix *mix)
{
    forget(mix);
}

// ---- pieces

static size_t first_of(int piece)
{
    return (size_t)piece * PIECE;
}

static size_t end_of(const StickColouredMix *mix, int piece)
{
    size_t end = first_of(piece + 1);
    return end < mix->length ? end : mix->length;
}

static void keep_piece(void *data, int piece)
{
    StickColouredMix *mix = data;
    size_t first = first_of(piece);
    memcpy(mix->x + first, stick_coloured_r(mix->coloured) + first,
           (end_of(mix, piece) - first) * sizeof *mix->x);
}

// f = sqrt(w) (G(x) - x), in place of x
static void find_f(void *data, int piece)
{
    StickColouredMix *mix = data;
    const double *r = stick_coloured_r(mix->coloured), *weight = stick_coloured_weight(mix->coloured);
    size_t dim = (size_t)stick_coloured_dim(mix->coloured);
    double sum = 0;
    for (size_t i = first_of(piece); i < end_of(mix, piece); i++) {
        double f = sqrt(weight[i / dim]) * (r[i] - mix->x[i]);
        mix->x[i] = f;
        sum += f * f;
    }
    mix->sums[piece].size = sum;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The changes of f and G(r) in place of the oldest ones, and their products.
static void remember(void *data, int piece)
{
    StickColouredMix *mix = data;
    const double *r = stick_coloured_r(mix->coloured);
    size_t first = first_of(piece), n = end_of(mix, piece) - first;
    double *dF = mix->dF + (size_t)mix->newest * mix->length,
           *dG = mix->dG + (size_t)mix->newest * mix->length;
    for (size_t i = first; i < first + n && mix->has_last; i++) {
        dF[i] = mix->x[i] - mix->f[i];
        dG[i] = r[i] - mix->g[i];
    }
    memcpy(mix->f + first, mix->x + first, n * sizeof *mix->f);
    memcpy(mix->g + first, r + first, n * sizeof *mix->g);
    for (int j = 0; j < mix->count; j++) {
        const double *other = mix->dF + (size_t)j * mix->length + first;
        mix->sums[piece].product[j] = dot(other, dF + first, n);
        mix->sums[piece].moment[j] = dot(other, mix->f + first, n);
    }
}

// r = G(r) - dG g
static void combine(void *data, int piece)
{
    StickColouredMix *mix = data;
    double *r = stick_coloured_r(mix->coloured);
    for (int j = 0; j < mix->count; j++) {
        const double *dG = mix->dG + (size_t)j * mix->length;
        for (size_t i = first_of(piece); i < end_of(mix, piece); i++)
            r[i] -= mix->weight[j] * dG[i];
    }
}

static void go_back(void *data, int piece)
{
    StickColouredMix *mix = data;
    size_t first = first_of(piece);
    memcpy(stick_coloured_r(mix->coloured) + first, mix->g + first,
           (end_of(mix, piece) - first) * sizeof *mix->g);
}

// ---- a step

void stick_coloured_mix_before(StickColouredMix *mix)
{
    stick_coloured_run(mix->coloured, keep_piece, mix, pieces(mix));
}

static void add_products(StickColouredMix *mix)
{
    int newest = mix->newest;
    for (int j = 0; j < mix->count; j++) {
        double product = 0, moment = 0;
        for (int k = 0; k < pieces(mix); k++) {
            product += mix->sums[k].product[j];
            moment += mix->sums[k].moment[j];
        }
        mix->gram.product[j][newest] = mix->gram.product[newest][j] = product;
        mix->gram.moment[j] = moment;
    }
}

void stick_coloured_mix_after(StickColouredMix *mix)
{
    double size = 0;
    stick_coloured_run(mix->coloured, find_f, mix, pieces(mix));
    for (int k = 0; k < pieces(mix); k++)
        size += mix->sums[k].size;
    if (mix->count > 0 && size > GROWTH * GROWTH * mix->last_size) {
        stick_coloured_run(mix->coloured, go_back, mix, pieces(mix));
        forget(mix);
        return;
    }
    mix->last_size = size;
    if (mix->has_last) {
        mix->newest = (mix->newest + 1) % WINDOW;
        mix->count += mix->count < WINDOW;
    }
    stick_coloured_run(mix->coloured, remember, mix, pieces(mix));
    mix->has_last = true;
    add_products(mix);
    if (mix->count > 0 && stick_gram_minimise(&mix->gram, mix->count, mix->weight))
        stick_coloured_run(mix->coloured, combine, mix, pieces(mix));
    else if (mix->count > 0)
        forget(mix);
}
