// SPDX-License-Identifier: Apache-2.0
// Newton's iterations find their way back to random states of every law on every kind of element, and quadratically so.
#include "finite_cases.h"

enum { STATES = 20 };

// Some of the nodes are held, and the axis of a ring.
static void hold_some(FiniteBody *it, uint32_t *seed)
{
    const StickMesh *mesh = &it->body.grid.mesh;
    bool ring = it->body.continuum.plane == STICK_AXISYMMETRIC;
    for (int node = 0; node < mesh->nnodes; node++) {
        bool held = it->body.grid.outer[node] && random_number(seed) < 0;
        for (int k = 0; k < mesh->dim; k++)
            it->body.held[node * mesh->dim + k] = held || (ring && k == 0 && mesh->x[node * mesh->dim] == 0);
    }
}

static bool is_plastic(const FiniteBody *it)
{
    return it->body.continuum.material->law == STICK_MATERIAL_J2;
}

// A past with flow, relaxation and pressures of its own. What flows goes on in its direction, as between flow and none
// the tangent jumps.
static void make_past(StickContext *ctx, FiniteBody *it, const double *exact, uint32_t *seed)
{
    double *before = grid_take((size_t)it->ndofs, sizeof *before);
    stick_finite_rest(it->finite, it->past);
    random_motion(it, 0.05, seed, before);
    for (int i = 0; i < it->ndofs && is_plastic(it); i++)
        before[i] = 0.5 * exact[i];
    assert_int_equal(evaluate(ctx, it, before, 1).bad_element, -1);
    accept(it);
    assert_ok(ctx, stick_finite_augment(it->finite, before, 0, it->past));
    free(before);
}

// |dq| <= c |dq before|^2 with a c that does not grow; of a plastic law at the end, when it is settled which points flow.
static void check_convergence(const double *change, int count, const StickMaterial *law, int number)
{
    bool flows = law->law == STICK_MATERIAL_J2;
    double c = flows ? 1000 : 100;
    for (int k = flows ? count - 2 : 0; k + 1 < count; k++) {
        double before = change[k], after = change[k + 1];
        if (!(after <= 10 * c * before * before + 1e-13)) {
            print_error("%s, case %d: a change of %g after %g\n", law->name, number, after, before);
            fail();
        }
        c = fmax(c, after / (before * before));
    }
}

static void go_back(StickContext *ctx, FiniteBody *it, int number, uint32_t *seed, int *most)
{
    const StickMesh *mesh = &it->body.grid.mesh;
    double *f = grid_take((size_t)it->ndofs, sizeof *f), *exact = grid_take((size_t)it->ndofs, sizeof *exact);
    double change[MOST_ITERATIONS + 1], noise = (is_plastic(it) ? 0.002 : 0.01) / sqrt(mesh->nelements);
    hold_some(it, seed);
    random_motion(it, 0.1, seed, exact);
    make_past(ctx, it, exact, seed);
    assert_int_equal(evaluate(ctx, it, exact, 0.1).bad_element, -1);
    memcpy(f, it->force, (size_t)it->ndofs * sizeof *f);
    for (int i = 0; i < it->ndofs; i++)
        it->body.q[i] = exact[i] + (it->body.held[i] ? 0 : noise * random_number(seed));
    int count = newton(ctx, it, f, 0.1, change);
    if (count < 0)
        print_error("%s, case %d does not converge\n", it->body.continuum.material->name, number);
    assert_in_range(count, 2, 12);
    check_convergence(change, count, it->body.continuum.material, number);
    // what flows may find another equilibrium near by
    for (int i = 0; i < it->ndofs && !is_plastic(it); i++)
        assert_near(it->body.q[i], exact[i], 1e-9);
    *most = count > *most ? count : *most;
    free(f);
    free(exact);
}

static void test_newton_converges_quadratically(void **state)
{
    for (int m = 0; m < NMATERIALS; m++) {
        for (int k = 0; k < NCASES; k++) {
            FiniteBody it;
            uint32_t seed = 11;
            int most = 0;
            finite_init(*state, &it, case_grid(&cases[k], 3), &cases[k], &materials[m]);
            for (int n = 0; n < STATES; n++)
                go_back(*state, &it, k, &seed, &most);
            finite_drop(*state, &it);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_newton_converges_quadratically),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
