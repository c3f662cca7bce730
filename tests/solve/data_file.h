// SPDX-License-Identifier: Apache-2.0
// Friction problems of other codes, from the folder that STICKSLIP_DATA names; without one a test is skipped.
#ifndef TESTS_SOLVE_DATA_FILE_H
#define TESTS_SOLVE_DATA_FILE_H

#include "check.h"

#include "problems/problem_file.h"

static inline const char *data_folder(void)
{
    const char *folder = getenv("STICKSLIP_DATA");
    if (!folder) {
        print_message("skipped: STICKSLIP_DATA names no folder of problems\n");
        skip();
    }
    return folder;
}

// To be destroyed by stick_problem_destroy.
static inline StickProblemFile *data_file(StickContext *ctx, const char *name)
{
    char path[1024];
    StickProblemFile *file;
    snprintf(path, sizeof path, "%s/friction/%s", data_folder(), name);
    assert_ok(ctx, stick_problem_read(ctx, path, STICK_PROBLEM_FRICTION, &file));
    return file;
}

#endif
