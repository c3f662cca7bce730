// SPDX-License-Identifier: Apache-2.0
// Where the contact laws leave forces open, the default solver returns one answer: it depends neither on the guess, nor
// on the order of the bodies, nor on the number of threads.
#include "stepping/scene.h"

#include <stdlib.h>
#include <string.h>

typedef struct Wall {
    int dim, length, courses;
    bool is_reversed;
    bool has_joints; // a pin, two bricks fixed to each other, and a spring
} Wall;

// The name of a brick by its place.
static const char *brick(const Wall *wall, int i, int j, char *name)
{
    sprintf(name, "b[%d,%d]", wall->is_reversed ? wall->length - 1 - i : i,
            wall->is_reversed ? wall->courses - 1 - j : j);
    return name;
}

static void write_joints(const Wall *wall, char *text, size_t size)
{
    char name[6][40];
    const char *space = wall->dim == 3 ? "0.1, " : "";
    snprintf(
        text, size,
        "joints: [{name: hinge, pin: {between: ['%s', '%s'], at: [0.82, %s0.45]%s}}, {name: bond, fixed: "
        "{between: "
        "['%s', '%s']}}, {name: tie, spring: {between: ['%s', '%s'], from: [0.4, %s0.85], to: [1.8, %s0.85], "
        "stiffness: 1e3}}]\n",
        brick(wall, 3, 4, name[0]), brick(wall, 4, 4, name[1]), space,
        wall->dim == 3 ? ", axis: [0, 1, 0]" : "", brick(wall, 7, 4, name[2]), brick(wall, 7, 5, name[3]),
        brick(wall, 2, 8, name[4]), brick(wall, 9, 8, name[5]), space, space);
}

// Bricks in stretcher bond with joints left open, pushed a little along.
static void open_wall(Scene *scene, StickContext *ctx, const Wall *wall)
{
    char i[40], j[40], joints[1000] = "";
    snprintf(i, sizeof i, wall->is_reversed ? "(%d - i)" : "i", wall->length - 1);
    snprintf(j, sizeof j, wall->is_reversed ? "(%d - j)" : "j", wall->courses - 1);
    bool space = wall->dim == 3;
    if (wall->has_joints)
        write_joints(wall, joints, sizeof joints);
    scene_open(
        scene, ctx,
        "bodies: {b: {rigid: {box: [0.2, %s0.1], mass: 1}, repeat: {i: [0, %d], j: [0, %d]}, position: "
        "['0.21*%s + 0.06*(%s %% 2)', %s'0.05 + 0.1*%s']}}\n"
        "obstacles: {f: {plane: {point: [0, 0%s], normal: [0, %s1]}}}\ngravity: [0.7, %s-9.81]\n"
        "contacts: [{between: all, friction: 0.5}]\n%s"
        "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 10}}]\n",
        space ? "0.1, " : "", wall->length - 1, wall->courses - 1, i, j, space ? "0, " : "", j,
        space ? ", 0" : "", space ? "0, " : "", space ? "0.2, " : "", joints);
}

// The largest difference of two lists of forces, by the largest force.
static double difference(int n, const double *a, const double *b)
{
    double largest = 0, most = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(a[i]));
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most / largest;
}

// r of the problem of the last step from another guess: a multiple of the answer, by a solver of its own.
static double from_guess(const Scene *scene, double factor, int threads)
{
    const StickSimulation *run = scene->run;
    StickFrictionProblem problem = stick_simulation_problem(run);
    StickSolverOptions options = stick_solver_options_default();
    StickSolver *solver;
    StickSolveInfo info;
    int n = problem.dim * problem.ncontacts;
    double *r = test_calloc((size_t)n, sizeof *r), *u = test_calloc((size_t)n, sizeof *u);
    options.tolerance = 1e-8;
    options.aim = 1e-12;
    options.threads = threads;
    for (int i = 0; i < n; i++)
        r[i] = factor * run->r[i] * (1 + 0.5 * sin(i));
    assert_ok(scene->ctx, stick_solver_create(scene->ctx, "auto", &options, &solver));
    assert_ok(scene->ctx, stick_solver_reserve(solver, &problem));
    assert_ok(scene->ctx, stick_solver_solve(solver, &problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    double found = difference(n, run->r, r);
    stick_solver_destroy(solver);
    test_free(r);
    test_free(u);
    return found;
}

// The same contacts of both scenes have the same place.
static double between(const Scene *one, const Scene *other)
{
    const StickSimulation *a = one->run, *b = other->run;
    int dim = one->system->dim, n = a->contacts.ncontacts;
    double most = 0, largest = 0;
    assert_int_equal(n, b->contacts.ncontacts);
    for (int c = 0; c < n; c++) {
        int d = 0;
        const double *x = a->contacts.contact[c].place;
        for (; d < n; d++) {
            const double *y = b->contacts.contact[d].place;
            if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) < 1e-6)
                break;
        }
        assert_true(d < n);
        largest = fmax(largest, a->r[dim * c]);
        most = fmax(most, fabs(a->r[dim * c] - b->r[dim * d]));
    }
    return most / largest;
}

