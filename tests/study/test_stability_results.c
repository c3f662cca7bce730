// SPDX-License-Identifier: Apache-2.0
// Numbers of a stability step, and what checks say of it.
#include "study/blocks.h"

#include "study/checks.h"
#include "study/stability_results.h"

#define STEPS                                                                      \
    BLOCK_ON_PLATE                                                                 \
    "steps: [{name: drag, quasistatic: {end: 3}}, {name: table, stability: {}}]\n" \
    "checks:\n"

static void make_path(StickContext *ctx, const char *checks, Study *study)
{
    static char text[4096];
    snprintf(text, sizeof text, STEPS "%s", checks);
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    assert_ok(ctx, stick_model_read_text(ctx, &source, &study->model));
    assert_ok(ctx, stick_system_create(ctx, study->model, &study->system));
    assert_ok(ctx, stick_simulation_create(ctx, study->system, &study->model->step[0], &study->run));
}

// Three statuses; the second and third flutter, the third diverges.
static void write_tables(Scratch *scratch)
{
    static const char spectrum[] = "t [s],status,mode,Lambda.real,Lambda.imaginary,growth,frequency,kind\n"
                                   "0,1,1,4,0,0,2,1\n0,1,2,9,0,0,3,1\n"
                                   "1,2,1,5,1,0.1,2.5,2\n1,2,2,5,-1,0.1,2.5,2\n";
    write_table(scratch, "table",
                "t [s],end [s],sticking,slipping,apart,stiffness,least_real,first_flutter_mode,"
                "first_flutter_frequency,first_flutter_growth,diverging,growth,verdict\n"
                "0,1,3,0,0,0.5,4,0,nan,nan,0,0,1\n"
                "1,2,1,1,1,-0.1,nan,1,2.5,0.1,0,0.1,3\n"
                "2,3,0,2,1,-0.2,-1,7,6,0.2,1,0.7,5\n");
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "stability/table")));
    assert_ok(scratch->ctx,
              stick_file_write(scratch->ctx, scratch_path(scratch, "stability/table/spectrum.csv"), spectrum,
                               strlen(spectrum)));
}

static void numbers_come_from_the_table(void **state)
{
    Scratch *scratch = *state;
    Study study;
    double value[STICK_STABILITY_NUMBERS];
    write_tables(scratch);
    make_path(scratch->ctx, "  - {that: table.statuses, is: 3, within: 0}\n", &study);
    assert_ok(scratch->ctx,
              stick_stability_numbers(scratch->ctx, scratch->folder, &study.model->step[1], value));
    const double expected[] = {3, 1, 1, 2.5, 0.1, 2, 1, 0.7, 2, -0.2, -1, 0};
    for (int k = 0; k < STICK_STABILITY_NUMBERS; k++)
        assert_near(value[k], expected[k], 0);
    assert_null(stick_stability_number_name(&study.model->step[1], STICK_STABILITY_NUMBERS));
    drop_study(&study);
}

static void checks_find_statuses_and_modes(void **state)
{
    Scratch *scratch = *state;
    Study study;
    StickCheckVerdict verdict[16];
    int failed;
    write_tables(scratch);
    make_path(scratch->ctx,
              "  - {that: table.first_flutter_time, is: 1, within: 0}\n"
              "  - {that: table.first_flutter_mode, at: {status: [0, 2, 1]}, is: 7, within: 0}\n"
              "  - {that: final(table.slipping), to: 1.5, is: 1, within: 0}\n"
              "  - {that: 'table.mode[2].frequency', is: 3, within: 0}\n"
              "  - {that: 'table.mode[1].Lambda.imaginary', at: {status: [1, 1, 1]}, is: 1, within: 0}\n"
              "  - {that: table.stiffness, at: {status: [3, 0, 0]}, at-most: 0}\n",
              &study);
    assert_ok(scratch->ctx, stick_checks_validate(scratch->ctx, study.run));
    assert_ok(scratch->ctx,
              stick_checks_evaluate(scratch->ctx, study.run, scratch->folder, verdict, &failed));
    assert_int_equal(failed, 1);
    for (int k = 0; k < 5; k++)
        assert_true(verdict[k].passed);
    assert_error_says(scratch->ctx, "check failed: table.stiffness at 3/0/0 is 0.5, not at most 0");
    drop_study(&study);
}

static void what_there_is_not_is_named(void **state)
{
    Scratch *scratch = *state;
    static const struct {
        const char *check, *says;
    } wrong[] = {
        {"  - {that: table.first_fluter_time, at-most: 1}\n",
         "has no number 'first_fluter_time'; did you mean"},
        {"  - {that: table.stiffnes, at: {status: [1, 1, 1]}, at-most: 1}\n", "has no column 'stiffnes'"},
        {"  - {that: 'table.mode[1].speed', at-most: 1}\n", "has no number 'mode[1].speed'"},
        {"  - {that: 'table.mode[0].frequency', at-most: 1}\n", "has no number 'mode[0].frequency'"},
        {"  - {that: final(table.verdic), at-most: 1}\n",
         "there is no series 'table.verdic'; did you mean 'table.verdict'?"},
        {"  - {that: energy.gain, at: {status: [1, 1, 1]}, at-most: 1}\n",
         "is no column of a stability step"},
        {"  - {that: max(table.stiffnes), at-most: 1}\n", "there is no series 'table.stiffnes'"},
        {"  - {that: table, at-most: 1}\n", "has no number ''"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Study study;
        make_path(scratch->ctx, wrong[k].check, &study);
        assert_int_equal(stick_checks_validate(scratch->ctx, study.run), STICK_BAD_INPUT);
        assert_error_says(scratch->ctx, wrong[k].says);
        drop_study(&study);
    }
}

static void a_status_that_is_not_on_the_path(void **state)
{
    Scratch *scratch = *state;
    Study study;
    StickCheckVerdict verdict[1];
    int failed;
    write_tables(scratch);
    make_path(scratch->ctx, "  - {that: table.stiffness, at: {status: [2, 1, 0]}, at-most: 0}\n", &study);
    assert_int_equal(stick_checks_evaluate(scratch->ctx, study.run, scratch->folder, verdict, &failed),
                     STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "no status in which 2 contacts stick, 1 slip and 0 are apart");
    assert_false(verdict[0].passed);
    drop_study(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_come_from_the_table, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(checks_find_statuses_and_modes, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(what_there_is_not_is_named, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(a_status_that_is_not_on_the_path, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests_name("stability_results", tests, NULL, NULL);
}
