// SPDX-License-Identifier: Apache-2.0
// Texts: a growing buffer, the nearest word of a list, and numbers that read back to the same bits.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/memory.h"

#include <stdbool.h>

// A growing text. A failed allocation is remembered; stick_text_status returns it at the end.
typedef struct StickText {
    StickContext *ctx;
    char *bytes; // always ends with '\0' once anything was added
    size_t length;
    size_t capacity;
    bool failed;
} StickText;

void stick_text_init(StickText *text, StickContext *ctx);
void stick_text_destroy(StickText *text);
void stick_text_clear(StickText *text);
void stick_text_add(StickText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void stick_text_add_bytes(StickText *text, const void *bytes, size_t count);
// Adds a field of a CSV table; a field with a comma, a quote or a line break is quoted.
void stick_text_add_csv(StickText *text, const char *field);
// The shortest decimal number that reads back to the same bits.
void stick_text_add_number(StickText *text, double number);
StickStatus stick_text_status(const StickText *text);

enum { STICK_NUMBER_TEXT = 32 };
// Writes the shortest decimal number that reads back to the same bits; returns its length.
int stick_number_text(double number, char text[STICK_NUMBER_TEXT]);

// Reads a whole text as a finite decimal number.
bool stick_parse_number(const char *text, double *number);

// The word of the list (count words) that is nearest to the given one by edits, or NULL if none is near.
const char *stick_nearest_word(const char *word, const char *const *words, size_t count);

// "; did you mean 'theta'?", or "" if no word is near: the end of a message on an unknown word.
enum { STICK_SUGGESTION_TEXT = 96 };
typedef struct StickSuggestion {
    char text[STICK_SUGGESTION_TEXT];
} StickSuggestion;
StickSuggestion stick_suggestion(const char *word, const char *const *words, size_t count);

bool stick_text_equal(const char *a, const char *b);

#endif
