// SPDX-License-Identifier: Apache-2.0
// Frames of bodies on trajectories: where a motion in closed form puts them, how fast, and what of it is free.
#include "bodies/frames.h"
#include "stepping/slider.h"

#include "base/pi.h"

// ---- as frames are given

static void assert_place(const double x[2], double a, double b)
{
    assert_near(x[0], a, 1e-12);
    assert_near(x[1], b, 1e-12);
}

// Bodies stand where the model file puts them, turned about the origin of their mesh.
static void a_body_without_frame_stays_where_it_stands(void **state)
{
    Scene scene;
    StickFrames frames;
    double out[2];
    scene_open(&scene, *state,
               "materials: {soft: {young: 1, poisson: 0.3, density: 1}}\n"
               "bodies: {body: {mesh: {rectangle: {size: [2, 1], cells: [2, 1], origin: [5, 7]}}, material: "
               "soft,\n"
               "                rotation: 0.3, position: [30, -20]}}\n"
               "supports: [{on: body.top, displacement: [0, 0]}]\n"
               "steps: [{quasistatic: {end: 1, increments: 1}}]\n");
    assert_ok(*state, stick_frames_create(*state, scene.system, &scene.model->step[0], &frames));
    assert_ok(*state, stick_frames_place(&frames, 0.5, 1e-6));
    assert_int_equal(frames.nmotions, 0);
    static const struct {
        const char *group;
        double x[2];
    } corner[] = {{"bottom-left", {5, 7}}, {"bottom-right", {7, 7}}, {"top-left", {5, 8}}};
    for (int k = 0; k < 3; k++) {
        int node = scene_group(&scene, 0, corner[k].group)->node[0];
        stick_frame_out(&frames.frame[0], corner[k].x, out);
        const double *placed = &scene.system->body[0].mesh.x[2 * node];
        assert_place(out, placed[0], placed[1]);
        assert_place(out, 35 + (corner[k].x[0] - 5) * cos(0.3) - (corner[k].x[1] - 7) * sin(0.3),
                     -13 + (corner[k].x[0] - 5) * sin(0.3) + (corner[k].x[1] - 7) * cos(0.3));
    }
    const double *axes = frames.frame[0].axes;
    assert_place(axes, 1, 0);
    stick_frames_destroy(*state, &frames);
    scene_close(&scene);
}

static const Slider turning = {.at = "[cos(t), 2*t]", .angle = "t^2", .slide = "[3, 0]"};

static void a_frame_follows_its_formulas(void **state)
{
    Scene scene;
    StickFrames frames;
    const double x[2] = {0.5, 0.25}, t = 0.7, c = cos(t * t), s = sin(t * t);
    double place[2], back[2], velocity[2];
    slider_open(&scene, *state, &turning);
    assert_ok(*state, stick_frames_create(*state, scene.system, &scene.model->step[0], &frames));
    assert_ok(*state, stick_frames_place(&frames, t, 1e-4));
    const StickFrame *block = &frames.frame[SLIDER_BLOCK], *plate = &frames.frame[SLIDER_PLATE];
    stick_frame_out(block, x, place);
    assert_place(place, cos(t) + c * 0.5 - s * 0.25, 2 * t + s * 0.5 + c * 0.25);
    stick_frame_in(block, place, back);
    assert_place(back, 0.5, 0.25);
    // dx/dt = (-sin t, 2) + 2 t e_z x arm
    stick_frame_velocity(block, place, velocity);
    assert_near(velocity[0], -sin(t) - 2 * t * (s * 0.5 + c * 0.25), 1e-8);
    assert_near(velocity[1], 2 + 2 * t * (c * 0.5 - s * 0.25), 1e-8);
    // a constant motion has zero velocity
    assert_near(plate->velocity[0], 0, 0);
    assert_near(block->load[STICK_FRAME_Y], -slider_force, 0);
    assert_near(plate->load[STICK_FRAME_Y], 0, 0);
    stick_frames_destroy(*state, &frames);
    scene_close(&scene);
}

