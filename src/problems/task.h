// SPDX-License-Identifier: Apache-2.0
// A problem of a file made ready for the solvers, and one attempt at it by one of them, certified by the
// verifier.
#ifndef PROBLEMS_TASK_H
#define PROBLEMS_TASK_H

#include "problems/problem_file.h"

#include <stickslip/certificate.h>
#include <stickslip/study.h>

typedef struct StickTask {
    StickContext *ctx;
    const StickProblemFile *file;
    bool is_lcp;
    bool is_mates;
    StickLcp lcp;
    StickMixedLcp mates;
    StickFrictionProblem friction;
    StickFrictionData condensed; // of a global problem
} StickTask;

typedef struct StickAttemptOptions {
    double tolerance;         // 0: the default of the method
    const StickOverride *set; // options of the solver
    int nset;
    const double *guess; // r or z to start from; NULL: zero
    int threads;         // 0: not given
} StickAttemptOptions;

typedef struct StickAttempt {
    const char *solver;
    StickSolveInfo info;
    double seconds;               // of the solve alone, processor time
    StickCertificate certificate; // of a friction problem
    double error;                 // shared measure, of the cone that was used; |min(z, w)| / |q| of an LCP;
                                  // the largest of a certificate of pairs
    double error_scale_free;
    double equilibrium; // of v and l with the raw data, once the solution is complete; of forces of pairs
    double tolerance;
    bool certified;
    StickSolutionData solution;
} StickAttempt;

// The file must stay as long as the task. A global problem is condensed.
StickStatus stick_task_create(StickContext *ctx, const StickProblemFile *file, StickTask *task);
void stick_task_destroy(StickTask *task);

// Names of the methods for this kind of problem, NULL past the last, and the one to take if none is named.
const char *stick_task_solver(const StickTask *task, int index);
const char *stick_task_default_solver(const StickTask *task);

// Solves and certifies; how it ended is in the attempt. r and u (z and w) are its own: destroy it.
StickStatus stick_task_attempt(const StickTask *task, const char *solver, const StickAttemptOptions *options,
                               StickAttempt *attempt);
void stick_attempt_destroy(StickContext *ctx, StickAttempt *attempt);

// Problems by the methods that solve them.
typedef enum StickMethodKind {
    STICK_METHODS_FRICTION,
    STICK_METHODS_LCP,
    STICK_METHODS_MATES,
    STICK_METHOD_KINDS,
} StickMethodKind;

StickMethodKind stick_method_kind(StickProblemKind kind);
// Names of the methods of a kind, NULL past the last.
const char *stick_method_name_of(StickMethodKind kind, int index);
bool stick_method_exists(StickMethodKind kind, const char *name);

// Leaves of the kinds those whose methods take these options; STICK_USAGE with the reason if none does.
StickStatus stick_attempt_check(StickContext *ctx, const StickAttemptOptions *options,
                                bool kinds[STICK_METHOD_KINDS]);

// Adds v and the multipliers l of bilateral rows. An answer that misses the rows of the file with them, before
// anything was condensed or eliminated, loses its certificate.
StickStatus stick_task_complete(const StickTask *task, StickAttempt *attempt);

#endif
