// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static StickStatus fail_io(StickContext *ctx, const char *verb, const char *path)
{
    // a stream takes memory of the C library
    return stick_fail(ctx, errno == ENOMEM ? STICK_NO_MEMORY : STICK_IO, "cannot %s '%s': %s", verb, path,
                      strerror(errno));
}

static StickStatus read_stream(StickContext *ctx, FILE *stream, const char *path, char **bytes, size_t *count)
{
    char *read = NULL;
    size_t used = 0, capacity = 0;
    for (;;) {
        void *block = read;
        if (!stick_grow(ctx, &block, &capacity, used + 65536, 1)) {
            stick_free(ctx, read);
            return STICK_NO_MEMORY;
        }
        read = block;
        size_t got = fread(read + used, 1, capacity - used - 1, stream);
        used += got;
        if (got == 0)
            break;
    }
    if (ferror(stream)) {
        stick_free(ctx, read);
        return fail_io(ctx, "read", path);
    }
    read[used] = '\0';
    *bytes = read;
    *count = used;
    return STICK_OK;
}

static StickStatus refuse(StickContext *ctx, const char *verb, const char *path, mode_t mode)
{
    return stick_fail(ctx, STICK_IO, "cannot %s '%s': it is %s", verb, path,
                      S_ISDIR(mode) ? "a folder" : "no regular file");
}

// Checks the opened file, not the current file of that name; O_NONBLOCK: opening a pipe does not wait for its other
// end.
StickStatus stick_file_open(StickContext *ctx, const char *path, FILE **stream)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return fail_io(ctx, "read", path);
    struct stat about;
    bool known = fstat(file, &about) == 0, regular = known && S_ISREG(about.st_mode);
    *stream = regular ? fdopen(file, "rb") : NULL;
    if (*stream)
        return STICK_OK;
    StickStatus status =
        known && !regular ? refuse(ctx, "read", path, about.st_mode) : fail_io(ctx, "read", path);
    close(file);
    return status;
}

StickStatus stick_file_read(StickContext *ctx, const char *path, char **bytes, size_t *count)
{
    FILE *stream;
    STICK_TRY(stick_file_open(ctx, path, &stream));
    StickStatus status = read_stream(ctx, stream, path, bytes, count);
    fclose(stream);
    return status;
}

// O_NONBLOCK: a pipe that has this name already does not wait for a reader.
StickStatus stick_file_create(StickContext *ctx, const char *path, int *file)
{
    int made = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
    if (made < 0)
        return fail_io(ctx, "write", path);
    struct stat about;
    bool known = fstat(made, &about) == 0;
    if (known && S_ISREG(about.st_mode)) {
        *file = made;
        return STICK_OK;
    }
    StickStatus status = known ? refuse(ctx, "write", path, about.st_mode) : fail_io(ctx, "write", path);
    close(made);
    return status;
}

static StickStatus write_stream(StickContext *ctx, FILE *stream, const char *path, const void *bytes,
                                size_t count)
{
    bool good = fwrite(bytes, 1, count, stream) == count && fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    int reason = errno;
    good = fclose(stream) == 0 && good;
    errno = reason;
    return good ? STICK_OK : fail_io(ctx, "write", path);
}

// A pipe, a device or a folder of this name, or a link to one as /dev/stdout is, is never replaced.
static StickStatus check_replaceable(StickContext *ctx, const char *path)
{
    struct stat about;
    bool other = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    return other ? refuse(ctx, "write", path, about.st_mode) : STICK_OK;
}

static StickStatus open_new(StickContext *ctx, const char *path, FILE **stream)
{
    int file;
    STICK_TRY(stick_file_create(ctx, path, &file));
    *stream = fdopen(file, "wb");
    if (*stream)
        return STICK_OK;
    StickStatus status = fail_io(ctx, "write", path);
    close(file);
    unlink(path);
    return status;
}

