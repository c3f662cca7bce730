// SPDX-License-Identifier: Apache-2.0
#include "stability/tiny.h"

static const double PI = 3.14159265358979323846;

// ---- closed forms

// Mode coupling of two degrees of freedom: K* = [[k11, k12 - mu k3], [k12, k22]] with (2, 1, 2, 4/3). A node with
// tangential stiffness 2 and a second mass of stiffness 2 that presses it onto the floor by 4/3.
static StickStatus open_coupling(Tiny *tiny, StickContext *ctx, double mu)
{
    const double k3 = 4.0 / 3;
    const double K[16] = {2, 0, 1, 0, 0, 50, k3, 0, 1, k3, 2, 0, 0, 0, 0, 1};
    STICK_TRY(tiny_open(tiny, ctx, 4, K, NULL));
    tiny->prescribed[3] = true;
    return tiny_contact(tiny, 0, mu, -1);
}

static void two_modes_couple_to_flutter(void **state)
{
    Tiny tiny;
    assert_ok(*state, open_coupling(&tiny, *state, 0.9));
    StickStability s = tiny_judge(&tiny);
    assert_int_equal(s.reduced.n, 2);
    assert_int_equal(s.verdict, STICK_VERDICT_FLUTTER);
    assert_int_equal(s.fluttering, 1);
    const StickMode *mode = &s.spectrum.mode[s.flutter];
    assert_int_equal(mode->number, 1);
    assert_near(mode->growth, 0.157147, 1e-6);
    assert_near(mode->frequency * 2 * PI, 1.422918, 1e-6);
    assert_non_null(strstr(s.text, "The state is unstable (Proposition 3)."));
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

static void flutter_begins_at_the_critical_friction(void **state)
{
    for (int side = -1; side <= 1; side += 2) {
        Tiny tiny;
        assert_ok(*state, open_coupling(&tiny, *state, 0.75 + side * 1e-6));
        StickStability s = tiny_judge(&tiny);
        assert_int_equal(s.fluttering, side > 0);
        assert_near(creal(s.spectrum.mode[0].Lambda), 2, 2e-3);
        assert_int_equal(s.verdict, side > 0 ? STICK_VERDICT_FLUTTER : STICK_VERDICT_NO_GROWTH);
        stick_stability_destroy(*state, &s);
        tiny_close(&tiny);
    }
}

// One elastic node: K* = ktt - mu ktn. Divergence beyond mu = ktt / ktn, with the growth rate sqrt(-K*).
static void one_node_diverges_beyond_its_bound(void **state)
{
    const double K[4] = {2, 1, 1, 2}, mu[3] = {1.9, 2, 2.5};
    for (int k = 0; k < 3; k++) {
        Tiny tiny;
        assert_ok(*state, tiny_open(&tiny, *state, 2, K, NULL));
        assert_ok(*state, tiny_contact(&tiny, 0, mu[k], -1));
        StickStability s = tiny_judge(&tiny);
        assert_near(s.smallest, 2 - mu[k], 1e-15);
        assert_near(s.smallest_real, 2 - mu[k], 1e-15);
        assert_int_equal(s.smallest_violations, 0);
        if (k == 2) {
            assert_int_equal(s.verdict, STICK_VERDICT_DIVERGENCE);
            assert_near(s.spectrum.mode[s.divergence].growth, sqrt(0.5), 1e-15);
            assert_true(s.spectrum.mode[s.divergence].frequency == 0);
        } else {
            assert_int_equal(s.verdict, k == 0 ? STICK_VERDICT_NO_GROWTH : STICK_VERDICT_DIVERGENCE_POSSIBLE);
            assert_int_equal(s.stiffness, k == 0 ? STICK_POSITIVE_DEFINITE : STICK_SEMIDEFINITE);
        }
        stick_stability_destroy(*state, &s);
        tiny_close(&tiny);
    }
}

// A strut at angle phi to the plane that is pushed against its lean jams at mu = cot phi.
static void strut_jams_at_the_cotangent(void **state)
{
    for (double phi = 0.3; phi < 1.5; phi += 0.4) {
        double c = cos(phi), s = sin(phi);
        const double K[4] = {c * c, c * s, c * s, s * s};
        for (int side = -1; side <= 1; side += 2) {
            Tiny tiny;
            assert_ok(*state, tiny_open(&tiny, *state, 2, K, NULL));
            assert_ok(*state, tiny_contact(&tiny, 0, c / s + side * 1e-6, -1));
            StickStability found = tiny_judge(&tiny);
            assert_int_equal(found.verdict, side > 0 ? STICK_VERDICT_DIVERGENCE : STICK_VERDICT_NO_GROWTH);
            stick_stability_destroy(*state, &found);
            tiny_close(&tiny);
        }
    }
}

// Two equal nodes that do not know of each other: the diverging vectors can be mixed, and (121) holds for one of the
// two signs that each may have. Coupled so that one slides back as the other slides on, none is compatible.
static void divergence_needs_a_compatible_vector(void **state)
{
    const double K[16] = {2, 1, 1.5, 0, 1, 2, 0, 0, 1.5, 0, 2, 1, 0, 0, 1, 2};
    Tiny tiny;
    assert_ok(*state, tiny_open(&tiny, *state, 4, K, NULL));
    assert_ok(*state, tiny_contact(&tiny, 0, 1, -1));
    assert_ok(*state, tiny_contact(&tiny, 1, 1, -1));
    StickStability s = tiny_judge(&tiny);
    // K* = [[1, 1.5], [1.5, 1]]: Lambda = -0.5 with (1, -1), and 2.5
    assert_near(s.smallest_real, -0.5, 1e-14);
    assert_int_equal(s.diverging, 1);
    assert_int_equal(s.divergence, -1);
    assert_int_equal(s.divergence_violations, 1);
    assert_int_equal(s.smallest_violations, 1);
    assert_int_equal(s.verdict, STICK_VERDICT_DIVERGENCE_POSSIBLE);
    // On the cone the form is v1^2 + v2^2 + 3 v1 v2 >= 1.
    assert_near(s.minimum.value, 1, 1e-12);
    assert_false(s.minimum.proved);
    assert_int_equal(s.minimum.active, 1);
    assert_non_null(strstr(s.text, "contradict (121)"));
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

// A falling law of friction pumps energy into a mass on a belt: lambda^2 + r_N slope lambda + k = 0.
static void falling_friction_pumps(void **state)
{
    const double K[4] = {9, 0, 0, 100};
    Tiny tiny;
    assert_ok(*state, tiny_open(&tiny, *state, 2, K, NULL));
    assert_ok(*state, tiny_contact(&tiny, 0, 0.5, 1));
    tiny.motion[0].r[0] = 4;
    tiny.motion[0].r[1] = -2;
    tiny.motion[0].slope = -0.05;
    StickStability s = tiny_judge(&tiny);
    assert_true(s.reduced.damped);
    assert_int_equal(s.verdict, STICK_VERDICT_FLUTTER);
    assert_int_equal(s.damping, STICK_INDEFINITE);
    assert_non_null(strstr(s.text, "C_S* is not semi-definite"));
    assert_near(s.spectrum.mode[s.flutter].growth, 0.1, 1e-14);
    assert_near(s.spectrum.mode[s.flutter].frequency * 2 * PI, sqrt(9 - 0.01), 1e-13);
    stick_stability_destroy(*state, &s);
    tiny.motion[0].slope = 0.05;
    s = tiny_judge(&tiny);
    assert_int_equal(s.verdict, STICK_VERDICT_NO_GROWTH);
    assert_near(s.spectrum.mode[0].growth, -0.1, 1e-14);
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

// Without friction a closed contact leaves the tangential direction free, whatever its status is called, and requires
// no sliding direction.
static void contact_without_friction_slides_freely(void **state)
{
    const double K[4] = {9, 1, 1, 100};
    const StickContactMotion motion[2] = {{.status = STICK_STICKING, .r = {1}},
                                          {.status = STICK_SLIPPING, .r = {1}}};
    for (int k = 0; k < 2; k++) {
        Tiny tiny;
        assert_ok(*state, tiny_open(&tiny, *state, 2, K, NULL));
        assert_ok(*state, tiny_contact(&tiny, 0, 0, 1));
        tiny.motion[0] = motion[k];
        StickStability s = tiny_judge(&tiny);
        assert_int_equal(s.reduced.slipping, 1);
        assert_int_equal(s.reduced.rubbing, 0);
        assert_int_equal(s.irregular.at_rest, 0);
        assert_near(s.smallest_real, 9, 1e-14);
        assert_int_equal(s.verdict, STICK_VERDICT_NO_GROWTH);
        stick_stability_destroy(*state, &s);
        tiny_close(&tiny);
    }
}

// ---- states

static void irregular_states_are_undecided(void **state)
{
    Tiny tiny;
    assert_ok(*state, open_coupling(&tiny, *state, 0.5));
    tiny.motion[0].speed = 0;
    StickStability s = tiny_judge(&tiny);
    assert_int_equal(s.verdict, STICK_VERDICT_UNDECIDED);
    assert_int_equal(s.irregular.at_rest, 1);
    assert_int_equal(s.irregular.first_at_rest[0], 0);
    assert_non_null(strstr(s.text, "(105) does not hold: contacts on Coulomb's cone at rest: 1, contact 1"));
    stick_stability_destroy(*state, &s);
    tiny.motion[0] = (StickContactMotion){.status = STICK_STICKING, .mu = 0.5, .r = {1, 0.5}};
    s = tiny_judge(&tiny);
    assert_int_equal(s.irregular.at_rest, 1);
    stick_stability_destroy(*state, &s);
    tiny.motion[0] = (StickContactMotion){.status = STICK_STICKING, .mu = 0.5};
    s = tiny_judge(&tiny);
    assert_int_equal(s.verdict, STICK_VERDICT_UNDECIDED);
    assert_int_equal(s.irregular.grazing, 1);
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

static void open_contact_without_a_gap_grazes(void **state)
{
    Tiny tiny;
    assert_ok(*state, open_coupling(&tiny, *state, 0.5));
    tiny.motion[0] = (StickContactMotion){.status = STICK_APART, .mu = 0.5};
    tiny.set.contact[0].gap = 1e-9;
    StickStabilityOptions options = stick_stability_default();
    assert_int_equal(stick_stability_irregular(&tiny.sliding, &options).grazing, 0);
    options.length = 1;
    assert_int_equal(stick_stability_irregular(&tiny.sliding, &options).grazing, 1);
    tiny.set.contact[0].gap = 1e-3;
    assert_int_equal(stick_stability_irregular(&tiny.sliding, &options).grazing, 0);
    tiny_close(&tiny);
}

// All nodes open: an elastic body with its symmetric matrices.
static void body_without_contact_only_oscillates(void **state)
{
    Tiny tiny;
    assert_ok(*state, open_coupling(&tiny, *state, 2));
    tiny.motion[0] = (StickContactMotion){.status = STICK_APART};
    StickStability s = tiny_judge(&tiny);
    assert_int_equal(s.reduced.n, 3);
    assert_int_equal(s.reduced.open, 1);
    assert_int_equal(s.verdict, STICK_VERDICT_NO_GROWTH);
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

// A free mass: a neutral motion is neither growth nor a proof against it.
static void free_motion_is_neutral(void **state)
{
    const double K[4] = {0, 0, 0, 5};
    Tiny tiny;
    assert_ok(*state, tiny_open(&tiny, *state, 2, K, NULL));
    assert_ok(*state, tiny_contact(&tiny, 0, 0.3, 1));
    tiny.motion[0] = (StickContactMotion){.status = STICK_APART};
    StickStability s = tiny_judge(&tiny);
    assert_int_equal(s.stiffness, STICK_SEMIDEFINITE);
    assert_int_equal(s.spectrum.mode[0].kind, STICK_MODE_NEUTRAL);
    assert_int_equal(s.verdict, STICK_VERDICT_DIVERGENCE_POSSIBLE);
    assert_non_null(strstr(s.text, "a motion that nothing resists"));
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

// A degree of freedom without mass follows the others: K* is condensed on them, 2 - (1 + 4/3 mu) / 2 here.
static void motion_without_mass_is_said(void **state)
{
    const double k3 = 4.0 / 3, mu = 0.3;
    const double K[16] = {2, 0, 1, 0, 0, 50, k3, 0, 1, k3, 2, 0, 0, 0, 0, 1};
    const double M[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    Tiny tiny;
    assert_ok(*state, tiny_open(&tiny, *state, 4, K, M));
    tiny.prescribed[3] = true;
    assert_ok(*state, tiny_contact(&tiny, 0, mu, 1));
    StickStability s = tiny_judge(&tiny);
    assert_int_equal(s.mass, STICK_SEMIDEFINITE);
    assert_near(s.smallest_mass, 0, 1e-15);
    assert_int_equal(s.spectrum.infinite, 1);
    assert_int_equal(s.spectrum.count, 1);
    assert_near(s.smallest_real, 2 - (1 + k3 * mu) / 2, 1e-14);
    assert_int_equal(s.verdict, STICK_VERDICT_NO_GROWTH);
    assert_non_null(strstr(s.text, "M* is singular: motions without mass: 1."));
    stick_stability_destroy(*state, &s);
    tiny_close(&tiny);
}

static StickStatus judge_coupling(StickContext *ctx, void *data)
{
    Tiny tiny = {0};
    StickStability s = {0};
    StickStabilityOptions options = stick_stability_default();
    (void)data;
    StickStatus status = open_coupling(&tiny, ctx, 0.9);
    if (status == STICK_OK)
        status = stick_stability_create(ctx, &tiny.sliding, &options, &s);
    stick_stability_destroy(ctx, &s);
    tiny.ctx = ctx;
    tiny_close(&tiny);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    assert_survives_failing_memory(judge_coupling, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(two_modes_couple_to_flutter),
        test_with_context(flutter_begins_at_the_critical_friction),
        test_with_context(one_node_diverges_beyond_its_bound),
        test_with_context(strut_jams_at_the_cotangent),
        test_with_context(divergence_needs_a_compatible_vector),
        test_with_context(falling_friction_pumps),
        test_with_context(contact_without_friction_slides_freely),
        test_with_context(irregular_states_are_undecided),
        test_with_context(open_contact_without_a_gap_grazes),
        test_with_context(body_without_contact_only_oscillates),
        test_with_context(free_motion_is_neutral),
        test_with_context(motion_without_mass_is_said),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
