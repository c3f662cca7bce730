// SPDX-License-Identifier: Apache-2.0
#include "base/inputs.h"

#include "base/file.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "size hash path": the path and what follows it in a comparison.
static const char *path_of(const char *line)
{
    return strchr(strchr(line, ' ') + 1, ' ') + 1;
}

static int compare(const char *a, const char *b)
{
    int order = strcmp(path_of(a), path_of(b));
    return order ? order : strcmp(a, b);
}

static StickStatus note(StickContext *ctx, const char *path, const char *bytes, size_t count)
{
    StickInputs *inputs = stick_context_inputs(ctx);
    char *whole = realpath(path, NULL); // a resume may start in another folder
    const char *name = whole ? whole : path;
    size_t length = strlen(name) + 64, at = inputs->count;
    char *line = stick_alloc(ctx, length, 1);
    if (line)
        snprintf(line, length, "%zu %016llx %s", count,
                 (unsigned long long)stick_hash(STICK_HASH_START, bytes, count), name);
    free(whole);
    if (!line)
        return STICK_NO_MEMORY;
    while (at > 0 && compare(line, inputs->line[at - 1]) < 0)
        at--;
    bool known = at > 0 && compare(line, inputs->line[at - 1]) == 0;
    void *grown = inputs->line;
    bool room = known || stick_grow(ctx, &grown, &inputs->capacity, inputs->count + 1, sizeof *inputs->line);
    inputs->line = grown;
    if (known || !room) {
        stick_free(ctx, line);
        return room ? STICK_OK : STICK_NO_MEMORY;
    }
    memmove(inputs->line + at + 1, inputs->line + at, (inputs->count - at) * sizeof *inputs->line);
    inputs->line[at] = line;
    inputs->count++;
    return STICK_OK;
}

StickStatus stick_input_read(StickContext *ctx, const char *path, char **bytes, size_t *count)
{
    char *read;
    size_t size;
    STICK_TRY(stick_file_read(ctx, path, &read, &size));
    StickStatus status = note(ctx, path, read, size);
    if (status != STICK_OK) {
        stick_free(ctx, read);
        return status;
    }
    *bytes = read;
    *count = size;
    return STICK_OK;
}

void stick_inputs_forget(StickContext *ctx)
{
    StickInputs *inputs = stick_context_inputs(ctx);
    for (size_t k = 0; k < inputs->count; k++)
        stick_free(ctx, inputs->line[k]);
    stick_free(ctx, inputs->line);
    *inputs = (StickInputs){0};
}

void stick_inputs_list(StickContext *ctx, StickText *text)
{
    const StickInputs *inputs = stick_context_inputs(ctx);
    for (size_t k = 0; k < inputs->count; k++)
        stick_text_add(text, "%s\n", inputs->line[k]);
}
