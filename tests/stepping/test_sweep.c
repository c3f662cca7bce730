// SPDX-License-Identifier: Apache-2.0
// Rigid bodies do not pass through each other or through obstacles, however far they move in a step: from the start of a run,
// with the velocities that a step produces, translating and rotating, in the plane and in space.
#include "brief.h"
#include "stepping/mechanism.h"

typedef struct Thing {
    const char *body; // with its position at the height 1 above the wall
    double half;      // from its centre to its lowest point
} Thing;

// The wall is at y = 0 (2D) or z = 0 (3D), with its surface at `top`.
typedef struct Wall {
    const char *text;
    double top;
    bool is_body; // belongs to the bodies
} Wall;

static const Thing flat[] = {
    {"{rigid: {disk: 0.01, mass: 1}, position: [0.03, 1]", 0.01},
    {"{rigid: {box: [0.05, 0.02], mass: 1}, position: [0.03, 1]", 0.01},
    {"{rigid: {stadium: {radius: 0.01, length: 0.03}, mass: 1}, position: [0.03, 1]", 0.025},
    {"{rigid: {polygon: [[-0.01, -0.01], [0.01, -0.01], [0, 0.02]], mass: 1}, position: [0.03, 1]", 0.01},
    {"{rigid: {compound: [{disk: 0.01, position: [-0.02, 0]}, {disk: 0.01, position: [0.02, 0]}], mass: 1}, "
     "position: [0.03, 1]",
     0.01},
};
static const Wall walls[] = {
    {"  w: {rigid: {box: [2, 0.001], mass: 1e9}}\n"
     "supports: [{on: w, displacement: [0, 0], rotation: 0}]\n",
     0.0005, true},
    {"obstacles: {w: {plane: {point: [0, 0], normal: [0, 1]}}}\n", 0, false},
    {"obstacles: {w: {polyline: {points: [[-1, 0], [1, 0], [1, -0.001], [-1, -0.001], [-1, 0]]}}}\n", 0,
     false},
    {"obstacles: {w: {polyline: {points: [[-2, 2], [-2, 0], [2, 0], [2, 2]]}}}\n", 0, false},
};
static const Thing solid[] = {
    {"{rigid: {sphere: 0.01, mass: 1}, position: [0.03, 0.02, 1]", 0.01},
    {"{rigid: {box: [0.05, 0.04, 0.02], mass: 1}, position: [0.03, 0.02, 1]", 0.01},
    {"{rigid: {capsule: {radius: 0.01, length: 0.03}, mass: 1}, position: [0.03, 0.02, 1]", 0.025},
    {"{rigid: {cylinder: {radius: 0.02, length: 0.02}, mass: 1}, position: [0.03, 0.02, 1]", 0.01},
    {"{rigid: {hull: [[-0.01, -0.01, -0.01], [0.01, -0.01, -0.01], [0, 0.02, -0.01], [0, 0, 0.03]], mass: "
     "1}, "
     "position: [0.03, 0.02, 1]",
     0.01},
    {"{rigid: {compound: [{sphere: 0.01, position: [-0.02, 0, 0]}, {sphere: 0.01, position: [0.02, 0, 0]}], "
     "mass: 1}, position: [0.03, 0.02, 1]",
     0.01},
};
static const Wall plates[] = {
    {"  w: {rigid: {box: [2, 2, 0.001], mass: 1e9}}\n"
     "supports: [{on: w, velocity: [0, 0, 0], angular-velocity: [0, 0, 0]}]\n",
     0.0005, true},
    {"  w: {rigid: {cylinder: {radius: 1, length: 0.001}, mass: 1e9}}\n"
     "supports: [{on: w, velocity: [0, 0, 0], angular-velocity: [0, 0, 0]}]\n",
     0.0005, true},
    {"obstacles: {w: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n", 0, false},
};

