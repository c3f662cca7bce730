// SPDX-License-Identifier: Apache-2.0
// Output of the schema tables for people and editors: the reference manual, the help text and the JSON Schema.
#include "base/json.h"
#include "model/schema.h"

// ---- in words

void stick_range_text(const StickRange *range, StickText *out)
{
    bool low = range->bounds & (STICK_ABOVE | STICK_AT_LEAST),
         high = range->bounds & (STICK_BELOW | STICK_AT_MOST);
    if (low && high && range->low == range->high) {
        stick_text_add(out, "equal to %g", range->low);
        return;
    }
    if (low)
        stick_text_add(out, "%s %g", range->bounds & STICK_ABOVE ? ">" : ">=", range->low);
    stick_text_add(out, "%s", low && high ? " and " : "");
    if (high)
        stick_text_add(out, "%s %g", range->bounds & STICK_BELOW ? "<" : "<=", range->high);
}

static void add_choices(const StickField *field, StickText *out)
{
    for (const StickChoice *choice = field->choices; choice->name; choice++)
        stick_text_add(out, "%s%s", choice == field->choices ? "" : ", ", choice->name);
}

static void add_names(const StickField *field, StickText *out)
{
    const char *name;
    for (int k = 0; field->names && (name = field->names(k)); k++)
        stick_text_add(out, "%s%s", k ? ", " : ": ", name);
}

static void add_sees(const StickField *field, StickText *out)
{
    const char *between = " of ";
    static const struct {
        unsigned sees;
        const char *names;
    } variables[] = {{STICK_SEES_TIME, "t"},       {STICK_SEES_PLACE, "x, y, z"},
                     {STICK_SEES_SLIDING, "v, p"}, {STICK_SEES_APPROACH, "approach"},
                     {STICK_SEES_STATE, "state"},  {STICK_SEES_CURVE, "s"}};
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        if (!(field->sees & variables[k].sees))
            continue;
        stick_text_add(out, "%s%s", between, variables[k].names);
        between = ", ";
    }
}

static void add_vector(const StickField *field, const char *what, StickText *out)
{
    if (field->components)
        stick_text_add(out, "a list of %d %s", field->components, what);
    else
        stick_text_add(out, "a list of %s", what);
    add_sees(field, out);
    stick_text_add(out, field->of_space && !field->components ? ", one per dimension" : "");
}

void stick_field_takes(const StickField *field, StickText *out)
{
    switch (field->type) {
    case STICK_FIELD_NUMBER:
        stick_text_add(out, "a number");
        break;
    case STICK_FIELD_INTEGER:
        stick_text_add(out, "a whole number");
        break;
    case STICK_FIELD_BOOL:
        stick_text_add(out, "true or false");
        break;
    case STICK_FIELD_CHOICE:
    case STICK_FIELD_SWITCH:
        add_choices(field, out);
        break;
    case STICK_FIELD_TEXT:
        stick_text_add(out, "a text");
        break;
    case STICK_FIELD_NAME:
        stick_text_add(out, "a name");
        break;
    case STICK_FIELD_EXPRESSION:
        stick_text_add(out, "a number");
        add_sees(field, out);
        break;
    case STICK_FIELD_NUMBERS:
        add_vector(field, "numbers", out);
        break;
    case STICK_FIELD_INTEGERS:
        add_vector(field, "whole numbers", out);
        break;
    case STICK_FIELD_EXPRESSIONS:
        add_vector(field, "numbers", out);
        stick_text_add(out, field->may_be_free ? ", each may be free" : "");
        break;
    case STICK_FIELD_MAP:
        stick_text_add(out, "a mapping");
        break;
    case STICK_FIELD_LIST:
        stick_text_add(out, "a list of mappings");
        break;
    case STICK_FIELD_NAMED:
        stick_text_add(out, "a mapping of names to mappings");
        break;
    case STICK_FIELD_OWN:
        stick_text_add(out, "%s", field->takes);
        add_names(field, out);
        break;
    }
    if (field->range.bounds) {
        stick_text_add(out, " ");
        stick_range_text(&field->range, out);
    }
}

// ---- the manual's reference

static void add_cell(const char *text, StickText *out)
{
    stick_text_add(out, " ");
    for (const char *c = text ? text : ""; *c; c++)
        stick_text_add(out, "%s%c", *c == '|' ? "\\" : "", *c);
    stick_text_add(out, " |");
}

