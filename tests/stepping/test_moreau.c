// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in the plane by Moreau's step: closed forms of sliding and rocking, collisions by both laws, balances to
// the last digits.
#include "base/memory.h"
#include "stepping/mechanism.h"

#define HEAD "stickslip: 1\nmaterials: {stone: {density: 2500}}\n"

// What every run keeps: momentum, angular momentum, energy and the split of its loss.
static void check_all_books(const Scene *scene)
{
    const StickLedger *ledger = &scene->run->ledger;
    check_books_within(scene, 1e-12);
    assert_true(ledger->structural >= -1e-12 * ledger->scale);
    assert_true(ledger->frictional >= -1e-12 * ledger->scale);
}

// ---- inclined planes

// The plane is turned by the angle: gravity does not change, the body lies on it.
static void open_incline(Scene *scene, StickContext *ctx, const char *body, double degrees, double mu,
                         const char *start, double h, double end)
{
    char text[2048];
    double a = degrees * acos(-1) / 180;
    snprintf(text, sizeof text,
             HEAD "bodies:\n"
                  "  block: {rigid: %s, material: stone, position: [%.17g, %.17g], rotation: %.17g%s}\n"
                  "obstacles: {slope: {plane: {point: [0, 0], normal: [%.17g, %.17g]}}}\n"
                  "gravity: [0, -9.81]\n"
                  "contacts: [{between: all, friction: %.17g}]\n"
                  "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}}]\n",
             body, -0.1 * sin(a), 0.1 * cos(a), a, start, -sin(a), cos(a), mu, h, end);
    assert_ok(ctx, scene_try(scene, ctx, text));
}

static double along(const double *x, double degrees)
{
    double a = degrees * acos(-1) / 180;
    return -(x[0] * cos(a) + x[1] * sin(a)); // downhill
}

static void blocks_slide_where_friction_is_less_than_the_slope(void **state)
{
    Scene scene;
    open_incline(&scene, *state, "{box: [0.4, 0.2]}", 30, 0.3, "", 1e-3, 1);
    scene_run(&scene);
    // v is exact, and x too: the trapezoidal rule of a straight line
    assert_near(along(v_of(&scene, 0), 30), 2.356287, 1e-6);
    assert_near(along(q_of(&scene, 0), 30), 1.178144, 1e-6);
    assert_near(q_of(&scene, 0)[2], 0, 1e-12);
    check_all_books(&scene);
    // what friction takes: mu m g cos(a) x
    double taken = 0.3 * 2500 * 0.08 * 9.81 * cos(acos(-1) / 6) * along(q_of(&scene, 0), 30);
    assert_near(scene.run->ledger.friction, taken, 1e-9 * taken);
    scene_close(&scene);
    open_incline(&scene, *state, "{box: [0.4, 0.2]}", 20, 0.4, "", 1e-3, 1);
    scene_run(&scene);
    for (int k = 0; k < 3; k++)
        assert_near(q_of(&scene, 0)[k], 0, 1e-10);
    scene_close(&scene);
}

// mu = tan(alpha), to a millionth; the rest of g (sin - mu cos) is what it slides with.
static void blocks_slide_from_the_angle_of_friction_on(void **state)
{
    for (double degrees = 10; degrees < 50; degrees += 10) {
        double a = degrees * acos(-1) / 180;
        for (int k = -1; k <= 1; k += 2) {
            Scene scene;
            double mu = tan(a) * (1 + 1e-6 * k);
            open_incline(&scene, *state, "{box: [0.4, 0.1]}", degrees, mu, "", 1e-2, 1);
            scene_run(&scene);
            double expected = k < 0 ? 9.81 * (sin(a) - mu * cos(a)) : 0;
            assert_near(along(v_of(&scene, 0), degrees), expected, 1e-8);
            scene_close(&scene);
        }
    }
}

static void block_thrown_uphill_stops_and_comes_back(void **state)
{
    Scene scene;
    char start[128];
    double a = acos(-1) / 6;
    snprintf(start, sizeof start, ", velocity: [%.17g, %.17g]", 2 * cos(a), 2 * sin(a));
    open_incline(&scene, *state, "{box: [0.4, 0.2]}", 30, 0.3, start, 1e-4, 0.268323);
    scene_run(&scene);
    assert_near(along(q_of(&scene, 0), 30), -0.268323, 2e-6);
    assert_near(along(v_of(&scene, 0), 30), 0, 2e-3);
    scene_close(&scene);
}

