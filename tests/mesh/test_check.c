// SPDX-License-Identifier: Apache-2.0
#include "mesh/builder.h"
#include "meshes.h"

static const StickMark here = {"body.msh", 0, 0};

// A mesh from lists, with tags that count from 101 (nodes) and 501 (elements).
typedef struct Lists {
    int dim, nnodes;
    double x[16][3];
    int nelements;
    StickShape shape[4];
    int node[4][8];
} Lists;

static StickMesh build(StickContext *ctx, const Lists *lists, const char *empty_group)
{
    StickMeshBuilder builder;
    StickMesh mesh;
    int group;
    stick_builder_init(&builder, ctx, lists->dim);
    for (int i = 0; i < lists->nnodes; i++)
        assert_ok(ctx, stick_builder_add_node(&builder, lists->x[i], 101 + i));
    for (int e = 0; e < lists->nelements; e++)
        assert_ok(ctx, stick_builder_add_element(&builder, lists->shape[e], lists->node[e], 501 + e));
    if (empty_group)
        assert_ok(ctx, stick_builder_group(&builder, empty_group, &group));
    assert_ok(ctx, stick_builder_finish(&builder, &mesh));
    return mesh;
}

static void assert_checks(StickContext *ctx, const Lists *lists, const char *refusal)
{
    StickMesh mesh = build(ctx, lists, NULL);
    stick_diagnostics_clear(ctx);
    StickStatus status = stick_mesh_check(ctx, &mesh, here);
    if (!refusal && status != STICK_OK)
        fail_msg("refused: %s", stick_last_error(ctx));
    if (refusal) {
        assert_int_equal(status, STICK_BAD_MESH);
        assert_said(ctx, refusal);
        assert_string_equal(stick_diagnostic(ctx, 0)->file, here.file);
    }
    stick_mesh_destroy(ctx, &mesh);
}

// Two unit squares side by side.
static const Lists squares = {.dim = 2,
                              .nnodes = 6,
                              .x = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}, {2, 1}},
                              .nelements = 2,
                              .shape = {STICK_QUAD4, STICK_QUAD4},
                              .node = {{0, 1, 2, 3}, {1, 4, 5, 2}}};

static const Lists hex = {
    .dim = 3,
    .nnodes = 8,
    .x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
    .nelements = 1,
    .shape = {STICK_HEX8},
    .node = {{0, 1, 2, 3, 4, 5, 6, 7}}};

static const Lists quad8 = {.dim = 2,
                            .nnodes = 8,
                            .x = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}},
                            .nelements = 1,
                            .shape = {STICK_QUAD8},
                            .node = {{0, 1, 2, 3, 4, 5, 6, 7}}};

// Two small squares, and the cell above that joins them to larger ones.
static const Lists joined = {.dim = 2,
                             .nnodes = 8,
                             .x = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 3}, {2, 3}},
                             .nelements = 3,
                             .shape = {STICK_QUAD4, STICK_QUAD4, STICK_QUAD5},
                             .node = {{0, 1, 4, 3}, {1, 2, 5, 4}, {3, 4, 5, 7, 6}}};

static const Lists tri6 = {.dim = 2,
                           .nnodes = 6,
                           .x = {{0, 0}, {2, 0}, {0, 2}, {1, 0}, {1, 1}, {0, 1}},
                           .nelements = 1,
                           .shape = {STICK_TRI6},
                           .node = {{0, 1, 2, 3, 4, 5}}};

static const Lists bars = {.dim = 1,
                           .nnodes = 3,
                           .x = {{0}, {1}, {3}},
                           .nelements = 2,
                           .shape = {STICK_BAR2, STICK_BAR2},
                           .node = {{0, 1}, {1, 2}}};

static void good_meshes_pass(void **state)
{
    static const Lists *const good[] = {&squares, &hex, &quad8, &tri6, &bars, &joined};
    for (int k = 0; k < 6; k++)
        assert_checks(*state, good[k], NULL);
}

static void inverted_elements_are_named(void **state)
{
    Lists lists = squares;
    memcpy(lists.node[1], (int[]){1, 2, 5, 4}, 4 * sizeof(int));
    assert_checks(*state, &lists, "element 502 (quad4) is inverted at its node");
    lists = hex;
    memcpy(lists.node[0], (int[]){4, 5, 6, 7, 0, 1, 2, 3}, 8 * sizeof(int));
    assert_checks(*state, &lists, "element 501 (hex8) is inverted");
    lists = joined;
    memcpy(lists.node[2], (int[]){5, 4, 3, 6, 7}, 5 * sizeof(int));
    assert_checks(*state, &lists, "element 503 (quad5) is inverted");
    lists = bars;
    memcpy(lists.node[1], (int[]){2, 1}, 2 * sizeof(int));
    assert_checks(*state, &lists, "element 502 (bar2) is inverted");
}

static void a_corner_that_points_inward_is_found(void **state)
{
    Lists lists = squares;
    lists.x[5][0] = 1.1, lists.x[5][1] = 0.1;
    assert_checks(*state, &lists, "element 502 (quad4) is inverted at its node 106, (1.1, 0.1)");
    lists = joined; // the middle node beyond the opposite side
    lists.x[4][1] = 3.5;
    assert_checks(*state, &lists, "element 503 (quad5) is inverted at its node");
    lists = hex;
    lists.x[6][0] = lists.x[6][1] = lists.x[6][2] = 0.2;
    assert_checks(*state, &lists, "element 501 (hex8) is inverted");
}

