// SPDX-License-Identifier: Apache-2.0
// Confirmation in time: a dynamic step that starts from a judged state with a small disturbance, and what becomes of one
// mode of it, step by step.
//
//     history/<step>-growth.csv      amplitude of the mode in every time step
//     stability/<step>/mode.csv      what is predicted for it
#ifndef STUDY_CONFIRM_H
#define STUDY_CONFIRM_H

#include "drive/path_record.h"
#include "output/table.h"

typedef struct StickConfirm StickConfirm;

typedef struct StickConfirmTask {
    const StickSystem *system;
    const StickStepSpec *step;   // dynamic, with a disturbance
    const StickPathRecord *path; // of the stability step that it names
    const char *folder;          // of results
} StickConfirmTask;

// Computes the mode; nothing is written yet. A state without such a mode is STICK_BAD_INPUT, with its place.
StickStatus stick_confirm_create(StickContext *ctx, const StickConfirmTask *task, StickConfirm **confirm);
void stick_confirm_destroy(StickConfirm *confirm);

// At the start of the run: it gets the velocities of the path and the disturbance, and files are begun.
StickStatus stick_confirm_start(StickConfirm *confirm, StickRun *run);

// Of a run that is resumed: what was written of later states goes.
StickStatus stick_confirm_resume(StickConfirm *confirm, const StickRun *run);

// After every time step: a row of the table.
StickStatus stick_confirm_see(StickConfirm *confirm, const StickRun *run);

// Brings the table safely to the disk, before a checkpoint.
StickStatus stick_confirm_save(StickConfirm *confirm, const StickTable **table);

#endif
