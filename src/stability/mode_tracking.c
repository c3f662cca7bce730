// SPDX-License-Identifier: Apache-2.0
#include "stability/mode_tracking.h"

#include "base/memory.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PAIR = 1e-10;   // of |Lambda|: an imaginary part below this is rounding
static const double SAME = 1e-8;    // of |Lambda|, and ...
static const double NOISE = 1e-12;  // ... of the largest: no more than rounding between two of them
static const double LIKE = 0.6;     // MAC from which on two shapes are one
static const double UNLIKE = 0.05;  // MAC below which they have nothing in common
static const double EXCHANGE = 0.5; // a crossed match above this share of the direct one is ambiguous
static const double INNER =
    0.9; // of the highest frequency: below, modes do not leave the window by a small step

// ---- modes at one value

void stick_mode_set_destroy(StickContext *ctx, StickModeSet *set)
{
    stick_free(ctx, set->mode);
    stick_free(ctx, set->shape);
    stick_free(ctx, set->partner);
    stick_free(ctx, set->cluster);
    stick_free(ctx, set->asked);
    *set = (StickModeSet){0};
}

bool stick_mode_grows(const StickMode *mode)
{
    return mode->kind == STICK_MODE_FLUTTER || mode->kind == STICK_MODE_DIVERGES;
}

int stick_mode_growth_change(const StickModeSet *before, const int was[2], const StickModeSet *after,
                             const int is[2])
{
    bool grew = stick_mode_grows(&before->mode[was[0]]) || stick_mode_grows(&before->mode[was[1]]);
    bool grows = stick_mode_grows(&after->mode[is[0]]) || stick_mode_grows(&after->mode[is[1]]);
    return grows - grew;
}

static bool is_complex(double complex Lambda)
{
    return fabs(cimag(Lambda)) > PAIR * cabs(Lambda);
}

// Modes are sorted: both modes of a pair are adjacent.
static bool is_pair(const StickSpectrum *spectrum, int k)
{
    if (spectrum->damping == STICK_DAMPING_GENERAL || k < 0 || k + 1 >= spectrum->count)
        return false;
    double complex a = spectrum->mode[k].Lambda, b = spectrum->mode[k + 1].Lambda;
    return is_complex(a) && cimag(a) * cimag(b) < 0 && cabs(a - conj(b)) <= 1e-6 * fabs(cimag(a));
}

static int partner_of(const StickSpectrum *spectrum, int k)
{
    // counted from the first complex one of a run of them, to distinguish two adjacent pairs
    int first = k;
    while (is_pair(spectrum, first - 1))
        first--;
    if ((k - first) % 2 == 1)
        return k - 1;
    return is_pair(spectrum, k) ? k + 1 : -1;
}

static bool is_asked(const StickSpectrum *spectrum, int k, int most)
{
    int partner = partner_of(spectrum, k), first = partner >= 0 && partner < k ? partner : k;
    return most == 0 || first < most;
}

static double sure_of(const StickSpectrum *spectrum, int most)
{
    double sure = spectrum->complete ? INFINITY : INNER * spectrum->highest;
    if (most > 0 && most < spectrum->count)
        sure = fmin(sure, spectrum->mode[most - 1].frequency);
    return sure;
}

// Modes are sorted: those with one Lambda are adjacent.
static void find_clusters(StickModeSet *set)
{
    double largest = 0;
    for (int k = 0; k < set->count; k++)
        largest = fmax(largest, cabs(set->mode[k].Lambda));
    for (int k = 0; k < set->count; k++) {
        double complex Lambda = set->mode[k].Lambda;
        bool same = k > 0 && set->partner[k] < 0 && set->partner[k - 1] < 0 &&
                    cabs(Lambda - set->mode[k - 1].Lambda) <= SAME * cabs(Lambda) + NOISE * largest;
        set->cluster[k] = same ? set->cluster[k - 1] : k;
    }
}

static bool has_company(const StickModeSet *set, int k)
{
    return set->cluster[k] != k || (k + 1 < set->count && set->cluster[k + 1] == k);
}

