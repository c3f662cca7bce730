// SPDX-License-Identifier: Apache-2.0
#include "model/expression_functions.h"

#include <lauxlib.h>
#include <math.h>

static double degrees(double angle)
{
    return angle * (M_PI / 180);
}

typedef struct Function {
    const char *name;
    double (*of_one)(double);
} Function;

static const Function functions[] = {
    {"sin", sin},     {"cos", cos},   {"tan", tan},  {"asin", asin},   {"acos", acos},
    {"sqrt", sqrt},   {"exp", exp},   {"abs", fabs}, {"floor", floor}, {"ceil", ceil},
    {"deg", degrees}, {"atan", NULL}, {"log", NULL}, {"min", NULL},    {"max", NULL},
};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };

static double argument(lua_State *L, int index, const char *function)
{
    if (lua_type(L, index) != LUA_TNUMBER)
        luaL_error(L, "%s() needs numbers, but argument %d is %s", function, index, luaL_typename(L, index));
    return lua_tonumber(L, index);
}

static void need_arguments(lua_State *L, int least, int most, const char *function)
{
    int count = lua_gettop(L);
    if (count < least || count > most)
        luaL_error(L, "%s() has %d arguments", function, count);
}

static int call_of_one(lua_State *L)
{
    const Function *function = &functions[lua_tointeger(L, lua_upvalueindex(1))];
    need_arguments(L, 1, 1, function->name);
    lua_pushnumber(L, function->of_one(argument(L, 1, function->name)));
    return 1;
}

static int call_atan(lua_State *L)
{
    need_arguments(L, 1, 2, "atan");
    double y = argument(L, 1, "atan");
    lua_pushnumber(L, lua_gettop(L) == 2 ? atan2(y, argument(L, 2, "atan")) : atan(y));
    return 1;
}

static int call_log(lua_State *L)
{
    need_arguments(L, 1, 2, "log");
    double value = log(argument(L, 1, "log"));
    lua_pushnumber(L, lua_gettop(L) == 2 ? value / log(argument(L, 2, "log")) : value);
    return 1;
}

static int call_min(lua_State *L)
{
    need_arguments(L, 1, 200, "min");
    double least = argument(L, 1, "min");
    for (int k = 2; k <= lua_gettop(L); k++) {
        double value = argument(L, k, "min");
        least = value < least || isnan(value) ? value : least;
    }
    lua_pushnumber(L, least);
    return 1;
}

static int call_max(lua_State *L)
{
    need_arguments(L, 1, 200, "max");
    double most = argument(L, 1, "max");
    for (int k = 2; k <= lua_gettop(L); k++) {
        double value = argument(L, k, "max");
        most = value > most || isnan(value) ? value : most;
    }
    lua_pushnumber(L, most);
    return 1;
}

void stick_functions_add(lua_State *L)
{
    for (int k = 0; k < (int)NFUNCTIONS; k++) {
        if (!functions[k].of_one)
            continue;
        lua_pushinteger(L, k);
        lua_pushcclosure(L, call_of_one, 1);
        lua_setfield(L, -2, functions[k].name);
    }
    static const luaL_Reg others[] = {
        {"atan", call_atan}, {"log", call_log}, {"min", call_min}, {"max", call_max}, {NULL, NULL}};
    luaL_setfuncs(L, others, 0);
    lua_pushnumber(L, M_PI);
    lua_setfield(L, -2, "pi");
}

const char *stick_function_name(int index)
{
    if (index < 0 || index > (int)NFUNCTIONS)
        return NULL;
    return index < (int)NFUNCTIONS ? functions[index].name : "pi";
}
