// SPDX-License-Identifier: Apache-2.0
// Contacts that nothing couples are problems of their own: found whatever their order, and solved apart by `auto`.
#include "check.h"

#include "solve/islands.h"
#include "solve/lattice.h"

#include <stickslip/certificate.h>

// Lattices of different sizes side by side, contacts at random places, each problem in units of its own.
typedef struct Archipelago {
    int n, nislands;
    int *island; // n: where a contact belongs
    StickBlocks W;
    double *u_free, *mu, *solution;
    StickFrictionProblem problem;
} Archipelago;

static void archipelago_free(Archipelago *all)
{
    free(all->W.start), free(all->W.col), free(all->W.value);
    free(all->u_free), free(all->mu), free(all->solution), free(all->island);
}

static void shuffle(StickRandom *random, int n, int *place)
{
    for (int c = 0; c < n; c++)
        place[c] = c;
    for (int c = n - 1; c > 0; c--) {
        int other = (int)stick_random_uniform(random, 0, c + 0.999), kept = place[c];
        place[c] = place[other];
        place[other] = kept;
    }
}

// A place is the number of a contact in the whole; contact c of a lattice takes the c-th smallest of its places, so
// that columns stay ascending.
static void archipelago_make(Archipelago *all, int dim, int nislands, const int *sizes, double coupling)
{
    StickRandom random = stick_random_seed(7);
    Lattice *lattice = calloc((size_t)nislands, sizeof *lattice);
    int n = 0, blocks = 0, count = 0;
    for (int k = 0; k < nislands; k++) {
        lattice_create(&lattice[k], &random, dim, sizes[k], coupling);
        n += sizes[k];
        blocks += lattice[k].start[sizes[k]];
    }
    size_t rows = (size_t)(n * dim), size = (size_t)(dim * dim);
    *all = (Archipelago){
        .n = n,
        .nislands = nislands,
        .island = malloc((size_t)n * sizeof(int)),
        .W = {dim, n, calloc((size_t)n + 1, sizeof(int)), malloc((size_t)blocks * sizeof(int)),
              malloc((size_t)blocks * size * sizeof(double))},
        .u_free = malloc(rows * sizeof(double)),
        .mu = malloc((size_t)n * sizeof(double)),
        .solution = malloc(rows * sizeof(double)),
    };
    int *place = malloc((size_t)n * sizeof *place), *inside = calloc((size_t)nislands, sizeof *inside);
    int *global = malloc((size_t)n * sizeof *global), *first = calloc((size_t)nislands + 1, sizeof *first);
    shuffle(&random, n, place);
    for (int k = 0, c = 0; k < nislands; k++) {
        first[k + 1] = first[k] + sizes[k];
        for (int i = 0; i < sizes[k]; i++)
            all->island[place[c++]] = k;
    }
    for (int g = 0; g < n; g++)
        global[first[all->island[g]] + inside[all->island[g]]++] = g;
    memset(inside, 0, (size_t)nislands * sizeof *inside);
    for (int g = 0; g < n; g++) {
        int k = all->island[g], c = inside[k]++;
        const Lattice *own = &lattice[k];
        for (int e = own->start[c]; e < own->start[c + 1]; e++, count++) {
            all->W.col[count] = global[first[k] + own->col[e]];
            memcpy(all->W.value + (size_t)count * size, own->value + (size_t)e * size, size * sizeof(double));
        }
        all->W.start[g + 1] = count;
        all->mu[g] = own->mu[c];
        // each in units of its own
        for (int i = 0; i < dim; i++) {
            all->u_free[dim * g + i] = pow(10, k % 5) * own->u_free[dim * c + i];
            all->solution[dim * g + i] = pow(10, k % 5) * own->r[dim * c + i];
        }
    }
    all->problem = (StickFrictionProblem){
        .dim = dim, .ncontacts = n, .W = &all->W, .u_free = all->u_free, .mu = all->mu};
    for (int k = 0; k < nislands; k++)
        lattice_destroy(&lattice[k]);
    free(lattice), free(place), free(inside), free(global), free(first);
}

