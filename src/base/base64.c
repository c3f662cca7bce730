// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <stdint.h>
#include <string.h>

// ---- writing

static void encode(const unsigned char bytes[3], char digits[4])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t group = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
    for (int k = 0; k < 4; k++)
        digits[k] = alphabet[group >> (18 - 6 * k) & 63];
}

void stick_base64_add(StickText *text, const void *bytes, size_t count)
{
    enum { GROUPS = 512 };
    const unsigned char *from = bytes;
    char digits[4 * GROUPS];
    size_t at = 0;
    while (count - at >= 3) {
        size_t groups = 0;
        for (; groups < GROUPS && count - at >= 3; groups++, at += 3)
            encode(from + at, digits + 4 * groups);
        stick_text_add_bytes(text, digits, 4 * groups);
    }
    if (at == count)
        return;
    unsigned char rest[3] = {from[at], count - at == 2 ? from[at + 1] : 0, 0};
    encode(rest, digits);
    memset(digits + 1 + (count - at), '=', 3 - (count - at));
    stick_text_add_bytes(text, digits, 4);
}

// ---- reading

// The value of a digit, or 64 and more.
static uint32_t value_of(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return (uint32_t)(digit - 'A');
    if (digit >= 'a' && digit <= 'z')
        return (uint32_t)(digit - 'a') + 26;
    if (digit >= '0' && digit <= '9')
        return (uint32_t)(digit - '0') + 52;
    return digit == '+' ? 62 : digit == '/' ? 63 : 64;
}

static size_t padding_of(const char *digits, size_t count)
{
    if (count == 0 || digits[count - 1] != '=')
        return 0;
    return digits[count - 2] == '=' ? 2 : 1;
}

bool stick_base64_size(const char *digits, size_t count, size_t *size)
{
    if (count % 4 != 0)
        return false;
    *size = count / 4 * 3 - padding_of(digits, count);
    return true;
}

// One group of four digits, of which the last ones may be padding.
static bool decode(const char digits[4], size_t padding, unsigned char *bytes)
{
    uint32_t group = 0, worst = 0;
    for (size_t k = 0; k < 4; k++) {
        uint32_t value = k < 4 - padding ? value_of(digits[k]) : 0;
        worst |= value;
        group = group << 6 | (value & 63);
    }
    for (size_t k = 0; k < 3 - padding; k++)
        bytes[k] = (unsigned char)(group >> (16 - 8 * k));
    return worst < 64;
}

bool stick_base64_decode(const char *digits, size_t count, unsigned char *bytes)
{
    size_t padding = padding_of(digits, count);
    bool good = true;
    for (size_t at = 0; at < count && good; at += 4, bytes += 3)
        good = decode(digits + at, at + 4 == count ? padding : 0, bytes);
    return good;
}
