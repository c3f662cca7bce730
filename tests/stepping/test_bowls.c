// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in bowls and tubes, on rollers and on polylines: periods of small oscillations, and how a disk leaves an edge.
#include "stepping/mechanism.h"

static const double g = 9.81, pi = 3.14159265358979323846;

static double place_along_x(const Scene *scene)
{
    return scene->system->body[0].rigid->centre[0] + q_of(scene, 0)[0];
}

// Mean time between passages of body 0 through x = 0 to the right.
static double period(const Scene *scene)
{
    double first = NAN, last = NAN, before = place_along_x(scene);
    int count = 0;
    while (!stick_simulation_is_done(scene->run)) {
        double t = scene->run->state.now.t;
        scene_step(scene);
        double after = place_along_x(scene);
        if (before < 0 && after >= 0) {
            last = t + scene->run->h * before / (before - after);
            first = count++ == 0 ? last : first;
        }
        before = after;
    }
    return (last - first) / (count - 1);
}

// Bodies start beside their rest, at an angle of 0.02: its square changes the period by 2.5e-5.
#define BESIDE "position: [\"0.9*sin(a)\", \"-0.9*cos(a)\"]"
#define BESIDE_IN_SPACE "position: [\"0.9*sin(a)\", 0, \"-0.9*cos(a)\"]"
#define DISK "{rigid: {disk: 0.1}, " BESIDE
#define BALL "{rigid: {sphere: 0.1}, " BESIDE_IN_SPACE
#define ROLL "{rigid: {cylinder: {radius: 0.1, length: 0.4}}, rotation: [deg(90), 0, 0], " BESIDE_IN_SPACE
#define BRICK "{rigid: {box: [0.8, 0.2]}, rotation: a, position: [\"d*sin(a)\", \"-d*cos(a)\"]"
#define PLANK "{rigid: {box: [0.4, 0.3, 0.1]}, position: [0, 0, 1.05], angular-velocity: [0, 0.02, 0]"
#define CIRCLE "{circle: {centre: [0, 0], radius: 1, side: inside}}"
#define SPHERE "{sphere: {centre: [0, 0, 0], radius: 1, side: inside}}"
#define TUBE "{cylinder: {point: [0, 5, 0], axis: [0, 2, 0], radius: 1, side: inside}}"
#define ROLLER "{cylinder: {point: [0, 5, 0], axis: [0, 1, 0], radius: 1}}"

static void bodies_swing_in_bowls_and_on_rollers(void **state)
{
    const double d = sqrt(0.84) - 0.1; // of the middle of a brick on two corners from the centre
    const struct {
        const char *body, *obstacle, *gravity;
        double friction;
        double length; // of the pendulum that has this period
    } swing[] = {
        {DISK, CIRCLE, "0", 0, 0.9},
        {DISK, CIRCLE, "0", 1, 1.5 * 0.9},
        {BRICK, CIRCLE, "0", 0, (0.68 / 12 + d * d) / d},
        {BALL, SPHERE, "0, 0", 1, 1.4 * 0.9},
        {BALL, TUBE, "0, 0", 1, 1.4 * 0.9},
        {ROLL, TUBE, "0, 0", 1, 1.5 * 0.9},
        {PLANK, ROLLER, "0, 0", 1, (0.17 / 12 + 0.0025) / 0.95},
    };
    for (size_t k = 0; k < sizeof swing / sizeof *swing; k++) {
        Scene scene;
        double T = 2 * pi * sqrt(swing[k].length / g);
        scene_open(&scene, *state,
                   STONE "parameters: {a: 0.02, d: %.17g}\n"
                         "bodies: {it: %s, material: stone}}\nobstacles: {bowl: %s}\n"
                         "contacts: [{between: all, friction: %g}]\ngravity: [%s, -9.81]\n"
                         "steps: [{dynamics: {step: %.17g, end: %.17g}}]\n",
                   d, swing[k].body, swing[k].obstacle, swing[k].friction, swing[k].gravity, 1e-3 * T,
                   3.5 * T);
        assert_near(period(&scene), T, 1e-4 * T);
        check_books(&scene);
        scene_close(&scene);
    }
}

// Without friction a disk slides around an edge like a particle, and leaves it where g cos(a) = v^2/r; behind that its
// velocity along x stays. The edge is a corner of the chain or its end.
static void disks_leave_edges_at_their_angle(void **state)
{
    static const char *const chain[] = {"[[-1, 0], [0, 0], [0, -3]]", "[[-1, 0], [0, 0]]"};
    const double r = 0.1, v0 = 0.05, cosine = (v0 * v0 / (g * r) + 2) / 3, v = sqrt(g * r * cosine);
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   STONE
                   "bodies: {it: {rigid: {disk: 0.1}, material: stone, position: [-0.01, 0.1], velocity: "
                   "[0.05, 0]}}\nobstacles: {edge: {polyline: {points: %s}}}\n"
                   "contacts: [{between: all}]\ngravity: [0, -9.81]\n"
                   "steps: [{dynamics: {step: 2e-4, end: 0.7}}]\n",
                   chain[k]);
        scene_run(&scene);
        assert_near(v_of(&scene, 0)[0], v * cosine, 2e-3 * v);
        assert_near(v_of(&scene, 0)[2], 0, 1e-12);
        check_books(&scene);
        scene_close(&scene);
    }
}

// A block slides off a table into a box, and rests there on the floor, with no more than the step leaves of its fall.
static void blocks_come_to_rest_between_segments(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE
               "bodies: {it: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0, 0.1], velocity: [2, "
               "0]}}\nobstacles: {table: {polyline: {points: [[-2, 0], [1, 0], [1, -1], [4, -1], [4, 0]]}}}\n"
               "contacts: [{between: all, friction: 0.2}]\ngravity: [0, -9.81]\n"
               "steps: [{dynamics: {step: 1e-3, end: 4}}]\n");
    while (v_of(&scene, 0)[1] > -0.01)
        scene_step(&scene);
    assert_true(place_along_x(&scene) > 1); // not before its middle is beyond the edge
    scene_run(&scene);
    assert_near(q_of(&scene, 0)[1], -1, 1e-2);
    assert_near(sin(2 * q_of(&scene, 0)[2]), 0, 1e-2);
    for (int k = 0; k < 3; k++)
        assert_near(v_of(&scene, 0)[k], 0, 1e-10);
    check_books(&scene);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(bodies_swing_in_bowls_and_on_rollers),
        test_with_context(disks_leave_edges_at_their_angle),
        test_with_context(blocks_come_to_rest_between_segments),
    };
    return cmocka_run_group_tests_name("stepping.bowls", tests, NULL, NULL);
}
