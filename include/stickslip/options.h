// SPDX-License-Identifier: Apache-2.0
// Options are described once: a table per struct is used for the model file, --set, --help, the documentation and the
// range check.
#ifndef STICKSLIP_OPTIONS_H
#define STICKSLIP_OPTIONS_H

#include <stickslip/context.h>

typedef enum StickOptionType {
    STICK_OPTION_REAL,    // double
    STICK_OPTION_INTEGER, // int
    STICK_OPTION_BOOL,    // bool
    STICK_OPTION_CHOICE,  // int, index into choices
} StickOptionType;

typedef struct StickOption {
    const char *name;
    StickOptionType type;
    size_t offset; // in the struct of options
    double low;    // allowed range, ends included; zero lies outside where a default must not be forgotten
    double high;
    const char *const *choices; // NULL-terminated, of a choice
    const char *text;           // one line for people
} StickOption;

// The table of a struct of options ends with an entry whose name is NULL.
// Sets one option from its text; a wrong name or value is an error that says which names and values there are.
StickStatus stick_options_set(StickContext *ctx, const StickOption *table, void *options, const char *name,
                              const char *value, StickMark mark);

// Checks every option against its range.
StickStatus stick_options_check(StickContext *ctx, const StickOption *table, const void *options);

#endif