static void walls_have_one_answer(void **state)
{
    static const Wall walls[] = {
        {.dim = 2, .length = 3, .courses = 2},   {.dim = 2, .length = 6, .courses = 6},
        {.dim = 2, .length = 10, .courses = 12}, {.dim = 2, .length = 20, .courses = 20, .has_joints = true},
        {.dim = 2, .length = 40, .courses = 40}, {.dim = 3, .length = 2, .courses = 2},
        {.dim = 3, .length = 4, .courses = 4},   {.dim = 3, .length = 6, .courses = 8},
        {.dim = 3, .length = 8, .courses = 10},  {.dim = 3, .length = 16, .courses = 18},
        {.dim = 3, .length = 26, .courses = 28}, {.dim = 3, .length = 26, .courses = 28, .has_joints = true}};
    for (size_t k = 0; k < sizeof walls / sizeof *walls; k++) {
        Scene scene, other;
        Wall reversed = walls[k];
        reversed.is_reversed = true;
        open_wall(&scene, *state, &walls[k]);
        scene_steps(&scene, 4);
        open_wall(&other, *state, &reversed);
        scene_steps(&other, 4);
        int n = scene.run->contacts.ncontacts;
        double order = between(&scene, &other);
        if (!(order <= 1e-6))
            print_error("dim %d, %d contacts: %.1e\n", walls[k].dim, n, order);
        assert_below(order, 1e-6);

        double guess = 0;
        for (int threads = 1; threads <= (n < 3000 ? 2 : 1); threads++)
            for (int factor = 0; factor <= 2; factor++)
                guess = fmax(guess, from_guess(&scene, factor, threads));
        print_message("dim %d, %d contacts%s: order of bodies %.1e, guess %.1e\n", walls[k].dim, n,
                      walls[k].has_joints ? " with joints" : "", order, guess);
        assert_below(guess, 1e-6);
        scene_close(&scene);
        scene_close(&other);
    }
}

// Bricks that touch on all sides, on ground that is shaken: half of the contacts slide, and rows of bricks are
// wedged. The error of the motion, up to 1e-8, changes forces of wedges by more than that.
static void shaken_walls_have_one_answer(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "bodies: {b: {rigid: {box: [0.2, 0.1], mass: 1}, repeat: {i: [0, 11], j: [0, 11]}, position: "
               "['0.2*i + 0.1*(j %% 2)', '0.05 + 0.1*j']}}\n"
               "obstacles: {f: {plane: {point: [0, 0], normal: [0, 1]}, displacement: "
               "[\"0.02*(1-cos(20*t))\", 0]}}\n"
               "gravity: [0, -9.81]\ncontacts: [{between: all, friction: 0.5}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 10}}]\n");
    scene_steps(&scene, 6);
    double guess = 0;
    for (int factor = 0; factor <= 2; factor++)
        guess = fmax(guess, from_guess(&scene, factor, 1));
    print_message("shaken, %d contacts: guess %.1e\n", scene.run->contacts.ncontacts, guess);
    assert_below(guess, 1e-5);
    stick_diagnostics_clear(*state);
    scene_close(&scene);
}

typedef enum Shape { BOX, HULL, COMPOUND, NSHAPES } Shape;

typedef struct Gripper {
    int dim, faces;
    Shape shape;
    bool is_reversed;
} Gripper;

// A regular prism, in the plane a polygon, 0.1 m between opposite faces or from the axis to a face; of two faces a
// box.
static void add_part(char *text, size_t size, const Gripper *gripper)
{
    char solid[1000] = "";
    bool space = gripper->dim == 3;
    if (gripper->shape == COMPOUND && space)
        snprintf(solid, sizeof solid,
                 "compound: [{box: [0.2, 0.2, 0.1], position: [0, 0, 0.05]}, {box: [0.2, 0.2, 0.1], "
                 "position: [0, 0, "
                 "-0.05]}]");
    else if (gripper->shape == COMPOUND)
        snprintf(
            solid, sizeof solid,
            "compound: [{box: [0.2, 0.1], position: [0, 0.05]}, {box: [0.2, 0.1], position: [0, -0.05]}]");
    else if (gripper->shape == BOX)
        snprintf(solid, sizeof solid, "box: %s", space ? "[0.2, 0.2, 0.2]" : "[0.2, 0.2]");
    for (int k = 0, n = gripper->faces == 3 ? 3 : 4; gripper->shape == HULL && k < n; k++) {
        double angle = (2 * k + 1) * acos(-1) / n, radius = 0.1 / cos(acos(-1) / n), x = radius * cos(angle);
        size_t used = strlen(solid);
        const char *before = k > 0 ? ", " : space ? "hull: [" : "polygon: [", *after = k == n - 1 ? "]" : "";
        if (space)
            snprintf(solid + used, sizeof solid - used, "%s[%.17g, %.17g, 0.1], [%.17g, %.17g, -0.1]%s",
                     before, x, radius * sin(angle), x, radius * sin(angle), after);
        else
            snprintf(solid + used, sizeof solid - used, "%s[%.17g, %.17g]%s", before, x, radius * sin(angle),
                     after);
    }
    size_t used = strlen(text);
    snprintf(text + used, size - used, "  part: {rigid: {%s, mass: 0.3}, position: %s}\n", solid,
             space ? "[0, 0, 0]" : "[0, 0]");
}

