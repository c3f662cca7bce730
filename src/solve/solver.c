// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "base/text.h"
#include "solve/active_set_polish.h"
#include "solve/islands.h"
#include "solve/method.h"
#include "solve/problem.h"
#include "solve/residual.h"
#include "solve/section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The table: one line per method; those that need bodies, which files of problems do not have, at the end.
static const StickMethod *const methods[] = {
    &stick_method_auto,
    &stick_method_lemke,
    &stick_method_gauss_seidel,
    &stick_method_anderson,
    &stick_method_ssor,
    &stick_method_aitken,
    &stick_method_coloured,
    &stick_method_newton,
    &stick_method_newton_jean_moreau,
    &stick_method_interior_point,
    &stick_method_continuation,
    &stick_method_conjugate_gradient,
    &stick_method_tresca,
    &stick_method_accelerated_gradient,
    &stick_method_admm,
    &stick_method_augmented_lagrangian,
    &stick_method_body_newton,
};
enum { NMETHODS = sizeof methods / sizeof *methods };

struct StickSolver {
    StickContext *ctx;
    StickSolverOptions options;
    const StickMethod *method;
    void *work;
    double *velocity;    // ncontacts: the scale of each contact's island
    int *root;           // ncontacts: room to find it
    StickNewton *newton; // of the polish of methods that end near a solution
    double *trial;       // 2 dim ncontacts
    size_t velocity_room, root_room, trial_room;
};

StickSolverOptions stick_solver_options_default(void)
{
    return (StickSolverOptions){
        .tolerance = 1e-8,
        .measure = STICK_MEASURE_BOTH,
        .iterations = 10000,
        .threads = 1,
        .regularization = 1e-6,
        .facets = 16,
    };
}

static const char *const measures[] = {"both", "shared", NULL};

const StickOption stick_solver_options_table[] = {
    {"tolerance", STICK_OPTION_REAL, offsetof(StickSolverOptions, tolerance), 1e-16, 1, NULL,
     "error at which a solve ends: shared measure, its scale-free form, and each contact in its own scale"},
    {"aim", STICK_OPTION_REAL, offsetof(StickSolverOptions, aim), 0, 1, NULL,
     "of auto, the error that it aims at if that costs little; 0: the tolerance"},
    {"measure", STICK_OPTION_CHOICE, offsetof(StickSolverOptions, measure), 0, 1, measures,
     "errors that must be below the tolerance: both, or only the one that other codes use, too"},
    {"iterations", STICK_OPTION_INTEGER, offsetof(StickSolverOptions, iterations), 1, 1e9, NULL,
     "most sweeps, Newton steps or pivots of one solve"},
    {"threads", STICK_OPTION_INTEGER, offsetof(StickSolverOptions, threads), 1, 256, NULL,
     "of sweeps and products; results have the same bits for every number"},
    {"relaxation", STICK_OPTION_REAL, offsetof(StickSolverOptions, relaxation), 0, 1.99, NULL,
     "of methods that relax, the factor on each change; 0: found by the method"},
    {"regularization", STICK_OPTION_REAL, offsetof(StickSolverOptions, regularization), 1e-16, 1, NULL,
     "sliding speed below which smoothed friction is regularised, relative to the free velocity"},
    {"facets", STICK_OPTION_INTEGER, offsetof(StickSolverOptions, facets), 4, 256, NULL,
     "facets of the polyhedral friction cone in 3D, for methods that need one; a multiple of 4"},
    {0},
};

const char *stick_solver_name(int index)
{
    return index >= 0 && index < NMETHODS ? methods[index]->name : NULL;
}

const char *stick_solver_text(int index)
{
    return index >= 0 && index < NMETHODS ? methods[index]->text : NULL;
}

bool stick_solver_takes_sections(int index)
{
    return index >= 0 && index < NMETHODS && methods[index]->sections;
}

bool stick_solver_needs_bodies(int index)
{
    return index >= 0 && index < NMETHODS && methods[index]->needs_bodies;
}

static const StickMethod *find_method(const char *name)
{
    for (int k = 0; k < NMETHODS; k++)
        if (strcmp(methods[k]->name, name) == 0)
            return methods[k];
    return NULL;
}

static StickStatus fail_name(StickContext *ctx, const char *name)
{
    const char *names[NMETHODS];
    for (int k = 0; k < NMETHODS; k++)
        names[k] = methods[k]->name;
    StickSuggestion suggestion = stick_suggestion(name, names, NMETHODS);
    return stick_fail(ctx, STICK_BAD_INPUT, "unknown solver '%s'%s", name, suggestion.text);
}

