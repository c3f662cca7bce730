// SPDX-License-Identifier: Apache-2.0
// Input files of a model (meshes, time histories): their size and hash are stored, so that a resumed run detects
// changed files.
#ifndef BASE_INPUTS_H
#define BASE_INPUTS_H

#include "base/text.h"

// Files that a context has read since it last forgot them.
typedef struct StickInputs {
    char **line; // "size hash path", each once, by path
    size_t count, capacity;
} StickInputs;

// Like stick_file_read, and stores the size and hash of the file.
StickStatus stick_input_read(StickContext *ctx, const char *path, char **bytes, size_t *count);

void stick_inputs_forget(StickContext *ctx);

// A line for each file: size in bytes, hash, path.
void stick_inputs_list(StickContext *ctx, StickText *text);

// The place where a context keeps them.
StickInputs *stick_context_inputs(StickContext *ctx);

#endif
