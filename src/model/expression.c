// SPDX-License-Identifier: Apache-2.0
#include "model/expression.h"

#include "base/arena.h"
#include "model/expression_functions.h"
#include "model/expression_scan.h"

#include <ctype.h>
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Limits of one evaluation. Allocated bytes count even if they are freed, because copying also takes time.
enum { MOST_INSTRUCTIONS = 1000000, MOST_BYTES = 2 << 20, MOST_TEXT = 16384, MOST_NAMES = 256, SHOWN = 80 };

typedef struct Parameter {
    const char *name;
    const char *text; // NULL: a number
} Parameter;

struct StickExpressions {
    StickContext *ctx;
    StickArena arena;
    lua_State *L;
    bool limited; // from the end of the creation on
    size_t spent;
    bool no_memory;
    int names; // registry: table of functions and parameters
    int env;   // registry: what chunks see, an empty table that looks into names and cannot be written to
    Parameter *parameter;
    size_t nparameters;
    size_t capacity;
};

struct StickExpression {
    StickExpressions *sandbox;
    StickMark mark;
    const char *text;
    bool constant;
    double value;
    int chunk; // registry
    bool mentions[STICK_NVARIABLES];
};

// ---- names

static const char *nearest_name(const StickExpressions *sandbox, const char *name)
{
    const char *names[2 * MOST_NAMES];
    size_t count = 0;
    for (size_t k = 0; k < sandbox->nparameters && k < MOST_NAMES; k++)
        names[count++] = sandbox->parameter[k].name;
    for (int k = 0; stick_function_name(k); k++)
        names[count++] = stick_function_name(k);
    return stick_nearest_word(name, names, count);
}

static bool is_function(const char *name)
{
    for (int k = 0; stick_function_name(k); k++)
        if (strcmp(stick_function_name(k), name) == 0)
            return true;
    return false;
}

static Parameter *find_parameter(const StickExpressions *sandbox, const char *name)
{
    for (size_t k = 0; k < sandbox->nparameters; k++)
        if (strcmp(sandbox->parameter[k].name, name) == 0)
            return &sandbox->parameter[k];
    return NULL;
}

bool stick_expressions_knows(const StickExpressions *sandbox, const char *name)
{
    return is_function(name) || stick_is_lua_keyword(name) || find_parameter(sandbox, name);
}

bool stick_expressions_reserves(const char *name)
{
    int variable = stick_variable_index(name);
    return is_function(name) || stick_is_lua_keyword(name) ||
           (variable >= 0 && variable < STICK_FIRST_INDEX) || strcmp(name, "_ENV") == 0;
}

// ---- the sandbox

static void *resize(void *user, void *block, size_t old_size, size_t size)
{
    StickExpressions *sandbox = user;
    if (size == 0) {
        stick_free(sandbox->ctx, block);
        return NULL;
    }
    // Lua requires that shrinking a block never fails
    if (block && size <= old_size)
        return block;
    sandbox->spent += size;
    if (sandbox->limited && sandbox->spent > MOST_BYTES)
        return NULL;
    // Lua collects its garbage and tries again: only the last failure counts
    void *grown = stick_try_alloc(sandbox->ctx, size, 1);
    sandbox->no_memory = !grown;
    if (!grown)
        return NULL;
    if (block)
        memcpy(grown, block, old_size);
    stick_free(sandbox->ctx, block);
    return grown;
}

static void stop(lua_State *L, lua_Debug *where)
{
    (void)where;
    luaL_error(L, "it runs too long");
}

static int refuse_name(lua_State *L)
{
    const StickExpressions *sandbox = lua_touserdata(L, lua_upvalueindex(1));
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    const char *nearest = nearest_name(sandbox, name);
    return luaL_error(L, nearest ? "unknown name '%s'; did you mean '%s'?" : "unknown name '%s'", name,
                      nearest);
}

