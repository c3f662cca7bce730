// SPDX-License-Identifier: Apache-2.0
// What modes of a large unsymmetric problem cost: a plane elastic block with friction-like rows on one side, 2e5
// unknowns, 20 eigenvalues nearest to a shift, real and complex. The unit is the factorisation at the shift and one
// solve with it, measured in the same run; the goal is at most one factorisation and 150 solves. Then what it costs to
// know that none was missed.
//
//     bench.modes [nodes along a side]
#include "base/clock.h"
#include "base/memory.h"
#include "linalg/arnoldi.h"
#include "linalg/threads.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODES = 20, GOAL = 150, REPEATS = 5 };
static const double MU = 0.8; // friction of the lower side

// ---- the problem

// Stiffness and mass of a square of side 1 with bilinear functions, plane stress, E = 1, nu = 0.3, 2 x 2 points.
static void square_element(double K[8][8], double M[8][8])
{
    static const double sx[4] = {-1, 1, 1, -1}, sy[4] = {-1, -1, 1, 1};
    double nu = 0.3, a = 1 / (1 - nu * nu), g = 1 / sqrt(3);
    for (int p = 0; p < 4; p++) {
        double x = sx[p] * g, y = sy[p] * g, N[4], dx[4], dy[4];
        for (int i = 0; i < 4; i++) {
            N[i] = (1 + sx[i] * x) * (1 + sy[i] * y) / 4;
            dx[i] = sx[i] * (1 + sy[i] * y) / 2;
            dy[i] = sy[i] * (1 + sx[i] * x) / 2;
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double shear = (1 - nu) / 2;
                K[2 * i][2 * j] += a * (dx[i] * dx[j] + shear * dy[i] * dy[j]) / 4;
                K[2 * i][2 * j + 1] += a * (nu * dx[i] * dy[j] + shear * dy[i] * dx[j]) / 4;
                K[2 * i + 1][2 * j] += a * (nu * dy[i] * dx[j] + shear * dx[i] * dy[j]) / 4;
                K[2 * i + 1][2 * j + 1] += a * (dy[i] * dy[j] + shear * dx[i] * dx[j]) / 4;
                M[2 * i][2 * j] += N[i] * N[j] / 4;
                M[2 * i + 1][2 * j + 1] += N[i] * N[j] / 4;
            }
    }
}

// Nodes (i, j) of a grid; the upper side is fixed, the lower one slides: no motion across it, and its rows along it take
// mu times those across it.
typedef struct Grid {
    int m;         // nodes along a side
    double h;      // between them
    int *freedom;  // 2 m^2: number of an unknown, or -1
    int *receiver; // 2 m^2: for a row across the lower side the unknown that takes mu times it, or -1
    int n;
} Grid;

static StickStatus make_grid(StickContext *ctx, int m, Grid *grid)
{
    *grid = (Grid){.m = m, .h = 1.0 / (m - 1)};
    STICK_ALLOC(ctx, grid->freedom, 4 * (size_t)m * (size_t)m);
    grid->receiver = grid->freedom + 2 * m * m;
    for (int node = 0; node < m * m; node++)
        for (int c = 0; c < 2; c++) {
            bool top = node / m == m - 1, bottom = node / m == 0;
            grid->receiver[2 * node + c] = bottom && c == 1 ? grid->freedom[2 * node] : -1;
            grid->freedom[2 * node + c] = top || (bottom && c == 1) ? -1 : grid->n++;
        }
    return STICK_OK;
}

static StickStatus add_entry(StickContext *ctx, const Grid *grid, int i, int j, double value,
                             StickTriplets *T)
{
    int col = grid->freedom[j];
    if (col < 0)
        return STICK_OK;
    if (grid->freedom[i] >= 0)
        return stick_triplets_add(ctx, T, grid->freedom[i], col, value);
    if (grid->receiver[i] >= 0)
        return stick_triplets_add(ctx, T, grid->receiver[i], col, -MU * value);
    return STICK_OK;
}

static StickStatus add_elements(StickContext *ctx, const Grid *grid, StickTriplets *K, StickTriplets *M)
{
    double k[8][8] = {{0}}, m[8][8] = {{0}};
    square_element(k, m);
    for (int y = 0; y + 1 < grid->m; y++)
        for (int x = 0; x + 1 < grid->m; x++) {
            int first = y * grid->m + x;
            const int node[4] = {first, first + 1, first + grid->m + 1, first + grid->m};
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++) {
                    int row = 2 * node[i / 2] + i % 2, col = 2 * node[j / 2] + j % 2;
                    STICK_TRY(add_entry(ctx, grid, row, col, k[i][j], K));
                    STICK_TRY(add_entry(ctx, grid, row, col, grid->h * grid->h * m[i][j], M));
                }
        }
    return STICK_OK;
}

static StickStatus make_problem(StickContext *ctx, int m, StickSparse *K, StickSparse *M)
{
    Grid grid = {0};
    STICK_TRY(make_grid(ctx, m, &grid));
    StickTriplets k = {.rows = grid.n, .cols = grid.n}, mass = {.rows = grid.n, .cols = grid.n};
    StickStatus status = add_elements(ctx, &grid, &k, &mass);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &k, K);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &mass, M);
    stick_triplets_destroy(ctx, &k);
    stick_triplets_destroy(ctx, &mass);
    stick_free(ctx, grid.freedom);
    return status;
}

