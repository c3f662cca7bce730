// SPDX-License-Identifier: Apache-2.0
// Coloured sweeps with Anderson's acceleration: fewer of them, and the same bits on any number of threads.
#include "check.h"

#include "solve/lattice.h"
#include "solve/method.h"

// Columns side by side, bodies on each other and on the ground: sweeps carry a force from body to body only.
enum { HIGH = 30, COLUMNS = 100, STANDING = HIGH * COLUMNS };

typedef struct Columns {
    StickBlocks W;
    double *u_free, *mu;
    StickFrictionProblem problem;
} Columns;

static void columns_make(Columns *columns)
{
    StickBlocks *W = &columns->W;
    *W = (StickBlocks){.n = STANDING, .d = 2};
    W->start = calloc(STANDING + 1, sizeof *W->start);
    W->col = calloc(3 * STANDING, sizeof *W->col);
    W->value = calloc(12 * STANDING, sizeof *W->value);
    columns->u_free = calloc(2 * STANDING, sizeof *columns->u_free);
    columns->mu = calloc(STANDING, sizeof *columns->mu);
    for (int c = 0, count = 0; c < STANDING; c++) {
        int k = c % HIGH;
        for (int other = c - (k > 0); other <= c + (k < HIGH - 1); other++, count++) {
            W->col[count] = other;
            W->value[4 * count] = W->value[4 * count + 3] = other != c ? -1 : k == 0 ? 1 : 2;
        }
        W->start[c + 1] = count;
        columns->mu[c] = 0.3;
        columns->u_free[2 * c] = k == 0 ? -1 : 0;
        columns->u_free[2 * c + 1] = 0.01 * (c % 3);
    }
    columns->problem = (StickFrictionProblem){
        .dim = 2, .ncontacts = STANDING, .W = W, .u_free = columns->u_free, .mu = columns->mu};
}

static void columns_free(Columns *columns)
{
    free(columns->W.start), free(columns->W.col), free(columns->W.value);
    free(columns->u_free), free(columns->mu);
}

static StickStatus solve_by(StickContext *ctx, const StickMethod *method, const StickFrictionProblem *problem,
                            int threads, double *r, StickSolveInfo *info)
{
    StickSolverOptions options = stick_solver_options_default();
    size_t rows = (size_t)(problem->dim * problem->ncontacts);
    double *u = calloc(rows, sizeof *u);
    void *work;
    options.threads = threads;
    memset(r, 0, rows * sizeof *r);
    *info = (StickSolveInfo){0};
    StickStatus status = stick_method_create(method, ctx, &options, &work);
    if (status == STICK_OK) {
        status = method->reserve(work, problem);
        if (status == STICK_OK)
            status = method->solve(work, problem, r, u, info);
        stick_method_destroy(method, ctx, work);
    }
    free(u);
    return status;
}

static void columns_take_a_fifth_of_the_sweeps(void **state)
{
    Columns columns;
    StickSolveInfo plain, mixed;
    double *r = calloc(2 * STANDING, sizeof *r);
    columns_make(&columns);
    assert_ok(*state, solve_by(*state, &stick_method_coloured, &columns.problem, 1, r, &plain));
    assert_ok(*state, solve_by(*state, &stick_method_coloured_mixed, &columns.problem, 1, r, &mixed));
    assert_int_equal(mixed.end, STICK_SOLVE_CONVERGED);
    for (int c = 0; c < STANDING; c++)
        assert_near(r[2 * c], HIGH - c % HIGH, 1e-3);
    print_message("%d sweeps, accelerated %d\n", plain.iterations, mixed.iterations);
    assert_true(5 * mixed.iterations < plain.iterations);
    free(r);
    columns_free(&columns);
}

static void threads_do_not_change_the_bits(void **state)
{
    StickRandom random = stick_random_seed(5);
    for (int dim = 1; dim <= 3; dim++) {
        Lattice lattice;
        StickSolveInfo info;
        lattice_create(&lattice, &random, dim, 5000, 0.12);
        size_t rows = 5000 * (size_t)dim;
        double *r = calloc(rows, sizeof *r), *other = calloc(rows, sizeof *r);
        assert_ok(*state, solve_by(*state, &stick_method_coloured_mixed, &lattice.problem, 1, r, &info));
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int threads = 2; threads <= 3; threads++) {
            assert_ok(*state, solve_by(*state, &stick_method_coloured_mixed, &lattice.problem, threads, other,
                                       &info));
            assert_memory_equal(r, other, rows * sizeof *r);
        }
        free(r), free(other);
        lattice_destroy(&lattice);
    }
}

static StickStatus solve_lattice(StickContext *ctx, void *data)
{
    const Lattice *lattice = data;
    double r[3 * 50];
    StickSolveInfo info;
    return solve_by(ctx, &stick_method_coloured_mixed, &lattice->problem, 1, r, &info);
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(6);
    Lattice lattice;
    lattice_create(&lattice, &random, 3, 50, 0.1);
    assert_survives_failing_memory(solve_lattice, &lattice);
    lattice_destroy(&lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(columns_take_a_fifth_of_the_sweeps),
        test_with_context(threads_do_not_change_the_bits),
        test_with_context(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("solve.coloured_mix", tests, NULL, NULL);
}
