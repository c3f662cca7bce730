// SPDX-License-Identifier: Apache-2.0
#include "fem/element.h"
#include "grid.h"

#include <lapacke.h>

static const StickMaterial rubber = {.name = (char *)"rubber", .young = 7, .poisson = 0.4, .density = 1.3};

typedef struct Case {
    StickShape shape;
    StickPlane plane;
    bool mean_dilatation;
} Case;

static const Case cases[] = {
    {STICK_BAR2, STICK_PLANE_STRAIN, false},  {STICK_BAR3, STICK_PLANE_STRAIN, false},
    {STICK_TRI3, STICK_PLANE_STRAIN, false},  {STICK_TRI6, STICK_PLANE_STRAIN, false},
    {STICK_QUAD4, STICK_PLANE_STRAIN, false}, {STICK_QUAD8, STICK_PLANE_STRAIN, false},
    {STICK_QUAD4, STICK_PLANE_STRAIN, true},  {STICK_TRI3, STICK_PLANE_STRESS, false},
    {STICK_TRI6, STICK_PLANE_STRESS, false},  {STICK_QUAD4, STICK_PLANE_STRESS, false},
    {STICK_QUAD8, STICK_PLANE_STRESS, false}, {STICK_TRI3, STICK_AXISYMMETRIC, false},
    {STICK_TRI6, STICK_AXISYMMETRIC, false},  {STICK_QUAD4, STICK_AXISYMMETRIC, false},
    {STICK_QUAD8, STICK_AXISYMMETRIC, false}, {STICK_QUAD4, STICK_AXISYMMETRIC, true},
    {STICK_TET4, STICK_PLANE_STRAIN, false},  {STICK_HEX8, STICK_PLANE_STRAIN, false},
    {STICK_HEX8, STICK_PLANE_STRAIN, true},   {STICK_QUAD5, STICK_PLANE_STRAIN, false},
    {STICK_QUAD5, STICK_PLANE_STRESS, false}, {STICK_QUAD5, STICK_AXISYMMETRIC, false},
};
enum { NCASES = sizeof cases / sizeof *cases };

// First element of a cell of its shape, sheared, distorted, and away from the origin (a ring: clear of its
// axis).
static Grid one_element(StickShape shape, double distortion)
{
    static const double A[3][3] = {{1.2, 0.3, -0.1}, {-0.2, 0.9, 0.2}, {0.1, -0.3, 1.1}},
                        b[3] = {1.5, 0.4, -0.3};
    Grid grid = grid_make(shape, 1, 1, 1);
    grid_distort(&grid, distortion);
    grid_map(&grid, A, b);
    return grid;
}

static StickContinuum continuum_of(const Grid *grid, const Case *c)
{
    return (StickContinuum){.mesh = &grid->mesh,
                            .material = &rubber,
                            .plane = c->plane,
                            .thickness = 0.5,
                            .mean_dilatation = c->mean_dilatation};
}

typedef struct Dense {
    int n;
    double K[STICK_MOST_ELEMENT_DOFS][STICK_MOST_ELEMENT_DOFS];
} Dense;

static StickStatus points_of(StickContext *ctx, const StickElement *element, StickElementPoints *points)
{
    StickShapeTable table;
    stick_shape_tabulate(element->shape, stick_element_quadrature(element->continuum, element->shape),
                         &table);
    return stick_element_points(ctx, element, &table, points);
}

static StickStatus mass_of(StickContext *ctx, const StickElement *element,
                           double M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES])
{
    StickShapeTable table;
    stick_shape_tabulate(element->shape, stick_mass_quadrature(element->shape), &table);
    return stick_element_mass(ctx, element, &table, M);
}

