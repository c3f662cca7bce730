// SPDX-License-Identifier: Apache-2.0
#include "linalg/factor.h"

#include "base/memory.h"
#include "linalg/cholmod_view.h"
#include "linalg/dense_kernels.h"
#include "linalg/threads.h"

#include <cblas.h>
#include <string.h>

// Places from..to-1, in the order of L, whose path to the root of the tree passes through a supernode.
typedef struct Reach {
    int from, to;
    size_t first; // of Z: columns of the supernode x places
} Reach;

struct StickFactor {
    StickContext *ctx;
    StickCholmodPattern pattern;
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E; // kept by cholmod_l_solve2 from call to call
    // of the algorithm by supernodes
    int *column;  // n: of L, by the place in A
    int *asked;   // n: index of a column of L among the requested places, or -1
    int *block;   // n: supernode of a column of L
    bool *marked; // supernodes
    Reach *reach; // of supernodes; NULL: not set up yet
    int *order;   // of the places: as their columns stand in L
    double *Z, *T;
    size_t order_capacity, Z_capacity, T_capacity;
    double *below; // contributions of a supernode to the rows below it, or one right side at all of its rows
    size_t below_capacity;
    double *y, *x; // n: of one right side; y: after its forward half
};

static bool is_memory(const cholmod_common *common)
{
    return common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE;
}

// CHOLMOD tries AMD first (method 1). Without memory for it, CHOLMOD takes another ordering and reports no error: the
// same model would end with other bits.
static bool has_lost_ordering(const cholmod_common *common)
{
    return common->method[1].lnz < 0;
}

StickStatus stick_factor_create(StickContext *ctx, const StickSparse *A, StickFactor **factor)
{
    StickFactor *F;
    STICK_ALLOC(ctx, F, 1);
    F->ctx = ctx;
    cholmod_l_start(&F->common);
    F->common.print = 0;
    F->common.error_handler = NULL;
    F->common.final_ll = 1; // LL', so that a negative pivot shows; LDL' would take it
    StickStatus status = stick_cholmod_pattern_create(ctx, A, &F->pattern);
    if (status == STICK_OK) {
        cholmod_sparse view = stick_cholmod_upper(A, &F->pattern);
        F->L = cholmod_l_analyze(&view, &F->common);
    }
    if (status == STICK_OK && F->L && has_lost_ordering(&F->common))
        status = stick_fail(ctx, STICK_NO_MEMORY, "no memory to order the unknowns of a matrix of order %d",
                            A->rows);
    else if (status == STICK_OK && !F->L)
        status = stick_fail(ctx, is_memory(&F->common) ? STICK_NO_MEMORY : STICK_INTERNAL,
                            "analysis of a sparse matrix of order %d failed (CHOLMOD %d)", A->rows,
                            F->common.status);
    if (status != STICK_OK) {
        stick_factor_destroy(F);
        return status;
    }
    *factor = F;
    return STICK_OK;
}

void stick_factor_destroy(StickFactor *F)
{
    if (!F)
        return;
    cholmod_l_free_dense(&F->X, &F->common);
    cholmod_l_free_dense(&F->Y, &F->common);
    cholmod_l_free_dense(&F->E, &F->common);
    cholmod_l_free_factor(&F->L, &F->common);
    cholmod_l_finish(&F->common);
    stick_cholmod_pattern_destroy(F->ctx, &F->pattern);
    stick_free(F->ctx, F->column);
    stick_free(F->ctx, F->asked);
    stick_free(F->ctx, F->block);
    stick_free(F->ctx, F->reach);
    stick_free(F->ctx, F->order);
    stick_free(F->ctx, F->Z);
    stick_free(F->ctx, F->below);
    stick_free(F->ctx, F->T);
    stick_free(F->ctx, F->y);
    stick_free(F->ctx, F->x);
    stick_free(F->ctx, F->marked);
    stick_free(F->ctx, F);
}

StickStatus stick_factor_try(StickFactor *F, const StickSparse *A, bool *definite)
{
    cholmod_sparse view = stick_cholmod_upper(A, &F->pattern);
    int levels = stick_openmp_hold();
    cholmod_l_factorize(&view, F->L, &F->common);
    stick_openmp_release(levels);
    if (is_memory(&F->common))
        return stick_fail(F->ctx, STICK_NO_MEMORY,
                          "no memory for the factors of a matrix of order %d: they need %.2g GB", A->rows,
                          8e-9 * F->common.lnz);
    STICK_CHECK(F->ctx, F->common.status >= CHOLMOD_OK, STICK_INTERNAL,
                "factors of a matrix of order %d failed (CHOLMOD %d)", A->rows, F->common.status);
    *definite = F->common.status == CHOLMOD_OK && F->L->minor == F->L->n;
    return STICK_OK;
}

