// SPDX-License-Identifier: Apache-2.0
#include "linalg/sparse_product.h"

#include "base/memory.h"

#include <assert.h>

static StickStatus allocate(StickContext *ctx, int rows, int cols, size_t entries, StickSparse *A)
{
    STICK_CHECK(ctx, entries < 2147483647u, STICK_NO_MEMORY, "a matrix of %zu entries is too large", entries);
    *A = (StickSparse){.rows = rows, .cols = cols};
    A->start = stick_alloc(ctx, (size_t)cols + 1, sizeof *A->start);
    A->row = stick_alloc(ctx, entries, sizeof *A->row);
    A->value = stick_alloc(ctx, entries, sizeof *A->value);
    if (A->start && A->row && A->value)
        return STICK_OK;
    stick_sparse_destroy(ctx, A);
    return STICK_NO_MEMORY;
}

StickStatus stick_sparse_identity(StickContext *ctx, int n, StickSparse *A)
{
    StickSparse made;
    STICK_TRY(allocate(ctx, n, n, (size_t)n, &made));
    for (int j = 0; j < n; j++) {
        made.start[j + 1] = j + 1;
        made.row[j] = j;
        made.value[j] = 1;
    }
    *A = made;
    return STICK_OK;
}

// Number of different rows that column j of A B has; seen[i] = j marks those that were met.
static int count_column(const StickSparse *A, const StickSparse *B, int j, int *seen)
{
    int count = 0;
    for (int k = B->start[j]; k < B->start[j + 1]; k++)
        for (int e = A->start[B->row[k]]; e < A->start[B->row[k] + 1]; e++)
            if (seen[A->row[e]] != j) {
                seen[A->row[e]] = j;
                count++;
            }
    return count;
}

// Column j of A B, its rows in the order in which they are met; place[i] is where row i went.
static void fill_column(const StickSparse *A, const StickSparse *B, int j, int *place, StickSparse *C)
{
    int first = C->start[j], next = first;
    for (int k = B->start[j]; k < B->start[j + 1]; k++)
        for (int e = A->start[B->row[k]]; e < A->start[B->row[k] + 1]; e++) {
            int i = A->row[e];
            if (place[i] < first) {
                place[i] = next;
                C->row[next++] = i;
            }
            C->value[place[i]] += A->value[e] * B->value[k];
        }
}

static StickStatus multiply(StickContext *ctx, const StickSparse *A, const StickSparse *B, int *seen,
                            StickSparse *C)
{
    size_t entries = 0;
    for (int i = 0; i < A->rows; i++)
        seen[i] = -1;
    for (int j = 0; j < B->cols; j++)
        entries += (size_t)count_column(A, B, j, seen);
    STICK_TRY(allocate(ctx, A->rows, B->cols, entries, C));
    for (int i = 0; i < A->rows; i++)
        seen[i] = -1;
    for (int j = 0; j < B->cols; j++)
        C->start[j + 1] = C->start[j] + count_column(A, B, j, seen);
    for (int i = 0; i < A->rows; i++)
        seen[i] = -1;
    for (int j = 0; j < B->cols; j++)
        fill_column(A, B, j, seen, C);
    return STICK_OK;
}

// Transposed twice, the rows of every column ascend.
static StickStatus sort_rows(StickContext *ctx, StickSparse *A)
{
    StickSparse At, sorted;
    STICK_TRY(stick_sparse_transpose(ctx, A, &At));
    StickStatus status = stick_sparse_transpose(ctx, &At, &sorted);
    stick_sparse_destroy(ctx, &At);
    STICK_TRY(status);
    stick_sparse_destroy(ctx, A);
    *A = sorted;
    return STICK_OK;
}

StickStatus stick_sparse_product(StickContext *ctx, const StickSparse *A, const StickSparse *B,
                                 StickSparse *C)
{
    assert(A->cols == B->rows);
    int *seen;
    StickSparse made;
    STICK_ALLOC(ctx, seen, A->rows);
    StickStatus status = multiply(ctx, A, B, seen, &made);
    stick_free(ctx, seen);
    STICK_TRY(status);
    status = sort_rows(ctx, &made);
    if (status != STICK_OK)
        stick_sparse_destroy(ctx, &made);
    else
        *C = made;
    return status;
}

StickStatus stick_sparse_project(StickContext *ctx, const StickSparse *Y, const StickSparse *A,
                                 const StickSparse *Z, StickSparse *B)
{
    StickSparse AZ, Yt;
    STICK_TRY(stick_sparse_product(ctx, A, Z, &AZ));
    StickStatus status = stick_sparse_transpose(ctx, Y, &Yt);
    if (status == STICK_OK) {
        status = stick_sparse_product(ctx, &Yt, &AZ, B);
        stick_sparse_destroy(ctx, &Yt);
    }
    stick_sparse_destroy(ctx, &AZ);
    return status;
}

// Column j of a A + b B by merging; with C = NULL its length alone.
static int merge_column(double a, const StickSparse *A, double b, const StickSparse *B, int j, StickSparse *C)
{
    int i = A->start[j], k = B->start[j], to = C ? C->start[j] : 0, first = to;
    while (i < A->start[j + 1] || k < B->start[j + 1]) {
        int row_A = i < A->start[j + 1] ? A->row[i] : A->rows;
        int row_B = k < B->start[j + 1] ? B->row[k] : A->rows;
        double value = 0;
        if (row_A <= row_B)
            value += a * A->value[i++];
        if (row_B <= row_A)
            value += b * B->value[k++];
        if (C) {
            C->row[to] = row_A < row_B ? row_A : row_B;
            C->value[to] = value;
        }
        to++;
    }
    return to - first;
}

StickStatus stick_sparse_sum(StickContext *ctx, double a, const StickSparse *A, double b,
                             const StickSparse *B, StickSparse *C)
{
    assert(A->rows == B->rows && A->cols == B->cols);
    size_t entries = 0;
    StickSparse made;
    for (int j = 0; j < A->cols; j++)
        entries += (size_t)merge_column(a, A, b, B, j, NULL);
    STICK_TRY(allocate(ctx, A->rows, A->cols, entries, &made));
    for (int j = 0; j < A->cols; j++)
        made.start[j + 1] = made.start[j] + merge_column(a, A, b, B, j, &made);
    *C = made;
    return STICK_OK;
}

StickStatus stick_sparse_symmetric(StickContext *ctx, const StickSparse *A, StickSparse *S)
{
    StickSparse At;
    STICK_TRY(stick_sparse_transpose(ctx, A, &At));
    StickStatus status = stick_sparse_sum(ctx, 0.5, A, 0.5, &At, S);
    stick_sparse_destroy(ctx, &At);
    return status;
}
