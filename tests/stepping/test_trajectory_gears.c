// SPDX-License-Identifier: Apache-2.0
// Two gears along their line of action: what holds at every position, whatever the mesh.
#include "brief.h"
#include "stepping/scene.h"

#include "base/pi.h"
#include "stepping/trajectory.h"

// The pair of [VBH88], on sectors of five teeth.
static const char gears[] =
    "parameters: {mu: %s, cells: %d}\n"
    "materials: {steel: {young: 30e6, poisson: 0.3, density: 7.3e-4}}\n"
    "gears:\n"
    "  pair: {teeth: [20, 20], diametral-pitch: 10, pressure-angle: deg(20), addendum: 0.75, dedendum: 1.4,\n"
    "         rack-radius: 0.375, centre-distance: 2, face-width: 1, material: steel, bore: 0.5,\n"
    "         mesh: {flank-nodes: cells, teeth: 5, fillet: 0.02}}\n"
    "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
    "contacts: [{between: pair, friction: mu, max-distance: 0.01}]\n"
    "steps: [{trajectory: {cycle: tooth, positions: %d, torque: {pair.2: %s}}%s}]\n";

static const double base = 0.9396926207859083819; // cos 20 degrees

static double loads(const Scene *scene)
{
    return stick_trajectory_touch(scene->run, 1, NULL).load;
}

// Normals are tangents of the output's base circle: sum p = M / r_b.
static void loads_sum_up_to_torque_by_base_radius(void **state)
{
    Scene scene;
    scene_open(&scene, *state, gears, "0", 16, 10, "1000", "");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        assert_near(loads(&scene), 1000 / base, 1e-9 * 1000);
        assert_near(stick_trajectory_input(scene.run, 0), 1000, 1e-9 * 1000);
        double s = stick_frames_roll(&scene.run->trajectory->frames, 0, scene.run->state.now.t);
        assert_near(s, (scene.run->state.now.t - 0.5) * 0.1 * STICK_PI * base, 1e-15);
        assert_true(stick_trajectory_error(scene.run, 0) > 0);
    }
    assert_near(scene.run->state.now.t, 0.9, 1e-15);
    scene_close(&scene);
}

// Moments of the forces of all pairs about the centres of both gears, from the arms of normals, which are the base radii,
// and of friction. Side 0 is the output.
static void find_moments(const Scene *scene, double moment[2])
{
    const StickTrajectory *trajectory = scene->run->trajectory;
    moment[0] = moment[1] = 0;
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        for (int g = 0; g < 2; g++) {
            const StickFacetSide *side = &pair->side[1 - g];
            double x[2] = {side->x[0] - (g ? 2 : 0), side->x[1]};
            double arm = x[0] * side->normal[1] - x[1] * side->normal[0];
            double way = x[0] * side->normal[0] + x[1] * side->normal[1];
            moment[g] += trajectory->p[i] * (arm - 0.3 * pair->sense * way);
            assert_near(fabs(arm), base, 1e-12);
        }
    }
}

