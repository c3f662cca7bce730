// SPDX-License-Identifier: Apache-2.0
#include "problem.h"

static const StickMaterial some = {.name = (char *)"some", .young = 1, .poisson = 0.2, .density = 1};

static const StickShape shapes[] = {STICK_BAR2,  STICK_BAR3,  STICK_TRI3, STICK_TRI6,
                                    STICK_QUAD4, STICK_QUAD8, STICK_TET4, STICK_HEX8};
enum { NSHAPES = sizeof shapes / sizeof *shapes };

static StickContinuum continuum_of(const Grid *grid, StickPlane plane)
{
    return (StickContinuum){.mesh = &grid->mesh, .material = &some, .plane = plane, .thickness = 0.5};
}

// Pressure 3: force against the normal.
static StickStatus pressure(void *user, const double place[3], const double normal[3], double traction[3])
{
    (void)user;
    (void)place;
    for (int k = 0; k < 3; k++)
        traction[k] = -3 * normal[k];
    return STICK_OK;
}

// Water: pressure grows with depth below y = 2; by Archimedes it carries the displaced volume.
static StickStatus water(void *user, const double place[3], const double normal[3], double traction[3])
{
    const int *axis = user;
    for (int k = 0; k < 3; k++)
        traction[k] = -(2 - place[*axis]) * normal[k];
    return STICK_OK;
}

static void sum_forces(const Grid *grid, const double *f, double force[3], double moment[3])
{
    int dim = grid->mesh.dim;
    memset(force, 0, 3 * sizeof *force);
    memset(moment, 0, 3 * sizeof *moment);
    for (int node = 0; node < grid->mesh.nnodes; node++) {
        double x[3] = {0}, g[3] = {0};
        for (int k = 0; k < dim; k++) {
            x[k] = grid->mesh.x[node * dim + k];
            g[k] = f[node * dim + k];
            force[k] += g[k];
        }
        moment[0] += x[1] * g[2] - x[2] * g[1];
        moment[1] += x[2] * g[0] - x[0] * g[2];
        moment[2] += x[0] * g[1] - x[1] * g[0];
    }
}

static const double turn[3][3] = {{1.2, 0.3, -0.1}, {-0.2, 0.9, 0.2}, {0.1, -0.3, 1.1}},
                    shift[3] = {0.5, 0.2, 0.1};

static double volume_of_turn(int dim)
{
    double flat = turn[0][0] * turn[1][1] - turn[0][1] * turn[1][0];
    if (dim < 3)
        return dim == 1 ? turn[0][0] * 0.5 : flat * 0.5;
    return turn[0][0] * (turn[1][1] * turn[2][2] - turn[1][2] * turn[2][1]) -
           turn[0][1] * (turn[1][0] * turn[2][2] - turn[1][2] * turn[2][0]) +
           turn[0][2] * (turn[1][0] * turn[2][1] - turn[1][1] * turn[2][0]);
}

static void pressure_all_around_is_in_balance(void **state)
{
    StickContext *ctx = *state;
    for (int s = 0; s < NSHAPES; s++) {
        Grid grid = grid_make(shapes[s], 3, 2, 2);
        grid_distort(&grid, 0.04 / grid_cells[shapes[s]].step);
        grid_map(&grid, turn, shift);
        grid_find_facets(&grid);
        StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
        double *f = grid_take((size_t)(grid.mesh.nnodes * grid.mesh.dim), sizeof *f), force[3], moment[3];
        assert_ok(ctx, stick_fem_facet_load(ctx, &continuum, grid.facet, grid.nfacets, pressure, NULL, f));
        assert_true(largest(f, grid.mesh.nnodes * grid.mesh.dim) > 0.01);
        sum_forces(&grid, f, force, moment);
        for (int k = 0; k < 3; k++) {
            assert_near(force[k], 0, 1e-14);
            assert_near(moment[k], 0, 1e-14);
        }
        free(f);
        grid_destroy(&grid);
    }
}

