// SPDX-License-Identifier: Apache-2.0
#include "output/table.h"

#include "base/hash.h"
#include "base/text.h"
#include "output/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct StickTable {
    StickContext *ctx;
    char *path;
    int ncolumns;
    int file;         // descriptor
    int64_t position; // end of the last whole row
    uint64_t hash;    // of all up to there
    StickText row;    // kept, so that a row allocates nothing
};

static StickStatus fail_io(StickContext *ctx, const char *verb, const char *path, int reason)
{
    return stick_fail(ctx, STICK_IO, "cannot %s '%s': %s", verb, path, strerror(reason));
}

// ---- header

static StickStatus check_columns(StickContext *ctx, const char *path, const char *const *columns,
                                 int ncolumns)
{
    STICK_CHECK(ctx, ncolumns >= 1, STICK_BAD_INPUT, "'%s': a table needs columns, not %d", path, ncolumns);
    for (int k = 0; k < ncolumns; k++) {
        STICK_CHECK(ctx, columns[k][0], STICK_BAD_INPUT, "'%s': column %d has no name", path, k + 1);
        for (const char *c = columns[k]; *c; c++)
            STICK_CHECK(ctx, (unsigned char)*c >= 0x20, STICK_BAD_INPUT,
                        "'%s': the name of column %d holds the control character %d", path, k + 1, *c);
        for (int j = 0; j < k; j++)
            STICK_CHECK(ctx, strcmp(columns[j], columns[k]) != 0, STICK_BAD_INPUT,
                        "'%s': columns %d and %d have the same name '%s'", path, j + 1, k + 1, columns[k]);
    }
    return STICK_OK;
}

static StickStatus header_line(StickText *text, const char *const *columns, int ncolumns)
{
    for (int k = 0; k < ncolumns; k++) {
        stick_text_add(text, k ? "," : "");
        stick_text_add_csv(text, columns[k]);
    }
    stick_text_add(text, "\n");
    return stick_text_status(text);
}

// ---- writing

// All bytes or none: what a full disk took of them is cut off again.
static StickStatus append(StickTable *table, const char *bytes, size_t count)
{
    size_t done = 0;
    while (done < count) {
        ssize_t now = write(table->file, bytes + done, count - done);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0) {
            int reason = now < 0 ? errno : ENOSPC;
            if (done > 0 && ftruncate(table->file, table->position) == 0)
                (void)lseek(table->file, table->position, SEEK_SET);
            return fail_io(table->ctx, "write", table->path, reason);
        }
        done += (size_t)now;
    }
    table->position += (int64_t)count;
    table->hash = stick_hash(table->hash, bytes, count);
    return STICK_OK;
}

static StickStatus make(StickContext *ctx, const char *path, int ncolumns, StickTable **table)
{
    StickTable *made;
    STICK_ALLOC(ctx, made, 1);
    *made = (StickTable){.ctx = ctx, .ncolumns = ncolumns, .file = -1, .hash = STICK_HASH_START};
    stick_text_init(&made->row, ctx);
    made->path = stick_copy_text(ctx, path);
    if (!made->path) {
        stick_free(ctx, made);
        return STICK_NO_MEMORY;
    }
    *table = made;
    return STICK_OK;
}

static void destroy(StickTable *table)
{
    if (table->file >= 0)
        close(table->file);
    stick_text_destroy(&table->row);
    stick_free(table->ctx, table->path);
    stick_free(table->ctx, table);
}

