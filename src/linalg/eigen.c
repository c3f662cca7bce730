// SPDX-License-Identifier: Apache-2.0
#include "linalg/eigen.h"

#include "base/memory.h"
#include "linalg/eigen_parts.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EQUAL = 1e-8; // components that count as equally large

StickStatus stick_eigen_create(StickContext *ctx, int n, int count, StickEigen *eigen)
{
    StickEigen made = {.n = n, .count = count};
    made.value = stick_alloc(ctx, (size_t)count, sizeof *made.value);
    made.vector = stick_alloc(ctx, (size_t)n * (size_t)count, sizeof *made.vector);
    made.residual = stick_alloc(ctx, (size_t)count, sizeof *made.residual);
    if (!made.value || !made.vector || !made.residual) {
        stick_eigen_destroy(ctx, &made);
        return STICK_NO_MEMORY;
    }
    *eigen = made;
    return STICK_OK;
}

void stick_eigen_destroy(StickContext *ctx, StickEigen *eigen)
{
    stick_free(ctx, eigen->value);
    stick_free(ctx, eigen->vector);
    stick_free(ctx, eigen->residual);
    *eigen = (StickEigen){0};
}

void stick_eigen_normalise(int n, double complex *vector)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, cabs(vector[i]));
    if (!(largest > 0))
        return;
    // The first of the components that are equally large but for rounding.
    int lead = 0;
    while (cabs(vector[lead]) < (1 - EQUAL) * largest)
        lead++;
    double complex turn = conj(vector[lead]) / cabs(vector[lead]) / largest;
    bool real = true;
    for (int i = 0; i < n; i++)
        real = real && cimag(vector[i]) == 0;
    for (int i = 0; i < n; i++)
        vector[i] = real ? creal(vector[i]) * creal(turn) : vector[i] * turn;
    vector[lead] = cabs(vector[lead]);
}

typedef struct Place {
    double complex value;
    int from;
} Place;

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
    const Place *a = left, *b = right;
    int order = compare(creal(a->value), creal(b->value));
    if (order == 0)
        order = compare(fabs(cimag(a->value)), fabs(cimag(b->value)));
    if (order == 0)
        order = compare(cimag(a->value), cimag(b->value));
    return order ? order : compare(a->from, b->from);
}

static void rearrange(const StickEigen *eigen, const Place *place, StickEigen *sorted)
{
    size_t n = (size_t)eigen->n;
    for (int k = 0; k < eigen->count; k++) {
        size_t from = (size_t)place[k].from, to = (size_t)k;
        sorted->value[k] = eigen->value[from];
        sorted->residual[k] = eigen->residual[from];
        memcpy(sorted->vector + to * n, eigen->vector + from * n, n * sizeof *sorted->vector);
    }
}

StickStatus stick_eigen_sort(StickContext *ctx, StickEigen *eigen)
{
    Place *place;
    StickEigen sorted;
    STICK_ALLOC(ctx, place, eigen->count);
    StickStatus status = stick_eigen_create(ctx, eigen->n, eigen->count, &sorted);
    if (status == STICK_OK) {
        for (int k = 0; k < eigen->count; k++)
            place[k] = (Place){eigen->value[k], k};
        qsort(place, (size_t)eigen->count, sizeof *place, compare_places);
        rearrange(eigen, place, &sorted);
        sorted.infinite = eigen->infinite;
        sorted.rcond = eigen->rcond;
        stick_eigen_destroy(ctx, eigen);
        *eigen = sorted;
    }
    stick_free(ctx, place);
    return status;
}

void stick_eigen_fill(const StickSparse *A, double *dense)
{
    memset(dense, 0, (size_t)A->rows * (size_t)A->cols * sizeof *dense);
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            dense[(size_t)j * (size_t)A->rows + (size_t)A->row[k]] = A->value[k];
}

// ---- what dense problems begin and end with

StickStatus stick_eigen_check_matrix(StickContext *ctx, int n, const double *A, const char *name)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double entry = A[(size_t)j * (size_t)n + (size_t)i];
            STICK_CHECK(ctx, isfinite(entry), STICK_BAD_INPUT, "entry (%d, %d) of %s is %g", i + 1, j + 1,
                        name, entry);
        }
    return STICK_OK;
}

double stick_eigen_largest_entry(int n, const double *A)
{
    double largest = 0;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        largest = fmax(largest, fabs(A[k]));
    return largest;
}

StickStatus stick_eigen_check_lapack(StickContext *ctx, int info, const char *what, int n)
{
    STICK_CHECK(ctx, info >= 0, STICK_INTERNAL, "%s of order %d: argument %d is wrong", what, n, -info);
    STICK_CHECK(ctx, info == 0, STICK_NOT_SOLVED, "%s of order %d did not converge (LAPACK %d)", what, n,
                info);
    return STICK_OK;
}

StickStatus stick_eigen_finish(StickContext *ctx, StickStatus status, StickEigen *made, StickEigen *eigen)
{
    if (status == STICK_OK)
        status = stick_eigen_sort(ctx, made);
    if (status == STICK_OK)
        *eigen = *made;
    else
        stick_eigen_destroy(ctx, made);
    return status;
}
