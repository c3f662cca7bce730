// SPDX-License-Identifier: Apache-2.0
// Order of convergence of every element on smooth problems, and no locking of those made for incompressible
// bodies.
#include "fem/element.h"
#include "problem.h"

typedef struct Case {
    StickShape shape;
    StickPlane plane;
    bool mean_dilatation;
    int cells; // of the coarse mesh, each way
    double order;
} Case;

static const Case cases[] = {
    {STICK_BAR2, STICK_PLANE_STRAIN, false, 16, 2}, {STICK_BAR3, STICK_PLANE_STRAIN, false, 8, 3},
    {STICK_TRI3, STICK_PLANE_STRAIN, false, 12, 2}, {STICK_TRI6, STICK_PLANE_STRAIN, false, 8, 3},
    {STICK_QUAD4, STICK_PLANE_STRAIN, false, 8, 2}, {STICK_QUAD8, STICK_PLANE_STRAIN, false, 8, 3},
    {STICK_QUAD4, STICK_PLANE_STRAIN, true, 8, 2},  {STICK_TRI3, STICK_PLANE_STRESS, false, 12, 2},
    {STICK_TRI6, STICK_PLANE_STRESS, false, 8, 3},  {STICK_QUAD4, STICK_PLANE_STRESS, false, 8, 2},
    {STICK_QUAD8, STICK_PLANE_STRESS, false, 8, 3}, {STICK_TET4, STICK_PLANE_STRAIN, false, 6, 2},
    {STICK_HEX8, STICK_PLANE_STRAIN, false, 5, 2},  {STICK_HEX8, STICK_PLANE_STRAIN, true, 5, 2},
    {STICK_TRI3, STICK_AXISYMMETRIC, false, 8, 2},  {STICK_TRI6, STICK_AXISYMMETRIC, false, 4, 3},
    {STICK_QUAD4, STICK_AXISYMMETRIC, false, 8, 2}, {STICK_QUAD8, STICK_AXISYMMETRIC, false, 4, 3},
    {STICK_QUAD4, STICK_AXISYMMETRIC, true, 8, 2},
};

static const StickMaterial steel = {.name = (char *)"steel", .young = 3, .poisson = 0.3, .density = 1};

// Plane and space: u = A sin(k.x + 0.3), by a body force. Ring: Lame's tube, u_r = 0.2 r + 0.5 / r.
static const double wave[3] = {1.9, 1.3, 0.8}, amplitude[3] = {0.7, -0.4, 0.9};

static void exact_displacement(const StickContinuum *continuum, const double *x, double u[3])
{
    int dim = continuum->mesh->dim;
    double phase = 0.3;
    for (int k = 0; k < dim; k++)
        phase += wave[k] * x[k];
    for (int k = 0; k < 3; k++)
        u[k] = k < dim ? amplitude[k] * sin(phase) : 0;
    if (stick_continuum_is_ring(continuum)) {
        u[0] = 0.2 * x[0] + 0.5 / x[0];
        u[1] = 0;
    }
}

// - div stress = (lame + G) (k.A) k sin + G k.k A sin, none of it in the tube.
static void body_force(const StickContinuum *continuum, const double *x, double b[3])
{
    int dim = continuum->mesh->dim;
    StickModuli moduli = stick_moduli_elastic(continuum);
    double phase = 0.3, kA = 0, kk = 0;
    for (int k = 0; k < dim; k++) {
        phase += wave[k] * x[k];
        kA += wave[k] * amplitude[k];
        kk += wave[k] * wave[k];
    }
    for (int k = 0; k < dim; k++)
        b[k] = ((moduli.lame + moduli.shear) * kA * wave[k] + moduli.shear * kk * amplitude[k]) * sin(phase);
    if (stick_continuum_is_ring(continuum))
        b[0] = b[1] = 0;
}

// A smooth map, so that elements stay distorted as they become small.
static void bend(Grid *grid, bool ring)
{
    int dim = grid->mesh.dim;
    for (int node = 0; node < grid->mesh.nnodes; node++) {
        double *x = grid->mesh.x + node * dim, bump = 0.06;
        for (int k = 0; k < dim; k++)
            bump *= sin(3 * x[k] + 0.2);
        for (int k = 0; k < dim; k++)
            x[k] += bump * (k == 1 ? -1 : 1) + (ring && k == 0 ? 1 : 0);
    }
}

