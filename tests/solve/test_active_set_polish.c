// SPDX-License-Identifier: Apache-2.0
// The last digits: how good they become, and how many factorisations they need.
#include "check.h"

#include "solve/active_set_polish.h"
#include "solve/compliant.h"

#include <stickslip/friction.h>

enum { N = 2, D = 2, ROWS = D * N };

// A block of mass 1 with its corners on a floor, (x, -y) from its centre: W of rank 3 for four components of force.
typedef struct Block {
    int start[N + 1], col[N * N];
    double value[N * N * D * D], u_free[ROWS], mu[N];
    StickBlocks W;
    StickFrictionProblem problem;
} Block;

static void set_block(Block *block, double slide)
{
    static const double x[N] = {-0.45, 0.45};
    const double y = 0.2, moment = (0.9 * 0.9 + 0.4 * 0.4) / 12, mu = 0.3;
    for (int i = 0; i < N; i++) {
        block->start[i] = N * i;
        block->mu[i] = mu;
        block->u_free[D * i] = -0.0981;
        block->u_free[D * i + 1] = slide;
        for (int j = 0; j < N; j++) {
            double *entry = block->value + (size_t)(N * i + j) * D * D;
            block->col[N * i + j] = j;
            entry[0] = 1 + x[i] * x[j] / moment;
            entry[1] = x[i] * y / moment;
            entry[2] = y * x[j] / moment;
            entry[3] = 1 + y * y / moment;
        }
    }
    block->start[N] = N * N;
    block->W = (StickBlocks){D, N, block->start, block->col, block->value};
    block->problem = (StickFrictionProblem){
        .dim = D, .ncontacts = N, .W = &block->W, .u_free = block->u_free, .mu = block->mu};
}

// In the plane a step with the statuses of the solution solves linear equations: another one around the same centre
// would repeat it.
static void no_step_repeats_the_one_before(void **state)
{
    StickContext *ctx = *state;
    StickSolverOptions options = stick_solver_options_default();
    StickNewton *newton;
    assert_ok(ctx, stick_newton_create(ctx, &options, STICK_NEWTON_ALART_CURNIER, &newton));
    static const double slides[] = {0, 0.5, -0.5};
    for (size_t k = 0; k < sizeof slides / sizeof *slides; k++) {
        Block block;
        StickCompliant *compliant;
        double r[ROWS] = {0}, u[ROWS], trial[2 * ROWS];
        set_block(&block, slides[k]);
        assert_ok(ctx, stick_newton_reserve(newton, &block.problem));
        assert_ok(ctx, stick_compliant_create(ctx, newton, &compliant));
        assert_ok(ctx, stick_compliant_reserve(compliant, &block.problem));
        StickCompliantEnd end = stick_compliant_solve(compliant, &block.problem, &options, r, u);
        assert_true(end.converged);
        for (int i = 0; i < ROWS; i++)
            r[i] *= 1 + 1e-9 * (i % 3 - 1);
        stick_residual_velocity(&block.problem, r, u);
        StickResidual residual = stick_residual(&block.problem, r, u);
        assert_true(residual.contact > 1e-11);
        StickPolishEnd polished = stick_polish(newton, &block.problem, &options, residual, 100, trial, r, u);
        print_message("slide %g: compliant %d steps; polish: error %.1e to %.1e in %d steps\n", slides[k],
                      end.steps, residual.contact, polished.residual.contact, polished.steps);
        assert_below(polished.residual.contact, 1e-15);
        assert_in_range(polished.steps, 1, 8);
        stick_compliant_destroy(compliant);
    }
    stick_newton_destroy(newton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(no_step_repeats_the_one_before),
    };
    return cmocka_run_group_tests_name("solve.active_set_polish", tests, NULL, NULL);
}
