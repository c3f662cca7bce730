// SPDX-License-Identifier: Apache-2.0
// Solves in a process of their own: one that hangs or crashes is stopped and counted, and nothing else is
// harmed.
#ifndef STUDY_TRIAL_H
#define STUDY_TRIAL_H

#include "problems/task.h"

enum { STICK_MOST_REPEATS = 99 };

typedef struct StickTrialOptions {
    const char *solver;
    StickAttemptOptions attempt;
    double limit; // seconds of clock time for one solve
    int repeats;  // at most STICK_MOST_REPEATS; fewer when they take longer than the limit together
} StickTrialOptions;

typedef struct StickTrial {
    bool reached;   // the tolerance, by the verifier's word, in what the options ask for
    bool stopped;   // by the limit
    bool failed;    // refused, or crashed
    int repeats;    // solves that ended
    double seconds; // of processor time, the median
    double error, error_scale_free;
    int iterations;
    StickSolveEnd end;
} StickTrial;

// Only what concerns the process itself is an error.
StickStatus stick_trial_run(const StickTask *task, const StickTrialOptions *options, StickTrial *trial);

#endif
