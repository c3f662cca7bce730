// SPDX-License-Identifier: Apache-2.0
// Bodies on trajectories: Hertz's contact of two round bodies, a cam and its follower, loads that nothing holds.
#include "brief.h"
#include "stepping/scene.h"

#include "base/pi.h"
#include "stepping/trajectory.h"

static double pressed(const Scene *scene)
{
    const StickTrajectory *trajectory = scene->run->trajectory;
    double sum = 0;
    for (int i = 0; i < trajectory->set.npairs; i++)
        sum += trajectory->p[i];
    return sum;
}

// ---- Hertz

// Sectors of disks of radius 10, fine where they touch, held inside; the force presses the upper one onto the lower one.
// `turn` turns the whole scene about the origin.
static const char disks[] =
    "parameters: {turn: %s, R: 10, mu: %s}\n"
    "materials: {steel: {young: 200e3, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  upper:\n"
    "    mesh: {patches: [{cells: [60, 24],\n"
    "      map: [\"(10 - 7*(0.03*eta + 0.97*eta^3))*sin(0.5*(0.1*(2*xi - 1) + 0.9*(2*xi - 1)^3))\",\n"
    "      \"-(10 - 7*(0.03*eta + 0.97*eta^3))*cos(0.5*(0.1*(2*xi - 1) + 0.9*(2*xi - 1)^3))\"]}]}\n"
    "    material: steel\n"
    "    flanks: {bottom: {x: R*sin(s), y: -R*cos(s), from: -0.5, to: 0.5}}\n"
    "  lower:\n"
    "    mesh: {patches: [{cells: [60, 24],\n"
    "      map: [\"(10 - 7*(0.03*eta + 0.97*eta^3))*sin(0.5*(0.1*(2*xi - 1) + 0.9*(2*xi - 1)^3))\",\n"
    "      \"-(10 - 7*(0.03*eta + 0.97*eta^3))*cos(0.5*(0.1*(2*xi - 1) + 0.9*(2*xi - 1)^3))\"]}]}\n"
    "    material: steel\n"
    "    rotation: pi\n"
    "    position: [0, -10]\n"
    "    flanks: {bottom: {x: R*sin(s), y: -R*cos(s), from: -0.5, to: 0.5}}\n"
    "frames:\n"
    "  upper: {at: [-R*sin(turn), R*cos(turn)], angle: turn + t, free: [%s], force: [690*sin(turn), "
    "-690*cos(turn)]}\n"
    "  lower: {at: [R*sin(turn), -R*cos(turn)], angle: turn + pi %s t}\n"
    "supports: [{on: upper.top, displacement: [0, 0]}, {on: lower.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [lower.bottom, upper.bottom], max-distance: 0.02, friction: mu, strip: 1}]\n"
    "steps: [{name: roll, trajectory: {to: 0.02, positions: 3}%s}]\n";

// Half width a and peak pressure p0 of two cylinders of radius R in plane strain under a force per thickness.
static void hertz_presses_round_bodies(void **state)
{
    Scene scene;
    double E = 200e3 / (2 * (1 - 0.09)), F = 690, a = sqrt(4 * F * 5 / (STICK_PI * E)),
           p0 = 2 * F / (STICK_PI * a);
    scene_open(&scene, *state, disks, "0", "0", "y", "-", "");
    scene_step(&scene);
    const StickTrajectory *trajectory = scene.run->trajectory;
    double width = 0, moment = 0;
    StickGroupLoad touch = stick_trajectory_touch(scene.run, 1, "bottom");
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        width += trajectory->p[i] > 0 ? pair->length : 0;
        moment += trajectory->p[i] * pair->x[0];
        assert_near(pair->gap, 20 - 20 * cos(asin(pair->x[0] / 10)), 0.2 * fabs(pair->gap) + 1e-12);
    }
    assert_near(trajectory->reaction[0][STICK_FRAME_Y], -F, 1e-9 * F);
    assert_near(trajectory->reaction[1][STICK_FRAME_Y], F, 1e-9 * F);
    assert_near(touch.load, F, 1e-3 * F);
    assert_near(touch.pressure, p0, 0.03 * p0);
    assert_near(width, 2 * a, 0.08 * a);
    assert_near(moment, 0, 1e-9 * F);
    assert_below(scene.run->record.worst_consistency, 1e-10);
    scene_close(&scene);
}

