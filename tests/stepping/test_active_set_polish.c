// SPDX-License-Identifier: Apache-2.0
// Springs side by side under a beam that a force presses down: what refinement gives is their closed form, whatever it
// started from.
#include "check.h"

#include "stepping/active_set_polish.h"

enum { PAIRS = 4 };

// Compliances, gaps at the start, load. The fourth spring is too short to be reached.
static const double compliance[PAIRS] = {2e-3, 5e-3, 1e-3, 4e-3}, gap[PAIRS] = {0, 1e-3, 2e-3, 1}, load = 10;

typedef struct Springs {
    double A[PAIRS * PAIRS], B[2 * PAIRS], C[2 * PAIRS], eps[PAIRS], lambda[2];
    double p[PAIRS], d[PAIRS], theta[2];
    StickMixedLcp mates;
    StickMlcpSolution solution;
} Springs;

// d = eps + a p - theta, sum p = load; compliances, gaps and motions by the scale of lengths.
static void make_springs(Springs *springs, double scale)
{
    *springs = (Springs){.lambda = {load}};
    for (int i = 0; i < PAIRS; i++) {
        springs->A[i * PAIRS + i] = scale * compliance[i];
        springs->B[i] = 1;
        springs->C[i] = -1;
        springs->eps[i] = scale * gap[i];
        springs->p[i] = i < 3 ? 1 + 0.1 * i : 0;
    }
    springs->mates = (StickMixedLcp){.m = PAIRS,
                                     .l = 1,
                                     .A = springs->A,
                                     .B = springs->B,
                                     .C = springs->C,
                                     .eps = springs->eps,
                                     .lambda = springs->lambda};
    springs->solution = (StickMlcpSolution){.p = springs->p, .d = springs->d, .theta = springs->theta};
}

// How far the beam sinks.
static double sinks(void)
{
    double stiffness = 0, sum = load;
    for (int i = 0; i < 3; i++) {
        stiffness += 1 / compliance[i];
        sum += gap[i] / compliance[i];
    }
    return sum / stiffness;
}

static void springs_share_a_load_by_their_compliances(void **state)
{
    static const double scales[] = {1, 1e-12, 1e9};
    for (int k = 0; k < 3; k++) {
        Springs springs;
        make_springs(&springs, scales[k]);
        assert_ok(*state, stick_active_set_polish_mates(*state, &springs.mates, &springs.solution));
        assert_near(springs.theta[0], scales[k] * sinks(), 1e-14 * scales[k]);
        for (int i = 0; i < 3; i++) {
            assert_near(springs.p[i], (sinks() - gap[i]) / compliance[i], 1e-12 * load);
            assert_near(springs.d[i], 0, 0);
        }
        assert_near(springs.p[3], 0, 0);
        assert_near(springs.d[3], scales[k] * (gap[3] - sinks()), 1e-14 * scales[k]);
    }
}

static void the_start_changes_no_bit(void **state)
{
    Springs one, other;
    make_springs(&one, 1);
    make_springs(&other, 1);
    for (int i = 0; i < 3; i++)
        other.p[i] = 1e-9 * (3 - i);
    other.theta[0] = -77;
    assert_ok(*state, stick_active_set_polish_mates(*state, &one.mates, &one.solution));
    assert_ok(*state, stick_active_set_polish_mates(*state, &other.mates, &other.solution));
    assert_memory_equal(one.p, other.p, sizeof one.p);
    assert_memory_equal(one.d, other.d, sizeof one.d);
    assert_memory_equal(one.theta, other.theta, sizeof one.theta);
}

static void assert_untouched(StickContext *ctx, Springs *springs)
{
    Springs before = *springs;
    assert_ok(ctx, stick_active_set_polish_mates(ctx, &springs->mates, &springs->solution));
    assert_memory_equal(springs->p, before.p, sizeof before.p);
    assert_memory_equal(springs->d, before.d, sizeof before.d);
    assert_memory_equal(springs->theta, before.theta, sizeof before.theta);
}

static void what_would_pull_stays_as_it_is(void **state)
{
    Springs springs;
    make_springs(&springs, 1);
    springs.p[3] = 1; // the fourth would have to pull the beam down
    assert_untouched(*state, &springs);
}

static void what_is_not_determined_stays_as_it_is(void **state)
{
    Springs springs;
    make_springs(&springs, 1);
    memset(springs.p, 0, sizeof springs.p); // nothing presses: the motion is free
    assert_untouched(*state, &springs);
    // two motions that all springs feel alike
    make_springs(&springs, 1);
    springs.mates.l = 2;
    for (int i = 0; i < PAIRS; i++) {
        springs.B[2 * i] = springs.B[2 * i + 1] = 1;
        springs.C[i] = springs.C[PAIRS + i] = -1;
    }
    assert_untouched(*state, &springs);
    // rigid springs
    make_springs(&springs, 1);
    memset(springs.A, 0, sizeof springs.A);
    assert_untouched(*state, &springs);
}

static StickStatus refine(StickContext *ctx, void *data)
{
    Springs springs;
    (void)data;
    make_springs(&springs, 1);
    return stick_active_set_polish_mates(ctx, &springs.mates, &springs.solution);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(refine, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(springs_share_a_load_by_their_compliances),
        test_with_context(the_start_changes_no_bit),
        test_with_context(what_would_pull_stays_as_it_is),
        test_with_context(what_is_not_determined_stays_as_it_is),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
