// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/pool.h"
#include "solve/lattice.h"
#include "solve/residual.h"

#include <stickslip/certificate.h>

static Manufactured made;

static void known_solutions_have_none(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(1);
    double u[MOST_ROWS];
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 20, 0.9, 0.5);
        stick_residual_velocity(&made.problem, made.r, u);
        StickResidual residual = stick_residual(&made.problem, made.r, u);
        assert_below(residual.shared, 1e-15);
        assert_below(residual.scale_free, 1e-15);
        assert_true(stick_residual_within(residual, &(StickSolverOptions){.tolerance = 1e-14}));
    }
}

// Two codes written apart, one measure.
static void verifier_measures_the_same(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(2);
    StickCertificate certificate;
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 60; k++) {
        manufacture(&made, &random, 1 + k % 3, 20, 2, 0.5);
        for (int i = 0; i < MOST_ROWS; i++)
            r[i] = stick_random_uniform(&random, -1, 1);
        stick_residual_velocity(&made.problem, r, u);
        StickResidual residual = stick_residual(&made.problem, r, u);
        assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1e-8, &certificate));
        assert_near(residual.shared, certificate.error, 1e-14);
        assert_near(residual.scale_free, certificate.error_scale_free, 1e-14);
        assert_near(residual.velocity, certificate.velocity_error, 1e-14);
        assert_false(stick_residual_within(residual, &(StickSolverOptions){.tolerance = 1e-3}));
    }
}

// One pass by pieces: the same measure but for rounding, and the same bits on any number of threads.
static void pieces_measure_the_same_on_any_threads(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(3);
    for (int dim = 1; dim <= 3; dim++) {
        Lattice lattice;
        StickResidualPieces pieces = {0};
        StickResidual one = {0};
        lattice_create(&lattice, &random, dim, 3 * STICK_PIECE + 17, 0.1);
        int rows = dim * lattice.problem.ncontacts;
        double *u = calloc((size_t)rows, sizeof *u), *by_pieces = calloc((size_t)rows, sizeof *u);
        for (int i = 0; i < rows; i++)
            lattice.r[i] += stick_random_uniform(&random, -0.1, 0.1);
        stick_residual_velocity(&lattice.problem, lattice.r, u);
        StickResidual whole = stick_residual(&lattice.problem, lattice.r, u);
        assert_ok(ctx, stick_residual_reserve(ctx, &lattice.problem, &pieces));
        for (int threads = 1; threads <= 3; threads++) {
            assert_ok(ctx, stick_threads_set(ctx, threads));
            memset(by_pieces, 0, (size_t)rows * sizeof *u);
            StickResidual residual = stick_residual_measure(&pieces, &lattice.problem, lattice.r, by_pieces);
            assert_memory_equal(by_pieces, u, (size_t)rows * sizeof *u);
            assert_near(residual.shared, whole.shared, 1e-13);
            assert_near(residual.scale_free, whole.scale_free, 1e-13);
            assert_near(residual.velocity, whole.velocity, 1e-13);
            assert_true(residual.penetration == whole.penetration);
            one = threads == 1 ? residual : one;
            assert_memory_equal(&residual, &one, sizeof one);
        }
        assert_ok(ctx, stick_threads_set(ctx, 1));
        stick_residual_release(&pieces);
        lattice_destroy(&lattice);
        free(u);
        free(by_pieces);
    }
}

static void not_a_number_is_not_within(void **state)
{
    (void)state;
    assert_false(
        stick_residual_within((StickResidual){.shared = NAN}, &(StickSolverOptions){.tolerance = 1}));
    assert_false(
        stick_residual_within((StickResidual){.scale_free = NAN}, &(StickSolverOptions){.tolerance = 1}));
    assert_false(
        stick_residual_within((StickResidual){.velocity = NAN}, &(StickSolverOptions){.tolerance = 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(known_solutions_have_none),
        test_with_context(verifier_measures_the_same),
        test_with_context(pieces_measure_the_same_on_any_threads),
        cmocka_unit_test(not_a_number_is_not_within),
    };
    return cmocka_run_group_tests_name("solve.residual", tests, NULL, NULL);
}
