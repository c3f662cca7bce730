// SPDX-License-Identifier: Apache-2.0
// Two positions are kept, each for itself.
#include "check.h"

#include "stepping/trajectory_history.h"

enum { MOTIONS = 2, DOFS = 3 };

static void push(StickTrajectoryHistory *now, StickTrajectoryHistory *before, double t)
{
    double theta[MOTIONS] = {10 * t, 20 * t}, u[DOFS] = {t, t * t, t * t * t};
    const StickTrajectoryHistory present = {.t = t, .theta = theta, .u = u};
    stick_trajectory_history_push(now, before, &present, MOTIONS, DOFS);
    memset(theta, 0, sizeof theta); // what was pushed is a copy
    memset(u, 0, sizeof u);
}

static void assert_is(const StickTrajectoryHistory *past, double t)
{
    assert_near(past->known, 1, 0);
    assert_near(past->t, t, 0);
    assert_near(past->theta[1], 20 * t, 0);
    assert_near(past->u[2], t * t * t, 0);
}

static void the_last_two_positions_are_there(void **state)
{
    StickTrajectoryHistory now = {0}, before = {0};
    assert_ok(*state, stick_trajectory_history_create(*state, MOTIONS, DOFS, &now));
    assert_ok(*state, stick_trajectory_history_create(*state, MOTIONS, DOFS, &before));
    assert_near(now.known, 0, 0);
    push(&now, &before, 1);
    assert_is(&now, 1);
    assert_near(before.known, 0, 0);
    for (int k = 2; k < 6; k++) {
        push(&now, &before, k);
        assert_is(&now, k);
        assert_is(&before, k - 1);
        assert_ptr_not_equal(now.u, before.u);
        assert_ptr_not_equal(now.theta, before.theta);
    }
    stick_trajectory_history_destroy(*state, &now);
    stick_trajectory_history_destroy(*state, &before);
    assert_null(now.u);
}

// The frame may follow its ideal motion alone.
static void no_motion_need_be_free(void **state)
{
    StickTrajectoryHistory now = {0}, before = {0};
    double theta = 0, u[DOFS] = {7, 8, 9};
    assert_ok(*state, stick_trajectory_history_create(*state, 0, DOFS, &now));
    assert_ok(*state, stick_trajectory_history_create(*state, 0, DOFS, &before));
    stick_trajectory_history_push(&now, &before, &(StickTrajectoryHistory){.t = 4, .theta = &theta, .u = u},
                                  0, DOFS);
    assert_near(now.t, 4, 0);
    assert_near(now.u[1], 8, 0);
    stick_trajectory_history_destroy(*state, &now);
    stick_trajectory_history_destroy(*state, &before);
}

static StickStatus make_and_drop(StickContext *ctx, void *data)
{
    StickTrajectoryHistory past = {0};
    (void)data;
    StickStatus status = stick_trajectory_history_create(ctx, MOTIONS, DOFS, &past);
    stick_trajectory_history_destroy(ctx, &past);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(make_and_drop, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_last_two_positions_are_there),
        test_with_context(no_motion_need_be_free),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