// Strips that may stick: away from the pitch point all slide, and nothing changes. Behind it the friction of approach
// goes on until flanks have slid back by as much as it had deformed them, so that the torque falls a little below that
// of the output before it rises.
static void friction_turns_around_behind_the_pitch_point(void **state)
{
    Scene slides, sticks;
    if (test_is_brief())
        skip(); // test_sticking.c
    double least = INFINITY, moment[2];
    int sticking = 0;
    scene_open(&slides, *state, gears, "0.3", 40, 50, "1000", "");
    scene_open(&sticks, *state, gears, "0.3", 40, 50, "1000", ", solver: auto");
    while (!stick_simulation_is_done(slides.run)) {
        scene_step(&slides);
        scene_step(&sticks);
        double t = slides.run->state.now.t, error = stick_trajectory_error(slides.run, 0);
        double input = stick_trajectory_input(slides.run, 0);
        if (t < 0.49 || t > 0.59) {
            assert_near(stick_trajectory_error(sticks.run, 0), error, 1e-8 * error);
            assert_near(stick_trajectory_input(sticks.run, 0), input, 1e-8 * input);
        }
        int found = stick_trajectory_touch(sticks.run, 1, NULL).sticking;
        assert_true(found == 0 || (t > 0.49 && t < 0.59));
        sticking += found;
        find_moments(&sticks, moment);
        assert_near(fabs(moment[1]), 1000, 1e-7 * 1000);
        assert_near(stick_trajectory_input(sticks.run, 0), fabs(moment[0]), 1e-9 * 1000);
        least = fmin(least, stick_trajectory_input(sticks.run, 0));
    }
    assert_true(sticking > 0);
    assert_in_range((int)least, 990, 999);
    scene_close(&slides);
    scene_close(&sticks);
}

// Before anything deforms: 11 of 50 positions have two pairs of teeth that touch, the others one.
static void rigid_gears_touch_at_one_or_two_teeth(void **state)
{
    Scene scene;
    int both = 0;
    if (test_is_brief())
        skip(); // the geometry alone
    scene_open(&scene, *state, gears, "0", 60, 50, "1000", "");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        const StickFacetSet *set = &scene.run->trajectory->set;
        int touching = 0, last = -1;
        for (int i = 0; i < set->npairs; i++)
            if (set->pair[i].gap < 3e-6 && set->pair[i].side[0].surface != last) {
                assert_below(-set->pair[i].gap, 1e-14);
                last = set->pair[i].side[0].surface;
                touching++;
            }
        assert_in_range(touching, 1, 2);
        both += touching == 2;
    }
    assert_int_equal(both, 11);
    scene_close(&scene);
}

// Unequal and shifted gears, with backlash, a ring as output and as input; where both are held.
static const char *const others[][3] = {
    {"teeth: [17, 31], shift: [0.3, 0.1]", "bore", "bore"},
    {"teeth: [31, 17], shift: [0.1, 0.3], centre-distance: 48.9", "bore", "bore"},
    {"teeth: [20, 60], internal: true, addendum: [1, 0.8]", "bore", "rim"},
    {"teeth: [60, 20], internal: [true, false], addendum: [0.8, 1]", "rim", "bore"},
};
static const char other_gears[] =
    "materials: {steel: {young: 206000, poisson: 0.3, density: 1}}\n"
    "gears: {pair: {%s, module: 2, face-width: 10, material: steel,\n"
    "               mesh: {flank-nodes: 17, teeth: 5}}}\n"
    "supports: [{on: pair.1.%s, displacement: [0, 0]}, {on: pair.2.%s, displacement: [0, 0]}]\n"
    "contacts: [{between: pair, friction: %s, max-distance: 0.1}]\n"
    "steps: [{trajectory: {cycle: tooth, positions: 3, torque: {pair.2: 30000}}}]\n";

// Power that friction takes, where s grows by 1 in a unit of time: mu p by the velocity of sliding, from the rolled lengths of
// both flanks since the pitch point.
static double friction_power(const Scene *scene)
{
    const StickTrajectory *trajectory = scene->run->trajectory;
    const StickGearPair *gears_of = &trajectory->frames.pair[0];
    double sum = 0;
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        double slides = 0;
        for (int g = 0; g < 2; g++) {
            double s = (pair->side[1 - g].s - gears_of->rolled[g]) * gears_of->sense[g];
            slides += (g ? -1 : 1) * s * gears_of->turns[g];
        }
        sum += trajectory->p[i] * pair->mu * fabs(pair->sense * slides);
    }
    return sum;
}

