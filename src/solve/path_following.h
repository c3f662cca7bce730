// SPDX-License-Identifier: Apache-2.0
// The exact path of quasistatic friction: r(s), gap(s) and slip(s) of linear elastic bodies under a load that
// varies linearly with s are piecewise linear [RBV02 section 4.1]. Every change of a contact's status is
// found where it is.
//
// u = W r + c + b s, u_N = gap; W is a compliance, so that r are forces and u displacements. Friction in the
// plane; in space only contacts without.
#ifndef SOLVE_PATH_FOLLOWING_H
#define SOLVE_PATH_FOLLOWING_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef enum StickPathFollowingStatus {
    STICK_PATH_FOLLOWING_OPEN,
    STICK_PATH_FOLLOWING_STUCK,
    STICK_PATH_FOLLOWING_SLIPPING, // also: closed without friction
} StickPathFollowingStatus;

// Status of a contact; direction: the sign of u_T' where it slips against friction, else 0.
typedef struct StickPathFollowingContact {
    StickPathFollowingStatus status;
    int direction;
} StickPathFollowingContact;

typedef struct StickPathFollowingEvent {
    double s;
    int contact;
    StickPathFollowingContact from, to;
} StickPathFollowingEvent;

typedef enum StickPathFollowingEnd {
    STICK_PATH_FOLLOWING_DONE, // the whole piece was followed
    STICK_PATH_FOLLOWING_JUMP, // the rates have no continuation: the quasistatic path ends, the motion becomes dynamic
    STICK_PATH_FOLLOWING_SINGULAR,  // contacts of this status do not determine their forces
    STICK_PATH_FOLLOWING_STALLED,   // status changes repeat without progress in s
    STICK_PATH_FOLLOWING_ROUND_OFF, // the equations of the status can't be met to eight digits
} StickPathFollowingEnd;

typedef struct StickPathFollowingInfo {
    StickPathFollowingEnd end;
    double s;    // how far it came
    int contact; // that found no way on, or -1
    bool proved; // of a jump: there are no rates, by enumeration or infeasibility; else none were found
    int events, parts;
    int pivots;           // exchanges in the active system
    int refactorisations; // of it
    int rate_problems;    // complementarity problems for rates, and ...
    int large_problems;   // ... those of them on all contacts at a limit
    double residual; // worst of the state equations, relative to the largest force or displacement in them
    char detail[160];
} StickPathFollowingInfo;

typedef struct StickPathFollowing StickPathFollowing;

// Hears events as they come, when stick_path_following_state and stick_path_following_count tell of the state there, and every
// linear part after it was walked: s0 < s1, the state of any s between by stick_path_following_at. Either may be NULL.
typedef struct StickPathFollowingObserver {
    void (*event)(void *user, const StickPathFollowingEvent *event);
    void (*part)(void *user, const StickPathFollowing *path, double s0, double s1);
    void *user;
} StickPathFollowingObserver;

// Takes dim, ncontacts, W and mu of the problem (u_free may be NULL). Blocks of W and mu are copied; an
// operator must outlive the path. The state is nothing: all gaps and forces zero. All memory is taken here:
// about 50 ncontacts^2 reals in the plane.
StickStatus stick_path_following_create(StickContext *ctx, const StickFrictionProblem *problem,
                                        StickPathFollowing **path);
void stick_path_following_destroy(StickPathFollowing *path);

// Starts from a state: r (dim * ncontacts) in the cone, gap (ncontacts) >= 0 with r = 0 where gap > 0, slip
// totals ((dim - 1) * ncontacts). NULL is zero. Where W is singular for these contacts it is
// STICK_NOT_SOLVED, and the state nothing.
StickStatus stick_path_following_start(StickPathFollowing *path, const double *r, const double *gap,
                                       const double *slip);

// Follows a piece 0 <= s <= ds with the free displacements growing by b s (dim * ncontacts). Events of a
// change of b come at s = 0. Where it does not end as done the state is that of info->s. Allocates nothing.
StickStatus stick_path_following_follow(StickPathFollowing *path, const double *b, double ds,
                                        const StickPathFollowingObserver *observer,
                                        StickPathFollowingInfo *info);

// The state at the end; any output may be NULL.
void stick_path_following_state(const StickPathFollowing *path, double *r, double *gap, double *slip);

// The state at s in the part that an observer hears of.
void stick_path_following_at(const StickPathFollowing *path, double s, double *r, double *gap, double *slip);

StickPathFollowingContact stick_path_following_contact(const StickPathFollowing *path, int contact);

// How many contacts there are of each status, indexed by StickPathFollowingStatus.
void stick_path_following_count(const StickPathFollowing *path, int count[3]);

const char *stick_path_following_status_word(StickPathFollowingStatus status);
const char *stick_path_following_end_word(StickPathFollowingEnd end);

// ---- several ways on

enum { STICK_PATH_FOLLOWING_MOST_BRANCHES = 64 };

typedef struct StickPathFollowingBranches {
    int capacity;                      // at most MOST_BRANCHES
    double *dr;                        // dim * ncontacts x capacity: r' of each
    StickPathFollowingContact *status; // ncontacts x capacity
    int count;
    bool more; // than there is room for
} StickPathFollowingBranches;

// All rates that go on from the present state under b. The contacts at a limit count: one pair for each on
// its cone, three for each at gap = 0 and r = 0, which are open after this; STICK_BAD_INPUT above
// STICK_LCP_MOST_ENUMERATED pairs.
StickStatus stick_path_following_branches(StickPathFollowing *path, const double *b,
                                          StickPathFollowingBranches *branches);

#endif
