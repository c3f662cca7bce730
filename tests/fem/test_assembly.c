// SPDX-License-Identifier: Apache-2.0
#include "problem.h"

#include <lapacke.h>

static const StickMaterial damped = {.name = (char *)"damped",
                                     .young = 11,
                                     .poisson = 0.35,
                                     .density = 2,
                                     .viscosity_shear = 0.3,
                                     .viscosity_bulk = 0.2,
                                     .rayleigh_mass = 0.7,
                                     .rayleigh_stiffness = 0.05};

static const StickShape shapes[] = {STICK_BAR2,  STICK_BAR3, STICK_TRI3, STICK_TRI6, STICK_QUAD4,
                                    STICK_QUAD8, STICK_TET4, STICK_HEX8, STICK_QUAD5};
enum { NSHAPES = sizeof shapes / sizeof *shapes };

static StickContinuum continuum_of(const Grid *grid, const StickMaterial *material)
{
    return (StickContinuum){.mesh = &grid->mesh, .material = material, .thickness = 0.5};
}

typedef struct Matrices {
    StickSparse M, C, K;
} Matrices;

static Matrices matrices_of(StickContext *ctx, const StickContinuum *continuum)
{
    Matrices of;
    assert_ok(ctx, stick_fem_matrices(ctx, continuum, &of.M, &of.C, &of.K));
    return of;
}

static void drop(StickContext *ctx, Matrices *of)
{
    stick_sparse_destroy(ctx, &of->M);
    stick_sparse_destroy(ctx, &of->C);
    stick_sparse_destroy(ctx, &of->K);
}

static Grid some_grid(StickShape shape)
{
    Grid grid = grid_make(shape, 3, 2, 2);
    grid_distort(&grid, 0.03);
    return grid;
}

static bool share_an_element(const StickMesh *mesh, int i, int j)
{
    bool shared = i == j;
    for (int e = 0; e < mesh->nelements; e++) {
        bool has_i = false, has_j = false;
        for (int k = mesh->start[e]; k < mesh->start[e + 1]; k++) {
            has_i = has_i || mesh->node[k] == i;
            has_j = has_j || mesh->node[k] == j;
        }
        shared = shared || (has_i && has_j);
    }
    return shared;
}

static void pattern_is_that_of_the_nodes_sharing_an_element(void **state)
{
    StickContext *ctx = *state;
    for (int s = 0; s < NSHAPES; s++) {
        Grid grid = some_grid(shapes[s]);
        StickContinuum continuum = continuum_of(&grid, &damped);
        Matrices of = matrices_of(ctx, &continuum);
        int dim = grid.mesh.dim, n = grid.mesh.nnodes * dim;
        assert_int_equal(of.K.rows, n);
        assert_int_equal(of.K.cols, n);
        for (int j = 0; j < n; j++) {
            for (int k = of.K.start[j] + 1; k < of.K.start[j + 1]; k++)
                assert_true(of.K.row[k - 1] < of.K.row[k]);
            for (int i = 0; i < n; i++)
                assert_int_equal(stick_sparse_find(&of.K, i, j) >= 0,
                                 share_an_element(&grid.mesh, i / dim, j / dim));
        }
        size_t entries = (size_t)of.K.start[n];
        assert_memory_equal(of.K.start, of.M.start, ((size_t)n + 1) * sizeof *of.K.start);
        assert_memory_equal(of.K.start, of.C.start, ((size_t)n + 1) * sizeof *of.K.start);
        assert_memory_equal(of.K.row, of.M.row, entries * sizeof *of.K.row);
        assert_memory_equal(of.K.row, of.C.row, entries * sizeof *of.K.row);
        drop(ctx, &of);
        grid_destroy(&grid);
    }
}

static void matrices_are_symmetric_to_the_bit(void **state)
{
    StickContext *ctx = *state;
    for (int s = 0; s < NSHAPES; s++) {
        Grid grid = some_grid(shapes[s]);
        StickContinuum continuum = continuum_of(&grid, &damped);
        Matrices of = matrices_of(ctx, &continuum);
        const StickSparse *all[] = {&of.M, &of.C, &of.K};
        for (int m = 0; m < 3; m++) {
            double asymmetry = 1;
            assert_ok(ctx, stick_sparse_asymmetry(ctx, all[m], &asymmetry));
            assert_true(asymmetry == 0);
        }
        drop(ctx, &of);
        grid_destroy(&grid);
    }
}

