// SPDX-License-Identifier: Apache-2.0
#include "study/run_log.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

// What was said before a run was resumed stays.
static StickStatus keep_old_log(const StickRunLog *log, StickText *text)
{
    char *path = stick_path_join(log->ctx, log->folder, "run.log"), *bytes;
    size_t count;
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = STICK_OK;
    if (log->old_bytes > 0 && stick_file_exists(path)) {
        status = stick_file_read(log->ctx, path, &bytes, &count);
        if (status == STICK_OK) {
            stick_text_add_bytes(text, bytes, count < log->old_bytes ? count : log->old_bytes);
            stick_free(log->ctx, bytes);
        }
    }
    stick_free(log->ctx, path);
    return status;
}

enum { LINE = 8192 };

// Returns the length of the line.
static size_t write_line(const StickDiagnostic *said, char line[LINE])
{
    static const char *const severity[] = {"note", "warning", "error"};
    char place[64] = "";
    if (said->file && said->line > 0 && said->column > 0)
        snprintf(place, sizeof place, ":%d:%d", said->line, said->column);
    else if (said->file && said->line > 0)
        snprintf(place, sizeof place, ":%d", said->line);
    int length = snprintf(line, LINE, "%s%s%s%s: %s\n", said->file ? said->file : "", place,
                          said->file ? ": " : "", severity[said->severity], said->text);
    if (length < LINE)
        return (size_t)length;
    line[LINE - 2] = '\n';
    return LINE - 1;
}

static void add_said(const StickRunLog *log, StickText *text, size_t first, size_t end)
{
    char line[LINE];
    for (size_t k = first; k < end; k++)
        stick_text_add_bytes(text, line, write_line(stick_diagnostic(log->ctx, k), line));
}

static StickStatus tell(const StickRunLog *log, StickText *text)
{
    STICK_TRY(keep_old_log(log, text));
    if (text->length == 0) // else what reading the model said is there already
        add_said(log, text, log->model->first_said, log->model->end_said);
    add_said(log, text, log->first_diagnostic, stick_diagnostic_count(log->ctx));
    return STICK_OK;
}

static StickStatus write_whole(const StickRunLog *log, const char *path)
{
    StickText text;
    stick_text_init(&text, log->ctx);
    StickStatus status = tell(log, &text);
    if (status == STICK_OK)
        status = stick_text_status(&text);
    if (status == STICK_OK)
        status = stick_file_write(log->ctx, path, text.bytes ? text.bytes : "", text.length);
    stick_text_destroy(&text);
    return status;
}

// A line that cannot be added is there when the log is closed, or that is an error.
static void append(void *user, const StickDiagnostic *said)
{
    const StickRunLog *log = user;
    char line[LINE];
    ssize_t written = write(log->file, line, write_line(said, line));
    (void)written;
}

StickStatus stick_run_log_open(StickRunLog *log)
{
    char *path = stick_path_join(log->ctx, log->folder, "run.log");
    StickStatus status = path ? write_whole(log, path) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        log->file = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
    stick_free(log->ctx, path);
    if (status == STICK_OK && log->file >= 0)
        stick_context_log(log->ctx, (StickListener){append, log});
    return status;
}

StickStatus stick_run_log_close(StickRunLog *log)
{
    stick_context_log(log->ctx, (StickListener){0});
    if (log->file >= 0)
        close(log->file);
    log->file = -1;
    char *path = stick_path_join(log->ctx, log->folder, "run.log");
    StickStatus status = path ? write_whole(log, path) : STICK_NO_MEMORY;
    stick_free(log->ctx, path);
    return status;
}