static Dense stiffness_of(StickContext *ctx, const StickContinuum *continuum)
{
    Dense dense;
    StickElementPoints points;
    StickElement element = stick_element_at(continuum, 0);
    StickModuli moduli = stick_moduli_elastic(continuum);
    assert_ok(ctx, points_of(ctx, &element, &points));
    stick_element_stiffness(&element, &points, &moduli, dense.K);
    dense.n = element.nnodes * element.dim;
    return dense;
}

static double largest_entry(const Dense *dense)
{
    double most = 0;
    for (int i = 0; i < dense->n; i++)
        for (int j = 0; j < dense->n; j++)
            most = fmax(most, fabs(dense->K[i][j]));
    return most;
}

// Translations and rotations: mode m of a body in space of that dimension at a node's place; rings have one.
static int rigid_modes(const StickContinuum *continuum)
{
    return stick_continuum_is_ring(continuum) ? 1 : (int[]){0, 1, 3, 6}[continuum->mesh->dim];
}

static void rigid_motion(const StickContinuum *continuum, int mode, const double x[3], double u[3])
{
    int dim = continuum->mesh->dim;
    u[0] = u[1] = u[2] = 0;
    if (stick_continuum_is_ring(continuum)) {
        u[1] = 1;
    } else if (mode < dim) {
        u[mode] = 1;
    } else {
        int i = dim == 2 ? 0 : (mode + 1) % 3, j = dim == 2 ? 1 : (mode + 2) % 3;
        u[i] = -x[j];
        u[j] = x[i];
    }
}

static void rigid_motions_cost_no_energy(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        Grid grid = one_element(cases[c].shape, 0.12);
        StickContinuum continuum = continuum_of(&grid, &cases[c]);
        StickElement element = stick_element_at(&continuum, 0);
        Dense dense = stiffness_of(ctx, &continuum);
        double scale = largest_entry(&dense);
        for (int mode = 0; mode < rigid_modes(&continuum); mode++) {
            double q[STICK_MOST_ELEMENT_DOFS], u[3];
            for (int a = 0; a < element.nnodes; a++) {
                rigid_motion(&continuum, mode, element.x[a], u);
                memcpy(q + a * element.dim, u, (size_t)element.dim * sizeof *u);
            }
            for (int i = 0; i < dense.n; i++) {
                double force = 0;
                for (int j = 0; j < dense.n; j++)
                    force += dense.K[i][j] * q[j];
                assert_near(force, 0, 1e-12 * scale);
            }
        }
        grid_destroy(&grid);
    }
}

// No mode but the rigid ones is free: no hourglass in any element.
static void zero_eigenvalues_are_the_rigid_motions(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        Grid grid = one_element(cases[c].shape, 0.12);
        StickContinuum continuum = continuum_of(&grid, &cases[c]);
        Dense dense = stiffness_of(ctx, &continuum);
        double w[STICK_MOST_ELEMENT_DOFS];
        int zeros = 0,
            info = LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', dense.n, dense.K[0], STICK_MOST_ELEMENT_DOFS, w);
        assert_int_equal(info, 0);
        for (int i = 0; i < dense.n; i++) {
            assert_true(w[i] > -1e-13 * w[dense.n - 1]);
            zeros += w[i] < 1e-10 * w[dense.n - 1];
        }
        assert_int_equal(zeros, rigid_modes(&continuum));
        grid_destroy(&grid);
    }
}

static void stiffness_is_symmetric_to_the_bit(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        Grid grid = one_element(cases[c].shape, 0.12);
        StickContinuum continuum = continuum_of(&grid, &cases[c]);
        Dense dense = stiffness_of(ctx, &continuum);
        for (int i = 0; i < dense.n; i++)
            for (int j = 0; j < i; j++)
                assert_true(dense.K[i][j] == dense.K[j][i]);
        grid_destroy(&grid);
    }
}

