// SPDX-License-Identifier: Apache-2.0
// Confirmation in time: a dynamic step that starts from a judged state with a small disturbance, and what becomes of one
// mode of it, step by step.
//
//     history/<step>-growth.csv      amplitude of the mode in every time step
//     stability/<step>/mode.csv      what is predicted for it
#ifndef STUDY_TRANSIENT_CHECK_H
#define STUDY_TRANSIENT_CHECK_H

#include "output/table.h"
#include "stepping/path_record.h"

typedef struct StickTransientCheck StickTransientCheck;

typedef struct StickTransientCheckTask {
    const StickSystem *system;
    const StickStepSpec *step;   // dynamic, with a disturbance
    const StickPathRecord *path; // of the stability step that it names
    const char *folder;          // of results
} StickTransientCheckTask;

// Computes the mode; nothing is written yet. A state without such a mode is STICK_BAD_INPUT, with its place.
StickStatus stick_transient_check_create(StickContext *ctx, const StickTransientCheckTask *task,
                                         StickTransientCheck **confirm);
void stick_transient_check_destroy(StickTransientCheck *confirm);

// At the start of the run: it gets the velocities of the path and the disturbance, and files are begun.
StickStatus stick_transient_check_start(StickTransientCheck *confirm, StickSimulation *run);

// Of a run that is resumed: what was written of later states goes.
StickStatus stick_transient_check_resume(StickTransientCheck *confirm, const StickSimulation *run);

// After every time step: a row of the table.
StickStatus stick_transient_check_see(StickTransientCheck *confirm, const StickSimulation *run);

// Brings the table safely to the disk, before a checkpoint.
StickStatus stick_transient_check_save(StickTransientCheck *confirm, const StickTable **table);

#endif
