// SPDX-License-Identifier: Apache-2.0
// Linear complementarity: find z with w = M z + q, w >= 0, z >= 0, w'z = 0. Letters of the LCP literature.
#ifndef STICKSLIP_LCP_H
#define STICKSLIP_LCP_H

#include <stickslip/context.h>
#include <stickslip/options.h>
#include <stickslip/solve_info.h>
#include <stickslip/sparse.h>

typedef struct StickLcp {
    int n;
    const double *M; // n x n by columns
    const double *q; // n
} StickLcp;

// The same with M by its entries.
typedef struct StickSparseLcp {
    const StickSparse *M; // n x n
    const double *q;      // n
} StickSparseLcp;

typedef struct StickLemke StickLemke; // workspace of Lemke's method, grown on demand

StickStatus stick_lemke_create(StickContext *ctx, StickLemke **lemke);
void stick_lemke_destroy(StickLemke *lemke);

// Makes room for problems up to order n, so that a solve allocates nothing.
StickStatus stick_lemke_reserve(StickLemke *lemke, int n);

// Lexicographic Lemke with covering vector e, after scaling if rows or columns of M differ by more than 4096. The
// result is in info: a solution; a ray (with the name of the entering variable, counted from 1 as in z3 or w7, and
// the word infeasible if it is proved that no z >= 0 has M z + q >= 0); or the limit of pivots. The first pivot, of
// z0, is counted; residual is |min(z, M z + q)| / |q|. z is only changed if a solution was found. Entries that are
// not finite give STICK_BAD_INPUT.
StickStatus stick_lemke_solve(StickLemke *lemke, const StickLcp *lcp, int most_pivots, double *z,
                              StickSolveInfo *info);

// The same from the basis of a guess: z contains positive values at the entries that are likely to be positive. If
// the guess fails, the solve starts as usual.
StickStatus stick_lemke_solve_near(StickLemke *lemke, const StickLcp *lcp, int most_pivots, double *z,
                                   StickSolveInfo *info);

// The same with M given by its entries; z is the initial guess on input, zeros if unknown.
StickStatus stick_lemke_solve_sparse(StickLemke *lemke, const StickSparseLcp *lcp, int most_pivots, double *z,
                                     StickSolveInfo *info);

// Makes room for them; most_basic: entries of z that can be above zero at a time, n if that is not known. A path
// that needs more ends as at the limit.
StickStatus stick_lemke_reserve_sparse(StickLemke *lemke, int n, size_t entries, int most_basic);

// ---- one face for every method

typedef enum StickLcpMethod {
    STICK_LCP_LEMKE,
    STICK_LCP_LEAST_INDEX, // for P-matrices
    STICK_LCP_KELLER,      // for positive semidefinite and P-matrices
    STICK_LCP_PROJECTED,   // for symmetric positive definite and H-matrices with a positive diagonal
    STICK_LCP_NEWTON_MIN,
    STICK_LCP_NEWTON_FISCHER,
} StickLcpMethod;

typedef struct StickLcpOptions {
    StickLcpMethod method;
    double tolerance;  // of |min(z, M z + q)| / |q|
    int iterations;    // most pivots, sweeps or Newton steps
    double relaxation; // of a projected sweep; 1 is Gauss-Seidel
} StickLcpOptions;

StickLcpOptions stick_lcp_options_default(void);
extern const StickOption stick_lcp_options_table[];

// Names and one-line texts of the methods in the order of StickLcpMethod; NULL past the last.
const char *stick_lcp_method_name(int index);
const char *stick_lcp_method_text(int index);

typedef struct StickLcpSolver StickLcpSolver; // options and workspace, grown on demand

StickStatus stick_lcp_create(StickContext *ctx, const StickLcpOptions *options, StickLcpSolver **solver);
void stick_lcp_destroy(StickLcpSolver *solver);

// Makes room for problems up to order n, so that a solve allocates nothing.
StickStatus stick_lcp_reserve(StickLcpSolver *solver, int n);

// z comes in as a guess, read by the iterative methods only, and goes out as the solution; where none was
// found it is the best iterate or as it was. In info: converged (residual within the tolerance), a ray (a row
// or a ray shows that there is perhaps no solution), or the limit, also where M is not of the method's class;
// the detail says which. The projected method refuses a diagonal that is not positive as STICK_BAD_INPUT.
StickStatus stick_lcp_solve(StickLcpSolver *solver, const StickLcp *lcp, double *z, StickSolveInfo *info);

// ---- all basic solutions

enum { STICK_LCP_MOST_ENUMERATED = 20 };

typedef struct StickLcpSolutions {
    int capacity; // columns there is room for in z
    double *z;    // n x capacity by columns
    int count;    // columns filled
} StickLcpSolutions;

// Every z that is the solution of some nonsingular complementary basis, each once, in the ascending order of
// the bases read as binary numbers, z1 being the lowest digit. n <= STICK_LCP_MOST_ENUMERATED; allocates
// nothing. In info: converged, or the limit if there are more than there is room for; the iterations count
// the bases, the residual is the largest.
StickStatus stick_lcp_enumerate(StickContext *ctx, const StickLcp *lcp, StickLcpSolutions *solutions,
                                StickSolveInfo *info);

#endif
