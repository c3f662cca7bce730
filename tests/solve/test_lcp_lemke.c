// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "solve/data_file.h"
#include "solve/tableau.h"

#include <stickslip/lcp.h>

#include <stdbool.h>

enum { MOST = 64, PIVOTS = 5000 };

typedef struct Case {
    int n;
    double M[16]; // by rows, as it is printed in books
    double q[4];
    double z[4];
} Case;

static StickSolveInfo solve_dense(StickContext *ctx, int n, const double *M, const double *q, double *z)
{
    StickLemke *lemke;
    StickSolveInfo info;
    StickLcp lcp = {n, M, q};
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    assert_ok(ctx, stick_lemke_solve(lemke, &lcp, PIVOTS, z, &info));
    stick_lemke_destroy(lemke);
    return info;
}

static StickSolveInfo solve_case(StickContext *ctx, const Case *given, double *z)
{
    double M[16];
    for (int i = 0; i < given->n; i++)
        for (int j = 0; j < given->n; j++)
            M[j * given->n + i] = given->M[i * given->n + j];
    return solve_dense(ctx, given->n, M, given->q, z);
}

// min(z) >= -tol, min(w) >= -tol, |z.w| <= tol, relative to |q| and |z|
static void assert_solves(int n, const double *M, const double *q, const double *z, double tolerance)
{
    double largest_q = 0, largest_z = 0, product = 0;
    for (int i = 0; i < n; i++) {
        largest_q = fmax(largest_q, fabs(q[i]));
        largest_z = fmax(largest_z, fabs(z[i]));
    }
    for (int i = 0; i < n; i++) {
        double w = q[i];
        for (int j = 0; j < n; j++)
            w += M[(size_t)j * (size_t)n + (size_t)i] * z[j];
        assert_true(z[i] >= -tolerance * largest_z);
        assert_true(w >= -tolerance * largest_q);
        product += z[i] * w;
    }
    assert_below(fabs(product), tolerance * fmax(largest_q * largest_z, 1e-300));
}

// ---- problems of the literature

