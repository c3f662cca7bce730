// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// OpenBLAS starts a thread per core when it is loaded, each with 128 MB of addresses, and reads how many it may start
// before main begins. All of ours run BLAS on the thread that calls: for the time of loading, the environment says so
// in the place of one of its variables.
static char one_thread[] = "OPENBLAS_NUM_THREADS=1";
static char **place, *replaced;

__attribute__((no_sanitize("address", "undefined"))) static void before_libraries(int argc, char **argv,
                                                                                  char **environment)
{
    (void)argc, (void)argv;
    if (!environment || !environment[0])
        return;
    place = environment;
    for (char **entry = environment; *entry; entry++) {
        size_t k = 0; // nothing of the C library works yet
        while (one_thread[k] != '=' && (*entry)[k] == one_thread[k])
            k++;
        if (one_thread[k] == '=' && (*entry)[k] == '=')
            place = entry;
    }
    replaced = *place;
    *place = one_thread;
}

#ifdef __linux__
__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **,
                                                                              char **) = before_libraries;
#endif

int main(int argc, char **argv)
{
    if (place)
        *place = replaced;
    int code = stick_program(argc, argv);
    fflush(NULL);
    if (code == STICK_NO_MEMORY)
        _exit(code); // libraries may need memory to end
    return code;
}
