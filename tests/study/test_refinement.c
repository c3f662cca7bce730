// SPDX-License-Identifier: Apache-2.0
// The models of examples/hertz-line.yaml and partial-slip.yaml on finer and finer meshes against the closed forms of Hertz,
// Cattaneo and Mindlin. The bodies are 21 half widths wide: this alone changes p0 by 0.3 %.
#include "check.h"

#include "output/profile.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846, P = 100, R = 10, E = 200000, nu = 0.3, mu = 0.3, width = 1.6;

static const char hertz_model[] =
    "stickslip: 1\n"
    "parameters: {n: %d}\n"
    "materials: {steel: {law: elastic, young: 200000, poisson: 0.3, density: 7.8e-9}}\n"
    "bodies: {upper: {mesh: {rounded-plate: {size: [1.6, 0.8], radius: 10, cells: [n, n/4]}}, plane: "
    "strain,\n"
    "                 material: steel}}\n"
    "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "supports: [{on: upper.top, displacement: [0, free]}]\n"
    "loads: [{on: upper.top, hold: [free, -100*t]}]\n"
    "contacts: [{between: [upper.round, ground], friction: 0}]\n"
    "steps: [{name: press, quasistatic: {end: 1, increments: 4}}]\n"
    "output: {profiles: [{name: stress, of: upper.round, at: [1]}]}\n";

static const char slip_model[] =
    "stickslip: 1\n"
    "parameters: {n: %d}\n"
    "materials: {steel: {law: elastic, young: 200000, poisson: 0.3, density: 7.8e-9}}\n"
    "bodies:\n"
    "  upper: {mesh: {rounded-plate: {size: [1.6, 0.8], radius: 10, cells: [n, n/4]}}, plane: strain,\n"
    "          material: steel}\n"
    "  lower: {mesh: {rounded-plate: {size: [1.6, 0.8], radius: 10, cells: [n, n/4]}}, plane: strain,\n"
    "          material: steel, rotation: pi}\n"
    "supports: [{on: lower.top, displacement: [0, 0]}]\n"
    "loads: [{on: upper.top, hold: [\"15*max(0, t - 1)\", \"-100*min(t, 1)\"]}]\n"
    "contacts: [{between: [upper.round, lower.round], friction: 0.3}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 4}}\n"
    "  - {name: push, quasistatic: {end: 2, increments: 4}}\n"
    "output: {profiles: [{name: stress, of: upper.round, at: [2]}]}\n";

// What a mesh gives: at the middle, and the last nodes that touch and that stick.
typedef struct Result {
    double h, pressure, shear;
    double touch[2], stick[2]; // least and largest x
} Result;

static Result result_of(const StickProfile *profile, int n)
{
    Result result = {.h = width / n};
    for (int k = 0; k < profile->count; k++) {
        const StickProfileNode *node = &profile->node[k];
        double x = node->place[0];
        if (fabs(x) < 1e-9) {
            result.pressure = node->force[0] / node->area;
            result.shear = node->force[1] / node->area;
        }
        if (node->status != STICK_APART)
            result.touch[x > 0] = x > 0 ? x : fmin(x, result.touch[0]);
        if (node->status == STICK_STICKING)
            result.stick[x > 0] = x > 0 ? x : fmin(x, result.stick[0]);
    }
    return result;
}

static Result solve(StickContext *ctx, const char *form, int n)
{
    char text[2048];
    snprintf(text, sizeof text, form, n);
    StickModelSource source = {.name = "model.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    StickModel *model;
    StickSystem *system;
    StickSimulation *run = NULL, *before = NULL;
    StickProfile profile;
    assert_ok(ctx, stick_model_read_text(ctx, &source, &model));
    assert_ok(ctx, stick_system_create(ctx, model, &system));
    assert_ok(ctx, stick_profile_create(ctx, system, &model->output.profile[0], &profile));
    for (int step = 0; step < model->nsteps; step++) {
        stick_simulation_destroy(before);
        before = run;
        assert_ok(ctx, stick_simulation_create(ctx, system, &model->step[step], &run));
        assert_ok(ctx, stick_simulation_start(run, before));
        while (!stick_simulation_is_done(run))
            assert_ok(ctx, stick_simulation_step(run));
    }
    stick_profile_see(&profile, run);
    Result result = result_of(&profile, n);
    stick_profile_destroy(ctx, &profile);
    stick_simulation_destroy(before);
    stick_simulation_destroy(run);
    stick_system_destroy(system);
    stick_model_destroy(model);
    return result;
}

// Both ends of a zone are within one element.
static void assert_within_element(const Result *result, const double zone[2], double exact)
{
    for (int side = 0; side < 2; side++)
        assert_near(fabs(zone[side]), exact, result->h);
}

// The longer one is for the night.
static int finest(void)
{
    return getenv("STICKSLIP_TEST_FINE") ? 320 : 160;
}

static void hertz_converges(void **state)
{
    double a = sqrt(4 * P * R * (1 - nu * nu) / (pi * E)), p0 = 2 * P / (pi * a), last = 1;
    for (int n = 40; n <= finest(); n *= 2) {
        Result result = solve(*state, hertz_model, n);
        double error = fabs(result.pressure / p0 - 1);
        print_message("hertz %d: p0 %+.2f %%, touches from %g to %g (a = %g)\n", n,
                      100 * (result.pressure / p0 - 1), result.touch[0], result.touch[1], a);
        assert_within_element(&result, result.touch, a);
        assert_true(error < (n <= 160 ? 0.5 * last : last));
        last = error;
    }
    assert_below(last, 0.006);
}

static void partial_slip_converges(void **state)
{
    double a = sqrt(4 * P * R * (1 - nu * nu) / (pi * E)), p0 = 2 * P / (pi * a), last[2] = {1, 1};
    double c = a * sqrt(0.5), q0 = -mu * p0 * (1 - c / a);
    for (int n = 40; n <= finest(); n *= 2) {
        Result result = solve(*state, slip_model, n);
        double error[2] = {fabs(result.pressure / p0 - 1), fabs(result.shear / q0 - 1)};
        print_message("partial slip %d: p0 %+.2f %%, q0 %+.2f %%, sticks from %g to %g (c = %g)\n", n,
                      100 * (result.pressure / p0 - 1), 100 * (result.shear / q0 - 1), result.stick[0],
                      result.stick[1], c);
        assert_within_element(&result, result.touch, a);
        assert_within_element(&result, result.stick, c);
        for (int k = 0; k < 2; k++) {
            assert_true(error[k] < (n <= 160 ? 0.5 * last[k] : last[k]));
            last[k] = error[k];
        }
    }
    assert_below(last[0], 0.006);
    assert_below(last[1], 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(hertz_converges),
        test_with_context(partial_slip_converges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
