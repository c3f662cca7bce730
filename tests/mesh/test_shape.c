// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "mesh/shape.h"

static void mid_side_nodes_follow_their_sides(void **state)
{
    (void)state;
    static const StickShape quadratic[] = {STICK_TRI6, STICK_QUAD8};
    for (int k = 0; k < 2; k++) {
        const StickShapeInfo *info = stick_shape_info(quadratic[k]);
        assert_int_equal(info->nodes, 2 * info->corners);
        for (int s = 0; s < info->nsides; s++) {
            assert_int_equal(info->side[s][0], s);
            assert_int_equal(info->side[s][1], (s + 1) % info->corners);
            assert_int_equal(info->side[s][2], info->corners + s);
        }
    }
}

// Nodes of a quad5 run round as those of a polygon do, so that VTK draws it and every side is one between neighbours.
static void a_quad5_is_a_polygon(void **state)
{
    (void)state;
    const StickShapeInfo *info = stick_shape_info(STICK_QUAD5);
    assert_int_equal(info->vtk, 7);
    assert_int_equal(info->nsides, info->nodes);
    for (int s = 0; s < info->nsides; s++) {
        assert_int_equal(info->side[s][0], s);
        assert_int_equal(info->side[s][1], (s + 1) % info->nodes);
    }
}

// Every edge of a closed surface is run through once each way by its faces.
static void sides_of_volumes_close(void **state)
{
    (void)state;
    static const StickShape volumes[] = {STICK_TET4, STICK_HEX8};
    for (int k = 0; k < 2; k++) {
        const StickShapeInfo *info = stick_shape_info(volumes[k]);
        int corners = stick_shape_info(info->side_shape)->corners, runs[8][8] = {{0}};
        for (int s = 0; s < info->nsides; s++)
            for (int c = 0; c < corners; c++)
                runs[info->side[s][c]][info->side[s][(c + 1) % corners]]++;
        for (int a = 0; a < info->nodes; a++)
            for (int b = 0; b < info->nodes; b++) {
                assert_int_equal(runs[a][b], runs[b][a]);
                assert_true(runs[a][b] <= 1);
            }
    }
}

static void sides_have_a_dimension_less(void **state)
{
    (void)state;
    for (int k = 0; k < STICK_NSHAPES; k++) {
        const StickShapeInfo *info = stick_shape_info((StickShape)k);
        assert_true(info->nodes <= STICK_MOST_ELEMENT_NODES && info->nsides <= STICK_MOST_SIDES);
        if (info->nsides > 0)
            assert_int_equal(stick_shape_info(info->side_shape)->dim, info->dim - 1);
        assert_true(stick_shape_info(info->side_shape)->nodes <= STICK_MOST_FACET_NODES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mid_side_nodes_follow_their_sides),
        cmocka_unit_test(a_quad5_is_a_polygon),
        cmocka_unit_test(sides_of_volumes_close),
        cmocka_unit_test(sides_have_a_dimension_less),
    };
    return cmocka_run_group_tests_name("mesh.shape", tests, NULL, NULL);
}
