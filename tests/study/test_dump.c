// SPDX-License-Identifier: Apache-2.0
#include "study/dump.h"

#include "check.h"

static void lists_of_steps(void **state)
{
    assert_ok(*state, stick_dump_check(*state, "10,20-30,100-"));
    assert_ok(*state, stick_dump_check(*state, ""));
    assert_ok(*state, stick_dump_check(*state, NULL));
    assert_true(stick_dump_wants("10,20-30,100-", 10));
    assert_true(stick_dump_wants("10,20-30,100-", 20));
    assert_true(stick_dump_wants("10,20-30,100-", 30));
    assert_true(stick_dump_wants("10,20-30,100-", 123456));
    assert_false(stick_dump_wants("10,20-30,100-", 31));
    assert_false(stick_dump_wants("10,20-30,100-", 9));
    assert_true(stick_dump_wants("", 7));
    assert_false(stick_dump_wants(NULL, 7));
}

static void senseless_lists_are_refused(void **state)
{
    static const char *const wrong[] = {"a", "-5", "5-3", "1,,2", "1;2", "1-2-3", "99999999999999999999",
                                        "1 "};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(stick_dump_check(*state, wrong[k]), STICK_USAGE);
}

static void files_that_cannot_hold_the_problem_are_refused_before_the_run(void **state)
{
    static const char text[] =
        "stickslip: 1\n"
        "bodies: {ball: {rigid: {sphere: 1, mass: 1}}}\n"
        "contacts: [{between: all, friction: {ellipse: [0.1, 0.2], axis: [1, 0, 0]}}]\n"
        "steps: [{dynamics: {step: 1, end: 2}}]\n";
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    StickModel *model;
    assert_ok(*state, stick_model_read_text(*state, &source, &model));
    assert_ok(*state, stick_dump_check_model(NULL, model));
    assert_int_equal(stick_dump_check_model("", model), STICK_USAGE);
    assert_non_null(strstr(stick_last_error(*state), "FCLIB's files cannot hold"));
    stick_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(lists_of_steps),
        test_with_context(senseless_lists_are_refused),
        test_with_context(files_that_cannot_hold_the_problem_are_refused_before_the_run),
    };
    return cmocka_run_group_tests_name("study.dump", tests, NULL, NULL);
}
