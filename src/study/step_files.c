// SPDX-License-Identifier: Apache-2.0
#include "study/step_files.h"

#include "base/file.h"

#include <stdio.h>

// NULL: no memory.
static char *path_of(const StickStepFiles *files, const char *format)
{
    char name[512];
    snprintf(name, sizeof name, format, files->step->name);
    return stick_path_join(files->ctx, files->folder, name);
}

StickStatus stick_step_files_folder(const StickStepFiles *files, char **path)
{
    char *folder = path_of(files, "stability/%.400s");
    StickStatus status = folder ? stick_folder_remove(files->ctx, folder) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = stick_folder_create(files->ctx, folder);
    if (status == STICK_OK)
        *path = folder;
    else
        stick_free(files->ctx, folder);
    return status;
}

StickStatus stick_step_files_table(const StickStepFiles *files, const char *format, const StickBook *book,
                                   StickTable **table)
{
    const char *columns[STICK_BOOK_COLUMNS];
    for (int k = 0; k < book->ncolumns; k++)
        columns[k] = book->column[k];
    char *path = path_of(files, format);
    StickStatus status =
        path ? stick_table_create(files->ctx, path, columns, book->ncolumns, table) : STICK_NO_MEMORY;
    stick_free(files->ctx, path);
    return status;
}

StickStatus stick_step_files_verdicts(const StickStepFiles *files, const StickText *text)
{
    STICK_TRY(stick_text_status(text));
    if (text->length == 0)
        return STICK_OK;
    char *path = path_of(files, "stability/%.400s/verdicts.txt");
    StickStatus status =
        path ? stick_file_write(files->ctx, path, text->bytes, text->length) : STICK_NO_MEMORY;
    stick_free(files->ctx, path);
    return status;
}