static StickStatus replace(StickContext *ctx, FILE *stream, const char *beside, const char *path,
                           const void *bytes, size_t count)
{
    StickStatus status = write_stream(ctx, stream, beside, bytes, count);
    if (status == STICK_OK && rename(beside, path) != 0)
        status = fail_io(ctx, "write", path);
    if (status != STICK_OK)
        unlink(beside);
    return status;
}

StickStatus stick_file_write(StickContext *ctx, const char *path, const void *bytes, size_t count)
{
    size_t length = strlen(path);
    char *beside = stick_alloc(ctx, length + 5, 1);
    if (!beside)
        return STICK_NO_MEMORY;
    snprintf(beside, length + 5, "%s.new", path);
    FILE *stream;
    StickStatus status = check_replaceable(ctx, path);
    if (status == STICK_OK)
        status = open_new(ctx, beside, &stream);
    if (status == STICK_OK)
        status = replace(ctx, stream, beside, path, bytes, count);
    stick_free(ctx, beside);
    return status;
}

bool stick_file_exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

bool stick_folder_exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool stick_file_is_regular(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

StickStatus stick_folder_create(StickContext *ctx, const char *path)
{
    char *part = stick_copy_text(ctx, path);
    if (!part)
        return STICK_NO_MEMORY;
    StickStatus status = STICK_OK;
    for (char *end = part + 1; status == STICK_OK; end++) {
        if (*end != '/' && *end != '\0')
            continue;
        char kept = *end;
        *end = '\0';
        if (mkdir(part, 0777) != 0 && !(errno == EEXIST && stick_folder_exists(part)))
            status = fail_io(ctx, "create folder", part);
        *end = kept;
        if (kept == '\0')
            break;
    }
    stick_free(ctx, part);
    return status;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static int remove_inner(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

StickStatus stick_folder_clear(StickContext *ctx, const char *path)
{
    char *inside = stick_path_join(ctx, path, "."); // also where the name is a link to a folder
    if (!inside)
        return STICK_NO_MEMORY;
    StickStatus status = STICK_OK;
    if (nftw(inside, remove_inner, 16, FTW_DEPTH | FTW_PHYS) != 0)
        status = fail_io(ctx, "clear", path);
    stick_free(ctx, inside);
    return status;
}

StickStatus stick_folder_remove(StickContext *ctx, const char *path)
{
    if (!stick_file_exists(path))
        return STICK_OK;
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        return fail_io(ctx, "remove", path);
    return STICK_OK;
}

char *stick_path_join(StickContext *ctx, const char *folder, const char *name)
{
    if (name[0] == '/' || folder[0] == '\0')
        return stick_copy_text(ctx, name);
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = stick_alloc(ctx, length, 1);
    if (path)
        snprintf(path, length, "%s/%s", folder, name);
    return path;
}

StickStatus stick_path_in(StickContext *ctx, const char *folder, const char *name, char path[STICK_PATH_TEXT])
{
    int length = snprintf(path, STICK_PATH_TEXT, "%s/%s", folder, name);
    STICK_CHECK(ctx, length < STICK_PATH_TEXT, STICK_IO,
                "the path of '%s' in '%.200s' is too long: use another folder", name, folder);
    return STICK_OK;
}

char *stick_path_folder(StickContext *ctx, const char *path)
{
    const char *name = stick_path_name(path);
    if (name == path)
        return stick_copy_text(ctx, ".");
    char *folder = stick_copy_text(ctx, path);
    if (folder) {
        size_t length = (size_t)(name - path);
        folder[length > 1 ? length - 1 : 1] = '\0';
    }
    return folder;
}

const char *stick_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

StickStatus stick_folder_holds(StickContext *ctx, const char *folder, const char *name, bool *there)
{
    char *path = stick_path_join(ctx, folder, name);
    if (!path)
        return STICK_NO_MEMORY;
    *there = stick_file_exists(path);
    stick_free(ctx, path);
    return STICK_OK;
}
