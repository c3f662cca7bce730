// SPDX-License-Identifier: Apache-2.0
// The functions that expressions may call: mathematics on floating point numbers, and nothing else.
#ifndef MODEL_EXPRESSION_FUNCTIONS_H
#define MODEL_EXPRESSION_FUNCTIONS_H

#include <lua.h>

// Adds them, and pi, to the table on top of the stack.
void stick_functions_add(lua_State *L);

// Their names and pi; NULL past the last.
const char *stick_function_name(int index);

#endif
