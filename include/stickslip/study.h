// SPDX-License-Identifier: Apache-2.0
// A study: a model file with its cases, from the file to a result folder (docs/reference/model-file.md,
// docs/reference/results.md).
#ifndef STICKSLIP_STUDY_H
#define STICKSLIP_STUDY_H

#include <stickslip/context.h>

#include <signal.h>
#include <stdbool.h>

// A parameter of the model that is overridden, as by -D name=value.
typedef struct StickOverride {
    const char *name;
    const char *value;
} StickOverride;

// Reports the progress of a run. The name is that of the case (none: "") and, of a model with several steps, of its
// step; step counts time steps, increments, states or values, and t and end are nan where there is no time.
typedef struct StickProgress {
    void (*report)(void *user, const char *name, long step, long nsteps, double t, double end);
    void *user;
} StickProgress;

typedef struct StickStudyOptions {
    const char *model;  // path of the model file
    const char *folder; // result folder
    const StickOverride *overrides;
    int noverrides;
    bool no_plots;        // pictures of plots/ are not drawn
    bool force;           // replace an earlier result folder
    int checkpoint_steps; // steps between checkpoints; 0: every few seconds
    // Steps whose contact problem is written into problems/, as "10,20-30" or "100-"; "": all, NULL: only one
    // that fails.
    const char *dump_problems;
    int threads;                       // results have the same bits for every number; 0: one
    StickProgress progress;            // may be empty
    bool *started;                     // becomes true once the folder is that of this run; may be NULL
    const volatile sig_atomic_t *stop; // set from outside to interrupt; may be NULL
    volatile sig_atomic_t *saving; // becomes 1 when an interrupted run begins to save its state; may be NULL
} StickStudyOptions;

// Reads the model and builds all its cases; nothing is written.
StickStatus stick_study_check(StickContext *ctx, const StickStudyOptions *options);

// Runs all cases into the folder. An existing folder is
// refused unless it is a result folder and force is set.
StickStatus stick_study_run(StickContext *ctx, const StickStudyOptions *options);

// Continues in a result folder whose run was killed or interrupted; a finished one is not changed.
StickStatus stick_study_resume(StickContext *ctx, const StickStudyOptions *options);

#endif
