// SPDX-License-Identifier: Apache-2.0
// A context and a folder of its own for every test that writes files; the folder is gone afterwards.
#ifndef TESTS_OUTPUT_SCRATCH_H
#define TESTS_OUTPUT_SCRATCH_H

#include "check.h"

#include "base/file.h"

#include <unistd.h>

typedef struct Scratch {
    StickContext *ctx;
    char folder[256];
    char path[512];
} Scratch;

static inline int make_scratch(void **state)
{
    Scratch *scratch = calloc(1, sizeof *scratch);
    const char *root = getenv("TMPDIR");
    if (!scratch)
        return -1;
    scratch->ctx = stick_context_create(NULL);
    snprintf(scratch->folder, sizeof scratch->folder, "%s/stickslip-test-XXXXXX", root ? root : "/tmp");
    *state = scratch;
    return scratch->ctx && mkdtemp(scratch->folder) ? 0 : -1;
}

static inline int drop_scratch(void **state)
{
    Scratch *scratch = *state;
    stick_folder_remove(scratch->ctx, scratch->folder);
    stick_context_destroy(scratch->ctx);
    free(scratch);
    return 0;
}

// Valid until the next call.
static inline const char *scratch_path(Scratch *scratch, const char *name)
{
    snprintf(scratch->path, sizeof scratch->path, "%s/%s", scratch->folder, name);
    return scratch->path;
}

static inline void assert_file_is(StickContext *ctx, const char *path, const char *expected)
{
    char *bytes;
    size_t count;
    assert_ok(ctx, stick_file_read(ctx, path, &bytes, &count));
    assert_string_equal(bytes, expected);
    stick_free(ctx, bytes);
}

static inline void assert_error_says(StickContext *ctx, const char *words)
{
    if (!strstr(stick_last_error(ctx), words))
        fail_msg("'%s' is not in the error '%s'", words, stick_last_error(ctx));
}

// Whether a program is there, and whether it is content with a file.
static inline bool have_program(const char *name)
{
    char command[256];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

static inline void assert_well_formed_xml(const char *path)
{
    char command[1024];
    if (!have_program("xmllint"))
        return;
    snprintf(command, sizeof command, "xmllint --noout '%s'", path);
    assert_int_equal(system(command), 0);
}

#define test_with_scratch(function) cmocka_unit_test_setup_teardown(function, make_scratch, drop_scratch)

#endif