// When the whole scene is turned, forces turn with it and nothing else changes.
static void frames_may_be_turned(void **state)
{
    Scene scene, turned;
    scene_open(&scene, *state, disks, "0", "0", "x, y", "-", "");
    scene_open(&turned, *state, disks, "0.7", "0", "x, y", "-", "");
    for (int k = 0; k < test_size(3, 1); k++) {
        scene_step(&scene);
        scene_step(&turned);
        const StickTrajectory *one = scene.run->trajectory, *other = turned.run->trajectory;
        assert_int_equal(one->set.npairs, other->set.npairs);
        for (int i = 0; i < one->set.npairs; i++)
            assert_near(one->p[i], other->p[i], 1e-6 * pressed(&scene));
        assert_near(other->reaction[0][0], 690 * sin(0.7), 1e-9 * 690);
        assert_near(other->reaction[0][1], -690 * cos(0.7), 1e-9 * 690);
        for (int i = 0; i < scene.run->state.n; i++)
            assert_near(one->u[i], other->u[i], 1e-7 * stick_simulation_largest(one->u, scene.run->state.n));
    }
    scene_close(&scene);
    scene_close(&turned);
}

// Wheels of which one turns against the other rub everywhere, with a moment.
static void friction_is_that_of_the_ideal_motion(void **state)
{
    Scene scene;
    scene_open(&scene, *state, disks, "0", "0.25", "y", "+", "");
    scene_step(&scene);
    const StickTrajectory *trajectory = scene.run->trajectory;
    assert_near(trajectory->reaction[0][STICK_FRAME_Y], -690, 1e-9 * 690);
    // the upper one turns anticlockwise: its lowest point moves to the right, and is pushed to the left
    assert_near(trajectory->reaction[0][STICK_FRAME_X], 0.25 * pressed(&scene), 5e-3 * 690);
    assert_near(trajectory->reaction[1][STICK_FRAME_X], -trajectory->reaction[0][STICK_FRAME_X], 1e-9 * 690);
    // all forces are in balance, about the middle of the upper one, too
    double moments =
        trajectory->reaction[0][STICK_FRAME_ROTATION] + trajectory->reaction[1][STICK_FRAME_ROTATION];
    assert_near(moments + 20 * trajectory->reaction[1][STICK_FRAME_X], 0, 1e-9 * 690);
    assert_near(trajectory->reaction[0][STICK_FRAME_ROTATION], 10 * 0.25 * pressed(&scene), 0.03 * 1725);
    scene_close(&scene);
}

// A wheel of radius 10 on flat ground or on a larger wheel, each before the other.
static const char wheel[] =
    "materials: {steel: {young: 200e3, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  wheel: {mesh: {patches: [{cells: [100, 6], sides: {bottom: round}, map: [(10 - 3*eta)*sin(xi - 0.5),\n"
    "          -(10 - 3*eta)*cos(xi - 0.5)]}]}, material: steel,\n"
    "          flanks: {round: {x: 10*sin(s), y: -10*cos(s), from: -0.5, to: 0.5}}}\n"
    "  ground: %s\n"
    "frames: {wheel: {at: [%s, %s], angle: %s, free: [y], force: [0, -1000]}, ground: %s}\n"
    "supports: [{on: wheel.top, displacement: [0, 0]}, {on: ground.bottom, displacement: [0, 0]}]\n"
    "contacts: [{between: [%s], friction: 0.3, max-distance: 0.2, strip: 1}]\n"
    "steps: [{trajectory: {to: 1, positions: 3}}]\n";

static const char flat[] =
    "{mesh: {rectangle: {size: [4, 3], cells: [40, 6], origin: [-2, -3]}}, material: steel}";
static const char round_ground[] =
    "{mesh: {patches: [{cells: [60, 6], map: [(27 + 3*eta)*sin(0.2*xi - 0.1), (27 + 3*eta)*cos(0.2*xi - "
    "0.1)]}]},"
    " material: steel, flanks: {top: {x: 30*sin(s), y: 30*cos(s), from: -0.1, to: 0.1}}}";

// Where the wheel is, how it turns, and with which part of friction it rubs.
typedef struct Rolling {
    const char *ground, *x, *y, *angle, *frame;
    double sense;
} Rolling;

static void assert_rubs(StickContext *ctx, const Rolling *rolling, const char *order)
{
    Scene scene;
    scene_open(&scene, ctx, wheel, rolling->ground, rolling->x, rolling->y, rolling->angle, rolling->frame,
               order);
    for (int j = 0; j < 3; j++) {
        scene_step(&scene);
        const StickTrajectory *trajectory = scene.run->trajectory;
        assert_near(trajectory->reaction[1][STICK_FRAME_Y], 1000, 1e-6);
        assert_true(pressed(&scene) > 0);
        for (int i = 0; i < trajectory->set.npairs; i++)
            if (trajectory->p[i] > 0)
                assert_near(trajectory->set.pair[i].sense, rolling->sense, 0);
    }
    scene_close(&scene);
}