// The height of the lowest point of a body of which only the centre moves.
static double lowest(const Scene *scene, int dim, double half)
{
    return 1 + q_of(scene, 0)[dim - 1] - half;
}

// Straight at a wall, from 0.3 of the body to 1e5 of it in a step, with and without restitution.
static void hit_wall(void *ctx, int dim, const Thing *thing, const Wall *wall, double v, double e, double h)
{
    Scene scene;
    double steps = fmax(6, ceil(2.2 / (v * h)));
    scene_open(&scene, ctx,
               "bodies:\n  b: %s, velocity: [%s, %g]}\n%s"
               "contacts: [{between: all, friction: 0.3, restitution: %g}]\n"
               "steps: [{dynamics: {step: %g, end: %g}}]\n",
               thing->body, dim == 2 ? "0" : "0, 0", -v, wall->text, e, h, steps * h);
    scene_run(&scene);
    double low = lowest(&scene, dim, thing->half);
    // what rebounds has turned back between two detections
    double path = v * steps * h, above = 1 - thing->half - wall->top;
    if (e == 0)
        assert_near(low, wall->top, 1e-7 * fmax(thing->half, v * h));
    else
        assert_near(low, wall->top + e * (path - above), 2 * v * h);
    assert_true(low >= wall->top - 1e-7 * fmax(thing->half, v * h));
    assert_near(v_of(&scene, 0)[dim - 1], e * v, 1e-7 * v);
    check_books(&scene);
    scene_close(&scene);
}

static void walls_stop_bodies_of_any_speed(void **state)
{
    static const double speed[] = {4, 37, 150, 205, 1234, 1e4, 1e5};
    for (size_t t = 0; t < sizeof flat / sizeof *flat; t++)
        for (size_t w = 0; w < sizeof walls / sizeof *walls; w++)
            for (size_t s = 0; s < sizeof speed / sizeof *speed; s += (size_t)test_size(1, 3))
                for (int e = 0; e < 3; e++)
                    hit_wall(*state, 2, &flat[t], &walls[w], speed[s], 0.5 * e, 1e-2);
}

static void plates_stop_bodies_of_any_speed(void **state)
{
    static const double speed[] = {4, 150, 205, 1e4};
    for (size_t t = 0; t < sizeof solid / sizeof *solid; t++)
        for (size_t w = 0; w < sizeof plates / sizeof *plates; w++)
            for (size_t s = 0; s < sizeof speed / sizeof *speed; s += (size_t)test_size(1, 3))
                for (int e = 0; e < 2; e++)
                    hit_wall(*state, 3, &solid[t], &plates[w], speed[s], 0.7 * e, 1e-2);
}

static void assert_in_range_of(double value, double least, double most, double error)
{
    assert_true(value >= least - error && value <= most + error);
}

// A heavy hammer strikes a disk that stands before a thin wall. Without restitution all come to rest on the wall; with it the
// hammer returns with its speed.
static void hammers_do_not_drive_disks_through_walls(void **state)
{
    static const double speed[] = {15, 50, 77, 100, 1e3, 1e4, 1e5};
    for (int dim = 2; dim <= 3; dim++)
        for (int e = 0; e <= 1; e++)
            for (size_t s = 0; s < sizeof speed / sizeof *speed; s++) {
                Scene scene;
                double v = speed[s], h = 1e-2, steps = ceil(6.5 / (v * h)) + 8;
                const char *z = dim == 2 ? "" : "0, ", *shape = dim == 2 ? "disk" : "sphere";
                scene_open(
                    &scene, *state,
                    "bodies:\n"
                    "  ham: {rigid: {%s: 0.05, mass: 1e6}, position: [%s0, 3.2], velocity: [%s0, %g]}\n"
                    "  d: {rigid: {%s: 0.05, mass: 1}, position: [%s0, 0.3]}\n"
                    "  w: {rigid: {box: [2, %s0.01], mass: 1e9}}\n"
                    "supports: [{on: w, velocity: [0, %s0], angular-velocity: %s}]\n"
                    "contacts: [{between: [ham, d], restitution: %d}, {between: [d, w]}]\n"
                    "steps: [{dynamics: {step: 1e-2, end: %g}}]\n",
                    shape, z, z, -v, shape, z, dim == 2 ? "" : "2, ", z, dim == 2 ? "0" : "[0, 0, 0]", e,
                    steps * h);
                scene_run(&scene);
                double disk = 0.3 + q_of(&scene, 1)[dim - 1], hammer = 3.2 + q_of(&scene, 0)[dim - 1];
                assert_near(disk, 0.055, 1e-7 * fmax(1, v * h));
                // what the disk loses at the wall within the step, the hammer loses, too
                assert_in_range_of(v_of(&scene, 0)[dim - 1], e * 0.5 * v, e * v, 1e-5 * v);
                if (!e)
                    assert_near(hammer, 0.155, 1e-6 * fmax(1, v * h));
                assert_below(scene.run->ledger.worst_gain, 1e-9);
                check_books_within(&scene, 1e-8);
                scene_close(&scene);
            }
}

