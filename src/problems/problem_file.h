// SPDX-License-Identifier: Apache-2.0
// Discrete contact problems from files of other codes, in our notation; the file owns all data.
#ifndef PROBLEMS_PROBLEM_FILE_H
#define PROBLEMS_PROBLEM_FILE_H

#include <stickslip/friction.h>
#include <stickslip/lcp.h>
#include <stickslip/mlcp.h>
#include <stickslip/sparse.h>

typedef enum StickProblemKind {
    STICK_PROBLEM_AUTO, // only as a request: any type that the file contains
    STICK_PROBLEM_LCP,
    STICK_PROBLEM_FRICTION,
    STICK_PROBLEM_GLOBAL,
    STICK_PROBLEM_MATES,
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
    double *u_free;     // dim * ncontacts
    double *mu;         // ncontacts
    StickBodies bodies; // W in its factored form; ndofs = 0: it is not known
    double *S, *H;      // of the bodies, as it was read ...
    StickBodySides *sides;
    StickJointRow *joint;
} StickFrictionData;

// A local problem with p bilateral rows, as in its file: V' r + R l + s = 0, u = W r + V l + q.
typedef struct StickMixedData {
    StickSparse W; // dim * ncontacts x dim * ncontacts
    StickSparse V; // dim * ncontacts x p
    StickSparse R; // p x p; p = 0: no bilateral rows
    double *q;     // dim * ncontacts
    double *s;     // p
} StickMixedData;

// M v = H r + G l + f, G' v + b = 0, u = H' v + w
typedef struct StickGlobalData {
    int dim; // 2 or 3
    int ncontacts;
    StickSparse M; // n x n
    StickSparse H; // n x dim * ncontacts
    StickSparse G; // n x p; p = 0: no bilateral rows
    double *f;     // n
    double *w;     // dim * ncontacts
    double *b;     // p
    double *mu;    // ncontacts
} StickGlobalData;

// Pairs of bodies: lambda = B p, d = eps + A p + C theta
typedef struct StickMlcpData {
    int m, l;
    double *A, *B, *C; // by columns
    double *eps, *lambda;
    char **motion; // l names, or NULL
} StickMlcpData;

// A solution or a guess; absent vectors are NULL. For an LCP, r is z and u is w; for pairs of bodies r is p, u is d, v
// is theta, and l is the free motion of an unstable system.
typedef struct StickSolutionData {
    double *v; // n, of a global problem
    double *u; // dim * ncontacts, or the order of the LCP
    double *r; // the same
    double *l; // p, of bilateral rows
} StickSolutionData;

typedef struct StickProblemFile {
    StickContext *ctx;
    StickProblemKind kind; // which of them was read; the others are empty
    StickLcpData lcp;
    StickFrictionData friction; // its bilateral rows are eliminated ...
    StickMixedData mixed;       // ... and stand here
    StickGlobalData global;
    StickMlcpData mates;
    StickSolutionData solution;
    StickSolutionData *guess; // nguesses
    int nguesses;
    char *title; // of an HDF5 file, or NULL
    char *image; // the bytes of an HDF5 file: its other contents are copied on writing
    size_t image_bytes;
} StickProblemFile;

// "auto", "lcp", "friction", "global", "mates"; an unknown name is STICK_BAD_INPUT with the nearest one.
const char *stick_problem_kind_name(StickProblemKind kind);
StickStatus stick_problem_kind_parse(StickContext *ctx, const char *name, StickProblemKind *kind);

// Reads FCLIB's HDF5 files, recognised by their first bytes, and .dat text files. Text files do not contain their type:
// STICK_PROBLEM_AUTO selects the only layout that fits up to the end of the numbers; if none or several fit, an error
// names the choices.
StickStatus stick_problem_read(StickContext *ctx, const char *path, StickProblemKind as,
                               StickProblemFile **file);
void stick_problem_destroy(StickProblemFile *file);

// Views for the solvers, valid as long as the file is.
StickLcp stick_problem_lcp(const StickProblemFile *file);
StickFrictionProblem stick_problem_friction(const StickProblemFile *file);
StickMixedLcp stick_problem_mates(const StickProblemFile *file);

void stick_lcp_data_destroy(StickContext *ctx, StickLcpData *lcp);
void stick_friction_data_destroy(StickContext *ctx, StickFrictionData *friction);
void stick_mixed_data_destroy(StickContext *ctx, StickMixedData *mixed);
void stick_global_data_destroy(StickContext *ctx, StickGlobalData *global);
void stick_mlcp_data_destroy(StickContext *ctx, StickMlcpData *mates);
void stick_solution_data_destroy(StickContext *ctx, StickSolutionData *solution);

// Contacts, pairs, or the order of an LCP.
int stick_problem_size(const StickProblemFile *file);
// Entries of r and u, of v, and of l.
int stick_problem_entries(const StickProblemFile *file);
int stick_problem_unknowns(const StickProblemFile *file);
int stick_problem_bilateral(const StickProblemFile *file);

#endif
