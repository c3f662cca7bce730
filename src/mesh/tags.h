// SPDX-License-Identifier: Apache-2.0
// Tags: the numbers by which a mesh file calls its nodes and elements, found by bisection.
#ifndef MESH_TAGS_H
#define MESH_TAGS_H

#include <stickslip/context.h>

typedef struct StickTag {
    long long tag;
    int index;
} StickTag;

typedef struct StickTags {
    int count;
    StickTag *entry; // ascending
} StickTags;

// index of tag[k] is k
StickStatus stick_tags_create(StickContext *ctx, const long long *tag, int count, StickTags *tags);
void stick_tags_destroy(StickContext *ctx, StickTags *tags);

// Position in entry[] of the first tag >= the given one; count if not found.
int stick_tags_lower(const StickTags *tags, long long tag);

// Index of a tag, or -1.
int stick_tags_find(const StickTags *tags, long long tag);

// Position in entry[] of a tag that the next entry repeats, or -1.
int stick_tags_repeated(const StickTags *tags);

#endif
