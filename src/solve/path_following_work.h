// SPDX-License-Identifier: Apache-2.0
// Data shared by the files of the path: the state, the inverse of its active system, and the rate problem.
//
// Inside, forces are sqrt(w) r and displacements u / sqrt(w), w = trace(W_cc) / dim to a power of two, so
// that tolerances need no units. Unknowns of a closed contact are r_N and, where it is stuck, phi = mu r_N -
// side r_T, with the equations u_N = 0 and -side u_T = const: the active system, of which contacts that slip
// have only the first.
#ifndef SOLVE_PATH_FOLLOWING_WORK_H
#define SOLVE_PATH_FOLLOWING_WORK_H

#include "solve/path_following.h"

#include <stickslip/lcp.h>

#include <lapacke.h>

// A complementary pair of rates at a contact at a limit: the first is a row, the second a column.
typedef enum StickPairKind {
    STICK_PAIR_CLOSE,   // u_N' | r_N'
    STICK_PAIR_RESTICK, // -side u_T' | phi'
    STICK_PAIR_SLIP,    // phi' | -side u_T'
    STICK_PAIR_OTHER,   // mu r_N' + side r_T' | side u_T': the other side of a contact that closes
} StickPairKind;

typedef struct StickPathFollowingPair {
    int contact;
    StickPairKind kind;
} StickPathFollowingPair;

struct StickPathFollowing {
    StickContext *ctx;
    StickFrictionProblem problem; // its u_free is not used
    StickBlocks blocks;           // own copy of W where it was given by blocks
    double *mu;                   // n
    int dim, n;
    int per;       // unknowns of a contact: 2 in the plane, else 1
    int size;      // per * n
    double *W;     // size x size by columns, scaled
    double *scale; // n: sqrt(w)

    // the active system
    int order;
    int *member;           // order: unknown at each place
    int *place;            // size: of an unknown, or -1
    double *inverse;       // order x order by columns, `size` apart
    double *x, *rhs, *row; // size each
    double *lapack;        // 64 x size
    lapack_int *swaps;
    int updates;     // since the last factorisation
    bool is_current; // the inverse is that of the members

    // status
    unsigned char *status, *last_status, *next_status; // n
    signed char *side, *last_side, *next_side;         // n: sign of r_T on the cone

    // state at s; u_T counts from the start of the piece
    double s;
    double *r, *u, *c, *b, *u_free; // dim * n each
    double *held;                   // n: u_T where it stuck
    double *slip;                   // (dim - 1) * n: totals at the start of the piece
    double *dr, *du;                // dim * n: rates
    double part_start;
    double *part_r, *part_u; // dim * n: at the start of a part
    // Of scaled quantities; less is zero. Apart, for in a nearly singular system large forces go with small
    // displacements.
    struct {
        double r, u, dr, du;
    } zero;

    // the rate problem
    int npairs;
    StickPathFollowingPair *pair; // 3 n
    double *T, *t;                // npairs x npairs, npairs
    double *z, *w;                // 3 n
    double *response, *image;     // size each: scaled r and u of a unit of one column
    double *solutions;            // MOST_ENUMERATED x MOST_BRANCHES
    StickLemke *lemke;

    StickPathFollowingInfo info;
};

static inline double stick_path_following_mu(const StickPathFollowing *path, int c)
{
    return path->per == 2 ? path->mu[c] : 0;
}

static inline size_t stick_path_following_entry(const StickPathFollowing *path, int c)
{
    return (size_t)path->dim * (size_t)c;
}

// ---- path.c

// Takes the load b of a piece.
StickStatus stick_path_following_load(StickPathFollowing *path, const double *b);

// ---- path_active.c

// Changes status and side of contacts to next_status and next_side. The inverse is updated by bordering or
// recomputed; false if the system of the new status is singular.
bool stick_path_following_exchange(StickPathFollowing *path);

// Forces and displacements that meet the equations of the status with the free part given: u_N = 0 where
// closed, u_T = held where stuck (zero if held is NULL). Returns the largest residual, scaled.
double stick_path_following_solve(StickPathFollowing *path, const double *u_free, const double *held,
                                  double *r, double *u);

// Recomputes the inverse; false if it is singular.
bool stick_path_following_refactor(StickPathFollowing *path);

// x = A^-1 rhs
void stick_path_following_apply_inverse(StickPathFollowing *path, const double *rhs, double *x);

// Scaled r of the contacts from the unknowns x of the members; open contacts get zero.
void stick_path_following_scatter(const StickPathFollowing *path, const double *x, double *r);

// Column of the unknown v in A, at the members' rows.
void stick_path_following_column(const StickPathFollowing *path, int v, double *column);

// ---- path_rates.c

// Rates from here on that are admissible in all contacts, by changes of status if need be.
StickPathFollowingEnd stick_path_following_settle(StickPathFollowing *path);

// Rates of the present status.
StickPathFollowingEnd stick_path_following_rates(StickPathFollowing *path);

// mu r_N - side r_T of a contact, scaled
double stick_path_following_phi(const StickPathFollowing *path, int c, int side, const double *r);

// gap = 0 and r = 0
bool stick_path_following_is_touching(const StickPathFollowing *path, int c);

#endif