static void degenerate_elements_are_named(void **state)
{
    Lists lists = squares;
    lists.x[5][0] = 1.5, lists.x[5][1] = 0.5;
    assert_checks(*state, &lists, "element 502 (quad4) is degenerate at its node 106, (1.5, 0.5)");
    lists = squares;
    lists.node[1][2] = 4;
    assert_checks(*state, &lists, "element 502 (quad4) uses node 105 twice");
}

static void mid_side_nodes_beyond_a_quarter_are_found(void **state)
{
    Lists lists = quad8;
    lists.x[4][0] = 0.55;
    assert_checks(*state, &lists, NULL);
    lists.x[4][0] = 0.45;
    assert_checks(*state, &lists, "element 501 (quad8) is inverted at its node 101");
    lists = tri6;
    lists.x[3][0] = 1.45;
    assert_checks(*state, &lists, NULL);
    lists.x[3][0] = 1.55;
    assert_checks(*state, &lists, "element 501 (tri6) is inverted at its node 102");
}

static void mid_side_nodes_pulled_through_the_element_are_found(void **state)
{
    Lists lists = tri6;
    lists.x[3][1] = 0.9;
    assert_checks(*state, &lists, "(tri6) is inverted");
    lists = quad8;
    lists.x[4][1] = 2.5;
    assert_checks(*state, &lists, "(quad8) is inverted");
}

static void dangling_nodes_are_named(void **state)
{
    Lists lists = squares;
    lists.nnodes = 7;
    lists.x[6][0] = 9, lists.x[6][1] = -1;
    assert_checks(*state, &lists, "node 107, (9, -1), belongs to no element");
}

static void nodes_at_the_same_place_are_named(void **state)
{
    Lists lists = squares;
    lists.nnodes = 8;
    memcpy(lists.x[6], lists.x[1], sizeof lists.x[6]);
    memcpy(lists.x[7], lists.x[2], sizeof lists.x[7]);
    lists.x[6][0] += 1e-9;
    memcpy(lists.node[1], (int[]){6, 4, 5, 7}, 4 * sizeof(int));
    assert_checks(*state, &lists, "nodes 102 and 107 coincide at (1, 0)");
    assert_said(*state, "nodes 103 and 108");
    lists.x[6][0] = 1 + 1e-8;
    lists.x[7][0] = 1 + 1e-8;
    assert_checks(*state, &lists, NULL);
}

static void overlapping_elements_are_named(void **state)
{
    Lists lists = squares;
    memcpy(lists.node[1], lists.node[0], sizeof lists.node[1]);
    lists.nnodes = 4;
    assert_checks(*state, &lists,
                  "elements 501 and 502 overlap: they lie on the same side of their common side at node");
    lists = bars;
    memcpy(lists.node[1], (int[]){0, 2}, 2 * sizeof(int));
    assert_checks(*state, &lists,
                  "elements 501 and 502 overlap: they lie on the same side of their common side at node");
}

static void places_that_are_no_numbers_are_named(void **state)
{
    Lists lists = squares;
    lists.x[3][1] = NAN;
    assert_checks(*state, &lists, "node 104 is at (0, nan)");
    lists.x[3][1] = 1e200;
    assert_checks(*state, &lists, "node 104 is at (0, 1e+200)");
}

static void empty_groups_and_meshes_are_named(void **state)
{
    StickMesh mesh = build(*state, &squares, "foot");
    assert_int_equal(stick_mesh_check(*state, &mesh, here), STICK_BAD_MESH);
    assert_said(*state, "group 'foot' is empty");
    stick_mesh_destroy(*state, &mesh);
    Lists nothing = {.dim = 2};
    assert_checks(*state, &nothing, "no elements");
}

static void many_problems_of_a_kind_are_counted(void **state)
{
    StickMeshBuilder builder;
    StickMesh mesh;
    stick_builder_init(&builder, *state, 1);
    for (int i = 0; i <= 30; i++)
        assert_ok(*state, stick_builder_add_node(&builder, &(double){i}, 0));
    for (int e = 0; e < 30; e++)
        assert_ok(*state, stick_builder_add_element(&builder, STICK_BAR2, (int[]){e + 1, e}, 0));
    assert_ok(*state, stick_builder_finish(&builder, &mesh));
    assert_int_equal(stick_mesh_check(*state, &mesh, here), STICK_BAD_MESH);
    assert_int_equal(stick_diagnostic_count(*state), 11);
    assert_said(*state, "and 20 more inverted or degenerate elements");
    stick_mesh_destroy(*state, &mesh);
}

static StickStatus check_squares(StickContext *ctx, void *data)
{
    return stick_mesh_check(ctx, data, here);
}

static void every_allocation_may_fail(void **state)
{
    StickMesh mesh = build(*state, &squares, NULL);
    assert_survives_failing_memory(check_squares, &mesh);
    stick_mesh_destroy(*state, &mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(good_meshes_pass),
        test_with_context(inverted_elements_are_named),
        test_with_context(a_corner_that_points_inward_is_found),
        test_with_context(degenerate_elements_are_named),
        test_with_context(mid_side_nodes_beyond_a_quarter_are_found),
        test_with_context(mid_side_nodes_pulled_through_the_element_are_found),
        test_with_context(dangling_nodes_are_named),
        test_with_context(nodes_at_the_same_place_are_named),
        test_with_context(overlapping_elements_are_named),
        test_with_context(places_that_are_no_numbers_are_named),
        test_with_context(empty_groups_and_meshes_are_named),
        test_with_context(many_problems_of_a_kind_are_counted),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("mesh.check", tests, NULL, NULL);
}
