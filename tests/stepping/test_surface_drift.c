// SPDX-License-Identifier: Apache-2.0
// What is pressed on a deformable surface between its nodes, or moves along it, stays on the surface in every time step: gaps
// do not drift, the forces are those of equilibrium, and no energy comes from correcting gaps.
#include "stepping/scene.h"
#include "study/run_warnings.h"

#include <math.h>

#define MATERIAL(damping)                                                                                \
    "materials: {p: {young: 1e7, poisson: 0.25, density: 1000, rayleigh: {mass: 20, stiffness: " damping \
    "}}}\n"
#define BLOCK_2D(damping)                                                                                    \
    MATERIAL(damping)                                                                                        \
    "bodies:\n"                                                                                              \
    "  b: {mesh: {rectangle: {size: [0.04, 0.02], cells: [%d, 2], origin: [-0.02, -0.02]}}, plane: strain, " \
    "thickness: 0.01, material: p}\n"
#define BLOCK_3D(damping)                                                                               \
    MATERIAL(damping)                                                                                   \
    "bodies:\n"                                                                                         \
    "  b: {mesh: {box: {size: [0.04, 0.04, 0.02], cells: [%d, 5, 2], origin: [-0.02, -0.02, -0.02]}}, " \
    "material: p}\n"

// The gaps that a step is allowed to leave, by the side of an element.
static const double side = 1e-2, little = 2e-4;

static double lowest_gap(const Scene *scene)
{
    double lowest = 0;
    for (int c = 0; c < scene->run->contacts.ncontacts; c++)
        lowest = fmin(lowest, scene->run->contacts.contact[c].gap);
    return lowest;
}

// A step whose correction of gaps takes no more energy than contact has taken from the bodies before, or obstacles have given
// them through it.
static void step_checked(const Scene *scene)
{
    const StickLedger *ledger = &scene->run->ledger;
    double before = ledger->correction,
           paid = fmax(0, ledger->impact) + fmax(0, ledger->obstacles - 2 * ledger->pushed);
    scene_step(scene);
    assert_true(ledger->correction - before <= paid * (1 + 1e-9) + 1e-14 * ledger->scale);
    assert_below(fabs(ledger->closure), 1e-10);
}

// The balance closes, and bodies have no more energy than they had and were given.
static void check_energy(const Scene *scene)
{
    const StickLedger *ledger = &scene->run->ledger;
    double given = ledger->initial + ledger->external + ledger->supports + ledger->obstacles;
    assert_below(fabs(stick_ledger_balance(ledger)), 1e-10);
    assert_true(ledger->kinetic + ledger->elastic <= given + 1e-10 * ledger->scale);
}

typedef struct Press {
    int dim, cells;
    double x, radius, friction, step;
} Press;

// A rigid disk or sphere that is guided down and loaded from 0 to 40 N; theta-method of the block with theta = 1/2.
static void round_bodies_rest_on_blocks(void **state)
{
    static const Press all[] = {
        {2, 5, 0, 2e-3, 0, 1e-3},     {2, 5, 0, 2e-3, 0.5, 4e-3},    {2, 5, 0, 1.3e-2, 0, 4e-3},
        {2, 5, 0, 1.3e-2, 0.5, 1e-3}, {2, 5, 0, 5e-2, 0, 4e-3},      {2, 5, 3e-4, 1.3e-2, 0, 1e-3},
        {2, 4, 1e-3, 2e-3, 0, 1e-3},  {2, 4, 1e-3, 5e-2, 0.5, 4e-3}, {3, 5, 0, 2e-3, 0, 1e-3},
        {3, 5, 0, 1.3e-2, 0, 4e-3},   {3, 5, 0, 5e-2, 0.5, 1e-3},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const Press *p = &all[k];
        Scene scene;
        double lowest = 0, force = 0;
        int steps = (int)(0.4 / p->step + 0.5), late = steps / 4;
        if (p->dim == 2)
            scene_open(&scene, *state,
                       BLOCK_2D("1e-4") "  d: {rigid: {disk: %g, mass: 0.1}, position: [%g, %g]}\n"
                                        "supports: [{on: b.bottom, displacement: [0, 0]}, {on: d, "
                                        "displacement: [0, free]}]\n"
                                        "loads: [{on: d, force: [0, \"-40*min(1, t/0.1)\"]}]\n"
                                        "contacts: [{between: [b.top, d], friction: %g}]\n"
                                        "steps: [{dynamics: {scheme: moreau, step: %g, end: 1}}]\n",
                       p->cells, p->radius, p->x, p->radius, p->friction, p->step);
        else
            scene_open(&scene, *state,
                       BLOCK_3D("1e-4") "  d: {rigid: {sphere: %g, mass: 0.1}, position: [%g, 0, %g]}\n"
                                        "supports: [{on: b.bottom, displacement: [0, 0, 0]}, "
                                        "{on: d, displacement: [0, 0, free]}]\n"
                                        "loads: [{on: d, force: [0, 0, \"-40*min(1, t/0.1)\"]}]\n"
                                        "contacts: [{between: [b.top, d], friction: %g}]\n"
                                        "steps: [{dynamics: {scheme: moreau, step: %g, end: 1}}]\n",
                       p->cells, p->radius, p->x, p->radius, p->friction, p->step);
        for (int i = late; i < steps; i++)
            step_checked(&scene);
        for (int i = 0; i < late; i++) {
            double before = scene.run->ledger.support_impulse[p->dim - 1];
            step_checked(&scene);
            force += scene.run->ledger.support_impulse[p->dim - 1] - before;
            lowest = fmin(lowest, lowest_gap(&scene));
        }
        assert_near(force / (late * p->step), 40, 0.02 * 40);
        assert_true(lowest > -little * side);
        assert_below(scene.run->record.penetration, little * side);
        check_energy(&scene);
        scene_close(&scene);
    }
}

