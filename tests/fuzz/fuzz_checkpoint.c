// SPDX-License-Identifier: Apache-2.0
// Any bytes as a checkpoint: an error, never a crash in the library below.
#include "fuzz.h"

#include "output/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    StickContext *ctx = stick_context_create(NULL);
    StickCheckpoint *checkpoint;
    double values[4];
    if (stick_checkpoint_open(ctx, input_file(data, size), &checkpoint) == STICK_OK) {
        stick_checkpoint_get_doubles(checkpoint, "scalars", values, 4);
        stick_checkpoint_close(checkpoint);
    }
    stick_context_destroy(ctx);
    return 0;
}
