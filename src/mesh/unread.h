// SPDX-License-Identifier: Apache-2.0
// Notes on a mesh file: element types that are replaced by others, and ignored cards and sections.
#ifndef MESH_UNREAD_H
#define MESH_UNREAD_H

#include "base/text.h"

typedef struct StickUnread {
    size_t count, room;
    struct StickUnreadItem {
        char *word;
        StickMark mark; // where it is first; the file's name belongs to the reader
        long long times;
    } * item;
} StickUnread;

// Counts a word; index of its entry. Words that are the same are one entry.
StickStatus stick_unread_add(StickContext *ctx, StickUnread *list, const char *word, StickMark mark,
                             int *index);

// "*ELASTIC (line 12), 3 *BOUNDARY (first at line 20)"
StickStatus stick_unread_text(const StickUnread *list, StickText *text);

void stick_unread_destroy(StickContext *ctx, StickUnread *list);

#endif
