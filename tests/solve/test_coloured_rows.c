// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/coloured_rows.h"
#include "solve/lattice.h"
#include "solve/residual.h"

enum { N = 200 };

static Lattice lattice;

// Rows in the order of the problem, one chunk; value has room for the load past its end.
typedef struct Copy {
    int start[N + 1], col[7 * N];
    double value[9 * 7 * N + 1], weight[N], drive[N], r[3 * N], u[3 * N];
    StickLocal3 local[N];
    StickRows rows;
} Copy;

static Copy copies[2];

static void fill(Copy *copy)
{
    int d = lattice.problem.dim, count = 0;
    memset(copy, 0, sizeof *copy);
    copy->rows = (StickRows){d,
                             copy->start,
                             copy->col,
                             copy->value,
                             lattice.u_free,
                             copy->weight,
                             copy->drive,
                             (StickLocal1 *)copy->local,
                             copy->r,
                             copy->u,
                             NULL,
                             NULL};
    for (int c = 0; c < N; c++) {
        for (int k = lattice.start[c]; k < lattice.start[c + 1]; k++) {
            const double *block = lattice.value + k * d * d;
            if (lattice.col[k] == c) {
                stick_rows_prepare(&copy->rows, c, block, lattice.mu[c]);
                assert_memory_equal(stick_rows_diagonal(&copy->rows, c), block,
                                    (size_t)(d * d) * sizeof(double));
                continue;
            }
            for (int e = 0; e < d * d; e++)
                copy->value[count * d * d + e % d * d + e / d] = block[e];
            copy->col[count++] = lattice.col[k];
        }
        copy->start[c + 1] = count;
        copy->weight[c] = 1;
    }
}

static void sweep(Copy *copy, bool wide, int count, StickMeasures *sums)
{
    for (int k = 0; k < count; k++)
        stick_rows_sweep(lattice.problem.dim, wide)(&copy->rows, (StickChunk){0, N}, sums);
}

static void sweeps_solve_and_products_are_right(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(1);
    double u[3 * N];
    StickMeasures sums;
    Copy *copy = &copies[0];
    for (int dim = 1; dim <= 3; dim++) {
        lattice_create(&lattice, &random, dim, N, 0.1);
        fill(copy);
        sweep(copy, false, 40, &sums);
        for (int i = 0; i < dim * N; i++)
            assert_near(copy->r[i], lattice.r[i], 1e-9);
        assert_below(sums.shared.defect, 1e-20);
        stick_rows_product(dim, false)(&copy->rows, (StickChunk){0, N}, &sums);
        stick_residual_velocity(&lattice.problem, copy->r, u);
        for (int i = 0; i < dim * N; i++)
            assert_near(copy->u[i], u[i], 1e-14);
        assert_below(sums.scale_free.defect, 1e-18);
        lattice_destroy(&lattice);
    }
}

// From a start that makes contacts of all kinds, sweep after sweep.
static void wide_registers_give_the_same_bits(void **state)
{
    (void)state;
    if (!stick_rows_wide())
        skip();
    StickRandom random = stick_random_seed(2);
    StickMeasures sums[2];
    lattice_create(&lattice, &random, 3, N, 0.2);
    for (int k = 0; k < 2; k++) {
        memset(&sums[k], 0, sizeof sums[k]);
        fill(&copies[k]);
        sweep(&copies[k], k == 1, 7, &sums[k]);
    }
    assert_memory_equal(copies[0].r, copies[1].r, sizeof copies[0].r);
    assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
    for (int k = 0; k < 2; k++)
        stick_rows_product(3, k == 1)(&copies[k].rows, (StickChunk){0, N}, &sums[k]);
    assert_memory_equal(copies[0].u, copies[1].u, sizeof copies[0].u);
    assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
    lattice_destroy(&lattice);
}

// Tiny loads together with free velocities of normal size.
static void the_smallest_loads_stay_finite(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(3);
    StickMeasures sums;
    for (int dim = 2; dim <= 3; dim++) {
        lattice_create(&lattice, &random, dim, N, 0.2);
        for (int c = 0; c < N; c++)
            lattice.u_free[dim * c] = -pow(10, -100 - 223.0 * c / N);
        for (int wide = 0; wide < 1 + (dim == 3 && stick_rows_wide()); wide++) {
            fill(&copies[wide]);
            sweep(&copies[wide], wide, 5, &sums);
            for (int i = 0; i < dim * N; i++)
                assert_true(isfinite(copies[wide].r[i]));
            assert_true(isfinite(sums.shared.defect));
            assert_memory_equal(copies[wide].r, copies[0].r, sizeof copies[0].r);
        }
        lattice_destroy(&lattice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_solve_and_products_are_right),
        cmocka_unit_test(wide_registers_give_the_same_bits),
        cmocka_unit_test(the_smallest_loads_stay_finite),
    };
    return cmocka_run_group_tests_name("solve.coloured_rows", tests, NULL, NULL);
}
