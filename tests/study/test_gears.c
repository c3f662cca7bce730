// SPDX-License-Identifier: Apache-2.0
// Mesh cycles from their tables to the summary: harmonics that are put in come out, checks and sweeps know the numbers,
// and a run that is resumed has the table of one that was not.
#include "study/model_file.h"

#include "output/table.h"
#include "study/gear_results.h"
#include "study/gears.h"

#include <stickslip/study.h>

#include <math.h>

// Few cells and teeth: the course of a cycle, not its numbers.
static const char small[] =
    "stickslip: 1\n"
    "units: {length: in, force: lbf, time: s, mass: slinch}\n"
    "parameters: {torque: 1000, mu: 0.1}\n"
    "materials: {steel: {young: 30e6, poisson: 0.3, density: 7.3e-4}}\n"
    "gears:\n"
    "  pair: {teeth: [20, 20], diametral-pitch: 10, pressure-angle: deg(20), addendum: 0.75, dedendum: 1.4,\n"
    "         face-width: 1, material: steel, bore: 0.5, mesh: {flank-nodes: 17, teeth: 5}}\n"
    "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
    "contacts: [{between: pair, friction: mu, max-distance: 0.01}]\n"
    "steps: [{name: roll, trajectory: {cycle: tooth, positions: 8, torque: {pair.2: torque}}}]\n"
    "output: {fields: {every: 0}}\n"
    "%s";

static ModelFile make(Scratch *scratch, const char *more)
{
    static char text[8192];
    snprintf(text, sizeof text, small, more);
    return make_model_file(scratch, text);
}

static StickStatus run(const ModelFile *setup)
{
    StickStudyOptions options = {.model = setup->model, .folder = setup->folder, .force = true};
    return stick_study_run(setup->scratch->ctx, &options);
}

// ---- numbers of a table that is written by hand

static const double mean = 3e-4, first = 5e-5, third = 2e-5;

static double error_at(double t)
{
    return mean + first * cos(2 * M_PI * (t - 0.1)) + third * sin(6 * M_PI * t);
}

// Of positions of one cycle.
static double peak_to_peak(int positions)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < positions; k++) {
        least = fmin(least, error_at((double)k / positions));
        most = fmax(most, error_at((double)k / positions));
    }
    return most - least;
}

static void write_table(Scratch *scratch, int positions, int cycles)
{
    StickText text;
    stick_text_init(&text, scratch->ctx);
    stick_text_add(
        &text,
        "t [s],step,s [in],transmission_error [in],input_torque [lbf in],efficiency,pairs,strips,pressure,"
        "hertz,root_stress_1,root_stress_2,stiffness,share.-1,share.0\n");
    // an earlier step, of which nothing is told
    stick_text_add(&text, "0,1,0,77,77,77,77,77,77,77,77,77,77,77,77\n");
    for (int k = 0; k < positions * cycles; k++) {
        double t = 1 + (double)k / positions, at = t - floor(t), torque = at < 0.5 ? 1000 : 1100;
        stick_text_add(&text, "%.17g,2,0,%.17g,%g,%.17g,%d,6,%g,5,%g,7,%g,%g,%g\n", t, error_at(t), torque,
                       1000 / torque, at < 0.25 ? 2 : 1, 5 + at, 9 - at, 100 * (1 + at), at < 0.25 ? 0.4 : 0,
                       at < 0.25 ? 0.6 : 1);
    }
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "out/cycle")));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, scratch_path(scratch, "out/cycle/pair.csv"),
                                             text.bytes, text.length));
    stick_text_destroy(&text);
}

static void numbers_of(Scratch *scratch, double value[STICK_GEAR_NUMBERS])
{
    StickModel *model;
    ModelFile setup = make(scratch, "");
    assert_ok(scratch->ctx, stick_model_read(scratch->ctx, setup.model, NULL, 0, &model));
    assert_ok(scratch->ctx, stick_gears_write(scratch->ctx, setup.folder, model));
    assert_true(stick_gear_is_there(setup.folder, &model->gears[0]));
    assert_ok(scratch->ctx, stick_gear_numbers(scratch->ctx, setup.folder, &model->gears[0], value));
    stick_model_destroy(model);
}