StickStatus stick_solver_create(StickContext *ctx, const char *name, const StickSolverOptions *options,
                                StickSolver **solver)
{
    const StickMethod *method = find_method(name);
    if (!method)
        return fail_name(ctx, name);
    STICK_TRY(stick_options_check(ctx, stick_solver_options_table, options));
    STICK_CHECK(ctx, options->facets % 4 == 0, STICK_BAD_INPUT,
                "option 'facets' is %d, but takes a multiple of 4", options->facets);
    StickSolver *created;
    STICK_ALLOC(ctx, created, 1);
    *created = (StickSolver){.ctx = ctx, .options = *options, .method = method};
    StickStatus status = stick_method_create(method, ctx, &created->options, &created->work);
    if (status != STICK_OK) {
        stick_free(ctx, created);
        return status;
    }
    *solver = created;
    return STICK_OK;
}

void stick_solver_destroy(StickSolver *solver)
{
    if (!solver)
        return;
    stick_method_destroy(solver->method, solver->ctx, solver->work);
    stick_free(solver->ctx, solver->velocity);
    stick_free(solver->ctx, solver->root);
    stick_free(solver->ctx, solver->trial);
    stick_newton_destroy(solver->newton);
    stick_free(solver->ctx, solver);
}

// The message lists the methods that support the section.
static StickStatus refuse_section(const StickSolver *solver, const StickSection *section, int contact)
{
    char able[256] = "";
    for (int k = 0; k < NMETHODS; k++)
        if (methods[k]->sections) {
            size_t length = strlen(able);
            snprintf(able + length, sizeof able - length, "%s%s", length ? ", " : "", methods[k]->name);
        }
    return stick_fail(
        solver->ctx, STICK_BAD_INPUT,
        "solver '%s' takes round friction cones only, but that of contact %d has a section that is %s; "
        "such cones are taken by %s",
        solver->method->name, contact, stick_section_name(section), able);
}

static StickStatus refuse_sections(const StickSolver *solver, const StickFrictionProblem *problem)
{
    for (int c = 0; problem->section && problem->dim > 1 && c < problem->ncontacts; c++)
        if (problem->section[c] && !solver->method->sections)
            return refuse_section(solver, problem->section[c], c);
    return STICK_OK;
}

static StickStatus refuse_action(const StickSolver *solver, const StickFrictionProblem *problem)
{
    STICK_CHECK(solver->ctx, problem->bodies || !solver->method->needs_bodies || problem->ncontacts == 0,
                STICK_BAD_INPUT,
                "solver '%s' is for rigid bodies, whose masses are known; a problem that is "
                "given by W alone is solved by 'newton'",
                solver->method->name);
    STICK_CHECK(solver->ctx, problem->W || !solver->method->needs_blocks || problem->ncontacts == 0,
                STICK_BAD_INPUT, "solver '%s' needs W by blocks, not by its action", solver->method->name);
    return STICK_OK;
}

static StickStatus reserve_scale(StickSolver *solver, const StickFrictionProblem *problem)
{
    STICK_RESERVE(solver->ctx, solver->velocity, solver->velocity_room, problem->ncontacts);
    STICK_RESERVE(solver->ctx, solver->root, solver->root_room, problem->ncontacts);
    return STICK_OK;
}

// Steps of the polish must not take more memory than this (numbers), nor more operations.
static const double most_numbers = 1.5e8, most_flops = 1e10;

static StickStatus reserve_polish(StickSolver *solver, const StickFrictionProblem *problem)
{
    if (!solver->newton)
        STICK_TRY(
            stick_newton_create(solver->ctx, &solver->options, STICK_NEWTON_ALART_CURNIER, &solver->newton));
    stick_newton_limit(solver->newton, most_numbers);
    STICK_RESERVE(solver->ctx, solver->trial, solver->trial_room,
                  2 * (size_t)problem->dim * (size_t)problem->ncontacts);
    return stick_newton_reserve(solver->newton, problem);
}

