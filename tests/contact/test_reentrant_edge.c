// SPDX-License-Identifier: Apache-2.0
#include "contact/scene.h"

// A master plate of thickness 1 with its top folded up at x = 2 by a right angle, upright part along x = 2 to
// height 2: in the plane, or along y in space.
static void fold(StickBody *body, int dim)
{
    for (int i = 0; i < body->mesh.nnodes; i++) {
        double *x = body->mesh.x + i * dim, *height = x + dim - 1;
        if (x[0] < 2)
            continue;
        double along = x[0] - 2, depth = -*height;
        x[0] = 2 + depth;
        *height = along > 0 ? along : -depth;
    }
}

static StickMeshSpec cells(int dim, double x, double z, double size, double height, int n, int layers)
{
    const double origin[3] = {x, 0.1, z}, sizes[3] = {size, size, height};
    return dim == 2 ? rectangle(x, z, size, height, n, layers) : box(origin, sizes, n, 2, layers);
}

// A small slave block whose lowest corner is the origin, over the folded plate.
static void folded_plate(Scene *scene, StickContext *ctx, int dim, const char *slave_group)
{
    StickMeshSpec slave = cells(dim, 0, 0, 0.1, 0.1, 1, 1), master = cells(dim, 0, -1, 4, 1, 16, 1);
    scene_init(scene, ctx, dim);
    assert_ok(ctx, scene_body(scene, "slave", &slave, STICK_ELEMENT_LINEAR));
    assert_ok(ctx, scene_body(scene, "master", &master, STICK_ELEMENT_LINEAR));
    fold(&scene->body[1], dim);
    scene_against_body(scene, 0, slave_group, 1, "top", STICK_CONTACT_NODES);
    assert_ok(ctx, scene_start(scene));
}

static void put_slave(Scene *scene, double x, double z)
{
    int dim = scene->system.dim;
    memset(scene->q, 0, (size_t)scene->system.ndofs * sizeof *scene->q);
    scene_shift(scene, 0, x, dim == 2 ? z : 0.7, z);
}

static void detect(Scene *scene, double reach)
{
    StickDetection where = {.q = scene->q, .h = 1, .reach = reach};
    assert_ok(scene->ctx, stick_pairs_detect(scene->pairs, &where, &scene->set));
}

// Contacts of node 0 by their normals.
static const StickContact *with_normal(const Scene *scene, int axis)
{
    for (int c = 0; c < scene->set.ncontacts; c++)
        if (scene->set.contact[c].feature == 0 && fabs(scene->set.contact[c].frame[0][axis]) > 0.99)
            return &scene->set.contact[c];
    return NULL;
}

// In front of both sides, behind one, behind both, exactly in the corner.
static void both_sides_of_a_nook_are_touched(void **state)
{
    const double places[][2] = {{1.9, 0.05},   {1.95, 0.1},   {1.9, -0.03}, {2.03, 0.05},
                                {2.03, -0.02}, {2.02, -0.03}, {2, 0}};
    for (int dim = 2; dim <= 3; dim++) {
        Scene scene;
        folded_plate(&scene, *state, dim, "bottom");
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            put_slave(&scene, places[k][0], places[k][1]);
            detect(&scene, 0.15);
            const StickContact *floor = with_normal(&scene, dim - 1), *wall = with_normal(&scene, 0);
            assert_non_null(floor);
            assert_non_null(wall);
            assert_near(floor->gap, places[k][1], 1e-14);
            assert_near(wall->gap, 2 - places[k][0], 1e-14);
            assert_int_equal(floor->layer + wall->layer, 1);
            assert_int_equal(stick_pairs_lost(scene.pairs)->count, 0);
        }
        scene_destroy(&scene);
    }
}

static void u_normal_is_the_rate_of_both_gaps(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        Scene scene;
        folded_plate(&scene, *state, dim, "bottom");
        const double places[][2] = {{1.87, 0.05}, {2.03, -0.02}};
        for (int k = 0; k < 2; k++) {
            put_slave(&scene, places[k][0], places[k][1]);
            for (uint64_t seed = 1; seed <= 3; seed++) {
                scene_random_velocity(&scene, seed);
                assert_below(scene_gap_rate_error(&scene, 0), 1e-8);
            }
        }
        scene_destroy(&scene);
    }
}

