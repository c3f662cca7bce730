// SPDX-License-Identifier: Apache-2.0
// The books of momentum and energy: they close at every step for every scheme, and their entries are the
// known ones.
#include "base/random.h"
#include "stepping/scene.h"

static const char *const schemes[] = {
    "scheme: theta, theta: 0.5",
    "scheme: theta, theta: 0.55",
    "scheme: theta, theta: 1",
    "scheme: theta-euler, theta: 0.55",
    "scheme: theta-euler, theta: 1",
    "scheme: modified-theta, theta: 0.5",
    "scheme: modified-theta, theta: 0.55",
    "scheme: newmark",
    "scheme: newmark, beta: 0.3025, gamma: 0.6",
};
enum { NSCHEMES = sizeof schemes / sizeof *schemes };

// ---- everything at once

static const char *const materials =
    "materials:\n"
    "  soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000, viscosity: {shear: 40, bulk: 20},\n"
    "         rayleigh: {mass: 5, stiffness: 1e-5}}\n"
    "  hard: {law: elastic, young: 4e6, poisson: 0.2, density: 2000}\n";

// A block falls on a base whose foot is shaken, and is hit from above by a moving ram.
static const char *const bodies[] = {
    // a row of two bars
    "bodies:\n"
    "  base: {mesh: {bar: {length: 0.3, elements: 4}}, material: soft}\n"
    "  block: {mesh: {bar: {length: 0.2, elements: 3, origin: [0.302]}}, material: hard, mass: lumped,\n"
    "          velocity: [-1]}\n"
    "obstacles: {ram: {plane: {point: [0.51], normal: [-1]}, velocity: [\"-1.5 - 10*t\"]}}\n"
    "supports: [{on: base.start, displacement: [\"0.002*sin(90*t)\"]}]\n"
    "gravity: [\"-9.81 + 30*sin(70*t)\"]\n"
    "contacts:\n"
    "  - {between: [block.start, base.end], friction: 0}\n"
    "  - {between: [block.end, ram], friction: 0}\n",
// plane strain, plane stress, rings
#define PLANE(hypothesis, left, spin)                                                                       \
    "bodies:\n"                                                                                             \
    "  base: {mesh: {rectangle: {size: [0.6, 0.2], cells: [4, 2], origin: [" left                           \
    ", 0]}}, material: soft,\n"                                                                             \
    "         plane: " hypothesis "}\n"                                                                     \
    "  block: {mesh: {rectangle: {size: [0.25, 0.2], cells: [3, 2], origin: [0.15, 0.203],\n"               \
    "          pattern: triangles}}, material: hard, plane: " hypothesis ", velocity: [0.5, -1]" spin "}\n" \
    "obstacles: {ram: {plane: {point: [0, 0.41], normal: [0, -1]}, velocity: [1, \"-1.5 - 10*t\"]}}\n"      \
    "supports:\n"                                                                                           \
    "  - {on: base.bottom, displacement: [\"0.001*sin(60*t)\", \"0.002*sin(90*t)\"]}\n"                     \
    "loads: [{on: block.right, pressure: \"4e3*sin(50*t + x)\"}]\n"                                         \
    "gravity: [\"3*sin(40*t)\", -9.81]\n"                                                                   \
    "contacts:\n"                                                                                           \
    "  - {between: [block.bottom, base.top], friction: \"0.3 + 0.1*v\"}\n"                                  \
    "  - {between: [block.top, ram], friction: 0.2}\n"
    PLANE("strain", "0", ", angular-velocity: 2"),
    PLANE("stress", "0", ", angular-velocity: -3"),
    PLANE("axisymmetric", "0.05", ""),
    // in space
    "bodies:\n"
    "  base: {mesh: {box: {size: [0.5, 0.4, 0.2], cells: [2, 2, 1]}}, material: soft}\n"
    "  block: {mesh: {box: {size: [0.2, 0.2, 0.2], cells: [2, 1, 1], origin: [0.12, 0.11, 0.203]}},\n"
    "          material: hard, velocity: [0.5, 0.3, -1], angular-velocity: [1, -1, 2]}\n"
    "obstacles: {ram: {plane: {point: [0, 0, 0.41], normal: [0, 0, -1]}, velocity: [1, 0.5, \"-1.5 - "
    "10*t\"]}}\n"
    "supports: [{on: base.bottom, velocity: [\"0.06*cos(60*t)\", 0, \"0.2*cos(90*t)\"]}]\n"
    "loads: [{on: block.right, traction: [\"-4e3*t\", 100, \"50*z\"]}, {on: block.left, force: [3, 0, "
    "\"t\"]}]\n"
    "gravity: [0, \"3*sin(40*t)\", -9.81]\n"
    "contacts:\n"
    "  - {between: [block.bottom, base.top], friction: 0.3}\n"
    "  - {between: [block.top, ram], friction: 0.2}\n",
};
enum { NMODELS = sizeof bodies / sizeof *bodies };