static StickStatus fill_set(StickContext *ctx, const StickReduced *reduced, const StickSpectrum *spectrum,
                            int most, StickModeSet *set)
{
    size_t ndofs = (size_t)reduced->Z.rows;
    STICK_ALLOC(ctx, set->mode, spectrum->count);
    STICK_ALLOC(ctx, set->partner, spectrum->count);
    STICK_ALLOC(ctx, set->cluster, spectrum->count);
    STICK_ALLOC(ctx, set->asked, spectrum->count);
    STICK_ALLOC(ctx, set->shape, ndofs * (size_t)spectrum->count);
    for (int k = 0; k < spectrum->count; k++) {
        set->mode[k] = spectrum->mode[k];
        set->partner[k] = partner_of(spectrum, k);
        set->asked[k] = is_asked(spectrum, k, most);
        stick_reduced_expand_complex(reduced, spectrum->vector + (size_t)k * (size_t)spectrum->n,
                                     set->shape + ndofs * (size_t)k);
    }
    set->count = spectrum->count;
    find_clusters(set);
    return STICK_OK;
}

StickStatus stick_mode_set_create(StickContext *ctx, const StickReduced *reduced,
                                  const StickSpectrum *spectrum, int most, StickModeSet *set)
{
    StickModeSet made = {
        .ndofs = reduced->Z.rows,
        .damped = spectrum->damping != STICK_DAMPING_NONE,
        .alpha = spectrum->alpha,
        .beta = spectrum->beta,
        .sure = sure_of(spectrum, most),
    };
    StickStatus status = fill_set(ctx, reduced, spectrum, most, &made);
    if (status == STICK_OK)
        *set = made;
    else
        stick_mode_set_destroy(ctx, &made);
    return status;
}

// ---- likeness of two modes

// Shapes with their images by M.
typedef struct Shapes {
    const StickModeSet *set;
    double complex *image; // ndofs x count: M x
    double *square;        // count: x' M x
    double complex *basis; // ndofs x count: M b, b: orthonormal among modes of one Lambda; of one alone none
    double complex *twist; // count: x.' M x without conjugation: what of a pair is one motion
} Shapes;

static void shapes_destroy(StickContext *ctx, Shapes *shapes)
{
    stick_free(ctx, shapes->image);
    stick_free(ctx, shapes->square);
    stick_free(ctx, shapes->basis);
    stick_free(ctx, shapes->twist);
}

static void apply_mass(const StickSparse *M, int n, const double complex *x, double complex *y)
{
    for (int i = 0; i < n; i++)
        y[i] = M ? 0 : x[i];
    for (int j = 0; M && j < n; j++)
        for (int k = M->start[j]; k < M->start[j + 1]; k++)
            y[M->row[k]] += M->value[k] * x[j];
}

static double complex product(int n, const double complex *x, const double complex *y)
{
    double complex sum = 0;
    for (int i = 0; i < n; i++)
        sum += conj(x[i]) * y[i];
    return sum;
}

// By Gram and Schmidt, twice for rounding. Where nothing is left of a shape its basis vector is zero.
static void find_basis(Shapes *shapes, double complex *vector, int k)
{
    const StickModeSet *set = shapes->set;
    size_t n = (size_t)set->ndofs;
    double complex *own = vector + (size_t)k * n, *image = shapes->basis + (size_t)k * n;
    memcpy(own, set->shape + (size_t)k * n, n * sizeof *own);
    memcpy(image, shapes->image + (size_t)k * n, n * sizeof *image);
    for (int turn = 0; turn < 2; turn++)
        for (int l = set->cluster[k]; l < k; l++) {
            const double complex *b = vector + (size_t)l * n, *Mb = shapes->basis + (size_t)l * n;
            double complex part = product(set->ndofs, Mb, own);
            for (size_t i = 0; i < n; i++) {
                own[i] -= part * b[i];
                image[i] -= part * Mb[i];
            }
        }
    double left = creal(product(set->ndofs, own, image));
    double scale = left > 1e-12 * shapes->square[k] ? 1 / sqrt(left) : 0;
    for (size_t i = 0; i < n; i++) {
        own[i] *= scale;
        image[i] *= scale;
    }
}

