// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void stick_json_init(StickJson *json, StickText *text)
{
    *json = (StickJson){.text = text};
}

void stick_json_init_html(StickJson *json, StickText *text)
{
    *json = (StickJson){.text = text, .html = true};
}

static void indent(StickJson *json)
{
    if (!json->html)
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
    if (json->depth == 0 && !json->html)
        stick_text_add(json->text, "\n");
}

// Markup can't begin inside of a text, and no reader takes a character for the end of a line.
static void quoted_html(StickJson *json, const char *value)
{
    size_t left = strlen(value);
    stick_text_add_bytes(json->text, "\"", 1);
    while (left > 0) {
        size_t length = stick_utf8_length(value, left);
        unsigned char c = (unsigned char)*value;
        if (c == '"' || c == '\\')
            stick_text_add(json->text, "\\%c", c);
        else if (c < 0x20 || c == 0x7F || c == '<' || c == '>' || c == '&')
            stick_text_add(json->text, "\\u%04x", c);
        else if (length == 3 &&
                 (memcmp(value, "\xE2\x80\xA8", 3) == 0 || memcmp(value, "\xE2\x80\xA9", 3) == 0))
            stick_text_add(json->text, value[2] == '\xA8' ? "\\u2028" : "\\u2029");
        else if (length == 0)
            stick_text_add(json->text, "\\ufffd");
        else
            stick_text_add_bytes(json->text, value, length);
        value += length ? length : 1;
        left -= length ? length : 1;
    }
    stick_text_add_bytes(json->text, "\"", 1);
}

static void quoted(StickJson *json, const char *value)
{
    if (json->html) {
        quoted_html(json, value);
        return;
    }
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
    stick_text_add(json->text, json->html ? ":" : ": ");
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

void stick_json_raw(StickJson *json, const char *value, size_t length)
{
    before_value(json);
    stick_text_add_bytes(json->text, value, length);
}

void stick_json_add_text(StickJson *json, const char *key, const char *value)
{
    stick_json_key(json, key);
    stick_json_text(json, value);
}

void stick_json_add_number(StickJson *json, const char *key, double value)
{
    stick_json_key(json, key);
    stick_json_number(json, value);
}

void stick_json_add_integer(StickJson *json, const char *key, long long value)
{
    stick_json_key(json, key);
    stick_json_integer(json, value);
}

void stick_json_add_bool(StickJson *json, const char *key, bool value)
{
    stick_json_key(json, key);
    stick_json_bool(json, value);
}