StickStatus stick_factor_refactor(StickFactor *F, const StickSparse *A)
{
    bool definite;
    STICK_TRY(stick_factor_try(F, A, &definite));
    STICK_CHECK(F->ctx, definite, STICK_NOT_SOLVED,
                "a matrix of order %d is not positive definite (pivot %zu)", A->rows, F->L->minor + 1);
    return STICK_OK;
}

// ---- supernodes

bool stick_factor_has_blocks(const StickFactor *F)
{
    return F->L->is_super && F->L->x;
}

// Columns of a supernode, and its rows, which begin with these.
typedef struct Block {
    int first, columns, rows;
    const SuiteSparse_long *row;
    const double *value; // rows x columns
} Block;

static Block block_of(const StickFactor *F, size_t s)
{
    const cholmod_factor *L = F->L;
    const SuiteSparse_long *super = L->super, *pi = L->pi, *px = L->px, *rows = L->s;
    return (Block){(int)super[s], (int)(super[s + 1] - super[s]), (int)(pi[s + 1] - pi[s]), rows + pi[s],
                   (const double *)L->x + px[s]};
}

static StickStatus index_blocks(StickFactor *F)
{
    const cholmod_factor *L = F->L;
    const SuiteSparse_long *perm = L->Perm, *super = L->super;
    if (F->reach)
        return STICK_OK;
    if (!F->column)
        STICK_ALLOC(F->ctx, F->column, L->n);
    if (!F->asked)
        STICK_ALLOC(F->ctx, F->asked, L->n);
    if (!F->block)
        STICK_ALLOC(F->ctx, F->block, L->n);
    for (size_t j = 0; j < L->n; j++)
        F->column[perm[j]] = (int)j;
    for (size_t s = 0; s < L->nsuper; s++)
        for (SuiteSparse_long j = super[s]; j < super[s + 1]; j++)
            F->block[j] = (int)s;
    if (!F->marked)
        STICK_ALLOC(F->ctx, F->marked, L->nsuper);
    STICK_ALLOC(F->ctx, F->reach, L->nsuper);
    return STICK_OK;
}

// The next supernode on the path to the root, or -1.
static int above(const StickFactor *F, const Block *block)
{
    return block->rows > block->columns ? F->block[block->row[block->columns]] : -1;
}

// ---- one right side: x = L^-T L^-1 b

// y at the rows of a supernode.
static void gather(const Block *block, const double *y, double *w)
{
    memcpy(w, y + block->first, (size_t)block->columns * sizeof *w);
    for (int i = block->columns; i < block->rows; i++)
        w[i] = y[block->row[i]];
}

static bool is_zero(const double *y, int n)
{
    for (int i = 0; i < n; i++)
        if (y[i] != 0)
            return false;
    return true;
}

// y = L^-1 y, by the supernodes that y reaches.
static void go_up(StickFactor *F, double *y)
{
    double *w = F->below;
    for (size_t s = 0; s < F->L->nsuper; s++) {
        Block block = block_of(F, s);
        if (is_zero(y + block.first, block.columns))
            continue;
        gather(&block, y, w);
        stick_kernel_eliminate((StickDense){block.rows, block.columns, block.value, block.rows}, w);
        for (int i = 0; i < block.rows; i++)
            y[block.row[i]] = w[i];
    }
}

// y = L^-T y
static void come_down(StickFactor *F, double *y)
{
    double *w = F->below;
    for (size_t s = F->L->nsuper; s-- > 0;) {
        Block block = block_of(F, s);
        gather(&block, y, w);
        stick_kernel_substitute((StickDense){block.rows, block.columns, block.value, block.rows}, w);
        memcpy(y + block.first, w, (size_t)block.columns * sizeof *w);
    }
}

static StickStatus reserve_one(StickFactor *F)
{
    if (!F->y)
        STICK_ALLOC(F->ctx, F->y, F->L->n);
    if (!F->x)
        STICK_ALLOC(F->ctx, F->x, F->L->n);
    STICK_RESERVE(F->ctx, F->below, F->below_capacity, F->L->n);
    return STICK_OK;
}

// In the order of L and back.
static void permute(const StickFactor *F, const double *b, double *y)
{
    const SuiteSparse_long *perm = F->L->Perm;
    for (size_t j = 0; j < F->L->n; j++)
        y[j] = b[perm[j]];
}

static void permute_back(const StickFactor *F, const double *y, double *x)
{
    const SuiteSparse_long *perm = F->L->Perm;
    for (size_t j = 0; j < F->L->n; j++)
        x[perm[j]] = y[j];
}

