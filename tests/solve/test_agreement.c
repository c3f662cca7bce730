// SPDX-License-Identifier: Apache-2.0
// Every method for the exact cone on the same problems of known solution. How many of them is taken from
// STICKSLIP_TEST_RANDOM; problem k is made from the seed k alone, so that one that fails can be made again.
#include "check.h"

#include "solve/manufactured.h"

#include <stickslip/certificate.h>

#include <stdbool.h>

enum { USUAL_PROBLEMS = 150, MOST_METHODS = 32 };

static const double tolerance = 1e-10;

typedef enum Family {
    UNIQUE,     // W symmetric and regular, friction below the bound of uniqueness
    GYROSCOPIC, // the same with a skew part
    STEEP,      // friction up to 5: the known solution may not be the only one
    SMOOTH,     // W of a third of the rank that it could have, no friction: u is unique, r is not
    LOW_RANK,   // the same with friction: neither is
    ANY_LOAD,   // W of low rank under a load that may have no solution
    NFAMILIES,
} Family;

static const char *const family_names[NFAMILIES] = {"unique", "gyroscopic", "steep",
                                                    "smooth", "low rank",   "any load"};

// How often each of them comes.
static const Family cycle[] = {UNIQUE, GYROSCOPIC, STEEP,  LOW_RANK, UNIQUE,     SMOOTH,  STEEP,
                               UNIQUE, GYROSCOPIC, SMOOTH, UNIQUE,   GYROSCOPIC, STEEP,   LOW_RANK,
                               UNIQUE, SMOOTH,     STEEP,  UNIQUE,   GYROSCOPIC, ANY_LOAD};

// How the solves of one method ended in one family.
typedef struct Tally {
    int solved, told; // told: not converged, and reported so
    int elsewhere;    // solved, with another u than the known one
} Tally;

// The share of problems that a method may leave unsolved: none where friction is below the bound. Sweeps may cycle
// where it is far above, and be too slow where W is singular; gradients and paths of centres are slow or stall
// there.
typedef struct Limit {
    const char *name;
    double steep, smooth, low_rank;
} Limit;

static const Limit limits[] = {
    {"auto", 0, 0, 0.001},
    {"lemke", 0, 0, 0.01},
    {"gauss-seidel", 0.02, 0.015, 0.06},
    {"anderson", 0.01, 0, 0.03},
    {"ssor", 0.01, 0.015, 0.06},
    {"aitken", 0.02, 0, 0.05},
    {"coloured", 0.02, 0.015, 0.06},
    {"newton", 0, 0, 0.01},
    {"newton-jean-moreau", 0.002, 0, 0.01},
    {"interior-point", 0, 0, 0.12},
    {"continuation", 0, 0, 0.2},
    {"conjugate-gradient", 0.004, 0, 0.06},
    {"tresca", 0.002, 0, 0.06},
    {"accelerated-gradient", 0.004, 0, 0.25},
    {"admm", 0.004, 0, 0.03},
    {"augmented-lagrangian", 0.01, 0, 0.01},
};

// Of steep problems, those that are solved at another point than the known one.
static const double most_elsewhere = 0.02;

static Manufactured made;

// ---- problems

// Largest sum of |W_ij| in a row and in a column: their geometric mean is no less than the norm of W.
static double norm_bound(void)
{
    int n = made.problem.dim * made.problem.ncontacts;
    double rows = 0, columns = 0;
    for (int i = 0; i < n; i++) {
        double row = 0, column = 0;
        for (int j = 0; j < n; j++) {
            row += fabs(*manufactured_entry(&made, i, j));
            column += fabs(*manufactured_entry(&made, j, i));
        }
        rows = fmax(rows, row);
        columns = fmax(columns, column);
    }
    return sqrt(rows * columns);
}

// Friction from none to most_mu, and a solution for it.
static void make_contacts(StickRandom *random, double most_mu)
{
    int dim = made.problem.dim;
    for (int c = 0; c < made.problem.ncontacts; c++) {
        bool rough = stick_random_uniform(random, 0, 1) > 0.1;
        made.mu[c] = rough ? stick_random_uniform(random, 0.02 * most_mu, most_mu) : 0;
        manufacture_contact(random, dim, made.mu[c], made.r + dim * c, made.u + dim * c);
    }
    manufacture_u_free(&made);
}

