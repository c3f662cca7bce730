// SPDX-License-Identifier: Apache-2.0
// Progress on the terminal: a bar with the time left, or plain lines where output is no terminal.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stickslip/study.h>

#include <stdio.h>

typedef struct StickBar {
    FILE *stream;
    bool is_terminal;
    bool drawn;     // a bar stands on the last line
    double started; // clock at the start of the present case
    long first;     // its first step
    double shown;   // clock when it was last shown
    char name[256];
} StickBar;

void stick_bar_init(StickBar *bar, FILE *stream);
void stick_bar_report(void *bar, const char *name, long step, long nsteps, double t, double end);

// Takes the bar away, so that something else can be printed.
void stick_bar_clear(StickBar *bar);

#endif