static StickStatus find_bases(StickContext *ctx, Shapes *shapes)
{
    const StickModeSet *set = shapes->set;
    size_t size = (size_t)set->ndofs * (size_t)set->count;
    double complex *vector;
    STICK_ALLOC(ctx, shapes->basis, size);
    STICK_ALLOC(ctx, vector, size);
    for (int k = 0; k < set->count; k++)
        if (has_company(set, k))
            find_basis(shapes, vector, k);
    stick_free(ctx, vector);
    return STICK_OK;
}

static StickStatus shapes_create(StickContext *ctx, const StickSparse *M, const StickModeSet *set,
                                 Shapes *shapes)
{
    int n = set->ndofs;
    shapes->set = set;
    STICK_ALLOC(ctx, shapes->image, (size_t)n * (size_t)set->count);
    STICK_ALLOC(ctx, shapes->square, set->count);
    STICK_ALLOC(ctx, shapes->twist, set->count);
    for (int k = 0; k < set->count; k++) {
        const double complex *x = set->shape + (size_t)k * (size_t)n;
        double complex *y = shapes->image + (size_t)k * (size_t)n;
        apply_mass(M, n, x, y);
        shapes->square[k] = creal(product(n, x, y));
        for (int i = 0; i < n; i++)
            shapes->twist[k] += x[i] * y[i];
    }
    return find_bases(ctx, shapes);
}

// Part of a real shape in the plane of a pair v = x + i y, turned so that x' M y = 0; c = v' M a.
static double part_in_plane(const Shapes *pair, int k, double complex c, double square)
{
    double n = pair->square[k], t = cabs(pair->twist[k]);
    double complex turned = c * cexp(I * carg(pair->twist[k]) / 2);
    double x = (n + t) / 2, y = (n - t) / 2;
    double part = creal(turned) * creal(turned) / x;
    if (y > 1e-20 * n)
        part += cimag(turned) * cimag(turned) / y;
    return part / square;
}

// All products of shapes, before->count x after->count, by columns.
typedef struct Products {
    int rows;
    double complex *own;    // x' M y
    double complex *before; // b' M y, b: bases before
    double complex *after;  // x' M b, b: bases after
} Products;

static double square_of(const Products *products, const double complex *matrix, int i, int j)
{
    double complex c = matrix[(size_t)j * (size_t)products->rows + (size_t)i];
    return creal(c) * creal(c) + cimag(c) * cimag(c);
}

// The part of one shape in the space of all modes with the Lambda of the other; the larger one, for spaces may differ
// in size.
static double likeness_of_clusters(const Shapes *before, int i, const Shapes *after, int j,
                                   const Products *products)
{
    int first = before->set->cluster[i], second = after->set->cluster[j];
    double onto_before = 0, onto_after = 0;
    for (int k = first; k < before->set->count && before->set->cluster[k] == first; k++)
        onto_before += square_of(products, products->before, k, j);
    for (int k = second; k < after->set->count && after->set->cluster[k] == second; k++)
        onto_after += square_of(products, products->after, i, k);
    return fmin(1, fmax(onto_before / after->square[j], onto_after / before->square[i]));
}

// MAC of mode i before and mode j after.
static double likeness(const Shapes *before, int i, const Shapes *after, int j, const Products *products)
{
    double complex c = products->own[(size_t)j * (size_t)products->rows + (size_t)i];
    bool was_pair = before->set->partner[i] >= 0, is_pair_now = after->set->partner[j] >= 0;
    double a = before->square[i], b = after->square[j];
    if (!(a > 0) || !(b > 0))
        return 0;
    // the one above the real axis stays above it
    if (was_pair && is_pair_now && cimag(before->set->mode[i].Lambda) * cimag(after->set->mode[j].Lambda) < 0)
        return 0;
    if (!was_pair && !is_pair_now && (has_company(before->set, i) || has_company(after->set, j)))
        return likeness_of_clusters(before, i, after, j, products);
    if (was_pair == is_pair_now)
        return (creal(c) * creal(c) + cimag(c) * cimag(c)) / (a * b);
    return fmin(1, was_pair ? part_in_plane(before, i, c, b) : part_in_plane(after, j, conj(c), a));
}

