// SPDX-License-Identifier: Apache-2.0
#include "problems/mixed.h"

#include "check.h"
#include "problems/condense_global.h"

// Two free masses 1 and 2 in the plane, the first touching a plane, both tied in x by v1x = v2x - 1: as a global problem
// with G, b, and as a local one with W = H' M^-1 H, V = H' M^-1 G, R = G' M^-1 G, q = H' M^-1 f + w,
// s = G' M^-1 f + b. Both ways must end in the same u of r.
static int M_start[] = {0, 1, 2, 3, 4}, M_row[] = {0, 1, 2, 3}, H_start[] = {0, 1, 2}, H_row[] = {1, 0},
           G_start[] = {0, 2}, G_row[] = {0, 2};
static double M_value[] = {1, 1, 2, 2}, H_value[] = {1, 1}, G_value[] = {1, -1}, f[] = {0.5, -3, 2, 1},
              w[] = {0.1, 0.2}, b[] = {1}, mu[] = {0.4};
static int W_start[] = {0, 1, 2}, W_row[] = {0, 1}, V_start[] = {0, 1}, V_row[] = {1}, R_start[] = {0, 1},
           R_row[] = {0};
static double W_value[] = {1, 1}, V_value[] = {1}, R_value[] = {1.5}, q[] = {-2.9, 0.7}, s[] = {0.5 - 1 + 1};

static StickMixedData mixed_problem(void)
{
    return (StickMixedData){{2, 2, W_start, W_row, W_value},
                            {2, 1, V_start, V_row, V_value},
                            {1, 1, R_start, R_row, R_value},
                            q,
                            s};
}

static void elimination_agrees_with_condensation(void **state)
{
    StickGlobalData global = {.dim = 2,
                              .ncontacts = 1,
                              .M = {4, 4, M_start, M_row, M_value},
                              .H = {4, 2, H_start, H_row, H_value},
                              .G = {4, 1, G_start, G_row, G_value},
                              .f = f,
                              .w = w,
                              .b = b,
                              .mu = mu};
    StickMixedData mixed = mixed_problem();
    StickFrictionData condensed, eliminated = {.dim = 2, .ncontacts = 1};
    double r[] = {2, -0.7}, v[4], l_global[1], l_local[1];
    assert_ok(*state, stick_condense_global(*state, &global, &condensed));
    assert_ok(*state, stick_mixed_eliminate(*state, &mixed, &eliminated));
    for (int k = 0; k < 4; k++)
        assert_near(eliminated.W.value[k], condensed.W.value[k], 1e-15);
    for (int k = 0; k < 2; k++)
        assert_near(eliminated.u_free[k], condensed.u_free[k], 1e-15);
    assert_ok(*state, stick_global_velocity(*state, &global, r, v, l_global));
    assert_ok(*state, stick_mixed_multipliers(*state, &mixed, r, l_local));
    assert_near(l_local[0], l_global[0], 1e-15);
    assert_near(v[0] - v[2], -1, 1e-15);
    stick_friction_data_destroy(*state, &condensed);
    stick_friction_data_destroy(*state, &eliminated);
}

// u and l of r hold in the rows of the file; each of them moved does not.
static void rows_are_checked(void **state)
{
    StickMixedData mixed = mixed_problem();
    StickFrictionData local = {.dim = 2, .ncontacts = 1};
    double r[] = {2, -0.7}, u[2], l[1], defect;
    StickSolutionData solution = {.r = r, .u = u, .l = l};
    assert_ok(*state, stick_mixed_eliminate(*state, &mixed, &local));
    assert_ok(*state, stick_mixed_multipliers(*state, &mixed, r, l));
    u[0] = r[0] - 2.9;
    u[1] = r[1] + l[0] + 0.7;
    assert_ok(*state, stick_mixed_defect(*state, &mixed, local.u_free, &solution, &defect));
    assert_below(defect, 1e-14);
    u[1] += 0.29;
    assert_ok(*state, stick_mixed_defect(*state, &mixed, local.u_free, &solution, &defect));
    assert_near(defect, 0.1, 1e-14);
    u[1] -= 0.29;
    l[0] += 1; // |V' r| = 0.7
    assert_ok(*state, stick_mixed_defect(*state, &mixed, local.u_free, &solution, &defect));
    assert_near(defect, 1.5 / 0.7, 1e-14);
    l[0] = NAN;
    assert_ok(*state, stick_mixed_defect(*state, &mixed, local.u_free, &solution, &defect));
    assert_true(isinf(defect));
    stick_friction_data_destroy(*state, &local);
}

static StickStatus eliminate(StickContext *ctx, void *data)
{
    (void)data;
    StickMixedData mixed = mixed_problem();
    StickFrictionData local = {.dim = 2, .ncontacts = 1};
    double r[] = {2, -0.7}, l[1];
    STICK_TRY(stick_mixed_eliminate(ctx, &mixed, &local));
    double u[] = {0, 0}, defect;
    StickStatus status = stick_mixed_multipliers(ctx, &mixed, r, l);
    if (status == STICK_OK)
        status = stick_mixed_defect(ctx, &mixed, local.u_free, &(StickSolutionData){.r = r, .u = u, .l = l},
                                    &defect);
    stick_friction_data_destroy(ctx, &local);
    return status;
}

static void memory_may_fail(void **state)
{
    assert_survives_failing_memory(eliminate, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(elimination_agrees_with_condensation),
        test_with_context(rows_are_checked),
        test_with_context(memory_may_fail),
    };
    return cmocka_run_group_tests_name("problems.mixed", tests, NULL, NULL);
}