// Obstacles and bodies with prescribed motion strike what rests, from the first half step on.
static void moving_walls_take_bodies_along(void **state)
{
    static const char *const wall[] = {
        "obstacles: {w: {plane: {point: [-1, 0], normal: [1, 0]}, velocity: [%g, 0]}}\n",
        "obstacles: {w: {polyline: {points: [[-1.01, -1], [-1.01, 1], [-1, 1], [-1, -1], [-1.01, -1]]}, "
        "velocity: "
        "[%g, 0]}}\n",
        "obstacles: {w: {circle: {centre: [-1, 0], radius: 0.001}, velocity: [%g, 0]}}\n",
        "  w: {rigid: {box: [0.002, 1], mass: 1}, position: [-1, 0]}\n"
        "supports: [{on: w, velocity: [%g, 0], angular-velocity: 0}]\n",
        "  w: {rigid: {box: [0.002, 1], mass: 1}, position: [-1, 0]}\n"
        "supports: [{on: w, displacement: [\"%g*t\", 0], rotation: 0}]\n",
    };
    static const double surface[] = {-1, -1, -0.999, -0.999, -0.999};
    static const double speed[] = {20, 150, 190, 300, 1e4};
    for (size_t w = 0; w < sizeof wall / sizeof *wall; w++)
        for (size_t s = 0; s < sizeof speed / sizeof *speed; s++)
            for (int e = 0; e <= 1; e++) {
                Scene scene;
                char text[512];
                double v = speed[s], h = 1e-2, steps = ceil(2 / (v * h)) + 6;
                snprintf(text, sizeof text, wall[w], v);
                scene_open(&scene, *state,
                           "bodies:\n  b: {rigid: {disk: 0.01, mass: 1}}\n%s"
                           "contacts: [{between: all, restitution: %d}]\n"
                           "steps: [{dynamics: {step: 1e-2, end: %g}}]\n",
                           text, e, steps * h);
                scene_run(&scene);
                double gap = q_of(&scene, 0)[0] - 0.01 - (surface[w] + v * steps * h);
                assert_near(v_of(&scene, 0)[0], (1 + e) * v, 1e-7 * v);
                assert_true(gap > -1e-7 * fmax(1, v * h));
                if (!e)
                    assert_below(gap, 1e-7 * fmax(1, v * h));
                check_books(&scene);
                scene_close(&scene);
            }
}