static void input_is_output_and_friction_whatever_the_gears(void **state)
{
    static const char *const friction[] = {"0", "0.2"};
    for (size_t k = 0; k < 2 * sizeof others / sizeof *others; k++) {
        Scene scene;
        scene_open(&scene, *state, other_gears, others[k / 2][0], others[k / 2][1], others[k / 2][2],
                   friction[k % 2]);
        while (!stick_simulation_is_done(scene.run)) {
            scene_step(&scene);
            const StickGearPair *pair = &scene.run->trajectory->frames.pair[0];
            double output = 30000 / pair->tooth[1].base, rubs = friction_power(&scene);
            assert_near(stick_trajectory_input(scene.run, 0) / pair->tooth[0].base, output + rubs,
                        1e-9 * output);
            assert_true(stick_trajectory_error(scene.run, 0) > 0);
            if (k % 2 == 0)
                assert_near(loads(&scene), output, 1e-9 * output);
            else
                assert_true(rubs > 0);
        }
        scene_close(&scene);
    }
}

// The next pair of teeth is apart by more than 'max-distance' before anything deforms: it is looked at where it would
// overlap, which is told once, and results are those of a distance that is large enough.
static void too_small_a_distance_is_widened(void **state)
{
    static const char near[] =
        "materials: {steel: {young: 206000, poisson: 0.3, density: 1}}\n"
        "gears: {pair: {teeth: 20, module: 2, face-width: 10, material: steel, mesh: {flank-nodes: 9, teeth: "
        "3}}}\n"
        "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
        "contacts: [{between: pair, max-distance: %s, friction: 0.1}]\n"
        "steps: [{trajectory: {cycle: tooth, positions: 12, torque: {pair.2: 100000}}%s}]\n";
    static const char *const solvers[] = {"", ", solver: auto"};
    for (int k = 0; k < 2; k++) {
        double error[2][12], input[2][12];
        for (int enough = 0; enough < 2; enough++) {
            Scene scene;
            int told = 0;
            stick_diagnostics_clear(*state);
            scene_open(&scene, *state, near, enough ? "0.2" : "0.01", solvers[k]);
            for (int j = 0; j < 12; j++) {
                scene_step(&scene);
                error[enough][j] = stick_trajectory_error(scene.run, 0);
                input[enough][j] = stick_trajectory_input(scene.run, 0);
            }
            for (size_t j = 0; j < stick_diagnostic_count(*state); j++)
                told += strstr(stick_diagnostic(*state, j)->text,
                               "apart would overlap, farther than 'max-distance', 0.01:") != NULL;
            assert_int_equal(told, enough ? 0 : 1);
            scene_close(&scene);
        }
        for (int j = 0; j < 12; j++) {
            assert_near(error[0][j], error[1][j], 1e-8 * error[1][j]);
            assert_near(input[0][j], input[1][j], 1e-8 * input[1][j]);
        }
    }
}

// ---- reliefs

// As the file below has them: amounts, lengths in modules of 2.
static const struct {
    double tip, tip_length, root, root_length, crowning;
} off[2] = {{0.002, 2.2, 0.0008, 1.5, 0.0004}, {0.0012, 1.8, 0.0016, 2, 0.0006}};

static double grow(double way, double length)
{
    return way > 0 ? way / length : 0;
}

// What is taken off gear g where it touches at s on the line of action: linear at the tip, parabolic elsewhere.
static double taken_off(const StickGearPair *pair, int g, double s)
{
    double tip = g == 0 ? pair->to : pair->from, root = g == 0 ? pair->from : pair->to;
    double middle = 0.5 * (tip + root), half = 0.5 * fabs(tip - root);
    double at_tip = grow(2 * off[g].tip_length - fabs(tip - s), 2 * off[g].tip_length);
    double at_root = grow(2 * off[g].root_length - fabs(root - s), 2 * off[g].root_length);
    double aside = (s - middle) / half;
    return off[g].tip * at_tip + off[g].root * at_root * at_root + off[g].crowning * aside * aside;
}

