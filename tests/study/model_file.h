// SPDX-License-Identifier: Apache-2.0
// A model file in a scratch folder, and the folder for its results.
#ifndef TESTS_STUDY_MODEL_FILE_H
#define TESTS_STUDY_MODEL_FILE_H

#include "output/scratch.h"

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

#endif
