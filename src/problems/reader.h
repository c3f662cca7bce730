// SPDX-License-Identifier: Apache-2.0
// Reads a text of numbers word by word. A failure is stored, not reported, because another layout may fit the same
// text.
#ifndef PROBLEMS_READER_H
#define PROBLEMS_READER_H

#include "base/memory.h"

#include <stdbool.h>

enum { STICK_READER_WORD = 64, STICK_READER_ERROR = 256 };

typedef struct StickTextReader {
    StickContext *ctx;
    const char *file;
    const char *bytes; // followed by a '\0'
    size_t count;
    size_t at;
    size_t word;                    // where the last word begins
    char error[STICK_READER_ERROR]; // of the last failure ...
    size_t wrong;                   // ... and where its word begins
} StickTextReader;

// Keeps the text and the place of the last word; always STICK_BAD_INPUT.
StickStatus stick_reader_fail(StickTextReader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Line and column of the failure.
StickMark stick_reader_mark(const StickTextReader *reader);

// Says the failure that was kept; always STICK_BAD_INPUT.
StickStatus stick_reader_say(const StickTextReader *reader);

StickStatus stick_reader_word(StickTextReader *reader, const char *what, char word[STICK_READER_WORD]);
StickStatus stick_reader_expect(StickTextReader *reader, const char *word);
StickStatus stick_reader_int(StickTextReader *reader, const char *what, int *value);
StickStatus stick_reader_number(StickTextReader *reader, const char *what, double *value);
StickStatus stick_reader_numbers(StickTextReader *reader, const char *what, int count, double *values);

// An integer that counts words to come: refused if it is negative or more than the rest of the text can hold.
StickStatus stick_reader_count(StickTextReader *reader, const char *what, int *count);
bool stick_reader_can_hold(const StickTextReader *reader, double words);

// Reads the rest of the line, truncated to the buffer size, and moves past the end of the line.
void stick_reader_line(StickTextReader *reader, size_t size, char *line);

// Counts the numbers that follow, up to the first word that is not a number; the position does not change.
size_t stick_reader_numbers_left(const StickTextReader *reader);

#endif
