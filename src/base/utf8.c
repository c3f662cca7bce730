// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <stdint.h>

// Bytes that the first one announces; 0: it can't be the first.
static size_t announced(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return 2;
    if (first >= 0xE0 && first <= 0xEF)
        return 3;
    return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

static uint32_t decoded(const unsigned char *bytes, size_t length)
{
    static const unsigned char mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = bytes[0] & mask[length];
    for (size_t k = 1; k < length; k++)
        code = code << 6 | (bytes[k] & 0x3F);
    return code;
}

size_t stick_utf8_length(const char *bytes, size_t count)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)bytes;
    size_t length = count > 0 ? announced(at[0]) : 0;
    if (length == 0 || length > count)
        return 0;
    for (size_t k = 1; k < length; k++)
        if ((at[k] & 0xC0) != 0x80)
            return 0;
    uint32_t code = decoded(at, length);
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

size_t stick_utf8_prefix(const char *bytes, size_t count, size_t most)
{
    size_t length = count < most ? count : most;
    for (size_t back = 1; length < count && back <= 4 && back <= length; back++) {
        if (((unsigned char)bytes[length - back] & 0xC0) == 0x80)
            continue;
        size_t whole = stick_utf8_length(bytes + length - back, count - length + back);
        return whole > back ? length - back : length;
    }
    return length;
}

// Characters that neither HTML nor YAML allows.
static bool is_control(const char *bytes, size_t length)
{
    uint32_t code = decoded((const unsigned char *)bytes, length);
    return (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || (code >= 0x7F && code < 0xA0) ||
           (code & 0xFFFE) == 0xFFFE;
}

void stick_utf8_add_clean(StickText *text, const char *bytes, size_t count)
{
    size_t good = 0; // bytes before this one that are not added yet
    for (size_t k = 0; k < count;) {
        size_t length = stick_utf8_length(bytes + k, count - k);
        if (length > 0 && !is_control(bytes + k, length)) {
            k += length;
            good += length;
            continue;
        }
        stick_text_add_bytes(text, bytes + k - good, good);
        stick_text_add_bytes(text, "\xEF\xBF\xBD", 3);
        k += length ? length : 1;
        good = 0;
    }
    stick_text_add_bytes(text, bytes + count - good, good);
}
