// SPDX-License-Identifier: Apache-2.0
// The interface of a method for friction problems. A new method is one file that fills this struct and one line in
// the table of solver.c.
#ifndef SOLVE_METHOD_H
#define SOLVE_METHOD_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickMethod {
    const char *name;
    const char *text;  // one line for people
    bool needs_blocks; // of W: it can't do with W given by its action
    bool needs_bodies; // W in its factored form
    bool sections;     // takes other sections of the friction cone than the disk
    bool measures;     // stick_residual accepted the result, with the returned u, if it reports convergence
    size_t work_size;  // of the data kept between solves
    // Fills the work, which is all zeros; after an error, too, it is destroyed. Its memory belongs to the caller.
    StickStatus (*create)(StickContext *ctx, const StickSolverOptions *options, void *work);
    void (*destroy)(void *work);
    // Room for all that a solve of a problem of this size and pattern needs. Called before every solve: cheap
    // where there is room.
    StickStatus (*reserve)(void *work, const StickFrictionProblem *problem);
    // NULL, or reserves the room that most solves do not need: called only if the user requests it. Without the call
    // such a solve allocates the room itself.
    StickStatus (*reserve_rest)(void *work, const StickFrictionProblem *problem);

    // The problem was checked, has contacts, and there is room for it. Puts r, and into info: end,
    // iterations, facets, detail, and the residual if the shared measure is not the right one (facets > 0).
    StickStatus (*solve)(void *work, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info);
} StickMethod;

// The work of a method in memory of its own. destroy takes NULL.
StickStatus stick_method_create(const StickMethod *method, StickContext *ctx,
                                const StickSolverOptions *options, void **work);
void stick_method_destroy(const StickMethod *method, StickContext *ctx, void *work);

extern const StickMethod stick_method_auto;
extern const StickMethod stick_method_lemke;
extern const StickMethod stick_method_gauss_seidel;
extern const StickMethod stick_method_anderson;
extern const StickMethod stick_method_ssor;
extern const StickMethod stick_method_aitken;
extern const StickMethod stick_method_coloured;
extern const StickMethod stick_method_coloured_mixed; // not in the table: a part of auto
extern const StickMethod stick_method_newton;
extern const StickMethod stick_method_body_newton;
extern const StickMethod stick_method_newton_jean_moreau;
extern const StickMethod stick_method_interior_point;
extern const StickMethod stick_method_continuation;
extern const StickMethod stick_method_conjugate_gradient;
extern const StickMethod stick_method_tresca;
extern const StickMethod stick_method_accelerated_gradient;
extern const StickMethod stick_method_admm;
extern const StickMethod stick_method_augmented_lagrangian;

#endif