// A contact has the same layer far from the nook, near it and within it.
static void layers_stay_while_sliding(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        Scene scene;
        int floor = -1, wall = -1;
        folded_plate(&scene, *state, dim, "bottom");
        for (int i = 0; i <= 100; i++) {
            put_slave(&scene, 1 + 0.01 * i, 0.003);
            detect(&scene, 0.1);
            assert_non_null(with_normal(&scene, dim - 1));
            if (i > 0)
                assert_int_equal(with_normal(&scene, dim - 1)->layer, floor);
            floor = with_normal(&scene, dim - 1)->layer;
            assert_int_equal(with_normal(&scene, 0) != NULL, 2 - (1 + 0.01 * i) <= 0.1);
        }
        for (int i = 0; i <= 100; i++) {
            put_slave(&scene, 1.997, 0.01 * i);
            detect(&scene, 0.1);
            assert_non_null(with_normal(&scene, 0));
            if (i > 0)
                assert_int_equal(with_normal(&scene, 0)->layer, wall);
            wall = with_normal(&scene, 0)->layer;
        }
        assert_int_equal(floor + wall, 1);
        scene_destroy(&scene);
    }
}

// Contacts of a node come in the order of their layers, and none is there twice.
static void layers_are_in_order(void **state)
{
    Scene scene;
    folded_plate(&scene, *state, 3, "boundary");
    put_slave(&scene, 1.87, 0.02);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    for (int c = 1; c < scene.set.ncontacts; c++) {
        const StickContact *a = &scene.set.contact[c - 1], *b = &scene.set.contact[c];
        assert_true(a->feature < b->feature || (a->feature == b->feature && a->layer < b->layer));
        assert_true(b->layer < STICK_LAYERS);
    }
    scene_destroy(&scene);
}

// Nodes inside and outside of a convex body, on its skin and exactly at its corners, touch it once.
static void convex_corners_are_touched_once(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        Scene scene;
        StickMeshSpec slave = cells(dim, 0, 0, 0.1, 0.1, 1, 1), master = cells(dim, 0, 0, 1, 1, 2, 2);
        scene_init(&scene, *state, dim);
        assert_ok(scene.ctx, scene_body(&scene, "slave", &slave, STICK_ELEMENT_LINEAR));
        assert_ok(scene.ctx, scene_body(&scene, "master", &master, STICK_ELEMENT_LINEAR));
        scene_against_body(&scene, 0, "bottom", 1, "boundary", STICK_CONTACT_NODES);
        assert_ok(scene.ctx, scene_start(&scene));
        for (int i = -2; i <= 12; i++) {
            for (int j = -2; j <= 12; j++) {
                put_slave(&scene, 0.1 * i, 0.1 * j);
                assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
                assert_int_equal(scene.set.ncontacts, dim == 2 ? 2 : 6);
            }
        }
        scene_destroy(&scene);
    }
}

// A bend of ten degrees is a curve: one contact.
static void flat_seams_are_no_nooks(void **state)
{
    Scene scene;
    folded_plate(&scene, *state, 2, "bottom");
    StickBody *master = &scene.body[1];
    for (int i = 0; i < master->mesh.nnodes; i++) {
        double *x = master->mesh.x + 2 * i;
        bool upright = i % 17 > 8;
        x[0] = 0.25 * (i % 17);
        x[1] = (i < 17 ? -1 : 0) + (upright ? 0.176 * (x[0] - 2) : 0);
    }
    for (int i = 0; i <= 40; i++) {
        put_slave(&scene, 1.8 + 0.01 * i, 0.02);
        detect(&scene, 0.3);
        assert_int_equal(scene.set.ncontacts, 2);
    }
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(both_sides_of_a_nook_are_touched),
        test_with_context(u_normal_is_the_rate_of_both_gaps),
        test_with_context(layers_stay_while_sliding),
        test_with_context(layers_are_in_order),
        test_with_context(convex_corners_are_touched_once),
        test_with_context(flat_seams_are_no_nooks),
    };
    return cmocka_run_group_tests_name("contact.reentrant_edge", tests, NULL, NULL);
}
