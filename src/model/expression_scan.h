// SPDX-License-Identifier: Apache-2.0
// A look at the words of an expression before Lua sees it: which names it mentions, and whether it is one
// expression.
#ifndef MODEL_EXPRESSION_SCAN_H
#define MODEL_EXPRESSION_SCAN_H

#include "base/text.h"

// Those from i on are variables in some places only, and may be names of parameters elsewhere.
enum { STICK_NVARIABLES = 15, STICK_FIRST_INDEX = 6 };
// t, x, y, z, v, p, i, j, k, approach, state, xi, eta, zeta, s in the order of StickVariables
extern const char *const stick_variable_names[STICK_NVARIABLES];

// Index of a variable's name, or -1.
int stick_variable_index(const char *name);

// Words of Lua's grammar, such as "and".
bool stick_is_lua_keyword(const char *word);

typedef struct StickScan {
    StickText lua;                   // the same expression with all numbers as floating point ones
    bool mentions[STICK_NVARIABLES]; // variables that occur
    bool has_function;               // a function literal: names in it may be its own
    char problem[120];               // error message, or ""
} StickScan;

// Called for each name, except keywords, fields and variables that are not an index.
typedef struct StickNames {
    void (*hear)(void *user, const char *name);
    void *user;
} StickNames;

void stick_scan_expression(StickScan *scan, StickContext *ctx, const char *text, StickNames names);
void stick_scan_destroy(StickScan *scan);

#endif
