// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_cases.h"
#include "solve/lcp_work.h"

static StickLcpWork begin(StickContext *ctx, const StickLcp *lcp, const StickLcpOptions *options)
{
    StickLcpWork work = {0};
    assert_ok(ctx, stick_lcp_work_reserve(ctx, &work, lcp->n));
    stick_lcp_work_begin(&work, lcp, options);
    return work;
}

// Units from 1e-8 to 1e8 in rows and columns alike: the scaled entries are of order one, and scaled exactly.
static void scales_take_away_the_units(void **state)
{
    double unit[3] = {1e-8, 1, 1e8}, M[9], q[3], x[3] = {1, 2, 3}, y[3];
    for (int j = 0; j < 3; j++) {
        q[j] = -1e-6 * unit[j];
        for (int i = 0; i < 3; i++)
            M[3 * j + i] = unit[i] * unit[j] * (i == j ? 2 : -0.5);
    }
    StickLcpOptions options = stick_lcp_options_default();
    StickLcp lcp = {3, M, q};
    StickLcpWork work = begin(*state, &lcp, &options);
    stick_lcp_work_image(&work, x, y);
    for (int i = 0; i < 3; i++) {
        int exponent;
        double diagonal = stick_lcp_work_M(&work, i, i), sum = stick_lcp_work_q(&work, i);
        assert_true(frexp(work.D[i], &exponent) == 0.5);
        assert_true(diagonal >= 0.25 && diagonal <= 4);
        for (int j = 0; j < 3; j++)
            sum += stick_lcp_work_M(&work, i, j) * x[j];
        assert_near(y[i], sum, 1e-14);
    }
    stick_lcp_work_free(*state, &work);
}

static void singular_bases_have_no_solution(void **state)
{
    double M[4] = {1, 1, 1, 1}, q[2] = {-1, -1}, x[2] = {7, 7};
    int both[2] = {0, 1}, second[1] = {1};
    StickLcpOptions options = stick_lcp_options_default();
    StickLcp lcp = {2, M, q};
    StickLcpWork work = begin(*state, &lcp, &options);
    assert_false(stick_lcp_work_refine(&work, both, 2, x));
    assert_true(x[0] == 7 && x[1] == 7);
    assert_true(stick_lcp_work_refine(&work, second, 1, x));
    assert_true(x[0] == 0 && x[1] == 1);
    stick_lcp_work_free(*state, &work);
}

// An estimate with the right signs becomes the solution; a wrong one does not pass for one.
static void finish_measures_what_it_gives(void **state)
{
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, z[2] = {9, 9}, near[2], away[2] = {0, 0};
    StickLcpOptions options = stick_lcp_options_default();
    StickLcp lcp = {2, M, q};
    StickLcpWork work = begin(*state, &lcp, &options);
    StickSolveInfo info = {0};
    for (int i = 0; i < 2; i++)
        near[i] = work.g * murty_2.z[i] / work.D[i] * 1.01;
    assert_int_equal(stick_lcp_work_finish(&work, near, false, z, &info), STICK_SOLVE_CONVERGED);
    assert_near(z[0], 4.0 / 3, 1e-15);
    assert_near(z[1], 7.0 / 3, 1e-15);
    double saddle[4] = {-1, 0, 0, -1};
    lcp.M = saddle;
    z[0] = z[1] = 9;
    stick_lcp_work_begin(&work, &lcp, &options);
    assert_int_equal(stick_lcp_work_finish(&work, away, false, z, &info), STICK_SOLVE_LIMIT);
    assert_near(info.residual, 1, 1e-15);
    assert_true(z[0] == 9 && strlen(info.detail) > 0);
    assert_int_equal(stick_lcp_work_finish(&work, away, true, z, &info), STICK_SOLVE_LIMIT);
    assert_true(z[0] == 0 && z[1] == 0);
    stick_lcp_work_free(*state, &work);
}

// M z >= 0 has solutions, M z + q >= 0 has none; z = 1e17 must not pass.
static void a_z_that_swallows_q_is_no_solution(void **state)
{
    double M[4] = {1, -1, -1, 1}, q[2] = {-2, 1}, z[2] = {9, 9}, far[2] = {1e17, 1e17};
    StickLcpOptions options = stick_lcp_options_default();
    StickLcp lcp = {2, M, q};
    StickLcpWork work = begin(*state, &lcp, &options);
    StickSolveInfo info = {0};
    assert_int_equal(stick_lcp_work_finish(&work, far, true, z, &info), STICK_SOLVE_NOT_FINITE);
    assert_non_null(strstr(info.detail, "runs away"));
    assert_true(z[0] == 9 && z[1] == 9);
    stick_lcp_work_free(*state, &work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(scales_take_away_the_units),
        test_with_context(singular_bases_have_no_solution),
        test_with_context(finish_measures_what_it_gives),
        test_with_context(a_z_that_swallows_q_is_no_solution),
    };
    return cmocka_run_group_tests_name("solve.lcp_work", tests, NULL, NULL);
}
