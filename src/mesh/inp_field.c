// SPDX-License-Identifier: Apache-2.0
#include "mesh/inp_field.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

StickInpSpan stick_inp_trim(StickInpSpan span)
{
    while (span.length > 0 && isspace((unsigned char)span.text[0]))
        span.text++, span.length--;
    while (span.length > 0 && isspace((unsigned char)span.text[span.length - 1]))
        span.length--;
    return span;
}

StickInpSpan stick_inp_unquote(StickInpSpan field)
{
    bool quoted = field.length >= 2 && field.text[0] == '"' && field.text[field.length - 1] == '"';
    return quoted ? (StickInpSpan){field.text + 1, field.length - 2} : field;
}

StickInpSpan stick_inp_cut(StickInpSpan *rest)
{
    const char *comma = memchr(rest->text, ',', rest->length);
    StickInpSpan field = {rest->text, comma ? (size_t)(comma - rest->text) : rest->length};
    size_t used = field.length + (comma != NULL);
    rest->text += used;
    rest->length -= used;
    return stick_inp_trim(field);
}

void stick_inp_make_key(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = (char)toupper((unsigned char)*from);
    *to = '\0';
}

bool stick_inp_parse_integer(const char *text, long long *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && llabs(*value) < 1000000000000000000;
}

bool stick_inp_parse_number(char *text, double *value)
{
    for (char *c = text; *c; c++)
        if (*c == 'd' || *c == 'D')
            *c = 'e';
    return stick_parse_number(text, value);
}
