// SPDX-License-Identifier: Apache-2.0
// A rubber lip on glass (examples/seal-simple.yaml) in time: it grows as its mode, or decays, and squeals in one way wherever it
// came from. What takes minutes is run with STICKSLIP_TEST_LONG.
#include "study/model_file.h"

#include <stickslip/study.h>

static const char lip[] =
    "stickslip: 1\n"
    "units: {length: mm, force: N, time: s}\n"
    "parameters: {mu: 0.6, alpha: 0, theta: 0.5, h: 2e-5, seconds: 3e-3}\n"
    "materials:\n"
    "  rubber: {law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1.2e-9, rayleigh: {mass: "
    "alpha}}\n"
    "bodies:\n"
    "  seal:\n"
    "    mesh:\n"
    "      patches:\n"
    "        - cells: [40, 4]\n"
    "          map:\n"
    "            - (5 - 1.5*eta)*cos(deg(270 + 14*(2*xi - 1) + 56*(2*xi - 1)^3))\n"
    "            - (5 - 1.5*eta)*sin(deg(270 + 14*(2*xi - 1) + 56*(2*xi - 1)^3))\n"
    "    element: mean-dilatation\n"
    "    plane: strain\n"
    "    material: rubber\n"
    "obstacles: {glass: {plane: {point: [0, -5], normal: [0, 1]}, displacement: [80*t, \"0.7*min(t, "
    "1)\"]}}\n"
    "supports: [{on: seal.left, displacement: [0, 0]}]\n"
    "contacts: [{between: [seal.bottom, glass], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 4}, friction: 0}\n"
    "  - {name: slide, steady-sliding: {}}\n"
    "  - {name: judge, stability: {of: slide, at: end, highest: 2000}}\n"
    "  - {name: flutter, dynamics: {scheme: theta, theta: theta, step: h, end: 2 + seconds, perturb: {%s}}}\n"
    "output:\n"
    "  fields: {every: 0}\n"
    "  spectrum: [{name: squeal, of: seal.bottom, what: velocity.y}]\n";

static void run(Scratch *scratch, const char *perturb, const StickOverride *overrides, int count)
{
    static char text[8192];
    snprintf(text, sizeof text, lip, perturb);
    ModelFile setup = make_model_file(scratch, text);
    StickStudyOptions options = {.model = setup.model,
                                 .folder = setup.folder,
                                 .overrides = overrides,
                                 .noverrides = count,
                                 .force = true};
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
}

// ---- while it is small

static void assert_as_the_scheme(Scratch *scratch)
{
    assert_near(summary_number(scratch, "flutter.scheme_growth_error"), 0, 0.01);
    assert_near(summary_number(scratch, "flutter.scheme_frequency_error"), 0, 1e-3);
}

static void a_scheme_of_order_two_shows_the_mode(void **state)
{
    run(*state, "mode: 2, amplitude: 1e-4", NULL, 0);
    assert_as_the_scheme(*state);
    assert_near(summary_number(*state, "flutter.predicted_growth"), 486.953, 0.049);
    assert_near(summary_number(*state, "flutter.growth_error"), 0, 0.05);
    assert_near(summary_number(*state, "flutter.frequency_error"), 0, 0.02);
}

// Its error is of first order in h.
static void a_damping_scheme_shows_it_in_the_limit(void **state)
{
    double growth[2], frequency[2];
    for (int k = 0; k < 2; k++) {
        const StickOverride with[] = {{"theta", "0.55"}, {"h", k ? "1e-5" : "2e-5"}};
        run(*state, "mode: 2, amplitude: 1e-4", with, 2);
        assert_as_the_scheme(*state);
        growth[k] = summary_number(*state, "flutter.growth");
        frequency[k] = summary_number(*state, "flutter.frequency");
    }
    assert_true(growth[0] < growth[1] && growth[1] < 0.95 * 486.953);
    assert_near(2 * growth[1] - growth[0], 486.953, 0.05 * 486.953);
    assert_near(2 * frequency[1] - frequency[0], 1333.451, 0.02 * 1333.451);
}