static void textbook_problems_have_their_solutions(void **state)
{
    static const Case cases[] = {
        {2, {2, 1, 1, 2}, {-5, -6}, {4.0 / 3, 7.0 / 3}},
        {3, {0, 2, -1, -1, 0, 1, 2, -2, 0}, {-3, 6, -1}, {6, 1.5, 0}},
        {2, {1, -1, -1, 1}, {1, -1}, {0, 1}},
        {4, {3, -1, 0, 0, 1, 2, 1, 0, 0, 1, 3, 1, -1, 1, -1, 2}, {-2, 1, -1, 1}, {2.0 / 3, 0, 1.0 / 3, 0}},
        {2, {-1, 2, 2, -1}, {1, 1}, {0, 0}},
        {2, {-1, 0, 0, -1}, {1, 1}, {0, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double z[4];
        StickSolveInfo info = solve_case(*state, &cases[k], z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(info.residual, 1e-15);
        for (int i = 0; i < cases[k].n; i++)
            assert_near(z[i], cases[k].z[i], 1e-14);
    }
}

static void one_of_many_solutions_is_found(void **state)
{
    static const Case all_on_a_line = {2, {1, 1, 1, 1}, {-1, -1}, {0}};
    double z[2];
    assert_int_equal(solve_case(*state, &all_on_a_line, z).end, STICK_SOLVE_CONVERGED);
    assert_true(z[0] >= 0 && z[1] >= 0);
    assert_near(z[0] + z[1], 1, 1e-15);
}

static void cyclic_p_matrix_takes_8_pivots(void **state)
{
    static const Case cyclic = {3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}, {0}};
    double z[3];
    StickSolveInfo info = solve_case(*state, &cyclic, z);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 8);
    for (int i = 0; i < 3; i++)
        assert_near(z[i], 1.0 / 3, 1e-15);
}

// All q equal: the plain order of ties ends on a ray of the first, and goes round in a circle on the others.
static void tied_starts_do_not_mislead(void **state)
{
    static const Case cases[] = {
        {3, {1, 0, 0, 0, 0, 2, -1, 2, 1}, {-1, -1, -1}, {0}},
        {3, {0, 2, 1, -1, 1, -1, 1, 1, 2}, {-1, -1, -1}, {0}},
        {3, {1, 1, 2, 2, 1, -1, -1, 0, 2}, {-1, -1, -1}, {0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double z[3];
        StickSolveInfo info = solve_case(*state, &cases[k], z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(info.residual, 1e-15);
    }
}

static void rays_are_reported_and_z_stays(void **state)
{
    static const Case cases[] = {
        {4,
         {0, 0, 10, 30, 0, 0, 20, 15, 10, 30, 0, 0, 20, 15, 0, 0},
         {-1, -1, -1, -1},
         {0}},                                                // needs Lemke-Howson
        {2, {-1, 0, 0, -1}, {-1, -1}, {0}},                   // infeasible
        {3, {0, 1, -1, -1, 0, 0, -1, 0, 0}, {0, -1, 1}, {0}}, // infeasible
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double z[4] = {7, 7, 7, 7};
        StickSolveInfo info = solve_case(*state, &cases[k], z);
        assert_int_equal(info.end, STICK_SOLVE_RAY);
        char letter;
        int number;
        assert_int_equal(sscanf(info.detail, "ray: nothing blocks %c%d", &letter, &number), 2);
        assert_int_equal(strstr(info.detail, "infeasible") != NULL, k > 0);
        assert_true((letter == 'w' || letter == 'z') && number >= 1 && number <= cases[k].n);
        for (int i = 0; i < 4; i++)
            assert_true(z[i] == 7);
    }
    assert_string_equal(stick_solve_end_name(STICK_SOLVE_RAY), "ray");
}

// ---- families

// U: unit upper triangular with 2 above; L its transpose. By columns.
static void triangle(int n, bool upper, double *M)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            M[j * n + i] = i == j ? 1 : (i < j) == upper ? 2 : 0;
}

// A A'
static void times_transposed(int n, const double *A, double *M)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            M[j * n + i] = 0;
            for (int k = 0; k < n; k++)
                M[j * n + i] += A[k * n + i] * A[k * n + j];
        }
}

static void murty_takes_2_to_the_n_pivots(void **state)
{
    double M[100], q[10], z[10];
    for (int n = 4; n <= 10; n += 2) {
        for (int i = 0; i < n; i++)
            q[i] = -(ldexp(1, n + 1) - ldexp(1, i + 1));
        triangle(n, true, M);
        StickSolveInfo info = solve_dense(*state, n, M, q, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, 1 << n);
        assert_solves(n, M, q, z, 1e-12);
        triangle(n, false, M);
        info = solve_dense(*state, n, M, q, z);
        assert_int_equal(info.iterations, 2);
        assert_solves(n, M, q, z, 1e-12);
        for (int i = 0; i < n; i++)
            q[i] = -(ldexp(1, n + 1) - ldexp(1, n - i));
        info = solve_dense(*state, n, M, q, z);
        assert_int_equal(info.iterations, 1 << n);
        assert_solves(n, M, q, z, 1e-12);
    }
}

static void triangular_matrices_with_equal_q_are_degenerate_and_solved(void **state)
{
    double M[400], q[20], z[20];
    for (int n = 2; n <= 20; n++) {
        for (int i = 0; i < n; i++)
            q[i] = -1;
        for (int upper = 0; upper < 2; upper++) {
            triangle(n, upper, M);
            assert_int_equal(solve_dense(*state, n, M, q, z).end, STICK_SOLVE_CONVERGED);
            for (int i = 0; i < n; i++)
                assert_near(z[i], i == (upper ? n - 1 : 0), 1e-14);
        }
    }
}

static void fathi_takes_2_or_2n_pivots(void **state)
{
    static double A[2500], M[2500];
    double q[50], z[50];
    static const int orders[] = {2, 5, 10, 20, 50};
    for (int k = 0; k < 5; k++) {
        int n = orders[k];
        for (int i = 0; i < n; i++)
            q[i] = -1;
        for (int upper = 0; upper < 2; upper++) {
            triangle(n, upper, A);
            times_transposed(n, A, M);
            StickSolveInfo info = solve_dense(*state, n, M, q, z);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            assert_int_equal(info.iterations, upper ? 2 * n : 2);
            for (int i = 0; i < n; i++)
                assert_near(z[i], i == (upper ? n - 1 : 0), 1e-12);
        }
    }
}

// M = A A' / n + skew part + small diagonal: positive definite, not symmetric, so a P-matrix with one
// solution. z and w are chosen complementary, q = w - M z; some pairs are degenerate (both zero).
static void manufacture(StickRandom *random, int n, double *M, double *q, double *z)
{
    static double A[MOST * MOST];
    for (int k = 0; k < n * n; k++)
        A[k] = stick_random_uniform(random, -1, 1);
    times_transposed(n, A, M);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double skew = i < j ? A[j * n + i] : i > j ? -A[i * n + j] : 0;
            M[j * n + i] = M[j * n + i] / n + skew + (i == j ? 0.1 : 0);
        }
    for (int i = 0; i < n; i++) {
        double kind = stick_random_uniform(random, 0, 1);
        z[i] = kind < 0.5 ? stick_random_uniform(random, 0.1, 1) : 0;
        q[i] = kind > 0.6 ? stick_random_uniform(random, 0.1, 1) : 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            q[i] -= M[j * n + i] * z[j];
}

static void random_p_matrices_give_the_known_solution(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], exact[MOST], z[MOST];
    StickRandom random = stick_random_seed(1);
    for (int n = 1; n <= 60; n++) {
        manufacture(&random, n, M, q, exact);
        StickSolveInfo info = solve_dense(*state, n, M, q, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(info.residual, 1e-14);
        for (int i = 0; i < n; i++)
            assert_near(z[i], exact[i], 1e-11);
    }
}

// Units of rows and columns may be anything: z comes out in the units of its columns.
static void units_do_not_matter(void **state)
{
    static double M[MOST * MOST];
    enum { N = 30 };
    double q[N], exact[N], z[N], col[N];
    StickRandom random = stick_random_seed(2);
    for (int k = 0; k < 20; k++) {
        manufacture(&random, N, M, q, exact);
        for (int j = 0; j < N; j++)
            col[j] = pow(10, stick_random_uniform(&random, -8, 8));
        for (int i = 0; i < N; i++) {
            double row = pow(10, stick_random_uniform(&random, -8, 8));
            q[i] *= row * 1e-9;
            for (int j = 0; j < N; j++)
                M[j * N + i] *= row * col[j];
        }
        StickSolveInfo info = solve_dense(*state, N, M, q, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < N; i++)
            assert_near(z[i] * col[i] * 1e9, exact[i], 1e-10);
    }
}

// Full and sparse, of every class: the same end, pivots and solution as on the tableau of books.
static void random_problems_go_the_way_of_the_tableau(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], z[MOST], books[MOST];
    int solved = 0, rays = 0;
    StickRandom random = stick_random_seed(9);
    for (int k = 0; k < 400; k++) {
        int n = 1 + k % 40;
        double density = k % 3 == 0 ? 0.2 : 1, shift = k % 4 == 0 ? 0 : 1.5 * sqrt(n);
        for (int e = 0; e < n * n; e++) {
            bool is_there = stick_random_uniform(&random, 0, 1) < density;
            M[e] = (is_there ? stick_random_uniform(&random, -1, 1) : 0) + (e % (n + 1) == 0 ? shift : 0);
        }
        for (int i = 0; i < n; i++)
            q[i] = stick_random_uniform(&random, -1, 0.5);
        q[0] = -1.1;
        int pivots = tableau_lemke(n, M, q, 1000, books);
        StickSolveInfo info = solve_dense(*state, n, M, q, z);
        assert_int_equal(info.end == STICK_SOLVE_CONVERGED, pivots > 0);
        if (pivots == 0) {
            assert_int_equal(info.end, STICK_SOLVE_RAY);
            rays++;
            continue;
        }
        solved++;
        assert_int_equal(info.iterations, pivots);
        for (int i = 0; i < n; i++)
            assert_near(z[i], books[i], 1e-8 * (1 + fabs(books[i])));
    }
    print_message("%d solved, %d rays\n", solved, rays);
    assert_true(solved > 200 && rays > 20);
}

