// SPDX-License-Identifier: Apache-2.0
// The recorder: writes what a run does into its result folder
// as it goes, so that a kill leaves every finished step.
//
//     folder/history/*.csv   a row per step      folder/fields/*.vtu + fields.pvd   a file every few steps
//     folder/checkpoint/state.h5   the state, and how far every file was written when it was taken
#ifndef OUTPUT_RECORDER_H
#define OUTPUT_RECORDER_H

#include "output/contact_times.h"
#include "output/table.h"
#include "stepping/path_record.h"

typedef struct StickRecorder StickRecorder;

// Checks what the model asks for; no file is touched yet.
StickStatus stick_recorder_create(StickContext *ctx, const StickSystem *system, const char *folder,
                                  StickRecorder **recorder);
void stick_recorder_destroy(StickRecorder *recorder);

// Starts all files anew.
StickStatus stick_recorder_open(StickRecorder *recorder);

// Goes on behind the last checkpoint: files are cut back to it, the state goes into the run. stage: which
// step of the model it belongs to. The run must belong to that stage: see stick_recorder_stage.
StickStatus stick_recorder_resume(StickRecorder *recorder, StickSimulation *run);

// A file of results, or all of a folder of them, that stays as it is from now on: checkpoints rely on it. One that is not
// there counts as none.
StickStatus stick_recorder_keep(StickRecorder *recorder, const char *name);

// Whether the folder has a checkpoint, and of which step of the model it is.
bool stick_recorder_has_checkpoint(const char *folder);
StickStatus stick_recorder_stage(StickContext *ctx, const char *folder, int *stage);

// Appends the present state: a row in every table, and a field file if it is due or if last is true.
StickStatus stick_recorder_record(StickRecorder *recorder, const StickSimulation *run, bool last);

// A field file of the present state of a quasistatic run, which was appended before, unless it has one. A step that
// failed or a resume may lie between: the contacts of the run become those of the state again.
StickStatus stick_recorder_show(StickRecorder *recorder, StickSimulation *run);

// Paths that steps before `stage` have judged see the present state of a run, from which this one starts; nothing else of
// it is recorded.
StickStatus stick_recorder_see(StickRecorder *recorder, const StickSimulation *run, int stage);

// What was kept of the path that a stability step of the model speaks of.
const StickPathRecord *stick_recorder_path(const StickRecorder *recorder, int stage);

// How long contacts did what in a dynamic step whose motion is told; NULL: of others.
const StickContactTimes *stick_recorder_times(const StickRecorder *recorder, int stage);

// more: a table that others write in the present step; may be NULL.
StickStatus stick_recorder_checkpoint(StickRecorder *recorder, const StickSimulation *run, int stage,
                                      const StickTable *more);

StickStatus stick_recorder_close(StickRecorder *recorder);

#endif
