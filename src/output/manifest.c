// SPDX-License-Identifier: Apache-2.0
#include "output/manifest.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

// The hash of what a descriptor gives, at most so many bytes.
static bool hash_stream(int file, int64_t bytes, char piece[PIECE], uint64_t *hash)
{
    uint64_t value = STICK_HASH_START;
    for (int64_t left = bytes; left > 0;) {
        ssize_t got = read(file, piece, left < PIECE ? (size_t)left : PIECE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        value = stick_hash(value, piece, (size_t)got);
        left -= got;
    }
    *hash = value;
    return true;
}

StickStatus stick_file_hash(StickContext *ctx, const char *path, int64_t bytes, uint64_t *hash, int64_t *size)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    STICK_CHECK(ctx, file >= 0, errno == ENOMEM ? STICK_NO_MEMORY : STICK_IO, "cannot read '%s': %s", path,
                strerror(errno));
    bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    char *piece = regular ? stick_alloc(ctx, PIECE, 1) : NULL;
    StickStatus status = regular && !piece ? STICK_NO_MEMORY : STICK_OK;
    if (!regular)
        status = stick_fail(ctx, STICK_IO, "cannot read '%s': it is no regular file", path);
    else if (about.st_size < bytes)
        status = stick_fail(ctx, STICK_IO, "'%s' was cut off: it has only %lld of %lld bytes", path,
                            (long long)about.st_size, (long long)bytes);
    else if (piece && !hash_stream(file, bytes < 0 ? about.st_size : bytes, piece, hash))
        status = stick_fail(ctx, STICK_IO, "cannot read '%s': %s", path, strerror(errno));
    else
        *size = about.st_size;
    stick_free(ctx, piece);
    close(file);
    return status;
}

static void add(StickText *manifest, const char *kind, int64_t bytes, uint64_t hash, const char *name)
{
    stick_text_add(manifest, "%s %lld %016llx %s\n", kind, (long long)bytes, (unsigned long long)hash, name);
}

void stick_manifest_add(StickText *manifest, const char *name, int64_t bytes, uint64_t hash)
{
    add(manifest, "start", bytes, hash, name);
}

StickStatus stick_manifest_add_whole(StickText *manifest, const char *folder, const char *name)
{
    char path[STICK_PATH_TEXT];
    uint64_t hash;
    int64_t size;
    STICK_TRY(stick_path_in(manifest->ctx, folder, name, path));
    STICK_TRY(stick_file_hash(manifest->ctx, path, -1, &hash, &size));
    add(manifest, "whole", size, hash, name);
    return STICK_OK;
}

static int no_dots(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

StickStatus stick_manifest_add_folder(StickText *manifest, const char *folder, const char *name)
{
    char path[STICK_PATH_TEXT];
    struct dirent **entry;
    STICK_TRY(stick_path_in(manifest->ctx, folder, name, path));
    if (!stick_folder_exists(path))
        return STICK_OK;
    int count = scandir(path, &entry, no_dots, alphasort);
    STICK_CHECK(manifest->ctx, count >= 0, errno == ENOMEM ? STICK_NO_MEMORY : STICK_IO,
                "cannot list '%s': %s", path, strerror(errno));
    StickStatus status = STICK_OK;
    for (int k = 0; k < count; k++) {
        char inner[STICK_PATH_TEXT];
        if (status == STICK_OK)
            status = stick_path_in(manifest->ctx, name, entry[k]->d_name, inner);
        if (status == STICK_OK)
            status = stick_path_in(manifest->ctx, folder, inner, path);
        if (status == STICK_OK)
            status = stick_folder_exists(path) ? stick_manifest_add_folder(manifest, folder, inner)
                                               : stick_manifest_add_whole(manifest, folder, inner);
        free(entry[k]);
    }
    free(entry);
    return status;
}

static StickStatus check_line(StickContext *ctx, const char *line, int length, const char *folder)
{
    char kind[8], name[STICK_PATH_TEXT], path[STICK_PATH_TEXT];
    long long bytes;
    unsigned long long wanted;
    int at = 0;
    snprintf(name, sizeof name, "%.*s", length, line);
    STICK_CHECK(ctx, sscanf(name, "%7s %lld %16llx %n", kind, &bytes, &wanted, &at) == 3 && at > 0, STICK_IO,
                "a checkpoint in '%s' lists a file in a way that makes no sense: '%s'", folder, name);
    uint64_t hash = 0;
    int64_t size = 0;
    STICK_TRY(stick_path_in(ctx, folder, name + at, path));
    STICK_CHECK(ctx, stick_file_exists(path), STICK_IO,
                "cannot resume: '%s' is missing, which the checkpoint relies on", path);
    STICK_TRY(stick_file_hash(ctx, path, bytes, &hash, &size));
    bool same = hash == wanted && (size == bytes || strcmp(kind, "whole") != 0);
    STICK_CHECK(ctx, same, STICK_IO, "cannot resume: '%s' was changed after the checkpoint was taken", path);
    return STICK_OK;
}

StickStatus stick_manifest_check(StickContext *ctx, const char *manifest, const char *folder)
{
    for (const char *line = manifest, *end; (end = strchr(line, '\n')); line = end + 1)
        STICK_TRY(check_line(ctx, line, (int)(end - line), folder));
    return STICK_OK;
}