static void check_books(const Scene *scene)
{
    const StickLedger *ledger = &scene->run->ledger;
    assert_below(ledger->momentum_error, 1e-12);
    assert_below(fabs(ledger->closure), 1e-10);
    assert_below(ledger->equilibrium, 1e-9);
}

static void books_close_with_everything_at_work(void **state)
{
    StickRandom random = stick_random_seed(7);
    double worst_momentum = 0, worst_closure = 0;
    for (int k = 0; k < NMODELS * NSCHEMES; k++) {
        Scene scene;
        double h = stick_random_uniform(&random, 5e-4, 2.5e-3);
        scene_open(&scene, *state, "%s%ssteps: [{dynamics: {%s, step: %g, end: %g}, solver: gauss-seidel}]\n",
                   materials, bodies[k / NSCHEMES], schemes[k % NSCHEMES], h, 20 * h);
        int touching = 0;
        while (scene.run->state.step < scene.run->nsteps) {
            scene_step(&scene);
            check_books(&scene);
            touching += scene_force(&scene) > 0;
        }
        assert_true(touching >= 3);
        worst_momentum = fmax(worst_momentum, scene.run->ledger.worst_momentum);
        worst_closure = fmax(worst_closure, scene.run->ledger.worst_closure);
        scene_close(&scene);
    }
    print_message("worst error of momentum %.1e, of energy %.1e\n", worst_momentum, worst_closure);
}

// ---- energy without external work

static const char *const frictionless[] = {
    "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies:\n"
    "  left: {mesh: {bar: {length: 0.5, elements: 9}}, material: soft, velocity: [2]}\n"
    "  right: {mesh: {bar: {length: 0.3, elements: 6, origin: [0.504]}}, material: soft, mass: lumped}\n"
    "contacts: [{between: [left.end, right.start], friction: 0}]\n",
    "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies:\n"
    "  disk: {mesh: {disk: {radius: 0.3, core: [4, 4], rings: 2, centre: [0, 0.302]}}, material: soft,\n"
    "         velocity: [0, -2], angular-velocity: 1}\n"
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "contacts: [{between: [disk.outer, floor], friction: 0}]\n",
    // in touch from the start, one of them moving
    "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
    "bodies:\n"
    "  one: {mesh: {bar: {length: 1, elements: 20}}, material: soft, velocity: [1]}\n"
    "  two: {mesh: {bar: {length: 1, elements: 20, origin: [1]}}, material: soft}\n"
    "  three: {mesh: {bar: {length: 1, elements: 20, origin: [2.0001]}}, material: soft, velocity: [\"x - "
    "2.5\"]}\n"
    "contacts:\n"
    "  - {between: [one.end, two.start], friction: 0}\n"
    "  - {between: [two.end, three.start], friction: 0}\n",
    // in a bowl, squeezed at the start
    "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies:\n"
    "  disk: {mesh: {disk: {radius: 0.05, core: [4, 4], rings: 2, centre: [0, -0.15]}}, material: soft,\n"
    "         displacement: [\"0.2*x\", 0], velocity: [1, \"-8*(y + 0.2)\"]}\n"
    "obstacles: {bowl: {circle: {centre: [0, 0], radius: 0.2, side: inside}}}\n"
    "contacts: [{between: [disk.outer, bowl], friction: 0}]\n",
    // round bodies that graze each other, over a bump and against a corner
    "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies:\n"
    "  left: {mesh: {disk: {radius: 0.1, core: [4, 4], rings: 2, centre: [-0.1, 0.1]}}, material: soft,\n"
    "         velocity: [2, -0.5], angular-velocity: 2}\n"
    "  right: {mesh: {disk: {radius: 0.1, core: [4, 4], rings: 2, centre: [0.102, 0.15]}}, material: soft,\n"
    "          velocity: [-1, -1]}\n"
    "obstacles:\n"
    "  bump: {circle: {centre: [0, -1], radius: 1}}\n"
    "  corner: {polyline: {points: [[0.3, 0.5], [0.2, 0.02], [-0.3, -0.02]]}}\n"
    "contacts:\n"
    "  - {between: [left.outer, right.outer], friction: 0}\n"
    "  - {between: [left.outer, bump], friction: 0}\n"
    "  - {between: [right.outer, corner], friction: 0}\n",
    // damped, and held on one side
    "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000, viscosity: {shear: 1e4, bulk: "
    "1e4},\n"
    "                   rayleigh: {mass: 5, stiffness: 1e-2}}}\n"
    "bodies:\n"
    "  block: {mesh: {rectangle: {size: [0.3, 0.2], cells: [6, 4]}}, material: soft, velocity: "
    "[\"sin(40*y)\", -1]}\n"
    "obstacles: {floor: {plane: {point: [0, -0.01], normal: [0, 1]}, displacement: [0, 0]}}\n"
    "supports: [{on: block.left, displacement: [0, free]}]\n"
    "contacts: [{between: [block.bottom, floor], friction: 0}]\n",
    // in space, on a ball and in a tube
    "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies:\n"
    "  box: {mesh: {box: {size: [0.2, 0.2, 0.1], cells: [2, 2, 1], origin: [-0.08, -0.1, 0.001]}}, material: "
    "soft,\n"
    "        velocity: [1, 0.5, -1], angular-velocity: [1, -1, 2]}\n"
    "obstacles:\n"
    "  ball: {sphere: {centre: [0, 0, -1], radius: 1}}\n"
    "  tube: {cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 0.15, side: inside}}\n"
    "contacts:\n"
    "  - {between: [box.bottom, ball], friction: 0}\n"
    "  - {between: [box.right, tube], friction: 0}\n",
};
enum { NFRICTIONLESS = sizeof frictionless / sizeof *frictionless };

