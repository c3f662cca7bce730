// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include <stickslip/certificate.h>

// Two pairs, one motion: p = (3, 0), theta = -6, d = (0, 7).
static const double A[] = {2, 1, 1, 2}, B[] = {1, 1}, C[] = {1, 1}, eps[] = {0, 10}, lambda[] = {3};
static const StickMixedLcp mates = {2, 1, A, B, C, eps, lambda, NULL};

static StickMlcpCertificate certify(StickContext *ctx, double p1, double p2, double theta)
{
    StickMlcpCertificate found;
    assert_ok(ctx, stick_certify_mates(ctx, &mates, (double[]){p1, p2}, &theta, 1e-10, &found));
    return found;
}

static void the_solution_is_certified(void **state)
{
    StickMlcpCertificate found = certify(*state, 3, 0, -6);
    assert_true(found.certified);
    assert_below(found.error, 0);
}

// Each defect with its size: gaps are measured by the largest eps, 10, forces by the largest p.
static void every_defect_is_seen(void **state)
{
    StickMlcpCertificate found = certify(*state, 3.3, 0, -6.6);
    assert_near(found.balance, 0.3 / 3.3, 1e-15);
    assert_false(found.certified);
    found = certify(*state, 3, 0, -7); // d1 = -1
    assert_near(found.negative_d, 0.1, 1e-15);
    assert_near(found.balance, 0, 0);
    assert_false(found.certified);
    found = certify(*state, 3, 0, -5.9); // d1 = 0.1 with p1 = 3
    assert_near(found.complementarity, 0.01, 1e-15);
    assert_false(found.certified);
    found = certify(*state, 4, -1, -7); // d1 = 0
    assert_near(found.negative_p, 0.25, 1e-15);
    assert_false(found.certified);
}

static void what_is_not_finite_is_not_certified(void **state)
{
    assert_true(isinf(certify(*state, NAN, 0, -6).error));
    assert_true(isinf(certify(*state, 3, 0, NAN).error));
    assert_true(isinf(certify(*state, 3, INFINITY, -6).error));
    assert_false(certify(*state, 3, 0, NAN).certified);
}

// Units of forces and lengths do not matter.
static void errors_have_no_units(void **state)
{
    double soft[4], near[2], heavy[] = {3e5}, p[] = {3e5, 1e2}, theta[] = {-6e-3};
    for (int k = 0; k < 4; k++)
        soft[k] = A[k] * 1e-8;
    for (int k = 0; k < 2; k++)
        near[k] = eps[k] * 1e-3;
    StickMixedLcp other = {2, 1, soft, B, C, near, heavy, NULL};
    StickMlcpCertificate found, same = certify(*state, 3, 1e-3, -6);
    assert_ok(*state, stick_certify_mates(*state, &other, p, theta, 1e-10, &found));
    assert_near(found.balance, same.balance, 1e-15);
    assert_near(found.complementarity, same.complementarity, 1e-15);
    assert_true(found.balance > 1e-4 && found.complementarity > 1e-4);
}

static void wrong_calls_are_refused(void **state)
{
    StickMlcpCertificate found = {.tolerance = -7};
    const double p[] = {3, 0}, theta[] = {-6};
    assert_int_equal(stick_certify_mates(*state, &mates, p, theta, 0, &found), STICK_BAD_INPUT);
    assert_int_equal(stick_certify_mates(*state, &(StickMixedLcp){.m = -1}, p, theta, 1, &found),
                     STICK_BAD_INPUT);
    assert_true(found.tolerance == -7);
    assert_ok(*state, stick_certify_mates(*state, &(StickMixedLcp){0}, p, theta, 1, &found));
    assert_true(found.certified);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_solution_is_certified),
        test_with_context(every_defect_is_seen),
        test_with_context(what_is_not_finite_is_not_certified),
        test_with_context(errors_have_no_units),
        test_with_context(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests_name("verify.mlcp_certificate", tests, NULL, NULL);
}