static void add_skew_part(StickRandom *random)
{
    int n = made.problem.dim * made.problem.ncontacts;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double skew = stick_random_uniform(random, -0.1, 0.1);
            *manufactured_entry(&made, i, j) += skew;
            *manufactured_entry(&made, j, i) -= skew;
        }
}

// W = B B'
static void make_low_rank(StickRandom *random)
{
    static double B[MOST_ROWS * MOST_ROWS];
    int n = made.problem.dim * made.problem.ncontacts, rank = (n + 2) / 3;
    for (int k = 0; k < n * rank; k++)
        B[k] = stick_random_uniform(random, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double *entry = manufactured_entry(&made, i, j);
            *entry = 0;
            for (int k = 0; k < rank; k++)
                *entry += B[i * rank + k] * B[j * rank + k];
        }
}

// The least eigenvalue of the symmetric part of W is 1. Given s = mu |u_T|, r is that of a convex problem, and
// |du| <= sqrt(|W|) |ds| for W symmetric, |du| <= |W| |ds| for any: a contraction where friction is less.
static double most_friction(Family family)
{
    switch (family) {
    case UNIQUE:
        return 1 / sqrt(norm_bound());
    case GYROSCOPIC:
        return 1 / norm_bound();
    case STEEP:
        return 5;
    case SMOOTH:
        return 0;
    default:
        return 0.9;
    }
}

static Family make_problem(int k)
{
    StickRandom random = stick_random_seed((uint64_t)k);
    int dim = 2 + k % 2, nc = 1 + k / 2 % 11;
    Family family = cycle[k / 2 % (int)(sizeof cycle / sizeof *cycle)];
    manufacture(&made, &random, dim, nc, 1, stick_random_uniform(&random, 0, 3));
    if (family == GYROSCOPIC)
        add_skew_part(&random);
    if (family == SMOOTH || family == LOW_RANK || family == ANY_LOAD)
        make_low_rank(&random);
    make_contacts(&random, most_friction(family));
    for (int i = 0; i < dim * nc && family == ANY_LOAD; i++)
        made.u_free[i] = stick_random_uniform(&random, -1, i % dim ? 1 : 0.3);
    return family;
}

static int problem_count(void)
{
    const char *given = getenv("STICKSLIP_TEST_RANDOM");
    return given ? atoi(given) : USUAL_PROBLEMS;
}

// ---- answers

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double distance(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

// Only r is trusted; the verifier makes its own u, hence a hundredth for round-off.
static void assert_certified(StickContext *ctx, const char *name, int k, const double *r)
{
    StickCertificate certificate;
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1.01 * tolerance, &certificate));
    if (!certificate.certified)
        fail_msg("problem %d: %s calls an answer converged that has the errors %.2e, %.2e and %.2e", k, name,
                 certificate.error, certificate.error_scale_free, certificate.velocity_error);
}

// The least eigenvalue of a regular W is 1, so that r is known as well as u. With a residual of e, the u of a
// singular one is known to the root of e in theory.
static void compare(const char *name, int k, Family family, const double *r, const double *u, Tally *tally)
{
    int n = made.problem.dim * made.problem.ncontacts;
    double size = fmax(largest(n, made.u), largest(n, made.u_free));
    double u_error = distance(n, u, made.u) / size, r_error = distance(n, r, made.r) / size;
    bool unique = family == UNIQUE || family == GYROSCOPIC;
    if ((unique && fmax(u_error, r_error) > 1e-8) || (family == SMOOTH && u_error > 1e-6))
        fail_msg("problem %d: %s is off by %.2e in u and %.2e in r", k, name, u_error, r_error);
    tally->elsewhere += u_error > 1e-8;
}

static void solve_one(StickContext *ctx, StickSolver *solver, const char *name, int k, Family family,
                      Tally *tally)
{
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    StickSolveInfo info;
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    if (info.end != STICK_SOLVE_CONVERGED) {
        tally->told++;
        return;
    }
    tally->solved++;
    assert_int_equal(info.facets, 0);
    assert_certified(ctx, name, k, r);
    if (family != ANY_LOAD)
        compare(name, k, family, r, u, tally);
}

// ---- counts

// No more than a share of them, and three deviations of such a count.
static bool within_share(int count, int total, double share)
{
    double mean = share * total;
    return count <= mean + 3 * sqrt(mean);
}