// A bar of two nodes: E A / l [1 -1; -1 1].
static void bar_has_its_closed_form(void **state)
{
    StickContext *ctx = *state;
    Grid grid = one_element(STICK_BAR2, 0);
    StickContinuum continuum = continuum_of(&grid, &cases[0]);
    Dense dense = stiffness_of(ctx, &continuum);
    double k = 7 * 0.5 / 1.2, m = 1.3 * 0.5 * 1.2, M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES];
    StickElement element = stick_element_at(&continuum, 0);
    assert_ok(ctx, mass_of(ctx, &element, M));
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            assert_near(dense.K[i][j], i == j ? k : -k, 1e-14);
            assert_near(M[i][j], i == j ? m / 3 : m / 6, 1e-15);
        }
    }
    grid_destroy(&grid);
}

// A rectangle 2a x 2b displaced by u = x y, its bending mode, has the closed-form energy of that field; with
// mean dilatation only the deviator counts.
static void bilinear_element_has_the_energy_of_its_field(void **state)
{
    StickContext *ctx = *state;
    Case c = {STICK_QUAD4, STICK_PLANE_STRAIN, false};
    for (int by_mean = 0; by_mean < 2; by_mean++) {
        Grid grid = grid_make(STICK_QUAD4, 1, 1, 1);
        static const double A[3][3] = {{2.4, 0, 0}, {0, 1.0, 0}, {0, 0, 0}}, b[3] = {-1.2, -0.5, 0};
        grid_map(&grid, A, b);
        c.mean_dilatation = by_mean;
        StickContinuum continuum = continuum_of(&grid, &c);
        Dense dense = stiffness_of(ctx, &continuum);
        double energy = 0, q[8] = {0}, area = 2.4;
        for (int i = 0; i < 4; i++)
            q[2 * i] = grid.mesh.x[2 * grid.mesh.node[i]] * grid.mesh.x[2 * grid.mesh.node[i] + 1];
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                energy += q[i] * dense.K[i][j] * q[j];
        // exx = y, gxy = x: means of y^2 and x^2 are b^2 / 3 and a^2 / 3; the mean dilatation is zero.
        double G = 7 / 2.8, lame = 2 * G * 0.4 / 0.2, mean_y2 = 0.25 / 3, mean_x2 = 1.44 / 3;
        double normal = by_mean ? 4 * G / 3 : lame + 2 * G;
        assert_near(energy, 0.5 * area * (normal * mean_y2 + G * mean_x2), 1e-13);
        grid_destroy(&grid);
    }
}

// ---- mass

typedef double (*Field)(const double x[3]);

static double one(const double x[3])
{
    (void)x;
    return 1;
}

static double across(const double x[3])
{
    return x[0] + 2 * x[1] - x[2];
}

// f' M g over the nodes.
static double form(const StickElement *element, const double M[][STICK_MOST_ELEMENT_NODES], Field f, Field g)
{
    double sum = 0;
    for (int a = 0; a < element->nnodes; a++)
        for (int b = 0; b < element->nnodes; b++)
            sum += f(element->x[a]) * M[a][b] * g(element->x[b]);
    return sum;
}

// Integral of density f g over the element: by halving it into bars, triangles or tetrahedra of straight
// sides.
static double over_simplex(const double x[][3], int dim, Field f, Field g)
{
    double J[3][3] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sum = 0, of_f = 0, of_g = 0;
    for (int k = 0; k < dim; k++)
        for (int l = 0; l < 3; l++)
            J[k][l] = x[k + 1][l] - x[0][l];
    double volume = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                    J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                    J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
    volume /= dim == 3 ? 6 : dim;
    // Linear f, g on a simplex of n corners: V (sum f g + sum f sum g) / (n (n + 1)).
    for (int k = 0; k <= dim; k++) {
        sum += f(x[k]) * g(x[k]);
        of_f += f(x[k]);
        of_g += g(x[k]);
    }
    return volume * (sum + of_f * of_g) / ((dim + 1) * (dim + 2));
}