// Nodes far from the origin of a large distorted block: forces of rigid motions vanish to rounding.
static void rigid_motions_of_a_body_are_free(void **state)
{
    StickContext *ctx = *state;
    for (int s = 0; s < NSHAPES; s++) {
        Grid grid = some_grid(shapes[s]);
        StickContinuum continuum = continuum_of(&grid, &damped);
        Matrices of = matrices_of(ctx, &continuum);
        int dim = grid.mesh.dim, n = of.K.cols;
        double scale = largest(of.K.value, of.K.start[n]);
        for (int mode = 0; mode < (int[]){0, 1, 3, 6}[dim]; mode++) {
            double *q = grid_take((size_t)n, sizeof *q), *f = grid_take((size_t)n, sizeof *f);
            int i = dim == 2 ? 0 : (mode + 1) % 3, j = dim == 2 ? 1 : (mode + 2) % 3;
            for (int node = 0; node < grid.mesh.nnodes; node++) {
                const double *x = grid.mesh.x + node * dim;
                if (mode < dim) {
                    q[node * dim + mode] = 1;
                } else {
                    q[node * dim + i] = -x[j];
                    q[node * dim + j] = x[i];
                }
            }
            stick_sparse_multiply(&of.K, 1, q, f);
            assert_below(largest(f, n), 1e-12 * scale);
            free(q);
            free(f);
        }
        drop(ctx, &of);
        grid_destroy(&grid);
    }
}

// C = Kelvin-Voigt + rayleigh_mass M + rayleigh_stiffness K, entry by entry.
static void damping_is_the_sum_of_its_parts(void **state)
{
    StickContext *ctx = *state;
    StickMaterial viscous = damped, rayleigh = damped;
    viscous.rayleigh_mass = viscous.rayleigh_stiffness = 0;
    rayleigh.viscosity_shear = rayleigh.viscosity_bulk = 0;
    for (int s = 0; s < NSHAPES; s++) {
        Grid grid = some_grid(shapes[s]);
        StickContinuum both = continuum_of(&grid, &damped), one = continuum_of(&grid, &viscous),
                       other = continuum_of(&grid, &rayleigh);
        Matrices of = matrices_of(ctx, &both), a = matrices_of(ctx, &one), b = matrices_of(ctx, &other);
        int entries = of.C.start[of.C.cols];
        for (int k = 0; k < entries; k++) {
            assert_near(b.C.value[k], 0.7 * b.M.value[k] + 0.05 * b.K.value[k], 1e-14);
            assert_near(of.C.value[k], a.C.value[k] + b.C.value[k], 1e-14);
        }
        assert_true(largest(a.C.value, entries) > 0.01);
        drop(ctx, &of);
        drop(ctx, &a);
        drop(ctx, &b);
        grid_destroy(&grid);
    }
}

// A unit block of density 2: total mass by translations, consistent and lumped; momentum by positions.
static void mass_of_a_body_is_complete(void **state)
{
    StickContext *ctx = *state;
    for (int s = 0; s < NSHAPES; s++) {
        for (int lumped = 0; lumped < 2; lumped++) {
            Grid grid = grid_make(shapes[s], 3, 2, 2);
            StickContinuum continuum = continuum_of(&grid, &damped);
            continuum.lumped_mass = lumped;
            Matrices of = matrices_of(ctx, &continuum);
            int dim = grid.mesh.dim, n = of.M.cols;
            double *v = grid_take((size_t)n, sizeof *v), *x = grid_take((size_t)n, sizeof *x);
            double mass = 2 * (dim == 3 ? 1 : 0.5);
            for (int node = 0; node < grid.mesh.nnodes; node++) {
                v[node * dim + dim - 1] = 1;
                x[node * dim + dim - 1] = grid.mesh.x[node * dim];
            }
            assert_near(stick_sparse_form(&of.M, v, v), mass, 1e-14);
            assert_near(stick_sparse_form(&of.M, v, x), mass / 2, 1e-14);
            if (!lumped)
                assert_near(stick_sparse_form(&of.M, x, x), mass / 3, 1e-14);
            for (int j = 0; j < n && lumped; j++)
                for (int k = of.M.start[j]; k < of.M.start[j + 1]; k++)
                    assert_true(of.M.row[k] == j ? of.M.value[k] > 0 : of.M.value[k] == 0);
            free(v);
            free(x);
            drop(ctx, &of);
            grid_destroy(&grid);
        }
    }
}

