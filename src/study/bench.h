// SPDX-License-Identifier: Apache-2.0
// Solvers compared on problems: which reaches which tolerance, and how fast.
#ifndef STUDY_BENCH_H
#define STUDY_BENCH_H

#include "study/trial.h"

typedef struct StickBenchProblem {
    char *path;
    int size;          // contacts, or the order
    int dim;           // 1: an LCP
    bool is_other;     // of the other kind: it has no trials
    StickTrial *trial; // nsolvers x ntolerances; see stick_bench_trial
} StickBenchProblem;

typedef struct StickBench {
    StickContext *ctx;
    bool is_lcp; // of complementarity problems; else of friction problems
    int nsolvers;
    const char **solver;
    int ntolerances;
    const double *tolerance; // the largest first
    int nproblems;
    StickBenchProblem *problem; // of both kinds: those of the other one have no trials
} StickBench;

typedef struct StickBenchOptions {
    const char *folder;
    const StickBench *rest; // not NULL: what this comparison left to the other kind, not the whole folder
    StickProblemKind as;
    const char *const *solver; // names; none: all of the kind
    int nsolvers;
    const double *tolerance; // the largest first
    int ntolerances;
    double limit;
    int repeats;
    const StickOverride *set;
    int nset;
    // Hears when a problem is done.
    void (*report)(void *user, const StickBench *bench, const StickBenchProblem *problem);
    void *user;
} StickBenchOptions;

// Runs all problems of one kind in the folder, in the order of their names. Files that hold no problem are
// left out with a warning.
StickStatus stick_bench_run(StickContext *ctx, const StickBenchOptions *options, bool lcp, StickBench *bench);
void stick_bench_destroy(StickBench *bench);

// Problems of the kind, with trials, and those of the other kind.
int stick_bench_done(const StickBench *bench);
int stick_bench_others(const StickBench *bench);

const StickTrial *stick_bench_trial(const StickBench *bench, const StickBenchProblem *problem, int solver,
                                    int tolerance);

// The shortest time in which any solver reached the tolerance; INFINITY if none did.
double stick_bench_best(const StickBench *bench, const StickBenchProblem *problem, int tolerance);

// Problems of this kind, those that the solver brought to the tolerance, and the geometric mean of its time
// over the best on them.
typedef struct StickBenchScore {
    int problems;
    int reached;
    int fastest;
    double ratio;
} StickBenchScore;
StickBenchScore stick_bench_score(const StickBench *bench, int solver, int tolerance);

// folder/friction.csv (or lcp.csv), performance profiles and error against time as SVG.
StickStatus stick_bench_write(const StickBench *bench, const char *folder);

#endif
