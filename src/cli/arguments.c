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
    STICK_CHECK(ctx, arguments->ndefines < STICK_MOST_DEFINES, STICK_USAGE, "more than %d -D",
                STICK_MOST_DEFINES);
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

static const struct Option {
    const char *word;
    unsigned bit;
} options[] = {
    {"-o", STICK_OPTION_FOLDER},
    {"-D", STICK_OPTION_DEFINE},
    {"--force", STICK_OPTION_FORCE},
    {"--json", STICK_OPTION_JSON},
    {"--quiet", STICK_OPTION_QUIET},
    {"--help", 0},
    {"--checkpoint", STICK_OPTION_CHECKPOINT},
};

enum { NOPTIONS = sizeof options / sizeof *options };

static StickStatus find_option(StickContext *ctx, const StickArguments *arguments, const char *word,
                               unsigned takes, unsigned *bit)
{
    const char *known[NOPTIONS];
    for (int k = 0; k < NOPTIONS; k++) {
        known[k] = options[k].word;
        if (strcmp(word, options[k].word) != 0)
            continue;
        STICK_CHECK(ctx, takes & options[k].bit, STICK_USAGE,
                    "'stickslip %s' takes no '%s'; see 'stickslip %s --help'", arguments->command, word,
                    arguments->command);
        *bit = options[k].bit;
        return STICK_OK;
    }
    StickSuggestion suggestion = stick_suggestion(word, known, NOPTIONS);
    return stick_fail(ctx, STICK_USAGE, "unknown option '%s'%s; see 'stickslip %s --help'", word,
                      suggestion.text, arguments->command);
}

static StickStatus set_option(StickContext *ctx, StickArguments *arguments, unsigned bit, const char *word,
                              const char *value)
{
    switch (bit) {
    case STICK_OPTION_FORCE:
        arguments->force = true;
        return STICK_OK;
    case STICK_OPTION_JSON:
        arguments->json = true;
        return STICK_OK;
    case STICK_OPTION_QUIET:
        arguments->quiet = true;
        return STICK_OK;
    case STICK_OPTION_FOLDER:
        arguments->folder = value;
        return STICK_OK;
    case STICK_OPTION_DEFINE:
        return add_define(ctx, arguments, value);
    default:
        return whole_number(ctx, word, value, &arguments->checkpoint);
    }
}

static StickStatus parse_word(StickContext *ctx, int argc, char **argv, int *k, unsigned takes,
                              StickArguments *arguments)
{
    const char *word = argv[*k], *value = NULL;
    const unsigned flags = STICK_OPTION_FORCE | STICK_OPTION_JSON | STICK_OPTION_QUIET;
    unsigned bit;
    if (word[0] != '-') {
        STICK_CHECK(ctx, arguments->noperands < 16, STICK_USAGE, "too many files");
        arguments->operand[arguments->noperands++] = word;
        return STICK_OK;
    }
    bool glued = strncmp(word, "-D", 2) == 0 && word[2] != '\0'; // -Dname=value
    STICK_TRY(find_option(ctx, arguments, glued ? "-D" : word, takes, &bit));
    if (glued)
        value = word + 2;
    else if (!(bit & flags))
        STICK_TRY(next_word(ctx, argc, argv, k, &value));
    return set_option(ctx, arguments, bit, word, value);
}

StickStatus stick_arguments_parse(StickContext *ctx, int argc, char **argv, unsigned takes,
                                  StickArguments *arguments)
{
    *arguments = (StickArguments){.command = argv[0]};
    for (int k = 1; k < argc; k++) {
        StickStatus status = parse_word(ctx, argc, argv, &k, takes, arguments);
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
