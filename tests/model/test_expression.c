// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/clock.h"
#include "model/expression.h"

static const StickMark place = {"model.yaml", 7, 3};
static const unsigned everything = STICK_SEES_TIME | STICK_SEES_PLACE | STICK_SEES_SLIDING;

static int make_sandbox(void **state)
{
    StickContext *ctx = stick_context_create(NULL);
    StickExpressions *sandbox = NULL;
    if (!ctx || stick_expressions_create(ctx, &sandbox) != STICK_OK)
        return -1;
    static void *both[2];
    both[0] = ctx, both[1] = sandbox;
    *state = both;
    return stick_expressions_set_number(sandbox, "v0", 5) == STICK_OK &&
                   stick_expressions_set_text(sandbox, "scheme", "theta") == STICK_OK
               ? 0
               : -1;
}

static int drop_sandbox(void **state)
{
    void **both = *state;
    StickContext *ctx = both[0];
    stick_expressions_destroy(both[1]);
    stick_diagnostics_clear(ctx);
    stick_context_destroy(ctx);
    return 0;
}

static StickContext *context_of(void **state)
{
    return ((void **)*state)[0];
}

static StickExpressions *sandbox_of(void **state)
{
    return ((void **)*state)[1];
}

static void constants_are_evaluated_at_once(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1e-3", 1e-3},
        {"-v0", -5},
        {"2*pi*v0", 10 * M_PI},
        {"deg(20)", M_PI / 9},
        {"max(1, v0, 3) - min(4, 2)", 3},
        {"atan(1, -1)", 3 * M_PI / 4},
        {"log(8, 2) + floor(2.7) + ceil(2.2) + abs(-1) + sqrt(4)", 3 + 2 + 3 + 1 + 2},
        {"exp(0) + sin(0) + cos(0) + tan(0) + asin(0) + acos(1)", 2},
        {"scheme == 'theta' and 1 or 2", 1},
        {"scheme ~= \"theta\" and 1 or 2", 2},
        {"7 // 2", 3},
        {"1/2", 0.5},
        {"0x10 + 1", 17},
        {"1 -- a comment with a )", 1},
        // whole numbers do not overflow as those of Lua do
        {"1000000 * 1000000 * 1000000 * 1000000", 1e24},
        {"(function() local s = 0 for i = 1, 10 do s = s + i end return s end)()", 55},
        {"({a = 3}).a", 3},
        {"#'four'", 4},
    };
    StickContext *ctx = context_of(state);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickExpression *expression;
        double value;
        assert_ok(ctx,
                  stick_expression_compile(sandbox_of(state), cases[k].text, everything, place, &expression));
        assert_true(stick_expression_is_constant(expression));
        assert_ok(ctx, stick_expression_value(expression, NULL, &value));
        assert_near(value, cases[k].value, 1e-14 * fabs(cases[k].value));
    }
}

static void variables_are_seen(void **state)
{
    StickContext *ctx = context_of(state);
    StickExpression *expression;
    double value;
    StickVariables at = {.t = 2, .x = 3, .y = 5, .z = 7, .v = 11, .p = 13};
    assert_ok(ctx, stick_expression_compile(sandbox_of(state), "v0 + t*x - y*z + v/p", everything, place,
                                            &expression));
    assert_false(stick_expression_is_constant(expression));
    assert_ok(ctx, stick_expression_value(expression, &at, &value));
    assert_near(value, 5 + 2 * 3 - 5 * 7 + 11.0 / 13, 1e-14);
    at.t = 4;
    assert_ok(ctx, stick_expression_value(expression, &at, &value));
    assert_near(value, 5 + 4 * 3 - 5 * 7 + 11.0 / 13, 1e-14);
    assert_ok(ctx, stick_expression_compile(sandbox_of(state), "t < 1 and 2 or 0", STICK_SEES_TIME, place,
                                            &expression));
    assert_ok(ctx, stick_expression_value(expression, &at, &value));
    assert_near(value, 0, 0);
}

// Names that start like "infinity" or "nan" are reported as names, without advice on numbers.
static void names_are_no_numbers_with_units(void **state)
{
    static const char *const text[] = {"inflow", "-inflow", " nano", "infinity", "+ nan"};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        StickExpression *expression = NULL;
        assert_int_equal(stick_expression_compile(sandbox_of(state), text[k], 0, place, &expression),
                         STICK_BAD_INPUT);
        const char *said = stick_last_error(context_of(state));
        if (!strstr(said, "unknown name '") ||
            strstr(said, "write numbers without units, and products with '*'"))
            fail_msg("'%s': '%s'", text[k], said);
    }
}