static void harmonics_come_out_as_they_are_put_in(void **state)
{
    Scratch *scratch = *state;
    double value[STICK_GEAR_NUMBERS];
    for (int cycles = 1; cycles < 4; cycles++) {
        write_table(scratch, 40, cycles);
        numbers_of(scratch, value);
        assert_near(value[STICK_GEAR_ERROR_MEAN], mean, 1e-15);
        assert_near(value[STICK_GEAR_ERROR_PEAK_TO_PEAK], peak_to_peak(40), 1e-15);
        for (int k = 1; k <= STICK_GEAR_HARMONICS; k++)
            assert_near(value[STICK_GEAR_HARMONIC + k - 1], k == 1 ? first : k == 3 ? third : 0, 1e-15);
    }
}

static void numbers_are_those_of_the_last_step(void **state)
{
    Scratch *scratch = *state;
    double value[STICK_GEAR_NUMBERS];
    write_table(scratch, 40, 1);
    numbers_of(scratch, value);
    assert_near(value[STICK_GEAR_CONTACT_RATIO], 1.220092, 5e-7);
    assert_near(value[STICK_GEAR_LOADED_RATIO], 1.25, 1e-12);
    assert_near(value[STICK_GEAR_TWO_PAIRS], 10, 0);
    assert_near(value[STICK_GEAR_LARGEST_SHARE_CHANGE], 0.4, 1e-12);
    assert_near(value[STICK_GEAR_INPUT_MEAN], 1050, 1e-9);
    assert_near(value[STICK_GEAR_INPUT_PEAK_TO_PEAK], 100, 0);
    assert_near(value[STICK_GEAR_EFFICIENCY], 1000.0 / 1050, 1e-12); // of work, not the mean of efficiencies
    assert_near(value[STICK_GEAR_PRESSURE], 5.975, 1e-12);
    assert_near(value[STICK_GEAR_PRESSURE_BY_HERTZ], 1.1, 1e-12);
    assert_near(value[STICK_GEAR_STRIPS], 6 / 1.25, 1e-12);
    assert_near(value[STICK_GEAR_ROOT_1], 9, 0);
    assert_near(value[STICK_GEAR_STIFFNESS_SINGLE], 150, 1e-12); // at the pitch point, t = 1.5
    assert_near(value[STICK_GEAR_STIFFNESS_STANDARD], 30e6 / 206 / 0.067901, 40);
    // any number of positions will do
    write_table(scratch, 41, 1);
    numbers_of(scratch, value);
    assert_near(value[STICK_GEAR_HARMONIC], first, 1e-15);
}

static void positions_that_are_no_cycle_have_no_harmonics(void **state)
{
    Scratch *scratch = *state;
    double value[STICK_GEAR_NUMBERS];
    StickText text;
    stick_text_init(&text, scratch->ctx);
    stick_text_add(
        &text,
        "t,step,s,transmission_error,input_torque,efficiency,pairs,strips,pressure,hertz,root_stress_1,"
        "root_stress_2,stiffness\n");
    for (int k = 0; k < 30; k++)
        stick_text_add(&text, "%.17g,1,0,1,1,1,2,1,1,1,1,1,1\n", k / 40.0);
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "out/cycle")));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, scratch_path(scratch, "out/cycle/pair.csv"),
                                             text.bytes, text.length));
    stick_text_destroy(&text);
    numbers_of(scratch, value);
    assert_true(isnan(value[STICK_GEAR_HARMONIC]));
    assert_true(isnan(value[STICK_GEAR_STIFFNESS_SINGLE])); // never one pair alone
    assert_near(value[STICK_GEAR_ERROR_MEAN], 1, 0);
}

static void a_table_of_others_is_refused(void **state)
{
    Scratch *scratch = *state;
    StickModel *model;
    ModelFile setup = make(scratch, "");
    assert_ok(scratch->ctx, stick_model_read(scratch->ctx, setup.model, NULL, 0, &model));
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "out/cycle")));
    assert_ok(scratch->ctx,
              stick_file_write(scratch->ctx, scratch_path(scratch, "out/cycle/pair.csv"), "t,x\n1,2\n", 8));
    assert_int_equal(stick_gears_write(scratch->ctx, setup.folder, model), STICK_IO);
    assert_error_says(scratch->ctx, "pair.csv");
    assert_error_says(scratch->ctx, "has no column 'step'");
    assert_error_says(scratch->ctx, "run the model again");
    stick_model_destroy(model);
}

