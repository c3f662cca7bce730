// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/pool.h"
#include "base/random.h"
#include "linalg/block_lu.h"
#include "linalg/block_lu_plan.h"

#include <lapacke.h>

enum { MOST = 60, MOST_ROWS = 3 * MOST, MOST_BLOCKS = MOST * MOST };

// A block matrix with a random pattern, symmetric or not.
typedef struct Sample {
    int n, d;
    int start[MOST + 1], col[MOST_BLOCKS];
    double value[9 * MOST_BLOCKS];
    int active[MOST], nactive;
} Sample;

static double uniform(StickRandom *random)
{
    return stick_random_uniform(random, -1, 1);
}

static void fill_sample(Sample *sample, StickRandom *random, int n, int d, double density, double diagonal)
{
    int k = 0;
    sample->n = n, sample->d = d;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (i != j && stick_random_uniform(random, 0, 1) > density)
                continue;
            for (int e = 0; e < d * d; e++)
                sample->value[k * d * d + e] = uniform(random) + (i == j && e % (d + 1) == 0) * diagonal;
            sample->col[k++] = j;
        }
        sample->start[i + 1] = k;
    }
}

static void choose_active(Sample *sample, StickRandom *random, double share)
{
    sample->nactive = 0;
    for (int i = 0; i < sample->n; i++)
        if (stick_random_uniform(random, 0, 1) < share)
            sample->active[sample->nactive++] = i;
}

// The active part as a dense matrix by rows.
static void dense_of(const Sample *sample, double *A)
{
    int d = sample->d, rows = d * sample->nactive, local[MOST];
    memset(A, 0, (size_t)(rows * rows) * sizeof *A);
    memset(local, -1, sizeof local);
    for (int k = 0; k < sample->nactive; k++)
        local[sample->active[k]] = k;
    for (int i = 0; i < sample->n; i++)
        for (int k = sample->start[i]; k < sample->start[i + 1]; k++)
            for (int e = 0; e < d * d; e++)
                if (local[i] >= 0 && local[sample->col[k]] >= 0)
                    A[(local[i] * d + e / d) * rows + local[sample->col[k]] * d + e % d] =
                        sample->value[k * d * d + e];
}

// x by LAPACK, with the entries of rows that are not active kept.
static void solve_dense(const Sample *sample, const double *b, double *x)
{
    static double A[MOST_ROWS * MOST_ROWS];
    int d = sample->d, rows = d * sample->nactive, pivot[MOST_ROWS];
    double y[MOST_ROWS];
    if (rows == 0)
        return;
    dense_of(sample, A);
    for (int k = 0; k < rows; k++)
        y[k] = b[sample->active[k / d] * d + k % d];
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, rows, 1, A, rows, pivot, y, 1), 0);
    for (int k = 0; k < rows; k++)
        x[sample->active[k / d] * d + k % d] = y[k];
}

static void check_solution(StickBlockLu *lu, const Sample *sample, const int *active, StickRandom *random)
{
    double b[MOST_ROWS], x[MOST_ROWS], expected[MOST_ROWS];
    for (int i = 0; i < sample->n * sample->d; i++) {
        b[i] = uniform(random);
        x[i] = expected[i] = 7;
    }
    StickBlockLuReport report = stick_block_lu_factor(lu, sample->value, active, sample->nactive);
    assert_true(report.pivot > 1e-6 && report.growth < 1e6);
    stick_block_lu_solve(lu, b, x);
    assert_below(stick_block_lu_refine(lu, sample->value, b, x), 1e-9);
    assert_below(stick_block_lu_refine(lu, sample->value, b, x), 1e-13);
    solve_dense(sample, b, expected);
    for (int i = 0; i < sample->n * sample->d; i++)
        assert_near(x[i], expected[i], 1e-10);
}