static void energy_never_grows_without_work(void **state)
{
    enum { NDISSIPATIVE = 7 };
    double held = 0;
    for (int k = 0; k < NFRICTIONLESS * NDISSIPATIVE; k++) {
        Scene scene;
        scene_open(&scene, *state, "%ssteps: [{dynamics: {%s, step: 1e-3, end: 0.06}, solver: lemke}]\n",
                   frictionless[k / NDISSIPATIVE], schemes[k % NDISSIPATIVE]);
        bool touched = false;
        while (scene.run->state.step < scene.run->nsteps) {
            scene_step(&scene);
            assert_below(scene.run->ledger.gain, 1e-13);
            touched |= scene_force(&scene) > 0;
        }
        held += scene.run->record.held;
        print_message("model %d, %s: %g steps held\n", k / NDISSIPATIVE, schemes[k % NDISSIPATIVE],
                      scene.run->record.held);
        const StickLedger *ledger = &scene.run->ledger;
        assert_true(touched);
        assert_true(ledger->external == 0 && ledger->supports == 0 && ledger->obstacles == 0);
        assert_near(ledger->kinetic + ledger->elastic + ledger->viscous + ledger->impact +
                        ledger->algorithmic,
                    ledger->initial, 1e-12 * ledger->initial);
        scene_close(&scene);
    }
    // in some of them energy would have grown
    assert_true(held > 0);
}