// ---- collisions

// The first one comes from the left; the others touch each other.
static void open_balls(Scene *scene, StickContext *ctx, int count, const char *law)
{
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "bodies:\n"
                  "  first: {rigid: {disk: 0.5, mass: 2}, position: [-0.001, 0], velocity: [1, 0]}\n"
                  "  ball: {rigid: {disk: 0.5, mass: 2}, repeat: {i: [1, %d]}, position: [\"i\", 0]}\n"
                  "contacts: [{between: all, friction: 0, %s}]\n"
                  "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 3e-3}}]\n",
             count - 1, law);
    assert_ok(ctx, scene_try(scene, ctx, text));
    scene_run(scene);
}

static void check_velocities(const Scene *scene, int count, const double *v)
{
    for (int k = 0; k < count; k++)
        assert_near(v_of(scene, k)[0], v[k], 1e-10);
    check_all_books(scene);
    scene_close((Scene *)scene);
}

static void two_balls_part_by_restitution(void **state)
{
    for (double e = 0; e <= 1; e += 0.25) {
        Scene scene;
        char law[64];
        snprintf(law, sizeof law, "dissipation: %.17g", (1 - e) / (1 + e));
        open_balls(&scene, *state, 2, law);
        assert_near(scene.run->ledger.structural, (1 - e * e) / 4 * 2, 1e-12);
        check_velocities(&scene, 2, (const double[]){(1 - e) / 2, (1 + e) / 2});
        snprintf(law, sizeof law, "restitution: %g", e);
        open_balls(&scene, *state, 2, law);
        check_velocities(&scene, 2, (const double[]){(1 - e) / 2, (1 + e) / 2});
    }
}

// u+ = 2 u_plastic - u-, not what three collisions one after the other would give.
static void three_balls_collide_all_at_once(void **state)
{
    Scene scene;
    open_balls(&scene, *state, 3, "dissipation: 0");
    assert_near(scene.run->ledger.structural, 0, 1e-12);
    check_velocities(&scene, 3, (const double[]){-1. / 3, 2. / 3, 2. / 3});
    open_balls(&scene, *state, 3, "dissipation: 1");
    check_velocities(&scene, 3, (const double[]){1. / 3, 1. / 3, 1. / 3});
}

// ---- rocking

typedef struct Rocking {
    double width, height, fraction, quarter, omega, ratio;
} Rocking;

// A block of angle alpha = atan(b/h), turned about its right lower corner by a part of alpha.
static void open_rocking(Scene *scene, StickContext *ctx, const Rocking *block, double h)
{
    char text[1024];
    double b = block->width / 2, l = block->height / 2, turn = -block->fraction * atan(b / l);
    double x = -b * cos(turn) - l * sin(turn),
           y = -b * sin(turn) + l * cos(turn); // corner (b, -l) at the origin
    snprintf(text, sizeof text,
             HEAD "bodies: {block: {rigid: {box: [%.17g, %.17g]}, material: stone, position: [%.17g, %.17g], "
                  "rotation: %.17g}}\n"
                  "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                  "gravity: [0, -9.81]\n"
                  "contacts: [{between: all, friction: 2}]\n"
                  "steps: [{dynamics: {scheme: moreau, step: %.17g, end: 1}}]\n",
             block->width, block->height, x, y, turn, h);
    assert_ok(ctx, scene_try(scene, ctx, text));
}

// Time and speed when it is upright, and the speed just after.
static void rock(StickContext *ctx, const Rocking *block, double h, double found[3])
{
    Scene scene;
    open_rocking(&scene, ctx, block, h);
    double before = 0, after = 0;
    do {
        before = v_of(&scene, 0)[2];
        scene_step(&scene);
        after = v_of(&scene, 0)[2];
    } while (after >= before && !stick_simulation_is_done(scene.run));
    // the new pivot takes over within two steps
    found[0] = scene.run->state.now.t;
    found[1] = before;
    scene_steps(&scene, 2);
    found[2] = v_of(&scene, 0)[2];
    check_all_books(&scene);
    scene_close(&scene);
}