// Of stiff gears the error is what is taken off both flanks where least is, but for the slopes of reliefs, by which flanks
// touch a little beside the line of action.
static void reliefs_are_the_error_of_stiff_gears(void **state)
{
    static const char relieved[] =
        "materials: {stiff: {young: 2e12, poisson: 0.3, density: 1}}\n"
        "gears: {pair: {teeth: [20, 30], module: 2, face-width: 10, material: stiff,\n"
        "  tip-relief: {amount: [2e-3, 1.2e-3], length: [2.2, 1.8]},\n"
        "  root-relief: {amount: [8e-4, 1.6e-3], length: [1.5, 2], shape: parabolic},\n"
        "  crowning: [4e-4, 6e-4], mesh: {flank-nodes: 65, teeth: 5, fine-teeth: 3, fillet: 0.3}}}\n"
        "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
        "contacts: [{between: pair, max-distance: 0.2}]\n"
        "steps: [{trajectory: {cycle: tooth, positions: 16, torque: {pair.2: 1000}}}]\n";
    Scene scene;
    scene_open(&scene, *state, relieved);
    const StickGearPair *pair = &scene.run->trajectory->frames.pair[0];
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        double s = stick_frames_roll(&scene.run->trajectory->frames, 0, scene.run->state.now.t), least = 1;
        for (int k = -2; k <= 2; k++) {
            double at = s + k * pair->base_pitch;
            if (at > pair->from && at < pair->to)
                least = fmin(least, taken_off(pair, 0, at) + taken_off(pair, 1, at));
        }
        double error = stick_trajectory_error(scene.run, 0) * cos(pair->working_angle);
        assert_near(error, least, 2e-5);
    }
    scene_close(&scene);
}

static void methods_agree(void **state)
{
    Scene one, other;
    scene_open(&one, *state, gears, "0.3", 16, 10, "1000", ", solver: lemke");
    scene_open(&other, *state, gears, "0.3", 16, 10, "1000", ", solver: connect-disconnect");
    while (!stick_simulation_is_done(one.run)) {
        scene_step(&one);
        scene_step(&other);
        double error = stick_trajectory_error(one.run, 0);
        assert_near(stick_trajectory_error(other.run, 0), error, 1e-10 * error);
    }
    scene_close(&one);
    scene_close(&other);
}

static void a_torque_that_drives_the_output_is_held_by_nothing(void **state)
{
    Scene scene;
    scene_open(&scene, *state, gears, "0", 16, 10, "-1000", "");
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "statically unstable"));
    assert_non_null(strstr(stick_last_error(*state), "rotation of pair.2"));
    scene_close(&scene);
}

// So much friction that nothing is in balance while all slides: another solver than Lemke's method is named, and has a balance.
static void what_cannot_slide_may_stick(void **state)
{
    static const char *const solvers[] = {"", ", solver: lemke"};
    Scene scene;
    for (int k = 0; k < 2; k++) {
        scene_open(&scene, *state, gears, "3", 16, 10, "1000", solvers[k]);
        assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
        assert_non_null(strstr(stick_last_error(*state), "ray"));
        assert_non_null(strstr(stick_last_error(*state), "; try 'solver: auto'"));
        scene_close(&scene);
    }
    scene_open(&scene, *state, gears, "3", 16, 10, "1000", ", solver: auto");
    scene_step(&scene);
    assert_true(scene.run->certificate.certified);
    scene_close(&scene);
}

// Somebody wants the run to end while a position is solved: that is soon done, not refused, and can be taken up again.
static void positions_are_finished_when_stopped(void **state)
{
    static const char *const solvers[] = {"", ", solver: lemke", ", solver: conry-seireg"};
    for (int k = 0; k < 3; k++) {
        volatile sig_atomic_t stop = 1;
        Scene scene;
        scene_open(&scene, *state, gears, "0.3", 16, 10, "1000", solvers[k]);
        stick_context_stop_by(*state, &stop);
        scene_step(&scene);
        double error = stick_trajectory_error(scene.run, 0);
        assert_ok(*state, stick_simulation_recall(scene.run, NULL));
        stick_context_stop_by(*state, NULL);
        assert_near(stick_trajectory_error(scene.run, 0), error, 0);
        scene_close(&scene);
    }
}

