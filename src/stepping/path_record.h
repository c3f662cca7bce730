// SPDX-License-Identifier: Apache-2.0
// What a quasistatic step leaves of its path for a stability step: the statuses that it passes through, each with one
// state in which it is judged.
//
//     F_T |        ___.____            a status lasts as long as no contact changes what it did; it is judged in the
//         |    .--'   :    '.___       middle of its longest straight piece (from event to event, where all of r, q
//         | .-'|  *   :  *  | *        and gap vary linearly), or at the end of its longest increment; of equally
//         |                            long ones in the last
//         +----begin-end---------> t
#ifndef STEPPING_PATH_RECORD_H
#define STEPPING_PATH_RECORD_H

#include "stepping/simulation.h"

// A contact that is closed. All of it doubles: a checkpoint keeps it as an array.
typedef struct StickPathTouch {
    double slot;   // of the memory of contacts
    double status; // StickContactStatus
    double mu;
    double r[3]; // force on the slave: N, T1, T2
    double u[3]; // velocity over its antagonist
    // of the state in which the status began, with which later ones are compared
    double first_mu;
    double first_way[2]; // friction, or the velocity where there is none
} StickPathTouch;

// Whether a path has jumped before a status, or jumps into it.
typedef enum StickPathJump { STICK_JUMP_NONE, STICK_JUMP_BEFORE, STICK_JUMP_BEGINS } StickPathJump;

// One status of the path. All of it doubles, too.
typedef struct StickPathStatusRecord {
    double begin, end;             // while it lasts
    double force_begin, force_end; // sum of all forces along the tangents; in space the length of the sum
    double t, h;                   // where it is judged, and the length of the piece or increment
    double steady;                 // 1: neither forces nor gaps change, so that it may last for ever
    double jump, jump_time;        // StickPathJump, and when the last was
    double chatters;               // 1: friction goes to and fro from increment to increment
    double first;                  // its contacts begin here ...
    double count;                  // ... and are so many
} StickPathStatusRecord;

typedef struct StickPathRecord {
    StickContext *ctx;
    const StickStepSpec *of;         // the step whose path it is
    const StickStabilitySpec *wants; // which of its states
    int n, dim;
    int count;
    StickPathStatusRecord *status; // count
    double *q;                     // count x n
    int nhistory;
    double *history; // count x nhistory: of bodies under finite deformation
    int ntouches;
    StickPathTouch *touch; // ntouches
    size_t status_capacity, q_capacity, history_capacity, touch_capacity;
    // the state before
    bool seen;
    double t, force;
    double *last_q, *last_r; // n, slots x dim
    // the end of the path so far: displacements, and their rates on its last straight piece or increment
    double *end_q, *end_v; // n; NULL before anything has moved
} StickPathRecord;

// For a stability step of the model of the run.
StickStatus stick_path_record_create(StickContext *ctx, const StickSystem *system, const StickStepSpec *step,
                                     StickPathRecord **record);
void stick_path_record_destroy(StickPathRecord *record);

// Looks at the present state of a run, after every step of it; at first, and after a resume, at the state where it
// starts from.
StickStatus stick_path_record_see(StickPathRecord *record, const StickSimulation *run);

// Puts a run of the step whose path it is into status k: displacements, and what contacts remember.
StickStatus stick_path_record_place(const StickPathRecord *record, int k, StickSimulation *run);

static inline const StickPathTouch *stick_path_record_touches(const StickPathRecord *record, int k)
{
    return record->touch + (size_t)record->status[k].first;
}

#endif