static void add_default(const StickField *field, StickText *out)
{
    if (field->required)
        stick_text_add(out, " required |");
    else if (field->alternative)
        stick_text_add(out, " one of these |");
    else if (field->standard)
        stick_text_add(out, " `%s` |", field->standard);
    else
        stick_text_add(out, " |");
}

static void add_row(const StickField *field, StickText *out)
{
    stick_text_add(out, "| `%s` |", field->key);
    StickText takes;
    stick_text_init(&takes, out->ctx);
    stick_field_takes(field, &takes);
    add_cell(takes.bytes, out);
    out->failed = out->failed || takes.failed;
    stick_text_destroy(&takes);
    add_default(field, out);
    add_cell(field->unit, out);
    add_cell(field->text, out);
    stick_text_add(out, "\n");
}

static void add_choice_texts(const StickField *field, StickText *out)
{
    if (!field->choices || !field->choices->text)
        return;
    stick_text_add(out, "\n`%s`:\n\n", field->key);
    for (const StickChoice *choice = field->choices; choice->name; choice++)
        stick_text_add(out, "- `%s`: %s\n", choice->name, choice->text ? choice->text : "");
}

static void add_sections(const StickSchema *table, const char *path, StickText *out);

static void add_child(const StickField *field, const char *path, StickText *out)
{
    StickText longer;
    stick_text_init(&longer, out->ctx);
    stick_text_add(&longer, "%s%s%s%s", path, path[0] ? "." : "", field->key,
                   field->type == STICK_FIELD_NAMED  ? ".<name>"
                   : field->type == STICK_FIELD_LIST ? "[]"
                                                     : "");
    if (longer.failed)
        out->failed = true;
    else
        add_sections(field->table, longer.bytes, out);
    stick_text_destroy(&longer);
}

static void add_sections(const StickSchema *table, const char *path, StickText *out)
{
    if (path[0])
        stick_text_add(out, "\n### `%s`\n", path);
    stick_text_add(out, "\n%s\n", table->text);
    if (table->shorthand)
        stick_text_add(out, "\nA single word is short for `{%s: word}`.\n", table->shorthand);
    stick_text_add(out, "\n| key | value | default | unit | meaning |\n|---|---|---|---|---|\n");
    for (const StickField *field = table->fields; field->key; field++)
        add_row(field, out);
    for (const StickField *field = table->fields; field->key; field++)
        add_choice_texts(field, out);
    for (const StickField *field = table->fields; field->key; field++)
        if (field->table)
            add_child(field, path, out);
}

StickStatus stick_schema_markdown(StickText *out)
{
    add_sections(&stick_model_table, "", out);
    return stick_text_status(out);
}

// ---- JSON Schema

// A number, or an expression as a text.
static void json_number_type(StickJson *json)
{
    stick_json_key(json, "type");
    stick_json_list(json);
    stick_json_text(json, "number");
    stick_json_text(json, "string");
    stick_json_end_list(json);
}

// Ranges bind numbers only, so they do no harm to expressions.
static void json_range(StickJson *json, const StickRange *range)
{
    static const struct {
        unsigned bound;
        const char *key;
    } keys[] = {{STICK_ABOVE, "exclusiveMinimum"},
                {STICK_AT_LEAST, "minimum"},
                {STICK_BELOW, "exclusiveMaximum"},
                {STICK_AT_MOST, "maximum"}};
    for (int k = 0; k < 4; k++) {
        if (!(range->bounds & keys[k].bound))
            continue;
        stick_json_key(json, keys[k].key);
        stick_json_number(json, k < 2 ? range->low : range->high);
    }
}

static void json_choices(StickJson *json, const StickField *field)
{
    stick_json_key(json, "anyOf");
    stick_json_list(json);
    stick_json_object(json);
    stick_json_key(json, "enum");
    stick_json_list(json);
    for (const StickChoice *choice = field->choices; choice->name; choice++)
        stick_json_text(json, choice->name);
    stick_json_end_list(json);
    stick_json_end_object(json);
    stick_json_object(json);
    stick_json_add_text(json, "type", "string");
    stick_json_add_text(json, "description", "name of a parameter whose value is one of these");
    stick_json_end_object(json);
    stick_json_end_list(json);
}