static void numbers_of_others_are_refused(void **state)
{
    Scratch *scratch = *state;
    StickModel *model;
    double value[STICK_GEAR_NUMBERS] = {7};
    ModelFile setup = make(scratch, "");
    assert_ok(scratch->ctx, stick_model_read(scratch->ctx, setup.model, NULL, 0, &model));
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "out/cycle")));
    assert_ok(
        scratch->ctx,
        stick_file_write(scratch->ctx, scratch_path(scratch, "out/cycle/pair-numbers.csv"), "t,x\n1,2\n", 8));
    assert_int_equal(stick_gear_numbers(scratch->ctx, setup.folder, &model->gears[0], value), STICK_IO);
    assert_error_says(scratch->ctx, "pair-numbers.csv' does not have one row of");
    assert_error_says(scratch->ctx, "run the model again");
    assert_near(value[0], 7, 0);
    stick_model_destroy(model);
}

// ---- a run

static void a_run_tells_its_cycle(void **state)
{
    Scratch *scratch = *state;
    StickColumns cycle;
    ModelFile setup = make(scratch, "checks:\n"
                                    "  - {that: pair.contact_ratio, is: 1.220092, within: 1e-6}\n"
                                    "  - {that: pair.efficiency, at-most: 1}\n"
                                    "  - {that: max(pair.pairs), is: 2, within: 0}\n"
                                    "  - {that: min(pair.share.0), at-least: 0}\n"
                                    "  - {that: pair.transmission_error_1, at-least: 1e-6}\n");
    assert_ok(scratch->ctx, run(&setup));
    assert_ok(scratch->ctx,
              stick_table_read(scratch->ctx, scratch_path(scratch, "out/cycle/pair.csv"), &cycle));
    assert_int_equal(cycle.nrows, 8);
    const double *load = cycle.column[stick_columns_find(&cycle, "load")];
    const double *share[3] = {cycle.column[stick_columns_find(&cycle, "share.-1")],
                              cycle.column[stick_columns_find(&cycle, "share.0")],
                              cycle.column[stick_columns_find(&cycle, "share.1")]};
    for (size_t k = 0; k < cycle.nrows; k++) {
        assert_near(cycle.column[stick_columns_find(&cycle, "position")][k], (double)k, 0);
        assert_near(share[0][k] + share[1][k] + share[2][k], 1, 1e-12);
        assert_true(load[k] > 900 && load[k] < 1300);
    }
    // the pair in the middle carries all at the pitch point
    assert_near(share[1][4], 1, 0);
    stick_columns_destroy(scratch->ctx, &cycle);
    assert_near(summary_number(scratch, "pair.contact_ratio"), 1.220092, 1e-6);
    assert_true(summary_number(scratch, "transmission_error_peak_to_peak") > 0);
}

static bool was_told(StickContext *ctx, const char *words)
{
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        if (strstr(stick_diagnostic(ctx, k)->text, words))
            return true;
    return false;
}

static void without_load_nothing_is_told_that_needs_one(void **state)
{
    Scratch *scratch = *state;
    StickColumns cycle;
    ModelFile setup = make(scratch, "");
    StickOverride none = {"torque", "0"};
    StickStudyOptions options = {
        .model = setup.model, .folder = setup.folder, .force = true, .overrides = &none, .noverrides = 1};
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
    assert_true(was_told(scratch->ctx, "no load presses the flanks"));
    assert_true(was_told(scratch->ctx, "give the output a 'torque'"));
    assert_false(was_told(scratch->ctx, "nan"));
    assert_false(was_told(scratch->ctx, "stiffness"));
    assert_ok(scratch->ctx,
              stick_table_read(scratch->ctx, scratch_path(scratch, "out/cycle/pair.csv"), &cycle));
    const double *torque = cycle.column[stick_columns_find(&cycle, "input_torque")];
    for (size_t k = 0; k < cycle.nrows; k++)
        assert_true(torque[k] == 0 && !signbit(torque[k]));
    stick_columns_destroy(scratch->ctx, &cycle);
    StickModel *model;
    double value[STICK_GEAR_NUMBERS];
    assert_ok(scratch->ctx, stick_model_read(scratch->ctx, setup.model, &none, 1, &model));
    assert_ok(scratch->ctx, stick_gear_numbers(scratch->ctx, setup.folder, &model->gears[0], value));
    assert_true(isnan(value[STICK_GEAR_STIFFNESS_MEAN]) && isnan(value[STICK_GEAR_STIFFNESS_SINGLE]));
    stick_model_destroy(model);
}