// A pressed corner that slides to and fro in a bowl: nothing pays for depth, so that none may gather.
static void a_long_slide_stays_on_the_circle(void **state)
{
    const char *dissipative[] = {"theta, theta: 0.5", "theta-euler, theta: 0.5",
                                 "modified-theta, theta: 0.55"};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {young: 2e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {b: {mesh: {rectangle: {size: [0.06, 1], cells: [2, 12]}}, material: soft,\n"
                   "             displacement: [0, \"0.03*(1-y)\"], velocity: [\"(1-y)^2\", 0]}}\n"
                   "supports: [{on: b.top, displacement: [0, 0]}]\n"
                   "obstacles: {bowl: {circle: {centre: [0, 0.23], radius: 0.2, side: inside}}}\n"
                   "contacts: [{between: [b.bottom-left, bowl], friction: 0}]\n"
                   "steps: [{dynamics: {scheme: %s, step: 1e-3, end: 2}}]\n",
                   dissipative[k]);
        double deepest = 0;
        int closed = 0;
        while (scene.run->state.step < scene.run->nsteps) {
            scene_step(&scene);
            assert_below(scene.run->ledger.gain, 1e-12);
            for (int c = 0; c < scene.run->contacts.ncontacts; c++)
                deepest = fmax(deepest, -scene.run->contacts.contact[c].gap);
            closed += scene_force(&scene) > 0;
        }
        print_message("%s: %d of %ld steps closed, deepest %.1e\n", dissipative[k], closed, scene.run->nsteps,
                      deepest);
        assert_true(closed > 1000);
        assert_below(deepest, 5e-5); // a step goes 1e-3
        scene_close(&scene);
    }
}

// ---- closed forms

static void free_fall_is_exact(void **state)
{
    for (int k = 0; k < NSCHEMES; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {block: {mesh: {rectangle: {size: [0.5, 0.4], cells: [3, 2]}}, thickness: 0.1,\n"
                   "                 material: soft, velocity: [3, 1]}}\n"
                   "gravity: [0, -10]\n"
                   "steps: [{dynamics: {%s, step: 0.01, end: 0.5}}]\n",
                   schemes[k]);
        double mass = 1000 * 0.5 * 0.4 * 0.1, t = 0.5;
        scene_steps(&scene, 50);
        const StickLedger *ledger = &scene.run->ledger;
        assert_near(ledger->momentum[0], 3 * mass, 1e-11 * mass);
        assert_near(ledger->momentum[1], (1 - 10 * t) * mass, 1e-11 * mass);
        double fallen = scene_mean(&scene, 0, 1, scene.run->state.now.q);
        assert_near(ledger->external, -10 * mass * fallen, 1e-10 * mass);
        // the first scheme and Newmark's integrate a constant acceleration exactly
        if (k == 0 || k == 7)
            assert_near(fallen, t - 5 * t * t, 1e-11);
        scene_close(&scene);
    }
}

// Where all contacts slide, the impulse of friction is mu times the normal one: the mass centre is slowed
// down by exactly mu (g t + its change of vertical velocity).
static void sliding_block_is_slowed_down_by_friction(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {stiff: {law: elastic, young: 1e8, poisson: 0.3, density: 1000}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [0.5, 0.2], cells: [5, 2]}}, material: stiff,\n"
               "                 velocity: [4, 0]}}\n"
               "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "gravity: [0, -10]\n"
               "contacts: [{between: [block.bottom, floor], friction: 0.3}]\n"
               "steps: [{dynamics: {scheme: theta-euler, theta: 1, step: 2e-3, end: 1}}]\n");
    double start = scene_energy(&scene), mass = scene.system->total_mass[0];
    while (scene.run->state.step < 400) {
        scene_step(&scene);
        const StickMotion *now = &scene.run->state.now;
        double vx = scene_mean(&scene, 0, 0, now->v), vy = scene_mean(&scene, 0, 1, now->v);
        assert_near(vx, 4 - 0.3 * (10 * now->t + vy), 1e-9);
        for (int c = 0; c < scene.run->contacts.ncontacts; c++)
            assert_int_not_equal(stick_simulation_status(scene.run, c), STICK_STICKING);
    }
    const StickLedger *ledger = &scene.run->ledger;
    double lost = start - 0.5 * mass * pow(4 - 0.3 * 10 * 0.8, 2);
    // of what is lost, the scheme itself takes (dv)^2 m / 2 in each step
    double algorithmic = 0.5 * mass * pow(0.3 * 10 * 2e-3, 2) * 400;
    assert_near(ledger->friction, lost - algorithmic, 1e-5 * lost);
    assert_near(ledger->contact_impulse[0], -0.3 * ledger->contact_impulse[1], 1e-9 * mass);
    scene_close(&scene);
}

// One element with a free end and C = b K: m = rho A L / 3, k = E A / L, xi = b omega / 2.
static void damped_oscillator_loses_its_energy(void **state)
{
    double omega = sqrt(3e6 / 1000.0), xi = 0.02, b = 2 * xi / omega;
    double period = 2 * acos(-1) / (omega * sqrt(1 - xi * xi));
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000,\n"
        "                   rayleigh: {stiffness: %.17g}}}\n"
        "bodies: {bar: {mesh: {bar: {length: 1, elements: 1}}, material: soft, displacement: [\"0.01*x\"]}}\n"
        "supports: [{on: bar.start, displacement: [0]}]\n"
        "steps: [{dynamics: {scheme: theta, theta: 0.5, step: %.17g, end: 1}}]\n",
        b, period / 400);
    scene_steps(&scene, 2000);
    const StickLedger *ledger = &scene.run->ledger;
    double left = exp(-2 * xi * omega * 5 * period);
    assert_near(scene_energy(&scene) / ledger->initial, left, 2e-4);
    assert_near(ledger->viscous / ledger->initial, 1 - left, 2e-4);
    assert_near(scene_energy(&scene) + ledger->viscous, ledger->initial, 1e-12 * ledger->initial);
    scene_close(&scene);
}