static void random_matrices_are_solved_as_by_dense_factors(void **state)
{
    static Sample sample;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(1);
    StickBlockLu *lu;
    assert_ok(ctx, stick_block_lu_create(ctx, &lu));
    for (int round = 0; round < 120; round++) {
        int n = round % 13 == 0 ? round % 2 : 2 + (int)(stick_random_bits(&random) % (MOST - 1));
        double density = (double[]){0, 0.02, 0.05, 0.2, 1}[round % 5];
        fill_sample(&sample, &random, n, 1 + round % 3, density, 8 + 12 * density * n);
        choose_active(&sample, &random, 2);
        assert_ok(ctx, stick_block_lu_analyse(lu, n, sample.start, sample.col, sample.d));
        check_solution(lu, &sample, NULL, &random);
        for (int k = 0; k < 3; k++) {
            choose_active(&sample, &random, 0.3 * k + 0.2);
            check_solution(lu, &sample, sample.active, &random);
        }
    }
    stick_block_lu_destroy(lu);
}

// Chains, where supernodes are thin, and a dense end wider than one supernode.
static void an_arrow_of_wide_blocks_is_solved(void **state)
{
    static Sample sample;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(2);
    StickBlockLu *lu;
    fill_sample(&sample, &random, MOST, 3, 0, 30);
    int k = 0;
    for (int i = 0; i < MOST; i++) {
        for (int j = 0; j < MOST; j++)
            if (abs(i - j) <= 1 || (i >= 20 && j >= 20)) {
                for (int e = 0; e < 9; e++)
                    sample.value[9 * k + e] = uniform(&random) + (i == j && e % 4 == 0) * 60;
                sample.col[k++] = j;
            }
        sample.start[i + 1] = k;
    }
    choose_active(&sample, &random, 2);
    assert_ok(ctx, stick_block_lu_create(ctx, &lu));
    assert_ok(ctx, stick_block_lu_analyse(lu, MOST, sample.start, sample.col, 3));
    check_solution(lu, &sample, NULL, &random);
    // 40 dense block rows and a chain of 20 with nothing but its neighbours
    double dense = 2.0 / 3 * 120 * 120 * 120;
    assert_true(stick_block_lu_flops(lu) > dense && stick_block_lu_flops(lu) < 1.1 * dense);
    choose_active(&sample, &random, 0.7);
    check_solution(lu, &sample, sample.active, &random);
    stick_block_lu_destroy(lu);
}

static void singular_matrices_are_reported(void **state)
{
    static Sample sample;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(3);
    StickBlockLu *lu;
    assert_ok(ctx, stick_block_lu_create(ctx, &lu));
    for (int d = 1; d <= 3; d++) {
        fill_sample(&sample, &random, 20, d, 1, 30);
        assert_ok(ctx, stick_block_lu_analyse(lu, 20, sample.start, sample.col, d));
        assert_true(stick_block_lu_factor(lu, sample.value, NULL, 0).pivot > 1e-3);
        // block row 7 made equal to block row 3
        for (int k = 0; k < 20 * d * d; k++)
            sample.value[7 * 20 * d * d + k] = sample.value[3 * 20 * d * d + k];
        assert_below(stick_block_lu_factor(lu, sample.value, NULL, 0).pivot, 1e-12);
        for (int k = 0; k < 20 * d * d; k++)
            sample.value[7 * 20 * d * d + k] = 0;
        assert_true(stick_block_lu_factor(lu, sample.value, NULL, 0).pivot == 0);
        sample.value[0] = NAN;
        assert_true(stick_block_lu_factor(lu, sample.value, NULL, 0).pivot == 0);
    }
    stick_block_lu_destroy(lu);
}

// A star whose hub is eliminated last: a leaf with a small diagonal and a large coupling gives a large multiplier,
// which is reported; the refinement shows whether the solution is still accurate.
static void growth_is_reported(void **state)
{
    static Sample sample;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(6);
    StickBlockLu *lu;
    enum { LEAVES = 9 };
    fill_sample(&sample, &random, LEAVES + 1, 1, 0, 0);
    int k = 0;
    for (int i = 0; i <= LEAVES; i++) {
        for (int j = 0; j <= LEAVES; j++)
            if (i == j || i == LEAVES || j == LEAVES) {
                sample.value[k] = i == j ? 20 : 1;
                sample.col[k++] = j;
            }
        sample.start[i + 1] = k;
    }
    assert_ok(ctx, stick_block_lu_create(ctx, &lu));
    assert_ok(ctx, stick_block_lu_analyse(lu, LEAVES + 1, sample.start, sample.col, 1));
    assert_below(stick_block_lu_factor(lu, sample.value, NULL, 0).growth, 1);
    for (int i = 0; i < 4; i++)
        sample.value[sample.start[i]] = 1e-9;
    assert_true(stick_block_lu_factor(lu, sample.value, NULL, 0).growth > 1e8);
    stick_block_lu_destroy(lu);
}

