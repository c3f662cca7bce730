// SPDX-License-Identifier: Apache-2.0
// Newton and sweeps in turn solve walls at rest, and end where they do not gain.
#include "check.h"

#include "solve/alternation.h"
#include "solve/masonry.h"

#include <stickslip/certificate.h>

typedef struct Bench {
    StickContext *ctx;
    StickSolverOptions options;
    StickAlternation rounds;
    double *r, *u;
} Bench;

static void bench_create(Bench *bench, StickContext *ctx, const StickFrictionProblem *problem)
{
    size_t rows = (size_t)(problem->dim * problem->ncontacts);
    *bench = (Bench){.ctx = ctx, .options = stick_solver_options_default()};
    bench->r = calloc(rows, sizeof *bench->r);
    bench->u = calloc(rows, sizeof *bench->u);
    bench->rounds.kept = calloc(rows, sizeof *bench->r);
    bench->rounds.most_factors = 100000;
    assert_ok(ctx, stick_anderson_create(ctx, &bench->rounds.anderson));
    assert_ok(ctx, stick_anderson_reserve(bench->rounds.anderson, problem));
    assert_ok(ctx,
              stick_newton_create(ctx, &bench->options, STICK_NEWTON_ALART_CURNIER, &bench->rounds.newton));
    assert_ok(ctx, stick_newton_reserve(bench->rounds.newton, problem));
    stick_anderson_load(bench->rounds.anderson, problem, &bench->options, bench->r, NULL);
}

static void bench_destroy(Bench *bench)
{
    stick_anderson_destroy(bench->rounds.anderson);
    stick_newton_destroy(bench->rounds.newton);
    free(bench->r), free(bench->u), free(bench->rounds.kept);
}

// At rest: some forces that friction can carry, here and there at its limit, and a motion that they stop.
static void come_to_rest(Masonry *wall, StickRandom *random)
{
    int n = wall->problem.ncontacts;
    double *r = calloc(3 * (size_t)n, sizeof *r);
    for (int c = 0; c < n; c++) {
        double share = c % 7 == 0 ? 1 : stick_random_uniform(random, 0, 0.8), angle = c;
        r[3 * c] = stick_random_uniform(random, 0.5, 1.5);
        r[3 * c + 1] = share * wall->mu[c] * r[3 * c] * cos(angle);
        r[3 * c + 2] = share * wall->mu[c] * r[3 * c] * sin(angle);
    }
    stick_friction_apply(&wall->problem, r, wall->u_free);
    for (int i = 0; i < 3 * n; i++)
        wall->u_free[i] = -wall->u_free[i];
    free(r);
}

static void walls_at_rest_are_solved(void **state)
{
    static const int sizes[][2] = {{12, 4}, {20, 5}, {14, 14}};
    StickRandom random = stick_random_seed(11);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        Masonry wall;
        Bench bench;
        StickCertificate certificate;
        masonry_build(&wall, &random, sizes[k][0], sizes[k][1], 1, 0.6);
        come_to_rest(&wall, &random);
        bench_create(&bench, *state, &wall.problem);
        assert_false(stick_anderson_run(bench.rounds.anderson, 20, bench.r, bench.u));
        StickAlternationEnd end = stick_alternation_run(&bench.rounds, &wall.problem, 3000, bench.r, bench.u);
        print_message("%d contacts: %d iterations\n", wall.problem.ncontacts, end.iterations);
        assert_true(end.converged);
        assert_ok(*state,
                  stick_certify(*state, &wall.problem, bench.r, 0, bench.options.tolerance, &certificate));
        assert_true(certificate.certified);
        bench_destroy(&bench);
        masonry_free(&wall);
    }
}

// A wall without a solution: W that nothing can move. The rounds end by themselves, with a finite point.
static void what_does_not_gain_is_left(void **state)
{
    StickRandom random = stick_random_seed(12);
    Masonry wall;
    Bench bench;
    masonry_build(&wall, &random, 3, 3, 1, 0.6);
    int n = wall.problem.ncontacts, rows = wall.problem.dim * n;
    memset(wall.W.value, 0, (size_t)(wall.W.start[n] * 9) * sizeof *wall.W.value);
    for (int c = 0; c < n; c++)
        wall.u_free[3 * c] = -1;
    bench_create(&bench, *state, &wall.problem);
    StickAlternationEnd end = stick_alternation_run(&bench.rounds, &wall.problem, 100000, bench.r, bench.u);
    assert_false(end.converged);
    assert_true(end.iterations < 5000);
    for (int i = 0; i < rows; i++)
        assert_true(isfinite(bench.r[i]));
    bench_destroy(&bench);
    masonry_free(&wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(walls_at_rest_are_solved),
        test_with_context(what_does_not_gain_is_left),
    };
    return cmocka_run_group_tests_name("solve.alternation", tests, NULL, NULL);
}
