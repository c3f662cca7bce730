// SPDX-License-Identifier: Apache-2.0
// Right-looking elimination by blocks: with the pivot block D_p and its blocks L_ip below and U_pj to the right,
//
//     X_ip = L_ip D_p^-1,   A_ij -= X_ip U_pj,   and the sign is the product of those of det D_p.
//
// Blocks (i, p) and (p, i) of the factors, i > p, stand at the same place of two arrays.
#include "linalg/block_determinant.h"

#include "base/memory.h"
#include "linalg/block_lu_plan.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct StickBlockDeterminant {
    StickBlockPlan plan; // for its order
    int n, d;            // of the pattern at hand; n = -1: none
    int *start;          // n + 1: columns of the factors
    int *row;            // start[n]: unordered in a column
    int *place;          // n: where a row stands in the column at hand
    int *mark, *child, *sibling;
    double *D;     // n x d x d
    double *lower; // start[n] x d x d: L, and then X
    double *upper; // start[n] x d x d
    int *ints;     // room of the first ones
    double *reals; // room of D
    size_t int_room, real_room, row_room, lower_room, upper_room;
};

StickStatus stick_block_determinant_create(StickContext *ctx, StickBlockDeterminant **created)
{
    StickBlockDeterminant *determinant;
    STICK_ALLOC(ctx, determinant, 1);
    determinant->plan.ctx = ctx;
    determinant->n = -1;
    *created = determinant;
    return STICK_OK;
}

void stick_block_determinant_destroy(StickBlockDeterminant *determinant)
{
    if (!determinant)
        return;
    StickContext *ctx = determinant->plan.ctx;
    stick_block_plan_destroy(&determinant->plan);
    stick_free(ctx, determinant->ints);
    stick_free(ctx, determinant->reals);
    stick_free(ctx, determinant->row);
    stick_free(ctx, determinant->lower);
    stick_free(ctx, determinant->upper);
    stick_free(ctx, determinant);
}

// ---- pattern of the factors

static StickStatus reserve(StickBlockDeterminant *determinant, int n, int d)
{
    StickContext *ctx = determinant->plan.ctx;
    size_t size = (size_t)n, block = (size_t)(d * d), fill = (size_t)determinant->plan.fill;
    STICK_RESERVE(ctx, determinant->ints, determinant->int_room, 5 * size + 1);
    STICK_RESERVE(ctx, determinant->reals, determinant->real_room, size * block);
    STICK_RESERVE(ctx, determinant->row, determinant->row_room, fill);
    STICK_RESERVE(ctx, determinant->lower, determinant->lower_room, fill * block);
    STICK_RESERVE(ctx, determinant->upper, determinant->upper_room, fill * block);
    determinant->start = determinant->ints;
    determinant->place = determinant->start + size + 1;
    determinant->mark = determinant->place + size;
    determinant->child = determinant->mark + size;
    determinant->sibling = determinant->child + size;
    determinant->D = determinant->reals;
    return STICK_OK;
}

static void add_row(StickBlockDeterminant *determinant, int p, int row, int *end)
{
    if (row <= p || determinant->mark[row] == p)
        return;
    determinant->mark[row] = p;
    determinant->row[(*end)++] = row;
}

// Rows of column p: those of A, and those of the columns whose first row it is.
static void fill_column(StickBlockDeterminant *determinant, int p)
{
    const StickBlockPlan *plan = &determinant->plan;
    int i = plan->order[p], end = determinant->start[p], first = determinant->n;
    for (int k = plan->pair_start[i]; k < plan->pair_start[i + 1]; k++)
        add_row(determinant, p, plan->pair[k].node, &end);
    for (int c = determinant->child[p]; c >= 0; c = determinant->sibling[c])
        for (int k = determinant->start[c]; k < determinant->start[c + 1]; k++)
            add_row(determinant, p, determinant->row[k], &end);
    determinant->start[p + 1] = end;
    for (int k = determinant->start[p]; k < end; k++)
        first = determinant->row[k] < first ? determinant->row[k] : first;
    if (first < determinant->n) {
        determinant->sibling[p] = determinant->child[first];
        determinant->child[first] = p;
    }
}

StickStatus stick_block_determinant_analyse(StickBlockDeterminant *determinant, int n, const int *start,
                                            const int *col, int d)
{
    StickBlockPlan *plan = &determinant->plan;
    if (determinant->n == n && determinant->d == d &&
        memcmp(plan->start, start, ((size_t)n + 1) * sizeof *start) == 0 &&
        memcmp(plan->col, col, (size_t)start[n] * sizeof *col) == 0)
        return STICK_OK;
    determinant->n = -1;
    STICK_TRY(stick_block_plan_analyse(plan, n, start, col, d));
    STICK_TRY(reserve(determinant, n, d));
    determinant->n = n;
    determinant->d = d;
    for (int p = 0; p < n; p++)
        determinant->mark[p] = determinant->child[p] = -1;
    determinant->start[0] = 0;
    for (int p = 0; p < n; p++)
        fill_column(determinant, p);
    return STICK_OK;
}

// ---- numbers

static void find_places(StickBlockDeterminant *determinant, int p)
{
    for (int k = determinant->start[p]; k < determinant->start[p + 1]; k++)
        determinant->place[determinant->row[k]] = k;
}