// On ground at rest its own speed is small where it touches, which is no sliding. If it turns by a hundredth faster or
// more slowly it rubs everywhere, however far the ideal motion has it from the ground.
static void what_rolls_does_not_rub(void **state)
{
    static const char *const order[] = {"ground.top, wheel.round", "wheel.round, ground.top"};
    static const Rolling rolling[] = {{flat, "t", "10", "-t/10", "{}", 0},
                                      {flat, "t", "9.85", "-t/10", "{}", 0},
                                      {flat, "t", "10", "-t/9.9", "{}", 1},
                                      {flat, "t", "10.15", "-t/9.9", "{}", 1},
                                      {flat, "t", "9.85", "-t/9.9", "{}", 1},
                                      {flat, "t", "10.15", "-t/10.1", "{}", -1},
                                      {flat, "t", "9.85", "-t/10.1", "{}", -1},
                                      {round_ground, "0", "10", "t/10", "{at: [0, -30], angle: -t/30}", 0},
                                      {round_ground, "0", "9.9", "t/10", "{at: [0, -30], angle: -t/30}", 0},
                                      {round_ground, "0", "10", "t/9.9", "{at: [0, -30], angle: -t/30}", -1}};
    for (size_t k = 0; k < sizeof rolling / sizeof *rolling; k++)
        for (int j = 0; j < 2; j++)
            assert_rubs(*state, &rolling[k], order[j]);
}

// All methods agree.
static void methods_agree(void **state)
{
    static const char *const methods[] = {"", ", solver: lemke", ", solver: connect-disconnect"};
    double theta[3][3];
    for (int k = 0; k < test_size(3, 2); k++) {
        Scene scene;
        scene_open(&scene, *state, disks, "0", "0.25", "y", "+", methods[k]);
        for (int j = 0; j < 3; j++) {
            scene_step(&scene);
            theta[k][j] = scene.run->trajectory->theta[0];
            assert_near(theta[k][j], theta[0][j], 1e-10 * fabs(theta[0][j]));
        }
        scene_close(&scene);
    }
}

// ---- a cam

// A round cam of radius 4 that turns about a point 1 off its middle, and a roller of radius 2 above it, which is pressed
// down. The ideal motion is wrong by a little, which the free motion has to make good.
static const char cam[] =
    "parameters: {E: %s}\n"
    "materials: {steel: {young: E, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  cam: {mesh: {disk: {radius: 4, core: [%d, %d], rings: 2, centre: [1, 0]}}, material: steel,\n"
    "        flanks: {outer: {x: 1 + 4*cos(s), y: 4*sin(s), from: 0, to: 2*pi}}}\n"
    "  roller: {mesh: {patches: [{cells: [%d, 8], sides: {bottom: lower},\n"
    "    map: [(2 - 0.2*eta)*sin(0.6*xi - 0.3), -(2 - 0.2*eta)*cos(0.6*xi - 0.3)]}]}, material: steel,\n"
    "           flanks: {lower: {x: 2*sin(s), y: -2*cos(s), from: -0.3, to: 0.3}}}\n"
    "frames:\n"
    "  cam: {angle: t}\n"
    "  roller: {at: [0, \"sin(t) + sqrt(36 - cos(t)^2) + 0.001*cos(3*t)\"], free: [y], force: [0, %s]}\n"
    "supports: [{on: cam.centre, displacement: [0, 0]}, {on: cam.rightmost, displacement: [free, 0]},\n"
    "           {on: roller.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [roller.lower, cam.outer], max-distance: 0.5}]\n"
    "steps: [{trajectory: {to: 6, positions: 7}}]\n";

static void a_stiff_follower_does_what_kinematics_say(void **state)
{
    Scene scene;
    scene_open(&scene, *state, cam, "2e8", 20, 20, 300, "-10");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        const StickTrajectory *trajectory = scene.run->trajectory;
        double t = scene.run->state.now.t;
        assert_near(trajectory->theta[0], -0.001 * cos(3 * t), 3e-6);
        assert_near(trajectory->reaction[1][STICK_FRAME_Y], -10, 1e-9);
        // the moment that turns the cam does the work of the follower: M = F dy/dt
        double rise = cos(t) + cos(t) * sin(t) / sqrt(36 - cos(t) * cos(t));
        assert_near(trajectory->reaction[0][STICK_FRAME_ROTATION], 10 * rise, 0.06);
        assert_true(stick_trajectory_touch(scene.run, 1, "lower").pairs > 0);
        assert_near(stick_trajectory_touch(scene.run, 0, "outer").load, pressed(&scene), 1e-12);
    }
    assert_near(scene.run->state.now.t, 6, 0);
    scene_close(&scene);
}

