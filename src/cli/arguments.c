// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static StickStatus next_word(StickContext *ctx, int argc, char **argv, int *k, const char **word)
{
    STICK_CHECK(ctx, *k + 1 < argc, STICK_USAGE, "option '%s' needs a value", argv[*k]);
    *word = argv[++*k];
    return STICK_OK;
}

// name=value, with the name in memory of its own
static StickStatus add_pair(StickContext *ctx, const char *option, const char *word, StickOverride *pairs,
                            int *count)
{
    const char *equals = strchr(word, '=');
    STICK_CHECK(ctx, equals && equals > word, STICK_USAGE, "%s takes name=value, not '%s'", option, word);
    STICK_CHECK(ctx, *count < STICK_MOST_DEFINES, STICK_USAGE, "more than %d %s", STICK_MOST_DEFINES, option);
    char *name = stick_copy_text(ctx, word);
    if (!name)
        return STICK_NO_MEMORY;
    name[equals - word] = '\0';
    pairs[(*count)++] = (StickOverride){name, equals + 1};
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

static StickStatus positive_number(StickContext *ctx, const char *option, const char *word, double *number)
{
    double value;
    bool good = stick_parse_number(word, &value) && value > 0;
    STICK_CHECK(ctx, good, STICK_USAGE, "option '%s' takes a number above 0, not '%s'", option, word);
    *number = value;
    return STICK_OK;
}

static const struct Option {
    const char *word;
    unsigned bits; // of the options that it stands for
} options[] = {
    {"-o", STICK_OPTION_FOLDER | STICK_OPTION_FILE | STICK_OPTION_PAGE},
    {"-D", STICK_OPTION_DEFINE},
    {"--solver", STICK_OPTION_SOLVER},
    {"--solvers", STICK_OPTION_SOLVERS},
    {"--tol", STICK_OPTION_TOLERANCE | STICK_OPTION_TOLERANCES | STICK_OPTION_AGREE},
    {"--base", STICK_OPTION_BASE},
    {"--as", STICK_OPTION_AS},
    {"--set", STICK_OPTION_SET},
    {"--guess", STICK_OPTION_GUESS},
    {"--cold", STICK_OPTION_COLD},
    {"-j", STICK_OPTION_THREADS},
    {"--limit", STICK_OPTION_LIMIT},
    {"--repeats", STICK_OPTION_REPEATS},
    {"--dump-problems", STICK_OPTION_DUMP},
    {"--force", STICK_OPTION_FORCE},
    {"--json", STICK_OPTION_JSON},
    {"--quiet", STICK_OPTION_QUIET},
    {"--report", STICK_OPTION_REPORT},
    {"--full", STICK_OPTION_FULL},
    {"--no-plots", STICK_OPTION_NO_PLOTS},
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
        STICK_CHECK(ctx, takes & options[k].bits, STICK_USAGE,
                    "'stickslip %s' takes no '%s'; see 'stickslip %s --help'", arguments->command, word,
                    arguments->command);
        *bit = takes & options[k].bits;
        return STICK_OK;
    }
    StickSuggestion suggestion = stick_suggestion(word, known, NOPTIONS);
    return stick_fail(ctx, STICK_USAGE, "unknown option '%s'%s; see 'stickslip %s --help'", word,
                      suggestion.text, arguments->command);
}

// Where an option that is kept as its text goes.
static const char **text_of(StickArguments *arguments, unsigned bit)
{
    switch (bit) {
    case STICK_OPTION_SOLVER:
        return &arguments->solver;
    case STICK_OPTION_SOLVERS:
        return &arguments->solvers;
    case STICK_OPTION_AS:
        return &arguments->as;
    case STICK_OPTION_BASE:
        return &arguments->base;
    case STICK_OPTION_TOLERANCES:
        return &arguments->tolerances;
    case STICK_OPTION_DUMP:
        return &arguments->dump;
    default:
        return &arguments->folder;
    }
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
    case STICK_OPTION_COLD:
        arguments->cold = true;
        return STICK_OK;
    case STICK_OPTION_REPORT:
        arguments->report = true;
        return STICK_OK;
    case STICK_OPTION_FULL:
        arguments->full = true;
        return STICK_OK;
    case STICK_OPTION_NO_PLOTS:
        arguments->no_plots = true;
        return STICK_OK;
    case STICK_OPTION_DEFINE:
        return add_pair(ctx, word, value, arguments->define, &arguments->ndefines);
    case STICK_OPTION_SET:
        return add_pair(ctx, word, value, arguments->set, &arguments->nsets);
    case STICK_OPTION_TOLERANCE:
    case STICK_OPTION_AGREE:
        return positive_number(ctx, word, value, &arguments->tolerance);
    case STICK_OPTION_LIMIT:
        return positive_number(ctx, word, value, &arguments->limit);
    case STICK_OPTION_GUESS:
        return whole_number(ctx, word, value, &arguments->guess);
    case STICK_OPTION_THREADS:
        return whole_number(ctx, word, value, &arguments->threads);
    case STICK_OPTION_REPEATS:
        return whole_number(ctx, word, value, &arguments->repeats);
    case STICK_OPTION_CHECKPOINT:
        return whole_number(ctx, word, value, &arguments->checkpoint);
    default:
        *text_of(arguments, bit) = value;
        return STICK_OK;
    }
}

// The value behind the name in one word: -Dname=value, -j4, --tol=1e-6. NULL if there is none.
static const char *glued_value(const char *word, char name[64])
{
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    bool is_short = strlen(word) > 2 && strchr("Djo", word[1]) != NULL;
    size_t length = is_short ? 2 : equals ? (size_t)(equals - word) : strlen(word);
    snprintf(name, 64, "%.*s", (int)(length < 63 ? length : 63), word);
    return is_short ? word + 2 : equals ? equals + 1 : NULL;
}

static StickStatus parse_option(StickContext *ctx, int argc, char **argv, int *k, unsigned takes,
                                StickArguments *arguments)
{
    const unsigned flags = STICK_OPTION_FORCE | STICK_OPTION_JSON | STICK_OPTION_QUIET | STICK_OPTION_COLD |
                           STICK_OPTION_REPORT | STICK_OPTION_FULL | STICK_OPTION_NO_PLOTS;
    char name[64];
    const char *value = glued_value(argv[*k], name);
    unsigned bit;
    STICK_TRY(find_option(ctx, arguments, name, takes, &bit));
    STICK_CHECK(ctx, !value || !(bit & flags), STICK_USAGE, "option '%s' takes no value", name);
    if (!value && bit == STICK_OPTION_DUMP)
        value = "";
    else if (!value && !(bit & flags))
        STICK_TRY(next_word(ctx, argc, argv, k, &value));
    return set_option(ctx, arguments, bit, name, value);
}

static StickStatus parse_word(StickContext *ctx, int argc, char **argv, int *k, unsigned takes,
                              StickArguments *arguments)
{
    if (argv[*k][0] == '-')
        return parse_option(ctx, argc, argv, k, takes, arguments);
    STICK_CHECK(ctx, arguments->noperands < STICK_MOST_OPERANDS, STICK_USAGE, "more than %d files",
                STICK_MOST_OPERANDS);
    arguments->operand[arguments->noperands++] = argv[*k];
    return STICK_OK;
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
    for (int k = 0; k < arguments->nsets; k++)
        stick_free(ctx, (char *)arguments->set[k].name);
    arguments->ndefines = arguments->nsets = 0;
}
