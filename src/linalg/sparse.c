// SPDX-License-Identifier: Apache-2.0
#include <stickslip/sparse.h>

#include "base/memory.h"

#include <math.h>
#include <string.h>

StickStatus stick_triplets_add(StickContext *ctx, StickTriplets *triplets, int row, int col, double value)
{
    size_t need = triplets->count + 1;
    if (need > triplets->capacity) {
        size_t rows = triplets->capacity, cols = triplets->capacity;
        STICK_RESERVE(ctx, triplets->row, rows, need);
        STICK_RESERVE(ctx, triplets->col, cols, need);
        STICK_RESERVE(ctx, triplets->value, triplets->capacity, need);
    }
    triplets->row[triplets->count] = row;
    triplets->col[triplets->count] = col;
    triplets->value[triplets->count++] = value;
    return STICK_OK;
}

void stick_triplets_destroy(StickContext *ctx, StickTriplets *triplets)
{
    stick_free(ctx, triplets->row);
    stick_free(ctx, triplets->col);
    stick_free(ctx, triplets->value);
    *triplets = (StickTriplets){0};
}

static StickStatus allocate(StickContext *ctx, int rows, int cols, int entries, StickSparse *A)
{
    *A = (StickSparse){.rows = rows, .cols = cols};
    A->start = stick_alloc(ctx, (size_t)cols + 1, sizeof *A->start);
    A->row = stick_alloc(ctx, (size_t)entries, sizeof *A->row);
    A->value = stick_alloc(ctx, (size_t)entries, sizeof *A->value);
    if (A->start && A->row && A->value)
        return STICK_OK;
    stick_sparse_destroy(ctx, A);
    return STICK_NO_MEMORY;
}

// Counts in start[k + 1] become starts; used by every counting sort below.
static void accumulate(int *start, int count)
{
    for (int k = 0; k < count; k++)
        start[k + 1] += start[k];
}

// Rows of the triplets as compressed rows, unsorted and with repeats: the first pass of a two-pass bucket sort.
static StickStatus bucket_by_rows(StickContext *ctx, const StickTriplets *T, StickSparse *R)
{
    STICK_TRY(allocate(ctx, T->cols, T->rows, (int)T->count, R));
    for (size_t k = 0; k < T->count; k++)
        R->start[T->row[k] + 1]++;
    accumulate(R->start, T->rows);
    for (size_t k = 0; k < T->count; k++) {
        int place = R->start[T->row[k]]++;
        R->row[place] = T->col[k];
        R->value[place] = T->value[k];
    }
    memmove(R->start + 1, R->start, (size_t)T->rows * sizeof *R->start);
    R->start[0] = 0;
    return STICK_OK;
}

// Sums neighbours with the same row in the sorted columns of A.
static void sum_repeats(StickSparse *A)
{
    int kept = 0;
    for (int j = 0, from = 0; j < A->cols; j++) {
        int to = A->start[j + 1], first = kept;
        for (int k = from; k < to; k++) {
            if (kept > first && A->row[kept - 1] == A->row[k]) {
                A->value[kept - 1] += A->value[k];
            } else {
                A->row[kept] = A->row[k];
                A->value[kept++] = A->value[k];
            }
        }
        from = to;
        A->start[j + 1] = kept;
    }
}

StickStatus stick_sparse_from_triplets(StickContext *ctx, const StickTriplets *triplets, StickSparse *A)
{
    STICK_CHECK(ctx, triplets->count < 2147483647u, STICK_NO_MEMORY, "a matrix of %zu entries is too large",
                triplets->count);
    StickSparse R;
    STICK_TRY(bucket_by_rows(ctx, triplets, &R));
    StickStatus status = stick_sparse_transpose(ctx, &R, A);
    stick_sparse_destroy(ctx, &R);
    if (status == STICK_OK)
        sum_repeats(A);
    return status;
}

StickStatus stick_sparse_copy(StickContext *ctx, const StickSparse *A, StickSparse *B)
{
    int entries = A->start[A->cols];
    STICK_TRY(allocate(ctx, A->rows, A->cols, entries, B));
    memcpy(B->start, A->start, ((size_t)A->cols + 1) * sizeof *A->start);
    memcpy(B->row, A->row, (size_t)entries * sizeof *A->row);
    memcpy(B->value, A->value, (size_t)entries * sizeof *A->value);
    return STICK_OK;
}

StickStatus stick_sparse_transpose(StickContext *ctx, const StickSparse *A, StickSparse *At)
{
    int entries = A->start[A->cols];
    STICK_TRY(allocate(ctx, A->cols, A->rows, entries, At));
    for (int k = 0; k < entries; k++)
        At->start[A->row[k] + 1]++;
    accumulate(At->start, A->rows);
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            int place = At->start[A->row[k]]++;
            At->row[place] = j;
            At->value[place] = A->value[k];
        }
    }
    memmove(At->start + 1, At->start, (size_t)A->rows * sizeof *At->start);
    At->start[0] = 0;
    return STICK_OK;
}

void stick_sparse_destroy(StickContext *ctx, StickSparse *A)
{
    stick_free(ctx, A->start);
    stick_free(ctx, A->row);
    stick_free(ctx, A->value);
    *A = (StickSparse){0};
}

int stick_sparse_find(const StickSparse *A, int row, int col)
{
    int low = A->start[col], high = A->start[col + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (A->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < A->start[col + 1] && A->row[low] == row ? low : -1;
}

void stick_sparse_multiply(const StickSparse *A, double a, const double *x, double *y)
{
    for (int j = 0; j < A->cols; j++) {
        double ax = a * x[j];
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            y[A->row[k]] += A->value[k] * ax;
    }
}

void stick_sparse_multiply_transposed(const StickSparse *A, double a, const double *x, double *y)
{
    for (int j = 0; j < A->cols; j++) {
        double sum = 0;
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            sum += A->value[k] * x[A->row[k]];
        y[j] += a * sum;
    }
}

double stick_sparse_form(const StickSparse *A, const double *x, const double *y)
{
    double form = 0;
    for (int j = 0; j < A->cols; j++) {
        double sum = 0;
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            sum += A->value[k] * x[A->row[k]];
        form += sum * y[j];
    }
    return form;
}

StickStatus stick_sparse_extract(StickContext *ctx, const StickSparse *A, const int *new_row, int rows,
                                 const int *new_col, int cols, StickSparse *B)
{
    StickTriplets kept = {.rows = rows, .cols = cols};
    StickStatus status = STICK_OK;
    for (int j = 0; j < A->cols && status == STICK_OK; j++) {
        for (int k = A->start[j]; k < A->start[j + 1] && status == STICK_OK && new_col[j] >= 0; k++)
            if (new_row[A->row[k]] >= 0)
                status = stick_triplets_add(ctx, &kept, new_row[A->row[k]], new_col[j], A->value[k]);
    }
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &kept, B);
    stick_triplets_destroy(ctx, &kept);
    return status;
}

StickStatus stick_sparse_asymmetry(StickContext *ctx, const StickSparse *A, double *asymmetry)
{
    StickSparse At;
    STICK_TRY(stick_sparse_transpose(ctx, A, &At));
    double largest = 0, difference = 0;
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            int other = stick_sparse_find(&At, A->row[k], j);
            double value = A->value[k], mirrored = other >= 0 ? At.value[other] : 0;
            largest = fmax(largest, fabs(value));
            difference = fmax(difference, fabs(value - mirrored));
        }
    }
    stick_sparse_destroy(ctx, &At);
    *asymmetry = largest > 0 ? difference / largest : 0;
    return STICK_OK;
}