static double exact_form(const StickElement *element, Field f, Field g)
{
    int corners = stick_shape_info(element->shape)->corners;
    const double(*x)[3] = element->x;
    double part[3][3], sum = 0;
    if (element->dim != 2)
        return over_simplex(x, element->dim, f, g);
    memcpy(part[0], x[0], sizeof part[0]);
    for (int k = 1; k + 1 < corners; k++) {
        memcpy(part[1], x[k], sizeof part[1]);
        memcpy(part[2], x[k + 1], sizeof part[2]);
        sum += over_simplex((const double(*)[3])part, 2, f, g);
    }
    return sum;
}

// Mid-side nodes back to the middle: the exact integrals below want straight sides.
static void straighten(Grid *grid)
{
    const StickMesh *mesh = &grid->mesh;
    const StickShapeInfo *info = stick_shape_info(mesh->shape[0]);
    for (int k = info->corners; k < info->nodes; k++) {
        int next = mesh->shape[0] == STICK_BAR3 ? 1 : (k - info->corners + 1) % info->corners;
        const double *from = mesh->x + mesh->node[k - info->corners] * mesh->dim;
        const double *to = mesh->x + mesh->node[next] * mesh->dim;
        for (int l = 0; l < mesh->dim; l++)
            mesh->x[mesh->node[k] * mesh->dim + l] = 0.5 * (from[l] + to[l]);
    }
}

static void consistent_mass_has_the_moments_of_the_body(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        if (cases[c].plane == STICK_AXISYMMETRIC || cases[c].shape == STICK_HEX8)
            continue;
        Grid grid = one_element(cases[c].shape, 0.12);
        straighten(&grid);
        StickContinuum continuum = continuum_of(&grid, &cases[c]);
        StickElement element = stick_element_at(&continuum, 0);
        double M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES];
        double rho = 1.3 * (element.dim == 3 ? 1 : 0.5);
        assert_ok(ctx, mass_of(ctx, &element, M));
        const double(*m)[STICK_MOST_ELEMENT_NODES] = (const double(*)[STICK_MOST_ELEMENT_NODES])M;
        assert_near(form(&element, m, one, one), rho * exact_form(&element, one, one), 1e-14);
        assert_near(form(&element, m, one, across), rho * exact_form(&element, one, across), 1e-13);
        assert_near(form(&element, m, across, across), rho * exact_form(&element, across, across), 1e-12);
        grid_destroy(&grid);
    }
}

// A hexahedron with a planar bottom and a top at a height that varies: volume by the prism formula.
static void mass_of_a_hexahedron_is_exact(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_HEX8, 1, 1, 1);
    Case c = {STICK_HEX8, STICK_PLANE_STRAIN, false};
    StickContinuum continuum = continuum_of(&grid, &c);
    // z := z (1 + x) (1 + y / 2): int over the unit square is 1.5 * 1.25; int of z is half that of the square
    // of heights.
    for (int i = 0; i < 8; i++) {
        double *x = grid.mesh.x + 3 * i;
        x[2] *= (1 + x[0]) * (1 + 0.5 * x[1]);
    }
    StickElement element = stick_element_at(&continuum, 0);
    double M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES], mass = 0, moment = 0, second = 0;
    assert_ok(ctx, mass_of(ctx, &element, M));
    for (int a = 0; a < 8; a++) {
        for (int b = 0; b < 8; b++) {
            mass += M[a][b];
            moment += M[a][b] * element.x[b][2];
            second += element.x[a][2] * M[a][b] * element.x[b][2];
        }
    }
    assert_near(mass, 1.3 * 1.5 * 1.25, 1e-14);
    assert_near(moment, 1.3 * 0.5 * (7.0 / 3) * (19.0 / 12), 1e-14);
    assert_near(second, 1.3 / 3 * (15.0 / 4) * (65.0 / 32), 1e-14);
    grid_destroy(&grid);
}

