// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "stability/eigenvalue_error.h"

#include <complex.h>
#include <float.h>

static StickStatus fill(StickContext *ctx, const double entry[4], StickSparse *A)
{
    StickTriplets triplets = {.rows = 2, .cols = 2};
    StickStatus status = STICK_OK;
    for (int k = 0; k < 4 && status == STICK_OK; k++)
        status = stick_triplets_add(ctx, &triplets, k / 2, k % 2, entry[k]);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &triplets, A);
    stick_triplets_destroy(ctx, &triplets);
    return status;
}

typedef struct Task {
    double K[4], C[4];
    bool damped;
    double complex s, x[2];
    StickEigenvalueErrorReport report;
} Task;

static StickStatus measure(StickContext *ctx, void *data)
{
    static const double one[4] = {1, 0, 0, 1};
    Task *task = data;
    StickSparse K = {0}, C = {0}, M = {0};
    StickEigenvalueError *noise = NULL;
    StickStatus status = fill(ctx, task->K, &K);
    if (status == STICK_OK)
        status = fill(ctx, task->C, &C);
    if (status == STICK_OK)
        status = fill(ctx, one, &M);
    if (status == STICK_OK)
        status = stick_eigenvalue_error_create(ctx, &K, task->damped ? &C : NULL, &M, &noise);
    if (status == STICK_OK)
        status = stick_eigenvalue_error_measure(noise, task->s, task->x, &task->report);
    stick_eigenvalue_error_destroy(noise);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &C);
    stick_sparse_destroy(ctx, &M);
    return status;
}

// The noise bounds the error of an eigenvalue, and is little more than rounding where the eigenvalue is exact.
static void an_error_is_seen(void **state)
{
    Task task = {.K = {2, 1, 1, 2}, .s = 3, .x = {1, 1}};
    assert_ok(*state, measure(*state, &task));
    assert_in_range((long)(task.report.value / DBL_EPSILON), 1, 200);
    assert_false(task.report.neutral);
    task.s = 3 + 1e-6 * I;
    assert_ok(*state, measure(*state, &task));
    assert_near(task.report.value, 1e-6, 1e-12);
}

// Two that meet: Lambda = 1 +- i d with vectors that become one as d does, and noise as eps/d.
static void it_grows_where_two_become_one(void **state)
{
    for (double d = 1e-2; d > 1e-6; d /= 10) {
        double e = 0.5, f = hypot(e, d);
        Task task = {.K = {1 + e, f, -f, 1 - e}, .s = 1 + d * I, .x = {f, d * I - e}};
        assert_ok(*state, measure(*state, &task));
        assert_true(task.report.value > DBL_EPSILON / d && task.report.value < 100 * DBL_EPSILON / d);
    }
}

// Without stiffness: at rest, or driven.
static void what_has_no_stiffness_is_neutral_at_zero_only(void **state)
{
    Task task = {.K = {1, -1, -1, 1}, .s = 1e-17, .x = {1, 1}};
    assert_ok(*state, measure(*state, &task));
    assert_true(task.report.neutral);
    task = (Task){.K = {1, -1, -1, 1}, .C = {-1, 0, 0, -1}, .damped = true, .s = 1, .x = {1, 1}};
    assert_ok(*state, measure(*state, &task));
    assert_false(task.report.neutral);
    task.s = 1e-17;
    assert_ok(*state, measure(*state, &task));
    assert_true(task.report.neutral);
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    Task task = {.K = {2, 1, 1, 2}, .C = {1, 0, 0, 1}, .damped = true, .s = 1 + I, .x = {1, 1}};
    assert_survives_failing_memory(measure, &task);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(an_error_is_seen),
        test_with_context(it_grows_where_two_become_one),
        test_with_context(what_has_no_stiffness_is_neutral_at_zero_only),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
