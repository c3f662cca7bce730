// SPDX-License-Identifier: Apache-2.0
// Commands that have a file of their own. What they print is for people, or JSON for machines.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

// stickslip solve FILE...
StickStatus stick_command_solve(StickContext *ctx, const StickArguments *arguments);

// stickslip bench DIR
StickStatus stick_command_bench(StickContext *ctx, const StickArguments *arguments);

// stickslip compare DIR...
StickStatus stick_command_compare(StickContext *ctx, const StickArguments *arguments);

// stickslip report DIR...
StickStatus stick_command_report(StickContext *ctx, const StickArguments *arguments);

// The page of a run that has ended, however it did: its status stays, unless that was good and the page is not.
StickStatus stick_report_run(StickContext *ctx, const StickArguments *arguments, const char *folder,
                             StickStatus status);

// Says what to do where the page was not built in.
StickStatus stick_report_check(StickContext *ctx);

// "1.23 ms", as people read times
void stick_seconds_text(double seconds, char text[32]);

#endif