// The tip of a bar that turns about its middle, or about a joint, meets a thin post: it stops there, or turns back.
static void posts_stop_turning_bars(void **state)
{
    static const double speed[] = {5, 31, 100, 200};
    for (int dim = 2; dim <= 3; dim++)
        for (int joint = 0; joint < 2; joint++)
            for (size_t s = 0; s < sizeof speed / sizeof *speed; s++)
                for (int e = 0; e <= 1; e++) {
                    Scene scene;
                    double w = speed[s], h = 1e-3, steps = ceil(1.8 / (w * h)) + 5;
                    char post[256], hold[256] = "";
                    if (dim == 2)
                        snprintf(post, sizeof post, "circle: {centre: [0, 0.4], radius: 0.001}");
                    else
                        snprintf(post, sizeof post,
                                 "cylinder: {point: [0, 0.4, 0], axis: [0, 0, 1], radius: 0.001}");
                    if (joint)
                        snprintf(hold, sizeof hold, "joints: [{pin: {between: [bar], at: [0, 0%s}}]\n",
                                 dim == 2 ? "]" : ", 0], axis: [0, 0, 1]");
                    scene_open(
                        &scene, *state,
                        "bodies:\n  bar: {rigid: {box: [1, 0.002%s], mass: 1}, angular-velocity: %s%g%s}\n"
                        "%sobstacles: {post: {%s}}\n"
                        "contacts: [{between: all, restitution: %d}]\n"
                        "steps: [{dynamics: {step: %g, end: %g}}]\n",
                        dim == 2 ? "" : ", 0.02", dim == 2 ? "" : "[0, 0, ", w, dim == 2 ? "" : "]", hold,
                        post, e, h, steps * h);
                    scene_run(&scene);
                    // impulse at the distance d from the middle, of a bar with m = 1 and J about its middle
                    const double d = 0.4, J = (1 + 4e-6) / 12;
                    double after = joint ? -e * w : w - (1 + e) * w * d / (1 + d * d / J) * d / J;
                    int k = dim == 2 ? 2 : 5;
                    assert_near(v_of(&scene, 0)[k], after, (joint ? 1e-9 : 0.01 + 0.15 * w * h) * w);
                    if (joint && !e) // 2 mm from the axis of the bar to the middle of the post
                        assert_near(q_of(&scene, 0)[k], acos(0.002 / 0.4), 1e-9);
                    if (joint && e)
                        assert_near(q_of(&scene, 0)[k], 2 * acos(0.002 / 0.4) - w * h * steps, 2 * w * h);
                    assert_below(scene.run->ledger.worst_gain, 1e-9);
                    check_books_within(&scene, 1e-9);
                    scene_close(&scene);
                }
}