enum { NSIZES = 40 };

static void some_sizes(int *sizes)
{
    for (int k = 0; k < NSIZES; k++)
        sizes[k] = k == 3 ? 400 : k < 25 ? 1 : 1 + k % 7 * 13;
}

static void islands_are_found(void **state)
{
    int sizes[NSIZES];
    some_sizes(sizes);
    for (int dim = 1; dim <= 3; dim++) {
        Archipelago all;
        StickIslands islands = {0};
        archipelago_make(&all, dim, NSIZES, sizes, 0.05);
        assert_ok(*state, stick_islands_find(*state, &all.problem, &islands));
        stick_islands_load(&islands, &all.problem);
        assert_int_equal(islands.count, NSIZES);
        // of each island one W with the rows as they were, in the order of first contacts
        for (int k = 0, last = -1; k < islands.count; k++) {
            StickIsland island;
            stick_islands_take(&islands, k, &island);
            int first = islands.order[island.first], is = all.island[first];
            assert_true(first > last);
            last = first;
            assert_int_equal(island.ncontacts, sizes[is]);
            for (int c = 0; c < island.ncontacts; c++) {
                int g = islands.order[island.first + c], count = all.W.start[g + 1] - all.W.start[g];
                assert_int_equal(all.island[g], is);
                assert_int_equal(island.W.start[c + 1] - island.W.start[c], count);
                assert_true(island.problem.mu[c] == all.mu[g] || dim == 1);
                for (int e = 0; e < count; e++) {
                    int col = island.W.col[island.W.start[c] + e];
                    assert_int_equal(islands.order[island.first + col], all.W.col[all.W.start[g] + e]);
                    assert_memory_equal(island.W.value + (island.W.start[c] + e) * dim * dim,
                                        all.W.value + (all.W.start[g] + e) * dim * dim,
                                        (size_t)(dim * dim) * sizeof(double));
                }
            }
        }
        stick_islands_destroy(&islands);
        archipelago_free(&all);
    }
}

// One block above the diagonal, and none below, joins two contacts.
static void a_block_in_one_direction_joins(void **state)
{
    int start[] = {0, 2, 3, 4}, col[] = {0, 2, 1, 2};
    double value[4] = {1, 0.1, 1, 1}, u_free[3] = {0};
    StickBlocks W = {1, 3, start, col, value};
    StickFrictionProblem problem = {.dim = 1, .ncontacts = 3, .W = &W, .u_free = u_free};
    StickIslands islands = {0};
    assert_ok(*state, stick_islands_find(*state, &problem, &islands));
    assert_int_equal(islands.count, 2);
    assert_int_equal(islands.first[1], 2);
    assert_int_equal(islands.order[1], 2);
    stick_islands_destroy(&islands);
}

static StickSolveInfo solve_with(StickContext *ctx, const Archipelago *all, int threads, double aim,
                                 const double *guess, double *r)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    size_t rows = (size_t)(all->problem.dim * all->n);
    double *u = calloc(rows, sizeof *u);
    options.threads = threads;
    options.aim = aim;
    for (size_t i = 0; i < rows; i++)
        r[i] = guess ? guess[i] : 0;
    assert_ok(ctx, stick_solver_create(ctx, "auto", &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, &all->problem, r, u, &info));
    stick_solver_destroy(solver);
    free(u);
    return info;
}