// Vectors of the system as it stands turn with the frame, and back.
static void vectors_turn_with_their_frame(void **state)
{
    Scene scene;
    StickFrames frames;
    const double e[2] = {3, 4}, t = 0.7;
    double turned[2], back[2];
    slider_open(&scene, *state, &turning);
    assert_ok(*state, stick_frames_create(*state, scene.system, &scene.model->step[0], &frames));
    assert_ok(*state, stick_frames_place(&frames, t, 1e-4));
    stick_frame_turn(&frames.frame[SLIDER_BLOCK], e, turned);
    assert_place(turned, 3 * cos(t * t) - 4 * sin(t * t), 3 * sin(t * t) + 4 * cos(t * t));
    stick_frame_unturn(&frames.frame[SLIDER_BLOCK], turned, back);
    assert_place(back, 3, 4);
    stick_frames_destroy(*state, &frames);
    scene_close(&scene);
}

// ---- free motions

static const char loose[] = "stickslip: 1\n"
                            "materials: {soft: {young: 1, poisson: 0.3, density: 1}}\n"
                            "bodies:\n"
                            "  a: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: soft}\n"
                            "  b: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: soft,\n"
                            "      position: [0, 1]}\n"
                            "frames: {b: {at: [0, 1], free: [y, x, rotation]}, a: {free: [x]}}\n"
                            "supports: [{on: a.left, displacement: [0, 0]}, {on: b.left, displacement: [0, "
                            "0]}]\n"
                            "contacts: [{between: [a.top, b.bottom], max-distance: 0.1}]\n"
                            "steps: [{trajectory: {to: 1, positions: 2}}]\n";

static void free_motions_are_named_and_move_their_frame(void **state)
{
    Scene scene;
    StickFrames frames;
    const double x[2] = {0.5, 0.25}, theta[4] = {1e-3, 2e-3, -3e-3, 4e-3};
    double before[2], after[2], unit[2], sum[2] = {0, 0};
    assert_ok(*state, scene_try(&scene, *state, loose));
    assert_ok(*state, stick_frames_create(*state, scene.system, &scene.model->step[0], &frames));
    assert_int_equal(frames.nmotions, 4);
    static const char *const names[] = {"motion along x of a", "motion along x of b", "motion along y of b",
                                        "rotation of b"};
    for (int k = 0; k < 4; k++) {
        assert_string_equal(frames.name[k], names[k]);
        assert_int_equal(frames.frame[frames.body[k]].motion[frames.motion[k]], k);
    }
    assert_int_equal(frames.frame[0].motion[STICK_FRAME_Y], -1);
    assert_ok(*state, stick_frames_place(&frames, 0, 1e-4));
    const StickFrame *b = &frames.frame[1];
    stick_frame_out(b, x, before);
    for (int k = 1; k < 4; k++) {
        stick_frame_unit(b, frames.motion[k], before, unit);
        for (int j = 0; j < 2; j++)
            sum[j] += theta[k] * unit[j];
    }
    stick_frames_move(&frames, theta);
    stick_frame_out(b, x, after);
    // up to the square of the rotation
    assert_near(after[0] - before[0], sum[0], 1e-5);
    assert_near(after[1] - before[1], sum[1], 1e-5);
    assert_place(after, 2e-3 + 0.5 * cos(4e-3) - 0.25 * sin(4e-3),
                 1 - 3e-3 + 0.5 * sin(4e-3) + 0.25 * cos(4e-3));
    assert_near(b->moved[STICK_FRAME_ROTATION], 4e-3, 0);
    // placed again, without remains of the last motion
    assert_ok(*state, stick_frames_place(&frames, 0, 1e-4));
    assert_near(b->moved[STICK_FRAME_ROTATION], 0, 0);
    stick_frame_out(b, x, after);
    assert_place(after, before[0], before[1]);
    stick_frames_destroy(*state, &frames);
    scene_close(&scene);
}

// ---- gears