// Balls without losses in a thin box: none leaves it, and they gain no energy, at 0.1 to 50 sides of the box in a step.
static void fast_gases_stay_in_their_boxes(void **state)
{
    static const double speed[] = {10, 100, 1000, 5000};
    for (int dim = 2; dim <= 3; dim++)
        for (size_t s = 0; s < sizeof speed / sizeof *speed; s++)
            for (int e = 0; e <= 1; e++) {
                Scene scene;
                char text[8192];
                size_t at = (size_t)snprintf(text, sizeof text, "bodies:\n");
                uint64_t seed = 12345;
                int n = 25;
                double v0 = speed[s];
                for (int k = 0; k < n; k++) {
                    double x[6];
                    for (int i = 0; i < 6; i++) {
                        seed = seed * 6364136223846793005u + 1442695040888963407u;
                        x[i] = (double)(seed >> 11) / 9007199254740992. - 0.5;
                    }
                    at += (size_t)snprintf(text + at, sizeof text - at,
                                           dim == 2 ? "  b%d: {rigid: {disk: 0.02, mass: 1}, position: "
                                                      "[%.6g, %.6g], velocity: [%.6g, %.6g]}\n"
                                                    : "  b%d: {rigid: {sphere: 0.02, mass: 1}, position: "
                                                      "[%.6g, %.6g, %.6g], velocity: "
                                                      "[%.6g, %.6g, %.6g]}\n",
                                           k, 0.18 * (k % 5 - 2), 0.18 * (k / 5 - 2),
                                           dim == 2 ? v0 * x[0] : 0.1 * x[2],
                                           dim == 2 ? v0 * x[1] : v0 * x[3], v0 * x[4], v0 * x[5]);
                }
                const char *box2 =
                    "  l: {rigid: {box: [0.004, 1.1], mass: 1}, position: [-0.5, 0]}\n"
                    "  r: {rigid: {box: [0.004, 1.1], mass: 1}, position: [0.5, 0]}\n"
                    "  d: {rigid: {box: [1.1, 0.004], mass: 1}, position: [0, -0.5]}\n"
                    "  u: {rigid: {box: [1.1, 0.004], mass: 1}, position: [0, 0.5]}\n"
                    "supports: [{on: l, velocity: [0, 0], angular-velocity: 0}, {on: r, velocity: [0, 0], "
                    "angular-velocity: 0}, {on: d, velocity: [0, 0], angular-velocity: 0}, {on: u, "
                    "velocity: [0, 0], angular-velocity: 0}]\n";
                const char *box3 = "obstacles: {l: {plane: {point: [-0.5, 0, 0], normal: [1, 0, 0]}}, r: "
                                   "{plane: {point: [0.5, 0, 0], "
                                   "normal: [-1, 0, 0]}}, d: {plane: {point: [0, -0.5, 0], normal: [0, 1, "
                                   "0]}}, u: {plane: {point: [0, "
                                   "0.5, 0], normal: [0, -1, 0]}}, f: {plane: {point: [0, 0, -0.5], normal: "
                                   "[0, 0, 1]}}, b: {plane: "
                                   "{point: [0, 0, 0.5], normal: [0, 0, -1]}}}\n";
                snprintf(text + at, sizeof text - at,
                         "%scontacts: [{between: all, restitution: %d}]\nsteps: [{dynamics: {step: 1e-2, "
                         "end: 0.5}}]\n",
                         dim == 2 ? box2 : box3, e);
                scene_open(&scene, *state, "%s", text);
                double before = scene.run->ledger.kinetic;
                scene_run(&scene);
                // bodies that move by less than a fifth of the thicknesses in a step stop where they are found
                for (int k = 0; k < n; k++)
                    for (int i = 0; i < dim; i++)
                        assert_below(fabs(scene.system->body[k].rigid->centre[i] + q_of(&scene, k)[i]),
                                     0.4802 + 0.008);
                assert_below(scene.run->ledger.kinetic, before * (1 + 1e-9));
                assert_below(scene.run->ledger.worst_gain, 1e-8);
                assert_near(scene.run->record.passed, 0, 0);
                check_books_within(&scene, 1e-8);
                scene_close(&scene);
            }
}

// Three thin plates in the path of one step: only the first is hit, and the others, free to move, stay at rest.
static void only_the_first_of_several_walls_is_hit(void **state)
{
    for (int e = 0; e <= 1; e++)
        for (double v = 20; v < 2e4; v *= 3) {
            Scene scene;
            double h = 1e-2, steps = ceil(1 / (v * h)) + 1;
            scene_open(&scene, *state,
                       "bodies:\n"
                       "  b: {rigid: {disk: 0.01, mass: 1}, position: [-1, 0], velocity: [%g, 0]}\n"
                       "  p: {rigid: {box: [0.002, 1], mass: 1}, position: [0, 0]}\n"
                       "  q: {rigid: {box: [0.002, 1], mass: 1}, position: [0.1, 0]}\n"
                       "  r: {rigid: {box: [0.002, 1], mass: 1}, position: [0.3, 0]}\n"
                       "supports: [{on: p, velocity: [0, 0], angular-velocity: 0}]\n"
                       "contacts: [{between: all, restitution: %d}]\n"
                       "steps: [{dynamics: {step: 1e-2, end: %g}}]\n",
                       v, e, steps * h);
            scene_run(&scene);
            assert_near(q_of(&scene, 2)[0], 0, 0);
            assert_near(q_of(&scene, 3)[0], 0, 0);
            assert_true(-1 + q_of(&scene, 0)[0] < -0.0109);
            if (e)
                assert_near(v_of(&scene, 0)[0], -v, 1e-8 * v);
            check_books(&scene);
            scene_close(&scene);
        }
}

