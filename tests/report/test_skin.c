// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "mesh/generate.h"
#include "report/skin.h"

static StickMesh make_mesh(StickContext *ctx, StickMeshSpec spec, StickElementKind element)
{
    StickMesh mesh;
    for (int k = 0; k < 3; k++)
        spec.size[k] = 1;
    assert_ok(ctx, stick_mesh_generate(ctx, &spec, element, &mesh));
    return mesh;
}

static const double *place(const StickMesh *mesh, const StickSkin *skin, unsigned node)
{
    assert_true(node < (unsigned)skin->nnodes);
    return &mesh->x[(size_t)skin->node[node] * (size_t)mesh->dim];
}

static double triangle_area(const StickMesh *mesh, const StickSkin *skin, int t)
{
    const double *x[3];
    for (int k = 0; k < 3; k++)
        x[k] = place(mesh, skin, skin->triangle[3 * t + k]);
    return 0.5 * ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]));
}

// Six times the volume under a triangle: the sum over an outward closed surface is that of the body.
static double triangle_volume(const StickMesh *mesh, const StickSkin *skin, int t)
{
    const double *a = place(mesh, skin, skin->triangle[3 * t]),
                 *b = place(mesh, skin, skin->triangle[3 * t + 1]),
                 *c = place(mesh, skin, skin->triangle[3 * t + 2]);
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Every edge once, whichever way round.
static void assert_edges_differ(const StickSkin *skin)
{
    for (int e = 0; e < skin->nedges; e++) {
        const unsigned *a = &skin->edge[2 * e];
        assert_true(a[0] != a[1] && a[0] < (unsigned)skin->nnodes && a[1] < (unsigned)skin->nnodes);
        for (int f = 0; f < e; f++) {
            const unsigned *b = &skin->edge[2 * f];
            assert_false((a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]));
        }
    }
}

static void assert_nodes_ascend(const StickSkin *skin)
{
    for (int i = 1; i < skin->nnodes; i++)
        assert_true(skin->node[i] > skin->node[i - 1]);
}

static void assert_counts(const StickSkin *skin, int nodes, int triangles, int edges)
{
    assert_int_equal(skin->nnodes, nodes);
    assert_int_equal(skin->ntriangles, triangles);
    assert_int_equal(skin->nedges, edges);
    assert_edges_differ(skin);
    assert_nodes_ascend(skin);
}

// ---- space

static void assert_box(StickContext *ctx, StickMeshPattern pattern, int edges)
{
    StickMeshSpec spec = {
        .kind = STICK_MESH_BOX, .cells = {2, 2, 2}, .pattern = pattern, .origin = {5, 6, 7}};
    StickMesh mesh = make_mesh(ctx, spec, STICK_ELEMENT_DEFAULT);
    StickSkin skin;
    assert_ok(ctx, stick_skin_create(ctx, &mesh, &skin));
    // 27 nodes but the one inside; 6 sides of 4 squares
    assert_counts(&skin, 26, 48, edges);
    double volume = 0;
    for (int t = 0; t < skin.ntriangles; t++) {
        const double *a = place(&mesh, &skin, skin.triangle[3 * t]),
                     *b = place(&mesh, &skin, skin.triangle[3 * t + 1]),
                     *c = place(&mesh, &skin, skin.triangle[3 * t + 2]);
        // (b - a) x (c - a) points away from the middle
        const double middle[3] = {5.5, 6.5, 7.5};
        double u[3], v[3], w[3];
        for (int k = 0; k < 3; k++) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - a[k];
            w[k] = a[k] - middle[k];
        }
        assert_true((u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
                        (u[0] * v[1] - u[1] * v[0]) * w[2] >
                    0);
        volume += triangle_volume(&mesh, &skin, t);
    }
    assert_near(volume, 6, 1e-12);
    stick_skin_destroy(ctx, &skin);
    stick_mesh_destroy(ctx, &mesh);
}

static void skin_of_a_box(void **state)
{
    assert_box(*state, STICK_PATTERN_QUADS, 48);     // each square has 4 edges, each edge 2 squares
    assert_box(*state, STICK_PATTERN_TRIANGLES, 72); // with 24 diagonals
}

