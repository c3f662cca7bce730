// SPDX-License-Identifier: Apache-2.0
#include "mesh/scan.h"

#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

StickStatus stick_scan_fail(const StickTextScan *scan, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    StickMark mark = {scan->file, scan->binary ? 0 : scan->line, 0};
    if (scan->binary)
        return stick_fail_at(scan->ctx, STICK_BAD_MESH, mark, "%s (at byte %zu)", text, scan->at);
    return stick_fail_at(scan->ctx, STICK_BAD_MESH, mark, "%s", text);
}

// ---- text

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_spaces(StickTextScan *scan)
{
    for (; scan->at < scan->count && is_space(scan->bytes[scan->at]); scan->at++)
        scan->line += scan->bytes[scan->at] == '\n';
}

bool stick_scan_at_end(const StickTextScan *scan)
{
    size_t at = scan->at;
    while (at < scan->count && is_space(scan->bytes[at]))
        at++;
    return at == scan->count;
}

StickStatus stick_scan_word(StickTextScan *scan, const char *what, char word[STICK_SCAN_WORD])
{
    size_t length = 0;
    skip_spaces(scan);
    if (scan->at == scan->count)
        return stick_scan_fail(scan, "the file ends where %s should be", what);
    while (scan->at + length < scan->count && !is_space(scan->bytes[scan->at + length]))
        length++;
    if (length >= STICK_SCAN_WORD)
        return stick_scan_fail(scan, "there are %zu characters in one where %s should be", length, what);
    memcpy(word, scan->bytes + scan->at, length);
    word[length] = '\0';
    scan->at += length;
    return STICK_OK;
}

StickStatus stick_scan_text_integer(StickTextScan *scan, const char *what, long long *value)
{
    char word[STICK_SCAN_WORD], *end;
    STICK_TRY(stick_scan_word(scan, what, word));
    errno = 0;
    long long number = strtoll(word, &end, 10);
    if (errno != 0 || end == word || *end != '\0')
        return stick_scan_fail(scan, "'%.40s' is not %s: it should be an integer", word, what);
    *value = number;
    return STICK_OK;
}

StickStatus stick_scan_text_number(StickTextScan *scan, const char *what, double *value)
{
    char word[STICK_SCAN_WORD];
    STICK_TRY(stick_scan_word(scan, what, word));
    if (!stick_parse_number(word, value))
        return stick_scan_fail(scan, "'%.40s' is not %s: it should be a finite number", word, what);
    return STICK_OK;
}

void stick_scan_skip_line(StickTextScan *scan)
{
    while (scan->at < scan->count && scan->bytes[scan->at] != '\n')
        scan->at++;
    if (scan->at < scan->count)
        scan->at++, scan->line++;
}

bool stick_scan_skip_to(StickTextScan *scan, const char *text)
{
    size_t length = strlen(text);
    for (size_t at = scan->at; at + length <= scan->count; at++)
        if (memcmp(scan->bytes + at, text, length) == 0) {
            for (size_t k = scan->at; k < at; k++)
                scan->line += scan->bytes[k] == '\n';
            scan->at = at + length;
            return true;
        }
    return false;
}

// ---- binary or text

static StickStatus take_bytes(StickTextScan *scan, const char *what, void *value, size_t size)
{
    if (scan->count - scan->at < size)
        return stick_scan_fail(scan, "the file ends where %s should be", what);
    memcpy(value, scan->bytes + scan->at, size);
    scan->at += size;
    return STICK_OK;
}

StickStatus stick_scan_int(StickTextScan *scan, const char *what, int *value)
{
    long long number;
    int32_t stored;
    if (scan->binary) {
        STICK_TRY(take_bytes(scan, what, &stored, sizeof stored));
        number = stored;
    } else {
        STICK_TRY(stick_scan_text_integer(scan, what, &number));
    }
    if (number < -INT_MAX || number > INT_MAX)
        return stick_scan_fail(scan, "%lld is too large for %s", number, what);
    *value = (int)number;
    return STICK_OK;
}

StickStatus stick_scan_long(StickTextScan *scan, const char *what, long long *value)
{
    int64_t stored;
    if (!scan->binary)
        return stick_scan_text_integer(scan, what, value);
    STICK_TRY(take_bytes(scan, what, &stored, sizeof stored));
    *value = stored;
    return STICK_OK;
}

StickStatus stick_scan_number(StickTextScan *scan, const char *what, double *value)
{
    if (!scan->binary)
        return stick_scan_text_number(scan, what, value);
    return take_bytes(scan, what, value, sizeof *value);
}

StickStatus stick_scan_check_count(const StickTextScan *scan, const char *what, long long value,
                                   size_t item_bytes)
{
    size_t rest = scan->count - scan->at, size = scan->binary ? item_bytes : 2;
    if (value < 0 || (unsigned long long)value > rest / size)
        return stick_scan_fail(scan, "%lld %s cannot be in the %zu bytes that are left of the file", value,
                               what, rest);
    return STICK_OK;
}

StickStatus stick_scan_count(StickTextScan *scan, const char *what, size_t item_bytes, size_t *count)
{
    char number[STICK_SCAN_WORD];
    long long value;
    snprintf(number, sizeof number, "the number of %s", what);
    STICK_TRY(stick_scan_long(scan, number, &value));
    STICK_TRY(stick_scan_check_count(scan, what, value, item_bytes));
    *count = (size_t)value;
    return STICK_OK;
}
