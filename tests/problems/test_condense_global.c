// SPDX-License-Identifier: Apache-2.0
#include "problems/condense_global.h"
#include "problems/texts.h"

// M = [2 1; 1 2] (+) 4 I, H = I: W = [2 -1; -1 2] / 3 (+) I / 4, u_free = M^-1 f + w.
static void closed_form(void **state)
{
    StickProblemFile *file;
    StickFrictionData local;
    assert_ok(*state, read_text(*state, ONE_GLOBAL, STICK_PROBLEM_GLOBAL, &file));
    assert_ok(*state, stick_condense_global(*state, &file->global, &local));
    static const double W[] = {2. / 3, -1. / 3, -1. / 3, 2. / 3, 0.25, 0, 0, 0.25};
    static const double u_free[] = {2.5, -1, 1, 2};
    assert_int_equal(local.W.start[2], 2);
    for (int k = 0; k < 8; k++)
        assert_near(local.W.value[k], W[k], 1e-15);
    for (int k = 0; k < 4; k++)
        assert_near(local.u_free[k], u_free[k], 1e-14);
    assert_near(local.mu[1], 0.2, 0);
    stick_friction_data_destroy(*state, &local);
    stick_problem_destroy(file);
}

// The inverse of [0 2; 1 0] is [0 1; 1/2 0], of [0 1; 1 0] itself.
static void matrix_that_is_not_positive_definite(void **state)
{
    static const struct {
        const char *text;
        double W[4];
    } cases[] = {
        {"2 1 0 2 2 2 2 0 1 2 0 0 2 2 2 2 1 0 0 1 0 0 1 1 0.5", {0, 1, 0.5, 0}},
        {"2 1 0 2 2 2 2 0 1 1 0 0 2 2 2 2 1 0 0 1 0 0 1 1 0.5", {0, 1, 1, 0}},
    };
    for (int c = 0; c < 2; c++) {
        StickProblemFile *file;
        StickFrictionData local;
        assert_ok(*state, read_text(*state, cases[c].text, STICK_PROBLEM_GLOBAL, &file));
        assert_ok(*state, stick_condense_global(*state, &file->global, &local));
        for (int k = 0; k < 4; k++)
            assert_near(local.W.value[k], cases[c].W[k], 1e-15);
        stick_friction_data_destroy(*state, &local);
        stick_problem_destroy(file);
    }
    assert_int_equal(stick_diagnostic_count(*state), 0);
}

static void singular_matrix_is_told(void **state)
{
    StickProblemFile *file;
    StickFrictionData local;
    assert_ok(*state, read_text(*state, "2 1 0 2 2 2 2 1 1 1 1 0 2 2 2 2 1 0 0 1 0 0 1 1 0.5",
                                STICK_PROBLEM_GLOBAL, &file));
    assert_int_equal(stick_condense_global(*state, &file->global, &local), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "singular"));
    stick_problem_destroy(file);
}

// Two masses 2 and 3 in line, tied together by v1 = v2 and pushed by r on the first: they move as one of mass 5,
// v = (r + f1 + f2) / 5, and the tie carries what the second mass needs.
static void bilateral_rows(void **state)
{
    int M_start[] = {0, 1, 2}, M_row[] = {0, 1}, H_start[] = {0, 1, 1}, H_row[] = {0}, G_start[] = {0, 2},
        G_row[] = {0, 1};
    double M_value[] = {2, 3}, H_value[] = {1}, G_value[] = {1, -1}, f[] = {4, 6}, w[] = {-3, 0.5}, b[] = {0},
           mu[] = {0.3}, r[] = {5, 0}, v[2], l[1], error;
    StickGlobalData global = {.dim = 2,
                              .ncontacts = 1,
                              .M = {2, 2, M_start, M_row, M_value},
                              .H = {2, 2, H_start, H_row, H_value},
                              .G = {2, 1, G_start, G_row, G_value},
                              .f = f,
                              .w = w,
                              .b = b,
                              .mu = mu};
    StickFrictionData local;
    assert_ok(*state, stick_condense_global(*state, &global, &local));
    static const double W[] = {0.2, 0, 0, 0};
    for (int k = 0; k < 4; k++)
        assert_near(local.W.value[k], W[k], 1e-15);
    assert_near(local.u_free[0], 10. / 5 - 3, 1e-15);
    assert_near(local.u_free[1], 0.5, 0);
    assert_ok(*state, stick_global_velocity(*state, &global, r, v, l));
    assert_near(v[0], 3, 1e-14);
    assert_near(v[1], 3, 1e-14);
    assert_near(l[0], 2 * 3 - 5 - 4, 1e-14); // M v = H r + G l + f
    assert_ok(*state, stick_global_equilibrium(*state, &global, r, v, l, &error));
    assert_below(error, 1e-15);
    v[1] = 3.3;
    assert_ok(*state, stick_global_equilibrium(*state, &global, r, v, l, &error));
    assert_true(error > 0.05);
    stick_friction_data_destroy(*state, &local);
}

static StickStatus condense_again(StickContext *ctx, void *data)
{
    StickProblemFile *file;
    StickFrictionData local;
    STICK_TRY(read_text(ctx, data, STICK_PROBLEM_GLOBAL, &file));
    StickStatus status = stick_condense_global(ctx, &file->global, &local);
    if (status == STICK_OK)
        stick_friction_data_destroy(ctx, &local);
    stick_problem_destroy(file);
    return status;
}

static void memory_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(condense_again, ONE_GLOBAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(closed_form),
        test_with_context(matrix_that_is_not_positive_definite),
        test_with_context(singular_matrix_is_told),
        test_with_context(bilateral_rows),
        test_with_context(memory_may_fail),
    };
    return cmocka_run_group_tests_name("problems.condense_global", tests, NULL, NULL);
}
