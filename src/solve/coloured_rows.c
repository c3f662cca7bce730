// SPDX-License-Identifier: Apache-2.0
// One body per dimension, in 3D compiled also for processors with wide registers. The same products are
// summed in the same order, so that the bits are the same.
#include "solve/coloured_rows.h"

#include <string.h>

typedef double Pair __attribute__((vector_size(16)));
typedef double Quad __attribute__((vector_size(32)));
#define KERNEL static inline __attribute__((always_inline))

// ---- local problems

static StickLocal2 *local_2(const StickRows *rows, int c)
{
    return (StickLocal2 *)rows->local + c;
}

static StickLocal3 *local_3(const StickRows *rows, int c)
{
    return (StickLocal3 *)rows->local + c;
}

size_t stick_rows_local_size(int dim)
{
    return dim == 1 ? sizeof(StickLocal1) : dim == 2 ? sizeof(StickLocal2) : sizeof(StickLocal3);
}

void stick_rows_prepare(StickRows *rows, int c, const double *A, double mu)
{
    if (rows->dim == 1)
        stick_local_prepare1(A, rows->local + c);
    else if (rows->dim == 2)
        stick_local_prepare2(A, mu, local_2(rows, c));
    else
        stick_local_prepare3(A, mu, local_3(rows, c));
}

const double *stick_rows_diagonal(const StickRows *rows, int c)
{
    return rows->dim == 1 ? &rows->local[c].A : rows->dim == 2 ? local_2(rows, c)->A : local_3(rows, c)->A;
}

static const StickSection *section_of(const StickRows *rows, int c)
{
    return rows->section[rows->order[c]];
}

// The local update takes u and r before it: with r = 0 its u is b.
KERNEL void solve_local(const StickRows *rows, int dim, bool sections, int c, const double *b, double *r)
{
    for (int i = 0; i < dim; i++)
        r[i] = 0;
    if (sections && section_of(rows, c))
        stick_section_update(dim == 2 ? (void *)local_2(rows, c) : (void *)local_3(rows, c),
                             section_of(rows, c), b, r);
    else if (dim == 1)
        stick_local_update1(rows->local + c, b, r);
    else if (dim == 2)
        stick_local_update2((StickLocal2 *)rows->local + c, b, r);
    else
        stick_local_update3((StickLocal3 *)rows->local + c, b, r);
}

// ---- sums over neighbours

// Neighbours are spread over r: prefetch those of the next contacts.
KERNEL void fetch_ahead(const StickRows *rows, int dim, int k)
{
    __builtin_prefetch(rows->r + (size_t)dim * (size_t)rows->col[k + STICK_ROWS_AHEAD]);
}

KERNEL void gather_1(const StickRows *rows, int c, double *b)
{
    double sum = 0;
    for (int k = rows->start[c]; k < rows->start[c + 1]; k++)
        sum += rows->value[k] * rows->r[rows->col[k]];
    b[0] = rows->u_free[c] + sum;
}

KERNEL void gather_2(const StickRows *rows, int c, double *b)
{
    Pair sum = {0}, column[2];
    for (int k = rows->start[c]; k < rows->start[c + 1]; k++) {
        const double *x = rows->r + 2 * (size_t)rows->col[k];
        fetch_ahead(rows, 2, k);
        memcpy(column, rows->value + 4 * (size_t)k, sizeof column);
        sum += column[0] * x[0] + column[1] * x[1];
    }
    for (size_t i = 0; i < 2; i++)
        b[i] = rows->u_free[2 * (size_t)c + i] + sum[i];
}

KERNEL void gather_3(const StickRows *rows, int c, double *b)
{
    Quad sum = {0}, column[3];
    for (int k = rows->start[c]; k < rows->start[c + 1]; k++) {
        const double *x = rows->r + 3 * (size_t)rows->col[k], *block = rows->value + 9 * (size_t)k;
        fetch_ahead(rows, 3, k);
        for (int j = 0; j < 3; j++)
            memcpy(&column[j], block + 3 * j, sizeof column[j]);
        sum += column[0] * x[0] + column[1] * x[1] + column[2] * x[2];
    }
    for (size_t i = 0; i < 3; i++)
        b[i] = rows->u_free[3 * (size_t)c + i] + sum[i];
}

// b = u_free + sum over the neighbours of W_cj r_j
KERNEL void gather(const StickRows *rows, int dim, int c, double *b)
{
    if (dim == 1)
        gather_1(rows, c, b);
    else if (dim == 2)
        gather_2(rows, c, b);
    else
        gather_3(rows, c, b);
}

