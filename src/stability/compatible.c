// SPDX-License-Identifier: Apache-2.0
#include "stability/compatible.h"

#include "base/memory.h"
#include "linalg/krylov.h"
#include "linalg/lu.h"
#include "stability/definite.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <string.h>

enum { DROPS = 64 };              // constraints that are left again
static const double LOWER = 1e-8; // of the size: what counts as lower
static const double BELOW = 1e-3; // of the size: the shift below all eigenvalues
static const double ROUND = 1e-9; // of the largest sliding: less counts as zero

typedef struct Cone {
    StickContext *ctx;
    const StickSparse *A, *S;
    double size, shift; // below all eigenvalues of A
    int n, rows;
    bool *active; // rows
    double *rate; // rows: S v
    double *v;    // n
    double *room; // 2 (n + rows)
    double *best;
    StickSparse St, border;
    StickLu *lu;
    StickConeMinimum *minimum;
} Cone;

static double largest(const double *x, int n)
{
    return n > 0 ? fabs(x[cblas_idamax(n, x, 1)]) : 0;
}

static int count_negative(const double *rate, int rows, double sign, double room)
{
    int count = 0;
    for (int i = 0; i < rows; i++)
        count += sign * rate[i] < -room;
    return count;
}

// The sign with fewer negative rates; of equally many, the one with the smaller sum of them.
static double better_sign(const double *rate, int rows)
{
    double room = ROUND * largest(rate, rows), sum = 0;
    int plus = count_negative(rate, rows, 1, room), minus = count_negative(rate, rows, -1, room);
    for (int i = 0; i < rows; i++)
        sum += rate[i];
    if (plus != minus)
        return plus < minus ? 1 : -1;
    return sum >= 0 ? 1 : -1;
}

StickStatus stick_compatible_violations(StickContext *ctx, const StickSparse *S, const double *v,
                                        double *sign, int *violations)
{
    double *rate;
    STICK_ALLOC(ctx, rate, S->rows);
    stick_sparse_multiply(S, 1, v, rate);
    *sign = better_sign(rate, S->rows);
    *violations = count_negative(rate, S->rows, *sign, ROUND * largest(rate, S->rows));
    stick_free(ctx, rate);
    return STICK_OK;
}

// [A - shift I, S_a'; S_a, 0]: its inverse acts as that of A - shift I on the motions with S_a v = 0.
static StickStatus make_border(Cone *cone, int *nactive)
{
    const StickSparse *A = cone->A, *St = &cone->St;
    int count = 0;
    for (int i = 0; i < cone->rows; i++)
        count += cone->active[i];
    StickTriplets T = {.rows = cone->n + count, .cols = cone->n + count};
    StickStatus status = STICK_OK;
    for (int j = 0; j < cone->n && status == STICK_OK; j++) {
        status = stick_triplets_add(cone->ctx, &T, j, j, -cone->shift);
        for (int k = A->start[j]; k < A->start[j + 1] && status == STICK_OK; k++)
            status = stick_triplets_add(cone->ctx, &T, A->row[k], j, A->value[k]);
    }
    for (int i = 0, to = cone->n; i < cone->rows && status == STICK_OK; i++) {
        for (int k = St->start[i]; k < St->start[i + 1] && cone->active[i] && status == STICK_OK; k++) {
            status = stick_triplets_add(cone->ctx, &T, St->row[k], to, cone->size * St->value[k]);
            if (status == STICK_OK)
                status = stick_triplets_add(cone->ctx, &T, to, St->row[k], cone->size * St->value[k]);
        }
        to += cone->active[i];
    }
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(cone->ctx, &T, &cone->border);
    stick_triplets_destroy(cone->ctx, &T);
    *nactive = count;
    return status;
}

static StickStatus solve_bordered(void *data, const double *x, double *y)
{
    Cone *cone = data;
    int order = cone->border.rows;
    double *right = cone->room, *left = cone->room + cone->n + cone->rows;
    memset(right, 0, (size_t)order * sizeof *right);
    memcpy(right, x, (size_t)cone->n * sizeof *right);
    STICK_TRY(stick_lu_solve(cone->lu, right, left));
    memcpy(y, left, (size_t)cone->n * sizeof *y);
    return STICK_OK;
}

static StickStatus factor_border(Cone *cone)
{
    int nactive;
    stick_lu_destroy(cone->lu);
    cone->lu = NULL;
    stick_sparse_destroy(cone->ctx, &cone->border);
    STICK_TRY(make_border(cone, &nactive));
    STICK_TRY(stick_lu_create(cone->ctx, &cone->border, "the bordered K_S*", &cone->lu));
    return stick_lu_factor(cone->lu, cone->border.value);
}

// v: the direction of smallest v'Av / v'v with S_a v = 0, with the better sign
static StickStatus smallest_bordered(Cone *cone)
{
    StickKrylovOperator op = {.n = cone->n, .data = cone, .apply = solve_bordered};
    StickKrylovOptions options = stick_krylov_default();
    StickKrylovReport report;
    StickEigen eigen;
    options.count = 1;
    options.unmeasured = true;
    STICK_TRY(factor_border(cone));
    STICK_TRY(stick_krylov_largest(cone->ctx, &op, &options, &eigen, &report));
    for (int i = 0; i < cone->n; i++)
        cone->v[i] = creal(eigen.vector[i]);
    cblas_dscal(cone->n, 1 / cblas_dnrm2(cone->n, cone->v, 1), cone->v, 1);
    stick_eigen_destroy(cone->ctx, &eigen);
    cone->minimum->solves++;
    return STICK_OK;
}

