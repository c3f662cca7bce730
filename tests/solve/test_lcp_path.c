// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "solve/lcp_path.h"

enum { N = 50 };

typedef struct Scene {
    StickLcpPath path;
    double dense[N * N];
} Scene;

// Unsymmetric with a strong diagonal, so that the path ends at the one solution.
static void make_scene(StickContext *ctx, StickRandom *random, Scene *scene)
{
    StickLcpPath *path = &scene->path;
    memset(scene, 0, sizeof *scene);
    for (int k = 0; k < N * N; k++)
        scene->dense[k] = stick_random_uniform(random, -1, 1) + (k % (N + 1) == 0 ? 8 : 0);
    assert_ok(ctx, stick_lcp_path_reserve(ctx, path, N, N));
    assert_ok(ctx, stick_lcp_matrix_reserve(ctx, &path->M, N));
    for (int i = 0; i < N; i++) {
        path->q[i] = stick_random_uniform(random, -1, 0.2);
        path->d[i] = 1;
    }
    stick_lcp_matrix_load(&path->M, &(StickLcp){N, scene->dense, path->q});
    path->n = N;
    path->z0_place = path->last_column = -1;
    assert_true(stick_lcp_path_settle(path));
}

// The basic variables satisfy w = M z + d z0 + q and are not negative.
static void assert_feasible(const Scene *scene)
{
    const StickLcpPath *path = &scene->path;
    double z[N], w[N], z0 = path->z0_place >= 0 ? path->b[path->z0_place] : 0;
    for (int i = 0; i < N; i++) {
        z[i] = path->kind[i] == STICK_LCP_Z ? path->b[i] : 0;
        w[i] = path->q[i] + path->d[i] * z0;
        assert_true(path->b[i] >= -1e-12);
    }
    stick_lcp_matrix_multiply(&path->M, z, w);
    for (int i = 0; i < N; i++)
        assert_near(w[i], path->kind[i] == STICK_LCP_W ? path->b[i] : 0, 1e-11);
}

static void every_point_of_a_path_is_feasible(void **state)
{
    static Scene scene;
    StickContext *ctx = *state;
    StickLcpPath *path = &scene.path;
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < 10; k++) {
        int entering = 2 * N, place = 0, pivots = 0;
        make_scene(ctx, &random, &scene);
        for (int i = 1; i < N; i++)
            place = path->b[i] < path->b[place] ? i : place;
        for (int leaving = 0; leaving != 2 * N && pivots < 500; pivots++) {
            assert_true(stick_lcp_path_direction(path, entering));
            place = pivots == 0 ? place : stick_lcp_path_blocking(path);
            assert_true(place >= 0);
            leaving = stick_lcp_path_variable(path, place);
            assert_true(stick_lcp_path_pivot(path, entering, place));
            assert_feasible(&scene);
            entering = stick_lcp_path_complement(path, leaving);
        }
        assert_true(path->z0_place == -1 && pivots > 20);
        stick_lcp_path_free(ctx, path);
    }
}

// T of every nonbasic variable is the change of b per unit of it: pivots on it change b by T times the step.
static void columns_are_rates(void **state)
{
    static Scene scene;
    StickContext *ctx = *state;
    StickLcpPath *path = &scene.path;
    StickRandom random = stick_random_seed(2);
    make_scene(ctx, &random, &scene);
    for (int i = 0; i < N; i += 2)
        path->kind[i] = STICK_LCP_Z;
    assert_true(stick_lcp_path_settle(path));
    for (int j = 0; j < N; j++) {
        double z[N] = {0}, w[N] = {0};
        int variable = path->kind[j] == STICK_LCP_Z ? j : N + j;
        stick_lcp_path_column(path, variable);
        for (int i = 0; i < N; i++)
            z[i] = path->kind[i] == STICK_LCP_Z ? path->column[i] : variable == N + i;
        stick_lcp_matrix_multiply(&path->M, z, w);
        for (int i = 0; i < N; i++)
            assert_near(w[i], path->kind[i] == STICK_LCP_W ? path->column[i] : variable == i, 1e-13);
    }
    stick_lcp_path_free(ctx, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_point_of_a_path_is_feasible),
        test_with_context(columns_are_rates),
    };
    return cmocka_run_group_tests_name("solve.lcp_path", tests, NULL, NULL);
}
