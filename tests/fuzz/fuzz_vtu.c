// SPDX-License-Identifier: Apache-2.0
// Any bytes as a field file: an error, or a grid and its fields.
#include "fuzz.h"

#include "base/memory.h"
#include "report/scene.h"

static void read_values(StickContext *ctx, const StickVtuFile *file, StickVtuSection section,
                        const char *name)
{
    double *values;
    if (stick_vtu_values(file, section, name, &values) == STICK_OK)
        stick_free(ctx, values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    StickContext *ctx = stick_context_create(NULL);
    StickVtuFile *file;
    StickScene scene;
    if (stick_vtu_open_bytes(ctx, "input", (const char *)data, size, &file) == STICK_OK) {
        if (stick_scene_create(ctx, file, "input", 2, NULL, &scene) == STICK_OK)
            stick_scene_destroy(ctx, &scene);
        read_values(ctx, file, STICK_VTU_POINT_DATA, "displacement");
        read_values(ctx, file, STICK_VTU_POINT_DATA, "status");
        stick_vtu_close(file);
    }
    stick_context_destroy(ctx);
    return 0;
}
