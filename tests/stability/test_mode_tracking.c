// SPDX-License-Identifier: Apache-2.0
#include "linalg/root.h"
#include "stability/mode_tracking.h"
#include "stability/tiny.h"

static StickStatus at_try(StickContext *ctx, const Tiny *tiny, int most, StickModeSet *set)
{
    StickReduced reduced;
    StickSpectrum spectrum;
    StickSpectrumOptions options = stick_spectrum_default();
    STICK_TRY(stick_reduced_create(ctx, &tiny->sliding, &reduced));
    StickStatus status = stick_spectrum_create(ctx, &reduced, &options, &spectrum);
    if (status == STICK_OK) {
        status = stick_mode_set_create(ctx, &reduced, &spectrum, most, set);
        stick_spectrum_destroy(ctx, &spectrum);
    }
    stick_reduced_destroy(ctx, &reduced);
    return status;
}

// K* = [[k11, k12 - mu k3], [k12, k22]] with (2, 1, 2, 4/3): modes meet at mu = 0.75, Lambda = 2 (test_conditions.c).
static StickModeSet coupling_with(StickContext *ctx, double k, double mu)
{
    const double k3 = 4.0 / 3;
    const double K[16] = {k, 0, 1, 0, 0, 50, k3, 0, 1, k3, k, 0, 0, 0, 0, 1};
    Tiny tiny;
    StickModeSet set;
    assert_ok(ctx, tiny_open(&tiny, ctx, 4, K, NULL));
    tiny.prescribed[3] = true;
    assert_ok(ctx, tiny_contact(&tiny, 0, mu, -1));
    assert_ok(ctx, at_try(ctx, &tiny, 0, &set));
    tiny_close(&tiny);
    assert_int_equal(set.count, 2);
    return set;
}

static StickModeSet coupling_at(StickContext *ctx, double mu)
{
    return coupling_with(ctx, 2, mu);
}

static StickModeMatch match_of(StickContext *ctx, const StickModeSet *a, const StickModeSet *b)
{
    StickModeMatch match;
    assert_ok(ctx, stick_mode_match_create(ctx, NULL, a, b, &match));
    return match;
}

static StickStatus discriminant(void *user, double mu, double *f)
{
    StickContext *ctx = user;
    StickModeSet set = coupling_at(ctx, mu);
    double complex difference = set.mode[0].Lambda - set.mode[1].Lambda;
    *f = creal(difference * difference);
    stick_mode_set_destroy(ctx, &set);
    return STICK_OK;
}

static void two_modes_meet_at_the_critical_friction(void **state)
{
    double f[2];
    StickRoot root;
    discriminant(*state, 0.1, &f[0]);
    discriminant(*state, 1.1, &f[1]);
    assert_true(f[0] > 0 && f[1] < 0);
    assert_ok(*state, stick_root_find(&(StickRootFunction){discriminant, *state}, (double[2]){0.1, 1.1}, f,
                                      1e-11, &root));
    assert_near(root.x, 0.75, 1e-10);
    StickModeSet set = coupling_at(*state, root.x);
    assert_near(creal(set.mode[0].Lambda + set.mode[1].Lambda) / 2, 2, 1e-12);
    stick_mode_set_destroy(*state, &set);
    set = coupling_at(*state, 0.9);
    assert_near(creal(set.mode[0].lambda), 0.157147, 1e-6);
    assert_near(fabs(cimag(set.mode[0].lambda)), 1.422918, 1e-6);
    stick_mode_set_destroy(*state, &set);
}

// Real modes become a pair and real ones again: two branches all the way.
static void a_pair_is_two_branches(void **state)
{
    const double mu[] = {0.3, 0.6, 0.9, 1.2};
    for (int back = 0; back < 2; back++) {
        for (int k = 0; k < 3; k++) {
            StickModeSet a = coupling_at(*state, mu[back ? 3 - k : k]),
                         b = coupling_at(*state, mu[back ? 2 - k : k + 1]);
            StickModeMatch match = match_of(*state, &a, &b);
            assert_true(match.clear);
            assert_true(match.to[0] >= 0 && match.to[1] >= 0 && match.to[0] != match.to[1]);
            assert_true(match.likeness[0] > 0.6 && match.likeness[1] <= 1 + 1e-12);
            if (a.partner[0] >= 0 && b.partner[0] >= 0) // each stays on its side of the real axis
                assert_true(cimag(a.mode[0].Lambda) * cimag(b.mode[match.to[0]].Lambda) > 0);
            assert_int_equal(a.partner[0] >= 0, mu[back ? 3 - k : k] > 0.75);
            stick_mode_match_destroy(*state, &match);
            stick_mode_set_destroy(*state, &a);
            stick_mode_set_destroy(*state, &b);
        }
    }
}