// Below the friction at which modes meet, with damping alpha M: Re lambda = -alpha/2.
static void a_stable_state_is_come_back_to(void **state)
{
    const StickOverride with[] = {{"mu", "0.25"}, {"alpha", "600"}, {"seconds", "1e-2"}};
    run(*state, "mode: 2, amplitude: 1e-4", with, 3);
    assert_as_the_scheme(*state);
    assert_near(summary_number(*state, "judge.largest_growth"), -300, 1e-6);
    assert_near(summary_number(*state, "flutter.growth"), -300, 0.05 * 300);
    assert_near(summary_number(*state, "squeal.motion"), 1, 0); // decays
    assert_near(summary_number(*state, "flutter.slip"), 1, 0);
}

// ---- when it is large

typedef struct Squeal {
    double motion, frequency, rms, largest, stick, slip, apart, linear_until;
} Squeal;

static Squeal squeal_of(Scratch *scratch, const char *perturb, const char *theta)
{
    const StickOverride with[] = {{"theta", theta}, {"seconds", "0.1"}};
    run(scratch, perturb, with, 2);
    return (Squeal){.motion = summary_number(scratch, "squeal.motion"),
                    .frequency = summary_number(scratch, "squeal.dominant_frequency"),
                    .rms = summary_number(scratch, "squeal.rms"),
                    .largest = summary_number(scratch, "squeal.amplitude"),
                    .stick = summary_number(scratch, "flutter.stick"),
                    .slip = summary_number(scratch, "flutter.slip"),
                    .apart = summary_number(scratch, "flutter.apart"),
                    .linear_until = summary_number(scratch, "flutter.linear_until")};
}

static void tell(const char *what, const Squeal *s)
{
    print_message("%s: motion %g, %.1f Hz, rms %.1f, largest %.0f, stick %.3f, slip %.3f, apart %.3f, linear "
                  "until %.5f\n",
                  what, s->motion, s->frequency, s->rms, s->largest, s->stick, s->slip, s->apart,
                  s->linear_until);
}

static void assert_same(const Squeal *a, const Squeal *b)
{
    assert_near(a->motion, b->motion, 0);
    assert_near(a->frequency, b->frequency, 0.05 * b->frequency);
    assert_near(a->rms, b->rms, 0.05 * b->rms);
    assert_near(a->stick, b->stick, 0.05 * b->stick);
    assert_near(a->slip, b->slip, 0.05 * b->slip);
    assert_near(a->apart, b->apart, 0.05 * b->apart);
}

// [RBV02 5.3 f]: whatever starts it. [RBV02 5.4 b]: a larger theta delays it and makes it smaller.
static void it_squeals_in_one_way(void **state)
{
    if (!getenv("STICKSLIP_TEST_LONG"))
        return;
    Squeal mode = squeal_of(*state, "mode: 2, amplitude: 8e-4", "0.55"),
           random = squeal_of(*state, "mode: 2, random: 1e-5, seed: 3", "0.55"),
           damped = squeal_of(*state, "mode: 2, amplitude: 8e-4", "0.60");
    tell("mode", &mode);
    tell("random", &random);
    tell("theta 0.60", &damped);
    assert_near(mode.motion, 4, 0); // modulated
    assert_true(mode.stick > 0.02 && mode.slip > 0.1 && mode.apart > 0.1);
    assert_same(&mode, &random);
    assert_true(damped.linear_until > mode.linear_until);
    assert_below(damped.largest, 0.95 * mode.largest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(a_scheme_of_order_two_shows_the_mode),
        test_with_scratch(a_damping_scheme_shows_it_in_the_limit),
        test_with_scratch(a_stable_state_is_come_back_to),
        test_with_scratch(it_squeals_in_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
