// SPDX-License-Identifier: Apache-2.0
// Files that a checkpoint relies on: how much of each there was when it was taken, and the hash of that. A list is a text
// with a line for each file: "start" (more may follow) or "whole", bytes, hash, name in the result folder.
#ifndef OUTPUT_MANIFEST_H
#define OUTPUT_MANIFEST_H

#include "base/text.h"

#include <stdint.h>

// Hash of the first `bytes` of a file, or of all (-1); *size tells how many the file has. A file that is not there, or is
// shorter, is STICK_IO.
StickStatus stick_file_hash(StickContext *ctx, const char *path, int64_t bytes, uint64_t *hash,
                            int64_t *size);

// The begin of a file that still grows.
void stick_manifest_add(StickText *manifest, const char *name, int64_t bytes, uint64_t hash);

// A file that stays as it is.
StickStatus stick_manifest_add_whole(StickText *manifest, const char *folder, const char *name);

// All files that a folder holds, and its folders, by name; no error if there is no such folder.
StickStatus stick_manifest_add_folder(StickText *manifest, const char *folder, const char *name);

// STICK_IO with the first file of the list that is missing, was cut off or has changed.
StickStatus stick_manifest_check(StickContext *ctx, const char *manifest, const char *folder);

#endif