static void blocks_rock_as_housner_has_it(void **state)
{
    const Rocking blocks[] = {
        {0.2, 0.6, 0.3, 0.186583, 1.101213, 0.85},     {0.2, 0.6, 0.5, 0.273859, 1.336809, 0.85},
        {0.5, 2.0, 0.3, 0.336169, 0.465667, 0.911765}, {0.5, 2.0, 0.5, 0.493803, 0.565045, 0.911765},
        {1.0, 4.0, 0.3, 0.475415, 0.329277, 0.911765}, {1.0, 4.0, 0.5, 0.698343, 0.399547, 0.911765},
    };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        for (double h = 1e-3; h > 2e-4; h /= 4) {
            double found[3];
            rock(*state, &blocks[k], h, found);
            assert_near(found[0], blocks[k].quarter, 3 * h);
            assert_near(found[1] / blocks[k].omega, 1, 20 * h);
            assert_near(found[2] / found[1], blocks[k].ratio, 40 * h);
        }
    }
}

// ---- conservation

// Polygons that fly, spin and hit each other with friction, without anything from outside.
static void isolated_bodies_keep_momentum_and_angular_momentum(void **state)
{
    Scene scene;
    assert_ok(
        *state,
        scene_try(&scene, *state,
                  HEAD "bodies:\n"
                       "  left: {rigid: {polygon: [[-0.3, -0.2], [0.3, -0.2], [0.1, 0.4]]}, material: stone, "
                       "position: [-1, 0.1], velocity: [2, 0], angular-velocity: 5}\n"
                       "  middle: {rigid: {box: [0.5, 0.3]}, material: stone, position: [0, 0]}\n"
                       "  right: {rigid: {disk: 0.3}, material: stone, position: [0.8, 0.1], velocity: "
                       "[-3, 0.1], angular-velocity: -20}\n"
                       "contacts: [{between: all, friction: 0.5, dissipation: 0.4}]\n"
                       "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n"));
    double momentum[3], angular[3], energy = scene.run->ledger.kinetic;
    memcpy(momentum, scene.run->ledger.momentum, sizeof momentum);
    memcpy(angular, scene.run->ledger.angular, sizeof angular);
    scene_run(&scene);
    const StickLedger *ledger = &scene.run->ledger;
    for (int k = 0; k < 3; k++) {
        assert_near(ledger->momentum[k], momentum[k], 1e-12 * ledger->momentum_scale);
        assert_near(ledger->angular[k], angular[k], 1e-12 * ledger->angular_scale);
        assert_near(ledger->contact_moment[k], 0, 1e-12 * ledger->angular_scale);
    }
    assert_true(ledger->structural > 0 && ledger->frictional > 0);
    assert_near(ledger->kinetic + ledger->structural + ledger->frictional, energy, 1e-10 * energy);
    check_all_books(&scene);
    scene_close(&scene);
}

// ---- supports and loads

// A block on a table that is a rigid body itself, led along x: what sticks goes with it and keeps its place on it.
static void blocks_ride_on_led_tables(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {stone: {density: 2500}}\n"
               "bodies:\n"
               "  table: {rigid: {box: [2, 0.2]}, material: stone}\n"
               "  block: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0, 0.2]}\n"
               "supports: [{on: table, displacement: [\"0.1*(1 - cos(4*t))\", 0], rotation: 0}]\n"
               "gravity: [0, -9.81]\n"
               "contacts: [{between: all, friction: 0.5}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n");
    double worst = 0;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        worst = fmax(worst, fabs(q_of(&scene, 1)[0] - q_of(&scene, 0)[0]));
    }
    assert_below(worst, 1e-6);
    assert_near(q_of(&scene, 0)[0], 0.1 * (1 - cos(4)), 1e-6);
    // its support carries both
    double *reaction = scene.run->state.now.reaction;
    assert_near(reaction[1] / (2500 * (0.4 + 0.08) * 9.81), 1, 1e-8);
    assert_near(reaction[2], -scene.run->p_T[2] / scene.run->h - scene.run->p_N[2] / scene.run->h, 1e-8);
    check_all_books(&scene);
    scene_close(&scene);
}

// Constant torque, and a force that follows the body: in its own axes, at a point of it.
static void torques_and_followers_turn_bodies(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "bodies:\n"
               "  wheel: {rigid: {disk: 0.5, mass: 8}}\n"
               "  rocket: {rigid: {box: [0.2, 1], mass: 12}, position: [5, 0], angular-velocity: 1}\n"
               "loads:\n"
               "  - {on: wheel, torque: 3}\n"
               "  - {on: rocket, force: [0, 24], at: [0, -0.5], follows: true}\n"
               "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n");
    scene_run(&scene);
    assert_near(v_of(&scene, 0)[2], 3., 1e-9); // J = m r^2 / 2 = 1
    assert_near(q_of(&scene, 0)[2], 1.5, 1e-9);
    // the force goes through the mass centre along an axis that turns with 1 rad/s
    assert_near(v_of(&scene, 1)[0], -2 * (1 - cos(1)), 1e-6);
    assert_near(v_of(&scene, 1)[1], 2 * sin(1), 1e-6);
    check_all_books(&scene);
    scene_close(&scene);
}

