// SPDX-License-Identifier: Apache-2.0
#include "base/quiet.h"

#include <stdint.h>
#include <string.h>

// Size of a block, in front of it.
typedef union Front {
    size_t size;
    max_align_t align;
} Front;

static void *resize(void *outer, void *block, size_t size)
{
    Front *old = block ? (Front *)block - 1 : NULL;
    if (size == 0) {
        stick_free(outer, old);
        return NULL;
    }
    Front *front = size > SIZE_MAX - sizeof *front ? NULL : stick_alloc(outer, size + sizeof *front, 1);
    if (!front)
        return NULL;
    front->size = size;
    if (old)
        memcpy(front + 1, old + 1, old->size < size ? old->size : size);
    stick_free(outer, old);
    return front + 1;
}

StickContext *stick_quiet_create(StickContext *outer)
{
    return stick_context_create(&(StickAllocator){resize, outer});
}

static const StickDiagnostic *last_error(const StickContext *ctx)
{
    for (size_t k = stick_diagnostic_count(ctx); k-- > 0;)
        if (stick_diagnostic(ctx, k)->severity == STICK_ERROR)
            return stick_diagnostic(ctx, k);
    return NULL;
}

void stick_quiet_warn(StickContext *quiet, StickContext *outer, const char *what)
{
    const StickDiagnostic *said = last_error(quiet);
    StickMark mark = {0};
    if (said)
        mark = (StickMark){said->file, said->line, said->column};
    stick_warn_at(outer, mark, "%s: %s", what, said ? said->text : "the reason is not known");
    stick_diagnostics_clear(quiet);
}