static void orient(Cone *cone)
{
    memset(cone->rate, 0, (size_t)cone->rows * sizeof *cone->rate);
    stick_sparse_multiply(cone->S, 1, cone->v, cone->rate);
    double sign = better_sign(cone->rate, cone->rows);
    cblas_dscal(cone->n, sign, cone->v, 1);
    cblas_dscal(cone->rows, sign, cone->rate, 1);
}

static bool take_violated(Cone *cone)
{
    double room = ROUND * largest(cone->rate, cone->rows);
    bool any = false;
    for (int i = 0; i < cone->rows; i++)
        if (!cone->active[i] && cone->rate[i] < -room) {
            cone->active[i] = true;
            any = true;
        }
    return any;
}

static void keep_if_better(Cone *cone, bool *better)
{
    double value = stick_sparse_form(cone->A, cone->v, cone->v);
    *better = value < cone->minimum->value - LOWER * cone->size;
    if (!*better)
        return;
    cone->minimum->value = value;
    cone->minimum->active = 0;
    for (int i = 0; i < cone->rows; i++)
        cone->minimum->active += cone->active[i];
    memcpy(cone->best, cone->v, (size_t)cone->n * sizeof *cone->v);
}

// Multipliers of A v - value v = S_a' nu: from the bordered system with the right side value v - shift v. The
// constraint with the largest wrong sign becomes inactive; false if no sign is wrong.
static StickStatus leave_one(Cone *cone, bool *left)
{
    double value = stick_sparse_form(cone->A, cone->v, cone->v);
    double *right = cone->room, *found = cone->room + cone->n + cone->rows;
    memset(right, 0, (size_t)cone->border.rows * sizeof *right);
    for (int i = 0; i < cone->n; i++)
        right[i] = (value - cone->shift) * cone->v[i];
    STICK_TRY(stick_lu_solve(cone->lu, right, found));
    int worst = -1;
    double most = ROUND * largest(found + cone->n, cone->border.rows - cone->n);
    for (int i = 0, at = cone->n; i < cone->rows; i++) {
        // (A - shift) v + S_a' m = (value - shift) v, so that nu = -m: a positive m wants to slide.
        if (cone->active[i] && found[at] > most) {
            most = found[at];
            worst = i;
        }
        at += cone->active[i];
    }
    *left = worst >= 0;
    if (worst >= 0)
        cone->active[worst] = false;
    return STICK_OK;
}

// Starts from one sign of the smallest eigenvector: violated constraints become active, and inactive again if that
// lowers the form.
static StickStatus descend(Cone *cone, double sign, const double *eigenvector)
{
    bool more = true, better = true;
    memset(cone->rate, 0, (size_t)cone->rows * sizeof *cone->rate);
    memset(cone->active, 0, (size_t)cone->rows * sizeof *cone->active);
    stick_sparse_multiply(cone->S, sign, eigenvector, cone->rate);
    take_violated(cone);
    for (int drop = 0; drop < DROPS && more && better; drop++) {
        do {
            STICK_TRY(smallest_bordered(cone));
            orient(cone);
        } while (take_violated(cone));
        keep_if_better(cone, &better);
        if (better)
            STICK_TRY(leave_one(cone, &more));
    }
    return STICK_OK;
}

static StickStatus minimise(Cone *cone, double smallest, const double *eigenvector)
{
    STICK_ALLOC(cone->ctx, cone->active, cone->rows);
    STICK_ALLOC(cone->ctx, cone->rate, cone->rows);
    STICK_ALLOC(cone->ctx, cone->v, cone->n);
    STICK_ALLOC(cone->ctx, cone->room, 2 * (size_t)(cone->n + cone->rows));
    STICK_TRY(stick_definite_size(cone->ctx, cone->A, &cone->size));
    STICK_TRY(stick_sparse_transpose(cone->ctx, cone->S, &cone->St));
    cone->shift = smallest - BELOW * cone->size;
    STICK_TRY(descend(cone, 1, eigenvector));
    return descend(cone, -1, eigenvector);
}

StickStatus stick_compatible_minimum(StickContext *ctx, const StickSparse *A, const StickSparse *S,
                                     double smallest, const double *eigenvector, double *v,
                                     StickConeMinimum *minimum)
{
    double sign;
    int violations;
    STICK_TRY(stick_compatible_violations(ctx, S, eigenvector, &sign, &violations));
    if (violations == 0) {
        for (int i = 0; i < A->rows; i++)
            v[i] = sign * eigenvector[i];
        *minimum = (StickConeMinimum){.value = smallest, .proved = true};
        return STICK_OK;
    }
    StickConeMinimum found = {.value = INFINITY};
    Cone cone = {.ctx = ctx, .A = A, .S = S, .n = A->rows, .rows = S->rows, .best = v, .minimum = &found};
    StickStatus status = minimise(&cone, smallest, eigenvector);
    stick_free(ctx, cone.active);
    stick_free(ctx, cone.rate);
    stick_free(ctx, cone.v);
    stick_free(ctx, cone.room);
    stick_lu_destroy(cone.lu);
    stick_sparse_destroy(ctx, &cone.St);
    stick_sparse_destroy(ctx, &cone.border);
    if (status == STICK_OK)
        *minimum = found;
    return status;
}
