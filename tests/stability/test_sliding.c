// SPDX-License-Identifier: Apache-2.0
// States that contradict Coulomb's law, and contacts that cannot be eliminated, are refused with a message.
#include "stability/tiny.h"

static const double K[16] = {2, 0, 1, 0, 0, 5, 1, 0, 1, 1, 2, 0, 0, 0, 0, 3};

static void open_tiny(Tiny *tiny, StickContext *ctx)
{
    assert_ok(ctx, tiny_open(tiny, ctx, 4, K, NULL));
    assert_ok(ctx, tiny_contact(tiny, 0, 0.5, 1));
}

static void assert_refused(const Tiny *tiny, const char *why)
{
    StickStability s;
    StickStabilityOptions options = stick_stability_default();
    StickStatus status = stick_stability_create(tiny->ctx, &tiny->sliding, &options, &s);
    assert_int_equal(status, STICK_BAD_INPUT);
    if (!strstr(stick_last_error(tiny->ctx), why))
        print_error("'%s' does not say '%s'\n", stick_last_error(tiny->ctx), why);
    assert_non_null(strstr(stick_last_error(tiny->ctx), why));
}

static void states_against_coulomb_are_refused(void **state)
{
    static const struct {
        StickContactMotion motion;
        const char *why;
    } bad[] = {
        {{.status = STICK_STICKING, .mu = 0.5, .r = {1, 0.6}}, "outside of Coulomb's cone: |r_T| = 0.6"},
        {{.status = STICK_STICKING, .mu = 0.5, .r = {-1, 0}}, "pulls: its normal force is -1"},
        {{.status = STICK_APART, .mu = 0.5, .r = {1, 0}}, "is open, but has a force of 1"},
        {{.status = STICK_SLIPPING, .mu = 0.5, .slip = {1}, .speed = 1, .r = {1, 0.5}},
         "its friction does not oppose the slip"},
        {{.status = STICK_SLIPPING, .mu = 0.5, .slip = {1}, .speed = 1, .r = {1, -0.4}},
         "slips inside of Coulomb's cone"},
        {{.status = STICK_SLIPPING, .mu = 0.5, .slip = {0.9}, .speed = 1, .r = {1, -0.5}},
         "its direction of sliding has length 0.9"},
        {{.status = STICK_SLIPPING, .mu = 0.5, .slip = {1}, .speed = -1, .r = {1, -0.5}},
         "slips at speed -1"},
        {{.status = STICK_SLIPPING, .mu = -0.5, .slip = {1}, .speed = 1, .r = {1, 0.5}}, "mu is -0.5"},
        {{.status = STICK_SLIPPING, .mu = 0.5, .slip = {1}, .speed = 1, .r = {NAN, 0.5}},
         "component 1 of its force is"},
        {{.status = STICK_SLIPPING, .mu = 0.5, .slip = {1}, .speed = 1, .slope = NAN, .r = {1, -0.5}},
         "the slope of mu is"},
    };
    Tiny tiny;
    open_tiny(&tiny, *state);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tiny.motion[0] = bad[k].motion;
        assert_refused(&tiny, bad[k].why);
        assert_refused(&tiny, "contact 1 (degree of freedom 1)");
    }
    tiny_close(&tiny);
}

// Forces are judged by the largest one, whatever its unit.
static void rounding_of_forces_is_no_contradiction(void **state)
{
    for (double unit = 1e-12; unit < 1e13; unit *= 1e12) {
        Tiny tiny;
        open_tiny(&tiny, *state);
        tiny.motion[0].r[0] = unit;
        tiny.motion[0].r[1] = -0.5 * unit * (1 + 1e-9);
        StickStability s = tiny_judge(&tiny);
        assert_int_equal(s.irregular.grazing + s.irregular.at_rest, 0);
        stick_stability_destroy(*state, &s);
        tiny_close(&tiny);
    }
}

