// SPDX-License-Identifier: Apache-2.0
// One self-contained HTML page of one or several runs (docs/reference/report.md).
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stickslip/context.h>

#include <stdbool.h>

enum { STICK_PAGE_BYTES = 20000000 };

typedef struct StickPageOptions {
    const char *const *folder; // result folders; one with cases stands for all of them
    int nfolders;              // more than one: a comparison
    const char *path;          // of the page
    const char *title;         // NULL: of the model
    bool full;                 // keep all frames and rows
    // What the page says at its top; NULL: what its runs say. The level is "good", "warning" or "bad".
    const char *level, *headline, *detail;
} StickPageOptions;

// What was written, for people.
typedef struct StickPageInfo {
    size_t bytes;
    int runs;
    char left_out[256];   // to keep it small; empty if nothing
    char unreadable[256]; // results that are damaged or missing; empty if nothing
} StickPageInfo;

// Whether the program of the page was built in; without it stick_page_write fails and says what to do.
bool stick_page_is_there(void);

// Fails with STICK_BAD_INPUT where a folder is no result folder. Results that are missing or damaged make a page that
// says so.
StickStatus stick_page_write(StickContext *ctx, const StickPageOptions *options, StickPageInfo *info);

#endif
