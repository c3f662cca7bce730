// SPDX-License-Identifier: Apache-2.0
// Reads numbers from the bytes of a mesh file, as text or binary, and knows where it is when it fails.
#ifndef MESH_SCAN_H
#define MESH_SCAN_H

#include <stickslip/context.h>

#include <stdbool.h>

typedef struct StickTextScan {
    StickContext *ctx;
    const char *file;
    const char *bytes; // followed by a '\0'
    size_t count;
    size_t at;
    int line;    // of at, while the file is text
    bool binary; // numbers are binary, errors give the byte position
} StickTextScan;

enum { STICK_SCAN_WORD = 256 };

// STICK_BAD_MESH at the place of the scan: the line of a text, the byte of a binary file.
StickStatus stick_scan_fail(const StickTextScan *scan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool stick_scan_at_end(const StickTextScan *scan); // skips spaces first

// Text in any file: the next word between spaces, an integer or a number as a word, and the rest of a line.
StickStatus stick_scan_word(StickTextScan *scan, const char *what, char word[STICK_SCAN_WORD]);
StickStatus stick_scan_text_integer(StickTextScan *scan, const char *what, long long *value);
StickStatus stick_scan_text_number(StickTextScan *scan, const char *what, double *value);
void stick_scan_skip_line(StickTextScan *scan);

// Moves to the end of the next occurrence of a text; false if not found.
bool stick_scan_skip_to(StickTextScan *scan, const char *text);

// Numbers in the form of the file: 4-byte and 8-byte integers and doubles if it is binary, words otherwise.
StickStatus stick_scan_int(StickTextScan *scan, const char *what, int *value);
StickStatus stick_scan_long(StickTextScan *scan, const char *what, long long *value);
StickStatus stick_scan_number(StickTextScan *scan, const char *what, double *value);

// Reads the number of items that follow, each of at least item_bytes bytes (text: 2). Fails if it is negative or more
// than the rest of the file can hold. The integer is a long of the file, or text.
StickStatus stick_scan_count(StickTextScan *scan, const char *what, size_t item_bytes, size_t *count);
StickStatus stick_scan_check_count(const StickTextScan *scan, const char *what, long long value,
                                   size_t item_bytes);

#endif
