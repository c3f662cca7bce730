// SPDX-License-Identifier: Apache-2.0
// Bytes as base64: four digits for three bytes, filled up with '=' at the end.
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/text.h"

void stick_base64_add(StickText *text, const void *bytes, size_t count);

// Computes the number of bytes that these digits encode; false if they are not base64: count must be a multiple of
// four, and '=' is allowed only at the end.
bool stick_base64_size(const char *digits, size_t count, size_t *size);

// Decodes digits for which stick_base64_size returned a size. Returns false, with bytes undefined, if a character is
// not a base64 digit.
bool stick_base64_decode(const char *digits, size_t count, unsigned char *bytes);

#endif