// Without shapes: how near frequencies are.
static double nearness(const StickModeSet *before, int i, const StickModeSet *after, int j)
{
    bool was_pair = before->partner[i] >= 0, is_pair_now = after->partner[j] >= 0;
    if (was_pair && is_pair_now && cimag(before->mode[i].Lambda) * cimag(after->mode[j].Lambda) < 0)
        return 0;
    double a = sqrt(cabs(before->mode[i].Lambda)), b = sqrt(cabs(after->mode[j].Lambda));
    return a + b > 0 ? 1 - fabs(a - b) / (a + b) : 1;
}

// ---- which mode continues as which

typedef struct Edge {
    double like;
    int i, j;
} Edge;

typedef struct Table {
    const StickModeSet *before, *after;
    double *like; // before->count x after->count, by rows
    Edge *edge;
} Table;

static double like_of(const Table *table, int i, int j)
{
    return table->like[(size_t)i * (size_t)table->after->count + (size_t)j];
}

static void multiply(const Shapes *before, const double complex *X, const Shapes *after,
                     const double complex *Y, double complex *product_of)
{
    int n = before->set->ndofs, rows = before->set->count, columns = after->set->count;
    const double complex one = 1, zero = 0;
    if (n > 0 && rows > 0 && columns > 0)
        cblas_zgemm(CblasColMajor, CblasConjTrans, CblasNoTrans, rows, columns, n, &one, X, n, Y, n, &zero,
                    product_of, rows);
}

static StickStatus fill_likeness(StickContext *ctx, const Shapes *before, const Shapes *after, Table *table)
{
    int rows = before->set->count, columns = after->set->count;
    size_t size = (size_t)rows * (size_t)columns;
    double complex *room;
    STICK_ALLOC(ctx, room, 3 * size);
    Products products = {rows, room, room + size, room + 2 * size};
    multiply(before, before->set->shape, after, after->image, products.own);
    multiply(before, before->basis, after, after->set->shape, products.before);
    multiply(before, before->set->shape, after, after->basis, products.after);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            table->like[(size_t)i * (size_t)columns + (size_t)j] = likeness(before, i, after, j, &products);
    stick_free(ctx, room);
    return STICK_OK;
}

static StickStatus compare_shapes(StickContext *ctx, const StickSparse *M, Table *table)
{
    Shapes before = {0}, after = {0};
    StickStatus status = shapes_create(ctx, M, table->before, &before);
    if (status == STICK_OK)
        status = shapes_create(ctx, M, table->after, &after);
    if (status == STICK_OK)
        status = fill_likeness(ctx, &before, &after, table);
    shapes_destroy(ctx, &before);
    shapes_destroy(ctx, &after);
    return status;
}

static void compare_frequencies(Table *table)
{
    for (int i = 0; i < table->before->count; i++)
        for (int j = 0; j < table->after->count; j++)
            table->like[(size_t)i * (size_t)table->after->count + (size_t)j] =
                nearness(table->before, i, table->after, j);
}

static int by_likeness(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    if (a->like != b->like)
        return a->like > b->like ? -1 : 1;
    return a->i != b->i ? a->i - b->i : a->j - b->j;
}

// The best ones first, each mode once.
static void assign(Table *table, StickModeMatch *match)
{
    size_t count = 0;
    for (int i = 0; i < table->before->count; i++)
        for (int j = 0; j < table->after->count; j++)
            if (like_of(table, i, j) >= UNLIKE)
                table->edge[count++] = (Edge){like_of(table, i, j), i, j};
    qsort(table->edge, count, sizeof *table->edge, by_likeness);
    for (size_t k = 0; k < count; k++) {
        int i = table->edge[k].i, j = table->edge[k].j;
        if (match->to[i] >= 0 || match->from[j] >= 0)
            continue;
        match->to[i] = j;
        match->from[j] = i;
    }
}

static bool is_real(const StickModeSet *set, int k)
{
    return set->partner[k] < 0;
}

