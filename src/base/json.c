// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <assert.h>
#include <math.h>

void stick_json_init(StickJson *json, StickText *text)
{
    *json = (StickJson){.text = text};
}

static void indent(StickJson *json)
{
    stick_text_add(json->text, "\n%*s", 2 * json->depth, "");
}

static void before_value(StickJson *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->depth == 0)
        return;
    if (json->filled[json->depth])
        stick_text_add(json->text, ",");
    json->filled[json->depth] = true;
    indent(json);
}

static void open_level(StickJson *json, char bracket)
{
    before_value(json);
    stick_text_add(json->text, "%c", bracket);
    json->depth++;
    assert(json->depth < STICK_JSON_DEPTH);
    json->filled[json->depth] = false;
}

static void close_level(StickJson *json, char bracket)
{
    bool filled = json->filled[json->depth];
    json->depth--;
    if (filled)
        indent(json);
    stick_text_add(json->text, "%c", bracket);
    if (json->depth == 0)
        stick_text_add(json->text, "\n");
}

static void quoted(StickJson *json, const char *value)
{
    stick_text_add(json->text, "\"");
    for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
        if (*c == '"' || *c == '\\')
            stick_text_add(json->text, "\\%c", *c);
        else if (*c < 0x20)
            stick_text_add(json->text, "\\u%04x", *c);
        else
            stick_text_add_bytes(json->text, c, 1);
    }
    stick_text_add(json->text, "\"");
}

void stick_json_object(StickJson *json)
{
    open_level(json, '{');
}

void stick_json_end_object(StickJson *json)
{
    close_level(json, '}');
}

void stick_json_list(StickJson *json)
{
    open_level(json, '[');
}

void stick_json_end_list(StickJson *json)
{
    close_level(json, ']');
}

void stick_json_key(StickJson *json, const char *key)
{
    before_value(json);
    quoted(json, key);
    stick_text_add(json->text, ": ");
    json->after_key = true;
}

void stick_json_text(StickJson *json, const char *value)
{
    before_value(json);
    if (value)
        quoted(json, value);
    else
        stick_text_add(json->text, "null");
}

void stick_json_number(StickJson *json, double value)
{
    before_value(json);
    if (isfinite(value))
        stick_text_add_number(json->text, value);
    else
        stick_text_add(json->text, "null");
}

void stick_json_integer(StickJson *json, long long value)
{
    before_value(json);
    stick_text_add(json->text, "%lld", value);
}

void stick_json_bool(StickJson *json, bool value)
{
    before_value(json);
    stick_text_add(json->text, value ? "true" : "false");
}