// From inside of circles, spheres and cylinders, and between polylines, off the centre.
static void containers_keep_fast_bodies(void **state)
{
    static const char *const inside[] = {
        "  b: {rigid: {disk: 0.01, mass: 1}, position: [0.1, 0], velocity: [%g, %g]}\n"
        "obstacles: {o: {circle: {centre: [0, 0], radius: 1, side: inside}}}\n",
        "  b: {rigid: {box: [0.05, 0.03], mass: 1}, position: [0.1, 0], velocity: [%g, %g]}\n"
        "obstacles: {o: {circle: {centre: [0, 0], radius: 1, side: inside}}}\n",
        "  b: {rigid: {box: [0.05, 0.03, 0.02], mass: 1}, position: [0.1, 0, 0], velocity: [%g, %g, 3]}\n"
        "obstacles: {o: {sphere: {centre: [0, 0, 0], radius: 1, side: inside}}}\n",
        "  b: {rigid: {cylinder: {radius: 0.02, length: 0.1}, mass: 1}, position: [0.1, 0, 0], velocity: "
        "[%g, %g, 3]}\n"
        "obstacles: {o: {cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 1, side: inside}}}\n",
        "  b: {rigid: {disk: 0.01, mass: 1}, position: [0.1, 0], velocity: [%g, %g]}\n"
        "obstacles: {o: {polyline: {points: [[-0.7, 0.7], [-0.7, -0.7], [0.7, -0.7], [0.7, 0.7], [-0.7, "
        "0.7]]}}}\n",
        "  b: {rigid: {polygon: [[0, 0], [0.03, 0], [0, 0.03]], mass: 1}, position: [0.1, 0], velocity: [%g, "
        "%g]}\n"
        "obstacles: {o: {polyline: {points: [[-0.7, 0.7], [-0.7, -0.7], [0.7, -0.7], [0.7, 0.7], [-0.7, "
        "0.7]]}}}\n",
    };
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++)
        for (int e = 0; e <= 1; e++)
            for (double v = 10; v < 2e4; v *= 7) {
                Scene scene;
                char text[512];
                snprintf(text, sizeof text, inside[k], v, 0.37 * v);
                scene_open(&scene, *state,
                           "bodies:\n%scontacts: [{between: all, restitution: %d}]\n"
                           "steps: [{dynamics: {step: 1e-2, end: 0.4}}]\n",
                           text, e);
                while (!stick_simulation_is_done(scene.run)) {
                    scene_step(&scene);
                    const double *q = q_of(&scene, 0);
                    // corners that hit make bodies turn by many radians in a step
                    assert_below(hypot(0.1 + q[0], q[1]), 1.1);
                }
                assert_below(scene.run->ledger.worst_gain, 1e-8);
                check_books_within(&scene, 1e-8);
                scene_close(&scene);
            }
}

