// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/diagnostic_filter.h"
#include "base/text.h"

// An error inside is not heard outside, until it is handed on as a warning with its place.
static void errors_stay_inside(void **state)
{
    StickContext *ctx = *state, *quiet = stick_diagnostic_filter_create(ctx);
    stick_fail_at(quiet, STICK_BAD_INPUT, (StickMark){"a.vtu", 3, 7}, "it is cut off");
    stick_warn(quiet, "something else");
    assert_int_equal(stick_diagnostic_count(ctx), 0);
    stick_diagnostic_filter_warn(quiet, ctx, "a frame is left out");
    assert_int_equal(stick_diagnostic_count(quiet), 0);
    assert_int_equal(stick_diagnostic_count(ctx), 1);
    const StickDiagnostic *said = stick_diagnostic(ctx, 0);
    assert_int_equal(said->severity, STICK_WARNING);
    assert_string_equal(said->text, "a frame is left out: it is cut off");
    assert_string_equal(said->file, "a.vtu");
    assert_int_equal(said->line, 3);
    assert_int_equal(stick_error_count(ctx), 0);
    stick_context_destroy(quiet);
}

static void memory_is_that_of_the_outer_one(void **state)
{
    StickContext *ctx = *state, *quiet = stick_diagnostic_filter_create(ctx);
    size_t before = stick_memory_now(ctx);
    StickText text;
    stick_text_init(&text, quiet);
    for (int k = 0; k < 1000; k++)
        stick_text_add(&text, "%03d ", k);
    assert_true(stick_memory_now(ctx) >= before + 4000);
    assert_int_equal(text.length, 4000);
    assert_memory_equal(text.bytes, "000 001 002 ", 12);
    assert_string_equal(text.bytes + 3996, "999 ");
    stick_text_destroy(&text);
    assert_int_equal(stick_memory_now(ctx), before);
    stick_context_destroy(quiet);
    assert_true(stick_memory_now(ctx) < before);
}

static void count_heard(void *user, const StickDiagnostic *said)
{
    (void)said;
    ++*(int *)user;
}

// Suppressed messages are kept; errors are always passed on.
static void warnings_may_be_hushed(void **state)
{
    StickContext *ctx = *state;
    int heard = 0;
    stick_context_listen(ctx, (StickListener){count_heard, &heard});
    stick_warn_at(ctx, (StickMark){"a", 1, 2}, "odd");
    assert_int_equal(stick_context_hush(ctx, STICK_HUSH_AGAIN), STICK_HUSH_NOTHING);
    stick_warn_at(ctx, (StickMark){"a", 1, 2}, "odd");
    assert_int_equal(heard, 1);
    stick_warn_at(ctx, (StickMark){"a", 1, 3}, "odd");
    stick_warn(ctx, "odd");
    assert_int_equal(heard, 3);
    assert_int_equal(stick_context_hush(ctx, STICK_HUSH_WARNINGS), STICK_HUSH_AGAIN);
    stick_warn(ctx, "something new");
    stick_note(ctx, "and this");
    assert_int_equal(heard, 3);
    stick_fail(ctx, STICK_BAD_INPUT, "wrong");
    assert_int_equal(heard, 4);
    assert_int_equal(stick_diagnostic_count(ctx), 7);
    stick_context_hush(ctx, STICK_HUSH_NOTHING);
    stick_context_listen(ctx, (StickListener){0});
}

static StickStatus grow(StickContext *ctx, void *data)
{
    (void)data;
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    StickText text;
    stick_text_init(&text, quiet);
    for (int k = 0; k < 100; k++)
        stick_text_add(&text, "%03d ", k);
    StickStatus status = stick_text_status(&text);
    stick_text_destroy(&text);
    stick_context_destroy(quiet);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(grow, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(errors_stay_inside),
        test_with_context(warnings_may_be_hushed),
        test_with_context(memory_is_that_of_the_outer_one),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("base.diagnostic_filter", tests, NULL, NULL);
}