// Displacements that do not say what the contact problem says are refused: the same position with a tolerance that rounding
// of displacements misses, but not that of the problem.
static void displacements_are_compared_with_the_problem(void **state)
{
    Scene scene;
    scene_open(&scene, *state, gears, "0", 32, 10, "1000", "");
    scene_step(&scene);
    double problem = scene.run->certificate.error, displaced = scene.run->record.worst_consistency;
    assert_true(problem < displaced && displaced < 1e-10);
    scene.model->step[0].tolerance = 0.5 * (problem + displaced);
    assert_int_equal(stick_simulation_recall(scene.run, NULL), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "or give the step's 'solver' a larger 'tolerance'"));
    scene_close(&scene);
}

// Positions at which no teeth of the sectors touch: what to do is said, and whole gears go on.
static void a_sector_without_teeth_there_is_told(void **state)
{
    static const char far[] =
        "materials: {steel: {young: 206000, poisson: 0.3, density: 1}}\n"
        "gears: {pair: {teeth: 20, module: 2, face-width: 10, material: steel, mesh: {flank-nodes: 9%s}}}\n"
        "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
        "contacts: [{between: pair, max-distance: 0.01}]\n"
        "steps: [{trajectory: {from: 5, to: 5.1, positions: 2, torque: {pair.2: 100}}}]\n";
    Scene scene;
    scene_open(&scene, *state, far, ", teeth: 3");
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    assert_non_null(
        strstr(stick_last_error(*state), "no candidate pairs that could hold the rotation of pair.2"));
    assert_non_null(strstr(stick_last_error(*state), "mesh more of them ('teeth' of the gears' 'mesh')"));
    assert_non_null(strstr(stick_last_error(*state), "'from' and 'to'"));
    assert_non_null(strstr(stick_last_error(*state), "'max-distance'"));
    scene_close(&scene);
    scene_open(&scene, *state, far, "");
    scene_steps(&scene, 2);
    scene_close(&scene);
}

// Crowned so much that flanks are far apart there.
static void flanks_that_are_too_far_apart_are_told(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {steel: {young: 206000, poisson: 0.3, density: 1}}\n"
        "gears: {pair: {teeth: 20, module: 2, face-width: 10, material: steel, mesh: {flank-nodes: 9},\n"
        "               tip-relief: {amount: 0.1, length: 1.2}, root-relief: {amount: 0.1, length: 1.2}}}\n"
        "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
        "contacts: [{between: pair, max-distance: 1e-4}]\n"
        "steps: [{trajectory: {from: 0, to: 0.1, positions: 2, torque: {pair.2: 100}}}]\n");
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    assert_non_null(
        strstr(stick_last_error(*state), "against its load; give contacts a larger 'max-distance'"));
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(loads_sum_up_to_torque_by_base_radius),
        test_with_context(friction_turns_around_behind_the_pitch_point),
        test_with_context(rigid_gears_touch_at_one_or_two_teeth),
        test_with_context(input_is_output_and_friction_whatever_the_gears),
        test_with_context(too_small_a_distance_is_widened),
        test_with_context(reliefs_are_the_error_of_stiff_gears),
        test_with_context(methods_agree),
        test_with_context(a_torque_that_drives_the_output_is_held_by_nothing),
        test_with_context(what_cannot_slide_may_stick),
        test_with_context(positions_are_finished_when_stopped),
        test_with_context(displacements_are_compared_with_the_problem),
        test_with_context(a_sector_without_teeth_there_is_told),
        test_with_context(flanks_that_are_too_far_apart_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
