// SPDX-License-Identifier: Apache-2.0
// Writes JSON into a text: commas and quotes by itself, numbers that read back to the same bits.
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/text.h"

enum { STICK_JSON_DEPTH = 32 };

typedef struct StickJson {
    StickText *text;
    int depth;
    bool filled[STICK_JSON_DEPTH]; // whether the object or list of this depth has a member yet
    bool after_key;
    bool html; // for a page: no white space; <, >, & and U+2028, U+2029 escaped; invalid UTF-8 becomes U+FFFD
} StickJson;

void stick_json_init(StickJson *json, StickText *text);
void stick_json_init_html(StickJson *json, StickText *text);
void stick_json_object(StickJson *json);
void stick_json_end_object(StickJson *json);
void stick_json_list(StickJson *json);
void stick_json_end_list(StickJson *json);
void stick_json_key(StickJson *json, const char *key);
void stick_json_text(StickJson *json, const char *value); // NULL becomes null
void stick_json_number(StickJson *json, double value);    // not finite becomes null
void stick_json_integer(StickJson *json, long long value);
void stick_json_bool(StickJson *json, bool value);

// A key with its value.
void stick_json_add_text(StickJson *json, const char *key, const char *value);
void stick_json_add_number(StickJson *json, const char *key, double value);
void stick_json_add_integer(StickJson *json, const char *key, long long value);
void stick_json_add_bool(StickJson *json, const char *key, bool value);
void stick_json_raw(StickJson *json, const char *value, size_t length); // JSON already, as it is

#endif
