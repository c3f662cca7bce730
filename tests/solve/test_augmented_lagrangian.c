// SPDX-License-Identifier: Apache-2.0
#include "solve/data_file.h"
#include "solve/exact_method.h"

static const ExactMethod method = {"augmented-lagrangian", ACTION_REFUSED, 0.9, 60, 40};
EXACT_METHOD_TESTS

static void assert_file_is_solved(StickContext *ctx, const char *name)
{
    StickCertificate certificate;
    StickProblemFile *file = data_file(ctx, name);
    StickFrictionProblem problem = stick_problem_friction(file);
    size_t n = (size_t)problem.dim * (size_t)problem.ncontacts;
    double *r = calloc(n, sizeof *r), *u = calloc(n, sizeof *u);
    StickSolveInfo info = solve_friction(ctx, method.name, &problem, 1e-8, 0, r, u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_ok(ctx, stick_certify(ctx, &problem, r, 0, 1e-8, &certificate));
    assert_true(certificate.certified);
    free(r);
    free(u);
    stick_problem_destroy(file);
}

// Hyperstatic piles of other codes, unsymmetric or slightly indefinite, from a cold start.
static void piles_are_certified(void **state)
{
    static const char *const names[] = {"RockPile_tob1.dat",
                                        "BoxesStack1-i100000-32.hdf5.dat",
                                        "Capsules-i122-1617.dat",
                                        "OneObject-i1028-138.hdf5.dat",
                                        "KaplasTower-i1061-4.hdf5.dat",
                                        "fc2d_granularflowonwall_02020_00213.dat"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_file_is_solved(*state, names[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT_METHOD_LIST,
        test_with_context(piles_are_certified),
    };
    return cmocka_run_group_tests_name("solve.augmented_lagrangian", tests, NULL, NULL);
}
