// SPDX-License-Identifier: Apache-2.0
#include "output/xml.h"

#include <stdint.h>
#include <string.h>

// What the first byte of a character says about it: bytes that follow, bits of its own, smallest code
// allowed.
static size_t follow_count(unsigned char first, uint32_t *code, uint32_t *least)
{
    if ((first & 0xE0) == 0xC0) {
        *code = first & 0x1F, *least = 0x80;
        return 1;
    }
    if ((first & 0xF0) == 0xE0) {
        *code = first & 0x0F, *least = 0x800;
        return 2;
    }
    *code = first & 0x07, *least = 0x10000;
    return (first & 0xF8) == 0xF0 ? 3 : 0;
}

size_t stick_xml_character(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    if (b[0] < 0x80)
        return (b[0] >= 0x20 && b[0] != 0x7F) || b[0] == '\t' || b[0] == '\n' || b[0] == '\r';
    uint32_t code, least;
    size_t follow = follow_count(b[0], &code, &least);
    if (follow == 0)
        return 0;
    for (size_t k = 1; k <= follow; k++) {
        if ((b[k] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (b[k] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    bool no_character = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return code < least || surrogate || no_character ? 0 : follow + 1;
}

static const struct {
    char character;
    const char *escape;
} escapes[] = {
    {'&', "&amp;"},  {'<', "&lt;"},  {'>', "&gt;"},   {'"', "&quot;"},
    {'\'', "&#39;"}, {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"},
};
enum { ESCAPES = sizeof escapes / sizeof *escapes };

static const char *escape_of(char character)
{
    for (int k = 0; k < ESCAPES; k++)
        if (escapes[k].character == character)
            return escapes[k].escape;
    return NULL;
}

void stick_xml_add(StickText *text, const char *words)
{
    while (*words) {
        size_t length = stick_xml_character(words);
        const char *escape = escape_of(*words);
        if (length == 0)
            stick_text_add_bytes(text, "\xEF\xBF\xBD", 3);
        else if (escape)
            stick_text_add_bytes(text, escape, strlen(escape));
        else
            stick_text_add_bytes(text, words, length);
        words += length ? length : 1;
    }
}

void stick_xml_unescape(char *words)
{
    char *to = words;
    while (*words) {
        int found = -1;
        for (int k = 0; k < ESCAPES && *words == '&' && found < 0; k++)
            if (strncmp(words, escapes[k].escape, strlen(escapes[k].escape)) == 0)
                found = k;
        *to++ = found < 0 ? *words : escapes[found].character;
        words += found < 0 ? 1 : strlen(escapes[found].escape);
    }
    *to = '\0';
}