// The order is that of elements, then of their sides.
static void order_is_that_of_elements(void **state)
{
    StickContext *ctx = *state;
    StickShape shape[2] = {STICK_HEX8, STICK_TET4};
    int start[3] = {0, 8, 12}, node[12] = {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3};
    StickMesh mesh = {.dim = 3, .nnodes = 16, .nelements = 2, .shape = shape, .start = start, .node = node};
    StickSkin skin;
    assert_ok(ctx, stick_skin_create(ctx, &mesh, &skin));
    assert_counts(&skin, 12, 16, 18); // nodes 4 to 7 are nobody's
    const unsigned first[] = {4, 7, 6, 4, 6, 5, 8, 9, 10}, tet[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    assert_memory_equal(skin.triangle, first, sizeof first);
    assert_memory_equal(skin.triangle + 36, tet, sizeof tet);
    assert_memory_equal(skin.edge, ((unsigned[]){4, 7, 7, 6, 6, 5, 5, 4, 8, 9}), 10 * sizeof(unsigned));
    stick_skin_destroy(ctx, &skin);
}

// ---- the plane

static void assert_square(StickContext *ctx, StickMeshPattern pattern, StickElementKind element, int nodes,
                          int triangles, int edges)
{
    StickMeshSpec spec = {.kind = STICK_MESH_RECTANGLE, .cells = {2, 2}, .pattern = pattern};
    StickMesh mesh = make_mesh(ctx, spec, element);
    StickSkin skin;
    assert_ok(ctx, stick_skin_create(ctx, &mesh, &skin));
    assert_counts(&skin, nodes, triangles, edges);
    assert_int_equal(skin.nnodes, mesh.nnodes);
    double area = 0;
    for (int t = 0; t < skin.ntriangles; t++) {
        assert_true(triangle_area(&mesh, &skin, t) > 0);
        area += triangle_area(&mesh, &skin, t);
    }
    assert_near(area, 1, 1e-14);
    stick_skin_destroy(ctx, &skin);
    stick_mesh_destroy(ctx, &mesh);
}

static void all_elements_of_the_plane(void **state)
{
    assert_square(*state, STICK_PATTERN_QUADS, STICK_ELEMENT_LINEAR, 9, 8, 12);
    assert_square(*state, STICK_PATTERN_TRIANGLES, STICK_ELEMENT_LINEAR, 9, 8, 16);
    assert_square(*state, STICK_PATTERN_CROSSED, STICK_ELEMENT_LINEAR, 13, 16, 28);
}

// Edges are drawn through the nodes on them: each is two.
static void quadratic_elements_by_all_nodes(void **state)
{
    assert_square(*state, STICK_PATTERN_QUADS, STICK_ELEMENT_QUADRATIC, 21, 24, 24);
    assert_square(*state, STICK_PATTERN_TRIANGLES, STICK_ELEMENT_QUADRATIC, 25, 32, 32);
}

static void bars_are_edges(void **state)
{
    StickContext *ctx = *state;
    StickMesh mesh =
        make_mesh(ctx, (StickMeshSpec){.kind = STICK_MESH_BAR, .cells = {3}}, STICK_ELEMENT_DEFAULT);
    StickSkin skin;
    assert_ok(ctx, stick_skin_create(ctx, &mesh, &skin));
    assert_counts(&skin, 4, 0, 3);
    assert_memory_equal(skin.edge, ((unsigned[]){0, 1, 1, 2, 2, 3}), 6 * sizeof(unsigned));
    stick_skin_destroy(ctx, &skin);
    stick_mesh_destroy(ctx, &mesh);
}

static StickStatus make_and_drop(StickContext *ctx, void *mesh)
{
    StickSkin skin;
    STICK_TRY(stick_skin_create(ctx, mesh, &skin));
    stick_skin_destroy(ctx, &skin);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    StickMeshSpec spec = {.kind = STICK_MESH_BOX, .cells = {2, 1, 1}};
    StickMesh mesh = make_mesh(*state, spec, STICK_ELEMENT_DEFAULT);
    assert_survives_failing_memory(make_and_drop, &mesh);
    stick_mesh_destroy(*state, &mesh);
}

// A cell that joins two small ones to a large one has its three triangles and five edges.
static void skin_of_a_quad5(void **state)
{
    StickContext *ctx = *state;
    StickShape shape[1] = {STICK_QUAD5};
    int start[2] = {0, 5}, node[5] = {0, 1, 2, 3, 4};
    double x[10] = {0, 0, 1, 0, 2, 0, 2, 1, 0, 1}, area = 0;
    StickMesh mesh = {
        .dim = 2, .nnodes = 5, .x = x, .nelements = 1, .shape = shape, .start = start, .node = node};
    StickSkin skin;
    assert_ok(ctx, stick_skin_create(ctx, &mesh, &skin));
    assert_counts(&skin, 5, 3, 5);
    for (int t = 0; t < 3; t++) {
        assert_true(triangle_area(&mesh, &skin, t) > 0.4);
        area += triangle_area(&mesh, &skin, t);
    }
    assert_near(area, 2, 1e-15);
    stick_skin_destroy(ctx, &skin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(skin_of_a_box),
        test_with_context(order_is_that_of_elements),
        test_with_context(skin_of_a_quad5),
        test_with_context(all_elements_of_the_plane),
        test_with_context(quadratic_elements_by_all_nodes),
        test_with_context(bars_are_edges),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("report.skin", tests, NULL, NULL);
}
