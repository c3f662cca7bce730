// SPDX-License-Identifier: Apache-2.0
#include "problems/reader.h"

#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

StickMark stick_reader_mark(const StickTextReader *reader)
{
    StickMark mark = {reader->file, 1, 1};
    for (size_t k = 0; k < reader->wrong; k++) {
        bool end = reader->bytes[k] == '\n';
        mark.line += end;
        mark.column = end ? 1 : mark.column + 1;
    }
    return mark;
}

StickStatus stick_reader_fail(StickTextReader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error, sizeof reader->error, format, arguments);
    va_end(arguments);
    reader->wrong = reader->word;
    return STICK_BAD_INPUT;
}

StickStatus stick_reader_say(const StickTextReader *reader)
{
    return stick_fail_at(reader->ctx, STICK_BAD_INPUT, stick_reader_mark(reader), "%s", reader->error);
}

StickStatus stick_reader_word(StickTextReader *reader, const char *what, char word[STICK_READER_WORD])
{
    size_t length = 0;
    while (reader->at < reader->count && is_space(reader->bytes[reader->at]))
        reader->at++;
    reader->word = reader->at;
    if (reader->at == reader->count)
        return stick_reader_fail(reader, "the file ends where %s should be", what);
    while (reader->at + length < reader->count && !is_space(reader->bytes[reader->at + length]))
        length++;
    if (length >= STICK_READER_WORD)
        return stick_reader_fail(reader, "there is a word of %zu characters where %s should be", length,
                                 what);
    memcpy(word, reader->bytes + reader->at, length);
    word[length] = '\0';
    reader->at += length;
    return STICK_OK;
}

StickStatus stick_reader_expect(StickTextReader *reader, const char *word)
{
    char found[STICK_READER_WORD];
    STICK_TRY(stick_reader_word(reader, word, found));
    if (!stick_text_equal(found, word))
        return stick_reader_fail(reader, "found '%.40s' where '%s' was expected", found, word);
    return STICK_OK;
}

StickStatus stick_reader_int(StickTextReader *reader, const char *what, int *value)
{
    char word[STICK_READER_WORD], *end;
    STICK_TRY(stick_reader_word(reader, what, word));
    errno = 0;
    long number = strtol(word, &end, 10);
    if (end == word || *end != '\0')
        return stick_reader_fail(reader, "'%.40s' is not %s: it should be an integer", word, what);
    if (errno != 0 || number < -INT_MAX || number > INT_MAX)
        return stick_reader_fail(reader, "%.40s is too large for %s", word, what);
    *value = (int)number;
    return STICK_OK;
}

StickStatus stick_reader_number(StickTextReader *reader, const char *what, double *value)
{
    char word[STICK_READER_WORD];
    STICK_TRY(stick_reader_word(reader, what, word));
    if (!stick_parse_number(word, value))
        return stick_reader_fail(reader, "'%.40s' is not %s: it should be a finite number", word, what);
    return STICK_OK;
}

StickStatus stick_reader_numbers(StickTextReader *reader, const char *what, int count, double *values)
{
    for (int k = 0; k < count; k++) {
        char name[STICK_READER_WORD];
        snprintf(name, sizeof name, "%.40s[%d]", what, k);
        STICK_TRY(stick_reader_number(reader, name, &values[k]));
    }
    return STICK_OK;
}

bool stick_reader_can_hold(const StickTextReader *reader, double words)
{
    // A word takes a character and a space; the last one may end the file.
    return words >= 0 && words <= (double)(reader->count - reader->at + 1) / 2;
}

StickStatus stick_reader_count(StickTextReader *reader, const char *what, int *count)
{
    int value;
    STICK_TRY(stick_reader_int(reader, what, &value));
    if (!stick_reader_can_hold(reader, value))
        return stick_reader_fail(reader, "%d cannot be %s: %zu bytes are left of the file", value, what,
                                 reader->count - reader->at);
    *count = value;
    return STICK_OK;
}

void stick_reader_line(StickTextReader *reader, size_t size, char *line)
{
    size_t length = 0;
    reader->word = reader->at;
    for (; reader->at < reader->count && reader->bytes[reader->at] != '\n'; reader->at++)
        if (length + 1 < size)
            line[length++] = reader->bytes[reader->at];
    if (reader->at < reader->count)
        reader->at++;
    line[length] = '\0';
}

size_t stick_reader_numbers_left(const StickTextReader *reader)
{
    StickTextReader ahead = *reader;
    char word[STICK_READER_WORD], *end;
    size_t count = 0;
    // Bounds may be infinite: any number that the C library knows counts.
    while (stick_reader_word(&ahead, "a number", word) == STICK_OK) {
        (void)strtod(word, &end);
        if (end == word || *end != '\0')
            break;
        count++;
    }
    return count;
}
