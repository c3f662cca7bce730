// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "model/schema.h"

typedef void (*Visit)(const StickSchema *table, const StickField *field);

static void visit_all(const StickSchema *table, Visit visit)
{
    for (const StickField *field = table->fields; field->key; field++) {
        visit(table, field);
        if (field->table)
            visit_all(field->table, visit);
    }
}

static void check_field(const StickSchema *table, const StickField *field)
{
    bool choice = field->type == STICK_FIELD_CHOICE || field->type == STICK_FIELD_SWITCH;
    bool nested =
        field->type == STICK_FIELD_MAP || field->type == STICK_FIELD_LIST || field->type == STICK_FIELD_NAMED;
    bool own = field->type == STICK_FIELD_OWN;
    bool items = field->type == STICK_FIELD_LIST || field->type == STICK_FIELD_NAMED;
    assert_non_null(table->title);
    assert_non_null(table->text);
    if (!field->text || choice != (field->choices != NULL) || (nested && !field->table) ||
        (field->table && !nested && !own))
        fail_msg("'%s' of %s is not described", field->key, table->title);
    assert_true(own ? field->read && field->takes
                    : !field->read || field->type == STICK_FIELD_MAP || field->type == STICK_FIELD_NAMED);
    assert_true(items == (field->count_at != 0));
    assert_true(!items || (field->table->size > 0 && field->at));
    assert_true(field->type != STICK_FIELD_NAMED || field->table->name_at);
    assert_false(field->required && field->standard);
    for (const StickField *other = table->fields; other != field; other++)
        assert_string_not_equal(other->key, field->key);
}

static void every_key_is_described_once(void **state)
{
    (void)state;
    visit_all(&stick_model_table, check_field);
}

static const char *manual;

static void check_manual(const StickSchema *table, const StickField *field)
{
    char row[64];
    snprintf(row, sizeof row, "| `%s` |", field->key);
    if (!strstr(manual, row) || !strstr(manual, table->text))
        fail_msg("'%s' of %s is not in the manual", field->key, table->title);
    for (const StickChoice *choice = field->choices; choice && choice->name; choice++)
        assert_non_null(strstr(manual, choice->name));
}

static void manual_has_every_key(void **state)
{
    StickText text;
    stick_text_init(&text, *state);
    assert_ok(*state, stick_schema_markdown(&text));
    manual = text.bytes;
    visit_all(&stick_model_table, check_manual);
    assert_non_null(strstr(manual, "### `bodies.<name>.mesh.bar`"));
    assert_non_null(strstr(manual, "### `output.history[]`"));
    assert_non_null(strstr(manual, "name of a solver: auto, "));
    assert_non_null(strstr(manual, "gauss-seidel"));
    assert_non_null(strstr(manual, "contact_pressure, gap, status"));
    assert_non_null(strstr(manual, "| `poisson` | a number > -1 and < 0.5 | `0` |"));
    stick_text_destroy(&text);
}

// Brackets that match and no comma before an end: what a parser of JSON would stumble on first.
static void json_schema_is_well_formed(void **state)
{
    StickText text;
    stick_text_init(&text, *state);
    assert_ok(*state, stick_schema_json(&text));
    int depth = 0;
    char open[64];
    bool quoted = false;
    for (const char *c = text.bytes; *c; c++) {
        if (quoted && *c == '\\')
            c++;
        else if (*c == '"')
            quoted = !quoted;
        else if (!quoted && strchr("{[", *c))
            open[depth++] = *c;
        else if (!quoted && strchr("}]", *c))
            assert_true(depth > 0 && open[--depth] == (*c == '}' ? '{' : '['));
    }
    assert_int_equal(depth, 0);
    assert_false(quoted);
    assert_non_null(strstr(text.bytes, "\"modified-theta\""));
    assert_non_null(strstr(text.bytes, "\"exclusiveMaximum\": 0.5"));
    assert_non_null(strstr(text.bytes, "\"additionalProperties\": false"));
    stick_text_destroy(&text);
}

static StickStatus write_all(StickContext *ctx, void *data)
{
    (void)data;
    StickText text;
    stick_text_init(&text, ctx);
    StickStatus status = stick_schema_markdown(&text);
    if (status == STICK_OK)
        status = stick_schema_json(&text);
    stick_text_destroy(&text);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(write_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_described_once),
        test_with_context(manual_has_every_key),
        test_with_context(json_schema_is_well_formed),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests_name("model.schema", tests, NULL, NULL);
}
