// SPDX-License-Identifier: Apache-2.0
#include "meshes.h"

#include "mesh/halving.h"

// The unit square, one block; cells that reach the circle of that radius about the middle of its bottom are cut so often.
typedef struct Spot {
    double radius;
    int cuts;
} Spot;

static void same_place(const void *user, int block, double u, double v, double x[2])
{
    (void)user;
    (void)block;
    x[0] = u;
    x[1] = v;
}

static bool reaches(const void *user, const StickHalvingCell *cell)
{
    const Spot *spot = user;
    double dx = fmax(fmax(cell->u[0] - 0.5, 0.5 - cell->u[1]), 0);
    return cell->level < spot->cuts && hypot(dx, cell->v[0]) < spot->radius;
}

static void square_nodes(StickHalving *halving, int n, StickContext *ctx)
{
    int node;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++)
            assert_ok(ctx, stick_halving_add_node(halving, (double[2]){(double)i / n, (double)j / n}, &node));
}

static StickHalvingCell square_cell(int n, int i, int j)
{
    int low = j * (n + 1) + i, high = low + n + 1;
    StickHalvingCell cell = {
        .u = {(double)i / n, (double)(i + 1) / n},
        .v = {(double)j / n, (double)(j + 1) / n},
        .node = {low, low + 1, high + 1, high},
        .tag = {j == 0 ? 0 : -1, i == n - 1 ? 1 : -1, j == n - 1 ? 1 : -1, i == 0 ? 1 : -1}};
    return cell;
}

static StickStatus finish(StickHalving *halving, StickMesh *mesh)
{
    int of[2][2] = {{-1, -1}, {-1, -1}};
    StickMeshBuilder builder;
    stick_builder_init(&builder, halving->ctx, 2);
    StickStatus status = stick_halving_cut(halving);
    if (status == STICK_OK)
        status = stick_builder_group(&builder, "bottom", &of[0][0]);
    if (status == STICK_OK)
        status = stick_builder_group(&builder, "rest", &of[1][0]);
    if (status == STICK_OK)
        status = stick_builder_group(&builder, "round", &of[0][1]);
    of[1][1] = of[0][1];
    if (status == STICK_OK)
        status = stick_halving_build(halving, (const int(*)[2])of, &builder);
    if (status == STICK_OK)
        status = stick_builder_finish(&builder, mesh);
    stick_builder_destroy(&builder);
    return status;
}

static void make_square(StickContext *ctx, int n, const Spot *spot, StickMesh *mesh)
{
    StickHalving halving;
    stick_halving_init(&halving, ctx, (StickHalvingRule){spot, same_place, reaches});
    square_nodes(&halving, n, ctx);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            StickHalvingCell cell = square_cell(n, i, j);
            assert_ok(ctx, stick_halving_add_cell(&halving, &cell));
        }
    assert_ok(ctx, finish(&halving, mesh));
    stick_halving_destroy(&halving);
}

static double length_of(const StickMesh *mesh, const char *name)
{
    const StickGroup *group = need_group(mesh, name);
    double sum = 0;
    for (int k = 0; k < group->nfacets; k++) {
        int node[STICK_MOST_FACET_NODES];
        stick_mesh_facet_nodes(mesh, group->facet[k], node);
        const double *a = place_of(mesh, node[0]), *b = place_of(mesh, node[1]);
        sum += hypot(b[0] - a[0], b[1] - a[1]);
    }
    return sum;
}

static void a_square_is_cut_where_it_is_wanted(void **state)
{
    StickContext *ctx = *state;
    StickMesh mesh;
    make_square(ctx, 2, &(Spot){0.1, 6}, &mesh);
    assert_ok(ctx, stick_mesh_check(ctx, &mesh, (StickMark){"square", 1, 1}));
    assert_near(mesh_volume(&mesh), 1, 1e-14);
    int joining = 0;
    for (int e = 0; e < mesh.nelements; e++) {
        joining += mesh.shape[e] == STICK_QUAD5;
        const double *x = place_of(&mesh, mesh.node[mesh.start[e]]);
        double size = sqrt(element_volume(&mesh, e));
        if (hypot(x[0] - 0.5, x[1]) < 0.09)
            assert_near(size, 1.0 / 128, 1e-14);
    }
    assert_true(joining > 20);
    // all of it as fine would be 128 x 128
    assert_true(mesh.nelements < 2000);
    stick_mesh_destroy(ctx, &mesh);
}

