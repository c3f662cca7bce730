// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/manufactured.h"
#include "solve/scaled.h"

static Manufactured made;

typedef struct Fixture {
    StickSolverOptions options;
    StickScaled scaled;
    double x[MOST_ROWS];
} Fixture;

static void load(StickContext *ctx, Fixture *fixture, const double *r)
{
    fixture->options = stick_solver_options_default();
    stick_scaled_create(ctx, &fixture->options, &fixture->scaled);
    assert_ok(ctx, stick_scaled_reserve(&fixture->scaled, &made.problem));
    stick_scaled_load(&fixture->scaled, &made.problem, r, fixture->x);
}

// In any units the diagonal is about 1, and r comes back with the same bits.
static void scaling_rounds_nothing(void **state)
{
    static const double units[] = {1, 3e-12, 7e11, 1e-100, 1e100};
    StickRandom random = stick_random_seed(1);
    Fixture fixture;
    double r[MOST_ROWS], value[9 * MOST_BLOCKS];
    for (int k = 0; k < 15; k++) {
        int dim = 1 + k % 3, nc = 6, size = dim * dim;
        manufacture(&made, &random, dim, nc, 0.5, 0.5);
        for (int e = 0; e < nc * nc * size; e++)
            made.value[e] *= units[k / 3];
        load(*state, &fixture, made.r);
        stick_scaled_answer(&fixture.scaled, fixture.x, r);
        assert_memory_equal(r, made.r, (size_t)(dim * nc) * sizeof *r);
        stick_scaled_blocks(&fixture.scaled, value);
        for (int c = 0; c < nc; c++) {
            double trace = 0;
            for (int i = 0; i < dim; i++)
                trace += value[(c * nc + c) * size + i * (dim + 1)];
            assert_true(trace >= 0.5 * dim && trace < 2 * dim);
        }
        stick_scaled_destroy(&fixture.scaled);
    }
}

// The product with the matrix W hat, by its action and by its blocks
static void products_agree(void **state)
{
    StickRandom random = stick_random_seed(2);
    Fixture fixture;
    double Wx[MOST_ROWS], value[9 * MOST_BLOCKS];
    int nc = 7;
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, nc, 0.5, 0.5);
        load(*state, &fixture, made.r);
        stick_scaled_apply(&fixture.scaled, fixture.x, Wx);
        stick_scaled_blocks(&fixture.scaled, value);
        for (int i = 0; i < dim * nc; i++) {
            double sum = 0;
            for (int j = 0; j < dim * nc; j++)
                sum += value[(i / dim * nc + j / dim) * dim * dim + i % dim * dim + j % dim] * fixture.x[j];
            assert_near(Wx[i], sum, 1e-13);
        }
        stick_scaled_destroy(&fixture.scaled);
    }
}

static void the_best_is_kept(void **state)
{
    StickRandom random = stick_random_seed(3);
    Fixture fixture;
    double r[MOST_ROWS], u[MOST_ROWS], worse[MOST_ROWS];
    manufacture(&made, &random, 3, 5, 0.5, 0.5);
    load(*state, &fixture, made.r);
    StickResidual residual = stick_scaled_weigh(&fixture.scaled, fixture.x, r, u);
    assert_int_equal(stick_scaled_end(&fixture.scaled, residual), STICK_SOLVE_CONVERGED);
    for (int i = 0; i < 15; i++)
        worse[i] = fixture.x[i] + 1;
    residual = stick_scaled_weigh(&fixture.scaled, worse, r, u);
    assert_int_equal(stick_scaled_end(&fixture.scaled, residual), STICK_SOLVE_LIMIT);
    worse[3] = NAN;
    residual = stick_scaled_weigh(&fixture.scaled, worse, r, u);
    assert_int_equal(stick_scaled_end(&fixture.scaled, residual), STICK_SOLVE_NOT_FINITE);
    assert_memory_equal(r, made.r, 15 * sizeof *r);
    stick_scaled_destroy(&fixture.scaled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(scaling_rounds_nothing),
        test_with_context(products_agree),
        test_with_context(the_best_is_kept),
    };
    return cmocka_run_group_tests_name("solve.scaled", tests, NULL, NULL);
}