// Factors that are too large for a limit are not made, and that is no error.
static void a_limit_of_numbers_is_kept(void **state)
{
    static Sample sample;
    StickRandom random = stick_random_seed(5);
    StickBlockLu *lu;
    fill_sample(&sample, &random, MOST, 3, 0.3, 20);
    assert_ok(*state, stick_block_lu_create(*state, &lu));
    stick_block_lu_limit(lu, 1000);
    size_t before = stick_memory_now(*state);
    assert_ok(*state, stick_block_lu_analyse(lu, MOST, sample.start, sample.col, 3));
    assert_true(isinf(stick_block_lu_flops(lu)));
    // the order was found, but there is no room for factors, which are nearly full
    assert_below((double)(stick_memory_now(*state) - before), 8.0 * 9 * MOST * MOST / 2);
    stick_block_lu_limit(lu, 1e6);
    assert_ok(*state, stick_block_lu_analyse(lu, MOST, sample.start, sample.col, 3));
    assert_true(isfinite(stick_block_lu_flops(lu)));
    choose_active(&sample, &random, 2);
    check_solution(lu, &sample, NULL, &random);
    stick_block_lu_destroy(lu);
}

static void the_same_pattern_costs_no_memory(void **state)
{
    static Sample sample;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(4);
    StickBlockLu *lu;
    fill_sample(&sample, &random, 40, 3, 0.1, 40);
    assert_ok(ctx, stick_block_lu_create(ctx, &lu));
    assert_ok(ctx, stick_block_lu_analyse(lu, 40, sample.start, sample.col, 3));
    size_t calls = stick_memory_calls(ctx);
    assert_ok(ctx, stick_block_lu_analyse(lu, 40, sample.start, sample.col, 3));
    for (int k = 0; k < 10; k++) {
        choose_active(&sample, &random, 0.1 * k);
        check_solution(lu, &sample, sample.active, &random);
    }
    assert_int_equal(stick_memory_calls(ctx), calls);
    stick_block_lu_destroy(lu);
}

// A grid of nodes that are coupled with their eight neighbours, large enough for several parts.
enum { SIDE = 26, NODES = SIDE * SIDE, GRID_ROWS = 3 * NODES };

typedef struct Grid {
    int start[NODES + 1], col[9 * NODES];
    double value[9 * 9 * NODES], b[GRID_ROWS];
} Grid;

static void fill_grid(Grid *grid)
{
    StickRandom random = stick_random_seed(7);
    int count = 0;
    for (int i = 0; i < NODES; i++) {
        for (int j = 0; j < NODES; j++) {
            if (abs(i % SIDE - j % SIDE) > 1 || abs(i / SIDE - j / SIDE) > 1)
                continue;
            for (int e = 0; e < 9; e++)
                grid->value[9 * count + e] = uniform(&random) + (i == j && e % 4 == 0) * 30;
            grid->col[count++] = j;
        }
        grid->start[i + 1] = count;
    }
    for (int i = 0; i < GRID_ROWS; i++)
        grid->b[i] = uniform(&random);
}