// Square of the error of q over one element.
static double element_error(StickContext *ctx, const StickElement *element, const StickShapeTable *table,
                            const double *q)
{
    StickElementPoints points;
    double sum = 0;
    assert_ok(ctx, stick_element_points(ctx, element, table, &points));
    for (int p = 0; p < table->count; p++) {
        double x[3] = {0}, u[3], uh[3] = {0};
        for (int a = 0; a < element->nnodes; a++) {
            for (int k = 0; k < element->dim; k++) {
                x[k] += table->N[p][a] * element->x[a][k];
                uh[k] += table->N[p][a] * q[element->node[a] * element->dim + k];
            }
        }
        exact_displacement(element->continuum, x, u);
        for (int k = 0; k < element->dim; k++)
            sum += points.point[p].dV * (uh[k] - u[k]) * (uh[k] - u[k]);
    }
    return sum;
}

// Exact displacements held at the boundary, the body force through the mass matrix.
static void pose(StickContext *ctx, Body *body)
{
    const StickMesh *mesh = &body->grid.mesh;
    int dim = mesh->dim, n = mesh->nnodes * dim;
    double *b = grid_take((size_t)n, sizeof *b);
    for (int i = 0; i < n; i++) {
        double value[3];
        exact_displacement(&body->continuum, mesh->x + i / dim * dim, value);
        body->q[i] = value[i % dim];
        body_force(&body->continuum, mesh->x + i / dim * dim, value);
        b[i] = value[i % dim];
        body->held[i] = body->grid.outer[i / dim];
    }
    body_assemble(ctx, body);
    stick_sparse_multiply(&body->M, 1, b, body->f);
    free(b);
}

static double error_of(StickContext *ctx, const Case *c, int cells)
{
    Body body;
    StickShapeTable table;
    double sum = 0;
    body_init(&body, grid_make(c->shape, cells, cells, cells), &steel);
    bend(&body.grid, c->plane == STICK_AXISYMMETRIC);
    body.continuum.plane = c->plane;
    body.continuum.mean_dilatation = c->mean_dilatation;
    pose(ctx, &body);
    assert_ok(ctx, solve_held(ctx, &body.K, body.f, body.held, body.q));
    stick_shape_tabulate(c->shape, stick_mass_quadrature(c->shape), &table);
    for (int e = 0; e < body.grid.mesh.nelements; e++) {
        StickElement element = stick_element_at(&body.continuum, e);
        sum += element_error(ctx, &element, &table, body.q);
    }
    body_drop(ctx, &body);
    return sqrt(sum);
}

static void displacements_converge_with_their_order(void **state)
{
    StickContext *ctx = *state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double coarse = error_of(ctx, &cases[c], cases[c].cells);
        double fine = error_of(ctx, &cases[c], 2 * cases[c].cells);
        assert_near(log2(coarse / fine), cases[c].order, 0.2);
    }
}

// ---- locking

// Cook's membrane, clamped at the left, sheared by 100 at the right: deflection of its upper right corner.
typedef struct Membrane {
    StickShape shape;
    bool mean_dilatation;
    int cells;
    double poisson;
} Membrane;

static StickStatus shear(void *user, const double place[3], const double normal[3], double traction[3])
{
    (void)user;
    (void)normal;
    traction[1] = place[0] > 48 - 1e-9 ? 100.0 / 16 : 0;
    return STICK_OK;
}

static double deflection(StickContext *ctx, const Membrane *membrane)
{
    StickMaterial soft = {.name = (char *)"soft", .young = 250, .poisson = membrane->poisson, .density = 1};
    Body body;
    body_init(&body, grid_make(membrane->shape, membrane->cells, membrane->cells, 1), &soft);
    grid_find_facets(&body.grid);
    int dim = body.grid.mesh.dim, tip = 0;
    body.continuum.mean_dilatation = membrane->mean_dilatation;
    for (int node = 0; node < body.grid.mesh.nnodes; node++) {
        double *x = body.grid.mesh.x + node * dim, s = x[0], t = x[1];
        for (int k = 0; k < dim; k++)
            body.held[node * dim + k] = s == 0 || k == 2;
        tip = s == 1 && t == 1 ? node : tip;
        x[0] = 48 * s;
        x[1] = 44 * s + t * (44 - 28 * s);
    }
    body_assemble(ctx, &body);
    assert_ok(ctx, stick_fem_facet_load(ctx, &body.continuum, body.grid.facet, body.grid.nfacets, shear, NULL,
                                        body.f));
    assert_ok(ctx, solve_held(ctx, &body.K, body.f, body.held, body.q));
    double answer = body.q[tip * dim + 1];
    body_drop(ctx, &body);
    return answer;
}