// Free bar of n elements: omega^2 = (6 c^2 / h^2) (1 - cos kh) / (2 + cos kh), k = m pi / L; lumped:
// (2 c^2 / h^2) (1 - cos kh).
// Of all elements the rows of M; of two halves what sums to the whole.
static void masses_of_nodes_are_those_of_the_elements(void **state)
{
    static const StickShape some[] = {STICK_BAR2, STICK_TRI3, STICK_TRI6, STICK_QUAD8, STICK_HEX8};
    StickContext *ctx = *state;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        Grid grid = some_grid(some[k]);
        StickContinuum continuum = continuum_of(&grid, &damped);
        Matrices of;
        assert_ok(ctx, stick_fem_matrices(ctx, &continuum, &of.M, &of.C, &of.K));
        int n = grid.mesh.nnodes, dim = grid.mesh.dim, count = grid.mesh.nelements, first = count / 2;
        int *element = grid_take((size_t)count, sizeof *element);
        double *mass[3];
        for (int e = 0; e < count; e++)
            element[e] = e;
        for (int j = 0; j < 3; j++)
            mass[j] = grid_take((size_t)n, sizeof *mass[j]);
        assert_ok(ctx, stick_fem_masses(ctx, &continuum, element, count, mass[0]));
        assert_ok(ctx, stick_fem_masses(ctx, &continuum, element, first, mass[1]));
        assert_ok(ctx, stick_fem_masses(ctx, &continuum, element + first, count - first, mass[2]));
        for (int i = 0; i < n; i++) {
            double row = 0;
            for (int p = of.M.start[i * dim]; p < of.M.start[i * dim + 1]; p++)
                row += of.M.value[p];
            assert_near(mass[0][i], row, 1e-14);
            assert_near(mass[1][i] + mass[2][i], row, 1e-14);
        }
        for (int j = 0; j < 3; j++)
            free(mass[j]);
        free(element);
        drop(ctx, &of);
        grid_destroy(&grid);
    }
}

static void frequencies_of_a_bar_are_those_of_its_lattice(void **state)
{
    StickContext *ctx = *state;
    enum { CELLS = 12, N = CELLS + 1 };
    for (int lumped = 0; lumped < 2; lumped++) {
        Grid grid = grid_make(STICK_BAR2, CELLS, 1, 1);
        StickContinuum continuum = continuum_of(&grid, &damped);
        continuum.lumped_mass = lumped;
        Matrices of = matrices_of(ctx, &continuum);
        double K[N][N] = {{0}}, M[N][N] = {{0}}, w[N], c2 = 11.0 / 2, h = 1.0 / CELLS;
        for (int j = 0; j < N; j++) {
            for (int k = of.K.start[j]; k < of.K.start[j + 1]; k++) {
                K[of.K.row[k]][j] = of.K.value[k];
                M[of.K.row[k]][j] = of.M.value[k];
            }
        }
        assert_int_equal(LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', N, K[0], N, M[0], N, w), 0);
        for (int m = 0; m < N; m++) {
            double c = cos(m * acos(-1.0) * h);
            double exact = lumped ? 2 * c2 / (h * h) * (1 - c) : 6 * c2 / (h * h) * (1 - c) / (2 + c);
            assert_near(w[m], exact, 1e-12 * w[N - 1]);
        }
        drop(ctx, &of);
        grid_destroy(&grid);
    }
}

// Plane strain is a slice of space that may not move across: hexahedra agree with quads to rounding.
static void a_slice_of_hexahedra_is_plane_strain(void **state)
{
    StickContext *ctx = *state;
    for (int by_mean = 0; by_mean < 2; by_mean++) {
        Grid flat = grid_make(STICK_QUAD4, 1, 1, 1), slice = grid_make(STICK_HEX8, 1, 1, 1);
        grid_distort(&flat, 0.1);
        for (int i = 0; i < 8; i++) {
            slice.mesh.x[3 * i] = flat.mesh.x[2 * (i % 4)];
            slice.mesh.x[3 * i + 1] = flat.mesh.x[2 * (i % 4) + 1];
            slice.mesh.x[3 * i + 2] *= 0.5;
        }
        StickContinuum plane = continuum_of(&flat, &damped), space = continuum_of(&slice, &damped);
        plane.mean_dilatation = space.mean_dilatation = by_mean;
        Matrices a = matrices_of(ctx, &plane), b = matrices_of(ctx, &space);
        double q[8], u[24] = {0};
        for (int trial = 0; trial < 4; trial++) {
            for (int i = 0; i < 8; i++)
                q[i] = sin(1.0 + i + 5 * trial);
            for (int i = 0; i < 8; i++)
                for (int k = 0; k < 2; k++)
                    u[3 * i + k] = q[2 * (i % 4) + k];
            double energy = stick_sparse_form(&a.K, q, q);
            assert_near(stick_sparse_form(&b.K, u, u), energy, 1e-13 * energy);
        }
        drop(ctx, &a);
        drop(ctx, &b);
        grid_destroy(&flat);
        grid_destroy(&slice);
    }
}

static void the_same_body_gives_the_same_bits(void **state)
{
    StickContext *ctx = *state;
    Grid grid = some_grid(STICK_HEX8);
    StickContinuum continuum = continuum_of(&grid, &damped);
    Matrices a = matrices_of(ctx, &continuum), b = matrices_of(ctx, &continuum);
    size_t bytes = (size_t)a.K.start[a.K.cols] * sizeof(double);
    assert_memory_equal(a.K.value, b.K.value, bytes);
    assert_memory_equal(a.C.value, b.C.value, bytes);
    assert_memory_equal(a.M.value, b.M.value, bytes);
    drop(ctx, &a);
    drop(ctx, &b);
    grid_destroy(&grid);
}

// Memory is that of the three matrices and a few integers per neighbour.
static void memory_is_that_of_the_matrices(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_QUAD4, 60, 60, 1);
    StickContinuum continuum = continuum_of(&grid, &damped);
    size_t before = stick_memory_peak(ctx);
    Matrices of = matrices_of(ctx, &continuum);
    size_t entries = (size_t)of.K.start[of.K.cols];
    assert_below((double)(stick_memory_peak(ctx) - before), 1.2 * 3 * 12 * (double)entries);
    drop(ctx, &of);
    grid_destroy(&grid);
}