// Two balls that cross each other's path in one step: they collide where their paths meet at the same time, by the law of
// impact along the line of centres, and pass where they do not.
static void crossing_balls_collide_only_when_they_meet(void **state)
{
    for (int dim = 2; dim <= 3; dim++)
        for (int late = 0; late < 2; late++)
            for (double v = 30; v < 1e4; v *= 4) {
                Scene scene;
                const char *shape = dim == 2 ? "disk" : "sphere", *z = dim == 2 ? "" : ", 0";
                scene_open(
                    &scene, *state,
                    "bodies:\n"
                    "  a: {rigid: {%s: 0.01, mass: 1}, position: [-0.5, 0%s], velocity: [%.17g, 0%s]}\n"
                    "  b: {rigid: {%s: 0.01, mass: 3}, position: [0, %g%s], velocity: [0, %.17g%s]}\n"
                    "contacts: [{between: all, restitution: 1}]\n"
                    "steps: [{dynamics: {step: 1e-2, end: %g}}]\n",
                    shape, z, v, z, shape, late ? -0.53 : -0.5, z, v, z, ceil(100 / v) * 1e-2 + 0.03);
                scene_run(&scene);
                const double *a = v_of(&scene, 0), *b = v_of(&scene, 1);
                // at the same distance from the crossing: the line of centres is the diagonal, and the relative velocity
                // lies in it: it is reversed
                double c = late ? 0 : 1.5 * v;
                assert_near(a[0], v - c, 1e-8 * v);
                assert_near(a[1], c, 1e-8 * v);
                assert_near(b[0], c / 3, 1e-8 * v);
                assert_near(b[1], v - c / 3, 1e-8 * v);
                check_books(&scene);
                scene_close(&scene);
            }
}

// The sweep gives the same bits for every number of threads.
static void sweeps_are_the_same_on_any_number_of_threads(void **state)
{
    enum { N = 700, STEPS = 6 };
    static double end[3][3 * N];
    for (int run = 0; run < 3; run++) {
        Scene scene = {0};
        const char *text =
            "stickslip: 1\nparameters: {n: 700}\nbodies:\n"
            "  b: {rigid: {disk: 0.01, mass: 1}, repeat: {i: [0, 699]}, position: [\"0.05*(i%28)\", "
            "\"0.05*floor(i/28)\"], velocity: [\"6*sin(7.3*i)\", \"6*cos(3.1*i)\"]}\n"
            "obstacles: {l: {plane: {point: [-0.1, 0], normal: [1, 0]}}, f: {plane: {point: [0, -0.1], "
            "normal: [0, 1]}}}\n"
            "contacts: [{between: all, friction: 0.2, restitution: 0.5}]\n"
            "steps: [{dynamics: {step: 1e-2, end: 0.06}}]\n";
        StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
        scene.ctx = *state;
        assert_ok(*state, stick_model_read_text(*state, &source, &scene.model));
        scene.model->step[0].threads = 1 + 2 * run;
        assert_ok(*state, stick_system_create(*state, scene.model, &scene.system));
        assert_ok(*state, stick_simulation_create(*state, scene.system, &scene.model->step[0], &scene.run));
        assert_ok(*state, stick_simulation_start(scene.run, NULL));
        scene_steps(&scene, STEPS);
        assert_true(scene.run->record.swept >= 1);
        memcpy(end[run], scene.run->state.now.q, sizeof end[run]);
        scene_close(&scene);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
    assert_memory_equal(end[0], end[2], sizeof end[0]);
}

// Velocities whose squares overflow are refused with the name of the body.
static void velocities_without_a_path_are_refused(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "bodies: {b: {rigid: {disk: 0.01, mass: 1}, velocity: [1e200, 0]}}\n"
               "obstacles: {w: {plane: {point: [5, 0], normal: [-1, 0]}}}\n"
               "contacts: [{between: all}]\nsteps: [{dynamics: {step: 1e-2, end: 1}}]\n");
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "velocity of body 'b'"));
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(walls_stop_bodies_of_any_speed),
        test_with_context(plates_stop_bodies_of_any_speed),
        test_with_context(hammers_do_not_drive_disks_through_walls),
        test_with_context(moving_walls_take_bodies_along),
        test_with_context(posts_stop_turning_bars),
        test_with_context(fast_gases_stay_in_their_boxes),
        test_with_context(only_the_first_of_several_walls_is_hit),
        test_with_context(containers_keep_fast_bodies),
        test_with_context(crossing_balls_collide_only_when_they_meet),
        test_with_context(velocities_without_a_path_are_refused),
        test_with_context(sweeps_are_the_same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests_name("stepping.sweep", tests, NULL, NULL);
}
