// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stick_text_init(StickText *text, StickContext *ctx)
{
    *text = (StickText){.ctx = ctx};
}

void stick_text_destroy(StickText *text)
{
    stick_free(text->ctx, text->bytes);
    *text = (StickText){.ctx = text->ctx};
}

void stick_text_clear(StickText *text)
{
    text->length = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

static bool reserve(StickText *text, size_t more)
{
    void *bytes = text->bytes;
    if (text->failed || !stick_grow(text->ctx, &bytes, &text->capacity, text->length + more + 1, 1)) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    return true;
}

void stick_text_add_bytes(StickText *text, const void *bytes, size_t count)
{
    if (!reserve(text, count))
        return;
    if (count)
        memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

void stick_text_add(StickText *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void stick_text_add_csv(StickText *text, const char *field)
{
    if (!strpbrk(field, ",\"\r\n")) {
        stick_text_add(text, "%s", field);
        return;
    }
    stick_text_add(text, "\"");
    for (const char *c = field; *c; c++)
        stick_text_add(text, *c == '"' ? "\"\"" : "%c", *c);
    stick_text_add(text, "\"");
}

void stick_text_add_number(StickText *text, double number)
{
    char digits[STICK_NUMBER_TEXT];
    int length = stick_number_text(number, digits);
    stick_text_add_bytes(text, digits, (size_t)length);
}

StickStatus stick_text_status(const StickText *text)
{
    return text->failed ? STICK_NO_MEMORY : STICK_OK;
}

int stick_number_text(double number, char text[STICK_NUMBER_TEXT])
{
    int length = 0;
    // the sign of a NaN means nothing and differs between machines
    if (isnan(number))
        return snprintf(text, STICK_NUMBER_TEXT, "nan");
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, STICK_NUMBER_TEXT, "%.*g", digits, number);
        if (!isfinite(number) || strtod(text, NULL) == number)
            break;
    }
    return length;
}

bool stick_parse_number(const char *text, double *number)
{
    // strtod also takes hexadecimal, inf and nan: numbers here start with a sign, a point or a digit
    const char *digits = text + (*text == '+' || *text == '-');
    if (!isdigit((unsigned char)digits[0]) && !(digits[0] == '.' && isdigit((unsigned char)digits[1])))
        return false;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        return false;
    char *end;
    double value = strtod(text, &end);
    if (*end != '\0' || !isfinite(value))
        return false;
    *number = value;
    return true;
}

enum { LONGEST_WORD = 63 };

// Damerau-Levenshtein distance with transpositions of neighbours; words longer than LONGEST_WORD are never near.
static int edit_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST_WORD || nb > LONGEST_WORD)
        return LONGEST_WORD;
    int rows[3][LONGEST_WORD + 1];
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[na % 3][nb];
}

const char *stick_nearest_word(const char *word, const char *const *words, size_t count)
{
    const char *nearest = NULL;
    int best = (int)strlen(word) / 3 + 2;
    for (size_t k = 0; k < count; k++) {
        int distance = edit_distance(word, words[k]);
        if (distance < best) {
            best = distance;
            nearest = words[k];
        }
    }
    return nearest;
}

StickSuggestion stick_suggestion(const char *word, const char *const *words, size_t count)
{
    StickSuggestion suggestion = {""};
    const char *nearest = stick_nearest_word(word, words, count);
    if (nearest)
        snprintf(suggestion.text, sizeof suggestion.text, "; did you mean '%s'?", nearest);
    return suggestion;
}

bool stick_text_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}
