// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/manufactured.h"
#include "solve/sweep.h"

static Manufactured made;

// Leaves out blocks of W at random, not in pairs, so that rows and columns differ.
static void thin_out(StickRandom *random)
{
    int d = made.problem.dim, n = made.problem.ncontacts, kept = 0;
    for (int i = 0; i < n; i++) {
        int begin = kept;
        for (int j = 0; j < n; j++) {
            if (i != j && stick_random_uniform(random, 0, 1) < 0.6)
                continue;
            made.col[kept] = j;
            memmove(made.value + kept * d * d, made.value + (i * n + j) * d * d,
                    (size_t)(d * d) * sizeof *made.value);
            kept++;
        }
        made.start[i] = begin;
    }
    made.start[n] = kept;
}

static void make(StickRandom *random, int dim, int count, int sparse)
{
    manufacture(&made, random, dim, count, 0.8, 0.5);
    if (sparse)
        thin_out(random);
}

static StickSweep *load(StickContext *ctx)
{
    StickSweep *sweep;
    assert_ok(ctx, stick_sweep_create(ctx, &sweep));
    assert_ok(ctx, stick_sweep_reserve(sweep, &made.problem));
    stick_sweep_load(sweep, &made.problem);
    return sweep;
}

// u of the sweep is W r + u_free, its errors those of the shared measure.
static void assert_consistent(StickSweep *sweep)
{
    double r[MOST_ROWS], u[MOST_ROWS], kept[MOST_ROWS];
    stick_sweep_get(sweep, r);
    stick_sweep_pack(sweep, sweep->u, kept);
    stick_residual_velocity(&made.problem, r, u);
    for (int i = 0; i < made.problem.dim * made.problem.ncontacts; i++)
        assert_near(kept[i], u[i], 1e-12);
    StickResidual residual = stick_residual(&made.problem, r, u);
    assert_near(stick_sweep_error(sweep, STICK_MEASURE_SHARED), residual.shared, 1e-13);
    assert_near(stick_sweep_error(sweep, STICK_MEASURE_BOTH),
                stick_residual_error(residual, STICK_MEASURE_BOTH), 1e-13);
}

static void velocities_follow_every_change(void **state)
{
    static const double relaxations[] = {1, 0.6, 1.4};
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < 72; k++) {
        make(&random, 1 + k % 3, 1 + k % 17, k % 2);
        StickSweep *sweep = load(*state);
        assert_consistent(sweep);
        for (int n = 0; n < 6; n++) {
            stick_sweep_run(sweep, n % 2 ? STICK_FORWARD : STICK_BACKWARD, relaxations[k / 3 % 3]);
            assert_consistent(sweep);
        }
        stick_sweep_destroy(sweep);
    }
}

// One sweep by hand, in both directions: each contact is solved while the others wait.
static void contacts_are_solved_in_turn(void **state)
{
    StickRandom random = stick_random_seed(2);
    for (int k = 0; k < 12; k++) {
        int dim = 1 + k % 3, n = 7;
        double r[MOST_ROWS] = {0}, swept[MOST_ROWS], u[MOST_ROWS];
        make(&random, dim, n, 0);
        StickSweep *sweep = load(*state);
        for (int i = 0; i < n; i++) {
            int c = k % 2 ? n - 1 - i : i;
            const double *A = made.value + (c * n + c) * dim * dim;
            stick_residual_velocity(&made.problem, r, u);
            stick_local_solve(dim, A, u + dim * c, made.mu[c], r + dim * c);
        }
        stick_sweep_run(sweep, k % 2 ? STICK_BACKWARD : STICK_FORWARD, 1);
        stick_sweep_get(sweep, swept);
        for (int i = 0; i < n * dim; i++)
            assert_near(swept[i], r[i], 1e-12);
        stick_sweep_destroy(sweep);
    }
}

static void solutions_stay_where_they_are(void **state)
{
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS], u[MOST_ROWS];
    options.tolerance = 1e-12;
    for (int k = 0; k < 30; k++) {
        make(&random, 1 + k % 3, 12, 0);
        StickSweep *sweep = load(*state);
        stick_sweep_set(sweep, made.r);
        assert_below(stick_sweep_run(sweep, STICK_FORWARD, 1), 1e-13);
        assert_below(stick_sweep_run(sweep, STICK_BACKWARD, 1.5), 1e-13);
        assert_true(stick_sweep_accepts(sweep, &options, r, u));
        for (int i = 0; i < 12 * (1 + k % 3); i++)
            assert_near(r[i], made.r[i], 1e-12);
        stick_sweep_destroy(sweep);
    }
}

