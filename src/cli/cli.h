// SPDX-License-Identifier: Apache-2.0
// The program: commands, their arguments, and what people see while it works.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stickslip/study.h>

enum { STICK_MOST_DEFINES = 128 };

// Options that a command can take.
enum {
    STICK_OPTION_FOLDER = 1,
    STICK_OPTION_DEFINE = 2,
    STICK_OPTION_FORCE = 4,
    STICK_OPTION_JSON = 8,
    STICK_OPTION_QUIET = 16,
    STICK_OPTION_CHECKPOINT = 64,
};

// Arguments of a command, parsed.
typedef struct StickArguments {
    const char *command;
    const char *operand[16]; // files and folders
    int noperands;
    const char *folder; // -o
    StickOverride define[STICK_MOST_DEFINES];
    int ndefines;
    bool force;
    bool json;
    bool quiet;
    int checkpoint;
} StickArguments;

// Parses the words behind the command, which takes the options
// of the set only; says what is wrong and returns STICK_USAGE.
StickStatus stick_arguments_parse(StickContext *ctx, int argc, char **argv, unsigned takes,
                                  StickArguments *arguments);
void stick_arguments_destroy(StickContext *ctx, StickArguments *arguments);

// Runs the command that argv names; returns the exit code.
int stick_program(int argc, char **argv);

// Help of the program or of one command (NULL: of all).
void stick_print_help(const char *command);

#endif
