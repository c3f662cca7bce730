// SPDX-License-Identifier: Apache-2.0
#include "linalg/krylov.h"

#include "base/memory.h"
#include "base/random.h"

#include <arpack/arpack.h>
#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const double NOTHING =
    1e-7; // of the largest eigenvalue: size of a double zero after it is split by rounding

static const double LOOSEST = 1e-7;   // tolerance that is ever taken
static const double ROUNDING = 1e-13; // of the largest eigenvalue: errors that no more iterations take away
enum { ENLARGEMENTS = 4 };

// ARPACK keeps its place between calls in variables of its own: one run at a time in a process.
static pthread_mutex_t arpack_is_busy = PTHREAD_MUTEX_INITIALIZER;

StickKrylovOptions stick_krylov_default(void)
{
    return (StickKrylovOptions){.count = 10, .restarts = 30, .tol = 1e-12, .seed = 1};
}

typedef struct Run {
    StickContext *ctx;
    const StickKrylovOperator *op;
    const StickKrylovOptions *options;
    StickKrylovReport *report;
    int n, count, basis;
    bool real;
    double scale;                    // ARPACK sees scale * OP, whose eigenvalues are about 1
    double *start, *V, *work, *room; // real, or complex as pairs
    double *reals, *ends;
    int *select;
} Run;

static size_t parts(const Run *run)
{
    return run->real ? 1 : 2;
}

// ---- products

// y = scale OP x
static StickStatus apply(Run *run, const double *x, double *y)
{
    const StickKrylovOperator *op = run->op;
    size_t size = parts(run) * (size_t)run->n;
    run->report->products++;
    if (run->real)
        STICK_TRY(op->apply(op->data, x, y));
    else
        STICK_TRY(op->apply_complex(op->data, (const double complex *)x, (double complex *)y));
    double sum = 0;
    for (size_t i = 0; i < size; i++) {
        y[i] *= run->scale;
        sum += fabs(y[i]);
    }
    STICK_CHECK(run->ctx, isfinite(sum), STICK_NOT_SOLVED,
                "the operator of an eigenproblem of order %d gives numbers that are not finite", run->n);
    return STICK_OK;
}

// y = OP x for a complex vector, by a real operator in two products; room for 4 n
static StickStatus apply_to_pair(Run *run, const double complex *x, double complex *y, double *room)
{
    int n = run->n;
    if (!run->real)
        return apply(run, (const double *)x, (double *)y);
    double *re = room, *im = room + n, *Re = im + n, *Im = Re + n;
    bool real = true;
    for (int i = 0; i < n; i++) {
        re[i] = creal(x[i]);
        im[i] = cimag(x[i]);
        real = real && im[i] == 0;
        Im[i] = 0;
    }
    STICK_TRY(apply(run, re, Re));
    if (!real)
        STICK_TRY(apply(run, im, Im));
    for (int i = 0; i < n; i++)
        y[i] = Re[i] + I * Im[i];
    return STICK_OK;
}

static double length(const Run *run, const double *x)
{
    return cblas_dnrm2((int)(parts(run) * (size_t)run->n), x, 1);
}

// A start vector in the range of OP, and the scale of OP.
static StickStatus prepare(Run *run)
{
    size_t size = parts(run) * (size_t)run->n;
    StickRandom random = stick_random_seed(run->options->seed);
    for (size_t i = 0; i < size; i++)
        run->work[i] = stick_random_uniform(&random, -1, 1);
    run->scale = 1;
    STICK_TRY(apply(run, run->work, run->start));
    double grown = length(run, run->start) / length(run, run->work);
    STICK_CHECK(run->ctx, grown > 0, STICK_NOT_SOLVED,
                "the operator of an eigenproblem of order %d is zero: it has no eigenvalue that counts",
                run->n);
    run->scale = 1 / grown;
    return STICK_OK;
}

// ---- small ones: the matrix of OP

static StickStatus fill_matrix(Run *run, double *A)
{
    size_t size = parts(run) * (size_t)run->n;
    double *x = run->work;
    for (int j = 0; j < run->n; j++) {
        memset(x, 0, size * sizeof *x);
        x[parts(run) * (size_t)j] = 1;
        STICK_TRY(apply(run, x, A + size * (size_t)j));
    }
    return STICK_OK;
}