static void json_vector(StickJson *json, const StickField *field)
{
    stick_json_add_text(json, "type", "array");
    stick_json_key(json, "minItems");
    stick_json_integer(json, field->components ? field->components : 1);
    stick_json_key(json, "maxItems");
    stick_json_integer(json, field->components ? field->components : 3);
    stick_json_key(json, "items");
    stick_json_object(json);
    stick_json_key(json, "type");
    stick_json_list(json);
    stick_json_text(json, "number");
    stick_json_text(json, "string");
    if (field->may_be_free)
        stick_json_text(json, "null");
    stick_json_end_list(json);
    json_range(json, &field->range);
    stick_json_end_object(json);
}

static void json_table(StickJson *json, const StickSchema *table);

static void json_items(StickJson *json, const StickField *field)
{
    bool list = field->type == STICK_FIELD_LIST;
    stick_json_add_text(json, "type", list ? "array" : "object");
    stick_json_key(json, list ? "items" : "additionalProperties");
    stick_json_object(json);
    json_table(json, field->table);
    stick_json_end_object(json);
}

static void json_value(StickJson *json, const StickField *field)
{
    switch (field->type) {
    case STICK_FIELD_NUMBER:
    case STICK_FIELD_INTEGER:
    case STICK_FIELD_EXPRESSION:
        json_number_type(json);
        json_range(json, &field->range);
        break;
    case STICK_FIELD_BOOL:
        stick_json_add_text(json, "type", "boolean");
        break;
    case STICK_FIELD_CHOICE:
    case STICK_FIELD_SWITCH:
        json_choices(json, field);
        break;
    case STICK_FIELD_TEXT:
    case STICK_FIELD_NAME:
        stick_json_key(json, "type");
        stick_json_list(json);
        stick_json_text(json, "string");
        stick_json_text(json, "number");
        stick_json_end_list(json);
        break;
    case STICK_FIELD_NUMBERS:
    case STICK_FIELD_INTEGERS:
    case STICK_FIELD_EXPRESSIONS:
        json_vector(json, field);
        break;
    case STICK_FIELD_MAP:
        json_table(json, field->table);
        break;
    case STICK_FIELD_LIST:
    case STICK_FIELD_NAMED:
        json_items(json, field);
        break;
    case STICK_FIELD_OWN:
        if (field->json)
            stick_json_add_text(json, "type", field->json);
        break;
    }
}

static void json_required(StickJson *json, const StickSchema *table)
{
    stick_json_key(json, "required");
    stick_json_list(json);
    for (const StickField *field = table->fields; field->key; field++)
        if (field->required)
            stick_json_text(json, field->key);
    stick_json_end_list(json);
}

static bool has_alternatives(const StickSchema *table)
{
    for (const StickField *field = table->fields; field->key; field++)
        if (field->alternative)
            return true;
    return false;
}

static void json_alternatives(StickJson *json, const StickSchema *table)
{
    if (!has_alternatives(table))
        return;
    stick_json_key(json, "oneOf");
    stick_json_list(json);
    for (const StickField *field = table->fields; field->key; field++) {
        if (!field->alternative)
            continue;
        stick_json_object(json);
        stick_json_key(json, "required");
        stick_json_list(json);
        stick_json_text(json, field->key);
        stick_json_end_list(json);
        stick_json_end_object(json);
    }
    stick_json_end_list(json);
}

static void json_properties(StickJson *json, const StickSchema *table)
{
    stick_json_key(json, "properties");
    stick_json_object(json);
    for (const StickField *field = table->fields; field->key; field++) {
        stick_json_key(json, field->key);
        stick_json_object(json);
        stick_json_add_text(json, "description", field->text);
        if (field->standard)
            stick_json_add_text(json, "default", field->standard);
        json_value(json, field);
        stick_json_end_object(json);
    }
    stick_json_end_object(json);
}

static void json_table(StickJson *json, const StickSchema *table)
{
    stick_json_key(json, "type");
    stick_json_list(json);
    stick_json_text(json, "object");
    if (table->shorthand)
        stick_json_text(json, "string");
    stick_json_end_list(json);
    stick_json_key(json, "additionalProperties");
    stick_json_bool(json, false);
    json_required(json, table);
    json_alternatives(json, table);
    json_properties(json, table);
}

StickStatus stick_schema_json(StickText *out)
{
    StickJson json;
    stick_json_init(&json, out);
    stick_json_object(&json);
    stick_json_add_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    stick_json_add_text(&json, "title", "stickslip model file");
    json_table(&json, &stick_model_table);
    stick_json_end_object(&json);
    return stick_text_status(out);
}