// A ring of rectangular section from r = 1 to 3, height 2: mass rho pi (9 - 1) 2; and one that touches the
// axis.
static void mass_of_a_ring_is_that_of_the_whole_ring(void **state)
{
    StickContext *ctx = *state;
    static const StickShape shapes[] = {STICK_TRI3, STICK_TRI6, STICK_QUAD4, STICK_QUAD8};
    for (int k = 0; k < 4; k++) {
        for (int on_axis = 0; on_axis < 2; on_axis++) {
            Grid grid = grid_make(shapes[k], 1, 1, 1);
            static const double A[3][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 0}};
            grid_map(&grid, A, (double[3]){on_axis ? 0 : 1, 0, 0});
            Case c = {shapes[k], STICK_AXISYMMETRIC, false};
            StickContinuum continuum = continuum_of(&grid, &c);
            double mass = 0, pi = acos(-1.0), M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES];
            for (int e = 0; e < grid.mesh.nelements; e++) {
                StickElement element = stick_element_at(&continuum, e);
                assert_ok(ctx, mass_of(ctx, &element, M));
                mass += form(&element, (const double(*)[STICK_MOST_ELEMENT_NODES])M, one, one);
            }
            assert_near(mass, 1.3 * pi * 2 * (on_axis ? 4 : 8), 1e-13);
            grid_destroy(&grid);
        }
    }
}

static void lumped_mass_is_positive_diagonal_and_complete(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        Grid grid = one_element(cases[c].shape, 0.12);
        StickContinuum continuum = continuum_of(&grid, &cases[c]);
        StickElement element = stick_element_at(&continuum, 0);
        double full[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES];
        double lumped[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES];
        assert_ok(ctx, mass_of(ctx, &element, full));
        continuum.lumped_mass = true;
        assert_ok(ctx, mass_of(ctx, &element, lumped));
        double mass = form(&element, (const double(*)[STICK_MOST_ELEMENT_NODES])full, one, one), sum = 0;
        for (int a = 0; a < element.nnodes; a++) {
            assert_true(lumped[a][a] > 0);
            sum += lumped[a][a];
            for (int b = 0; b < element.nnodes; b++)
                assert_true(a == b || lumped[a][b] == 0);
        }
        assert_near(sum, mass, 1e-14 * mass);
        grid_destroy(&grid);
    }
}

static void inverted_element_is_refused_by_number(void **state)
{
    StickContext *ctx = *state;
    for (int c = 0; c < NCASES; c++) {
        Grid grid = one_element(cases[c].shape, 0);
        StickContinuum continuum = continuum_of(&grid, &cases[c]);
        int dim = grid.mesh.dim;
        for (int i = 0; i < grid.mesh.nnodes; i++)
            grid.mesh.x[i * dim + dim - 1] *= -1;
        StickElement element = stick_element_at(&continuum, 0);
        StickElementPoints points;
        StickStatus status = points_of(ctx, &element, &points);
        assert_int_equal(status, STICK_BAD_MESH);
        assert_non_null(strstr(stick_last_error(ctx), "element 1"));
        assert_non_null(strstr(stick_last_error(ctx), stick_shape_info(cases[c].shape)->name));
        grid_destroy(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(rigid_motions_cost_no_energy),
        test_with_context(zero_eigenvalues_are_the_rigid_motions),
        test_with_context(stiffness_is_symmetric_to_the_bit),
        test_with_context(bar_has_its_closed_form),
        test_with_context(bilinear_element_has_the_energy_of_its_field),
        test_with_context(consistent_mass_has_the_moments_of_the_body),
        test_with_context(mass_of_a_hexahedron_is_exact),
        test_with_context(mass_of_a_ring_is_that_of_the_whole_ring),
        test_with_context(lumped_mass_is_positive_diagonal_and_complete),
        test_with_context(inverted_element_is_refused_by_number),
    };
    return cmocka_run_group_tests_name("fem.element", tests, NULL, NULL);
}