static StickStatus start_file(StickTable *table, const char *const *columns)
{
    STICK_TRY(header_line(&table->row, columns, table->ncolumns));
    // O_NONBLOCK: a pipe of this name does not wait for a reader
    table->file = open(table->path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
    if (table->file < 0)
        return fail_io(table->ctx, "write", table->path, errno);
    return append(table, table->row.bytes, table->row.length);
}

StickStatus stick_table_create(StickContext *ctx, const char *path, const char *const *columns, int ncolumns,
                               StickTable **table)
{
    StickTable *made;
    STICK_TRY(check_columns(ctx, path, columns, ncolumns));
    STICK_TRY(make(ctx, path, ncolumns, &made));
    StickStatus status = start_file(made, columns);
    if (status != STICK_OK) {
        destroy(made);
        return status;
    }
    *table = made;
    return STICK_OK;
}

// The file must begin with this header and reach to the position, right behind the end of a line.
static StickStatus check_old_file(StickTable *table, int64_t position)
{
    StickContext *ctx = table->ctx;
    size_t length = table->row.length;
    struct stat about;
    if (fstat(table->file, &about) != 0)
        return fail_io(ctx, "read", table->path, errno);
    STICK_CHECK(ctx, position >= (int64_t)length, STICK_BAD_INPUT,
                "cannot resume '%s' at byte %lld, inside its header", table->path, (long long)position);
    STICK_CHECK(ctx, about.st_size >= position, STICK_IO,
                "cannot resume '%s' at byte %lld: it has only %lld bytes", table->path, (long long)position,
                (long long)about.st_size);
    char *old = stick_alloc(ctx, length, 1);
    if (!old)
        return STICK_NO_MEMORY;
    ssize_t got = pread(table->file, old, length, 0);
    bool same = got == (ssize_t)length && memcmp(old, table->row.bytes, length) == 0;
    stick_free(ctx, old);
    if (got < 0)
        return fail_io(ctx, "read", table->path, errno);
    STICK_CHECK(ctx, same, STICK_BAD_INPUT, "cannot resume '%s': its columns are not '%.*s'", table->path,
                (int)length - 1, table->row.bytes);
    char last = 0;
    got = pread(table->file, &last, 1, position - 1);
    if (got < 0)
        return fail_io(ctx, "read", table->path, errno);
    STICK_CHECK(ctx, got == 1 && last == '\n', STICK_BAD_INPUT,
                "cannot resume '%s' at byte %lld, inside a row", table->path, (long long)position);
    return STICK_OK;
}

static StickStatus go_on(StickTable *table, const char *const *columns, int64_t position)
{
    STICK_TRY(header_line(&table->row, columns, table->ncolumns));
    table->file = open(table->path, O_RDWR | O_CLOEXEC);
    if (table->file < 0)
        return fail_io(table->ctx, "resume", table->path, errno);
    int64_t size;
    STICK_TRY(check_old_file(table, position));
    STICK_TRY(stick_file_hash(table->ctx, table->path, position, &table->hash, &size));
    if (ftruncate(table->file, position) != 0 || lseek(table->file, position, SEEK_SET) != position)
        return fail_io(table->ctx, "resume", table->path, errno);
    table->position = position;
    return STICK_OK;
}

StickStatus stick_table_resume(StickContext *ctx, const char *path, const char *const *columns, int ncolumns,
                               int64_t position, StickTable **table)
{
    StickTable *made;
    STICK_TRY(check_columns(ctx, path, columns, ncolumns));
    STICK_TRY(make(ctx, path, ncolumns, &made));
    StickStatus status = go_on(made, columns, position);
    if (status != STICK_OK) {
        destroy(made);
        return status;
    }
    *table = made;
    return STICK_OK;
}

StickStatus stick_table_row(StickTable *table, const double *values)
{
    StickText *row = &table->row;
    stick_text_clear(row);
    for (int k = 0; k < table->ncolumns; k++) {
        if (k)
            stick_text_add_bytes(row, ",", 1);
        stick_text_add_number(row, values[k]);
    }
    stick_text_add_bytes(row, "\n", 1);
    StickStatus status = stick_text_status(row);
    row->failed = false;
    STICK_TRY(status);
    return append(table, row->bytes, row->length);
}

StickStatus stick_table_position(StickTable *table, int64_t *position)
{
    // files that cannot be synchronised (pipes, devices) are no error
    if (fsync(table->file) != 0 && errno != EINVAL && errno != EROFS)
        return fail_io(table->ctx, "write", table->path, errno);
    *position = table->position;
    return STICK_OK;
}

void stick_table_list(const StickTable *table, const char *folder, StickText *manifest)
{
    stick_manifest_add(manifest, table->path + strlen(folder) + 1, table->position, table->hash);
}

StickStatus stick_table_close(StickTable *table)
{
    if (!table)
        return STICK_OK;
    StickStatus status = STICK_OK;
    if (close(table->file) != 0)
        status = fail_io(table->ctx, "write", table->path, errno);
    table->file = -1;
    destroy(table);
    return status;
}