// Pads on a carriage that a motor holds, then lifts, press with 10 N each on the faces of a part.
static void open_gripper(Scene *scene, StickContext *ctx, const Gripper *gripper)
{
    char bodies[4000] = "", joints[2000] = "", loads[1000] = "", contacts[1000] = "";
    bool space = gripper->dim == 3;
    if (!gripper->is_reversed)
        add_part(bodies, sizeof bodies, gripper);
    for (int i = 0; i < gripper->faces; i++) {
        int k = gripper->is_reversed ? gripper->faces - 1 - i : i;
        double angle = 2 * acos(-1) * k / gripper->faces, x = cos(angle), y = sin(angle);
        const char *z = space ? ", 0" : "";
        snprintf(bodies + strlen(bodies), sizeof bodies - strlen(bodies),
                 "  p%d: {rigid: {box: %s, mass: 0.1}, position: [%.17g, %.17g%s], rotation: %s%.17g%s}\n", k,
                 space ? "[0.02, 0.06, 0.1]" : "[0.02, 0.06]", 0.11 * x, 0.11 * y, z, space ? "[0, 0, " : "",
                 angle, space ? "]" : "");
        snprintf(joints + strlen(joints), sizeof joints - strlen(joints),
                 "  - {name: s%d, slider: {between: [p%d, carriage], axis: [%.17g, %.17g%s]}}\n", k, k, x, y,
                 z);
        snprintf(loads + strlen(loads), sizeof loads - strlen(loads),
                 "  - {on: p%d, force: [%.17g, %.17g%s]}\n", k, -10 * x, -10 * y, z);
        snprintf(contacts + strlen(contacts), sizeof contacts - strlen(contacts),
                 "  - {between: [part, p%d], friction: 0.5}\n", k);
    }
    if (gripper->is_reversed)
        add_part(bodies, sizeof bodies, gripper);
    const char *up = space ? "[0, 0, 1]" : "[0, 1]";
    scene_open(scene, ctx,
               "bodies:\n%s  carriage: {rigid: {box: %s, mass: 5}, position: %s}\n"
               "joints:\n%s  - {name: lift, slider: {between: [carriage], axis: %s}}\n"
               "  - {name: hoist, motor: {between: [carriage], axis: %s, velocity: '0.1*t*t'}}\n"
               "gravity: [0, %s-9.81]\nloads:\n%scontacts:\n%s"
               "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 10}}]\n",
               bodies, space ? "[0.4, 0.05, 0.05]" : "[0.4, 0.05]", space ? "[0, 0, 0.4]" : "[0, 0.4]",
               joints, up, up, space ? "0, " : "", loads, contacts);
}

// The part moves as the pads do, and rotates no more than they.
static double motion_in_grip(const Scene *scene)
{
    const StickSystem *system = scene->system;
    const double *part = NULL, *carriage = NULL, *v = scene->run->state.now.v;
    double most = 0;
    for (int b = 0; b < system->nbodies; b++) {
        part = strcmp(system->body[b].name, "part") == 0 ? v + system->body[b].first : part;
        carriage = strcmp(system->body[b].name, "carriage") == 0 ? v + system->body[b].first : carriage;
    }
    for (int i = 0; i < (system->dim == 3 ? 6 : 3); i++)
        most = fmax(most, fabs(part[i] - carriage[i]));
    return most;
}

static void grippers_hold_parts(void **state)
{
    for (int dim = 2; dim <= 3; dim++)
        for (int faces = 2; faces <= 4; faces++)
            for (int shape = faces == 3 ? HULL : 0; shape < (faces == 3 ? COMPOUND : NSHAPES); shape++) {
                Scene scene, other;
                Gripper gripper = {dim, faces, (Shape)shape, false}, reversed = gripper;
                reversed.is_reversed = true;
                open_gripper(&scene, *state, &gripper);
                open_gripper(&other, *state, &reversed);
                for (int k = 0; k < 20; k++) {
                    scene_step(&scene);
                    scene_step(&other);
                    double order = between(&scene, &other), motion = motion_in_grip(&scene);
                    if (!(order <= 1e-6 && motion <= 1e-6 * 9.81 * 5e-3))
                        print_error("dim %d, %d faces, shape %d, step %d: order %.1e, motion %.1e\n", dim,
                                    faces, shape, k, order, motion);
                    assert_below(order, 1e-6);
                    assert_below(motion, 1e-6 * 9.81 * 5e-3);
                }
                assert_int_equal(scene.run->record.accepted + other.run->record.accepted, 0);
                scene_close(&scene);
                scene_close(&other);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {test_with_context(walls_have_one_answer),
                                       test_with_context(shaken_walls_have_one_answer),
                                       test_with_context(grippers_hold_parts)};
    return cmocka_run_group_tests_name("stepping.one_answer", tests, NULL, NULL);
}