// The whole outside of a roller, which begins at an angle.
static const char roller[] =
    "parameters: {at: %s}\n"
    "materials: {steel: {young: 2e8, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  cam: {mesh: {disk: {radius: 4, core: [8, 8], rings: 2, centre: [1, 0]}}, material: steel,\n"
    "        flanks: {outer: {x: 1 + 4*cos(s), y: 4*sin(s), from: 0, to: 2*pi}}}\n"
    "  roller: {mesh: {patches: [{cells: [90, 3], sides: {bottom: core, top: outer},\n"
    "    map: [(1 + eta)*cos(2*pi*xi + at), (1 + eta)*sin(2*pi*xi + at)]}]}, material: steel%s}\n"
    "frames:\n"
    "  cam: {angle: t}\n"
    "  roller: {at: [0, sin(t) + sqrt(36 - cos(t)^2)], free: [y], force: [0, -10]}\n"
    "supports: [{on: cam.centre, displacement: [0, 0]}, {on: cam.rightmost, displacement: [free, 0]},\n"
    "           {on: roller.core, displacement: [0, 0]}]\n"
    "contacts: [{between: [%s], max-distance: %s, strip: %s}]\n"
    "steps: [{trajectory: {to: 6, positions: 7}}]\n";

static const char circle[] = ", flanks: {outer: {x: 2*cos(s + at), y: 2*sin(s + at), from: 0, to: 2*pi}}";

// Its strips move with the contact as those of a part of it: a line through the roller to what lies behind it is no gap,
// however far apart strips may be. Its ideal motion is exact, so that the moment is that of kinematics.
static void a_whole_roller_presses_where_it_is_nearest(void **state)
{
    static const char *const distance[] = {"0.5", "5"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state, roller, "0", circle, "roller.outer, cam.outer", distance[k], "2");
        while (!stick_simulation_is_done(scene.run)) {
            scene_step(&scene);
            double t = scene.run->state.now.t, rise = cos(t) + cos(t) * sin(t) / sqrt(36 - cos(t) * cos(t));
            assert_near(scene.run->trajectory->reaction[0][STICK_FRAME_ROTATION], 10 * rise, 0.06);
        }
        scene_close(&scene);
    }
}

// A roller whose ring begins beside the contact, and what its moment may be off one that begins away from it.
typedef struct Seam {
    const char *at, *shape, *sides;
    double off;
} Seam;

// A ring goes on behind its seam: on the same mesh of 90 sides, of which the 68th is at the bottom, it does not matter
// where that is. Straight sides have two normals at a node, and which one counts is left to rounding.
static void seams_do_not_matter(void **state)
{
    static const Seam seams[] = {{"136*pi/90", circle, "1", 1e-9},
                                 {"136*pi/90", circle, "2", 1e-9},
                                 {"132*pi/90", circle, "3", 1e-9},
                                 {"136*pi/90", "", "2", 0.05}};
    for (size_t k = 0; k < sizeof seams / sizeof *seams; k++) {
        Scene away, beside;
        const Seam *seam = &seams[k];
        const char *order = "roller.outer, cam.outer";
        scene_open(&away, *state, roller, "0", seam->shape, order, "0.5", seam->sides);
        scene_open(&beside, *state, roller, seam->at, seam->shape, order, "0.5", seam->sides);
        while (!stick_simulation_is_done(away.run)) {
            scene_step(&away);
            scene_step(&beside);
            assert_near(beside.run->trajectory->reaction[0][STICK_FRAME_ROTATION],
                        away.run->trajectory->reaction[0][STICK_FRAME_ROTATION], seam->off);
            assert_near(stick_trajectory_touch(beside.run, 1, "outer").pressure,
                        stick_trajectory_touch(away.run, 1, "outer").pressure, 1e-8);
        }
        scene_close(&away);
        scene_close(&beside);
    }
}