// A body that its supports carry along feels no force: what its stiffness makes of that is round-off, and closes no balance
// and opens none.
static void bodies_that_are_carried_along_balance(void **state)
{
    static const char *const ways[] = {"[3, \"-t\"]", "[\"1e-3*t\", 0]", "[\"sin(9*t)\", \"1e3*t\"]"};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {steel: {young: 2.1e11, poisson: 0.3, density: 7800}}\n"
            "bodies: {block: {mesh: {rectangle: {size: [0.3, 0.1], cells: [12, 7]}}, material: steel}}\n"
            "supports: [{on: block.top, displacement: %s}]\n"
            "steps: [{quasistatic: {end: 1, increments: 8}}]\n",
            ways[k]);
        while (!stick_simulation_is_done(scene.run))
            scene_step(&scene);
        assert_true(scene.run->ledger.open_steps == 0);
        assert_below(scene.run->ledger.worst_momentum, 1e-9);
        scene_close(&scene);
    }
}

// A block of steel slides for half a metre under its weight: digits of its strains are lost to its displacement, which is no
// fault of the step. Momentum that comes from nowhere still is one.
static void stiff_bodies_that_slide_far_balance(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {steel: {young: 210e9, poisson: 0.3, density: 7800}}\n"
        "bodies:\n"
        "  block: {mesh: {rectangle: {size: [0.2, 0.1], cells: [8, 4]}}, material: steel, plane: strain,\n"
        "          velocity: [2, 0]}\n"
        "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "gravity: [0, -9.81]\n"
        "contacts: [{between: [block.bottom, floor], friction: 0.3}]\n"
        "steps: [{dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-3, end: 1}}]\n");
    const StickLedger *ledger = &scene.run->ledger;
    scene_steps(&scene, 800);
    assert_true(ledger->worst_equilibrium > 1e-8);
    assert_true(ledger->open_steps == 0);
    scene.run->state.now.Mv[4] += 1e-6;
    scene_step(&scene);
    assert_true(ledger->open_steps == 1);
    assert_near(ledger->open_time, 0.801, 1e-9);
    scene_close(&scene);
}

// What is rounded away of a stiff body that has gone far excuses nothing of a soft one beside it.
static void each_body_has_its_own_round_off(void **state)
{
    static const char *const some[] = {"theta-euler, theta: 0.55", "newmark", "moreau, theta: 0.55"};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials:\n"
            "  steel: {young: 210e9, poisson: 0.3, density: 7800}\n"
            "  rubber: {young: 1e6, poisson: 0.3, density: 1000}\n"
            "bodies:\n"
            "  block: {mesh: {rectangle: {size: [0.2, 0.1], cells: [8, 4]}}, material: steel,\n"
            "          displacement: [0.5, 0]}\n"
            "  pad: {mesh: {rectangle: {size: [0.2, 0.1], cells: [8, 4], origin: [3, 0]}}, material: "
            "rubber}\n"
            "supports: [{on: block.bottom, displacement: [0.5, 0]}, {on: pad.bottom, displacement: [0, 0]}]\n"
            "gravity: [0, -9.81]\n"
            "steps: [{dynamics: {scheme: %s, step: 1e-3, end: 1}}]\n",
            some[k]);
        const StickLedger *ledger = &scene.run->ledger;
        scene_steps(&scene, 20);
        assert_true(ledger->open_steps == 0);
        for (int b = 0; b < 2; b++) {
            // two nodes at the top get impulses that cancel
            const StickBody *body = &scene.system->body[b];
            int last = body->first + body->ndofs - 2;
            scene.run->state.now.Mv[last] += 1e-7;
            scene.run->state.now.Mv[last - 2] -= 1e-7;
            scene_step(&scene);
            print_message("%s, %s: residual %.1e\n", some[k], body->name, ledger->equilibrium);
            assert_true(ledger->equilibrium > 1e-8);
            assert_true(ledger->open_steps == b);
        }
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(books_close_with_everything_at_work),
        test_with_context(energy_never_grows_without_work),
        test_with_context(a_long_slide_stays_on_the_circle),
        test_with_context(free_fall_is_exact),
        test_with_context(sliding_block_is_slowed_down_by_friction),
        test_with_context(damped_oscillator_loses_its_energy),
        test_with_context(bodies_that_are_carried_along_balance),
        test_with_context(stiff_bodies_that_slide_far_balance),
        test_with_context(each_body_has_its_own_round_off),
    };
    return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