// Lambda = k +- sqrt(1 - 4/3 mu): with k = -2 both modes diverge before they meet, and flutter after.
static void modes_that_diverge_and_meet_go_on_growing(void **state)
{
    for (int k = -2; k <= 2; k += 4) {
        StickModeSet real = coupling_with(*state, k, 0.6), pair = coupling_with(*state, k, 0.9);
        const int both[2] = {0, 1};
        assert_true(real.partner[0] < 0 && pair.partner[0] == 1);
        assert_int_equal(real.mode[1].kind, k < 0 ? STICK_MODE_DIVERGES : STICK_MODE_OSCILLATES);
        assert_int_equal(pair.mode[1].kind, STICK_MODE_FLUTTER);
        assert_int_equal(stick_mode_growth_change(&real, both, &pair, both), k < 0 ? 0 : 1);
        assert_int_equal(stick_mode_growth_change(&pair, both, &real, both), k < 0 ? 0 : -1);
        stick_mode_set_destroy(*state, &real);
        stick_mode_set_destroy(*state, &pair);
    }
}

// Modes of [[1 + s, e], [e, 2 - s]]: without coupling they cross at s = 1/2, with it they turn away from each other.
static StickModeSet crossing_at(StickContext *ctx, double s, double e)
{
    const double K[16] = {1 + s, 0, e, 0, 0, 1, 0, 0, e, 0, 2 - s, 0, 0, 0, 0, 1};
    Tiny tiny;
    StickModeSet set;
    assert_ok(ctx, tiny_open(&tiny, ctx, 4, K, NULL));
    tiny.prescribed[1] = tiny.prescribed[3] = true;
    assert_ok(ctx, at_try(ctx, &tiny, 0, &set));
    tiny_close(&tiny);
    return set;
}

static void modes_are_followed_by_shape_not_by_number(void **state)
{
    StickModeSet a = crossing_at(*state, 0.4, 0), b = crossing_at(*state, 0.6, 0);
    StickModeMatch match = match_of(*state, &a, &b);
    assert_true(match.clear && !match.by_frequency);
    assert_int_equal(match.to[0], 1);
    assert_int_equal(match.to[1], 0);
    assert_near(match.likeness[0], 1, 1e-14);
    stick_mode_match_destroy(*state, &match);
    stick_mode_set_destroy(*state, &a);
    stick_mode_set_destroy(*state, &b);
}

static void a_step_too_long_for_shapes_is_not_clear(void **state)
{
    // exactly halfway each new shape is as much like one as like the other
    StickModeSet a = crossing_at(*state, 0, 0.05), b = crossing_at(*state, 0.5, 0.05),
                 c = crossing_at(*state, 0.02, 0.05);
    StickModeMatch match = match_of(*state, &a, &b);
    assert_false(match.clear);
    stick_mode_match_destroy(*state, &match);
    match = match_of(*state, &a, &c);
    assert_true(match.clear);
    stick_mode_match_destroy(*state, &match);
    stick_mode_set_destroy(*state, &a);
    stick_mode_set_destroy(*state, &b);
    stick_mode_set_destroy(*state, &c);
}

// Modes of one Lambda have any shapes of a plane, those that rounding chooses: here along the axes and across.
static void modes_of_one_frequency_are_followed_as_a_plane(void **state)
{
    const double e = 1e-13;
    const double along[16] = {2, 0, 0, 0, 0, 2 + e, 0, 0, 0, 0, 7, 0, 0, 0, 0, 9},
                 across[16] = {2, e, 0, 0, e, 2, 0, 0, 0, 0, 7, 0, 0, 0, 0, 9};
    StickModeSet set[2];
    for (int k = 0; k < 2; k++) {
        Tiny tiny;
        assert_ok(*state, tiny_open(&tiny, *state, 4, k ? across : along, NULL));
        assert_ok(*state, at_try(*state, &tiny, 0, &set[k]));
        tiny_close(&tiny);
        assert_true(set[k].cluster[1] == 0 && set[k].cluster[2] == 2);
    }
    assert_near(cabs(set[0].shape[0] * set[1].shape[0]), cabs(set[0].shape[0] * set[1].shape[1]), 1e-2);
    for (int back = 0; back < 2; back++) {
        StickModeMatch match = match_of(*state, &set[back], &set[!back]);
        assert_true(match.clear);
        for (int k = 0; k < 4; k++)
            assert_near(match.likeness[k], 1, 1e-12);
        assert_true(match.from[2] == 2 && match.from[3] == 3);
        stick_mode_match_destroy(*state, &match);
    }
    stick_mode_set_destroy(*state, &set[0]);
    stick_mode_set_destroy(*state, &set[1]);
}

