// SPDX-License-Identifier: Apache-2.0
#include "contact/scene.h"

// Two rectangles, the slave above the master, gap 0.01, meshes that do not match.
static void two_rectangles(Scene *scene, StickContext *ctx, double x, double width, StickElementKind element)
{
    StickMeshSpec slave = rectangle(x, 1.01, width, 0.5, 3, 1), master = rectangle(0, 0, 2, 1, 5, 1);
    scene_init(scene, ctx, 2);
    assert_ok(ctx, scene_body(scene, "slave", &slave, element));
    assert_ok(ctx, scene_body(scene, "master", &master, element));
    scene_against_body(scene, 0, "bottom", 1, "top", STICK_CONTACT_NODES);
    assert_ok(ctx, scene_start(scene));
}

static void two_boxes(Scene *scene, StickContext *ctx, StickMeshPattern pattern)
{
    const double slave_origin[3] = {0.13, 0.21, 1.01}, slave_size[3] = {0.8, 0.7, 0.5};
    const double master_origin[3] = {0, 0, 0}, master_size[3] = {1.2, 1.1, 1};
    StickMeshSpec slave = box(slave_origin, slave_size, 2, 2, 1),
                  master = box(master_origin, master_size, 3, 3, 1);
    slave.pattern = master.pattern = pattern;
    scene_init(scene, ctx, 3);
    assert_ok(ctx, scene_body(scene, "slave", &slave, STICK_ELEMENT_LINEAR));
    assert_ok(ctx, scene_body(scene, "master", &master, STICK_ELEMENT_LINEAR));
    scene_against_body(scene, 0, "bottom", 1, "top", STICK_CONTACT_NODES);
    assert_ok(ctx, scene_start(scene));
}

static void small_deformation(Scene *scene, double size)
{
    StickRandom random = stick_random_seed(21);
    for (int d = 0; d < scene->system.ndofs; d++)
        scene->q[d] = stick_random_uniform(&random, -size, size);
}

static void gap_and_frame_over_a_flat_side(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 0.1, 1.2, STICK_ELEMENT_LINEAR);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_int_equal(scene.set.ncontacts, 4);
    for (int c = 0; c < 4; c++) {
        const StickContact *contact = &scene.set.contact[c];
        assert_int_equal(contact->feature, c);
        assert_near(contact->gap, 0.01, 1e-14);
        assert_near(contact->frame[0][1], 1, 1e-15);
        assert_near(contact->frame[1][0], 1, 1e-15);
        assert_near(contact->area, 0.5 * (c == 0 || c == 3 ? 0.2 : 0.4), 1e-15);
        assert_near(contact->place[0], 0.1 + 0.4 * c, 1e-15);
    }
    scene_destroy(&scene);
}

// d gap / dt = u_N for slave and master nodes that move at random, on deformed surfaces.
static void assert_rates(Scene *scene, double deformation)
{
    small_deformation(scene, deformation);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        scene_random_velocity(scene, seed);
        assert_below(scene_gap_rate_error(scene, 0), 1e-8);
    }
}

static void u_normal_is_the_rate_of_the_gap(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 0.1, 1.2, STICK_ELEMENT_LINEAR);
    assert_rates(&scene, 0.02);
    scene_destroy(&scene);
    two_rectangles(&scene, *state, 0.1, 1.2, STICK_ELEMENT_QUADRATIC);
    assert_rates(&scene, 0.02);
    scene_destroy(&scene);
    two_boxes(&scene, *state, STICK_PATTERN_QUADS);
    assert_rates(&scene, 0.01);
    scene_destroy(&scene);
    two_boxes(&scene, *state, STICK_PATTERN_TRIANGLES);
    assert_rates(&scene, 0.02);
    scene_destroy(&scene);
}