static volatile sig_atomic_t stop;

static void stop_after_three(void *user, const char *name, long done, long all, double t, double end)
{
    (void)user, (void)name, (void)all, (void)t, (void)end;
    stop = done >= 3;
}

static void a_resumed_run_has_the_same_table(void **state)
{
    Scratch *scratch = *state;
    ModelFile setup = make(scratch, "");
    char *once, *twice;
    size_t count;
    assert_ok(scratch->ctx, run(&setup));
    assert_ok(scratch->ctx,
              stick_file_read(scratch->ctx, scratch_path(scratch, "out/cycle/pair.csv"), &once, &count));
    StickStudyOptions options = {.model = setup.model,
                                 .folder = setup.folder,
                                 .force = true,
                                 .stop = &stop,
                                 .progress = {stop_after_three, NULL}};
    assert_int_equal(stick_study_run(scratch->ctx, &options), STICK_INTERRUPTED);
    stop = 0;
    StickStudyOptions rest = {.folder = setup.folder};
    assert_ok(scratch->ctx, stick_study_resume(scratch->ctx, &rest));
    assert_ok(scratch->ctx,
              stick_file_read(scratch->ctx, scratch_path(scratch, "out/cycle/pair.csv"), &twice, &count));
    assert_string_equal(once, twice);
    stick_free(scratch->ctx, once);
    stick_free(scratch->ctx, twice);
}

static void a_sweep_has_the_numbers_of_its_cases(void **state)
{
    Scratch *scratch = *state;
    ModelFile setup = make(scratch, "cases: {vary: {torque: [100, 1000]}}\n");
    char *text;
    size_t count;
    assert_ok(scratch->ctx, run(&setup));
    assert_ok(scratch->ctx,
              stick_file_read(scratch->ctx, scratch_path(scratch, "out/sweep.csv"), &text, &count));
    assert_non_null(strstr(text, ",pair.transmission_error_peak_to_peak,"));
    assert_non_null(strstr(text, ",1.22009"));
    stick_free(scratch->ctx, text);
}

static void unknown_numbers_are_refused(void **state)
{
    Scratch *scratch = *state;
    static const struct {
        const char *check, *says;
    } bad[] = {
        {"pair.eficiency", "did you mean 'efficiency'"},
        {"max(pair.presure)", "there is no series 'pair.presure'"},
        {"max(pair.share.9)", "there is no series"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char more[256];
        snprintf(more, sizeof more, "checks: [{that: %s, at-most: 1}]\n", bad[k].check);
        ModelFile setup = make(scratch, more);
        assert_int_equal(run(&setup), STICK_BAD_INPUT);
        assert_error_says(scratch->ctx, bad[k].says);
    }
}

static void names_of_tables_are_taken(void **state)
{
    Scratch *scratch = *state;
    ModelFile setup = make(scratch, "");
    static char text[8192];
    // in place of the output
    int length = (int)(strstr(small, "output:") - small);
    snprintf(text, sizeof text, "%.*soutput: {history: [{name: pair, of: pair.1.bore, what: reaction.x}]}\n",
             length, small);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, setup.model, text, strlen(text)));
    assert_int_equal(run(&setup), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "cycle/pair.csv has it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(harmonics_come_out_as_they_are_put_in),
        test_with_scratch(numbers_are_those_of_the_last_step),
        test_with_scratch(positions_that_are_no_cycle_have_no_harmonics),
        test_with_scratch(a_table_of_others_is_refused),
        test_with_scratch(numbers_of_others_are_refused),
        test_with_scratch(a_run_tells_its_cycle),
        test_with_scratch(without_load_nothing_is_told_that_needs_one),
        test_with_scratch(a_resumed_run_has_the_same_table),
        test_with_scratch(a_sweep_has_the_numbers_of_its_cases),
        test_with_scratch(unknown_numbers_are_refused),
        test_with_scratch(names_of_tables_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
