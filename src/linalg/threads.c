// SPDX-License-Identifier: Apache-2.0
#include "linalg/threads.h"

#include <cblas.h>
#include <dlfcn.h>
#include <string.h>

void stick_blas_single_thread(void)
{
    openblas_set_num_threads(1);
}

const char *stick_blas_kernels(void)
{
    return openblas_get_corename();
}

// What it takes for processors that are not on its list.
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

// Of the OpenMP that CHOLMOD was built with, if any; which one that is we do not know when we are built.
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
