// SPDX-License-Identifier: Apache-2.0
#include "output/origin.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char start[] = "# made from '", middle[] = "': ";

typedef struct Origin {
    char path[STICK_PATH_TEXT]; // empty: unknown
    int64_t size;
    uint64_t hash;
} Origin;

// Of the first line of a kept model.
static StickStatus read_origin(StickContext *ctx, const char *model, Origin *origin)
{
    char *bytes;
    size_t count;
    *origin = (Origin){.path = ""};
    STICK_TRY(stick_file_read(ctx, model, &bytes, &count));
    const char *end = memchr(bytes, '\n', count), *at = NULL;
    if (end && strncmp(bytes, start, sizeof start - 1) == 0)
        // a path may hold what follows it, too
        for (const char *next = bytes; (next = strstr(next, middle)) && next < end; next++)
            at = next;
    const char *path = bytes + sizeof start - 1;
    if (at && at > path && at - path < STICK_PATH_TEXT &&
        sscanf(at + sizeof middle - 1, "%" SCNd64 " bytes, hash %16" SCNx64, &origin->size, &origin->hash) ==
            2)
        snprintf(origin->path, sizeof origin->path, "%.*s", (int)(at - path), path);
    stick_free(ctx, bytes);
    return STICK_OK;
}

static StickStatus look_at_file(StickContext *ctx, const char *model, Origin *origin)
{
    char *path = stick_file_is_regular(model) ? realpath(model, NULL) : NULL;
    *origin = (Origin){.path = ""};
    if (!path)
        return STICK_OK;
    bool fits = strlen(path) < sizeof origin->path && !strchr(path, '\n');
    StickStatus status = stick_file_hash(ctx, path, -1, &origin->hash, &origin->size);
    if (status == STICK_OK && fits)
        snprintf(origin->path, sizeof origin->path, "%s", path);
    free(path);
    return status;
}

StickStatus stick_origin_add(StickContext *ctx, const char *model, const char *folder, StickText *text)
{
    char kept[STICK_PATH_TEXT];
    Origin origin;
    STICK_TRY(stick_path_in(ctx, folder, "model.yaml", kept));
    STICK_TRY(strcmp(model, kept) == 0 ? read_origin(ctx, model, &origin)
                                       : look_at_file(ctx, model, &origin));
    if (origin.path[0])
        stick_text_add(text, "%s%s%s%" PRId64 " bytes, hash %016" PRIx64 "\n", start, origin.path, middle,
                       origin.size, origin.hash);
    return stick_text_status(text);
}

StickStatus stick_origin_verify(StickContext *ctx, const char *folder)
{
    char model[STICK_PATH_TEXT];
    Origin then, now;
    STICK_TRY(stick_path_in(ctx, folder, "model.yaml", model));
    STICK_TRY(read_origin(ctx, model, &then));
    if (!then.path[0] || !stick_file_is_regular(then.path))
        return STICK_OK;
    STICK_TRY(look_at_file(ctx, then.path, &now));
    STICK_CHECK(
        ctx, now.size == then.size && now.hash == then.hash, STICK_IO,
        "cannot resume '%s': the model file '%s' was changed after this run was started from it, and the "
        "run would go on with the old one, which is kept as '%s'. 'stickslip run %s -o %s --force' "
        "starts again with the changed file; to go on with the old one, delete the first line of '%s'",
        folder, then.path, model, then.path, folder, model);
    return STICK_OK;
}

const char *stick_origin_skip(const char *text)
{
    const char *end = strncmp(text, start, sizeof start - 1) == 0 ? strchr(text, '\n') : NULL;
    return end ? end + 1 : text;
}
