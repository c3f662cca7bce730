// SPDX-License-Identifier: Apache-2.0
// A model file in a scratch folder, and the folder for its results.
#ifndef TESTS_STUDY_MODEL_FILE_H
#define TESTS_STUDY_MODEL_FILE_H

#include "output/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ModelFile {
    Scratch *scratch;
    char model[512], folder[512];
} ModelFile;

static inline ModelFile make_model_file(Scratch *scratch, const char *text)
{
    ModelFile made = {.scratch = scratch};
    snprintf(made.model, sizeof made.model, "%s/model.yaml", scratch->folder);
    snprintf(made.folder, sizeof made.folder, "%s/out", scratch->folder);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, made.model, text, strlen(text)));
    setenv("PATH", "/nowhere", 1); // no gnuplot: the pictures have tests of their own
    return made;
}

// A number of the summary of the last run.
static inline double summary_number(Scratch *scratch, const char *name)
{
    char *text, key[256];
    size_t count;
    snprintf(key, sizeof key, "\"%s\": ", name);
    assert_ok(scratch->ctx,
              stick_file_read(scratch->ctx, scratch_path(scratch, "out/summary.json"), &text, &count));
    const char *at = strstr(text, key);
    double value = at ? strtod(at + strlen(key), NULL) : NAN;
    stick_free(scratch->ctx, text);
    return value;
}

#endif