// Both bodies together: translation gives no relative velocity; turning none along the normal while touching.
static void assert_rigid(Scene *scene, double lift)
{
    scene_shift(scene, 0, 0, scene->system.dim == 2 ? -lift : 0, scene->system.dim == 3 ? -lift : 0);
    assert_ok(scene->ctx, scene_detect(scene, 0, 1));
    assert_true(scene->set.ncontacts > 0);
    scene_rigid_velocity(scene, (double[]){1, -2, 3}, (double[]){0, 0, 0});
    assert_below(scene_largest_velocity(scene, scene->system.dim), 1e-14);
    scene_rigid_velocity(scene, (double[]){0, 0, 0},
                         (double[]){scene->system.dim == 3 ? 2 : 0, scene->system.dim == 3 ? -1 : 0, 1});
    assert_below(scene_largest_velocity(scene, scene->system.dim), 1e-13);
}

// Forces on slave and master cancel, and their moments too while touching.
static void assert_action_is_reaction(Scene *scene)
{
    int n = scene->system.dim * scene->set.ncontacts;
    double r[300], force[3], moment[3];
    for (int k = 0; k < n; k++)
        r[k] = sin(1.0 + k);
    memset(scene->work, 0, (size_t)scene->system.ndofs * sizeof *scene->work);
    stick_contact_scatter(&scene->set, r, STICK_WHOLE, scene->work);
    scene_resultant(scene, scene->work, force, moment);
    assert_below(stick_vec_norm(force), 1e-13);
    assert_below(stick_vec_norm(moment), 1e-13);
}

static void contacts_neither_push_nor_turn_the_whole(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 0.1, 1.2, STICK_ELEMENT_LINEAR);
    assert_rigid(&scene, 0.01);
    assert_action_is_reaction(&scene);
    scene_destroy(&scene);
    for (int pattern = STICK_PATTERN_QUADS; pattern <= STICK_PATTERN_TRIANGLES; pattern++) {
        two_boxes(&scene, *state, (StickMeshPattern)pattern);
        assert_rigid(&scene, 0.01);
        assert_action_is_reaction(&scene);
        scene_destroy(&scene);
    }
}

// A node that slides over the sides of a straight master keeps its gap, side after side.
static void sliding_over_a_straight_master_keeps_the_gap(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 0, 0.3, STICK_ELEMENT_LINEAR);
    for (int i = 0; i <= 1700; i++) {
        assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
        assert_int_equal(scene.set.ncontacts, 4);
        for (int c = 0; c < 4; c++)
            assert_near(scene.set.contact[c].gap, 0.01, 1e-12);
        scene_shift(&scene, 0, 1e-3, 0, 0);
    }
    scene_destroy(&scene);
}

static void sliding_in_space_keeps_the_gap(void **state)
{
    Scene scene;
    for (int pattern = STICK_PATTERN_QUADS; pattern <= STICK_PATTERN_TRIANGLES; pattern++) {
        two_boxes(&scene, *state, (StickMeshPattern)pattern);
        scene_shift(&scene, 0, -0.13, -0.21, 0);
        for (int i = 0; i <= 400; i++) {
            assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
            assert_int_equal(scene.set.ncontacts, 9);
            for (int c = 0; c < 9; c++)
                assert_near(scene.set.contact[c].gap, 0.01, 1e-12);
            scene_shift(&scene, 0, 1e-3, 1e-3, 0);
        }
        scene_destroy(&scene);
    }
}

// A slave node on its way around the corner of a body: the gap changes by no more than the way, and is never
// lost.
static void the_gap_is_continuous_around_a_corner(void **state)
{
    Scene scene;
    StickMeshSpec slave = rectangle(0, 0, 0.1, 0.1, 1, 1), master = rectangle(-1, -1, 1, 1, 4, 4);
    scene_init(&scene, *state, 2);
    assert_ok(scene.ctx, scene_body(&scene, "slave", &slave, STICK_ELEMENT_LINEAR));
    assert_ok(scene.ctx, scene_body(&scene, "master", &master, STICK_ELEMENT_LINEAR));
    scene_against_body(&scene, 0, "bottom-left", 1, "boundary", STICK_CONTACT_NODES);
    assert_ok(scene.ctx, scene_start(&scene));
    double last = 0;
    for (int i = 0; i <= 2000; i++) {
        double angle = 2.5 - 3.4 * i / 2000, x = 0.2 * cos(angle), y = 0.2 * sin(angle);
        memset(scene.q, 0, (size_t)scene.system.ndofs * sizeof *scene.q);
        scene_shift(&scene, 0, x, y, 0);
        assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
        assert_int_equal(scene.set.ncontacts, 1);
        double gap = scene.set.contact[0].gap;
        double exact = x <= 0 ? y : y <= 0 ? x : 0.2;
        assert_near(gap, exact, 1e-14);
        if (i > 0)
            assert_near(gap, last, 0.2 * 3.4 / 2000 + 1e-15);
        last = gap;
    }
    scene_destroy(&scene);
}