// 20 and 30 teeth of module 1 at their pitch circles: 10 and 15, the output's centre at 25.
static const char gears[] =
    "materials: {steel: {young: 2e5, poisson: 0.3, density: 1}}\n"
    "gears: {pair: {teeth: [20, 30], module: 1, pressure-angle: deg(20), face-width: 1, material: steel,\n"
    "               bore: 6, mesh: {flank-nodes: 5, teeth: 3}}}\n"
    "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
    "contacts: [{between: pair, max-distance: 0.05}]\n"
    "steps: [{trajectory: {cycle: tooth, positions: 4, torque: {pair.2: 300 + t}}}]\n";

static void gears_turn_as_their_teeth_say(void **state)
{
    Scene scene;
    StickFrames frames;
    double angle[2], one = 2 * STICK_PI / 20;
    scene_open(&scene, *state, gears);
    assert_ok(*state, stick_frames_create(*state, scene.system, &scene.model->step[0], &frames));
    assert_ok(*state, stick_frames_place(&frames, 0.5, 1e-4));
    const StickFrame *input = &frames.frame[0], *output = &frames.frame[1];
    assert_near(stick_frames_roll(&frames, 0, 0.5), 0, 0);
    assert_place(input->at, 0, 0);
    assert_place(output->at, 25, 0);
    angle[0] = input->angle, angle[1] = output->angle;
    // only the output may leave its ideal motion, and its load is against it
    assert_int_equal(frames.nmotions, 1);
    assert_string_equal(frames.name[0], "rotation of pair.2");
    assert_near(output->load[STICK_FRAME_ROTATION], 300.5, 1e-12);
    assert_true(output->spin < 0);
    assert_near(input->load[STICK_FRAME_ROTATION], 0, 0);
    // from t to t + 1 both turn by a tooth
    assert_ok(*state, stick_frames_place(&frames, 1.5, 1e-4));
    assert_near(stick_frames_roll(&frames, 0, 1.5), STICK_PI * cos(20 * STICK_PI / 180), 1e-12);
    assert_near(input->angle - angle[0], one, 1e-12);
    assert_near(output->angle - angle[1], -one * 20 / 30, 1e-12);
    assert_near(input->spin, one, 1e-12);
    // the circles that roll on each other have one velocity at the pitch point
    double velocity[2][2];
    for (int k = 0; k < 2; k++)
        stick_frame_velocity(&frames.frame[k], (double[2]){10, 0}, velocity[k]);
    assert_place(velocity[0], velocity[1][0], velocity[1][1]);
    assert_near(velocity[0][1], 10 * one, 1e-12);
    stick_frames_destroy(*state, &frames);
    scene_close(&scene);
}

// ---- refusals

static void space_is_refused(void **state)
{
    Scene scene;
    StickFrames frames = {.nmotions = 77};
    slider_open(&scene, *state, &(Slider){0});
    StickSystem space = *scene.system;
    space.dim = 3;
    assert_int_equal(stick_frames_create(*state, &space, &scene.model->step[0], &frames), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "'slide'"));
    assert_non_null(strstr(stick_last_error(*state), "dimension 3"));
    assert_int_equal(frames.nmotions, 77);
    scene_close(&scene);
}

static StickStatus make_and_drop(StickContext *ctx, void *data)
{
    Scene *scene = data;
    StickFrames frames;
    STICK_TRY(stick_frames_create(ctx, scene->system, &scene->model->step[0], &frames));
    stick_frames_destroy(ctx, &frames);
    return STICK_OK;
}

static void memory_may_fail_anywhere(void **state)
{
    Scene scene;
    scene_open(&scene, *state, gears);
    assert_survives_failing_memory(make_and_drop, &scene);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_body_without_frame_stays_where_it_stands),
        test_with_context(a_frame_follows_its_formulas),
        test_with_context(vectors_turn_with_their_frame),
        test_with_context(free_motions_are_named_and_move_their_frame),
        test_with_context(gears_turn_as_their_teeth_say),
        test_with_context(space_is_refused),
        test_with_context(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