// Two real modes near their coalescence have nearly one shape: then they keep their order.
static bool is_exchanged(const Table *table, const StickModeMatch *match, int i, int k)
{
    int j = match->to[i], l = match->to[k];
    if (j < 0 || l < 0 || !is_real(table->before, i) || !is_real(table->before, k) ||
        !is_real(table->after, j) || !is_real(table->after, l))
        return false;
    if (table->before->cluster[i] == table->before->cluster[k] ||
        table->after->cluster[j] == table->after->cluster[l])
        return false; // the shapes do not distinguish them
    double straight = like_of(table, i, j) * like_of(table, k, l),
           crossed = like_of(table, i, l) * like_of(table, k, j);
    return (i < k) != (j < l) && crossed > EXCHANGE * straight;
}

static bool keep_order(const Table *table, StickModeMatch *match)
{
    bool clear = true;
    for (int i = 0; i < table->before->count; i++)
        for (int k = i + 1; k < table->before->count; k++) {
            if (!is_exchanged(table, match, i, k))
                continue;
            int j = match->to[i], l = match->to[k];
            match->to[i] = l;
            match->to[k] = j;
            match->from[l] = i;
            match->from[j] = k;
            clear = clear && !table->before->asked[i] && !table->before->asked[k];
        }
    return clear;
}

// A pair remains a pair, or both modes become real; one mode alone never joins another pair.
static bool is_consistent(const StickModeSet *set, const StickModeSet *other, const int *to, int k)
{
    int partner = set->partner[k];
    if (partner < 0 || to[k] < 0 || to[partner] < 0)
        return true;
    int a = to[k], b = to[partner];
    return other->partner[a] == b || (is_real(other, a) && is_real(other, b));
}

static bool is_clear(const Table *table, const StickModeMatch *match)
{
    const StickModeSet *before = table->before, *after = table->after;
    double sure = fmin(before->sure, after->sure);
    for (int i = 0; i < before->count; i++) {
        bool found = match->to[i] >= 0 && like_of(table, i, match->to[i]) >= LIKE;
        if (before->asked[i] &&
            (!is_consistent(before, after, match->to, i) || (!found && before->mode[i].frequency < sure)))
            return false;
    }
    for (int j = 0; j < after->count; j++)
        if (after->asked[j] && (!is_consistent(after, before, match->from, j) ||
                                (match->from[j] < 0 && after->mode[j].frequency < sure)))
            return false;
    return true;
}

void stick_mode_match_destroy(StickContext *ctx, StickModeMatch *match)
{
    stick_free(ctx, match->to);
    stick_free(ctx, match->from);
    stick_free(ctx, match->likeness);
    *match = (StickModeMatch){0};
}

static StickStatus fill_match(StickContext *ctx, const StickSparse *M, Table *table, StickModeMatch *match)
{
    int before = table->before->count, after = table->after->count;
    STICK_ALLOC(ctx, match->to, before);
    STICK_ALLOC(ctx, match->from, after);
    STICK_ALLOC(ctx, match->likeness, after);
    STICK_ALLOC(ctx, table->like, (size_t)before * (size_t)after);
    STICK_ALLOC(ctx, table->edge, (size_t)before * (size_t)after);
    for (int i = 0; i < before; i++)
        match->to[i] = -1;
    for (int j = 0; j < after; j++)
        match->from[j] = -1;
    match->by_frequency = table->before->ndofs != table->after->ndofs;
    if (match->by_frequency)
        compare_frequencies(table);
    else
        STICK_TRY(compare_shapes(ctx, M, table));
    assign(table, match);
    bool kept = keep_order(table, match);
    match->clear = is_clear(table, match) && kept;
    for (int j = 0; j < after; j++)
        match->likeness[j] =
            match->from[j] < 0 || match->by_frequency ? NAN : like_of(table, match->from[j], j);
    return STICK_OK;
}

StickStatus stick_mode_match_create(StickContext *ctx, const StickSparse *M, const StickModeSet *before,
                                    const StickModeSet *after, StickModeMatch *match)
{
    Table table = {.before = before, .after = after};
    StickModeMatch made = {0};
    StickStatus status = fill_match(ctx, M, &table, &made);
    stick_free(ctx, table.like);
    stick_free(ctx, table.edge);
    if (status == STICK_OK)
        *match = made;
    else
        stick_mode_match_destroy(ctx, &made);
    return status;
}
