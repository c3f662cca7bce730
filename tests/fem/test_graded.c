// SPDX-License-Identifier: Apache-2.0
// Meshes whose cells double by quad5 away from a load: nearly the answer of small cells everywhere, by far fewer nodes.
#include "problem.h"

#include "mesh/halving.h"

static const StickMaterial steel = {.name = (char *)"steel", .young = 200, .poisson = 0.3, .density = 1};

// A square of side 1 on its held bottom, pressed on its top over this half-width, as round bodies press each other.
static const double half_width = 1.0 / 16;

typedef struct Rule {
    int cuts, rows;
} Rule;

static void same_place(const void *user, int block, double u, double v, double x[2])
{
    (void)user;
    (void)block;
    x[0] = u;
    x[1] = v;
}

// This number of rows of cells of each size near the load; rows 0: everywhere.
static bool is_near(const void *user, const StickHalvingCell *cell)
{
    const Rule *rule = user;
    double size = cell->u[1] - cell->u[0], reach = rule->rows * size;
    double aside = fmax(fmax(cell->u[0] - 0.5, 0.5 - cell->u[1]) - half_width, 0), below = 1 - cell->v[1];
    return cell->level < rule->cuts && (rule->rows == 0 || fmax(aside, below) < reach);
}

static void make_square(StickContext *ctx, const Rule *rule, StickMesh *mesh)
{
    StickHalving halving;
    StickMeshBuilder builder;
    StickHalvingCell cell = {.u = {0, 1}, .v = {0, 1}, .node = {0, 1, 3, 2}, .tag = {1, -1, 0, -1}};
    int node, of[2][2] = {{-1, -1}, {-1, -1}};
    stick_halving_init(&halving, ctx, (StickHalvingRule){rule, same_place, is_near});
    for (int i = 0; i < 4; i++)
        assert_ok(ctx, stick_halving_add_node(&halving, (double[2]){i % 2, i / 2}, &node));
    assert_ok(ctx, stick_halving_add_cell(&halving, &cell));
    assert_ok(ctx, stick_halving_cut(&halving));
    stick_builder_init(&builder, ctx, 2);
    assert_ok(ctx, stick_builder_group(&builder, "top", &of[0][0]));
    assert_ok(ctx, stick_builder_group(&builder, "bottom", &of[1][0]));
    assert_ok(ctx, stick_halving_build(&halving, (const int(*)[2])of, &builder));
    assert_ok(ctx, stick_builder_finish(&builder, mesh));
    stick_builder_destroy(&builder);
    stick_halving_destroy(&halving);
}

static StickStatus press(void *user, const double place[3], const double normal[3], double traction[3])
{
    (void)user;
    double t = (place[0] - 0.5) / half_width;
    for (int k = 0; k < 3; k++)
        traction[k] = -normal[k] * sqrt(fmax(1 - t * t, 0));
    return STICK_OK;
}

static double work_of(StickContext *ctx, const Rule *rule, int *nnodes)
{
    StickMesh mesh;
    make_square(ctx, rule, &mesh);
    Body body;
    body_init(&body, (Grid){.mesh = mesh}, &steel);
    body_assemble(ctx, &body);
    const StickGroup *top = stick_mesh_group(&mesh, "top"), *bottom = stick_mesh_group(&mesh, "bottom");
    for (int k = 0; k < 2 * bottom->nnodes; k++)
        body.held[2 * bottom->node[k / 2] + k % 2] = true;
    assert_ok(ctx, stick_fem_facet_load(ctx, &body.continuum, top->facet, top->nfacets, press, NULL, body.f));
    assert_ok(ctx, solve_held(ctx, &body.K, body.f, body.held, body.q));
    double work = 0;
    for (int i = 0; i < 2 * mesh.nnodes; i++)
        work += body.f[i] * body.q[i];
    *nnodes = mesh.nnodes;
    body.grid = (Grid){0}; // of the mesh
    body_drop(ctx, &body);
    stick_mesh_destroy(ctx, &mesh);
    return work;
}

static void graded_meshes_answer_as_fine_ones(void **state)
{
    StickContext *ctx = *state;
    int all, few, fewer;
    double fine = work_of(ctx, &(Rule){7, 0}, &all);
    double graded = work_of(ctx, &(Rule){7, 4}, &few), steep = work_of(ctx, &(Rule){7, 2}, &fewer);
    assert_true(few < all / 10 && fewer < few);
    assert_near(graded, fine, 0.006 * fine);
    assert_near(steep, fine, 0.015 * fine);
    assert_true(fabs(graded - fine) < fabs(steep - fine));
}

// Conforming: never softer than a mesh that it is a part of.
static void finer_meshes_are_softer(void **state)
{
    StickContext *ctx = *state;
    double before = 0;
    int nnodes;
    for (int cuts = 5; cuts <= 8; cuts++) {
        double work = work_of(ctx, &(Rule){cuts, 4}, &nnodes);
        assert_true(work > before);
        before = work;
    }
    assert_true(nnodes < 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(graded_meshes_answer_as_fine_ones),
        test_with_context(finer_meshes_are_softer),
    };
    return cmocka_run_group_tests_name("fem.graded", tests, NULL, NULL);
}
