// SPDX-License-Identifier: Apache-2.0
// Patch tests: a distorted mesh reproduces every linear field of displacements exactly.
#include "patch_case.h"
#include "problem.h"

static const Case cases[] = {
    {STICK_BAR2, STICK_PLANE_STRAIN, false, false},  {STICK_BAR3, STICK_PLANE_STRAIN, false, false},
    {STICK_TRI3, STICK_PLANE_STRAIN, false, false},  {STICK_TRI6, STICK_PLANE_STRAIN, false, false},
    {STICK_QUAD4, STICK_PLANE_STRAIN, false, false}, {STICK_QUAD8, STICK_PLANE_STRAIN, false, false},
    {STICK_QUAD4, STICK_PLANE_STRAIN, true, false},  {STICK_TRI3, STICK_PLANE_STRESS, false, false},
    {STICK_TRI6, STICK_PLANE_STRESS, false, false},  {STICK_QUAD4, STICK_PLANE_STRESS, false, false},
    {STICK_QUAD8, STICK_PLANE_STRESS, false, false}, {STICK_TET4, STICK_PLANE_STRAIN, false, false},
    {STICK_HEX8, STICK_PLANE_STRAIN, false, false},  {STICK_HEX8, STICK_PLANE_STRAIN, true, false},
    {STICK_TRI3, STICK_AXISYMMETRIC, false, false},  {STICK_TRI6, STICK_AXISYMMETRIC, false, false},
    {STICK_QUAD4, STICK_AXISYMMETRIC, false, false}, {STICK_QUAD8, STICK_AXISYMMETRIC, false, false},
    {STICK_QUAD4, STICK_AXISYMMETRIC, true, false},  {STICK_TRI3, STICK_AXISYMMETRIC, false, true},
    {STICK_TRI6, STICK_AXISYMMETRIC, false, true},   {STICK_QUAD4, STICK_AXISYMMETRIC, false, true},
    {STICK_QUAD8, STICK_AXISYMMETRIC, false, true},  {STICK_QUAD4, STICK_AXISYMMETRIC, true, true},
    {STICK_QUAD5, STICK_PLANE_STRAIN, false, false}, {STICK_QUAD5, STICK_PLANE_STRESS, false, false},
    {STICK_QUAD5, STICK_AXISYMMETRIC, false, false}, {STICK_QUAD5, STICK_AXISYMMETRIC, false, true},
};
enum { NCASES = sizeof cases / sizeof *cases };

static const double E = 210, nu = 0.3;
static const StickMaterial steel = {.name = (char *)"steel",
                                    .young = 210,
                                    .poisson = 0.3,
                                    .density = 7.8,
                                    .viscosity_shear = 2 * 210 / 2.6,
                                    .viscosity_bulk = 2 * 210 / 1.2};

typedef struct Patch {
    Grid grid;
    StickContinuum continuum;
    StickSparse M, C, K;
    double gradient[3][3]; // u = gradient x
    double stress[6];      // exact
    double *q;             // exact
} Patch;

static bool is_ring(const Case *c)
{
    return c->plane == STICK_AXISYMMETRIC;
}

static Grid distorted_grid(const Case *c)
{
    static const double A[3][3] = {{1.2, 0.3, -0.1}, {-0.2, 0.9, 0.2}, {0.1, -0.3, 1.1}};
    static const double I[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Grid grid = grid_make(c->shape, 4, 3, 3);
    int dim = grid.mesh.dim;
    bool *axis = grid_take((size_t)grid.mesh.nnodes, sizeof *axis);
    for (int i = 0; i < grid.mesh.nnodes; i++)
        axis[i] = c->on_axis && grid.mesh.x[i * dim] == 0;
    grid_distort(&grid, 0.05 / grid_cells[c->shape].step);
    grid_map(&grid, is_ring(c) ? I : A, (double[3]){is_ring(c) && !c->on_axis ? 0.7 : 0, 0.2, 0.1});
    for (int i = 0; i < grid.mesh.nnodes; i++)
        if (axis[i])
            grid.mesh.x[i * dim] = 0;
    free(axis);
    grid_find_facets(&grid);
    return grid;
}

// Hooke's law by hand, apart from the library's matrices.
static void exact_stress(const Case *c, int dim, const double e[6], double s[6])
{
    double lame = E * nu / ((1 + nu) * (1 - 2 * nu)), G = E / (2 * (1 + nu)), trace = e[0] + e[1] + e[2];
    memset(s, 0, 6 * sizeof *s);
    if (dim == 1) {
        s[0] = E * e[0];
    } else if (dim == 2 && c->plane == STICK_PLANE_STRESS) {
        s[0] = E / (1 - nu * nu) * (e[0] + nu * e[1]);
        s[1] = E / (1 - nu * nu) * (e[1] + nu * e[0]);
        s[3] = G * e[3];
    } else {
        for (int k = 0; k < 3; k++) {
            s[k] = lame * trace + 2 * G * e[k];
            s[3 + k] = G * e[3 + k];
        }
    }
}

static void set_field(const Case *c, Patch *patch)
{
    static const double any[3][3] = {{1e-3, 4e-4, -3e-4}, {-7e-4, -2e-3, 6e-4}, {5e-4, 8e-4, 1.5e-3}};
    int dim = patch->grid.mesh.dim;
    double(*g)[3] = patch->gradient;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            g[i][j] = is_ring(c) && i != j ? 0 : any[i][j];
    double hoop = is_ring(c) ? g[0][0] : g[2][2];
    double strain[6] = {g[0][0], g[1][1], hoop, g[0][1] + g[1][0], g[1][2] + g[2][1], g[2][0] + g[0][2]};
    exact_stress(c, dim, strain, patch->stress);
    for (int node = 0; node < patch->grid.mesh.nnodes; node++)
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++)
                patch->q[node * dim + i] += g[i][j] * patch->grid.mesh.x[node * dim + j];
}

