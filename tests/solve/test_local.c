// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "solve/local.h"
#include "solve/residual.h"

// Error of r in the problem of one contact, in the scale-free variables.
static double error_of(int dim, double *A, double mu, const double *b, const double *r)
{
    int start[2] = {0, 1}, col[1] = {0};
    StickBlocks W = {dim, 1, start, col, A};
    StickFrictionProblem problem = {.dim = dim, .ncontacts = 1, .W = &W, .u_free = b, .mu = &mu};
    double u[3];
    stick_residual_velocity(&problem, r, u);
    return stick_residual(&problem, r, u).scale_free;
}

// Positive definite, with a part that is not symmetric, eigenvalues down to about `least`.
static void random_block(StickRandom *random, int dim, double least, double *A)
{
    double B[9], skew[3];
    for (int k = 0; k < 9; k++)
        B[k] = stick_random_uniform(random, -1, 1);
    for (int k = 0; k < 3; k++)
        skew[k] = stick_random_uniform(random, -0.2, 0.2);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            A[i * dim + j] = (i == j ? least : i < j ? skew[i + j - 1] : -skew[i + j - 1]) * least;
            for (int k = 0; k < dim; k++)
                A[i * dim + j] += B[i * 3 + k] * B[j * 3 + k];
        }
}

static void random_load(StickRandom *random, int dim, double *b)
{
    b[0] = stick_random_uniform(random, -1, 0.2);
    for (int k = 1; k < dim; k++)
        b[k] = stick_random_uniform(random, -1, 1) * pow(10, stick_random_uniform(random, -3, 1));
}

static void any_contact_is_solved_at_once(void **state)
{
    (void)state;
    static const double frictions[] = {0, 1e-9, 0.1, 0.7, 3, 1e3};
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < 30000; k++) {
        int dim = 1 + k % 3;
        double A[9], b[3], r[3] = {0}, mu = frictions[k % 6];
        random_block(&random, dim, k % 2 ? 1 : 0.03, A);
        random_load(&random, dim, b);
        stick_local_solve(dim, A, b, mu, r);
        assert_below(error_of(dim, A, mu, b, r), 1e-12);
    }
}

// A round block: sticking force -b_T / a, at most mu times the normal one.
static void closed_forms(void **state)
{
    (void)state;
    double A[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, r[3] = {0};
    stick_local_solve(3, A, (double[]){-4, 0.3, -0.4}, 0.5, r);
    assert_near(r[0], 2, 1e-15);
    assert_near(r[1], -0.15, 1e-15);
    assert_near(r[2], 0.2, 1e-15);
    stick_local_solve(3, A, (double[]){-4, 30, -40}, 0.5, r);
    assert_near(r[0], 2, 1e-15);
    assert_near(r[1], -0.6, 1e-14);
    assert_near(r[2], 0.8, 1e-14);
    stick_local_solve(3, A, (double[]){1e-9, 30, -40}, 0.5, r);
    assert_true(r[0] == 0 && r[1] == 0 && r[2] == 0);
    // in the plane, with a normal force that grows as it slips: r_N = -b_N / (a_NN + s mu a_NT)
    double C[4] = {2, 1, 1, 2};
    stick_local_solve(2, C, (double[]){-1, 5}, 0.5, r);
    assert_near(r[0], 1 / 1.5, 1e-15);
    assert_near(r[1], -0.5 / 1.5, 1e-15);
    stick_local_solve(1, (double[]){4}, (double[]){-1}, 0, r);
    assert_near(r[0], 0.25, 1e-16);
}

static void units_do_not_matter(void **state)
{
    (void)state;
    static const double factors[] = {1e-100, 1e-12, 1e12, 1e100};
    StickRandom random = stick_random_seed(2);
    for (int k = 0; k < 3000; k++) {
        int dim = 1 + k % 3;
        double A[9], b[3], r[3] = {0}, factor = factors[k % 4];
        random_block(&random, dim, 0.1, A);
        random_load(&random, dim, b);
        for (int e = 0; e < dim * dim; e++)
            A[e] *= factor;
        stick_local_solve(dim, A, b, 0.6, r);
        assert_below(error_of(dim, A, 0.6, b, r), 1e-12);
    }
}

// Blocks that can't be inverted: a direction in which nothing moves, or no coupling of tangent and normal but
// one. Repeated solutions come to a point of the contact law where there is one.
static void singular_blocks_are_solved_by_repetition(void **state)
{
    (void)state;
    double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0}, along[9] = {1, 0.5, 0, 0.5, 0.25, 0, 0, 0, 1};
    double plane[4] = {1, 0.5, 0.5, 0.25}, r[3] = {0}, b[3] = {-1, 2, 0}, slow[3] = {-1, -0.5, 0.2};
    for (int k = 0; k < 50; k++)
        stick_local_solve(3, flat, b, 0.3, r);
    assert_below(error_of(3, flat, 0.3, b, r), 1e-10);
    memset(r, 0, sizeof r);
    for (int k = 0; k < 50; k++)
        stick_local_solve(3, along, slow, 0.8, r);
    assert_below(error_of(3, along, 0.8, slow, r), 1e-10);
    memset(r, 0, sizeof r);
    for (int k = 0; k < 50; k++)
        stick_local_solve(2, plane, slow, 0.8, r);
    assert_below(error_of(2, plane, 0.8, slow, r), 1e-10);
}