// ---- what it costs

// Seconds of the factorisation at a shift, and of a solve with it: best of several.
static StickStatus measure_units(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                                 double complex shift, double *factorisation, double *solve)
{
    StickPencil *pencil;
    STICK_TRY(stick_pencil_create(ctx, K, NULL, M, &pencil));
    double start = stick_clock_cpu();
    StickStatus status = stick_pencil_factor(pencil, shift);
    *factorisation = stick_clock_cpu() - start;
    double complex *x = stick_alloc(ctx, 2 * (size_t)K->rows, sizeof *x);
    if (!x)
        status = STICK_NO_MEMORY;
    *solve = INFINITY;
    for (int k = 0; k < REPEATS && status == STICK_OK; k++) {
        StickKrylovOperator op = stick_pencil_operator(pencil);
        for (int i = 0; i < K->rows; i++)
            x[i] = 1;
        start = stick_clock_cpu();
        status = op.apply ? op.apply(op.data, (double *)x, (double *)(x + K->rows))
                          : op.apply_complex(op.data, x, x + K->rows);
        *solve = fmin(*solve, stick_clock_cpu() - start);
    }
    stick_free(ctx, x);
    stick_pencil_destroy(pencil);
    return status;
}

static StickStatus measure_modes(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                                 double complex shift, bool *reached)
{
    StickArnoldi *arnoldi;
    StickEigen eigen = {0};
    StickArnoldiReport report;
    StickArnoldiOptions options = stick_arnoldi_default();
    double factorisation, solve;
    options.krylov.count = MODES;
    STICK_TRY(measure_units(ctx, K, M, shift, &factorisation, &solve));
    STICK_TRY(stick_arnoldi_create(ctx, K, NULL, M, &arnoldi));
    double start = stick_clock_cpu();
    StickStatus status = stick_arnoldi_nearest(arnoldi, shift, &options, &eigen, &report);
    double taken = stick_clock_cpu() - start;
    if (status == STICK_OK) {
        double solves = (taken - factorisation) / solve;
        printf("%8d %5g %+6g i %11.2f s %9.1f ms %8.2f s %9d %9d %14.0f %11.1e\n", K->rows, creal(shift),
               cimag(shift), factorisation, 1e3 * solve, taken, report.products, report.restarts, solves,
               report.residual);
        *reached = *reached && solves <= GOAL;
    }
    stick_eigen_destroy(ctx, &eigen);
    stick_arnoldi_destroy(arnoldi);
    return status;
}

static StickStatus measure_proof(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                                 double complex center, double radius, StickArnoldiProof proof)
{
    static const char *const names[] = {"none", "second run", "winding number"};
    StickArnoldi *arnoldi;
    StickEigen eigen = {0};
    StickArnoldiReport report;
    StickArnoldiOptions options = stick_arnoldi_default();
    options.krylov.count = MODES;
    options.proof = proof;
    STICK_TRY(stick_arnoldi_create(ctx, K, NULL, M, &arnoldi));
    double start = stick_clock_cpu();
    StickStatus status = stick_arnoldi_window(arnoldi, center, radius, &options, &eigen, &report);
    if (status == STICK_OK)
        printf("%-15s %8d %16d %9d %9d %8.2f s\n", names[proof], eigen.count, report.factorisations,
               report.samples, report.products, stick_clock_cpu() - start);
    stick_eigen_destroy(ctx, &eigen);
    stick_arnoldi_destroy(arnoldi);
    return status;
}

static StickStatus run(StickContext *ctx, int m)
{
    StickSparse K = {0}, M = {0};
    bool reached = true;
    StickStatus status = make_problem(ctx, m, &K, &M);
    printf("unknowns        shift  factorisation     a solve     modes    solves  restarts "
           "beyond factors    residual\n");
    if (status == STICK_OK)
        status = measure_modes(ctx, &K, &M, 20, &reached);
    if (status == STICK_OK)
        status = measure_modes(ctx, &K, &M, 20 + 5 * I, &reached);
    printf("all eigenvalues within 8 of 20\nproof            inside  factorisations   samples    solves     "
           "time\n");
    for (int proof = STICK_ARNOLDI_TRUST; proof <= STICK_ARNOLDI_COUNT && status == STICK_OK; proof++)
        status = measure_proof(ctx, &K, &M, 20, 8, proof);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
    printf("%d modes cost one factorisation and at most %d solves (goal): %s\n", MODES, GOAL,
           reached ? "yes" : "no");
    return status != STICK_OK ? status : reached ? STICK_OK : STICK_CHECK_FAILED;
}

int main(int argc, char **argv)
{
    int m = argc > 1 ? atoi(argv[1]) : 317;
    if (m < 3 || m > 2000) {
        fprintf(stderr, "usage: bench.modes [nodes along a side]\n");
        return STICK_USAGE;
    }
    stick_blas_single_thread();
    StickContext *ctx = stick_context_create(NULL);
    StickStatus status = run(ctx, m);
    if (status != STICK_OK && stick_last_error(ctx)[0])
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    stick_context_destroy(ctx);
    return status;
}
