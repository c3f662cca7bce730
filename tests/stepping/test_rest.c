// SPDX-License-Identifier: Apache-2.0
// Packings of disks between walls, whose contacts are closer to the limits of their cones than those of walls of blocks: they
// come to rest, keep their forces, and have the same ones from any guess.
#include "solve/problem.h"
#include "stepping/scene.h"

#include <stickslip/friction.h>

#include "brief.h"

static void open_packing(Scene *scene, StickContext *ctx, int width, int layers)
{
    scene_open(
        scene, ctx,
        "bodies:\n"
        "  even: {rigid: {disk: 1, mass: 3}, repeat: {i: [0, %d], j: [0, %d]}, position: [\"1.00005 + "
        "2.0001*i + 2e-5*sin(7*i + 3*j)\", \"1.0001 + 3.46430161514*j + 2e-5*sin(5*i + 2*j)\"]}\n"
        "  odd: {rigid: {disk: 1, mass: 3}, repeat: {i: [0, %d], j: [0, %d]}, position: [\"2.0001 + "
        "2.0001*i + 2e-5*sin(7*i + 3*j)\", \"2.73225080757 + 3.46430161514*j + 2e-5*sin(5*i + 2*j)\"]}\n"
        "obstacles:\n"
        "  left: {plane: {point: [0, 0], normal: [1, 0]}}\n"
        "  right: {plane: {point: [%.10g, 0], normal: [-1, 0]}}\n"
        "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
        "gravity: [0, -1]\n"
        "contacts: [{between: [all, all], friction: 0.4}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-2, end: 3}}]\n",
        width - 1, layers / 2 - 1, width - 2, layers / 2 - 1, 2.0001 * width);
}

// The forces of the last step from no guess, next to its own: the largest difference over the largest force.
static double from_nothing(StickContext *ctx, const StickSimulation *run)
{
    StickFrictionProblem problem = stick_simulation_problem(run);
    StickSolverOptions options = stick_solver_options_default();
    StickSolver *solver;
    StickSolveInfo info;
    size_t n = (size_t)(problem.dim * problem.ncontacts);
    double *r = test_calloc(n, sizeof *r), *u = test_calloc(n, sizeof *u), most = 0, largest = 0;
    options.aim = 1e-4 * options.tolerance;
    problem.settled = NULL;
    assert_ok(ctx, stick_solver_create(ctx, "auto", &options, &solver));
    assert_ok(ctx, stick_solver_reserve(solver, &problem));
    assert_ok(ctx, stick_solver_solve(solver, &problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_true(info.settled);
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(r[i] - run->r[i]));
        largest = fmax(largest, fabs(run->r[i]));
    }
    stick_solver_destroy(solver);
    test_free(r);
    test_free(u);
    return most / largest;
}

static void packings_come_to_rest(void **state)
{
    static const struct {
        int width, layers;
    } packings[] = {{8, 4}, {40, 6}};
    for (size_t k = 0; k < (test_is_brief() ? 1 : 2); k++) {
        Scene scene;
        open_packing(&scene, *state, packings[k].width, packings[k].layers);
        scene_steps(&scene, 250);
        double before = scene.run->record.iterations;
        scene_steps(&scene, 50);
        double after = scene.run->record.iterations - before, off = from_nothing(*state, scene.run);
        print_message("%d contacts: %g iterations in 50 steps at rest, %g before; from no guess %.1e\n",
                      scene.run->contacts.ncontacts, after, before, off);
        assert_below(after / 50, 0.25 * before / 250); // small ones are solved again where round-off adds up
        assert_below(off, 1e-4);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {test_with_context(packings_come_to_rest)};
    return cmocka_run_group_tests_name("stepping.rest", tests, NULL, NULL);
}
