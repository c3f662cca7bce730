// SPDX-License-Identifier: Apache-2.0
// Result of a solve: data, not an error. Whether the call could run at all is its StickStatus.
#ifndef STICKSLIP_SOLVE_INFO_H
#define STICKSLIP_SOLVE_INFO_H

#include <stdbool.h>

typedef enum StickSolveEnd {
    STICK_SOLVE_NONE,       // nothing was solved yet
    STICK_SOLVE_CONVERGED,  // within the tolerance, as judged by the solver
    STICK_SOLVE_LIMIT,      // iteration or pivot limit
    STICK_SOLVE_RAY,        // Lemke ended on a ray: no solution found, possibly none exists
    STICK_SOLVE_NOT_FINITE, // numbers overflowed
    STICK_SOLVE_UNSTABLE,   // no contact forces balance the loads: a free motion is not stopped
    STICK_SOLVE_DEADLOCK,   // an incomplete method cannot continue, though there may be a solution
} StickSolveEnd;

typedef struct StickSolveInfo {
    StickSolveEnd end;
    int iterations; // sweeps, Newton steps or pivots
    double residual;
    bool settled;     // forces follow from the motion, or are those of equal compliance: `auto` alone knows
    int facets;       // of the polyhedral cone that was used; 0: the exact cone
    char detail[128]; // further details, such as the variable of a ray
} StickSolveInfo;

const char *stick_solve_end_name(StickSolveEnd end);

#endif