// Lift = volume, through the middle of the volume; in each direction of space.
static void water_carries_the_displaced_volume(void **state)
{
    StickContext *ctx = *state;
    for (int s = 0; s < NSHAPES; s++) {
        Grid grid = grid_make(shapes[s], 3, 2, 2);
        grid_map(&grid, turn, shift);
        grid_find_facets(&grid);
        StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
        int dim = grid.mesh.dim;
        double V = volume_of_turn(dim), middle[3] = {0};
        for (int i = 0; i < dim; i++) {
            middle[i] = shift[i];
            for (int j = 0; j < dim; j++)
                middle[i] += 0.5 * turn[i][j];
        }
        for (int axis = 0; axis < dim; axis++) {
            double *f = grid_take((size_t)(grid.mesh.nnodes * dim), sizeof *f), force[3], moment[3];
            assert_ok(ctx, stick_fem_facet_load(ctx, &continuum, grid.facet, grid.nfacets, water, &axis, f));
            sum_forces(&grid, f, force, moment);
            double lift[3] = {0}, by_lift[3];
            lift[axis] = V;
            by_lift[0] = middle[1] * lift[2] - middle[2] * lift[1];
            by_lift[1] = middle[2] * lift[0] - middle[0] * lift[2];
            by_lift[2] = middle[0] * lift[1] - middle[1] * lift[0];
            for (int k = 0; k < 3; k++) {
                assert_near(force[k], lift[k], 1e-14);
                assert_near(moment[k], by_lift[k], 1e-14);
            }
            free(f);
        }
        grid_destroy(&grid);
    }
}

// The side of a quadratic element takes 1/6, 4/6, 1/6 of the force, of a linear one halves.
static void force_is_shared_consistently(void **state)
{
    StickContext *ctx = *state;
    static const StickShape pair[] = {STICK_QUAD8, STICK_QUAD4};
    static const double share[][3] = {{1.0 / 6, 1.0 / 6, 4.0 / 6}, {0.5, 0.5, 0}};
    for (int s = 0; s < 2; s++) {
        Grid grid = grid_make(pair[s], 1, 1, 1);
        grid_map(&grid, turn, shift);
        StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRESS);
        StickFacet facet = {0, 1}; // right side: from (1, 0) to (1, 1)
        double f[16] = {0}, area[8], length = hypot(turn[0][1], turn[1][1]);
        int node[STICK_MOST_FACET_NODES], count = stick_mesh_facet_nodes(&grid.mesh, facet, node);
        assert_ok(ctx, stick_fem_facet_load(ctx, &continuum, &facet, 1, pressure, NULL, f));
        assert_ok(ctx, stick_fem_facet_areas(ctx, &continuum, &facet, 1, area));
        for (int k = 0; k < count; k++) {
            assert_near(area[node[k]], share[s][k] * 0.5 * length, 1e-15);
            assert_near(f[2 * node[k]], -3 * 0.5 * turn[1][1] * share[s][k], 1e-15);
            assert_near(f[2 * node[k] + 1], 3 * 0.5 * turn[0][1] * share[s][k], 1e-15);
        }
        grid_destroy(&grid);
    }
}

// Loads add to what is there.
static void loads_are_added(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_BAR2, 4, 1, 1);
    grid_find_facets(&grid);
    StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
    double f[5] = {10, 20, 30, 40, 50};
    assert_int_equal(grid.nfacets, 2);
    assert_ok(ctx, stick_fem_facet_load(ctx, &continuum, grid.facet, grid.nfacets, pressure, NULL, f));
    static const double expected[] = {11.5, 20, 30, 40, 48.5};
    for (int i = 0; i < 5; i++)
        assert_near(f[i], expected[i], 0);
    grid_destroy(&grid);
}

static void areas_are_those_of_the_body(void **state)
{
    StickContext *ctx = *state;
    static const double exact[] = {0, 2 * 0.5, 4 * 0.5, 6};
    for (int s = 0; s < NSHAPES; s++) {
        Grid grid = grid_make(shapes[s], 3, 2, 2);
        grid_find_facets(&grid);
        StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
        double *area = grid_take((size_t)grid.mesh.nnodes, sizeof *area), sum = 0;
        assert_ok(ctx, stick_fem_facet_areas(ctx, &continuum, grid.facet, grid.nfacets, area));
        for (int i = 0; i < grid.mesh.nnodes; i++) {
            assert_true(grid.outer[i] ? area[i] > 0 : area[i] == 0);
            sum += area[i];
        }
        assert_near(sum, exact[grid.mesh.dim], 1e-14);
        free(area);
        grid_destroy(&grid);
    }
}

