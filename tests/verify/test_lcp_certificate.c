// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include <stickslip/certificate.h>

// M = [2 1; 1 3], q = (-3, 1): z = (1.5, 0), w = (0, 2.5).
static const double M[] = {2, 1, 1, 3}, q[] = {-3, 1};
static const StickLcp lcp = {2, M, q};

static StickLcpCertificate certify(StickContext *ctx, const StickLcp *problem, double z1, double z2)
{
    StickLcpCertificate found;
    assert_ok(ctx, stick_certify_lcp(ctx, problem, (const double[]){z1, z2}, 1e-8, &found));
    return found;
}

static void solution_is_certified(void **state)
{
    StickLcpCertificate found = certify(*state, &lcp, 1.5, 0);
    assert_true(found.certified);
    assert_near(found.error, 0, 0);
    assert_near(found.complementarity, 0, 0);
}

// Each kind of violation alone: complementarity, z < 0, w < 0.
static void violations_are_measured(void **state)
{
    StickLcpCertificate found = certify(*state, &lcp, 1.6, 0);
    assert_near(found.error, 0.2 / sqrt(10), 1e-15);
    assert_false(found.certified);
    found = certify(*state, &lcp, 1.5, -1e-6);
    assert_near(found.negative_z, 1e-6, 1e-18);
    assert_false(found.certified);
    found = certify(*state, &lcp, 1.5 - 1e-6, 0);
    assert_near(found.negative_w, 2e-6, 1e-15);
    assert_near(found.error, 2e-6 / sqrt(10), 1e-15);
    assert_false(found.certified);
}

// |q| = 0 has the solution z = 0 and no scale for an error; numbers that overflow when squared count too.
static void extremes(void **state)
{
    static const double zero[] = {0, 0}, big[] = {-3e200, 1e200};
    StickLcp flat = {2, M, zero}, huge = {2, M, big}, none = {0, M, q};
    assert_true(certify(*state, &flat, 0, 0).certified);
    assert_true(isinf(certify(*state, &flat, 1, 0).error));
    assert_true(certify(*state, &huge, 1.5e200, 0).certified);
    assert_near(certify(*state, &huge, 1.6e200, 0).error, 0.2 / sqrt(10), 1e-14);
    assert_true(certify(*state, &none, 0, 0).certified);
    assert_false(certify(*state, &lcp, NAN, 0).certified);
    assert_true(isinf(certify(*state, &lcp, INFINITY, 0).error));
}

static void senseless_tolerance_is_refused(void **state)
{
    StickLcpCertificate found;
    assert_int_equal(stick_certify_lcp(*state, &lcp, q, 0, &found), STICK_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(solution_is_certified),
        test_with_context(violations_are_measured),
        test_with_context(extremes),
        test_with_context(senseless_tolerance_is_refused),
    };
    return cmocka_run_group_tests_name("verify.lcp_certificate", tests, NULL, NULL);
}