// A problem with a feasible z is never reported as infeasible: here z = e is always feasible, but there may be no
// solution.
static void feasible_problems_are_never_called_infeasible(void **state)
{
    double M[100], q[10], z[10];
    int rays = 0;
    StickRandom random = stick_random_seed(10);
    for (int k = 0; k < 300; k++) {
        int n = 2 + k % 9;
        for (int i = 0; i < n; i++)
            q[i] = stick_random_uniform(&random, 0, 0.1);
        for (int e = 0; e < n * n; e++) {
            M[e] = stick_random_uniform(&random, -1, 1);
            q[e % n] -= M[e];
        }
        StickSolveInfo info = solve_dense(*state, n, M, q, z);
        rays += info.end == STICK_SOLVE_RAY;
        assert_null(strstr(info.detail, "infeasible"));
    }
    assert_true(rays > 20);
}

// M is positive semidefinite with M e = 0, so that e.(M z + q) = e.q for every z: feasible only if that is not below 0.
static void infeasible_is_proved_where_m_is_copositive_plus(void **state)
{
    double A[64], M[64], q[8], z[8];
    StickRandom random = stick_random_seed(11);
    for (int k = 0; k < 50; k++) {
        int n = 3 + k % 6;
        for (int e = 0; e < n * n; e++)
            A[e] = stick_random_uniform(&random, -1, 1);
        // rows of A add up to zero, so that e'A A' = 0
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 1; i < n; i++)
                sum += A[j * n + i];
            A[j * n] = -sum;
        }
        times_transposed(n, A, M);
        for (int i = 0; i < n; i++)
            q[i] = stick_random_uniform(&random, -1, 1) / n - (i == 0);
        StickSolveInfo info = solve_dense(*state, n, M, q, z);
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += q[i];
        assert_int_equal(info.end == STICK_SOLVE_RAY, sum < 0);
        assert_int_equal(strstr(info.detail, "infeasible") != NULL, sum < 0);
    }
}

