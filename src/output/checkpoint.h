// SPDX-License-Identifier: Apache-2.0
// Checkpoints: the state of a run in one HDF5 file, exact to the bit, whole or not at all.
//
// The file is made in memory and written at once: after a crash there is the old checkpoint or the new one.
// In front of HDF5's own bytes stands one text block with the version, the size and a hash of all that
// follows; nothing is handed to HDF5 before these are right. Each dataset carries the hash of its values as
// well.
#ifndef OUTPUT_CHECKPOINT_H
#define OUTPUT_CHECKPOINT_H

#include "base/hash.h"

#include <stickslip/context.h>

#include <stdbool.h>
#include <stdint.h>

enum { STICK_CHECKPOINT_VERSION = 13 };

// ---- writing

typedef struct StickCheckpointWriter StickCheckpointWriter;

StickStatus stick_checkpoint_create(StickContext *ctx, const char *path, StickCheckpointWriter **writer);

// Names are unique; a '/' in them makes groups ("body/q").
StickStatus stick_checkpoint_put_doubles(StickCheckpointWriter *writer, const char *name,
                                         const double *values, size_t count);
StickStatus stick_checkpoint_put_integers(StickCheckpointWriter *writer, const char *name,
                                          const int64_t *values, size_t count);
StickStatus stick_checkpoint_put_text(StickCheckpointWriter *writer, const char *name, const char *text);

// Writes the file and frees the writer, also when it fails: the old checkpoint then stays.
StickStatus stick_checkpoint_commit(StickCheckpointWriter *writer);

// Frees the writer; the file is as before. NULL is fine.
void stick_checkpoint_abandon(StickCheckpointWriter *writer);

// ---- reading

typedef struct StickCheckpoint StickCheckpoint;

// A missing, damaged or cut-off file is STICK_IO; one of another version STICK_BAD_INPUT.
StickStatus stick_checkpoint_open(StickContext *ctx, const char *path, StickCheckpoint **checkpoint);
void stick_checkpoint_close(StickCheckpoint *checkpoint);

bool stick_checkpoint_has(const StickCheckpoint *checkpoint, const char *name);

// Number of values of a dataset, so that the caller can make room for them.
StickStatus stick_checkpoint_count(const StickCheckpoint *checkpoint, const char *name, size_t *count);

// It is STICK_BAD_INPUT if there is no such dataset, or it has another type, or not count values.
StickStatus stick_checkpoint_get_doubles(const StickCheckpoint *checkpoint, const char *name, double *values,
                                         size_t count);
StickStatus stick_checkpoint_get_integers(const StickCheckpoint *checkpoint, const char *name,
                                          int64_t *values, size_t count);
// The text in new memory.
StickStatus stick_checkpoint_get_text(const StickCheckpoint *checkpoint, const char *name, char **text);

#endif
