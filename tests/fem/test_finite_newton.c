// SPDX-License-Identifier: Apache-2.0
// Newton's iterations find their way back to random states of every law on every kind of element, and quadratically so.
#include "finite_cases.h"

enum { STATES = 20 };

// What rounding leaves of an error, displacements being 0.1 or so.
static const double ROUNDING = 1e-12;

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

static double distance(const FiniteBody *it, const double *exact)
{
    double most = 0;
    for (int i = 0; i < it->ndofs; i++)
        most = fmax(most, fabs(it->body.q[i] - exact[i]));
    return most;
}

// One iteration; false where it cannot be done.
static bool iterate(StickContext *ctx, FiniteBody *it, const double *f)
{
    double *rest = grid_take((size_t)it->ndofs, sizeof *rest), *dq = grid_take((size_t)it->ndofs, sizeof *dq);
    bool done = evaluate(ctx, it, it->body.q, 0.1).bad_element < 0;
    residual(it, f, rest);
    done = done && solve_free(ctx, it, rest, dq);
    for (int i = 0; i < it->ndofs; i++)
        it->body.q[i] += dq[i];
    free(rest);
    free(dq);
    return done;
}

// error <= c error^2 of the one before, down to rounding. The first one comes from noise of the length of an element,
// for which c is larger.
static void check_convergence(StickContext *ctx, FiniteBody *it, const double *f, const double *exact,
                              int number)
{
    double before = distance(it, exact);
    for (int k = 0; k < MOST_ITERATIONS && before > ROUNDING; k++) {
        bool done = iterate(ctx, it, f);
        double after = distance(it, exact);
        if (!(done && after <= (k == 0 ? 1e4 : 1e3) * before * before + ROUNDING)) {
            print_error("%s, case %d, iteration %d: an error of %g after %g\n",
                        it->body.continuum.material->name, number, k, after, before);
            fail();
        }
        before = after;
    }
    assert_below(before, ROUNDING);
}

static void go_back(StickContext *ctx, FiniteBody *it, int number, uint32_t *seed)
{
    const StickMesh *mesh = &it->body.grid.mesh;
    double *f = grid_take((size_t)it->ndofs, sizeof *f), *exact = grid_take((size_t)it->ndofs, sizeof *exact);
    // where flow begins tangents jump: no farther away than that few points change sides
    double noise = (is_plastic(it) ? 1e-4 : 0.01) / sqrt(mesh->nelements);
    hold_some(it, seed);
    random_motion(it, 0.1, seed, exact);
    make_past(ctx, it, exact, seed);
    assert_int_equal(evaluate(ctx, it, exact, 0.1).bad_element, -1);
    memcpy(f, it->force, (size_t)it->ndofs * sizeof *f);
    for (int i = 0; i < it->ndofs; i++)
        it->body.q[i] = exact[i] + (it->body.held[i] ? 0 : noise * random_number(seed));
    check_convergence(ctx, it, f, exact, number);
    free(f);
    free(exact);
}

static void test_newton_converges_quadratically(void **state)
{
    for (int m = 0; m < NMATERIALS; m++) {
        for (int k = 0; k < NCASES; k++) {
            FiniteBody it;
            uint32_t seed = 11;
            finite_init(*state, &it, case_grid(&cases[k], 3), &cases[k], &materials[m]);
            for (int n = 0; n < STATES; n++)
                go_back(*state, &it, k, &seed);
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
