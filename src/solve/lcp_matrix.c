// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_matrix.h"

#include "base/memory.h"
#include "solve/lcp_work.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MODERATE = 4096 };          // ratio of row or column magnitudes below which R = I
enum { BUSY = 8, BUSY_PART = 64 }; // entries that a busy row has, at least: 8 and n / 64

void stick_lcp_matrix_free(StickContext *ctx, StickLcpMatrix *M)
{
    double *reals[] = {M->vector, M->value, M->R, M->C, M->row_size, M->col_size, M->sum};
    int *integers[] = {M->busy_row, M->busy_place, M->full, M->start, M->row};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        stick_free(ctx, reals[k]);
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++)
        stick_free(ctx, integers[k]);
    *M = (StickLcpMatrix){0};
}

static StickStatus take_vectors(StickContext *ctx, StickLcpMatrix *M, int n)
{
    double **reals[] = {&M->R, &M->C, &M->row_size, &M->col_size, &M->sum};
    int **integers[] = {&M->busy_row, &M->busy_place, &M->full, &M->start};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        STICK_ALLOC(ctx, *reals[k], n);
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++)
        STICK_ALLOC(ctx, *integers[k], n + 1);
    M->room = n;
    return STICK_OK;
}

// A vector is at least half full, so that its places are twice as many as entries at most.
StickStatus stick_lcp_matrix_reserve_sparse(StickContext *ctx, StickLcpMatrix *M, int n, size_t entries)
{
    size_t all = (size_t)n * (size_t)n, vectors = 2 * entries < all ? 2 * entries : all;
    if (n > M->room || !M->start) {
        stick_lcp_matrix_free(ctx, M);
        STICK_TRY(take_vectors(ctx, M, n));
    }
    STICK_RESERVE(ctx, M->vector, M->room_vectors, vectors);
    STICK_RESERVE(ctx, M->value, M->room_values, entries);
    STICK_RESERVE(ctx, M->row, M->room_rows, entries);
    return STICK_OK;
}

// Room for the sparse part: less than half of every column in busy rows, and the other rows.
StickStatus stick_lcp_matrix_reserve(StickContext *ctx, StickLcpMatrix *M, int n)
{
    size_t order = (size_t)n, left = order * (order / 2 + order / BUSY_PART + BUSY);
    STICK_TRY(stick_lcp_matrix_reserve_sparse(ctx, M, n, left < order * order ? left : order * order));
    STICK_RESERVE(ctx, M->vector, M->room_vectors, order * order);
    return STICK_OK;
}

// ---- the two parts of a column

static double *vector_of(const StickLcpMatrix *M, int j)
{
    return M->full[j] < 0 ? NULL : M->vector + (size_t)M->full[j] * (size_t)M->nbusy;
}

// All entries of column j, those of its vector first: the k-th one and its row, NULL past the last.
static const double *next_entry(const StickLcpMatrix *M, int j, int k, int *i)
{
    const double *vector = vector_of(M, j);
    int nvector = vector ? M->nbusy : 0;
    if (k < nvector) {
        *i = M->busy_row[k];
        return vector + k;
    }
    int at = M->start[j] + k - nvector;
    if (at >= M->start[j + 1])
        return NULL;
    *i = M->row[at];
    return M->value + at;
}

// ---- scaling

// Largest magnitudes of the entries of R M C in column j; those of the rows grow.
static double column_magnitude(StickLcpMatrix *M, int j)
{
    const double *vector = vector_of(M, j);
    double largest = 0;
    for (int k = 0; vector && k < M->nbusy; k++) {
        int i = M->busy_row[k];
        double entry = fabs(M->R[i] * vector[k] * M->C[j]);
        M->row_size[i] = entry > M->row_size[i] ? entry : M->row_size[i];
        largest = entry > largest ? entry : largest;
    }
    for (int k = M->start[j]; k < M->start[j + 1]; k++) {
        int i = M->row[k];
        double entry = fabs(M->R[i] * M->value[k] * M->C[j]);
        M->row_size[i] = entry > M->row_size[i] ? entry : M->row_size[i];
        largest = entry > largest ? entry : largest;
    }
    return largest;
}

