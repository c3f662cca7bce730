// SPDX-License-Identifier: Apache-2.0
// What a coloured Gauss-Seidel sweep costs, on piles of 1e3 to 1e6 contacts: time per contact against size,
// the share of the machine's memory bandwidth, and the gain of threads. All in one run, best of several.
//
//     bench.sweeps [threads]
#include "base/clock.h"
#include "base/memory.h"
#include "base/pool.h"
#include "pile.h"
#include "solve/coloured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM = 10, REPEATS = 12, PARTS = 64 };

// One thread is measured by its processor time, which others on the machine disturb less.
static double now(int nthreads)
{
    return nthreads == 1 ? stick_clock_cpu() : stick_clock_wall();
}

// ---- the machine

typedef struct Reading {
    const double *array;
    size_t count;
    double sum[PARTS];
} Reading;

typedef double Four __attribute__((vector_size(32), aligned(8)));

// Sums of sixteen at once, in the widest registers, so that memory and not the adder is the limit.
__attribute__((target_clones("avx2", "default"))) static double sum_up(size_t count, const double *array)
{
    Four a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t k = 0; k + 16 <= count; k += 16) {
        a += *(const Four *)(array + k);
        b += *(const Four *)(array + k + 4);
        c += *(const Four *)(array + k + 8);
        d += *(const Four *)(array + k + 12);
    }
    a += b + c + d;
    return a[0] + a[1] + a[2] + a[3];
}

static void read_part(void *data, int part)
{
    Reading *reading = data;
    size_t count = reading->count / PARTS;
    reading->sum[part] += sum_up(count, reading->array + (size_t)part * count);
}

// Bytes per second read from an array much larger than the caches.
static StickStatus read_bandwidth(StickContext *ctx, int nthreads, double *bandwidth)
{
    Reading reading = {.count = (size_t)1 << 25};
    double *array, best = INFINITY;
    STICK_ALLOC(ctx, array, reading.count);
    for (size_t k = 0; k < reading.count; k++)
        array[k] = (double)k;
    reading.array = array;
    StickPool *pool;
    StickStatus status = stick_pool_create(ctx, nthreads, &pool);
    for (int k = 0; k < REPEATS && status == STICK_OK; k++) {
        double start = now(nthreads);
        stick_pool_run(pool, read_part, &reading, PARTS);
        best = fmin(best, now(nthreads) - start);
    }
    if (status == STICK_OK)
        stick_pool_destroy(pool);
    stick_free(ctx, array);
    *bandwidth = 8 * (double)reading.count / best;
    return status;
}

// ---- sweeps

typedef struct Cost {
    int ncontacts, ncolours;
    double load, sweep, residual; // seconds, best of several
    double bytes;                 // of a sweep
    double error;                 // after all of them
} Cost;

static StickStatus measure(StickContext *ctx, const StickFrictionProblem *problem, int nthreads, Cost *cost)
{
    StickColoured *coloured;
    STICK_TRY(stick_coloured_create(ctx, nthreads, &coloured));
    StickStatus status = stick_coloured_reserve(coloured, problem);
    if (status == STICK_OK) {
        *cost = (Cost){.ncontacts = problem->ncontacts, .sweep = INFINITY, .residual = INFINITY};
        double start = now(nthreads);
        stick_coloured_load(coloured, problem);
        cost->load = now(nthreads) - start;
        for (int k = 0; k < WARM + REPEATS; k++) {
            start = now(nthreads);
            stick_coloured_sweep(coloured);
            double middle = now(nthreads);
            if (k >= WARM)
                cost->sweep = fmin(cost->sweep, middle - start);
            if (k % 4 == 0)
                cost->error = stick_coloured_residual(coloured).scale_free;
            if (k % 4 == 0)
                cost->residual = fmin(cost->residual, now(nthreads) - middle);
        }
        cost->ncolours = stick_coloured_colours(coloured);
        cost->bytes = stick_coloured_bytes(coloured);
    }
    stick_coloured_destroy(coloured);
    return status;
}

static void print_cost(int nthreads, const Cost *cost, double bandwidth)
{
    printf("%9d %8d %8d %10.1f %10.1f %10.1f %10.0f %10.2f %6.0f %%  %.0e\n", cost->ncontacts, cost->ncolours,
           nthreads, 1e9 * cost->load / cost->ncontacts, 1e9 * cost->sweep / cost->ncontacts,
           1e9 * cost->residual / cost->ncontacts, cost->bytes / cost->ncontacts,
           1e-9 * cost->bytes / cost->sweep, 100 * cost->bytes / cost->sweep / bandwidth, cost->error);
    fflush(stdout);
}

static StickStatus run(StickContext *ctx, int nthreads)
{
    static const int sizes[] = {1000, 10000, 100000, 300000, 1000000};
    enum { NSIZES = sizeof sizes / sizeof *sizes, LARGE = 2 };
    Cost alone[NSIZES], together[NSIZES];
    double bandwidth[2];
    STICK_TRY(read_bandwidth(ctx, 1, &bandwidth[0]));
    STICK_TRY(read_bandwidth(ctx, nthreads, &bandwidth[1]));
    printf("memory is read at %.1f GB/s by one thread, %.1f GB/s by %d\n", 1e-9 * bandwidth[0],
           1e-9 * bandwidth[1], nthreads);
    printf(" contacts  colours  threads    load ns   sweep ns residual ns bytes each       GB/s  of memory "
           "error\n");
    for (int k = 0; k < NSIZES; k++) {
        Pile pile;
        STICK_TRY(pile_create(ctx, sizes[k], &pile));
        StickStatus status = measure(ctx, &pile.problem, 1, &alone[k]);
        if (status == STICK_OK)
            status = measure(ctx, &pile.problem, nthreads, &together[k]);
        pile_destroy(&pile);
        STICK_TRY(status);
        print_cost(1, &alone[k], bandwidth[0]);
        print_cost(nthreads, &together[k], bandwidth[1]);
    }
    const Cost *large = &alone[LARGE], *largest = &alone[NSIZES - 1];
    double exponent = log(largest->sweep / large->sweep) / log((double)largest->ncontacts / large->ncontacts);
    double gain = large->sweep / together[LARGE].sweep;
    printf("exponent of the cost between the last sizes %.3f (goal: at most 1.05)\n", exponent);
    printf("gain of %d threads at %d contacts %.2f (goal of two: at least 1.6)\n", nthreads, large->ncontacts,
           gain);
    return exponent <= 1.05 && (nthreads != 2 || gain >= 1.6) ? STICK_OK : STICK_CHECK_FAILED;
}

int main(int argc, char **argv)
{
    StickContext *ctx = stick_context_create(NULL);
    int nthreads = argc > 1 ? atoi(argv[1]) : 2;
    if (nthreads < 1 || nthreads > 256) {
        fprintf(stderr, "usage: bench.sweeps [threads]\n");
        stick_context_destroy(ctx);
        return STICK_USAGE;
    }
    StickStatus status = run(ctx, nthreads);
    if (status != STICK_OK && stick_last_error(ctx)[0])
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    stick_context_destroy(ctx);
    return status;
}