static void a_block_of_zeros_stays_finite(void **state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        double A[9] = {0}, b[3] = {-1, 1, 1}, r[3] = {0};
        for (int k = 0; k < 5; k++)
            stick_local_solve(dim, A, b, 0.5, r);
        for (int k = 0; k < dim; k++)
            assert_true(isfinite(r[k]));
        b[0] = 1;
        stick_local_solve(dim, A, b, 0.5, r);
        // still near the last r, which it may leave only step by step
        assert_true(isfinite(r[0]) && r[0] >= 0);
    }
}

// A solution is a fixed point: the contact does not change.
static void solutions_are_kept(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(3);
    for (int k = 0; k < 3000; k++) {
        StickLocal3 local;
        double A[9], b[3], r[3] = {0}, again[3], u[3];
        random_block(&random, 3, 0.3, A);
        random_load(&random, 3, b);
        stick_local_prepare3(A, 0.5, &local);
        stick_local_update3(&local, b, r);
        for (int i = 0; i < 3; i++)
            u[i] = b[i] + A[3 * i] * r[0] + A[3 * i + 1] * r[1] + A[3 * i + 2] * r[2];
        memcpy(again, r, sizeof r);
        stick_local_update3(&local, u, again);
        for (int i = 0; i < 3; i++)
            assert_near(again[i], r[i], 1e-12 * (1 + fabs(r[0]) + hypot(r[1], r[2])));
    }
}

// Almost no load against a free velocity of any size: slip with r_T = mu r_N t, t against it, and
// r_N = -b_N / (a_NN + mu a_NT.t).
static void the_smallest_loads_slip(void **state)
{
    (void)state;
    static const double round[9] = {0.0019, 0, 0, 0, 0.0067, 0, 0, 0, 0.0067};
    static const double coupled[9] = {2, 0.5, -0.7, 0.5, 2, 0.1, -0.7, 0.1, 3};
    static const double plane[2][4] = {{0.0019, 0, 0, 0.0067}, {2, 0.5, 0.5, 2}};
    static const double g[][2] = {{1e-31, -4e-10}, {3, 4}, {-1e-40, 1e-41}, {1e50, 2e50}};
    for (double b_N = 1e-100; b_N > 0; b_N /= 10)
        for (int k = 0; k < 16; k++) {
            int dim = 2 + k % 2;
            const double *v = g[k / 4], *A = dim == 2 ? plane[k / 2 % 2] : k / 2 % 2 ? coupled : round;
            double size = dim == 2 ? fabs(v[0]) : hypot(v[0], v[1]), t[2] = {-v[0] / size, -v[1] / size};
            double b[3] = {-b_N, v[0], v[1]}, r[3] = {0}, mu = 0.5;
            double r_N = b_N / (A[0] + mu * (A[1] * t[0] + (dim > 2 ? A[2] * t[1] : 0)));
            // the end of the range of numbers, where g is large in units of it
            double near = 1e-12 * r_N + 1e-318 * fmax(1, size);
            stick_local_solve(dim, A, b, mu, r);
            assert_near(r[0], r_N, near);
            for (int i = 1; i < dim; i++)
                assert_near(r[i], mu * r_N * t[i - 1], near);
        }
}

// The last slip that a contact remembers between sweeps is useless here, but must do no harm.
static void loads_that_vanish_stay_finite(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(4);
    StickLocal2 local2;
    StickLocal3 local3;
    double A[9], B[4];
    for (int k = 0; k < 20000; k++) {
        double b[3], r[3] = {0}, mu = k % 3 ? 0.5 : 3;
        if (k % 10 == 0) {
            random_block(&random, 3, 0.1, A);
            random_block(&random, 2, 0.1, B);
            stick_local_prepare3(A, mu, &local3);
            stick_local_prepare2(B, mu, &local2);
        }
        for (int i = 0; i < 3; i++)
            b[i] = stick_random_uniform(&random, -1, 1) * pow(10, -stick_random_uniform(&random, 0, 323));
        stick_local_update3(&local3, b, r);
        assert_true(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]) && r[0] >= 0);
        assert_below(hypot(r[1], r[2]), local3.mu * r[0] * (1 + 1e-10) + 1e-150);
        r[0] = r[1] = 0;
        stick_local_update2(&local2, b, r);
        assert_true(isfinite(r[0]) && isfinite(r[1]) && r[0] >= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_contact_is_solved_at_once),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(singular_blocks_are_solved_by_repetition),
        cmocka_unit_test(a_block_of_zeros_stays_finite),
        cmocka_unit_test(solutions_are_kept),
        cmocka_unit_test(the_smallest_loads_slip),
        cmocka_unit_test(loads_that_vanish_stay_finite),
    };
    return cmocka_run_group_tests_name("solve.local", tests, NULL, NULL);
}
