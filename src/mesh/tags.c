// SPDX-License-Identifier: Apache-2.0
#include "mesh/tags.h"

#include "base/memory.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const StickTag *a = left, *b = right;
    int order = (a->tag > b->tag) - (a->tag < b->tag);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

StickStatus stick_tags_create(StickContext *ctx, const long long *tag, int count, StickTags *tags)
{
    StickTag *entry;
    STICK_ALLOC(ctx, entry, count);
    for (int k = 0; k < count; k++)
        entry[k] = (StickTag){tag[k], k};
    qsort(entry, (size_t)count, sizeof *entry, compare);
    *tags = (StickTags){count, entry};
    return STICK_OK;
}

void stick_tags_destroy(StickContext *ctx, StickTags *tags)
{
    stick_free(ctx, tags->entry);
    *tags = (StickTags){0};
}

int stick_tags_lower(const StickTags *tags, long long tag)
{
    int low = 0, high = tags->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (tags->entry[middle].tag < tag)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int stick_tags_find(const StickTags *tags, long long tag)
{
    int k = stick_tags_lower(tags, tag);
    return k < tags->count && tags->entry[k].tag == tag ? tags->entry[k].index : -1;
}

int stick_tags_repeated(const StickTags *tags)
{
    for (int k = 0; k + 1 < tags->count; k++)
        if (tags->entry[k].tag == tags->entry[k + 1].tag)
            return k;
    return -1;
}