// A roller above the end of a block, which is right or left of where the roller is lowest: strips are cut there, also across
// the seam.
static void ends_beside_a_seam_cut_as_elsewhere(void **state)
{
    static const char text[] =
        "parameters: {at: %s, edge: %s}\n"
        "materials: {steel: {young: 2e5, poisson: 0.3, density: 1}}\n"
        "bodies:\n"
        "  roller: {mesh: {patches: [{cells: [90, 3], sides: {bottom: core, top: outer},\n"
        "    map: [(1 + eta)*cos(2*pi*xi + at), (1 + eta)*sin(2*pi*xi + at)]}]}, material: steel,\n"
        "    flanks: {outer: {x: 2*cos(s + at), y: 2*sin(s + at), from: 0, to: 2*pi}}}\n"
        "  block: {mesh: {rectangle: {size: [1, 1], cells: [20, 4], origin: [edge - 1, -1]}}, material: "
        "steel}\n"
        "frames: {roller: {at: [0.01*t, 2], free: [y], force: [0, -500]}, block: {}}\n"
        "supports: [{on: block.bottom, displacement: [0, 0]}, {on: roller.core, displacement: [0, 0]}]\n"
        "contacts: [{between: [roller.outer, block.top], max-distance: 0.1}]\n"
        "steps: [{trajectory: {to: 1, positions: 2}}]\n";
    static const char *const edge[] = {"0.4", "0.1", "-0.2"};
    for (int k = 0; k < test_size(3, 2); k++) {
        Scene away, beside;
        scene_open(&away, *state, text, "0", edge[k]);
        scene_open(&beside, *state, text, "136*pi/90", edge[k]);
        for (int j = 0; j < 2; j++) {
            scene_step(&away);
            scene_step(&beside);
            const StickTrajectory *one = away.run->trajectory, *other = beside.run->trajectory;
            assert_int_equal(other->set.npairs, one->set.npairs);
            assert_near(other->theta[0], one->theta[0], 1e-9 * fabs(one->theta[0]));
            for (int i = 0; i < one->set.npairs; i++)
                assert_near(other->p[i], one->p[i], 1e-8 * pressed(&away));
        }
        scene_close(&away);
        scene_close(&beside);
    }
}

// Nodes are where the motion puts them, and their strains those in the frame.
static void bodies_turn_without_strain(void **state)
{
    Scene scene;
    scene_open(&scene, *state, cam, "2e8", 20, 20, 300, "-10");
    scene_steps(&scene, 4);
    const StickBody *body = &scene.system->body[0];
    double t = scene.run->state.now.t, c = cos(t), s = sin(t);
    for (int i = 0; i < body->mesh.nnodes; i++) {
        const double *x = &body->mesh.x[2 * i], *q = &scene.run->state.now.q[2 * i];
        assert_near(x[0] + q[0], c * x[0] - s * x[1], 1e-5);
        assert_near(x[1] + q[1], s * x[0] + c * x[1], 1e-5);
    }
    assert_below(stick_simulation_largest(stick_simulation_deformation(scene.run), body->ndofs), 1e-5);
    scene_close(&scene);
}

static void a_load_that_nothing_holds_is_named(void **state)
{
    Scene scene;
    scene_open(&scene, *state, cam, "2e8", 8, 8, 30, "10*t - 5");
    scene_step(&scene);
    double before = scene.run->state.now.q[3];
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "statically unstable"));
    assert_non_null(strstr(stick_last_error(*state), "motion along y of roller"));
    assert_near(scene.run->state.now.q[3], before, 0);
    assert_int_equal(stick_simulation_done(scene.run), 1);
    // what was there can be shown
    assert_ok(*state, stick_simulation_recall(scene.run, NULL));
    assert_near(scene.run->trajectory->reaction[1][STICK_FRAME_Y], -5, 1e-11);
    scene_close(&scene);
}

static void memory_may_fail_anywhere(void **state)
{
    static char text[8192];
    (void)state;
    snprintf(text, sizeof text, "stickslip: 1\n");
    snprintf(text + strlen(text), sizeof text - strlen(text), cam, "2e8", 2, 2, 4, "-10");
    assert_survives_failing_memory(scene_three_steps, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(hertz_presses_round_bodies),
        test_with_context(frames_may_be_turned),
        test_with_context(friction_is_that_of_the_ideal_motion),
        test_with_context(what_rolls_does_not_rub),
        test_with_context(methods_agree),
        test_with_context(a_stiff_follower_does_what_kinematics_say),
        test_with_context(a_whole_roller_presses_where_it_is_nearest),
        test_with_context(seams_do_not_matter),
        test_with_context(ends_beside_a_seam_cut_as_elsewhere),
        test_with_context(bodies_turn_without_strain),
        test_with_context(a_load_that_nothing_holds_is_named),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
