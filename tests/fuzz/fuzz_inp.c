// SPDX-License-Identifier: Apache-2.0
// Any bytes as a mesh file: an error or a mesh that can be checked.
#include "fuzz.h"

#include "mesh/inp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    StickContext *ctx = stick_context_create(NULL);
    StickMesh mesh;
    const char *path = input_file(data, size);
    if (stick_inp_read(ctx, path, &mesh) == STICK_OK) {
        stick_mesh_check(ctx, &mesh, (StickMark){path, 0, 0});
        stick_mesh_destroy(ctx, &mesh);
    }
    stick_context_destroy(ctx);
    return 0;
}
