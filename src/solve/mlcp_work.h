// SPDX-License-Identifier: Apache-2.0
// Data shared by the methods for pairs of bodies: scales, the system of the connected pairs and its inverse.
//
// Scaled variables: p = S p', d = d' / S, theta = T theta', rows of B and lambda by E, all powers of two, so
// that entries of A' = S A S, B' = E B S and C' = S C T are about one, whatever the units are. Everything
// below is scaled. Connected pairs a have the system K = [0 B_a; C_a A_aa] of (theta, p_a), right-hand side
// (lambda, -eps_a).
#ifndef SOLVE_MLCP_WORK_H
#define SOLVE_MLCP_WORK_H

#include "linalg/bordered.h"

#include <stickslip/lcp.h>
#include <stickslip/mlcp.h>

#include <stdint.h>

// Sets of connected pairs that were seen.
typedef struct StickSeenSets {
    uint64_t *hash; // count
    size_t hash_room;
    uint64_t *bits; // words per set
    size_t bits_room;
    size_t count;
} StickSeenSets;

typedef struct StickMlcpWork {
    StickContext *ctx;
    const StickMlcpOptions *options;
    int room_m, room_l;
    double *reals; // where all of the next live
    int *integers;
    double *S, *E, *T;     // m, l, l
    double *eps, *lambda;  // m, l
    double *B, *C;         // l x m, m x l: eliminated copies of stage I
    double *basis;         // l x l: of statics
    double *p, *d, *theta; // m, m, l: present values
    double *x, *rhs;       // m + 2 l each
    double *u, *v, *dual;  // the same
    double *d_rate;        // m
    int *row, *col, *pair; // l: motions by equation and unknown, and the pairs that stage I takes for them
    int *member, *place;   // m: connected pairs and where they stand, -1 if they are not
    bool *flag;            // m: a set of pairs
    int *ids;              // of the simplex method
    size_t ids_room;
    double *K; // of the members, gathered
    size_t K_room;
    StickBordered inverse;
    StickSeenSets seen;
    StickLemke *lemke; // made when it is needed first
    double *M, *q, *z; // of the complementarity problem for it
    size_t M_room, q_room, z_room;

    // of the present problem
    const StickMixedLcp *mates;
    int m, l;
    int rank;     // motions that pairs act on
    int k;        // members
    double load;  // the largest lambda
    double usual; // size of forces: the load, or without any what closes the largest separation
} StickMlcpWork;

// Entries below this share of their terms count as zero.
static const double stick_mlcp_zero = 1e-11;

static inline double stick_mlcp_A(const StickMlcpWork *work, int i, int j)
{
    return work->S[i] * work->mates->A[(size_t)j * (size_t)work->m + (size_t)i] * work->S[j];
}

static inline double stick_mlcp_B(const StickMlcpWork *work, int i, int j)
{
    return work->E[i] * work->mates->B[(size_t)j * (size_t)work->l + (size_t)i] * work->S[j];
}

static inline double stick_mlcp_C(const StickMlcpWork *work, int i, int j)
{
    return work->S[i] * work->mates->C[(size_t)j * (size_t)work->m + (size_t)i] * work->T[j];
}

StickStatus stick_mlcp_check(StickContext *ctx, const StickMixedLcp *mates);

// Takes a problem that was checked, makes room for it and chooses its scales.
StickStatus stick_mlcp_begin(StickMlcpWork *work, const StickMixedLcp *mates);
void stick_mlcp_free(StickMlcpWork *work);

// Stage I: pairs for the motions, those of `start` preferred. CONVERGED if there are some; motions that no
// pair feels and no load drives are left out (rank < l).
StickSolveEnd stick_mlcp_choose(StickMlcpWork *work, const bool *start, StickMlcpInfo *info);

// Connects a set of pairs at once; sets `done` if K is regular.
StickStatus stick_mlcp_connect_set(StickMlcpWork *work, const bool *set, bool *done);
// Recomputes the inverse from the matrix.
StickStatus stick_mlcp_rebuild(StickMlcpWork *work, bool *done);

// Column (B_j, A_aj) and row (C_j, A_ja) of pair j in K.
void stick_mlcp_column(const StickMlcpWork *work, int j, double *u);
void stick_mlcp_row(const StickMlcpWork *work, int j, double *v);

// Connects j, or disconnects i; done is false if the pivot is zero, then nothing changes.
StickStatus stick_mlcp_connect(StickMlcpWork *work, int j, bool *done);
bool stick_mlcp_disconnect(StickMlcpWork *work, int i);

// theta, p and d of the members; done is false if the inverse is lost and K singular.
StickStatus stick_mlcp_evaluate(StickMlcpWork *work, bool *done);

// d = A p + C theta, with eps or without
void stick_mlcp_image(const StickMlcpWork *work, bool with_eps, const double *p, const double *theta,
                      double *d);

// d = eps + A p + C theta of the present values
void stick_mlcp_separations(StickMlcpWork *work);

// Reference sizes of the present forces and separations. Pairs that are far apart have large separations of their
// own, which must not hide small forces of others.
typedef struct StickMlcpSizes {
    double force; // the largest of lambda and p
    double gap;   // besides eps of the pair: force, and the largest theta
} StickMlcpSizes;

StickMlcpSizes stick_mlcp_sizes(const StickMlcpWork *work);

// Gives p and theta with their d to the user if they are within the tolerance: CONVERGED, or LIMIT.
StickSolveEnd stick_mlcp_give(StickMlcpWork *work, const StickMlcpSolution *solution, StickMlcpInfo *info);

// Whether some p >= 0 has B p = lambda; else y (l, in the units of the user, |y| = 1) has B'y >= 0 and
// lambda'y < 0.
bool stick_mlcp_balance(StickMlcpWork *work, double *y);

// If nothing balances the loads: writes this free motion to the solution and its words to the detail.
bool stick_mlcp_is_unstable(StickMlcpWork *work, const StickMlcpSolution *solution, StickMlcpInfo *info);

// ---- the methods; start: m flags or NULL. How they ended goes into info.

// Whether a solve must end early on an interruption: only if it already made this number of pivots. Shorter solves
// are completed, so that a position resumed after an interruption has its forces.
enum { STICK_MLCP_LONG = 1000 };
bool stick_mlcp_is_to_end(const StickMlcpWork *work, const StickMlcpInfo *info);

StickStatus stick_mlcp_connecting(StickMlcpWork *work, const bool *start, const StickMlcpSolution *solution,
                                  StickMlcpInfo *info);
StickStatus stick_mlcp_simplex(StickMlcpWork *work, const bool *start, const StickMlcpSolution *solution,
                               StickMlcpInfo *info);
StickStatus stick_mlcp_by_lemke(StickMlcpWork *work, const bool *start, const StickMlcpSolution *solution,
                                StickMlcpInfo *info);
StickStatus stick_mlcp_by_enumeration(StickMlcpWork *work, const bool *start,
                                      const StickMlcpSolution *solution, StickMlcpInfo *info);

#endif