// ---- advanced starts

static StickSolveInfo solve_from(StickContext *ctx, int n, const double *M, const double *q, double *z)
{
    StickLemke *lemke;
    StickSolveInfo info;
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    assert_ok(ctx, stick_lemke_solve_near(lemke, &(StickLcp){n, M, q}, PIVOTS, z, &info));
    stick_lemke_destroy(lemke);
    return info;
}

static void the_basis_of_the_solution_needs_no_pivot(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], exact[MOST], z[MOST];
    StickRandom random = stick_random_seed(12);
    for (int n = 1; n <= 40; n++) {
        manufacture(&random, n, M, q, exact);
        memcpy(z, exact, sizeof z);
        StickSolveInfo info = solve_from(*state, n, M, q, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, 0);
        for (int i = 0; i < n; i++)
            assert_near(z[i], exact[i], 1e-11);
    }
}

static void a_guess_that_is_nearly_right_saves_pivots(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], exact[MOST], z[MOST];
    int near_pivots = 0, far_pivots = 0;
    StickRandom random = stick_random_seed(13);
    for (int k = 0; k < 40; k++) {
        int n = 20 + k;
        manufacture(&random, n, M, q, exact);
        far_pivots += solve_dense(*state, n, M, q, z).iterations;
        memcpy(z, exact, sizeof z);
        z[k % n] = z[k % n] > 0 ? 0 : 1;
        z[3 * k % n] = z[3 * k % n] > 0 ? 0 : 1;
        StickSolveInfo info = solve_from(*state, n, M, q, z);
        near_pivots += info.iterations;
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < n; i++)
            assert_near(z[i], exact[i], 1e-11);
    }
    print_message("%d pivots instead of %d\n", near_pivots, far_pivots);
    assert_true(4 * near_pivots < far_pivots);
}

