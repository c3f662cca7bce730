// SPDX-License-Identifier: Apache-2.0
#include "problem.h"

static const StickMaterial some = {.name = (char *)"some", .young = 1, .poisson = 0.2, .density = 1};

static const StickShape shapes[] = {STICK_BAR2,  STICK_BAR3, STICK_TRI3, STICK_TRI6, STICK_QUAD4,
                                    STICK_QUAD8, STICK_TET4, STICK_HEX8, STICK_QUAD5};
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

// Loads are added to the existing entries.
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

// Fails at the fifth evaluation point.
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

// ---- pressures that follow

// user: the power of x in it; places are those of the reference configuration
static StickStatus following(void *user, const double place[3], double *value)
{
    *value = *(const int *)user ? 3 + place[0] : 3;
    return STICK_OK;
}

typedef struct Followed {
    Body body;
    StickModeTracker follower;
    int varies;
} Followed;

// A distorted body with random displacements; pressure on all its sides or on the first few of them.
static void followed_open(StickContext *ctx, Followed *followed, StickShape shape, StickPlane plane,
                          int varies)
{
    Grid grid = grid_make(shape, 2, 2, 2);
    grid_distort(&grid, 0.05);
    const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    grid_map(&grid, one, (double[3]){0.5, 0, 0});
    grid_find_facets(&grid);
    body_init(&followed->body, grid, &some);
    followed->body.continuum.plane = plane;
    followed->body.continuum.thickness = 0.5;
    body_assemble(ctx, &followed->body);
    followed->varies = varies;
    followed->follower = (StickModeTracker){.facet = followed->body.grid.facet,
                                            .nfacets = varies ? 3 : followed->body.grid.nfacets,
                                            .pressure = following,
                                            .user = &followed->varies,
                                            .q = followed->body.q};
    uint32_t random = 99;
    for (int i = 0; i < followed->body.K.cols; i++) {
        random = random * 1664525u + 1013904223u;
        followed->body.q[i] = 0.2 * (random / 2147483648.0 - 1);
    }
}

static const struct {
    StickShape shape;
    StickPlane plane;
} followers[] = {{STICK_TRI3, STICK_PLANE_STRAIN},  {STICK_TRI6, STICK_PLANE_STRAIN},
                 {STICK_QUAD4, STICK_PLANE_STRAIN}, {STICK_QUAD8, STICK_PLANE_STRAIN},
                 {STICK_TET4, STICK_PLANE_STRAIN},  {STICK_HEX8, STICK_PLANE_STRAIN},
                 {STICK_QUAD4, STICK_AXISYMMETRIC}, {STICK_TRI6, STICK_AXISYMMETRIC}};
enum { FOLLOWERS = sizeof followers / sizeof *followers };

// The force is that of the same pressure on the body that was moved.
static void follower_presses_the_moved_body(void **state)
{
    for (int k = 0; k < FOLLOWERS; k++) {
        Followed followed;
        followed_open(*state, &followed, followers[k].shape, followers[k].plane, 0);
        Body *body = &followed.body;
        int n = body->K.cols;
        double *f = grid_take((size_t)n, sizeof *f);
        assert_ok(*state, stick_fem_follower_load(*state, &body->continuum, &followed.follower, f));
        for (int i = 0; i < n; i++)
            body->grid.mesh.x[i] += body->q[i];
        assert_ok(*state, stick_fem_facet_load(*state, &body->continuum, body->grid.facet, body->grid.nfacets,
                                               pressure, NULL, body->f));
        for (int i = 0; i < n; i++)
            assert_near(f[i], body->f[i], 1e-14);
        free(f);
        body_drop(*state, body);
    }
}

// Derivative of force i by displacement j: forces are of third order in q at most.
static double slope_of_follower(StickContext *ctx, Followed *followed, int i, int j)
{
    Body *body = &followed->body;
    double value[4], at = body->q[j], s = 0.1;
    const double steps[4] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; k++) {
        memset(body->f, 0, (size_t)body->K.cols * sizeof *body->f);
        body->q[j] = at + steps[k] * s;
        assert_ok(ctx, stick_fem_follower_load(ctx, &body->continuum, &followed->follower, body->f));
        value[k] = body->f[i];
    }
    body->q[j] = at;
    return (value[0] - 8 * value[1] + 8 * value[2] - value[3]) / (12 * s);
}

// A pressure on all sides has a potential, and its derivative is symmetric. With a pressure on some sides the tangent
// uses the symmetric part of the derivative.
static void follower_tangent_is_that_of_its_force(void **state)
{
    for (int k = 0; k < 2 * FOLLOWERS; k++) {
        Followed followed;
        bool some_sides = k >= FOLLOWERS;
        followed_open(*state, &followed, followers[k % FOLLOWERS].shape, followers[k % FOLLOWERS].plane,
                      some_sides);
        const StickSparse *K = &followed.body.K;
        double *tangent = grid_take((size_t)K->start[K->cols], sizeof *tangent);
        assert_ok(*state, stick_fem_follower_tangent(*state, &followed.body.continuum, &followed.follower, K,
                                                     tangent));
        // every third column is enough
        for (int j = 0; j < K->cols; j += 3) {
            for (int at = K->start[j]; at < K->start[j + 1]; at++) {
                double slope = slope_of_follower(*state, &followed, K->row[at], j);
                if (some_sides)
                    slope = 0.5 * (slope + slope_of_follower(*state, &followed, j, K->row[at]));
                assert_near(tangent[at], -slope, 1e-12);
            }
        }
        free(tangent);
        body_drop(*state, &followed.body);
    }
}

static StickStatus failing_pressure(void *user, const double place[3], double *value)
{
    int *left = user;
    if ((*left)-- == 0)
        return STICK_BAD_INPUT;
    *value = place[0];
    return STICK_OK;
}

static void followers_that_fail_leave_the_load_alone(void **state)
{
    Followed followed;
    int left = 5;
    followed_open(*state, &followed, STICK_QUAD4, STICK_PLANE_STRAIN, 0);
    Body *body = &followed.body;
    followed.follower.pressure = failing_pressure;
    followed.follower.user = &left;
    assert_int_equal(stick_fem_follower_load(*state, &body->continuum, &followed.follower, body->f),
                     STICK_BAD_INPUT);
    for (int i = 0; i < body->K.cols; i++)
        assert_true(body->f[i] == 0);
    body_drop(*state, body);
    Grid bar = grid_make(STICK_BAR2, 2, 1, 1);
    StickContinuum continuum = continuum_of(&bar, STICK_PLANE_STRAIN);
    double q[3] = {0}, f[3] = {0};
    StickModeTracker ends = {.pressure = failing_pressure, .user = &left, .q = q};
    assert_int_equal(stick_fem_follower_load(*state, &continuum, &ends, f), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "they do not turn"));
    grid_destroy(&bar);
}

static StickStatus load_and_area(StickContext *ctx, void *data)
{
    const Grid *grid = data;
    StickContinuum continuum = continuum_of(grid, STICK_PLANE_STRAIN);
    double f[18] = {0}, area[9];
    int varies = 0;
    StickModeTracker follower = {grid->facet, grid->nfacets, following, &varies, f};
    STICK_TRY(stick_fem_facet_load(ctx, &continuum, grid->facet, grid->nfacets, pressure, NULL, f));
    STICK_TRY(stick_fem_follower_load(ctx, &continuum, &follower, f));
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
        test_with_context(follower_presses_the_moved_body),
        test_with_context(follower_tangent_is_that_of_its_force),
        test_with_context(followers_that_fail_leave_the_load_alone),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("fem.loads", tests, NULL, NULL);
}
