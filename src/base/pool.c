// SPDX-License-Identifier: Apache-2.0
// One word, the ticket, holds the number of the current run (upper half) and the number of its parts that no thread has
// taken yet (lower half). A thread takes a part by one compare-and-swap of the ticket. A thread that arrives after the
// end of a run sees a different ticket, so that no thread has to wait until all have seen every run. Idle threads spin
// briefly, then sleep.
#include "base/pool.h"

#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// About 30 microseconds: longer than the gap between two runs of a loop, shorter than a sleep costs twice.
enum { SPINS = 1000 };

struct StickPool {
    StickContext *ctx;
    pthread_t *thread; // nworkers
    int nworkers;

    // Of the run that is on: valid for a thread as long as it holds a part of it.
    _Atomic(StickPart *) function;
    _Atomic(void *) data;
    atomic_int nparts;

    _Atomic uint64_t ticket;
    atomic_int unfinished; // parts
    atomic_bool stop;

    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    atomic_int sleepers; // threads waiting for work
    atomic_bool caller_sleeps;
};

static uint32_t parts_left(uint64_t ticket)
{
    return (uint32_t)ticket;
}

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// ---- parts

static void finish_part(StickPool *pool)
{
    if (atomic_fetch_sub(&pool->unfinished, 1) > 1 || !atomic_load(&pool->caller_sleeps))
        return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
}

// Takes parts of the run that is on until none is left.
static void take_parts(StickPool *pool)
{
    uint64_t ticket = atomic_load(&pool->ticket);
    while (parts_left(ticket) > 0) {
        // The swap succeeds only if these still belong to the ticket.
        StickPart *function = atomic_load(&pool->function);
        void *data = atomic_load(&pool->data);
        int nparts = atomic_load(&pool->nparts);
        if (!atomic_compare_exchange_weak(&pool->ticket, &ticket, ticket - 1))
            continue;
        function(data, nparts - (int)parts_left(ticket));
        finish_part(pool);
        ticket = atomic_load(&pool->ticket);
    }
}

// ---- threads

static bool has_news(StickPool *pool)
{
    return parts_left(atomic_load(&pool->ticket)) > 0 || atomic_load(&pool->stop);
}

static void wait_for_work(StickPool *pool)
{
    for (int k = 0; k < SPINS; k++) {
        if (has_news(pool))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_news(pool))
        pthread_cond_wait(&pool->work, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *data)
{
    StickPool *pool = data;
    while (!atomic_load(&pool->stop)) {
        take_parts(pool);
        wait_for_work(pool);
    }
    return NULL;
}

// Signals belong to the caller's thread.
static void start_threads(StickPool *pool, int count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = 0;
    while (pool->nworkers < count && error == 0) {
        error = pthread_create(&pool->thread[pool->nworkers], NULL, work, pool);
        pool->nworkers += error == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        stick_warn(pool->ctx, "only %d of %d threads: %s", pool->nworkers + 1, count + 1, strerror(error));
}

StickStatus stick_pool_create(StickContext *ctx, int nthreads, StickPool **pool)
{
    assert(nthreads >= 1);
    StickPool *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->thread = stick_alloc(ctx, (size_t)nthreads, sizeof *created->thread);
    if (!created->thread) {
        stick_free(ctx, created);
        return STICK_NO_MEMORY;
    }
    pthread_mutex_init(&created->mutex, NULL);
    pthread_cond_init(&created->work, NULL);
    pthread_cond_init(&created->done, NULL);
    start_threads(created, nthreads - 1);
    *pool = created;
    return STICK_OK;
}

static void wake(StickPool *pool)
{
    if (atomic_load(&pool->sleepers) == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
}

void stick_pool_destroy(StickPool *pool)
{
    if (!pool)
        return;
    atomic_store(&pool->stop, true);
    wake(pool);
    for (int k = 0; k < pool->nworkers; k++)
        pthread_join(pool->thread[k], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    stick_free(pool->ctx, pool->thread);
    stick_free(pool->ctx, pool);
}

int stick_pool_threads(const StickPool *pool)
{
    return pool->nworkers + 1;
}

// ---- runs

static void wait_for_the_last(StickPool *pool)
{
    for (int k = 0; k < SPINS; k++) {
        if (atomic_load(&pool->unfinished) == 0)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->unfinished) > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->mutex);
}

void stick_pool_run(StickPool *pool, StickPart *function, void *data, int nparts)
{
    if (pool->nworkers == 0 || nparts <= 1) {
        for (int part = 0; part < nparts; part++)
            function(data, part);
        return;
    }
    atomic_store(&pool->function, function);
    atomic_store(&pool->data, data);
    atomic_store(&pool->nparts, nparts);
    atomic_store(&pool->unfinished, nparts);
    uint64_t run = (atomic_load(&pool->ticket) >> 32) + 1;
    atomic_store(&pool->ticket, run << 32 | (uint32_t)nparts);
    wake(pool);
    take_parts(pool);
    wait_for_the_last(pool);
}