static void assert_limits(const char *name, const Tally *tally)
{
    const Limit *limit = NULL;
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (strcmp(limits[k].name, name) == 0)
            limit = &limits[k];
    if (!limit)
        fail_msg("%s is not in the list of limits", name);
    const double share[NFAMILIES] = {
        [STEEP] = limit->steep, [SMOOTH] = limit->smooth, [LOW_RANK] = limit->low_rank, [ANY_LOAD] = 1};
    for (int f = 0; f < NFAMILIES; f++)
        if (!within_share(tally[f].told, tally[f].told + tally[f].solved, share[f]))
            fail_msg("%s leaves %d of %d %s problems", name, tally[f].told, tally[f].told + tally[f].solved,
                     family_names[f]);
    assert_true(within_share(tally[STEEP].elsewhere, tally[STEEP].solved, most_elsewhere));
}

static void print_tally(const char *name, const Tally *tally)
{
    print_message("%-20s", name);
    for (int f = 0; f < NFAMILIES; f++)
        print_message("  %s %d/%d", family_names[f], tally[f].solved, tally[f].solved + tally[f].told);
    print_message("; elsewhere: steep %d, low rank %d\n", tally[STEEP].elsewhere, tally[LOW_RANK].elsewhere);
}

// One solver of each method for all problems: earlier solves must have no influence.
static void all_methods_agree(void **state)
{
    static Tally tally[MOST_METHODS][NFAMILIES];
    StickContext *ctx = *state;
    StickSolver *solver[MOST_METHODS];
    StickSolverOptions options = stick_solver_options_default();
    int nmethods = 0, nproblems = problem_count();
    options.tolerance = tolerance;
    for (; stick_solver_name(nmethods); nmethods++)
        assert_ok(ctx, stick_solver_create(ctx, stick_solver_name(nmethods), &options, &solver[nmethods]));
    for (int k = 0; k < nproblems; k++) {
        Family family = make_problem(k);
        for (int s = 0; s < nmethods; s++) {
            const char *name = stick_solver_name(s);
            // Lemke's cone is the exact one in the plane only
            if ((made.problem.dim == 2 || strcmp(name, "lemke") != 0) && !stick_solver_needs_bodies(s))
                solve_one(ctx, solver[s], name, k, family, &tally[s][family]);
        }
    }
    for (int s = 0; s < nmethods; s++) {
        print_tally(stick_solver_name(s), tally[s]);
        if (!stick_solver_needs_bodies(s))
            assert_limits(stick_solver_name(s), tally[s]);
        stick_solver_destroy(solver[s]);
    }
}

// ---- facets

enum { NLEVELS = 4 };

// Minus the slope of the line through log2 of the errors at 8, 16, 32, 64, by least squares.
static double order_of(const double *error)
{
    double sum = 0, squares = 0;
    for (int level = 0; level < NLEVELS; level++) {
        double x = level - (NLEVELS - 1) / 2.0;
        sum -= x * log2(error[level]);
        squares += x * x;
    }
    return sum / squares;
}

// A sliding contact pushes along a vertex up to pi/m away from its direction: order 1 in u and r. How far chance puts
// the directions from the vertices makes the measured order scatter: 1.05 with a deviation of 0.05 over seeds.
static void facets_converge_to_the_exact_solution(void **state)
{
    double r[MOST_ROWS], u[MOST_ROWS], u_error[NLEVELS] = {0}, r_error[NLEVELS] = {0};
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < 30; k++) {
        manufacture(&made, &random, 3, 6, 0.8, 0.5);
        for (int level = 0; level < NLEVELS; level++) {
            StickSolveInfo info = solve_friction(*state, "lemke", &made.problem, 1e-8, 8 << level, r, u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            assert_int_equal(info.facets, 8 << level);
            for (int i = 0; i < 18; i++) {
                u_error[level] += fabs(u[i] - made.u[i]);
                r_error[level] += fabs(r[i] - made.r[i]);
            }
        }
    }
    print_message("order %.3f in u, %.3f in r\n", order_of(u_error), order_of(r_error));
    assert_near(order_of(u_error), 1, 0.2);
    assert_near(order_of(r_error), 1, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(all_methods_agree),
        test_with_context(facets_converge_to_the_exact_solution),
    };
    return cmocka_run_group_tests_name("solve.agreement", tests, NULL, NULL);
}
