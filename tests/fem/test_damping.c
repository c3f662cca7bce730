// SPDX-License-Identifier: Apache-2.0
// Kelvin-Voigt damping of one slender bar, as a bar, as a strip in plane stress and in space.
#include "problem.h"

static const StickMaterial pu = {
    .young = 200, .poisson = 0.35, .density = 2, .viscosity_shear = 3, .viscosity_bulk = 5};

// Long in x, thin across.
static Grid slender(StickShape shape)
{
    Grid grid = grid_make(shape, 4, 2, 2);
    for (int i = 0; i < grid.mesh.nnodes; i++)
        for (int k = 1; k < grid.mesh.dim; k++)
            grid.mesh.x[i * grid.mesh.dim + k] *= 0.1;
    return grid;
}

// Both ends held along x and pulled apart by e, and in rigid motions across: one node at rest, one more in
// space.
static void pull(Body *body, double e)
{
    const StickMesh *mesh = &body->grid.mesh;
    int dim = mesh->dim;
    for (int i = 0; i < mesh->nnodes; i++) {
        const double *x = &mesh->x[i * dim];
        body->held[i * dim] = x[0] == 0 || x[0] == 1;
        body->q[i * dim] = e * x[0];
        for (int k = 1; k < dim; k++)
            body->held[i * dim + k] = x[k] == 0;
    }
}

static double form(const StickSparse *A, const double *q)
{
    double sum = 0;
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            sum += q[j] * A->value[k] * q[A->row[k]];
    return sum;
}

// q' C q / q' K q of a slow motion in the shape of the static one: the damping of its mode is half of it
// times omega.
static double damping(StickContext *ctx, StickShape shape)
{
    Body body;
    body_init(&body, slender(shape), &pu);
    body.continuum.plane = STICK_PLANE_STRESS;
    body_assemble(ctx, &body);
    pull(&body, 0.01);
    assert_ok(ctx, solve_held(ctx, &body.K, NULL, body.held, body.q));
    double ratio = form(&body.C, body.q) / form(&body.K, body.q);
    body_drop(ctx, &body);
    return ratio;
}

static void bar_strip_and_solid_are_damped_alike(void **state)
{
    static const StickShape shapes[] = {STICK_BAR2,  STICK_TRI3, STICK_QUAD4,
                                        STICK_QUAD8, STICK_TET4, STICK_HEX8};
    double exact = (4 * 3 * 1.35 * 1.35 / 3 + 5 * 0.3 * 0.3) / 200;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        assert_near(damping(*state, shapes[k]), exact, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(bar_strip_and_solid_are_damped_alike),
    };
    return cmocka_run_group_tests_name("fem.damping", tests, NULL, NULL);
}
