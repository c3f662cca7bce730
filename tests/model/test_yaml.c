// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/clock.h"
#include "model/yaml.h"

static StickStatus parse(StickArena *arena, const char *text, StickYaml **root)
{
    return stick_yaml_parse(arena, &(StickYamlSource){"f.yaml", text, strlen(text)}, root);
}

static void tree_knows_every_place(void **state)
{
    StickArena arena;
    StickYaml *root;
    stick_arena_init(&arena, *state);
    assert_ok(*state, parse(&arena, "a: 1e-3 # comment\nb:\n  - {c: 'q', d: ~}\n  - \"~\"\n", &root));
    assert_int_equal(root->count, 2);
    const StickYaml *a = stick_yaml_find(root, "a"), *b = stick_yaml_find(root, "b");
    assert_string_equal(a->text, "1e-3");
    assert_false(a->quoted);
    assert_int_equal(a->mark.line, 1);
    assert_int_equal(a->mark.column, 4);
    assert_int_equal(a->key_mark.column, 1);
    assert_int_equal(b->kind, STICK_YAML_LIST);
    assert_int_equal(b->count, 2);
    const StickYaml *c = stick_yaml_find(b->first, "c"), *d = stick_yaml_find(b->first, "d");
    assert_true(c->quoted);
    assert_int_equal(c->mark.line, 3);
    assert_int_equal(c->mark.column, 9);
    assert_true(stick_yaml_is_null(d));
    assert_false(stick_yaml_is_null(b->first->next));
    assert_null(stick_yaml_find(root, "e"));
    stick_arena_destroy(&arena);
}

static void marks_of_utf8_are_passed_over(void **state)
{
    StickArena arena;
    StickYaml *root;
    stick_arena_init(&arena, *state);
    assert_ok(*state, parse(&arena, "\xEF\xBB\xBF# first\na: 1\nb: 2\n", &root));
    assert_int_equal(root->count, 2);
    assert_int_equal(root->first->key_mark.line, 2);
    assert_int_equal(root->first->key_mark.column, 1);
    stick_arena_destroy(&arena);
}

static void what_no_model_needs_is_refused(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *says;
    } cases[] = {
        {"", 1, 1, "empty"},
        {"# nothing\n\n", 1, 1, "empty"},
        {"- 1\n- 2\n", 1, 1, "must be a mapping, but is a list"},
        {"word", 1, 1, "must be a mapping, but is a text"},
        {"---\n", 2, 1, "must be a mapping, but is nothing"},
        {"a: 1\nb: 2\na: 3\n", 3, 1, "the key 'a' is repeated; it is also at line 1"},
        {"a: &x 1\n", 1, 4, "anchors such as '&x'"},
        {"a: &x [*x]\n", 1, 4, "anchors such as '&x'"},
        {"a: *x\n", 1, 4, "aliases such as '*x'"},
        {"a: &x {b: 1}\n", 1, 4, "anchors such as '&x'"},
        {"a: !!float 1\n", 1, 4, "tags such as"},
        {"a: !x {b: 1}\n", 1, 4, "tags such as"},
        {"a: 1\n---\nb: 2\n", 2, 1, "a second YAML document: a file must have only one"},
        {"? [1, 2]\n: 3\n", 1, 3, "a key must be a word"},
        {"{a: 1}: 2\n", 1, 1, "a key must be a word"},
        {"a:\n\t- 1\n", 2, 1, "a tab"},
        {"a: [1, 2\n", 2, 1,
         "did not find expected ',' or ']' while parsing a flow sequence, which begins at line 1"},
        {"a: 1\nb\nc: 2\n", 2, 1, "not YAML: there is no ':' after this key"},
        {"\xEF\xBB\xBF"
         "a: 1\nb: \xff\n",
         2, 4, "not UTF-8 text:"},
        {"a: 1\n b: 2\n", 2, 3, "mapping values are not allowed"},
        {"a: 'text\n", 2, 1, "unexpected end of stream"},
        {"a: \"\\0\"\n", 1, 4, "zero byte"},
        {"a: \xff\n", 1, 4, "not UTF-8 text:"},
        {"a: 1\nb: \xc3\x28\n", 2, 5, "not UTF-8 text:"},
        {"\xff\xfe"
         "a",
         1, 1, "not UTF-8 text:"},
        {"a: \x01\n", 1, 4, "control characters"},
    };
    StickContext *ctx = *state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickArena arena;
        StickYaml *root = NULL;
        stick_arena_init(&arena, ctx);
        size_t errors = stick_error_count(ctx), before = stick_diagnostic_count(ctx);
        StickStatus status = parse(&arena, cases[k].text, &root);
        if (stick_error_count(ctx) != errors + 1)
            fail_msg("'%s': %zu errors", cases[k].text, stick_error_count(ctx) - errors);
        const StickDiagnostic *said = stick_diagnostic(ctx, before);
        if (said->line != cases[k].line || said->column != cases[k].column ||
            !strstr(said->text, cases[k].says))
            fail_msg("'%s': %d:%d: %s", cases[k].text, said->line, said->column, said->text);
        // the tree of a text whose only fault is a repeated key is there to be read on
        bool repeated = strstr(said->text, "repeated") != NULL;
        assert_int_equal(status, repeated ? STICK_OK : STICK_BAD_INPUT);
        assert_true(repeated == (root != NULL));
        assert_int_equal(said->status, STICK_BAD_INPUT);
        stick_arena_destroy(&arena);
    }
}

// n times a text, n times another.
static char *many(const char *open, const char *close, size_t n)
{
    size_t a = strlen(open), b = strlen(close);
    char *text = malloc(n * (a + b) + 4);
    memcpy(text, "k: ", 3);
    for (size_t k = 0; k < n; k++) {
        memcpy(text + 3 + k * a, open, a);
        memcpy(text + 3 + n * a + k * b, close, b);
    }
    text[3 + n * (a + b)] = '\0';
    return text;
}

