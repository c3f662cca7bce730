// SPDX-License-Identifier: Apache-2.0
// What an iteration of Newton's method costs with contact and friction: a block of rubber with 1e5 degrees of freedom
// on a plane, pressed by increments and moved in time. The unit is one assembly of forces and tangent and one
// refactorisation, measured in the same run; the goal is at most 1.5.
#include "base/clock.h"
#include "bodies/finite.h"
#include "linalg/threads.h"
#include "stage.h"
#include "stepping/newton_contact.h"

#include <math.h>

typedef struct Scene {
    const char *name;
    const char *step;
} Scene;

// A part of the lower side touches: it is a little round.
static const char block[] =
    "stickslip: 1\n"
    "materials: {rubber: {law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1.2e-9}}\n"
    "bodies:\n"
    "  block:\n"
    "    mesh:\n"
    "      patches:\n"
    "        - cells: [223, 223]\n"
    "          map: [10*xi, \"10*eta + 0.4*(1 - eta)*(2*xi - 1)^2\"]\n"
    "          sides: {bottom: bottom, top: top}\n"
    "    element: mean-dilatation\n"
    "    plane: strain\n"
    "    material: rubber\n"
    "obstacles: {plane: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [0, \"t\"]}}\n"
    "supports: [{on: block.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [block.bottom, plane], friction: 0.3}]\n";

static const Scene scenes[] = {
    {"pressed on a plane by increments", "steps: [{quasistatic: {end: 0.6, increments: 12}}]\n"},
    {"hit by a plane, in time", "steps: [{dynamics: {scheme: theta, theta: 0.55, step: 0.01, end: 1}}]\n"},
};

enum { WARM = 2, STEPS = 9, UNITS = 3 };

static const double goal = 1.5;

static double seconds_of(const StickPhases *phases)
{
    return phases->matrix + phases->free + phases->detect + phases->condense + phases->solve +
           phases->verify + phases->apply + phases->ledger;
}

// Of each step: seconds of an iteration in the mean, and of the unit right behind it. Others may work on the machine, more or
// less of them as time goes by: each step is compared with its own unit, and medians are taken.
typedef struct Times {
    double count; // iterations of all steps, with those of searches that are not taken
    double iteration[STEPS], assembly[STEPS], factor[STEPS], ratio[STEPS];
} Times;

// One assembly and one refactorisation at the state that the run has.
static StickStatus time_unit(StickSimulation *run, double *assembly, double *factor)
{
    StickNewtonContact *josephy = run->newton_contact;
    StickFiniteForces task = {.q = run->state.now.q,
                              .h = run->h,
                              .past = josephy->past,
                              .next = run->state.next.history,
                              .force = run->state.next.Kq,
                              .tangent = josephy->tangent,
                              .no_loss = true};
    double h = run->h, theta = run->scheme.theta, kappa = run->scheme.kappa;
    bool rests = stick_simulation_is_quasistatic(run);
    double clock = stick_clock_cpu();
    STICK_TRY(stick_system_forces(run->system, &task));
    *assembly = stick_clock_cpu() - clock;
    clock = stick_clock_cpu();
    stick_step_matrix_tangent(run->matrix, 0, josephy->tangent[0]);
    STICK_TRY(rests ? stick_step_matrix_set(run->matrix, 0, 0, 1)
                    : stick_step_matrix_set(run->matrix, 1, h * kappa, h * h * theta * kappa));
    *factor = stick_clock_cpu() - clock;
    return STICK_OK;
}

static StickStatus take_step(StickSimulation *run, int step, Times *times)
{
    double before = seconds_of(&run->phases);
    int generation = stick_step_matrix_generation(run->matrix);
    STICK_TRY(stick_simulation_step(run));
    double count = stick_step_matrix_generation(run->matrix) - generation;
    times->count += count;
    times->iteration[step] = (seconds_of(&run->phases) - before) / count;
    double assembly[UNITS], factor[UNITS];
    for (int k = 0; k < UNITS; k++)
        STICK_TRY(time_unit(run, &assembly[k], &factor[k]));
    times->assembly[step] = stage_median(assembly, UNITS);
    times->factor[step] = stage_median(factor, UNITS);
    times->ratio[step] = times->iteration[step] / (times->assembly[step] + times->factor[step]);
    return STICK_OK;
}

static void print_phases(const StickPhases *now, const StickPhases *last, double unit)
{
    const double phases[][2] = {{now->matrix, last->matrix}, {now->free, last->free},
                                {now->detect, last->detect}, {now->condense, last->condense},
                                {now->solve, last->solve},   {now->verify, last->verify},
                                {now->apply, last->apply},   {now->ledger, last->ledger}};
    static const char *const names[] = {"matrix", "free",   "detect", "condense",
                                        "solve",  "verify", "apply",  "ledger"};
    for (int k = 0; k < 8; k++)
        printf("  %-10s %6.3f\n", names[k], (phases[k][0] - phases[k][1]) / unit);
}

static StickStatus measure(StickSimulation *run, double *worst)
{
    Times times = {0};
    int active = 0;
    STICK_TRY(stick_simulation_start(run, NULL));
    for (int k = 0; k < WARM; k++)
        STICK_TRY(stick_simulation_step(run));
    StickPhases last = run->phases;
    double taken = run->record.newton;
    for (int k = 0; k < STEPS; k++)
        STICK_TRY(take_step(run, k, &times));
    double assembly = stage_median(times.assembly, STEPS), factor = stage_median(times.factor, STEPS),
           iteration = stage_median(times.iteration, STEPS), unit = assembly + factor,
           ratio = stage_median(times.ratio, STEPS);
    for (int c = 0; c < run->contacts.ncontacts; c++)
        active += stick_simulation_status(run, c) != STICK_APART;
    printf("degrees of freedom %d, candidates %d, in contact %d; %d steps, %g iterations of %g taken\n",
           run->system->ndofs, run->contacts.ncontacts, active, STEPS, run->record.newton - taken,
           times.count);
    printf("one assembly %.1f ms, one refactorisation %.1f ms: %.2f of it\n", 1e3 * assembly, 1e3 * factor,
           assembly / factor);
    printf("an iteration %.1f ms = %.2f of both (goal: at most %.1f)\n", 1e3 * iteration, ratio, goal);
    print_phases(&run->phases, &last, unit * times.count);
    *worst = fmax(*worst, ratio);
    return STICK_OK;
}

static StickStatus run_scene(StickContext *ctx, const Scene *scene, double *worst)
{
    char text[2048];
    Stage stage = {0};
    snprintf(text, sizeof text, "%s%s", block, scene->step);
    printf("%s\n", scene->name);
    StickStatus status = stage_open_run(ctx, "newton", text, 1, &stage);
    if (status == STICK_OK)
        status = measure(stage.run, worst);
    stage_close(&stage);
    return status;
}

int main(int argc, char **argv)
{
    StickContext *ctx = stick_context_create(NULL);
    StickStatus status = STICK_OK;
    double worst = 0;
    size_t count = sizeof scenes / sizeof *scenes, only = argc > 1 ? (size_t)atoi(argv[1]) : count;
    stick_blas_single_thread();
    for (size_t k = 0; k < count && status == STICK_OK; k++)
        if (only == count || only == k)
            status = run_scene(ctx, &scenes[k], &worst);
    if (status == STICK_OK && worst > goal)
        status = stick_fail(ctx, STICK_CHECK_FAILED, "an iteration costs more than its goal");
    return stage_end(ctx, status);
}
