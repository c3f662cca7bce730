// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/friction_lcp.h"
#include "solve/manufactured.h"

static Manufactured made;

// z and w of the facet form in 2D, written out by hand [VPJR98 (14) with our signs], satisfy w = M z + q.
static void plane_form_is_the_one_of_the_paper(void **state)
{
    StickContext *ctx = *state;
    StickFrictionLcp *lcp;
    StickSparseLcp built;
    StickRandom random = stick_random_seed(1);
    enum { NC = 6 };
    double z[3 * NC], w[3 * NC], sum[3 * NC];
    manufacture(&made, &random, 2, NC, 0.8, 1);
    assert_ok(ctx, stick_friction_lcp_create(ctx, 4, &lcp));
    assert_ok(ctx, stick_friction_lcp_build(lcp, &made.problem, STICK_LCP_FACETS, &built));
    assert_int_equal(built.M->cols, 3 * NC);
    // w = trace(W_cc) / 2 lies in (1, 4) here, so that the scale is the power of two above its root: 2
    // always.
    for (int c = 0; c < NC; c++) {
        double r_N = 2 * made.r[2 * c], r_T = 2 * made.r[2 * c + 1], u_N = made.u[2 * c] / 2,
               u_T = made.u[2 * c + 1] / 2;
        double mu = made.mu[c];
        z[3 * c] = r_N, w[3 * c] = u_N;
        z[3 * c + 1] = mu * r_N + r_T, w[3 * c + 1] = fmax(u_T, 0);
        z[3 * c + 2] = fmax(-u_T, 0), w[3 * c + 2] = mu * r_N - r_T;
    }
    memcpy(sum, built.q, sizeof sum);
    stick_sparse_multiply(built.M, 1, z, sum);
    for (int i = 0; i < 3 * NC; i++)
        assert_near(sum[i], w[i], 1e-14);
    stick_friction_lcp_destroy(lcp);
}

static void recover_from(StickContext *ctx, StickLcpForm form, int facets, double *r)
{
    StickFrictionLcp *lcp;
    StickLemke *lemke;
    StickSparseLcp built;
    StickSolveInfo info;
    double z[20 * MOST_CONTACTS] = {0};
    assert_ok(ctx, stick_friction_lcp_create(ctx, facets, &lcp));
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    assert_ok(ctx, stick_friction_lcp_build(lcp, &made.problem, form, &built));
    assert_ok(ctx, stick_lemke_solve_sparse(lemke, &built, 10000, z, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    stick_friction_lcp_recover(lcp, z, r);
    stick_lemke_destroy(lemke);
    stick_friction_lcp_destroy(lcp);
}

static void both_forms_agree_in_2d_and_3d(void **state)
{
    StickRandom random = stick_random_seed(2);
    double facets[MOST_ROWS], vertices[MOST_ROWS];
    for (int k = 0; k < 30; k++) {
        int dim = 2 + k % 2, nc = 1 + k % 9;
        manufacture(&made, &random, dim, nc, 0.6, 0.5);
        recover_from(*state, STICK_LCP_FACETS, 12, facets);
        recover_from(*state, STICK_LCP_VERTICES, 12, vertices);
        for (int i = 0; i < dim * nc; i++) {
            assert_near(facets[i], vertices[i], 1e-12);
            if (dim == 2)
                assert_near(facets[i], made.r[i], 1e-13);
        }
    }
}

static void facets_never_leave_the_round_cone(void **state)
{
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS];
    for (int k = 0; k < 10; k++) {
        manufacture(&made, &random, 3, 10, 0.6, 0.5);
        recover_from(*state, STICK_LCP_FACETS, 8, r);
        for (int c = 0; c < 10; c++)
            assert_below(hypot(r[3 * c + 1], r[3 * c + 2]), made.mu[c] * r[3 * c] + 1e-14);
    }
}

static void contacts_without_friction_keep_one_unknown(void **state)
{
    StickContext *ctx = *state;
    StickFrictionLcp *lcp;
    StickSparseLcp built;
    StickRandom random = stick_random_seed(4);
    manufacture(&made, &random, 3, 5, 0.6, 0.5);
    made.mu[1] = made.mu[4] = 0;
    assert_ok(ctx, stick_friction_lcp_create(ctx, 8, &lcp));
    assert_ok(ctx, stick_friction_lcp_build(lcp, &made.problem, STICK_LCP_FACETS, &built));
    assert_int_equal(built.M->cols, 3 * 9 + 2);
    assert_ok(ctx, stick_friction_lcp_build(lcp, &made.problem, STICK_LCP_VERTICES, &built));
    assert_int_equal(built.M->cols, 3 * 10 + 2);
    stick_friction_lcp_destroy(lcp);
}

static void too_many_contacts_are_refused(void **state)
{
    StickContext *ctx = *state;
    StickFrictionLcp *lcp;
    assert_ok(ctx, stick_friction_lcp_create(ctx, 16, &lcp));
    StickFrictionProblem many = {.dim = 3, .ncontacts = 100000};
    assert_int_equal(stick_friction_lcp_reserve(lcp, &many), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "100000 contacts"));
    stick_friction_lcp_destroy(lcp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(plane_form_is_the_one_of_the_paper),
        test_with_context(both_forms_agree_in_2d_and_3d),
        test_with_context(facets_never_leave_the_round_cone),
        test_with_context(contacts_without_friction_keep_one_unknown),
        test_with_context(too_many_contacts_are_refused),
    };
    return cmocka_run_group_tests_name("solve.friction_lcp", tests, NULL, NULL);
}
