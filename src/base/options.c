// SPDX-License-Identifier: Apache-2.0
#include <stickslip/options.h>

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { MOST_OPTIONS = 64 };

static const StickOption *find(const StickOption *table, const char *name)
{
    for (const StickOption *option = table; option->name; option++)
        if (strcmp(option->name, name) == 0)
            return option;
    return NULL;
}

static StickStatus fail_name(StickContext *ctx, const StickOption *table, const char *name, StickMark mark)
{
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    for (const StickOption *option = table; option->name && count < MOST_OPTIONS; option++)
        names[count++] = option->name;
    StickSuggestion suggestion = stick_suggestion(name, names, count);
    return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "unknown option '%s'%s", name, suggestion.text);
}

static StickStatus fail_value(StickContext *ctx, const StickOption *option, const char *value, StickMark mark)
{
    StickText allowed;
    stick_text_init(&allowed, ctx);
    switch (option->type) {
    case STICK_OPTION_REAL:
    case STICK_OPTION_INTEGER:
        stick_text_add(&allowed, "a%s number from %g to %g",
                       option->type == STICK_OPTION_INTEGER ? " whole" : "", option->low, option->high);
        break;
    case STICK_OPTION_BOOL:
        stick_text_add(&allowed, "true or false");
        break;
    case STICK_OPTION_CHOICE:
        for (int k = 0; option->choices[k]; k++)
            stick_text_add(&allowed, "%s%s", k ? ", " : "one of ", option->choices[k]);
        break;
    }
    StickStatus status = stick_fail_at(ctx, STICK_BAD_INPUT, mark, "option '%s' is '%s', but must be %s",
                                       option->name, value, allowed.bytes ? allowed.bytes : "another value");
    stick_text_destroy(&allowed);
    return status;
}

static bool in_range(const StickOption *option, double value)
{
    return value >= option->low && value <= option->high;
}

StickStatus stick_options_set(StickContext *ctx, const StickOption *table, void *options, const char *name,
                              const char *value, StickMark mark)
{
    const StickOption *option = find(table, name);
    if (!option)
        return fail_name(ctx, table, name, mark);
    char *field = (char *)options + option->offset;
    double number = 0;
    bool is_number = stick_parse_number(value, &number);
    switch (option->type) {
    case STICK_OPTION_REAL:
        if (!is_number || !in_range(option, number))
            return fail_value(ctx, option, value, mark);
        memcpy(field, &number, sizeof number);
        return STICK_OK;
    case STICK_OPTION_INTEGER: {
        if (!is_number || number != floor(number) || !in_range(option, number))
            return fail_value(ctx, option, value, mark);
        int whole = (int)number;
        memcpy(field, &whole, sizeof whole);
        return STICK_OK;
    }
    case STICK_OPTION_BOOL: {
        bool yes = strcmp(value, "true") == 0;
        if (!yes && strcmp(value, "false") != 0)
            return fail_value(ctx, option, value, mark);
        memcpy(field, &yes, sizeof yes);
        return STICK_OK;
    }
    case STICK_OPTION_CHOICE:
        for (int k = 0; option->choices[k]; k++) {
            if (strcmp(option->choices[k], value) == 0) {
                memcpy(field, &k, sizeof k);
                return STICK_OK;
            }
        }
        return fail_value(ctx, option, value, mark);
    }
    return STICK_INTERNAL;
}

StickStatus stick_options_check(StickContext *ctx, const StickOption *table, const void *options)
{
    StickMark nowhere = {NULL, 0, 0};
    for (const StickOption *option = table; option->name; option++) {
        const char *field = (const char *)options + option->offset;
        double value = 0;
        int whole;
        if (option->type == STICK_OPTION_REAL) {
            memcpy(&value, field, sizeof value);
        } else if (option->type != STICK_OPTION_BOOL) {
            memcpy(&whole, field, sizeof whole);
            value = whole;
        }
        bool good = option->type == STICK_OPTION_BOOL || in_range(option, value);
        if (option->type == STICK_OPTION_CHOICE) {
            int count = 0;
            while (option->choices[count])
                count++;
            good = value >= 0 && value < count;
        }
        if (!good) {
            char text[STICK_NUMBER_TEXT];
            stick_number_text(value, text);
            return fail_value(ctx, option, text, nowhere);
        }
    }
    return STICK_OK;
}