// Those of all rows and columns; returns the ratio of the largest to the least nonzero.
static double magnitudes(StickLcpMatrix *M)
{
    double low = DBL_MAX, high = 0;
    memset(M->row_size, 0, (size_t)M->n * sizeof *M->row_size);
    for (int j = 0; j < M->n; j++)
        M->col_size[j] = column_magnitude(M, j);
    for (int i = 0; i < 2 * M->n; i++) {
        double size = i < M->n ? M->row_size[i] : M->col_size[i - M->n];
        low = size > 0 ? fmin(low, size) : low;
        high = fmax(high, size);
    }
    return high > 0 ? high / low : 1;
}

// R and C by a few passes of equilibration. R remains I while the magnitudes are moderate: the covering vector is e
// in scaled variables, and the path of pivots depends on it (columns and a common factor do not affect the path).
static void choose_scales(StickLcpMatrix *M)
{
    double largest = 0;
    for (int i = 0; i < M->n; i++)
        M->R[i] = M->C[i] = 1;
    bool moderate = magnitudes(M) <= MODERATE;
    for (int pass = 0; pass < 4 && !moderate; pass++) {
        for (int i = 0; i < M->n; i++) {
            M->R[i] /= M->row_size[i] > 0 ? sqrt(M->row_size[i]) : 1;
            M->C[i] /= M->col_size[i] > 0 ? sqrt(M->col_size[i]) : 1;
        }
        magnitudes(M);
    }
    for (int i = 0; i < M->n; i++) {
        M->R[i] = stick_power_of_two(M->R[i]);
        M->C[i] = stick_power_of_two(M->C[i]);
        largest = fmax(largest, M->row_size[i]);
    }
    for (int i = 0; i < M->n; i++)
        M->C[i] /= stick_power_of_two(largest);
}

static void scale(StickLcpMatrix *M)
{
    choose_scales(M);
    for (int j = 0; j < M->n; j++) {
        double *vector = vector_of(M, j);
        for (int k = 0; vector && k < M->nbusy; k++)
            vector[k] = M->R[M->busy_row[k]] * vector[k] * M->C[j];
        for (int k = M->start[j]; k < M->start[j + 1]; k++)
            M->value[k] = M->R[M->row[k]] * M->value[k] * M->C[j];
    }
}

// ---- loading

// Columns of the problem in either form: row is NULL where all rows are there.
typedef struct Column {
    const double *value;
    const int *row;
    int count;
} Column;

typedef struct Given {
    const StickLcp *dense;
    const StickSparse *sparse;
} Given;

static Column column_of(const Given *given, int j)
{
    if (given->dense)
        return (Column){given->dense->M + (size_t)j * (size_t)given->dense->n, NULL, given->dense->n};
    int start = given->sparse->start[j];
    return (Column){given->sparse->value + start, given->sparse->row + start,
                    given->sparse->start[j + 1] - start};
}

static void find_busy_rows(StickLcpMatrix *M, const Given *given)
{
    int *count = M->busy_place, least = M->n / BUSY_PART > BUSY ? M->n / BUSY_PART : BUSY;
    memset(count, 0, (size_t)M->n * sizeof *count);
    for (int j = 0; j < M->n; j++) {
        Column column = column_of(given, j);
        for (int k = 0; k < column.count; k++)
            count[column.row ? column.row[k] : k] += column.value[k] != 0;
    }
    M->nbusy = 0;
    for (int i = 0; i < M->n; i++) {
        bool is_busy = count[i] >= least;
        if (is_busy)
            M->busy_row[M->nbusy] = i;
        M->busy_place[i] = is_busy ? M->nbusy++ : -1;
    }
}

static bool is_full(const StickLcpMatrix *M, const Column *column)
{
    int count = 0;
    for (int k = 0; k < column->count; k++)
        count += column->value[k] != 0 && M->busy_place[column->row ? column->row[k] : k] >= 0;
    return 2 * count >= M->nbusy && M->nbusy > 0;
}

static void split(StickLcpMatrix *M, const Given *given)
{
    int count = 0, nfull = 0;
    find_busy_rows(M, given);
    for (int j = 0; j < M->n; j++) {
        Column column = column_of(given, j);
        M->start[j] = count;
        M->full[j] = is_full(M, &column) ? nfull++ : -1;
        double *vector = vector_of(M, j);
        if (vector)
            memset(vector, 0, (size_t)M->nbusy * sizeof *vector);
        for (int k = 0; k < column.count; k++) {
            int i = column.row ? column.row[k] : k;
            if (vector && M->busy_place[i] >= 0) {
                vector[M->busy_place[i]] = column.value[k];
            } else if (column.value[k] != 0) {
                M->row[count] = i;
                M->value[count++] = column.value[k];
            }
        }
    }
    M->start[M->n] = count;
    scale(M);
}

