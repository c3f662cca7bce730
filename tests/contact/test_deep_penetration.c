// SPDX-License-Identifier: Apache-2.0
#include "contact/scene.h"

static const StickContactMethod methods[] = {STICK_CONTACT_NODES, STICK_CONTACT_INTEGRATED};

static const StickLost *detect(Scene *scene, double reach)
{
    StickDetection where = {.q = scene->q, .h = 1, .reach = reach};
    assert_ok(scene->ctx, stick_pairs_detect(scene->pairs, &where, &scene->set));
    return stick_pairs_lost(scene->pairs);
}

// A slave block of 4 x 2 cells over a master of unit size and 10 x 10 cells.
static void two_blocks(Scene *scene, StickContext *ctx, double x, double y, const char *slave_group,
                       const char *master_group, StickContactMethod method)
{
    StickMeshSpec slave = rectangle(x, y, 0.8, 1, 4, 2), master = rectangle(0, 0, 1, 1, 10, 10);
    scene_init(scene, ctx, 2);
    assert_ok(ctx, scene_body(scene, "slave", &slave, STICK_ELEMENT_LINEAR));
    assert_ok(ctx, scene_body(scene, "master", &master, STICK_ELEMENT_LINEAR));
    scene_against_body(scene, 0, slave_group, 1, master_group, method);
    assert_ok(ctx, scene_start(scene));
}

// Bodies that overlap by many sizes, by one and a half, and by less than one, which contact can still tell.
static void overlapping_blocks_are_lost(void **state)
{
    const double depth[] = {0.5, 0.15, 0.08};
    for (int m = 0; m < 2; m++) {
        for (int k = 0; k < 3; k++) {
            Scene scene;
            two_blocks(&scene, *state, 0.1, 1 - depth[k], "bottom", "top", methods[m]);
            const StickLost *lost = detect(&scene, 0.01);
            assert_int_equal(lost->count, k == 2 ? 0 : 5);
            assert_int_equal(scene.set.ncontacts, k == 2 ? 5 : 0);
            if (k < 2) {
                assert_int_equal(lost->pair, 0);
                assert_int_equal(lost->feature, 0);
                assert_near(lost->depth, depth[k], 1e-14);
                assert_near(lost->place[1], 1 - depth[k], 1e-14);
            }
            // Apart again: nothing is remembered.
            scene_shift(&scene, 0, 0, 1, 0);
            assert_int_equal(detect(&scene, 0.01)->count, 0);
            scene_destroy(&scene);
        }
    }
}

// The deepest node is named, also in a master that is turned and far from the origin.
static void the_deepest_is_named(void **state)
{
    Scene scene;
    two_blocks(&scene, *state, 0.1, 0.7, "bottom", "boundary", STICK_CONTACT_NODES);
    scene_shift(&scene, 0, 1e-3, 0, 0);
    scene.q[2 * 2 + 1] = -0.01;
    for (int b = 0; b < 2; b++) {
        for (int i = 0; i < scene.body[b].mesh.nnodes; i++) {
            double x[3], *q = scene.q + scene.body[b].first + 2 * i;
            stick_body_place(&scene.body[b], 2, i, scene.q, x);
            q[0] += 0.6 * x[0] - 0.8 * x[1] + 50 - x[0];
            q[1] += 0.8 * x[0] + 0.6 * x[1] - 20 - x[1];
        }
    }
    // Nodes are 0.101, 0.301, ... 0.901 from the left: all but the last are deeper than a cell, the third most.
    const StickLost *lost = detect(&scene, 0.01);
    assert_int_equal(lost->count, 4);
    assert_int_equal(lost->feature, 2);
    assert_near(lost->depth, 0.31, 1e-12);
    assert_near(lost->place[0], 0.6 * 0.501 - 0.8 * 0.69 + 50, 1e-12);
    scene_destroy(&scene);
}

static void overlapping_boxes_are_lost(void **state)
{
    const double slave_origin[3] = {0.2, 0.2, 0.55}, slave_size[3] = {0.6, 0.6, 1};
    const double master_origin[3] = {0, 0, 0}, master_size[3] = {1, 1, 1};
    for (int trial = 0; trial < 4; trial++) {
        Scene scene;
        StickMeshSpec slave = box(slave_origin, slave_size, 2, 2, 1),
                      master = box(master_origin, master_size, 5, 5, 5);
        slave.pattern = master.pattern = trial % 2 ? STICK_PATTERN_TRIANGLES : STICK_PATTERN_QUADS;
        scene_init(&scene, *state, 3);
        assert_ok(scene.ctx, scene_body(&scene, "slave", &slave, STICK_ELEMENT_LINEAR));
        assert_ok(scene.ctx, scene_body(&scene, "master", &master, STICK_ELEMENT_LINEAR));
        scene_against_body(&scene, 0, "bottom", 1, "top", methods[trial / 2]);
        assert_ok(scene.ctx, scene_start(&scene));
        const StickLost *lost = detect(&scene, 0.01);
        assert_int_equal(lost->count, 9);
        assert_near(lost->depth, 0.45, 1e-14);
        scene_destroy(&scene);
    }
}

