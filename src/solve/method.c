// SPDX-License-Identifier: Apache-2.0
#include "solve/method.h"

#include "base/memory.h"

StickStatus stick_method_create(const StickMethod *method, StickContext *ctx,
                                const StickSolverOptions *options, void **work)
{
    void *made = stick_alloc(ctx, 1, method->work_size);
    if (!made)
        return STICK_NO_MEMORY;
    StickStatus status = method->create(ctx, options, made);
    if (status != STICK_OK)
        stick_method_destroy(method, ctx, made);
    else
        *work = made;
    return status;
}

void stick_method_destroy(const StickMethod *method, StickContext *ctx, void *work)
{
    if (!work)
        return;
    method->destroy(work);
    stick_free(ctx, work);
}