static void wrong_texts_are_refused(void **state)
{
    static const struct {
        const char *text;
        unsigned sees;
        const char *says;
    } cases[] = {
        {"1 +", 0, "unexpected symbol"},
        {"", 0, "unexpected symbol"},
        {"1 2", 0, "')' expected"},
        {"pii", 0, "unknown name 'pii'; did you mean 'pi'?"},
        {"2*v", 0, "'v' is not available in this expression"},
        {"5 mm", 0, "unknown name 'mm'; write numbers without units, and products with '*'"},
        {"210e9 N/m^2", 0, "write numbers without units, and products with '*'"},
        {"20%", 0, "write numbers without units, and products with '*'"},
        {"20\xC2\xB0", 0, "write numbers without units, and products with '*'"},
        {"2v0", 0, "products with '*'"},
        {"0,3", 0, "use a decimal point"},
        {"x", STICK_SEES_TIME, "'x' is not available in this expression"},
        {"vo + 1", 0, "did you mean 'v0'?"},
        // found at reading, though it is not reached at t = 0
        {"t > 1 and snh(t) or 0", STICK_SEES_TIME, "unknown name 'snh'"},
        {"1) + (2", 0, "a ')' without its '('"},
        {"1) --", 0, "a ')' without its '('"},
        {"(1", 0, "a '(' without its ')'"},
        {"1), (2", 0, "a ')' without its '('"},
        {"true", 0, "the value is true, not a number"},
        {"nil", 0, "not a number"},
        {"1/0", 0, "not a finite number"},
        {"0/0", 0, "not a finite number"},
        {"max(0/0, 1)", 0, "not a finite number"},
        {"1e999", 0, "not a finite number"},
        {"scheme", 0, "the text 'theta', not a number"},
        {"'12'", 0, "the text '12', not a number"},
        {"sin('1')", 0, "sin() needs numbers"},
        {"sin(1, 2)", 0, "sin() has 2 arguments"},
        {"sin", 0, "the value is a function"},
        {"huge", 0, "unknown name 'huge'"},
        {"3x", STICK_SEES_PLACE, "malformed number"},
        {"\x1bLua", 0, "in ' Lua': unknown name 'Lua'"},
        // nothing to get out by
        {"os.exit(1)", 0, "unknown name 'os'"},
        {"io.open('/etc/passwd')", 0, "unknown name 'io'"},
        {"require('os')", 0, "unknown name 'require'"},
        {"load('return 1')()", 0, "unknown name 'load'"},
        {"getmetatable('')", 0, "unknown name 'getmetatable'"},
        {"_G", 0, "unknown name '_G'"},
        {"_ENV", 0, "'_ENV' is not allowed"},
        {"...", 0, "'...' is not allowed"},
        {"(\"x\"):rep(1e9)", 0, "attempt to index a string value"},
        {"('x').rep", 0, "attempt to index a string value"},
        {"(function() return os.time() end)()", 0, "unknown name 'os'"},
        {"(function() v0 = 7 return 1 end)()", 0, "cannot change 'v0'"},
        {"(function() sin = 7 return 1 end)()", 0, "cannot change 'sin'"},
        {"(function() new = 7 return 1 end)()", 0, "cannot change 'new'"},
        // nothing to run forever by
        {"(function() while true do end end)()", 0, "runs too long"},
        {"(function() local function f() return f() end return f() end)()", 0, "runs too long"},
        {"(function() local function f() return 1 + f() end return f() end)()", 0, "in '(function()"},
        {"(function() local s = 'x' while true do s = s .. s end end)()", 0, "too much memory"},
        {"(function() local t = {} for i = 1, 1e9 do t[i] = i end end)()", 0, "too much memory"},
        {"(function() local s = 'x' for i = 1, 18 do s = s .. s end while true do local u = s .. 'y' end "
         "end)()",
         0, "too much memory"},
    };
    StickContext *ctx = context_of(state);
    double start = stick_clock_cpu();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickExpression *expression = NULL;
        StickStatus status =
            stick_expression_compile(sandbox_of(state), cases[k].text, cases[k].sees, place, &expression);
        if (status != STICK_BAD_INPUT || !strstr(stick_last_error(ctx), cases[k].says))
            fail_msg("'%s': %s, '%s'", cases[k].text, stick_status_name(status), stick_last_error(ctx));
        assert_null(expression);
        const StickDiagnostic *said = stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1);
        assert_string_equal(said->file, "model.yaml");
        assert_int_equal(said->line, 7);
        assert_int_equal(said->column, 3);
    }
    assert_below(stick_clock_cpu() - start, 10);
    // the sandbox is as good as before
    double value;
    StickExpression *expression;
    assert_ok(ctx, stick_expression_compile(sandbox_of(state), "sin(0) + v0", 0, place, &expression));
    assert_ok(ctx, stick_expression_value(expression, NULL, &value));
    assert_near(value, 5, 0);
}