static void parts_are_independent_and_balanced(void **state)
{
    static Grid grid;
    StickBlockPlan plan = {.ctx = *state};
    fill_grid(&grid);
    assert_ok(*state, stick_block_plan_analyse(&plan, NODES, grid.start, grid.col, 3));
    stick_block_plan_restrict(&plan, NULL, 0);
    assert_true(stick_block_plan_has_parts(&plan) && plan.nparts >= 8);
    double flops[STICK_BLOCK_PARTS] = {0}, all = 0, most = 0;
    for (int s = 0; s < plan.nsupernodes; s++) {
        const StickSupernode *node = &plan.supernode[s];
        int parent = node->nrows > 0 ? plan.supernode_of[plan.row[node->rows]] : -1;
        for (int k = 0; k < node->nrows; k++) {
            int part = plan.supernode[plan.supernode_of[plan.row[node->rows + k]]].part;
            assert_int_equal(part, k < node->inner ? node->part : plan.nparts);
        }
        if (node->part < plan.nparts && (parent < 0 || plan.supernode[parent].part == plan.nparts))
            flops[node->part] += node->flops;
    }
    for (int part = 0; part < plan.nparts; part++) {
        all += flops[part];
        most = flops[part] > most ? flops[part] : most;
        assert_true(part == 0 || flops[part] <= flops[part - 1]);
    }
    assert_true(all > 0.3 * plan.active_flops && most < 0.25 * all);
    stick_block_plan_destroy(&plan);
}

// Factors and solutions, of all rows and of some, have the same bits for every number of threads.
static void threads_give_the_same_bits(void **state)
{
    static Grid grid;
    static double x[GRID_ROWS], first[2][GRID_ROWS];
    static int active[NODES];
    int nactive = 0;
    StickContext *ctx = *state;
    StickBlockLu *lu;
    fill_grid(&grid);
    for (int i = 0; i < NODES; i++)
        if (i % 7 > 0)
            active[nactive++] = i;
    assert_ok(ctx, stick_block_lu_create(ctx, &lu));
    assert_ok(ctx, stick_block_lu_analyse(lu, NODES, grid.start, grid.col, 3));
    for (int k = 0; k < 4; k++) {
        int threads = (int[]){1, 2, 3, 5}[k];
        assert_ok(ctx, stick_threads_set(ctx, threads));
        stick_block_lu_threads(lu, threads > 1);
        for (int some = 0; some < 2; some++) {
            memcpy(x, grid.b, sizeof x);
            StickBlockLuReport report =
                stick_block_lu_factor(lu, grid.value, some ? active : NULL, some ? nactive : 0);
            assert_true(report.pivot > 0.1 && report.growth < 10);
            stick_block_lu_solve(lu, x, x);
            if (threads == 1)
                memcpy(first[some], x, sizeof x);
            assert_memory_equal(x, first[some], sizeof x);
            assert_below(stick_block_lu_refine(lu, grid.value, grid.b, x), 1e-13);
        }
    }
    // a block row of zeros is found, whatever part it is in
    for (int k = 0; k < 5; k++) {
        int row = k * NODES / 5;
        fill_grid(&grid);
        memset(grid.value + 9 * grid.start[row], 0,
               (size_t)(grid.start[row + 1] - grid.start[row]) * 9 * sizeof *grid.value);
        assert_true(stick_block_lu_factor(lu, grid.value, NULL, 0).pivot == 0);
    }
    assert_ok(ctx, stick_threads_set(ctx, 1));
    stick_block_lu_destroy(lu);
}

static StickStatus factor_sample(StickContext *ctx, void *data)
{
    const Sample *sample = data;
    StickBlockLu *lu;
    STICK_TRY(stick_block_lu_create(ctx, &lu));
    StickStatus status = stick_block_lu_analyse(lu, sample->n, sample->start, sample->col, sample->d);
    if (status == STICK_OK)
        stick_block_lu_factor(lu, sample->value, NULL, 0);
    stick_block_lu_destroy(lu);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    static Sample sample;
    StickRandom random = stick_random_seed(5);
    fill_sample(&sample, &random, 30, 2, 0.1, 20);
    assert_survives_failing_memory(factor_sample, &sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(random_matrices_are_solved_as_by_dense_factors),
        test_with_context(an_arrow_of_wide_blocks_is_solved),
        test_with_context(singular_matrices_are_reported),
        test_with_context(growth_is_reported),
        test_with_context(a_limit_of_numbers_is_kept),
        test_with_context(the_same_pattern_costs_no_memory),
        test_with_context(parts_are_independent_and_balanced),
        test_with_context(threads_give_the_same_bits),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("linalg.block_lu", tests, NULL, NULL);
}
