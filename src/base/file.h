// SPDX-License-Identifier: Apache-2.0
// Files: read whole, write so that a reader sees either the old content or the new one.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>

// Opens a regular file for reading; a pipe or a device, which may never end, is an error and not waited for.
StickStatus stick_file_open(StickContext *ctx, const char *path, FILE **stream);

// Reads a whole regular file (a pipe or a device may never end); *bytes ends with a '\0' that does not count. The caller frees it.
StickStatus stick_file_read(StickContext *ctx, const char *path, char **bytes, size_t *count);

// Opens a file for writing, empty; a pipe, a device or a folder of this name is an error, and is not waited for.
StickStatus stick_file_create(StickContext *ctx, const char *path, int *file);

// Writes a temporary file in the same folder, flushes it to disk and renames it: after a crash either the old or the
// new file exists. Pipes, devices and folders are not replaced.
StickStatus stick_file_write(StickContext *ctx, const char *path, const void *bytes, size_t count);

bool stick_file_exists(const char *path);
bool stick_folder_exists(const char *path);
bool stick_file_is_regular(const char *path);

// Whether a folder has a file or folder of that name.
StickStatus stick_folder_holds(StickContext *ctx, const char *folder, const char *name, bool *there);

// Makes a folder and its parents.
StickStatus stick_folder_create(StickContext *ctx, const char *path);

// Removes all that is in the folder; the folder itself stays, also where the path is a link to it.
StickStatus stick_folder_clear(StickContext *ctx, const char *path);

// Removes a folder and its contents; it is not an error if it does not exist.
StickStatus stick_folder_remove(StickContext *ctx, const char *path);

// folder/name in new memory, or NULL; an absolute name, or an empty folder, gives the name itself.
char *stick_path_join(StickContext *ctx, const char *folder, const char *name);

// folder/name in room that is there; a path that does not fit is an error.
enum { STICK_PATH_TEXT = 4096 };
StickStatus stick_path_in(StickContext *ctx, const char *folder, const char *name,
                          char path[STICK_PATH_TEXT]);

// The folder part of a path in new memory ("." if it has none); NULL if out of memory.
char *stick_path_folder(StickContext *ctx, const char *path);

// The part after the last slash.
const char *stick_path_name(const char *path);

#endif
