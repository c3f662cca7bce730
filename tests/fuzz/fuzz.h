// SPDX-License-Identifier: Apache-2.0
// What every fuzzer needs: the input as a file, for readers that take a path.
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// One file per process, written anew for each input.
static inline const char *input_file(const uint8_t *data, size_t size)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/stickslip-fuzz-%d", (int)getpid());
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(data, 1, size, stream) != size || fclose(stream) != 0)
        abort();
    return path;
}

#endif