static void sides_keep_their_groups(void **state)
{
    StickContext *ctx = *state;
    StickMesh mesh;
    make_square(ctx, 2, &(Spot){0.6, 4}, &mesh);
    assert_near(length_of(&mesh, "bottom"), 1, 1e-14);
    assert_near(length_of(&mesh, "rest"), 3, 1e-14);
    assert_near(length_of(&mesh, "round"), 4, 1e-14);
    assert_int_equal(need_group(&mesh, "round")->nfacets, need_group(&mesh, "boundary")->nfacets);
    stick_mesh_destroy(ctx, &mesh);
}

// Sizes of cells that share a node differ by a factor of four at most, and those that share a side by two.
static void sizes_change_gently(void **state)
{
    StickContext *ctx = *state;
    StickMesh mesh;
    make_square(ctx, 1, &(Spot){1e-9, 9}, &mesh);
    double *least = calloc((size_t)mesh.nnodes, sizeof *least),
           *most = calloc((size_t)mesh.nnodes, sizeof *most);
    assert_true(least && most);
    for (int e = 0; e < mesh.nelements; e++)
        for (int k = mesh.start[e]; k < mesh.start[e + 1]; k++) {
            double size = sqrt(element_volume(&mesh, e));
            int i = mesh.node[k];
            least[i] = least[i] > 0 ? fmin(least[i], size) : size;
            most[i] = fmax(most[i], size);
        }
    for (int i = 0; i < mesh.nnodes; i++)
        assert_true(most[i] <= 4.001 * least[i]);
    assert_true(mesh.nelements < 200);
    free(least);
    free(most);
    stick_mesh_destroy(ctx, &mesh);
}

// Two cells below one of twice their width, which is given the node between them; mirrored cells are turned over.
static void larger_cells_join_smaller_ones(void **state)
{
    StickContext *ctx = *state;
    static const double x[8][2] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 3}, {2, 3}};
    for (int cuts = 0; cuts < 2; cuts++) {
        StickHalving halving;
        StickMesh mesh;
        int node;
        Spot spot = {0.7, cuts};
        stick_halving_init(&halving, ctx, (StickHalvingRule){&spot, same_place, reaches});
        for (int i = 0; i < 8; i++)
            assert_ok(ctx, stick_halving_add_node(&halving, x[i], &node));
        StickHalvingCell small[2] = {{.u = {0, 1}, .v = {0, 1}, .node = {0, 1, 4, 3}, .tag = {0, -1, -1, 1}},
                                     {.u = {1, 2}, .v = {0, 1}, .node = {1, 2, 5, 4}, .tag = {0, 1, -1, -1}}};
        StickHalvingCell large = {
            .u = {0, 2}, .v = {3, 1}, .node = {6, 7, 5, 3}, .tag = {1, 1, -1, 1}, .mirrored = true};
        for (int k = 0; k < 2; k++)
            assert_ok(ctx, stick_halving_add_cell(&halving, &small[k]));
        assert_ok(ctx, stick_halving_add_cell(&halving, &large));
        assert_ok(ctx, stick_halving_set_middle(&halving, 3, 5, 4));
        assert_ok(ctx, finish(&halving, &mesh));
        stick_halving_destroy(&halving);
        assert_ok(ctx, stick_mesh_check(ctx, &mesh, (StickMark){"cells", 1, 1}));
        assert_near(mesh_volume(&mesh), 6, 1e-14);
        assert_near(length_of(&mesh, "round"), 10, 1e-14);
        // where the small ones are cut, so is the large one, and two of its parts join them
        int joining = 0;
        for (int e = 0; e < mesh.nelements; e++)
            joining += mesh.shape[e] == STICK_QUAD5;
        assert_int_equal(mesh.nelements, cuts == 0 ? 3 : 12);
        assert_int_equal(joining, cuts == 0 ? 1 : 2);
        stick_mesh_destroy(ctx, &mesh);
    }
}

static StickStatus make_once(StickContext *ctx, void *data)
{
    StickHalving halving;
    StickMesh mesh;
    int node;
    StickStatus status = STICK_OK;
    StickHalvingCell cell = square_cell(1, 0, 0);
    stick_halving_init(&halving, ctx, (StickHalvingRule){data, same_place, reaches});
    for (int i = 0; i < 4 && status == STICK_OK; i++)
        status = stick_halving_add_node(&halving, (double[2]){i % 2, i / 2}, &node);
    if (status == STICK_OK)
        status = stick_halving_add_cell(&halving, &cell);
    if (status == STICK_OK)
        status = finish(&halving, &mesh);
    if (status == STICK_OK)
        stick_mesh_destroy(ctx, &mesh);
    stick_halving_destroy(&halving);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(make_once, &(Spot){0.3, 5});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_square_is_cut_where_it_is_wanted),
        test_with_context(sides_keep_their_groups),
        test_with_context(sizes_change_gently),
        test_with_context(larger_cells_join_smaller_ones),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("mesh.halving", tests, NULL, NULL);
}