// All z at once is a singular basis here; a start in which nothing is feasible is another.
static void any_guess_ends_at_a_solution(void **state)
{
    static double A[MOST * MOST], M[MOST * MOST];
    double q[MOST], z[MOST];
    StickRandom random = stick_random_seed(14);
    for (int k = 0; k < 60; k++) {
        int n = 5 + k % 30, rank = n / 2;
        for (int e = 0; e < n * n; e++)
            A[e] = e / n < rank ? stick_random_uniform(&random, -1, 1) : 0;
        times_transposed(n, A, M);
        for (int i = 0; i < n; i++) {
            q[i] = stick_random_uniform(&random, 0, 0.2);
            for (int j = 0; j < n; j++)
                q[i] -= M[j * n + i] * (j % 2);
            z[i] = k % 2 == 0 || stick_random_uniform(&random, 0, 1) < 0.5;
        }
        StickSolveInfo info = solve_from(*state, n, M, q, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_solves(n, M, q, z, 1e-9);
    }
}

// ---- sparse problems

// A chain: M tridiagonal. The entries give the same bits as the full matrix.
static void entries_are_as_good_as_a_full_matrix(void **state)
{
    enum { N = 60 };
    static double M[N * N];
    double q[N], z[N], same[N] = {0};
    StickContext *ctx = *state;
    StickTriplets triplets = {.rows = N, .cols = N};
    StickSparse sparse;
    StickLemke *lemke;
    StickSolveInfo info;
    StickRandom random = stick_random_seed(15);
    for (int j = 0; j < N; j++) {
        q[j] = stick_random_uniform(&random, -1, 1);
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < N; i++) {
            M[j * N + i] = i == j ? 2 : -0.9;
            assert_ok(ctx, stick_triplets_add(ctx, &triplets, i, j, M[j * N + i]));
        }
    }
    assert_ok(ctx, stick_sparse_from_triplets(ctx, &triplets, &sparse));
    assert_int_equal(solve_dense(ctx, N, M, q, z).end, STICK_SOLVE_CONVERGED);
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    assert_ok(ctx, stick_lemke_reserve_sparse(lemke, N, 3 * N, N));
    size_t calls = stick_memory_calls(ctx);
    assert_ok(ctx, stick_lemke_solve_sparse(lemke, &(StickSparseLcp){&sparse, q}, PIVOTS, same, &info));
    assert_int_equal(stick_memory_calls(ctx), calls);
    assert_memory_equal(z, same, sizeof z);
    assert_solves(N, M, q, z, 1e-12);
    sparse.value[4] = NAN;
    assert_int_equal(stick_lemke_solve_sparse(lemke, &(StickSparseLcp){&sparse, q}, PIVOTS, same, &info),
                     STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "M(3,2)"));
    stick_lemke_destroy(lemke);
    // a path that needs more basic z's than reserved reports it
    sparse.value[4] = -0.9;
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    assert_ok(ctx, stick_lemke_reserve_sparse(lemke, N, 3 * N, 5));
    assert_ok(ctx, stick_lemke_solve_sparse(lemke, &(StickSparseLcp){&sparse, q}, PIVOTS, same, &info));
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_non_null(strstr(info.detail, "room"));
    stick_lemke_destroy(lemke);
    stick_sparse_destroy(ctx, &sparse);
    stick_triplets_destroy(ctx, &triplets);
}

// ---- data

// `n`, storage 0, sizes twice, M by columns, q
static bool read_dense(const char *folder, const char *name, double *M, double *q, int *n)
{
    char path[512];
    int storage, sizes[4];
    snprintf(path, sizeof path, "%s/lcp/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool good = fscanf(file, "%d %d %d %d %d %d", n, &storage, sizes, sizes + 1, sizes + 2, sizes + 3) == 6 &&
                storage == 0 && *n <= MOST;
    for (int k = 0; good && k < *n * *n + *n; k++)
        good = fscanf(file, "%lf", k < *n * *n ? &M[k] : &q[k - *n * *n]) == 1;
    fclose(file);
    return good;
}

static void data_of_others_are_solved(void **state)
{
    static const struct {
        const char *name;
        StickSolveEnd end;
    } files[] = {
        {"lcp_CPS_2.dat", STICK_SOLVE_CONVERGED},   {"lcp_CPS_3.dat", STICK_SOLVE_RAY},
        {"lcp_CPS_4.dat", STICK_SOLVE_CONVERGED},   {"lcp_exp_murty.dat", STICK_SOLVE_CONVERGED},
        {"lcp_mmc.dat", STICK_SOLVE_CONVERGED},     {"lcp_ortiz.dat", STICK_SOLVE_CONVERGED},
        {"lcp_tobenna.dat", STICK_SOLVE_CONVERGED},
    };
    static double M[MOST * MOST];
    double q[MOST], z[MOST];
    const char *folder = data_folder();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        int n;
        assert_true(read_dense(folder, files[k].name, M, q, &n));
        StickSolveInfo info = solve_dense(*state, n, M, q, z);
        print_message("%-18s n = %2d: %s, %d pivots, residual %.1e %s\n", files[k].name, n,
                      stick_solve_end_name(info.end), info.iterations, info.residual, info.detail);
        assert_int_equal(info.end, files[k].end);
        if (info.end == STICK_SOLVE_CONVERGED)
            assert_solves(n, M, q, z, 1e-10);
    }
}

// ---- manners

static void nothing_to_do_is_done(void **state)
{
    double M[4] = {-1, 0, 0, -1}, q[2] = {0, 3}, z[2] = {5, 5};
    StickSolveInfo info = solve_dense(*state, 2, M, q, z);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 0);
    assert_true(z[0] == 0 && z[1] == 0);
    assert_int_equal(solve_dense(*state, 0, NULL, NULL, NULL).end, STICK_SOLVE_CONVERGED);
}

