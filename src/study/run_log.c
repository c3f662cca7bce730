// SPDX-License-Identifier: Apache-2.0
#include "study/run_log.h"

#include "base/file.h"

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

static void add_said(const StickRunLog *log, StickText *text, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++) {
        const StickDiagnostic *said = stick_diagnostic(log->ctx, k);
        static const char *const severity[] = {"note", "warning", "error"};
        if (said->file && said->line > 0 && said->column > 0)
            stick_text_add(text, "%s:%d:%d: ", said->file, said->line, said->column);
        else if (said->file && said->line > 0)
            stick_text_add(text, "%s:%d: ", said->file, said->line);
        else if (said->file)
            stick_text_add(text, "%s: ", said->file);
        stick_text_add(text, "%s: %s\n", severity[said->severity], said->text);
    }
}

StickStatus stick_run_log_tell(const StickRunLog *log, StickText *text)
{
    STICK_TRY(keep_old_log(log, text));
    if (text->length == 0) // else what reading the model said is there already
        add_said(log, text, log->model->first_said, log->model->end_said);
    add_said(log, text, log->first_diagnostic, stick_diagnostic_count(log->ctx));
    return STICK_OK;
}