void stick_lcp_matrix_load(StickLcpMatrix *M, const StickLcp *lcp)
{
    M->n = lcp->n;
    split(M, &(Given){.dense = lcp});
}

void stick_lcp_matrix_load_sparse(StickLcpMatrix *M, const StickSparse *given)
{
    M->n = given->cols;
    split(M, &(Given){.sparse = given});
}

// ---- products

double stick_lcp_matrix_entry(const StickLcpMatrix *M, int i, int j)
{
    const double *vector = vector_of(M, j);
    int low = M->start[j], high = M->start[j + 1];
    if (vector && M->busy_place[i] >= 0)
        return vector[M->busy_place[i]];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (M->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < M->start[j + 1] && M->row[low] == i ? M->value[low] : 0;
}

enum { WIDTH = 4 };
typedef double Wide __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

// y += a_0 c_0 + ... + a_3 c_3, from left to right: the same bits in vectors of any length
static inline __attribute__((always_inline)) void add_columns(int n, const double *a, const double *const *c,
                                                              double *y)
{
    int k = 0;
    for (; k + WIDTH <= n; k += WIDTH) {
        Wide sum = *(const Wide *)(y + k);
        for (int l = 0; l < WIDTH; l++)
            sum += a[l] * *(const Wide *)(c[l] + k);
        *(Wide *)(y + k) = sum;
    }
    for (; k < n; k++)
        for (int l = 0; l < WIDTH; l++)
            y[k] += a[l] * c[l][k];
}

static void add_columns_plain(int n, const double *a, const double *const *c, double *y)
{
    add_columns(n, a, c, y);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void add_columns_avx2(int n, const double *a, const double *const *c,
                                                             double *y)
{
    add_columns(n, a, c, y);
}
#endif

typedef void AddColumns(int n, const double *a, const double *const *c, double *y);

static AddColumns *choose_add_columns(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return add_columns_avx2;
#endif
    return add_columns_plain;
}

// The columns with vectors, a few at a time.
static void multiply_vectors(const StickLcpMatrix *M, const double *x)
{
    AddColumns *add = choose_add_columns();
    const double *c[WIDTH];
    double a[WIDTH];
    int count = 0;
    memset(M->sum, 0, (size_t)M->nbusy * sizeof *M->sum);
    for (int j = 0; j < M->n; j++) {
        if (x[j] == 0 || M->full[j] < 0)
            continue;
        a[count] = x[j];
        c[count++] = vector_of(M, j);
        if (count == WIDTH) {
            add(M->nbusy, a, c, M->sum);
            count = 0;
        }
    }
    for (int l = 0; l < count; l++)
        cblas_daxpy(M->nbusy, a[l], c[l], 1, M->sum, 1);
}

void stick_lcp_matrix_multiply(const StickLcpMatrix *M, const double *x, double *y)
{
    for (int j = 0; j < M->n; j++)
        for (int k = M->start[j]; k < M->start[j + 1] && x[j] != 0; k++)
            y[M->row[k]] += x[j] * M->value[k];
    multiply_vectors(M, x);
    for (int k = 0; k < M->nbusy; k++)
        y[M->busy_row[k]] += M->sum[k];
}

double stick_lcp_matrix_dot_column(const StickLcpMatrix *M, int j, const double *y)
{
    double sum = 0;
    const double *value;
    for (int k = 0, i; (value = next_entry(M, j, k, &i)); k++)
        sum += *value * y[i];
    return sum;
}

void stick_lcp_matrix_row_maxima(const StickLcpMatrix *M, double *largest)
{
    const double *value;
    memset(largest, 0, (size_t)M->n * sizeof *largest);
    for (int j = 0; j < M->n; j++)
        for (int k = 0, i; (value = next_entry(M, j, k, &i)); k++)
            largest[i] = *value > largest[i] ? *value : largest[i];
}

void stick_lcp_matrix_pick_column(const StickLcpMatrix *M, int j, const int *place, double *y)
{
    const double *vector = vector_of(M, j);
    for (int k = 0; vector && k < M->nbusy; k++) {
        int at = place[M->busy_row[k]];
        if (at >= 0)
            y[at] = vector[k];
    }
    for (int k = M->start[j]; k < M->start[j + 1]; k++)
        if (place[M->row[k]] >= 0)
            y[place[M->row[k]]] = M->value[k];
}
