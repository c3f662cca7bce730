// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include "base/utf8.h"

#include <string.h>

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void stick_html_add(StickText *html, const char *text)
{
    while (*text) {
        size_t plain = strcspn(text, "&<>\"'");
        stick_utf8_add_clean(html, text, plain);
        text += plain;
        if (*text)
            stick_text_add(html, "%s", entity(*text++));
    }
}
