// SPDX-License-Identifier: Apache-2.0
// Boxes around solids of several shapes, where they are.
#include "contact/aabb.h"

#include "check.h"

static void assert_box(const StickBox *box, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; k++) {
        assert_near(box->low[k], low[k], 1e-14);
        assert_near(box->high[k], high[k], 1e-14);
    }
}

// A quarter turn about z: x goes to y, y to -x.
static const StickPose turned = {.centre = {10, 20, 30}, .axis = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};

static void a_capsule_is_boxed_by_its_ends(void **state)
{
    (void)state;
    StickConvex capsule = {.kind = STICK_SHAPE_CAPSULE,
                           .radius = 0.5,
                           .centre = {1, 0, 0},
                           .axis = {1, 0, 0},
                           .half_length = 2,
                           .bound = 2.5};
    StickSolid solid = {.dim = 3, .nshapes = 1, .shape = &capsule};
    StickBox box = stick_aabb(&solid, &turned, 0);
    assert_box(&box, (double[3]){9.5, 18.5, 29.5}, (double[3]){10.5, 23.5, 30.5});
}

static void all_shapes_and_the_margin_are_inside(void **state)
{
    (void)state;
    double corner[9] = {0, 0, 0, 4, 0, 0, 0, 1, 0};
    StickConvex shape[2] = {{.kind = STICK_SHAPE_POLYTOPE, .nvertices = 3, .vertex = corner},
                            {.kind = STICK_SHAPE_BALL, .radius = 0.25, .bound = 0.25, .centre = {0, -1, 0}}};
    StickSolid solid = {.dim = 2, .nshapes = 2, .shape = shape};
    StickBox box = stick_aabb(&solid, &turned, 0.5);
    assert_box(&box, (double[3]){8.5, 19.25, 29.25}, (double[3]){11.75, 24.5, 30.75});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capsule_is_boxed_by_its_ends),
        cmocka_unit_test(all_shapes_and_the_margin_are_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