static StickStatus solve_real_matrix(Run *run, const double *A, StickEigen *all)
{
    double *unit;
    STICK_ALLOC(run->ctx, unit, (size_t)run->n * (size_t)run->n);
    for (int i = 0; i < run->n; i++)
        unit[(size_t)i * (size_t)(run->n + 1)] = 1;
    StickStatus status = stick_eigen_pencil(run->ctx, run->n, A, unit, all);
    stick_free(run->ctx, unit);
    return status;
}

static StickStatus solve_complex_matrix(Run *run, double complex *A, StickEigen *all)
{
    int n = run->n, size = -1, info = 0;
    double complex room, *work = &room;
    STICK_ALLOC(run->ctx, run->reals, 2 * (size_t)n);
    STICK_TRY(stick_eigen_create(run->ctx, n, n, all));
    for (int pass = 0; pass < 2 && info == 0; pass++) {
        info = LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, A, n, all->value, NULL, 1, all->vector, n,
                                  work, size, run->reals);
        if (pass == 0) {
            size = (int)creal(room);
            STICK_ALLOC(run->ctx, run->room, 2 * (size_t)size);
            work = (double complex *)run->room;
        }
    }
    STICK_CHECK(run->ctx, info == 0, STICK_NOT_SOLVED,
                "a complex eigenproblem of order %d did not converge (LAPACK %d)", n, info);
    return STICK_OK;
}

typedef struct Rank {
    double size;
    int from;
} Rank;

