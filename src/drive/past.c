// SPDX-License-Identifier: Apache-2.0
#include "drive/past.h"

#include "base/memory.h"

#include <string.h>

StickStatus stick_past_create(StickContext *ctx, int motions, int ndofs, StickPast *past)
{
    STICK_ALLOC(ctx, past->theta, motions);
    STICK_ALLOC(ctx, past->u, ndofs);
    return STICK_OK;
}

void stick_past_destroy(StickContext *ctx, StickPast *past)
{
    stick_free(ctx, past->theta);
    stick_free(ctx, past->u);
    *past = (StickPast){0};
}

void stick_past_push(StickPast *now, StickPast *before, const StickPast *present, int motions, int ndofs)
{
    StickPast last = *before;
    *before = *now;
    last.known = 1;
    last.t = present->t;
    memcpy(last.theta, present->theta, (size_t)motions * sizeof *last.theta);
    memcpy(last.u, present->u, (size_t)ndofs * sizeof *last.u);
    *now = last;
}