// ---- rigid on deformable

#define RUBBER                                                                                             \
    "materials: {stone: {density: 2500}, rubber: {law: elastic, young: 1e6, poisson: 0.3, density: "       \
    "1000, rayleigh: {stiffness: 0.02}}}\n"                                                                \
    "bodies:\n"                                                                                            \
    "  block: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0, 0.3]%s}\n"                         \
    "  base: {mesh: {rectangle: {size: [1, 0.2], cells: [10, 2], origin: [-0.5, 0]}}, material: rubber}\n" \
    "supports: [{on: base.bottom, displacement: [0, 0]}]\n"                                                \
    "gravity: [0, -9.81]\n"                                                                                \
    "contacts:\n"                                                                                          \
    "  - {between: %s, friction: 0.5}\n"                                                                   \
    "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: %g}}]\n"

// Either body may be the first of the pair; the weight goes through.
static void rigid_blocks_come_to_rest_on_rubber(void **state)
{
    const char *pairs[] = {"[block, base.top]", "[base.top, block]"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state, RUBBER, "", pairs[k], 1.);
        scene_run(&scene);
        const StickLedger *ledger = &scene.run->ledger;
        assert_near(scene_force(&scene) / (2500 * 0.08 * 9.81), 1, 1e-3);
        assert_true(q_of(&scene, 0)[1] < -1e-4);
        assert_near(q_of(&scene, 0)[2], 0, 1e-9);
        assert_below(ledger->kinetic, 1e-6 * ledger->scale);
        assert_below(ledger->worst_closure, 1e-12);
        assert_below(ledger->worst_momentum, 1e-12);
        scene_close(&scene);
    }
}

// Friction takes the momentum of the block to the support.
static void rigid_blocks_slide_over_rubber(void **state)
{
    Scene scene;
    scene_open(&scene, *state, RUBBER, ", velocity: [0.5, 0]", "[base.top, block]", 0.5);
    scene_run(&scene);
    const StickLedger *ledger = &scene.run->ledger;
    assert_below(fabs(v_of(&scene, 0)[0]), 0.02);
    assert_true(q_of(&scene, 0)[0] > 0.01 && q_of(&scene, 0)[0] < 0.06);
    assert_true(ledger->friction > 0);
    assert_below(ledger->worst_closure, 1e-12);
    assert_below(ledger->worst_momentum, 1e-12);
    scene_close(&scene);
}

// ---- bits and memory

#define SHAKEN                                                                                      \
    "materials: {stone: {density: 2500}}\n"                                                         \
    "bodies: {block: {rigid: {box: [0.45, 0.4]}, material: stone, repeat: {i: [0, 1], j: [0, 4]}, " \
    "position: [\"0.45*i\", \"0.2 + 0.4*j\"]}}\n"                                                   \
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"%s\", 0]}}\n"     \
    "gravity: [0, -9.81]\n"                                                                         \
    "contacts: [{between: all, friction: 0.3}]\n"                                                   \
    "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n"

static void two_runs_have_the_same_bits(void **state)
{
    Scene first, second;
    scene_open(&first, *state, SHAKEN, "0.05*sin(20*t)");
    scene_open(&second, *state, SHAKEN, "0.05*sin(20*t)");
    size_t bytes = (size_t)first.run->state.n * sizeof(double);
    for (int i = 0; i < 300; i++) {
        scene_step(&first);
        scene_step(&second);
        assert_memory_equal(first.run->state.now.q, second.run->state.now.q, bytes);
        assert_memory_equal(first.run->state.now.v, second.run->state.now.v, bytes);
    }
    assert_memory_equal(&first.run->ledger, &second.run->ledger, sizeof(StickLedger));
    scene_close(&first);
    scene_close(&second);
}

static void rest_takes_no_memory(void **state)
{
    Scene scene;
    scene_open(&scene, *state, SHAKEN, "0");
    scene_steps(&scene, 20);
    size_t calls = stick_memory_calls(*state);
    scene_steps(&scene, 50);
    assert_int_equal(stick_memory_calls(*state), calls);
    scene_close(&scene);
}

