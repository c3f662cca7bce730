// SPDX-License-Identifier: Apache-2.0
#include "condense/body_matrix.h"

#include "base/memory.h"
#include "bodies/modes.h"

#include <cblas.h>
#include <lapacke.h>
#include <string.h>

// ---- rigid bodies

static void solve_rigid(const StickBodyMatrix *own, const double *B, int k, double *X)
{
    double x[STICK_RIGID_DOFS];
    int n = own->order;
    for (int c = 0; c < k; c++) {
        for (int i = 0; i < n; i++) {
            x[i] = 0;
            for (int j = 0; j < n; j++)
                x[i] += own->rigid[i * n + j] * B[c * n + j];
        }
        for (int i = 0; i < n; i++)
            X[c * n + i] = x[i];
    }
}

// ---- modes: A^-1 is Phi (Phi' A Phi)^-1 Phi'

static StickStatus create_modes(StickContext *ctx, const StickBody *body, StickBodyMatrix *own)
{
    const StickModes *modes = body->modes;
    size_t order = (size_t)own->order, count = (size_t)modes->count;
    STICK_ALLOC(ctx, own->Phi, order * count);
    STICK_ALLOC(ctx, own->modal, count * count);
    own->nmodes = modes->count;
    for (int i = 0; i < body->ndofs; i++)
        for (size_t j = 0; j < count && own->free[i] >= 0; j++)
            own->Phi[j * order + (size_t)own->free[i]] = modes->Phi[j * (size_t)body->ndofs + (size_t)i];
    return STICK_OK;
}

bool stick_body_matrix_factor_modes(const StickBody *body, double m, double a, double b, StickBodyMatrix *own)
{
    const StickModes *modes = body->modes;
    size_t count = (size_t)modes->count;
    for (size_t k = 0; k < count * count; k++)
        own->modal[k] = m * modes->M[k] + a * modes->C[k] + b * modes->K[k];
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', own->nmodes, own->modal, own->nmodes) == 0;
}

static StickStatus solve_modes(StickContext *ctx, StickBodyMatrix *own, const double *B, int k, double *X)
{
    int n = own->order, m = own->nmodes;
    STICK_RESERVE(ctx, own->z, own->z_capacity, (size_t)m * (size_t)k);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, k, n, 1, own->Phi, n, B, n, 0, own->z, m);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', m, k, own->modal, m, own->z, m);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, k, m, 1, own->Phi, n, own->z, m, 0, X, n);
    return STICK_OK;
}

// ---- factors

// Right-hand sides one by one; the solution may not stand in the place of its right-hand side.
static StickStatus solve_indefinite(StickContext *ctx, StickBodyMatrix *own, const double *B, int k,
                                    double *X)
{
    size_t n = (size_t)own->order;
    STICK_RESERVE(ctx, own->z, own->z_capacity, n);
    if (!own->has_lu)
        STICK_TRY(stick_lu_factor(own->lu, own->A.value));
    own->has_lu = true;
    for (int c = 0; c < k; c++) {
        memcpy(own->z, B + (size_t)c * n, n * sizeof *own->z);
        STICK_TRY(stick_lu_solve(own->lu, own->z, X + (size_t)c * n));
    }
    return STICK_OK;
}

// Pattern of A and, for each entry, its place in the pattern of M, C and K.
static StickStatus extract_pattern(StickContext *ctx, const StickBody *body, StickBodyMatrix *matrix)
{
    const StickSparse *M = &body->M;
    int entries = 0;
    for (int j = 0; j < M->cols; j++)
        for (int e = M->start[j]; e < M->start[j + 1]; e++)
            entries += matrix->free[j] >= 0 && matrix->free[M->row[e]] >= 0;
    StickSparse *A = &matrix->A;
    A->rows = A->cols = matrix->order;
    STICK_ALLOC(ctx, A->start, matrix->order + 1);
    STICK_ALLOC(ctx, A->row, entries);
    STICK_ALLOC(ctx, A->value, entries);
    STICK_ALLOC(ctx, matrix->from, entries);
    int kept = 0;
    for (int j = 0; j < M->cols; j++) {
        if (matrix->free[j] < 0)
            continue;
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            if (matrix->free[M->row[e]] < 0)
                continue;
            A->row[kept] = matrix->free[M->row[e]];
            matrix->from[kept++] = e;
        }
        A->start[matrix->free[j] + 1] = kept;
    }
    return STICK_OK;
}

StickStatus stick_body_matrix_create(StickContext *ctx, const StickBody *body, StickBodyMatrix *own)
{
    if (body->modes)
        return create_modes(ctx, body, own);
    STICK_TRY(extract_pattern(ctx, body, own));
    return stick_factor_create(ctx, &own->A, &own->factor);
}

void stick_body_matrix_destroy(StickContext *ctx, StickBodyMatrix *own)
{
    stick_sparse_destroy(ctx, &own->A);
    stick_free(ctx, own->from);
    stick_factor_destroy(own->factor);
    stick_lu_destroy(own->lu);
    stick_free(ctx, own->Phi);
    stick_free(ctx, own->modal);
    stick_free(ctx, own->z);
}

StickStatus stick_body_matrix_factor_tangent(StickContext *ctx, StickBodyMatrix *own)
{
    bool definite;
    own->indefinite = false;
    STICK_TRY(stick_factor_try(own->factor, &own->A, &definite));
    if (definite)
        return STICK_OK;
    if (!own->lu)
        STICK_TRY(stick_lu_create(ctx, &own->A, "the tangent of a body", &own->lu));
    own->indefinite = true;
    own->has_lu = false;
    return STICK_OK;
}

// ---- solves

void stick_body_matrix_pack(const StickBody *body, const StickBodyMatrix *own, const double *v,
                            double *packed)
{
    for (int i = 0; i < body->ndofs; i++)
        if (own->free[i] >= 0)
            packed[own->free[i]] = v[body->first + i];
}

StickStatus stick_body_matrix_solve(StickContext *ctx, StickBodyMatrix *own, const double *B, int k,
                                    double *X)
{
    if (own->nmodes > 0)
        return solve_modes(ctx, own, B, k, X);
    if (own->indefinite)
        return solve_indefinite(ctx, own, B, k, X);
    if (!own->rigid)
        return stick_factor_solve(own->factor, B, k, X);
    solve_rigid(own, B, k, X);
    return STICK_OK;
}

bool stick_body_matrix_has_halves(const StickBodyMatrix *own)
{
    return own->factor && !own->indefinite && stick_factor_has_blocks(own->factor);
}
