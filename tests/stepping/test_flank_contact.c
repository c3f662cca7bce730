// SPDX-License-Identifier: Apache-2.0
// Matrices of a position against what they stand for: displacements of whole bodies, gaps of frames that are moved, arms of
// forces.
#include "stepping/flank_contact.h"
#include "stepping/slider.h"

// Turned, so that axes of bodies and of space are not the same.
static const Slider turned = {
    .at = "[-0.02*sin(0.4), 0.02*cos(0.4)]", .angle = "0.4", .slide = "[t*cos(0.4), t*sin(0.4)]"};

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

// A has what p does by the compliance of surfaces; u is a solve of whole bodies.
static void pairs_part_as_whole_bodies_say(void **state)
{
    Scene scene;
    slider_open(&scene, *state, &turned);
    scene_step(&scene);
    const StickTrajectory *trajectory = scene.run->trajectory;
    int m = trajectory->set.npairs;
    double most = 0;
    assert_int_equal(m, 9);
    for (int i = 0; i < m; i++) {
        double Ap = 0;
        for (int k = 0; k < m; k++)
            Ap += trajectory->A[k * m + i] * trajectory->p[k];
        double parted = stick_flank_contact_parting(trajectory, &trajectory->set.pair[i], trajectory->u,
                                                    STICK_MATING_NORMAL);
        assert_near(parted, Ap, 1e-12);
        most = fmax(most, Ap);
    }
    assert_true(most > 1e-3); // far from rounding
    scene_close(&scene);
}

// A = W_nn - mu sense W_nt, and W is symmetric: forces along normals and tangents do work on both alike.
static void forces_that_slide_are_normals_and_tangents(void **state)
{
    enum { M = 9 };
    static double W[M * M][2][2];
    Scene scene;
    double most = 0;
    slider_open(&scene, *state, &turned);
    scene_step(&scene);
    StickTrajectory *trajectory = scene.run->trajectory;
    assert_int_equal(trajectory->set.npairs, M);
    assert_ok(*state, stick_flank_contact_fill_both(trajectory, &W[0][0][0]));
    for (int i = 0; i < M; i++)
        for (int k = 0; k < M; k++) {
            const StickFacetPair *pair = &trajectory->set.pair[k];
            double(*block)[2] = W[i * M + k], (*mirror)[2] = W[k * M + i];
            assert_near(trajectory->A[k * M + i], block[0][0] - pair->mu * pair->sense * block[0][1], 1e-15);
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    assert_near(block[a][b], mirror[b][a], 1e-15);
            most = fmax(most, fabs(block[0][1]));
        }
    assert_true(most > 1e-5);
    for (int i = 0; i < M; i++)
        assert_true(W[i * M + i][0][0] > 0 && W[i * M + i][1][1] > 0);
    scene_close(&scene);
}

// C is the derivative of gaps by the motions of frames.
static void motions_part_pairs_as_gaps_change(void **state)
{
    const double step = 1e-6;
    Scene scene;
    StickFacetSet set = {0};
    slider_open(&scene, *state, &turned);
    scene_step(&scene);
    StickTrajectory *trajectory = scene.run->trajectory;
    StickFrames *frames = &trajectory->frames;
    assert_int_equal(frames->nmotions, 1);
    assert_ok(*state, stick_frames_place(frames, 0, 1e-4));
    stick_frames_move(frames, &step);
    assert_ok(*state, stick_facets_find(trajectory->strips, frames, 0, &set));
    assert_int_equal(set.npairs, trajectory->set.npairs);
    for (int i = 0; i < set.npairs; i++) {
        assert_near(trajectory->C[i], (set.pair[i].gap - trajectory->set.pair[i].gap) / step, 1e-6);
        assert_near(trajectory->C[i], cos(0.4), 1e-12); // along y, of a plane that is turned
    }
    stick_facet_set_destroy(*state, &set);
    scene_close(&scene);
}

// What a pair does to a frame: its force, and its moment about the origin of the frame.
static void forces_have_their_arms(void **state)
{
    Scene scene;
    slider_open(&scene, *state, &turned);
    scene_steps(&scene, 2);
    const StickTrajectory *trajectory = scene.run->trajectory;
    double held = 0;
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        double sum[2] = {0, 0};
        for (int body = 0; body < 2; body++) {
            const StickFrame *frame = &trajectory->frames.frame[body];
            const double sign = body == SLIDER_PLATE ? 1 : -1, rub = slider_mu * pair->sense;
            // n = (sin, -cos), t = (cos, sin), g = n - mu sense t
            const double g[2] = {sign * (sin(0.4) - rub * cos(0.4)), sign * (-cos(0.4) - rub * sin(0.4))};
            const double *x = pair->side[body].x, arm[2] = {x[0] - frame->at[0], x[1] - frame->at[1]};
            double couple[STICK_FRAME_MOTIONS];
            for (int k = 0; k < STICK_FRAME_MOTIONS; k++)
                couple[k] = stick_flank_contact_couple(trajectory, pair, body, (StickFrameMotion)k,
                                                       STICK_MATING_FORCE);
            assert_near(couple[STICK_FRAME_X], g[0], 1e-12);
            assert_near(couple[STICK_FRAME_Y], g[1], 1e-12);
            assert_near(couple[STICK_FRAME_ROTATION], arm[0] * g[1] - arm[1] * g[0], 1e-12);
            sum[0] += couple[0], sum[1] += couple[1];
        }
        // both sides are pushed alike
        assert_near(sum[0], 0, 1e-12);
        assert_near(sum[1], 0, 1e-12);
        held += trajectory->p[i] * trajectory->B[i];
    }
    // lambda = B p is what holds the load
    assert_near(trajectory->lambda[0], slider_force, 0);
    assert_near(held, slider_force, 1e-9);
    scene_close(&scene);
}

// Displacements that are the same everywhere are their own mean, turned with the frame.
static void the_mean_of_a_shift_is_the_shift(void **state)
{
    const double shift[2] = {3, 5}, along[2] = {0.6, -0.8};
    Scene scene;
    slider_open(&scene, *state, &turned);
    scene_step(&scene);
    const StickTrajectory *trajectory = scene.run->trajectory;
    double *u = calloc((size_t)scene.system->ndofs, sizeof *u), in_space[2];
    for (int i = 0; i < scene.system->ndofs; i++)
        u[i] = shift[i % 2];
    stick_frame_turn(&trajectory->frames.frame[SLIDER_BLOCK], shift, in_space);
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        for (int side = 0; side < 2; side++)
            assert_near(stick_flank_contact_mean(trajectory, pair, side, u, along), dot(in_space, along),
                        1e-12);
        // it parts nothing
        assert_near(stick_flank_contact_parting(trajectory, pair, u, STICK_MATING_NORMAL), 0, 1e-12);
        assert_near(stick_flank_contact_parting(trajectory, pair, u, STICK_MATING_TANGENT), 0, 1e-12);
    }
    free(u);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(pairs_part_as_whole_bodies_say),
        test_with_context(forces_that_slide_are_normals_and_tangents),
        test_with_context(motions_part_pairs_as_gaps_change),
        test_with_context(forces_have_their_arms),
        test_with_context(the_mean_of_a_shift_is_the_shift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