static void long_and_deep_texts_are_refused(void **state)
{
    StickContext *ctx = context_of(state);
    StickExpression *expression;
    enum { LONG = 1000000 };
    char *text = malloc(LONG + 1);
    memset(text, '(', LONG);
    text[LONG] = '\0';
    assert_int_equal(stick_expression_compile(sandbox_of(state), text, 0, place, &expression),
                     STICK_BAD_INPUT);
    for (int k = 0; k < 5000; k++)
        text[k] = '(', text[5001 + k] = ')';
    text[5000] = '1', text[10001] = '\0';
    assert_int_equal(stick_expression_compile(sandbox_of(state), text, 0, place, &expression),
                     STICK_BAD_INPUT);
    assert_true(strlen(stick_last_error(ctx)) < 400);
    free(text);
}

static void errors_of_a_moment_name_their_place(void **state)
{
    StickContext *ctx = context_of(state);
    StickExpression *expression;
    double value = 42;
    assert_ok(ctx, stick_expression_compile(sandbox_of(state), "1/t", STICK_SEES_TIME, place, &expression));
    assert_int_equal(stick_expression_value(expression, &(StickVariables){.t = 0}, &value), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "in '1/t': the value is inf"));
    assert_true(value == 42);
    assert_ok(ctx, stick_expression_value(expression, &(StickVariables){.t = 4}, &value));
    assert_near(value, 0.25, 0);
}

static void parameters_are_replaced_and_found(void **state)
{
    StickContext *ctx = context_of(state);
    StickExpressions *sandbox = sandbox_of(state);
    const char *text;
    StickValue value;
    assert_ok(ctx, stick_expressions_text(sandbox, "scheme", &text));
    assert_string_equal(text, "theta");
    assert_ok(ctx, stick_expressions_text(sandbox, "v0", &text));
    assert_null(text);
    assert_ok(ctx, stick_expressions_set_text(sandbox, "v0", "fast"));
    assert_ok(ctx, stick_expressions_evaluate(sandbox, "v0 .. '-' .. scheme", place, &value));
    assert_int_equal(value.kind, STICK_VALUE_TEXT);
    assert_string_equal(value.text, "fast-theta");
    assert_ok(ctx, stick_expressions_evaluate(sandbox, "scheme == 'theta'", place, &value));
    assert_int_equal(value.kind, STICK_VALUE_BOOL);
    assert_true(value.truth);
    assert_true(stick_expressions_knows(sandbox, "v0") && stick_expressions_knows(sandbox, "sin"));
    assert_false(stick_expressions_knows(sandbox, "v1"));
    static const char *const reserved[] = {"t", "x", "y", "z", "v", "p", "pi", "deg", "atan", "and", "end"};
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        assert_true(stick_expressions_reserves(reserved[k]));
    assert_false(stick_expressions_reserves("mu"));
}

// Called for every node of every step: constants and variables take no memory.
static void values_take_no_memory(void **state)
{
    StickContext *ctx = context_of(state);
    StickExpression *constant, *moving;
    double value;
    assert_ok(ctx, stick_expression_compile(sandbox_of(state), "2*v0", everything, place, &constant));
    assert_ok(ctx, stick_expression_compile(sandbox_of(state), "sin(t) + x", everything, place, &moving));
    assert_ok(ctx, stick_expression_value(moving, &(StickVariables){.t = 1}, &value));
    size_t calls = stick_memory_calls(ctx);
    for (int k = 0; k < 1000; k++) {
        assert_ok(ctx, stick_expression_value(constant, NULL, &value));
        assert_ok(ctx, stick_expression_value(moving, &(StickVariables){.t = k}, &value));
    }
    assert_int_equal(stick_memory_calls(ctx), calls);
}

static StickStatus use_everything(StickContext *ctx, void *data)
{
    (void)data;
    StickExpressions *sandbox;
    StickExpression *expression;
    StickValue value;
    double number;
    STICK_TRY(stick_expressions_create(ctx, &sandbox));
    StickStatus status = stick_expressions_set_number(sandbox, "a", 3);
    if (status == STICK_OK)
        status = stick_expressions_set_text(sandbox, "b", "word");
    if (status == STICK_OK)
        status = stick_expression_compile(sandbox, "(function() return {a, t} end)()[1] + #(b .. 'x')",
                                          everything, place, &expression);
    if (status == STICK_OK)
        status = stick_expression_value(expression, &(StickVariables){.t = 1}, &number);
    if (status == STICK_OK)
        status = stick_expressions_evaluate(sandbox, "b .. 'y'", place, &value);
    stick_expressions_destroy(sandbox);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(use_everything, NULL);
}

#define with_sandbox(function) cmocka_unit_test_setup_teardown(function, make_sandbox, drop_sandbox)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_sandbox(constants_are_evaluated_at_once),   with_sandbox(variables_are_seen),
        with_sandbox(names_are_no_numbers_with_units),   with_sandbox(wrong_texts_are_refused),
        with_sandbox(long_and_deep_texts_are_refused),   with_sandbox(errors_of_a_moment_name_their_place),
        with_sandbox(parameters_are_replaced_and_found), with_sandbox(values_take_no_memory),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests_name("model.expression", tests, NULL, NULL);
}
