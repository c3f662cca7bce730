// SPDX-License-Identifier: Apache-2.0
#include "contact/scene.h"

#include "contact/overlap.h"

typedef struct Two {
    Scene scene;
    StickSurface slave, master;
} Two;

static void make(Two *two, StickContext *ctx, int dim, const StickMeshSpec mesh[2], StickElementKind element)
{
    Scene *scene = &two->scene;
    scene_init(scene, ctx, dim);
    assert_ok(ctx, scene_body(scene, "slave", &mesh[0], element));
    assert_ok(ctx, scene_body(scene, "master", &mesh[1], element));
    scene->q = stick_alloc(ctx, (size_t)scene->system.ndofs, sizeof *scene->q);
    assert_ok(ctx, stick_surface_create(ctx, &scene->body[0], dim,
                                        stick_mesh_group(&scene->body[0].mesh, "bottom"), &two->slave));
    assert_ok(ctx, stick_surface_create(ctx, &scene->body[1], dim,
                                        stick_mesh_group(&scene->body[1].mesh, "top"), &two->master));
    stick_surface_update(&two->slave, scene->q);
    stick_surface_update(&two->master, scene->q);
}

static void drop(Two *two)
{
    stick_surface_destroy(&two->slave);
    stick_surface_destroy(&two->master);
    scene_destroy(&two->scene);
}

// One linear side [0, 1] over [0.5, 1.5], thickness 0.5: the integrals by hand.
static void integrals_of_two_segments(void **state)
{
    Two two;
    StickOverlap sum;
    const StickMeshSpec mesh[2] = {rectangle(0, 1, 1, 1, 1, 1), rectangle(0.5, 0, 1, 1, 1, 1)};
    make(&two, *state, 2, mesh, STICK_ELEMENT_LINEAR);
    assert_true(stick_overlap_pieces(&two.slave, 0, &two.master, 0, 1, &sum));
    // The bottom runs from left to right: F_0 = 1 - x, F_1 = x over [1/2, 1].
    int left = two.slave.place[3 * two.slave.piece[0].corner[0]] == 0 ? 0 : 1;
    assert_near(sum.area[left], 0.5 / 8, 1e-16);
    assert_near(sum.area[1 - left], 0.5 * 3 / 8, 1e-16);
    assert_near(sum.slave[left][1 - left], 0.5 * (1.0 / 8 - 1.0 / 24), 1e-16);
    assert_near(sum.slave[1 - left][1 - left], 0.5 * 7 / 24, 1e-16);
    assert_near(sum.normal[left][1], 0.5 / 8, 1e-16);
    // The top runs from right to left: its first node is at 1.5, with E = x - 1/2.
    int right = two.master.place[3 * two.master.piece[0].corner[0]] == 1.5 ? 0 : 1;
    assert_near(sum.master[1 - left][right], 0.5 * (7.0 / 24 - 3.0 / 16), 1e-16);
    drop(&two);
}

// Faces: sums over all pairs of pieces give the area in common.
static void assert_total_area(StickContext *ctx, StickMeshPattern pattern)
{
    Two two;
    StickOverlap sum;
    const double a[3] = {0, 0, 1}, b[3] = {0.3, -0.2, 0}, size[3] = {1, 1, 1};
    StickMeshSpec mesh[2] = {box(a, size, 2, 3, 1), box(b, size, 3, 2, 1)};
    mesh[0].pattern = mesh[1].pattern = pattern;
    double area = 0, slave = 0, master = 0;
    make(&two, ctx, 3, mesh, STICK_ELEMENT_LINEAR);
    for (int s = 0; s < two.slave.npieces; s++) {
        for (int m = 0; m < two.master.npieces; m++) {
            if (!stick_overlap_pieces(&two.slave, s, &two.master, m, 1, &sum))
                continue;
            for (int j = 0; j < 4; j++) {
                area += sum.area[j];
                for (int i = 0; i < 4; i++)
                    slave += sum.slave[j][i], master += sum.master[j][i];
            }
        }
    }
    assert_near(area, 0.7 * 0.8, 1e-14);
    assert_near(slave, 0.7 * 0.8, 1e-14);
    assert_near(master, 0.7 * 0.8, 1e-14);
    drop(&two);
}

static void area_in_common_of_two_sides_of_boxes(void **state)
{
    assert_total_area(*state, STICK_PATTERN_QUADS);
    assert_total_area(*state, STICK_PATTERN_TRIANGLES);
}

static void what_is_out_of_range_or_turned_away_does_not_overlap(void **state)
{
    Two two;
    StickOverlap sum;
    const StickMeshSpec mesh[2] = {rectangle(0, 1, 1, 1, 1, 1), rectangle(0, 0, 1, 1, 1, 1)};
    make(&two, *state, 2, mesh, STICK_ELEMENT_LINEAR);
    scene_shift(&two.scene, 0, 0, 0.2, 0);
    stick_surface_update(&two.slave, two.scene.q);
    assert_true(stick_overlap_pieces(&two.slave, 0, &two.master, 0, 0.25, &sum));
    assert_false(stick_overlap_pieces(&two.slave, 0, &two.master, 0, 0.15, &sum));
    // Behind by more than the size of the master's side.
    scene_shift(&two.scene, 0, 0, -1.3, 0);
    stick_surface_update(&two.slave, two.scene.q);
    assert_false(stick_overlap_pieces(&two.slave, 0, &two.master, 0, 0.25, &sum));
    // A side does not face itself.
    assert_false(stick_overlap_pieces(&two.slave, 0, &two.slave, 0, 1, &sum));
    drop(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(integrals_of_two_segments),
        test_with_context(area_in_common_of_two_sides_of_boxes),
        test_with_context(what_is_out_of_range_or_turned_away_does_not_overlap),
    };
    return cmocka_run_group_tests_name("contact.overlap", tests, NULL, NULL);
}