static void make_patch(StickContext *ctx, const Case *c, Patch *patch)
{
    *patch = (Patch){.grid = distorted_grid(c)};
    patch->continuum = (StickContinuum){.mesh = &patch->grid.mesh,
                                        .material = &steel,
                                        .plane = c->plane,
                                        .thickness = 0.5,
                                        .mean_dilatation = c->mean_dilatation};
    patch->q = grid_take((size_t)(patch->grid.mesh.nnodes * patch->grid.mesh.dim), sizeof *patch->q);
    set_field(c, patch);
    assert_ok(ctx, stick_fem_matrices(ctx, &patch->continuum, &patch->M, &patch->C, &patch->K));
}

static void drop_patch(StickContext *ctx, Patch *patch)
{
    stick_sparse_destroy(ctx, &patch->M);
    stick_sparse_destroy(ctx, &patch->C);
    stick_sparse_destroy(ctx, &patch->K);
    free(patch->q);
    grid_destroy(&patch->grid);
}

static void assert_stress(StickContext *ctx, const Patch *patch, const double *q, const double *v,
                          double factor)
{
    int nnodes = patch->grid.mesh.nnodes;
    double *stress = grid_take(6 * (size_t)nnodes, sizeof *stress), scale = largest(patch->stress, 6);
    assert_ok(ctx, stick_fem_stress(ctx, &patch->continuum, q, v, stress));
    for (int k = 0; k < 6 * nnodes; k++)
        assert_near(stress[k], factor * patch->stress[k % 6], 1e-12 * factor * scale);
    free(stress);
}

static void linear_fields_are_reproduced(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        Patch patch;
        make_patch(ctx, &cases[c], &patch);
        int dim = patch.grid.mesh.dim, n = patch.K.cols, interior = 0;
        bool *held = grid_take((size_t)n, sizeof *held);
        double *q = grid_take((size_t)n, sizeof *q), scale = largest(patch.q, n);
        memcpy(q, patch.q, (size_t)n * sizeof *q);
        for (int i = 0; i < n; i++) {
            held[i] = patch.grid.outer[i / dim];
            interior += !held[i];
        }
        assert_true(interior >= 3);
        assert_ok(ctx, solve_held(ctx, &patch.K, NULL, held, q));
        for (int i = 0; i < n; i++)
            assert_near(q[i], patch.q[i], 1e-12 * scale);
        assert_stress(ctx, &patch, q, NULL, 1);
        free(held);
        free(q);
        drop_patch(ctx, &patch);
    }
}

// K q of the exact field is the load of the exact tractions on the boundary, node by node.
static void internal_forces_balance_tractions(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        Patch patch;
        make_patch(ctx, &cases[c], &patch);
        int n = patch.K.cols;
        double *f = grid_take((size_t)n, sizeof *f), *inner = grid_take((size_t)n, sizeof *inner);
        assert_ok(ctx, stick_fem_facet_load(ctx, &patch.continuum, patch.grid.facet, patch.grid.nfacets,
                                            constant_stress_traction, patch.stress, f));
        stick_sparse_multiply(&patch.K, 1, patch.q, inner);
        double scale = largest(f, n);
        assert_true(scale > 0);
        for (int i = 0; i < n; i++)
            assert_near(inner[i], f[i], 1e-12 * scale);
        free(f);
        free(inner);
        drop_patch(ctx, &patch);
    }
}

// The material's viscous matrix is twice its elastic one: velocities q give twice the stress and twice the
// force.
static void viscous_part_follows_velocities(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        Patch patch;
        make_patch(ctx, &cases[c], &patch);
        int n = patch.K.cols;
        double *elastic = grid_take((size_t)n, sizeof *elastic),
               *viscous = grid_take((size_t)n, sizeof *viscous);
        assert_stress(ctx, &patch, patch.q, patch.q, 3);
        stick_sparse_multiply(&patch.K, 2, patch.q, elastic);
        stick_sparse_multiply(&patch.C, 1, patch.q, viscous);
        for (int i = 0; i < n; i++)
            assert_near(viscous[i], elastic[i], 1e-12 * largest(elastic, n));
        free(elastic);
        free(viscous);
        drop_patch(ctx, &patch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(linear_fields_are_reproduced),
        test_with_context(internal_forces_balance_tractions),
        test_with_context(viscous_part_follows_velocities),
    };
    return cmocka_run_group_tests_name("fem.patch", tests, NULL, NULL);
}
