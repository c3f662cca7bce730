// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "solve/lcp_basis.h"

enum { N = 30, STEPS = 400 };

typedef struct Scene {
    StickLcpMatrix M;
    StickLcpBasis basis;
    double dense[N * N], q[N], d[N];
    unsigned char kind[N];
    int z0_place; // or -1
} Scene;

static void make_scene(StickContext *ctx, StickRandom *random, Scene *scene)
{
    memset(scene, 0, sizeof *scene);
    scene->z0_place = -1;
    for (int k = 0; k < N * N; k++)
        scene->dense[k] = stick_random_uniform(random, -1, 1) + (k % (N + 1) == 0 ? 3 : 0);
    for (int i = 0; i < N; i++)
        scene->d[i] = 1;
    assert_ok(ctx, stick_lcp_matrix_reserve(ctx, &scene->M, N));
    stick_lcp_matrix_load(&scene->M, &(StickLcp){N, scene->dense, scene->q});
    assert_ok(ctx, stick_lcp_basis_reserve(ctx, &scene->basis, N, N));
    scene->basis.M = &scene->M;
    scene->basis.d = scene->d;
    assert_true(stick_lcp_basis_factor(&scene->basis, scene->kind));
}

static void drop_scene(StickContext *ctx, Scene *scene)
{
    stick_lcp_basis_free(ctx, &scene->basis);
    stick_lcp_matrix_free(ctx, &scene->M);
}

// M x + d x0 = c in the rows of nonbasic w's, c the column of a variable, and a row of K^-1 times c is an entry of x
static void assert_solves_column(Scene *scene, int variable)
{
    StickLcpBasis *basis = &scene->basis;
    double x[N + STICK_LCP_MOST_BORDER], c[N + STICK_LCP_MOST_BORDER], y[N + STICK_LCP_MOST_BORDER];
    int order = stick_lcp_basis_order(basis);
    stick_lcp_basis_column(basis, variable, x);
    memcpy(c, x, sizeof c);
    stick_lcp_basis_enter(basis, x);
    for (int i = 0; i < N; i++) {
        if (scene->kind[i] == STICK_LCP_W)
            continue;
        double sum = scene->z0_place >= 0 ? scene->d[i] * x[basis->col_place[N]] : 0;
        for (int j = 0; j < N; j++)
            if (scene->kind[j] == STICK_LCP_Z)
                sum += stick_lcp_matrix_entry(&scene->M, i, j) * x[basis->col_place[j]];
        double right = variable < N       ? -(variable == i)
                       : variable < 2 * N ? stick_lcp_matrix_entry(&scene->M, i, variable - N)
                                          : scene->d[i];
        assert_near(sum, right, 1e-9);
    }
    for (int j = 0; j < N; j += 7)
        if (scene->kind[j] == STICK_LCP_Z) {
            double product = 0;
            memset(y, 0, sizeof y);
            y[basis->col_place[j]] = 1;
            stick_lcp_basis_solve_transposed(basis, y);
            for (int k = 0; k < order; k++)
                product += y[k] * c[k];
            assert_near(product, x[basis->col_place[j]], 1e-9);
        }
}

// Random almost complementary exchanges: all four kinds of them, with refactorisation when required.
static void solutions_stay_right_over_many_exchanges(void **state)
{
    static Scene scene;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(1);
    int kinds[2][2] = {{0}}, factored = 0, longest = 0, entering = 2 * N;
    make_scene(ctx, &random, &scene);
    for (int step = 0; step < STEPS; step++) {
        int place = (int)stick_random_uniform(&random, 0, N);
        if (place == scene.z0_place)
            place = (place + 1) % N;
        int leaving = place + N * scene.kind[place];
        assert_solves_column(&scene, entering);
        if (scene.z0_place >= 0)
            scene.kind[scene.z0_place] = entering < N ? STICK_LCP_W : STICK_LCP_Z;
        scene.kind[place] = STICK_LCP_Z0;
        scene.z0_place = place;
        kinds[entering < N][leaving < N]++;
        longest = scene.basis.border > longest ? scene.basis.border : longest;
        if (!stick_lcp_basis_exchange(&scene.basis, entering, leaving)) {
            assert_true(stick_lcp_basis_factor(&scene.basis, scene.kind));
            factored++;
        }
        entering = leaving < N ? leaving + N : leaving - N;
    }
    print_message("%d factorisations in %d exchanges, borders up to %d\n", factored, STEPS, longest);
    assert_true(factored > 2 && factored < STEPS / 5 && longest > 10);
    assert_true(kinds[0][0] > 0 && kinds[0][1] > 0 && kinds[1][0] > 0 && kinds[1][1] > 0);
    drop_scene(ctx, &scene);
}

static void dependent_columns_are_left_out_of_a_start(void **state)
{
    static Scene scene;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(2);
    make_scene(ctx, &random, &scene);
    for (int i = 0; i < N; i++) {
        scene.dense[11 * N + i] = scene.dense[5 * N + i];
        scene.dense[20 * N + i] = 0;
    }
    stick_lcp_matrix_load(&scene.M, &(StickLcp){N, scene.dense, scene.q});
    memset(scene.kind, STICK_LCP_Z, N);
    assert_false(stick_lcp_basis_factor(&scene.basis, scene.kind) &&
                 stick_lcp_basis_is_regular(&scene.basis));
    assert_true(stick_lcp_basis_repair(&scene.basis, scene.kind));
    for (int i = 0; i < N; i++)
        assert_int_equal(scene.kind[i], i == 11 || i == 20 ? STICK_LCP_W : STICK_LCP_Z);
    assert_true(stick_lcp_basis_factor(&scene.basis, scene.kind));
    assert_true(stick_lcp_basis_is_regular(&scene.basis));
    assert_solves_column(&scene, 3);
    drop_scene(ctx, &scene);
}

static void more_basic_variables_than_there_is_room_for_are_refused(void **state)
{
    static Scene scene;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(3);
    make_scene(ctx, &random, &scene);
    stick_lcp_basis_free(ctx, &scene.basis);
    assert_ok(ctx, stick_lcp_basis_reserve(ctx, &scene.basis, N, 4));
    scene.basis.M = &scene.M;
    scene.basis.d = scene.d;
    memset(scene.kind, STICK_LCP_Z, 4);
    assert_true(stick_lcp_basis_factor(&scene.basis, scene.kind));
    scene.kind[9] = STICK_LCP_Z;
    assert_false(stick_lcp_basis_factor(&scene.basis, scene.kind));
    drop_scene(ctx, &scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(solutions_stay_right_over_many_exchanges),
        test_with_context(dependent_columns_are_left_out_of_a_start),
        test_with_context(more_basic_variables_than_there_is_room_for_are_refused),
    };
    return cmocka_run_group_tests_name("solve.lcp_basis", tests, NULL, NULL);
}