// The same over an edge and a corner of a cube, with the derivative.
static void the_gap_is_the_distance_at_edges_and_corners_of_a_cube(void **state)
{
    Scene scene;
    const double slave_origin[3] = {0, 0, 0}, slave_size[3] = {0.1, 0.1, 0.1};
    const double master_origin[3] = {-1, -1, -1}, master_size[3] = {1, 1, 1};
    const double places[5][3] = {
        {0.03, 0.04, -0.3}, {0.02, -0.3, 0.02}, {0.02, 0.03, 0.06}, {-0.2, -0.33, 0.05}, {0.05, -0.2, -0.3}};
    const double exact[5] = {0.05, 0.02 * sqrt(2), 0.07, 0.05, 0.05};
    for (int trial = 0; trial < 10; trial++) {
        StickMeshSpec slave = box(slave_origin, slave_size, 1, 1, 1),
                      master = box(master_origin, master_size, 2, 2, 2);
        const double *place = places[trial % 5];
        master.pattern = trial < 5 ? STICK_PATTERN_QUADS : STICK_PATTERN_TRIANGLES;
        scene_init(&scene, *state, 3);
        assert_ok(scene.ctx, scene_body(&scene, "slave", &slave, STICK_ELEMENT_LINEAR));
        assert_ok(scene.ctx, scene_body(&scene, "master", &master, STICK_ELEMENT_LINEAR));
        scene_against_body(&scene, 0, "bottom", 1, "boundary", STICK_CONTACT_NODES);
        assert_ok(scene.ctx, scene_start(&scene));
        scene_shift(&scene, 0, place[0], place[1], place[2]);
        assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
        assert_near(scene_contact(&scene, 0, 0)->gap, exact[trial % 5], 1e-14);
        scene_random_velocity(&scene, (uint64_t)trial);
        assert_below(scene_gap_rate_error(&scene, 0), 1e-8);
        scene_destroy(&scene);
    }
}

