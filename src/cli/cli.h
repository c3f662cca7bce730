// SPDX-License-Identifier: Apache-2.0
// The program: commands, their arguments, and what people see while it works.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stickslip/study.h>

enum { STICK_MOST_DEFINES = 128, STICK_MOST_OPERANDS = 4096 };

// Options that a command can take.
enum {
    STICK_OPTION_FOLDER = 1,
    STICK_OPTION_DEFINE = 2,
    STICK_OPTION_FORCE = 4,
    STICK_OPTION_JSON = 8,
    STICK_OPTION_QUIET = 16,
    STICK_OPTION_CHECKPOINT = 64,
    STICK_OPTION_SOLVER = 128,
    STICK_OPTION_TOLERANCE = 256,
    STICK_OPTION_AS = 512,
    STICK_OPTION_SET = 1024,
    STICK_OPTION_GUESS = 2048,
    STICK_OPTION_COLD = 4096,
    STICK_OPTION_SOLVERS = 8192,
    STICK_OPTION_TOLERANCES = 1 << 14,
    STICK_OPTION_LIMIT = 1 << 15,
    STICK_OPTION_REPEATS = 1 << 16,
    STICK_OPTION_DUMP = 1 << 17,
    STICK_OPTION_THREADS = 1 << 19,
    STICK_OPTION_FILE = 1 << 18,  // -o of a command that writes one file
    STICK_OPTION_AGREE = 1 << 20, // --tol of compare
    STICK_OPTION_BASE = 1 << 21,
    STICK_OPTION_PAGE = 1 << 24, // -o of a command that writes a page
    STICK_OPTION_REPORT = 1 << 25,
    STICK_OPTION_FULL = 1 << 26,
    STICK_OPTION_NO_PLOTS = 1 << 27,
};

// Arguments of a command, parsed.
typedef struct StickArguments {
    const char *command;
    const char *operand[STICK_MOST_OPERANDS]; // files and folders
    int noperands;
    const char *folder;                       // -o
    StickOverride define[STICK_MOST_DEFINES]; // -D
    int ndefines;
    StickOverride set[STICK_MOST_DEFINES]; // --set
    int nsets;
    const char *solver;     // --solver
    const char *solvers;    // --solvers, separated by commas
    const char *as;         // --as
    const char *base;       // --base
    const char *dump;       // --dump-problems: the steps, or "" for all
    const char *tolerances; // --tol of bench, separated by commas
    double tolerance;       // --tol; 0: not given
    double limit;           // --limit; 0: not given
    int repeats;            // --repeats; 0: not given
    int guess;              // --guess; 0: not given
    int threads;            // -j; 0: not given
    bool cold;
    bool force;
    bool json;
    bool quiet;
    bool report;   // --report
    bool full;     // --full
    bool no_plots; // --no-plots
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