// Couplings of 0.05 are solved by sweeps, those of 0.2 need more; the answer is that of the whole, certified as such.
static void islands_are_solved_with_the_same_bits_on_any_threads(void **state)
{
    StickContext *ctx = *state;
    int sizes[NSIZES];
    some_sizes(sizes);
    for (int k = 0; k < 12; k++) {
        int dim = 1 + k % 3;
        Archipelago all;
        StickCertificate certificate;
        archipelago_make(&all, dim, NSIZES, sizes, k < 6 ? 0.05 : 0.15);
        size_t rows = (size_t)(dim * all.n);
        double *r = calloc(rows, sizeof *r), *other = calloc(rows, sizeof *r),
               *guess = calloc(rows, sizeof *r);
        for (size_t i = 0; i < rows && k % 6 > 2; i++)
            guess[i] = 1.01 * all.solution[i];
        StickSolveInfo info = solve_with(ctx, &all, 1, k % 2 ? 1e-12 : 0, guess, r);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_ok(ctx, stick_certify(ctx, &all.problem, r, 0, 1e-8, &certificate));
        assert_true(certificate.certified);
        for (int threads = 2; threads <= 5; threads += 3) {
            StickSolveInfo again = solve_with(ctx, &all, threads, k % 2 ? 1e-12 : 0, guess, other);
            assert_memory_equal(r, other, rows * sizeof *r);
            assert_int_equal(again.iterations, info.iterations);
        }
        free(r), free(other), free(guess);
        archipelago_free(&all);
    }
}

// Small forces next to large ones are solved as accurately as alone, though the overall error does not see them.
static void a_faint_island_is_solved_too(void **state)
{
    int sizes[] = {30, 1, 3};
    Archipelago all;
    archipelago_make(&all, 3, 3, sizes, 0.05);
    size_t rows = (size_t)(3 * all.n);
    double *r = calloc(rows, sizeof *r);
    for (int g = 0; g < all.n; g++)
        for (int i = 3 * g; i < 3 * g + 3 && all.island[g] == 2; i++) {
            all.u_free[i] *= 1e-12;
            all.solution[i] *= 1e-12;
        }
    assert_int_equal(solve_with(*state, &all, 2, 0, NULL, r).end, STICK_SOLVE_CONVERGED);
    for (int g = 0; g < all.n; g++)
        for (int i = 3 * g; i < 3 * g + 3 && all.island[g] == 2; i++)
            assert_near(r[i], all.solution[i], 1e-17);
    free(r);
    archipelago_free(&all);
}

// One island that has no solution: its contacts are named, the others are solved.
static void an_island_without_solution_is_named(void **state)
{
    int sizes[] = {30, 1, 3};
    Archipelago all;
    archipelago_make(&all, 2, 3, sizes, 0.05);
    double r[2 * 34];
    for (int g = 0; g < all.n; g++)
        for (int e = all.W.start[g]; e < all.W.start[g + 1] && all.island[g] == 2; e++)
            memset(all.W.value + 4 * e, 0, 4 * sizeof(double));
    for (int g = 0; g < all.n; g++)
        if (all.island[g] == 2)
            all.u_free[2 * g] = -1;
    StickSolveInfo info = solve_with(*state, &all, 2, 0, NULL, r);
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_non_null(strstr(info.detail, "an island of 3 of 34 contacts"));
    for (int g = 0; g < all.n; g++)
        for (int i = 2 * g; i < 2 * g + 2 && all.island[g] < 2; i++)
            assert_near(r[i], all.solution[i], 1e-6 * pow(10, all.island[g]));
    archipelago_free(&all);
}

static StickStatus solve_in_little_memory(StickContext *ctx, void *data)
{
    const Archipelago *all = data;
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    double r[3 * 40] = {0}, u[3 * 40];
    options.threads = 2;
    STICK_TRY(stick_solver_create(ctx, "auto", &options, &solver));
    StickStatus status = stick_solver_solve(solver, &all->problem, r, u, &info);
    if (status == STICK_OK)
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    stick_solver_destroy(solver);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    int sizes[] = {30, 1, 9};
    Archipelago all;
    archipelago_make(&all, 3, 3, sizes, 0.15);
    assert_survives_failing_memory(solve_in_little_memory, &all);
    archipelago_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(islands_are_found),
        test_with_context(a_block_in_one_direction_joins),
        test_with_context(islands_are_solved_with_the_same_bits_on_any_threads),
        test_with_context(a_faint_island_is_solved_too),
        test_with_context(an_island_without_solution_is_named),
        test_with_context(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("solve.islands", tests, NULL, NULL);
}
