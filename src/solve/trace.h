// SPDX-License-Identifier: Apache-2.0
// The exact path of quasistatic friction: r(s), gap(s) and slip(s) of linear elastic bodies under a load that
// varies linearly with s are piecewise linear [RBV02 section 4.1]. Every change of a contact's status is
// found where it is.
//
// u = W r + c + b s, u_N = gap; W is a compliance, so that r are forces and u displacements. Friction in the
// plane; in space only contacts without.
#ifndef SOLVE_TRACE_H
#define SOLVE_TRACE_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef enum StickTraceStatus {
    STICK_TRACE_OPEN,
    STICK_TRACE_STUCK,
    STICK_TRACE_SLIPPING, // also: closed without friction
} StickTraceStatus;

// Status of a contact; direction: the sign of u_T' where it slips against friction, else 0.
typedef struct StickTraceContact {
    StickTraceStatus status;
    int direction;
} StickTraceContact;

typedef struct StickTraceEvent {
    double s;
    int contact;
    StickTraceContact from, to;
} StickTraceEvent;

typedef enum StickTraceEnd {
    STICK_TRACE_DONE, // the whole piece was followed
    STICK_TRACE_JUMP, // the rates have no continuation: the quasistatic path ends, the motion becomes dynamic
    STICK_TRACE_SINGULAR,  // contacts of this status do not determine their forces
    STICK_TRACE_STALLED,   // status changes repeat without progress in s
    STICK_TRACE_ROUND_OFF, // the equations of the status can't be met to eight digits
} StickTraceEnd;

typedef struct StickTraceInfo {
    StickTraceEnd end;
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
} StickTraceInfo;

typedef struct StickTrace StickTrace;

// Hears events as they come, when stick_trace_state and stick_trace_count tell of the state there, and every
// linear part after it was walked: s0 < s1, the state of any s between by stick_trace_at. Either may be NULL.
typedef struct StickTraceObserver {
    void (*event)(void *user, const StickTraceEvent *event);
    void (*part)(void *user, const StickTrace *path, double s0, double s1);
    void *user;
} StickTraceObserver;

// Takes dim, ncontacts, W and mu of the problem (u_free may be NULL). Blocks of W and mu are copied; an
// operator must outlive the path. The state is nothing: all gaps and forces zero. All memory is taken here:
// about 50 ncontacts^2 reals in the plane.
StickStatus stick_trace_create(StickContext *ctx, const StickFrictionProblem *problem, StickTrace **path);
void stick_trace_destroy(StickTrace *path);

// Starts from a state: r (dim * ncontacts) in the cone, gap (ncontacts) >= 0 with r = 0 where gap > 0, slip
// totals ((dim - 1) * ncontacts). NULL is zero. Where W is singular for these contacts it is
// STICK_NOT_SOLVED, and the state nothing.
StickStatus stick_trace_start(StickTrace *path, const double *r, const double *gap, const double *slip);

// Follows a piece 0 <= s <= ds with the free displacements growing by b s (dim * ncontacts). Events of a
// change of b come at s = 0. Where it does not end as done the state is that of info->s. Allocates nothing.
StickStatus stick_trace_follow(StickTrace *path, const double *b, double ds,
                               const StickTraceObserver *observer, StickTraceInfo *info);

// The state at the end; any output may be NULL.
void stick_trace_state(const StickTrace *path, double *r, double *gap, double *slip);

// The state at s in the part that an observer hears of.
void stick_trace_at(const StickTrace *path, double s, double *r, double *gap, double *slip);

StickTraceContact stick_trace_contact(const StickTrace *path, int contact);

// How many contacts there are of each status, indexed by StickTraceStatus.
void stick_trace_count(const StickTrace *path, int count[3]);

const char *stick_trace_status_word(StickTraceStatus status);
const char *stick_trace_end_word(StickTraceEnd end);

// ---- several ways on

enum { STICK_TRACE_MOST_BRANCHES = 64 };

typedef struct StickTraceBranches {
    int capacity;              // at most MOST_BRANCHES
    double *dr;                // dim * ncontacts x capacity: r' of each
    StickTraceContact *status; // ncontacts x capacity
    int count;
    bool more; // than there is room for
} StickTraceBranches;

// All rates that go on from the present state under b. The contacts at a limit count: one pair for each on
// its cone, three for each at gap = 0 and r = 0, which are open after this; STICK_BAD_INPUT above
// STICK_LCP_MOST_ENUMERATED pairs.
StickStatus stick_trace_branches(StickTrace *path, const double *b, StickTraceBranches *branches);

#endif