// ---- fast bodies

// A small ball against a thin wall, from many places before it; gives the number of those that end up behind it.
static int passages(StickContext *ctx, double step)
{
    int passed = 0;
    for (int k = 0; k < 20; k++) {
        Scene scene;
        scene_open(&scene, ctx,
                   "bodies:\n"
                   "  ball: {rigid: {disk: 0.01, mass: 0.1}, position: [%.17g, 0], velocity: [10, 0]}\n"
                   "  wall: {rigid: {box: [0.004, 1], mass: 1000}}\n"
                   "contacts: [{between: all, friction: 0.3, restitution: 0.5}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: %.17g, end: 0.05}}]\n",
                   -0.1 - 0.05 * k * 10 * step, step);
        scene_run(&scene);
        passed += scene.system->body[0].rigid->centre[0] + q_of(&scene, 0)[0] > 0;
        scene_close(&scene);
    }
    return passed;
}

// Thickness of both together: 12 mm between the middles. A way of less in a step is always stopped, and one of more is told.
static void thin_walls_stop_what_is_slow_or_fast(void **state)
{
    // on its way in a step: less than the thickness of both, and much more
    assert_int_equal(passages(*state, 0.0119 / 10), 0);
    assert_int_equal(passages(*state, 0.05 / 10), 0);
    assert_int_equal(passages(*state, 0.2 / 10), 0);
}

// ---- what is refused

static void bodies_in_each_other_are_named(void **state)
{
    Scene scene;
    const char *text = HEAD "bodies:\n"
                            "  a: {rigid: {disk: 0.5}, material: stone}\n"
                            "  b: {rigid: {disk: 0.5}, material: stone, position: [0.9, 0]}\n"
                            "contacts: [{between: all, friction: 0.5}]\n"
                            "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n";
    StickStatus status = scene_try(&scene, *state, text);
    assert_int_equal(status, STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "body 'a' is inside of body 'b' by 0.1"));
}

// Three disks between two walls that are just far enough apart.
static void bodies_are_pushed_apart(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {stone: {density: 2500}}\n"
        "bodies: {ball: {rigid: {disk: 0.5}, material: stone, repeat: {i: [0, 2]}, position: [\"0.2 + "
        "0.9*i\", 0]}}\n"
        "obstacles: {left: {plane: {point: [0, 0], normal: [1, 0]}}, right: {plane: {point: [3.001, 0], "
        "normal: [-1, 0]}}}\n"
        "contacts: [{between: all, friction: 0.5, overclosure: adjust}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n");
    assert_int_equal(stick_diagnostic_count(*state), 1);
    for (int k = 0; k < 3; k++)
        assert_near(q_of(&scene, k)[0] + 0.2 + 0.9 * k, 0.5 + k, 2e-3);
    scene_steps(&scene, 10);
    assert_near(scene.run->ledger.kinetic, 0, 1e-12);
    scene_close(&scene);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(scene_three_steps, HEAD
                                   "bodies: {block: {rigid: {box: [0.45, 0.4]}, material: stone, repeat: {j: "
                                   "[0, 1]}, position: [0, \"0.2 + 0.4*j\"]}}\n"
                                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                                   "gravity: [0, -9.81]\n"
                                   "contacts: [{between: all, friction: 0.3}]\n"
                                   "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 10}}]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(blocks_slide_where_friction_is_less_than_the_slope),
        test_with_context(blocks_slide_from_the_angle_of_friction_on),
        test_with_context(block_thrown_uphill_stops_and_comes_back),
        test_with_context(two_balls_part_by_restitution),
        test_with_context(three_balls_collide_all_at_once),
        test_with_context(blocks_rock_as_housner_has_it),
        test_with_context(isolated_bodies_keep_momentum_and_angular_momentum),
        test_with_context(blocks_ride_on_led_tables),
        test_with_context(torques_and_followers_turn_bodies),
        test_with_context(rigid_blocks_come_to_rest_on_rubber),
        test_with_context(rigid_blocks_slide_over_rubber),
        test_with_context(two_runs_have_the_same_bits),
        test_with_context(rest_takes_no_memory),
        test_with_context(thin_walls_stop_what_is_slow_or_fast),
        test_with_context(bodies_in_each_other_are_named),
        test_with_context(bodies_are_pushed_apart),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("moreau", tests, NULL, NULL);
}