static void deep_nesting_is_refused_at_once(void **state)
{
    StickContext *ctx = *state;
    static const char *const kinds[][2] = {{"[", "]"},      {"{a: ", "}"}, {"\n- - - -", ""},
                                           {"[{a: ", "}]"}, {"? ", ""},    {"[", ""}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char *text = many(kinds[k][0], kinds[k][1], 100000);
        // lists of lists on one line of a block
        if (kinds[k][0][0] == '\n')
            for (char *c = text + 3; *c; c++)
                *c = c == text + 3 ? '\n' : ((c - text) % 2 ? ' ' : '-');
        StickArena arena;
        StickYaml *root = NULL;
        stick_arena_init(&arena, ctx);
        double start = stick_clock_cpu();
        assert_int_equal(parse(&arena, text, &root), STICK_BAD_INPUT);
        assert_below(stick_clock_cpu() - start, 0.5);
        assert_null(root);
        stick_arena_destroy(&arena);
        free(text);
    }
    assert_non_null(strstr(stick_diagnostic(ctx, 0)->text, "nested deeper than 64 levels"));
    assert_int_equal(stick_diagnostic(ctx, 0)->column, 4 + 63);
    assert_non_null(strstr(stick_diagnostic(ctx, 2)->text, "nested deeper than 64 levels"));
}

static void depth_64_is_read(void **state)
{
    StickArena arena;
    StickYaml *root;
    char *text = many("[", "]", 63);
    stick_arena_init(&arena, *state);
    assert_ok(*state, parse(&arena, text, &root));
    stick_arena_destroy(&arena);
    free(text);
}

static void many_keys_take_no_time(void **state)
{
    StickContext *ctx = *state;
    StickText text;
    StickArena arena;
    StickYaml *root;
    stick_text_init(&text, ctx);
    stick_arena_init(&arena, ctx);
    for (int k = 0; k < 100000; k++)
        stick_text_add(&text, "k%d: %d\n", k, k);
    double start = stick_clock_cpu();
    assert_ok(ctx, parse(&arena, text.bytes, &root));
    assert_int_equal(root->count, 100000);
    stick_text_add(&text, "k77: 1\nk77: 2\n");
    assert_ok(ctx, parse(&arena, text.bytes, &root));
    assert_int_equal(root->count, 100000);
    assert_int_equal(stick_error_count(ctx), 2);
    assert_below(stick_clock_cpu() - start, 5);
    stick_arena_destroy(&arena);
    stick_text_destroy(&text);
}

static void what_is_written_reads_back(void **state)
{
    static const char text[] =
        "a: 1e-3\n'b c': \"-0.5*min(t, 1)\"\nd:\n  - {e: ~, f: '~', g: []}\n  - [1, [2, 3], {}]\n"
        "h: |\n  two\n  lines\ni: \"\\x07\\\"\\\\ \xc3\xa9\"\nj: -v0\nk: 'null'\nl: \"\"\nm:\n";
    StickContext *ctx = *state;
    StickArena arena;
    StickYaml *root, *again;
    StickText once, twice;
    stick_arena_init(&arena, ctx);
    stick_text_init(&once, ctx);
    stick_text_init(&twice, ctx);
    assert_ok(ctx, parse(&arena, text, &root));
    stick_yaml_write(root, NULL, &once);
    assert_ok(ctx, parse(&arena, once.bytes, &again));
    stick_yaml_write(again, NULL, &twice);
    assert_string_equal(once.bytes, twice.bytes);
    static const char *const texts[][2] = {
        {"b c", "-0.5*min(t, 1)"}, {"h", "two\nlines\n"}, {"j", "-v0"}, {"k", "null"}, {"l", ""},
        {"i", "\x07\"\\ \xc3\xa9"}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        assert_string_equal(stick_yaml_find(again, texts[k][0])->text, texts[k][1]);
    assert_true(stick_yaml_is_null(stick_yaml_find(again, "m")));
    assert_false(stick_yaml_is_null(stick_yaml_find(again, "k")));
    assert_false(stick_yaml_is_null(stick_yaml_find(again, "l")));
    const StickYaml *d = stick_yaml_find(again, "d");
    assert_true(stick_yaml_is_null(stick_yaml_find(d->first, "e")));
    assert_false(stick_yaml_is_null(stick_yaml_find(d->first, "f")));
    stick_text_clear(&once);
    stick_yaml_write(root, "d", &once);
    assert_null(strstr(once.bytes, "d:"));
    stick_text_destroy(&once);
    stick_text_destroy(&twice);
    stick_arena_destroy(&arena);
}

static StickStatus parse_and_write(StickContext *ctx, void *data)
{
    StickArena arena;
    StickYaml *root;
    StickText out;
    stick_arena_init(&arena, ctx);
    stick_text_init(&out, ctx);
    StickStatus status = parse(&arena, data, &root);
    if (status == STICK_OK) {
        stick_yaml_write(root, NULL, &out);
        status = stick_text_status(&out);
    }
    stick_text_destroy(&out);
    stick_arena_destroy(&arena);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    char text[] = "a: {b: [1, 2, {c: 3}], d: 'e f'}\n";
    assert_survives_failing_memory(parse_and_write, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(tree_knows_every_place),
        test_with_context(marks_of_utf8_are_passed_over),
        test_with_context(what_no_model_needs_is_refused),
        test_with_context(deep_nesting_is_refused_at_once),
        test_with_context(depth_64_is_read),
        test_with_context(many_keys_take_no_time),
        test_with_context(what_is_written_reads_back),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests_name("model.yaml", tests, NULL, NULL);
}