StickStatus stick_solver_reserve(StickSolver *solver, const StickFrictionProblem *problem)
{
    const StickMethod *method = solver->method;
    STICK_CHECK(solver->ctx, problem->dim >= 1 && problem->dim <= 3 && problem->ncontacts >= 0,
                STICK_BAD_INPUT, "room for %d contacts of dimension %d", problem->ncontacts, problem->dim);
    STICK_TRY(refuse_action(solver, problem));
    STICK_TRY(refuse_sections(solver, problem));
    if (problem->ncontacts == 0)
        return STICK_OK;
    STICK_TRY(reserve_scale(solver, problem));
    STICK_TRY(method->reserve(solver->work, problem));
    if (problem->W && method != &stick_method_auto)
        STICK_TRY(reserve_polish(solver, problem));
    return method->reserve_rest ? method->reserve_rest(solver->work, problem) : STICK_OK;
}

static StickStatus check_problem(const StickSolver *solver, const StickFrictionProblem *problem,
                                 const double *r)
{
    STICK_TRY(stick_friction_check(solver->ctx, problem));
    STICK_TRY(refuse_action(solver, problem));
    STICK_TRY(refuse_sections(solver, problem));
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        STICK_CHECK(solver->ctx, isfinite(r[i]), STICK_BAD_INPUT, "the guess of r is %g at contact %d", r[i],
                    i / problem->dim);
    return STICK_OK;
}

// So near to the tolerance as a whole, in multiples of it, the polish may help contacts in their own scales.
static const double nearly = 100;

// A method that ends near a solution gets the help of an active-set polish, also where that is not its own idea.
static StickStatus polish(StickSolver *solver, const StickFrictionProblem *problem, StickResidual *residual,
                          double *r, double *u, StickSolveInfo *info)
{
    double near = nearly * solver->options.tolerance;
    if (!problem->W || solver->method == &stick_method_auto || !(residual->shared <= near) ||
        !(residual->scale_free <= near) || stick_residual_within(*residual, &solver->options))
        return STICK_OK;
    STICK_TRY(reserve_polish(solver, problem));
    if (!(stick_newton_flops(solver->newton) <= most_flops))
        return STICK_OK;
    int left = solver->options.iterations - info->iterations;
    StickPolishEnd end =
        stick_polish(solver->newton, problem, &solver->options, *residual, left, solver->trial, r, u);
    *residual = end.residual;
    info->iterations += end.steps;
    if (stick_residual_within(*residual, &solver->options))
        info->end = STICK_SOLVE_CONVERGED;
    return STICK_OK;
}

// A method may report convergence by its own test; the measure of the result decides.
static StickStatus measure(StickSolver *solver, const StickFrictionProblem *problem, double *r, double *u,
                           StickSolveInfo *info)
{
    if (info->facets > 0)
        return STICK_OK;
    StickResidual residual = stick_residual(problem, r, u);
    if (info->end != STICK_SOLVE_NOT_FINITE)
        STICK_TRY(polish(solver, problem, &residual, r, u, info));
    info->residual = residual.shared;
    if (info->end == STICK_SOLVE_CONVERGED && !stick_residual_within(residual, &solver->options)) {
        info->end = STICK_SOLVE_LIMIT;
        snprintf(info->detail, sizeof info->detail,
                 "error %.1e, scale-free %.1e, at contact %d in its own scale %.1e", residual.shared,
                 residual.scale_free, residual.worst, residual.contact);
    }
    return STICK_OK;
}

StickStatus stick_solver_solve(StickSolver *solver, const StickFrictionProblem *problem, double *r, double *u,
                               StickSolveInfo *info)
{
    STICK_TRY(check_problem(solver, problem, r));
    StickSolveInfo end = {.end = STICK_SOLVE_CONVERGED};
    // without any sections the methods need not look for them
    StickFrictionProblem scaled = *problem;
    if (!stick_section_any(problem))
        scaled.section = NULL;
    problem = &scaled;
    if (problem->ncontacts > 0) {
        STICK_TRY(reserve_scale(solver, problem));
        stick_islands_velocity(problem, solver->root, solver->velocity);
        scaled.velocity_scale = solver->velocity;
        STICK_TRY(solver->method->reserve(solver->work, problem));
        STICK_TRY(solver->method->solve(solver->work, problem, r, u, &end));
        if (!solver->method->measures || end.end != STICK_SOLVE_CONVERGED) {
            stick_residual_velocity(problem, r, u);
            STICK_TRY(measure(solver, problem, r, u, &end));
        }
        // a result of an interrupted solve may be good, but may differ from that of an undisturbed solve
        STICK_CHECK(solver->ctx, !stick_is_stopped(solver->ctx), STICK_INTERRUPTED,
                    "interrupted in a contact problem with %d contacts", problem->ncontacts);
    }
    *info = end;
    return STICK_OK;
}