static int compare_ranks(const void *left, const void *right)
{
    const Rank *a = left, *b = right;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

// How many of the largest eigenvalues to return: up to the requested number, without vanishing ones, and complex
// pairs complete.
static int count_largest(const Run *run, const StickEigen *all, const Rank *rank)
{
    int count = 0;
    while (count < all->count && count < run->count && rank[count].size > NOTHING * rank[0].size)
        count++;
    if (!run->real || count == 0 || count == all->count)
        return count;
    double complex next = all->value[rank[count].from];
    int balance = 0;
    for (int k = 0; k < count; k++)
        balance += (all->value[rank[k].from] == conj(next)) - (all->value[rank[k].from] == next);
    return balance > 0 ? count + 1 : count;
}

static StickStatus take_largest(Run *run, const StickEigen *all, StickEigen *eigen)
{
    Rank *rank;
    size_t n = (size_t)run->n;
    STICK_ALLOC(run->ctx, rank, all->count);
    for (int k = 0; k < all->count; k++)
        rank[k] = (Rank){cabs(all->value[k]), k};
    qsort(rank, (size_t)all->count, sizeof *rank, compare_ranks);
    int count = count_largest(run, all, rank);
    StickStatus status = stick_eigen_create(run->ctx, run->n, count, eigen);
    for (int k = 0; k < count && status == STICK_OK; k++) {
        eigen->value[k] = all->value[rank[k].from] / run->scale;
        memcpy(eigen->vector + (size_t)k * n, all->vector + (size_t)rank[k].from * n,
               n * sizeof *eigen->vector);
    }
    stick_free(run->ctx, rank);
    return status;
}

static StickStatus solve_matrix(Run *run, StickEigen *eigen)
{
    StickEigen all = {0};
    STICK_ALLOC(run->ctx, run->V, parts(run) * (size_t)run->n * (size_t)run->n);
    StickStatus status = fill_matrix(run, run->V);
    if (status == STICK_OK)
        status = run->real ? solve_real_matrix(run, run->V, &all)
                           : solve_complex_matrix(run, (double complex *)run->V, &all);
    if (status == STICK_OK)
        status = take_largest(run, &all, eigen);
    stick_eigen_destroy(run->ctx, &all);
    return status;
}

// ---- large ones: ARPACK

enum { PRODUCT_FIRST = -1, PRODUCT = 1 }; // what ARPACK requests

typedef struct Arpack {
    int info;
    double tol;
    int parameter[11]; // [2] restarts, [4] converged ones, [6] mode
    int place[14];     // [0], [1] of x and y in work, [5], [6] of Ritz values in room
    int room;
} Arpack;

static size_t arpack_room(const Run *run)
{
    size_t basis = (size_t)run->basis;
    return run->real ? 3 * basis * basis + 6 * basis : 3 * basis * basis + 5 * basis;
}

static void begin_arpack(const Run *run, double tol, Arpack *a)
{
    *a = (Arpack){.info = 1, .tol = tol, .room = (int)arpack_room(run)}; // we give the start vector
    a->parameter[0] = 1;
    a->parameter[2] = run->options->restarts;
    a->parameter[3] = 1;
    a->parameter[6] = 1;
}

static StickStatus reserve_arpack(Run *run)
{
    size_t basis = (size_t)run->basis, n = (size_t)run->n, room = arpack_room(run);
    STICK_ALLOC(run->ctx, run->V, parts(run) * n * basis);
    STICK_ALLOC(run->ctx, run->room, parts(run) * room);
    STICK_ALLOC(run->ctx, run->reals, 6 * basis);
    STICK_ALLOC(run->ctx, run->ends, 2 * (basis + 1));
    STICK_ALLOC(run->ctx, run->select, basis);
    return STICK_OK;
}

static void ask_arpack(Run *run, Arpack *a, int *ask)
{
    double tol = a->tol;
    int n = run->n, count = run->count, basis = run->basis;
    if (run->real)
        dnaupd_c(ask, "I", n, "LM", count, tol, run->start, basis, run->V, n, a->parameter, a->place,
                 run->work, run->room, a->room, &a->info);
    else
        znaupd_c(ask, "I", n, "LM", count, tol, (double complex *)run->start, basis, (double complex *)run->V,
                 n, a->parameter, a->place, (double complex *)run->work, (double complex *)run->room, a->room,
                 run->reals, &a->info);
}

static StickStatus iterate(Run *run, Arpack *a)
{
    int ask = 0;
    for (ask_arpack(run, a, &ask); ask == PRODUCT_FIRST || ask == PRODUCT; ask_arpack(run, a, &ask)) {
        const double *x = run->work + parts(run) * (size_t)(a->place[0] - 1);
        double *y = run->work + parts(run) * (size_t)(a->place[1] - 1);
        STICK_TRY(apply(run, x, y));
    }
    run->report->restarts += a->parameter[2];
    return STICK_OK;
}

static double ritz_size(const Run *run, const Arpack *a, int k)
{
    const double *re = run->room + parts(run) * (size_t)(a->place[5] - 1 + k);
    return hypot(re[0], run->real ? run->room[a->place[6] - 1 + k] : re[1]);
}

static double ritz_error(const Run *run, const Arpack *a, int k)
{
    const double *error = run->room + parts(run) * (size_t)(a->place[7] - 1 + k);
    return hypot(error[0], run->real ? 0 : error[1]);
}

// Counts Ritz values that do not vanish; the remaining ones come from a singular M and never converge.
static int count_significant(const Run *run, const Arpack *a)
{
    double largest = 0;
    int count = 0;
    for (int k = 0; k < run->basis; k++)
        largest = fmax(largest, ritz_size(run, a, k));
    for (int k = 0; k < run->basis; k++)
        count += ritz_size(run, a, k) > NOTHING * largest;
    return count;
}

// The largest relative error of the wanted eigenvalues; infinite if it is not limited by rounding.
static double worst_error(const Run *run, const Arpack *a)
{
    double worst = 0, largest = 0;
    for (int k = 0; k < run->basis; k++)
        largest = fmax(largest, ritz_size(run, a, k));
    for (int k = 0; k < run->basis; k++) {
        int larger = 0;
        for (int j = 0; j < run->basis; j++)
            larger += ritz_size(run, a, j) > ritz_size(run, a, k);
        if (larger > run->count)
            continue;
        if (ritz_error(run, a, k) > fmax(a->tol * ritz_size(run, a, k), ROUNDING * largest))
            return INFINITY;
        worst = fmax(worst, ritz_error(run, a, k) / ritz_size(run, a, k));
    }
    return worst;
}

static bool has_all(const Run *run, const Arpack *a)
{
    int found = a->parameter[4];
    return found > 0 && (found >= run->count || found >= count_significant(run, a));
}

static StickStatus check_arpack(const Run *run, const Arpack *a)
{
    int found = a->parameter[4];
    STICK_CHECK(run->ctx, a->info >= 0, STICK_INTERNAL, "an eigenproblem of order %d failed (ARPACK %d)",
                run->n, a->info);
    STICK_CHECK(run->ctx, has_all(run, a), STICK_NOT_SOLVED,
                "%d of %d eigenvalues of an operator of order %d converged in %d restarts with %d vectors",
                found, run->count, run->n, a->parameter[2], run->basis);
    return STICK_OK;
}

// Ritz vectors come back where the basis was.
static int extract(Run *run, Arpack *a)
{
    double tol = a->tol;
    int n = run->n, count = run->count, basis = run->basis, info = 0;
    if (run->real)
        dneupd_c(1, "A", run->select, run->ends, run->ends + basis + 1, run->V, n, 0, 0, run->reals, "I", n,
                 "LM", count, tol, run->start, basis, run->V, n, a->parameter, a->place, run->work, run->room,
                 a->room, &info);
    else
        zneupd_c(1, "A", run->select, (double complex *)run->ends, (double complex *)run->V, n, 0,
                 (double complex *)run->reals, "I", n, "LM", count, tol, (double complex *)run->start, basis,
                 (double complex *)run->V, n, a->parameter, a->place, (double complex *)run->work,
                 (double complex *)run->room, a->room, run->reals + 4 * basis, &info);
    return info;
}

static double complex ritz_value(const Run *run, int k)
{
    const double *re = run->ends + parts(run) * (size_t)k;
    return re[0] + I * (run->real ? run->ends[run->basis + 1 + k] : re[1]);
}

static void ritz_vector(const Run *run, int k, double complex value, double complex *x)
{
    size_t n = (size_t)run->n;
    const double *V = run->V + parts(run) * n * (size_t)(run->real && cimag(value) < 0 ? k - 1 : k);
    for (size_t i = 0; i < n; i++) {
        double im = run->real ? cimag(value) == 0 ? 0 : V[n + i] : V[2 * i + 1];
        x[i] = V[parts(run) * i] + I * (run->real && cimag(value) < 0 ? -im : im);
    }
}

static StickStatus take_ritz(Run *run, const Arpack *a, StickEigen *eigen)
{
    StickEigen all;
    STICK_TRY(stick_eigen_create(run->ctx, run->n, a->parameter[4], &all));
    for (int k = 0; k < all.count; k++) {
        double complex value = ritz_value(run, k);
        // The second of a pair is the first one's conjugate to the last bit.
        all.value[k] = run->real && cimag(value) < 0 && k > 0 ? conj(all.value[k - 1]) : value;
        ritz_vector(run, k, value, all.vector + (size_t)k * (size_t)run->n);
    }
    StickStatus status = take_largest(run, &all, eigen);
    stick_eigen_destroy(run->ctx, &all);
    return status;
}

// With a large eigenvalue present, errors of small ones stagnate at round-off, which may exceed the tolerance. The
// error reached is then the tolerance of a second run.
static StickStatus iterate_twice(Run *run, Arpack *a)
{
    begin_arpack(run, run->options->tol, a);
    STICK_TRY(iterate(run, a));
    if (a->info < 0 || has_all(run, a))
        return STICK_OK;
    double reached = 4 * worst_error(run, a);
    if (!(reached <= LOOSEST))
        return STICK_OK;
    STICK_TRY(prepare(run));
    begin_arpack(run, reached, a);
    return iterate(run, a);
}

static StickStatus run_arpack(Run *run, Arpack *a)
{
    STICK_TRY(reserve_arpack(run));
    pthread_mutex_lock(&arpack_is_busy);
    StickStatus status = iterate_twice(run, a);
    bool all = status == STICK_OK && a->info >= 0 && has_all(run, a);
    int info = all ? extract(run, a) : 0;
    pthread_mutex_unlock(&arpack_is_busy);
    STICK_TRY(status);
    STICK_CHECK(run->ctx, info == 0, STICK_INTERNAL,
                "vectors of an eigenproblem of order %d failed (ARPACK %d)", run->n, info);
    return STICK_OK;
}

static void drop_arpack(Run *run)
{
    stick_free(run->ctx, run->V);
    stick_free(run->ctx, run->room);
    stick_free(run->ctx, run->reals);
    stick_free(run->ctx, run->ends);
    stick_free(run->ctx, run->select);
    run->V = run->room = run->reals = run->ends = NULL;
    run->select = NULL;
}

// A space that is too small converges slowly, or never: a larger one is taken then, up to all there is.
static StickStatus solve_arpack(Run *run, StickEigen *eigen)
{
    Arpack a;
    STICK_TRY(run_arpack(run, &a));
    for (int k = 0; k < ENLARGEMENTS && run->options->basis == 0 && a.info >= 0 && !has_all(run, &a); k++) {
        drop_arpack(run);
        STICK_TRY(prepare(run));
        run->basis *= 2;
        if (run->basis >= run->n)
            return solve_matrix(run, eigen);
        STICK_TRY(run_arpack(run, &a));
    }
    STICK_TRY(check_arpack(run, &a));
    return take_ritz(run, &a, eigen);
}

// ---- both

static StickStatus measure(Run *run, StickEigen *eigen)
{
    size_t n = (size_t)run->n;
    double complex *y;
    double *room;
    STICK_ALLOC(run->ctx, y, 3 * n); // the end of it is room for real and imaginary parts
    room = (double *)(y + n);
    StickStatus status = STICK_OK;
    for (int k = 0; k < eigen->count && status == STICK_OK; k++) {
        const double complex *x = eigen->vector + (size_t)k * n;
        double complex value = eigen->value[k] * run->scale, minus = -value;
        status = apply_to_pair(run, x, y, room);
        cblas_zaxpy(run->n, &minus, x, 1, y, 1);
        eigen->residual[k] = cblas_dznrm2(run->n, y, 1) / (cabs(value) * cblas_dznrm2(run->n, x, 1));
    }
    stick_free(run->ctx, y);
    return status;
}

static StickStatus check_options(StickContext *ctx, const StickKrylovOperator *op,
                                 const StickKrylovOptions *options)
{
    STICK_CHECK(ctx, op->n >= 1, STICK_USAGE, "an eigenproblem of order %d", op->n);
    STICK_CHECK(ctx, options->count >= 1, STICK_USAGE, "count of eigenvalues %d is not positive",
                options->count);
    STICK_CHECK(ctx, options->restarts >= 1, STICK_USAGE, "restarts %d are not positive", options->restarts);
    STICK_CHECK(ctx, options->tol > 0 && options->tol < 1, STICK_USAGE, "tolerance %g is not between 0 and 1",
                options->tol);
    STICK_CHECK(ctx, options->basis == 0 || options->basis >= options->count + 2, STICK_USAGE,
                "%d Krylov vectors are too few for %d eigenvalues", options->basis, options->count);
    return STICK_OK;
}

StickStatus stick_krylov_largest(StickContext *ctx, const StickKrylovOperator *op,
                                 const StickKrylovOptions *options, StickEigen *eigen,
                                 StickKrylovReport *report)
{
    *report = (StickKrylovReport){0};
    STICK_TRY(check_options(ctx, op, options));
    Run run = {
        .ctx = ctx,
        .op = op,
        .options = options,
        .report = report,
        .n = op->n,
        .count = options->count,
        .basis = options->basis ? options->basis : 2 * options->count + 20,
        .real = op->apply != NULL,
    };
    StickEigen made = {0};
    size_t size = parts(&run) * (size_t)run.n;
    run.start = stick_alloc(ctx, size, sizeof *run.start);
    run.work = stick_alloc(ctx, 3 * size, sizeof *run.work);
    StickStatus status = run.start && run.work ? prepare(&run) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = run.basis >= run.n ? solve_matrix(&run, &made) : solve_arpack(&run, &made);
    for (int k = 0; k < made.count && status == STICK_OK; k++)
        stick_eigen_normalise(made.n, made.vector + (size_t)k * (size_t)made.n);
    if (status == STICK_OK && !options->unmeasured)
        status = measure(&run, &made);
    if (status == STICK_OK)
        status = stick_eigen_sort(ctx, &made);
    drop_arpack(&run);
    stick_free(ctx, run.start);
    stick_free(ctx, run.work);
    if (status == STICK_OK)
        *eigen = made;
    else
        stick_eigen_destroy(ctx, &made);
    return status;
}