// Two bars of equal width, face to face: the corners of the slave stand exactly at the corners of the master,
// and stay contacts when they have moved a little; beyond the end of the master there is nothing to touch.
static void corners_of_equal_bars_meet(void **state)
{
    Scene scene;
    StickMeshSpec slave = rectangle(0, 1, 1, 1, 3, 3), master = rectangle(0, 0, 1, 1, 4, 4);
    scene_init(&scene, *state, 2);
    assert_ok(scene.ctx, scene_body(&scene, "slave", &slave, STICK_ELEMENT_LINEAR));
    assert_ok(scene.ctx, scene_body(&scene, "master", &master, STICK_ELEMENT_LINEAR));
    scene_against_body(&scene, 0, "bottom", 1, "top", STICK_CONTACT_NODES);
    assert_ok(scene.ctx, scene_start(&scene));
    const double shift[] = {0, 1e-13, 1e-7, 1e-4, 0.01};
    for (size_t k = 0; k < sizeof shift / sizeof *shift; k++) {
        scene_shift(&scene, 0, shift[k], -1e-3, 0);
        assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
        assert_int_equal(scene.set.ncontacts, 4);
        for (int c = 0; c < 4; c++)
            assert_near(scene.set.contact[c].gap, -1e-3 * (double)(k + 1), 1e-14);
    }
    scene_shift(&scene, 0, 0, 5e-3, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_action_is_reaction(&scene);
    scene_shift(&scene, 0, 0.1, 0, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_int_equal(scene.set.ncontacts, 3);
    scene_destroy(&scene);
}

// Nodes that are behind a side by more than its size are on the other side of the body, not in contact.
static void nodes_far_behind_are_no_candidates(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 0.1, 1.2, STICK_ELEMENT_LINEAR);
    scene_shift(&scene, 0, 0, -0.3, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_int_equal(scene.set.ncontacts, 4);
    assert_near(scene.set.contact[0].gap, -0.29, 1e-14);
    scene_shift(&scene, 0, 0, -0.2, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_int_equal(scene.set.ncontacts, 0);
    scene_destroy(&scene);
}

static void ends_of_two_bars_on_a_line(void **state)
{
    Scene scene;
    StickMeshSpec left = {.kind = STICK_MESH_BAR, .size = {1}, .cells = {4}};
    StickMeshSpec right = {.kind = STICK_MESH_BAR, .size = {1}, .cells = {5}, .origin = {1.25}};
    for (int turned = 0; turned < 2; turned++) {
        scene_init(&scene, *state, 1);
        assert_ok(scene.ctx, scene_body(&scene, "left", &left, STICK_ELEMENT_DEFAULT));
        assert_ok(scene.ctx, scene_body(&scene, "right", &right, STICK_ELEMENT_DEFAULT));
        if (turned)
            scene_against_body(&scene, 1, "start", 0, "end", STICK_CONTACT_DEFAULT);
        else
            scene_against_body(&scene, 0, "end", 1, "start", STICK_CONTACT_DEFAULT);
        assert_ok(scene.ctx, scene_start(&scene));
        assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
        assert_int_equal(scene.set.ncontacts, 1);
        assert_near(scene.set.contact[0].gap, 0.25, 1e-15);
        assert_near(scene.set.contact[0].frame[0][0], turned ? 1 : -1, 0);
        scene_random_velocity(&scene, 3);
        assert_below(scene_gap_rate_error(&scene, 0), 1e-9);
        scene_destroy(&scene);
    }
}

// Single-pass contact at nodes does not carry a uniform pressure across meshes that do not match; across
// matching ones it does.
static void nodes_fail_the_patch_test_unless_meshes_match(void **state)
{
    Scene scene;
    StickMeshSpec master = rectangle(0, 0, 1, 1, 3, 1);
    for (int matching = 0; matching < 2; matching++) {
        StickMeshSpec slave = rectangle(0, 1, 1, 1, matching ? 3 : 4, 1);
        scene_init(&scene, *state, 2);
        assert_ok(scene.ctx, scene_body(&scene, "slave", &slave, STICK_ELEMENT_LINEAR));
        assert_ok(scene.ctx, scene_body(&scene, "master", &master, STICK_ELEMENT_LINEAR));
        scene_against_body(&scene, 0, "bottom", 1, "top", STICK_CONTACT_NODES);
        assert_ok(scene.ctx, scene_start(&scene));
        assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
        double error = scene_patch_error(&scene, "bottom", "top");
        assert_true(matching ? error < 1e-15 : error > 5e-3);
        scene_destroy(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(gap_and_frame_over_a_flat_side),
        test_with_context(u_normal_is_the_rate_of_the_gap),
        test_with_context(contacts_neither_push_nor_turn_the_whole),
        test_with_context(sliding_over_a_straight_master_keeps_the_gap),
        test_with_context(sliding_in_space_keeps_the_gap),
        test_with_context(the_gap_is_continuous_around_a_corner),
        test_with_context(the_gap_is_the_distance_at_edges_and_corners_of_a_cube),
        test_with_context(corners_of_equal_bars_meet),
        test_with_context(nodes_far_behind_are_no_candidates),
        test_with_context(ends_of_two_bars_on_a_line),
        test_with_context(nodes_fail_the_patch_test_unless_meshes_match),
    };
    return cmocka_run_group_tests_name("contact.node_facet", tests, NULL, NULL);
}