static void wrong_input_is_refused_by_name(void **state)
{
    StickContext *ctx = *state;
    StickLemke *lemke;
    StickSolveInfo info = {.iterations = -5};
    double M[4] = {1, 0, 0, 1}, q[2] = {-1, -1}, z[2] = {5, 5};
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    M[2] = NAN;
    assert_int_equal(stick_lemke_solve(lemke, &(StickLcp){2, M, q}, 10, z, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "M(1,2)"));
    M[2] = 0, q[1] = INFINITY;
    assert_int_equal(stick_lemke_solve(lemke, &(StickLcp){2, M, q}, 10, z, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "q2"));
    assert_int_equal(stick_lemke_solve(lemke, &(StickLcp){-1, M, q}, 10, z, &info), STICK_BAD_INPUT);
    assert_true(z[0] == 5 && z[1] == 5 && info.iterations == -5);
    stick_lemke_destroy(lemke);
}

static void limit_of_pivots_is_an_end(void **state)
{
    StickContext *ctx = *state;
    StickLemke *lemke;
    StickSolveInfo info;
    double M[100], q[10], z[10] = {5};
    triangle(10, true, M);
    for (int i = 0; i < 10; i++)
        q[i] = -(ldexp(1, 11) - ldexp(1, i + 1));
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    assert_ok(ctx, stick_lemke_solve(lemke, &(StickLcp){10, M, q}, 1023, z, &info));
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_int_equal(info.iterations, 1023);
    assert_true(z[0] == 5);
    stick_lemke_destroy(lemke);
}

static void reserved_solve_allocates_nothing(void **state)
{
    StickContext *ctx = *state;
    StickLemke *lemke;
    StickSolveInfo info;
    static double M[MOST * MOST];
    double q[MOST], exact[MOST], z[MOST];
    StickRandom random = stick_random_seed(3);
    manufacture(&random, 40, M, q, exact);
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    assert_ok(ctx, stick_lemke_reserve(lemke, 40));
    size_t calls = stick_memory_calls(ctx);
    assert_ok(ctx, stick_lemke_solve(lemke, &(StickLcp){40, M, q}, PIVOTS, z, &info));
    assert_int_equal(stick_memory_calls(ctx), calls);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    stick_lemke_destroy(lemke);
}

static StickStatus create_and_solve(StickContext *ctx, void *data)
{
    StickLemke *lemke;
    StickSolveInfo info;
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, z[2];
    (void)data;
    STICK_TRY(stick_lemke_create(ctx, &lemke));
    StickStatus status = stick_lemke_reserve(lemke, 1);
    if (status == STICK_OK)
        status = stick_lemke_solve(lemke, &(StickLcp){2, M, q}, 10, z, &info);
    stick_lemke_destroy(lemke);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(create_and_solve, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(textbook_problems_have_their_solutions),
        test_with_context(one_of_many_solutions_is_found),
        test_with_context(cyclic_p_matrix_takes_8_pivots),
        test_with_context(tied_starts_do_not_mislead),
        test_with_context(rays_are_reported_and_z_stays),
        test_with_context(murty_takes_2_to_the_n_pivots),
        test_with_context(triangular_matrices_with_equal_q_are_degenerate_and_solved),
        test_with_context(fathi_takes_2_or_2n_pivots),
        test_with_context(random_p_matrices_give_the_known_solution),
        test_with_context(units_do_not_matter),
        test_with_context(random_problems_go_the_way_of_the_tableau),
        test_with_context(feasible_problems_are_never_called_infeasible),
        test_with_context(infeasible_is_proved_where_m_is_copositive_plus),
        test_with_context(the_basis_of_the_solution_needs_no_pivot),
        test_with_context(a_guess_that_is_nearly_right_saves_pivots),
        test_with_context(any_guess_ends_at_a_solution),
        test_with_context(entries_are_as_good_as_a_full_matrix),
        test_with_context(data_of_others_are_solved),
        test_with_context(nothing_to_do_is_done),
        test_with_context(wrong_input_is_refused_by_name),
        test_with_context(limit_of_pivots_is_an_end),
        test_with_context(reserved_solve_allocates_nothing),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.lcp_lemke", tests, NULL, NULL);
}