static StickStatus solve_one(StickFactor *F, const double *b, double *x)
{
    STICK_TRY(reserve_one(F));
    permute(F, b, F->x);
    go_up(F, F->x);
    come_down(F, F->x);
    permute_back(F, F->x, x);
    return STICK_OK;
}

// ---- one right side in halves

StickStatus stick_factor_begin(StickFactor *F, const double *b)
{
    STICK_TRY(reserve_one(F));
    permute(F, b, F->y);
    go_up(F, F->y);
    return STICK_OK;
}

// Marks the supernodes on the paths from the places to the root.
static void mark_ways_up(StickFactor *F, const int *place, int k)
{
    memset(F->marked, 0, F->L->nsuper * sizeof *F->marked);
    for (int i = 0; i < k; i++)
        for (int s = F->block[F->column[place[i]]]; s >= 0 && !F->marked[s];) {
            Block block = block_of(F, (size_t)s);
            F->marked[s] = true;
            s = above(F, &block);
        }
}

StickStatus stick_factor_peek(StickFactor *F, const int *place, int k, double *x)
{
    double *w = F->below;
    STICK_TRY(index_blocks(F));
    mark_ways_up(F, place, k);
    for (size_t s = F->L->nsuper; s-- > 0;) {
        if (!F->marked[s])
            continue;
        Block block = block_of(F, s);
        gather(&block, F->x, w);
        memcpy(w, F->y + block.first, (size_t)block.columns * sizeof *w);
        stick_kernel_substitute((StickDense){block.rows, block.columns, block.value, block.rows}, w);
        memcpy(F->x + block.first, w, (size_t)block.columns * sizeof *w);
    }
    for (int i = 0; i < k; i++)
        x[i] = F->x[F->column[place[i]]];
    return STICK_OK;
}

StickStatus stick_factor_end(StickFactor *F, const double *c, double *x)
{
    permute(F, c, F->x);
    go_up(F, F->x);
    for (size_t j = 0; j < F->L->n; j++)
        F->x[j] += F->y[j];
    come_down(F, F->x);
    permute_back(F, F->x, x);
    return STICK_OK;
}

// ---- several

StickStatus stick_factor_solve(StickFactor *F, const double *B, int k, double *X)
{
    size_t n = F->L->n;
    if (n == 0 || k == 0)
        return STICK_OK;
    if (k == 1 && stick_factor_has_blocks(F))
        return solve_one(F, B, X);
    cholmod_dense right = {
        .nrow = n,
        .ncol = (size_t)k,
        .nzmax = n * (size_t)k,
        .d = n,
        .x = (double *)B,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
    };
    int good = cholmod_l_solve2(CHOLMOD_A, F->L, &right, NULL, &F->X, NULL, &F->Y, &F->E, &F->common);
    STICK_CHECK(F->ctx, good, is_memory(&F->common) ? STICK_NO_MEMORY : STICK_INTERNAL,
                "a sparse solve of order %zu failed (CHOLMOD %d)", n, F->common.status);
    memcpy(X, F->X->x, n * (size_t)k * sizeof *X);
    return STICK_OK;
}

// ---- compliance of few degrees of freedom: S = (L^-1 E)' (L^-1 E)

static void widen(Reach *reach, int from, int to)
{
    bool empty = reach->from == reach->to;
    reach->from = empty || from < reach->from ? from : reach->from;
    reach->to = empty || to > reach->to ? to : reach->to;
}

// Sorts the places in the order of L: those below a node of the tree are then contiguous.
static void order_places(StickFactor *F, const int *place, int k)
{
    int count = 0;
    memset(F->reach, 0, F->L->nsuper * sizeof *F->reach);
    for (size_t j = 0; j < F->L->n; j++)
        F->asked[j] = -1;
    for (int i = 0; i < k; i++)
        F->asked[F->column[place[i]]] = i;
    for (size_t j = 0; j < F->L->n; j++) {
        if (F->asked[j] < 0)
            continue;
        F->order[count] = F->asked[j];
        widen(&F->reach[F->block[j]], count, count + 1);
        count++;
    }
}

// Supernodes that the places reach on their paths up the tree; returns the size of Z.
static size_t find_reach(StickFactor *F, size_t *most_below)
{
    size_t size = 0;
    *most_below = 0;
    for (size_t s = 0; s < F->L->nsuper; s++) {
        Reach *reach = &F->reach[s];
        Block block = block_of(F, s);
        size_t places = (size_t)(reach->to - reach->from), below = (size_t)(block.rows - block.columns);
        if (places == 0)
            continue;
        reach->first = size;
        size += (size_t)block.columns * places;
        *most_below = below * places > *most_below ? below * places : *most_below;
        if (below > 0)
            widen(&F->reach[above(F, &block)], reach->from, reach->to);
    }
    return size;
}

