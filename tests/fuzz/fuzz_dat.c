// SPDX-License-Identifier: Apache-2.0
// Any text as a problem of another code: an error or a problem, whatever it is taken for.
#include "fuzz.h"

#include "problems/problem_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = input_file(data, size);
    for (int as = STICK_PROBLEM_AUTO; as <= STICK_PROBLEM_MATES; as++) {
        StickContext *ctx = stick_context_create(NULL);
        StickProblemFile *file;
        if (stick_problem_read(ctx, path, (StickProblemKind)as, &file) == STICK_OK)
            stick_problem_destroy(file);
        stick_context_destroy(ctx);
    }
    return 0;
}
