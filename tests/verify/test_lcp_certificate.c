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

// M = 1e12, q = -1 has z = 1e-12; z = 1e-9 is small against |q|, but w = 999 is not.
static void units_do_not_matter(void **state)
{
    static const double stiff[] = {1e12}, one[] = {-1};
    StickLcp single = {1, stiff, one};
    StickLcpCertificate found;
    assert_ok(*state, stick_certify_lcp(*state, &single, (const double[]){1e-9}, 1e-8, &found));
    assert_below(found.error, 1.1e-9);
    assert_near(found.error_scale_free, 999, 1e-9);
    assert_false(found.certified);
    assert_ok(*state, stick_certify_lcp(*state, &single, (const double[]){1e-12}, 1e-8, &found));
    assert_true(found.certified);
    // c M with z / c, and D M D with z / D, q D: the same error for every c and D
    for (double c = 1e-12; c < 1e13; c *= 1e4) {
        double scaled[] = {2 * c, c, c, 3 * c}, graded[] = {2 * c * c, c, c, 3}, push[] = {-3 * c, 1};
        StickLcp other = {2, scaled, q}, rows = {2, graded, push};
        double wanted = certify(*state, &lcp, 1.6, 1e-3).error_scale_free;
        assert_near(certify(*state, &other, 1.6 / c, 1e-3 / c).error_scale_free, wanted, 1e-12 * wanted);
        assert_near(certify(*state, &rows, 1.6 / c, 1e-3).error_scale_free, wanted, 1e-12 * wanted);
    }
}

// Without a positive diagonal the scale is the largest entry of rows and columns, or that of M; a diagonal of
// round-off only does not count.
static void scale_without_diagonal(void **state)
{
    static const double saddle[] = {1e6, -1e6, 1e6, 0}, dust[] = {1e6, -1e6, 1e6, 1e-12},
                        flat[] = {4, 0, 0, 0}, push[] = {-1, 1}, zero[] = {0, 0, 0, 0};
    StickLcp bare = {2, saddle, push}, dusty = {2, dust, push}, half = {2, flat, push},
             none = {2, zero, push};
    StickLcpCertificate found = certify(*state, &bare, 1e-6, 1e-9);
    assert_near(found.error_scale_free, 1e-3 / sqrt(2), 1e-9);
    assert_false(found.certified);
    assert_near(certify(*state, &dusty, 1e-6, 1e-9).error_scale_free, found.error_scale_free, 1e-9);
    assert_near(certify(*state, &half, 0.25, 0.1).error_scale_free, 0.4 / sqrt(2), 1e-15);
    assert_near(certify(*state, &none, 0, 0).error_scale_free, 1 / sqrt(2), 1e-15);
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
        test_with_context(units_do_not_matter),
        test_with_context(scale_without_diagonal),
        test_with_context(senseless_tolerance_is_refused),
    };
    return cmocka_run_group_tests_name("verify.lcp_certificate", tests, NULL, NULL);
}
