// SPDX-License-Identifier: Apache-2.0
// Texts that may come from anywhere, as UTF-8 that everybody can read.
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/text.h"

// Length in bytes of the first character of count bytes, or 0 if it is invalid UTF-8: overlong, a surrogate, truncated.
size_t stick_utf8_length(const char *bytes, size_t count);

// The largest number of bytes, not above most, that splits no character.
size_t stick_utf8_prefix(const char *bytes, size_t count, size_t most);

// Adds the bytes; invalid UTF-8, and control characters other than tabs and line ends, become U+FFFD.
void stick_utf8_add_clean(StickText *text, const char *bytes, size_t count);

#endif