static void relaxation_is_the_factor_of_the_change(void **state)
{
    StickRandom random = stick_random_seed(4);
    make(&random, 3, 1, 0);
    made.u_free[0] = -1;
    StickSweep *sweep = load(*state);
    double whole[3], part[3];
    stick_sweep_run(sweep, STICK_FORWARD, 1);
    stick_sweep_get(sweep, whole);
    stick_sweep_load(sweep, &made.problem);
    stick_sweep_run(sweep, STICK_FORWARD, 0.25);
    stick_sweep_get(sweep, part);
    for (int i = 0; i < 3; i++)
        assert_near(part[i], whole[i] / 4, 1e-15);
    stick_sweep_destroy(sweep);
}

static void every_processor_gives_the_same_bits(void **state)
{
    StickRandom random = stick_random_seed(5);
    double r[2][MOST_ROWS];
    for (int k = 0; k < 12; k++) {
        int dim = 1 + k % 3;
        make(&random, dim, 20, k / 6);
        for (int plain = 0; plain < 2; plain++) {
            StickSweep *sweep = load(*state);
            if (plain)
                stick_sweep_use_plain(sweep);
            for (int n = 0; n < 10; n++)
                stick_sweep_run(sweep, STICK_FORWARD, 1);
            stick_sweep_get(sweep, r[plain]);
            stick_sweep_destroy(sweep);
        }
        assert_memory_equal(r[0], r[1], (size_t)(20 * dim) * sizeof(double));
    }
}

// Tiny loads together with free velocities of normal size.
static void the_smallest_loads_stay_finite(void **state)
{
    StickRandom random = stick_random_seed(7);
    double r[MOST_ROWS];
    for (int k = 0; k < 6; k++) {
        int dim = 2 + k % 2;
        make(&random, dim, 20, 0);
        for (int c = 0; c < 20; c++)
            made.u_free[dim * c] = -pow(10, -100 - 11.0 * c);
        StickSweep *sweep = load(*state);
        if (k / 2 == 0)
            stick_sweep_use_plain(sweep);
        for (int n = 0; n < 5; n++)
            stick_sweep_run(sweep, STICK_FORWARD, 1);
        stick_sweep_get(sweep, r);
        for (int i = 0; i < dim * 20; i++)
            assert_true(isfinite(r[i]));
        stick_sweep_destroy(sweep);
    }
}

// Numbers that are gone are seen by the error, in each measure.
static void an_error_that_is_no_number_is_told(void **state)
{
    StickRandom random = stick_random_seed(6);
    make(&random, 3, 5, 0);
    StickSweep *sweep = load(*state);
    sweep->r[4] = NAN;
    assert_false(isfinite(stick_sweep_error(sweep, STICK_MEASURE_SHARED)));
    assert_false(isfinite(stick_sweep_error(sweep, STICK_MEASURE_BOTH)));
    stick_sweep_destroy(sweep);
}

// Measured often at first and near the tolerance, seldom far from it.
static void measurements_come_when_they_are_worth_it(void **state)
{
    (void)state;
    StickWatch watch = {0};
    for (int k = 0; k < 3; k++) {
        assert_true(stick_watch_is_due(&watch, 1, 1e-8));
        stick_watch_saw(&watch, 1, 0.1);
    }
    int measured = 0;
    for (int k = 0; k < 160; k++)
        if (stick_watch_is_due(&watch, 1, 1e-8)) {
            measured++;
            stick_watch_saw(&watch, 1, 0.1);
        }
    assert_int_equal(measured, 10);
    assert_true(stick_watch_is_due(&watch, 1e-7, 1e-8));
    assert_true(stick_watch_is_due(&watch, NAN, 1e-8));
}

static void cost_grows_with_blocks_and_contacts(void **state)
{
    StickRandom random = stick_random_seed(7);
    make(&random, 3, 10, 0);
    StickSweep *sweep = load(*state);
    double full = stick_sweep_flops(sweep);
    assert_true(full > 2 * 9 * 100);
    thin_out(&random);
    stick_sweep_load(sweep, &made.problem);
    assert_true(stick_sweep_flops(sweep) < full);
    stick_sweep_destroy(sweep);
}

static StickStatus create_and_reserve(StickContext *ctx, void *data)
{
    (void)data;
    StickSweep *sweep;
    STICK_TRY(stick_sweep_create(ctx, &sweep));
    StickStatus status = stick_sweep_reserve(sweep, &made.problem);
    stick_sweep_destroy(sweep);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(8);
    make(&random, 3, 5, 0);
    assert_survives_failing_memory(create_and_reserve, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(velocities_follow_every_change),
        test_with_context(contacts_are_solved_in_turn),
        test_with_context(solutions_stay_where_they_are),
        test_with_context(relaxation_is_the_factor_of_the_change),
        test_with_context(every_processor_gives_the_same_bits),
        test_with_context(the_smallest_loads_stay_finite),
        test_with_context(an_error_that_is_no_number_is_told),
        cmocka_unit_test(measurements_come_when_they_are_worth_it),
        test_with_context(cost_grows_with_blocks_and_contacts),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.sweep", tests, NULL, NULL);
}