static void matrices_that_do_not_fit_are_refused(void **state)
{
    const double zero[16] = {0}, small[4] = {1, 0, 0, 1};
    Tiny tiny;
    StickSparse other;
    open_tiny(&tiny, *state);
    assert_ok(*state, tiny_matrix(*state, 2, small, &other));
    tiny.sliding.M = &other;
    assert_refused(&tiny, "M is 2 x 2, but K has order 4");
    stick_sparse_destroy(*state, &other);
    assert_ok(*state, tiny_matrix(*state, 4, zero, &other));
    tiny.sliding.M = &other;
    assert_refused(&tiny, "M* is zero: no free degree of freedom has a mass");
    stick_sparse_destroy(*state, &other);
    tiny.sliding.M = &tiny.M;
    tiny.K.value[0] = NAN;
    assert_refused(&tiny, "entry (1, 1) of K is");
    tiny_close(&tiny);
}

static void contacts_that_share_a_node_are_refused(void **state)
{
    Tiny tiny;
    open_tiny(&tiny, *state);
    assert_ok(*state, tiny_contact(&tiny, 0, 0.5, 1));
    assert_refused(&tiny, "has the same node as contact 1");
    tiny.motion[0] = (StickContactMotion){.status = STICK_APART};
    StickStability s = tiny_judge(&tiny);
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

static StickStatus add_stencil(Tiny *tiny, int count, const int *dof, const double *weight)
{
    const double up[3] = {0, 1, 0};
    StickContact contact = {0};
    stick_contact_frame(2, up, contact.frame);
    tiny->motion[tiny->set.ncontacts] =
        (StickContactMotion){.status = STICK_STICKING, .mu = 0.5, .r = {1, 0.1}};
    return stick_contact_set_add(tiny->ctx, &tiny->set, &contact, &(StickStencil){count, dof, weight});
}

static void slaves_that_are_masters_are_refused(void **state)
{
    const int dof[2] = {2, 0};
    const double weight[2] = {1, -1};
    Tiny tiny;
    open_tiny(&tiny, *state);
    assert_ok(*state, add_stencil(&tiny, 2, dof, weight));
    assert_refused(&tiny, "touches a node that is the slave of contact 1");
    tiny_close(&tiny);
}

static void integrated_surfaces_are_refused(void **state)
{
    const int dof[2] = {2, 0};
    const double weight[2] = {0.75, 0.25};
    Tiny tiny;
    assert_ok(*state, tiny_open(&tiny, *state, 4, K, NULL));
    assert_ok(*state, add_stencil(&tiny, 2, dof, weight));
    assert_refused(&tiny, "is one of integrated surfaces");
    tiny_close(&tiny);
}

static void slaves_that_a_support_holds(void **state)
{
    Tiny tiny;
    open_tiny(&tiny, *state);
    tiny.prescribed[1] = true;
    assert_refused(&tiny, "slips while a support holds it along its normal");
    // Held along the plate it has nothing left to move; stuck it does not matter.
    tiny.prescribed[1] = false;
    tiny.prescribed[0] = true;
    StickStability s = tiny_judge(&tiny);
    assert_int_equal(s.reduced.n, 2);
    stick_stability_destroy(*state, &s);
    tiny.prescribed[1] = true;
    tiny.motion[0] = (StickContactMotion){.status = STICK_STICKING, .mu = 0.5, .r = {1, 0.1}};
    s = tiny_judge(&tiny);
    assert_int_equal(s.reduced.n, 2);
    stick_stability_destroy(*state, &s);
    tiny.prescribed[2] = tiny.prescribed[3] = true;
    s = tiny_judge(&tiny);
    assert_int_equal(s.verdict, STICK_VERDICT_NO_GROWTH);
    assert_non_null(strstr(s.text, "Nothing is free to move"));
    assert_true(s.reduced.n == 0 && isnan(s.smallest) && s.spectrum.count == 0);
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(states_against_coulomb_are_refused),
        test_with_context(rounding_of_forces_is_no_contradiction),
        test_with_context(matrices_that_do_not_fit_are_refused),
        test_with_context(contacts_that_share_a_node_are_refused),
        test_with_context(slaves_that_are_masters_are_refused),
        test_with_context(integrated_surfaces_are_refused),
        test_with_context(slaves_that_a_support_holds),
    };
    return cmocka_run_group_tests_name("sliding", tests, NULL, NULL);
}