typedef struct Drag {
    const char *scheme;
    int dim, cells;
    double radius, friction;
    const char *method;
} Drag;

static void open_drag(Scene *scene, StickContext *ctx, const Drag *d, const char *step)
{
    static const char *const rest[] = {"", "", "displacement: [0, 0]", "displacement: [0, 0, 0]"};
    char obstacle[256], format[2048];
    if (d->dim == 2)
        snprintf(obstacle, sizeof obstacle,
                 "obstacles: {d: {circle: {centre: [-5e-3, %g], radius: %g}, displacement: [0.05*t, "
                 "\"-3e-4*min(1, t/0.02)\"]}}\n",
                 d->radius, d->radius);
    else
        snprintf(obstacle, sizeof obstacle,
                 "obstacles: {d: {sphere: {centre: [-5e-3, 0, %g], radius: %g}, displacement: [0.05*t, 0, "
                 "\"-3e-4*min(1, t/0.02)\"]}}\n",
                 d->radius, d->radius);
    snprintf(format, sizeof format,
             "%s%ssupports: [{on: b.bottom, %s}]\n"
             "contacts: [{between: [b.top, d], friction: %g, method: %s}]\nsteps: [{%s}]\n",
             d->dim == 2 ? BLOCK_2D("1e-4") : BLOCK_3D("1e-4"), obstacle, rest[d->dim], d->friction,
             d->method, step);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    scene_open(scene, ctx, format, d->cells);
#pragma GCC diagnostic pop
}