static void bad_mesh_leaves_the_outputs_alone(void **state)
{
    StickContext *ctx = *state;
    Grid grid = some_grid(STICK_QUAD4);
    StickContinuum continuum = continuum_of(&grid, &damped);
    StickSparse M = {.rows = 7}, C = {.rows = 8}, K = {.rows = 9};
    size_t before = stick_memory_now(ctx);
    int *node = grid.mesh.node + grid.mesh.start[4], second = node[1];
    node[1] = node[3];
    node[3] = second;
    assert_int_equal(stick_fem_matrices(ctx, &continuum, &M, &C, &K), STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(ctx), "element 5 (quad4)"));
    assert_true(M.rows == 7 && C.rows == 8 && K.rows == 9);
    grid.mesh.shape[2] = STICK_HEX8;
    assert_int_equal(stick_fem_matrices(ctx, &continuum, &M, &C, &K), STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(ctx), "element 3 is a hex8"));
    stick_diagnostics_clear(ctx);
    assert_below((double)stick_memory_now(ctx), (double)before + 4096);
    grid_destroy(&grid);
}

static StickStatus assemble_and_drop(StickContext *ctx, void *data)
{
    Matrices of;
    static const int element[] = {0, 1};
    const StickContinuum *continuum = data;
    double mass[200];
    assert_true(continuum->mesh->nnodes <= 200);
    STICK_TRY(stick_fem_masses(ctx, continuum, element, 2, mass));
    STICK_TRY(stick_fem_matrices(ctx, continuum, &of.M, &of.C, &of.K));
    drop(ctx, &of);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    Grid grid = some_grid(STICK_TRI6);
    StickContinuum continuum = continuum_of(&grid, &damped);
    assert_survives_failing_memory(assemble_and_drop, &continuum);
    grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(pattern_is_that_of_the_nodes_sharing_an_element),
        test_with_context(matrices_are_symmetric_to_the_bit),
        test_with_context(rigid_motions_of_a_body_are_free),
        test_with_context(damping_is_the_sum_of_its_parts),
        test_with_context(mass_of_a_body_is_complete),
        test_with_context(masses_of_nodes_are_those_of_the_elements),
        test_with_context(frequencies_of_a_bar_are_those_of_its_lattice),
        test_with_context(a_slice_of_hexahedra_is_plane_strain),
        test_with_context(the_same_body_gives_the_same_bits),
        test_with_context(memory_is_that_of_the_matrices),
        test_with_context(bad_mesh_leaves_the_outputs_alone),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("fem.assembly", tests, NULL, NULL);
}