// Where Z has the entry of a column of L and a place.
static double *entry_of(StickFactor *F, int column, int place)
{
    const SuiteSparse_long *super = F->L->super;
    int s = F->block[column];
    const Reach *reach = &F->reach[s];
    size_t columns = (size_t)(super[s + 1] - super[s]);
    return F->Z + reach->first + (size_t)(place - reach->from) * columns + (size_t)(column - super[s]);
}

// Z -= below, at the rows of a supernode that stand below it.
static void pass_on(StickFactor *F, const Block *block, const Reach *reach)
{
    const SuiteSparse_long *super = F->L->super;
    size_t below = (size_t)(block->rows - block->columns);
    for (size_t i = 0; i < below; i++) {
        int column = (int)block->row[(size_t)block->columns + i], s = F->block[column];
        size_t columns = (size_t)(super[s + 1] - super[s]);
        double *z = entry_of(F, column, reach->from);
        for (int c = 0; c < reach->to - reach->from; c++)
            z[(size_t)c * columns] -= F->below[(size_t)c * below + i];
    }
}

// Triangles up to this order are left to BLAS, whose triangular solves are slower than its products.
enum { SMALL_TRIANGLE = 32 };

// Z = L^-1 Z for the triangle (n x n) of a supernode, half of it after the other.
static void divide(int n, const double *L, int lead, int places, double *Z, int ldz)
{
    if (n <= SMALL_TRIANGLE) {
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, places, 1, L, lead,
                    Z, ldz);
        return;
    }
    int half = n / 2 / 8 * 8;
    divide(half, L, lead, places, Z, ldz);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n - half, places, half, -1, L + half, lead, Z, ldz,
                1, Z + half, ldz);
    divide(n - half, L + (size_t)half * (size_t)(lead + 1), lead, places, Z + half, ldz);
}

// Z = L^-1 Z, and the lower half of T = Z' Z, by what each supernode is reached by.
static void solve_reached(StickFactor *F, int k)
{
    memset(F->T, 0, (size_t)k * (size_t)k * sizeof *F->T);
    for (size_t s = 0; s < F->L->nsuper; s++) {
        const Reach *reach = &F->reach[s];
        int places = reach->to - reach->from;
        if (places == 0)
            continue;
        Block block = block_of(F, s);
        int n = block.columns, below = block.rows - n;
        double *Z = F->Z + reach->first;
        divide(n, block.value, block.rows, places, Z, n);
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, places, n, 1, Z, n, 1,
                    F->T + (size_t)reach->from * (size_t)(k + 1), k);
        if (below == 0)
            continue;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, places, n, 1, block.value + n,
                    block.rows, Z, n, 0, F->below, below);
        pass_on(F, &block, reach);
    }
}

// Numbers of Z: more than this is too much.
static const double much_memory = 5e7;

StickStatus stick_factor_compliance(StickFactor *F, const int *place, int k, double *S, bool *found)
{
    size_t below, n = (size_t)k;
    *found = false;
    if (!stick_factor_has_blocks(F) || k == 0)
        return STICK_OK;
    STICK_TRY(index_blocks(F));
    STICK_RESERVE(F->ctx, F->order, F->order_capacity, n);
    order_places(F, place, k);
    size_t size = find_reach(F, &below);
    if ((double)size > much_memory)
        return STICK_OK;
    STICK_RESERVE(F->ctx, F->Z, F->Z_capacity, size);
    STICK_RESERVE(F->ctx, F->below, F->below_capacity, below + 1);
    STICK_RESERVE(F->ctx, F->T, F->T_capacity, n * n);
    memset(F->Z, 0, size * sizeof *F->Z);
    for (int c = 0; c < k; c++)
        *entry_of(F, F->column[place[F->order[c]]], c) = 1;
    solve_reached(F, k);
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            S[(size_t)F->order[j] * n + (size_t)F->order[i]] =
                S[(size_t)F->order[i] * n + (size_t)F->order[j]] = F->T[j * n + i];
    *found = true;
    return STICK_OK;
}

double stick_factor_entries(const StickFactor *F)
{
    return F->L->is_super ? (double)F->L->xsize : (double)F->L->nzmax;
}

double stick_factor_bytes(const StickFactor *F)
{
    return F->L->is_super ? 8.0 * (double)F->L->xsize + 8.0 * (double)F->L->ssize
                          : 16.0 * (double)F->L->nzmax;
}
