// SPDX-License-Identifier: Apache-2.0
// Words of users inside XML files and labels: any bytes come in, what goes out can be read.
#ifndef OUTPUT_XML_H
#define OUTPUT_XML_H

#include "base/text.h"

// Length of the UTF-8 character that starts here, or 0 if these bytes are none that XML may hold.
size_t stick_xml_character(const char *bytes);

// Adds words as the value of an attribute: escaped, and bytes that XML cannot hold replaced by U+FFFD.
void stick_xml_add(StickText *text, const char *words);

// Undoes the escapes of stick_xml_add in place, up to the end of the text.
void stick_xml_unescape(char *words);

#endif
