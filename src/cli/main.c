// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

// OpenBLAS starts a thread per core when it is loaded, each with 128 MB of addresses, and reads how many it may start
// before main begins. All of ours run BLAS on the thread that calls: for the time of loading, the environment says so
// in the place of one of its variables, but of none that libraries read while they are loaded. Where there is no other,
// nothing is replaced: the threads start, and have nothing to do.
static char one_thread[] = "OPENBLAS_NUM_THREADS=1";
static char **place, *replaced;

// Nothing of the C library works yet: these functions compare by themselves.
#define EARLY __attribute__((no_sanitize("address", "undefined")))

EARLY static bool starts(const char *text, const char *with)
{
    while (*with && *text == *with)
        text++, with++;
    return !*with;
}

// Read by OpenBLAS, by OpenMP, by the loader or by a sanitizer, whose names end in SAN_OPTIONS.
EARLY static bool is_read_by_libraries(const char *entry)
{
    if (starts(entry, "OPENBLAS_") || starts(entry, "OMP_") || starts(entry, "GOTO_") || starts(entry, "LD_"))
        return true;
    for (; *entry && *entry != '='; entry++)
        if (starts(entry, "SAN_OPTIONS="))
            return true;
    return false;
}

EARLY static void before_libraries(int argc, char **argv, char **environment)
{
    (void)argc, (void)argv;
    for (char **entry = environment; entry && *entry; entry++) {
        bool is_number = starts(*entry, "OPENBLAS_NUM_THREADS=");
        if (is_number || (!place && !is_read_by_libraries(*entry)))
            place = entry;
        if (is_number)
            break;
    }
    if (!place)
        return;
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
