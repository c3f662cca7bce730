// SPDX-License-Identifier: Apache-2.0
// Fields of a line of an input file: parts between commas, names, numbers.
#ifndef MESH_INP_FIELD_H
#define MESH_INP_FIELD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct StickInpSpan {
    const char *text;
    size_t length;
} StickInpSpan;

// Without spaces around it; without quotes around it.
StickInpSpan stick_inp_trim(StickInpSpan span);
StickInpSpan stick_inp_unquote(StickInpSpan field);

// Cuts the part before the next comma off.
StickInpSpan stick_inp_cut(StickInpSpan *rest);

// In capitals, without spaces.
void stick_inp_make_key(char *text);

// Integers of less than 19 digits: numbers of nodes and elements stay far from overflow.
bool stick_inp_parse_integer(const char *text, long long *value);

// A finite number, also with Fortran's exponent as in 1.d0; the text is changed.
bool stick_inp_parse_number(char *text, double *value);

#endif
