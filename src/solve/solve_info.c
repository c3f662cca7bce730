// SPDX-License-Identifier: Apache-2.0
#include <stickslip/solve_info.h>

const char *stick_solve_end_name(StickSolveEnd end)
{
    switch (end) {
    case STICK_SOLVE_NONE:
        return "not solved";
    case STICK_SOLVE_CONVERGED:
        return "converged";
    case STICK_SOLVE_LIMIT:
        return "iteration limit";
    case STICK_SOLVE_RAY:
        return "ray";
    case STICK_SOLVE_NOT_FINITE:
        return "not finite";
    case STICK_SOLVE_UNSTABLE:
        return "unstable";
    case STICK_SOLVE_DEADLOCK:
        return "deadlock";
    }
    return "unknown end";
}
