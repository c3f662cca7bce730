// SPDX-License-Identifier: Apache-2.0
#include "model/expression_scan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *const stick_variable_names[STICK_NVARIABLES] = {
    "t", "x", "y", "z", "v", "p", "i", "j", "k", "approach", "state", "xi", "eta", "zeta", "s"};

int stick_variable_index(const char *name)
{
    for (int k = 0; k < STICK_NVARIABLES; k++)
        if (strcmp(stick_variable_names[k], name) == 0)
            return k;
    return -1;
}

bool stick_is_lua_keyword(const char *word)
{
    static const char *const keywords[] = {
        "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
        "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (strcmp(keywords[k], word) == 0)
            return true;
    return false;
}

typedef struct Scanner {
    StickScan *scan;
    StickNames names;
    const char *at;
    int parentheses;
    bool after_dot; // the next name is a field
} Scanner;

static void emit(Scanner *scanner, const char *end)
{
    stick_text_add_bytes(&scanner->scan->lua, scanner->at, (size_t)(end - scanner->at));
    scanner->at = end;
}

static void problem(Scanner *scanner, const char *text)
{
    if (scanner->scan->problem[0] == '\0')
        snprintf(scanner->scan->problem, sizeof scanner->scan->problem, "%s", text);
}

// A name followed by = is a field of a table constructor, or an assignment that Lua refuses.
static bool is_assigned(const char *end)
{
    end += strspn(end, " \t\r\n");
    return end[0] == '=' && end[1] != '=';
}

static void take_name(Scanner *scanner)
{
    const char *end = scanner->at;
    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(end - scanner->at), scanner->at);
    int variable = stick_variable_index(name);
    if (strcmp(name, "_ENV") == 0)
        problem(scanner, "'_ENV' is not allowed");
    else if (strcmp(name, "function") == 0)
        scanner->scan->has_function = true;
    else if (!scanner->after_dot && variable >= 0)
        scanner->scan->mentions[variable] = true;
    bool certain = variable >= 0 && variable < STICK_FIRST_INDEX;
    if (!scanner->after_dot && !certain && !stick_is_lua_keyword(name) && !is_assigned(end))
        scanner->names.hear(scanner->names.user, name);
    emit(scanner, end);
}

// Whole numbers become floating point ones: those of Lua overflow silently.
static void take_number(Scanner *scanner)
{
    const char *end = scanner->at;
    bool hexadecimal = end[0] == '0' && (end[1] == 'x' || end[1] == 'X');
    const char *exponents = hexadecimal ? "pP" : "eE";
    bool whole = true;
    while (isalnum((unsigned char)*end) || *end == '.') {
        bool exponent = strchr(exponents, *end) != NULL;
        whole = whole && (hexadecimal ? end - scanner->at == 1 || isxdigit((unsigned char)*end)
                                      : isdigit((unsigned char)*end));
        end++;
        if (exponent && (*end == '+' || *end == '-'))
            end++;
    }
    emit(scanner, end);
    if (whole)
        stick_text_add(&scanner->scan->lua, ".0");
}

static const char *end_of_string(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += (at[0] == '\\' && at[1]) ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

// End of [[...]] or [==[...]==], or NULL if no such bracket starts here.
static const char *end_of_long_bracket(const char *at)
{
    size_t level = at[0] == '[' ? strspn(at + 1, "=") : 0;
    if (at[0] != '[' || at[1 + level] != '[')
        return NULL;
    for (at += 2 + level; *at; at++)
        if (at[0] == ']' && strspn(at + 1, "=") >= level && at[1 + level] == ']')
            return at + 2 + level;
    return at;
}

static void skip_comment(Scanner *scanner)
{
    const char *end = end_of_long_bracket(scanner->at + 2);
    scanner->at = end ? end : scanner->at + strcspn(scanner->at, "\n");
    stick_text_add(&scanner->scan->lua, " ");
}

static void take_dots(Scanner *scanner)
{
    size_t count = strspn(scanner->at, ".");
    if (count >= 3)
        problem(scanner, "'...' is not allowed");
    emit(scanner, scanner->at + count);
    scanner->after_dot = count == 1;
}

static void take_sign(Scanner *scanner)
{
    char sign = *scanner->at;
    scanner->parentheses += (sign == '(') - (sign == ')');
    if (scanner->parentheses < 0)
        problem(scanner, "a ')' without its '('");
    emit(scanner, scanner->at + 1);
    scanner->after_dot = sign == ':';
}

static void take_token(Scanner *scanner)
{
    const char *at = scanner->at;
    if (isspace((unsigned char)at[0])) {
        emit(scanner, at + 1);
        return;
    }
    if (at[0] == '.' && !isdigit((unsigned char)at[1])) {
        take_dots(scanner);
        return;
    }
    if (isalpha((unsigned char)at[0]) || at[0] == '_')
        take_name(scanner);
    else if (isdigit((unsigned char)at[0]) || at[0] == '.')
        take_number(scanner);
    else if (at[0] == '"' || at[0] == '\'')
        emit(scanner, end_of_string(at));
    else if (at[0] == '-' && at[1] == '-')
        skip_comment(scanner);
    else if (end_of_long_bracket(at))
        emit(scanner, end_of_long_bracket(at));
    else {
        take_sign(scanner);
        return;
    }
    scanner->after_dot = false;
}

void stick_scan_expression(StickScan *scan, StickContext *ctx, const char *text, StickNames names)
{
    *scan = (StickScan){.problem = ""};
    stick_text_init(&scan->lua, ctx);
    Scanner scanner = {.scan = scan, .names = names, .at = text};
    while (*scanner.at)
        take_token(&scanner);
    if (scanner.parentheses > 0)
        problem(&scanner, "a '(' without its ')'");
}

void stick_scan_destroy(StickScan *scan)
{
    stick_text_destroy(&scan->lua);
}
