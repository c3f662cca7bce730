// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/gradient.h"
#include "solve/manufactured.h"
#include "solve/projected_cg.h"

static Manufactured made;

typedef struct Fixture {
    StickSolverOptions options;
    StickScaled scaled;
    StickGradient gradient;
    double x[MOST_ROWS], Wx[MOST_ROWS];
} Fixture;

static void open_fixture(StickContext *ctx, Fixture *fixture)
{
    double zero[MOST_ROWS] = {0};
    fixture->options = stick_solver_options_default();
    stick_scaled_create(ctx, &fixture->options, &fixture->scaled);
    stick_gradient_create(ctx, &fixture->gradient);
    assert_ok(ctx, stick_scaled_reserve(&fixture->scaled, &made.problem));
    assert_ok(ctx, stick_gradient_reserve(&fixture->gradient, MOST_ROWS));
    stick_scaled_load(&fixture->scaled, &made.problem, zero, fixture->x);
    stick_gradient_start(&fixture->gradient, fixture->scaled.n);
}

static void close_fixture(Fixture *fixture)
{
    stick_gradient_destroy(&fixture->gradient);
    stick_scaled_destroy(&fixture->scaled);
}

// One contact with W = I is projected at once: (3, 4) against a threshold of 1 and of 10, pressed and open.
static void one_contact_is_a_projection(void **state)
{
    static const double g[] = {1, 10};
    StickRandom random = stick_random_seed(1);
    Fixture fixture;
    manufacture(&made, &random, 3, 1, 0.5, 0);
    for (int k = 0; k < 4; k++) {
        made.u_free[0] = k < 2 ? -2 : 2, made.u_free[1] = -3, made.u_free[2] = -4;
        open_fixture(*state, &fixture);
        int iterations =
            stick_gradient_solve(&fixture.gradient, &fixture.scaled, (StickGradientSet){&g[k % 2]},
                                 fixture.scaled.q, 1e-14, 50, fixture.x, fixture.Wx);
        assert_true(iterations <= 2);
        double part = k % 2 ? 1 : 0.2;
        assert_near(fixture.x[0], k < 2 ? 2 : 0, 1e-13);
        assert_near(fixture.x[1], 3 * part, 1e-13);
        assert_near(fixture.x[2], 4 * part, 1e-13);
        close_fixture(&fixture);
    }
}

// Two methods for the same Tresca problems, whose solution is the only one.
static void gradients_and_conjugate_gradients_agree(void **state)
{
    StickRandom random = stick_random_seed(2);
    Fixture fixture;
    StickProjectedCg cg;
    double g[MOST_CONTACTS], speed[MOST_CONTACTS] = {0}, x[MOST_ROWS], Wx[MOST_ROWS];
    for (int k = 0; k < 30; k++) {
        int dim = 1 + k % 3, nc = 1 + k % 20, n = dim * nc;
        manufacture(&made, &random, dim, nc, 0.9, 2);
        for (int c = 0; c < nc; c++)
            g[c] = c % 5 ? stick_random_uniform(&random, 0, 1) : 0;
        open_fixture(*state, &fixture);
        stick_projected_cg_create(*state, &cg);
        assert_ok(*state, stick_projected_cg_reserve(&cg, dim, nc));
        stick_projected_cg_start(&cg, &fixture.scaled);
        memcpy(x, fixture.x, sizeof x);
        int slow = stick_gradient_solve(&fixture.gradient, &fixture.scaled, (StickGradientSet){g},
                                        fixture.scaled.q, 1e-12, 5000, fixture.x, fixture.Wx);
        int fast = stick_projected_cg_solve(&cg, &fixture.scaled, g, speed, 1e-12, 5000, x, Wx);
        assert_true(slow < 5000 && fast < 5000);
        for (int i = 0; i < n; i++) {
            assert_near(x[i], fixture.x[i], 1e-10);
            assert_near(Wx[i], fixture.Wx[i], 1e-10);
        }
        stick_projected_cg_destroy(&cg);
        close_fixture(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(one_contact_is_a_projection),
        test_with_context(gradients_and_conjugate_gradients_agree),
    };
    return cmocka_run_group_tests_name("solve.gradient", tests, NULL, NULL);
}
