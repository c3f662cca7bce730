// SPDX-License-Identifier: Apache-2.0
#include "problems/texts.h"

#include "problems/task.h"

#define BEAM "mates 2 2\nA 0.1 0.2\n 0.3 0.4\nB 1 5\n -1 6\nC 1 -2\n 3 4\neps 0.5 0.25\nlambda 1 2\n"

static void numbers_and_names_are_read(void **state)
{
    StickProblemFile *file;
    assert_ok(*state, read_text(*state, BEAM "motions lift turn\n# a comment", STICK_PROBLEM_AUTO, &file));
    assert_int_equal(file->kind, STICK_PROBLEM_MATES);
    StickMixedLcp mates = stick_problem_mates(file);
    assert_true(mates.m == 2 && mates.l == 2);
    assert_true(mates.A[1] == 0.3 && mates.A[2] == 0.2);
    assert_true(mates.B[1] == -1 && mates.B[2] == 5);
    assert_true(mates.C[1] == 3 && mates.C[2] == -2);
    assert_true(mates.eps[1] == 0.25 && mates.lambda[1] == 2);
    assert_string_equal(mates.motion[1], "turn");
    stick_problem_destroy(file);
    assert_ok(*state, read_text(*state, BEAM, STICK_PROBLEM_MATES, &file));
    assert_null(stick_problem_mates(file).motion);
    stick_problem_destroy(file);
    assert_ok(*state, read_text(*state, "mates 0 0 A B C eps lambda", STICK_PROBLEM_AUTO, &file));
    stick_problem_destroy(file);
}

static void wrong_texts_are_told(void **state)
{
    static const struct {
        const char *text, *says;
    } wrongs[] = {
        {"mates", "the file ends where the number of pairs m"},
        {"mates -1 1", "-1 cannot be the number of pairs m"},
        {"mates 2 two", "'two' is not the number of motions l"},
        {"mates 2000000000 1 A 1 1", "2000000000 cannot be the number of pairs m"},
        {"mates 9 1 A 1 1 1 1 1 1 1 1 1 1 1", "the file ends within A, which is 9 by 9"},
        {"mates 1 1 B 1 1 1 1", "found 'B' where 'A' was expected"},
        {"mates 1 1 A 1 B 1 C nan eps 1 lambda 1", "'nan' is not C(1,1)"},
        {"mates 1 1 A 1 B 1 C 1 eps inf lambda 1", "'inf' is not eps(1,1)"},
        {"mates 1 1 A 1 B 1 C 1 eps 1 lambda", "the file ends within lambda, which is 1 by 1"},
        {"mates 1 2 A 1 B 1 1 C 1 1 eps 1 lambda 1 1 motions one", "the name of a motion"},
    };
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        StickProblemFile *file = NULL;
        assert_int_equal(read_text(*state, wrongs[k].text, STICK_PROBLEM_AUTO, &file), STICK_BAD_INPUT);
        if (!strstr(stick_last_error(*state), wrongs[k].says))
            fail_msg("'%s' gives '%s' instead of '%s'", wrongs[k].text, stick_last_error(*state),
                     wrongs[k].says);
        const StickDiagnostic *said = stick_diagnostic(*state, stick_diagnostic_count(*state) - 1);
        assert_true(said->line == 1 && said->column > 1);
    }
}

static void assert_certified(StickContext *ctx, const StickTask *task, const char *method)
{
    StickAttempt made;
    StickAttemptOptions options = {0};
    assert_ok(ctx, stick_task_attempt(task, method, &options, &made));
    assert_ok(ctx, stick_task_complete(task, &made));
    assert_true(made.certified);
    assert_near(made.solution.r[0], 3, 1e-14);
    assert_near(made.solution.u[1], 7, 1e-14);
    assert_near(made.solution.v[0], -6, 1e-14);
    assert_null(made.solution.l);
    stick_attempt_destroy(ctx, &made);
}

static void every_method_is_certified(void **state)
{
    StickProblemFile *file;
    StickTask task;
    StickAttempt made;
    assert_ok(*state, read_text(*state, "mates 2 1 A 2 1 1 2 B 1 1 C 1 1 eps 0 10 lambda 3",
                                STICK_PROBLEM_AUTO, &file));
    assert_ok(*state, stick_task_create(*state, file, &task));
    assert_string_equal(stick_task_default_solver(&task), "connect-disconnect");
    for (int k = 0; stick_task_solver(&task, k); k++)
        assert_certified(*state, &task, stick_task_solver(&task, k));
    assert_int_equal(stick_task_attempt(&task, "lemk", &(StickAttemptOptions){0}, &made), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "did you mean 'lemke'"));
    stick_task_destroy(&task);
    stick_problem_destroy(file);
}

static StickStatus read_and_solve(StickContext *ctx, void *data)
{
    StickProblemFile *file;
    StickTask task = {0};
    StickAttempt made = {0};
    (void)data;
    STICK_TRY(read_text(ctx, BEAM "motions lift turn", STICK_PROBLEM_AUTO, &file));
    StickStatus status = stick_task_create(ctx, file, &task);
    if (status == STICK_OK)
        status = stick_task_attempt(&task, "connect-disconnect", &(StickAttemptOptions){0}, &made);
    stick_attempt_destroy(ctx, &made);
    stick_task_destroy(&task);
    stick_problem_destroy(file);
    return status;
}

static void memory_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(read_and_solve, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(numbers_and_names_are_read),
        test_with_context(wrong_texts_are_told),
        test_with_context(every_method_is_certified),
        test_with_context(memory_may_fail),
    };
    return cmocka_run_group_tests_name("problems.mlcp_text", tests, NULL, NULL);
}