// MAC weighs by mass: light parts have no influence.
static void shapes_are_compared_by_mass(void **state)
{
    StickSparse M;
    const double heavy[16] = {1e6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    StickModeSet a = crossing_at(*state, 0, 0.2), b = crossing_at(*state, 0, 0);
    StickModeMatch plain = match_of(*state, &a, &b), weighed;
    assert_ok(*state, tiny_matrix(*state, 4, heavy, &M));
    assert_ok(*state, stick_mode_match_create(*state, &M, &a, &b, &weighed));
    assert_true(plain.likeness[0] < 0.99);
    assert_near(weighed.likeness[0], 1, 1e-5);
    stick_sparse_destroy(*state, &M);
    stick_mode_match_destroy(*state, &plain);
    stick_mode_match_destroy(*state, &weighed);
    stick_mode_set_destroy(*state, &a);
    stick_mode_set_destroy(*state, &b);
}

static void other_meshes_are_followed_by_frequency(void **state)
{
    const double K[4] = {1.35, 0, 0, 1};
    Tiny tiny;
    StickModeSet a = crossing_at(*state, 0.4, 0), b;
    assert_ok(*state, tiny_open(&tiny, *state, 2, K, NULL));
    tiny.prescribed[1] = true;
    assert_ok(*state, at_try(*state, &tiny, 0, &b));
    StickModeMatch match = match_of(*state, &a, &b);
    assert_true(match.by_frequency);
    assert_int_equal(match.to[0], 0);
    assert_int_equal(match.to[1], -1);
    assert_true(isnan(match.likeness[0]));
    stick_mode_match_destroy(*state, &match);
    stick_mode_set_destroy(*state, &a);
    stick_mode_set_destroy(*state, &b);
    tiny_close(&tiny);
}

static void a_pair_is_not_cut(void **state)
{
    const double K[16] = {2, 0, 1, 0, 0, 50, 4.0 / 3, 0, 1, 4.0 / 3, 2, 0, 0, 0, 0, 9};
    Tiny tiny;
    StickModeSet set;
    assert_ok(*state, tiny_open(&tiny, *state, 4, K, NULL));
    assert_ok(*state, tiny_contact(&tiny, 0, 0.9, -1));
    assert_ok(*state, at_try(*state, &tiny, 1, &set));
    assert_int_equal(set.count, 3);
    assert_int_equal(set.partner[0], 1);
    assert_int_equal(set.partner[1], 0);
    assert_true(set.asked[0] && set.asked[1] && !set.asked[2]);
    assert_true(isfinite(set.sure));
    stick_mode_set_destroy(*state, &set);
    tiny_close(&tiny);
}

static StickStatus everything(StickContext *ctx, void *user)
{
    const double K[16] = {2, 0, 1, 0, 0, 50, 4.0 / 3, 0, 1, 4.0 / 3, 2, 0, 0, 0, 0, 9};
    (void)user;
    Tiny tiny;
    StickModeSet set = {0};
    StickModeMatch match = {0};
    StickStatus status = tiny_open(&tiny, ctx, 4, K, NULL);
    if (status == STICK_OK)
        status = tiny_contact(&tiny, 0, 0.9, -1);
    if (status == STICK_OK)
        status = at_try(ctx, &tiny, 0, &set);
    if (status == STICK_OK)
        status = stick_mode_match_create(ctx, &tiny.M, &set, &set, &match);
    stick_mode_match_destroy(ctx, &match);
    stick_mode_set_destroy(ctx, &set);
    tiny_close(&tiny);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    assert_survives_failing_memory(everything, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(two_modes_meet_at_the_critical_friction),
        test_with_context(a_pair_is_two_branches),
        test_with_context(modes_that_diverge_and_meet_go_on_growing),
        test_with_context(modes_are_followed_by_shape_not_by_number),
        test_with_context(a_step_too_long_for_shapes_is_not_clear),
        test_with_context(modes_of_one_frequency_are_followed_as_a_plane),
        test_with_context(shapes_are_compared_by_mass),
        test_with_context(other_meshes_are_followed_by_frequency),
        test_with_context(a_pair_is_not_cut),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("follow", tests, NULL, NULL);
}
