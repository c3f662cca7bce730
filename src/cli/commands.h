// SPDX-License-Identifier: Apache-2.0
// Commands that have a file of their own. What they print is for people, or JSON for machines.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

// stickslip solve FILE...
StickStatus stick_command_solve(StickContext *ctx, const StickArguments *arguments);

// stickslip bench DIR
StickStatus stick_command_bench(StickContext *ctx, const StickArguments *arguments);

// "1.23 ms", as people read times
void stick_seconds_text(double seconds, char text[32]);

#endif
