// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static StickStatus next_word(StickContext *ctx, int argc, char **argv, int *k, const char **word)
{
    STICK_CHECK(ctx, *k + 1 < argc, STICK_USAGE, "option '%s' needs a value", argv[*k]);
    *word = argv[++*k];
    return STICK_OK;
}

// name=value, with the name in memory of its own
static StickStatus add_define(StickContext *ctx, StickArguments *arguments, const char *word)
{
    const char *equals = strchr(word, '=');
    STICK_CHECK(ctx, equals && equals > word, STICK_USAGE, "-D takes name=value, not '%s'", word);
    STICK_CHECK(ctx, arguments->ndefines < STICK_MOST_DEFINES, STICK_USAGE, "more than %d -D", STICK_MOST_DEFINES);
    char *name = stick_copy_text(ctx, word);
    if (!name)
        return STICK_NO_MEMORY;
    name[equals - word] = '\0';
    arguments->define[arguments->ndefines++] = (StickOverride){name, equals + 1};
    return STICK_OK;
}

static StickStatus whole_number(StickContext *ctx, const char *option, const char *word, int *number)
{
    double value;
    bool good = stick_parse_number(word, &value) && value == floor(value) && value >= 1 && value <= 1e9;
    STICK_CHECK(ctx, good, STICK_USAGE, "option '%s' takes a whole number above 0, not '%s'", option, word);
    *number = (int)value;
    return STICK_OK;
}

static StickStatus unknown_option(StickContext *ctx, const char *word)
{
    static const char *const known[] = {"-o", "-D", "-j", "--force", "--json", "--quiet", "--checkpoint", "--help"};
    const char *nearest = stick_nearest_word(word, known, sizeof known / sizeof *known);
    return stick_fail(ctx, STICK_USAGE, "unknown option '%s'%s%s%s", word, nearest ? "; did you mean '" : "",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

static StickStatus parse_word(StickContext *ctx, int argc, char **argv, int *k, StickArguments *arguments)
{
    const char *word = argv[*k], *value = NULL;
    if (word[0] != '-') {
        STICK_CHECK(ctx, arguments->noperands < 16, STICK_USAGE, "too many files");
        arguments->operand[arguments->noperands++] = word;
        return STICK_OK;
    }
    if (strcmp(word, "--force") == 0) {
        arguments->force = true;
    } else if (strcmp(word, "--json") == 0) {
        arguments->json = true;
    } else if (strcmp(word, "--quiet") == 0) {
        arguments->quiet = true;
    } else if (strcmp(word, "-o") == 0) {
        return next_word(ctx, argc, argv, k, &arguments->folder);
    } else if (strcmp(word, "-j") == 0) {
        STICK_TRY(next_word(ctx, argc, argv, k, &value));
        return whole_number(ctx, word, value, &arguments->threads);
    } else if (strcmp(word, "--checkpoint") == 0) {
        STICK_TRY(next_word(ctx, argc, argv, k, &value));
        return whole_number(ctx, word, value, &arguments->checkpoint);
    } else if (strcmp(word, "-D") == 0) {
        STICK_TRY(next_word(ctx, argc, argv, k, &value));
        return add_define(ctx, arguments, value);
    } else if (strncmp(word, "-D", 2) == 0) {
        return add_define(ctx, arguments, word + 2);
    } else {
        return unknown_option(ctx, word);
    }
    return STICK_OK;
}

StickStatus stick_arguments_parse(StickContext *ctx, int argc, char **argv, StickArguments *arguments)
{
    *arguments = (StickArguments){.command = argv[0], .threads = 1};
    for (int k = 1; k < argc; k++) {
        StickStatus status = parse_word(ctx, argc, argv, &k, arguments);
        if (status != STICK_OK) {
            stick_arguments_destroy(ctx, arguments);
            return status;
        }
    }
    return STICK_OK;
}

void stick_arguments_destroy(StickContext *ctx, StickArguments *arguments)
{
    for (int k = 0; k < arguments->ndefines; k++)
        stick_free(ctx, (char *)arguments->define[k].name);
    arguments->ndefines = 0;
}