// ---- sweeps

KERNEL void add_change(int dim, double w, const double *before, const double *r, StickMeasures *sums)
{
    double change = 0, size = 0;
    for (int i = 0; i < dim; i++) {
        change += (r[i] - before[i]) * (r[i] - before[i]);
        size += r[i] * r[i];
    }
    // A change of r by x is one of u by w x; the shared measure sees the smaller of the two.
    sums->shared.defect += (w < 1 ? w * w : 1) * change;
    sums->shared.r += size;
    sums->scale_free.defect += w * change;
    sums->scale_free.r += w * size;
}

KERNEL void sweep_body(const StickRows *rows, int dim, bool sections, StickChunk chunk, StickMeasures *sums)
{
    StickMeasures sum = {0};
    for (int c = chunk.first; c < chunk.end; c++) {
        double b[3], now[3], *r = rows->r + (size_t)dim * (size_t)c;
        gather(rows, dim, c, b);
        solve_local(rows, dim, sections, c, b, now);
        add_change(dim, rows->weight[c], r, now, &sum);
        memcpy(r, now, (size_t)dim * sizeof *r);
    }
    *sums = sum;
}

// ---- products

KERNEL void product_body(const StickRows *rows, int dim, bool sections, StickChunk chunk, StickMeasures *sums)
{
    StickMeasures sum = {0};
    for (int c = chunk.first; c < chunk.end; c++) {
        const double *A = stick_rows_diagonal(rows, c), *r = rows->r + (size_t)dim * (size_t)c;
        double *u = rows->u + (size_t)dim * (size_t)c, s = sqrt(rows->weight[c]);
        double mu = dim == 1 ? 0 : dim == 2 ? local_2(rows, c)->mu : local_3(rows, c)->mu;
        gather(rows, dim, c, u);
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++)
                u[i] += A[i * dim + j] * r[j];
        if (sections && section_of(rows, c)) {
            stick_section_sums_add(section_of(rows, c), 1, r, u, &sum.shared);
            double defect = stick_section_sums_add(section_of(rows, c), s, r, u, &sum.scale_free);
            stick_sums_raise(dim, defect, rows->weight[c], rows->drive[c], r, u, &sum.contact);
            continue;
        }
        stick_sums_add(dim, mu, 1, r, u, &sum.shared);
        double defect = stick_sums_add(dim, mu, s, r, u, &sum.scale_free);
        stick_sums_raise(dim, defect, rows->weight[c], rows->drive[c], r, u, &sum.contact);
    }
    *sums = sum;
}

// ---- kernels

#define DEFINE_KERNELS(dim, suffix, attribute)                                                          \
    attribute static void sweep##suffix(const StickRows *rows, StickChunk chunk, StickMeasures *sums)   \
    {                                                                                                   \
        sweep_body(rows, dim, false, chunk, sums);                                                      \
    }                                                                                                   \
    attribute static void product##suffix(const StickRows *rows, StickChunk chunk, StickMeasures *sums) \
    {                                                                                                   \
        product_body(rows, dim, false, chunk, sums);                                                    \
    }

DEFINE_KERNELS(1, _1, )
DEFINE_KERNELS(2, _2, )
DEFINE_KERNELS(3, _3, )
#ifdef __x86_64__
DEFINE_KERNELS(3, _3_wide, __attribute__((target("avx2"))))

bool stick_rows_wide(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
#define sweep_3_wide sweep_3
#define product_3_wide product_3

bool stick_rows_wide(void)
{
    return false;
}
#endif

StickRowsKernel *stick_rows_sweep(int dim, bool wide)
{
    return dim == 1 ? sweep_1 : dim == 2 ? sweep_2 : wide ? sweep_3_wide : sweep_3;
}

StickRowsKernel *stick_rows_product(int dim, bool wide)
{
    return dim == 1 ? product_1 : dim == 2 ? product_2 : wide ? product_3_wide : product_3;
}

void stick_rows_sweep_sections(const StickRows *rows, StickChunk chunk, StickMeasures *sums)
{
    if (rows->dim == 2)
        sweep_body(rows, 2, true, chunk, sums);
    else
        sweep_body(rows, 3, true, chunk, sums);
}

void stick_rows_product_sections(const StickRows *rows, StickChunk chunk, StickMeasures *sums)
{
    if (rows->dim == 2)
        product_body(rows, 2, true, chunk, sums);
    else
        product_body(rows, 3, true, chunk, sums);
}
