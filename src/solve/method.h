// SPDX-License-Identifier: Apache-2.0
// What a method for friction problems gives to the table of solvers. A new method is one file that fills this
// struct and one line in the table of solver.c.
#ifndef SOLVE_METHOD_H
#define SOLVE_METHOD_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickMethod {
    const char *name;
    const char *text;  // one line for people
    bool needs_blocks; // of W: it can't do with W given by its action
    StickStatus (*create)(StickContext *ctx, const StickSolverOptions *options, void **work);
    void (*destroy)(void *work);
    // Room for all that a solve of a problem of this size and pattern needs. Called before every solve: cheap
    // where there is room.
    StickStatus (*reserve)(void *work, const StickFrictionProblem *problem);

    // The problem was checked, has contacts, and there is room for it. Puts r, and into info: end,
    // iterations, facets, detail, and the residual if the shared measure is not the right one (facets > 0).
    StickStatus (*solve)(void *work, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info);
} StickMethod;

extern const StickMethod stick_method_lemke;
extern const StickMethod stick_method_gauss_seidel;

#endif
