// SPDX-License-Identifier: Apache-2.0
#include "contact/collision_filter.h"

#include "base/memory.h"

#include <stdlib.h>

static int compare(const void *x, const void *y)
{
    const StickCollisionFilterPair *p = x, *q = y;
    return p->a != q->a ? (p->a < q->a ? -1 : 1) : (p->b > q->b) - (p->b < q->b);
}

// Whatever other joints are between both: one that parts them is enough.
StickStatus stick_collision_filter_create(StickContext *ctx, const StickModel *model,
                                          StickCollisionFilter *parted)
{
    StickCollisionFilter made = {0};
    STICK_ALLOC(ctx, made.pair, model->njoints);
    for (int k = 0; k < model->njoints; k++) {
        const StickJointSpec *joint = &model->joint[k];
        int a = joint->body, b = joint->other_body;
        if (joint->collides || (b < 0 && joint->other_obstacle < 0))
            continue;
        StickCollisionFilterPair pair = {a < b ? a : b, a < b ? b : a};
        if (b < 0)
            pair = (StickCollisionFilterPair){a, -1 - joint->other_obstacle};
        made.pair[made.count++] = pair;
    }
    if (made.count > 1)
        qsort(made.pair, (size_t)made.count, sizeof *made.pair, compare);
    *parted = made;
    return STICK_OK;
}

void stick_collision_filter_destroy(StickContext *ctx, StickCollisionFilter *parted)
{
    stick_free(ctx, parted->pair);
    *parted = (StickCollisionFilter){0};
}

bool stick_collision_filter_has(const StickCollisionFilter *parted, int a, int b)
{
    StickCollisionFilterPair key = {a, b};
    return parted->count > 0 && bsearch(&key, parted->pair, (size_t)parted->count, sizeof key, compare);
}