static void mean_dilatation_does_not_lock(void **state)
{
    StickContext *ctx = *state;
    double nu = 0.4999, fine = deflection(ctx, &(Membrane){STICK_QUAD8, false, 24, nu});
    double q4 = deflection(ctx, &(Membrane){STICK_QUAD4, false, 16, nu});
    double q4p0 = deflection(ctx, &(Membrane){STICK_QUAD4, true, 16, nu});
    double h8 = deflection(ctx, &(Membrane){STICK_HEX8, false, 16, nu});
    double h8p0 = deflection(ctx, &(Membrane){STICK_HEX8, true, 16, nu});
    assert_near(q4p0, fine, 0.01 * fine);
    assert_below(q4, 0.4 * fine);
    // One layer held across is plane strain: the same numbers.
    assert_near(h8, q4, 1e-8 * q4);
    assert_near(h8p0, q4p0, 1e-8 * q4p0);
}

// Far from incompressible the two elements agree.
static void mean_dilatation_changes_little_where_nothing_locks(void **state)
{
    StickContext *ctx = *state;
    double q4 = deflection(ctx, &(Membrane){STICK_QUAD4, false, 24, 0.2});
    double q4p0 = deflection(ctx, &(Membrane){STICK_QUAD4, true, 24, 0.2});
    assert_near(q4p0, q4, 0.01 * q4);
}

// Keeps only the sides of the bore, r = 1.
static void keep_bore(Grid *grid)
{
    int kept = 0;
    for (int k = 0; k < grid->nfacets; k++) {
        int node[STICK_MOST_FACET_NODES], count = stick_mesh_facet_nodes(&grid->mesh, grid->facet[k], node);
        bool inside = true;
        for (int i = 0; i < count; i++)
            inside = inside && grid->mesh.x[2 * node[i]] == 1;
        if (inside)
            grid->facet[kept++] = grid->facet[k];
    }
    grid->nfacets = kept;
}

// Lame's tube under pressure 1 inside, r = 1 to 2, held axially: u(1) = (1 + nu) (1 - 2 nu + 4) / (3 E).
static double bore(StickContext *ctx, StickShape shape, bool mean_dilatation, double nu)
{
    StickMaterial soft = {.name = (char *)"soft", .young = 1, .poisson = nu, .density = 1};
    double inward[6] = {-1, 0, 0, 0, 0, 0}, answer = 0;
    Body body;
    body_init(&body, grid_make(shape, 6, 2, 1), &soft);
    body.continuum.plane = STICK_AXISYMMETRIC;
    body.continuum.mean_dilatation = mean_dilatation;
    grid_find_facets(&body.grid);
    StickMesh *mesh = &body.grid.mesh;
    for (int node = 0; node < mesh->nnodes; node++) {
        body.held[2 * node + 1] = true;
        mesh->x[2 * node] += 1;
    }
    keep_bore(&body.grid);
    assert_int_equal(body.grid.nfacets, 2);
    body_assemble(ctx, &body);
    assert_ok(ctx, stick_fem_facet_load(ctx, &body.continuum, body.grid.facet, body.grid.nfacets,
                                        constant_stress_traction, inward, body.f));
    assert_ok(ctx, solve_held(ctx, &body.K, body.f, body.held, body.q));
    for (int node = 0; node < mesh->nnodes; node++)
        answer = mesh->x[2 * node] == 1 && mesh->x[2 * node + 1] == 0 ? body.q[2 * node] : answer;
    body_drop(ctx, &body);
    return answer;
}

static void tube_under_pressure_opens_as_lame_says(void **state)
{
    StickContext *ctx = *state;
    double usual = 1.3 * (1 - 0.6 + 4) / 3, tight = 1.4999 * (1 - 0.9998 + 4) / 3;
    assert_near(bore(ctx, STICK_QUAD8, false, 0.3), usual, 1e-4 * usual);
    assert_near(bore(ctx, STICK_TRI6, false, 0.3), usual, 1e-3 * usual);
    assert_near(bore(ctx, STICK_QUAD4, false, 0.3), usual, 1e-2 * usual);
    assert_near(bore(ctx, STICK_QUAD4, true, 0.4999), tight, 3e-3 * tight);
    assert_below(bore(ctx, STICK_QUAD4, false, 0.4999), 0.2 * tight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(displacements_converge_with_their_order),
        test_with_context(mean_dilatation_does_not_lock),
        test_with_context(mean_dilatation_changes_little_where_nothing_locks),
        test_with_context(tube_under_pressure_opens_as_lame_says),
    };
    return cmocka_run_group_tests_name("fem.convergence", tests, NULL, NULL);
}
