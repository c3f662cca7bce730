// SPDX-License-Identifier: Apache-2.0
// Discrete problems of contact in files of other codes: what was read, in our letters, and who owns it.
#ifndef PROBLEMS_PROBLEM_FILE_H
#define PROBLEMS_PROBLEM_FILE_H

#include <stickslip/friction.h>
#include <stickslip/lcp.h>
#include <stickslip/sparse.h>

typedef enum StickProblemKind {
    STICK_PROBLEM_AUTO, // asked for only: whatever the file holds
    STICK_PROBLEM_LCP,
    STICK_PROBLEM_FRICTION,
    STICK_PROBLEM_GLOBAL,
} StickProblemKind;

// w = M z + q
typedef struct StickLcpData {
    int n;
    double *M; // n x n by columns
    double *q; // n
} StickLcpData;

// u = W r + u_free
typedef struct StickFrictionData {
    int dim; // 2 or 3
    int ncontacts;
    StickBlocks W;
    double *u_free; // dim * ncontacts
    double *mu;     // ncontacts
} StickFrictionData;

// M v = H r + f, u = H' v + w
typedef struct StickGlobalData {
    int dim; // 2 or 3
    int ncontacts;
    StickSparse M; // n x n
    StickSparse H; // n x dim * ncontacts
    double *f;     // n
    double *w;     // dim * ncontacts
    double *mu;    // ncontacts
} StickGlobalData;

typedef struct StickProblemFile {
    StickContext *ctx;
    StickProblemKind kind; // which of the three was read; the others are empty
    StickLcpData lcp;
    StickFrictionData friction;
    StickGlobalData global;
    double *guess;    // dim * ncontacts: r of the first guess of the file, or NULL
    double *solution; // dim * ncontacts: r of the solution of the file, or NULL
} StickProblemFile;

// "auto", "lcp", "friction", "global"; an unknown name is STICK_BAD_INPUT with the nearest one.
const char *stick_problem_kind_name(StickProblemKind kind);
StickStatus stick_problem_kind_parse(StickContext *ctx, const char *name, StickProblemKind *kind);

// Reads FCLIB's HDF5 files, told by their first bytes, and the text files of .dat. The latter do not tell
// what they hold: with STICK_PROBLEM_AUTO it is the only layout that fits up to the end of the numbers, and
// an error names the choices if there is none or more than one.
StickStatus stick_problem_read(StickContext *ctx, const char *path, StickProblemKind as,
                               StickProblemFile **file);
void stick_problem_destroy(StickProblemFile *file);

// Views for the solvers, valid as long as the file is.
StickLcp stick_problem_lcp(const StickProblemFile *file);
StickFrictionProblem stick_problem_friction(const StickProblemFile *file);

void stick_lcp_data_destroy(StickContext *ctx, StickLcpData *lcp);
void stick_friction_data_destroy(StickContext *ctx, StickFrictionData *friction);
void stick_global_data_destroy(StickContext *ctx, StickGlobalData *global);

#endif