// A tube from r = 1 to 2, height 1: 2 pi r h inside and outside, pi (4 - 1) at each end; pressure lifts
// nothing, and the axial force on the bottom alone is p pi (4 - 1).
static void rings_count_the_whole_circle(void **state)
{
    StickContext *ctx = *state;
    static const StickShape flat[] = {STICK_TRI3, STICK_TRI6, STICK_QUAD4, STICK_QUAD8};
    double pi = acos(-1.0);
    for (int s = 0; s < 4; s++) {
        Grid grid = grid_make(flat[s], 2, 2, 1);
        for (int i = 0; i < grid.mesh.nnodes; i++)
            grid.mesh.x[2 * i] += 1;
        grid_find_facets(&grid);
        StickContinuum continuum = continuum_of(&grid, STICK_AXISYMMETRIC);
        int n = 2 * grid.mesh.nnodes;
        double *area = grid_take((size_t)n, sizeof *area), *f = grid_take((size_t)n, sizeof *f), sum = 0;
        double axial = 0, bottom = 0;
        assert_ok(ctx, stick_fem_facet_areas(ctx, &continuum, grid.facet, grid.nfacets, area));
        assert_ok(ctx, stick_fem_facet_load(ctx, &continuum, grid.facet, grid.nfacets, pressure, NULL, f));
        for (int i = 0; i < grid.mesh.nnodes; i++) {
            sum += area[i];
            axial += f[2 * i + 1];
            bottom += grid.mesh.x[2 * i + 1] == 0 ? f[2 * i + 1] : 0;
        }
        assert_near(sum, 2 * pi * 3 + 2 * pi * 3, 1e-13);
        assert_near(axial, 0, 1e-13);
        assert_near(bottom, 3 * pi * 3, 1e-13);
        free(area);
        free(f);
        grid_destroy(&grid);
    }
}

static void bad_facets_are_refused(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_QUAD4, 1, 1, 1);
    StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
    StickFacet outside = {1, 0}, side = {0, 4};
    double f[8] = {0}, area[4] = {7, 7, 7, 7};
    assert_int_equal(stick_fem_facet_load(ctx, &continuum, &outside, 1, pressure, NULL, f), STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(ctx), "element 1 of 1"));
    assert_int_equal(stick_fem_facet_areas(ctx, &continuum, &side, 1, area), STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(ctx), "side 4 of element 1 (quad4)"));
    // Two nodes at one place: a side without length.
    StickFacet bottom = {0, 0};
    memcpy(grid.mesh.x + 2 * grid.mesh.node[1], grid.mesh.x + 2 * grid.mesh.node[0], 2 * sizeof(double));
    assert_int_equal(stick_fem_facet_areas(ctx, &continuum, &bottom, 1, area), STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(ctx), "no area"));
    for (int i = 0; i < 4; i++)
        assert_true(area[i] == 7);
    grid_destroy(&grid);
}

// Fails at the fifth point that it is asked for.
static StickStatus failing_traction(void *user, const double place[3], const double normal[3],
                                    double traction[3])
{
    int *left = user;
    if ((*left)-- == 0)
        return STICK_BAD_INPUT;
    return pressure(NULL, place, normal, traction);
}

static void failing_traction_leaves_the_load_alone(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_QUAD4, 2, 2, 1);
    grid_find_facets(&grid);
    StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
    double f[18] = {0};
    int left = 5;
    assert_int_equal(
        stick_fem_facet_load(ctx, &continuum, grid.facet, grid.nfacets, failing_traction, &left, f),
        STICK_BAD_INPUT);
    for (int i = 0; i < 18; i++)
        assert_true(f[i] == 0);
    grid_destroy(&grid);
}

static StickStatus load_and_area(StickContext *ctx, void *data)
{
    const Grid *grid = data;
    StickContinuum continuum = continuum_of(grid, STICK_PLANE_STRAIN);
    double f[18] = {0}, area[9];
    STICK_TRY(stick_fem_facet_load(ctx, &continuum, grid->facet, grid->nfacets, pressure, NULL, f));
    return stick_fem_facet_areas(ctx, &continuum, grid->facet, grid->nfacets, area);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    Grid grid = grid_make(STICK_QUAD4, 2, 2, 1);
    grid_find_facets(&grid);
    assert_survives_failing_memory(load_and_area, &grid);
    grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(pressure_all_around_is_in_balance),
        test_with_context(water_carries_the_displaced_volume),
        test_with_context(force_is_shared_consistently),
        test_with_context(loads_are_added),
        test_with_context(areas_are_those_of_the_body),
        test_with_context(rings_count_the_whole_circle),
        test_with_context(bad_facets_are_refused),
        test_with_context(failing_traction_leaves_the_load_alone),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("fem.loads", tests, NULL, NULL);
}
