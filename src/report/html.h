// SPDX-License-Identifier: Apache-2.0
// Texts inside of HTML.
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/text.h"

// Adds a text from anywhere so that it is nothing but a text, in an element or an attribute in quotes.
void stick_html_add(StickText *html, const char *text);

#endif
