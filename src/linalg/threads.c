// SPDX-License-Identifier: Apache-2.0
#include "linalg/threads.h"

#include "base/memory.h"

#include <cblas.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

void stick_blas_single_thread(void)
{
    openblas_set_num_threads(1);
}

// ---- memory of OpenBLAS

// A buffer of OpenBLAS on x86-64; where no memory is left for one, its allocator tries again for ever.
static const size_t BUFFER = (size_t)128 << 20;
enum { NESTED = 2 }; // buffers of one thread: a routine of LAPACK and the BLAS that it calls

// Not in its header, but in the library; other builds may not have them.
extern void *blas_memory_alloc(int kind) __attribute__((weak));
extern void blas_memory_free(void *buffer) __attribute__((weak));

// Whether the address space has room for this.
static bool has_room(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room != MAP_FAILED && munmap(room, bytes) == 0;
}

static StickStatus refuse_blas(StickContext *ctx, size_t bytes)
{
    struct rlimit limit;
    char text[128] = "";
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        snprintf(text, sizeof text, "; the address space of the program is limited to %.0f MB (ulimit -v)",
                 (double)limit.rlim_cur / (1 << 20));
    return stick_fail(ctx, STICK_NO_MEMORY,
                      "no memory for linear algebra: OpenBLAS reserves %.0f MB of addresses%s",
                      (double)bytes / (1 << 20), text);
}

StickStatus stick_blas_prepare(StickContext *ctx, int threads)
{
    enum { MOST = 32 }; // OpenBLAS keeps a table of at least 50
    void *buffer[MOST];
    int count = NESTED + (threads > 1 ? threads - 1 : 0);
    count = count < MOST ? count : MOST;
    stick_blas_single_thread();
    size_t bytes = (size_t)count * BUFFER;
    if (!has_room(bytes))
        return refuse_blas(ctx, bytes);
    if (!blas_memory_alloc || !blas_memory_free)
        return STICK_OK;
    // OpenBLAS keeps its buffers: later calls allocate no memory
    for (int k = 0; k < count; k++)
        buffer[k] = blas_memory_alloc(0);
    for (int k = 0; k < count; k++)
        blas_memory_free(buffer[k]);
    return STICK_OK;
}

const char *stick_blas_kernels(void)
{
    return openblas_get_corename();
}

// Whether OpenBLAS uses its generic kernels because it does not know the processor.
bool stick_blas_is_lost(void)
{
#if defined(__x86_64__)
    return strcmp(stick_blas_kernels(), "Prescott") == 0 && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

typedef int GetLevels(void);
typedef void SetLevels(int levels);

// A function of the OpenMP library that CHOLMOD was built with, if any; the library is unknown at build time.
static void *find(const char *name)
{
    void *program = dlopen(NULL, RTLD_LAZY), *found = program ? dlsym(program, name) : NULL;
    if (program)
        dlclose(program);
    return found;
}

int stick_openmp_hold(void)
{
    GetLevels *get = (GetLevels *)find("omp_get_max_active_levels");
    SetLevels *set = (SetLevels *)find("omp_set_max_active_levels");
    if (!get || !set)
        return 0;
    int levels = get();
    set(0);
    return levels;
}

void stick_openmp_release(int levels)
{
    SetLevels *set = (SetLevels *)find("omp_set_max_active_levels");
    if (set)
        set(levels);
}
