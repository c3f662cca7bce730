// SPDX-License-Identifier: Apache-2.0
// Bodies that touch at candidate pairs of points and have free motions [VBH88 (1)]:
//   lambda = B p,  d = eps + A p + C theta,  p >= 0,  d >= 0,  p'd = 0
// p: compressive normal forces of m pairs, d: their separations, theta: l free motions, lambda: the loads on
// them in the sense that B p balances them. eps: separations before anything deforms. Friction of pairs that
// slide stands in A and B (A = A_p + mu A_f, B = B_p + mu B_f), which makes A unsymmetric and B different
// from C'.
// A pair that sticks has besides p a tangential force p_t of either sign, and u_t = 0 in place of d >= 0. Both
// are free as theta and lambda are: (theta, p_t) stand for theta and (lambda, 0) for lambda, with a block
// D = [0 B_t; C_t A_tt] of these unknowns in these rows, which is zero where all pairs slide, as here.
#ifndef STICKSLIP_MLCP_H
#define STICKSLIP_MLCP_H

#include <stickslip/context.h>
#include <stickslip/options.h>
#include <stickslip/solve_info.h>

#include <stdbool.h>

typedef struct StickMixedLcp {
    int m;                     // candidate pairs
    int l;                     // free motions
    const double *A;           // m x m by columns
    const double *B;           // l x m by columns
    const double *C;           // m x l by columns
    const double *eps;         // m
    const double *lambda;      // l
    const char *const *motion; // l names of the free motions for messages, or NULL
} StickMixedLcp;

typedef enum StickMlcpMethod {
    STICK_MLCP_CONNECT,      // Technique 2
    STICK_MLCP_CONRY_SEIREG, // Technique 1
    STICK_MLCP_LEMKE,
    STICK_MLCP_ENUMERATE,
} StickMlcpMethod;

typedef enum StickMlcpOrder { STICK_MLCP_LARGEST, STICK_MLCP_FIRST, STICK_MLCP_LAST } StickMlcpOrder;

typedef struct StickMlcpOptions {
    StickMlcpMethod method;
    StickMlcpOrder order; // which of several pairs is taken
    double tolerance;     // of the residual, in scaled variables relative to the largest of them
    int iterations;       // most pivots
} StickMlcpOptions;

StickMlcpOptions stick_mlcp_options_default(void);
extern const StickOption stick_mlcp_options_table[];

// Names and one-line texts of the methods in the order of StickMlcpMethod; NULL past the last.
const char *stick_mlcp_method_name(int index);
const char *stick_mlcp_method_text(int index);

// Where the answer goes. motion and connected may be NULL.
typedef struct StickMlcpSolution {
    double *p;       // m
    double *d;       // m; zero where a pair is connected
    double *theta;   // l
    double *motion;  // l: of a system that is statically unstable, the free motion y, |y| = 1
    bool *connected; // m: pairs that press, for a start at the next position
} StickMlcpSolution;

typedef struct StickMlcpInfo {
    // The end is CONVERGED, UNSTABLE (no p >= 0 balances lambda: the free motion y has B'y >= 0 and lambda'y
    // < 0), DEADLOCK (of the historical method), RAY or LIMIT; iterations count pivots.
    StickSolveInfo solve;
    double imbalance; // sum of the artificial variables that a deadlock leaves, in the units of lambda
    int repeated;     // pivots after which connect-disconnect came to a basis again; 0: it never did
    int neutral;      // motions that no pair feels and no load drives: their theta is zero
    int connected;    // pairs
    int solutions;    // of an enumeration
    bool by_lemke;    // Lemke's method finished what another one began
} StickMlcpInfo;

typedef struct StickMlcpSolver StickMlcpSolver; // options and workspace, grown on demand

StickStatus stick_mlcp_create(StickContext *ctx, const StickMlcpOptions *options, StickMlcpSolver **solver);
void stick_mlcp_destroy(StickMlcpSolver *solver);

// Solves; p, d, theta and connected are untouched unless it converged. start: m flags of pairs that are
// likely to press, such as those of the position before, or NULL. Numbers that are not finite are
// STICK_BAD_INPUT.
StickStatus stick_mlcp_solve(StickMlcpSolver *solver, const StickMixedLcp *mates, const bool *start,
                             const StickMlcpSolution *solution, StickMlcpInfo *info);

enum { STICK_MLCP_MOST_ENUMERATED = 20 };

typedef struct StickMlcpSolutions {
    int capacity;  // columns that there is room for
    double *p;     // m x capacity by columns
    double *theta; // l x capacity
    int count;     // columns filled
} StickMlcpSolutions;

// Every (p, theta) of some nonsingular set of connected pairs, each once, in the ascending order of the sets read as
// binary numbers, pair 1 being the lowest digit. In info: CONVERGED, LIMIT if there are more solutions than room,
// UNSTABLE or RAY if there is no solution.
StickStatus stick_mlcp_enumerate(StickContext *ctx, const StickMixedLcp *mates, StickMlcpSolutions *solutions,
                                 StickMlcpInfo *info);

#endif