static void load(StickBlockDeterminant *determinant, const double *value, double shift)
{
    const StickBlockPlan *plan = &determinant->plan;
    size_t block = (size_t)(determinant->d * determinant->d), bytes = block * sizeof *value;
    size_t fill = (size_t)determinant->start[determinant->n];
    memset(determinant->lower, 0, fill * bytes);
    memset(determinant->upper, 0, fill * bytes);
    for (int p = 0; p < determinant->n; p++) {
        int i = plan->order[p];
        memcpy(determinant->D + (size_t)p * block, value + (size_t)plan->diagonal[i] * block, bytes);
        for (int k = 0; k < determinant->d; k++)
            determinant->D[(size_t)p * block + (size_t)(k * (determinant->d + 1))] += shift;
        find_places(determinant, p);
        for (int k = plan->pair_start[i]; k < plan->pair_start[i + 1]; k++) {
            StickBlockPair pair = plan->pair[k];
            if (pair.node <= p)
                continue;
            size_t at = (size_t)determinant->place[pair.node] * block;
            if (pair.below >= 0)
                memcpy(determinant->lower + at, value + (size_t)pair.below * block, bytes);
            if (pair.right >= 0)
                memcpy(determinant->upper + at, value + (size_t)pair.right * block, bytes);
        }
    }
}

// 1 for an even order of 0 ... d - 1, -1 for an odd one.
static int parity(int d, const int *order)
{
    int sign = 1;
    for (int i = 0; i < d; i++)
        for (int j = i + 1; j < d; j++)
            sign = order[i] < order[j] ? sign : -sign;
    return sign;
}

// Exchanges the roles of x_col and y_row in y = A x.
static void sweep_out(int d, int row, int col, double *A)
{
    double pivot = A[row * d + col];
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            if (i != row && j != col)
                A[i * d + j] -= A[i * d + col] * (A[row * d + j] / pivot);
    for (int k = 0; k < d; k++) {
        A[row * d + k] /= k == col ? 1 : -pivot;
        A[k * d + col] /= k == row ? 1 : pivot;
    }
    A[row * d + col] = 1 / pivot;
}

// Gauss-Jordan with complete pivoting; returns the sign of det D, 0 if D is singular. Cofactors would lose the sign
// where D is nearly singular.
static int invert(int d, const double *D, double *inverse)
{
    double A[9];
    int row[3] = {0}, col[3] = {0}, sign = 1;
    memcpy(A, D, (size_t)(d * d) * sizeof *A);
    for (int k = 0; k < d; k++) {
        double most = 0;
        for (int e = 0; e < d * d; e++) {
            bool used = false;
            for (int j = 0; j < k; j++)
                used = used || row[j] == e / d || col[j] == e % d;
            if (!used && fabs(A[e]) > most)
                most = fabs(A[e]), row[k] = e / d, col[k] = e % d;
        }
        if (!(most > 0) || !isfinite(most))
            return 0;
        sign = A[row[k] * d + col[k]] > 0 ? sign : -sign;
        sweep_out(d, row[k], col[k], A);
    }
    // A is now the inverse with rows and columns exchanged: entry (row[j], col[k]) belongs to (col[j], row[k]).
    for (int j = 0; j < d; j++)
        for (int k = 0; k < d; k++)
            inverse[col[j] * d + row[k]] = A[row[j] * d + col[k]];
    return parity(d, row) * parity(d, col) * sign;
}

// C -= A B
static inline void subtract_product(int d, const double *A, const double *B, double *C)
{
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double sum = 0;
            for (int k = 0; k < d; k++)
                sum += A[i * d + k] * B[k * d + j];
            C[i * d + j] -= sum;
        }
}

static inline void eliminate(StickBlockDeterminant *determinant, int d, int p, const double *inverse)
{
    int from = determinant->start[p], to = determinant->start[p + 1];
    size_t block = (size_t)(d * d);
    double *lower = determinant->lower, *upper = determinant->upper;
    for (int k = from; k < to; k++) {
        double X[9] = {0};
        subtract_product(d, lower + (size_t)k * block, inverse, X);
        for (size_t e = 0; e < block; e++)
            lower[(size_t)k * block + e] = -X[e];
    }
    for (int k = from; k < to; k++) {
        int j = determinant->row[k];
        const double *X_j = lower + (size_t)k * block, *U_j = upper + (size_t)k * block;
        find_places(determinant, j);
        subtract_product(d, X_j, U_j, determinant->D + (size_t)j * block);
        for (int l = from; l < to; l++) {
            if (determinant->row[l] <= j)
                continue;
            size_t at = (size_t)determinant->place[determinant->row[l]] * block;
            subtract_product(d, lower + (size_t)l * block, U_j, lower + at);
            subtract_product(d, X_j, upper + (size_t)l * block, upper + at);
        }
    }
}

int stick_block_determinant_sign(StickBlockDeterminant *determinant, const double *value, double shift)
{
    int d = determinant->d, sign = 1;
    double inverse[9];
    load(determinant, value, shift);
    for (int p = 0; p < determinant->n; p++) {
        int pivot = invert(d, determinant->D + (size_t)p * (size_t)(d * d), inverse);
        if (pivot == 0)
            return 0;
        sign *= pivot;
        if (d == 3)
            eliminate(determinant, 3, p, inverse);
        else
            eliminate(determinant, d, p, inverse);
    }
    return sign;
}
