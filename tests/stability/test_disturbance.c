// SPDX-License-Identifier: Apache-2.0
// One mode in a disturbance: found by its left vector, whatever else moves.
#include "stability/block.h"

#include "stability/disturbance.h"

// A small block, fully sliding but for two stuck and two open nodes.
static void open_reduced(Block *block, StickContext *ctx, const char *damping, StickReduced *reduced)
{
    char text[2048];
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "materials: {rubber: {young: 5, poisson: 0.48, density: 1.2e-9%s}}\n"
             "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [6, 3]}}, material: rubber,\n"
             "                 plane: stress}}\n"
             "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
             "supports: [{on: block.top, displacement: [0, 0]}]\n"
             "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"
             "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n",
             damping);
    block_open(block, ctx, STICK_MASS_MODEL, text);
    block_status(block, ALONG_X, 1.1, 3, 2);
    assert_ok(ctx, stick_reduced_create(ctx, &block->sliding, reduced));
}

// d = Re(turn A), d' = Re(turn lambda A) of a mode
static void move_along(const StickDisturbance *mode, double complex turn, double *d, double *rate)
{
    for (int i = 0; i < mode->n; i++) {
        d[i] += creal(turn * mode->shape[i]);
        rate[i] += creal(turn * mode->mode.lambda * mode->shape[i]);
    }
}

// A mode is seen with its amplitude and phase, all others, oscillating, growing and decaying ones, are not. The second
// of a pair is the first one again, and left out.
static void expect_one_of_many(StickContext *ctx, const StickReduced *reduced, int most)
{
    StickSpectrumOptions options = stick_spectrum_default();
    StickDisturbance mode[40];
    double *d = calloc(2 * (size_t)reduced->Z.rows, sizeof *d), *rate = d + reduced->Z.rows;
    assert_true(d && most <= 40);
    for (int k = 0; k < most; k++)
        assert_ok(ctx, stick_disturbance_create(ctx, reduced, &options, k + 1, &mode[k]));
    for (int k = 0; k < most; k++) {
        double complex turn = 0.3 - 0.4 * I, other = -70 + 20 * I;
        memset(d, 0, 2 * (size_t)reduced->Z.rows * sizeof *d);
        for (int j = 0; j < most; j++) {
            bool same =
                cabs(mode[j].mode.lambda - conj(mode[k].mode.lambda)) < 1e-9 * cabs(mode[k].mode.lambda);
            if (j != k && !same)
                move_along(&mode[j], other, d, rate);
        }
        assert_near(cabs(stick_disturbance_measure(&mode[k], d, rate)), 0, 1e-7);
        move_along(&mode[k], turn, d, rate);
        assert_near(cabs(stick_disturbance_measure(&mode[k], d, rate) - turn), 0, 1e-7);
    }
    for (int k = 0; k < most; k++)
        stick_disturbance_destroy(ctx, &mode[k]);
    free(d);
}

static void a_mode_is_seen_among_others(void **state)
{
    static const char *const dampings[] = {"", ", rayleigh: {mass: 500, stiffness: 2e-5}",
                                           ", viscosity: {shear: 2e-4, bulk: 1e-5}"};
    for (size_t k = 0; k < sizeof dampings / sizeof *dampings; k++) {
        static Block block;
        StickReduced reduced;
        open_reduced(&block, *state, dampings[k], &reduced);
        expect_one_of_many(*state, &reduced, 16);
        stick_reduced_destroy(*state, &reduced);
        block_close(&block);
    }
}

static void the_one_that_grows_most_is_taken(void **state)
{
    static Block block;
    StickReduced reduced;
    StickSpectrum spectrum;
    StickDisturbance mode;
    StickSpectrumOptions options = stick_spectrum_default();
    open_reduced(&block, *state, "", &reduced);
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &spectrum));
    assert_ok(*state, stick_disturbance_create(*state, &reduced, &options, 0, &mode));
    for (int k = 0; k < spectrum.count; k++)
        assert_true(mode.mode.growth >= spectrum.mode[k].growth);
    assert_true(mode.mode.growth > 0);
    assert_below(mode.left_residual, 1e-9);
    stick_disturbance_destroy(*state, &mode);
    assert_int_equal(stick_disturbance_create(*state, &reduced, &options, 9999, &mode), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "there is no mode 9999"));
    stick_spectrum_destroy(*state, &spectrum);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

static void where_nothing_grows_what_decays_least_is_followed(void **state)
{
    static Block block;
    StickReduced reduced;
    StickDisturbance mode;
    StickSpectrum spectrum;
    StickSpectrumOptions options = stick_spectrum_default();
    open_reduced(&block, *state, ", rayleigh: {stiffness: 1}", &reduced);
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &spectrum));
    size_t said = stick_diagnostic_count(*state);
    assert_ok(*state, stick_disturbance_create(*state, &reduced, &options, 0, &mode));
    assert_int_equal(stick_diagnostic_count(*state), said + 1);
    assert_non_null(strstr(stick_diagnostic(*state, said)->text, "no mode grows in this state"));
    assert_true(mode.mode.growth < 0);
    for (int k = 0; k < spectrum.count; k++)
        assert_true(mode.mode.growth >= spectrum.mode[k].growth * (1 + 1e-7));
    stick_disturbance_destroy(*state, &mode);
    stick_spectrum_destroy(*state, &spectrum);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

// Random ones hold stuck nodes, let those that slip move along the plate, and depend on nothing but their seed.
static void random_ones_keep_statuses(void **state)
{
    static Block block;
    StickReduced reduced;
    open_reduced(&block, *state, "", &reduced);
    int n = reduced.Z.rows;
    double *d = calloc(3 * (size_t)n, sizeof *d), largest = 0;
    assert_ok(*state, stick_disturbance_random(*state, &reduced, 5, d));
    assert_ok(*state, stick_disturbance_random(*state, &reduced, 5, d + n));
    assert_ok(*state, stick_disturbance_random(*state, &reduced, 6, d + 2 * n));
    assert_memory_equal(d, d + n, (size_t)n * sizeof *d);
    assert_memory_not_equal(d, d + 2 * n, (size_t)n * sizeof *d);
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(d[i]));
    assert_true(largest == 1);
    const StickContactSet *set = block.sliding.contacts;
    for (int c = 0; c < set->ncontacts; c++) {
        int dof = set->dof[set->contact[c].first];
        StickContactStatus status = block.sliding.motion[c].status;
        assert_int_equal(d[dof + 1] == 0, status != STICK_APART);
        assert_int_equal(d[dof] == 0, status == STICK_STICKING);
    }
    free(d);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

static StickStatus create_once(StickContext *ctx, void *reduced)
{
    StickDisturbance mode;
    StickSpectrumOptions options = stick_spectrum_default();
    STICK_TRY(stick_disturbance_create(ctx, reduced, &options, 0, &mode));
    double *d = calloc((size_t)mode.n, sizeof *d);
    StickStatus status = stick_disturbance_random(ctx, reduced, 1, d);
    free(d);
    stick_disturbance_destroy(ctx, &mode);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    static Block block;
    StickReduced reduced;
    open_reduced(&block, *state, ", viscosity: {shear: 1e-6, bulk: 1e-5}", &reduced);
    assert_survives_failing_memory(create_once, &reduced);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_mode_is_seen_among_others),
        test_with_context(the_one_that_grows_most_is_taken),
        test_with_context(where_nothing_grows_what_decays_least_is_followed),
        test_with_context(random_ones_keep_statuses),
        test_with_context(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("disturbance", tests, NULL, NULL);
}