static void overlapping_bars_are_lost(void **state)
{
    Scene scene;
    StickMeshSpec left = {.kind = STICK_MESH_BAR, .size = {1}, .cells = {10}};
    StickMeshSpec right = {.kind = STICK_MESH_BAR, .size = {1}, .cells = {10}, .origin = {0.75}};
    scene_init(&scene, *state, 1);
    assert_ok(scene.ctx, scene_body(&scene, "left", &left, STICK_ELEMENT_DEFAULT));
    assert_ok(scene.ctx, scene_body(&scene, "right", &right, STICK_ELEMENT_DEFAULT));
    scene_against_body(&scene, 0, "end", 1, "start", STICK_CONTACT_DEFAULT);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_int_equal(detect(&scene, 0.01)->count, 1);
    assert_near(detect(&scene, 0.01)->depth, 0.25, 1e-15);
    // On the far side of the other bar there is no overlap.
    scene_shift(&scene, 0, 1, 0, 0);
    assert_int_equal(detect(&scene, 0.01)->count, 0);
    scene_destroy(&scene);
}

// Below a block that is in contact with its top, beside it face to face, and beyond its rim.
static void bodies_on_the_far_side_are_not_lost(void **state)
{
    const double places[][2] = {{0.1, -1.3}, {0.1, -1}, {-0.8, -0.3}, {1, -0.3}, {-0.8, 0}};
    for (int m = 0; m < 2; m++) {
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            for (int whole = 0; whole < 2; whole++) {
                Scene scene;
                two_blocks(&scene, *state, places[k][0], places[k][1], "boundary", whole ? "boundary" : "top",
                           methods[m]);
                int count = detect(&scene, 0.01)->count;
                if (count != 0)
                    fail_msg("%d lost at place %d, method %d, whole %d", count, (int)k, m, whole);
                scene_destroy(&scene);
            }
        }
    }
}

// A slave that reaches around a plate: above, beside and below it, with nodes in line with its nodes.
static void a_slave_around_a_plate_is_not_lost(void **state)
{
    for (int m = 0; m < 2; m++) {
        Scene scene;
        StickMeshSpec slave = rectangle(-0.5, -0.5, 2, 1, 20, 10), master = rectangle(0, -0.3, 1, 0.4, 10, 4);
        scene_init(&scene, *state, 2);
        assert_ok(scene.ctx, scene_body(&scene, "frame", &slave, STICK_ELEMENT_LINEAR));
        assert_ok(scene.ctx, scene_body(&scene, "plate", &master, STICK_ELEMENT_LINEAR));
        scene_against_body(&scene, 0, "boundary", 1, "top", methods[m]);
        assert_ok(scene.ctx, scene_start(&scene));
        assert_int_equal(detect(&scene, 0.01)->count, 0);
        assert_int_equal(detect(&scene, 10)->count, 0);
        scene_destroy(&scene);
    }
}

// A body against itself: its own nodes are on its skin.
static void a_body_is_not_lost_in_itself(void **state)
{
    for (int m = 0; m < 2; m++) {
        Scene scene;
        StickMeshSpec mesh = rectangle(0, 0, 1, 1, 5, 5);
        scene_init(&scene, *state, 2);
        assert_ok(scene.ctx, scene_body(&scene, "body", &mesh, STICK_ELEMENT_LINEAR));
        scene_against_body(&scene, 0, "left", 0, "right", methods[m]);
        assert_ok(scene.ctx, scene_start(&scene));
        assert_int_equal(detect(&scene, 0.01)->count, 0);
        scene_destroy(&scene);
    }
}

// One wide side whose nodes are beyond the master on both sides: integrated, it is lost by its middle.
static void a_wide_side_is_lost_by_its_middle(void **state)
{
    Scene scene;
    StickMeshSpec slave = rectangle(-1, 0.5, 3, 1, 1, 1), master = rectangle(0, 0, 1, 1, 10, 10);
    scene_init(&scene, *state, 2);
    assert_ok(scene.ctx, scene_body(&scene, "slave", &slave, STICK_ELEMENT_LINEAR));
    assert_ok(scene.ctx, scene_body(&scene, "master", &master, STICK_ELEMENT_LINEAR));
    scene_against_body(&scene, 0, "bottom", 1, "top", STICK_CONTACT_INTEGRATED);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_int_equal(detect(&scene, 0.01)->count, 1);
    assert_near(detect(&scene, 0.01)->depth, 0.5, 1e-14);
    scene_shift(&scene, 0, 0, 0.45, 0);
    assert_int_equal(detect(&scene, 0.01)->count, 0);
    assert_int_equal(scene.set.ncontacts, 2);
    scene_destroy(&scene);
}

static void contacts_at_all_depths_are_found_or_lost(void **state)
{
    // On its way down no step goes by in which the slave is neither in contact nor told to be lost.
    Scene scene;
    two_blocks(&scene, *state, 0.1, 1.001, "bottom", "top", STICK_CONTACT_NODES);
    for (int step = 0; step < 90; step++) {
        scene_shift(&scene, 0, 0, -0.01, 0);
        int lost = detect(&scene, 0.01)->count;
        assert_int_equal(lost + scene.set.ncontacts, 5);
    }
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(overlapping_blocks_are_lost),
        test_with_context(the_deepest_is_named),
        test_with_context(overlapping_boxes_are_lost),
        test_with_context(overlapping_bars_are_lost),
        test_with_context(bodies_on_the_far_side_are_not_lost),
        test_with_context(a_slave_around_a_plate_is_not_lost),
        test_with_context(a_body_is_not_lost_in_itself),
        test_with_context(a_wide_side_is_lost_by_its_middle),
        test_with_context(contacts_at_all_depths_are_found_or_lost),
    };
    return cmocka_run_group_tests_name("contact.deep_penetration", tests, NULL, NULL);
}