static int refuse_change(lua_State *L)
{
    return luaL_error(L, "an expression cannot change '%s'",
                      lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
}

// env -> names -> refusal; no library is opened, so that texts have no methods and there is nothing else to
// call.
static int build(lua_State *L)
{
    StickExpressions *sandbox = lua_touserdata(L, 1);
    lua_newtable(L);
    stick_functions_add(L);
    lua_newtable(L);
    lua_pushlightuserdata(L, sandbox);
    lua_pushcclosure(L, refuse_name, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_change);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
    sandbox->env = luaL_ref(L, LUA_REGISTRYINDEX);
    sandbox->names = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

// Calls the function below its arguments with fresh limits.
static int call(StickExpressions *sandbox, int narguments, int nresults)
{
    sandbox->spent = 0;
    sandbox->no_memory = false;
    lua_sethook(sandbox->L, stop, LUA_MASKCOUNT, MOST_INSTRUCTIONS);
    return lua_pcall(sandbox->L, narguments, nresults, 0);
}

StickStatus stick_expressions_create(StickContext *ctx, StickExpressions **sandbox)
{
    StickExpressions *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    stick_arena_init(&created->arena, ctx);
    created->L = lua_newstate(resize, created);
    if (created->L) {
        lua_pushcfunction(created->L, build);
        lua_pushlightuserdata(created->L, created);
    }
    if (!created->L || call(created, 1, 0) != LUA_OK) {
        stick_expressions_destroy(created);
        return stick_fail(ctx, STICK_NO_MEMORY, "no memory for expressions");
    }
    created->limited = true;
    *sandbox = created;
    return STICK_OK;
}

void stick_expressions_destroy(StickExpressions *sandbox)
{
    if (!sandbox)
        return;
    if (sandbox->L)
        lua_close(sandbox->L);
    stick_arena_destroy(&sandbox->arena);
    stick_free(sandbox->ctx, sandbox->parameter);
    stick_free(sandbox->ctx, sandbox);
}

static const char *keep_text(StickExpressions *sandbox, const char *text)
{
    size_t length = strlen(text);
    char *copy = stick_arena_take(&sandbox->arena, length + 1, 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

// ---- parameters

typedef struct Assignment {
    int names;
    const char *name;
    const char *text; // NULL: a number
    double number;
} Assignment;

static int assign(lua_State *L)
{
    const Assignment *assignment = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, assignment->names);
    if (assignment->text)
        lua_pushstring(L, assignment->text);
    else
        lua_pushnumber(L, assignment->number);
    lua_setfield(L, -2, assignment->name);
    return 0;
}

static StickStatus set_parameter(StickExpressions *sandbox, Assignment *assignment)
{
    const char *text = NULL;
    if (assignment->text && !(text = keep_text(sandbox, assignment->text)))
        return STICK_NO_MEMORY;
    Parameter *parameter = find_parameter(sandbox, assignment->name);
    if (!parameter) {
        STICK_RESERVE(sandbox->ctx, sandbox->parameter, sandbox->capacity, sandbox->nparameters + 1);
        const char *name = keep_text(sandbox, assignment->name);
        if (!name)
            return STICK_NO_MEMORY;
        parameter = &sandbox->parameter[sandbox->nparameters++];
        parameter->name = name;
    }
    parameter->text = text;
    lua_pushcfunction(sandbox->L, assign);
    lua_pushlightuserdata(sandbox->L, assignment);
    int status = call(sandbox, 1, 0);
    lua_settop(sandbox->L, 0);
    if (status == LUA_OK && !sandbox->no_memory)
        return STICK_OK;
    return sandbox->no_memory
               ? stick_fail(sandbox->ctx, STICK_NO_MEMORY, "no memory for parameter '%s'", assignment->name)
               : stick_fail(sandbox->ctx, STICK_BAD_INPUT, "parameter '%s' is too long", assignment->name);
}

StickStatus stick_expressions_set_number(StickExpressions *sandbox, const char *name, double value)
{
    return set_parameter(sandbox, &(Assignment){.names = sandbox->names, .name = name, .number = value});
}

StickStatus stick_expressions_set_text(StickExpressions *sandbox, const char *name, const char *value)
{
    return set_parameter(sandbox, &(Assignment){.names = sandbox->names, .name = name, .text = value});
}

StickStatus stick_expressions_text(StickExpressions *sandbox, const char *name, const char **value)
{
    const Parameter *parameter = find_parameter(sandbox, name);
    *value = parameter ? parameter->text : NULL;
    return STICK_OK;
}

// ---- errors

// The start of the text, on one line.
static void show(const char *text, char shown[SHOWN + 4])
{
    size_t length = strlen(text) < SHOWN ? strlen(text) : SHOWN;
    for (size_t k = 0; k < length; k++)
        shown[k] = (unsigned char)text[k] < 0x20 ? ' ' : text[k];
    strcpy(shown + length, text[length] ? "..." : "");
}

static bool is_of_a_unit(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || (c != '\0' && strchr("%/^_-", c) != NULL);
}

// Hint for common mistakes in numbers: "5 mm", "20%", "2x", "0,3".
static const char *habit(const char *text)
{
    char *end;
    (void)strtod(text, &end);
    const char *start = text + strspn(text, " \t\r\n+-");
    if (end == text || isalpha((unsigned char)*start)) // "inflow" starts as infinity does
        return "";
    if (*end == ',' && end[1] != '\0' && end[1 + strspn(end + 1, "0123456789")] == '\0')
        return "; use a decimal point";
    end += strspn(end, " ");
    if (!isalpha((unsigned char)*end) && *end != '%' && (unsigned char)*end < 0x80)
        return "";
    while (is_of_a_unit(*end))
        end++;
    return *end == '\0' ? "; write numbers without units, and products with '*'" : "";
}

static StickStatus fail_expression(const StickExpression *expression, const char *problem)
{
    char shown[SHOWN + 4];
    show(expression->text, shown);
    return stick_fail_at(expression->sandbox->ctx, STICK_BAD_INPUT, expression->mark, "in '%s': %s%s", shown,
                         problem, habit(expression->text));
}

// Lua's message without its ":1: " in front.
static const char *message(lua_State *L)
{
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "it fails";
    if (text[0] != ':')
        return text;
    const char *rest = text + 1 + strspn(text + 1, "0123456789");
    return rest[0] == ':' && rest[1] == ' ' ? rest + 2 : text;
}

static StickStatus fail_lua(const StickExpression *expression, int lua_status)
{
    StickExpressions *sandbox = expression->sandbox;
    StickStatus status;
    if (sandbox->no_memory)
        status = stick_fail(sandbox->ctx, STICK_NO_MEMORY, "no memory for an expression");
    else if (lua_status == LUA_ERRMEM)
        status = fail_expression(expression, "it needs too much memory");
    else
        status = fail_expression(expression, message(sandbox->L));
    lua_settop(sandbox->L, 0);
    return status;
}

// ---- compilation

typedef struct Unknown {
    const StickExpressions *sandbox;
    unsigned sees;
    char name[64]; // the first name that means nothing
} Unknown;

static bool is_seen(int variable, unsigned sees)
{
    static const unsigned needs[STICK_NVARIABLES] = {
        STICK_SEES_TIME,    STICK_SEES_PLACE, STICK_SEES_PLACE, STICK_SEES_PLACE, STICK_SEES_SLIDING,
        STICK_SEES_SLIDING, STICK_SEES_I,     STICK_SEES_J,     STICK_SEES_K,     STICK_SEES_APPROACH,
        STICK_SEES_STATE,   STICK_SEES_PATCH, STICK_SEES_PATCH, STICK_SEES_PATCH, STICK_SEES_CURVE};
    return (sees & needs[variable]) != 0;
}

static void hear_name(void *user, const char *name)
{
    Unknown *unknown = user;
    int variable = stick_variable_index(name);
    if (variable >= 0 && is_seen(variable, unknown->sees))
        return;
    if (unknown->name[0] == '\0' && !stick_expressions_knows(unknown->sandbox, name))
        strcpy(unknown->name, name);
}

static StickStatus check_names(const StickExpression *expression, const StickScan *scan,
                               const Unknown *unknown, unsigned sees)
{
    char problem[200];
    if (scan->problem[0])
        return fail_expression(expression, scan->problem);
    // names of a function literal may be its own: they are checked when it runs
    if (scan->has_function)
        return STICK_OK;
    for (int k = 0; k < STICK_FIRST_INDEX; k++) {
        if (scan->mentions[k] && !is_seen(k, sees)) {
            snprintf(problem, sizeof problem, "'%s' is not available in this expression",
                     stick_variable_names[k]);
            return fail_expression(expression, problem);
        }
    }
    if (unknown->name[0] == '\0')
        return STICK_OK;
    const char *nearest = nearest_name(expression->sandbox, unknown->name);
    snprintf(problem, sizeof problem, "unknown name '%s'%s%s%s", unknown->name,
             nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return fail_expression(expression, problem);
}

// local t, x = ... return ( text )
static void write_chunk(StickText *chunk, const StickExpression *expression, const StickScan *scan)
{
    const char *between = "local ";
    for (int k = 0; k < STICK_NVARIABLES; k++) {
        if (!expression->mentions[k])
            continue;
        stick_text_add(chunk, "%s%s", between, stick_variable_names[k]);
        between = ", ";
    }
    stick_text_add(chunk, "%sreturn (", between[0] == ',' ? " = ... " : "");
    stick_text_add_bytes(chunk, scan->lua.bytes ? scan->lua.bytes : "", scan->lua.length);
    stick_text_add(chunk, "\n)");
}

typedef struct Loading {
    const StickText *chunk;
    int env;
    int reference;
} Loading;

static int load(lua_State *L)
{
    Loading *loading = lua_touserdata(L, 1);
    if (luaL_loadbufferx(L, loading->chunk->bytes, loading->chunk->length, "=", "t") != LUA_OK)
        return lua_error(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, loading->env);
    lua_setupvalue(L, -2, 1);
    loading->reference = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static StickStatus load_chunk(StickExpression *expression, const StickText *chunk)
{
    StickExpressions *sandbox = expression->sandbox;
    STICK_TRY(stick_text_status(chunk));
    Loading loading = {.chunk = chunk, .env = sandbox->env};
    lua_pushcfunction(sandbox->L, load);
    lua_pushlightuserdata(sandbox->L, &loading);
    int status = call(sandbox, 1, 0);
    if (status != LUA_OK || sandbox->no_memory)
        return fail_lua(expression, status);
    expression->chunk = loading.reference;
    return STICK_OK;
}

static StickStatus scan_and_load(StickExpression *expression, unsigned sees)
{
    StickExpressions *sandbox = expression->sandbox;
    if (strlen(expression->text) > MOST_TEXT)
        return fail_expression(expression, "it is too long");
    StickScan scan;
    StickText chunk;
    Unknown unknown = {.sandbox = sandbox, .sees = sees};
    stick_text_init(&chunk, sandbox->ctx);
    stick_scan_expression(&scan, sandbox->ctx, expression->text, (StickNames){hear_name, &unknown});
    StickStatus status = stick_text_status(&scan.lua);
    if (status == STICK_OK)
        status = check_names(expression, &scan, &unknown, sees);
    for (int k = 0; k < STICK_NVARIABLES; k++)
        expression->mentions[k] = scan.mentions[k] && is_seen(k, sees);
    if (status == STICK_OK) {
        write_chunk(&chunk, expression, &scan);
        status = load_chunk(expression, &chunk);
    }
    stick_text_destroy(&chunk);
    stick_scan_destroy(&scan);
    return status;
}

// ---- evaluation

// Leaves the result on Lua's stack.
static StickStatus evaluate(const StickExpression *expression, const StickVariables *variables)
{
    StickExpressions *sandbox = expression->sandbox;
    const double values[STICK_NVARIABLES] = {
        variables->t,     variables->x,  variables->y,   variables->z,    variables->v,
        variables->p,     variables->i,  variables->j,   variables->k,    variables->approach,
        variables->state, variables->xi, variables->eta, variables->zeta, variables->s};
    int count = 0;
    lua_rawgeti(sandbox->L, LUA_REGISTRYINDEX, expression->chunk);
    for (int k = 0; k < STICK_NVARIABLES; k++) {
        if (!expression->mentions[k])
            continue;
        lua_pushnumber(sandbox->L, values[k]);
        count++;
    }
    int status = call(sandbox, count, 1);
    return status == LUA_OK && !sandbox->no_memory ? STICK_OK : fail_lua(expression, status);
}

static StickStatus fail_type(const StickExpression *expression)
{
    lua_State *L = expression->sandbox->L;
    char problem[160];
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER:
        snprintf(problem, sizeof problem, "the value is %g, not a finite number", lua_tonumber(L, -1));
        break;
    case LUA_TSTRING:
        snprintf(problem, sizeof problem, "the value is the text '%.60s', not a number", lua_tostring(L, -1));
        break;
    case LUA_TBOOLEAN:
        snprintf(problem, sizeof problem, "the value is %s, not a number",
                 lua_toboolean(L, -1) ? "true" : "false");
        break;
    default:
        snprintf(problem, sizeof problem, "the value is a %s, not a number", luaL_typename(L, -1));
    }
    lua_settop(L, 0);
    return fail_expression(expression, problem);
}

static StickStatus number_of(const StickExpression *expression, const StickVariables *variables,
                             double *value)
{
    STICK_TRY(evaluate(expression, variables));
    lua_State *L = expression->sandbox->L;
    double number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!isfinite(number))
        return fail_type(expression);
    lua_settop(L, 0);
    *value = number;
    return STICK_OK;
}

StickStatus stick_expression_value(StickExpression *expression, const StickVariables *variables,
                                   double *value)
{
    if (!expression->constant)
        return number_of(expression, variables, value);
    *value = expression->value;
    return STICK_OK;
}

bool stick_expression_is_constant(const StickExpression *expression)
{
    return expression->constant;
}

bool stick_expression_is_same(const StickExpression *a, const StickExpression *b)
{
    if (a->constant || b->constant)
        return a->constant && b->constant && a->value == b->value;
    return strcmp(a->text, b->text) == 0;
}

bool stick_expression_mentions(const StickExpression *expression, unsigned sees)
{
    for (int k = 0; k < STICK_NVARIABLES; k++)
        if (expression->mentions[k] && is_seen(k, sees))
            return true;
    return false;
}

static void forget_chunk(StickExpression *expression)
{
    luaL_unref(expression->sandbox->L, LUA_REGISTRYINDEX, expression->chunk);
    expression->chunk = LUA_NOREF;
}

static StickStatus create(StickExpressions *sandbox, const char *text, StickMark mark,
                          StickExpression **expression)
{
    STICK_TAKE(&sandbox->arena, *expression, 1);
    **expression = (StickExpression){.sandbox = sandbox, .mark = mark, .chunk = LUA_NOREF};
    (*expression)->text = keep_text(sandbox, text);
    return (*expression)->text ? STICK_OK : STICK_NO_MEMORY;
}

StickStatus stick_expression_compile(StickExpressions *sandbox, const char *text, unsigned sees,
                                     StickMark mark, StickExpression **expression)
{
    StickExpression *created;
    STICK_TRY(create(sandbox, text, mark, &created));
    created->constant = stick_parse_number(text, &created->value);
    if (!created->constant) {
        STICK_TRY(scan_and_load(created, sees));
        created->constant = !stick_expression_mentions(created, ~0u);
        if (created->constant) {
            StickStatus status = number_of(created, &(StickVariables){.t = 0}, &created->value);
            forget_chunk(created);
            STICK_TRY(status);
        }
    }
    *expression = created;
    return STICK_OK;
}

static StickStatus take_value(const StickExpression *expression, StickValue *value)
{
    lua_State *L = expression->sandbox->L;
    StickValue taken = {.kind = STICK_VALUE_NUMBER};
    if (lua_type(L, -1) == LUA_TBOOLEAN) {
        taken = (StickValue){.kind = STICK_VALUE_BOOL, .truth = lua_toboolean(L, -1)};
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        taken = (StickValue){.kind = STICK_VALUE_TEXT,
                             .text = keep_text(expression->sandbox, lua_tostring(L, -1))};
        if (!taken.text)
            return STICK_NO_MEMORY;
    } else if (lua_type(L, -1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1))) {
        taken.number = lua_tonumber(L, -1);
    } else {
        return fail_type(expression);
    }
    *value = taken;
    return STICK_OK;
}

StickStatus stick_expressions_evaluate(StickExpressions *sandbox, const char *text, StickMark mark,
                                       StickValue *value)
{
    StickExpression *expression;
    STICK_TRY(create(sandbox, text, mark, &expression));
    STICK_TRY(scan_and_load(expression, STICK_SEES_NOTHING));
    StickStatus status = evaluate(expression, &(StickVariables){.t = 0});
    if (status == STICK_OK)
        status = take_value(expression, value);
    lua_settop(sandbox->L, 0);
    forget_chunk(expression);
    return status;
}