// A circle or sphere is pressed in by 0.3 mm and drawn along the block over its nodes: in every scheme the mean force is that
// of the quasistatic path.
static void obstacles_are_drawn_over_blocks(void **state)
{
    static const Drag all[] = {
        {"scheme: moreau", 2, 5, 1.3e-2, 0, "nodes"},
        {"scheme: moreau", 2, 4, 5e-2, 0.5, "nodes"},
        {"scheme: moreau", 2, 4, 2e-3, 0.5, "integrated"},
        {"scheme: theta, theta: 0.5", 2, 5, 1.3e-2, 0, "nodes"},
        {"scheme: theta-euler, theta: 0.6", 2, 5, 1.3e-2, 0.5, "integrated"},
        {"scheme: modified-theta, theta: 0.6", 2, 5, 1.3e-2, 0, "nodes"},
        {"scheme: newmark", 2, 5, 1.3e-2, 0, "nodes"},
        {"scheme: moreau", 3, 5, 1.3e-2, 0.5, "nodes"},
        {"scheme: theta, theta: 0.5", 3, 5, 1.3e-2, 0, "nodes"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const Drag *d = &all[k];
        enum { STEPS = 150, FIRST = 50 };
        char step[128];
        double lowest = 0, mean[2] = {0};
        for (int path = 0; path < 2; path++) {
            Scene scene;
            snprintf(step, sizeof step,
                     path ? "quasistatic: {end: 0.15, increments: 150}"
                          : "dynamics: {%s, step: 1e-3, end: 0.15}",
                     d->scheme);
            open_drag(&scene, *state, d, step);
            for (int i = 0; i < STEPS; i++) {
                scene_step(&scene);
                if (i < FIRST)
                    continue;
                mean[path] += scene_force(&scene) / (STEPS - FIRST);
                lowest = fmin(lowest, lowest_gap(&scene));
            }
            if (!path && k != 6) // Newmark's method gives energy where contact changes
                check_energy(&scene);
            scene_close(&scene);
        }
        assert_near(mean[0], mean[1], 0.02 * mean[1]);
        assert_true(lowest > -10 * little * side);
    }
}

// With a law of restitution bodies meet inside of each other. The ball comes out again, as far as the impact pays for it; what
// remains is in the record, with both bodies, and is reported whatever the size of other bodies. The block is damped: modes that go on vibrating would get back through contact
// what the impact has taken, and nothing would be left to pay.
static void penetration_after_an_impact_is_corrected_or_reported(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        for (int heavy = 0; heavy < 2; heavy++) {
            Scene scene;
            double deepest = 0;
            // the load comes after the impact, so slowly that nothing else hits and pays
            const char *load = heavy ? "1 + 100*max(0, min(1, (t-0.004)/0.01))" : "1";
            if (dim == 2)
                scene_open(
                    &scene, *state,
                    BLOCK_2D(
                        "1e-3") "  d: {rigid: {disk: 5e-2, mass: 0.1}, position: [0, 0.0505], velocity: [0, "
                                "-0.3]}\n"
                                "  huge: {rigid: {disk: 5}, position: [20, 0], material: p}\n"
                                "supports: [{on: b.bottom, displacement: [0, 0]}, {on: d, displacement: [0, "
                                "free]}]\n"
                                "loads: [{on: d, force: [0, \"-(%s)\"]}]\n"
                                "contacts: [{between: [b.top, d], friction: 0.2, restitution: 0}]\n"
                                "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n",
                    5, load);
            else
                scene_open(
                    &scene, *state,
                    BLOCK_3D("1e-3") "  d: {rigid: {sphere: 5e-2, mass: 0.1}, position: [0, 0, 0.0505], "
                                     "velocity: [0, "
                                     "0, -0.3]}\n"
                                     "  huge: {rigid: {sphere: 5}, position: [20, 0, 0], material: p}\n"
                                     "supports: [{on: b.bottom, displacement: [0, 0, 0]}, {on: d, "
                                     "displacement: [0, 0, "
                                     "free]}]\n"
                                     "loads: [{on: d, force: [0, 0, \"-(%s)\"]}]\n"
                                     "contacts: [{between: [b.top, d], friction: 0.2, restitution: 0}]\n"
                                     "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n",
                    5, load);
            for (int i = 0; i < (heavy ? 200 : 1500); i++) {
                step_checked(&scene);
                deepest = fmin(deepest, lowest_gap(&scene));
            }
            const StickStatistics *record = &scene.run->record;
            stick_run_warnings_say(scene.run);
            assert_int_equal(times_warned(*state, "body 'b' is "), (dim - 2) + heavy);
            assert_true(scene.run->ledger.correction > 0);
            check_energy(&scene);
            assert_true(deepest < -5 * little * side);
            if (heavy) {
                assert_int_equal((int)record->penetrating, 0);
                assert_int_equal((int)record->penetrated, 1);
                assert_true(record->penetration > 5 * little * side);
                assert_near(record->penetration, -lowest_gap(&scene), 1e-12);
            } else {
                assert_below(record->penetration, little * side);
            }
            scene_close(&scene);
        }
    }
}

// Penetration is judged by the thinner body of its contact: a plate of 2 mm that starts half sunk in another one, next to a
// block of 5 m that is 4 mm deep.
static void penetration_is_judged_by_the_thinner_body(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {s: {density: 1000}}\n"
               "bodies:\n"
               "  huge: {rigid: {box: [20, 10]}, position: [20, -5], material: s}\n"
               "  block: {rigid: {box: [5, 5]}, position: [20, 2.496], material: s}\n"
               "  plate: {rigid: {box: [0.1, 0.02]}, position: [0, -0.01], material: s}\n"
               "  thin: {rigid: {box: [0.05, 0.002]}, material: s}\n"
               "supports: [{on: huge, displacement: [0, 0], rotation: 0}, {on: plate, displacement: [0, 0], "
               "rotation: 0}]\n"
               "gravity: [0, -9.81]\ncontacts: [{between: all, friction: 0.3, overclosure: keep}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 0.1}}]\n");
    scene_steps(&scene, 20);
    const StickStatistics *record = &scene.run->record;
    assert_near(record->penetration, 4e-3, 1e-9);
    assert_near(record->penetration_there, 1e-3, 1e-9);
    assert_near(record->penetration_part, 0.5, 1e-6);
    stick_run_warnings_say(scene.run);
    assert_int_equal(times_warned(*state, "body 'plate' is 0.001 inside of 'thin'"), 1);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(round_bodies_rest_on_blocks),
        test_with_context(obstacles_are_drawn_over_blocks),
        test_with_context(penetration_after_an_impact_is_corrected_or_reported),
        test_with_context(penetration_is_judged_by_the_thinner_body),
    };
    return cmocka_run_group_tests_name("stepping.surface_drift", tests, NULL, NULL);
}
